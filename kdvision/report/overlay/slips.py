"""Slips of paper on the overlay: their frames, the marks that were read, and whose they are."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from kdvision.report.palette import DOUBT_COLOUR
from kdvision.result import PhotoResult
from kdvision.slips.slip import Slip

_SURE_COLOUR = "#1d7a46"
#: Bits of the fractions of a pixel that OpenCV is given.
_SHIFT = 4
#: Width of lines, and radius of the circle about a mark, as shares of the side of the code.
_LINE, _MARK = 0.025, 0.075


def slips_light(
    slips: Sequence[Slip], scale: float, shape: tuple[int, ...]
) -> npt.NDArray[np.float32]:
    """Where slips lie: 1 there, else 0, of the shape (h, w)."""
    light = np.zeros(shape[:2], np.float32)
    for slip in slips:
        cv2.fillConvexPoly(light, _px(slip.corners, scale), 1.0, cv2.LINE_8, _SHIFT)
    return light


def draw_slips(picture: npt.NDArray[np.uint8], result: PhotoResult, scale: float) -> None:
    """Draw every slip: its frame, its marks, and a line to the kingdom that it lies beside.

    Args:
        picture: RGB (h, w, 3), drawn on in place.
        result: With places in pixels of the full photo.
        scale: How many of these one pixel of the picture stands for.
    """
    for slip in result.slips:
        colour = _rgb(DOUBT_COLOUR if slip.unclear or not slip.kingdom_is_sure else _SURE_COLOUR)
        width = max(1, round(_LINE * slip.code_px / scale))
        frame = _px(slip.corners, scale)
        cv2.polylines(picture, [frame], True, colour, width, cv2.LINE_AA, _SHIFT)
        radius = round(_MARK * slip.code_px / scale * (1 << _SHIFT))
        for mark in slip.marks:
            ((x, y),) = _px([mark.center], scale)
            cv2.circle(picture, (int(x), int(y)), radius, colour, width, cv2.LINE_AA, _SHIFT)
        if slip.kingdom is not None and len(result.kingdoms[slip.kingdom].corners) == 4:
            start, end = _nearest(slip.corners, result.kingdoms[slip.kingdom].corners)
            line = _px([start, end], scale)
            cv2.polylines(picture, [line], False, colour, width, cv2.LINE_AA, _SHIFT)


def _nearest(
    slip: Sequence[tuple[float, float]], kingdom: Sequence[tuple[float, float]]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """The middle of the side of a slip that is nearest to the middle of a kingdom, and that."""
    corners = np.array(slip)
    middle = np.mean(kingdom, axis=0)
    sides = (corners + np.roll(corners, -1, axis=0)) / 2
    start = sides[np.linalg.norm(sides - middle, axis=1).argmin()]
    return (float(start[0]), float(start[1])), (float(middle[0]), float(middle[1]))


def _px(points: Sequence[tuple[float, float]], scale: float) -> npt.NDArray[np.int32]:
    """Points as OpenCV takes them, with fractions of a pixel; its pixels begin at their centres."""
    exact = (np.array(points, np.float64) / scale - 0.5) * (1 << _SHIFT)
    return np.asarray(np.round(exact), np.int32)


def _rgb(colour: str) -> tuple[int, int, int]:
    """`#rrggbb` as numbers."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue
