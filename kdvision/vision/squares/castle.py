"""The castle of a kingdom, and the places that it hides.

A castle of cardboard stands on the start tile and is about as high as a square is wide. From low
down it covers most of the square behind, which then looks like a second castle, or like nothing.
"""

from collections.abc import Iterator
from math import atan2, cos, pi, sin

import numpy as np
from msgspec import Struct

from kdvision.arrays import Array
from kdvision.reading import Doubt, DoubtCode, Place, Reading
from kdvision.rules.kingdom import Position, connected_components, neighbours
from kdvision.rules.terrain import CASTLE_MARK
from kdvision.vision.geometry import local_axes
from kdvision.vision.grid.grid import Grid
from kdvision.vision.models import Model
from kdvision.vision.squares.reader import classify, gather_evidence
from kdvision.vision.squares.settings import SQUARES
from kdvision.vision.squares.window import WindowView, cut_patches

#: Probability of a castle on a place where one must stand, as its walls show on other places.
_SURE_CASTLE = 0.99
#: Squares by which a second look at a hidden place lies further from the camera. Of 953 kingdoms of
#: rendered tables on which castles hide places, 789 are exact and 392 sure without that look, 796
#: and 400 at 0.15, 803 and 405 at 0.25, 800 and 395 at 0.35.
_FURTHER = 0.25


class LineOfSight(Struct, frozen=True):
    """How the camera sees a place of a grid.

    Attributes:
        away: The unit vector (rows, columns) on the table that leads away from the camera.
        height: The sine of the angle at which it looks down: 1 from straight above.
        step: Pixels (x, y) that a square is long in that direction.
    """

    away: tuple[float, float]
    height: float
    step: tuple[float, float] = (0.0, 0.0)


def line_of_sight(homography: Array, at: tuple[float, float]) -> LineOfSight:
    """Return how the camera sees a place.

    A square is foreshortened along the line of sight, by the sine of the angle, and what lies
    further along it is further from the camera: there the third coordinate, the depth, is larger.

    Args:
        homography: (3, 3) from lattice coordinates (column, row) to pixels, of positive depth.
        at: The (row, col) of the place.
    """
    x, y = at[1] + 0.5, at[0] + 0.5
    (a, b), (c, d) = local_axes(homography, np.array([[x, y]]))[0].tolist()
    # The direction in which a step is shortest, away from the camera.
    angle = (atan2(2 * (a * c + b * d), a * a + b * b - c * c - d * d) + pi) / 2
    col, row = cos(angle), sin(angle)
    if homography[2, :2] @ (col, row) < 0:
        col, row = -col, -row
    step = a * col + c * row, b * col + d * row
    height = (step[0] ** 2 + step[1] ** 2) / max(abs(a * d - b * c), 1e-9)
    return LineOfSight(away=(row, col), height=height, step=step)


def open_hidden_places(reading: Reading, grid: Grid) -> Reading:
    """Leave the places open that the castle of a kingdom hides.

    Where places side by side look like a castle, one of them is it: of those that lie behind none
    of the others, the one that looks most like a castle. Its walls hide the others. They also hide
    a place right behind it that cannot be made out. What shows of a terrain behind the castle is
    read; elsewhere something else may lie that looks like walls, and only its odds count.
    """
    castle = reading.castle
    if castle is None:
        return reading
    # The places side by side that look like a castle.
    view = line_of_sight(grid.homography, castle)
    castle_like = [at for at in reading.taken if reading[at].label == CASTLE_MARK]
    if len(castle_like) > SQUARES.most_castles:
        return reading  # a pattern
    groups = connected_components({*castle_like, castle})
    group = next(places for places in groups if castle in places)
    # The castle is one of them, and hides the others and what lies behind it.
    walls = {at for other in group for at in behind(other, view)}
    castle = max(sorted(group - walls), key=lambda at: reading[at].castle)
    back = set(behind(castle, view))
    hidden = group - {castle} | {at for at in back if _cannot_be_made_out(reading, at)}
    if not hidden:
        return reading
    reading = reading.with_place(castle, reading[castle].as_castle(_SURE_CASTLE))
    for at in hidden:
        place = reading[at]
        opened = place.behind_castle() if at in back else place.as_hidden()
        reading = reading.with_place(at, opened)
    return reading.with_doubts(Doubt(DoubtCode.HIDDEN, float(len(hidden)), tuple(sorted(hidden))))


def look_over_castle(reading: Reading, grid: Grid, view: WindowView, model: Model) -> Reading:
    """Look once more at the places that lie hidden behind the castle of a kingdom.

    The second look lies further from the camera, where more of them shows over the castle.

    Args:
        reading: What was read of the kingdom.
        grid: The grid.
        view: Its window.
        model: The model `squares`.
    """
    if reading.castle is None:
        return reading
    sight = line_of_sight(grid.homography, reading.castle)
    hidden = sorted(reading.hidden_places & set(behind(reading.castle, sight)))
    if not hidden:
        return reading
    rows, cols = np.transpose(hidden)
    further = grid.centres[rows, cols] + np.array(sight.away[::-1]) * _FURTHER
    evidence = gather_evidence(grid, view).only(rows * grid.cols + cols)
    classified = classify(cut_patches(view.flat, further), model, evidence)
    looks = zip(hidden, classified.probabilities.tolist(), classified.hidden.tolist(), strict=True)
    for at, shares, unseen in looks:
        second = Place(tuple(shares), hidden=unseen).behind_castle()
        reading = reading.with_place(at, reading[at].mean(second))
    return reading


def behind(castle: Position, view: LineOfSight) -> Iterator[Position]:
    """Find the places behind the castle: one, or all three where it is seen over a corner.

    Seen from above it hides none. A neighbour lies behind when the line of sight leads towards it
    rather than past it. The place over the corner lies behind when both neighbours at that corner
    do.
    """
    if view.height >= SQUARES.seen_over_castle:
        return
    beside = []
    for row, col in neighbours(castle):
        if (row - castle[0]) * view.away[0] + (col - castle[1]) * view.away[1] > SQUARES.behind:
            beside.append((row, col))
    yield from beside
    if len(beside) > 1:
        (top, left), (bottom, right) = beside
        yield top + bottom - castle[0], left + right - castle[1]


def _cannot_be_made_out(reading: Reading, at: Position) -> bool:
    """Return whether a place in the window shows nothing clearly."""
    return at in reading and (reading[at].is_hidden or not reading[at].is_clear)
