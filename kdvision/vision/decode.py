"""From the probabilities of every place to the likeliest kingdom of the box, and how sure.

Physically true of the box are: sixteen kinds of square, dominoes of two squares, the deck's
counts, one castle, a 5x5 or 7x7. What is seen is the answer when it can be such a kingdom; only
otherwise is the likeliest other one taken. The rule of connection is no part of it: real players
break it, and then the kingdom must be read as it lies (RULES 6).

The total is as sure as the kingdoms that are nearly as likely agree on it: their probabilities
are summed per total, and what was not looked at counts as doubt.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from kdvision.errors import UsageError
from kdvision.rules.dominoes import Face
from kdvision.rules.kingdom import NotationError, Position, cell_text, parse_cell, position_name
from kdvision.rules.terrain import LABELS
from kdvision.vision.box import Judge
from kdvision.vision.calibration import Calibration, calibrated, overall_factor
from kdvision.vision.reading import Alternative, Decoded, Reading, Solution
from kdvision.vision.search import search
from kdvision.vision.tally import Tally, kingdom_of
from kdvision.vision.tiling import KINDS, Grid, face_table, grid

#: The log-probability that may be given up for a kingdom of the deck before the squares are
#: believed to be of another deck (RULES 1.4): so much, and so much more per square, because the
#: more squares there are the less would random ones happen to fit the deck.
OTHER_DECK_PRICE = 6.0
OTHER_DECK_PRICE_PER_SQUARE = 0.1
#: The log-probability given up before not even the box is believed in, with its one castle and
#: dominoes of any two squares.
NO_BOX_PRICE = 16.0
#: The log-probability of being misled altogether, by a grid that is wrong or a kingdom that the
#: photo cuts off. It speaks for no total, and is a rival whenever what was seen cannot be cut: the
#: more probability is given up for a kingdom, the more likely is this instead.
MISLED_PRICE = 7.0

#: How many kingdoms, and how many other totals of what probability, are handed on.
MOST_SOLUTIONS = 5
MOST_ALTERNATIVES = 4
LEAST_ALTERNATIVE = 0.002

#: `Decoded.certainty`: a probability per place, by row and column.
Certainty = tuple[tuple[float, ...], ...]

#: From this share of unexplored probability on, the user is told.
_MUCH = 0.05
_OTHER_DECK = (
    "These squares cannot be cut into the dominoes of the deck. They stand as they were seen; "
    "compare them with the photo, or ignore this if you play with another edition."
)
_NO_BOX = (
    "What was seen is no kingdom: it needs one castle, whole dominoes, and a box of at most "
    "{side}x{side}. It stands as it was seen; compare it with the photo."
)
_GIVEN_UP = "So many squares are unclear that not every possible kingdom was tried."


@dataclass(frozen=True, slots=True)
class Effort:
    """How far the kingdoms nearly as likely are explored.

    Attributes:
        tolerance: The share of the probability that may stay unexplored. It counts as doubt.
        limit: How many readings are judged at most.
    """

    tolerance: float = 5e-3
    limit: int = 300


@dataclass(frozen=True, slots=True)
class _Kingdoms:
    """Kingdoms by labels with their weights, the likeliest first, and the weight of all else.

    `unexplored` is that of kingdoms that were not looked at, `doubt` that of what is no kingdom.
    """

    weights: dict[bytes, float]
    unexplored: float
    doubt: float
    complaint: str

    @property
    def answer(self) -> bytes:
        """The likeliest kingdom."""
        return next(iter(self.weights))

    @property
    def everything(self) -> float:
        """The weight of all that is possible."""
        return sum(self.weights.values()) + self.unexplored + self.doubt

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know about the answer."""
        given_up = _GIVEN_UP if self.unexplored > _MUCH * self.everything else ""
        return tuple(filter(None, (self.complaint, given_up)))


def decode(
    reading: Reading,
    *,
    size: int | None = None,
    harmony: bool = False,
    middle_kingdom: bool = False,
    fixes: Mapping[Position, str] | None = None,
    deck: Mapping[Face, int] | None = None,
    calibration: Calibration | None = None,
    effort: Effort | None = None,
) -> Decoded:
    """Find the likeliest kingdom that the box can hold, and how sure its total is.

    Args:
        reading: What the reader saw on every place of a grid. The grid may be larger than the
            kingdom. Doubts without places scale `probability`; those with places make these
            places less certain, which only matters when the total depends on them.
        size: 5, or 7 for a Mighty Duel; None allows both.
        harmony: Whether the Harmony bonus is in play (RULES 3.1).
        middle_kingdom: Whether the Middle Kingdom bonus is in play (RULES 3.2).
        fixes: What certainly lies on some places, as in a kingdom line (`W1`, `C`, `-`). They
            need not be places where something was seen.
        deck: How often each face can be used; None is the deck of 48.
        calibration: How far the reader is trusted.
        effort: How far to look for other kingdoms.

    Returns:
        The kingdom, with the probability of its total and the other totals.

    Raises:
        UsageError: A fix outside the grid, or no square of the deck.
        ValueError: Probabilities that are none.
    """
    fixed = _labels_of(fixes or {}, reading)
    probabilities, seen = calibrated(reading, calibration or Calibration(), fixed)
    places = grid(reading.height, reading.width)
    kingdoms = _kingdoms(probabilities, seen, places, size, deck, effort or Effort())
    answer = kingdoms.answer
    totals = _totals(kingdoms, Tally(places, size, harmony=harmony, middle_kingdom=middle_kingdom))
    scale = overall_factor(reading.doubts) / kingdoms.everything
    return Decoded(
        kingdom=kingdom_of(answer, places),
        seen=kingdom_of(seen, places),
        probability=scale * sum(one.weight for one in totals.values() if one.kingdom == answer),
        certainty=_certainty(kingdoms, fixed, places),
        alternatives=_alternatives(totals, answer, places, scale),
        warnings=kingdoms.warnings,
        solutions=_solutions(kingdoms, probabilities, places),
    )


def _labels_of(fixes: Mapping[Position, str], reading: Reading) -> dict[Position, int]:
    """The fixes as labels."""
    labels = {}
    for at, text in fixes.items():
        row, col = at
        if not (0 <= row < reading.height and 0 <= col < reading.width):
            raise UsageError(
                f"The square to fix in row {row + 1}, column {col + 1} lies outside the "
                f"{reading.height}x{reading.width} grid."
            )
        try:
            labels[at] = LABELS.index(cell_text(parse_cell(text)))
        except ValueError as error:
            reason = str(error) if isinstance(error, NotationError) else "No domino has it."
            raise UsageError(f"{position_name(at)}={text} cannot be. {reason}") from None
    return labels


# ---------------------------------------------------------------------- kingdoms


def _kingdoms(
    probabilities: Sequence[Sequence[float]],
    seen: bytes,
    places: Grid,
    size: int | None,
    deck: Mapping[Face, int] | None,
    effort: Effort,
) -> _Kingdoms:
    """The kingdoms of the deck; when what was seen is none, also those beyond its bounds."""
    found: dict[bytes, float] = {}
    complaints: dict[bytes, str] = {}
    unexplored = 0.0
    for belief in _beliefs(seen, places, size, deck):
        if belief.prior <= effort.tolerance * sum(found.values()):
            unexplored += belief.prior
            break
        outcome = search(
            probabilities,
            belief.judge,
            tolerance=effort.tolerance,
            least=math.exp(-NO_BOX_PRICE) / belief.prior,
            limit=effort.limit if belief.prior == 1 else effort.limit // 4 + 1,
        )
        unexplored += belief.prior * outcome.rest
        for one in outcome.candidates:
            found[one.labels] = found.get(one.labels, 0.0) + belief.prior * one.probability
            complaints.setdefault(one.labels, belief.complaint)
        if seen in found:
            break
    doubt = 0.0 if complaints.get(seen) == "" else math.exp(-MISLED_PRICE)
    weights = dict(sorted(found.items(), key=lambda one: -one[1]))
    return _Kingdoms(weights, unexplored, doubt, complaints[next(iter(weights))])


@dataclass(frozen=True, slots=True)
class _Belief:
    """One idea of what lies there: how likely it is, what it allows, and what to warn of."""

    prior: float
    judge: Judge | None
    complaint: str = ""


def _beliefs(
    seen: bytes, places: Grid, size: int | None, deck: Mapping[Face, int] | None
) -> Iterator[_Belief]:
    """This deck; another deck; anything as it was seen."""
    side = size or 7
    squares = sum(label < KINDS for label in seen)
    other_deck = math.exp(-OTHER_DECK_PRICE - OTHER_DECK_PRICE_PER_SQUARE * squares)
    yield _Belief(1.0, Judge(places, side, face_table(deck)))
    yield _Belief(other_deck, Judge(places, side, None), _OTHER_DECK)
    yield _Belief(math.exp(-NO_BOX_PRICE), None, _NO_BOX.format(side=side))


# ---------------------------------------------------------------------- what follows from them


@dataclass(slots=True)
class _Total:
    """One total: its weight, and the likeliest kingdom that has it."""

    kingdom: bytes
    weight: float = 0.0


def _totals(kingdoms: _Kingdoms, tally: Tally) -> dict[int, _Total]:
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
        for total, one in others[:MOST_ALTERNATIVES]
        if one.weight * scale >= LEAST_ALTERNATIVE
    )


def _differences(labels: bytes, answer: bytes, places: Grid) -> tuple[tuple[Position, str], ...]:
    return tuple(
        (divmod(place, places.width), LABELS[label])
        for place, label in enumerate(labels)
        if label != answer[place]
    )


def _certainty(kingdoms: _Kingdoms, fixed: Collection[Position], places: Grid) -> Certainty:
    """How sure every cell of the answer is: the share of the kingdoms that have it too."""
    labels = np.array([list(one) for one in kingdoms.weights])
    weights = np.array(list(kingdoms.weights.values()))
    shares = weights @ (labels == labels[0]) / kingdoms.everything
    for row, col in fixed:
        shares[row * places.width + col] = 1.0
    return tuple(map(tuple, shares.reshape(places.height, places.width).tolist()))


def _solutions(
    kingdoms: _Kingdoms, probabilities: Sequence[Sequence[float]], places: Grid
) -> tuple[Solution, ...]:
    """The likeliest kingdoms."""
    return tuple(
        Solution(
            kingdom_of(labels, places),
            sum(
                math.log(values[label]) for values, label in zip(probabilities, labels, strict=True)
            ),
        )
        for labels in islice(kingdoms.weights, MOST_SOLUTIONS)
    )
