"""How like the ground around it a place is, where a square lies and where none does.

From rendered scenes, whose squares are known without reading them.
"""

import itertools
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kdvision.photo.photo import open_photo
from kdvision.vision.geometry import project
from kdvision.vision.grid.finder import Grid, detect_in, grids_in
from kdvision.vision.squares.window import ground_of
from scripts.measuring.evaluation.result_tables import table

#: Bounds of the bins of `window.bare_distance`.
BINS = (0.0, 1.4, 2.5, 3.75, 7.0, np.inf)
#: A square lies on a place when it is so near to its middle, in squares, and none does when all
#: are so far away.
ON_PLACE, OFF_PLACE = 0.35, 0.75


def ground_table(scenes: Iterable[Path], session: Any) -> object:
    """Squares and bare places by how like the nearest bare places they are.

    Args:
        scenes: The descriptions (JSON) of rendered scenes.
        session: ONNX Runtime session of the model `grid`.
    """
    counts = np.zeros((2, len(BINS) - 1), int)
    for path in scenes:
        for like, square in _places(path, session):
            counts[int(square), np.digitize(like, BINS) - 1] += 1
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    rows = [
        [f"{low:g} to {high:g}", *counts[:, index], _odds(*shares[:, index])]
        for index, (low, high) in enumerate(itertools.pairwise(BINS))
    ]
    heads = ("like the ground", "bare places", "squares", "log10 of how many times likelier bare")
    return table("Places by how far they are from the bare places most like them", heads, rows)


def _odds(bare: float, square: float) -> str:
    if not square:
        return "-" if not bare else "more"
    return f"{np.log10(bare / square):.1f}" if bare else "less"


def _places(path: Path, session: Any) -> Iterator[tuple[float, bool]]:
    """Places of a scene's grids: how like the ground, and whether a square lies there."""
    truth = json.loads(path.read_text())
    corners = [square["corners"] for square in truth["squares"]]
    squares = np.array(corners, float).reshape(-1, 4, 2).mean(axis=1) + 0.5
    photo = open_photo(str(path.with_suffix(".jpg")))
    for grid in grids_in(detect_in(photo, session), session):
        away = ground_of(photo, grid).bare_distance(grid.tile)
        gaps = _gaps(grid, squares)
        for at in np.argwhere(~np.isnan(away)):
            like, gap = float(away[tuple(at)]), gaps[tuple(at)]
            if gap < ON_PLACE or gap > OFF_PLACE:
                yield like, bool(gap < ON_PLACE)


def _gaps(grid: Grid, squares: NDArray[np.float64]) -> NDArray[np.float64]:
    """(rows, cols) how far the nearest square is from the middle of each place, in squares."""
    own = project(np.asarray(np.linalg.inv(grid.homography), np.float64), squares)
    middles = np.stack(np.meshgrid(np.arange(grid.cols), np.arange(grid.rows)), axis=-1) + 0.5
    return np.asarray(np.linalg.norm(middles[:, :, None] - own, axis=-1).min(axis=2))
