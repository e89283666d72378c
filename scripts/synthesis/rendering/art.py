"""Decks of tile pictures: scans, photographed tiles, single halves, and our own artwork.

A `Deck` gives pictures for dominoes and start tiles. Each picture is kept as a pyramid of
halved sizes so that small tiles are drawn without aliasing.
"""

from functools import cache, lru_cache
from pathlib import Path

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from kdvision.rules.dominoes import standard_deck
from kdvision.rules.terrain import Square
from scripts.arrays import Image, Mask, Rng
from scripts.pictures import read_bgr
from scripts.synthesis.artwork import castle
from scripts.synthesis.artwork.style import PLAYER, Colour
from scripts.synthesis.artwork.tiles import paint_deck

COLOURS = tuple(PLAYER)
#: Looks of painted start tiles, castles and kings beside those of the decks.
FIGURES = 400
#: Their side in pixels.
FIGURE_SIZE = 128
#: Where the roofs are in the front of a castle of the box, as shares of its width and height.
_ROOFS = (
    np.array([[0.34, 0.34], [0.49, 0.08], [0.64, 0.34]]),
    np.array([[0.62, 0.42], [0.70, 0.26], [0.79, 0.42]]),
)


class Deck(Struct, eq=False):
    """Pictures of one look: dominoes by number, twice as wide as high; all else by colour."""

    name: str
    dominoes: dict[int, list[Image]]
    starts: dict[str, list[Image]]
    castles: dict[str, Image] = {}
    kings: dict[str, Image] = {}


def read_rgb(path: Path) -> Image:
    """Return a picture file as RGB.

    Raises:
        FileNotFoundError: It is not there, or it is no picture.
    """
    return np.asarray(cv2.cvtColor(read_bgr(path), cv2.COLOR_BGR2RGB), np.uint8)


def pyramid(picture: Image, smallest: int = 24) -> list[Image]:
    """Return the picture and its halves, largest first, down to `smallest` rows."""
    levels = [picture]
    while levels[-1].shape[0] // 2 >= smallest:
        last = levels[-1]
        half = (last.shape[1] // 2, last.shape[0] // 2)
        smaller = cv2.resize(last, half, interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(smaller, np.uint8))
    return levels


def _trim(picture: Image, share: float) -> Image:
    """Cut a share of the height off all four sides."""
    margin = round(picture.shape[0] * share)
    return picture[margin : picture.shape[0] - margin, margin : picture.shape[1] - margin]


@cache
def real_deck(data: Path, name: str) -> Deck:
    """Return the deck `scan` or `flash` of the data folder.

    Or `halves`, put together from single squares, which is kept out of training.
    """
    folder = data / "art" / name
    castles = data / "art" / "castle"
    share = 0.03 if name == "flash" else 0.0
    dominoes = {}
    for domino in standard_deck().dominoes:
        if name == "halves":
            pair = [_half(folder, square, domino.number) for square in (domino.left, domino.right)]
            picture = np.hstack(pair)
        else:
            picture = _trim(read_rgb(folder / f"{domino.number:02}.jpg"), share)
        dominoes[domino.number] = pyramid(picture)
    starts = {}
    for colour in COLOURS:
        path = (castles if name == "halves" else folder) / f"start_{colour}.jpg"
        starts[colour] = pyramid(_trim(read_rgb(path), share))
    return Deck(name, dominoes, starts, *_figures(castles))


def _half(folder: Path, square: Square, number: int) -> Image:
    paths = sorted(folder.glob(f"{square.terrain.value}_{square.crowns}_*.jpg"))
    picture = read_rgb(paths[number * 7 % len(paths)])
    return np.asarray(cv2.resize(picture, (256, 256), interpolation=cv2.INTER_AREA), np.uint8)


def _figures(folder: Path) -> tuple[dict[str, Image], dict[str, Image]]:
    """Return castle fronts and kings as RGBA sprites, cut out of their pale or grey background."""
    castles, kings = {}, {}
    for colour in COLOURS:
        front = read_rgb(folder / f"castle_front_{colour}.jpg")
        castles[colour] = _cut_out(front, front.min(axis=2) > 215)
        king = read_rgb(folder / f"king_meeple_{colour}.jpg")
        kings[colour] = _cut_out(king, np.ptp(king, axis=2) < 36)
    return castles, kings


def _cut_out(picture: Image, ground: Mask) -> Image:
    """Add an alpha channel: ground that touches the border becomes transparent."""
    _, regions = cv2.connectedComponents(ground.astype(np.uint8))
    border = np.unique(np.r_[regions[0], regions[:, 0], regions[:, -1]])
    clear = np.isin(regions, border[border > 0])
    alpha = cv2.GaussianBlur(np.where(clear, 0, 255).astype(np.uint8), (3, 3), 0)
    return np.dstack([picture, alpha])


def painted_deck(seed: int, size: int = 192, *, recrowned: bool = False) -> Deck:
    """Return a deck in artwork of our own; every seed gives another look.

    `recrowned` draws buildings that have nothing to do with the number of crowns.
    """
    pictures = paint_deck(seed, size, any_building=recrowned)
    dominoes = {number: pyramid(picture) for number, picture in pictures.items()}
    return Deck(f"painted-{seed}", dominoes, *_paint_figures(seed, size, castle.PALE_SKY))


@lru_cache(maxsize=2 * FIGURES)
def _paint_figures(
    seed: int, size: int, sky: tuple[Colour, Colour]
) -> tuple[dict[str, list[Image]], dict[str, Image], dict[str, Image]]:
    """Start tiles, castles in front of a sky between two colours, and kings."""
    rng = np.random.default_rng(seed)
    starts = {colour: pyramid(castle.paint_start_tile(colour, rng, size)) for colour in COLOURS}
    castles = {colour: castle.paint_castle_sprite(colour, rng, size, sky) for colour in COLOURS}
    kings = {colour: castle.paint_king_sprite(colour, rng, size) for colour in COLOURS}
    return starts, castles, kings


def reprinted_deck(deck: Deck, rng: Rng) -> Deck:
    """Return a deck with other start tiles, castles and kings, of which a network learns few.

    Painted ones are of one of `FIGURES` looks; behind photographed castles is another sky.
    """
    if not deck.name.startswith("painted"):
        fronts = {name: _under_another_sky(front, rng) for name, front in deck.castles.items()}
        return replace(deck, castles=fronts)
    look = int(rng.integers(FIGURES))
    starts, castles, kings = _paint_figures(look, FIGURE_SIZE, castle.DEEP_SKY)
    return replace(deck, starts=starts, castles=castles, kings=kings)


def _under_another_sky(front: Image, rng: Rng) -> Image:
    """Return the front of a castle (h, w, 4) in front of a darker, brighter or bluer sky."""
    pixels = front[..., :3].astype(np.float32)
    is_sky = (pixels[..., 2] > pixels[..., 0] + 10) & ~roof_mask(front.shape[:2])
    light = np.exp(rng.uniform(-0.55, 0.15) + rng.normal(0, 0.06, 3) * [1.5, 1, 0.5])
    pixels[is_sky] *= light
    return np.dstack([np.clip(pixels, 0, 255).astype(np.uint8), front[..., 3]])


def roof_mask(shape: tuple[int, ...]) -> Mask:
    """Return where (h, w) the roofs are in the front of a castle of the box."""
    roofs = np.zeros(shape, np.uint8)
    for roof in _ROOFS:
        cv2.fillPoly(roofs, [np.round(roof * shape[::-1]).astype(np.int32)], 255)
    return roofs > 0
