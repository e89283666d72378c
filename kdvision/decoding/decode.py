"""From the probabilities of every place to the likeliest kingdom of the box, and how sure.

Physically true of the box are: sixteen kinds of square, dominoes of two squares, the deck's
counts, one castle, a 5x5 or 7x7. What is seen is the answer when it can be such a kingdom; only
otherwise is the likeliest other one taken. The rule of connection is no part of it: real players
break it, and then the kingdom must be read as it lies (RULES 6).

The total is as sure as the kingdoms that are nearly as likely agree on it: their probabilities
are summed per total, and what was not looked at counts as doubt.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from kdvision.decoding.best_first import search
from kdvision.decoding.board_graph import Grid, face_table, grid
from kdvision.decoding.calibration import Calibration, calibrated, overall_factor
from kdvision.decoding.constraints import Judge
from kdvision.decoding.posterior import Kingdoms, Weighed, settled
from kdvision.decoding.score_cache import Tally
from kdvision.decoding.settings import DECODING
from kdvision.errors import UsageError
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.reading import Decoded, Doubt, DoubtCode, Reading
from kdvision.rules.dominoes import Face, face_counts
from kdvision.rules.kingdom import NotationError, Position, cell_text, parse_cell, position_name
from kdvision.rules.terrain import KINDS, LABELS


@dataclass(frozen=True, slots=True)
class Effort:
    """How far the kingdoms nearly as likely are explored.

    Attributes:
        tolerance: The share of the probability that may stay unexplored. It counts as doubt.
        limit: How many readings are judged at most.
    """

    tolerance: float = field(default_factory=lambda: DECODING.tolerance)
    limit: int = field(default_factory=lambda: DECODING.max_readings)


def decode(
    reading: Reading,
    options: GameOptions = DEFAULT_OPTIONS,
    *,
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
        options: The rules, and the number of boxes.
        fixes: What certainly lies on some places, as in a kingdom line (`W1`, `C`, `-`). They
            need not be places where something was seen.
        deck: How often each face can be used, in one box; None is the deck of 48.
        calibration: How far the reader is trusted.
        effort: How far to look for other kingdoms.

    Returns:
        The kingdom, with the probability of its total and the other totals.

    Raises:
        UsageError: A fix outside the grid, or no square of the deck.
        ValueError: Probabilities that are none.
    """
    return settled(
        weigh(
            reading,
            options,
            fixes=fixes,
            deck=deck,
            calibration=calibration,
            effort=effort,
        )
    )


def weigh(
    reading: Reading,
    options: GameOptions = DEFAULT_OPTIONS,
    *,
    fixes: Mapping[Position, str] | None = None,
    deck: Mapping[Face, int] | None = None,
    calibration: Calibration | None = None,
    effort: Effort | None = None,
) -> Weighed:
    """Find the likely kingdoms of a reading, for `settled`; all as in `decode`."""
    fixed = _labels_of(fixes or {}, reading)
    probabilities, seen = calibrated(reading, calibration or Calibration(), fixed)
    places = grid(reading.height, reading.width)
    dominoes = on_table(deck, options.boxes)
    return Weighed(
        _kingdoms(probabilities, seen, places, options.size, dominoes, effort or Effort()),
        seen,
        probabilities,
        places,
        Tally(places, options),
        tuple(fixed),
        overall_factor(reading.doubts),
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


def _kingdoms(
    probabilities: Sequence[Sequence[float]],
    seen: bytes,
    places: Grid,
    size: int | None,
    deck: Mapping[Face, int] | None,
    effort: Effort,
) -> Kingdoms:
    """The kingdoms of the deck; when what was seen is none, also those beyond its bounds."""
    found: dict[bytes, float] = {}
    complaints: dict[bytes, Doubt] = {}
    unexplored = 0.0
    others = int(effort.limit * DECODING.other_readings_share) + 1
    for belief in _beliefs(seen, places, size, deck):
        if belief.prior <= effort.tolerance * sum(found.values()):
            unexplored += belief.prior
            break
        outcome = search(
            probabilities,
            belief.judge,
            tolerance=effort.tolerance,
            least=math.exp(-DECODING.no_kingdom_penalty) / belief.prior,
            limit=effort.limit if belief.prior == 1 else others,
        )
        unexplored += belief.prior * outcome.rest
        for one in outcome.candidates:
            if belief.complaint and one.labels not in found:
                complaints[one.labels] = belief.complaint
            found[one.labels] = found.get(one.labels, 0.0) + belief.prior * one.probability
        if seen in found:
            break
    known = seen in found and seen not in complaints
    doubt = 0.0 if known else math.exp(-DECODING.wrong_grid_penalty)
    weights = dict(sorted(found.items(), key=lambda one: -one[1]))
    return Kingdoms(weights, unexplored, doubt, complaints)


@dataclass(frozen=True, slots=True)
class _Belief:
    """One idea of what lies there: how likely it is, what it allows, and what to warn of."""

    prior: float
    judge: Judge | None
    complaint: Doubt | None = None


def _beliefs(
    seen: bytes, places: Grid, size: int | None, deck: Mapping[Face, int] | None
) -> Iterator[_Belief]:
    """This deck; another deck; anything as it was seen."""
    side = size or 7
    squares = sum(label < KINDS for label in seen)
    per_square = DECODING.other_deck_penalty_per_square
    other_deck = math.exp(-DECODING.other_deck_penalty - per_square * squares)
    yield _Belief(1.0, Judge(places, side, face_table(deck)))
    yield _Belief(other_deck, Judge(places, side, None), Doubt(DoubtCode.OTHER_DECK))
    no_box = Doubt(DoubtCode.NO_BOX, fields={"side": side})
    yield _Belief(math.exp(-DECODING.no_kingdom_penalty), None, no_box)
