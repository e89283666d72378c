"""Numbers that decide how a photo is viewed and what becomes a grid: a case on each side."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from kdvision.photo.photo import open_photo
from kdvision.vision.grid.finder import detect_squares, find_grids
from kdvision.vision.grid.grid import Grid
from kdvision.vision.grid.settings import GRID
from kdvision.vision.grid.voting import STRIDE
from kdvision.vision.models import Model
from tests.support.settings import changed
from tests.support.voting import fields_of

Points = Sequence[tuple[float, float]]
#: A kingdom of four by four places, and one row of five.
BOARD = [(col, row) for row in range(4) for col in range(4)]
ROW = [(col, 0) for col in range(5)]


class Views:
    """A session that is told what to see in the whole photo, and in each view from above.

    Args:
        first: The squares of the whole photo, in pixels of a view of 512.
        pitch: Their width and height there.
        later: The squares of views from above, in places of a window that starts two places left of
            the kingdom and above it.
        size: Their side in such views, in places.
        castle: The logit of a castle at the first square.
        bare: The share of the pixels of squares that are no tile.
        turn: The angle of their axes.
    """

    def __init__(
        self,
        first: Points,
        pitch: tuple[float, float],
        later: Points = (),
        *,
        size: float = 1.0,
        castle: float = 8.0,
        bare: float = 0.0,
        turn: float = 0.0,
    ) -> None:
        self.first, self.pitch, self.later = first, pitch, later
        self.size, self.castle, self.bare = size, castle, bare
        self.turn = np.exp(1j * turn)
        self.shown: list[tuple[int, int]] = []

    def run(self, _: None, given: dict[str, np.ndarray]) -> list[np.ndarray]:
        """The fields of the first view, then of those from above, 36 pixels a square."""
        height, width = given["rgb"].shape[1:3]
        self.shown.append((width, height))
        side = max(width, height) // STRIDE
        if len(self.shown) == 1:
            centres, (x, y) = list(self.first), self.pitch
        else:
            x = y = 36.0 * self.size
            centres = [((2.5 + col) * 36, (2.5 + row) * 36) for col, row in self.later]
        along, across = x * self.turn, 1j * y * self.turn
        axes = (along.real, along.imag), (across.real, across.imag)
        fields = fields_of(centres, *axes, side, castle=self.castle)
        if self.bare:
            index = np.argwhere(fields[0] > 0)
            np.random.default_rng(1).shuffle(index)
            rows, cols = index[: round(self.bare * len(index))].T
            fields[0, rows, cols] = -8.0
        return [fields[None, :, : height // STRIDE, : width // STRIDE]]


def laid(places: Points, pitch: float, rows: float | None = None, loose: float = 0.0) -> Points:
    """Where squares lie in the whole photo; `loose` moves every other one so many squares."""
    return [
        (60 + pitch * (col + loose * (-1) ** round(col + row) / 2), 70 + (rows or pitch) * row)
        for col, row in places
    ]


def moved(places: Points, loose: float = 0.0, by: float = 0.0) -> Points:
    """Places of which every other one lies so many squares off, and all lie `by` to the right."""
    return [(col + by + loose * (-1) ** round(col + row) / 2, row) for col, row in places]


def grids(session: "Views | Beside", width: int = 1024, height: int = 768) -> list[Grid]:
    photo = open_photo(np.full((height, width, 3), 90, np.uint8))
    return find_grids(detect_squares(photo, Model(session)), Model(session))


# ---------------------------------------------------------------------- which views there are


@pytest.mark.parametrize(
    ("photo", "view"),
    [
        ((1024, 768), (512, 384)),
        ((640, 480), (512, 384)),
        ((100, 76), (400, 304)),  # not enlarged more than four times
    ],
)
def test_size_of_the_view(photo: tuple[int, int], view: tuple[int, int]) -> None:
    session = Views([], (40, 40))
    with changed(GRID, fine_view_px=1):
        assert grids(session, *photo) == []
    assert session.shown == [view]


def test_finer_view_has_the_best_square_size() -> None:
    """Squares of 16 pixels in a view of 512 have 36 in one of 1152."""
    session = Views(laid(ROW, 16), (16, 16))
    grids(session, 2048, 1536)
    assert session.shown[1][0] == 1152


@pytest.mark.parametrize(
    ("pitch", "views"),
    [
        ((21, 21), 2),  # too small to be seen well
        ((28, 28), 1),
        ((57, 57), 1),
        ((74, 74), 2),  # too large
        ((36, 17), 2),  # too flat, seen from low down
        ((36, 23), 1),
    ],
)
def test_which_squares_are_viewed_from_above(pitch: tuple[int, int], views: int) -> None:
    session = Views(laid(ROW, pitch[0], pitch[1]), pitch)
    grids(session)
    assert len(session.shown) == views


@pytest.mark.parametrize(("loose", "views"), [(0.12, 1), (0.165, 2)])
def test_loose_squares_are_viewed_from_above(loose: float, views: int) -> None:
    """Every other square lies so far from the rest: half of that is the residual."""
    session = Views(laid(BOARD, 36, loose=loose), (36, 36))
    (grid,) = grids(session)
    assert grid.residual == pytest.approx(loose / 2, rel=0.05)
    assert len(session.shown) == views


@pytest.mark.parametrize(
    ("places", "shown"),
    [
        (BOARD, (288, 288)),  # 4 + 2 * 2 places of 36 pixels
        ([(col, 0) for col in range(16)], (672, 176)),  # of 33, as it is wide; in sixteens
    ],
)
def test_view_from_above_has_a_margin(places: Points, shown: tuple[int, int]) -> None:
    session = Views(laid(places, 22), (22, 22), BOARD)
    grids(session)
    assert session.shown[1] == shown


# ---------------------------------------------------------------------- which view counts

SIXTH = [*ROW, (0, 1)]


def squares_found(first: Points, later: Points, **more: float) -> int:
    """How many squares the one grid has when views from above show `later`."""
    session = Views(first, (22, 22), later, **more)
    (grid,) = grids(session)
    return int(grid.found.sum())


@pytest.mark.parametrize(("size", "count"), [(1.0, 6), (1.25, 6), (1.6, 5)])
def test_squares_of_another_size_are_others(size: float, count: int) -> None:
    later = [(size * col, size * row) for col, row in SIXTH]
    assert squares_found(laid(ROW, 22), later, size=size) == count


@pytest.mark.parametrize(("by", "count"), [(2.0, 6), (2.6, 5)])
def test_squares_that_lie_elsewhere_are_others(by: float, count: int) -> None:
    # The sixth square draws the middle back by a third of a square.
    assert squares_found(laid(ROW, 22), moved(SIXTH, by=by)) == count


@pytest.mark.parametrize(
    ("squares", "loose", "count"),
    [
        (13, 0.14, 13),  # three fewer, and they lie as near again to their lattice
        (13, 0.18, 16),  # hardly nearer
        (10, 0.0, 16),  # six fewer
    ],
)
def test_fewer_squares_win_where_they_fit(squares: int, loose: float, count: int) -> None:
    first = laid(BOARD, 22, loose=0.2)
    assert squares_found(first, moved(BOARD[:squares], loose)) == count


# ---------------------------------------------------------------------- what becomes a grid


@pytest.mark.parametrize(("squares", "count"), [(2, 0), (3, 1)])
def test_grid_without_castle_needs_three_squares(squares: int, count: int) -> None:
    assert len(grids(Views(laid(ROW[:squares], 40), (40, 40), castle=-8.0))) == count


@pytest.mark.parametrize(
    ("share", "at", "count"),
    [
        (0.17, (2, 0), 0),
        (0.23, (2, 0), 1),
        *((0.23, at, 1) for at in ((-1, 0), (0, 1), (1, -1))),
        *((0.9, at, 0) for at in ((2, 1), (-1, -1), (3, 0), (0, 2))),  # over a corner or a gap
    ],
)
def test_squares_beside_a_pair(share: float, at: tuple[int, int], count: int) -> None:
    """What is no square itself, as its pixels do not agree on one: so many are like a tile."""
    views = Views(laid([(0, 0), (1, 0)], 36), (36, 36), castle=-8.0)
    assert len(grids(Beside(views, share, at))) == count


class Beside:
    """A session that sees something at a place beside squares, of so much likeness to a tile."""

    def __init__(self, views: Views, share: float, at: tuple[int, int]) -> None:
        self.views, self.logit, self.at = views, math.log(share / (1 - share)), at

    def run(self, outputs: None, given: dict[str, np.ndarray]) -> list[np.ndarray]:
        """The fields of the view, with a patch as large as the middle of a place."""
        (fields,) = self.views.run(outputs, given)
        x, y = (
            (start + 36 * step) // STRIDE for start, step in zip((60, 70), self.at, strict=True)
        )
        fields[0, 0, y - 4 : y + 5, x - 4 : x + 5] = self.logit
        return [fields]


def test_at_most_twelve_grids() -> None:
    rows = [(4.8 * block + col, 2.5 * line) for line in range(4) for block in range(4)
            for col in range(3)]  # fmt: skip
    assert len(grids(Views(laid(rows, 25), (25, 25)))) == 12


def test_window_holds_two_large_kingdoms() -> None:
    """And a ring: sixteen places at most."""
    (grid,) = grids(Views(laid([(col, 0) for col in range(14)], 20), (20, 20)))
    assert (grid.rows, grid.cols) == (3, 16)
    heights = enumerate((2, 2, *[1] * 12, 2, 3))
    places = [(col, row) for col, height in heights for row in range(height)]
    (grid,) = grids(Views(laid(places, 20), (20, 20)))
    # As many squares as can be within a ring.
    assert (grid.cols, grid.found[:, 1:-1].sum()) == (16, 17)


@pytest.mark.parametrize(("bare", "agreed"), [(0.0, 1.0), (0.4, 0.75)])
def test_agreement_of_votes(bare: float, agreed: float) -> None:
    """From four fifths of its votes on a square is there; six tenths of them are three quarters."""
    (grid,) = grids(Views(laid(BOARD, 40), (40, 40), bare=bare))
    assert np.median(grid.agreed[grid.found]) == pytest.approx(agreed, abs=0.04)
    assert (grid.agreed[~grid.found] == 0.3).all()


@pytest.mark.parametrize(("off", "least", "most"), [(0.1, 0.08, 0.1), (0.2, 0.15, 0.15)])
def test_reach_of_a_patch(off: float, least: float, most: float) -> None:
    """No further than 0.15 of a square from the middle of its place, to either side."""
    for sign in (1, -1):
        places = [(col + sign * off * ((col, row) == (1, 1)), row) for col, row in BOARD]
        (grid,) = grids(Views(laid(places, 40), (40, 40)))
        shift = sign * (grid.centres[2, 2, 0] - 2.5)
        assert least - 1e-6 <= shift <= most + 1e-6


@pytest.mark.parametrize("degrees", [0, 50, 100, 150, 240])
def test_rows_run_to_the_right(degrees: float) -> None:
    turn = np.radians(degrees)
    places = [complex(60 * col - 90, 25 * row - 25) * np.exp(1j * turn) for col, row in BOARD[:12]]
    first = [(200 + at.real, 170 + at.imag) for at in places]
    (grid,) = grids(Views(first, (60, 25), turn=turn))
    (x, _), (along, _), (across, _) = grid.middles_of([(1, 1), (1, 2), (2, 1)])
    assert along - x > abs(across - x)
    found = grid.middles_of([(row, col) for row, col in np.argwhere(grid.found).tolist()])
    gaps = np.linalg.norm(found[:, None] / 2 - np.array(first), axis=2)
    assert gaps.shape == (12, 12)
    assert gaps.min(axis=0).max() < 1


@pytest.mark.parametrize("room", [(1, 1, 1, 1), (0, 2, 1, 0)])
def test_wider_window_keeps_its_places(room: tuple[int, int, int, int]) -> None:
    above, left, below, right = room
    (grid,) = grids(Views(laid(BOARD, 40), (40, 40)))
    wide = grid.widened(*room)
    assert (wide.rows, wide.cols) == (grid.rows + above + below, grid.cols + left + right)
    before, after = grid.middles_of([(0, 0), (3, 2)]), wide.middles_of([
        (above, left), (above + 3, left + 2)])  # fmt: skip
    assert after == pytest.approx(before)
    inside = slice(above, above + grid.rows), slice(left, left + grid.cols)
    for name in ("found", "castle", "tile", "tile_seen", "agreed"):
        assert (getattr(wide, name)[inside] == getattr(grid, name)).all()
    assert wide.found.sum() == grid.found.sum()
    assert wide.centres[inside] - [left, above] == pytest.approx(grid.centres)
