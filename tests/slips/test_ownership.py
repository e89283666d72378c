"""Slips and the kingdoms beside them, as seen from above and slanted."""

from collections.abc import Sequence

import numpy as np
import pytest
from msgspec.structs import replace

from kdvision.arrays import Array
from kdvision.slips.ownership import FARTHEST, Outline, distance, with_kingdoms
from tests.support.results import SLIP

#: Views of a table: from above, turned, and from low down.
VIEWS = {
    "above": np.diag([80.0, 80.0, 1.0]),
    "turned": np.array([[60.0, -45, 900], [45, 60, 100], [0, 0, 1]]),
    "low": np.array([[90.0, 12, 300], [3, 45, 200], [0.002, 0.03, 1]]),
}
Corners = tuple[tuple[float, float], ...]


def seen(view: Array, left: float, top: float, width: float, height: float) -> Corners:
    box = np.array([[left, top], [left + width, top], [left + width, top + height]])
    box = np.vstack([box, [left, top + height]])
    points = np.c_[box, np.ones(4)] @ view.T
    return tuple((float(x), float(y)) for x, y in points[:, :2] / points[:, 2:])


def kingdom(view: Array, left: float, top: float, cols: int = 5, rows: int = 5) -> Outline:
    return Outline(seen(view, left, top, cols, rows), rows, cols)


def assign(slips: Sequence[Corners], kingdoms: Sequence[Outline]) -> list[tuple[int | None, bool]]:
    """The kingdom of each slip, and whether it is sure."""
    placed = with_kingdoms([replace(SLIP, corners=corners) for corners in slips], kingdoms)
    return [(slip.kingdom, slip.kingdom_is_sure) for slip in placed]


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_the_gap_is_counted_in_squares_from_any_side(view: Array) -> None:
    board = kingdom(view, 4, 4)
    assert distance(seen(view, 9.5, 5, 2.4, 1.6), board) == pytest.approx(0.5, abs=1e-4)
    assert distance(seen(view, 4, 0.4, 2.4, 1.6), board) == pytest.approx(2, abs=1e-4)
    assert distance(seen(view, 5, 5, 2, 1), board) == 0
    assert distance(seen(view, 12, 13, 2, 1), board) == pytest.approx(5, abs=1e-4)


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_each_kingdom_has_the_slip_beside_it(view: Array) -> None:
    kingdoms = [kingdom(view, x, y) for y in (0, 8) for x in (0, 8)]
    slips = [seen(view, x + 1, y + 5.3, 2.4, 1.6) for y in (0, 8) for x in (8, 0)]
    assert assign(slips, kingdoms) == [(index, True) for index in (1, 0, 3, 2)]


def test_in_a_row_every_slip_goes_to_the_left_although_two_kingdoms_are_as_near() -> None:
    view = VIEWS["above"]
    kingdoms = [kingdom(view, x, 0) for x in (0, 8.4)]
    slips = [seen(view, x + 5.5, 1, 2.4, 1.6) for x in (0, 8.4)]
    assert assign(slips, kingdoms) == [(0, True), (1, True)]


def test_one_slip_between_two_kingdoms_may_be_of_either() -> None:
    view = VIEWS["above"]
    kingdoms = [kingdom(view, x, 0) for x in (0, 8.4)]
    (owned,) = assign([seen(view, 5.6, 1, 2.4, 1.6)], kingdoms)
    assert not owned[1]
    (owned,) = assign([seen(view, 5.1, 1, 2.4, 1.6)], [kingdoms[0], kingdom(view, 9.4, 0)])
    assert owned == (0, True)


def test_two_slips_beside_one_kingdom_are_open() -> None:
    view = VIEWS["above"]
    slips = [seen(view, 5.5, y, 2.4, 1.6) for y in (0, 3)]
    assert not any(sure for _, sure in assign(slips, [kingdom(view, 0, 0)]))


def test_a_slip_far_from_every_kingdom_has_none_and_leaves_the_others_open() -> None:
    view = VIEWS["above"]
    far = seen(view, 5 + FARTHEST + 1, 0, 2.4, 1.6)
    near = seen(view, 1, 5.2, 2.4, 1.6)
    assert assign([far, near], [kingdom(view, 0, 0)]) == [(None, False), (0, False)]
    assert assign([near], [kingdom(view, 0, 0)]) == [(0, True)]
    assert assign([far], []) == [(None, False)]
    assert assign([], [kingdom(view, 0, 0)]) == []


def test_more_slips_than_a_table_has_are_left_open() -> None:
    view = VIEWS["above"]
    slips = [seen(view, 5.5, 4.0 * n, 2.4, 1.6) for n in range(13)]
    assert set(assign(slips, [kingdom(view, 0, 0)])) == {(None, False)}
