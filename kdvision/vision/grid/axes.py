"""The axes of squares, corrected by where their neighbours lie.

The detector says where a square is more exactly than how it is foreshortened: in slanted views it
takes axes for more upright than they are. Squares side by side show it better, as an axis is the
step from one to the next.
"""

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from kdvision.arrays import Array
from kdvision.vision.grid.homography_fit import all_aligned, in_frames
from kdvision.vision.grid.voting import Squares
from kdvision.vision.settings import GRID


def with_axes_of_neighbours(squares: Squares) -> Squares:
    """The same squares with axes that lead to their neighbours, where they have any.

    Args:
        squares: Squares of any number of kingdoms, in pixels.
    """
    if len(squares) < 2:
        return squares
    one, other, offsets = pairs_within(squares, GRID.axes_reach)
    axes = squares.axes
    for _ in range(GRID.axes_rounds):
        axes = _averaged(axes, one, other, offsets)
    return replace(squares, axes=axes)


class Steps(Struct, frozen=True, eq=False):
    """How squares lie to each other, pair by pair.

    Attributes:
        turns: (m,) quarter turns that bring the other square's axes nearest to the one's.
        aligned: (m, 2, 2) the other's axes after that.
        whole: (m, 2) the step from the one to the other along the axes of the one, rounded.
        error: (m,) how far the step is from that, in squares.
        bend: (m,) how much the axes of the two differ, as a share of their length.
    """

    turns: NDArray[np.int64]
    aligned: Array
    whole: NDArray[np.int64]
    error: Array
    bend: Array

    @property
    def beside(self) -> NDArray[np.bool_]:
        """(m,) whether the other is the nearest to the one in one of four directions."""
        return np.asarray(np.abs(self.whole).sum(axis=1) == 1)


def steps_between(
    axes: Array, one: NDArray[np.int64], other: NDArray[np.int64], offsets: Array
) -> Steps:
    """How the squares `one` (m,) and `other` (m,) lie to each other, with `offsets` (m, 2)."""
    frames = axes[one]
    turns, aligned = all_aligned(axes[other], frames)
    middle = (frames + aligned) / 2
    steps = in_frames(offsets, middle)
    whole = np.round(steps)
    error = np.linalg.norm(steps - whole, axis=1)
    size = np.linalg.norm(middle, axis=(1, 2))
    bend = np.linalg.norm(frames - aligned, axis=(1, 2)) / np.maximum(size, 1e-9)
    return Steps(turns, aligned, whole.astype(np.int64), error, bend)


def pairs_within(
    squares: Squares, reach: float
) -> tuple[NDArray[np.int64], NDArray[np.int64], Array]:
    """All ordered pairs of squares no further apart than `reach` sides of the first.

    Returns:
        The indices (m,) of the first and of the second of each pair, and the offsets (m, 2).
    """
    offsets = squares.centres[None] - squares.centres[:, None]
    near = (offsets**2).sum(axis=2) < (reach * squares.scales[:, None]) ** 2
    np.fill_diagonal(near, False)
    one, other = np.nonzero(near)
    return one, other, offsets[one, other]


def _averaged(
    axes: Array, one: NDArray[np.int64], other: NDArray[np.int64], offsets: Array
) -> Array:
    """Axes (n, 2, 2), each the mean of itself and of the steps (m, 2) that follow it."""
    steps = steps_between(axes, one, other, offsets)
    good = steps.beside & (steps.error < GRID.most_step_error) & (steps.bend < GRID.most_axes_bend)
    weights = np.where(good, np.exp(-((steps.error / GRID.step_spread) ** 2)), 0.0)
    axis = np.abs(steps.whole[:, 1]) % 2
    sums = GRID.own_axes_weight * axes
    counts = np.full(axes.shape[:2], GRID.own_axes_weight)
    np.add.at(sums, (one, axis), (weights * steps.whole.sum(axis=1))[:, None] * offsets)
    np.add.at(counts, (one, axis), weights)
    # Tiles lie loosely: what the neighbours' axes are steadies the mean.
    shared = GRID.shared_axes_weight * weights
    np.add.at(sums, one, shared[:, None, None] * steps.aligned)
    np.add.at(counts, one, shared[:, None])
    return np.asarray(sums / counts[..., None])
