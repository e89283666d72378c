"""The kingdoms on one grid: groups of tiles around a castle, seen or inferred.

On a crowded table one kingdom lies so close to the next that all squares are on one lattice. Each
has a castle, whole dominoes and a box of at most seven squares, and a straight line parts them.

A castle of another make, or one that a box of wood stands for, is read as nothing or as some
terrain. The kingdom still shows where it is: one place that is no terrain and on which something
stands, without which the squares would not be whole dominoes around a castle.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.rules.cover import uncoverable
from kdvision.rules.kingdom import Position, box_side, connected_components, neighbours
from kdvision.rules.scoring import MOST_SIDE
from kdvision.rules.terrain import CASTLE_LABEL, EMPTY_MARK
from kdvision.vision.grid.finder import Grid
from kdvision.vision.settings import DOUBT, GRID, SQUARES
from kdvision.vision.squares.castle import (
    as_castle,
    as_hidden,
    behind,
    castle_likeness,
    groups,
    is_clear,
    is_inside,
    likeliest_castle,
    line_of_sight,
    only,
    place_at,
    with_doubts,
    with_hidden_places,
    with_place,
    with_washed_out_places,
)

#: Probability of a castle where nothing looks like one and the squares around need it.
_INFERRED_CASTLE = 0.9
#: A castle, and the place that it hides, if any.
_Option = tuple[Position, Position | None]
_Squares = frozenset[Position]


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
    parts = [part for group in groups(reading) for part in told_apart(group)]
    pieces = [part for part in parts if len(part.taken) >= GRID.least_squares]
    around = [with_its_castle(group) for group in pieces]
    found = [with_hidden_places(group, grid, opened) for group in around if group is not None]
    theirs = {at for kingdom in found for at in kingdom.taken}
    rest = only(reading, frozenset(reading.taken) - theirs)
    inferred = with_inferred_castle(rest, grid)
    every = [_with_glare(one, opened) for one in ([*found, inferred] if inferred else found)]
    if grid.found.sum() >= GRID.least_squares or grid.castle.max() >= GRID.lone_pair_castle:
        return every
    # Two squares were found and no castle: a domino that anything may stand beside. Its castle must
    # be read as clearly as among the dominoes of a draft row.
    shown = [castle_likeness(only(reading, frozenset(one.taken))) for one in every]
    return [one for one, like in zip(every, shown, strict=True) if like >= SQUARES.draft_castle]


def _with_glare(kingdom: Reading, opened: frozenset[Position]) -> Reading:
    """The kingdom with a doubt that names its places that a reflection washes out."""
    cells = tuple(sorted(opened & set(kingdom.taken)))
    doubt = Doubt(DoubtCode.GLARE, SQUARES.washed_out_factor, cells)
    return with_doubts(kingdom, doubt) if cells else kingdom


def with_its_castle(group: Reading) -> Reading | None:
    """A piece with the castle that it shows, or that one of its squares must be; None without."""
    shown = likeliest_castle(group)
    few = len(group.taken) <= DOUBT.few_squares
    if shown and not (few and castle_likeness(group) < DOUBT.small_kingdom_castle):
        return group
    return with_castle_among(group) or (group if shown else None)


# ---------------------------------------------------------------------- touching kingdoms


def told_apart(group: Reading) -> list[Reading]:
    """The kingdoms of squares in one piece; the piece itself where one box holds it.

    Of the ways to part it by straight lines into kingdoms, that one counts which parts the fewest
    neighbours, and of several that with the smallest boxes: most games are played in five by five.
    Where two are alike in both, or there is none, the piece stays.

    Args:
        group: What lies in one piece on a grid.
    """
    squares = frozenset(group.taken)
    if box_side(squares) <= MOST_SIDE:
        return [group]
    ways = {
        frozenset(way): (parted, max(map(box_side, way))) for parted, way in _ways(group, squares)
    }
    ranked = sorted(ways, key=ways.__getitem__)
    if not ranked or (len(ranked) > 1 and ways[ranked[0]] == ways[ranked[1]]):
        return [group]
    doubt = Doubt(DoubtCode.TOUCHING, SQUARES.touching_factor)
    parts = [only(group, part) for part in sorted(ranked[0], key=min)]
    return [with_doubts(part, doubt) for part in parts]


def _ways(group: Reading, squares: _Squares) -> Iterator[tuple[int, list[_Squares]]]:
    """The ways to part squares into kingdoms: how many neighbours they part, and the kingdoms."""
    if box_side(squares) <= MOST_SIDE:
        if _is_kingdom(group, squares):
            yield 0, [squares]
        return
    for parted, first, second in _cuts(squares):
        # One of the two is a kingdom: else the same lines are drawn in another order.
        for kingdom, others in ((first, second), (second, first)):
            if box_side(kingdom) <= MOST_SIDE and _is_kingdom(group, kingdom):
                for more, parts in _ways(group, others):
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


def _is_kingdom(group: Reading, squares: _Squares) -> bool:
    """Whether squares are one piece of a castle and whole dominoes."""
    if len(squares) % 2 == 0 or len(squares) < 3 or len(connected_components(squares)) > 1:
        return False
    kingdom = with_its_castle(only(group, squares))
    castle = likeliest_castle(kingdom) if kingdom else None
    return castle is not None and not uncoverable(squares - {castle})


# ---------------------------------------------------------------------- castles that look like none


def with_inferred_castle(reading: Reading, grid: Grid) -> Reading | None:
    """The kingdom that squares make with a castle on the one place that must be it.

    With it they are a castle and whole dominoes in the box of a kingdom. Where several places will
    do, it is the one that shows far more of a castle than the others; None where there is none.

    Args:
        reading: What was read on a grid, without a castle.
        grid: The grid.
    """
    taken = frozenset(reading.taken)
    options = [option for option in _options(reading, grid) if _is_whole(taken, option)]
    best = _clearly_best(reading, grid, options)
    if best is None:
        return None
    castle, hidden = best
    doubts = [Doubt(DoubtCode.CASTLE_INFERRED, cells=(castle,))]
    place = as_castle(place_at(reading, castle), _INFERRED_CASTLE)
    reading = with_place(reading, castle, place)
    if hidden:
        reading = with_place(reading, hidden, as_hidden(place_at(reading, hidden)))
        doubts.append(Doubt(DoubtCode.HIDDEN, cells=(hidden,)))
    piece = next(piece for piece in connected_components(reading.taken) if castle in piece)
    if not _is_clearly_terrain(reading, piece - {castle}):
        return None
    return with_doubts(only(reading, piece), *doubts)


def with_castle_among(group: Reading) -> Reading | None:
    """The kingdom of joined squares one of which must be its castle, although it is no clear one.

    Dominoes cover squares by twos, so one of an odd number is the castle, and the others must be
    whole dominoes. Of the squares without which they are, it is the one that looks far more like a
    castle than the next; None where none does.

    Args:
        group: What lies in one piece on a grid.
    """
    taken = frozenset(group.taken)
    if len(taken) % 2 == 0:
        return None
    shares = {at: place_at(group, at).probabilities[CASTLE_LABEL] for at in uncoverable(taken)}
    first, *others = sorted(shares, key=lambda at: -shares[at])
    next_best = max((shares[at] for at in others), default=0.0)
    few = len(taken) <= SQUARES.draft_squares + 1
    least = SQUARES.least_inferred_of_few if few else SQUARES.least_inferred
    if shares[first] < max(least, SQUARES.far_more * next_best):
        return None
    rest = taken - {first}
    if uncoverable(rest) or box_side(rest) > MOST_SIDE or not _is_clearly_terrain(group, rest):
        return None
    castle = as_castle(place_at(group, first), _INFERRED_CASTLE)
    doubt = Doubt(DoubtCode.CASTLE_INFERRED, cells=(first,))
    return with_doubts(with_place(group, first, castle), doubt)


def _is_clearly_terrain(reading: Reading, squares: frozenset[Position]) -> bool:
    """Whether most squares are made out: without a castle nothing else says what lies there."""
    clear = sum(is_clear(reading, at) for at in squares)
    return clear >= SQUARES.clear_share * len(squares)


def _options(reading: Reading, grid: Grid) -> Iterator[_Option]:
    """Places beside squares that are no terrain and on which something stands."""
    taken = set(reading.taken)
    for at in sorted({one for place in taken for one in neighbours(place)} - taken):
        if not _something_stands(reading, grid, at):
            continue
        yield at, None
        for other in behind(at, line_of_sight(grid.homography, at)):
            if other not in taken and _something_stands(reading, grid, other):
                yield at, other


def _something_stands(reading: Reading, grid: Grid, at: Position) -> bool:
    """Whether a place that shows no terrain shows more than the table."""
    return (
        is_inside(reading, at)
        and place_at(reading, at).label == EMPTY_MARK
        and (grid.tile[at] >= SQUARES.something_stands or _castle_shown(reading, grid, at) > 0)
    )


def _castle_shown(reading: Reading, grid: Grid, at: Position) -> float:
    """How much of a castle the classifier and the detector see, 0 to 2; 0 where hardly any."""
    seen = place_at(reading, at).probabilities[CASTLE_LABEL], float(grid.castle[at])
    return sum(seen) if max(seen) >= SQUARES.least_castle else 0.0


def _is_whole(taken: frozenset[Position], option: _Option) -> bool:
    """Whether the squares around a castle are dominoes, more than in a draft row, in one box."""
    castle, hidden = option
    places = taken | {castle} | ({hidden} if hidden else set())
    piece = next(piece for piece in connected_components(places) if castle in piece)
    many = len(piece) > SQUARES.draft_squares + 1
    return many and box_side(piece) <= MOST_SIDE and not uncoverable(piece - {castle})


def _clearly_best(reading: Reading, grid: Grid, options: list[_Option]) -> _Option | None:
    """The only castle of the options, or the one that shows far more of one than any other.

    Of one castle with and without a place that it hides, without: fewer things are supposed.
    """
    first = {option[0]: option for option in reversed(options)}
    ranked = sorted(first, key=lambda at: -_castle_shown(reading, grid, at))
    if not ranked:
        return None
    if len(ranked) > 1:
        most, next_most = (_castle_shown(reading, grid, at) for at in ranked[:2])
        if most < SQUARES.stands_out * next_most or not most:
            return None
    return first[ranked[0]]
