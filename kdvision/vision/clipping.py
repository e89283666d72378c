"""Places that light hides: burnt out, or too dark for any crown to show.

A corner of a kingdom of which the photo shows nothing looks as empty as a bare table. White or
black places beside a kingdom are no table where the table elsewhere is neither.
"""

from collections.abc import Sequence

import cv2
import numpy as np

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
    places = [*squares, *bare]
    is_square = np.arange(len(places)) < len(squares)
    bright, dark, black, burnt = _measure_light(flat, places)
    black, burnt = black >= _CLIPPED_SHARE, burnt >= _CLIPPED_SHARE
    hidden = burnt & is_square
    clipped = (black | burnt) & ~is_square
    if clipped.sum() <= _MOST_CLIPPED * free:
        # Where next to no table is seen, the squares tell how much light there is.
        others = is_square if clipped.sum() > _MOST_CLIPPED * len(bare) else ~is_square
        if others.any():
            black &= bright < _DARKER_THAN_OTHERS * median(bright[others])
            burnt &= median(dark[others]) < _WHITE_TABLE
        hidden |= (black | burnt) & ~is_square
    return frozenset(at for at, is_hidden in zip(places, hidden, strict=True) if is_hidden)


def _measure_light(flat: Image, places: Sequence[Position]) -> Array:
    """Return (4, n): how bright places are, how white, and their black and burnt out shares.

    Bright and white are the medians of the brightest and of the darkest of the three colours.
    """
    red, green, blue = cv2.split(flat)
    brightest = np.asarray(cv2.max(cv2.max(red, green), blue), np.uint8)
    darkest = np.asarray(cv2.min(cv2.min(red, green), blue), np.uint8)
    inner_px = PX_PER_SQUARE - 2 * _EDGE_PX
    figures = []
    for at in places:
        top, left = (BORDER_PX + value * PX_PER_SQUARE + _EDGE_PX for value in at)
        inner = slice(top, top + inner_px), slice(left, left + inner_px)
        bright, dark = brightest[inner], darkest[inner]
        black, burnt = (bright <= _BLACK_VALUE).mean(), (dark >= _BURNT_VALUE).mean()
        figures.append((median(bright[::4, ::4]), median(dark[::4, ::4]), black, burnt))
    return np.array(figures).T
