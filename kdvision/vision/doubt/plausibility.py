"""Whether what was read on a grid can be a kingdom at all."""

from collections import Counter

import numpy as np

from kdvision.reading import Reading
from kdvision.rules.dominoes import square_counts
from kdvision.rules.kingdom import cell_text
from kdvision.rules.terrain import CASTLE_MARK, EMPTY_MARK
from kdvision.vision.geometry import local_axes, project
from kdvision.vision.grid.grid import Grid
from kdvision.vision.squares.castle import castle_likeness

#: A kingdom has at least one domino beside its castle, and one castle: two or three are seen where
#: one stands before others' squares, more only in patterns.
LEAST_SQUARES = 2
MOST_CASTLES = 3
#: Misread squares are a few. Where more than this share of all, and more than so many, are not in
#: the box, a pattern was read: a chequered cloth has more three-crown mines than there are.
MOST_BEYOND_BOX = 0.25
SOME_BEYOND_BOX = 4
#: So few squares are a kingdom only with a castle that is likelier than not: a row of dominoes and
#: a picture on a box have squares, too. Measured on small kingdoms of tables: 0.61 at least.
FEW_SQUARES = 9
LIKELY_CASTLE = 0.6
#: Squares on one table differ in size by no more than so many times from what perspective says.
SAME_SIZE = 1.6


def may_be_kingdom(reading: Reading) -> bool:
    """Whether a reading has such squares and such a castle as a kingdom has."""
    if castle_likeness(reading) < LIKELY_CASTLE and len(reading.taken) <= FEW_SQUARES:
        return False
    labels = Counter(place.label for row in reading.places for place in row)
    del labels[EMPTY_MARK]
    castles = labels.pop(CASTLE_MARK, 0)
    if reading.squares < LEAST_SQUARES or castles > MOST_CASTLES:
        return False
    box = {cell_text(square): count for square, count in square_counts().items()}
    beyond = sum((labels - Counter(box)).values())
    return beyond <= max(SOME_BEYOND_BOX, MOST_BEYOND_BOX * labels.total())


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
    return 1 / SAME_SIZE < ratio < SAME_SIZE
