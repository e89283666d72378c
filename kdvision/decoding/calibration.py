"""Calibration: from the classifier's probabilities to those that decoding works with.

Networks are too confident, most of all when they are wrong, so every label keeps a little
probability at every place. The temperature of the classifier was applied when it was read.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Annotated

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from kdvision.reading import KEPT_OF_TOTAL, READING, Doubt, DoubtCode, Reading
from kdvision.rules.dominoes import standard_deck
from kdvision.rules.kingdom import Position
from kdvision.rules.terrain import EMPTY_LABEL, KINDS, LABELS, SQUARE_KINDS, Terrain

#: Relative. By so much the likeliest label of a place stays ahead after the prior was mixed in;
#: small against any probability that matters.
_TIE_MARGIN = 1e-6

#: (labels, groups) 1 where a label is of a group: the terrains in their order, then nothing. The
#: castle is of no group.
_GROUPS = np.zeros((len(LABELS), len(Terrain) + 1))
_GROUPS[range(KINDS), [list(Terrain).index(kind.terrain) for kind in SQUARE_KINDS]] = 1.0
_GROUPS[EMPTY_LABEL, -1] = 1.0

#: Share (0 to 1) that the classifier keeps on a place that a doubt is about: enough to name the
#: other total.
KEPT_ON_PLACE = {
    # The border cuts the place.
    DoubtCode.CUT_OFF: 0.3,
    # Squares were read where no tile was found.
    DoubtCode.NOT_FOUND: 0.9,
    # The detector sees a tile, and the classifier none.
    DoubtCode.NOT_READ: 0.994,
}

#: (places, labels) or (places, 1).
_Values = npt.NDArray[np.float64]


class CalibrationSettings(Struct, frozen=True):
    """How far the classifier is believed, and what is expected of a place.

    Attributes:
        floor: probability that the classifier is wrong about a square of which it is certain: so
            much of every place goes to the prior. Fitted on one half of rendered tables and
            reported on the other.
        castle_prior: probability that a place of which nothing is known shows a castle: 1 place in
            a box of 25.
        empty_prior: probability that such a place is empty: 4 places of 25, set by hand.
        uniform_share: share of the squares' prior that is uniform over the sixteen kinds; the rest
            follows the deck. Half, as misreadings do not follow the deck.
        alike: odds. How much likelier than by chance a place has the terrain of its neighbour, or
            nothing where nothing lies beside it. On the 35 boards of the training set 45 % of
            neighbouring squares have one terrain, by chance 19 %: odds of 3.5. Decides what a
            hidden place is taken for.
    """

    floor: Annotated[float, "sure"] = 5e-5
    castle_prior: Annotated[float, "sure"] = 0.04
    empty_prior: Annotated[float, "sure"] = 0.16
    uniform_share: Annotated[float, "sure"] = 0.5
    alike: Annotated[float, "sure"] = 3.5


CALIBRATION = CalibrationSettings()


def usual_prior() -> tuple[float, ...]:
    """Return what to expect of a place of which nothing is known, a probability per label."""
    counts = standard_deck().square_counts
    everything = sum(counts.values())
    castle = CALIBRATION.castle_prior
    empty = CALIBRATION.empty_prior
    uniform = CALIBRATION.uniform_share
    kinds = []
    for kind in SQUARE_KINDS:
        share = (1 - uniform) * counts[kind] / everything + uniform / len(SQUARE_KINDS)
        kinds.append(share * (1 - castle - empty))
    return (*kinds, castle, empty)


def calibrate(reading: Reading, fixes: Mapping[Position, int]) -> tuple[list[list[float]], bytes]:
    """Calibrate the probabilities to decode with, and return the labels as seen.

    A doubt about places mixes more of the prior in there. The likeliest label of a place stays the
    likeliest, unless the place is hidden: the share that is not seen follows what lies beside it.
    Fixed places have one label only, and no doubt.

    Args:
        reading: What the classifier saw.
        fixes: Labels (index in `LABELS`) that a person gave, by position.

    Returns:
        Per place, row by row, the probability of every label; and the likeliest label.

    Raises:
        ValueError: Probabilities that are no numbers, negative, or all 0.
    """
    places = list(chain.from_iterable(reading.places))
    seen = np.array([place.probabilities for place in places], np.float64).reshape(-1, len(LABELS))
    whole = seen.sum(axis=1, keepdims=True)
    if not (np.isfinite(whole).all() and (whole > 0).all() and (seen >= 0).all()):
        raise ValueError("The probabilities of a place must be numbers of 0 or more, not all 0.")
    labels = seen.argmax(axis=1)
    # What is seen, as far as it is trusted.
    prior = np.array(usual_prior())
    keep = (1 - CALIBRATION.floor) * _trust_by_place(reading)
    values = _keep_likeliest(keep * (seen / whole) + (1 - keep) * prior, labels)
    # What is hidden follows what lies beside it; what is seen of it is evidence as before.
    hidden = np.array([place.hidden for place in places]).reshape(-1, 1)
    hidden[hidden < READING.hidden] = 0
    if hidden.any():
        visible = (1 - hidden) * values
        guessed = _prior_by_neighbours(visible, reading.width) * (visible / prior + hidden)
        guessed /= guessed.sum(axis=1, keepdims=True)
        values = np.where(hidden > 0, guessed, values)
    for (row, col), label in fixes.items():
        place = row * reading.width + col
        values[place] = np.eye(len(LABELS))[label]
        labels[place] = label
    probabilities: list[list[float]] = values.tolist()
    return probabilities, bytes(labels.tolist())


def _prior_by_neighbours(seen: _Values, width: int) -> _Values:
    """Return what to expect of a place of which only the neighbours are seen, (places, labels).

    It most often has what lies beside it: the terrain of a neighbour, or nothing beside nothing.

    Args:
        seen: (places, labels) the probabilities of what is seen; less than 1 together where a place
            is hidden.
        width: The number of columns.
    """
    groups = (seen @ _GROUPS).reshape(-1, width, _GROUPS.shape[1])
    shares = np.pad(groups, ((1, 1), (1, 1), (0, 0)))
    prior = np.array(usual_prior())
    for beside in (shares[:-2, 1:-1], shares[2:, 1:-1], shares[1:-1, :-2], shares[1:-1, 2:]):
        alike = beside.reshape(len(seen), -1) @ _GROUPS.T
        prior = prior * (1 + (CALIBRATION.alike - 1) * alike)
    return np.asarray(prior / prior.sum(axis=1, keepdims=True))


def _trust_by_place(reading: Reading) -> _Values:
    """Return what doubts about single places leave of what the classifier saw, (places, 1)."""
    trust = np.ones((reading.height * reading.width, 1))
    for doubt in reading.doubts:
        for row, col in doubt.places:
            if 0 <= row < reading.height and 0 <= col < reading.width:
                trust[row * reading.width + col] *= KEPT_ON_PLACE.get(doubt.code, 1.0)
    return trust


def _keep_likeliest(values: _Values, labels: npt.NDArray[np.intp]) -> _Values:
    """Raise the values of `labels` to the largest of their place, where they are below."""
    rows = np.arange(len(values))
    most = values.max(axis=1)
    low = values[rows, labels] < most
    values[rows[low], labels[low]] = most[low] * (1 + _TIE_MARGIN)
    values /= values.sum(axis=1, keepdims=True)
    return values


def overall_factor(doubts: Sequence[Doubt]) -> float:
    """Return what the doubts about the whole photo leave of the trust in a total."""
    return math.prod(KEPT_OF_TOTAL.get(doubt.code, 1.0) for doubt in doubts)
