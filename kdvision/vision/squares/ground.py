"""What the ground of a window looks like: the table, and what lies on it.

A place that is empty looks like the table around. That gives away patterns of a cloth that look
like tiles; and a card, a hand or a sleeve on a kingdom, which hide squares although the classifier
is right that no tile is to be seen there.
"""

from collections.abc import Sequence
from itertools import product
from typing import Self

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from kdvision.arrays import Array, Image, median, quantile
from kdvision.photo.photo import Photo
from kdvision.rules.kingdom import Position
from kdvision.vision.geometry import project
from kdvision.vision.grid.grid import Grid, middles
from kdvision.vision.squares.settings import SQUARES

#: Share of a place's side, in its middle, that is compared.
_INNER_SHARE = 0.62
#: How much lightness, the two colours and roughness count. Shadows change lightness most.
_LOOK_WEIGHTS = (0.45, 1.0, 1.0, 0.6)
#: Depth, in units of that at the first corner of the window, below which a place is beyond the
#: horizon.
_LEAST_DEPTH = 0.05
#: Bare places, the nearest in look, with which a place is compared.
NEAREST_BARE = 3
#: Distances from them (about CIE L*a*b*), counted on rendered tables in artwork that no model saw.
_BARE_DISTANCES = (1.4, 2.5, 3.75, 7.0)
#: The decimal logarithm of the likelihood ratio of a bare place at each of these distances.
_BARE_RATIOS = (3.0, 2.0, 1.1, 0.0)
#: The distance of what is no table, the unit of a doubt.
UNLIKE_GROUND = 7.0
#: Linear sRGB to CIE XYZ, as shares of the white of daylight (D65).
_XYZ_OF_RGB = np.array(
    [
        [0.412453 / 0.950456, 0.357580 / 0.950456, 0.180423 / 0.950456],
        [0.212671, 0.715160, 0.072169],
        [0.019334 / 1.088754, 0.119193 / 1.088754, 0.950227 / 1.088754],
    ]
)


class Ground(Struct, frozen=True, eq=False):
    """What the places of a window look like, and those around it.

    In its methods `tile` is (rows, cols) how much the detector takes each place for a tile: what it
    takes for bare is what the others are compared with.

    Attributes:
        features: (rows + 2 * ring, cols + 2 * ring, 4) lightness, two colours, roughness,
            weighted; `ring` is that of the settings.
        inside: (rows + 2 * ring, cols + 2 * ring) whether the middle of a place can be seen.
    """

    features: Array
    inside: NDArray[np.bool_]

    @classmethod
    def of(cls, photo: Photo, grid: Grid, small: Image) -> Self:
        """Return the ground of a grid's window.

        Args:
            photo: The photo.
            grid: The grid.
            small: Its window and `ring` places on each side, as seen from above.
        """
        px = small.shape[0] // (grid.rows + 2 * SQUARES.ring)
        return cls(_measure_places(small, px), _mark_visible(photo, grid))

    @property
    def window(self) -> tuple[slice, slice]:
        """Where the window itself lies in both."""
        rows, cols = self.inside.shape
        ring = SQUARES.ring
        return slice(ring, rows - ring), slice(ring, cols - ring)

    def bare_places(self, tile: Array, taken: Sequence[Position]) -> Array:
        """Return (n, 4): what the places look like that are seen, bare, and not `taken`."""
        bare = self.inside[self.window] & (tile < SQUARES.bare_below)
        bare[tuple(np.transpose(taken))] = False
        return np.asarray(self.features[self.window][bare])

    def bare_distance(self, tile: Array) -> Array:
        """Return (rows, cols): how unlike each place is to the bare places that are most like it.

        About the units of CIE L*a*b*; NaN where nothing can be said.
        """
        features = self.features[self.window].reshape(-1, self.features.shape[2])
        inside = self.inside[self.window].ravel()
        bare = np.nonzero(inside & (tile.ravel() < SQUARES.bare_below))[0]
        if len(bare) < SQUARES.least_ground + NEAREST_BARE:
            return np.full(tile.shape, np.nan)
        gaps = _distances(features, features[bare])
        gaps[bare, np.arange(len(bare))] = np.inf
        near = np.sort(gaps, axis=1)[:, :NEAREST_BARE].mean(axis=1)
        return np.where(inside, near, np.nan).reshape(tile.shape)

    def bare_ratio(self, tile: Array) -> Array:
        """Return (rows, cols): likelihood ratio of a bare place, 1 (nothing said) to 1,000.

        Tiles have other colours than the table that they lie on, to a hair: of 8,491 squares on
        rendered tables none was as like the bare places beside them as more than half of the bare
        places are, in artwork not trained on.
        """
        away = self.bare_distance(tile)
        ratio = 10 ** np.interp(away, _BARE_DISTANCES, _BARE_RATIOS)
        return np.where(np.isnan(ratio), 1.0, ratio)

    def is_compared(self, empty: NDArray[np.bool_]) -> bool:
        """Return whether the photo shows enough ground to compare `empty` places (rows, cols)."""
        return int(self._shown(empty).sum()) >= SQUARES.least_ground

    def _shown(self, empty: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which places are seen, and are `empty` (rows, cols) or beyond the window."""
        shown = self.inside.copy()
        shown[self.window] &= empty
        return shown

    def oddness(self, empty: NDArray[np.bool_]) -> Array:
        """Return (rows, cols): how unlike the ground each place is that is `empty` (rows, cols).

        0 for places that are not empty or cannot be seen, else the distance to the ground that it
        resembles, in units of what is usual on this ground; above 1 is odd.
        """
        if not self.is_compared(empty):
            return np.zeros(empty.shape)
        bare = self._shown(empty)
        features = self.features[bare]
        usual = quantile(_distances(features, features), SQUARES.like_share)
        odd = np.zeros(bare.shape)
        odd[bare] = usual / (SQUARES.usual_distance + SQUARES.usual_spread * median(usual))
        return np.where(empty, odd[self.window], 0.0)

    def covered(self, empty: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return (rows, cols): which `empty` places are unlike the ground around.

        Ground changes from place to place in small steps: what is so far from all that is joined to
        the largest part of it by such steps lies on it, or reaches over it.
        """
        if not self.is_compared(empty):
            return np.zeros(empty.shape, bool)
        bare = self._shown(empty)
        gaps = _distances(self.features[bare], self.features[bare])
        np.fill_diagonal(gaps, np.inf)
        near = np.sort(gaps, axis=1)[:, :NEAREST_BARE].mean(axis=1)
        usual = SQUARES.ground_steps * median(near)
        step = min(max(SQUARES.ground_step, usual), SQUARES.unlike_ground)
        ground = _find_largest(gaps < step)
        away = np.zeros(bare.shape)
        away[bare] = np.where(ground, 0.0, gaps[:, ground].min(axis=1))
        return np.asarray(empty & (away[self.window] > SQUARES.unlike_ground))


def _measure_places(small: Image, px: int) -> Array:
    """Return (rows, cols, 4): what the places of a picture look like, as `Ground` has it.

    Each place is `px` pixels wide.
    """
    cut = round(px * (1 - _INNER_SHARE) / 2)
    rows, cols = small.shape[0] // px, small.shape[1] // px
    inner = small.reshape(rows, px, cols, px, 3)[:, cut:-cut, :, cut:-cut]
    places = to_lab(inner)
    mean, rough = places.mean(axis=(1, 3)), places[..., :1].std(axis=(1, 3))
    return np.asarray(np.concatenate([mean, rough], axis=2) * _LOOK_WEIGHTS)


def _mark_visible(photo: Photo, grid: Grid) -> NDArray[np.bool_]:
    """Return (rows, cols): whether the middle of each place lies in the photo, with the ring.

    That is where all four corners of what is compared do.
    """
    ring, reach = SQUARES.ring, _INNER_SHARE / 2
    corners = np.array(list(product((-reach, reach), repeat=2)))
    around_grid = middles(grid.rows + 2 * ring, grid.cols + 2 * ring) - ring
    points = around_grid[:, :, None] + corners
    depth = points @ grid.homography[2, :2] + grid.homography[2, 2]
    at = project(grid.homography, points)
    inside = ((at >= 0) & (at < [photo.width, photo.height])).all(axis=-1)
    return np.asarray((inside & (depth > _LEAST_DEPTH)).all(axis=-1))


def _find_largest(joined: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return (n,): the largest set of places that pairs (n, n) join, directly or by others."""
    free = np.ones(len(joined), bool)
    largest = np.zeros(len(joined), bool)
    while free.sum() > largest.sum():
        part = np.zeros(len(joined), bool)
        part[np.argmax(free)] = True
        while (more := part | joined[part].any(axis=0)).sum() > part.sum():
            part = more
        free &= ~part
        largest = max(largest, part, key=np.sum)
    return largest


def measure_look(pixels: NDArray[np.uint8]) -> Array:
    """Return (4,): lightness, two colours, roughness, weighted, of pixels (n, 3) RGB."""
    lab = to_lab(pixels)
    return np.append(lab.mean(axis=0), lab[:, 0].std()) * _LOOK_WEIGHTS


def _distances(features: Array, references: Array) -> Array:
    """Return the distances (n, m) of features (n, 4) from others (m, 4)."""
    return np.asarray(np.linalg.norm(features[:, None] - references[None], axis=2))


def to_lab(rgb: NDArray[np.uint8]) -> Array:
    """Return lightness (0 to 100) and the two colours of CIE L*a*b* of sRGB pixels (..., 3).

    OpenCV can do the same, but spends a tenth of a second on tables before its first pixel.
    """
    values = np.arange(256) / 255
    linear = np.where(values > 0.04045, ((values + 0.055) / 1.055) ** 2.4, values / 12.92)
    xyz = linear[rgb] @ _XYZ_OF_RGB.T
    bent = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    x, y, z = bent[..., 0], bent[..., 1], bent[..., 2]
    return np.asarray(np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1))
