"""A second look at a kingdom whose places the two networks do not agree on.

The finder sees the kingdom once more, from above and from near. Where the reader sees a square it
is enough that one of the looks found it; where the reader sees none, both must have.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kdvision.arrays import Array
from kdvision.photo.photo import Photo
from kdvision.photo.settings import PHOTO
from kdvision.reading import Reading
from kdvision.vision.geometry import project
from kdvision.vision.grid.detector import Look, look_from_above
from kdvision.vision.grid.finder import BEST_SQUARE_PX
from kdvision.vision.grid.grid import FEW_VOTES, MANY_VOTES, Grid, taken_mask

#: Squares of the second look belong to a place when they lie this near to its middle, in squares.
_NEAR = 0.3


def look_closer(photo: Photo, grid: Grid, reading: Reading, session: Any) -> Grid:
    """The grid with what a second look says of its places.

    Args:
        photo: The photo.
        grid: One of its grids.
        reading: What the reader saw on it.
        session: ONNX Runtime session of the model `grid`.
    """
    longest = max(photo.width, photo.height)
    wanted = round(longest * BEST_SQUARE_PX / max(grid.square_px, 1.0))
    pixels, scale = photo.pixels(max(PHOTO.working_side_px, wanted))
    to_pixels = np.array([[1 / scale, 0, -0.5], [0, 1 / scale, -0.5], [0, 0, 1]])
    homography = to_pixels @ grid.homography
    window = np.zeros(2), np.array([grid.cols, grid.rows], np.float64)
    look = look_from_above(pixels, session, homography, window, BEST_SQUARE_PX)
    tile, tile_seen = look.tile_share(homography, grid.rows, grid.cols)
    taken = taken_mask(reading)
    found, castle, agreed = _on_places(look, homography, grid)
    return replace(
        grid,
        found=np.where(taken, grid.found | found, grid.found & found),
        castle=np.where(grid.found & found, (grid.castle + castle) / 2, grid.castle + castle),
        tile=(grid.tile + tile) / 2,
        tile_seen=(grid.tile_seen + tile_seen) / 2,
        agreed=np.where(taken, np.maximum(grid.agreed, agreed), np.minimum(grid.agreed, agreed)),
    )


def _on_places(look: Look, homography: Array, grid: Grid) -> tuple[NDArray[np.bool_], Array, Array]:
    """(rows, cols) where the look found a square, its castle likeness, and how far it agreed."""
    shape = grid.rows, grid.cols
    found, castle, agreed = np.zeros(shape, bool), np.zeros(shape), np.full(shape, FEW_VOTES)
    squares = look.squares
    at = project(np.asarray(np.linalg.inv(homography)), squares.centres) - 0.5
    whole = np.round(at).astype(int)
    near = (np.abs(at - whole).max(axis=1) < _NEAR) & (whole >= 0).all(axis=1)
    for index in np.nonzero(near & (whole < shape[::-1]).all(axis=1))[0]:
        col, row = whole[index]
        found[row, col] = True
        castle[row, col] = squares.castle[index]
        agreed[row, col] = np.clip(squares.votes[index] / MANY_VOTES, FEW_VOTES, 1.0)
    return found, castle, agreed
