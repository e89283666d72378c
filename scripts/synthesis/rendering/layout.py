"""What lies on the table: kingdoms, each on its own lattice, and loose things beside them."""

from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct

from kdvision.rules.kingdom import Kingdom, Position
from kdvision.rules.terrain import CASTLE_LABEL, LABELS
from scripts.arrays import Array, Image, Rng
from scripts.synthesis.rendering.art import Deck, pyramid


class Piece(Struct, eq=False):
    """A flat thing on the table.

    `quad` (4, 2) are its corners in table coordinates, in the order of the picture's corners: top
    left, top right, bottom right, bottom left. `squares` are the quads of the terrain squares on
    it, each with its label index, for the truth. `outline` (n, 2) is where its cardboard ends, if
    not at these corners.
    """

    levels: list[Image]
    quad: Array
    squares: list[tuple[Array, int]] = []
    thickness: float = 0.05
    outline: Array | None = None


class Spread(Struct, eq=False):
    """A kingdom on the table: its pieces and its lattice.

    `pose` (3, 3) maps lattice coordinates (column, row) to the table. `dominoes` has the two
    places of each; None where they are not known. `colour` is its player's, empty where it is not
    known, and `shown_by` what shows it: "tile", "castle", "king".
    """

    kingdom: Kingdom
    pose: Array
    pieces: list[Piece]
    castle_at: Array | None = None
    dominoes: tuple[tuple[Position, Position], ...] | None = None
    colour: str = ""
    shown_by: list[str] = []


def pose(origin: Array | tuple[float, float], angle: float, pitch: float = 1.0) -> Array:
    """Return the map from lattice to table: turn, pitch between squares, and shift."""
    cos, sin = pitch * np.cos(angle), pitch * np.sin(angle)
    return np.array([[cos, -sin, origin[0]], [sin, cos, origin[1]], [0, 0, 1.0]])


def apply(matrix: Array, points: Array) -> Array:
    """Return a homography on points (n, 2)."""
    homogeneous = np.c_[points, np.ones(len(points))] @ matrix.T
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:])


def lay_kingdom(
    kingdom: Kingdom,
    dominoes: Sequence[tuple[int, Position, Position]],
    deck: Deck,
    rng: Rng,
    where: Array,
    looseness: float,
    plain: bool = False,
) -> Spread:
    """Lay the dominoes (number, left square, right square) and the start tile.

    `plain` takes a start tile that shows no colour, as some editions have.
    """
    pieces = []
    for number, left, right in dominoes:
        (r0, c0), (r1, c1) = left, right
        centre = np.array([(c0 + c1 + 1) / 2, (r0 + r1 + 1) / 2])
        angle = np.arctan2(r1 - r0, c1 - c0)
        quad = apply(where, _quad(centre, angle, 2, 1, rng, looseness))
        labels = [LABELS.index(str(kingdom[at])) for at in (left, right)]
        squares = list(zip(halves(quad), labels, strict=True))
        pieces.append(Piece(deck.dominoes[number], quad, squares))
    castle = kingdom.castles()[0]
    colour = str(rng.choice(list(deck.starts)))
    centre = np.array([castle[1] + 0.5, castle[0] + 0.5])
    angle = rng.integers(4) * np.pi / 2
    quad = apply(where, _quad(centre, angle, 1, 1, rng, looseness))
    picture = pyramid(plain_start(rng)) if plain else deck.starts[colour]
    pieces.append(Piece(picture, quad, [(quad, CASTLE_LABEL)]))
    pieces = [pieces[index] for index in rng.permutation(len(pieces))]
    pairs = tuple((left, right) for _, left, right in dominoes)
    shown_by = [] if plain else ["tile"]
    return Spread(kingdom, where, pieces, quad.mean(axis=0), pairs, colour, shown_by)


def plain_start(rng: Rng) -> Image:
    """Return a start tile of no player's colour: sand in grass, a bush on each side.

    Its two grounds are of many hues, most often as in the first editions.
    """
    grass = np.array([150, 180, 45]) + rng.normal(0, 1, 3) * rng.choice([12, 30])
    sand = np.array([185, 172, 125]) + rng.normal(0, 1, 3) * rng.choice([12, 30])
    ground = np.full((128, 128, 3), grass, np.float32)
    margin = int(rng.integers(10, 30))
    ground[margin:-margin, margin:-margin] = sand
    soft = cv2.GaussianBlur(ground, (0, 0), rng.uniform(0.5, 3))
    grain = cv2.resize(rng.normal(0, 1, (24, 24)).astype(np.float32), (128, 128))
    mixed = np.clip(soft + grain[..., None] * rng.uniform(2, 14), 0, 255)
    picture: Image = np.asarray(mixed, np.uint8)
    bush = tuple(int(v) for v in np.clip(grass * rng.uniform(0.45, 1.1), 0, 255))
    for x, y in ((64, margin), (64, 128 - margin), (margin, 64), (128 - margin, 64)):
        cv2.circle(picture, (x - 5, y), 4, bush, -1, cv2.LINE_AA)
        cv2.circle(picture, (x + 5, y), 4, bush, -1, cv2.LINE_AA)
    return picture


def halves(quad: Array) -> tuple[Array, Array]:
    """Return the left and the right square of a domino's quad."""
    top, bottom = (quad[0] + quad[1]) / 2, (quad[3] + quad[2]) / 2
    return np.array([quad[0], top, bottom, quad[3]]), np.array([top, quad[1], quad[2], bottom])


def _quad(
    centre: Array, angle: float, length: float, height: float, rng: Rng, looseness: float
) -> Array:
    """Return a slightly misplaced, slightly turned rectangle in lattice coordinates."""
    angle = angle + rng.normal(0, looseness * 0.5)
    centre = centre + rng.normal(0, looseness, 2).clip(-0.12, 0.12)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [length / 2, height / 2]
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(half @ np.array([[cos, sin], [-sin, cos]]) + centre)


def loose_domino(deck: Deck, rng: Rng, centre: Array, angle: float) -> Piece:
    """Return a domino that belongs to no kingdom."""
    number = int(rng.choice(list(deck.dominoes)))
    quad = _quad(centre, angle, 2, 1, rng, 0.0)
    return Piece(deck.dominoes[number], quad, [(half, -1) for half in halves(quad)])


def flat_thing(picture: Image, centre: Array, angle: float, length: float, rng: Rng) -> Piece:
    """Return any other flat thing: a card, a box, a sheet of paper."""
    height = length * picture.shape[0] / picture.shape[1]
    thickness = float(rng.choice([0.01, 0.03, 0.05, 0.5], p=[0.4, 0.3, 0.2, 0.1]))
    return Piece([picture], _quad(centre, angle, length, height, rng, 0.0), [], thickness)
