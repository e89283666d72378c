"""Patches become probabilities: what lies on every place of a grid."""

import numpy as np
from numpy.typing import NDArray

from kdvision.arrays import Array
from kdvision.photo.photo import Photo
from kdvision.reading import Place, Reading
from kdvision.rules.terrain import EMPTY_LABEL, LABELS
from kdvision.vision.geometry import project
from kdvision.vision.grid.finder import Grid
from kdvision.vision.models import Session
from kdvision.vision.squares.background import bare_ratio
from kdvision.vision.squares.classifier import Evidence, castle_ratio, classify
from kdvision.vision.squares.patches import cut_patches
from kdvision.vision.squares.window_view import WindowView, view_of


def read_grid(
    photo: Photo,
    grid: Grid,
    session: Session,
    temperature: float = 1.0,
    view: WindowView | None = None,
    threads: int = 1,
) -> Reading:
    """Read every place of a grid's window.

    Args:
        photo: The photo.
        grid: One of its grids.
        session: The model `squares`.
        temperature: Divides the logits; fitted on sources that were not trained on.
        view: The window as seen from above, where it is there already.
        threads: How many of them share the patches.
    """
    view = view or view_of(photo, grid)
    places = grid.centres.reshape(-1, 2)
    patches = cut_patches(view.flat, places)
    bare = bare_ratio(view.ground, grid.tile)
    tile = grid.tile * grid.agreed
    evidence = Evidence(tile.ravel(), castle_ratio(grid).ravel(), bare.ravel())
    classified = classify(patches, session, temperature, evidence, threads)
    centers = project(grid.homography, places)
    inside = _inside(photo, centers)
    probabilities = np.where(inside[:, None], classified.probabilities, _nothing())
    hidden = np.where(inside, classified.hidden, 0.0)
    found = [
        Place(tuple(shares), (x, y), share)
        for shares, (x, y), share in zip(
            probabilities.tolist(), centers.tolist(), hidden.tolist(), strict=True
        )
    ]
    rows = tuple(
        tuple(found[start : start + grid.cols]) for start in range(0, len(found), grid.cols)
    )
    corners = [[0, 0], [grid.cols, 0], [grid.cols, grid.rows], [0, grid.rows]]
    outline = project(grid.homography, np.array(corners, float))
    return Reading(rows, tuple((float(x), float(y)) for x, y in outline))


def _nothing() -> Array:
    """Probabilities (18,) of a place on which nothing lies."""
    return np.asarray(np.eye(len(LABELS))[EMPTY_LABEL])


def _inside(photo: Photo, centers: Array) -> NDArray[np.bool_]:
    """(n,) whether points (n, 2) lie in the photo. Beyond its border nothing can be seen."""
    limit = np.array([photo.width, photo.height])
    return np.asarray(((centers >= 0) & (centers < limit)).all(axis=1))
