"""The castle of a kingdom, and the places that it hides.

A castle of cardboard stands on the start tile and is about as high as a square is wide. From low
down it covers most of the square behind, which then looks like a second castle, or like nothing.
"""

from collections.abc import Iterator, Mapping
from math import atan2, cos, pi, sin

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from kdvision.arrays import Array
from kdvision.reading import Doubt, DoubtCode, Place, Reading
from kdvision.rules.kingdom import Position, connected_components, neighbours
from kdvision.rules.terrain import CASTLE_LABEL, CASTLE_MARK, EMPTY_LABEL
from kdvision.vision.geometry import local_axes
from kdvision.vision.grid.grid import Grid
from kdvision.vision.squares.settings import SQUARES

#: Probability of a castle that must be one, as another place shows its walls.
_SURE_CASTLE = 0.99


def likeliest_castle(reading: Reading) -> Position | None:
    """The place that is most surely the castle; None when none looks like it.

    The squares of dominoes pair up, so those of a kingdom are odd in number. Where they are not,
    and no more than in a draft row, what looks a little like a castle is none. And where they are
    odd and more, one that looks far more like a castle than any other is taken, likely or not:
    glare or a standing castle can hide the start tile.
    """
    shares = {at: place_at(reading, at).probabilities[CASTLE_LABEL] for at in reading.taken}
    castles = [at for at in shares if place_at(reading, at).label == CASTLE_MARK]
    if len(shares) <= SQUARES.draft_squares and len(shares) % 2 == 0:
        castles = [at for at in castles if shares[at] >= SQUARES.draft_castle]
    elif not castles and len(shares) > SQUARES.draft_squares and len(shares) % 2:
        return _faint_castle(shares)
    return max(castles, key=shares.__getitem__, default=None)


def _faint_castle(shares: Mapping[Position, float]) -> Position | None:
    """The castle of odd squares none of which looks most like one, if one stands out."""
    first, second = sorted(shares, key=lambda at: -shares[at])[:2]
    stands_out = shares[first] >= SQUARES.stands_out * shares[second]
    return first if shares[first] >= SQUARES.least_castle and stands_out else None


def set_place(reading: Reading, at: Position, place: Place) -> Reading:
    """The reading with another place at a position."""
    rows = [list(line) for line in reading.places]
    rows[at[0]][at[1]] = place
    return replace(reading, places=tuple(map(tuple, rows)))


def as_castle(place: Place, share: float) -> Place:
    """The place with at least this probability of a castle."""
    seen = place.probabilities[CASTLE_LABEL]
    share, rest = max(seen, share), max(1 - seen, 1e-9)
    values = tuple(
        share if label == CASTLE_LABEL else value * (1 - share) / rest
        for label, value in enumerate(place.probabilities)
    )
    return replace(place, probabilities=values)


def castle_center(reading: Reading) -> tuple[float, float]:
    """Where the castle lies, in pixels (x, y) of the upright photo."""
    castle = likeliest_castle(reading)
    return (castle and place_at(reading, castle).center) or (0.0, 0.0)


def castle_likeness(reading: Reading) -> float:
    """How surely there is a castle: the probability at the place that looks most like one."""
    places = (place for row in reading.places for place in row)
    return max((place.probabilities[CASTLE_LABEL] for place in places), default=0.0)


def add_doubts(reading: Reading, *doubts: Doubt) -> Reading:
    """The reading with more doubts or notes."""
    return replace(reading, doubts=(*reading.doubts, *doubts))


def place_at(reading: Reading, at: Position) -> Place:
    """The place at a position (row, col)."""
    return reading.places[at[0]][at[1]]


def is_inside(reading: Reading, at: Position) -> bool:
    """Whether a position lies in the window of a reading."""
    return 0 <= at[0] < reading.height and 0 <= at[1] < reading.width


def hidden_places(reading: Reading) -> frozenset[Position]:
    """The places that the castle hides: open already, so that nothing else need doubt them."""
    doubts = [doubt for doubt in reading.doubts if doubt.code is DoubtCode.HIDDEN]
    return frozenset(at for doubt in doubts for at in doubt.places)


def is_clear(reading: Reading, at: Position) -> bool:
    """Whether the likeliest label of a place is clear."""
    return max(place_at(reading, at).probabilities) >= SQUARES.made_out


# ---------------------------------------------------------------------- hidden places


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
    """How the camera sees a place.

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
    """The reading of a kingdom with one castle, and with the places that it hides left open.

    Of places side by side that look like a castle the one nearest to the camera is it, and the
    others are what its walls cover. So is a place right behind it that cannot be made out. What is
    seen of a hidden place counts as far as the classifier makes out a terrain.
    """
    castle = likeliest_castle(reading)
    if castle is None:
        return reading
    view = line_of_sight(grid.homography, castle)
    looking = [at for at in reading.taken if place_at(reading, at).label == CASTLE_MARK]
    if len(looking) > SQUARES.most_castles:
        return reading  # a pattern
    row_of_them = next(row for row in connected_components({*looking, castle}) if castle in row)
    castle = min(row_of_them, key=lambda at: at[0] * view.away[0] + at[1] * view.away[1])
    hidden = {at for at in row_of_them if at != castle} | set(_between_squares(reading))
    if view.height < SQUARES.seen_over_castle:
        hidden |= {at for at in behind(castle, view) if _cannot_be_made_out(reading, at)}
    if not hidden:
        return reading
    reading = set_place(reading, castle, as_castle(place_at(reading, castle), _SURE_CASTLE))
    for at in hidden:
        reading = set_place(reading, at, as_hidden(place_at(reading, at)))
    return add_doubts(reading, Doubt(DoubtCode.HIDDEN, float(len(hidden)), tuple(sorted(hidden))))


def _between_squares(reading: Reading) -> Iterator[Position]:
    """Places beside two squares or more that the classifier knows to be hidden."""
    taken = set(reading.taken)
    for row, places in enumerate(reading.places):
        for col, place in enumerate(places):
            beside = sum(at in taken for at in neighbours((row, col)))
            if place.hidden >= SQUARES.hidden and beside > 1 and place.label != CASTLE_MARK:
                yield row, col


def behind(castle: Position, view: LineOfSight) -> Iterator[Position]:
    """The neighbours of the castle that lie behind it: one, or two where it is seen over a corner.

    A neighbour is behind when the line of sight leads to it by more than that to its side.
    """
    for row, col in neighbours(castle):
        if (row - castle[0]) * view.away[0] + (col - castle[1]) * view.away[1] > SQUARES.behind:
            yield row, col


def _cannot_be_made_out(reading: Reading, at: Position) -> bool:
    """Whether a place in the window shows nothing clearly."""
    if not is_inside(reading, at):
        return False
    return place_at(reading, at).hidden >= SQUARES.hidden or not is_clear(reading, at)


def as_hidden(place: Place) -> Place:
    """The place as one that is hidden: its terrain open, but for what is seen of it.

    What the classifier takes for a castle, for nothing or for hidden is not seen. At least half is
    open, as a place that a castle may cover is never made out as clearly as one in the open.
    """
    unseen = place.probabilities[CASTLE_LABEL] + place.probabilities[EMPTY_LABEL]
    values = [
        0.0 if label in (CASTLE_LABEL, EMPTY_LABEL) else value + 1e-6
        for label, value in enumerate(place.probabilities)
    ]
    whole = sum(values)
    hidden = max(SQUARES.hidden, place.hidden, min(unseen, 1.0))
    return replace(place, probabilities=tuple(value / whole for value in values), hidden=hidden)
