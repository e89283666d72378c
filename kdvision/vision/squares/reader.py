"""Patches become probabilities: what lies on every place of a grid."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kdvision.arrays import Array
from kdvision.photo.photo import Photo
from kdvision.reading import Place, Reading
from kdvision.rules.terrain import EMPTY_LABEL, LABELS
from kdvision.vision.geometry import project
from kdvision.vision.grid.grid import Grid
from kdvision.vision.squares.background import bareness
from kdvision.vision.squares.classifier import read_patches
from kdvision.vision.squares.evidence import Word, castle_evidence
from kdvision.vision.squares.patches import cut_patches
from kdvision.vision.squares.window_view import Sight, sight_of


def read_grid(
    photo: Photo,
    grid: Grid,
    session: Any,
    temperature: float = 1.0,
    sight: Sight | None = None,
    threads: int = 1,
) -> Reading:
    """Read every place of a grid's window.

    Args:
        photo: The photo.
        grid: One of its grids.
        session: ONNX Runtime session of the model `squares`.
        temperature: Divides the logits; fitted on sources that were not trained on.
        sight: What is seen of the window, where it is there already.
        threads: How many of them share the patches.
    """
    sight = sight or sight_of(photo, grid)
    places = grid.centres.reshape(-1, 2)
    patches = cut_patches(sight.flat, places)
    bare = bareness(sight.ground, grid.tile)
    word = Word((grid.tile * grid.agreed).ravel(), castle_evidence(grid).ravel(), bare.ravel())
    probabilities = read_patches(patches, session, temperature, word, threads)
    centers = project(grid.homography, places)
    probabilities[~_inside(photo, centers)] = np.eye(len(LABELS))[EMPTY_LABEL]
    found = [
        Place(tuple(shares), (x, y))
        for shares, (x, y) in zip(probabilities.tolist(), centers.tolist(), strict=True)
    ]
    rows = tuple(
        tuple(found[start : start + grid.cols]) for start in range(0, len(found), grid.cols)
    )
    corners = [[0, 0], [grid.cols, 0], [grid.cols, grid.rows], [0, grid.rows]]
    outline = project(grid.homography, np.array(corners, float))
    return Reading(rows, tuple((float(x), float(y)) for x, y in outline))


def _inside(photo: Photo, centers: Array) -> NDArray[np.bool_]:
    """(n,) whether points (n, 2) lie in the photo. Beyond its border nothing can be seen."""
    limit = np.array([photo.width, photo.height])
    return np.asarray(((centers >= 0) & (centers < limit)).all(axis=1))
