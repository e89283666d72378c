"""Patches become probabilities: what lies on every place of a grid."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kdvision.arrays import Array, Image
from kdvision.concurrency import side_by_side
from kdvision.photo.photo import Photo
from kdvision.reading import Place, Reading
from kdvision.rules.kingdom import Position
from kdvision.rules.terrain import CASTLE_LABEL, CASTLE_MARK, EMPTY_LABEL, EMPTY_MARK, LABELS
from kdvision.vision.geometry import project
from kdvision.vision.grid.grid import Grid
from kdvision.vision.ground import bareness
from kdvision.vision.sight import Sight, sight_of
from kdvision.vision.squares import cut_patches

#: A place is looked at from all four sides unless the first look is surer than this.
SURE_AT_FIRST_LOOK = 0.999
#: A thread shows the reader so many patches at once: the layers of more do not fit into a core's
#: own memory, and fewer would be shared out no better.
PATCHES_AT_ONCE = 4
#: The finder's word on tile or no tile counts between this and 1 minus this.
FINDER_CAP = 0.015
#: What the finder's castle plane says where it says 0.5: it was trained to see castles four times
#: too often, and one square in some twenty is one. What it may say at least and at most.
CASTLE_EVIDENCE = 5.0
CASTLE_EVIDENCE_RANGE = (0.2, 10.0)
#: What surely is a castle, and what may be one where nothing is likelier to be.
CLEAR_CASTLE = 0.97
LEAST_CASTLE = 0.05
#: The widest draft row has four dominoes.
DRAFT_SQUARES = 8


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


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """What others than the reader say of places: the finder of squares, and the ground.

    Attributes:
        tile: (n,) share of each place that looks like a tile to the finder.
        castle: (n,) how many times likelier the finder makes a castle there.
        bare: (n,) how many times likelier the ground makes it that nothing lies there.
    """

    tile: Array
    castle: Array
    bare: Array


def castle_evidence(grid: Grid) -> Array:
    """(rows, cols) how many times likelier the finder makes a castle; 1 where it found nothing."""
    odds = grid.castle / np.maximum(1 - grid.castle, 1e-6)
    return np.where(grid.found, np.clip(CASTLE_EVIDENCE * odds, *CASTLE_EVIDENCE_RANGE), 1.0)


def read_patches(
    patches: Image,
    session: Any,
    temperature: float = 1.0,
    word: Word | None = None,
    threads: int = 1,
) -> Array:
    """Probabilities (n, 18) of patches (n, 64, 64, 3), from four sides where one is not enough.

    With the word of others on each of them, where there is one.
    """
    probabilities = _softmax(_logits(patches, session, threads), temperature)
    sure = with_word(probabilities, word).max(axis=1) >= SURE_AT_FIRST_LOOK
    unsure = np.nonzero(~sure)[0]
    if len(unsure):
        turned = [np.rot90(patches[unsure], quarters, axes=(1, 2)) for quarters in (1, 2, 3)]
        logits = _logits(np.concatenate(turned), session, threads).reshape(3, len(unsure), -1)
        looks = _softmax(logits, temperature)
        probabilities[unsure] = (probabilities[unsure] + looks.sum(axis=0)) / 4
    return with_word(probabilities, word)


def with_word(probabilities: Array, word: Word | None) -> Array:
    """Weigh what the reader says of places with what others say of them.

    The two networks see different things, one a patch, the other its surroundings, so their
    evidence for a tile or none, and for a castle, counts together. The finder's is capped, as it
    knows no crowns. Nor do the networks compare a place with the ground around it.

    Args:
        probabilities: (n, 18) of the reader.
        word: That of the others; None leaves the reader's.
    """
    if word is None:
        return probabilities
    share = np.clip(word.tile, FINDER_CAP, 1 - FINDER_CAP)[:, None]
    weights = np.repeat(share, probabilities.shape[1], axis=1)
    weights[:, EMPTY_LABEL] = (1 - share[:, 0]) * word.bare
    weights[:, CASTLE_LABEL] *= word.castle
    weighed = probabilities * weights
    return np.asarray(weighed / weighed.sum(axis=1, keepdims=True))


def _logits(patches: Image, session: Any, threads: int) -> Array:
    """Logits (n, 18), few patches at a time: memory must not follow the photo."""

    def logits(part: Image) -> NDArray[np.float32]:
        rgb = np.ascontiguousarray(part)
        return np.asarray(session.run(None, {"rgb": rgb})[0], np.float32)

    starts = range(0, len(patches), PATCHES_AT_ONCE)
    parts = [patches[start : start + PATCHES_AT_ONCE] for start in starts]
    return np.concatenate(side_by_side(logits, parts, threads)).astype(np.float64)


def _softmax(logits: Array, temperature: float) -> Array:
    scaled = logits / temperature
    powers = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def _inside(photo: Photo, centers: Array) -> NDArray[np.bool_]:
    """(n,) whether points (n, 2) lie in the photo. Beyond its border nothing can be seen."""
    limit = np.array([photo.width, photo.height])
    return np.asarray(((centers >= 0) & (centers < limit)).all(axis=1))


def without_strays(reading: Reading) -> Reading | None:
    """The reading with only what is joined to the castle by edges; None when there is no castle.

    Of several castles the likeliest one counts. What is not joined to it was laid beside the
    kingdom and becomes background.
    """
    labels = {
        (row, col): place.label
        for row, places in enumerate(reading.places)
        for col, place in enumerate(places)
    }
    castle = likeliest_castle(reading)
    if castle is None:
        return None
    joined = {castle}
    frontier = list(joined)
    while frontier:
        row, col = frontier.pop()
        for at in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            if at not in joined and labels.get(at, EMPTY_MARK) != EMPTY_MARK:
                joined.add(at)
                frontier.append(at)
    nothing = tuple(float(label == EMPTY_LABEL) for label in range(len(LABELS)))
    rows = tuple(
        tuple(
            replace(place, probabilities=nothing)
            if place.label != EMPTY_MARK and (row, col) not in joined
            else place
            for col, place in enumerate(places)
        )
        for row, places in enumerate(reading.places)
    )
    return replace(reading, places=rows)


def likeliest_castle(reading: Reading) -> Position | None:
    """The place that is most surely the castle; None when none looks like it.

    The squares of dominoes pair up, so those of a kingdom are odd in number. Where they are not,
    and no more than in a draft row, what looks a little like a castle is none. And where they are
    odd and more, the one that looks most like a castle is taken, likely or not: glare or a standing
    castle can hide the start tile.
    """
    shares = {
        (row, col): place.probabilities[CASTLE_LABEL]
        for row, places in enumerate(reading.places)
        for col, place in enumerate(places)
        if place.label != EMPTY_MARK
    }
    castles = [at for at in shares if reading.places[at[0]][at[1]].label == CASTLE_MARK]
    if len(shares) <= DRAFT_SQUARES and len(shares) % 2 == 0:
        castles = [at for at in castles if shares[at] >= CLEAR_CASTLE]
    elif not castles and len(shares) > DRAFT_SQUARES and len(shares) % 2:
        castles = [at for at, share in shares.items() if share >= LEAST_CASTLE]
    return max(castles, key=shares.__getitem__, default=None)


def castle_center(reading: Reading) -> tuple[float, float]:
    """Where the castle lies, in pixels (x, y) of the upright photo."""
    castle = likeliest_castle(reading)
    center = reading.places[castle[0]][castle[1]].center if castle else None
    return center or (0.0, 0.0)
