"""How clearly the squares of a kingdom can be seen: blur, darkness, glare."""

from collections.abc import Iterable

import cv2
import numpy as np
from msgspec import Struct

from kdvision.arrays import Image, median
from kdvision.rules.kingdom import Position
from kdvision.vision.squares.window import BORDER_PX, PX_PER_SQUARE

#: Value (0 to 255) from which on a pixel is burnt out, in all three colours.
_BURNT_VALUE = 250
#: Squares. Detail is what is finer than this: crowns are about a tenth of a square.
_FINE_DETAIL = 0.06
#: Pixels of the rectified window at the edge of a square that are not looked at.
_EDGE_PX = 5


class Clarity(Struct, frozen=True):
    """How clear the squares of a kingdom are.

    Attributes:
        detail: The share of contrast that is finer than a crown, in the median square.
        light: Mean brightness of the median square, 0 to 255.
        burnt: The largest share of a square that is burnt out.
        contrast: Standard deviation of brightness within the median square.
    """

    detail: float
    light: float
    burnt: float
    contrast: float


def clarity(flat: Image, taken: Iterable[Position]) -> Clarity:
    """Measure the squares of a kingdom.

    Args:
        flat: The window of its grid as seen from above, as `window.flatten` gives it.
        taken: The (row, col) of its squares; at least one.
    """
    places = np.array(list(taken))
    low, high = places.min(axis=0) * PX_PER_SQUARE, (places.max(axis=0) + 1) * PX_PER_SQUARE
    part = flat[low[0] : high[0] + 2 * BORDER_PX, low[1] : high[1] + 2 * BORDER_PX]
    grey = cv2.cvtColor(part, cv2.COLOR_RGB2GRAY)
    soft = cv2.GaussianBlur(grey, (0, 0), _FINE_DETAIL * PX_PER_SQUARE)
    fine = cv2.subtract(grey, soft, dtype=cv2.CV_16S)
    burnt = cv2.inRange(part, (_BURNT_VALUE,) * 3, (255,) * 3)
    figures = []
    inner_px = PX_PER_SQUARE - 2 * _EDGE_PX
    first = BORDER_PX + _EDGE_PX
    for top, left in (places * PX_PER_SQUARE - low + first).tolist():
        inner = slice(top, top + inner_px), slice(left, left + inner_px)
        figures.append((grey[inner], fine[inner], burnt[inner]))
    greys, fines, burnts = (np.array(some, np.float32) for some in zip(*figures, strict=True))
    contrast = greys.std(axis=(1, 2))
    detail = fines.std(axis=(1, 2)) / np.maximum(contrast, 1.0)
    return Clarity(
        median(detail),
        median(greys.mean(axis=(1, 2))),
        float(burnts.mean(axis=(1, 2)).max()) / 255,
        median(contrast),
    )
