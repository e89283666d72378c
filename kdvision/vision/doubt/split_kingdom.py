"""Kingdoms that something tears apart: an arm across the table, or a damaged stretch of the photo.

The part with the castle looks whole by itself, and the other parts are tiles without a castle. That
they lie on the same lattice gives them away.
"""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from kdvision.reading import DoubtCode, Reading, Sign
from kdvision.vision.geometry import project
from kdvision.vision.grid.grid import Grid
from kdvision.vision.settings import DOUBT

#: The largest box of a kingdom.
_MOST_SIDE = 7


def with_parts(grid: Grid, reading: Reading, others: Sequence[Grid]) -> Reading:
    """The reading of a kingdom, with a sign where a group of tiles without a castle continues it.

    Args:
        grid: The grid of the kingdom.
        reading: What lies on it.
        others: The grids of the photo on which there is no kingdom.
    """
    in_line = max((_in_line(grid, reading, other) for other in others), default=0)
    if not in_line:
        return reading
    return replace(reading, signs=(*reading.signs, Sign(DoubtCode.TORN, float(in_line))))


def _in_line(grid: Grid, reading: Reading, other: Grid) -> int:
    """How many squares of another grid lie on places that the kingdom could reach; 0 for a few.

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
    count = int(on_lattice.sum())
    return count if count >= max(DOUBT.least_in_line, DOUBT.share_in_line * reached.sum()) else 0
