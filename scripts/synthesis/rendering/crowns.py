"""Counterfactual crowns: decks whose pictures and crowns have nothing to do with each other.

On the tiles of one printing the larger house always has two crowns, so a classifier may learn to
recognise houses instead of counting crowns; in another printing it is then wrong. Here crowns are
cut out of scans, taken away where they are, and set elsewhere. A deck keeps its 48 dominoes, so
that kingdoms stay kingdoms of the box: what changes is which picture stands for which square.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from operator import itemgetter
from pathlib import Path

import cv2
import numpy as np
from msgspec.structs import replace
from scipy import ndimage

from kdvision.rules.dominoes import standard_deck
from kdvision.rules.terrain import Square, Terrain
from scripts.arrays import AnyArray, Image, Rng
from scripts.synthesis.rendering.art import Deck, pyramid, real_deck

#: Squares are worked on at this side, in pixels.
SIDE = 256
#: Crowns are printed in so much of the upper part of a square.
STRIP = 0.34
#: About how wide and high a crown is, in squares.
CROWN = (0.28, 0.245)
#: Dominoes with a crown on a lake, whose blue is unlike anything on a crown.
ON_LAKE = (24, 25, 26, 27, 28, 29)
#: Other pictures for a square, by (terrain, crowns), as another printing of the publisher's has
#: them: the large house with one crown, the hill with two tunnels with three.
OTHER_PRINTING = {(Terrain.GRASSLAND, 1): 2, (Terrain.MINE, 3): 2}
Half = tuple[Square, Image]


@cache
def recrowned_deck(data: Path, name: str, seed: int) -> Deck:
    """Return a real deck (`scan`, `flash` or `halves`) in which pictures say nothing of crowns.

    Every square shows any picture of its terrain, with as many crowns as its domino has: some in
    their usual corner, some in another, cut from this deck or another one.
    """
    rng = np.random.default_rng([seed, len(name)])
    deck = real_deck(data, name)
    squares = _squares(data, name)
    sprites = [crown_sprite(data, name)]
    if name != "halves":
        sprites += [crown_sprite(data, other) for other in ("scan", "flash") if other != name]
    dominoes = {}
    for domino in standard_deck().dominoes:
        pair = []
        for side, square in enumerate((domino.left, domino.right)):
            sprite = sprites[0] if rng.random() < 0.7 else sprites[int(rng.integers(len(sprites)))]
            picture = _any_picture(squares, square, rng)
            bare = without_crowns(*picture, sprites[0], _filler(squares, square, rng))
            pair.append(with_crowns(bare, square.crowns, sprite, rng, right=side == 1))
        dominoes[domino.number] = pyramid(np.hstack(pair))
    return replace(deck, name=f"{name} recrowned {seed}", dominoes=dominoes)


@lru_cache(maxsize=16)
def scattered_deck(data: Path, name: str, seed: int) -> Deck:
    """Return a real deck with its crowns anywhere on the squares, in many sizes and colours.

    Wherever a publisher prints them, and in whatever gold, crowns are counted.
    """
    rng = np.random.default_rng([seed, len(name), 1])
    deck, squares = real_deck(data, name), _squares(data, name)
    sprites = [crown_sprite(data, one) for one in ("scan", "flash")]
    own = crown_sprite(data, name)
    dominoes = {}
    for domino in standard_deck().dominoes:
        sprite = _recoloured_sprite(sprites[int(rng.integers(len(sprites)))], rng)
        pair = []
        for square in (domino.left, domino.right):
            picture = _any_picture(squares, square, rng)
            bare = without_crowns(*picture, own, _filler(squares, square, rng))
            pair.append(with_scattered_crowns(bare, square.crowns, sprite, rng))
        dominoes[domino.number] = pyramid(np.hstack(pair))
    return replace(deck, name=f"{name} scattered {seed}", dominoes=dominoes)


def _recoloured_sprite(sprite: Image, rng: Rng) -> Image:
    """Return a crown (h, w, 4) in another gold, silver or paint, now and then mirrored."""
    colour = sprite[..., :3].astype(np.float32)
    grey = colour.mean(axis=2, keepdims=True)
    colour = grey + (colour - grey) * rng.uniform(0.1, 1.3)
    colour = colour * np.exp(rng.normal(0, 0.12, 3)) * np.exp(rng.normal(0, 0.15))
    whole = np.dstack([np.clip(colour, 0, 255).astype(np.uint8), sprite[..., 3]])
    return np.ascontiguousarray(whole[:, ::-1]) if rng.random() < 0.5 else whole


def with_scattered_crowns(picture: Image, count: int, sprite: Image, rng: Rng) -> Image:
    """Return a picture (SIDE, SIDE, 3) with crowns in a row or a column, or each anywhere."""
    picture = picture.copy()
    size = float(rng.uniform(0.7, 1.15))
    scaled = cv2.resize(sprite, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
    height, width = scaled.shape[:2]
    for left, top in _places_of_crowns(count, width, height, rng):
        _paste(picture, scaled, left, top)
    return picture


def _paste(picture: Image, crown: AnyArray, left: int, top: int) -> None:
    """Set a crown (h, w, 4) into a picture. In place."""
    region = picture[top : top + crown.shape[0], left : left + crown.shape[1]]
    share = crown[..., 3:].astype(np.float32) / 255
    region[:] = (region * (1 - share) + crown[..., :3] * share).astype(np.uint8)


def _places_of_crowns(count: int, width: int, height: int, rng: Rng) -> list[tuple[int, int]]:
    """Return (x, y) of the top left of crowns that do not overlap, off the rim of a square."""
    rim = round(0.02 * SIDE)
    most = np.array([SIDE - rim - width, SIDE - rim - height])
    step = np.array([width, height]) * rng.uniform(1.0, 1.15) * [[1, 0], [0, 1]][rng.integers(2)]
    reach = most - rim - step * (count - 1)
    if rng.random() < 0.6 and (reach >= 0).all():
        first = rim + rng.uniform(0, 1, 2) * reach
        places = first + step * np.arange(count)[:, None]
        return [(int(x), int(y)) for x, y in places]
    found: list[tuple[int, int]] = []
    while len(found) < count:
        x, y = (int(value) for value in rng.integers(rim, most + 1))
        if all(abs(x - a) >= width or abs(y - b) >= height for a, b in found):
            found.append((x, y))
    return found


@cache
def other_printing(data: Path, name: str) -> Deck:
    """Return a real deck with the pictures of `OTHER_PRINTING`; all other dominoes as they are."""
    deck, squares = real_deck(data, name), _squares(data, name)
    rng = np.random.default_rng(0)
    sprite, dominoes = crown_sprite(data, name), dict(deck.dominoes)
    for domino in standard_deck().dominoes:
        pair = list(_halves(deck.dominoes[domino.number][0]))
        for side, square in enumerate((domino.left, domino.right)):
            wanted = OTHER_PRINTING.get((square.terrain, square.crowns))
            if wanted is None:
                continue
            shown = next(one for one in squares[square.terrain] if one[0].crowns == wanted)
            bare = without_crowns(*shown, sprite, _filler(squares, square, rng))
            pair[side] = with_crowns(bare, square.crowns, sprite, None, right=side == 1)
            dominoes[domino.number] = pyramid(np.hstack(pair))
    return replace(deck, name=f"{name} other printing", dominoes=dominoes)


def _halves(picture: Image) -> tuple[Image, Image]:
    """Return the squares of a domino's picture, (SIDE, SIDE, 3) each."""
    whole = cv2.resize(picture, (2 * SIDE, SIDE), interpolation=cv2.INTER_AREA)
    left, right = np.hsplit(np.asarray(whole, np.uint8), 2)
    return left.copy(), right.copy()


@cache
def _squares(data: Path, name: str) -> dict[Terrain, list[Half]]:
    """Return all pictures of squares of a deck with what they show, by terrain."""
    found: dict[Terrain, list[Half]] = {terrain: [] for terrain in Terrain}
    dominoes = real_deck(data, name).dominoes
    for domino in standard_deck().dominoes:
        halves = _halves(dominoes[domino.number][0])
        for square, picture in zip((domino.left, domino.right), halves, strict=True):
            found[square.terrain].append((square, picture))
    return found


def _any_picture(squares: dict[Terrain, list[Half]], square: Square, rng: Rng) -> Half:
    """Return a picture of the terrain; crownless ones are no more frequent than others."""
    crowns = sorted({one.crowns for one, _ in squares[square.terrain]})
    wanted = crowns[int(rng.integers(len(crowns)))]
    fitting = [half for half in squares[square.terrain] if half[0].crowns == wanted]
    return fitting[int(rng.integers(len(fitting)))]


def _filler(squares: dict[Terrain, list[Half]], square: Square, rng: Rng) -> Image:
    """Return ground of the terrain, without crowns."""
    bare = [picture for one, picture in squares[square.terrain] if not one.crowns]
    return bare[int(rng.integers(len(bare)))]


@cache
def crown_sprite(data: Path, name: str) -> Image:
    """Return a crown of a deck (h, w, 4), cut out of a lake."""
    dominoes = real_deck(data, name).dominoes
    sprites: list[tuple[float, Image]] = []
    for number in ON_LAKE:
        lake = _halves(dominoes[number][0])[0]
        corner = lake[: round(STRIP * SIDE), : round(0.4 * SIDE)]
        mask = _unlike_lake(corner)
        count, regions, stats, _ = cv2.connectedComponentsWithStats(mask)
        if count < 2:
            continue
        largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
        alpha = ndimage.binary_fill_holes(regions == largest).astype(np.uint8) * 255
        x, y, width, height = cv2.boundingRect(alpha)
        gap = abs(width / SIDE - CROWN[0]) + abs(height / SIDE - CROWN[1])
        sprite = np.dstack([corner, cv2.GaussianBlur(alpha, (3, 3), 0)])
        sprites.append((gap, sprite[y : y + height, x : x + width].copy()))
    return min(sprites, key=itemgetter(0))[1]


def _unlike_lake(picture: Image) -> Image:
    """Return where red is strong: in crowns and their pale rims, nowhere in water."""
    water = int(np.median(picture[..., 0]))
    mask = (picture[..., 0] > water + 40).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)


def find_crowns(picture: Image, count: int, sprite: Image) -> Iterator[tuple[int, int]]:
    """Yield where the crowns of a printed square (SIDE, SIDE, 3) are: (x, y) of their top left."""
    strip = picture[: round(STRIP * SIDE)]
    colour, alpha = sprite[..., :3], sprite[..., 3]
    likeness = cv2.matchTemplate(strip, colour, cv2.TM_CCORR_NORMED, mask=alpha)
    for _ in range(count):
        _, _, _, (x, y) = cv2.minMaxLoc(np.nan_to_num(likeness, posinf=0.0))
        yield x, y
        near = max(0, x - sprite.shape[1] * 2 // 3), x + sprite.shape[1] * 2 // 3
        likeness[:, near[0] : near[1]] = 0


def without_crowns(square: Square, picture: Image, sprite: Image, filler: Image) -> Image:
    """Return the picture of a square with ground of its terrain where its crowns were."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    for x, y in find_crowns(picture, square.crowns, sprite):
        part = mask[y : y + sprite.shape[0], x : x + sprite.shape[1]]
        np.maximum(part, sprite[: part.shape[0], : part.shape[1], 3], out=part)
    if not square.crowns:
        return picture.copy()
    mask = np.asarray(cv2.dilate(mask, np.ones((15, 15), np.uint8)), np.uint8)
    ring = (cv2.dilate(mask, np.ones((25, 25), np.uint8)) > 0) & (mask == 0)
    there, beside = (np.median(one[ring].astype(float), axis=0) for one in (picture, filler))
    shift = there - beside
    share = cv2.GaussianBlur(mask, (0, 0), 2.0).astype(np.float32)[..., None] / 255
    ground = np.clip(filler + shift * 0.7, 0, 255)
    return np.asarray(picture * (1 - share) + ground * share, np.uint8)


def with_crowns(
    picture: Image, count: int, sprite: Image, rng: Rng | None, *, right: bool
) -> Image:
    """Return a picture with so many crowns side by side; without `rng` where printers put them."""
    picture = picture.copy()
    size, gap, low = 1.0, 1.04, 0.035 * SIDE
    if rng is not None:
        size, gap = rng.uniform(0.85, 1.12), rng.uniform(1.0, 1.12)
        if rng.random() < 0.3:
            right = not right
        low = rng.uniform(0.02, 0.07) * SIDE if rng.random() < 0.85 else rng.uniform(0, 0.72) * SIDE
    scaled = cv2.resize(sprite, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
    height, width = scaled.shape[:2]
    step = min(width * gap, (SIDE - width) / max(count - 1, 1))
    margin = min(0.055 * SIDE, SIDE - width - step * max(count - 1, 0))
    for number in range(count):
        x = margin + number * step
        left = round(SIDE - width - x) if right else round(x)
        left, top = max(0, min(left, SIDE - width)), max(0, min(round(low), SIDE - height))
        _paste(picture, scaled, left, top)
    return picture
