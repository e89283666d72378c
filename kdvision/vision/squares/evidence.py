"""Evidence of others than the classifier: the detector of squares, and the ground."""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from kdvision.arrays import Array
from kdvision.rules.terrain import CASTLE_LABEL, EMPTY_LABEL
from kdvision.vision.grid.grid import Grid
from kdvision.vision.settings import SQUARES


class Evidence(Struct, frozen=True, eq=False):
    """What others than the classifier say of places: the detector of squares, and the ground.

    Attributes:
        tile: (n,) share of each place that the detector takes for a tile, 0 to 1.
        castle_ratio: (n,) likelihood ratio of a castle, by the detector.
        bare_ratio: (n,) likelihood ratio of a bare place, by the ground around it.
    """

    tile: Array
    castle_ratio: Array
    bare_ratio: Array


def castle_ratio(grid: Grid) -> Array:
    """(rows, cols) likelihood ratio of a castle by the detector; 1 where it found no square."""
    odds = grid.castle / np.maximum(1 - grid.castle, 1e-6)
    least, most = SQUARES.least_castle_ratio, SQUARES.most_castle_ratio
    return np.where(grid.found, np.clip(SQUARES.castle_ratio * odds, least, most), 1.0)


def weighed(probabilities: Array, evidence: Evidence | None) -> Array:
    """Probabilities of the classifier, weighed with the evidence of others.

    The two networks see different things, one a patch, the other its surroundings, so their
    evidence for a tile or none, and for a castle, counts together. The detector's is capped, as it
    knows no crowns. Neither compares a place with the ground around it; that is evidence, too.

    Args:
        probabilities: (n, 18) of the classifier.
        evidence: That of the others; None leaves the classifier's.
    """
    if evidence is None:
        return probabilities
    share = np.clip(evidence.tile, SQUARES.detector_cap, 1 - SQUARES.detector_cap)[:, None]
    weights = np.repeat(share, probabilities.shape[1], axis=1)
    weights[:, EMPTY_LABEL] = (1 - share[:, 0]) * evidence.bare_ratio
    weights[:, CASTLE_LABEL] *= evidence.castle_ratio
    products = probabilities * weights
    return np.asarray(products / products.sum(axis=1, keepdims=True))


def clearly_bare(evidence: Evidence | None, count: int) -> NDArray[np.bool_]:
    """(count,) which places the detector and the ground call bare so clearly that it is settled.

    Args:
        evidence: That of the others; None settles nothing.
        count: How many places there are.
    """
    if evidence is None:
        return np.zeros(count, np.bool_)
    share = np.clip(evidence.tile, SQUARES.detector_cap, 1 - SQUARES.detector_cap)
    ratio = (1 - share) / share * evidence.bare_ratio
    return np.asarray(ratio >= SQUARES.clearly_bare, np.bool_)
