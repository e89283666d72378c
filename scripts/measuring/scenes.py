"""Rendered tables: one to four kingdoms of one box, in tile pictures that were not trained on."""

import itertools
from dataclasses import replace
from functools import cache, partial

import numpy as np

from kdvision.rules.terrain import CASTLE_MARK, LABELS
from scripts.data_split import data_folder
from scripts.measuring.cases import Case, Maker, TrueKingdom
from scripts.measuring.damages import as_jpeg
from scripts.synthesis.rendering.compose import TRAINING, Recipe, Sources, compose, realm_pool
from scripts.synthesis.rendering.scene import Rendered, SquareTruth

#: As many pictures with 1, 2, 3 and 4 kingdoms; some are lost where kingdoms would overlap.
_MANY = replace(TRAINING, counts=(0.22, 0.22, 0.22, 0.34), longest=1600, one_box=True)
RECIPES: dict[str, Recipe] = {
    "tables": replace(_MANY, looks={"halves": 1.0}, castles=0.35),
    "tables of boards": replace(_MANY, looks={"board": 1.0}, castles=0.0),
}
#: A kingdom with a square that reaches further out of the picture, in squares, is cut off.
CUT = 0.3
#: One picture in so many is cut through one of its kingdoms.
CUT_ONE_IN = 12
_SEED = 2026
_GAMES = 30


def rendered(recipe: str, count: int) -> list[Maker]:
    """So many tables of a recipe."""
    return [partial(_case, recipe, number) for number in range(count)]


@cache
def _sources() -> Sources:
    return Sources(data_folder(), measuring=True, realms=realm_pool(_SEED, _GAMES))


def _case(recipe: str, number: int) -> Case:
    rng = np.random.default_rng([_SEED, number, len(recipe)])
    scene = compose(rng, _sources(), RECIPES[recipe])
    if number % CUT_ONE_IN == CUT_ONE_IN - 1:
        _cut(scene, rng)
    height, width = scene.image.shape[:2]
    kingdoms = tuple(
        _true_kingdom(kingdom.line, [s for s in scene.squares if s.kingdom == index], width, height)
        for index, kingdom in enumerate(scene.kingdoms)
    )
    kingdoms = tuple(kingdom for kingdom in kingdoms if not _beyond(kingdom, width, height))
    name = f"{recipe} {number}"
    # Real boards were laid at different tables: each has a box of its own.
    boxes = 4 if "board" in RECIPES[recipe].looks else 1
    picture = as_jpeg(scene.image, 93)
    return Case(name, picture, kingdoms, _tags(scene, kingdoms), name, boxes)


def _true_kingdom(line: str, squares: list[SquareTruth], width: int, height: int) -> TrueKingdom:
    castle = next(s for s in squares if LABELS[s.label] == CASTLE_MARK)
    x, y = castle.corners.mean(axis=0) + 0.5
    side = float(np.sqrt(np.median([_area(square.corners) for square in squares])))
    corners = np.concatenate([square.corners for square in squares]) + 0.5
    beyond = np.maximum(-corners, corners - [width, height]).max() / side
    return TrueKingdom(line, (float(x), float(y)), side, bool(beyond > CUT))


def _cut(scene: Rendered, rng: np.random.Generator) -> None:
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


def _area(corners: "np.ndarray") -> float:
    x, y = corners.T
    return 0.5 * abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))))


def _tags(scene: Rendered, kingdoms: tuple[TrueKingdom, ...]) -> dict[str, str]:
    above = 90 - np.degrees(float(scene.about["tilt"]))
    smallest = min((kingdom.square_px for kingdom in kingdoms), default=0.0)
    return {
        "kingdoms": str(len(kingdoms)),
        "angle": _band(above, (45, 60, 75), "°"),
        "square": _band(smallest, (32, 48, 80), " px"),
        "castle": "standing" if scene.about["castles"] else "none",
    }


def _band(value: float, steps: tuple[int, ...], unit: str) -> str:
    """The band that a value falls into, in words."""
    if value < steps[0]:
        return f"below {steps[0]}{unit}"
    for low, high in itertools.pairwise(steps):
        if value < high:
            return f"{low} to {high}{unit}"
    return f"from {steps[-1]}{unit}"
