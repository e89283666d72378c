"""Select the kingdoms of a photo that are reported; all else that may be one gets a note."""

from collections.abc import Sequence, Set
from math import dist
from typing import Annotated

import numpy as np
from msgspec import Struct

from kdvision.arrays import Array
from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.rules.kingdom import Position, box_side, neighbours
from kdvision.rules.rules import MAX_SIZE
from kdvision.rules.terrain import CASTLE_MARK
from kdvision.vision.found import FoundKingdom
from kdvision.vision.geometry import relative_side
from kdvision.vision.grid.grid import Grid
from kdvision.vision.grid.settings import GRID
from kdvision.vision.squares.settings import SQUARES

#: Squares. The height of the bands of a photo: kingdoms whose castles lie in one band are read from
#: left to right.
_SAME_LINE = 3.0
#: The squares of two dominoes: so many may have been pushed away; more are tiles of their own.
_LOOSE_SQUARES = 4
#: Share of the middle of a place that looks like a tile, above which one lies there.
_LIKE_TILE = 0.5
#: The thirds of a photo, from the top and from the left, as sentences name them.
_ROWS = ("top", "middle", "bottom")
_COLS = ("left", "middle", "right")


class SelectionSettings(Struct, frozen=True):
    """When a reading is a kingdom that is reported."""

    #: Terrain squares. In a kingdom with fewer, less than two dominoes, all must be made out,
    least_terrain_squares: Annotated[int, "kingdom"] = 4
    #: and a castle must have at least this probability. Small kingdoms of tables had 0.61 or more.
    small_kingdom_castle: Annotated[float, "kingdom"] = 0.6
    #: Squares, castle included, of a 5x5 that lacks two dominoes. What is taken for print and has
    #: so many may be a whole kingdom that lies far away: then the photo is in doubt.
    whole_kingdom: Annotated[int, "sure"] = 21
    #: Share of its squares that are made out, below which something like a kingdom is reported as
    #: tiles that may be one. On rendered tables with seeds of their own three of 1,560 kingdoms
    #: had less, none of them read exactly, and seven of thirteen things that were none.
    least_made_out: Annotated[float, "kingdom"] = 0.5
    #: The same of its squares and the places beside them together. Of 1,015 kingdoms that
    #: were read exactly, on damaged pictures and with unseen castles, all had 0.75 and more.
    least_made_out_around: Annotated[float, "kingdom"] = 0.7
    #: Ratio. Squares on one table are larger or smaller than perspective says by no more than this.
    same_size: Annotated[float, "kingdom"] = 1.6
    #: Ratio. Squares whose side is below this share of what a kingdom's would be in their place are
    #: print. Of 60 pairs of kingdoms on rendered tables (seed 7201) none had less than 0.87; of 17
    #: prints that were read as tiles or kingdoms 16 had 0.32 to 0.7.
    print_side: Annotated[float, "sure"] = 0.71
    #: Probability of the castle of a kingdom from which on it tells what is print.
    reference_castle: Annotated[float, "sure"] = 0.9
    #: Probability of the castle from which on a kingdom that the border cuts off is reported. Of
    #: some thirty on measured tables, with the castle in the photo, none had less than 0.97.
    cut_off_castle: Annotated[float, "kingdom"] = 0.9


SELECTION = SelectionSettings()


def select_kingdoms(read: Sequence[FoundKingdom]) -> tuple[list[FoundKingdom], list[Doubt]]:
    """Select the kingdoms that are reported, in the reading order of their castles.

    Args:
        read: What may be kingdoms, with their doubts.

    Returns:
        The kingdoms; and a note on each that is not reported.
    """
    # Two readings that have one castle are one kingdom.
    seen: list[FoundKingdom] = []
    for kingdom in read:
        if not any(_share_castle(kingdom, other) for other in seen):
            seen.append(kingdom)
    # The border cuts off some, with their castles.
    whole: list[FoundKingdom] = []
    notes: list[Doubt] = []
    for kingdom in seen:
        if _lacks_castle(kingdom.reading):
            taken = kingdom.reading.taken
            notes.append(make_note(DoubtCode.CUT_OFF_LEFT_OUT, kingdom, taken))
        else:
            whole.append(kingdom)
    # Whole kingdoms are tiles or print.
    tiles: list[FoundKingdom] = []
    for kingdom in whole:
        taken = kingdom.reading.taken
        if not is_print(kingdom, whole):
            tiles.append(kingdom)
        elif len(taken) >= SELECTION.whole_kingdom:
            notes.append(make_note(DoubtCode.SMALLER_LEFT_OUT, kingdom, taken))
        else:
            notes.append(make_note(DoubtCode.PRINT_LEFT_OUT, kingdom, taken))
    height = min((kingdom.grid.square_px for kingdom in tiles), default=0.0) * _SAME_LINE
    tiles.sort(key=lambda kingdom: _reading_order(kingdom.reading, height))
    return tiles, notes


def _share_castle(kingdom: FoundKingdom, other: FoundKingdom) -> bool:
    """Return whether two readings are of one kingdom."""
    castles = kingdom.reading.castle_centre, other.reading.castle_centre
    return dist(*castles) < kingdom.grid.square_px


def _lacks_castle(reading: Reading) -> bool:
    """Return whether the border cuts off a kingdom, and its castle with it."""
    cut = any(doubt.code is DoubtCode.CUT_OFF for doubt in reading.doubts)
    return cut and reading.castle_likeness < SELECTION.cut_off_castle


def _reading_order(reading: Reading, line_height: float) -> tuple[int, float]:
    """Return by what kingdoms are ordered: the line that the castle lies on, then from the left."""
    x, y = reading.castle_centre
    return round(y / line_height), x


# ---------------------------------------------------------------------- a domino beside it


def mark_loose_dominoes(
    kingdom: FoundKingdom, everything: Reading, kingdoms: Sequence[FoundKingdom]
) -> FoundKingdom:
    """Return a kingdom with a doubt where up to two dominoes lie over a corner or a gap.

    They were laid against the rules, or pushed away, or are none of the kingdom's, or something
    hides what lies between: no photo shows which. One clear square of a domino is enough. The doubt
    is about their places and those between.

    Args:
        kingdom: What lies in one piece around a castle.
        everything: All that was read on its grid.
        kingdoms: All that lies around castles in the photo: what is part of another is not loose.
    """
    taken = frozenset(kingdom.reading.taken)
    reach = np.where(kingdom.grid.tile > _LIKE_TILE, 2, 1)
    others = middles_of([other for other in kingdoms if not _share_castle(kingdom, other)])
    for group in everything.groups():
        squares = frozenset(group.taken)
        if not is_elsewhere(kingdom.grid, group.taken, others):
            continue
        if not any(group[at].is_clear for at in squares - taken if _is_near(at, taken, reach[at])):
            continue
        if len(squares) <= _LOOSE_SQUARES and box_side(taken | squares) <= MAX_SIZE:
            beside = {at for square in squares for at in neighbours(square)} - squares
            between = {at for at in beside if not taken.isdisjoint(neighbours(at))}
            places = tuple(sorted(squares | between))
            return kingdom.with_doubts(Doubt(DoubtCode.NOT_JOINED, float(len(places)), places))
    return kingdom


def _is_near(at: Position, taken: Set[Position], reach: int) -> bool:
    """Return whether a place lies at most so many rows and columns away from squares."""
    row, col = at
    return min(abs(row - other[0]) + abs(col - other[1]) for other in taken) <= reach


# ---------------------------------------------------------------------- what can be a kingdom


def may_be_kingdom(reading: Reading) -> bool:
    """Return whether a reading has such squares and such a castle as a kingdom has.

    That is a castle and two dominoes. One domino is enough where both its squares are made out, or
    hidden by the castle. Single squares are not: castles and tiles lie beside many a game.
    """
    squares = [at for at in reading.taken if reading[at].label != CASTLE_MARK]
    if len(reading.taken) - len(squares) > SQUARES.most_castles:
        return False
    if len(squares) >= SELECTION.least_terrain_squares:
        return True
    hidden = reading.hidden_places
    clear = all(reading[at].is_clear or reading[at].is_hidden or at in hidden for at in squares)
    return len(squares) > 1 and clear and reading.castle_likeness >= SELECTION.small_kingdom_castle


def is_made_out(reading: Reading) -> bool:
    """Return whether enough squares of a reading, and places beside them, are made out.

    Where they are not, a person would have to give nearly all of them.
    """
    squares = set(reading.taken)
    around = set(squares)
    for square in squares:
        around.update(at for at in neighbours(square) if at in reading)
    enough = _share_made_out(reading, squares) >= SELECTION.least_made_out
    return enough and _share_made_out(reading, around) >= SELECTION.least_made_out_around


def _share_made_out(reading: Reading, places: Set[Position]) -> float:
    """Return the share of some places that is made out."""
    return sum(reading[at].is_clear for at in places) / len(places)


def is_print(tiles: FoundKingdom, kingdoms: Sequence[FoundKingdom]) -> bool:
    """Tell whether squares are far smaller than the largest kingdom's would be in their place.

    All tiles of a game are of one size; those printed on a rule sheet or a box are smaller. They
    must be smaller by the perspective of the table and in the photo itself, as a lattice that fits
    badly shows a perspective that is not there.

    Args:
        tiles: The squares.
        kingdoms: The kingdoms of the photo.
    """
    grid, taken = tiles.grid, tiles.reading.taken
    count = max(GRID.least_reference, len(taken))
    clear = [
        kingdom
        for kingdom in kingdoms
        if kingdom.grid is not grid
        and len(kingdom.reading.taken) >= count
        and kingdom.reading.castle_likeness >= SELECTION.reference_castle
    ]
    if not clear:
        return False
    reference = max(clear, key=lambda kingdom: len(kingdom.reading.taken)).grid
    middle = np.array(taken, float)[:, ::-1].mean(axis=0, keepdims=True) + 0.5
    in_photo = grid.square_px / max(reference.square_px, 1e-9)
    on_table = relative_side(grid.homography, middle, reference.homography)
    return max(on_table, in_photo) < SELECTION.print_side


def same_size(grid: Grid, neighbour: Grid) -> bool:
    """Return whether the squares of a grid are as large as those of another would be in its place.

    All tiles are of one size, and so are their squares in a photo, but for the perspective of the
    table. What is printed on a cloth need not be.
    """
    middle = np.array([[grid.cols / 2, grid.rows / 2]])
    ratio = relative_side(grid.homography, middle, neighbour.homography)
    return 1 / SELECTION.same_size < ratio < SELECTION.same_size


# ---------------------------------------------------------------------- where things lie


def make_note(code: DoubtCode, tiles: FoundKingdom, places: Sequence[Position]) -> Doubt:
    """Make a note on tiles, named by where some of their places lie in the photo."""
    middle = tiles.grid.middles_of(places).mean(axis=0)
    return Doubt(code, fields={"where": name_region(middle, tiles.size)})


def name_region(at: Array, size: tuple[int, int]) -> str:
    """Return where a point (x, y) lies in a photo of (width, height) pixels: `where.top-left`."""
    col, row = (min(2, max(0, int(3 * value / side))) for value, side in zip(at, size, strict=True))
    named = [name for name in (_ROWS[row], _COLS[col]) if name != "middle"]
    return f"where.{'-'.join(named) or 'middle'}"


def is_elsewhere(grid: Grid, clear: Sequence[Position], middles: Array) -> bool:
    """Return whether most of some places are none of the squares that are reported."""
    if not len(middles):
        return True
    gaps = np.linalg.norm(grid.middles_of(clear)[:, None] - middles[None], axis=2).min(axis=1)
    return bool((gaps > 0.5 * grid.square_px).mean() > 0.5)


def middles_of(seen: Sequence[FoundKingdom]) -> Array:
    """Return (n, 2), the middles of the squares of several kingdoms in pixels (x, y)."""
    middles = [kingdom.grid.middles_of(kingdom.reading.taken) for kingdom in seen]
    return np.concatenate(middles or [np.empty((0, 2))])
