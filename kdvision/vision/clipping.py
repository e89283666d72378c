"""Places that light hides: burnt out, or too dark for any crown to show.

A corner of a kingdom of which the photo shows nothing looks as empty as a bare table. White or
black places beside a kingdom are no table where the table elsewhere is neither.
"""

from collections.abc import Sequence

import cv2

from kdvision.arrays import Image
from kdvision.rules.kingdom import Position
from kdvision.vision.squares.window import BORDER_PX, PX_PER_SQUARE

#: Value (0 to 255) up to which all three colours of a pixel that is black lie.
_BLACK_VALUE = 12
#: Value from which on they lie in one that is burnt out.
_BURNT_VALUE = 250
#: Share of a place, without its edge, that is black or burnt out, from which on it is not seen.
_CLIPPED_SHARE = 0.6
#: Where more than this share of the places without a tile is so, that is what the table looks like.
#: Of 80 drawn corners, burnt out or dark, none took more than a fifth.
_MOST_CLIPPED = 1 / 3
#: Pixels at the edge of a place that do not count.
_EDGE_PX = 5


def find_clipped(flat: Image, bare: Sequence[Position]) -> frozenset[Position]:
    """Find the places that light hides; none where the table itself is white or black.

    Args:
        flat: The window of their grid as seen from above, as `window.flatten` gives it.
        bare: The (row, col) of the places on which no tile is seen.
    """
    burnt = cv2.inRange(flat, (_BURNT_VALUE,) * 3, (255,) * 3)
    black = cv2.inRange(flat, (0,) * 3, (_BLACK_VALUE,) * 3)
    inner_px = PX_PER_SQUARE - 2 * _EDGE_PX
    clipped = set()
    for at in bare:
        top, left = (BORDER_PX + value * PX_PER_SQUARE + _EDGE_PX for value in at)
        inner = slice(top, top + inner_px), slice(left, left + inner_px)
        count = max(cv2.countNonZero(burnt[inner]), cv2.countNonZero(black[inner]))
        if count >= _CLIPPED_SHARE * inner_px**2:
            clipped.add(at)
    return frozenset(clipped) if len(clipped) <= _MOST_CLIPPED * len(bare) else frozenset()
