"""Which slip belongs to which kingdom of a photo: one to one, by how near they lie."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from kdvision.arrays import Array
from kdvision.slips import layout
from kdvision.slips.slip import Slip
from kdvision.vision.geometry import homography, project

#: Squares. A slip that lies further from a kingdom is not its slip.
FARTHEST = 3.0
#: Squares. An assignment that is at most so much worse than the best is as good.
LEAST_MARGIN = 1.25
#: Points on each side of a slip whose distance is taken.
_POINTS = 9
#: More slips or kingdoms than these are not assigned: the search grows with 2 to this power.
MOST = 12


class Outline(Struct, frozen=True):
    """A kingdom in a photo: the corners of its box, clockwise, in pixels, and its size."""

    corners: tuple[layout.Point, ...]
    rows: int
    cols: int


def with_kingdoms(slips: Sequence[Slip], kingdoms: Sequence[Outline]) -> tuple[Slip, ...]:
    """The slips of a photo, each with its kingdom: that of the least sum of distances.

    A slip is sure of its kingdom where every other assignment is far worse, and no slip is without
    a kingdom: one was not found then, or two were taken for one. Slips and kingdoms without corners
    are of other photos and stay as they are; two slips of one kingdom are both in doubt.
    """
    own_slips = [index for index, slip in enumerate(slips) if slip.corners]
    own_kingdoms = [index for index, kingdom in enumerate(kingdoms) if kingdom.corners]
    found = list(slips)
    if max(len(own_slips), len(own_kingdoms)) > MOST:
        own_slips, own_kingdoms = [], []
        found = [replace(slip, kingdom=None, kingdom_is_sure=False) for slip in slips]
    # By slip and kingdom; the last column is that of no kingdom.
    costs = np.full((len(own_slips), len(own_kingdoms) + 1), FARTHEST)
    for row, slip in enumerate(own_slips):
        for column, kingdom in enumerate(own_kingdoms):
            gap = distance(slips[slip].corners, kingdoms[kingdom])
            costs[row, column] = gap if gap <= FARTHEST else np.inf
    total, best = _cheapest(costs)
    complete = len(own_kingdoms) not in best
    for row, (slip, column) in enumerate(zip(own_slips, best, strict=True)):
        others = costs.copy()
        others[row, column] = np.inf
        sure = complete and _cheapest(others)[0] - total >= LEAST_MARGIN
        owner = [*own_kingdoms, None][column]
        found[slip] = replace(slips[slip], kingdom=owner, kingdom_is_sure=sure)
    counts = Counter(slip.kingdom for slip in found)
    return tuple(
        replace(slip, kingdom_is_sure=False) if counts[slip.kingdom] > 1 else slip for slip in found
    )


def distance(slip: Sequence[layout.Point], kingdom: Outline) -> float:
    """The gap between a slip, by its corners in pixels, and the box of a kingdom, in squares."""
    to_squares = homography(kingdom.corners, layout.rectangle(0.0, 0.0, kingdom.cols, kingdom.rows))
    corners = np.array(slip, float)
    steps = np.linspace(0, 1, _POINTS)[:, None, None]
    edge = (corners * (1 - steps) + np.roll(corners, -1, axis=0) * steps).reshape(-1, 2)
    depth = np.c_[edge, np.ones(len(edge))] @ to_squares[2]
    middle = np.append(np.mean(kingdom.corners, axis=0), 1.0) @ to_squares[2]
    in_view = depth * middle > 0  # the rest lies beyond the horizon of the kingdom's plane
    points: Array = project(to_squares, edge[in_view])
    beyond = np.maximum(np.maximum(-points, points - [kingdom.cols, kingdom.rows]), 0)
    return float(np.linalg.norm(beyond, axis=1).min(initial=np.inf))


def _cheapest(costs: Array) -> tuple[float, tuple[int, ...]]:
    """The cheapest choice of a column for each row, each but the last at most once; and its cost.

    Exact, by dynamic programming over the sets of columns that are taken.
    """
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    for row in costs.tolist():
        before, best = best, {}
        for taken, (cost, chosen) in before.items():
            for column, more in enumerate(row):
                bit = 1 << column if column < len(row) - 1 else 0
                known = best.get(taken | bit, (np.inf, ()))
                if not taken & bit and cost + more < known[0]:
                    best[taken | bit] = cost + more, (*chosen, column)
    return min(best.values())
