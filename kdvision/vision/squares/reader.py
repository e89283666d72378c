"""Patches become probabilities: what lies on every place of a grid.

The classifier's answers are weighed with evidence that a patch does not show: that of the detector
of squares and of the ground around. Where one look at a patch is not enough, it is looked at from
all four sides.
"""

from functools import cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from kdvision.arrays import Array, Image, sigmoid, softmax
from kdvision.concurrency import map_threads
from kdvision.photo.photo import Photo
from kdvision.reading import NOTHING, Place, Reading
from kdvision.rules.dominoes import standard_deck
from kdvision.rules.terrain import CASTLE_LABEL, EMPTY_LABEL, LABELS, SQUARE_KINDS
from kdvision.vision.geometry import project
from kdvision.vision.grid.grid import Grid
from kdvision.vision.models import Model
from kdvision.vision.squares.settings import SQUARES
from kdvision.vision.squares.window import WindowView, cut_patches

#: Patches that a thread shows the classifier at once, at most: more are no faster, and memory must
#: not follow the photo.
_MOST_AT_ONCE = 16
#: probability that a plain paper lies on a tile, from which on it seems to. The classifier's output
#: learns from tiles of which two in five have one: of 850 kingdoms of rendered tables, in the open,
#: 4 have a square of so much, and 10 one of 0.982; of 125 photographed boards, damaged, 1 has one.
#: With a plain paper over one square of each of the 400 tables 126 have one, and 139 one of 0.982.
_PAPER_FROM = 0.993


def read_grid(
    photo: Photo,
    grid: Grid,
    model: Model,
    view: WindowView,
    threads: int = 1,
) -> Reading:
    """Read every place of a grid's window.

    Args:
        photo: The photo.
        grid: One of its grids.
        model: The model `squares`.
        view: The window as seen from above.
        threads: How many of them share the patches.
    """
    centres = grid.centres.reshape(-1, 2)
    patches = cut_patches(view.flat, centres)
    classified = classify(patches, model, gather_evidence(grid, view), threads)
    in_photo = project(grid.homography, centres)
    # Beyond the border of the photo nothing can be seen.
    inside = np.all((in_photo >= 0) & (in_photo < [photo.width, photo.height]), axis=1)
    probabilities = np.where(inside[:, None], classified.probabilities, NOTHING)
    hidden = np.where(inside, classified.hidden, 0.0)
    rows = zip(
        probabilities.tolist(),
        in_photo.tolist(),
        hidden.tolist(),
        classified.paper.tolist(),
        strict=True,
    )
    places = [Place(tuple(shares), (x, y), share, paper) for shares, (x, y), share, paper in rows]
    starts = range(0, len(places), grid.cols)
    return Reading(tuple(tuple(places[start : start + grid.cols]) for start in starts))


# ---------------------------------------------------------------------- the classifier


class Evidence(Struct, frozen=True, eq=False):
    """What others than the classifier say of places: the detector of squares, and the ground.

    Attributes:
        tile: (n,) share of each place that the detector takes for a tile, 0 to 1.
        castle_ratio: (n,) likelihood ratio of a castle, by the detector.
        bare_ratio: (n,) likelihood ratio of a bare place, by the ground around it.
    """

    tile: Array
    castle_ratio: Array
    bare_ratio: Array

    def only(self, places: NDArray[np.intp]) -> "Evidence":
        """Return the evidence of some of the places, which are counted from 0."""
        return Evidence(self.tile[places], self.castle_ratio[places], self.bare_ratio[places])


def gather_evidence(grid: Grid, view: WindowView) -> Evidence:
    """Return the evidence of all places of a grid's window, row by row."""
    tile, bare = grid.tile * grid.agreed, view.ground.bare_ratio(grid.tile)
    return Evidence(tile.ravel(), castle_ratio(grid).ravel(), bare.ravel())


def castle_ratio(grid: Grid) -> Array:
    """Return (rows, cols): likelihood ratio of a castle by the detector; 1 without a square."""
    odds = grid.castle / np.maximum(1 - grid.castle, 1e-6)
    least, most = SQUARES.least_castle_ratio, SQUARES.most_castle_ratio
    return np.where(grid.found, np.clip(SQUARES.castle_ratio * odds, least, most), 1.0)


def weigh_evidence(probabilities: Array, evidence: Evidence | None) -> Array:
    """Return the classifier's probabilities (n, 18), weighed with the evidence of others.

    The classifier sees a patch, the detector its surroundings, so the probabilities of both are
    multiplied. The detector's is capped, as it knows no crowns. Neither compares a place with the
    ground around it: how bare it looks there is a third factor.
    """
    if evidence is None:
        return probabilities
    share = np.clip(evidence.tile, SQUARES.detector_cap, 1 - SQUARES.detector_cap)[:, None]
    weights = np.repeat(share, probabilities.shape[1], axis=1)
    weights[:, EMPTY_LABEL] = (1 - share[:, 0]) * evidence.bare_ratio
    weights[:, CASTLE_LABEL] *= evidence.castle_ratio
    products = probabilities * weights
    return np.asarray(products / products.sum(axis=1, keepdims=True))


def find_bare(evidence: Evidence | None, count: int) -> NDArray[np.bool_]:
    """Return (count,): which places are clearly bare, by the detector and by the ground."""
    if evidence is None:
        return np.zeros(count, np.bool_)
    share = np.clip(evidence.tile, SQUARES.detector_cap, 1 - SQUARES.detector_cap)
    ratio = (1 - share) / share * evidence.bare_ratio
    return np.asarray(ratio >= SQUARES.clearly_bare, np.bool_)


class Classification(Struct, frozen=True, eq=False):
    """What the classifier makes of patches.

    Attributes:
        probabilities: (n, 18) of `LABELS`, weighed with the evidence of others, summing to 1.
        hidden: (n,) probability that too little of the place is seen to tell; 0 throughout with a
            model that does not know it.
        paper: (n,) whether a plain paper seems to lie on the tile; the same.
    """

    probabilities: Array
    hidden: Array
    paper: NDArray[np.bool_]


def classify(
    patches: Image,
    model: Model,
    evidence: Evidence | None = None,
    threads: int = 1,
) -> Classification:
    """Classify patches (n, 64, 64, 3), from all four sides where one is not enough.

    Places that are clearly bare are not looked at: half of those of a usual window.

    Args:
        patches: RGB, as `window.cut_patches` cuts them.
        model: The model `squares`, with 18 labels, a 19th for what is hidden, and a 20th output for
            plain papers; without these nothing is.
        evidence: What others say of each place, where it is known.
        threads: How many of them share the patches.
    """
    # One look at each place that is not clearly bare.
    outputs = np.tile(_bare_outputs(), (len(patches), 1))
    paper = np.zeros(len(patches), np.bool_)
    told = outputs.shape[1]
    looked_at = np.nonzero(~find_bare(evidence, len(patches)))[0]
    if len(looked_at):
        logits = run_model(patches[looked_at], model, threads)
        seen = softmax(logits[:, :told], model.temperature)
        outputs[looked_at, : seen.shape[1]] = seen
        if logits.shape[1] > told:
            paper[looked_at] = sigmoid(logits[:, told]) >= _PAPER_FROM
    # Three more looks at those that are not sure.
    from_one_side = weigh_evidence(_spread(outputs), evidence).max(axis=1)
    unsure = looked_at[from_one_side[looked_at] < SQUARES.sure_from_one_side]
    if len(unsure):
        turned = [np.rot90(patches[unsure], quarters, axes=(1, 2)) for quarters in (1, 2, 3)]
        logits = run_model(np.concatenate(turned), model, threads)[:, :told]
        shares = softmax(logits, model.temperature)
        turned_shares = shares.reshape(3, len(unsure), -1).sum(axis=0)
        labels = turned_shares.shape[1]
        outputs[unsure, :labels] = (outputs[unsure, :labels] + turned_shares) / 4
    probabilities = weigh_evidence(_spread(outputs), evidence)
    return Classification(probabilities, outputs[:, len(LABELS) :].sum(axis=1), paper)


def _bare_outputs() -> Array:
    """Return (19,): what the classifier says, at least, of a place that is clearly bare."""
    outputs = np.append((1 - SQUARES.sure_from_one_side) * _open_shares(), 0.0)
    outputs[EMPTY_LABEL] += SQUARES.sure_from_one_side
    return outputs


def _spread(outputs: Array) -> Array:
    """Return the probabilities (n, 18) of outputs (n, 18 or 19): what is hidden counts as open.

    A hidden place has one of the deck's squares or none. How likely it has none is for the detector
    to say: until that is weighed in, both count half.
    """
    shown, hidden = outputs[:, : len(LABELS)], outputs[:, len(LABELS) :]
    return shown + hidden * _open_shares() if hidden.shape[1] else shown


@cache
def _open_shares() -> Array:
    """Return (18,), probabilities of a place of which nothing is seen."""
    counts = standard_deck().square_counts
    kinds = np.array([counts[kind] for kind in SQUARE_KINDS], np.float64)
    shares = np.zeros(len(LABELS))
    shares[: len(kinds)] = 0.5 * kinds / kinds.sum()
    shares[EMPTY_LABEL] = 0.5
    return shares


def run_model(patches: Image, model: Model, threads: int = 1) -> Array:
    """Return what a model says of patches (n, h, w, 3), at least one, that threads share."""
    at_once = min(-(-len(patches) // threads), _MOST_AT_ONCE)
    parts = [patches[start : start + at_once] for start in range(0, len(patches), at_once)]
    return np.concatenate(map_threads(model.run, parts, threads)).astype(np.float64)
