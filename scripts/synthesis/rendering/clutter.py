"""What lies and stands on a table beside the kingdoms, and the castles on them."""

import cv2
import numpy as np

from scripts.synthesis.rendering import table_textures
from scripts.synthesis.rendering.art import Deck, Image
from scripts.synthesis.rendering.camera import Camera
from scripts.synthesis.rendering.layout import Array, Piece, Spread, flat_thing, loose_domino
from scripts.synthesis.rendering.placement import outline
from scripts.synthesis.rendering.recipe import Recipe, Sources
from scripts.synthesis.rendering.scene import draw_castle, draw_standing


def things_beside(
    rng: np.random.Generator,
    sources: Sources,
    deck: Deck,
    spreads: list[Spread],
    camera: Camera,
    recipe: Recipe,
) -> list[Piece]:
    """Loose dominoes, a draft row, number sides, cards and boxes, none on a kingdom."""
    taken = np.concatenate([outline(spread) for spread in spreads])
    things: list[Piece] = []
    if rng.random() < 0.22 * recipe.clutter:
        start, angle = _free_point(rng, taken, 3.0), rng.uniform(0, np.pi)
        step = np.array([-np.sin(angle), np.cos(angle)]) * rng.uniform(1.1, 1.6)
        row = [
            loose_domino(deck, rng, start + step * i, angle) for i in range(int(rng.integers(2, 5)))
        ]
        things.extend(row)
    for _ in range(int(rng.poisson(1.0 * recipe.clutter))):
        centre, angle = _free_point(rng, taken, 2.2), rng.uniform(0, 2 * np.pi)
        kind = rng.random()
        if kind < 0.3:
            things.append(loose_domino(deck, rng, centre, angle))
        elif kind < 0.5:
            things.append(flat_thing(table_textures.number_side(rng), centre, angle, 2.0, rng))
        else:
            picture = table_textures.leaf(rng, sources.ground)
            things.append(flat_thing(picture, centre, angle, rng.uniform(1.0, 5.0), rng))
    return [thing for thing in things if _clear(thing.quad, taken)]


def _free_point(rng: np.random.Generator, taken: Array, reach: float) -> Array:
    low, high = taken.min(axis=0) - reach - 1.5, taken.max(axis=0) + reach + 1.5
    return np.asarray(rng.uniform(low, high))


def _clear(quad: Array, taken: Array) -> bool:
    """Whether no square of a kingdom is nearer than a third of a square."""
    hull = quad.astype(np.float32)
    middles = taken.reshape(-1, 4, 2).mean(axis=1)
    every = np.r_[taken, middles]
    return all(cv2.pointPolygonTest(hull, (float(x), float(y)), True) < -0.3 for x, y in every)


def stand_figures(
    rng: np.random.Generator,
    image: Image,
    camera: Camera,
    deck: Deck,
    spreads: list[Spread],
    recipe: Recipe,
) -> bool:
    """Castles on or beside the start tiles, and kings about; whether there are castles."""
    every = np.concatenate([outline(spread) for spread in spreads])
    standing = False
    if deck.castles:
        everywhere = rng.random() < recipe.castles
        for spread in spreads:
            if spread.castle_at is not None and everywhere:
                sprite = deck.castles[int(rng.integers(len(deck.castles)))]
                angle = np.arctan2(spread.pose[1, 0], spread.pose[0, 0])
                angle += rng.integers(4) * np.pi / 2 + rng.normal(0, 0.1)
                if rng.random() < 0.2:
                    angle = rng.uniform(0, 2 * np.pi)
                top = tuple(int(v) for v in rng.normal(125, 25) + rng.normal(0, 12, 3))
                size = rng.uniform(0.45, 0.95)
                at = spread.castle_at + rng.normal(0, 0.06, 2)
                draw_castle(image, camera, sprite, at, size, angle, top)
                standing = True
    if deck.kings and rng.random() < 0.3 * recipe.clutter:
        for _ in range(int(rng.integers(1, 4))):
            king = deck.kings[int(rng.integers(len(deck.kings)))]
            at = _free_point(rng, every, 1.0)
            gap = np.linalg.norm(every - at, axis=1).min()
            if gap > 0.6:
                draw_standing(image, camera, king, at, rng.uniform(0.3, 0.5), rng.uniform(0, 6.28))
    return standing
