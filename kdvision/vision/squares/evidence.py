"""Evidence of others than the classifier: the finder of squares, and the background."""

from dataclasses import dataclass

import numpy as np

from kdvision.arrays import Array
from kdvision.rules.terrain import CASTLE_LABEL, EMPTY_LABEL
from kdvision.vision.grid.grid import Grid

#: The finder's word on tile or no tile counts between this and 1 minus this.
FINDER_CAP = 0.015
#: What the finder's castle plane says where it says 0.5: it was trained to see castles four times
#: too often, and one square in some twenty is one. What it may say at least and at most.
CASTLE_EVIDENCE = 5.0


CASTLE_EVIDENCE_RANGE = (0.2, 10.0)


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """What others than the reader say of places: the finder of squares, and the ground.

    Attributes:
        tile: (n,) share of each place that looks like a tile to the finder.
        castle: (n,) how many times likelier the finder makes a castle there.
        bare: (n,) how many times likelier the ground makes it that nothing lies there.
    """

    tile: Array
    castle: Array
    bare: Array


def castle_evidence(grid: Grid) -> Array:
    """(rows, cols) how many times likelier the finder makes a castle; 1 where it found nothing."""
    odds = grid.castle / np.maximum(1 - grid.castle, 1e-6)
    return np.where(grid.found, np.clip(CASTLE_EVIDENCE * odds, *CASTLE_EVIDENCE_RANGE), 1.0)


def with_word(probabilities: Array, word: Word | None) -> Array:
    """Weigh what the reader says of places with what others say of them.

    The two networks see different things, one a patch, the other its surroundings, so their
    evidence for a tile or none, and for a castle, counts together. The finder's is capped, as it
    knows no crowns. Nor do the networks compare a place with the ground around it.

    Args:
        probabilities: (n, 18) of the reader.
        word: That of the others; None leaves the reader's.
    """
    if word is None:
        return probabilities
    share = np.clip(word.tile, FINDER_CAP, 1 - FINDER_CAP)[:, None]
    weights = np.repeat(share, probabilities.shape[1], axis=1)
    weights[:, EMPTY_LABEL] = (1 - share[:, 0]) * word.bare
    weights[:, CASTLE_LABEL] *= word.castle
    weighed = probabilities * weights
    return np.asarray(weighed / weighed.sum(axis=1, keepdims=True))
