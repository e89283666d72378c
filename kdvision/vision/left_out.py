"""What may be a kingdom and is none of those that are reported: tiles that are left out.

Each group gets a note, so that nothing is left out in silence; a kingdom close to one is in doubt.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from msgspec import Struct

from kdvision.reading import READING, Doubt, DoubtCode, Reading
from kdvision.rules.kingdom import Position, neighbours
from kdvision.rules.rules import MAX_SIZE
from kdvision.rules.terrain import CASTLE_MARK
from kdvision.vision.border import BORDER
from kdvision.vision.found import FoundKingdom
from kdvision.vision.geometry import inverse, local_axes
from kdvision.vision.grid.grid import Grid
from kdvision.vision.selection import (
    SELECTION,
    is_elsewhere,
    is_print,
    make_note,
    middles_of,
    same_size,
)


class GroupSettings(Struct, frozen=True):
    """Which groups of tiles beside the kingdoms may be one, or a part of one."""

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
    #: Squares from middle to middle. Tiles that are left out so close to a kingdom may be its own:
    #: one square may be hidden between.
    beside: Annotated[float, "sure"] = 2.5
    #: Degrees. Tiles that are turned further against a kingdom are none of its own. Of 12 kingdoms
    #: of rendered tables that were doubted for dominoes of a draft row nine have them turned so.
    turned: Annotated[float, "sure"] = 10.0
    #: Share of what the photo shows of a place at its border that is like a tile, from which on the
    #: tiles beside it go on beyond the border. Of 144 kingdoms on rendered tables that were missed,
    #: 58 of them with the border along their edge, one had 0.61 and all others less than 0.35; of
    #: 90 groups that were no whole kingdom 26 had more than 0.7.
    goes_on: Annotated[float, "sure"] = 0.7


GROUP = GroupSettings()


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
    middles = middles_of([*kingdoms, *unclear])
    left_out: list[FoundKingdom] = []
    for tiles in read:
        for group in tiles.groups():
            clear = _find_clear(group)
            if not _may_belong(tiles.reading, group.reading, clear):
                continue
            if not is_elsewhere(group.grid, clear, middles):
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
    return make_note(code, group, clear)


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
        middles = middles_of([*kingdoms, *named])
        if as_large and is_elsewhere(tiles.grid, tiles.reading.taken, middles):
            named.append(tiles)
    return named


def note_unclear(tiles: FoundKingdom) -> Doubt:
    """Return a note on something like a kingdom of which too few squares are made out."""
    return make_note(DoubtCode.TILES_NOT_READ, tiles, tiles.reading.taken)


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
        if not is_elsewhere(tiles.grid, tiles.reading.taken, kingdom.grid.middles_of(named)):
            continue
        if turn_between(tiles.grid, kingdom.grid) > GROUP.turned:
            continue
        beside = tiles.grid.middles_of(_find_clear(tiles))
        gaps = np.linalg.norm(beside[:, None] - middles[None], axis=2) / kingdom.grid.square_px
        count += int((gaps.min(axis=1) < GROUP.beside).sum())
    if not count:
        return kingdom
    return kingdom.with_doubts(Doubt(DoubtCode.NOT_JOINED, float(count)))


def turn_between(grid: Grid, neighbour: Grid) -> float:
    """Return how far a grid is turned against another on the same table, in degrees, 0 to 45."""
    middle = np.array([[grid.cols / 2, grid.rows / 2]])
    to_neighbour = inverse(neighbour.homography) @ grid.homography
    along, across = local_axes(to_neighbour, middle)[0]
    # A square looks the same after a quarter turn.
    quarters = np.exp(4j * np.angle(np.array([along, across]) @ [1, 1j]))
    return abs(float(np.degrees(np.angle(quarters.sum())))) / 4


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
    castle = castle or (count <= GROUP.few_dominoes and _castle_may_stand(reading, group))
    rows, cols = zip(*group.taken, strict=True)
    sides = max(rows) - min(rows) + 1, max(cols) - min(cols) + 1
    row = min(sides) <= 2 and count == sides[0] * sides[1] and not castle
    row = row and (count <= READING.draft_squares or not _castle_may_stand(reading, group))
    least = GROUP.least_left_out_odd if castle or count % 2 else GROUP.least_left_out
    if len(clear) < least:
        return False
    draft = row and count % 2 == 0
    return max(sides) <= MAX_SIZE and not draft


def _castle_may_stand(reading: Reading, group: Reading) -> bool:
    """Return whether a place beside a group that shows no terrain shows a little of a castle."""
    places = {at for square in group.taken for at in neighbours(square)} - set(reading.taken)
    return any(at in reading and reading[at].castle >= GROUP.castle_beside for at in places)


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
        if is_seen and tiles.grid.tile_seen[at] >= GROUP.goes_on:
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
