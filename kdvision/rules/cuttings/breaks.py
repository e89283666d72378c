"""Which dominoes of a kingdom break the joining rule, as they lie (RULES 5.1, 6).

In a cutting, dominoes that no chain of matching terrain joins to the castle fall into groups. The
first domino of every group was laid where nothing fitted; the others of it may have followed it by
the rules. So a group of one names its domino, and in a larger one it was any that touches the rest
of the kingdom.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kdvision.rules.cutting import SquareBits
from kdvision.rules.cuttings.pairs import Pair
from kdvision.rules.cuttings.settings import BREAKS
from kdvision.rules.kingdom import Kingdom, Position, neighbours
from kdvision.rules.problem import Code, Names, Problem, problem

#: A message names no more dominoes than this; `Problem.cells` has them all.
_MOST_NAMED = 3
_BY_PLACE = Names()


@dataclass(frozen=True, slots=True)
class Breaks:
    """How likely the joining rule is broken, and by which dominoes.

    `probability` is that some domino breaks it; `dominoes` are pairs of squares with the
    probability that they are one domino and that it breaks the rule, likeliest first.
    """

    probability: float
    dominoes: tuple[tuple[Pair, float], ...]


def breaks_of(squares: SquareBits, weighted: Iterable[tuple[tuple[int, ...], float]]) -> Breaks:
    """Judge a kingdom by its cuttings.

    Args:
        squares: The board that was cut, with one castle.
        weighted: All cuttings that are likely, with weights above 0: how likely each is by all
            that is known but the joining rule, times any common factor.
    """
    whole = broken = 0.0
    by_pair: dict[Pair, float] = {}
    for pairs, given in weighted:
        groups = squares.apart(pairs)
        weight = given * BREAKS.rate ** len(groups)
        whole += weight
        broken += weight if groups else 0.0
        for group in groups:
            halves = [squares.halves(pair) for pair in group]
            first = list(_may_be_first(halves, squares.places))
            for pair in first:
                by_pair[pair] = by_pair.get(pair, 0.0) + weight / len(first)
    ranked = sorted(by_pair.items(), key=lambda one: (-one[1], one[0]))
    return Breaks(broken / whole, tuple((pair, weight / whole) for pair, weight in ranked))


def _may_be_first(group: list[Pair], places: Iterable[Position]) -> Iterator[Pair]:
    """The dominoes of a group that touch others by an edge; all where none does."""
    own = {at for pair in group for at in pair}
    others = set(places) - own
    touching = [pair for pair in group if not others.isdisjoint(_around(pair))]
    yield from touching or group


def _around(pair: Pair) -> tuple[Position, ...]:
    """The places around a domino, its own two among them."""
    one, other = pair
    return *neighbours(one), *neighbours(other)


def order_problem(kingdom: Kingdom, breaks: Breaks, names: Names = _BY_PLACE) -> Problem | None:
    """The dominoes that break the joining rule as a problem; None where none is likely enough.

    Args:
        kingdom: What lies on the table.
        breaks: Its breaks, where the rule is broken in all likelihood.
        names: How squares are named.
    """
    known = [pair for pair, chance in breaks.dominoes if chance >= BREAKS.known_from]
    maybe = {
        pair: chance
        for pair, chance in breaks.dominoes
        if BREAKS.named_from <= chance < BREAKS.known_from
    }
    if not known and not maybe:
        return None
    clauses = [_known_clause(kingdom, known, names)] if known else []
    if maybe:
        clauses.append(_maybe_clause(kingdom, maybe, names, alone=not known))
    cells = {at for pair in (*known, *maybe) for at in pair}
    return problem(Code.NO_ORDER, f"{'; '.join(clauses)}.", cells)


def domino_text(kingdom: Kingdom, pair: Pair, names: Names = _BY_PLACE) -> str:
    """A domino for a player: `c3, c4 (wheat, swamp)`."""
    squares = kingdom.squares()
    terrains = ", ".join(squares[at].terrain.value for at in pair)
    return f"{names.of(pair)} ({terrains})"


def _known_clause(kingdom: Kingdom, known: Sequence[Pair], names: Names) -> str:
    named = _listed([domino_text(kingdom, pair, names) for pair in known], "and")
    if len(known) == 1:
        return f"The domino at {named} touches nothing that fits"
    return f"The dominoes at {named} touch nothing that fits"


def _maybe_clause(
    kingdom: Kingdom, maybe: Mapping[Pair, float], names: Names, *, alone: bool
) -> str:
    """Dominoes that may be at fault; `alone` where none is known to be."""
    named = [
        f"{domino_text(kingdom, pair, names)} ({100 * chance:.0f} %)"
        for pair, chance in maybe.items()
    ]
    if alone:
        return f"A domino touches nothing that fits: perhaps that at {_listed(named, 'or')}"
    return f"perhaps also that at {_listed(named, 'or')}"


def _listed(names: Sequence[str], word: str) -> str:
    """A few names of dominoes in a row: a message is no list."""
    shown = f" {word} at ".join(names[:_MOST_NAMED])
    return shown if len(names) <= _MOST_NAMED else f"{shown} {word} {len(names) - _MOST_NAMED} more"
