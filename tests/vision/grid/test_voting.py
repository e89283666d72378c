"""Dense fields, made by hand, become squares."""

import numpy as np
import pytest

from kdvision.vision.grid.detector import find_squares
from tests.support.voting import fields_of


def test_votes_that_fall_apart_in_one_square_are_one_square():
    fields = fields_of([(160.0, 160.0)], (40, 0), (0, 40))
    left = np.zeros(fields.shape[1:], bool)
    left[:, :40] = True
    # Half of the pixels put the centre a quarter of a square further to the left.
    fields[2, left & (fields[0] > 0)] -= 0.25
    squares = find_squares(fields)
    assert len(squares) == 1
    assert squares.centres[0] == pytest.approx((155.0, 160.0), abs=2.0)
    assert squares.votes[0] == pytest.approx(1.0, abs=0.05)


def test_foreshortened_squares_stay_apart():
    centres = [(160.0, 100.0 + 13 * row) for row in range(6)]
    squares = find_squares(fields_of(centres, (40, 0), (0, 13)))
    assert sorted(squares.centres[:, 1]) == pytest.approx([y for _, y in centres], abs=1.0)
