"""Numbers that decide which votes make a square: a case on each side of each."""

import math

import numpy as np
import pytest

from kdvision.vision.grid.voting import Squares, find_squares
from tests.support.voting import fields_of

#: A square of 40 pixels: 10 x 10 pixels of the output, each a hundredth of its votes.
SIDE = 40


def voted(*groups: tuple[int, float], tile: float = 8.0) -> Squares:
    """What is found where, of the pixels of one square, some vote for centres off to the right.

    Args:
        groups: How many of its 100 pixels vote for a centre how many squares to the right.
        tile: The logit of a tile at these pixels; all others are none.
    """
    fields = fields_of([(160.0, 160.0)], (SIDE, 0), (0, SIDE), tile=tile)
    index = np.argwhere(fields[0] == tile)
    np.random.default_rng(0).shuffle(index)
    assert len(index) == 100
    start = 0
    for count, off in groups:
        rows, cols = index[start : start + count].T
        fields[2, rows, cols] += off
        start += count
    rows, cols = index[start:].T
    fields[0, rows, cols] = -8.0
    return find_squares(fields)


@pytest.mark.parametrize(("probability", "count"), [(0.42, 0), (0.58, 1)])
def test_least_probability_of_a_vote(probability: float, count: int) -> None:
    logit = math.log(probability / (1 - probability))
    assert len(voted((100, 0.0), tile=logit)) == count


@pytest.mark.parametrize(("pixels", "count"), [(21, 0), (29, 1)])
def test_least_votes_of_a_square(pixels: int, count: int) -> None:
    assert len(voted((pixels, 0.0))) == count


@pytest.mark.parametrize(("off", "votes"), [(0.26, 1.0), (0.345, 0.7)])
def test_reach_of_a_vote(off: float, votes: float) -> None:
    (found,) = voted((70, 0.0), (30, off)).votes
    assert found == pytest.approx(votes, abs=0.02)


@pytest.mark.parametrize(
    ("off", "between", "votes"),
    [
        (0.28, 0.28, 0.95),  # one peak takes all
        # Two peaks of two squares, of which one goes: the votes between are of the nearer one.
        (0.42, 0.27, 0.5),
    ],
)
def test_least_distance_of_peaks(off: float, between: float, votes: float) -> None:
    (found,) = voted((50, 0.0), (35, off), (10, between)).votes
    assert found == pytest.approx(votes, abs=0.02)


@pytest.mark.parametrize(("off", "count"), [(0.42, 1), (0.58, 2)])
def test_least_distance_of_squares(off: float, count: int) -> None:
    assert len(voted((55, 0.0), (45, off))) == count
