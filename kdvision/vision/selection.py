"""Select the kingdoms of a photo that are reported; all else that may be one gets a note."""

from collections.abc import Sequence, Set
from math import dist
from typing import Annotated

import numpy as np
from msgspec import Struct

from kdvision.arrays import Array
from kdvision.reading import READING, Doubt, DoubtCode, Reading
from kdvision.rules.kingdom import Position, box_side, neighbours
from kdvision.rules.rules import MAX_SIZE
from kdvision.rules.terrain import CASTLE_MARK
from kdvision.vision.border import BORDER
from kdvision.vision.found import FoundKingdom
from kdvision.vision.geometry import inverse, local_axes, relative_side
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
    """When a reading is a kingdom, and which tiles beside the kingdoms may be one."""

    # ------------------------------------------------------------------ kingdom or not

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
    #: Squares that both networks clearly see. So many beside the kingdoms, unless laid as a draft
    #: row, get a note: they may be a kingdom with a strange castle.
    least_left_out: Annotated[int, "sure"] = 3
    #: The same for an odd number of squares in one piece, or beside a clear castle: a domino, with
    #: what may be its castle.
    least_left_out_odd: Annotated[int, "sure"] = 2
    #: Squares: two dominoes and one square. Beside no more than these a castle may go unseen,
    few_dominoes: Annotated[int, "sure"] = 5
    #: where its probability is at least this. On rendered scenes four of five castles beside a
    #: domino that were read as nothing had 0.015 to 0.45, other things 0.001, and once 0.2.
    castle_beside: Annotated[float, "sure"] = 0.01
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

    #: Squares from middle to middle. Tiles that are left out so close to a kingdom may be its own:
    #: one square may be hidden between.
    beside: Annotated[float, "sure"] = 2.5
    #: Degrees. Tiles that are turned further against a kingdom are none of its own. Of 12 kingdoms
    #: of rendered tables that were doubted for dominoes of a draft row nine have them turned so.
    turned: Annotated[float, "sure"] = 10.0

    # ------------------------------------------------------------------ tiles at the border

    #: Share of what the photo shows of such a place that is like a tile, from which on the tiles
    #: beside it go on beyond the border. Of 144 kingdoms on rendered tables that were missed, 58
    #: of them with the border along their edge, one had 0.61 and all others less than 0.35; of 90
    #: groups that were no whole kingdom 26 had more than 0.7.
    goes_on: Annotated[float, "sure"] = 0.7


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
            notes.append(_make_note(DoubtCode.CUT_OFF_LEFT_OUT, kingdom, taken))
        else:
            whole.append(kingdom)
    # Whole kingdoms are tiles or print.
    tiles: list[FoundKingdom] = []
    for kingdom in whole:
        taken = kingdom.reading.taken
        if not is_print(kingdom, whole):
            tiles.append(kingdom)
        elif len(taken) >= SELECTION.whole_kingdom:
            notes.append(_make_note(DoubtCode.SMALLER_LEFT_OUT, kingdom, taken))
        else:
            notes.append(_make_note(DoubtCode.PRINT_LEFT_OUT, kingdom, taken))
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
    others = _middles([other for other in kingdoms if not _share_castle(kingdom, other)])
    for group in everything.groups():
        squares = frozenset(group.taken)
        if not _is_elsewhere(kingdom.grid, group.taken, others):
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
    taken = [reading[at] for at in reading.taken]
    squares = [place for place in taken if place.label != CASTLE_MARK]
    if len(taken) - len(squares) > SQUARES.most_castles:
        return False
    if len(squares) >= SELECTION.least_terrain_squares:
        return True
    clear = all(place.is_hidden or place.is_clear for place in squares)
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


# ---------------------------------------------------------------------- what is left out


def find_left_out(
    read: Sequence[FoundKingdom],
    kingdoms: Sequence[FoundKingdom],
    unclear: Sequence[FoundKingdom] = (),
) -> list[FoundKingdom]:
    """Find every group of tiles that may be a kingdom and is in none that is reported.

    Args:
        read: All that was read, grid by grid.
        kingdoms: Those that are reported.
        unclear: What else is named.
    """
    middles = _middles([*kingdoms, *unclear])
    left_out: list[FoundKingdom] = []
    for tiles in read:
        for group in tiles.groups():
            clear = _find_clear(group)
            if not _may_belong(tiles.reading, group.reading, clear):
                continue
            if not _is_elsewhere(group.grid, clear, middles):
                continue
            if kingdoms and not _may_be_beside(group, kingdoms):
                continue  # a print on the table
            middles = np.concatenate([middles, group.grid.middles_of(clear)])
            left_out.append(group)
    return left_out


def note_left_out(group: FoundKingdom, kingdoms: Sequence[FoundKingdom]) -> Doubt:
    """Return a note on a group of tiles that is in none of the kingdoms that are reported.

    What the border cuts off without a castle is no whole kingdom: the photo is not in doubt for it.
    """
    clear = _find_clear(group)
    is_cut = bool(kingdoms) and _is_cut_off(group, clear)
    code = DoubtCode.CUT_OFF_LEFT_OUT if is_cut else DoubtCode.TILES_LEFT_OUT
    return _make_note(code, group, clear)


def find_unclear(
    unclear: Sequence[FoundKingdom], kingdoms: Sequence[FoundKingdom]
) -> list[FoundKingdom]:
    """Find everything like a kingdom of which too few squares are made out to report it.

    Args:
        unclear: What lies there.
        kingdoms: Those that are reported.
    """
    named: list[FoundKingdom] = []
    for tiles in unclear:
        as_large = not kingdoms or _may_be_beside(tiles, kingdoms)
        middles = _middles([*kingdoms, *named])
        if as_large and _is_elsewhere(tiles.grid, tiles.reading.taken, middles):
            named.append(tiles)
    return named


def note_unclear(tiles: FoundKingdom) -> Doubt:
    """Return a note on something like a kingdom of which too few squares are made out."""
    return _make_note(DoubtCode.TILES_NOT_READ, tiles, tiles.reading.taken)


def doubt_beside(kingdom: FoundKingdom, left_out: Sequence[FoundKingdom]) -> FoundKingdom:
    """Return a kingdom with a doubt where tiles that were left out lie close to it.

    They may be its own: something hides the square between, such as its castle. Those that
    one of its doubts is about already are not doubted twice.
    """
    middles = kingdom.grid.middles_of(kingdom.reading.taken)
    named: list[Position] = []
    for doubt in kingdom.reading.doubts:
        if doubt.code is DoubtCode.NOT_JOINED:
            named += doubt.places
    count = 0
    for tiles in left_out:
        if not _is_elsewhere(tiles.grid, tiles.reading.taken, kingdom.grid.middles_of(named)):
            continue
        if turn_between(tiles.grid, kingdom.grid) > SELECTION.turned:
            continue
        beside = tiles.grid.middles_of(_find_clear(tiles))
        gaps = np.linalg.norm(beside[:, None] - middles[None], axis=2) / kingdom.grid.square_px
        count += int((gaps.min(axis=1) < SELECTION.beside).sum())
    if not count:
        return kingdom
    return kingdom.with_doubts(Doubt(DoubtCode.NOT_JOINED, float(count)))


def _make_note(code: DoubtCode, tiles: FoundKingdom, places: Sequence[Position]) -> Doubt:
    """Make a note on tiles, named by where some of their places lie in the photo."""
    middle = tiles.grid.middles_of(places).mean(axis=0)
    return Doubt(code, fields={"where": name_region(middle, tiles.size)})


def turn_between(grid: Grid, neighbour: Grid) -> float:
    """Return how far a grid is turned against another on the same table, in degrees, 0 to 45."""
    middle = np.array([[grid.cols / 2, grid.rows / 2]])
    to_neighbour = inverse(neighbour.homography) @ grid.homography
    along, across = local_axes(to_neighbour, middle)[0]
    # A square looks the same after a quarter turn.
    quarters = np.exp(4j * np.angle(np.array([along, across]) @ [1, 1j]))
    return abs(float(np.degrees(np.angle(quarters.sum())))) / 4


def name_region(at: Array, size: tuple[int, int]) -> str:
    """Return where a point (x, y) lies in a photo of (width, height) pixels: `where.top-left`."""
    col, row = (min(2, max(0, int(3 * value / side))) for value, side in zip(at, size, strict=True))
    named = [name for name in (_ROWS[row], _COLS[col]) if name != "middle"]
    return f"where.{'-'.join(named) or 'middle'}"


def _find_clear(tiles: FoundKingdom) -> list[Position]:
    """Find the places of a group on which both networks clearly see a square."""
    reading = tiles.reading
    return [at for at in reading.taken if tiles.grid.found[at] and reading[at].is_clear]


def _may_belong(reading: Reading, group: Reading, clear: Sequence[Position]) -> bool:
    """Return whether a group may be of a kingdom: more than a few `clear` squares, no draft row.

    In an odd number of squares one is no half of a domino, and may be a castle. So fewer squares
    are enough there, and beside a clear castle or a place that shows a little of one.
    """
    count = len(group.taken)
    castle = any(group[at].label == CASTLE_MARK for at in clear)
    castle = castle or (count <= SELECTION.few_dominoes and _castle_may_stand(reading, group))
    rows, cols = zip(*group.taken, strict=True)
    sides = max(rows) - min(rows) + 1, max(cols) - min(cols) + 1
    row = min(sides) <= 2 and count == sides[0] * sides[1] and not castle
    row = row and (count <= READING.draft_squares or not _castle_may_stand(reading, group))
    least = SELECTION.least_left_out_odd if castle or count % 2 else SELECTION.least_left_out
    if len(clear) < least:
        return False
    draft = row and count % 2 == 0
    return max(sides) <= MAX_SIZE and not draft


def _castle_may_stand(reading: Reading, group: Reading) -> bool:
    """Return whether a place beside a group that shows no terrain shows a little of a castle."""
    places = {at for square in group.taken for at in neighbours(square)} - set(reading.taken)
    return any(at in reading and reading[at].castle >= SELECTION.castle_beside for at in places)


def _is_cut_off(tiles: FoundKingdom, clear: Sequence[Position]) -> bool:
    """Return whether the border cuts through squares of a group that shows no castle.

    It cuts through clear squares, or through a place on or beside the group that looks like a tile
    as far as the photo shows it.
    """
    reading = tiles.reading
    if reading.castle_likeness >= SELECTION.cut_off_castle:
        return False
    if max(tiles.reach_outside(clear)) > BORDER.cut_off:
        return True
    places = {*reading.taken, *(at for square in reading.taken for at in neighbours(square))}
    shown = [at for at in places if at in reading]
    for at, out in zip(shown, tiles.reach_outside(shown), strict=True):
        is_seen = BORDER.cut_off < out <= BORDER.still_seen
        if is_seen and tiles.grid.tile_seen[at] >= SELECTION.goes_on:
            return True
    return False


def _may_be_beside(tiles: FoundKingdom, kingdoms: Sequence[FoundKingdom]) -> bool:
    """Return whether squares are as large as those of a kingdom on the same table are."""
    as_large = any(_is_as_large(tiles.grid, kingdom.grid) for kingdom in kingdoms)
    return as_large and not is_print(tiles, kingdoms)


def _is_as_large(grid: Grid, neighbour: Grid) -> bool:
    """Return whether the squares of two grids are alike in size: on the table, or in the photo.

    Either is enough, as a kingdom of three squares shows too little of the perspective.
    """
    ratio = grid.square_px / max(neighbour.square_px, 1e-9)
    return same_size(grid, neighbour) or 1 / SELECTION.same_size < ratio < SELECTION.same_size


def _is_elsewhere(grid: Grid, clear: Sequence[Position], middles: Array) -> bool:
    """Return whether most of some places are none of the squares that are reported."""
    if not len(middles):
        return True
    gaps = np.linalg.norm(grid.middles_of(clear)[:, None] - middles[None], axis=2).min(axis=1)
    return bool((gaps > 0.5 * grid.square_px).mean() > 0.5)


def _middles(seen: Sequence[FoundKingdom]) -> Array:
    """Return (n, 2), the middles of the squares of several kingdoms in pixels (x, y)."""
    middles = [kingdom.grid.middles_of(kingdom.reading.taken) for kingdom in seen]
    return np.concatenate(middles or [np.empty((0, 2))])
