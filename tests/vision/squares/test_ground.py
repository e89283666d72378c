"""Which empty places look like the table, on painted pictures."""

import numpy as np
from numpy.typing import NDArray
from skimage.color import rgb2lab

from kdvision.photo.photo import open_photo
from kdvision.vision.squares.ground import to_lab
from kdvision.vision.squares.window import view_window
from tests.support.tables import CARD, paint, table, window


def covered(picture: NDArray[np.uint8]) -> set[tuple[int, int]]:
    """The places of an empty 4x4 window that do not look like the table."""
    found = view_window(open_photo(picture), window(4, 4)).ground.covered(np.ones((4, 4), bool))
    return {(int(row), int(col)) for row, col in np.argwhere(found)}


def test_arm_across_the_window_obstructs() -> None:
    """Six of sixteen places are obstructed, and look alike: that does not make them the table."""
    picture = table(4, 4)
    for row, col in ((0, 2), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)):
        paint(picture, row, col, CARD)
    assert covered(picture) == {(0, 2), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)}


def test_colours_are_those_of_scikit_image() -> None:
    rgb = np.random.default_rng(3).integers(0, 256, (40, 60, 3)).astype(np.uint8)
    assert np.abs(to_lab(rgb) - rgb2lab(rgb)).max() < 0.01
