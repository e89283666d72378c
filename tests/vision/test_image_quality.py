"""Blur, darkness and glare, on squares with crowns painted here."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from kdvision.photo.photo import open_photo
from kdvision.vision.doubts import Clarity, clarity
from kdvision.vision.squares.window import flatten
from tests.support.tables import SIDE, table, window

TAKEN = [(1, 1), (1, 2), (2, 1)]


def crowned() -> NDArray[np.uint8]:
    """Three green squares with small yellow marks."""
    picture = table(4, 4)
    rng = np.random.default_rng(2)
    for row, col in TAKEN:
        top, left = (row + 3) * SIDE, (col + 3) * SIDE
        picture[top : top + SIDE, left : left + SIDE] = (60, 140, 70)
        for x, y in rng.integers(6, SIDE - 6, (25, 2)):
            cv2.circle(picture, (left + int(x), top + int(y)), 3, (230, 200, 40), -1)
    return picture


def measured(picture: NDArray[np.uint8]) -> Clarity:
    return clarity(flatten(open_photo(picture), window(4, 4)), TAKEN)


def test_a_clear_photo() -> None:
    seen = measured(crowned())
    assert seen.detail > 0.45
    assert seen.light > 80
    assert seen.burnt == 0


@pytest.mark.parametrize("sigma", [5, 8])
def test_blur_takes_the_detail(sigma: float) -> None:
    assert measured(cv2.GaussianBlur(crowned(), (0, 0), sigma)).detail < 0.32


def test_darkness() -> None:
    assert measured(crowned() // 8).light < 25


@pytest.mark.parametrize(("level", "burnt"), [(252, True), (246, False)])
def test_how_bright_is_burnt_out(level: int, burnt: bool) -> None:
    """A white that a lens left something of shows what lies there."""
    picture = crowned()
    cv2.circle(picture, (round(4.5 * SIDE), round(4.5 * SIDE)), SIDE // 3, (level,) * 3, -1)
    assert (measured(picture).burnt > 0.3) == burnt


def test_glare_on_one_square_counts_though_the_others_are_clear() -> None:
    picture = crowned()
    cv2.circle(picture, (round(4.5 * SIDE), round(4.5 * SIDE)), SIDE // 3, (255, 255, 255), -1)
    seen = measured(picture)
    assert seen.burnt > 0.3
    assert seen.light < 150
