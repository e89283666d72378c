from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kdvision.rules.cover import uncoverable
from kdvision.rules.kingdom import (
    Kingdom,
    Position,
    box_side,
    connected_components,
    neighbours,
    position_names,
)
from kdvision.rules.legality import outside

POSITIONS = st.frozensets(st.tuples(st.integers(0, 4), st.integers(0, 4)))


def cells(drawing: str) -> list[Position]:
    """The places of a drawing where something lies."""
    return [at for at, cell in Kingdom.parse(drawing).cells() if cell is not None]


@pytest.mark.parametrize(
    ("drawing", "pieces"),
    [
        ("W W/W -", ["a1, b1, a2"]),
        ("W -/- W", ["a1", "b2"]),
        ("W - W/W W W", ["a1, c1, a2, b2, c2"]),
    ],
)
def test_pieces_join_by_edges(drawing: str, pieces: list[str]) -> None:
    assert [position_names(piece) for piece in connected_components(cells(drawing))] == pieces


def test_nothing_has_no_pieces() -> None:
    assert connected_components([]) == []


@pytest.mark.parametrize(
    ("drawing", "size", "names"),
    [
        ("W W W W W", 5, ""),
        ("W W W W W W/- W W W W W", 5, "a1"),
        ("W W W W W W", 5, "a1, f1"),
        ("- - - - - - - W W W", 2, "h1, j1"),
        ("W/W/W/W/W/W W".replace("/", " -/"), 5, "a1"),
    ],
)
def test_what_lies_outside_the_fullest_box(drawing: str, size: int, names: str) -> None:
    assert position_names(outside(cells(drawing), size)) == names


@pytest.mark.parametrize(
    ("drawing", "names"),
    [
        ("W W", ""),
        ("W W W", "a1, c1"),
        ("W W -/- - W", "c2"),
        ("- W -/W W W/- W -", "b1, a2, c2, b3"),
        ("W W W W/- W W -", ""),
        ("W - W W/W - - W/- - W W", "c1, d2, c3"),
    ],
)
def test_squares_that_dominoes_may_leave_over(drawing: str, names: str) -> None:
    drawn = cells(drawing)
    assert position_names(uncoverable(drawn)) == names


def most_dominoes(places: frozenset[Position]) -> int:
    """The size of the densest packing, by trying everything."""
    if not places:
        return 0
    first = min(places)
    rest = places - {first}
    return max(
        most_dominoes(rest),
        *(1 + most_dominoes(rest - {near}) for near in neighbours(first) if near in rest),
        0,
    )


@given(st.frozensets(st.tuples(st.integers(0, 3), st.integers(0, 2))))
def test_a_square_may_be_left_over_when_a_densest_packing_lacks_it(
    places: frozenset[Position],
) -> None:
    best = most_dominoes(places)
    lacking = {at for at in places if most_dominoes(places - {at}) == best}
    assert uncoverable(places) == lacking


@given(POSITIONS)
def test_all_pieces_together_are_the_cells(places: frozenset[Position]) -> None:
    pieces = connected_components(places)
    assert sum(map(len, pieces)) == len(places)
    assert frozenset().union(*pieces) == places
    shuffled = sorted(places)
    Random(1).shuffle(shuffled)
    assert connected_components(shuffled) == pieces


@pytest.mark.parametrize(
    ("cells", "side"),
    [([(3, 4)], 1), ([(0, 0), (0, 6)], 7), ([(2, 1), (5, 2), (3, 0)], 4), ([(-1, 0), (6, 0)], 8)],
)
def test_the_side_of_the_box_that_holds_cells(cells: list[tuple[int, int]], side: int) -> None:
    assert box_side(cells) == side
