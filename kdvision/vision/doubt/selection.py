"""Select and order the kingdoms of a photo that are reported; they say what was left out.

A kingdom that an arm or a damaged stretch of the photo tears apart looks whole by the part with
the castle, and the other parts are tiles without one. That they lie on the same lattice gives them
away.
"""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from kdvision.reading import Doubt, DoubtCode, Reading, Sign
from kdvision.rules.scoring import MOST_SIDE
from kdvision.vision.doubt.plausibility import is_print
from kdvision.vision.geometry import project
from kdvision.vision.grid.finder import Grid
from kdvision.vision.settings import DOUBT
from kdvision.vision.squares.castle import castle_center, castle_likeness

#: Sides of a square. Kingdoms whose castles differ less in height stand in one row of the report.
_SAME_LINE = 3.0


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
    reached = (high - low < MOST_SIDE).all(axis=1)
    known = np.ptp(taken, axis=0) > 0
    on_lattice = reached & (np.abs(at - whole) * known < DOUBT.near_lattice).all(axis=1)
    count = int(on_lattice.sum())
    return count if count >= max(DOUBT.least_in_line, DOUBT.share_in_line * reached.sum()) else 0


Seen = tuple[Grid, Reading]


def reported(bare: Sequence[Grid], read: Sequence[Seen]) -> list[Seen]:
    """The kingdoms that are reported, in the reading order of their castles.

    Args:
        bare: The grids of the photo on which there is no kingdom.
        read: The kingdoms on all others, with their doubts.
    """
    seen: list[Seen] = []
    for one in read:
        if not any(_same(*one, other) for _, other in seen):
            seen.append((one[0], with_parts(*one, bare)))
    whole = [one for one in seen if not _without_castle(one[1])]
    if len(whole) < len(seen):
        whole = [(grid, with_note(reading, DoubtCode.CUT_OFF_LEFT_OUT)) for grid, reading in whole]
    tiles = [one for one in whole if not is_print(*one, whole)]
    if len(tiles) < len(whole):
        whole = [(grid, with_note(reading, DoubtCode.PRINT_LEFT_OUT)) for grid, reading in tiles]
    height = min((grid.square_px for grid, _ in whole), default=0.0) * _SAME_LINE
    return sorted(whole, key=lambda one: _reading_order(one[1], height))


def _same(grid: Grid, reading: Reading, other: Reading) -> bool:
    """Whether two readings have one castle: then they are one kingdom."""
    (x0, y0), (x1, y1) = castle_center(reading), castle_center(other)
    return float(np.hypot(x0 - x1, y0 - y1)) < grid.square_px


def _without_castle(reading: Reading) -> bool:
    """Whether the border cuts off a kingdom, and its castle with it."""
    cut = any(doubt.code is DoubtCode.CUT_OFF for doubt in reading.doubts)
    return cut and castle_likeness(reading) < DOUBT.cut_off_castle


def with_note(reading: Reading, code: DoubtCode) -> Reading:
    """The reading of a kingdom, with a note on another that was left out; it stays as sure."""
    return replace(reading, doubts=(*reading.doubts, Doubt(code)))


def _reading_order(reading: Reading, line_height: float) -> tuple[int, float]:
    x, y = castle_center(reading)
    return round(y / line_height), x
