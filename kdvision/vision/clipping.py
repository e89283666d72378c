"""Places that light hides: burnt out, or too dark for any crown to show.

A corner of a kingdom of which the photo shows nothing looks as empty as a bare table. White or
black places beside a kingdom are no table where the table elsewhere is neither.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from kdvision.arrays import Array, Image, median
from kdvision.rules.kingdom import Position
from kdvision.vision.squares.window import BORDER_PX, PX_PER_SQUARE

#: Value (0 to 255) up to which all three colours of a pixel that is black lie.
_BLACK_VALUE = 12
#: Value from which on they lie in one that is burnt out.
_BURNT_VALUE = 250
#: Share of a place, without its edge, that is black or burnt out, from which on it is not seen.
_CLIPPED_SHARE = 0.6
#: A place is black for want of light only below this share of the brightness of the others: with
#: more light than that a tile shows.
_DARKER_THAN_OTHERS = 0.3
#: Value from which on the table is as good as white: what light burns it out leaves a tile its
#: colours.
_WHITE_TABLE = 235
#: Where more than this share of the places without a tile is so, in the photo or not, that is what
#: the table looks like. Of 80 drawn corners, burnt out or dark, none took more than a fifth.
_MOST_CLIPPED = 1 / 3
#: Pixels at the edge of a place that do not count.
_EDGE_PX = 5


def find_clipped(
    flat: Image, squares: Sequence[Position], bare: Sequence[Position], free: int
) -> frozenset[Position]:
    """Find the places that light hides; none beside squares where the table is white or black.

    A square in the dark is not found: a forest can be as black, and show its crowns.

    Args:
        flat: The window of their grid as seen from above, as `window.flatten` gives it.
        squares: The (row, col) of the squares, at least one.
        bare: The places that the photo shows, and on which no tile is seen.
        free: How many places have no tile, with those that the photo does not show.
    """
    red, green, blue = cv2.split(flat)
    bright = _cut_places(np.asarray(cv2.max(cv2.max(red, green), blue), np.uint8))
    dark = _cut_places(np.asarray(cv2.min(cv2.min(red, green), blue), np.uint8))
    black = (bright <= _BLACK_VALUE).mean(axis=(1, 3)) >= _CLIPPED_SHARE
    burnt = (dark >= _BURNT_VALUE).mean(axis=(1, 3)) >= _CLIPPED_SHARE
    hidden = {at for at in squares if burnt[at]}
    clipped = [at for at in bare if black[at] or burnt[at]]
    if clipped and len(clipped) <= _MOST_CLIPPED * free:
        # Where next to no table is seen, the squares tell how much light there is.
        others = squares if len(clipped) > _MOST_CLIPPED * len(bare) else bare
        darkest = _DARKER_THAN_OTHERS * median(_medians(bright, others))
        is_white = median(_medians(dark, others)) >= _WHITE_TABLE
        for at, light in zip(clipped, _medians(bright, clipped), strict=True):
            if (black[at] and light < darkest) or (burnt[at] and not is_white):
                hidden.add(at)
    return frozenset(hidden)


def _cut_places(values: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return (rows, px, cols, px): the values on the places of a window, without their edges."""
    inside = values[BORDER_PX:-BORDER_PX, BORDER_PX:-BORDER_PX]
    rows, cols = (length // PX_PER_SQUARE for length in inside.shape)
    places = inside.reshape(rows, PX_PER_SQUARE, cols, PX_PER_SQUARE)
    return places[:, _EDGE_PX:-_EDGE_PX, :, _EDGE_PX:-_EDGE_PX]


def _medians(values: NDArray[np.uint8], places: Sequence[Position]) -> Array:
    """Return (n,): the median of the values on each of some places, 0 to 255."""
    return np.array([median(values[row, ::4, col, ::4]) for row, col in places])
