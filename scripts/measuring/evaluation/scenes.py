"""Rendered tables: one to four kingdoms of one box, in tile pictures that were not trained on."""

import itertools
from dataclasses import replace
from functools import cache, partial

import numpy as np

from kdvision.rules.terrain import CASTLE_MARK, LABELS
from scripts.arrays import Array, Rng
from scripts.data_split import data_folder
from scripts.measuring.evaluation.cases import Case, Maker, TrueKingdom
from scripts.measuring.evaluation.damages import as_jpeg
from scripts.synthesis.render import LOWEST
from scripts.synthesis.rendering.compose import TRAINING, Recipe, Sources, compose, kingdom_pool
from scripts.synthesis.rendering.cover import HIDDEN_BELOW, RING
from scripts.synthesis.rendering.recipe import UNSEEN_KIND
from scripts.synthesis.rendering.scene import KingdomTruth, Rendered, SquareTruth

#: As many pictures with 1, 2, 3 and 4 kingdoms; some are lost where kingdoms would overlap.
_MANY = replace(
    TRAINING,
    looks={"halves": 1.0},
    counts=(0.22, 0.22, 0.22, 0.34),
    longest=1600,
    one_box=True,
    arms=0.0,
    kings_on_tiles=0.0,
    cups=0.0,
    small=0.0,
)
#: Castles of a kind that trains nothing, from 30 degrees above the table up, kingdoms small and
#: large, kings on tiles, cups and arms; the dominoes in looks that train nothing.
_UNSEEN = replace(
    _MANY,
    looks={"halves": 0.6, "painted": 0.4},
    painted_seeds=(3000, 3008),
    castles=1.0,
    castle_kinds={UNSEEN_KIND: 1.0},
    slanted=1.0,
    tilt=LOWEST,
    smallest=30.0,
    kings_on_tiles=0.1,
    cups=0.05,
    arms=0.03,
    small=0.1,
)
RECIPES: dict[str, Recipe] = {
    "tables": replace(_MANY, castles=0.35),
    # One at a time: kingdoms of several boards hold a domino twice.
    "boards on tables": replace(
        _MANY, looks={"board": 1.0}, counts=(1.0, 0.0, 0.0, 0.0), castles=0.0
    ),
    "unseen castles": _UNSEEN,
    # One kingdom, over which `covers` draws.
    "covers": replace(_MANY, counts=(1.0, 0.0, 0.0, 0.0), castles=0.25, smallest=32.0),
    "cloths": replace(_MANY, castles=0.2, cloths=1.0),
    "touching": replace(_MANY, counts=(0.0, 1.0, 0.0, 0.0), castles=0.2, touching=True),
    "touching boards": replace(
        _MANY, looks={"board": 1.0}, counts=(0.0, 1.0, 0.0, 0.0), castles=0.0, touching=True
    ),
    "counterfactual": replace(
        _MANY,
        looks={"halves recrowned": 0.4, "scan recrowned": 0.3, "halves other printing": 0.3},
        castles=0.2,
    ),
}
#: A kingdom with a square that reaches further out of the picture, in squares, is cut off.
CUT = 0.3
#: One picture in so many of these sets is cut through one of its kingdoms.
CUT_ONE_IN = 12
CUT_SETS = ("tables", "boards on tables")
_SEED = 2026
_GAMES = 30


def rendered(recipe: str, count: int, first: int = 0) -> list[Maker]:
    """So many tables of a recipe, from a number on."""
    return [partial(_case, recipe, number) for number in range(first, first + count)]


@cache
def _sources() -> Sources:
    return Sources(data_folder(), measuring=True, kingdoms=kingdom_pool(_SEED, _GAMES))


def scene_of(recipe: str, number: int) -> tuple[Rendered, Rng]:
    """Return a table of a recipe, and what random numbers come after it."""
    rng = np.random.default_rng([_SEED, number, len(recipe)])
    return compose(rng, _sources(), RECIPES[recipe]), rng


def _case(recipe: str, number: int) -> Case:
    scene, rng = scene_of(recipe, number)
    if recipe in CUT_SETS and number % CUT_ONE_IN == CUT_ONE_IN - 1:
        _cut(scene, rng)
    height, width = scene.image.shape[:2]
    kingdoms = []
    for index, kingdom in enumerate(scene.kingdoms):
        squares = [square for square in scene.squares if square.kingdom == index]
        truth = true_kingdom(kingdom, squares, width, height)
        if not _beyond(truth, width, height):
            kingdoms.append(truth)
    picture = as_jpeg(scene.image, 93)
    return Case(f"{recipe} {number}", picture, tuple(kingdoms), _tags(scene, kingdoms))


def true_kingdom(
    kingdom: KingdomTruth, squares: list[SquareTruth], width: int, height: int
) -> TrueKingdom:
    """Return a kingdom of a scene as cases know it."""
    corners = [square.corners for square in squares]
    labels = [square.label for square in squares]
    placed = place_kingdom(kingdom.line, np.array(corners), labels, (width, height))
    if kingdom.visible is None:
        return placed
    rows, cols = np.nonzero(kingdom.visible < HIDDEN_BELOW)
    hidden = frozenset((int(r) - RING, int(c) - RING) for r, c in zip(rows, cols, strict=True))
    return replace(placed, hidden=hidden)


def place_kingdom(
    line: str, corners: Array, labels: list[int], size: tuple[int, int]
) -> TrueKingdom:
    """Where a kingdom lies in a picture (width, height), and whether the border cuts it off.

    `corners` (n, 4, 2) and `labels` are those of its squares.
    """
    corners = corners + 0.5
    x, y = corners[labels.index(LABELS.index(CASTLE_MARK))].mean(axis=0)
    side = float(np.sqrt(np.median([_area(quad) for quad in corners])))
    beyond = np.maximum(-corners, corners - size).max() / side
    return TrueKingdom(line, (float(x), float(y)), side, bool(beyond > CUT))


def _cut(scene: Rendered, rng: Rng) -> None:
    """Cut the picture on one side, up to three squares into one of its kingdoms."""
    index = int(rng.integers(len(scene.kingdoms)))
    mine = [square.corners for square in scene.squares if square.kingdom == index]
    axis, low_side = int(rng.integers(2)), rng.random() < 0.5
    reach = np.concatenate(mine)[:, axis]
    depth = rng.uniform(0.3, 3.0) * float(np.sqrt(_area(mine[0])))
    size = scene.image.shape[1 - axis]
    if low_side:
        start, stop = int(np.clip(reach.min() + depth, 0, size * 0.6)), size
    else:
        start, stop = 0, int(np.clip(reach.max() - depth, size * 0.4, size))
    part = slice(start, stop)
    whole = slice(None)
    scene.image = scene.image[(whole, part) if axis == 0 else (part, whole)].copy()
    for square in scene.squares:
        square.corners[:, axis] -= start


def _beyond(kingdom: TrueKingdom, width: int, height: int) -> bool:
    """Whether the castle is not in the picture: then there is no kingdom to be found."""
    x, y = kingdom.castle or (0.0, 0.0)
    return not (0 <= x < width and 0 <= y < height)


def _area(corners: Array) -> float:
    x, y = corners.T
    return 0.5 * abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))))


def _tags(scene: Rendered, kingdoms: list[TrueKingdom]) -> dict[str, str]:
    above = 90 - np.degrees(float(scene.about["tilt"]))
    smallest = min((kingdom.square_px for kingdom in kingdoms), default=0.0)
    return {
        "angle": _band(above, (30, 45, 60, 75), "°"),
        "square": _band(smallest, (32, 48, 80), " px"),
        "castle": "standing" if scene.about["castles"] else "none",
    }


def _band(value: float, steps: tuple[int, ...], unit: str) -> str:
    """Return the band that a value falls into, as text."""
    if value < steps[0]:
        return f"below {steps[0]}{unit}"
    for low, high in itertools.pairwise(steps):
        if value < high:
            return f"{low} to {high}{unit}"
    return f"from {steps[-1]}{unit}"
