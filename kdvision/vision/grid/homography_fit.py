"""Homographies of lattices: fitted to squares, and applied to points.

Axes of squares are known up to a quarter turn (see `voting`), so everything that takes axes turns
them to a frame first.
"""

import numpy as np
from numpy.typing import NDArray

from kdvision.arrays import Array, median
from kdvision.vision.grid.voting import Squares
from kdvision.vision.settings import GRID


def fit_homography(
    squares: Squares, members: NDArray[np.int64], places: NDArray[np.int64]
) -> Array:
    """The homography (3, 3) from lattice coordinates to pixels that fits squares best.

    Each square gives its centre and, less surely, its axes, so that three squares in a row are
    enough. Errors count in squares, large ones less (Huber); perspective is held small unless the
    squares show it.
    """
    centres, scales = squares.centres[members], squares.scales[members]
    origin, unit = centres.mean(axis=0), median(scales)
    middle = places.mean(axis=0) + 0.5
    frame = _frame_on_places(squares, members, places)
    lattice = places + 0.5 - middle
    points = [lattice]
    targets = [(centres - origin) / unit]
    weights = [np.ones(len(members))]
    for axis in (0, 1):
        for sign in (-0.5, 0.5):
            points.append(lattice + sign * np.eye(2)[axis])
            targets.append(targets[0] + sign * frame[:, axis] / unit)
            weights.append(np.full(len(members), GRID.axis_weight))
    inner = _solve(
        np.concatenate(points),
        np.concatenate(targets),
        np.concatenate(weights) * np.tile(unit / scales, 5),
        frame.mean(axis=0) / unit,
    )
    outer = np.array([[unit, 0, origin[0]], [0, unit, origin[1]], [0, 0, 1]])
    shift = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]])
    matrix = outer @ inner @ shift
    return np.asarray(matrix / matrix[2, 2])


def _frame_on_places(
    squares: Squares, members: NDArray[np.int64], places: NDArray[np.int64]
) -> Array:
    """Axes (n, 2, 2) of the members, turned to agree with the steps between their places."""
    axes = squares.axes[members]
    lattice = places - places.mean(axis=0)
    centred = squares.centres[members] - squares.centres[members].mean(axis=0)
    best, best_error = axes[0], np.inf
    for turn in range(4):
        frame = axes[0]
        for _ in range(turn):
            frame = np.array([frame[1], -frame[0]])
        error = float(((lattice @ frame - centred) ** 2).sum())
        if error < best_error:
            best, best_error = frame, error
    if len(members) >= 4 and np.linalg.matrix_rank(lattice) == 2:
        best = np.linalg.lstsq(lattice.astype(float), centred, rcond=None)[0]
    return all_aligned(axes, best)[1]


def _solve(points: Array, targets: Array, weights: Array, frame: Array) -> Array:
    """Gauss-Newton with Huber weights for [[a, b, c], [d, e, f], [g, h, 1]]."""
    values = np.array([frame[0, 0], frame[1, 0], 0, frame[0, 1], frame[1, 1], 0, 0, 0])
    x, y = points.T
    ridge = np.diag([0.0] * 6 + [(GRID.place_spread / GRID.perspective_spread) ** 2] * 2)
    for _ in range(GRID.fit_steps):
        a, b, c, d, e, f, g, h = values
        depth = 1 / np.maximum(g * x + h * y + 1, 0.1)
        px, py = (a * x + b * y + c) * depth, (d * x + e * y + f) * depth
        zero = np.zeros_like(x)
        jx = np.stack([x, y, zero + 1, zero, zero, zero, -px * x, -px * y]) * depth
        jy = np.stack([zero, zero, zero, x, y, zero + 1, -py * x, -py * y]) * depth
        rx, ry = targets[:, 0] - px, targets[:, 1] - py
        size = np.hypot(rx, ry) * weights
        robust = weights**2 * np.minimum(1, GRID.huber / np.maximum(size, 1e-9))
        normal = (jx * robust) @ jx.T + (jy * robust) @ jy.T + ridge
        gradient = (jx * robust) @ rx + (jy * robust) @ ry - ridge @ values
        step = np.linalg.solve(normal + 1e-9 * np.eye(8), gradient)
        values = values + step
        if np.abs(step).max() < 1e-7:
            break
    return np.append(values, 1.0).reshape(3, 3)


def in_frames(offsets: Array, frames: Array) -> Array:
    """Offsets (n, 2) in pixels as steps (n, 2) along the two axes of frames (n, 2, 2)."""
    (ax, ay), (bx, by) = frames[:, 0].T, frames[:, 1].T
    area = ax * by - ay * bx
    area = np.where(np.abs(area) < 1e-9, np.inf, area)
    x, y = offsets.T
    return np.stack([(x * by - y * bx) / area, (y * ax - x * ay) / area], axis=1)


def aligned(axes: Array, frame: Array) -> Array:
    """The quarter turn of two axes that comes nearest to a frame."""
    turns = (axes, np.array([axes[1], -axes[0]]), -axes, np.array([-axes[1], axes[0]]))
    return min(turns, key=lambda turn: float(((turn - frame) ** 2).sum()))


def all_aligned(axes: Array, frames: Array) -> tuple[NDArray[np.int64], Array]:
    """`aligned` for axes (n, 2, 2) and a frame or frames of them: the quarter turns, the axes."""
    first, second = axes[:, 0], axes[:, 1]
    turns = np.stack(
        [
            axes,
            np.stack([second, -first], axis=1),
            -axes,
            np.stack([-second, first], axis=1),
        ]
    )
    nearest = ((turns - frames) ** 2).sum(axis=(2, 3)).argmin(axis=0)
    return nearest, np.asarray(turns[nearest, np.arange(len(axes))])
