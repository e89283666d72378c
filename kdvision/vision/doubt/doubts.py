"""What in the photo itself is a reason not to trust a reading.

The reader's probabilities say how much a patch looks like a square of the deck. They say nothing
of a grid that does not fit, of squares beyond the border, or of a file that is damaged. These
doubts do; each is a `Doubt` with a sentence for the user.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kdvision.photo.photo import Photo
from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.rules.kingdom import Position
from kdvision.rules.terrain import CASTLE_MARK
from kdvision.vision.doubt.image_quality import clarity
from kdvision.vision.geometry import project
from kdvision.vision.grid.grid import Grid, middles, taken_mask
from kdvision.vision.settings import DOUBT
from kdvision.vision.squares.background import bare_distance, oddness, strange_share
from kdvision.vision.squares.castle import castle_likeness
from kdvision.vision.squares.window_view import WindowView, view_of


def doubts_of(
    photo: Photo, grid: Grid, reading: Reading, view: WindowView | None = None
) -> Reading:
    """The reading with the doubts that the photo and its grid give.

    `view` is the window as seen from above, where it is there already.
    """
    view = view or view_of(photo, grid)
    doubts = [
        *_file_doubts(photo),
        *_hidden_damage_doubts(photo, view, reading),
        *_size_doubts(grid),
        *_lattice_doubts(grid, reading),
        *_border_doubts(photo, grid, reading),
        *_finder_doubts(grid, reading, view),
        *_cover_doubts(view, reading),
        *_light_doubts(view.flat, reading),
    ]
    return replace(reading, doubts=(*reading.doubts, *doubts))


def _file_doubts(photo: Photo) -> Iterator[Doubt]:
    if damage := photo.damage:
        yield Doubt(DoubtCode.DAMAGED_FILE, 0.0, fields={"damage": damage})


def _hidden_damage_doubts(photo: Photo, view: WindowView, reading: Reading) -> Iterator[Doubt]:
    """Noise beside the kingdom, in files whose decoders say nothing of damage."""
    if photo.damage_shows:
        return
    if strange_share(view.ground, taken_mask(reading)) > DOUBT.strange_side:
        yield Doubt(DoubtCode.STRANGE_SIDE, DOUBT.strange_side_factor)


def _size_doubts(grid: Grid) -> Iterator[Doubt]:
    if grid.square_px < DOUBT.small_square_px:
        yield Doubt(
            DoubtCode.SMALL_SQUARES,
            DOUBT.small_square_factor,
            fields={"pixels": round(grid.square_px)},
        )


def _lattice_doubts(grid: Grid, reading: Reading) -> Iterator[Doubt]:
    if grid.residual > DOUBT.loose_residual:
        yield Doubt(DoubtCode.LOOSE_LATTICE, DOUBT.loose_factor)
    away = np.linalg.norm(grid.centres - middles(grid.rows, grid.cols), axis=2)
    if any(away[at] > DOUBT.off_lattice for at in reading.taken):
        # It names no square: the other half of a domino that lies askew can be in line.
        yield Doubt(DoubtCode.OFF_LATTICE, DOUBT.off_lattice_factor)


def _border_doubts(photo: Photo, grid: Grid, reading: Reading) -> Iterator[Doubt]:
    """The kingdom touches the border of the photo, and more of it may lie beyond."""
    taken = reading.taken
    beyond = _outside(photo, grid, taken)
    cut = tuple(at for at, out in zip(taken, beyond, strict=True) if out > DOUBT.cut_off)
    if cut:
        yield Doubt(DoubtCode.CUT_OFF, DOUBT.cut_off_factor, cut)
        yield Doubt(DoubtCode.BEYOND_BORDER, DOUBT.beyond_border_factor)
    free = _free_places(taken)
    beyond = _outside(photo, grid, free)
    if any(_may_hide_a_tile(grid, at, out) for at, out in zip(free, beyond, strict=True)):
        yield Doubt(DoubtCode.AT_BORDER, DOUBT.at_border_factor)


def _may_hide_a_tile(grid: Grid, at: Position, outside: float) -> bool:
    """Whether so much of a place lies beyond the border that a tile there could go unseen."""
    if outside <= DOUBT.cut_off:
        return False
    inside = 0 <= at[0] < grid.rows and 0 <= at[1] < grid.cols
    if outside > DOUBT.still_seen or not inside:
        return outside > DOUBT.hidden_beyond
    return bool(grid.tile_seen[at] > DOUBT.like_tile)


def _outside(photo: Photo, grid: Grid, places: Sequence[Position]) -> list[float]:
    """How far each place reaches out of the photo, in squares."""
    first = np.array(places, float).reshape(-1, 1, 2)[..., ::-1]
    corners = (first + np.array([[0, 0], [1, 0], [1, 1], [0, 1]])).reshape(-1, 2)
    pixels = project(grid.homography, corners).reshape(-1, 8)
    limit = np.array([photo.width, photo.height] * 4)
    most = np.maximum(-pixels, pixels - limit).max(axis=1) / grid.square_px
    reach: list[float] = most.tolist()
    return reach


def _finder_doubts(grid: Grid, reading: Reading, view: WindowView) -> Iterator[Doubt]:
    """Places where the finder of squares and the reader of squares do not agree.

    What lies beside a kingdom and is no table may be a tile of another game, or turned over.
    """
    if unlike := not_found(grid, reading):
        yield Doubt(DoubtCode.NOT_FOUND, DOUBT.not_found_factor, unlike)
    if beside := not_read(grid, reading):
        away = bare_distance(view.ground, grid.tile)
        no_table = any(away[at] > DOUBT.unlike_ground for at in beside)
        factor = DOUBT.not_read_factor if no_table else DOUBT.not_read_on_ground_factor
        yield Doubt(DoubtCode.NOT_READ, factor, beside)
    yield from _castle_doubts(reading)


def not_found(grid: Grid, reading: Reading) -> tuple[Position, ...]:
    """Places where the reader sees a square and the finder does not, or not clearly.

    A standing castle hides the outline of the start tile, so there a likeness is enough.
    """
    return tuple(
        at
        for at in reading.taken
        if not (grid.found[at] and grid.agreed[at] >= DOUBT.clearly_found)
        and (grid.tile[at] < DOUBT.like_tile or _label(reading, at) != CASTLE_MARK)
    )


def not_read(grid: Grid, reading: Reading) -> tuple[Position, ...]:
    """Places beside a kingdom where the finder sees a tile and the reader does not."""
    taken = set(reading.taken)
    found = [(int(row), int(col)) for row, col in np.argwhere(grid.found)]
    return tuple(
        at
        for at in found
        if at not in taken
        and grid.tile[at] > 1 - DOUBT.like_tile
        and any(other in taken for other in _beside(at))
    )


def _castle_doubts(reading: Reading) -> Iterator[Doubt]:
    """No kingdom without a castle: where few squares lie, they may be dominoes of a draft row."""
    taken = reading.taken
    castles = [at for at in taken if _label(reading, at) == CASTLE_MARK]
    likeness = castle_likeness(reading)
    if likeness < DOUBT.sure_castle and len(taken) <= DOUBT.few_squares:
        yield Doubt(DoubtCode.UNCLEAR_CASTLE, likeness)
    if len(castles) > 1:
        # Only a word: the decoding allows one, and takes what that costs for doubt.
        yield Doubt(DoubtCode.SEVERAL_CASTLES, 1.0, tuple(castles))


def _cover_doubts(view: WindowView, reading: Reading) -> Iterator[Doubt]:
    """Empty places that do not look like the table, where a tile could be hidden."""
    odd = oddness(view.ground, ~taken_mask(reading))
    rows, cols = odd.shape
    free = [at for at in _free_places(reading.taken) if 0 <= at[0] < rows and 0 <= at[1] < cols]
    if any(odd[at] > DOUBT.odd_ground for at in free):
        yield Doubt(DoubtCode.COVERED, DOUBT.covered_factor)


def _light_doubts(flat: NDArray[np.uint8], reading: Reading) -> Iterator[Doubt]:
    """Blur, darkness and glare that hide crowns."""
    seen = clarity(flat, reading.taken)
    if seen.detail < DOUBT.blurred:
        yield Doubt(DoubtCode.BLURRED, DOUBT.blurred_factor)
    if seen.light < DOUBT.dark:
        yield Doubt(DoubtCode.DARK, DOUBT.dark_factor)
    if seen.burnt > DOUBT.burnt:
        yield Doubt(DoubtCode.GLARE, DOUBT.glare_factor)


def _free_places(taken: tuple[Position, ...]) -> list[Position]:
    """Places beside squares on which a kingdom of that size could go on (RULES 5.4)."""
    low, high = np.min(taken, axis=0), np.max(taken, axis=0)
    most = 5 if (high - low < 5).all() else 7
    beyond = {beside for at in taken for beside in _beside(at)} - set(taken)
    return [
        at for at in sorted(beyond) if (np.maximum(high, at) - np.minimum(low, at) < most).all()
    ]


def _label(reading: Reading, at: Position) -> str:
    return reading.places[at[0]][at[1]].label


def _beside(at: Position) -> tuple[Position, ...]:
    row, col = at
    return (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)
