"""Lattices that are printed on a page: smaller squares than those of a kingdom beside them."""

from typing import Any

import numpy as np
import pytest

from kdvision.vision.grid import finder
from kdvision.vision.grid.detector import Detection
from kdvision.vision.grid.finder import _is_print, grids_in
from kdvision.vision.grid.lattice import Lattice
from kdvision.vision.grid.voting import Squares

#: Side of the kingdom's squares in pixels.
SIDE = 40.0


def block(columns: int, rows: int, side: float, left: float, top: float) -> np.ndarray:
    """The middles (n, 2) of a block of squares, in pixels."""
    x, y = np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5)
    return np.c_[x.ravel(), y.ravel()] * side + [left, top]


def lattice(first: int, columns: int, rows: int, matrix: np.ndarray) -> Lattice:
    """A lattice of squares that are numbered from `first` on."""
    x, y = np.meshgrid(np.arange(columns), np.arange(rows))
    places = np.c_[x.ravel(), y.ravel()]
    return Lattice(matrix, np.arange(len(places)) + first, places, np.zeros(len(places)))


def tables(
    side: float,
    *,
    columns: int = 3,
    rows: int = 3,
    printed: tuple[int, int] = (3, 2),
    castle: float = 0.9,
    slope: float = 0.0,
) -> tuple[Detection, Lattice, Lattice]:
    """A printed block of squares of a side beside a kingdom: what is detected, both lattices.

    With a `slope` the kingdom's lattice says that squares become smaller to the right.
    """
    tiles = block(columns, rows, SIDE, 0, 0)
    small = block(*printed, side, 300, 0)
    count = len(tiles) + len(small)
    scales = np.r_[np.full(len(tiles), SIDE), np.full(len(small), side)]
    castles = np.zeros(count)
    castles[0] = castle
    axes = np.eye(2)[None] * scales[:, None, None]
    squares = Squares(np.r_[tiles, small], axes, scales, np.ones(count), castles)
    kingdom = lattice(0, columns, rows, np.array([[SIDE, 0, 0], [0, SIDE, 0], [slope, 0, 1.0]]))
    matrix = np.array([[side, 0, 300], [0, side, 0], [0, 0, 1.0]])
    page = lattice(len(tiles), *printed, matrix)
    detection = Detection(squares, np.zeros((4, 4), np.float32), np.eye(3), (16, 16), (16, 16))
    return detection, kingdom, page


def is_print(side: float, **table: Any) -> bool:
    """Whether a printed block of squares of a side is told from a kingdom's."""
    detection, kingdom, page = tables(side, **table)
    return _is_print((page, detection), (kingdom, detection))


@pytest.mark.parametrize(("share", "printed"), [(0.58, True), (0.62, False), (1.0, False)])
def test_how_small_print_is(share: float, printed: bool) -> None:
    assert is_print(share * SIDE) is printed


@pytest.mark.parametrize(
    ("share", "page", "printed"),
    [(0.78, (3, 3), True), (0.82, (3, 3), False), (0.78, (4, 2), False)],
)
def test_of_many_squares_those_that_are_a_little_smaller_are_print(
    share: float, page: tuple[int, int], printed: bool
) -> None:
    assert is_print(share * SIDE, columns=5, printed=page) is printed


@pytest.mark.parametrize(("castle", "printed"), [(0.45, False), (0.55, True)])
def test_only_a_kingdom_with_a_castle_tells(castle: float, printed: bool) -> None:
    assert is_print(20, castle=castle) is printed


def test_a_kingdom_of_nine_squares_tells_and_one_of_eight_does_not() -> None:
    assert is_print(20)
    assert not is_print(20, columns=4, rows=2)


def test_a_page_with_more_squares_than_the_kingdom_is_looked_at() -> None:
    assert is_print(20, printed=(4, 2))
    assert not is_print(20, printed=(3, 3))


def test_squares_that_only_the_perspective_makes_small_are_no_print() -> None:
    """Far from a kingdom whose lattice fits badly, and as large as its squares in the photo."""
    assert not is_print(SIDE, slope=-0.05)
    assert not is_print(20, slope=0.05)


@pytest.mark.parametrize(("share", "grids"), [(0.58, 1), (0.62, 2)])
def test_print_that_only_a_view_from_above_shows_is_no_grid(
    share: float, grids: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from_above, _, page = tables(share * SIDE)

    def best_view(pixels: Any, session: Any, seen: Any) -> Any:
        return seen if len(seen[0].members) == 9 else (page, from_above)

    monkeypatch.setattr(finder, "_from_best_view", best_view)
    first, _, _ = tables(0.9 * SIDE)
    pixels = np.zeros((16, 16, 3), np.uint8)
    session: Any = None
    assert len(grids_in((pixels, 1.0, first), session)) == grids
