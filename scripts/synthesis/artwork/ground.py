"""The ground of each terrain, and the line where two terrains meet."""

import cv2
import numpy as np

from kdvision.rules.terrain import Terrain
from scripts.arrays import Rng
from scripts.synthesis.artwork.pen import Pen, blob, moved, noise
from scripts.synthesis.artwork.style import Style, mix, tint


def lay_ground(
    terrain: Terrain, height: int, width: int, unit: float, style: Style, rng: Rng
) -> np.ndarray:
    """Return the bare ground.

    Args:
        terrain: Which terrain.
        height: Height in pixels.
        width: Width in pixels.
        unit: Pixels in a square.
        style: The look of the deck.
        rng: Random numbers.

    Returns:
        uint8 (height, width, 3) RGB.
    """
    colour = tint(style.ground[terrain], rng.uniform(-0.006, 0.006), 1, rng.uniform(0.97, 1.03))
    large = noise(rng, height, width, (0.45, 0.2), unit) * style.clouds
    if terrain is Terrain.LAKE:
        large *= 1.4
    elif terrain is Terrain.MINE:
        large += noise(rng, height, width, (0.05, 0.02), unit) * 5
    # Light patches lean to yellow, dark ones to blue: a painter's shadow, not a grey one.
    image = np.array(colour, np.float32) + large[..., None] * np.array((1.0, 0.95, 0.6), np.float32)
    ground = np.clip(image, 0, 255).astype(np.uint8)
    pen = Pen.over(ground, style, rng, unit)
    _MARKS[terrain](pen, width / unit)
    return ground


def _furrows(pen: Pen, wide: float) -> None:
    """Draw rows of the plough, straight or bent, and short stalks along them."""
    ground = pen.style.ground[Terrain.WHEAT]
    dark, light = tint(ground, -0.012, 1, 0.86), tint(ground, 0.008, 0.8, 1.08)
    slope, bend = pen.rand(-0.35, 0.35), pen.rand(-0.12, 0.12)
    gap = pen.rand(0.05, 0.085)
    strength = pen.style.furrows
    x = np.linspace(-0.05, wide + 0.05, 14)
    for y in np.arange(-0.5, 1.5, gap):
        row = y + slope * x + bend * np.sin(2.5 * x) + pen.rand(-0.006, 0.006)
        band = np.concatenate([np.stack([x, row], 1), np.stack([x, row + gap * 0.4], 1)[::-1]])
        pen.shade(band, dark, 0.4 * strength)
        for spot in pen.rng.uniform(0, wide, pen.count(7 * strength * wide)):
            foot = np.interp(spot, x, row)
            lean = pen.rand(-0.01, 0.01)
            pen.line([(spot, foot), (spot + lean, foot - 0.028)], pen.vary(light), 0.006)
            pen.line([(spot, foot), (spot - lean, foot - 0.02)], dark, 0.004)


def _undergrowth(pen: Pen, wide: float) -> None:
    ground = pen.style.ground[Terrain.FOREST]
    for x, y in pen.spots(26, wide):
        patch = blob(pen.rng, x, y, pen.rand(0.03, 0.1), pen.rand(0.02, 0.06))
        pen.shade(patch, tint(ground, pen.rand(-0.03, 0.03), 1, pen.rand(0.6, 1.3)), 0.5, 0.01)


def _waves(pen: Pen, wide: float) -> None:
    """Draw short crests, light above and dark below."""
    ground = pen.style.ground[Terrain.LAKE]
    light, dark = tint(ground, -0.02, 0.55, 1.25), tint(ground, 0.01, 1.05, 0.8)
    for x, y in pen.spots(5, wide):
        patch = blob(pen.rng, x, y, pen.rand(0.08, 0.25), pen.rand(0.04, 0.1))
        pen.shade(patch, dark if pen.chance(0.6) else light, 0.22, 0.03)
    for _ in range(pen.count(20 * wide)):
        x, y, length = pen.rand(0, wide), pen.rand(0.02, 0.98), pen.rand(0.02, 0.05)
        t = np.linspace(-1, 1, 7)
        for lift, colour in ((0.008, dark), (0.0, light)):
            crest = np.stack([x + t * length, y + lift - 0.012 * np.cos(2.4 * t)], 1)
            pen.line(crest, pen.vary(colour, 0.03), 0.006)


def _meadow(pen: Pen, wide: float) -> None:
    """Draw patches of mown and of long grass, tufts, flowers."""
    ground = pen.style.ground[Terrain.GRASSLAND]
    for x, y in pen.spots(6, wide):
        patch = blob(pen.rng, x, y, pen.rand(0.08, 0.3), pen.rand(0.05, 0.15))
        pen.shade(patch, tint(ground, pen.rand(-0.02, 0.03), 1, pen.rand(0.82, 1.12)), 0.45, 0.02)
    dark = tint(ground, 0.03, 1.1, 0.72)
    for _ in range(pen.count(22 * wide)):
        x, y, h = pen.rand(0, wide), pen.rand(0.03, 1), pen.rand(0.012, 0.026)
        for lean in (-0.6, 0.0, 0.6):
            pen.line([(x, y), (x + lean * h, y - h)], dark, 0.005)
    for x, y in pen.spots(22, wide):
        flower(pen, x, y)


def flower(pen: Pen, x: float, y: float) -> None:
    """Draw a dot of a flower."""
    colours = ((255, 250, 240), (255, 226, 60), (240, 110, 150), (236, 80, 60), (170, 120, 220))
    colour = colours[int(pen.rng.choice(5, p=(0.35, 0.35, 0.1, 0.1, 0.1)))]
    r = pen.rand(0.005, 0.01)
    pen.disc(x, y, r, colour)
    pen.disc(x, y, r * 0.4, mix(colour, (200, 120, 20), 0.6))


def _mud(pen: Pen, wide: float) -> None:
    """Draw beds of darker mud, pale dry crusts, and puddles that catch the sky."""
    ground = pen.style.ground[Terrain.SWAMP]
    for x, y in pen.spots(9, wide):
        bed = blob(pen.rng, x, y, pen.rand(0.08, 0.26), pen.rand(0.025, 0.07), 0.5)
        pen.shade(bed, tint(ground, pen.rand(-0.02, 0.04), 1.15, pen.rand(0.7, 1.15)), 0.5, 0.006)
    for _ in range(1 + pen.count(2 * wide)):
        x, y, rx, ry = pen.rand(0, wide), pen.rand(0.08, 0.95), pen.rand(0.06, 0.15), 0.0
        ry = rx * pen.rand(0.3, 0.45)
        seed = int(pen.rng.integers(1 << 30))
        for grow, colour in (
            (1.18, tint(ground, -0.01, 1.2, 0.62)),
            (1.0, mix(tint(ground, 0.05, 0.9, 0.72), (110, 130, 120), 0.45)),
        ):
            pen.fill(blob(np.random.default_rng(seed), x, y, rx * grow, ry * grow, 0.5), colour, 0)
        sky = blob(pen.rng, x - rx * 0.2, y - ry * 0.3, rx * 0.5, ry * 0.25)
        pen.shade(sky, (225, 230, 220), 0.35)


def _cracks(pen: Pen, wide: float) -> None:
    """Draw cracks, chips and faint facets in the rock."""
    for x, y in pen.spots(7, wide):
        facet = blob(pen.rng, x, y, pen.rand(0.06, 0.2), pen.rand(0.05, 0.14), 0.6, 8)
        pen.shade(facet, (0, 0, 0) if pen.chance(0.5) else (120, 118, 126), 0.16)
    for x, y in pen.spots(6, wide):
        steps = np.cumsum(pen.rng.uniform(-0.04, 0.05, (5, 2)), 0)
        pen.line(moved(steps, x, y), (18, 17, 20), 0.007)
    for _ in range(pen.count(26 * wide)):
        grey = int(pen.rand(60, 105))
        x, y, r = pen.rand(0, wide), pen.rand(0, 1), pen.rand(0.003, 0.008)
        pen.disc(x, y, r, (grey, grey, grey + 3))


_MARKS = {
    Terrain.WHEAT: _furrows,
    Terrain.FOREST: _undergrowth,
    Terrain.LAKE: _waves,
    Terrain.GRASSLAND: _meadow,
    Terrain.SWAMP: _mud,
    Terrain.MINE: _cracks,
}


# Where two terrains meet ------------------------------------------------------------------


def border_line(rng: Rng, reach: float, n: int = 33) -> np.ndarray:
    """Return the line between two halves, top to bottom: float (n, 2), x near 1."""
    y = np.linspace(-0.02, 1.02, n)
    coarse = np.interp(np.linspace(0, 6, n), np.arange(7), rng.uniform(-1, 1, 7))
    return np.stack([1 + reach * (coarse + 0.35 * rng.uniform(-1, 1, n)), y], 1)


def join(left: np.ndarray, right: np.ndarray, line: np.ndarray, soft: float) -> np.ndarray:
    """Put two grounds side by side.

    Args:
        left: uint8 (h, w, 3) with h < w < 2 h: the left half and a margin to its right.
        right: uint8 (h, w, 3), the right half and a margin to its left.
        line: The border line, in squares; it stays within the margins.
        soft: Width of the soft edge in squares.

    Returns:
        uint8 (h, 2 * h, 3).
    """
    side, wide = left.shape[:2]
    start = 2 * side - wide
    mask = np.zeros((side, wide - start), np.uint8)
    shape = np.concatenate([line, [(9.0, 1.1), (9.0, -0.1)]]) * side - (start, 0)
    cv2.fillPoly(mask, [np.round(shape * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    if soft * side > 0.5:
        mask = cv2.GaussianBlur(mask, (0, 0), soft * side)
    share = mask * np.float32(1 / 255)
    strip = (left[:, start:].copy(), right[:, : wide - start].copy())
    middle = cv2.blendLinear(*strip, 1 - share, share)
    return np.hstack([left[:, :start], middle, right[:, wide - start :]])


def draw_border(pen: Pen, line: np.ndarray, left: Terrain, right: Terrain) -> None:
    """Draw what stands along a border of two terrains: a bank, a wall of stones, or posts."""
    kind = pen.style.border
    if left is right:
        if left in (Terrain.FOREST, Terrain.SWAMP, Terrain.MINE):
            return
        kind = "stones" if left is Terrain.GRASSLAND else "posts"
    if kind == "ragged":
        shade = mix(pen.style.ground[left], pen.style.ground[right], 0.5)
        dark = tint(shade, 0, 1.1, 0.55)
        pen.line(moved(line, 0.012, 0), dark, 0.02)
        pen.line(line, tint(mix(shade, (190, 150, 80), 0.5), 0, 1, 0.9), 0.022)
    elif kind == "stones":
        for y in np.arange(0.01, 1, 0.035):
            x = np.interp(y, line[:, 1], line[:, 0]) + pen.rand(-0.008, 0.008)
            stone = pen.vary(mix(pen.style.stone, (150, 146, 140), 0.6), 0.15)
            pen.fill(blob(pen.rng, x, y, 0.017, 0.015, 0.4, 8), stone, 0.6)
    elif kind == "posts":
        for y in np.arange(0.03, 1, 0.09):
            x = np.interp(y, line[:, 1], line[:, 0])
            post = [(x - 0.007, y), (x - 0.006, y - 0.045), (x + 0.007, y - 0.045), (x + 0.007, y)]
            pen.fill(post, (112, 74, 40), 0.6)
            pen.line([(x, y - 0.03), (x + pen.rand(-0.01, 0.01), y + 0.05)], (140, 96, 52), 0.006)


def print_grain(image: np.ndarray, style: Style, rng: Rng, unit: float) -> np.ndarray:
    """Lay the texture of paper and print over a finished picture: uint8 RGB."""
    height, width = image.shape[:2]
    fine = noise(rng, height, width, (1 / unit,), unit) * style.grain * 0.5
    fine += noise(rng, height, width, (0.025,), unit) * style.grain * 0.5
    return np.clip(image[..., :3] + fine[..., None], 0, 255).astype(np.uint8)
