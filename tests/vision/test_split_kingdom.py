"""A kingdom in two parts, and what only lies beside one."""

import numpy as np
import pytest

from kdvision.vision.grid.grid import Grid
from kdvision.vision.selection import mark_torn
from tests.support.grids import found_of, grid_of
from tests.support.readings import reading_of

Places = list[tuple[float, float]]
#: A kingdom of two rows in a window of five, and of one.
ROWS = "- - - - -/- C W W -/- F F - -/- - - - -"
ROW = "- - - - -/- C W W -/- - - - -"


def block(
    left: float, top: float, rows: int, cols: int, side: float = 1, degrees: float = 0
) -> Places:
    """A block of squares from a place (column, row) of the kingdom's lattice on."""
    angle = np.radians(degrees)
    along = side * np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    return [
        tuple(np.array([left, top]) + col * along + row * across)
        for row in range(rows)
        for col in range(cols)
    ]


def pushed(places: Places, inside: int) -> Places:
    """The same of which all but the first few lie nearly half a square to the right."""
    return [(col + 0.45 * (n >= inside), row) for n, (col, row) in enumerate(places)]


def other_grid(places: Places) -> Grid:
    """A grid with a square at each of such places."""
    reading = reading_of(" ".join(["W"] * len(places)))
    return grid_of(reading, 60, centres=np.array([places]) + 0.5)


def torn(line: str, places: Places) -> bool:
    reading = reading_of(line)
    signs = mark_torn(found_of(grid_of(reading, 60), reading), [other_grid(places)]).reading.doubts
    return [sign.code for sign in signs] == ["torn"]


@pytest.mark.parametrize(
    ("places", "continues"),
    [
        (block(1, 4, 2, 3), True),  # two rows, behind an arm
        (block(1.1, 4.1, 2, 3), True),  # as loosely as tiles lie
        (block(1.25, 4, 2, 3), True),
        (block(1.35, 4, 2, 3), False),  # a third of a square to the side
        (block(1, 4, 2, 3, degrees=30), False),
        (block(1, 6, 2, 3), True),
        (block(1, 8, 2, 3), False),  # too far for the box of a kingdom
        (block(1, 4, 1, 2), False),  # a domino that was left lying
        (block(1, 4, 1, 3), True),
        (block(1, 4, 4, 6, side=0.7), False),
        (pushed(block(0, 4, 2, 5), 5), False),  # half of ten lie on the lattice
        (pushed(block(0, 4, 2, 5), 6), True),
    ],
)
def test_tiles_on_the_lattice_of_a_kingdom_may_belong_to_it(
    places: Places, continues: bool
) -> None:
    assert torn(ROWS, places) is continues


@pytest.mark.parametrize(("left", "continues"), [(1, True), (1.5, False)])
def test_of_a_single_row_only_the_columns_count(left: float, continues: bool) -> None:
    assert torn(ROW, block(left, 4.5, 2, 3)) is continues


def test_the_sign_counts_the_squares_in_line() -> None:
    reading = reading_of(ROWS)
    grids = [other_grid(block(1, 4, 1, 3)), other_grid(pushed(block(0, 4, 2, 5), 7))]
    (sign,) = mark_torn(found_of(grid_of(reading, 60), reading), grids).reading.doubts
    assert sign.weight == 7
