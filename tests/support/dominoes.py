"""The dominoes of the photos in `samples/`, as their plans lay them, on the grids found in them."""

from dataclasses import dataclass

import numpy as np

from kdvision.rules.kingdom import Pair, Position
from kdvision.vision.geometry import project
from kdvision.vision.grid.finder import Grid
from scripts.synthesis.rendering.layout import apply, pose
from scripts.synthesis.staging.plans import read_plan
from scripts.synthesis.staging.sample_book import BOOK
from scripts.synthesis.staging.shot import Lay
from scripts.synthesis.staging.stage import FINER, camera_of

#: How high the face of a tile lies, in squares.
_HEIGHT = 0.05


@dataclass(frozen=True, slots=True)
class Laid:
    """A sample: the pixel (x, y) of every square, and which two are one domino."""

    file: str
    dominoes: tuple[tuple[tuple[float, float], tuple[float, float]], ...]

    def pairs_on(self, grid: Grid) -> dict[Pair, bool]:
        """The neighbouring squares on a grid, each pair with whether it is one domino."""
        inverse = np.asarray(np.linalg.inv(grid.homography), np.float64)
        place_of: dict[Position, int] = {}
        for number, halves in enumerate(self.dominoes):
            for x, y in project(inverse, np.array(halves)):
                row, col = int(np.floor(y)), int(np.floor(x))
                near = max(abs(y - row - 0.5), abs(x - col - 0.5)) < 0.3
                if near and 0 <= row < grid.rows and 0 <= col < grid.cols:
                    place_of[row, col] = number
        return {
            (at, other): number == place_of[other]
            for at, number in place_of.items()
            for other in ((at[0], at[1] + 1), (at[0] + 1, at[1]))
            if other in place_of
        }


def laid_in_samples() -> list[Laid]:
    """All samples with kingdoms, but for one whose picture lies on its side."""
    return [
        Laid(shot.file, tuple(pair for lay in shot.kingdoms for pair in _halves(lay, shot)))
        for shot in BOOK
        if shot.kingdoms and "sideways" not in shot.file
    ]


def _halves(lay: Lay, shot):  # type: ignore[no-untyped-def]
    plan = read_plan(lay.plan)
    turn, pitch = np.radians(lay.turn), 1.0 + lay.gap
    centre = np.array([[plan.kingdom.width / 2, plan.kingdom.height / 2]])
    middle = apply(pose((0, 0), turn, pitch), centre)[0]
    where = pose((lay.at[0] - middle[0], lay.at[1] - middle[1]), turn, pitch)
    camera = camera_of(shot)
    for _, left, right in plan.dominoes:
        middles = apply(where, np.array([(col + 0.5, row + 0.5) for row, col in (left, right)]))
        pixels = camera.project(np.c_[middles, np.full(2, _HEIGHT)]) / FINER
        yield tuple((float(x), float(y)) for x, y in pixels)
