"""Places of a grid become patches: upright pictures of one place each, with some context.

The whole window of a grid is rectified once (`PX_PER_SQUARE` pixels per square), and patches are
cut out of it, each moved to where its own tile lies, since tiles lie loosely.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from kdvision.vision.grid import DECODE_PX, Grid
from kdvision.vision.photo import Photo

Image = NDArray[np.uint8]
Array = NDArray[np.float64]

#: A patch is so many pixels wide and high; a square fills the inner `PX_PER_SQUARE` of them.
PATCH_PX = 64
PX_PER_SQUARE = 50
#: Context around the window, so that patches at its border and moved ones are whole.
BORDER_PX = 16


def flatten(photo: Photo, grid: Grid) -> Image:
    """The window of a grid in a photo as seen from above, as `rectify` gives it.

    Decodes the photo finely enough for its squares.
    """
    longest = max(photo.width, photo.height)
    wanted = max(DECODE_PX, round(longest * PX_PER_SQUARE / max(grid.square_px, 1.0)))
    pixels, scale = photo.pixels(wanted)
    to_pixels = np.array([[1 / scale, 0, -0.5], [0, 1 / scale, -0.5], [0, 0, 1]])
    return rectify(pixels, to_pixels @ grid.homography, grid.rows, grid.cols)


def rectify(
    pixels: Image,
    homography: Array,
    rows: int,
    cols: int,
    *,
    px: int = PX_PER_SQUARE,
    border: int = BORDER_PX,
    reserve: float = 1.25,
) -> Image:
    """The window of a grid as seen from above.

    Args:
        pixels: RGB (h, w, 3).
        homography: (3, 3) from lattice coordinates (column, row) to pixels of `pixels`.
        rows: Rows of the window, which starts at lattice (0, 0).
        cols: Columns of the window.
        px: Pixels per square of the result.
        border: Pixels of context around the window.
        reserve: Larger pictures are first reduced to so many times `px`, by means.

    Returns:
        RGB (rows * px + 2 * border, cols * px + 2 * border, 3); the window starts at
        (border, border).
    """
    pixels, homography = _reduced(pixels, homography, rows, cols, reserve * px)
    first = (0.5 - border) / px
    to_lattice = np.array([[1 / px, 0, first], [0, 1 / px, first], [0, 0, 1]])
    size = (cols * px + 2 * border, rows * px + 2 * border)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    matrix = homography @ to_lattice
    return np.asarray(
        cv2.warpPerspective(pixels, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )


def _reduced(
    pixels: Image, homography: Array, rows: int, cols: int, wanted_px: float
) -> tuple[Image, Array]:
    """Cut to the window, and made smaller where squares are far larger than `wanted_px`."""
    corners = np.array([[0, 0], [cols, 0], [cols, rows], [0, rows], [cols / 2, rows / 2]], float)
    moved = np.c_[corners, np.ones(5)] @ homography.T
    if (moved[:, 2] <= 0).any():
        return pixels, homography
    at = moved[:, :2] / moved[:, 2:]
    pad = 0.4 * np.ptp(at, axis=0).max() / max(rows, cols)
    low = np.clip(np.floor(at.min(axis=0) - pad), 0, np.array(pixels.shape[1::-1]) - 2).astype(int)
    high = np.clip(np.ceil(at.max(axis=0) + pad), low + 2, pixels.shape[1::-1]).astype(int)
    part = pixels[low[1] : high[1], low[0] : high[0]]
    sides = np.linalg.norm(at[:4] - np.roll(at[:4], 1, axis=0), axis=1) / [rows, cols, rows, cols]
    factor = min(1.0, wanted_px / max(float(sides.max()), 1e-6))
    if factor < 0.8:
        reduced = cv2.resize(part, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        part = np.asarray(reduced, np.uint8)
    else:
        factor = 1.0
    shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]], float)
    centre = 0.5 * factor - 0.5
    scale = np.array([[factor, 0, centre], [0, factor, centre], [0, 0, 1]])
    return part, scale @ shift @ homography


def cut_patches(rectified: Image, places: Array) -> Image:
    """Patches around places of a rectified window.

    Args:
        rectified: The picture of `rectify`.
        places: (n, 2) lattice coordinates (column, row) of the patches' centres.

    Returns:
        (n, 64, 64, 3) RGB.
    """
    starts = np.round(places * PX_PER_SQUARE + BORDER_PX - PATCH_PX / 2).astype(int)
    limit = np.array(rectified.shape[1::-1]) - PATCH_PX
    starts = np.clip(starts, 0, limit)
    return np.stack([rectified[y : y + PATCH_PX, x : x + PATCH_PX] for x, y in starts])
