"""Pairs of places become likelihood ratios: one domino, or two that lie side by side."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from msgspec import Struct

from kdvision.arrays import Array, Image
from kdvision.rules.kingdom import Pair, Position
from kdvision.vision.models import PATCHES, Model
from kdvision.vision.squares.reader import run_model
from kdvision.vision.squares.window import BORDER_PX, PX_PER_SQUARE

#: Pixels of a patch along the seam between two places, and across it. A square has `PX_PER_SQUARE`,
#: so a patch reaches 0.14 squares beyond either end of the seam and 0.48 to either side.
ALONG_PX, ACROSS_PX = PATCHES["seams"]


class SeamsSettings(Struct, frozen=True):
    """How pairs of places become likelihood ratios."""

    #: The largest natural logarithm of a likelihood ratio: e to the 5th is 150 to 1. On looks that
    #: no model was trained on about one patch in 150 is told wrongly.
    most: Annotated[float, "legal"] = 5.0


SEAMS = SeamsSettings()


def cut_pairs(rectified: Image, centres: Array, pairs: Sequence[Pair]) -> Image:
    """Cut patches of pairs of neighbouring places.

    Args:
        rectified: The picture of a window, as `squares.window.flatten` gives it.
        centres: (rows, cols, 2) lattice coordinates (column, row) of what lies on each place.
        pairs: Neighbouring places (row, col) of the window, two and two.

    Returns:
        (n, 64, 48, 3) RGB.
    """
    if not pairs:
        return np.zeros((0, ALONG_PX, ACROSS_PX, 3), np.uint8)
    return np.stack([_cut_pair(rectified, centres, *sorted(pair)) for pair in pairs])


def _cut_pair(rectified: Image, centres: Array, first: Position, second: Position) -> Image:
    """Cut the patch of one pair, turned so that the seam stands upright."""
    middle = (centres[first] + centres[second]) / 2 * PX_PER_SQUARE + BORDER_PX
    below = first[1] == second[1]
    size = np.array([ALONG_PX, ACROSS_PX] if below else [ACROSS_PX, ALONG_PX])
    limit = np.array(rectified.shape[1::-1]) - size
    x, y = np.clip(np.round(middle - size / 2).astype(int), 0, limit)
    patch = rectified[y : y + size[1], x : x + size[0]]
    return np.rot90(patch) if below else patch


def read_seams(
    flat: Image, centres: Array, pairs: Sequence[Pair], model: Model
) -> dict[Pair, float]:
    """Read how much likelier what is seen of each pair is if it is one domino than if it is two.

    Args:
        flat: The picture of a window, as `squares.window.flatten` gives it.
        centres: (rows, cols, 2) lattice coordinates (column, row) of what lies on each place.
        pairs: Neighbouring places (row, col) of the window, two and two.
        model: The model `seams`.

    Returns:
        The natural logarithm of P(picture | one domino) / P(picture | two dominoes) of each pair,
        as it was given: positive for one, negative for two, near 0 where the photo does not tell.
    """
    if not pairs:
        return {}
    ratios = likelihood_ratios(cut_pairs(flat, centres, pairs), model)
    return dict(zip(pairs, ratios.tolist(), strict=True))


def likelihood_ratios(patches: Image, model: Model) -> Array:
    """Return the logarithms (n,) of the likelihood ratios of patches (n, 64, 48, 3).

    The model was trained on as many of one domino as of two, so its logits are likelihood ratios.
    None is taken for larger than `SEAMS.most`: there are not enough patches to vouch for more.
    """
    logits = run_model(patches, model)[:, 0]
    return np.clip(logits / model.temperature, -SEAMS.most, SEAMS.most)
