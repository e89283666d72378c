"""Which empty places look like the table, on pictures painted here."""

import numpy as np
from numpy.typing import NDArray
from skimage.color import rgb2lab

from kdvision.photo.photo import Photo, open_photo
from kdvision.vision.squares.window import (
    to_lab,
    view_window,
)
from tests.support.tables import CARD, paint, table, window


def odd(picture: NDArray[np.uint8], taken: set[tuple[int, int]]) -> NDArray[np.float64]:
    """The oddness of a 4x4 window in which some places are taken."""
    empty = np.ones((4, 4), bool)
    for at in taken:
        empty[at] = False
    photo: Photo = open_photo(picture)
    return view_window(photo, window(4, 4)).ground.oddness(empty)


def covered(picture: NDArray[np.uint8]) -> set[tuple[int, int]]:
    """The places of an empty 4x4 window that something covers."""
    found = view_window(open_photo(picture), window(4, 4)).ground.covered(np.ones((4, 4), bool))
    return {(int(row), int(col)) for row, col in np.argwhere(found)}


def test_an_arm_across_the_window_covers_what_is_below_it() -> None:
    """So much of the ground is covered that each place of the arm looks like many others."""
    picture = table(4, 4)
    for row, col in ((0, 2), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)):
        paint(picture, row, col, CARD)
    assert covered(picture) == {(0, 2), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)}


def test_a_card_on_one_place_is_odd_and_only_there() -> None:
    picture = table(4, 4)
    paint(picture, 1, 2, CARD)
    found = odd(picture, {(1, 1)})
    assert found[1, 2] > 2
    assert np.delete(found.ravel(), 1 * 4 + 2).max() < 1


def test_colours_are_those_of_scikit_image() -> None:
    rgb = np.random.default_rng(3).integers(0, 256, (40, 60, 3)).astype(np.uint8)
    assert np.abs(to_lab(rgb) - rgb2lab(rgb)).max() < 0.01


def test_what_looks_like_the_table_beside_it_is_bare() -> None:
    picture = table(5, 5)
    paint(picture, 2, 2, (40, 160, 60))
    tile = np.zeros((5, 5))
    tile[2, 2] = tile[2, 3] = 0.9  # the second is a pattern of the table that fooled the detector
    odds = view_window(open_photo(picture), window(5, 5)).ground.bare_ratio(tile)
    assert odds[2, 2] == 1
    assert odds[2, 3] > 100
    assert np.delete(odds.ravel(), 12).min() > 100


def test_a_tile_of_nearly_the_colour_of_the_table_is_not_taken_for_bare() -> None:
    picture = table(5, 5)
    paint(picture, 2, 2, (175, 125, 70))
    tile = np.zeros((5, 5))
    tile[2, 2] = 0.9
    assert view_window(open_photo(picture), window(5, 5)).ground.bare_ratio(tile)[2, 2] < 3
