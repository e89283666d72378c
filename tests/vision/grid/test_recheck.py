"""A second detection, where detector and classifier do not agree."""

import numpy as np
import pytest

from kdvision.photo.photo import open_photo
from kdvision.vision.doubts import not_found, not_read
from kdvision.vision.grid.detector import STRIDE
from kdvision.vision.grid.finder import Grid, recheck
from tests.support.readings import reading_of
from tests.support.voting import fields_of

#: Pixels per square of a view from above.
PX = 36
#: A castle, a domino of wheat and one of forest.
SEEN = "- - - - -/- C W W -/- F F - -/- - - - -"
SQUARES = {(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)}
BARE = (0, 2)


class Second:
    """A session that sees squares on some places of a window from above."""

    def __init__(self, places: set[tuple[int, int]]) -> None:
        self.places = sorted(places)

    def run(self, _: None, given: dict[str, np.ndarray]) -> list[np.ndarray]:
        """The fields of the window, 36 pixels per place."""
        height, width = given["rgb"].shape[1:3]
        centres = [((col + 0.5) * PX - 0.5, (row + 0.5) * PX - 0.5) for row, col in self.places]
        fields = fields_of(centres, (PX, 0), (0, PX), max(width, height) // STRIDE)
        return [fields[None, :, : height // STRIDE, : width // STRIDE]]


def grid_of(found: set[tuple[int, int]]) -> Grid:
    """A grid of 4 rows and 5 columns, 60 pixels a square, with what the first detection found."""
    mask = np.zeros((4, 5), bool)
    mask[tuple(np.transpose(sorted(found)))] = True
    middles = np.stack(np.meshgrid(np.arange(5) + 0.5, np.arange(4) + 0.5), axis=-1)
    matrix = np.array([[60.0, 0, 250], [0, 60.0, 180], [0, 0, 1]])
    share = mask.astype(float)
    agreed = np.where(mask, 1.0, 0.3)
    return Grid(matrix, 4, 5, middles, mask, share * 0, share, share, agreed, 0.02, 60.0)


@pytest.mark.parametrize(
    ("first", "second", "unfound", "unread"),
    [
        (SQUARES, SQUARES, set(), set()),
        # The first one missed a square that the classifier reads: the second finds it, or not.
        (SQUARES - {(2, 2)}, SQUARES, set(), set()),
        (SQUARES - {(2, 2)}, SQUARES - {(2, 2)}, {(2, 2)}, set()),
        # It found one that the classifier does not read: the second denies it, or not.
        (SQUARES | {BARE}, SQUARES, set(), set()),
        (SQUARES | {BARE}, SQUARES | {BARE}, set(), {BARE}),
        # What the second one alone finds beside the kingdom is no reason for a doubt.
        (SQUARES, SQUARES | {BARE}, set(), set()),
    ],
)
def test_what_two_detections_make_of_a_place(
    first: set[tuple[int, int]],
    second: set[tuple[int, int]],
    unfound: set[tuple[int, int]],
    unread: set[tuple[int, int]],
) -> None:
    photo = open_photo(np.full((600, 800, 3), 90, np.uint8))
    reading = reading_of(SEEN)
    grid = recheck(photo, grid_of(first), reading, Second(second))
    assert set(not_found(grid, reading)) == unfound
    assert set(not_read(grid, reading)) == unread


def test_the_grid_stays_where_it_is() -> None:
    photo = open_photo(np.full((600, 800, 3), 90, np.uint8))
    first = grid_of(SQUARES)
    grid = recheck(photo, first, reading_of(SEEN), Second(SQUARES))
    assert (grid.homography == first.homography).all()
    assert (grid.centres == first.centres).all()
    assert grid.tile == pytest.approx(first.tile, abs=0.05)
