"""Every kingdom has one owner: the assignment, held against scipy and every permutation."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kdvision.tournament.ownership import MOST_ASSIGNED, Fit, best_kingdoms

FITS = st.sampled_from(Fit)


@st.composite
def tables(draw: st.DrawFn) -> list[list[Fit]]:
    kingdoms = draw(st.integers(1, 4))
    row = st.lists(FITS, min_size=kingdoms, max_size=kingdoms)
    return draw(st.lists(row, min_size=1, max_size=5))


def of_every_permutation(fits: list[list[Fit]]) -> list[frozenset[int | None]]:
    """The same, by trying everything."""
    kingdoms = len(fits[0])
    places = [*range(kingdoms), *[None] * len(fits)]
    worth = {
        chosen: sum(fits[line][k] for line, k in enumerate(chosen) if k is not None)
        for chosen in set(permutations(places, len(fits)))
    }
    best = max(worth.values())
    winners = [chosen for chosen, value in worth.items() if value == best]
    return [frozenset(chosen[line] for chosen in winners) for line in range(len(fits))]


@given(tables())
def test_all_best_assignments_are_known(fits: list[list[Fit]]) -> None:
    assert best_kingdoms(fits) == of_every_permutation(fits)


def test_the_best_sum_is_that_of_scipy() -> None:
    optimize = pytest.importorskip("scipy.optimize", reason="scipy is not installed")
    rng = Random(0)
    for _ in range(200):
        lines, kingdoms = rng.randint(1, 8), rng.randint(1, 8)
        fits = [[rng.choice([*Fit]) for _ in range(kingdoms)] for _ in range(lines)]
        rows, columns = optimize.linear_sum_assignment(fits, maximize=True)
        found = best_kingdoms(fits)
        if all(len(one) == 1 for one in found):
            owned = [(line, *one) for line, one in enumerate(found) if None not in one]
            assert owned == [*zip(rows, columns, strict=True)]
        for line, kingdom in zip(rows, columns, strict=True):
            assert kingdom in found[line]


def test_more_kingdoms_than_can_be_searched_leave_all_open() -> None:
    row = [Fit.UNEXPLAINED] * MOST_ASSIGNED
    assert best_kingdoms([[Fit.EXPLAINED, *row]])[0] == {*range(MOST_ASSIGNED + 1), None}
    assert best_kingdoms([[Fit.EXPLAINED, *row[1:]]]) == [frozenset({0})]


def test_nothing_to_assign() -> None:
    assert best_kingdoms([]) == []
