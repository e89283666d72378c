"""Painted tables with a window of places, seen from above."""

import numpy as np
from numpy.typing import NDArray

from kdvision.vision.grid.grid import Grid, middles

SIDE = 60


WOOD, CARD = (150, 110, 70), (235, 235, 240)


def table(rows: int, cols: int, margin: int = 3) -> NDArray[np.uint8]:
    """A wooden table with room for a window of places and `margin` places around it."""
    rng = np.random.default_rng(1)
    shape = ((rows + 2 * margin) * SIDE, (cols + 2 * margin) * SIDE, 3)
    grain = rng.normal(0, 4, (*shape[:2], 1))
    return np.clip(np.array(WOOD) + grain, 0, 255).astype(np.uint8)


def paint(picture: NDArray[np.uint8], row: float, col: float, colour: tuple[int, ...]) -> None:
    """Cover one place of the window."""
    top, left = round((row + 3) * SIDE), round((col + 3) * SIDE)
    picture[top : top + SIDE, left : left + SIDE] = colour


def window(rows: int, cols: int, margin: int = 3) -> Grid:
    """The grid of that window."""
    homography = np.array([[SIDE, 0, margin * SIDE], [0, SIDE, margin * SIDE], [0, 0, 1.0]])
    nothing = np.zeros((rows, cols))
    return Grid(
        homography=homography,
        rows=rows,
        cols=cols,
        centres=middles(rows, cols),
        found=nothing > 0,
        castle=nothing,
        tile=nothing,
        tile_seen=nothing,
        agreed=nothing + 1,
        residual=0.01,
        square_px=float(SIDE),
    )
