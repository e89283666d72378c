"""The kingdoms on one grid: groups of tiles around a castle, seen or inferred.

On a crowded table one kingdom lies so close to the next that all squares are on one lattice. Each
has a castle, whole dominoes and a box of at most seven squares, and a straight line parts them.
"""

from collections.abc import Callable, Iterator

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.rules.cover import uncoverable
from kdvision.rules.kingdom import Position, box_side, connected_components
from kdvision.rules.scoring import MOST_SIDE
from kdvision.vision.grid.finder import Grid
from kdvision.vision.settings import DOUBT, GRID, SQUARES
from kdvision.vision.squares.castle import castle_likeness, groups, likeliest_castle, only
from kdvision.vision.squares.inferred import with_castle_among, with_inferred_castle
from kdvision.vision.squares.standing import with_hidden_places, with_washed_out_places

#: Gives a piece with its castle, None where it has none.
CastleOf = Callable[[Reading], Reading | None]
_Squares = frozenset[Position]


def told_apart(group: Reading, castle_of: CastleOf) -> list[Reading]:
    """The kingdoms of squares in one piece; the piece itself where one box holds it.

    Of the ways to part it by straight lines into kingdoms, that one counts which parts the fewest
    neighbours, and of several that with the smallest boxes: most games are played in five by five.
    Where two are alike in both, or there is none, the piece stays.

    Args:
        group: What lies in one piece on a grid.
        castle_of: Finds the castle of a piece.
    """
    squares = frozenset(group.taken)
    if box_side(squares) <= MOST_SIDE:
        return [group]
    ways = {
        frozenset(way): (parted, max(map(box_side, way)))
        for parted, way in _ways(group, squares, castle_of)
    }
    ranked = sorted(ways, key=ways.__getitem__)
    if not ranked or (len(ranked) > 1 and ways[ranked[0]] == ways[ranked[1]]):
        return [group]
    doubt = Doubt(DoubtCode.TOUCHING, SQUARES.touching_factor)
    parts = [only(group, part) for part in sorted(ranked[0], key=min)]
    return [replace(part, doubts=(*part.doubts, doubt)) for part in parts]


def _ways(
    group: Reading, squares: _Squares, castle_of: CastleOf
) -> Iterator[tuple[int, list[_Squares]]]:
    """The ways to part squares into kingdoms: how many neighbours they part, and the kingdoms."""
    if box_side(squares) <= MOST_SIDE:
        if _is_kingdom(group, squares, castle_of):
            yield 0, [squares]
        return
    for parted, first, second in _cuts(squares):
        # One of the two is a kingdom: else the same lines are drawn in another order.
        for kingdom, others in ((first, second), (second, first)):
            if box_side(kingdom) <= MOST_SIDE and _is_kingdom(group, kingdom, castle_of):
                for more, parts in _ways(group, others, castle_of):
                    yield parted + more, [kingdom, *parts]


def _cuts(squares: _Squares) -> Iterator[tuple[int, _Squares, _Squares]]:
    """Straight lines between rows or columns: how many neighbours they part, and both sides."""
    for axis in (0, 1):
        lines = sorted({at[axis] for at in squares})
        for line in lines[1:]:
            first = frozenset(at for at in squares if at[axis] < line)
            across = (-1, 0) if axis == 0 else (0, -1)
            second = squares - first
            parted = sum(
                at[axis] == line and (at[0] + across[0], at[1] + across[1]) in first
                for at in second
            )
            yield parted, first, second


def _is_kingdom(group: Reading, squares: _Squares, castle_of: CastleOf) -> bool:
    """Whether squares are one piece of a castle and whole dominoes."""
    if len(squares) % 2 == 0 or len(squares) < 3 or len(connected_components(squares)) > 1:
        return False
    kingdom = castle_of(only(group, squares))
    castle = likeliest_castle(kingdom) if kingdom else None
    if castle is None:
        return False
    return not uncoverable(squares - {castle})


def kingdoms_on(
    reading: Reading, grid: Grid, washed_out: NDArray[np.bool_] | None = None
) -> list[Reading]:
    """The kingdoms of a reading, each without all others; the one with most squares first.

    Args:
        reading: All that was read on the grid.
        grid: The grid.
        washed_out: (rows, cols) where a reflection leaves nothing to see; None: nowhere.
    """
    opened: frozenset[Position] = frozenset()
    if washed_out is not None and washed_out.any():
        reading, opened = with_washed_out_places(reading, grid, washed_out)
    parts = [part for group in groups(reading) for part in told_apart(group, with_its_castle)]
    pieces = [part for part in parts if len(part.taken) >= GRID.least_squares]
    around = [with_its_castle(group) for group in pieces]
    found = [with_hidden_places(group, grid, opened) for group in around if group is not None]
    inferred = with_inferred_castle(without(reading, found), grid)
    every = [*found, inferred] if inferred else found
    every = [_with_glare(kingdom, opened) for kingdom in every]
    return [one for one in every if _castle_seen(reading, one)] if _is_lone_pair(grid) else every


def _with_glare(kingdom: Reading, opened: frozenset[Position]) -> Reading:
    """The kingdom with a doubt that names its places that a reflection washes out."""
    cells = tuple(sorted(opened & set(kingdom.taken)))
    if not cells:
        return kingdom
    doubt = Doubt(DoubtCode.GLARE, SQUARES.washed_out_factor, cells)
    return replace(kingdom, doubts=(*kingdom.doubts, doubt))


def _is_lone_pair(grid: Grid) -> bool:
    """Whether two squares were found and no castle: a domino that anything may stand beside."""
    few = grid.found.sum() < GRID.least_squares
    return bool(few and grid.castle.max() < GRID.lone_pair_castle)


def _castle_seen(reading: Reading, kingdom: Reading) -> bool:
    """Whether a place of a kingdom was read as a castle as clearly as among dominoes of a draft."""
    return castle_likeness(only(reading, frozenset(kingdom.taken))) >= SQUARES.draft_castle


def with_its_castle(group: Reading) -> Reading | None:
    """A piece with the castle that it shows, or that one of its squares must be; None without."""
    shown = likeliest_castle(group)
    few = len(group.taken) <= DOUBT.few_squares
    if shown and not (few and castle_likeness(group) < DOUBT.small_kingdom_castle):
        return group
    return with_castle_among(group) or (group if shown else None)


def without(reading: Reading, kingdoms: list[Reading]) -> Reading:
    """What is left of a reading beside its kingdoms."""
    theirs = {at for kingdom in kingdoms for at in kingdom.taken}
    return only(reading, frozenset(reading.taken) - theirs)
