"""What in the photo itself is a reason not to trust a reading.

The classifier's probabilities say how much a patch looks like a square of the deck. They say
nothing of a grid that does not fit, of squares beyond the border, or of a file that is damaged.
Doubts about places do, and signs: numbers that are weighed together, see `pipeline/trust.py`.
"""

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from kdvision.photo.photo import Photo
from kdvision.reading import Doubt, DoubtCode, Reading, Sign
from kdvision.rules.kingdom import Position
from kdvision.rules.terrain import CASTLE_MARK
from kdvision.vision.doubt.border import border_signs, free_places, outside
from kdvision.vision.doubt.image_quality import clarity
from kdvision.vision.grid.finder import Grid, middles, taken_mask
from kdvision.vision.settings import DOUBT
from kdvision.vision.squares.castle import castle_likeness
from kdvision.vision.squares.window import (
    UNLIKE_GROUND,
    WindowView,
    bare_distance,
    oddness,
    strange_share,
    view_of,
)

#: Share (0 to 1) that the classifier keeps on a place that the border cuts, on one where squares
#: were read and no tile was found, and where the detector sees a tile and the classifier none:
#: enough to name the other total.
_CUT_OFF_FACTOR, _NOT_FOUND_FACTOR, _NOT_READ_FACTOR = 0.3, 0.9, 0.994
#: Where signs begin, as none is seen beyond: a square of so many pixels, so much detail (share of
#: contrast finer than a crown) and so much light (mean brightness, 0 to 255) hide nothing.
CLEAR_SQUARE_PX, CLEAR_DETAIL, CLEAR_LIGHT = 64.0, 0.6, 80.0


def doubts_of(
    photo: Photo, grid: Grid, reading: Reading, view: WindowView | None = None
) -> Reading:
    """The reading with the doubts about its places, and with the signs that trust is fitted on.

    `view` is the window as seen from above, where it is there already.
    """
    view = view or view_of(photo, grid)
    doubts = [*_file_doubts(photo), *_place_doubts(photo, grid, reading)]
    signs = [
        *_damage_signs(photo, view, reading),
        *_grid_signs(grid, reading),
        *border_signs(photo, grid, reading, view.ground),
        *_detector_signs(grid, reading, view),
        *_castle_signs(reading),
        *_cover_signs(view, reading),
        *_light_signs(view.flat, reading),
    ]
    return replace(
        reading,
        doubts=(*reading.doubts, *doubts),
        signs=(*reading.signs, *(sign for sign in signs if sign.value > 0)),
    )


def _file_doubts(photo: Photo) -> Iterator[Doubt]:
    """Part of a damaged file is not the photo: no sign, but a fact."""
    if damage := photo.damage:
        yield Doubt(DoubtCode.DAMAGED_FILE, 0.0, fields={"damage": damage})


def _place_doubts(photo: Photo, grid: Grid, reading: Reading) -> Iterator[Doubt]:
    """Places of which only the classifier, or only a part of the photo, shows what lies there."""
    if cut := _cut_off(photo, grid, reading):
        yield Doubt(DoubtCode.CUT_OFF, _CUT_OFF_FACTOR, cut)
    if unlike := not_found(grid, reading):
        yield Doubt(DoubtCode.NOT_FOUND, _NOT_FOUND_FACTOR, unlike)
    if beside := not_read(grid, reading):
        yield Doubt(DoubtCode.NOT_READ, _NOT_READ_FACTOR, beside)


def _cut_off(photo: Photo, grid: Grid, reading: Reading) -> tuple[Position, ...]:
    """The squares that the border cuts off."""
    beyond = outside((photo.width, photo.height), grid, reading.taken)
    return tuple(at for at, out in zip(reading.taken, beyond, strict=True) if out > DOUBT.cut_off)


def _damage_signs(photo: Photo, view: WindowView, reading: Reading) -> Iterator[Sign]:
    """Noise beside the kingdom, in files whose decoders say nothing of damage."""
    if not photo.damage_shows:
        yield Sign(DoubtCode.STRANGE_SIDE, strange_share(view.ground, taken_mask(reading)))


def _grid_signs(grid: Grid, reading: Reading) -> Iterator[Sign]:
    small = max(0.0, float(np.log2(CLEAR_SQUARE_PX / max(grid.square_px, 1.0))))
    yield Sign(DoubtCode.SMALL_SQUARES, small, fields={"pixels": round(grid.square_px)})
    yield Sign(DoubtCode.LOOSE_LATTICE, grid.residual)
    away = np.linalg.norm(grid.centres - middles(grid.rows, grid.cols), axis=2)
    # It names no square: the other half of a domino that lies askew can be in line.
    yield Sign(DoubtCode.OFF_LATTICE, max(float(away[at]) for at in reading.taken))


def _detector_signs(grid: Grid, reading: Reading, view: WindowView) -> Iterator[Sign]:
    """Places where detector and classifier do not agree.

    What lies beside a kingdom and is no table may be a tile of another game, or turned over.
    """
    unlike = not_found(grid, reading)
    yield Sign(DoubtCode.NOT_FOUND, float(len(unlike)), unlike)
    if beside := not_read(grid, reading):
        away = np.nan_to_num(bare_distance(view.ground, grid.tile))
        unlike_table = max(float(away[at]) for at in beside) / UNLIKE_GROUND
        yield Sign(DoubtCode.NOT_READ, 1.0 + unlike_table, beside)


def not_found(grid: Grid, reading: Reading) -> tuple[Position, ...]:
    """Places where the classifier sees a square and the detector does not, or not clearly.

    A standing castle hides the outline of the start tile, so there a likeness is enough.
    """
    return tuple(
        at
        for at in reading.taken
        if not (grid.found[at] and grid.agreed[at] >= DOUBT.clearly_found)
        and (grid.tile[at] < DOUBT.like_tile or _label(reading, at) != CASTLE_MARK)
    )


def not_read(grid: Grid, reading: Reading) -> tuple[Position, ...]:
    """Places beside a kingdom where the detector sees a tile and the classifier does not."""
    taken = set(reading.taken)
    found = [(int(row), int(col)) for row, col in np.argwhere(grid.found)]
    return tuple(
        at
        for at in found
        if at not in taken
        and grid.tile[at] > 1 - DOUBT.like_tile
        and any(other in taken for other in _beside(at))
    )


def _castle_signs(reading: Reading) -> Iterator[Sign]:
    """No kingdom without a castle: where few squares lie, they may be dominoes of a draft row."""
    taken = reading.taken
    if len(taken) <= DOUBT.few_squares:
        yield Sign(DoubtCode.UNCLEAR_CASTLE, 1 - castle_likeness(reading))
    castles = tuple(at for at in taken if _label(reading, at) == CASTLE_MARK)
    yield Sign(DoubtCode.SEVERAL_CASTLES, float(len(castles) > 1) * len(castles), castles)
    for doubt in reading.doubts:
        if doubt.code in (DoubtCode.CASTLE_INFERRED, DoubtCode.HIDDEN):
            yield Sign(doubt.code, float(len(doubt.cells)), doubt.cells)


def _cover_signs(view: WindowView, reading: Reading) -> Iterator[Sign]:
    """Empty places that do not look like the table, where a tile could be hidden."""
    odd = oddness(view.ground, ~taken_mask(reading))
    rows, cols = odd.shape
    free = [at for at in free_places(reading.taken) if 0 <= at[0] < rows and 0 <= at[1] < cols]
    yield Sign(DoubtCode.COVERED, max((float(odd[at]) for at in free), default=0.0))


def _light_signs(flat: NDArray[np.uint8], reading: Reading) -> Iterator[Sign]:
    """Blur, darkness and glare that hide crowns."""
    seen = clarity(flat, reading.taken)
    yield Sign(DoubtCode.BLURRED, max(0.0, CLEAR_DETAIL - seen.detail))
    yield Sign(DoubtCode.DARK, max(0.0, 1 - seen.light / CLEAR_LIGHT))
    yield Sign(DoubtCode.GLARE, seen.burnt)


def _label(reading: Reading, at: Position) -> str:
    return reading.places[at[0]][at[1]].label


def _beside(at: Position) -> tuple[Position, ...]:
    row, col = at
    return (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)
