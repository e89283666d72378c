"""Grids made by hand, for readings made by hand."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, cast

import numpy as np
from msgspec.structs import replace

from kdvision.corrections import FixPlace
from kdvision.photo.photo import Photo, open_photo
from kdvision.pipeline.decoded import decode_kingdoms
from kdvision.pipeline.judgement import judge_kingdoms
from kdvision.pipeline.read_photo import ReadKingdom, to_rows
from kdvision.pipeline.results import make_result
from kdvision.pipeline.trust import Trust
from kdvision.reading import Reading
from kdvision.result import KingdomResult
from kdvision.rules.rules import Rules
from kdvision.vision.found import FoundKingdom
from kdvision.vision.grid.grid import Grid, middles
from kdvision.vision.squares.window import WindowView, view_window
from tests.support.readings import reading_of

#: (width, height) in pixels of the photos in which kingdoms made by hand lie.
SIZE = (1600, 1200)


def grid_of(
    reading: Reading,
    side: float = 100.0,
    at: tuple[float, float] = (0.0, 0.0),
    **fields: object,
) -> Grid:
    """The grid of a reading: squares of `side` pixels, straight, from the pixel `at` (x, y) on.

    A square is clearly found on every place; `fields` are others of a `Grid`.
    """
    grid = straight_grid(reading.height, reading.width, side, at, like_tile=1.0)
    return replace(grid, **fields)


def straight_grid(
    rows: int, cols: int, side: float, at: tuple[float, float], like_tile: float
) -> Grid:
    """Squares of `side` pixels from the pixel `at` (x, y) on, each as like a tile as the others."""
    likeness = np.full((rows, cols), like_tile)
    return Grid(
        homography=np.array([[side, 0, at[0]], [0, side, at[1]], [0, 0, 1.0]]),
        rows=rows,
        cols=cols,
        centres=middles(rows, cols),
        found=likeness > 0,
        castle=likeness,
        tile=likeness,
        tile_seen=likeness,
        agreed=np.ones((rows, cols)),
        residual=0.01,
        square_px=side,
    )


def seen_at(
    x: float,
    y: float,
    line: str = "C W W/F F -",
    side: float = 60.0,
    slope: float = 0.0,
    turn: float = 0.0,
    **more: Any,
) -> FoundKingdom:
    """A kingdom and its grid, whose first place is at (x, y), with the middles of its places.

    With a `slope` squares become smaller to the right; it is turned around (x, y) by `turn`
    degrees; `more` is for `reading_of`.
    """
    reading = reading_of(line, **more)
    along, across = side * np.cos(np.radians(turn)), side * np.sin(np.radians(turn))
    homography = np.array([[along, -across, x], [across, along, y], [slope, 0, 1]])
    grid = grid_of(reading, side, homography=homography)
    rows = []
    for row, places in enumerate(reading.places):
        centres = grid.middles_of([(row, col) for col in range(reading.width)]).tolist()
        moved = zip(places, centres, strict=True)
        rows.append(tuple(replace(place, center=tuple(centre)) for place, centre in moved))
    return found_of(grid, replace(reading, places=tuple(rows)))


def found_of(grid: Grid, reading: Reading, size: tuple[int, int] = SIZE) -> FoundKingdom:
    """A kingdom in a photo of which nothing but its (width, height) in pixels is known."""
    return FoundKingdom(_blank(size), grid, reading, cast(WindowView, None))


def found_in(photo: Photo, grid: Grid, reading: Reading) -> FoundKingdom:
    """A kingdom in a photo that shows it."""
    return FoundKingdom(photo, grid, reading, view_window(photo, grid))


@cache
def _blank(size: tuple[int, int]) -> Photo:
    return open_photo(np.zeros((size[1], size[0], 3), np.uint8))


def read_of(grid: Grid, reading: Reading) -> ReadKingdom:
    """What is kept of a kingdom, without a look at its castle and its seams."""
    return ReadKingdom(reading, to_rows(grid.homography))


def seen_of(line: str) -> ReadKingdom:
    """A clear kingdom."""
    reading = reading_of(line)
    return read_of(grid_of(reading), reading)


def kingdom_results(
    photo: str,
    seen: Sequence[ReadKingdom],
    rules: Rules,
    fixes: Mapping[FixPlace, str] | None = None,
    trust: Trust | None = None,
) -> tuple[KingdomResult, ...]:
    """The kingdoms of one photo, decoded and judged without a look at its seams."""
    kingdoms = decode_kingdoms(seen, rules)
    judged = judge_kingdoms(kingdoms, fixes or {}, rules, trust or Trust(), photo)
    return tuple(make_result(kingdom, assessed, rules) for kingdom, assessed in judged)
