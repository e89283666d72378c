"""Painted tables with a window of places, seen from above."""

import numpy as np
from numpy.typing import NDArray

from kdvision.vision.grid.grid import Grid
from tests.support.grids import straight_grid

#: The side of a place in pixels.
SIDE = 60
#: Colours in RGB.
WOOD = (150, 110, 70)
CARD = (235, 235, 240)


def table(rows: int, cols: int, margin: int = 3) -> NDArray[np.uint8]:
    """A wooden table with room for a window of places and `margin` places around it."""
    rng = np.random.default_rng(1)
    shape = ((rows + 2 * margin) * SIDE, (cols + 2 * margin) * SIDE, 3)
    grain = rng.normal(0, 4, (*shape[:2], 1))
    return np.clip(np.array(WOOD) + grain, 0, 255).astype(np.uint8)


def paint(picture: NDArray[np.uint8], row: float, col: float, colour: tuple[int, ...]) -> None:
    """Cover one place of the window, with some grain."""
    top, left = round((row + 3) * SIDE), round((col + 3) * SIDE)
    grain = np.random.default_rng(2).normal(0, 2, (SIDE, SIDE, 1))
    covered = np.clip(np.array(colour) + grain, 0, 255)
    picture[top : top + SIDE, left : left + SIDE] = covered.astype(np.uint8)


def window(rows: int, cols: int, margin: int = 3) -> Grid:
    """The grid of that window."""
    corner = (float(margin * SIDE), float(margin * SIDE))
    return straight_grid(rows, cols, float(SIDE), corner, like_tile=0.0)
