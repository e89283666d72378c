"""Seams: where a part of a photo has slipped along a straight line, over its whole width.

A decoder that loses its place goes on with everything a few blocks to the side. Saved again, such
a picture is a whole file, and what has slipped by the width of a tile still looks like a kingdom.
Rows on either side of the seam do not fit, but fit when one of them is moved. In a photo of
things that happens only on chequered ground, and there again and again.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from kdvision.vision.shrink import block_means

_Lines = NDArray[np.float32]

#: The longer side of the picture that is looked at.
_SIDE = 640
#: A step from row to row counts when it is that high (of 255) and so many times its neighbours.
_LEAST_STEP, _LEAST_RATIO = 2.5, 1.7
#: Rows fit when moving one leaves that share of the step, and it moves by so many pixels. On 80
#: pictures that are whole moving left at least 0.51, on slipped ones at most 0.41 from a slip of
#: half a tile on.
_LEFT_OVER, _LEAST_SHIFT = 0.45, 3
#: A pattern has more seams than this.
_MOST_SEAMS = 2
#: So many steps are looked at, the steepest first.
_MOST_STEPS = 4


def has_seam(pixels: NDArray[np.uint8]) -> bool:
    """Whether a part of a picture (h, w, 3) has slipped to the side, or up or down."""
    factor = -(-max(pixels.shape[:2]) // _SIDE)
    height, width = (side // factor for side in pixels.shape[:2])
    if min(height, width) < 8 * _LEAST_SHIFT:
        return False
    grey = cv2.cvtColor(block_means(pixels, factor), cv2.COLOR_RGB2GRAY).astype(np.float32)
    return any(0 < _seams(lines) <= _MOST_SEAMS for lines in (grey, grey.T))


def _seams(lines: _Lines) -> int:
    """How many rows do not fit the next one but fit it moved. A seam within a row counts too."""
    found: list[int] = []
    for gap in (1, 2):
        step = np.abs(lines[gap:] - lines[:-gap]).mean(axis=1)
        usual = np.maximum(step[: -2 * gap], step[2 * gap :])
        ratio = step[gap:-gap] / (usual + 0.5)
        ratio[step[gap:-gap] < _LEAST_STEP] = 0
        for at in np.argsort(-ratio)[:_MOST_STEPS]:
            row = int(at) + gap
            if ratio[at] < _LEAST_RATIO:
                break
            if all(abs(row - other) > 3 for other in found) and _fits_moved(
                lines[row], lines[row + gap], float(usual[at])
            ):
                found.append(row)
    return len(found)


def _fits_moved(above: NDArray[np.float32], below: NDArray[np.float32], usual: float) -> bool:
    """Whether one row resembles the other when it is moved, as much as rows usually do."""
    width = len(above)
    turns = np.lib.stride_tricks.sliding_window_view(np.concatenate([below, below[:-1]]), width)
    gaps = np.abs(turns - above).mean(axis=1)
    best = float(gaps[_LEAST_SHIFT : width - _LEAST_SHIFT].min())
    return best < _LEFT_OVER * gaps[0] and best < 1.6 * usual + 1.0
