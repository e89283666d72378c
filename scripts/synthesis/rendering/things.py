"""Small things that lie on tiles, drawn over a picture as seen from above.

Notes, strips, tokens, stickers, coins, pens, figures, crumbs: what people leave on a kingdom. Each
is an outline, turned anyhow and filled with a face: a colour, more often than not with something on
it. They train the network of obstructions and the trust. A paper, as large as a square and plain,
looks like a tile: it trains the classifier. What measures is drawn by other code, in
`scripts/measuring/evaluation/things.py`.
"""

from collections.abc import Callable, Mapping
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from scripts.arrays import Array, Image, Rng
from scripts.named import by_name
from scripts.synthesis.rendering.table_textures import flat_picture

#: Polygons (n, 2) around the middle of a thing, in squares.
Outline = list[Array]
#: Returns a layer as large as a picture, for a thing at a point with so many pixels per square.
Face = Callable[[Image, Rng, float, Array], Image]

#: Colours of notes as they are sold, of wood and painted wood, and of coins, RGB.
_COLOURS = np.array(
    [
        *([250, 236, 120], [255, 170, 190], [170, 225, 150], [150, 205, 240], [255, 190, 110]),
        *([205, 165, 110], [165, 115, 70], [190, 40, 40], [40, 90, 170], [60, 140, 60]),
        *([30, 30, 32], [200, 190, 170], [190, 150, 80], [165, 100, 65]),
    ]
)
#: Fixed-point bits of OpenCV's drawing functions.
_BITS = 4


# ---------------------------------------------------------------------- outlines


def note(rng: Rng) -> Outline:
    """Return a note, up to one and a half squares wide."""
    width = _size(rng, 0.18, 1.5)
    return [_rectangle(width, width * rng.uniform(0.7, 1.0))]


def paper(rng: Rng) -> Outline:
    """Return a note or a piece of cardboard as large as a square."""
    side = rng.uniform(0.8, 1.15)
    return [_rectangle(side, side * rng.uniform(0.9, 1.0))]


def strip(rng: Rng) -> Outline:
    """Return a ribbon, tape, a pen or a stick, across one square or several."""
    return [_rectangle(rng.uniform(0.6, 5.0), rng.uniform(0.07, 0.4))]


def square_token(rng: Rng) -> Outline:
    """Return a square piece of wood or cardboard."""
    side = _size(rng, 0.18, 1.0)
    return [_rectangle(side, side * rng.uniform(0.85, 1.0))]


def round_token(rng: Rng) -> Outline:
    """Return a coin or a round token, seen a little from the side."""
    return [_ring(np.full(32, _size(rng, 0.1, 0.48))) * [1.0, rng.uniform(0.8, 1.0)]]


def sticker(rng: Rng) -> Outline:
    """Return a star or a polygon."""
    reach = np.full(2 * int(rng.integers(3, 8)), rng.uniform(0.08, 0.4))
    reach[1::2] *= rng.uniform(0.35, 1.0)
    return [_ring(reach)]


def figure(rng: Rng) -> Outline:
    """Return a wooden figure that stands or lies: a head on a body."""
    height = rng.uniform(0.3, 0.95)
    hip = height * rng.uniform(0.18, 0.35)
    shoulder, top = hip * rng.uniform(0.4, 0.9), height / 2
    body = np.array([[-hip, top], [hip, top], [shoulder, -top], [-shoulder, -top]])
    return [body, _ring(np.full(24, hip * rng.uniform(0.5, 1.0))) - [0.0, top]]


def crumb(rng: Rng) -> Outline:
    """Return an uneven small thing: a crumb, a pebble, a leaf, a bead."""
    reach = rng.uniform(0.06, 0.25) * rng.uniform(0.6, 1.2, int(rng.integers(7, 14)))
    return [_ring(reach) * [1.0, rng.uniform(0.5, 1.0)]]


def _size(rng: Rng, least: float, most: float) -> float:
    """Return a size between two; small ones, which can hide no more than a crown, more often."""
    return float(np.exp(rng.uniform(np.log(least), np.log(most))))


def _rectangle(width: float, height: float) -> Array:
    return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, height / 2]


def _ring(reach: Array) -> Array:
    """Return points (n, 2) all around, so far (n,) from the middle."""
    turns = np.linspace(0, 2 * np.pi, len(reach), endpoint=False)
    return np.asarray(reach[:, None] * np.c_[np.cos(turns), np.sin(turns)], np.float64)


# ---------------------------------------------------------------------- faces


def plain(image: Image, rng: Rng, _unit: float, _at: Array) -> Image:
    """Return a layer of one colour with soft light across it and the grain of paper."""
    height, width = image.shape[:2]
    y, x = np.mgrid[-0.5 : 0.5 : height * 1j, -0.5 : 0.5 : width * 1j].astype(np.float32)
    slope = rng.normal(0, 0.25, 2)
    grain = rng.normal(1, rng.uniform(0, 0.05), (height, width)).astype(np.float32)
    light = (1 + slope[0] * x + slope[1] * y) * grain
    colour = np.asarray(_any_colour(image, rng), np.float32) * light[..., None]
    return np.ascontiguousarray(np.clip(colour, 0, 255).astype(np.uint8))


def marked(image: Image, rng: Rng, unit: float, at: Array) -> Image:
    """Return a plain layer, more often than not with something on it."""
    layer = plain(image, rng, unit, at)
    ink = tuple(rng.uniform(0, 255, 3).tolist())
    kind = rng.random()
    if kind < 0.2:
        _dot(layer, rng, unit, at, ink)
    elif kind < 0.35:
        _write(layer, rng, unit, at, ink)
    elif kind < 0.45:
        _stripe(layer, rng, unit, ink)
    elif kind < 0.6:
        _picture(layer, rng, unit, at)
    return layer


def _any_colour(image: Image, rng: Rng) -> Array:
    """Return a colour (3,): of a thing, of anything, or of what lies somewhere in the picture."""
    kind = rng.random()
    if kind < 0.4:
        return np.asarray(_COLOURS[rng.integers(len(_COLOURS))] * rng.uniform(0.65, 1.2))
    if kind < 0.65:
        return rng.uniform(0, 255, 3)
    # The mean of a small part: of a terrain, most often.
    height, width = image.shape[:2]
    side = max(2, min(height, width) // 12)
    y, x = rng.integers(0, [height - side + 1, width - side + 1])
    mean = image[y : y + side, x : x + side].reshape(-1, 3).mean(axis=0)
    return np.asarray(mean + rng.normal(0, 8, 3), np.float64)


def _dot(layer: Image, rng: Rng, unit: float, at: Array, ink: tuple[float, ...]) -> None:
    """Draw discs and rings, as on tokens, coins, buttons and faces."""
    for _ in range(int(rng.integers(1, 5))):
        x, y = (at + rng.normal(0, 0.12, 2) * unit).astype(int).tolist()
        radius = max(1, round(rng.uniform(0.03, 0.25) * unit))
        thickness = -1 if rng.random() < 0.6 else max(1, radius // 3)
        cv2.circle(layer, (x, y), radius, ink, thickness, cv2.LINE_AA)


def _write(layer: Image, rng: Rng, unit: float, at: Array, ink: tuple[float, ...]) -> None:
    """Write a few lines of strokes around a point."""
    step = rng.uniform(0.1, 0.25) * unit
    for row in range(-3, 4):
        x = np.linspace(-0.5, 0.5, 9) * unit
        line = np.c_[x, row * step + np.cumsum(rng.normal(0, 0.25, 9)) * step] + at
        cv2.polylines(layer, [_fixed(line)], False, ink, 1, cv2.LINE_AA, _BITS)


def _stripe(layer: Image, rng: Rng, unit: float, ink: tuple[float, ...]) -> None:
    """Put stripes of another colour across a layer."""
    step = max(2, round(rng.uniform(0.08, 0.6) * unit))
    rows, cols = np.mgrid[: layer.shape[0], : layer.shape[1]]
    layer[(rows + cols) // step % 2 == 0] = ink


def _picture(layer: Image, rng: Rng, unit: float, at: Array) -> None:
    """Put a picture into a layer around a point, as far as it lies in it."""
    side = max(4, round(rng.uniform(0.3, 1.2) * unit))
    left, top = np.clip(at - side / 2, 0, None).astype(int)
    part = layer[top : top + side, left : left + side]
    if part.size:
        part[:] = cv2.resize(flat_picture(rng, []), part.shape[1::-1])


def _fixed(points: Array) -> NDArray[np.int32]:
    """Return points in the fixed-point numbers that OpenCV draws with."""
    return np.asarray(np.clip(points, -30_000, 30_000) * 2**_BITS, np.int32)


# ---------------------------------------------------------------------- things


def draw(
    outline: Callable[[Rng], Outline], face: Face, image: Image, rng: Rng, unit: float, at: Array
) -> tuple[Image, Image]:
    """Return a layer as large as a picture, and a mask (h, w) from 0 to 255 where it lies over it.

    Args:
        outline: Returns an outline.
        face: Returns a layer as large as the picture, of which the thing is made.
        image: The picture (h, w, 3).
        rng: Random numbers.
        unit: The side of a square in pixels.
        at: (2,) the point (x, y) over which the thing lies.
    """
    mask = np.zeros(image.shape[:2], np.uint8)
    # Half of all things lie as the tiles do.
    turn = rng.uniform(0, 2 * np.pi)
    if rng.random() < 0.5:
        turn = rng.integers(4) * np.pi / 2 + rng.normal(0, 0.07)
    way = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    for polygon in outline(rng):
        cv2.fillPoly(mask, [_fixed(polygon @ way * unit + at)], 255, cv2.LINE_AA, _BITS)
    # Tape lets a little through.
    if rng.random() < 0.04:
        mask = np.asarray(mask * rng.uniform(0.75, 1.0), np.uint8)
    layer = face(image, rng, unit, at)
    # Some are lit from one side.
    if rng.random() < 0.4:
        y, x = np.mgrid[: image.shape[0], : image.shape[1]]
        across = (x - at[0]) * way[0, 0] + (y - at[1]) * way[0, 1]
        dark = across > rng.uniform(-0.1, 0.1) * unit
        layer[dark] = (layer[dark] * rng.uniform(0.5, 0.9)).astype(np.uint8)
    return layer, mask


THINGS: Mapping[str, Callable[[Image, Rng, float, Array], tuple[Image, Image]]] = {
    name: partial(draw, outline, marked)
    for name, outline in by_name(
        note, strip, square_token, round_token, sticker, figure, crumb
    ).items()
}
