"""Exact cutting, held against trying everything."""

from collections import Counter
from random import Random

import pytest

from kdvision.decoding.board import deck_faces, make_board
from kdvision.decoding.exact_cover import Cutting, cut, fits_deck, step_budget
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.terrain import KINDS
from tests.support.boards import can_be_cut, labels_of
from tests.support.played import change_cell
from tests.support.readings import random_kingdom

NEIGHBOURS = make_board(5, 5).neighbours


def cutting_of(labels: bytes) -> Cutting | int:
    """The cutting of a 5x5, or the squares that prove that there is none."""
    return cut(labels, NEIGHBOURS, deck_faces(), step_budget())


def nearly_a_kingdom(rng: Random) -> Kingdom:
    """A full 5x5 or less with up to three squares changed."""
    kingdom = random_kingdom(rng, 5, gaps=rng.randrange(3))
    squares = list(kingdom.squares())
    for at in rng.sample(squares, rng.randrange(1, 4)):
        kingdom = change_cell(kingdom, at, rng.choice(list(kingdom.squares().values())))
    return kingdom


@pytest.mark.parametrize("last", ["W", "G", "M3"])
def test_square_with_the_fewest_ways_goes_first(last: str) -> None:
    """A last square that nothing fits is the proof, after one step, though others have choices."""
    kingdom = Kingdom.parse(f"C W W - -/W W W - -/W W W - -/- - - - -/- - - - {last}")
    result = cut(labels_of(kingdom), NEIGHBOURS, deck_faces(), iter(range(1)))
    assert result == 1 << 24


def test_cutting_agrees_with_trying_everything() -> None:
    rng = Random(1)
    outcomes = Counter[bool]()
    for _ in range(150):
        kingdom = nearly_a_kingdom(rng)
        labels = labels_of(kingdom)
        result = cutting_of(labels)
        outcomes[isinstance(result, tuple)] += 1
        if isinstance(result, int):
            assert not can_be_cut(kingdom)
            continue
        assert fits_deck(result, labels, deck_faces())
        squares = [place for place, label in enumerate(labels) if label < KINDS]
        assert sorted(sum(result, ())) == squares
        assert all(second in NEIGHBOURS[first] for first, second in result)
    assert min(outcomes.values()) > 20
