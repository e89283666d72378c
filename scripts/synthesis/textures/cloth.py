"""Cloth and skins: table cloths, felt, carpet, leather, knitting; and a lawn."""

import cv2
import numpy as np

from scripts.named import by_name
from scripts.synthesis.artwork.style import Colour, tint
from scripts.synthesis.textures.base import Surface, added, blended, ramp, shaded


def _weave(top: Surface, strength: float = 0.1) -> np.ndarray:
    """Return the gain of woven threads, some thick, some thin."""
    period = top.rng.uniform(2.6, 7)
    y = np.arange(top.height, dtype=np.float32)[:, None] * np.float32(2 * np.pi / period)
    x = np.arange(top.width, dtype=np.float32)[None] * np.float32(2 * np.pi / period)
    gain = np.sin(x + np.sin(y)) * np.sin(y)
    gain += 0.6 * top.soft(1.5, 50)
    gain += 0.6 * top.soft(50, 1.5)
    return np.asarray(1 + np.float32(strength) * gain)


def _folds(top: Surface, strength: float) -> np.ndarray:
    """Return the gain of light on creases and soft hills; computed small and enlarged."""
    tall, wide = max(8, top.height // 4), max(8, top.width // 4)
    size = max(tall, wide)
    small = Surface(top.rng, tall, wide)
    hills = small.soft(size / top.rng.uniform(2, 5)) * np.float32(size / 40)
    for _ in range(int(top.rng.integers(3, 8))):
        turn = top.rng.uniform(0, np.pi)
        gy, gx = np.mgrid[0:tall, 0:wide].astype(np.float32)
        across = (gx - top.rng.uniform(0, wide)) * np.sin(turn)
        across -= (gy - top.rng.uniform(0, tall)) * np.cos(turn)
        across += small.soft(size / 3) * np.float32(size * 0.05)
        breadth = size * top.rng.uniform(0.015, 0.06)
        height = np.float32(breadth * top.rng.choice([-0.5, 0.5]) * top.rng.uniform(0.4, 1))
        hills += np.exp(-((across / breadth) ** 2)).astype(np.float32) * height
    light = top.relief(cv2.GaussianBlur(hills, (0, 0), 1.2), 0.055 * strength)
    return cv2.resize(light, (top.width, top.height), interpolation=cv2.INTER_CUBIC)


def _cloth_colour(top: Surface) -> Colour:
    if top.rng.random() < 0.4:
        dark = ((24, 34, 72), (18, 20, 26), (70, 18, 28), (22, 52, 40), (56, 40, 70))
        return top.vary(top.choose(dark), 0.2)
    return top.any_colour((0.05, 0.75), (0.3, 0.95))


def woven(top: Surface) -> np.ndarray:
    """Return a flat cloth of one colour, linen or canvas."""
    image = top.plain(_cloth_colour(top))
    return top.lit(shaded(image, _weave(top, top.rng.uniform(0.04, 0.16))))


def crumpled(top: Surface) -> np.ndarray:
    """Return a cloth with folds and creases."""
    image = top.plain(_cloth_colour(top))
    gain = _folds(top, top.rng.uniform(0.5, 1.6))
    gain *= _weave(top, top.rng.uniform(0.02, 0.07))
    return top.lit(shaded(image, gain))


def striped(top: Surface) -> np.ndarray:
    """Return a striped table cloth or runner."""
    height, width = top.height, top.width
    # Bands of a square cloth always run across.
    across = top.rng.random() < 0.5 or height == width
    bands = _bands(top, height)[:, None] if across else _bands(top, width)[None]
    return _worn(top, np.ascontiguousarray(np.broadcast_to(bands, (height, width, 3))))


def _bands(top: Surface, length: int) -> np.ndarray:
    """Return a repeated row of coloured bands: uint8 (length, 3)."""
    colours = [top.any_colour((0.0, 0.8), (0.2, 0.97)) for _ in range(int(top.rng.integers(2, 5)))]
    colours[0] = top.any_colour((0.0, 0.15), (0.8, 0.97))
    repeat = length / top.rng.uniform(4, 22)
    widths = top.rng.dirichlet(np.ones(len(colours)) * 2)
    place = (np.arange(length) / repeat) % 1
    return np.array(colours, np.uint8)[np.searchsorted(np.cumsum(widths)[:-1], place)]


def checked(top: Surface) -> np.ndarray:
    """Paint gingham or tartan: stripes both ways that mix where they cross."""
    height, width = top.height, top.width
    if top.rng.random() < 0.6:
        light, dark = (244, 242, 236), top.any_colour((0.5, 0.95), (0.3, 0.85))
        step = top.longer / top.rng.uniform(14, 60)
        place = np.arange(top.longer) // (step / 2)
        row = np.where((place % 2 == 0)[:, None], np.array(light), np.array(dark)).astype(np.uint8)
    else:
        row = _bands(top, top.longer)
    down = np.ascontiguousarray(np.broadcast_to(row[:height, None], (height, width, 3)))
    across = np.ascontiguousarray(np.broadcast_to(row[None, :width], (height, width, 3)))
    return _worn(top, cv2.addWeighted(down, 0.5, across, 0.5, 0))


def flowered(top: Surface) -> np.ndarray:
    """Return a printed cloth with a repeated motif: flowers, dots or leaves."""
    step = int(top.longer / top.rng.uniform(8, 22))
    ground = top.any_colour((0.0, 0.6), (0.3, 0.97))
    motif = Surface(top.rng, step, step).plain(ground)
    for _ in range(int(top.rng.integers(1, 4))):
        colour = top.any_colour((0.3, 0.9), (0.3, 0.95))
        x, y = top.rng.uniform(0.25, 0.75, 2) * step
        size, petals = top.rng.uniform(0.06, 0.16) * step, int(top.rng.integers(0, 7))
        for turn in np.arange(petals) * 2 * np.pi / max(1, petals):
            middle = (int(x + size * np.cos(turn)), int(y + size * np.sin(turn)))
            cv2.ellipse(motif, middle, (max(1, int(size * 0.7)), max(1, int(size * 0.4))),
                        float(np.degrees(turn)), 0, 360, colour, -1, cv2.LINE_AA)  # fmt: skip
        heart = top.any_colour((0.3, 0.9), (0.5, 0.95))
        cv2.circle(motif, (int(x), int(y)), max(1, int(size * 0.5)), heart, -1, cv2.LINE_AA)
    shifted = np.roll(motif, step // 2, 0)
    pair = np.hstack([motif, shifted])
    image = np.tile(pair, (top.height // step + 1, top.width // (2 * step) + 1, 1))
    return _worn(top, np.ascontiguousarray(image[: top.height, : top.width]))


def _worn(top: Surface, image: np.ndarray) -> np.ndarray:
    """Return a printed cloth as it lies: bent a little, woven, perhaps folded."""
    height, width = image.shape[:2]
    if top.rng.random() < 0.6:
        small = (width // 16 + 2, height // 16 + 2)
        y, x = np.mgrid[0 : small[1], 0 : small[0]].astype(np.float32) * 16
        bend = top.longer * top.rng.uniform(0.002, 0.012)
        coarse = Surface(top.rng, small[1], small[0])
        x += coarse.soft(14) * bend
        y += coarse.soft(14) * bend
        grid = (small[0] * 16, small[1] * 16)
        x, y = (cv2.resize(m, grid)[:height, :width] for m in (x, y))
        image = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    gain = _weave(top, top.rng.uniform(0.03, 0.1))
    if top.rng.random() < 0.5:
        gain *= _folds(top, top.rng.uniform(0.2, 0.9))
    return top.lit(shaded(image, gain))


def felt(top: Surface) -> np.ndarray:
    """Paint felt or baize, most often green: short fibres that lie every way."""
    colours = ((22, 94, 52), (20, 60, 110), (110, 22, 30), (40, 42, 46))
    colour = top.vary(colours[int(top.rng.choice(4, p=(0.64, 0.12, 0.12, 0.12)))], 0.15)
    gain = top.soft(1) * 0.05
    gain += top.soft(1.4, 7) * 0.05
    gain += top.soft(7, 1.4) * 0.05
    gain += top.layers(top.height / 4, 3) * 0.025
    return top.lit(shaded(top.plain(colour), 1 + gain), 0.18)


def carpet(top: Surface) -> np.ndarray:
    """Paint carpet: loops or tufts, flecked, trodden in patches."""
    ground = top.any_colour((0.03, 0.6), (0.2, 0.8))
    tuft = top.longer / top.rng.uniform(150, 400)
    pile = top.soft(tuft)
    pile += 0.6 * top.soft(tuft / 2)
    values = 0.5 + top.rng.uniform(0.1, 0.25) * pile
    values += 0.05 * top.layers(top.height / 3, 3)
    other = tint(ground, top.rng.uniform(-0.08, 0.08), 0.8, 1.35)
    return top.lit(ramp(values, (tint(ground, 0, 1, 0.45), ground, other)))


def rug(top: Surface) -> np.ndarray:
    """Return a knotted rug: a border in several bands and a field of repeated diamonds."""
    small = (max(16, top.height // 5), max(16, top.width // 5))
    colours = [top.any_colour((0.35, 0.8), (0.25, 0.6)) for _ in range(3)]
    colours += [top.any_colour((0.1, 0.4), (0.6, 0.9)), (30, 26, 34)]
    table = np.array(colours, np.uint8)
    y, x = np.mgrid[0 : small[0], 0 : small[1]]
    step = int(top.rng.integers(10, 26))
    diamond = np.abs((x % step) - step // 2) + np.abs((y % step) - step // 2)
    index = (diamond // int(top.rng.integers(2, 5))) % 4
    edge = np.minimum(np.minimum(x, small[1] - 1 - x), np.minimum(y, small[0] - 1 - y))
    rim = edge < step
    index[rim] = ((edge // max(2, step // 4)) + (x + y) // 4 % 2)[rim] % 5
    image = cv2.resize(table[index], (top.width, top.height), interpolation=cv2.INTER_LINEAR)
    return top.lit(shaded(image, 1 + 0.14 * top.soft(2.2)))


def leather(top: Surface) -> np.ndarray:
    """Paint leather: a pebbled skin with soft shine."""
    distance, _ = top.cells(top.longer / top.rng.uniform(60, 160))
    bumps = -np.minimum(distance, 0.9) + 0.1 * top.soft(4)
    colours = ((92, 54, 32), (44, 30, 24), (28, 28, 30), (150, 98, 58), (96, 26, 28))
    image = top.plain(top.vary(top.choose(colours), 0.15))
    gain = top.relief(cv2.GaussianBlur(bumps, (0, 0), 1.0), top.rng.uniform(0.25, 0.6))
    gain *= 1 + 0.05 * top.layers(top.height / 3, 3)
    return top.lit(shaded(image, gain), 0.25)


def knitted(top: Surface) -> np.ndarray:
    """Return a knitted blanket: columns of stitches like plaits."""
    wide = top.longer / top.rng.uniform(30, 80)
    tall = wide * top.rng.uniform(0.6, 0.9)
    x = (np.arange(top.width, dtype=np.float32)[None] / wide) % 1
    lean = np.abs(x - 0.5) * 1.2
    y = (np.arange(top.height, dtype=np.float32)[:, None] / tall + lean) % 1
    gain = 0.62 + 0.45 * np.sin(np.pi * y) * np.sqrt(np.abs(np.sin(2 * np.pi * x)))
    gain = gain.astype(np.float32) * (1 + 0.08 * top.soft(1.5))
    return top.lit(shaded(top.plain(_cloth_colour(top)), gain))


def grass(top: Surface) -> np.ndarray:
    """Return a lawn: blades in many greens over dark ground."""
    rng = top.rng
    green = top.vary((84, 124, 44), 0.2)
    image = ramp(0.5 + 0.25 * top.layers(top.height / 4, 4),
                 (tint(green, 0, 1, 0.4), tint(green, 0, 1, 0.75)))  # fmt: skip
    blade = top.longer / rng.uniform(30, 70)
    count = int(5 * top.height * top.width / blade**2) // 8
    for step in range(8):
        foot = rng.uniform((0, 0), (top.width, top.height), (count, 2))
        turn = rng.normal(-np.pi / 2, 0.9, count)
        reach = rng.uniform(0.4, 1.1, count) * blade
        tip = foot + np.stack([np.cos(turn) * reach, np.sin(turn) * reach], 1)
        lines = np.round(np.stack([foot, tip], 1) * 8).astype(np.int32)
        colour = tint(green, rng.uniform(-0.05, 0.03), rng.uniform(0.7, 1.2), 0.55 + 0.12 * step)
        kind = cv2.LINE_8 if step < 4 else cv2.LINE_AA
        cv2.polylines(image, list(lines), False, colour, max(1, round(blade / 16)), kind, 3)
    return top.lit(image)


def paper(top: Surface) -> np.ndarray:
    """Paint brown or white wrapping paper, a little crumpled."""
    colours = ((196, 158, 110), (238, 234, 224), (214, 202, 176))
    image = top.plain(top.vary(colours[int(top.rng.integers(3))]))
    image = added(image, top.soft(1.2, 6) * 4)
    distance, labels = top.cells(top.longer / top.rng.uniform(4, 10))
    facets = top.rng.normal(0, 0.035, int(labels.max()) + 1).astype(np.float32)[labels]
    facets = cv2.blur(facets, (5, 5)) + 0.02 * distance
    return top.lit(blended(image, shaded(image, 1 + facets), 0.9 + 0 * facets))


#: All that is painted here.
PAINTERS = by_name(
    woven, crumpled, striped, checked, flowered, felt, carpet, rug, leather, knitted, grass, paper
)
