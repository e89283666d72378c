"""What in the photo itself is a reason not to trust a reading.

The classifier's probabilities say how much a patch looks like a square of the deck. They say
nothing of a grid that does not fit, of squares beyond the border, or of a file that is damaged.
Doubts do: each has a weight, and they are weighed together, see `pipeline/trust.py`.
"""

from collections.abc import Iterator, Set
from typing import Annotated

import numpy as np
from msgspec import Struct

from kdvision.photo.photo import Photo
from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.rules.kingdom import Position, neighbours
from kdvision.rules.terrain import CASTLE_MARK
from kdvision.vision.border import border_doubts
from kdvision.vision.clarity import clarity_doubts
from kdvision.vision.clipping import find_clipped
from kdvision.vision.evenness import find_even
from kdvision.vision.found import FoundKingdom
from kdvision.vision.grid.grid import Grid, taken_mask
from kdvision.vision.obstructions import Obstructed, obstruction_doubts
from kdvision.vision.squares.ground import UNLIKE_GROUND

#: Pixels along the side of a square from which on its size hides nothing: doubts begin below.
CLEAR_SQUARE_PX = 64.0


class DoubtSettings(Struct, frozen=True):
    """Which places of a reading are uncertain.

    How far each doubt lowers the trust in a total is fitted, in `models/trust.json`.
    """

    #: Share. From it on a place looks like a tile to the detector.
    like_tile: Annotated[float, "sure"] = 0.5
    #: Share of agreeing pixels. From it on a square is clearly found.
    clearly_found: Annotated[float, "sure"] = 0.5
    #: Squares, castle included, up to which an unclear castle is a doubt: a row of dominoes and a
    #: picture on a box have squares, too.
    few_squares: Annotated[int, "sure"] = 9


DOUBT = DoubtSettings()


def look_for_doubts(kingdom: FoundKingdom, obstructed: Obstructed | None = None) -> FoundKingdom:
    """Return a kingdom with its doubts: what the photo shows that goes with wrong totals.

    Args:
        kingdom: The kingdom.
        obstructed: What lies on its places; None where the network was not asked.
    """
    bare, taken = _shown_bare(kingdom), kingdom.reading.taken
    free = kingdom.reading.height * kingdom.reading.width - len(taken)
    unlit = find_clipped(kingdom.view.flat, taken, bare, free)
    found = [
        *_file_doubts(kingdom.photo),
        *border_doubts(kingdom),
        *_grid_doubts(kingdom),
        *_detector_doubts(kingdom),
        *_castle_doubts(kingdom.reading),
        *obstruction_doubts(kingdom, obstructed, find_even(kingdom.view.flat, bare) - unlit),
        *clarity_doubts(kingdom.view.flat, taken),
        _clipped_doubt(kingdom, unlit),
    ]
    return kingdom.with_doubts(*(doubt for doubt in found if doubt.weight > 0))


def _file_doubts(photo: Photo) -> Iterator[Doubt]:
    """Doubt a file that is damaged."""
    if damage := photo.damage:
        yield Doubt(DoubtCode.DAMAGED_FILE, fields={**damage.fields, "damage": damage.key})


def _grid_doubts(kingdom: FoundKingdom) -> Iterator[Doubt]:
    """Doubt squares that are small, or tiles that lie loosely."""
    grid = kingdom.grid
    small = max(0.0, float(np.log2(CLEAR_SQUARE_PX / max(grid.square_px, 1.0))))
    yield Doubt(DoubtCode.SMALL_SQUARES, small, fields={"pixels": round(grid.square_px)})
    yield Doubt(DoubtCode.LOOSE_LATTICE, grid.residual)


def _detector_doubts(kingdom: FoundKingdom) -> Iterator[Doubt]:
    """Find the places where detector and classifier do not agree.

    What lies beside a kingdom and is no table may be a tile of another game, or turned over.
    """
    unlike = find_unseen(kingdom.grid, kingdom.reading)
    yield Doubt(DoubtCode.NOT_FOUND, float(len(unlike)), unlike)
    if beside := find_unread(kingdom.grid, kingdom.reading):
        away = np.nan_to_num(kingdom.view.ground.bare_distance(kingdom.grid.tile))
        unlike_table = max(float(away[at]) for at in beside) / UNLIKE_GROUND
        yield Doubt(DoubtCode.NOT_READ, 1.0 + unlike_table, beside)


def find_unseen(grid: Grid, reading: Reading) -> tuple[Position, ...]:
    """Find the places where the classifier sees a square and the detector does not, or not clearly.

    A standing castle hides the outline of the start tile, so there a likeness is enough.
    """
    unseen = []
    for at in sorted({*reading.taken} - reading.hidden_places):
        is_found = grid.found[at] and grid.agreed[at] >= DOUBT.clearly_found
        is_like_castle = reading[at].label == CASTLE_MARK and grid.tile[at] >= DOUBT.like_tile
        if not is_found and not is_like_castle:
            unseen.append(at)
    return tuple(unseen)


def find_unread(grid: Grid, reading: Reading) -> tuple[Position, ...]:
    """Find the places beside a kingdom where the detector sees a tile, and the classifier none."""
    taken = set(reading.taken)
    seen = grid.found & (grid.tile > 1 - DOUBT.like_tile)
    tiles = [(int(row), int(col)) for row, col in np.argwhere(seen)]
    return tuple(at for at in tiles if at not in taken and not taken.isdisjoint(neighbours(at)))


def _castle_doubts(reading: Reading) -> Iterator[Doubt]:
    """Doubt a kingdom without a clear castle: few squares may be dominoes of a draft row."""
    taken = reading.taken
    if len(taken) <= DOUBT.few_squares:
        castle = reading.castle
        places = (castle,) if castle else ()
        yield Doubt(DoubtCode.UNCLEAR_CASTLE, 1 - reading.castle_likeness, places)
    castles = tuple(at for at in taken if reading[at].label == CASTLE_MARK)
    weight = float(len(castles)) if len(castles) > 1 else 0.0
    yield Doubt(DoubtCode.SEVERAL_CASTLES, weight, castles)


def _clipped_doubt(kingdom: FoundKingdom, unlit: Set[Position]) -> Doubt:
    """Doubt squares that light hides, and places of which it hides whether the kingdom goes on.

    Args:
        kingdom: The kingdom.
        unlit: The places of its window that light hides.
    """
    taken = kingdom.reading.taken
    hidden = tuple(sorted(unlit & {*taken, *kingdom.reading.free_places}))
    return Doubt(DoubtCode.NOT_LIT, float(len(hidden)), hidden)


def _shown_bare(kingdom: FoundKingdom) -> list[Position]:
    """Return the places of a window that the photo shows, and on which no tile is seen."""
    ground = kingdom.view.ground
    shown = ground.inside[ground.window] & ~taken_mask(kingdom.reading)
    return [(int(row), int(col)) for row, col in np.argwhere(shown)]
