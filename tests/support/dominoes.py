"""The dominoes of the photos in `samples/`, as their plans lay them, on the grids found in them."""

from dataclasses import dataclass

import numpy as np

from kdvision.arrays import Array
from kdvision.rules.kingdom import Pair, Position
from kdvision.vision.geometry import project
from kdvision.vision.grid.grid import Grid
from scripts.synthesis.make_samples import sample_kingdoms
from scripts.synthesis.sample_book import book


@dataclass(frozen=True, slots=True)
class Laid:
    """A sample: the pixels (n, 2, 2) of the two squares of every domino."""

    file: str
    dominoes: Array

    def pairs_on(self, grid: Grid) -> dict[Pair, bool]:
        """The neighbouring squares on a grid, each pair with whether it is one domino."""
        inverse = np.asarray(np.linalg.inv(grid.homography), np.float64)
        place_of: dict[Position, int] = {}
        for number, halves in enumerate(self.dominoes):
            for x, y in project(inverse, halves):
                row, col = int(np.floor(y)), int(np.floor(x))
                near = max(abs(y - row - 0.5), abs(x - col - 0.5)) < 0.3
                if near and 0 <= row < grid.rows and 0 <= col < grid.cols:
                    place_of[row, col] = number
        return {
            (at, near): number == place_of[near]
            for at, number in place_of.items()
            for near in ((at[0], at[1] + 1), (at[0] + 1, at[1]))
            if near in place_of
        }


def laid_in_samples() -> list[Laid]:
    """All samples with kingdoms, but for one whose picture lies on its side."""
    samples = []
    for shot in book():
        if shot.kingdoms and not shot.sideways:
            dominoes = [laid.dominoes for laid in sample_kingdoms(shot)]
            samples.append(Laid(shot.file, np.concatenate(dominoes)))
    return samples
