"""What a kingdom lies on: textures of our own, and real ground from the crops."""

import cv2
import numpy as np

from scripts.arrays import Image, Rng
from scripts.data_split import Crop
from scripts.pictures import resized
from scripts.synthesis import textures
from scripts.synthesis.rendering.art import read_rgb


def any_table(rng: Rng, ground: list[Crop], width: int, height: int) -> Image:
    """Return one table texture (height, width, 3)."""
    if rng.random() < 0.72:
        return np.ascontiguousarray(textures.table(rng, width, height))
    if ground and rng.random() < 0.75:
        return real_ground(rng, ground, width, height)
    return plain(rng, width, height)


def real_ground(rng: Rng, ground: list[Crop], width: int, height: int) -> Image:
    """Return a photographed patch of ground, mirrored over the whole table, a little uneven."""
    patch = read_rgb(ground[int(rng.integers(len(ground)))].path)
    zoom = float(rng.choice([1.0, 1.5, 2.5, 4.0]))
    patch = resized(patch, zoom, cv2.INTER_CUBIC)
    wide = np.hstack([patch, patch[:, ::-1]])
    tile = np.vstack([wide, wide[::-1]])
    repeats = (height // tile.shape[0] + 1, width // tile.shape[1] + 1, 1)
    full = np.tile(tile, repeats)[:height, :width]
    return _uneven(np.ascontiguousarray(full), rng, 0.12)


def plain(rng: Rng, width: int, height: int) -> Image:
    """Return one colour with fine grain and soft clouds."""
    colour = np.float32(rng.uniform(10, 245, 3))
    if rng.random() < 0.6:
        colour = colour.mean() + (colour - colour.mean()) * np.float32(0.35)
    grain = rng.normal(0, rng.uniform(0, 6), (height // 2, width // 2, 1)).astype(np.float32)
    grain = np.asarray(cv2.resize(grain, (width, height)), np.float32)[..., None]
    return _uneven(np.clip(colour + grain, 0, 255).astype(np.uint8), rng, 0.2)


#: Cloths like lakes, wheat, grassland, forest, swamp and mines, RGB.
_CLOTHS = (
    *((90, 160, 215), (50, 120, 190), (130, 190, 230), (228, 190, 60), (240, 210, 110)),
    *((120, 180, 60), (60, 130, 60), (40, 80, 45), (150, 130, 100), (60, 50, 48)),
)


def plain_cloth(rng: Rng, width: int, height: int) -> Image:
    """Return one even colour, near that of a terrain."""
    colour = np.array(_CLOTHS[int(rng.integers(len(_CLOTHS)))]) + rng.normal(0, 12, 3)
    grain = rng.normal(0, rng.uniform(0, 3), (height, width, 1)).astype(np.float32)
    return _uneven(np.clip(colour + grain, 0, 255).astype(np.uint8), rng, 0.05)


def _uneven(image: Image, rng: Rng, depth: float) -> Image:
    coarse = rng.normal(1, depth, (5, 6)).astype(np.float32)
    field = cv2.resize(coarse, image.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(image * field[..., None], 0, 255).astype(np.uint8), np.uint8)


def flat_picture(rng: Rng, ground: list[Crop]) -> Image:
    """Return a picture of a flat thing: a card, a sheet with lines, a box lid."""
    width, height = int(rng.integers(80, 260)), int(rng.integers(80, 260))
    picture = any_table(rng, ground, width, height).copy()
    if rng.random() < 0.5:
        colour = tuple(int(v) for v in rng.integers(0, 256, 3))
        cv2.rectangle(picture, (3, 3), (width - 4, height - 4), colour, int(rng.integers(2, 12)))
    for _ in range(int(rng.integers(0, 12))):
        colour = tuple(int(v) for v in rng.integers(0, 256, 3))
        start, end = (tuple(map(int, at)) for at in rng.integers(0, [width, height], (2, 2)))
        kind = rng.integers(4)
        if kind == 0:
            cv2.line(picture, start, end, colour, int(rng.integers(1, 6)), cv2.LINE_AA)
        elif kind == 1:
            cv2.circle(picture, start, int(rng.integers(4, 40)), colour, -1, cv2.LINE_AA)
        elif kind == 2:
            cv2.rectangle(picture, start, end, colour, -1)
        else:
            text = "".join(rng.choice(list("ABCDEFGHIKLMNOPRSTUVW 0123456789"), 8))
            font, size = int(rng.integers(0, 8)), float(rng.uniform(0.4, 1.6))
            cv2.putText(picture, text, start, font, size, colour, 2, cv2.LINE_AA)
    return picture


def number_side(rng: Rng) -> Image:
    """Return the back of a domino: dark wood-like cardboard with its number."""
    base = np.float32(rng.uniform([50, 30, 15], [120, 85, 60]))
    grain = rng.normal(0, 8, (64, 1, 1)) + rng.normal(0, 3, (64, 128, 1))
    picture = np.ascontiguousarray(np.clip(base + grain, 0, 255).astype(np.uint8))
    light = tuple(int(min(255.0, float(v) * 1.9)) for v in np.ravel(base))
    cv2.rectangle(picture, (5, 5), (122, 58), light, 2, cv2.LINE_AA)
    number = str(rng.integers(1, 49))
    corner, font = (64 - 13 * len(number), 45), int(rng.integers(0, 5))
    cv2.putText(picture, number, corner, font, 1.3, light, 3, cv2.LINE_AA)
    return picture
