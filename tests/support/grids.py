"""Grids made by hand, for readings made by hand."""

from collections.abc import Mapping, Sequence

import numpy as np

from kdvision.corrections import FixPlace
from kdvision.options import GameOptions
from kdvision.pipeline.fixes import with_fixes, with_settling_fixes
from kdvision.pipeline.judgement import judge
from kdvision.pipeline.kingdoms import decode_kingdoms
from kdvision.pipeline.reader import Seen
from kdvision.pipeline.trust import Trust
from kdvision.reading import Reading
from kdvision.result import KingdomResult
from kdvision.vision.grid.finder import Grid, middles
from tests.support.readings import reading_of


def grid_of(reading: Reading, side: float = 100.0, at: tuple[float, float] = (0.0, 0.0)) -> Grid:
    """The grid of a reading: squares of `side` pixels, straight, from the pixel `at` (x, y) on."""
    rows, cols = reading.height, reading.width
    flat = np.ones((rows, cols))
    homography = np.array([[side, 0, at[0]], [0, side, at[1]], [0, 0, 1.0]])
    maps = (middles(rows, cols), flat > 0, flat, flat, flat, flat)
    return Grid(homography, rows, cols, *maps, 0.01, side)


def seen_of(line: str) -> tuple[Grid, Reading]:
    """A clear kingdom and its grid."""
    reading = reading_of(line)
    return grid_of(reading), reading


def kingdom_results(
    photo: str,
    seen: Sequence[Seen],
    options: GameOptions,
    fixes: Mapping[FixPlace, str] | None = None,
    trust: Trust | None = None,
) -> tuple[KingdomResult, ...]:
    """The kingdoms of one photo, decoded and judged without a look at its seams."""
    trust, given = trust or Trust(), fixes or {}
    kingdoms = decode_kingdoms(seen, options)

    def judged(trial: Mapping[FixPlace, str], index: int) -> KingdomResult:
        return judge(with_fixes(kingdoms, trial, options, photo)[index], options, trust)

    fixed = with_fixes(kingdoms, given, options, photo)
    results = [judge(kingdom, options, trust) for kingdom in fixed]
    return tuple(with_settling_fixes(fixed, results, given, judged))
