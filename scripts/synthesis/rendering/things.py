"""Small things that lie on tiles, drawn over a picture as seen from above.

Notes, strips, tokens, stickers, coins, pens, figures, crumbs: what people leave on a kingdom. They
train the network of obstructions and nothing else: what measures is drawn by other code, in
`scripts/measuring/evaluation/things.py`.

Each function gives a layer as large as the picture, and a mask (h, w) from 0 to 255 where it lies
over it. `unit` is the side of a square in pixels, `at` the point (x, y) over which it lies.
"""

from collections.abc import Callable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from scripts.arrays import Array, Image, Rng
from scripts.synthesis.rendering.table_textures import flat_picture

Covering = tuple[Image, Image]

#: Colours of notes as they are sold, RGB.
_NOTES = ((250, 236, 120), (255, 170, 190), (170, 225, 150), (150, 205, 240), (255, 190, 110))
#: Colours of wood and of painted wood, RGB.
_WOODS = (
    *((205, 165, 110), (165, 115, 70), (190, 40, 40)),
    *((40, 90, 170), (60, 140, 60), (30, 30, 32)),
)
#: Colours of coins, RGB.
_METALS = ((200, 190, 170), (190, 150, 80), (165, 100, 65))
#: Fixed-point bits of OpenCV's drawing functions.
_BITS = 4


def note(image: Image, rng: Rng, unit: float, at: Array) -> Covering:
    """Draw a note, up to one and a half squares wide, plain or written on."""
    width = rng.uniform(0.35, 1.5) * unit
    height = width * rng.uniform(0.7, 1.0)
    layer = _plain(image, rng, _any_colour(image, rng))
    if rng.random() < 0.4:
        _write(layer, rng, unit, at)
    return layer, _box_mask(image, at, (width, height), _turn(rng))


def strip(image: Image, rng: Rng, unit: float, at: Array) -> Covering:
    """Draw a ribbon, a strip of paper or of tape, across one square or several."""
    length = rng.uniform(0.6, 5.0) * unit
    width = rng.uniform(0.08, 0.4) * unit
    layer = _plain(image, rng, _any_colour(image, rng))
    if rng.random() < 0.3:
        _stripe(layer, rng, unit)
    mask = _box_mask(image, at, (length, width), _turn(rng))
    if rng.random() < 0.15:
        # Tape lets a little through.
        mask = np.asarray(mask * rng.uniform(0.75, 1.0), np.uint8)
    return layer, mask


def square_token(image: Image, rng: Rng, unit: float, at: Array) -> Covering:
    """Draw a square piece of wood or cardboard, with or without a picture."""
    side = rng.uniform(0.3, 1.0) * unit
    layer = _token_face(image, rng, unit, at, side)
    return layer, _box_mask(image, at, (side, side * rng.uniform(0.85, 1.0)), _turn(rng))


def round_token(image: Image, rng: Rng, unit: float, at: Array) -> Covering:
    """Draw a round piece of wood or cardboard, with or without a picture."""
    side = rng.uniform(0.22, 0.95) * unit
    layer = _token_face(image, rng, unit, at, side)
    return layer, _disc_mask(image, at, side / 2, rng.uniform(0.85, 1.0), rng)


def coin(image: Image, rng: Rng, unit: float, at: Array) -> Covering:
    """Draw a coin with a rim and something on it."""
    radius = rng.uniform(0.1, 0.3) * unit
    colour = np.array(_METALS[rng.integers(len(_METALS))]) * rng.uniform(0.6, 1.15)
    layer = _plain(image, rng, colour)
    dark = _shade(colour, 0.7)
    light = _shade(colour, 1.25)
    middle = _point(at)
    cv2.circle(layer, middle, _px(radius * 0.85), dark, max(1, _px(radius * 0.1)), cv2.LINE_AA)
    for _ in range(int(rng.integers(1, 4))):
        spot = _point(at + rng.normal(0, 0.35, 2) * radius)
        tone = light if rng.random() < 0.5 else dark
        cv2.circle(layer, spot, max(1, _px(radius * 0.25)), tone, -1, cv2.LINE_AA)
    return layer, _disc_mask(image, at, radius, rng.uniform(0.8, 1.0), rng)


def sticker(image: Image, rng: Rng, unit: float, at: Array) -> Covering:
    """Draw a face, a star, a heart or a polygon of bright colours."""
    radius = rng.uniform(0.08, 0.4) * unit
    layer = _plain(image, rng, rng.uniform(0, 255, 3))
    kind = rng.integers(3)
    if kind == 0:
        layer = _plain(image, rng, rng.uniform((200, 150, 0), (255, 225, 90)))
        for side in (-0.35, 0.35):
            eye = _point(at + np.array([side, -0.25]) * radius)
            cv2.circle(layer, eye, max(1, _px(radius * 0.14)), (40, 30, 20), -1, cv2.LINE_AA)
        mouth = _px(radius * 0.5), _px(radius * 0.4)
        cv2.ellipse(layer, _point(at), mouth, 0, 20, 160, (40, 30, 20), 1, cv2.LINE_AA)
        return layer, _disc_mask(image, at, radius, 1.0, rng)
    count = int(rng.integers(3, 8))
    inner = rng.uniform(0.35, 1.0)
    return layer, _star_mask(image, at, radius, inner, count, rng)


def pen(image: Image, rng: Rng, unit: float, at: Array) -> Covering:
    """Draw a pen, a pencil or a stick with ends of other colours."""
    length = rng.uniform(1.5, 5.0) * unit
    width = rng.uniform(0.07, 0.22) * unit
    angle = _turn(rng)
    along = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    middle = at + along * rng.uniform(-0.45, 0.45) * length
    layer = _plain(image, rng, rng.uniform(0, 255, 3))
    for end in (-1, 1):
        if rng.random() < 0.7:
            start = middle + along * end * length * rng.uniform(0.3, 0.45)
            stop = middle + along * end * length
            colour = tuple(rng.uniform(0, 255, 3).tolist())
            cv2.line(layer, _point(start), _point(stop), colour, max(1, _px(2 * width)))
    side = np.array([-along[1], along[0]])
    light = _point(middle - along * length + side * width / 4)
    far = _point(middle + along * length + side * width / 4)
    cv2.line(layer, light, far, _shade(layer[0, 0], 1.4), max(1, _px(width / 5)), cv2.LINE_AA)
    return layer, _box_mask(image, middle, (length, width), angle)


def figure(image: Image, rng: Rng, unit: float, at: Array) -> Covering:
    """Draw a wooden figure that stands or lies: a head, a body, a lit side and a dark one."""
    height = rng.uniform(0.3, 0.95) * unit
    width = height * rng.uniform(0.35, 0.7)
    angle = rng.uniform(0, 2 * np.pi)
    up = np.array([np.cos(angle), np.sin(angle)])
    side = np.array([-up[1], up[0]])
    colour = np.array(_WOODS[rng.integers(len(_WOODS))]) * rng.uniform(0.7, 1.3)
    mask = np.zeros(image.shape[:2], np.uint8)
    top, foot = at + up * height / 2, at - up * height / 2
    shoulder = rng.uniform(0.4, 0.9) * width / 2
    hip = side * width / 2
    body = np.array([foot - hip, foot + hip, top + side * shoulder, top - side * shoulder])
    cv2.fillConvexPoly(mask, _fixed(body), 255, cv2.LINE_AA, _BITS)
    cv2.circle(mask, _point(top), max(1, _px(width * rng.uniform(0.25, 0.5))), 255, -1, cv2.LINE_AA)
    layer = _plain(image, rng, colour)
    dark = _plain(image, rng, colour * rng.uniform(0.5, 0.9))
    across = _across(image, at, side)
    return np.where(across[..., None] > rng.uniform(-0.2, 0.2) * width, dark, layer), mask


def crumb(image: Image, rng: Rng, unit: float, at: Array) -> Covering:
    """Draw an uneven small thing: a crumb, a pebble, a leaf, a bead."""
    radius = rng.uniform(0.06, 0.25) * unit
    count = int(rng.integers(7, 14))
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    reach = radius * rng.uniform(0.6, 1.2, (count, 1))
    points = at + reach * np.c_[np.cos(angles), np.sin(angles) * rng.uniform(0.5, 1.0)]
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(mask, [_fixed(points)], 255, cv2.LINE_AA, _BITS)
    layer = _plain(image, rng, _any_colour(image, rng))
    light = _point(at - radius * 0.3)
    cv2.circle(layer, light, max(1, _px(radius * 0.4)), _shade(layer[0, 0], 1.3), -1, cv2.LINE_AA)
    return layer, mask


THINGS: Mapping[str, Callable[[Image, Rng, float, Array], Covering]] = {
    "note": note,
    "strip": strip,
    "square token": square_token,
    "round token": round_token,
    "coin": coin,
    "sticker": sticker,
    "pen": pen,
    "figure": figure,
    "crumb": crumb,
}


# ---------------------------------------------------------------------- faces


def _any_colour(image: Image, rng: Rng) -> Array:
    """Return a colour (3,): of a note, of anything, or of what lies somewhere in the picture."""
    kind = rng.random()
    if kind < 0.3:
        return np.array(_NOTES[rng.integers(len(_NOTES))]) * rng.uniform(0.7, 1.05)
    if kind < 0.6:
        return rng.uniform(0, 255, 3)
    # The mean of a small part: of a terrain, most often.
    height, width = image.shape[:2]
    side = max(2, min(height, width) // 12)
    y, x = rng.integers(0, [height - side + 1, width - side + 1])
    mean = image[y : y + side, x : x + side].reshape(-1, 3).mean(axis=0)
    return np.asarray(mean + rng.normal(0, 8, 3), np.float64)


def _plain(image: Image, rng: Rng, colour: Array) -> Image:
    """Return a layer (h, w, 3) of one colour, with soft light across it and a little grain."""
    height, width = image.shape[:2]
    y, x = np.mgrid[-0.5 : 0.5 : height * 1j, -0.5 : 0.5 : width * 1j].astype(np.float32)
    slope = rng.normal(0, 0.25, 2)
    light = 1 + slope[0] * x + slope[1] * y
    grain = rng.normal(1, rng.uniform(0, 0.05), (height, width)).astype(np.float32)
    layer = np.asarray(colour, np.float32) * (light * grain)[..., None]
    return np.ascontiguousarray(np.clip(layer, 0, 255).astype(np.uint8))


def _token_face(image: Image, rng: Rng, unit: float, at: Array, side: float) -> Image:
    """Return the layer of a token: plain wood, a picture, or a mark in another colour."""
    kind = rng.random()
    if kind < 0.35:
        picture = cv2.resize(flat_picture(rng, []), (max(2, _px(side)), max(2, _px(side))))
        layer = _plain(image, rng, rng.uniform(0, 255, 3))
        _paste(layer, np.asarray(picture, np.uint8), at)
        return layer
    colour = np.array(_WOODS[rng.integers(len(_WOODS))]) * rng.uniform(0.7, 1.3)
    layer = _plain(image, rng, colour if rng.random() < 0.6 else _any_colour(image, rng))
    if kind < 0.7:
        mark = tuple(rng.uniform(0, 255, 3).tolist())
        radius = max(1, _px(side * rng.uniform(0.12, 0.35)))
        thickness = -1 if rng.random() < 0.5 else max(1, radius // 3)
        cv2.circle(layer, _point(at), radius, mark, thickness, cv2.LINE_AA)
    return layer


def _write(layer: Image, rng: Rng, unit: float, at: Array) -> None:
    """Write a few lines of strokes around a point."""
    ink = tuple(rng.uniform(0, 90, 3).tolist())
    step = rng.uniform(0.1, 0.25) * unit
    for row in range(-3, 4):
        left = at + np.array([-0.5 * unit, row * step])
        points = [left]
        for _ in range(8):
            points.append(points[-1] + np.array([0.13 * unit, rng.normal(0, 0.25) * step]))
        cv2.polylines(layer, [_fixed(np.array(points))], False, ink, 1, cv2.LINE_AA, _BITS)


def _stripe(layer: Image, rng: Rng, unit: float) -> None:
    """Put stripes of another colour across a layer."""
    step = max(2, _px(rng.uniform(0.08, 0.3) * unit))
    rows, cols = np.mgrid[: layer.shape[0], : layer.shape[1]]
    striped = (rows + cols) // step % 2 == 0
    layer[striped] = rng.uniform(0, 255, 3)


def _paste(layer: Image, picture: Image, at: Array) -> None:
    """Put a picture into a layer around a point, as far as it lies in it."""
    rows, cols = picture.shape[:2]
    x, y = _point(at - np.array([cols, rows]) / 2)
    left, top = max(0, x), max(0, y)
    right, bottom = min(layer.shape[1], x + cols), min(layer.shape[0], y + rows)
    if right > left and bottom > top:
        layer[top:bottom, left:right] = picture[top - y : bottom - y, left - x : right - x]


# ---------------------------------------------------------------------- outlines


def _turn(rng: Rng) -> float:
    """Return an angle in degrees; half of all things lie as the tiles do."""
    if rng.random() < 0.5:
        return float(90 * rng.integers(4) + rng.normal(0, 4))
    return float(rng.uniform(0, 360))


def _box_mask(image: Image, at: Array, size: tuple[float, float], angle: float) -> Image:
    """Return the mask of a turned rectangle."""
    mask = np.zeros(image.shape[:2], np.uint8)
    box = cv2.boxPoints(((float(at[0]), float(at[1])), size, angle))
    cv2.fillConvexPoly(mask, _fixed(np.asarray(box, np.float64)), 255, cv2.LINE_AA, _BITS)
    return mask


def _disc_mask(image: Image, at: Array, radius: float, squeeze: float, rng: Rng) -> Image:
    """Return the mask of a disc that is seen a little from the side."""
    mask = np.zeros(image.shape[:2], np.uint8)
    angle = float(rng.uniform(0, 180))
    axes = tuple(_fixed(np.array([radius, radius * squeeze])).tolist())
    middle = tuple(_fixed(at).tolist())
    cv2.ellipse(mask, middle, axes, angle, 0, 360, 255, -1, cv2.LINE_AA, _BITS)
    return mask


def _star_mask(image: Image, at: Array, radius: float, inner: float, count: int, rng: Rng) -> Image:
    """Return the mask of a star of so many points; with `inner` 1 of a polygon."""
    mask = np.zeros(image.shape[:2], np.uint8)
    angles = np.linspace(0, 2 * np.pi, 2 * count, endpoint=False) + rng.uniform(0, 2 * np.pi)
    reach = np.where(np.arange(2 * count) % 2 == 0, radius, radius * inner)
    points = at + reach[:, None] * np.c_[np.cos(angles), np.sin(angles)]
    cv2.fillPoly(mask, [_fixed(points)], 255, cv2.LINE_AA, _BITS)
    return mask


def _across(image: Image, at: Array, side: Array) -> Array:
    """Return (h, w) how far each pixel lies from a point in a direction."""
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    return np.asarray((x - at[0]) * side[0] + (y - at[1]) * side[1], np.float64)


def _fixed(points: Array) -> NDArray[np.int32]:
    """Return points in the fixed-point numbers that OpenCV draws with."""
    return np.asarray(np.clip(points, -30_000, 30_000) * 2**_BITS, np.int32)


def _point(at: Array) -> tuple[int, int]:
    """Return the pixel of a point, near enough to the picture for OpenCV."""
    x, y = np.clip(at, -30_000, 30_000)
    return int(x), int(y)


def _px(length: float) -> int:
    return round(float(length))


def _shade(colour: Array, factor: float) -> tuple[float, ...]:
    """Return a colour made lighter or darker."""
    return tuple(np.clip(np.asarray(colour, np.float64) * factor, 0, 255).tolist())
