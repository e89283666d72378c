"""Whether what was read on a grid can be a kingdom at all."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from kdvision.arrays import Array
from kdvision.reading import Reading
from kdvision.rules.dominoes import square_counts
from kdvision.rules.kingdom import cell_text
from kdvision.rules.terrain import CASTLE_MARK, EMPTY_MARK
from kdvision.vision.geometry import local_axes, project
from kdvision.vision.grid.finder import Grid
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


def is_print(grid: Grid, reading: Reading, kingdoms: Sequence[tuple[Grid, Reading]]) -> bool:
    """Whether squares are far smaller than those of the largest kingdom would be in their place.

    All tiles of a game are of one size; those printed on a rule sheet or a box are smaller, and
    a lid lies on another plane besides. They must be smaller on the table and in the photo, as a
    lattice that fits badly shows a perspective that is not there.

    Args:
        grid: The grid of the squares.
        reading: What lies on it.
        kingdoms: The kingdoms of the photo.
    """
    count = max(DOUBT.least_reference, len(reading.taken))
    clear = [
        (other, kingdom)
        for other, kingdom in kingdoms
        if other is not grid
        and len(kingdom.taken) >= count
        and castle_likeness(kingdom) >= DOUBT.reference_castle
    ]
    if not clear:
        return False
    other, _ = max(clear, key=lambda one: len(one[1].taken))
    middle = np.array(reading.taken, float)[:, ::-1].mean(axis=0, keepdims=True) + 0.5
    in_photo = grid.square_px / max(other.square_px, 1e-9)
    return max(_relative_side(grid, middle, other), in_photo) < DOUBT.print_side


def same_size(grid: Grid, other: Grid) -> bool:
    """Whether the squares of a grid are as large as those of another would be in its place.

    All tiles are of one size, and so are their squares in a photo, but for the perspective of the
    table. What is printed on a cloth need not be.
    """
    ratio = _relative_side(grid, np.array([[grid.cols / 2, grid.rows / 2]]), other)
    return 1 / DOUBT.same_size < ratio < DOUBT.same_size


def _relative_side(grid: Grid, middle: Array, other: Grid) -> float:
    """The side of a square at `middle` (1, 2) of a grid, in squares of another there.

    1 beyond the horizon of the other, which says nothing of that place.
    """
    there = np.linalg.inv(other.homography) @ np.append(project(grid.homography, middle)[0], 1)
    if there[2] <= 0:
        return 1.0
    own = np.linalg.det(local_axes(grid.homography, middle)[0])
    expected = np.linalg.det(local_axes(other.homography, there[None, :2] / there[2])[0])
    return float(np.sqrt(abs(own) / max(abs(expected), 1e-9)))
