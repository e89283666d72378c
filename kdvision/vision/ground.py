"""What a kingdom lies on, and which empty places do not look like it.

A card, a hand or a sleeve on a kingdom hides squares, and the reader rightly says that no tile is
to be seen there. Only the ground tells: a place that is empty looks like the table around.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from kdvision.vision.grid import DECODE_PX, Grid
from kdvision.vision.homography import project
from kdvision.vision.photo import Photo
from kdvision.vision.warp import rectify

Array = NDArray[np.float64]

#: So many places beyond the window of a grid are looked at as well.
RING = 2
#: Pixels per square in the small picture that is compared.
_PX = 12
#: The middle part of a place that is looked at, as a share of its side.
_INNER = 0.62
#: How much lightness, the two colours and roughness count. Shadows change lightness most.
_WEIGHTS = np.array([0.45, 1.0, 1.0, 0.6])
#: A place is compared with that part of the ground which it resembles most.
_LIKE_SHARE = 0.25
#: Linear sRGB to CIE XYZ, as shares of the white of daylight (D65).
_XYZ_OF_RGB = np.array(
    [
        [0.412453 / 0.950456, 0.357580 / 0.950456, 0.180423 / 0.950456],
        [0.212671, 0.715160, 0.072169],
        [0.019334 / 1.088754, 0.119193 / 1.088754, 0.950227 / 1.088754],
    ]
)
#: A place is strange from so many times the usual distance on.
_STRANGE = 2.5
#: Fewer places of ground say nothing.
_LEAST_GROUND = 6


def oddness(photo: Photo, grid: Grid, empty: NDArray[np.bool_]) -> Array:
    """How unlike the ground each empty place is.

    Args:
        photo: The photo.
        grid: One of its grids.
        empty: (rows, cols) where nothing was read.

    Returns:
        (rows, cols): 0 for places that are not empty or cannot be seen, else the distance to the
        ground that it resembles, in units of what is usual on this ground; above 1 is odd.
    """
    looks, inside = _looks(photo, grid)
    ground = inside.copy()
    window = (slice(RING, RING + grid.rows), slice(RING, RING + grid.cols))
    ground[window] &= empty
    if ground.sum() < _LEAST_GROUND:
        return np.zeros((grid.rows, grid.cols))
    features = looks[ground]
    gaps = np.linalg.norm(features[:, None] - features[None], axis=2)
    own = np.quantile(gaps, _LIKE_SHARE, axis=1)
    spread = float(np.median(own))
    odd = np.zeros(ground.shape)
    odd[ground] = own / (6.0 + 1.5 * spread)
    return np.where(empty, odd[window], 0.0)


def strange_share(photo: Photo, grid: Grid, taken: NDArray[np.bool_]) -> float:
    """How much of the surroundings of a kingdom does not look like the rest of the ground.

    Where a damaged file decodes to noise, the kingdom ends, and on one side the table does too.

    Args:
        photo: The photo.
        grid: One of its grids.
        taken: (rows, cols) where something lies.

    Returns:
        The share of the places around the kingdom, corners too, that differ clearly from the ground
        that is most alike. 0.05 at most on real photos that are whole, 0.08 on our samples.
    """
    looks, inside = _looks(photo, grid)
    kingdom = np.pad(taken, RING).astype(np.uint8)
    ground = inside & (kingdom == 0)
    around = ground & (cv2.dilate(kingdom, np.ones((3, 3), np.uint8)) > 0)
    if around.sum() < _LEAST_GROUND:
        return 0.0
    gaps = np.linalg.norm(looks[ground][:, None] - looks[ground][None], axis=2)
    own = np.quantile(gaps, _LIKE_SHARE, axis=1)
    usual = int(own.argmin())
    strange = gaps[usual] > _STRANGE * (6.0 + 1.5 * own[usual])
    return float(strange[around[ground]].mean())


def _looks(photo: Photo, grid: Grid) -> tuple[Array, NDArray[np.bool_]]:
    """Lightness, colours and roughness (rows, cols, 4) of the wider window, and what is visible."""
    rows, cols = grid.rows + 2 * RING, grid.cols + 2 * RING
    homography = grid.homography @ np.array([[1, 0, -RING], [0, 1, -RING], [0, 0, 1.0]])
    pixels, scale = photo.pixels(DECODE_PX)
    to_pixels = np.array([[1 / scale, 0, -0.5], [0, 1 / scale, -0.5], [0, 0, 1]])
    matrix = to_pixels @ homography
    flat = rectify(pixels, matrix, rows, cols, px=_PX, reserve=1.5)
    cut = round(_PX * (1 - _INNER) / 2)
    inner = flat.reshape(rows, _PX, cols, _PX, 3)[:, cut:-cut, :, cut:-cut]
    places = to_lab(inner)
    mean, rough = places.mean(axis=(1, 3)), places[..., :1].std(axis=(1, 3))
    return np.concatenate([mean, rough], axis=2) * _WEIGHTS, _visible(photo, homography, rows, cols)


def to_lab(rgb: NDArray[np.uint8]) -> Array:
    """Lightness (0 to 100) and the two colours of CIE L*a*b* of sRGB pixels (..., 3).

    OpenCV can do the same, but spends a tenth of a second on tables before its first pixel.
    """
    values = np.arange(256) / 255
    linear = np.where(values > 0.04045, ((values + 0.055) / 1.055) ** 2.4, values / 12.92)
    xyz = linear[rgb] @ _XYZ_OF_RGB.T
    bent = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    x, y, z = bent[..., 0], bent[..., 1], bent[..., 2]
    return np.asarray(np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1))


def _visible(photo: Photo, homography: Array, rows: int, cols: int) -> NDArray[np.bool_]:
    """(rows, cols) whether the middle part of each place lies in the photo, before the camera."""
    middles = np.stack(np.meshgrid(np.arange(cols) + 0.5, np.arange(rows) + 0.5), axis=-1)
    seen = np.ones((rows, cols), bool)
    for shift in np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * _INNER / 2:
        points = (middles + shift).reshape(-1, 2)
        depth = np.c_[points, np.ones(len(points))] @ homography[2]
        at = project(homography, points)
        good = (
            (depth > 0.05) & (at >= 0).all(axis=1) & (at < [photo.width, photo.height]).all(axis=1)
        )
        seen &= good.reshape(rows, cols)
    return seen
