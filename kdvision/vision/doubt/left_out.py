"""Tiles that are in no reported kingdom: nothing that may be one is left out in silence."""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.rules.kingdom import Position, neighbours
from kdvision.rules.scoring import MOST_SIDE
from kdvision.rules.terrain import CASTLE_LABEL, CASTLE_MARK
from kdvision.vision.doubt.border import outside
from kdvision.vision.doubt.plausibility import in_the_box, is_print, same_size
from kdvision.vision.geometry import project
from kdvision.vision.grid.finder import Grid
from kdvision.vision.settings import DOUBT, SQUARES
from kdvision.vision.squares.castle import groups, place_at

_ROWS, _COLS = ("top", "middle", "bottom"), ("left", "middle", "right")

Seen = tuple[Grid, Reading]


def tiles_left_out(
    read: Sequence[Seen],
    kingdoms: Sequence[Seen],
    size: tuple[int, int],
    unclear: Sequence[Seen] = (),
) -> list[Doubt]:
    """A note on every group of tiles that may be a kingdom and is in none that is reported.

    What the border cuts off without a castle is no whole kingdom: one note says so, and the photo
    is not in doubt for it.

    Args:
        read: All that was read, grid by grid.
        kingdoms: Those that are reported.
        size: (width, height) of the photo in pixels.
        unclear: What `tiles_unclear` names.
    """
    known = _middles([*kingdoms, *unclear])
    notes = []
    cut = False
    for grid, reading in read:
        for group in groups(reading):
            clear = _clear_squares(grid, group)
            if not _may_be_one(reading, group, clear) or not _beside(grid, clear, known):
                continue
            if kingdoms and not _may_be_beside(grid, group, kingdoms):
                continue  # a print on the table
            pixels = project(grid.homography, np.array(clear, float)[:, ::-1] + 0.5)
            known = np.concatenate([known, pixels])
            if kingdoms and _is_cut_off(grid, group, clear, size):
                cut = True
            else:
                notes.append(_note(DoubtCode.TILES_LEFT_OUT, group, pixels, size))
    return [*notes, Doubt(DoubtCode.CUT_OFF_LEFT_OUT)] if cut else notes


def tiles_unclear(
    unclear: Sequence[Seen], kingdoms: Sequence[Seen], size: tuple[int, int]
) -> list[Doubt]:
    """A note on everything like a kingdom of which too few squares are made out to report it.

    Args:
        unclear: What lies there.
        kingdoms: Those that are reported.
        size: (width, height) of the photo in pixels.
    """
    named: list[Seen] = []
    for grid, reading in unclear:
        as_large = not kingdoms or _may_be_beside(grid, reading, kingdoms)
        if as_large and _beside(grid, reading.taken, _middles([*kingdoms, *named])):
            named.append((grid, reading))
    return [
        _note(DoubtCode.TILES_NOT_READ, reading, _pixels(grid, reading), size)
        for grid, reading in named
    ]


def _note(code: DoubtCode, group: Reading, pixels: np.ndarray, size: tuple[int, int]) -> Doubt:
    """A note on a group of tiles whose middles lie at pixels (n, 2)."""
    fields: dict[str, str | int] = {
        "number": len(group.taken),
        "where": where(pixels.mean(axis=0), size),
    }
    return Doubt(code, fields=fields)


def with_notes(reading: Reading, notes: Sequence[Doubt]) -> Reading:
    """The reading of a kingdom with notes on what is beside it; it stays as sure.

    What is left out at the border is said once.
    """
    known = {doubt.code for doubt in reading.doubts} & {DoubtCode.CUT_OFF_LEFT_OUT}
    fresh = tuple(note for note in notes if note.code not in known)
    return replace(reading, doubts=(*reading.doubts, *fresh)) if fresh else reading


def where(at: np.ndarray, size: tuple[int, int]) -> str:
    """Where a point (x, y) lies in a photo of (width, height) pixels: `where.top-left`."""
    col, row = (min(2, max(0, int(3 * value / side))) for value, side in zip(at, size, strict=True))
    named = [name for name in (_ROWS[row], _COLS[col]) if name != "middle"]
    return f"where.{'-'.join(named) or 'middle'}"


def _clear_squares(grid: Grid, group: Reading) -> list[Position]:
    """The places of a group on which both networks clearly see a square."""
    return [
        at
        for at in group.taken
        if grid.found[at] and max(group.places[at[0]][at[1]].probabilities) >= SQUARES.made_out
    ]


def _may_be_one(reading: Reading, group: Reading, clear: Sequence[Position]) -> bool:
    """Whether a group can be (part of) a kingdom: more than a few squares, and no draft row.

    Of an odd number of squares one is no half of a domino: it may be a castle. Beside a clear
    castle, or a place that shows a little of one, a domino is enough.

    Args:
        reading: All that was read on a grid.
        group: What lies in one piece.
        clear: The squares of the group that both networks clearly see.
    """
    count = len(group.taken)
    castle = any(group.places[row][col].label == CASTLE_MARK for row, col in clear)
    castle = castle or (count <= DOUBT.few_dominoes and _castle_may_stand(reading, group))
    rows, cols = zip(*group.taken, strict=True)
    sides = max(rows) - min(rows) + 1, max(cols) - min(cols) + 1
    row = min(sides) <= 2 and count == sides[0] * sides[1] and not castle
    row = row and (count <= SQUARES.draft_squares or not _castle_may_stand(reading, group))
    least = DOUBT.least_left_out_odd if castle or count % 2 else DOUBT.least_left_out
    if len(clear) < least or not in_the_box(group):
        return False
    draft = row and count % 2 == 0
    return max(sides) <= MOST_SIDE and not draft


def _castle_may_stand(reading: Reading, group: Reading) -> bool:
    """Whether a place beside a group that shows no terrain shows a little of a castle."""
    places = {at for one in group.taken for at in neighbours(one)} - set(reading.taken)
    return any(
        0 <= row < reading.height
        and 0 <= col < reading.width
        and place_at(reading, (row, col)).probabilities[CASTLE_LABEL] >= DOUBT.castle_beside
        for row, col in places
    )


def _is_cut_off(
    grid: Grid, group: Reading, clear: Sequence[Position], size: tuple[int, int]
) -> bool:
    """Whether the border cuts through squares of a group that shows no castle."""
    if any(place_at(group, at).label == CASTLE_MARK for at in group.taken):
        return False
    return max(outside(size, grid, clear)) > DOUBT.cut_off


def _may_be_beside(grid: Grid, group: Reading, kingdoms: Sequence[Seen]) -> bool:
    """Whether squares are as large as those of a kingdom on the same table are."""
    as_large = any(_as_large(grid, other) for other, _ in kingdoms)
    return as_large and not is_print(grid, group, kingdoms)


def _as_large(grid: Grid, other: Grid) -> bool:
    """Whether the squares of two grids are alike in size: on the table, or in the photo.

    The perspective that a kingdom of three squares shows does not reach far.
    """
    ratio = grid.square_px / max(other.square_px, 1e-9)
    return same_size(grid, other) or 1 / DOUBT.same_size < ratio < DOUBT.same_size


def _beside(grid: Grid, clear: Sequence[Position], known: np.ndarray) -> bool:
    """Whether most of some places are none of the squares that are reported."""
    if not len(known):
        return True
    pixels = project(grid.homography, np.array(clear, float)[:, ::-1] + 0.5)
    gaps = np.linalg.norm(pixels[:, None] - known[None], axis=2).min(axis=1)
    return bool((gaps > 0.5 * grid.square_px).mean() > 0.5)


def _middles(seen: Sequence[Seen]) -> np.ndarray:
    """(n, 2) the middles of the squares of several kingdoms in pixels (x, y)."""
    return np.concatenate([_pixels(*one) for one in seen] or [np.empty((0, 2))])


def _pixels(grid: Grid, reading: Reading) -> np.ndarray:
    """(n, 2) the middles of a kingdom's squares in pixels (x, y)."""
    return project(grid.homography, np.array(reading.taken, float)[:, ::-1] + 0.5)
