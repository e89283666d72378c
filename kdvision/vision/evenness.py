"""Places of one colour to the last bit, which no camera sees.

A sticker, a bar or an eraser of an app, and light that burns everything out, leave a patch without
any grain. On a square it looks like a plain tile, wheat above all, beside the kingdom like a table.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from kdvision.arrays import Image, median
from kdvision.rules.kingdom import Position
from kdvision.vision.squares.window import BORDER_PX, PX_PER_SQUARE

#: Share of a place of one colour, above which it is even. Of 651 rendered kingdoms and damaged
#: boards 3 have a square of so much, where the picture has no grain, and one of 445 has such a
#: place beside it. Of 35 boards that train none has one; with a plain note over a square 18 have.
_EVEN_FROM = 0.3
#: Share of places, above which half of them have it anyhow: a photo that is compressed so much
#: tells nothing by it.
_EVEN_ANYHOW = 0.02
#: Pixels. One colour is what does not change within so many rows and columns.
_AROUND_PX = 5
#: Pixels at the edge of a place that do not count.
_EDGE_PX = 2


def find_even(flat: Image, places: Sequence[Position]) -> frozenset[Position]:
    """Find the places of which a part has one colour; none where most of them are so.

    Args:
        flat: The window of their grid as seen from above, as `window.flatten` gives it.
        places: The (row, col) of places that are alike: squares, or the table.
    """
    if not places:
        return frozenset()
    around = np.ones((_AROUND_PX, _AROUND_PX), np.uint8)
    changes = cv2.subtract(cv2.dilate(flat, around), cv2.erode(flat, around))
    even = cv2.inRange(changes, (0, 0, 0), (0, 0, 0))
    inner_px = PX_PER_SQUARE - 2 * _EDGE_PX
    shares = []
    for at in places:
        top, left = (BORDER_PX + value * PX_PER_SQUARE + _EDGE_PX for value in at)
        inner = even[top : top + inner_px, left : left + inner_px]
        shares.append(cv2.countNonZero(inner) / inner_px**2)
    if median(np.array(shares)) > _EVEN_ANYHOW:
        return frozenset()
    return frozenset(at for at, share in zip(places, shares, strict=True) if share > _EVEN_FROM)
