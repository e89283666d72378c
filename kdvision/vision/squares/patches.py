"""Places of a grid become patches: upright pictures of one place each, with some context.

The whole window of a grid is rectified once (`PX_PER_SQUARE` pixels per square), and patches are
cut out of it, each moved to where its own tile lies, since tiles lie loosely.
"""

import numpy as np

from kdvision.arrays import Array, Image
from kdvision.photo.photo import Photo
from kdvision.photo.settings import PHOTO
from kdvision.vision.geometry import rectify
from kdvision.vision.grid.finder import Grid

#: What the classifier was trained on: a patch is so many pixels wide and high, and a square fills
#: the inner `PX_PER_SQUARE` of them.
PATCH_PX = 64
PX_PER_SQUARE = 50
#: Context around the window, so that patches at its border and moved ones are whole.
BORDER_PX = 16


def flatten(photo: Photo, grid: Grid) -> Image:
    """The window of a grid in a photo as seen from above, as `geometry.rectify` gives it.

    Decodes the photo finely enough for its squares.
    """
    longest = max(photo.width, photo.height)
    wanted = max(PHOTO.working_side_px, round(longest * PX_PER_SQUARE / max(grid.square_px, 1.0)))
    pixels, scale = photo.pixels(wanted)
    to_pixels = np.array([[1 / scale, 0, -0.5], [0, 1 / scale, -0.5], [0, 0, 1]])
    homography = to_pixels @ grid.homography
    return rectify(pixels, homography, grid.rows, grid.cols, px=PX_PER_SQUARE, border=BORDER_PX)


def cut_patches(rectified: Image, places: Array) -> Image:
    """Patches around places of a rectified window.

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
