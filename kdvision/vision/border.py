"""What the border of the photo may cut off a kingdom.

Where it runs along the edge of a column, what is left of a kingdom looks whole. Only bare table
beyond its squares, or a box that is full, shows that it ends there.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from kdvision.arrays import Array, Image
from kdvision.reading import Doubt, DoubtCode
from kdvision.rules.kingdom import Position
from kdvision.vision.found import FoundKingdom
from kdvision.vision.geometry import project, rectify, shift_origin
from kdvision.vision.squares.ground import NEAREST_BARE, measure_look
from kdvision.vision.squares.settings import SQUARES
from kdvision.vision.squares.window import GROUND_RESERVE

#: Pixels along a side of a place of which a strip at the border is looked at.
_STRIP_PX = 48
#: Pixels of the strip beside a square that are not looked at: tiles lie loosely, and cast shadows.
_STRIP_EDGE_PX = 2


class BorderSettings(Struct, frozen=True):
    """What of a kingdom is cut off by the border, and what shows that it ends before it."""

    #: Squares. A square that reaches so far out of the photo is cut off.
    cut_off: Annotated[float, "sure"] = 0.27
    #: Squares. Up to here a place may reach out of the photo, and the detector sees enough of it.
    still_seen: Annotated[float, "sure"] = 0.75
    #: Share of a place. A strip that is narrower than this tells nothing.
    least_strip: Annotated[float, "sure"] = 0.06
    #: Distance (about CIE L*a*b*) from the bare places that are most alike, up to which a strip
    #: shows the table. Of strips of rendered kingdoms that the border cuts between or in columns
    #: 0.2 % were less than 4 away, of bare strips 69 %.
    bare_strip: Annotated[float, "sure"] = 4.0
    #: The same distance, from which on a strip does not show the table. Of the same strips 2 % of
    #: kingdoms were less than 8 away, and 85 % of bare ones.
    tile_strip: Annotated[float, "sure"] = 8.0


BORDER = BorderSettings()


def border_doubts(kingdom: FoundKingdom) -> Iterator[Doubt]:
    """Doubt a kingdom that touches the border of the photo: more of it may lie beyond."""
    reading, taken = kingdom.reading, kingdom.reading.taken
    outside = kingdom.reach_outside(taken)
    yield Doubt(DoubtCode.BEYOND_BORDER, max(0.0, *outside))
    cut = tuple(at for at, out in zip(taken, outside, strict=True) if out > BORDER.cut_off)
    yield Doubt(DoubtCode.CUT_OFF, float(len(cut)), cut)
    free = reading.free_places
    beyond = kingdom.reach_outside(free) if free else []
    open_to = [(at, out) for at, out in zip(free, beyond, strict=True) if out > BORDER.cut_off]
    if not open_to:
        return
    hides = _measure_unlike(kingdom, [at for at, _ in open_to])
    for index, (at, out) in enumerate(open_to):
        # Of a place that reaches out only a little the detector sees enough to count half.
        if at in reading and out <= BORDER.still_seen:
            hides[index] = (float(kingdom.grid.tile_seen[at]) + hides[index]) / 2
    yield Doubt(DoubtCode.AT_BORDER, float(hides.max()))


def _measure_unlike(kingdom: FoundKingdom, places: Sequence[Position]) -> Array:
    """Return (n,): how unlike the bare table places are; 0 alike, 1 unlike or not seen at all."""
    taken = kingdom.reading.taken
    bare = kingdom.view.ground.bare_places(kingdom.grid.tile, taken)
    if len(bare) < SQUARES.least_ground:
        return np.ones(len(places))
    flat, seen = _view_from_above(kingdom)
    away = np.full(len(places), np.inf)
    for index, (row, col) in enumerate(places):
        part = slice((row + 1) * _STRIP_PX, (row + 2) * _STRIP_PX)
        across = slice((col + 1) * _STRIP_PX, (col + 2) * _STRIP_PX)
        shown = seen[part, across] & _mask_edges((row, col), taken)
        if shown.size and shown.mean() >= BORDER.least_strip:
            look = measure_look(flat[part, across][shown])
            gaps = np.sort(np.linalg.norm(bare - look, axis=1))
            away[index] = gaps[:NEAREST_BARE].mean()
    return np.asarray(np.interp(away, (BORDER.bare_strip, BORDER.tile_strip), (0.0, 1.0)))


def _view_from_above(kingdom: FoundKingdom) -> tuple[Image, NDArray[np.bool_]]:
    """Return the window of a grid, a place wider on every side, and which pixels the photo has."""
    grid, working = kingdom.grid, kingdom.view.working
    matrix = shift_origin(grid.homography, -1, -1)
    rows, cols = grid.rows + 2, grid.cols + 2
    located = working.locate(matrix)
    flat = rectify(working.pixels, located, (rows, cols), px=_STRIP_PX, reserve=GROUND_RESERVE)
    steps = [(np.arange(count * _STRIP_PX) + 0.5) / _STRIP_PX for count in (cols, rows)]
    points = np.stack(np.meshgrid(*steps), axis=-1).reshape(-1, 2)
    at = project(matrix, points)
    seen = np.all((at >= 0) & (at <= kingdom.size), axis=1)
    return flat, seen.reshape(flat.shape[:2])


def _mask_edges(at: Position, taken: Sequence[Position]) -> NDArray[np.bool_]:
    """Return (px, px): which pixels of a place are away from its squares, which may lie askew."""
    across = (np.arange(_STRIP_PX) + 0.5) / _STRIP_PX
    x, y = np.meshgrid(across, across)
    gaps = {(-1, 0): y, (1, 0): 1 - y, (0, -1): x, (0, 1): 1 - x}
    clear = np.ones_like(x, bool)
    for (down, right), gap in gaps.items():
        if (at[0] + down, at[1] + right) in taken:
            clear &= gap > _STRIP_EDGE_PX / _STRIP_PX
    return clear
