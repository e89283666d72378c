"""Whether what was read on a grid can be a kingdom at all."""

from collections import Counter

import numpy as np

from kdvision.reading import Reading
from kdvision.rules.dominoes import square_counts
from kdvision.rules.kingdom import cell_text
from kdvision.rules.terrain import CASTLE_MARK, EMPTY_MARK
from kdvision.vision.geometry import local_axes, project
from kdvision.vision.grid.grid import Grid
from kdvision.vision.settings import DOUBT, SQUARES
from kdvision.vision.squares.castle import castle_likeness, place_at


def may_be_kingdom(reading: Reading) -> bool:
    """Whether a reading has such squares and such a castle as a kingdom has."""
    small = len(reading.taken) <= DOUBT.few_squares
    if small and castle_likeness(reading) < DOUBT.small_kingdom_castle:
        return False
    castles = sum(place.label == CASTLE_MARK for row in reading.places for place in row)
    if reading.squares < DOUBT.least_terrain_squares or castles > DOUBT.most_castles:
        return False
    return in_the_box(reading)


def is_made_out(reading: Reading) -> bool:
    """Whether enough squares of a reading are made out to show a kingdom as it may lie."""
    taken = [place_at(reading, at) for at in reading.taken]
    clear = sum(max(place.probabilities) >= SQUARES.made_out for place in taken)
    return clear >= DOUBT.least_made_out * len(taken)


def in_the_box(reading: Reading) -> bool:
    """Whether most squares of a reading can be of one box; those of a pattern cannot."""
    labels = Counter(place.label for row in reading.places for place in row)
    del labels[EMPTY_MARK], labels[CASTLE_MARK]
    box = {cell_text(square): count for square, count in square_counts().items()}
    beyond = sum((labels - Counter(box)).values())
    return beyond <= max(DOUBT.some_beyond_box, DOUBT.most_beyond_box * labels.total())


def same_size(grid: Grid, other: Grid) -> bool:
    """Whether the squares of a grid are as large as those of another would be in its place.

    All tiles are of one size, and so are their squares in a photo, but for the perspective of the
    table. What is printed on a cloth need not be.
    """
    middle = np.array([[grid.cols / 2, grid.rows / 2]])
    there = np.linalg.inv(other.homography) @ np.append(project(grid.homography, middle)[0], 1)
    if there[2] <= 0:
        return True  # beyond the horizon of the other: it says nothing of this place
    own = np.linalg.det(local_axes(grid.homography, middle)[0])
    expected = np.linalg.det(local_axes(other.homography, there[None, :2] / there[2])[0])
    ratio = float(np.sqrt(abs(own) / max(abs(expected), 1e-9)))
    return 1 / DOUBT.same_size < ratio < DOUBT.same_size
