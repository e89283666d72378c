"""How clear the squares of a kingdom are: blur, darkness and glare hide crowns."""

from collections.abc import Iterable, Iterator

import cv2
import numpy as np
from msgspec import Struct

from kdvision.arrays import Image, median
from kdvision.reading import Doubt, DoubtCode
from kdvision.rules.kingdom import Position
from kdvision.vision.squares.window import BORDER_PX, PX_PER_SQUARE

#: Share of contrast finer than a crown from which on blur hides nothing.
_CLEAR_DETAIL = 0.6
#: Mean brightness (0 to 255) from which on darkness hides nothing.
_CLEAR_LIGHT = 80.0
#: Value (0 to 255) from which on a pixel is burnt out, in all three colours.
_BURNT_VALUE = 250
#: Squares. Detail is what is finer than this: crowns are about a tenth of a square.
_FINE_DETAIL = 0.06
#: Pixels of the rectified window at the edge of a square that are not looked at.
_EDGE_PX = 5


def clarity_doubts(flat: Image, taken: Iterable[Position]) -> Iterator[Doubt]:
    """Doubt blur, darkness and glare that hide crowns; the arguments of `measure_clarity`."""
    seen = measure_clarity(flat, taken)
    yield Doubt(DoubtCode.BLURRED, max(0.0, _CLEAR_DETAIL - seen.detail))
    yield Doubt(DoubtCode.DARK, max(0.0, 1 - seen.light / _CLEAR_LIGHT))
    yield Doubt(DoubtCode.GLARE, seen.burnt)


class Clarity(Struct, frozen=True):
    """How clear the squares of a kingdom are.

    Attributes:
        detail: The share of contrast that is finer than a crown, in the median square.
        light: Mean brightness of the median square, 0 to 255.
        burnt: The largest share of a square that is burnt out.
    """

    detail: float
    light: float
    burnt: float


def measure_clarity(flat: Image, taken: Iterable[Position]) -> Clarity:
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
    greys, fines, burnts = (np.array(values, np.float32) for values in zip(*figures, strict=True))
    detail = fines.std(axis=(1, 2)) / np.maximum(greys.std(axis=(1, 2)), 1.0)
    whitest = float(burnts.mean(axis=(1, 2)).max()) / 255
    return Clarity(median(detail), median(greys.mean(axis=(1, 2))), whitest)
