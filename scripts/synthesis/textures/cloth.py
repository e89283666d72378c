"""Cloth and skins: table cloths, felt, carpet, leather, knitting; and a lawn."""

import cv2
import numpy as np

from scripts.arrays import Rng
from scripts.synthesis.textures.base import (
    Colour,
    added,
    any_colour,
    blended,
    cells,
    layers,
    lit,
    plain,
    ramp,
    relief,
    shaded,
    soft,
    tint,
    vary,
)


def _weave(rng: Rng, height: int, width: int, strength: float = 0.1) -> np.ndarray:
    """Return the gain of woven threads, some thick, some thin."""
    period = rng.uniform(2.6, 7)
    y = np.arange(height, dtype=np.float32)[:, None] * np.float32(2 * np.pi / period)
    x = np.arange(width, dtype=np.float32)[None] * np.float32(2 * np.pi / period)
    gain = np.sin(x + np.sin(y)) * np.sin(y)
    gain += np.float32(0.6) * soft(rng, height, width, 1.5, 50)
    gain += np.float32(0.6) * soft(rng, height, width, 50, 1.5)
    return np.asarray(1 + np.float32(strength) * gain)


def _folds(rng: Rng, height: int, width: int, strength: float) -> np.ndarray:
    """Return the gain of light on creases and soft hills; computed small and enlarged."""
    tall, wide = max(8, height // 4), max(8, width // 4)
    size = max(tall, wide)
    hills = soft(rng, tall, wide, size / rng.uniform(2, 5)) * np.float32(size / 40)
    for _ in range(int(rng.integers(3, 8))):
        turn = rng.uniform(0, np.pi)
        gy, gx = np.mgrid[0:tall, 0:wide].astype(np.float32)
        across = (gx - rng.uniform(0, wide)) * np.sin(turn) - (gy - rng.uniform(0, tall)) * np.cos(
            turn
        )
        across += soft(rng, tall, wide, size / 3) * np.float32(size * 0.05)
        breadth = size * rng.uniform(0.015, 0.06)
        hills += np.exp(-((across / breadth) ** 2)).astype(np.float32) * np.float32(
            breadth * rng.choice([-0.5, 0.5]) * rng.uniform(0.4, 1)
        )
    light = relief(rng, cv2.GaussianBlur(hills, (0, 0), 1.2), 0.055 * strength)
    return cv2.resize(light, (width, height), interpolation=cv2.INTER_CUBIC)


def _cloth_colour(rng: Rng) -> Colour:
    if rng.random() < 0.4:
        dark = ((24, 34, 72), (18, 20, 26), (70, 18, 28), (22, 52, 40), (56, 40, 70))
        return vary(rng, dark[int(rng.integers(len(dark)))], 0.2)
    return any_colour(rng, (0.05, 0.75), (0.3, 0.95))


def woven(rng: Rng, height: int, width: int) -> np.ndarray:
    """Return a flat cloth of one colour, linen or canvas."""
    image = plain(height, width, _cloth_colour(rng))
    return lit(rng, shaded(image, _weave(rng, height, width, rng.uniform(0.04, 0.16))))


def crumpled(rng: Rng, height: int, width: int) -> np.ndarray:
    """Return a cloth with folds and creases."""
    image = plain(height, width, _cloth_colour(rng))
    gain = _folds(rng, height, width, rng.uniform(0.5, 1.6))
    gain *= _weave(rng, height, width, rng.uniform(0.02, 0.07))
    return lit(rng, shaded(image, gain))


def striped(rng: Rng, height: int, width: int) -> np.ndarray:
    """Return a striped table cloth or runner."""
    length = height if rng.random() < 0.5 else width
    image = np.broadcast_to(_bands(rng, length)[:, None], (length, length + 1, 3))
    image = image[:height, :width] if length == height else image.transpose(1, 0, 2)[:height]
    image = np.ascontiguousarray(cv2.resize(image[:, :width], (width, height)))
    return _worn(rng, image)


def _bands(rng: Rng, length: int) -> np.ndarray:
    """Return a repeated row of coloured bands: uint8 (length, 3)."""
    colours = [any_colour(rng, (0.0, 0.8), (0.2, 0.97)) for _ in range(int(rng.integers(2, 5)))]
    colours[0] = any_colour(rng, (0.0, 0.15), (0.8, 0.97))
    repeat = length / rng.uniform(4, 22)
    widths = rng.dirichlet(np.ones(len(colours)) * 2)
    place = (np.arange(length) / repeat) % 1
    return np.array(colours, np.uint8)[np.searchsorted(np.cumsum(widths)[:-1], place)]


def checked(rng: Rng, height: int, width: int) -> np.ndarray:
    """Gingham or tartan: stripes both ways that mix where they cross."""
    if rng.random() < 0.6:
        light, dark = (244, 242, 236), any_colour(rng, (0.5, 0.95), (0.3, 0.85))
        step = max(height, width) / rng.uniform(14, 60)
        place = np.arange(max(height, width)) // (step / 2)
        row = np.where((place % 2 == 0)[:, None], np.array(light), np.array(dark)).astype(np.uint8)
    else:
        row = _bands(rng, max(height, width))
    down = np.ascontiguousarray(np.broadcast_to(row[:height, None], (height, width, 3)))
    across = np.ascontiguousarray(np.broadcast_to(row[None, :width], (height, width, 3)))
    return _worn(rng, cv2.addWeighted(down, 0.5, across, 0.5, 0))


def flowered(rng: Rng, height: int, width: int) -> np.ndarray:
    """Return a printed cloth with a repeated motif: flowers, dots or leaves."""
    step = int(max(height, width) / rng.uniform(8, 22))
    ground = any_colour(rng, (0.0, 0.6), (0.3, 0.97))
    motif = plain(step, step, ground)
    for _ in range(int(rng.integers(1, 4))):
        colour = any_colour(rng, (0.3, 0.9), (0.3, 0.95))
        x, y = rng.uniform(0.25, 0.75, 2) * step
        size, petals = rng.uniform(0.06, 0.16) * step, int(rng.integers(0, 7))
        for turn in np.arange(petals) * 2 * np.pi / max(1, petals):
            middle = (int(x + size * np.cos(turn)), int(y + size * np.sin(turn)))
            cv2.ellipse(motif, middle, (max(1, int(size * 0.7)), max(1, int(size * 0.4))),
                        float(np.degrees(turn)), 0, 360, colour, -1, cv2.LINE_AA)  # fmt: skip
        heart = any_colour(rng, (0.3, 0.9), (0.5, 0.95))
        cv2.circle(motif, (int(x), int(y)), max(1, int(size * 0.5)), heart, -1, cv2.LINE_AA)
    shifted = np.roll(motif, step // 2, 0)
    pair = np.hstack([motif, shifted])
    image = np.tile(pair, (height // step + 1, width // (2 * step) + 1, 1))[:height, :width]
    return _worn(rng, np.ascontiguousarray(image))


def _worn(rng: Rng, image: np.ndarray) -> np.ndarray:
    """Return a printed cloth as it lies: bent a little, woven, perhaps folded."""
    height, width = image.shape[:2]
    if rng.random() < 0.6:
        small = (width // 16 + 2, height // 16 + 2)
        y, x = np.mgrid[0 : small[1], 0 : small[0]].astype(np.float32) * 16
        bend = max(height, width) * np.float32(rng.uniform(0.002, 0.012))
        x += soft(rng, small[1], small[0], 14) * bend
        y += soft(rng, small[1], small[0], 14) * bend
        grid = (small[0] * 16, small[1] * 16)
        x, y = (cv2.resize(m, grid)[:height, :width] for m in (x, y))
        image = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    gain = _weave(rng, height, width, rng.uniform(0.03, 0.1))
    if rng.random() < 0.5:
        gain *= _folds(rng, height, width, rng.uniform(0.2, 0.9))
    return lit(rng, shaded(image, gain))


def felt(rng: Rng, height: int, width: int) -> np.ndarray:
    """Felt or baize, most often green: short fibres that lie every way."""
    colours = ((22, 94, 52), (20, 60, 110), (110, 22, 30), (40, 42, 46))
    colour = vary(rng, colours[int(rng.choice(4, p=(0.64, 0.12, 0.12, 0.12)))], 0.15)
    gain = soft(rng, height, width, 1) * np.float32(0.05)
    gain += soft(rng, height, width, 1.4, 7) * np.float32(0.05)
    gain += soft(rng, height, width, 7, 1.4) * np.float32(0.05)
    gain += layers(rng, height, width, height / 4, 3) * np.float32(0.025)
    return lit(rng, shaded(plain(height, width, colour), 1 + gain), 0.18)


def carpet(rng: Rng, height: int, width: int) -> np.ndarray:
    """Carpet: loops or tufts, flecked, trodden in patches."""
    ground = any_colour(rng, (0.03, 0.6), (0.2, 0.8))
    tuft = max(height, width) / rng.uniform(150, 400)
    pile = soft(rng, height, width, tuft)
    pile += np.float32(0.6) * soft(rng, height, width, tuft / 2)
    values = 0.5 + np.float32(rng.uniform(0.1, 0.25)) * pile
    values += np.float32(0.05) * layers(rng, height, width, height / 3, 3)
    other = tint(ground, rng.uniform(-0.08, 0.08), 0.8, 1.35)
    return lit(rng, ramp(values, (tint(ground, 0, 1, 0.45), ground, other)))


def rug(rng: Rng, height: int, width: int) -> np.ndarray:
    """Return a knotted rug: a border in several bands and a field of repeated diamonds."""
    small = (max(16, height // 5), max(16, width // 5))
    colours = [any_colour(rng, (0.35, 0.8), (0.25, 0.6)) for _ in range(3)]
    colours += [any_colour(rng, (0.1, 0.4), (0.6, 0.9)), (30, 26, 34)]
    table = np.array(colours, np.uint8)
    y, x = np.mgrid[0 : small[0], 0 : small[1]]
    step = int(rng.integers(10, 26))
    diamond = np.abs((x % step) - step // 2) + np.abs((y % step) - step // 2)
    index = (diamond // int(rng.integers(2, 5))) % 4
    edge = np.minimum(np.minimum(x, small[1] - 1 - x), np.minimum(y, small[0] - 1 - y))
    band = step
    rim = edge < band
    index[rim] = ((edge // max(2, band // 4)) + (x + y) // 4 % 2)[rim] % 5
    image = cv2.resize(table[index], (width, height), interpolation=cv2.INTER_LINEAR)
    return lit(rng, shaded(image, 1 + np.float32(0.14) * soft(rng, height, width, 2.2)))


def leather(rng: Rng, height: int, width: int) -> np.ndarray:
    """Leather: a pebbled skin with soft shine."""
    distance, _ = cells(rng, height, width, max(height, width) / rng.uniform(60, 160))
    bumps = -np.minimum(distance, 0.9) + np.float32(0.1) * soft(rng, height, width, 4)
    colours = ((92, 54, 32), (44, 30, 24), (28, 28, 30), (150, 98, 58), (96, 26, 28))
    image = plain(height, width, vary(rng, colours[int(rng.integers(len(colours)))], 0.15))
    gain = relief(rng, cv2.GaussianBlur(bumps, (0, 0), 1.0), rng.uniform(0.25, 0.6))
    gain *= 1 + np.float32(0.05) * layers(rng, height, width, height / 3, 3)
    return lit(rng, shaded(image, gain), 0.25)


def knitted(rng: Rng, height: int, width: int) -> np.ndarray:
    """Return a knitted blanket: columns of stitches like plaits."""
    wide = max(height, width) / rng.uniform(30, 80)
    tall = wide * rng.uniform(0.6, 0.9)
    x = (np.arange(width, dtype=np.float32)[None] / wide) % 1
    lean = np.abs(x - 0.5) * np.float32(1.2)
    y = (np.arange(height, dtype=np.float32)[:, None] / tall + lean) % 1
    gain = 0.62 + 0.45 * np.sin(np.pi * y) * np.sqrt(np.abs(np.sin(2 * np.pi * x)))
    gain = gain.astype(np.float32) * (1 + np.float32(0.08) * soft(rng, height, width, 1.5))
    return lit(rng, shaded(plain(height, width, _cloth_colour(rng)), gain))


def grass(rng: Rng, height: int, width: int) -> np.ndarray:
    """Return a lawn: blades in many greens over dark ground."""
    green = vary(rng, (84, 124, 44), 0.2)
    image = ramp(0.5 + 0.25 * layers(rng, height, width, height / 4, 4),
                 (tint(green, 0, 1, 0.4), tint(green, 0, 1, 0.75)))  # fmt: skip
    blade = max(height, width) / rng.uniform(30, 70)
    count = int(5 * height * width / blade**2) // 8
    for step in range(8):
        foot = rng.uniform((0, 0), (width, height), (count, 2))
        turn = rng.normal(-np.pi / 2, 0.9, count)
        reach = rng.uniform(0.4, 1.1, count) * blade
        tip = foot + np.stack([np.cos(turn) * reach, np.sin(turn) * reach], 1)
        lines = np.round(np.stack([foot, tip], 1) * 8).astype(np.int32)
        colour = tint(green, rng.uniform(-0.05, 0.03), rng.uniform(0.7, 1.2), 0.55 + 0.12 * step)
        kind = cv2.LINE_8 if step < 4 else cv2.LINE_AA
        cv2.polylines(image, list(lines), False, colour, max(1, round(blade / 16)), kind, 3)
    return lit(rng, image)


def paper(rng: Rng, height: int, width: int) -> np.ndarray:
    """Brown or white wrapping paper, a little crumpled."""
    colours = ((196, 158, 110), (238, 234, 224), (214, 202, 176))
    image = plain(height, width, vary(rng, colours[int(rng.integers(3))]))
    image = added(image, soft(rng, height, width, 1.2, 6) * np.float32(4))
    distance, labels = cells(rng, height, width, max(height, width) / rng.uniform(4, 10))
    facets = rng.normal(0, 0.035, int(labels.max()) + 1).astype(np.float32)[labels]
    facets = cv2.blur(facets, (5, 5)) + np.float32(0.02) * distance
    return lit(rng, blended(image, shaded(image, 1 + facets), np.float32(0.9) + 0 * facets))
