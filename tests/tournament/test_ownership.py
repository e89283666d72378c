"""Whose kingdom it is: the assignment, held against scipy and every permutation, and clashes."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kdvision.rules.kingdom import Kingdom
from kdvision.tournament.batch.identity import SAME_BITS
from kdvision.tournament.ownership import (
    LEAST_SQUARES,
    MOST_ASSIGNED,
    Fit,
    OwnedKingdom,
    best_kingdoms,
    kingdom_clashes,
    pictures_saved_again,
)

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


def test_more_lines_than_can_be_searched_leave_all_open() -> None:
    fits = [[Fit.EXPLAINED], *[[Fit.UNEXPLAINED]] * MOST_ASSIGNED]
    assert best_kingdoms(fits)[0] == {0, None}
    assert best_kingdoms(fits[:-1])[0] == {0}


def test_nothing_to_assign() -> None:
    assert best_kingdoms([]) == []


def owned(squares: int, photo: str, player: str) -> OwnedKingdom:
    """A row of wheat, turned in the second photo."""
    between = "/" if photo == "b" else " "
    return OwnedKingdom(
        photo=photo, player=player, kingdom=Kingdom.parse(between.join(["C", *["W"] * squares]))
    )


@pytest.mark.parametrize(
    ("squares", "photos", "players", "clash"),
    [
        (LEAST_SQUARES, "ab", "AB", True),
        (LEAST_SQUARES - 1, "ab", "AB", False),
        (LEAST_SQUARES, "aa", "AB", False),
        (LEAST_SQUARES, "ab", ("A", ""), False),
    ],
)
def test_one_kingdom_of_two_players(
    squares: int, photos: str, players: tuple[str, str], clash: bool
) -> None:
    pair = [owned(squares, *about) for about in zip(photos, players, strict=True)]
    assert list(kingdom_clashes(pair)) == ([(0, 1)] if clash else [])


@pytest.mark.parametrize(("bits", "again"), [(SAME_BITS, True), (SAME_BITS + 1, False)])
def test_a_picture_saved_again(bits: int, again: bool) -> None:
    kingdom = Kingdom.parse("C W W1")
    other = f"{(1 << bits) - 1:064x}"
    assert bool([*pictures_saved_again([("0" * 64, [kingdom]), (other, [kingdom])])]) is again
    # Two photos of one place show other kingdoms.
    changed = kingdom.with_cell((0, 1), kingdom[0, 2])
    assert not [*pictures_saved_again([("0" * 64, [kingdom]), (other, [changed])])]
