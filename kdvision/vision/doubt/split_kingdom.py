"""Kingdoms that something tears apart: an arm across the table, or a damaged stretch of the photo.

The part with the castle looks whole by itself, and the other parts are tiles without a castle. That
they lie on the same lattice gives them away.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.vision.geometry import project
from kdvision.vision.grid.grid import Grid
from kdvision.vision.settings import DOUBT

#: The largest box of a kingdom.
_MOST_SIDE = 7


def with_parts(grid: Grid, reading: Reading, others: Sequence[Grid]) -> Reading:
    """The reading of a kingdom, with a doubt where a group of tiles without a castle continues it.

    Args:
        grid: The grid of the kingdom.
        reading: What lies on it.
        others: The grids of the photo on which there is no kingdom.
    """
    if not any(_continues(grid, reading, other) for other in others):
        return reading
    return replace(reading, doubts=(*reading.doubts, Doubt(DoubtCode.TORN, DOUBT.split_factor)))


def _continues(grid: Grid, reading: Reading, other: Grid) -> bool:
    """Whether the squares of another grid lie on places that the kingdom could reach.

    A single row says little of where rows further off lie, but where their columns do.
    """
    squares = project(other.homography, other.centres[other.found])
    at = project(np.asarray(np.linalg.inv(grid.homography)), squares)[:, ::-1] - 0.5
    whole = np.round(at)
    taken = np.array(reading.taken)
    low, high = np.minimum(taken.min(axis=0), whole), np.maximum(taken.max(axis=0), whole)
    reached = (high - low < _MOST_SIDE).all(axis=1)
    known = np.ptp(taken, axis=0) > 0
    on_lattice = reached & (np.abs(at - whole) * known < DOUBT.near_lattice).all(axis=1)
    return bool(on_lattice.sum() >= max(DOUBT.least_in_line, DOUBT.share_in_line * reached.sum()))
