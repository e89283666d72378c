import pytest
from hypothesis import given
from hypothesis import strategies as st

from kdvision.rules.kingdom import Kingdom, Position, neighbours, position_names
from kdvision.rules.legality import find_outside
from kdvision.rules.matching import find_unmatched


def cells(drawing: str) -> list[Position]:
    """The places of a drawing where something lies."""
    return [at for at, cell in Kingdom.parse(drawing).cells() if cell is not None]


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
def test_squares_outside_the_fullest_box(drawing, size, names):
    assert position_names(find_outside(cells(drawing), size)) == names


def most_dominoes(places: frozenset[Position]) -> int:
    """How many dominoes fit on these places, by trying everything."""
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
def test_left_over_squares_can_stay_uncovered(places):
    best = most_dominoes(places)
    lacking = {at for at in places if most_dominoes(places - {at}) == best}
    assert find_unmatched(places) == lacking
