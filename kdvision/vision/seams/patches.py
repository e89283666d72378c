"""Pairs of neighbouring places become patches: where the two meet, always side by side.

A patch shows what lies around the middle of the line between two places, nearly up to their
centres, and a little beyond both ends of the line, where the corners of dominoes would be. The
left or the upper place of the pair comes to lie on the left.
"""

from collections.abc import Sequence

import numpy as np

from kdvision.arrays import Array, Image
from kdvision.rules.kingdom import Pair, Position, neighbours
from kdvision.vision.squares.patches import BORDER_PX, PX_PER_SQUARE

#: Pixels of a patch across the line between two places, and along it. A square has
#: `PX_PER_SQUARE`, so it reaches 0.48 squares to either side and 0.14 beyond either end.
ACROSS_PX, ALONG_PX = 48, 64


def cut_pairs(rectified: Image, centres: Array, pairs: Sequence[Pair]) -> Image:
    """Patches of pairs of neighbouring places.

    Args:
        rectified: The picture of a window, as `squares.patches.flatten` gives it.
        centres: (rows, cols, 2) lattice coordinates (column, row) of what lies on each place.
        pairs: Places (row, col) of the window, two and two.

    Returns:
        (n, 64, 48, 3) RGB.

    Raises:
        ValueError: Two places are no neighbours, or lie outside the window.
    """
    if not pairs:
        return np.zeros((0, ALONG_PX, ACROSS_PX, 3), np.uint8)
    return np.stack([_cut(rectified, centres, *_ordered(pair, centres)) for pair in pairs])


def _ordered(pair: Pair, centres: Array) -> tuple[Position, Position]:
    """The two places of a pair, the upper or the left one first."""
    first, second = sorted(pair)
    rows, cols = centres.shape[:2]
    inside = all(0 <= row < rows and 0 <= col < cols for row, col in (first, second))
    if second not in neighbours(first) or not inside:
        raise ValueError(f"{first} and {second} are no neighbours in a window of {rows} x {cols}.")
    return first, second


def _cut(rectified: Image, centres: Array, first: Position, second: Position) -> Image:
    middle = (centres[first] + centres[second]) / 2 * PX_PER_SQUARE + BORDER_PX
    below = first[1] == second[1]
    size = np.array([ALONG_PX, ACROSS_PX] if below else [ACROSS_PX, ALONG_PX])
    limit = np.array(rectified.shape[1::-1]) - size
    x, y = np.clip(np.round(middle - size / 2).astype(int), 0, limit)
    patch = rectified[y : y + size[1], x : x + size[0]]
    return np.rot90(patch) if below else patch
