"""A second detection of a kingdom on whose places detector and classifier do not agree.

The detector runs once more, on the kingdom as seen from above and from near. Where the classifier
reads a square it is enough that one of the detections found it; where it reads none, both must
have.
"""

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from kdvision.arrays import Array
from kdvision.photo.photo import Photo
from kdvision.photo.settings import PHOTO
from kdvision.reading import Reading
from kdvision.vision.geometry import project
from kdvision.vision.grid.detector import Detection, detect_from_above
from kdvision.vision.grid.grid import Grid, taken_mask
from kdvision.vision.models import Session
from kdvision.vision.settings import GRID


def recheck(photo: Photo, grid: Grid, reading: Reading, session: Session) -> Grid:
    """The grid with what a second detection says of its places.

    Args:
        photo: The photo.
        grid: One of its grids.
        reading: What the classifier read on it.
        session: The model `grid`.
    """
    longest = max(photo.width, photo.height)
    wanted = round(longest * GRID.best_square_px / max(grid.square_px, 1.0))
    pixels, scale = photo.pixels(max(PHOTO.working_side_px, wanted))
    to_pixels = np.array([[1 / scale, 0, -0.5], [0, 1 / scale, -0.5], [0, 0, 1]])
    homography = to_pixels @ grid.homography
    window = np.zeros(2), np.array([grid.cols, grid.rows], np.float64)
    detection = detect_from_above(pixels, session, homography, window, GRID.best_square_px)
    tile, tile_seen = detection.tile_share(homography, grid.rows, grid.cols)
    taken = taken_mask(reading)
    found, castle, agreed = _on_places(detection, homography, grid)
    return replace(
        grid,
        found=np.where(taken, grid.found | found, grid.found & found),
        castle=np.where(grid.found & found, (grid.castle + castle) / 2, grid.castle + castle),
        tile=(grid.tile + tile) / 2,
        tile_seen=(grid.tile_seen + tile_seen) / 2,
        agreed=np.where(taken, np.maximum(grid.agreed, agreed), np.minimum(grid.agreed, agreed)),
    )


def _on_places(
    detection: Detection, homography: Array, grid: Grid
) -> tuple[NDArray[np.bool_], Array, Array]:
    """(rows, cols) where a square was found, how like a castle, and how far its pixels agreed."""
    shape = grid.rows, grid.cols
    found, castle, agreed = np.zeros(shape, bool), np.zeros(shape), np.full(shape, GRID.few_votes)
    squares = detection.squares
    at = project(np.asarray(np.linalg.inv(homography)), squares.centres) - 0.5
    whole = np.round(at).astype(int)
    near = (np.abs(at - whole).max(axis=1) < GRID.recheck_reach) & (whole >= 0).all(axis=1)
    for index in np.nonzero(near & (whole < shape[::-1]).all(axis=1))[0]:
        col, row = whole[index]
        found[row, col] = True
        castle[row, col] = squares.castle[index]
        agreed[row, col] = np.clip(squares.votes[index] / GRID.many_votes, GRID.few_votes, 1.0)
    return found, castle, agreed
