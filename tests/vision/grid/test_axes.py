"""Axes that are wrong in slanted views are set right by the neighbours of a square."""

import numpy as np
import pytest

from kdvision.vision.grid.detector import Squares
from kdvision.vision.grid.lattice import grow_lattices

Step = tuple[float, float]


def board(first: Step, second: Step, seen: tuple[Step, Step], side: int = 4) -> Squares:
    """A board of side x side squares whose steps are known, and whose axes are seen otherwise."""
    columns, rows = np.meshgrid(np.arange(side), np.arange(side))
    places = np.c_[columns.ravel(), rows.ravel()]
    centres = 200 + places @ np.array([first, second], float)
    count = len(places)
    scale = np.sqrt(abs(np.linalg.det([first, second])))
    axes = np.repeat(np.array(seen, float)[None], count, axis=0)
    return Squares(centres, axes, np.full(count, scale), np.ones(count), np.zeros(count))


SLANTED = [
    # Steps of the board, axes as the network takes them for: too upright.
    ((40, 12), (2, 34), ((37, 5), (-4, 36))),
    ((45, 0), (12, 28), ((38, -3), (6, 34))),
    ((36, 20), (-14, 22), ((33, 14), (-12, 28))),
]


@pytest.mark.parametrize(("first", "second", "seen"), SLANTED)
def test_a_slanted_board_is_one_lattice(first: Step, second: Step, seen: tuple[Step, Step]) -> None:
    (lattice,) = grow_lattices(board(first, second, seen))
    assert len(lattice.members) == 16
    assert lattice.residual < 0.02
