"""Which slip belongs to which kingdom of a photo: one to one, by how near they lie."""

from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from kdvision.arrays import Array
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

    corners: tuple[tuple[float, float], ...]
    rows: int
    cols: int


class Owned(Struct, frozen=True):
    """A slip's kingdom, by its index; None where none is near.

    `is_sure` is false where another assignment is nearly as good.
    """

    kingdom: int | None
    is_sure: bool


def distance(slip: Sequence[tuple[float, float]], kingdom: Outline) -> float:
    """The gap between a slip, by its corners in pixels, and the box of a kingdom, in squares."""
    box = [[0, 0], [kingdom.cols, 0], [kingdom.cols, kingdom.rows], [0, kingdom.rows]]
    to_squares = homography(kingdom.corners, box)
    corners = np.array(slip, float)
    steps = np.linspace(0, 1, _POINTS)[:, None, None]
    edge = (corners * (1 - steps) + np.roll(corners, -1, axis=0) * steps).reshape(-1, 2)
    depth = np.c_[edge, np.ones(len(edge))] @ to_squares[2]
    middle = np.append(np.mean(kingdom.corners, axis=0), 1.0) @ to_squares[2]
    in_view = depth * middle > 0  # the rest lies beyond the horizon of the kingdom's plane
    if not in_view.any():
        return float("inf")
    points: Array = project(to_squares, edge[in_view])
    beyond = np.maximum(np.maximum(-points, points - [kingdom.cols, kingdom.rows]), 0)
    return float(np.linalg.norm(beyond, axis=1).min())


def assign(
    slips: Sequence[Sequence[tuple[float, float]]], kingdoms: Sequence[Outline]
) -> list[Owned]:
    """Assign slips to kingdoms one to one, the nearest together.

    The best assignment has the least sum of distances, a slip without a kingdom counting as
    `FARTHEST`.

    Args:
        slips: The corners of each, in pixels.
        kingdoms: Those of the photo.
    """
    if max(len(slips), len(kingdoms)) > MOST:
        return [Owned(None, False) for _ in slips]
    costs = [[distance(slip, kingdom) for kingdom in kingdoms] for slip in slips]

    def best_without(banned: tuple[int, int | None] | None) -> tuple[float, tuple[int | None, ...]]:
        """The best assignment that does not give a slip one kingdom, with its sum."""

        @cache
        def from_slip(slip: int, taken: int) -> tuple[float, tuple[int | None, ...]]:
            if slip == len(slips):
                return 0.0, ()
            choices: list[tuple[float, tuple[int | None, ...]]] = []
            for kingdom in (*range(len(kingdoms)), None):
                free = kingdom is None or not taken >> kingdom & 1
                cost = FARTHEST if kingdom is None else costs[slip][kingdom]
                if (slip, kingdom) == banned or not free or cost > FARTHEST:
                    continue
                rest, others = from_slip(slip + 1, taken | (0 if kingdom is None else 1 << kingdom))
                choices.append((cost + rest, (kingdom, *others)))
            return min(choices, key=lambda choice: choice[0], default=(float("inf"), ()))

        return from_slip(0, 0)

    total, best = best_without(None)
    # A slip without a kingdom: one was not found, or two were taken for one.
    complete = None not in best
    return [
        Owned(kingdom, complete and best_without((slip, kingdom))[0] - total >= LEAST_MARGIN)
        for slip, kingdom in enumerate(best)
    ]


def with_kingdoms(slips: Sequence[Slip], kingdoms: Sequence[Outline]) -> tuple[Slip, ...]:
    """The slips of a photo, each with its kingdom.

    Slips and kingdoms without corners are of other photos and stay as they are; two slips of one
    kingdom are both in doubt.
    """
    placed = [index for index, kingdom in enumerate(kingdoms) if kingdom.corners]
    owners = iter(
        assign(
            [slip.corners for slip in slips if slip.corners], [kingdoms[index] for index in placed]
        )
    )
    found = []
    for slip in slips:
        if slip.corners:
            owner = next(owners)
            kingdom = None if owner.kingdom is None else placed[owner.kingdom]
            slip = replace(slip, kingdom=kingdom, kingdom_is_sure=owner.is_sure)
        found.append(slip)
    counts = Counter(slip.kingdom for slip in found)
    return tuple(
        replace(slip, kingdom_is_sure=False) if counts[slip.kingdom] > 1 else slip for slip in found
    )
