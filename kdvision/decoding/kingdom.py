"""From the probabilities of every place to the likeliest kingdom of the box, and its posterior.

Physically true of the box are: sixteen kinds of square, dominoes of two squares, the deck's
counts, one castle, a 5x5 or 7x7. What is seen is the answer when it can be such a kingdom; only
otherwise is the likeliest other one taken. The rule of connection is no part of it: real players
break it, and then the kingdom must be read as it lies (RULES 6).

The probability of a total is the sum over all likely kingdoms that have it; what was not
searched counts against it.
"""

import math
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from kdvision.decoding.best_first import search
from kdvision.decoding.board import Board, board_of, face_table
from kdvision.decoding.calibration import Calibration, calibrated, overall_factor
from kdvision.decoding.constraints import Constraints
from kdvision.decoding.posterior import (
    KingdomWeights,
    ReadingPosterior,
    decoded_from,
    likeliest_total_first,
)
from kdvision.decoding.score_cache import ScoreCache
from kdvision.decoding.settings import DECODING
from kdvision.errors import UsageError
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.reading import Decoded, Doubt, DoubtCode, Reading
from kdvision.rules.dominoes import Face, face_counts
from kdvision.rules.kingdom import NotationError, Position, cell_text, parse_cell, position_name
from kdvision.rules.terrain import KINDS, LABELS


class SearchLimits(Struct, frozen=True):
    """How far the kingdoms nearly as likely are explored.

    Attributes:
        tolerance: The share of the probability that may stay unexplored. It counts against the
            total.
        limit: How many readings are checked at most.
    """

    tolerance: float = msgspec.field(default_factory=lambda: DECODING.tolerance)
    limit: int = msgspec.field(default_factory=lambda: DECODING.max_readings)


def likeliest_kingdom(
    reading: Reading,
    options: GameOptions = DEFAULT_OPTIONS,
    *,
    fixes: Mapping[Position, str] | None = None,
    deck: Mapping[Face, int] | None = None,
    calibration: Calibration | None = None,
    limits: SearchLimits | None = None,
) -> Decoded:
    """Find the likeliest kingdom that the box can hold, and how sure its total is.

    Args:
        reading: What the classifier saw on every place of a grid. The grid may be larger than the
            kingdom. Doubts without places scale `probability`; those with places make these
            places less certain, which only matters when the total depends on them.
        options: The rules, and the number of boxes.
        fixes: What certainly lies on some places, as in a kingdom line (`W1`, `C`, `-`). They
            need not be places where something was seen.
        deck: How often each face can be used, in one box; None is the deck of 48.
        calibration: How far the classifier is trusted.
        limits: How far to look for other kingdoms.

    Returns:
        The kingdom, with the probability of its total and the other totals.

    Raises:
        UsageError: A fix outside the grid, or no square of the deck.
        ValueError: Probabilities that are none.
    """
    posterior = posterior_of(
        reading, options, fixes=fixes, deck=deck, calibration=calibration, limits=limits
    )
    return decoded_from(likeliest_total_first(posterior))


def posterior_of(
    reading: Reading,
    options: GameOptions = DEFAULT_OPTIONS,
    *,
    fixes: Mapping[Position, str] | None = None,
    deck: Mapping[Face, int] | None = None,
    calibration: Calibration | None = None,
    limits: SearchLimits | None = None,
) -> ReadingPosterior:
    """The likely kingdoms of a reading by probability; arguments as in `likeliest_kingdom`."""
    fixed = _labels_of(fixes or {}, reading)
    probabilities, seen = calibrated(reading, calibration or Calibration(), fixed)
    board = board_of(reading.height, reading.width)
    dominoes = on_table(deck, options.boxes)
    seen_by = _Seen(seen, _hidden_places(reading, fixed))
    found = _kingdoms(
        probabilities, seen_by, board, options.size, dominoes, limits or SearchLimits()
    )
    return ReadingPosterior(
        found,
        seen_by.completed(found.weights),
        probabilities,
        board,
        ScoreCache(board, options),
        tuple(fixed),
        overall_factor(reading.doubts),
        bool(seen_by.hidden),
    )


def on_table(deck: Mapping[Face, int] | None, boxes: int) -> Mapping[Face, int] | None:
    """How often each face can be used with so many boxes of a deck; None is the deck of 48."""
    if boxes == 1:
        return deck
    return {face: count * boxes for face, count in (deck or face_counts()).items()}


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


class _Seen(Struct, frozen=True):
    """The likeliest label of every place, row by row, and the places of which too little is seen.

    What is hidden cannot disagree with a kingdom.
    """

    labels: bytes
    hidden: tuple[int, ...]

    def completed(self, kingdoms: Mapping[bytes, float]) -> bytes:
        """The labels, with those of hidden places from the likeliest kingdom that agrees else."""
        if not self.hidden:
            return self.labels
        alike = [labels for labels in kingdoms if self._agrees(labels)]
        return max(alike, key=kingdoms.__getitem__, default=self.labels)

    def _agrees(self, labels: bytes) -> bool:
        return all(
            label == seen or place in self.hidden
            for place, (label, seen) in enumerate(zip(labels, self.labels, strict=True))
        )


def _hidden_places(reading: Reading, fixed: Mapping[Position, int]) -> tuple[int, ...]:
    """The places, counted row by row, that are rather hidden than seen."""
    return tuple(
        row * reading.width + col
        for row, places in enumerate(reading.places)
        for col, place in enumerate(places)
        if place.hidden >= DECODING.hidden and (row, col) not in fixed
    )


def _kingdoms(
    probabilities: Sequence[Sequence[float]],
    seen_by: _Seen,
    board: Board,
    size: int | None,
    deck: Mapping[Face, int] | None,
    limits: SearchLimits,
) -> KingdomWeights:
    """The kingdoms of the deck; when what was seen is none, also those of other hypotheses."""
    found: dict[bytes, float] = {}
    doubts: dict[bytes, Doubt] = {}
    unexplored = 0.0
    others = int(limits.limit * DECODING.other_readings_share) + 1
    seen = seen_by.labels
    for hypothesis in _hypotheses(seen, board, size, deck):
        if hypothesis.prior <= limits.tolerance * sum(found.values()):
            unexplored += hypothesis.prior
            break
        result = search(
            probabilities,
            hypothesis.constraints,
            tolerance=limits.tolerance,
            min_found=math.exp(-DECODING.no_kingdom_penalty) / hypothesis.prior,
            limit=limits.limit if hypothesis.prior == 1 else others,
        )
        unexplored += hypothesis.prior * result.unexplored
        for one in result.candidates:
            if hypothesis.doubt and one.labels not in found:
                doubts[one.labels] = hypothesis.doubt
            found[one.labels] = found.get(one.labels, 0.0) + hypothesis.prior * one.probability
        seen = seen_by.completed(found)
        if seen in found:
            break
    known = seen in found and seen not in doubts
    outside = 0.0 if known else math.exp(-DECODING.wrong_grid_penalty)
    weights = dict(sorted(found.items(), key=lambda one: -one[1]))
    return KingdomWeights(weights, unexplored, outside, doubts)


class _Hypothesis(Struct, frozen=True):
    """What the squares may be from: its prior, its constraints, and the doubt that it brings."""

    prior: float
    constraints: Constraints | None
    doubt: Doubt | None = None


def _hypotheses(
    seen: bytes, board: Board, size: int | None, deck: Mapping[Face, int] | None
) -> Iterator[_Hypothesis]:
    """Kingdoms of this deck; of another deck; anything, as it was seen."""
    side = size or 7
    squares = sum(label < KINDS for label in seen)
    per_square = DECODING.other_deck_penalty_per_square
    other_deck = math.exp(-DECODING.other_deck_penalty - per_square * squares)
    yield _Hypothesis(1.0, Constraints(board, side, face_table(deck)))
    yield _Hypothesis(other_deck, Constraints(board, side, None), Doubt(DoubtCode.OTHER_DECK))
    no_box = Doubt(DoubtCode.NO_BOX, fields={"side": side})
    yield _Hypothesis(math.exp(-DECODING.no_kingdom_penalty), None, no_box)
