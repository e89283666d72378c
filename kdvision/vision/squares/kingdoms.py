"""The kingdoms on one grid: groups of tiles around a castle, seen or inferred."""

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.rules.kingdom import Position
from kdvision.vision.grid.grid import Grid
from kdvision.vision.settings import DOUBT, GRID, SQUARES
from kdvision.vision.squares.castle import castle_likeness, groups, likeliest_castle, only
from kdvision.vision.squares.inferred import with_castle_among, with_inferred_castle
from kdvision.vision.squares.standing import with_hidden_places, with_washed_out_places
from kdvision.vision.squares.touching import told_apart


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
