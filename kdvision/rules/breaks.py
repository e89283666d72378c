"""How likely the joining rule is broken in a kingdom, and by which dominoes."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from kdvision.rules.cutting import SquareBits
from kdvision.rules.kingdom import Pair, Position, neighbours


@dataclass(frozen=True, slots=True)
class BreakSettings:
    """How often the joining rule is broken, and from when on that is said.

    Attributes:
        rate: Probability that a player lays a domino against the rule: 4 of 36 real kingdoms of
            twelve dominoes each had one (RULES 6).
        known_from: Probability from which on a domino is named without a "perhaps". Set by hand:
            one mistake in twenty is worth a shorter sentence.
        named_from: Probability below which a domino is not named: of a dozen such ones, none is
            worth a look.
    """

    rate: Annotated[float, "legal"] = 0.01
    known_from: Annotated[float, "legal"] = 0.95
    named_from: float = 0.1


BREAKS = BreakSettings()


@dataclass(frozen=True, slots=True)
class Breaks:
    """How likely the joining rule is broken, and by which dominoes.

    Attributes:
        probability: That some domino breaks it.
        dominoes: Pairs of squares, each with the probability that they are one domino and that it
            breaks the rule; the likeliest first.
    """

    probability: float
    dominoes: tuple[tuple[Pair, float], ...]


def find_breaks(squares: SquareBits, weighted: Iterable[tuple[tuple[int, ...], float]]) -> Breaks:
    """Judge a kingdom by its cuttings.

    Args:
        squares: The board that was cut, with one castle.
        weighted: All cuttings that are likely, each with a weight above 0: how likely it is by all
            that is known, the joining rule left aside. A factor that all of them share is no
            matter.
    """
    whole = broken = 0.0
    by_pair: dict[Pair, float] = {}
    for pairs, likelihood in weighted:
        groups = squares.find_apart(pairs)
        weight = likelihood * BREAKS.rate ** len(groups)
        whole += weight
        if groups:
            broken += weight
        for group in groups:
            first = _find_first(group, squares.places)
            for pair in first:
                by_pair[pair] = by_pair.get(pair, 0.0) + weight / len(first)
    ranked = sorted(by_pair.items(), key=lambda entry: (-entry[1], entry[0]))
    return Breaks(broken / whole, tuple((pair, weight / whole) for pair, weight in ranked))


def _find_first(group: list[Pair], places: Iterable[Position]) -> list[Pair]:
    """Return the dominoes of a group that touch others by an edge; all where none does."""
    beside_group = set(places).difference(*group)
    touching = []
    for first, second in group:
        beside = set(neighbours(first)).union(neighbours(second))
        if not beside_group.isdisjoint(beside):
            touching.append((first, second))
    return touching or group
