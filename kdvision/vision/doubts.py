"""What in the photo itself is a reason not to trust a reading.

The classifier's probabilities say how much a patch looks like a square of the deck. They say
nothing of a grid that does not fit, of squares beyond the border, or of a file that is damaged.
Doubts do: each has a weight, and they are weighed together, see `pipeline/trust.py`.

Where the border of the photo runs along the edge of a column, what is left of a kingdom looks
whole. Only bare table beyond its squares, or a box that is full, shows that it ends there.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from math import exp
from typing import Annotated

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from kdvision.arrays import Array, Image, median
from kdvision.odds import expit, logit
from kdvision.photo.photo import Photo
from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.rules.kingdom import Position, neighbours
from kdvision.rules.rules import MAX_SIZE
from kdvision.rules.terrain import CASTLE_MARK
from kdvision.vision.clipping import find_clipped
from kdvision.vision.evenness import find_even
from kdvision.vision.found import FoundKingdom
from kdvision.vision.geometry import project, rectify, shift_origin
from kdvision.vision.grid.grid import Grid, taken_mask
from kdvision.vision.models import Model
from kdvision.vision.squares.settings import SQUARES
from kdvision.vision.squares.window import (
    BORDER_PX,
    GROUND_RESERVE,
    NEAREST_BARE,
    OBSTRUCTION_PX,
    PX_PER_SQUARE,
    UNLIKE_GROUND,
    measure_look,
    view_around,
)

#: Pixels along the side of a square from which on its size hides nothing: doubts begin below.
CLEAR_SQUARE_PX = 64.0
#: Share of contrast finer than a crown from which on blur hides nothing.
CLEAR_DETAIL = 0.6
#: Mean brightness (0 to 255) from which on darkness hides nothing.
CLEAR_LIGHT = 80.0
#: probability that something lies on a place, from which on the place is named: there it begins to
#: cost trust. Of 38 totals that a thing over the kingdom made wrong, and that nothing else doubted,
#: 37 had 0.45 or more on an empty place; of 283 right totals with nothing over the kingdom five had
#: more than 0.33.
OBSTRUCTED_FROM = 0.3
#: probability. Neither the look of the ground nor the network counts as surer than this. With 0.998
#: the ground, which looked bare, overruled the network where hands lay over half a kingdom.
_MOST_OBSTRUCTED = 0.97
#: log-odds. Where the photo shows too little ground to compare a place with, the network is alone,
#: and an empty place beside a kingdom is so much likelier to have something on it: kingdoms that
#: fill a photo are whole, mostly. Of 34 photographed boards without a thing on them, of which eight
#: such places are seen, none has more than -8 in the network; of 644 squares of the same boards
#: that were not seen for hands, cards, strips or light 606 have more than -5.
_ALONE = 5.0
#: log-odds that anything lies on a tile, from which on it is named. The network learns from windows
#: of which half have things on them, so that it expects them: of 249 rendered pictures of 540
#: kingdoms in the open 4 have a square of so much, and 8 one of 7; of 120 photographed boards,
#: damaged, 1 and 2. Of 142 kingdoms that things made wrong 86 have one of so much, and 94 one of 7.
ON_TILE_FROM = 8.0
#: Pixels along a side of a place of which a strip at the border is looked at.
_STRIP_PX = 48
#: Pixels of the strip beside a square that are not looked at: tiles lie loosely, and cast shadows.
_STRIP_EDGE_PX = 2
#: Value (0 to 255) from which on a pixel is burnt out, in all three colours.
_BURNT_VALUE = 250
#: Squares. Detail is what is finer than this: crowns are about a tenth of a square.
_FINE_DETAIL = 0.06
#: Pixels of the rectified window at the edge of a square that are not looked at.
_EDGE_PX = 5


class DoubtSettings(Struct, frozen=True):
    """Which places of a reading are uncertain.

    How far each doubt lowers the trust in a total is fitted, in `models/trust.json`.
    """

    # ------------------------------------------------------------------ border of the photo

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

    # ------------------------------------------------------------------ detector against classifier

    #: Share. From it on a place looks like a tile to the detector.
    like_tile: Annotated[float, "sure"] = 0.5
    #: Share of agreeing pixels. From it on a square is clearly found.
    clearly_found: Annotated[float, "sure"] = 0.5

    # ------------------------------------------------------------------ what lies on a place

    #: The odds that something lies on an empty place are the probability that the classifier calls
    #: it hidden, times exp(odd_weight * oddness - odd_from). Both numbers were fitted on 331 scenes
    #: of the training set, half of them with things of any shape and pattern on them: from 0.09 on
    #: 92 % of the kingdoms with an obstructed place are told, and 2 % of those without one.
    odd_weight: Annotated[float, "sure"] = 3.0
    #: See `odd_weight`: how odd bare ground is.
    odd_from: Annotated[float, "sure"] = 2.0
    #: How odd an empty place is, from which on it is no ground where it looks like a plain paper.
    #: Of 848 kingdoms of rendered tables 4 have such a place beside them; with a plain paper over
    #: one square of each of the 400 tables 100 have one, and 34 of these are read wrongly.
    odd_paper: Annotated[float, "sure"] = 3.0
    #: The number of places beside a kingdom that are unlike all ground, above which the picture is
    #: taken for broken, and the network is not asked. Of 283 kingdoms in the open one had more than
    #: three; files whose bytes are broken, and decode to wrong pixels, have five.
    most_apart: int = 3

    # ------------------------------------------------------------------ an unclear castle

    #: Squares, castle included, up to which an unclear castle is a doubt: a row of dominoes and a
    #: picture on a box have squares, too.
    few_squares: Annotated[int, "sure"] = 9


DOUBT = DoubtSettings()


class Obstructed(Struct, frozen=True, eq=False):
    """What networks say of things that lie on the places of a window.

    Attributes:
        hidden: (rows, cols) the log-odds that a tile lies on a place, and most of it is hidden.
        touched: (rows, cols) the log-odds that anything lies on the tile of a place.
    """

    hidden: Array
    touched: Array


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
        *_obstruction_doubts(kingdom, obstructed, find_even(kingdom.view.flat, bare) - unlit),
        *_light_doubts(kingdom),
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


def read_obstructions(kingdom: FoundKingdom, covers: Model, obstructions: Model) -> Obstructed:
    """Read what lies on the places of a kingdom's window.

    Args:
        kingdom: The kingdom.
        covers: The model of that name, which sees whole tiles that are hidden.
        obstructions: The model of that name, which sees what is as small as a crown.
    """
    view = kingdom.view
    window = view.ground.window
    close = view_around(view.working, kingdom.grid, OBSTRUCTION_PX)
    hidden = covers.run(view.small[None])[0, 0].astype(np.float64)
    touched = obstructions.run(close[None])[0, 0].astype(np.float64)
    return Obstructed(hidden=hidden[window], touched=touched[window])


def _obstruction_doubts(
    kingdom: FoundKingdom, obstructed: Obstructed | None, even: Set[Position]
) -> Iterator[Doubt]:
    """Find the places in or beside the kingdom on which a hand, a note, a die or a card may lie.

    A large thing hides most of a tile: one beside the kingdom, or one that is read but not clearly.
    A small thing hides a crown on a square that is as clear as any, and so does a plain paper or a
    patch of one colour.

    Args:
        kingdom: The kingdom.
        obstructed: What lies on its places; None where the network was not asked.
        even: The places without a tile that have one colour.
    """
    reading = kingdom.reading
    chances = _chances_beside(kingdom, obstructed)
    chances |= dict.fromkeys(even & chances.keys(), 1.0)
    squares = sorted({*reading.taken} - reading.hidden_places)
    touched = {*find_even(kingdom.view.flat, squares)}
    for at in squares:
        if reading[at].paper and reading[at].label != CASTLE_MARK:
            touched.add(at)
    if obstructed is not None:
        for at in squares:
            # The network counts once here, and twice beside the kingdom. Counted twice here too,
            # three of 743 kingdoms with nothing on them reach 0.5, where now none does; of four
            # that were sure and wrong three are told either way.
            unclear = 1 - max(reading[at].probabilities)
            chances[at] = _weigh(unclear, obstructed.hidden[at], 1)
            if obstructed.touched[at] >= ON_TILE_FROM:
                touched.add(at)
    on_tile = tuple(sorted(touched - {reading.castle}))
    likely = tuple(at for at in sorted(chances) if chances[at] > OBSTRUCTED_FROM)
    yield Doubt(DoubtCode.OBSTRUCTED, max(chances.values(), default=0.0), likely)
    yield Doubt(DoubtCode.ON_TILE, float(len(on_tile)), on_tile)


def _chances_beside(kingdom: FoundKingdom, obstructed: Obstructed | None) -> dict[Position, float]:
    """Return the probability that something lies on a tile on each place beside a kingdom.

    - A place that is unlike the ground around, and that the classifier does not clearly call empty,
      is likely to have something on it.
    - A place that is unlike all ground has something on it, whatever the classifier says, unless
      the detector sees a tile: that is one of another kingdom.
    - A place that looks like a plain paper, and is very odd, has one on it, whatever all else says.
    - The network, which sees what things look like and how they lie, is right more often than the
      ground and counts twice; but not where the picture is broken.
    - Where the photo shows next to no ground, the network is asked alone.
    """
    reading, ground = kingdom.reading, kingdom.view.ground
    empty = ~taken_mask(reading)
    odd = ground.oddness(empty)
    shown, is_compared = ground.inside[ground.window], ground.is_compared(empty)
    apart = ground.covered(empty) & (kingdom.grid.tile < SQUARES.bare_below)
    free = [at for at in free_places(reading.taken) if at in reading]
    broken = sum(apart[at] for at in free) > DOUBT.most_apart
    chances = {}
    for at in free:
        odds = reading[at].hidden * exp(DOUBT.odd_weight * odd[at] - DOUBT.odd_from)
        chance = 1.0 if apart[at] else odds / (1 + odds)
        if obstructed is not None and not broken:
            if shown[at] and not is_compared:
                chance = expit(obstructed.hidden[at] + _ALONE)
            else:
                chance = _weigh(chance, obstructed.hidden[at], 2)
        has_paper = reading[at].paper and odd[at] >= DOUBT.odd_paper
        chances[at] = 1.0 if has_paper else chance
    return chances


def _weigh(chance: float, log_odds: float, weight: int) -> float:
    """Return the mean, in log-odds, of a probability and of another that counts `weight` times."""
    most = logit(_MOST_OBSTRUCTED)
    likely = min(max(chance, 1 - _MOST_OBSTRUCTED), _MOST_OBSTRUCTED)
    seen = min(max(log_odds, -most), most)
    return expit((logit(likely) + weight * seen) / (1 + weight))


def _light_doubts(kingdom: FoundKingdom) -> Iterator[Doubt]:
    """Doubt blur, darkness and glare that hide crowns."""
    seen = measure_clarity(kingdom.view.flat, kingdom.reading.taken)
    yield Doubt(DoubtCode.BLURRED, max(0.0, CLEAR_DETAIL - seen.detail))
    yield Doubt(DoubtCode.DARK, max(0.0, 1 - seen.light / CLEAR_LIGHT))
    yield Doubt(DoubtCode.GLARE, seen.burnt)


def _clipped_doubt(kingdom: FoundKingdom, unlit: Set[Position]) -> Doubt:
    """Doubt squares that light hides, and places of which it hides whether the kingdom goes on.

    Args:
        kingdom: The kingdom.
        unlit: The places of its window that light hides.
    """
    taken = kingdom.reading.taken
    hidden = tuple(sorted(unlit & {*taken, *free_places(taken)}))
    return Doubt(DoubtCode.NOT_LIT, float(len(hidden)), hidden)


def _shown_bare(kingdom: FoundKingdom) -> list[Position]:
    """Return the places of a window that the photo shows, and on which no tile is seen."""
    ground = kingdom.view.ground
    shown = ground.inside[ground.window] & ~taken_mask(kingdom.reading)
    return [(int(row), int(col)) for row, col in np.argwhere(shown)]


# ---------------------------------------------------------------------- the border of the photo


def border_doubts(kingdom: FoundKingdom) -> Iterator[Doubt]:
    """Doubt a kingdom that touches the border of the photo: more of it may lie beyond."""
    reading, taken = kingdom.reading, kingdom.reading.taken
    outside = kingdom.reach_outside(taken)
    yield Doubt(DoubtCode.BEYOND_BORDER, max(0.0, *outside))
    cut = tuple(at for at, out in zip(taken, outside, strict=True) if out > DOUBT.cut_off)
    yield Doubt(DoubtCode.CUT_OFF, float(len(cut)), cut)
    free = free_places(taken)
    beyond = kingdom.reach_outside(free) if free else []
    open_to = [(at, out) for at, out in zip(free, beyond, strict=True) if out > DOUBT.cut_off]
    if not open_to:
        return
    hides = _measure_unlike(kingdom, [at for at, _ in open_to])
    for index, (at, out) in enumerate(open_to):
        # Of a place that reaches out only a little the detector sees enough to count half.
        if at in reading and out <= DOUBT.still_seen:
            hides[index] = (float(kingdom.grid.tile_seen[at]) + hides[index]) / 2
    yield Doubt(DoubtCode.AT_BORDER, float(hides.max()))


def free_places(taken: tuple[Position, ...]) -> list[Position]:
    """Find the places beside squares on which a kingdom of that size could go on (RULES 5.4)."""
    low, high = np.min(taken, axis=0), np.max(taken, axis=0)
    most = 5 if (high - low < 5).all() else MAX_SIZE
    beyond = {beside for at in taken for beside in neighbours(at)} - set(taken)
    return [
        at for at in sorted(beyond) if (np.maximum(high, at) - np.minimum(low, at) < most).all()
    ]


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
        if shown.size and shown.mean() >= DOUBT.least_strip:
            look = measure_look(flat[part, across][shown])
            gaps = np.sort(np.linalg.norm(bare - look, axis=1))
            away[index] = gaps[:NEAREST_BARE].mean()
    return np.asarray(np.interp(away, (DOUBT.bare_strip, DOUBT.tile_strip), (0.0, 1.0)))


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


# ---------------------------------------------------------------------- how clear squares are


class Clarity(Struct, frozen=True):
    """How clear the squares of a kingdom are.

    Attributes:
        detail: The share of contrast that is finer than a crown, in the median square.
        light: Mean brightness of the median square, 0 to 255.
        burnt: The largest share of a square that is burnt out.
    """

    detail: float
    light: float
    burnt: float


def measure_clarity(flat: Image, taken: Iterable[Position]) -> Clarity:
    """Measure the squares of a kingdom.

    Args:
        flat: The window of its grid as seen from above, as `window.flatten` gives it.
        taken: The (row, col) of its squares; at least one.
    """
    places = np.array(list(taken))
    low, high = places.min(axis=0) * PX_PER_SQUARE, (places.max(axis=0) + 1) * PX_PER_SQUARE
    part = flat[low[0] : high[0] + 2 * BORDER_PX, low[1] : high[1] + 2 * BORDER_PX]
    grey = cv2.cvtColor(part, cv2.COLOR_RGB2GRAY)
    soft = cv2.GaussianBlur(grey, (0, 0), _FINE_DETAIL * PX_PER_SQUARE)
    fine = cv2.subtract(grey, soft, dtype=cv2.CV_16S)
    burnt = cv2.inRange(part, (_BURNT_VALUE,) * 3, (255,) * 3)
    figures = []
    inner_px = PX_PER_SQUARE - 2 * _EDGE_PX
    first = BORDER_PX + _EDGE_PX
    for top, left in (places * PX_PER_SQUARE - low + first).tolist():
        inner = slice(top, top + inner_px), slice(left, left + inner_px)
        figures.append((grey[inner], fine[inner], burnt[inner]))
    greys, fines, burnts = (np.array(values, np.float32) for values in zip(*figures, strict=True))
    detail = fines.std(axis=(1, 2)) / np.maximum(greys.std(axis=(1, 2)), 1.0)
    whitest = float(burnts.mean(axis=(1, 2)).max()) / 255
    return Clarity(median(detail), median(greys.mean(axis=(1, 2))), whitest)
