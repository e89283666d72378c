"""A kingdom in two parts, and what only lies beside one."""

import numpy as np
import pytest
from msgspec.structs import replace

from kdvision.vision.grid.finder import Grid
from kdvision.vision.selection import with_parts
from tests.support.readings import reading_of

#: A kingdom of two rows in a window of five, and of one.
ROWS = "- - - - -/- C W W -/- F F - -/- - - - -"
ROW = "- - - - -/- C W W -/- - - - -"


def grid_at(left: float, top: float, rows: int, cols: int, side: float = 60, turn: float = 0):
    """A grid all of whose places hold a square; its window starts at those places of a lattice of
    60 pixels."""
    angle = np.radians(turn)
    across = side * np.array([np.cos(angle), np.sin(angle)])
    matrix = np.array(
        [
            [across[0], -across[1], 600 + 60 * left],
            [across[1], across[0], 500 + 60 * top],
            [0, 0, 1],
        ]
    )
    centres = np.stack(np.meshgrid(np.arange(cols) + 0.5, np.arange(rows) + 0.5), axis=-1)
    flat = np.ones((rows, cols))
    return Grid(matrix, rows, cols, centres, flat > 0, flat * 0, flat, flat, flat, 0.01, side)


def torn(line: str, other: Grid) -> bool:
    reading = reading_of(line)
    grid = grid_at(0, 0, reading.height, reading.width)
    found = np.zeros((grid.rows, grid.cols), bool)
    found[tuple(np.transpose(reading.taken))] = True
    signs = with_parts(replace(grid, found=found), reading, [other]).signs
    assert all(sign.value == other.found.sum() for sign in signs)
    return [sign.code for sign in signs] == ["torn"]


@pytest.mark.parametrize(
    ("other", "continues"),
    [
        (grid_at(1, 4, 2, 3), True),  # two rows, behind an arm
        (grid_at(1.1, 4.1, 2, 3), True),  # as loosely as tiles lie
        (grid_at(1.5, 4, 2, 3), False),  # half a square to the side
        (grid_at(1, 4, 2, 3, turn=30), False),
        (grid_at(1, 9, 2, 3), False),  # too far for the box of a kingdom
        (grid_at(1, 4, 1, 2), False),  # a domino that was left lying
        (grid_at(1, 4, 4, 6, side=41), False),
    ],
)
def test_tiles_on_the_lattice_of_a_kingdom_may_belong_to_it(other: Grid, continues: bool) -> None:
    assert torn(ROWS, other) is continues


@pytest.mark.parametrize(("left", "continues"), [(1, True), (1.5, False)])
def test_of_a_single_row_only_the_columns_count(left: float, continues: bool) -> None:
    assert torn(ROW, grid_at(left, 4.5, 2, 3)) is continues
