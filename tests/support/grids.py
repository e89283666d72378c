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
    rows, cols = reading.height, reading.width
    flat = np.ones((rows, cols))
    homography = np.array([[side, 0, at[0]], [0, side, at[1]], [0, 0, 1.0]])
    grid = Grid(
        homography=homography,
        rows=rows,
        cols=cols,
        centres=middles(rows, cols),
        found=flat > 0,
        castle=flat,
        tile=flat,
        tile_seen=flat,
        agreed=flat,
        residual=0.01,
        square_px=side,
    )
    return replace(grid, **fields)


def seen_at(
    x: float,
    y: float,
    line: str = "C W W/F F -",
    side: float = 60.0,
    slope: float = 0.0,
    **more: Any,
) -> FoundKingdom:
    """A kingdom and its grid, whose first place is at (x, y), with the middles of its places.

    With a `slope` squares become smaller to the right; `more` is for `reading_of`.
    """
    reading = reading_of(line, **more)
    grid = grid_of(reading, side, homography=np.array([[side, 0, x], [0, side, y], [slope, 0, 1]]))
    places = tuple(
        tuple(
            replace(place, center=tuple(grid.middles_of([(row, col)])[0].tolist()))
            for col, place in enumerate(line)
        )
        for row, line in enumerate(reading.places)
    )
    return found_of(grid, replace(reading, places=places))


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
