"""Homographies, and parts of a photo warped to a view from above."""

from typing import Self

import cv2
import numpy as np
from msgspec import Struct

from kdvision.arrays import Array, Image
from kdvision.photo.photo import Photo
from kdvision.photo.resizing import block_means

#: Ratio. Larger pictures are first reduced to so many times the pixels of the result.
RESERVE = 1.25
#: Squares around a window that are cut out of the photo with it: lenses bend its border.
_PAD = 0.4
#: Ratio. A picture that is still too large after whole blocks is reduced further only below this.
_LEAST_REDUCTION = 0.8
#: From the middle of a square to the ends of a step along columns and along rows, then to the
#: starts of both.
_HALF_STEPS = np.array([[0.5, 0], [0, 0.5], [-0.5, 0], [0, -0.5]])


class View(Struct, frozen=True, eq=False):
    """A photo at one size.

    Attributes:
        pixels: RGB (h, w, 3).
        scale: How many pixels of the photo one of these is wide.
    """

    pixels: Image
    scale: float = 1.0

    @classmethod
    def of(cls, photo: Photo, min_side: int) -> Self:
        """Return a photo at the smallest size whose longer side has so many pixels."""
        return cls(*photo.pixels(min_side))

    def locate(self, homography: Array) -> Array:
        """Return a homography (3, 3) to points of the photo as one to these pixels.

        Points are measured from the outer corner of the top left pixel, pixels from its centre.
        """
        to_pixels = [[1 / self.scale, 0, -0.5], [0, 1 / self.scale, -0.5], [0, 0, 1]]
        return np.asarray(np.array(to_pixels) @ homography)


def rectify(
    pixels: Image,
    homography: Array,
    shape: tuple[int, int],
    *,
    px: int,
    border: int = 0,
    reserve: float = RESERVE,
    beyond: int = cv2.BORDER_REPLICATE,
) -> Image:
    """Rectify the window of a grid: show it as seen from above.

    Args:
        pixels: RGB (h, w, 3).
        homography: (3, 3) from lattice coordinates (column, row) to pixels of `pixels`.
        shape: Rows and columns of the window, which starts at lattice (0, 0).
        px: Pixels per square of the result.
        border: Pixels of context around the window.
        reserve: Larger pictures are first reduced to so many times `px`, by means.
        beyond: What is shown beyond the border of the picture, as OpenCV's border modes say it.

    Returns:
        RGB (rows * px + 2 * border, cols * px + 2 * border, 3); the window starts at
        (border, border).
    """
    rows, cols = shape
    pixels, homography = _crop(pixels, homography, rows, cols, reserve * px)
    first = (0.5 - border) / px
    to_lattice = np.array([[1 / px, 0, first], [0, 1 / px, first], [0, 0, 1]])
    size = cols * px + 2 * border, rows * px + 2 * border
    return warp(pixels, homography @ to_lattice, size, beyond)


def warp(
    pixels: Image, matrix: Array, size: tuple[int, int], beyond: int = cv2.BORDER_REPLICATE
) -> Image:
    """Warp a picture to another (width, height), by interpolation between the nearest pixels.

    Args:
        pixels: RGB (h, w, 3).
        matrix: Homography (3, 3) from pixels of the result to pixels of `pixels`.
        size: Width and height of the result.
        beyond: What is shown beyond the border, as OpenCV's border modes say it.
    """
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = cv2.warpPerspective(pixels, matrix, size, flags=flags, borderMode=beyond)
    return np.asarray(moved, np.uint8)


def _crop(
    pixels: Image, homography: Array, rows: int, cols: int, wanted_px: float
) -> tuple[Image, Array]:
    """Cut a picture to the window; reduce it where squares are far larger than `wanted_px`."""
    corners = np.array([[0, 0], [cols, 0], [cols, rows], [0, rows], [cols / 2, rows / 2]])
    moved = corners @ homography[:, :2].T + homography[:, 2]
    if (moved[:, 2] <= 0).any():
        return pixels, homography
    at = moved[:, :2] / moved[:, 2:]
    low, high = at.min(axis=0), at.max(axis=0)
    pad = _PAD * (high - low).max() / max(rows, cols)
    size = np.array(pixels.shape[1::-1])
    low = np.maximum(np.minimum(np.floor(low - pad), size - 2), 0).astype(int)
    high = np.minimum(np.maximum(np.ceil(high + pad), low + 2), size).astype(int)
    part = pixels[low[1] : high[1], low[0] : high[0]]
    sides = np.hypot(*(at[:4] - at[[3, 0, 1, 2]]).T) / (rows, cols, rows, cols)
    factor = min(1.0, wanted_px / max(float(sides.max()), 1e-6))
    part, factor = _shrink(part, factor)
    shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]], float)
    centre = 0.5 * factor - 0.5
    scale = np.array([[factor, 0, centre], [0, factor, centre], [0, 0, 1]])
    return part, scale @ shift @ homography


def _shrink(pixels: Image, factor: float) -> tuple[Image, float]:
    """Make pixels smaller by about a factor up to 1; also the factor that it became.

    By the means of whole blocks as far as these go, as other means take far longer, and by
    interpolation for what is left.
    """
    block = int(1 / factor)
    pixels, scale = block_means(pixels, block), 1 / block
    ratio = factor / scale
    if ratio < _LEAST_REDUCTION:
        small = cv2.resize(pixels, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_LINEAR)
        pixels, scale = np.asarray(small, np.uint8), factor
    return pixels, scale


def project(matrix: Array, points: Array) -> Array:
    """Apply a homography (3, 3) to points (..., 2)."""
    moved = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(moved[..., :2] / moved[..., 2:])


def local_axes(matrix: Array, points: Array) -> Array:
    """Return the steps (n, 2, 2) in pixels along columns and rows at lattice points (n, 2)."""
    ends = project(matrix, points[:, None] + _HALF_STEPS)
    return np.asarray(ends[:, :2] - ends[:, 2:])


def shift_origin(matrix: Array, column: float, row: float) -> Array:
    """Return a homography (3, 3) from lattice coordinates counted from (`column`, `row`)."""
    return np.asarray(matrix @ np.array([[1, 0, column], [0, 1, row], [0, 0, 1.0]]))


def inverse(matrix: Array) -> Array:
    """Return a homography (3, 3) the other way round."""
    return np.asarray(np.linalg.inv(matrix), np.float64)


def relative_side(matrix: Array, at: Array, reference: Array) -> float:
    """Return the side of a lattice's square at `at` (1, 2), in squares of another lattice there.

    1 beyond the horizon of the other, which says nothing of that place.
    """
    lattice_at = inverse(reference) @ np.append(project(matrix, at)[0], 1.0)
    if lattice_at[2] <= 0:
        return 1.0
    side = np.linalg.det(local_axes(matrix, at)[0])
    expected = np.linalg.det(local_axes(reference, lattice_at[None, :2] / lattice_at[2])[0])
    return float(np.sqrt(abs(side) / max(abs(expected), 1e-9)))
