"""Rendered tables: one to four kingdoms of one box, in tile pictures that were not trained on."""

from bisect import bisect
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from kdvision.rules.terrain import CASTLE_MARK, LABELS
from scripts.arrays import Array, Image, Rng
from scripts.data_split import data_folder
from scripts.measuring.evaluation.cases import Case, Maker, TrueKingdom
from scripts.measuring.evaluation.damages import as_jpeg
from scripts.synthesis.rendering.compose import compose
from scripts.synthesis.rendering.cover import HIDDEN_BELOW, RING
from scripts.synthesis.rendering.recipe import Sources, kingdom_pool, read_recipes
from scripts.synthesis.rendering.scene import Rendered

RECIPES = read_recipes(Path(__file__).with_suffix(".toml"))
#: A kingdom with a square that reaches further out of the picture, in squares, is cut off.
CUT = 0.3
#: One picture in so many of these sets is cut through one of its kingdoms.
CUT_ONE_IN = 12
CUT_SETS = ("tables", "boards on tables")
_SEED = 2026
_GAMES = 30


def rendered(recipe: str, count: int, first: int = 0) -> list[Maker]:
    """Return so many tables of a recipe, from a number on."""
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
    every = [true_kingdom(scene, index) for index in range(len(scene.kingdoms))]
    kingdoms = [kingdom for kingdom in every if not _beyond(kingdom, scene.image)]
    picture = as_jpeg(scene.image, 93)
    return Case(f"{recipe} {number}", picture, tuple(kingdoms), _tags(scene, kingdoms))


def true_kingdom(scene: Rendered, index: int) -> TrueKingdom:
    """Return a kingdom of a scene as cases know it."""
    kingdom, squares = scene.kingdoms[index], scene.squares_of(index)
    corners = np.array([square.corners for square in squares])
    labels = [square.label for square in squares]
    placed = place_kingdom(kingdom.line, corners, labels, scene.image.shape[1::-1])
    rows, cols = np.nonzero(kingdom.visible < HIDDEN_BELOW)
    hidden = frozenset((int(r) - RING, int(c) - RING) for r, c in zip(rows, cols, strict=True))
    return replace(placed, hidden=hidden)


def place_kingdom(line: str, corners: Array, labels: list[int], size: Sequence[int]) -> TrueKingdom:
    """Return where a kingdom lies in a picture (width, height), and whether the border cuts it off.

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
    mine = [square.corners for square in scene.squares_of(index)]
    axis, low_side = int(rng.integers(2)), rng.random() < 0.5
    reach = np.concatenate(mine)[:, axis]
    depth = rng.uniform(0.3, 3.0) * float(np.sqrt(_area(mine[0])))
    size = scene.image.shape[1 - axis]
    if low_side:
        start, stop = int(np.clip(reach.min() + depth, 0, size * 0.6)), size
    else:
        start, stop = 0, int(np.clip(reach.max() - depth, size * 0.4, size))
    scene.image = scene.image.take(range(start, stop), axis=1 - axis)
    for square in scene.squares:
        square.corners[:, axis] -= start


def _beyond(kingdom: TrueKingdom, image: Image) -> bool:
    """Return whether the castle is not in the picture: then there is no kingdom to be found."""
    x, y = kingdom.castle or (0.0, 0.0)
    height, width = image.shape[:2]
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
    at = bisect(steps, value)
    if at == 0:
        return f"below {steps[0]}{unit}"
    if at == len(steps):
        return f"from {steps[-1]}{unit}"
    return f"{steps[at - 1]} to {steps[at]}{unit}"
