"""How clearly the squares of a kingdom can be seen: blur, darkness, glare."""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from kdvision.rules.kingdom import Position
from kdvision.vision.squares import BORDER_PX, PX_PER_SQUARE

Image = NDArray[np.uint8]

#: Detail is what is finer than this, in squares: crowns are about a tenth of a square.
_FINE = 0.06
#: A pixel is burnt out from this value on, in all three colours.
_BURNT = 250


@dataclass(frozen=True, slots=True)
class Clarity:
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
        flat: The window of its grid as seen from above, as `squares.flatten` gives it.
        taken: The (row, col) of its squares; at least one.
    """
    grey = cv2.cvtColor(flat, cv2.COLOR_RGB2GRAY)
    soft = cv2.GaussianBlur(grey, (0, 0), _FINE * PX_PER_SQUARE)
    fine = cv2.subtract(grey, soft, dtype=cv2.CV_16S)
    burnt = cv2.inRange(flat, (_BURNT,) * 3, (255,) * 3)
    figures = []
    for row, col in taken:
        top, left = row * PX_PER_SQUARE + BORDER_PX, col * PX_PER_SQUARE + BORDER_PX
        inner = slice(top + 5, top + PX_PER_SQUARE - 5), slice(left + 5, left + PX_PER_SQUARE - 5)
        light, contrast = (float(value[0, 0]) for value in cv2.meanStdDev(grey[inner]))
        detail = float(cv2.meanStdDev(fine[inner])[1][0, 0]) / max(contrast, 1.0)
        figures.append((detail, light, cv2.mean(burnt[inner])[0] / 255, contrast))
    detail, light, _, contrast = np.median(figures, axis=0)
    return Clarity(float(detail), float(light), max(one[2] for one in figures), float(contrast))
