"""What lies on a table beside the kingdoms."""

import cv2
import numpy as np

from scripts.arrays import Array, Rng
from scripts.synthesis.rendering import table_textures
from scripts.synthesis.rendering.art import Deck
from scripts.synthesis.rendering.camera import Camera
from scripts.synthesis.rendering.layout import Piece, Spread, flat_thing, loose_domino
from scripts.synthesis.rendering.placement import outline
from scripts.synthesis.rendering.recipe import Recipe, Sources


def things_beside(
    rng: Rng, sources: Sources, deck: Deck, spreads: list[Spread], camera: Camera, recipe: Recipe
) -> list[Piece]:
    """Return loose dominoes, a draft row, number sides, cards and boxes, none on a kingdom."""
    taken = np.concatenate([outline(spread) for spread in spreads])
    things: list[Piece] = []
    if rng.random() < 0.22 * recipe.clutter:
        start, angle = free_point(rng, taken, 3.0), rng.uniform(0, np.pi)
        step = np.array([-np.sin(angle), np.cos(angle)]) * rng.uniform(1.1, 1.6)
        count = int(rng.integers(2, 5))
        things += [loose_domino(deck, rng, start + step * i, angle) for i in range(count)]
    for _ in range(int(rng.poisson(1.0 * recipe.clutter))):
        centre, angle = free_point(rng, taken, 2.2), rng.uniform(0, 2 * np.pi)
        kind = rng.random()
        if kind < 0.3:
            things.append(loose_domino(deck, rng, centre, angle))
        elif kind < 0.5:
            things.append(flat_thing(table_textures.number_side(rng), centre, angle, 2.0, rng))
        else:
            picture = table_textures.flat_picture(rng, sources.ground)
            things.append(flat_thing(picture, centre, angle, rng.uniform(1.0, 5.0), rng))
    return [thing for thing in things if _clear(thing.quad, taken)]


def free_point(rng: Rng, taken: Array, reach: float) -> Array:
    """Return a point on the table, at most `reach` and a half beyond what is taken."""
    low, high = taken.min(axis=0) - reach - 1.5, taken.max(axis=0) + reach + 1.5
    return np.asarray(rng.uniform(low, high))


def _clear(quad: Array, taken: Array) -> bool:
    """Return whether no square of a kingdom is nearer than a third of a square."""
    hull = quad.astype(np.float32)
    middles = taken.reshape(-1, 4, 2).mean(axis=1)
    every = np.r_[taken, middles]
    return all(cv2.pointPolygonTest(hull, (float(x), float(y)), True) < -0.3 for x, y in every)
