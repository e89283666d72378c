"""What a kingdom lies on, and which places look like it.

A place that is empty looks like the table around. That unmasks patterns of a cloth that look like
tiles; and a card, a hand or a sleeve on a kingdom, which hide squares although the reader rightly
says that no tile is to be seen there.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from kdvision.arrays import Array
from kdvision.photo.photo import Photo
from kdvision.photo.settings import PHOTO
from kdvision.vision.geometry import project, rectify
from kdvision.vision.grid.grid import Grid

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
#: The usual ground is what so large a part of it resembles; damage may fill more than the rest. A
#: place is strange from so many times the usual distance on.
_USUAL_SHARE = 0.2
_STRANGE = 2.5
#: Fewer places of ground say nothing.
_LEAST_GROUND = 6
#: Below this share of tile the finder takes a place for bare; so many of them are the nearest.
_BARE = 0.2
_NEAREST = 3
#: How like its nearest bare places a place is, and the decimal logarithm of how many times likelier
#: that is of a bare place; as `scripts/measuring/calibrate.py ground` prints it.
UNLIKE_GROUND = 7.0
_BARE_ODDS = ([1.4, 2.5, 3.75, UNLIKE_GROUND], [3.0, 2.0, 1.1, 0.0])


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """How the places of a window look, and those around it.

    Attributes:
        looks: (rows + 2 * RING, cols + 2 * RING, 4) lightness, two colours, roughness, weighted.
        inside: (rows + 2 * RING, cols + 2 * RING) whether the middle of a place can be seen.
    """

    looks: Array
    inside: NDArray[np.bool_]

    @property
    def window(self) -> tuple[slice, slice]:
        """Where the window itself lies in both."""
        rows, cols = self.inside.shape
        return slice(RING, rows - RING), slice(RING, cols - RING)


def survey(photo: Photo, grid: Grid) -> Ground:
    """How the window of a grid and its surroundings look in a photo."""
    rows, cols = grid.rows + 2 * RING, grid.cols + 2 * RING
    homography = grid.homography @ np.array([[1, 0, -RING], [0, 1, -RING], [0, 0, 1.0]])
    pixels, scale = photo.pixels(PHOTO.working_side_px)
    to_pixels = np.array([[1 / scale, 0, -0.5], [0, 1 / scale, -0.5], [0, 0, 1]])
    matrix = to_pixels @ homography
    flat = rectify(pixels, matrix, rows, cols, px=_PX, reserve=1.5)
    cut = round(_PX * (1 - _INNER) / 2)
    inner = flat.reshape(rows, _PX, cols, _PX, 3)[:, cut:-cut, :, cut:-cut]
    places = to_lab(inner)
    mean, rough = places.mean(axis=(1, 3)), places[..., :1].std(axis=(1, 3))
    looks = np.concatenate([mean, rough], axis=2) * _WEIGHTS
    return Ground(looks, _visible(photo, homography, rows, cols))


def apart(ground: Ground, tile: Array) -> Array:
    """How far each place is from the bare places that are most like it.

    Args:
        ground: How the places look.
        tile: (rows, cols) how much the finder takes each place for a tile. What it takes for bare
            is what the others are compared with.

    Returns:
        (rows, cols) about the units of CIE L*a*b*; NaN where nothing can be said.
    """
    looks = ground.looks[ground.window].reshape(-1, ground.looks.shape[2])
    inside = ground.inside[ground.window].ravel()
    bare = np.nonzero(inside & (tile.ravel() < _BARE))[0]
    if len(bare) < _LEAST_GROUND + _NEAREST:
        return np.full(tile.shape, np.nan)
    gaps = np.linalg.norm(looks[:, None] - looks[bare][None], axis=2)
    gaps[bare, np.arange(len(bare))] = np.inf
    near = np.sort(gaps, axis=1)[:, :_NEAREST].mean(axis=1)
    return np.where(inside, near, np.nan).reshape(tile.shape)


def bareness(ground: Ground, tile: Array) -> Array:
    """How many times likelier each place is bare because it looks like the ground around it.

    Tiles have other colours than the table that they lie on, to a hair: of 8,491 squares on
    rendered tables none was as like the bare places beside them as more than half of the bare
    places are (`scripts.measuring.calibrate ground`, on scenes in a look not trained on).

    Args:
        ground: How the places look.
        tile: (rows, cols) how much the finder takes each place for a tile.

    Returns:
        (rows, cols) from 1 (says nothing) to 1,000.
    """
    odds = 10 ** np.interp(apart(ground, tile), *_BARE_ODDS)
    return np.where(np.isnan(odds), 1.0, odds)


def oddness(ground: Ground, empty: NDArray[np.bool_]) -> Array:
    """How unlike the ground each empty place is.

    Args:
        ground: How the places look.
        empty: (rows, cols) where nothing was read.

    Returns:
        (rows, cols): 0 for places that are not empty or cannot be seen, else the distance to the
        ground that it resembles, in units of what is usual on this ground; above 1 is odd.
    """
    bare = ground.inside.copy()
    bare[ground.window] &= empty
    if bare.sum() < _LEAST_GROUND:
        return np.zeros(empty.shape)
    features = ground.looks[bare]
    gaps = np.linalg.norm(features[:, None] - features[None], axis=2)
    own = np.quantile(gaps, _LIKE_SHARE, axis=1)
    spread = float(np.median(own))
    odd = np.zeros(bare.shape)
    odd[bare] = own / (6.0 + 1.5 * spread)
    return np.where(empty, odd[ground.window], 0.0)


def strange_share(ground: Ground, taken: NDArray[np.bool_]) -> float:
    """How much of the surroundings of a kingdom does not look like the rest of the ground.

    Where a damaged file decodes to noise, the kingdom ends, and on one side the table does too.

    Args:
        ground: How the places look.
        taken: (rows, cols) where something lies.

    Returns:
        The share of the places around the kingdom, corners too, that differ clearly from the ground
        that is most alike. 0.05 at most on real photos that are whole, but for one of a printed
        mat (0.23), and 0.08 on our samples.
    """
    kingdom = np.pad(taken, RING).astype(np.uint8)
    bare = ground.inside & (kingdom == 0)
    around = bare & (cv2.dilate(kingdom, np.ones((3, 3), np.uint8)) > 0)
    if around.sum() < _LEAST_GROUND:
        return 0.0
    looks = ground.looks[bare]
    gaps = np.linalg.norm(looks[:, None] - looks[None], axis=2)
    own = np.quantile(gaps, _USUAL_SHARE, axis=1)
    usual = int(own.argmin())
    strange = gaps[usual] > _STRANGE * (6.0 + 1.5 * own[usual])
    return float(strange[around[bare]].mean())


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
