"""What stands or reaches over a table: castles, kings, a cup, arms. Far things are drawn first."""

from collections.abc import Callable, Iterator
from functools import partial

import cv2
import numpy as np
from msgspec import Struct

from kdvision.rules.terrain import CASTLE_LABEL
from scripts.arrays import Array, Image, Rng
from scripts.synthesis.rendering.art import COLOURS, Deck, roof_mask
from scripts.synthesis.rendering.camera import Camera
from scripts.synthesis.rendering.castles.boards import draw_boards
from scripts.synthesis.rendering.castles.patterns import bleached, draw_patterned, pattern
from scripts.synthesis.rendering.castles.solids import SOLIDS, draw_faces, prism
from scripts.synthesis.rendering.clutter import free_point
from scripts.synthesis.rendering.cover import Cover
from scripts.synthesis.rendering.layout import Piece, Spread
from scripts.synthesis.rendering.placement import outline
from scripts.synthesis.rendering.recipe import PATTERNED, Recipe
from scripts.synthesis.rendering.scene import cast_shadows, draw_standing, paste, stroke

Draw = Callable[[Image, Camera], None]


class Standing(Struct, frozen=True, eq=False):
    """A thing that stands on the table.

    Attributes:
        at: (2,) where.
        radius: Half its width, in squares.
        height: In squares.
        draw: Draws it into the picture.
        kingdom: Whose castle it is; -1 for all else.
        recoloured: Draws it with its player's colour changed, where it has one.
    """

    at: Array
    radius: float
    height: float
    draw: Draw
    kingdom: int = -1
    recoloured: Draw | None = None


def stand_figures(
    rng: Rng,
    image: Image,
    camera: Camera,
    deck: Deck,
    spreads: list[Spread],
    recipe: Recipe,
    light: Array,
) -> tuple[Cover, bool]:
    """Draw all that stands, and arms over it; what is covered now, and whether castles stand."""
    cover = Cover(image)
    for number, spread in enumerate(spreads):
        if "tile" in spread.shown_by:
            cover.add_tile(camera, _start_tile(spread), spread.pieces[0].thickness, number)
    things = list(_castles(rng, deck, spreads, recipe))
    castles_stand = bool(things)
    things += _kings(rng, deck, spreads, recipe)
    things += _cups(rng, spreads, recipe)
    things += _kings_on_castles(rng, deck, spreads, recipe)
    strength = rng.uniform(0.05, 0.45)
    footprints = [_footprint(thing) for thing in things]
    cast_shadows(image, camera, footprints, light, strength)
    for thing in sorted(things, key=lambda thing: -camera.depth([*thing.at, 0.2])):
        with cover.drawing(image, thing.kingdom, _into(camera, thing.recoloured)):
            thing.draw(image, camera)
    if rng.random() < recipe.arms:
        for _ in range(1 if rng.random() < 0.75 else 2):
            with cover.drawing(image):
                reach_over(rng, image, camera, spreads)
    return cover, castles_stand


def _into(camera: Camera, draw: Draw | None) -> Callable[[Image], None] | None:
    """Return what draws into a camera's picture; None where there is nothing to draw."""
    return draw and (lambda image: draw(image, camera))


def _start_tile(spread: Spread) -> Array:
    """Return the corners (4, 2) of the start tile on the table."""
    squares = [square for piece in spread.pieces for square in piece.squares]
    return next(quad for quad, label in squares if label == CASTLE_LABEL)


def _footprint(thing: Standing) -> Piece:
    """Return a flat stand-in that casts the thing's shadow."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * thing.radius * 0.8 + thing.at
    return Piece([], corners, [], thing.height * 0.7)


def _castles(rng: Rng, deck: Deck, spreads: list[Spread], recipe: Recipe) -> Iterator[Standing]:
    """Yield a castle on every start tile, or on none; all of one kind, as in one game."""
    if not deck.castles or rng.random() >= recipe.castles:
        return
    weights = np.array(list(recipe.castle_kinds.values()))
    kind = str(rng.choice(list(recipe.castle_kinds), p=weights / weights.sum()))
    for number, spread in enumerate(spreads):
        if spread.castle_at is None:
            continue
        # Along the lattice or not.
        angle = float(np.arctan2(spread.pose[1, 0], spread.pose[0, 0]))
        angle += rng.integers(4) * np.pi / 2 + rng.normal(0, 0.1)
        if rng.random() < 0.2:
            angle = rng.uniform(0, 2 * np.pi)
        # The castle.
        at = spread.castle_at + rng.normal(0, 0.06, 2)
        if kind == "box":
            yield stand_boards(rng, deck.castles[spread.colour], at, angle, number)
            spread.shown_by.append("castle")
        else:
            yield _solid(rng, kind, at, angle, number)
        # Now and then a king beside it.
        if deck.kings and rng.random() < 0.15:
            beside = at + rng.normal(0, 0.15, 2)
            king = deck.kings[spread.colour]
            place = beside, rng.uniform(0.3, 0.45), rng.uniform(0, 6.28)
            draw, again = _king(king, *place), _king(_inverted(king), *place)
            yield Standing(beside, 0.2, 0.4, draw, number, again)
            spread.shown_by.append("king")


def stand_boards(rng: Rng, sprite: Image, at: Array, angle: float, number: int) -> Standing:
    """Return the castle of the box with a front (h, w, 4), on the start tile of a kingdom."""
    size = rng.uniform(0.5, 0.8)
    low = 1.0 if rng.random() < 0.7 else rng.uniform(0.55, 1.0)
    shades = tuple(float(v) for v in np.clip(rng.normal(0.85, 0.15, 4), 0.4, 1.1))

    def draw(image: Image, camera: Camera, print_: Image = sprite) -> None:
        draw_boards(image, camera, print_, at, size, angle, low_pair=low, shades=shades)

    roofs = roof_mask(sprite.shape[:2])[..., None]
    again = partial(draw, print_=np.where(roofs, _inverted(sprite), sprite))
    return Standing(at, size * 0.62, size * 1.2, draw, number, again)


def _inverted(sprite: Image) -> Image:
    """Return a sprite (h, w, 4) in other colours: bright for dark, dark for bright."""
    colours = np.where(sprite[..., :3] < 128, 255, 0).astype(np.uint8)
    return np.dstack([colours, sprite[..., 3]])


def _solid(rng: Rng, kind: str, at: Array, angle: float, number: int) -> Standing:
    """Return a castle of another make; a patterned one has any shape that trains."""
    if kind == PATTERNED:
        shape = str(rng.choice(["wooden", "printed", "solid", "heap"]))
        faces = bleached(list(SOLIDS[shape](rng, at, angle)))
        draw: Draw = partial(draw_patterned, faces, pattern(rng), rng.uniform(0, 6.28), at)
    else:
        faces = list(SOLIDS[kind](rng, at, angle))
        draw = partial(draw_faces, faces=faces)
    top = max(float(face.corners[:, 2].max()) for face in faces)
    return Standing(at, 0.35, top, draw, number)


def _king(sprite: Image, at: Array, size: float, angle: float) -> Draw:
    """Return a king that stands: its front, and wood of the same colour behind it."""
    wood = sprite[sprite[..., 3] > 250][:, :3].mean(axis=0)
    behind = at + np.array([-np.sin(angle), np.cos(angle)]) * size * 0.2
    body = prism(behind, 4, size * 0.35, (0.05, size), wood, angle=angle + np.pi / 4, taper=0.7)

    def draw(image: Image, camera: Camera) -> None:
        draw_faces(image, camera, body)
        draw_standing(image, camera, sprite, at, size, angle)

    return draw


def _kings(rng: Rng, deck: Deck, spreads: list[Spread], recipe: Recipe) -> Iterator[Standing]:
    """Yield kings beside the kingdoms, and now and then one on a tile."""
    every = np.concatenate([outline(spread) for spread in spreads])
    places: list[Array] = []
    if deck.kings and rng.random() < 0.3 * recipe.clutter:
        free = [free_point(rng, every, 1.0) for _ in range(int(rng.integers(1, 4)))]
        places += [at for at in free if np.linalg.norm(every - at, axis=1).min() > 0.6]
    if deck.kings and rng.random() < recipe.kings_on_tiles:
        middles = every.reshape(-1, 4, 2).mean(axis=1)
        chosen = rng.choice(len(middles), int(rng.integers(1, 4)))
        places += [middles[index] + rng.normal(0, 0.2, 2) for index in chosen]
    if recipe.kings_on_castles:
        # Kings on castles alone tell whose these are.
        for spread in spreads:
            if spread.castle_at is not None:
                castle = spread.castle_at
                places = [at for at in places if np.linalg.norm(at - castle) > 0.75]
    for at in places:
        king = deck.kings[COLOURS[rng.integers(len(COLOURS))]]
        size = rng.uniform(0.3, 0.5)
        draw = _king(king, at, size, rng.uniform(0, 6.28))
        yield Standing(at, size / 2, size * 1.1, draw)


def _kings_on_castles(
    rng: Rng, deck: Deck, spreads: list[Spread], recipe: Recipe
) -> Iterator[Standing]:
    """Yield kings on the start tiles of their colour, standing or lying."""
    for number, spread in enumerate(spreads):
        if spread.castle_at is None or rng.random() >= recipe.kings_on_castles:
            continue
        at = spread.castle_at + rng.normal(0, 0.1, 2)
        king, size = deck.kings[spread.colour], rng.uniform(0.3, 0.5)
        angle = rng.uniform(0, 6.28)
        pose = lying_king if rng.random() < 0.5 else _king
        draw, again = pose(king, at, size, angle), pose(_inverted(king), at, size, angle)
        yield Standing(at, size / 2, size * 0.6, draw, number, again)
        spread.shown_by.append("king")


def lying_king(sprite: Image, at: Array, size: float, angle: float) -> Draw:
    """Return a king that lies on its back, as thick as two tiles."""

    def draw(image: Image, camera: Camera) -> None:
        along = np.array([np.cos(angle), np.sin(angle)]) * size / 2
        across = np.array([-along[1], along[0]]) * sprite.shape[0] / sprite.shape[1]
        quad = at + np.array([-along - across, along - across, along + across, across - along])
        side = np.dstack([(sprite[..., :3] * 0.6).astype(np.uint8), sprite[..., 3]])
        for height in np.linspace(0.05, 0.15, 4):
            paste(image, side, camera.project(np.c_[quad, np.full(4, height)]))
        paste(image, sprite, camera.project(np.c_[quad, np.full(4, 0.15)]))

    return draw


def _cups(rng: Rng, spreads: list[Spread], recipe: Recipe) -> Iterator[Standing]:
    """Yield now and then a cup or a glass close to a kingdom, tall enough to stand before it."""
    if rng.random() >= recipe.cups:
        return
    every = np.concatenate([outline(spread) for spread in spreads])
    radius, height = rng.uniform(0.7, 1.2), rng.uniform(1.2, 2.6)
    at = free_point(rng, every, 1.0)
    if np.linalg.norm(every - at, axis=1).min() < radius + 0.15:
        return
    colour, taper = rng.uniform(20, 250, 3), rng.uniform(0.85, 1.2)
    faces = prism(at, 20, radius, (0.0, height), colour, taper=taper)
    drink = prism(at, 20, radius * taper * 0.9, (height, height + 0.01), rng.uniform(20, 200, 3))
    draw = partial(draw_faces, faces=faces + drink[-1:])
    yield Standing(at, radius, height, draw)


def reach_over(rng: Rng, image: Image, camera: Camera, spreads: list[Spread]) -> None:
    """Draw an arm from outside the picture that covers the edge of a kingdom. In place.

    A forearm, now and then in a sleeve, a palm and fingers, bent or stretched.
    """
    spread = spreads[int(rng.integers(len(spreads)))]
    every = outline(spread)
    points = camera.project(np.c_[every, np.full(len(every), 0.4)])
    middle = points.mean(axis=0)
    # Where it reaches to, and from which side.
    unit = float(np.sqrt(cv2.contourArea(points[:4].astype(np.float32)))) + 1.0
    edge = points[int(rng.integers(len(points)))]
    tip = edge + (middle - edge) * rng.uniform(-0.25, 0.45)
    way = edge - middle + rng.normal(0, 0.5, 2) * unit
    way = way / max(float(np.linalg.norm(way)), 1e-6)
    side = np.array([-way[1], way[0]])
    # Fingers, palm and arm.
    width = unit * rng.uniform(0.7, 1.6)
    skin = np.array([228, 182, 152]) * rng.uniform(0.3, 1.08) + rng.normal(0, 10, 3)
    wrist = tip + way * width * rng.uniform(1.2, 1.8)
    mask = np.zeros(image.shape[:2], np.uint8)
    for finger in np.linspace(-0.42, 0.42, int(rng.integers(2, 6))):
        end = tip + side * finger * width * 1.3 + way * width * rng.uniform(-0.2, 0.4)
        stroke(mask, end, wrist + side * finger * width * 0.6, width * rng.uniform(0.2, 0.26))
    stroke(mask, tip + way * width * 0.7, wrist, width * rng.uniform(0.75, 1.0))
    far = wrist + way * 2.5 * max(image.shape)
    stroke(mask, wrist, far, width * 0.7)
    _paint(rng, image, mask, skin)
    if rng.random() < 0.5:
        sleeve = np.zeros_like(mask)
        stroke(sleeve, wrist + way * width * rng.uniform(0.2, 2), far, width * 0.95)
        _paint(rng, image, sleeve, rng.uniform(10, 245, 3))


def _paint(rng: Rng, image: Image, mask: Image, colour: Array) -> None:
    """Paint a rounded shape in one colour, darker towards its border. In place."""
    near = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    round_off = np.clip(near / max(float(near.max()), 1.0), 0, 1) ** 0.5
    shade = (0.6 + 0.45 * round_off) * rng.uniform(0.85, 1.1)
    share = (mask.astype(np.float32) / 255)[..., None]
    painted = np.clip(colour * shade[..., None], 0, 255)
    image[:] = (image * (1 - share) + painted * share).astype(np.uint8)
