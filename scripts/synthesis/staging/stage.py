"""A shot becomes a photo and the lines of its kingdoms."""

from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from kdvision.rules.kingdom import Kingdom
from scripts.pictures import resized
from scripts.synthesis import textures
from scripts.synthesis.rendering.art import COLOURS, Deck, Image, painted_deck
from scripts.synthesis.rendering.camera import Camera, look_at
from scripts.synthesis.rendering.layout import Array, Piece, Spread, apply, lay_kingdom, pose
from scripts.synthesis.rendering.scene import (
    cast_shadows,
    draw_castle,
    draw_piece,
    draw_table,
)
from scripts.synthesis.staging.lighting import apply_light
from scripts.synthesis.staging.plans import read_plan
from scripts.synthesis.staging.props import (
    Colour,
    draw_king,
    draw_lying_king,
    draw_mug,
    draw_pencil,
    number_side,
    score_pad,
)
from scripts.synthesis.staging.separate_tiles import overlap, push_apart
from scripts.synthesis.staging.shot import Kind, Lay, Light, Mat, Prop, Shot

#: The longer and the shorter side of every photo.
SIZE = (1600, 1200)
#: Everything is drawn so many times larger first, and then averaged.
FINER = 2
#: Side of a painted square in pixels.
PAINTED = 352

#: In squares.
CASTLE_WIDTH = 0.7
KING_WIDTH = 0.5
#: Length and height of what a prop covers of the table, in squares.
FOOTPRINT = {
    Kind.DOMINO: (2.0, 1.0),
    Kind.BACK: (2.0, 1.0),
    Kind.PILE: (2.0, 1.0),
    Kind.KING: (0.6, 0.4),
    Kind.LYING_KING: (0.65, 0.65),
    Kind.MUG: (1.7, 1.7),
    Kind.PENCIL: (4.4, 0.2),
    Kind.PAD: (2.9, 4.03),
}


@dataclass(frozen=True, slots=True)
class Seen:
    """A kingdom as it lies in the photo.

    Attributes:
        kingdom: Turned by quarters so that its columns run to the right as far as they can.
        castle_at: Pixel of the middle of its start tile.
        corners: (n, 2) pixels of the corners of all its squares.
        squares: Sides of its squares in pixels: the shortest and the longest.
    """

    kingdom: Kingdom
    castle_at: tuple[float, float]
    corners: Array
    squares: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Staged:
    """A photo (h, w, 3) RGB with its kingdoms in reading order of their castles."""

    image: Image
    kingdoms: tuple[Seen, ...]


def stage(shot: Shot) -> Staged:
    """Draw a shot. The same shot gives the same pixels.

    Raises:
        ValueError: Something lies on a kingdom.
    """
    rng = rng_of(shot)
    deck = _deck(shot.deck)
    camera = camera_of(shot)
    spreads = lay_out(shot, deck, rng)
    flat = [piece for prop in shot.props for piece in _flat(prop, deck, rng)]
    mats = [_mat(shot.mat)] if shot.mat else []
    pieces = mats + flat + [piece for spread in spreads for piece in spread.pieces]
    image = _table(shot, camera)
    sun, dark = shot.light.sun, shot.light.shadow
    cast_shadows(image, camera, pieces, sun, dark)
    for piece in pieces:
        draw_piece(image, camera, piece, (168, 150, 122))
    _stand_up(image, camera, shot, spreads, deck)
    image = resized(image, 1 / FINER)
    return Staged(apply_light(image, shot.light, rng), as_seen(spreads, camera))


def rng_of(shot: Shot) -> np.random.Generator:
    """The random numbers of a shot."""
    return np.random.default_rng([7, shot.deck, len(shot.file)])


def lay_out(shot: Shot, deck: Deck, rng: np.random.Generator) -> list[Spread]:
    """The kingdoms of a shot on the table.

    Raises:
        ValueError: Something lies on a kingdom.
    """
    spreads = [_lay(lay, deck, rng) for lay in shot.kingdoms]
    _all_clear(shot, spreads)
    return spreads


@cache
def _deck(seed: int) -> Deck:
    return painted_deck(seed, PAINTED)


def camera_of(shot: Shot) -> Camera:
    """The camera of a shot, for the picture that is drawn larger first."""
    width, height = reversed(SIZE) if shot.portrait else SIZE
    return look_at(
        shot.target,
        size=(width * FINER, height * FINER),
        square_px=shot.square * FINER,
        tilt=-np.radians(shot.tilt),
        turn=0.0,
        roll=np.radians(shot.roll),
        focal=shot.focal,
    )


def _table(shot: Shot, camera: Camera) -> Image:
    name, seed = shot.table
    texture = textures.TABLES[name](np.random.default_rng(seed), 1536, 2048)
    return draw_table(camera, texture, shot.table_squares, np.radians(shot.table_turn))


def _mat(mat: Mat) -> Piece:
    name, seed = mat.surface
    picture = textures.TABLES[name](np.random.default_rng(seed), 1280, 1920)
    corners = _rectangle(mat, mat.width, mat.width * 2 / 3)
    return Piece([picture], corners, [], 0.04)


def _lay(lay: Lay, deck: Deck, rng: np.random.Generator) -> Spread:
    """A kingdom on the table, its middle where the shot wants it."""
    plan = read_plan(lay.plan)
    deck = replace(deck, starts={lay.colour: deck.starts[lay.colour]})
    turn, pitch = np.radians(lay.turn), 1.0 + lay.gap
    centre = [[plan.kingdom.width / 2, plan.kingdom.height / 2]]
    middle = apply(pose((0, 0), turn, pitch), np.array(centre))[0]
    where = pose((lay.at[0] - middle[0], lay.at[1] - middle[1]), turn, pitch)
    return push_apart(lay_kingdom(plan.kingdom, plan.dominoes, deck, rng, where, lay.loose))


# Beside the kingdoms ------------------------------------------------------------------------


def _flat(prop: Prop, deck: Deck, rng: np.random.Generator) -> list[Piece]:
    """The flat pieces of a prop, the lowest first."""
    outline = _footprint(prop)
    match prop.kind:
        case Kind.DOMINO:
            return [Piece(deck.dominoes[int(prop.what)], outline)]
        case Kind.BACK:
            return [Piece([number_side(prop.what, rng)], outline)]
        case Kind.PILE:
            return [_stacked(prop, level, rng) for level in range(1, 7)]
        case Kind.PAD:
            sheet = score_pad(prop.what.split("|"), rng)
            return [Piece([sheet], outline, [], 0.02)]
        case _:
            return []


def _all_clear(shot: Shot, spreads: list[Spread]) -> None:
    """Check that no prop lies on a kingdom and no kingdom on another."""
    tiles = [[piece.quad for piece in spread.pieces] for spread in spreads]
    things = [[_footprint(prop)] for prop in shot.props]
    for number, kingdom in enumerate(tiles):
        for other in (*tiles[:number], *things):
            if any(overlap(one, two).any() for one in kingdom for two in other):
                raise ValueError(f"{shot.file}: something lies on a kingdom.")


def _stacked(prop: Prop, level: int, rng: np.random.Generator) -> Piece:
    """One domino of a pile, drawn as a block down to the table."""
    x, y = prop.at + rng.normal(0, 0.02, 2)
    one = replace(prop, at=(x, y), turn=prop.turn + rng.normal(0, 1.2))
    return Piece([number_side(prop.what, rng)], _footprint(one), [], 0.06 * level)


def _footprint(prop: Prop) -> Array:
    return _rectangle(prop, *FOOTPRINT[prop.kind])


def _rectangle(prop: Prop | Mat, length: float, height: float) -> Array:
    turn = np.radians(prop.turn)
    cos, sin = np.cos(turn), np.sin(turn)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [length / 2, height / 2]
    return np.asarray(half @ np.array([[cos, sin], [-sin, cos]]) + prop.at)


def _stand_up(image: Image, camera: Camera, shot: Shot, spreads: list[Spread], deck: Deck) -> None:
    """Castles, kings, mugs and pencils, the farthest first, each after its shadow. In place."""
    standing: list[tuple[float, Lay | Prop, Array]] = []
    for lay, spread in zip(shot.kingdoms, spreads, strict=True):
        if lay.castle and spread.castle_at is not None:
            standing.append((float(spread.castle_at[1]), lay, spread.castle_at))
    standing += [(prop.at[1], prop, np.array(prop.at)) for prop in shot.props]
    for _, thing, at in sorted(standing, key=lambda entry: entry[0]):
        if isinstance(thing, Lay):
            sprite = deck.castles[COLOURS.index(thing.colour)]
            turn = np.radians(thing.turn)
            _shadow(image, camera, _ring(at, CASTLE_WIDTH * 0.6, turn), 0.6, shot.light)
            draw_castle(image, camera, sprite, at, CASTLE_WIDTH, turn, (150, 128, 96))
        elif thing.kind is Kind.KING:
            sprite = deck.kings[COLOURS.index(thing.what)]
            turn = np.radians(thing.turn)
            foot = at + np.outer([-1, 1], [np.cos(turn), np.sin(turn)]) * KING_WIDTH * 0.3
            _shadow(image, camera, foot, KING_WIDTH, shot.light)
            draw_king(image, camera, sprite, at, KING_WIDTH, turn)
        elif thing.kind is Kind.LYING_KING:
            quad = _footprint(thing)
            _shadow(image, camera, quad * 0.7 + at * 0.3, 0.25, shot.light)
            draw_lying_king(image, camera, deck.kings[COLOURS.index(thing.what)], quad)
        elif thing.kind is Kind.MUG:
            red, green, blue = (int(v) for v in thing.what.split(","))
            colour: Colour = (red, green, blue)
            _shadow(image, camera, _ring(at, 0.85, 0.0, 40), 1.7, shot.light, lift=0.0)
            draw_mug(image, camera, at, colour)
        elif thing.kind is Kind.PENCIL:
            quad = _footprint(thing)
            _shadow(image, camera, quad, 0.12, shot.light, lift=0.0)
            draw_pencil(image, camera, quad)


def _ring(at: Array, radius: float, turn: float, corners: int = 4) -> Array:
    turns = turn + np.pi / 4 + np.arange(corners) * 2 * np.pi / corners
    return np.asarray(at + radius * np.c_[np.cos(turns), np.sin(turns)])


def _shadow(
    image: Image, camera: Camera, foot: Array, height: float, light: Light, lift: float = 0.05
) -> None:
    """The shadow of a thing of that height, soft at its border. In place."""
    shifted = foot + np.array(light.sun) * height
    ground = np.r_[foot, shifted]
    points = camera.project(np.c_[ground, np.full(len(ground), lift)])
    mask = np.zeros(image.shape[:2], np.uint8)
    hull = cv2.convexHull(points.astype(np.float32))
    cv2.fillConvexPoly(mask, np.array(hull * 16, np.int32), 255, cv2.LINE_AA, 4)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 4.0 * FINER), np.uint8)
    dark = mask.astype(np.float32) * np.float32(light.shadow / 255)
    np.multiply(image, 1 - dark[..., None], out=image, casting="unsafe")


# Truth --------------------------------------------------------------------------------------


def as_seen(spreads: list[Spread], camera: Camera) -> tuple[Seen, ...]:
    """The kingdoms as they lie in the photo, in reading order of their castles."""
    seen = [_seen(spread, camera) for spread in spreads]
    return tuple(sorted(seen, key=lambda one: (one.castle_at[1], one.castle_at[0])))


def _seen(spread: Spread, camera: Camera) -> Seen:
    """How a kingdom lies in the photo."""
    to_pixels = camera.plane(spread.pieces[0].thickness) @ spread.pose
    rows, cols = spread.kingdom.height, spread.kingdom.width
    steps = np.array([[0, 0], [0.5, 0], [0, 0.5]])
    ends = apply(to_pixels, np.array([cols / 2, rows / 2]) + steps)
    right, down = ends[1] - ends[0], ends[2] - ends[0]
    # The direction in which the columns run after 0 to 3 quarter turns of the grid.
    runs = [right, -down, -right, down]
    quarters = int(np.argmax([run[0] / np.linalg.norm(run) for run in runs]))
    quads = [quad for piece in spread.pieces for quad, _ in piece.squares]
    corners = np.stack([camera.project(np.c_[quad, np.full(4, 0.05)]) for quad in quads]) / FINER
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    assert spread.castle_at is not None
    castle = camera.project(np.array([[*spread.castle_at, 0.05]]))[0] / FINER
    return Seen(
        spread.kingdom.turned(quarters),
        (float(castle[0]), float(castle[1])),
        corners.reshape(-1, 2),
        (float(sides.min()), float(sides.max())),
    )
