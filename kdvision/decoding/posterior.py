"""From weighed kingdoms to the answer: its total and how sure it is, other totals, every cell."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from kdvision.decoding.board_graph import Grid
from kdvision.decoding.score_cache import Tally, kingdom_of
from kdvision.decoding.settings import DECODING
from kdvision.reading import Alternative, Decoded, Doubt, DoubtCode, Solution
from kdvision.rules.kingdom import Position
from kdvision.rules.terrain import LABELS

#: `Decoded.certainty`: a probability per place, by row and column.
Certainty = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Kingdoms:
    """Kingdoms by labels with their weights, the answer first, and the weight of all else.

    `unexplored` is that of kingdoms that were not looked at, `doubt` that of what is no kingdom.
    `complaints` say of a kingdom what is wrong with it; empty where the deck has it.
    """

    weights: Mapping[bytes, float]
    unexplored: float
    doubt: float
    complaints: Mapping[bytes, Doubt]

    @property
    def answer(self) -> bytes:
        """The likeliest kingdom."""
        return next(iter(self.weights))

    @property
    def complaint(self) -> Doubt | None:
        """What is wrong with the answer."""
        return self.complaints.get(self.answer)

    @property
    def everything(self) -> float:
        """The weight of all that is possible."""
        return sum(self.weights.values()) + self.unexplored + self.doubt

    @property
    def warnings(self) -> tuple[Doubt, ...]:
        """What the user should know about the answer."""
        much = self.unexplored > DECODING.unexplored_warning * self.everything
        given_up = Doubt(DoubtCode.NOT_ALL_TRIED) if much else None
        return tuple(filter(None, (self.complaint, given_up)))


@dataclass(frozen=True, slots=True)
class Weighed:
    """A reading with its likely kingdoms, before anything is decided.

    Attributes:
        kingdoms: The kingdoms by their weight.
        seen: The likeliest label of every place, row by row.
        probabilities: Those of the labels of every place, calibrated.
        places: The grid.
        tally: Counts totals.
        fixed: The places that the user fixed.
        factor: What the doubts about the whole photo leave of the trust in the total.
    """

    kingdoms: Kingdoms
    seen: bytes
    probabilities: Sequence[Sequence[float]]
    places: Grid
    tally: Tally
    fixed: tuple[Position, ...]
    factor: float


def settled(weighed: Weighed) -> Decoded:
    """The answer, with the probability of its total, the other totals, and every cell's."""
    kingdoms, places = weighed.kingdoms, weighed.places
    totals = _totals(kingdoms, weighed.tally)
    scale = weighed.factor / kingdoms.everything
    own = totals[weighed.tally.total(kingdoms.answer)]
    return Decoded(
        kingdom=kingdom_of(kingdoms.answer, places),
        seen=kingdom_of(weighed.seen, places),
        probability=scale * own.weight,
        certainty=_certainty(weighed),
        alternatives=_alternatives(totals, kingdoms.answer, places, scale),
        warnings=kingdoms.warnings,
        solutions=_solutions(weighed),
    )


@dataclass(slots=True)
class _Total:
    """One total: its weight, and the likeliest kingdom that has it."""

    kingdom: bytes
    weight: float = 0.0


def _totals(kingdoms: Kingdoms, tally: Tally) -> dict[int, _Total]:
    """The totals of all kingdoms."""
    totals: dict[int, _Total] = {}
    for labels, weight in kingdoms.weights.items():
        totals.setdefault(tally.total(labels), _Total(labels)).weight += weight
    return totals


def _alternatives(
    totals: Mapping[int, _Total], answer: bytes, places: Grid, scale: float
) -> tuple[Alternative, ...]:
    """The other totals, likeliest first, with the squares of their likeliest kingdom.

    `scale` makes probabilities of weights.
    """
    others = [(total, one) for total, one in totals.items() if one.kingdom != answer]
    others.sort(key=lambda other: -other[1].weight)
    return tuple(
        Alternative(total, one.weight * scale, _differences(one.kingdom, answer, places))
        for total, one in others[: DECODING.max_alternatives]
        if one.weight * scale >= DECODING.min_alternative
    )


def _differences(labels: bytes, answer: bytes, places: Grid) -> tuple[tuple[Position, str], ...]:
    return tuple(
        (divmod(place, places.width), LABELS[label])
        for place, label in enumerate(labels)
        if label != answer[place]
    )


def _certainty(weighed: Weighed) -> Certainty:
    """How sure every cell of the answer is: the share of the kingdoms that have it too."""
    kingdoms, places = weighed.kingdoms, weighed.places
    labels = np.array([list(one) for one in kingdoms.weights])
    weights = np.array(list(kingdoms.weights.values()))
    shares = weights @ (labels == labels[0]) / kingdoms.everything
    for row, col in weighed.fixed:
        shares[row * places.width + col] = 1.0
    return tuple(map(tuple, shares.reshape(places.height, places.width).tolist()))


def _solutions(weighed: Weighed) -> tuple[Solution, ...]:
    """The likeliest kingdoms."""
    return tuple(
        Solution(
            kingdom_of(labels, weighed.places),
            sum(
                math.log(values[label])
                for values, label in zip(weighed.probabilities, labels, strict=True)
            ),
        )
        for labels in islice(weighed.kingdoms.weights, DECODING.max_solutions)
    )
