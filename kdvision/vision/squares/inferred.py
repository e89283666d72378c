"""The castle of a kingdom that does not look like one: where the squares around need it.

A castle of another make, or one that a box of wood stands for, is read as nothing or as some
terrain. The kingdom still shows where it is: one place that is no terrain and on which something
stands, without which the squares would not be whole dominoes around a castle.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.rules.cover import uncoverable
from kdvision.rules.kingdom import Position, box_side, connected_components, neighbours
from kdvision.rules.scoring import MOST_SIDE
from kdvision.rules.terrain import CASTLE_LABEL, EMPTY_MARK
from kdvision.vision.grid.finder import Grid
from kdvision.vision.settings import SQUARES
from kdvision.vision.squares.castle import as_castle, only, place_at, with_place
from kdvision.vision.squares.standing import as_hidden, behind, line_of_sight

#: Probability of a castle where nothing looks like one and the squares around need it.
_INFERRED_CASTLE = 0.9
#: A castle, and the place that it hides, if any.
_Option = tuple[Position, Position | None]


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
    return replace(only(reading, piece), doubts=(*reading.doubts, *doubts))


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
    return replace(with_place(group, first, castle), doubts=(*group.doubts, doubt))


def _is_clearly_terrain(reading: Reading, squares: frozenset[Position]) -> bool:
    """Whether most squares are made out: without a castle nothing else says what lies there."""
    clear = sum(max(place_at(reading, at).probabilities) >= SQUARES.made_out for at in squares)
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


def _is_inside(grid: Grid, at: Position) -> bool:
    return 0 <= at[0] < grid.rows and 0 <= at[1] < grid.cols


def _something_stands(reading: Reading, grid: Grid, at: Position) -> bool:
    """Whether a place that shows no terrain shows more than the table."""
    return (
        _is_inside(grid, at)
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
    first = {castle: option for option in reversed(options) for castle in option[:1]}
    ranked = sorted(first, key=lambda at: -_castle_shown(reading, grid, at))
    if not ranked:
        return None
    if len(ranked) > 1:
        most, next_most = (_castle_shown(reading, grid, at) for at in ranked[:2])
        if most < SQUARES.stands_out * next_most or not most:
            return None
    return first[ranked[0]]
