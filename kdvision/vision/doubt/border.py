"""The border of the photo beside a kingdom: how far it cuts, and whether more may lie beyond.

Where the border runs along the edge of a column, what is left of a kingdom looks whole. That it
ends there is shown by bare table beyond its squares, or by a box that is full.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from kdvision.arrays import Array, Image
from kdvision.photo.photo import Photo
from kdvision.photo.settings import PHOTO
from kdvision.reading import DoubtCode, Reading, Sign
from kdvision.rules.kingdom import Position, neighbours
from kdvision.vision.geometry import project, rectify
from kdvision.vision.grid.finder import Grid
from kdvision.vision.settings import DOUBT, SQUARES
from kdvision.vision.squares.window import NEAREST_BARE, Ground, bare_places, look_of

Mask = NDArray[np.bool_]

#: Pixels along a side of a place of which a strip is looked at, and those at its edge to a square
#: that are not: tiles lie loosely, and cast shadows.
_STRIP_PX, _EDGE_PX = 48, 2


def border_signs(photo: Photo, grid: Grid, reading: Reading, ground: Ground) -> Iterator[Sign]:
    """The kingdom touches the border of the photo, and more of it may lie beyond.

    Args:
        photo: The photo.
        grid: The grid of the kingdom.
        reading: What lies on it.
        ground: What the places of its window look like.
    """
    size = photo.width, photo.height
    reach = max(0.0, *outside(size, grid, reading.taken))
    yield Sign(DoubtCode.BEYOND_BORDER, reach)
    free = free_places(reading.taken)
    beyond = outside(size, grid, free) if free else []
    open_to = [(at, out) for at, out in zip(free, beyond, strict=True) if out > DOUBT.cut_off]
    if not open_to:
        return
    unlike = _unlike_ground(photo, grid, reading, ground, [at for at, _ in open_to])
    hides = max(
        _may_hide_a_tile(grid, at, out, float(strange))
        for (at, out), strange in zip(open_to, unlike, strict=True)
    )
    # A square that the border cuts shows that the border runs through the kingdom: where it could
    # go on, it may well do so.
    yield Sign(DoubtCode.AT_BORDER, hides + min(reach, 1.0) if hides else 0.0)


def outside(size: tuple[int, int], grid: Grid, places: Sequence[Position]) -> list[float]:
    """How far each place reaches out of a photo of (width, height) pixels, in squares."""
    first = np.array(places, float).reshape(-1, 1, 2)[..., ::-1]
    corners = (first + np.array([[0, 0], [1, 0], [1, 1], [0, 1]])).reshape(-1, 2)
    pixels = project(grid.homography, corners).reshape(-1, 8)
    limit = np.array([*size] * 4)
    most = np.maximum(-pixels, pixels - limit).max(axis=1) / grid.square_px
    reach: list[float] = most.tolist()
    return reach


def free_places(taken: tuple[Position, ...]) -> list[Position]:
    """Places beside squares on which a kingdom of that size could go on (RULES 5.4)."""
    low, high = np.min(taken, axis=0), np.max(taken, axis=0)
    most = 5 if (high - low < 5).all() else 7
    beyond = {beside for at in taken for beside in neighbours(at)} - set(taken)
    return [
        at for at in sorted(beyond) if (np.maximum(high, at) - np.minimum(low, at) < most).all()
    ]


def _may_hide_a_tile(grid: Grid, at: Position, out: float, unlike: float) -> float:
    """How likely a place that the border cuts holds a tile that goes unseen, 0 to 1.

    Of what reaches less out the detector sees something, too, and counts as much as the look of it.
    """
    inside = 0 <= at[0] < grid.rows and 0 <= at[1] < grid.cols
    if inside and out <= DOUBT.still_seen:
        return (float(grid.tile_seen[at]) + unlike) / 2
    return unlike


def _unlike_ground(
    photo: Photo, grid: Grid, reading: Reading, ground: Ground, places: Sequence[Position]
) -> Array:
    """How unlike the bare table what is seen of places is: 0 alike, 1 not, or nothing is seen.

    Args:
        photo: The photo.
        grid: The grid of the kingdom.
        reading: What lies on it.
        ground: What the places of its window look like.
        places: The places.

    Returns:
        (n,) one value for each place.
    """
    bare = bare_places(ground, grid.tile, reading.taken)
    if len(bare) < SQUARES.least_ground:
        return np.ones(len(places))
    flat, seen = _from_above(photo, grid)
    away = np.full(len(places), np.inf)
    for index, (row, col) in enumerate(places):
        part = slice((row + 1) * _STRIP_PX, (row + 2) * _STRIP_PX)
        across = slice((col + 1) * _STRIP_PX, (col + 2) * _STRIP_PX)
        shown = seen[part, across] & _off_the_squares((row, col), reading.taken)
        if shown.size and shown.mean() >= DOUBT.least_strip:
            look = look_of(flat[part, across][shown])
            gaps = np.sort(np.linalg.norm(bare - look, axis=1))
            away[index] = gaps[:NEAREST_BARE].mean()
    return np.asarray(np.interp(away, (DOUBT.bare_strip, DOUBT.tile_strip), (0.0, 1.0)))


def _from_above(photo: Photo, grid: Grid) -> tuple[Image, Mask]:
    """The window of a grid and a place more on every side, and which of its pixels are in it."""
    pixels, scale = photo.pixels(PHOTO.working_side_px)
    to_pixels = np.array([[1 / scale, 0, -0.5], [0, 1 / scale, -0.5], [0, 0, 1]])
    matrix = grid.homography @ np.array([[1, 0, -1], [0, 1, -1], [0, 0, 1.0]])
    rows, cols = grid.rows + 2, grid.cols + 2
    flat = rectify(pixels, to_pixels @ matrix, rows, cols, px=_STRIP_PX, reserve=1.5)
    steps = [(np.arange(count * _STRIP_PX) + 0.5) / _STRIP_PX for count in (cols, rows)]
    points = np.stack(np.meshgrid(*steps), axis=-1).reshape(-1, 2)
    at = project(matrix, points)
    seen: Mask = np.all((at >= 0) & (at <= [photo.width, photo.height]), axis=1)
    return flat, seen.reshape(flat.shape[:2])


def _off_the_squares(at: Position, taken: Sequence[Position]) -> Mask:
    """(px, px) which pixels of a place are not at its edge to a square: that may lie askew."""
    across = (np.arange(_STRIP_PX) + 0.5) / _STRIP_PX
    x, y = np.meshgrid(across, across)
    gaps = {(-1, 0): y, (1, 0): 1 - y, (0, -1): x, (0, 1): 1 - x}
    clear = np.ones_like(x, bool)
    for (down, right), gap in gaps.items():
        if (at[0] + down, at[1] + right) in taken:
            clear &= gap > _EDGE_PX / _STRIP_PX
    return clear
