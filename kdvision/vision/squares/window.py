"""The window of a grid as it is seen: its places from above, and patches of them.

The whole window is rectified once (`PX_PER_SQUARE` pixels per square), and patches are cut out of
it, each moved to where its own tile lies, since tiles lie loosely.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from kdvision.arrays import Array, Image
from kdvision.photo.photo import PHOTO, Photo
from kdvision.vision.geometry import View, rectify, shift_origin
from kdvision.vision.grid.grid import Grid
from kdvision.vision.models import PATCHES
from kdvision.vision.squares.ground import Ground
from kdvision.vision.squares.settings import SQUARES

#: What the classifier was trained on: a patch is so many pixels wide and high, and a square fills
#: the inner `PX_PER_SQUARE` of them.
PATCH_PX, _ = PATCHES["squares"]
PX_PER_SQUARE = 50
#: Context around the window, so that patches at its border and moved ones are whole.
BORDER_PX = 16
#: Pixels per square of the picture in which what lies on tiles is looked for.
OBSTRUCTION_PX = 24
#: Pixels per square of the small picture of a window and what is around it.
AROUND_PX = 12
#: The picture that it is reduced from is so many times larger.
GROUND_RESERVE = 1.5


class WindowView(Struct, frozen=True, eq=False):
    """The window of a grid as seen from above, for the classifier and for doubts.

    Attributes:
        flat: Its places; see `flatten`.
        small: The same with `ring` places more on each side; see `view_around`.
        ground: What all these look like.
        working: The photo at the size in which it is searched.
        fine: The photo at the size in which the squares of the window are seen.
    """

    flat: Image
    small: Image
    ground: Ground
    working: View
    fine: View


def view_window(photo: Photo, grid: Grid) -> WindowView:
    """Show the window of a grid in a photo as seen from above."""
    working = View.of(photo, PHOTO.working_side_px)
    fine = View.of(photo, choose_side(photo, [grid]))
    small = view_around(working, grid, AROUND_PX)
    ground = Ground.of(photo, grid, small)
    return WindowView(flatten(fine, grid), small, ground, working, fine)


def view_around(photo: View, grid: Grid, px: int) -> Image:
    """Show the window of a grid and `ring` places on each side, that of the settings, see `around`.

    Args:
        photo: The photo.
        grid: The grid.
        px: Pixels per square.
    """
    ring = SQUARES.ring
    homography = photo.locate(shift_origin(grid.homography, -ring, -ring))
    return around(photo.pixels, homography, grid.rows + 2 * ring, grid.cols + 2 * ring, px)


def around(pixels: Image, homography: Array, rows: int, cols: int, px: int) -> Image:
    """Return places from (0, 0) of a homography on as seen from above, `px` pixels per square."""
    return rectify(pixels, homography, (rows, cols), px=px, reserve=GROUND_RESERVE)


def choose_side(photo: Photo, grids: Sequence[Grid]) -> int:
    """Choose the longer side of a photo, in pixels, that shows the squares of all of some grids."""
    smallest = min((grid.square_px for grid in grids), default=np.inf)
    longest, square_px = max(photo.width, photo.height), SQUARES.enough_px * PX_PER_SQUARE
    return max(PHOTO.working_side_px, round(longest * square_px / max(smallest, 1.0)))


def flatten(photo: View, grid: Grid) -> Image:
    """Rectify the window of a grid in a photo, as `geometry.rectify` gives it."""
    homography = photo.locate(grid.homography)
    shape = grid.rows, grid.cols
    return rectify(photo.pixels, homography, shape, px=PX_PER_SQUARE, border=BORDER_PX)


def cut_patches(rectified: Image, places: Array) -> Image:
    """Cut patches around places of a rectified window.

    Args:
        rectified: The picture of `flatten`.
        places: (n, 2) lattice coordinates (column, row) of the patches' centres.

    Returns:
        (n, 64, 64, 3) RGB.
    """
    starts = np.round(places * PX_PER_SQUARE + BORDER_PX - PATCH_PX / 2).astype(int)
    limit = np.array(rectified.shape[1::-1]) - PATCH_PX
    starts = np.clip(starts, 0, limit)
    return np.stack([rectified[y : y + PATCH_PX, x : x + PATCH_PX] for x, y in starts])
