"""From the probabilities of every place to the likeliest kingdoms of the box, and their posterior.

Physically true of the box are: sixteen kinds of square, dominoes of two squares, the deck's
counts, one castle, a 5x5 or 7x7. What is seen is the answer when it can be such a kingdom; only
otherwise is the likeliest kingdom taken that can. The rule of connection is no part of it: real
players break it, and then the kingdom must be read as it lies (RULES 6). The probability of a total
is the sum over all likely kingdoms that have it; what was not searched counts against it.

Kingdoms of one photo come from one box: each is decoded by itself first, and `shared_box` then
judges them given each other.
"""

import math
from collections.abc import Iterator, Mapping, Sequence

from kdvision.decoding.best_first import search
from kdvision.decoding.board import Board, DeckFaces, ScoreCache, board_of, deck_faces
from kdvision.decoding.calibration import CALIBRATION, calibrated, overall_factor
from kdvision.decoding.constraints import Constraints
from kdvision.decoding.posterior import Posterior, decoded_from
from kdvision.decoding.settings import DECODING
from kdvision.decoding.shared_box import given_each_other
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.reading import Decoded, Doubt, DoubtCode, Reading
from kdvision.rules.dominoes import Deck
from kdvision.rules.kingdom import Position
from kdvision.rules.scoring import MOST_SIDE
from kdvision.rules.terrain import KINDS, LABELS


def likeliest_kingdoms(
    readings: Sequence[Reading],
    options: GameOptions = DEFAULT_OPTIONS,
    *,
    fixes: Sequence[Mapping[Position, str]] | None = None,
    deck: Deck | None = None,
) -> tuple[Decoded, ...]:
    """Find the likeliest kingdoms that one box can hold together.

    Args:
        readings: What the classifier saw of every kingdom, on every place of its grid. A grid may
            be larger than the kingdom. Doubts without places scale `probability`; those with places
            make these places less certain, which only matters when the total depends on them.
        options: The rules.
        fixes: What certainly lies on places of the grid, for every reading, as in a kingdom line
            (`W1`, `C`, `-`). They need not be places where something was seen.
        deck: The dominoes of one box; None for the 48.

    Returns:
        For every reading the kingdom, with the probability of its total and the further totals.
        Where the box cannot hold the kingdoms, nor any nearly as likely ones, each stands as it was
        decoded by itself, with a warning.

    Raises:
        UsageError: A deck with a square of none of the sixteen kinds.
        ValueError: Probabilities that are none.
    """
    faces = deck_faces(deck)
    side = options.size or MOST_SIDE
    posteriors = []
    for index, reading in enumerate(readings):
        fixed = {at: LABELS.index(text) for at, text in fixes[index].items()} if fixes else {}
        posteriors.append(_posterior(reading, options, fixed, faces))
    return tuple(map(decoded_from, given_each_other(posteriors, side, faces)))


def _posterior(
    reading: Reading, options: GameOptions, fixed: Mapping[Position, int], faces: DeckFaces
) -> Posterior:
    """The kingdoms of the deck; when what was seen is none, also those of other hypotheses."""
    probabilities, seen = calibrated(reading, fixed)
    board = board_of(reading.height, reading.width)
    # What is hidden cannot disagree with a kingdom.
    hidden = tuple(
        row * reading.width + col
        for row, places in enumerate(reading.places)
        for col, place in enumerate(places)
        if place.hidden >= CALIBRATION.hidden and (row, col) not in fixed
    )
    weights: dict[bytes, float] = {}
    doubts: dict[bytes, Doubt] = {}
    unexplored = 0.0
    as_seen = None
    for prior, constraints, doubt in _hypotheses(seen, board, options.size or MOST_SIDE, faces):
        if prior <= DECODING.tolerance * sum(weights.values()):
            unexplored += prior
            break
        share = DECODING.other_readings_share
        result = search(
            probabilities,
            constraints,
            tolerance=DECODING.tolerance,
            min_mass=math.exp(-DECODING.no_kingdom_penalty) / prior,
            limit=int(DECODING.max_readings * share) + 1 if doubt else DECODING.max_readings,
        )
        unexplored += prior * result.unexplored
        # What several hypotheses explain is doubted only if the first of them is.
        for labels, probability in result.kingdoms.items():
            if doubt and labels not in weights:
                doubts[labels] = doubt
            weights[labels] = weights.get(labels, 0.0) + prior * probability
        as_seen = _likeliest_as_seen(weights, seen, hidden)
        if as_seen is not None:
            break
    # What differs from a kingdom of the deck may be a wrong grid.
    as_expected = as_seen is not None and as_seen not in doubts
    return Posterior(
        weights=dict(sorted(weights.items(), key=lambda pair: -pair[1])),
        unexplored=unexplored,
        outside=0.0 if as_expected else math.exp(-DECODING.wrong_grid_penalty),
        doubts=doubts,
        seen=seen,
        probabilities=probabilities,
        board=board,
        scores=ScoreCache(board, options),
        fixed=tuple(fixed),
        factor=overall_factor(reading.doubts),
        hidden=hidden,
    )


def _likeliest_as_seen(
    weights: Mapping[bytes, float], seen: bytes, hidden: Sequence[int]
) -> bytes | None:
    """The likeliest kingdom that is as seen on every place but the hidden ones."""
    clear = [place for place in range(len(seen)) if place not in hidden]
    alike = (labels for labels in weights if all(labels[at] == seen[at] for at in clear))
    return max(alike, key=weights.__getitem__, default=None)


def _hypotheses(
    seen: bytes, board: Board, side: int, faces: DeckFaces
) -> Iterator[tuple[float, Constraints | None, Doubt | None]]:
    """What the squares may be from: its prior, its constraints, and the doubt that it brings.

    Kingdoms of this deck; of another deck; anything, as it was seen.
    """
    squares = sum(label < KINDS for label in seen)
    penalty = DECODING.other_deck_penalty + DECODING.other_deck_penalty_per_square * squares
    yield 1.0, Constraints([board], side, faces), None
    yield math.exp(-penalty), Constraints([board], side, None), Doubt(DoubtCode.OTHER_DECK)
    no_box = Doubt(DoubtCode.NO_BOX, fields={"side": side})
    yield math.exp(-DECODING.no_kingdom_penalty), None, no_box
