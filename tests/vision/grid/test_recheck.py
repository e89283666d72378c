"""Where detector and classifier do not agree, a second detection on a window from above decides."""

from collections.abc import Iterable

import numpy as np
import pytest

from kdvision.photo.photo import open_photo
from kdvision.vision.doubts import find_unread, find_unseen
from kdvision.vision.grid.finder import recheck
from kdvision.vision.grid.grid import Grid
from kdvision.vision.grid.voting import STRIDE
from kdvision.vision.models import Model
from tests.support.grids import grid_of
from tests.support.readings import reading_of
from tests.support.voting import fields_of

#: Pixels per square of a view from above.
PX = 36
#: A castle, a domino of wheat and one of forest.
SEEN = "- - - - -/- C W W -/- F F - -/- - - - -"
SQUARES = {(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)}
BARE = (0, 2)


class Second:
    """A session that sees squares on some places (row, col) of a window from above."""

    def __init__(self, places: Iterable[tuple[float, float]]) -> None:
        self.places = sorted(places)

    def run(self, _: None, given: dict[str, np.ndarray]) -> list[np.ndarray]:
        """The fields of the window, 36 pixels per place."""
        height, width = given["rgb"].shape[1:3]
        centres = [((col + 0.5) * PX - 0.5, (row + 0.5) * PX - 0.5) for row, col in self.places]
        fields = fields_of(centres, (PX, 0), (0, PX), max(width, height) // STRIDE)
        return [fields[None, :, : height // STRIDE, : width // STRIDE]]


def first_grid(found: set[tuple[int, int]]) -> Grid:
    """A grid of 4 rows and 5 columns, 60 pixels a square, with what the first detection found."""
    mask = np.zeros((4, 5), bool)
    mask[tuple(np.transpose(sorted(found)))] = True
    share = mask.astype(float)
    maps = {"found": mask, "castle": share * 0, "tile": share, "tile_seen": share}
    return grid_of(reading_of(SEEN), 60, (250, 180), agreed=np.where(mask, 1.0, 0.3), **maps)


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
        # Nor is what lies beyond the window.
        (SQUARES, SQUARES | {(1, 5), (4, 2)}, set(), set()),
    ],
)
def test_merge_of_two_detections(
    first: set[tuple[int, int]],
    second: set[tuple[int, int]],
    unfound: set[tuple[int, int]],
    unread: set[tuple[int, int]],
) -> None:
    photo = open_photo(np.full((600, 800, 3), 90, np.uint8))
    reading = reading_of(SEEN)
    grid = recheck(photo, first_grid(first), reading, Model(Second(second)))
    assert set(find_unseen(grid, reading)) == unfound
    assert set(find_unread(grid, reading)) == unread


@pytest.mark.parametrize(("off", "found"), [(0.25, True), (0.36, False), (-0.25, True)])
def test_reach_of_the_second_detection(off: float, found: bool) -> None:
    photo = open_photo(np.full((600, 800, 3), 90, np.uint8))
    first = first_grid(SQUARES - {(1, 2)})
    grid = recheck(photo, first, reading_of(SEEN), Model(Second([(1, 2 + off)])))
    assert grid.found[1, 2] == found
