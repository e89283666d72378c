"""Photos of tables with four kingdoms, drawn in artwork of our own: what a tournament hands in."""

from collections.abc import Sequence
from functools import cache
from itertools import product

import cv2
import numpy as np

from scripts.synthesis.players import LaidKingdom
from scripts.synthesis.rendering.art import Deck, Image, painted_deck
from scripts.synthesis.rendering.camera import look_at
from scripts.synthesis.rendering.layout import Array, Spread, apply, lay_kingdom, pose
from scripts.synthesis.rendering.scene import cast_shadows, draw_piece, draw_table
from scripts.synthesis.textures import TABLES

#: Width and height of a photo, and the side of a square in its middle, in pixels.
SIZE, SQUARE_PX = (1400, 1400), 66.0
#: Seeds of the artwork; those from 1000 on train.
DECKS = (511, 504)
SURFACES = ("oak", "laminate", "beech", "boards")
#: Of every castle from the middle of the table, to the left or right and up or down, in squares.
#: Kingdoms reach 4.5 squares from their castles at most, and castles of two players lie on one
#: line: so none comes near another, and their order on the photo is plain.
CASTLES = 5.2


def table_photo(
    kingdoms: Sequence[LaidKingdom],
    seed: int,
    light: float = 1.0,
) -> bytes:
    """A photo of the four kingdoms of a game, A to D in their order, as a JPEG.

    Args:
        kingdoms: The kingdoms, with the dominoes that they are made of.
        seed: Of all chance.
        light: How bright the room is; 1 is day.
    """
    rng = np.random.default_rng(seed)
    spreads = _on_table(kingdoms, _deck(DECKS[seed % len(DECKS)]), rng)
    pieces = [piece for spread in spreads for piece in spread.pieces]
    camera = look_at(
        (0.0, 0.0), size=SIZE, square_px=SQUARE_PX,
        tilt=-rng.uniform(0.0, 0.1), turn=0.0, roll=rng.normal(0, 0.005), focal=1.5,
    )  # fmt: skip
    surface = TABLES[SURFACES[seed % len(SURFACES)]](rng, 512, 768)
    image = draw_table(camera, surface, 10.0, rng.uniform(0, 6))
    cast_shadows(image, camera, pieces, (0.5, 0.7), 0.3)
    for piece in pieces:
        draw_piece(image, camera, piece, (168, 150, 122))
    picture = _developed(image, light, rng)[..., ::-1]
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 88])[1])


@cache
def _deck(seed: int) -> Deck:
    return painted_deck(seed, 128)


def _on_table(
    kingdoms: Sequence[LaidKingdom], deck: Deck, rng: np.random.Generator
) -> list[Spread]:
    """The kingdoms of four players in reading order, each slightly turned about its castle."""
    spreads = []
    for (y, x), one in zip(product((-CASTLES, CASTLES), repeat=2), kingdoms, strict=True):
        angle, pitch = rng.normal(0, 0.02), 1.01
        row, col = one.kingdom.castles()[0]
        castle = apply(pose((0, 0), angle, pitch), np.array([[col + 0.5, row + 0.5]]))[0]
        where = pose((x - castle[0], y - castle[1]), angle, pitch)
        dominoes = [(laid.domino.number, laid.left_at, laid.right_at) for laid in one.placed]
        spreads.append(lay_kingdom(one.kingdom, dominoes, deck, rng, where, 0.006))
    return spreads


def _developed(image: Image, light: float, rng: np.random.Generator) -> Image:
    """The picture as a phone takes it: a little soft, a little noisy, one side lighter."""
    soft = cv2.GaussianBlur(image, (0, 0), 0.7).astype(np.float32)
    slope = np.linspace(0.92, 1.06, image.shape[1], dtype=np.float32)[None, :, None]
    noise: Array = rng.normal(0, 2.5, image.shape)
    return np.asarray(np.clip(soft * slope * light + noise, 0, 255), np.uint8)
