"""Dominoes in line with a kingdom that are not joined to it by an edge.

A domino that touches the kingdom at corners only, or lies one row off, was laid against the rules,
was pushed away, or is none of the kingdom's. No photo shows which, so both totals are named.
"""

from collections.abc import Callable, Sequence

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from kdvision.arrays import Array
from kdvision.reading import Place, Reading
from kdvision.rules.kingdom import Position, box_side, connected_components, neighbours
from kdvision.rules.scoring import MOST_SIDE
from kdvision.rules.terrain import KINDS, LABELS
from kdvision.vision.doubt.selection import Seen
from kdvision.vision.grid.finder import Grid
from kdvision.vision.settings import DOUBT, GRID
from kdvision.vision.squares.castle import place_at

#: Squares of a full small kingdom.
_FULL = 25
#: Squares of a domino, and of the two that may lie together beside a kingdom.
_DOMINO, _MOST = 2, 4
#: Rings of places that a window is made wider by at most.
_MOST_RINGS = 2

#: Reads some places (rows, cols) of a grid, row by row.
Reader = Callable[[Grid, NDArray[np.bool_]], Sequence[Place]]


def with_disconnected_dominoes(
    seen: Sequence[Seen], detected: Array, whole: Sequence[Seen], read: Reader
) -> list[Seen]:
    """The kingdoms, each with the squares of dominoes that lie in line with it.

    Args:
        seen: The kingdoms of a photo.
        detected: (n, 2) the middles of all squares that the detector found, in pixels (x, y).
        whole: All that was read, grid by grid.
        read: Reads places of a grid whose window was made wider.
    """
    found = []
    for index, (grid, reading) in enumerate(seen):
        others = [
            other.middles_of(kingdom.taken)
            for at, (other, kingdom) in enumerate(seen)
            if at != index
        ]
        theirs = np.concatenate(others or [np.empty((0, 2))])
        same = (one for other, one in whole if np.array_equal(other.homography, grid.homography))
        everything = next(same, reading)
        groups = _groups(grid, reading, everything, detected, theirs)
        apart = _named(grid, groups, everything, read) if groups else ()
        found.append((grid, replace(reading, apart=apart)))
    return found


def _groups(
    grid: Grid, reading: Reading, everything: Reading, detected: Array, theirs: Array
) -> list[frozenset[Position]]:
    """Places of dominoes beside a kingdom and not joined to it by an edge, domino by domino.

    Of a domino one square may go unseen; then the other must lie exactly in line. A small kingdom
    shows little of the perspective, so that squares beside it may lie further off its lattice.
    """
    taken = frozenset(reading.taken)
    if len(taken) == _FULL and box_side(taken) == 5:
        return []  # nothing can be joined to it any more
    few = len(taken) < GRID.least_reference
    off = DOUBT.near_small_lattice if few else DOUBT.near_lattice
    in_line = _in_line(grid, detected, off)
    # What only the classifier sees is enough beside a square that the detector found.
    places = in_line | {
        at
        for at in everything.taken
        if grid.tile[at] >= DOUBT.like_tile or not in_line.isdisjoint(neighbours(at))
    }
    places = {at for at in places - taken if not _is_anothers(grid, at, theirs)}
    exact = _in_line(grid, detected, DOUBT.half_domino_lattice)
    return [
        group
        for group in connected_components(places)
        if (_DOMINO <= len(group) <= _MOST or (len(group) == 1 and group <= exact))
        and _gap(group, taken) == 2
        and box_side(taken | group) <= MOST_SIDE
    ]


def _in_line(grid: Grid, detected: Array, off: float) -> set[Position]:
    """The places, in the window or beyond, that `detected` squares lie on, at most `off` askew."""
    if not len(detected):
        return set()
    at = grid.places_of(detected)
    whole = np.round(at)
    near = (np.abs(at - whole) < off).all(axis=1)
    near &= (np.abs(whole) < 2 * MOST_SIDE).all(axis=1)
    return {(int(row), int(col)) for row, col in whole[near]}


def _gap(group: frozenset[Position], taken: frozenset[Position]) -> int:
    """Steps along edges from a group to a kingdom: 2 over a corner or over one empty row."""
    return min(abs(a - c) + abs(b - d) for a, b in group for c, d in taken)


def _is_anothers(grid: Grid, at: Position, theirs: Array) -> bool:
    """Whether a place is one of another kingdom's squares."""
    if not len(theirs):
        return False
    return bool(np.hypot(*(theirs - grid.middles_of([at])).T).min() < 0.5 * grid.square_px)


def _named(
    grid: Grid, groups: Sequence[frozenset[Position]], everything: Reading, read: Reader
) -> tuple[tuple[Position, str], ...]:
    """What lies on the places of dominoes, as far as the window reaches, or one that is wider."""
    cells = np.array(sorted(at for group in groups for at in group))
    ring = 0
    while ring < _MOST_RINGS and not _inside(grid, cells + ring).all():
        grid, ring = grid.widened(), ring + 1
    cells = cells[_inside(grid, cells + ring)]
    if not len(cells):
        return ()
    if ring:
        mask = np.zeros((grid.rows, grid.cols), bool)
        mask[tuple((cells + ring).T)] = True
        places = read(grid, mask)
    else:
        places = [place_at(everything, at) for at in cells.tolist()]
    texts: dict[Position, str] = {}
    for (row, col), place in zip(cells.tolist(), places, strict=True):
        kinds = place.probabilities[:KINDS]
        texts[row, col] = LABELS[kinds.index(max(kinds))]
    whole = [group for group in groups if group <= texts.keys()]
    return tuple((at, texts[at]) for group in whole for at in sorted(group))


def _inside(grid: Grid, cells: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(n,) which places (n, 2) lie in the window of a grid."""
    return np.asarray(((cells >= 0) & (cells < [grid.rows, grid.cols])).all(axis=1))
