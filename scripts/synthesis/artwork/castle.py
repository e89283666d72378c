"""The start tile, the standing castle, and the king."""

import cv2
import numpy as np

from scripts.arrays import Rng
from scripts.synthesis.artwork.crowns import crown_outline
from scripts.synthesis.artwork.ground import print_grain
from scripts.synthesis.artwork.pen import Pen, blob, box, moved, noise, ring, rounded
from scripts.synthesis.artwork.style import PLAYER, Colour, Style, mix, tint
from scripts.synthesis.artwork.tiles import shrink, work_side

#: Colours of the sky that is printed behind the roofs of a castle, from one to the other.
PALE_SKY: tuple[Colour, Colour] = ((166, 206, 228), (230, 232, 228))
DEEP_SKY: tuple[Colour, Colour] = ((92, 142, 182), (190, 214, 228))


def paint_start_tile(colour: str, rng: Rng, size: int) -> np.ndarray:
    """Return the start tile: cobbles, a border and a mosaic crown in the colour of the player.

    Args:
        colour: "blue", "green", "pink" or "yellow".
        rng: Random numbers.
        size: Side in pixels.

    Returns:
        uint8 (size, size, 3) RGB.
    """
    style, side = Style(rng), work_side(size)
    paint = tint(PLAYER[colour], rng.uniform(-0.012, 0.012), rng.uniform(0.9, 1.1))
    mortar = mix((206, 188, 138), (188, 184, 170), rng.uniform(0, 1))
    image = np.full((side, side, 3), mortar, np.uint8)
    stones = [(150, 134, 100), (126, 114, 92), (170, 156, 118), (142, 134, 120)]
    _mosaic(image, rng, int(rng.integers(9, 13)), stones, gap=0.16)
    _border(Pen.over(image, style, rng, side), paint)
    _mosaic_crown(image, style, rng, side, paint)
    return shrink(print_grain(image, style, rng, side), size, size)


def _mosaic(image: np.ndarray, rng: Rng, across: int, colours: list[Colour], gap: float) -> None:
    """Cover the picture with stones in mortar: cells of a jittered lattice, made smaller."""
    side = image.shape[0]
    step = side / across
    rows = np.arange(-1, across + 1)
    seeds = np.array([(x + 0.5 * (y % 2), y) for y in rows for x in rows], float)
    seeds = (seeds + 0.5 + rng.uniform(-0.33, 0.33, seeds.shape)) * step
    plane = cv2.Subdiv2D((-2 * side, -2 * side, 5 * side, 5 * side))
    plane.insert(seeds.astype(np.float32))
    cells, middles = plane.getVoronoiFacetList([])
    for cell, middle in zip(cells, middles, strict=True):
        stone = (np.asarray(cell) - middle) * (1 - gap) + middle
        if np.abs(stone - middle).max() > 2 * step:
            continue
        base = colours[int(rng.integers(len(colours)))]
        light = rng.uniform(0.88, 1.12)
        tone = tuple(int(min(255, c * light)) for c in base)
        fixed = [np.round(stone * 16).astype(np.int32)]
        cv2.fillPoly(image, fixed, tuple(int(c * 0.72) for c in tone), cv2.LINE_AA, 4)
        inner = (stone - middle) * 0.9 + middle - step * 0.03
        cv2.fillPoly(image, [np.round(inner * 16).astype(np.int32)], tone, cv2.LINE_AA, 4)


def _border(pen: Pen, paint: Colour) -> None:
    """Draw broken bars of colour along the four sides."""
    for quarter in range(4):
        edge = pen.at(0.5, 0.5, 1, quarter * np.pi / 2)
        start = -0.5
        while start < 0.5:
            length = pen.rand(0.06, 0.17)
            if pen.chance(0.85):
                bar = box(start + 0.006, -0.495, start + length - 0.006, -0.462)
                edge.fill(bar, pen.vary(paint, 0.12), 0.4)
            start += length


def _mosaic_crown(image: np.ndarray, style: Style, rng: Rng, side: int, paint: Colour) -> None:
    """Draw a crown of small stones in shades of the colour, on pale mortar."""
    layer = np.full_like(image, mix((240, 238, 226), paint, 0.12))
    shades = [tint(paint, 0, 1, v) for v in (0.75, 0.9, 1.05)] + [tint(paint, 0, 0.75, 1.15)]
    _mosaic(layer, rng, int(rng.integers(18, 24)), shades, gap=0.24)
    mask = np.zeros(image.shape[:2], np.uint8)
    crown = crown_outline(5) * 0.74 + (0.5, 0.5)
    fixed = np.round(crown * side * 16).astype(np.int32)
    cv2.fillPoly(mask, [fixed], 255, cv2.LINE_AA, 4)
    cv2.polylines(mask, [fixed], True, 255, max(2, side // 40), cv2.LINE_AA, 4)
    share = (mask.astype(np.float32) / 255)[..., None]
    image[:] = (image + (layer.astype(np.float32) - image) * share).astype(np.uint8)
    pen = Pen.over(image, style, rng, side)
    for x, y in crown[1:-1:2]:
        pen.disc(x, y, 0.032, mix((255, 255, 250), paint, 0.25), ink=0.4)


# Standing pieces ----------------------------------------------------------------------------


def paint_castle_sprite(
    colour: str, rng: Rng, size: int, sky: tuple[Colour, Colour] = PALE_SKY
) -> np.ndarray:
    """Return the front of the cardboard castle as it stands on the start tile.

    Args:
        colour: "blue", "green", "pink" or "yellow".
        rng: Random numbers.
        size: Side in pixels.
        sky: Two colours between which that of the sky behind the roofs lies.

    Returns:
        uint8 (size, size, 4) RGBA, transparent around the castle; it stands on the lower edge.
    """
    style, side = Style(rng), work_side(size)
    image = np.zeros((side, side, 4), np.uint8)
    pen = Pen.over(image, style, rng, side).at(0.5, 0.985, 0.9)
    wall = tint((232, 206, 112), rng.uniform(-0.02, 0.02), rng.uniform(0.6, 1.05))
    roof = tint(PLAYER[colour], rng.uniform(-0.012, 0.012), rng.uniform(0.85, 1.05), 0.95)
    if pen.chance(0.6):
        behind = mix(*sky, pen.rand(0, 1))
        pen.fill([(-0.5, 0), (-0.5, -0.5), (-0.32, -0.52), (-0.32, -0.98), (0.38, -0.98),
                  (0.38, -0.52), (0.5, -0.5), (0.5, 0)], behind, 0.5)  # fmt: skip
    _keep(pen.at(-0.02, -0.3), wall, roof, 0.34, 0.28)
    _keep(pen.at(0.25, -0.42, 0.62), wall, roof, 0.2, 0.16)
    for x in (-0.38, 0.38):
        _battlement(pen.at(x, 0), wall, 0.22, 0.34)
    _battlement(pen, wall, 0.58, 0.3)
    _gate(pen, roof)
    pen.fill(box(-0.5, -0.035, 0.5, 0.0), (120, 186, 50), 0.4)
    return _cut_out(image, size)


def _battlement(pen: Pen, wall: Colour, wide: float, high: float) -> None:
    """Draw a wall with battlements, its foot at the origin."""
    half = wide / 2
    pen.fill(box(-half, -high, half, 0), wall)
    teeth = max(3, round(wide / 0.085)) | 1
    step = (wide + 0.04) / teeth
    light = tint(wall, 0, 1, 1.05)
    pen.fill(box(-half - 0.02, -high - 0.05, half + 0.02, -high + 0.02), light, 0.7)
    for number in range(0, teeth, 2):
        x = -half - 0.02 + number * step
        pen.fill(box(x, -high - 0.1, x + step, -high - 0.045), light, 0.7)
    pen.shade(box(half * 0.55, -high + 0.02, half, 0), (60, 40, 0), 0.2)
    for _ in range(int(wide * 50)):
        x, y = pen.rand(-half * 0.85, half * 0.85), pen.rand(-high * 0.9, -0.05)
        pen.line([(x - 0.012, y), (x + 0.012, y)], tint(wall, 0, 1, 0.78), 0.008)
    ledge = [(-half - 0.02, -high + 0.02), (half + 0.02, -high + 0.02)]
    pen.line(ledge, tint(wall, 0, 1, 0.6), 0.012)


def _keep(pen: Pen, wall: Colour, roof: Colour, wide: float, high: float) -> None:
    """Draw a tower with a pointed roof, its foot at the origin."""
    half = wide / 2
    _battlement(pen, tint(wall, 0, 1, 0.95), wide, high * 0.7)
    inner = half * 0.72
    pen.fill(box(-inner, -high * 1.1, inner, -high * 0.75), wall)
    pen.fill(box(-0.02, -high * 1.05, 0.03, -high * 0.85), (84, 60, 40), 0.5)
    top = -high - half * 2.1
    eave = -high
    pen.fill([(-half * 1.05, eave), (0, top), (half * 1.05, eave), (0, eave + half * 0.3)], roof)
    for share in (-0.7, -0.35, 0.0, 0.35, 0.7):
        foot = (share * half, eave + half * 0.3 * (1 - abs(share)))
        pen.line([(0, top), foot], tint(roof, 0, 1, 0.72), 0.01)
    pen.shade([(0, top), (half * 1.05, eave), (half * 0.3, eave + half * 0.2)], (0, 0, 20), 0.22)
    for row in (0.45, 0.75):
        y = top + (eave - top) * row
        arc = [(-half * row, y), (0, y + half * 0.25 * row), (half * row, y)]
        pen.line(arc, tint(roof, 0, 1, 0.78), 0.008)
    pen.line([(0, top), (0, top - 0.1)], (110, 74, 44), 0.014)
    pen.fill([(0, top - 0.1), (-0.12, top - 0.075), (0, top - 0.045)], roof, 0.5)


def _gate(pen: Pen, roof: Colour) -> None:
    turn = np.linspace(np.pi, 2 * np.pi, 9)
    arch = [(-0.085, 0.0), *zip(0.085 * np.cos(turn), -0.1 + 0.085 * np.sin(turn), strict=True),
            (0.085, 0.0)]  # fmt: skip
    pen.fill(arch, (134, 88, 48), 0.9)
    for x in (-0.05, 0.0, 0.05):
        pen.line([(x, -0.02), (x, -0.16)], (92, 58, 32), 0.012)
    for x in (-0.19, 0.19):
        pen.fill([(x - 0.03, -0.24), (x + 0.03, -0.24), (x + 0.03, -0.1), (x, -0.13),
                  (x - 0.03, -0.1)], roof, 0.5)  # fmt: skip
    for x in (-0.39, 0.39):
        pen.fill(box(x - 0.02, -0.22, x + 0.02, -0.12), (84, 60, 40), 0.5)


def paint_king_sprite(colour: str, rng: Rng, size: int) -> np.ndarray:
    """Return a wooden king, seen from the front.

    Returns:
        uint8 (size, size, 4) RGBA, transparent around the figure; it stands on the lower edge.
    """
    style, side = Style(rng), work_side(size)
    image = np.zeros((side, side, 4), np.uint8)
    paint = tint(PLAYER[colour], rng.uniform(-0.015, 0.015), rng.uniform(0.9, 1.1))
    half = [(0.14, -0.96), (0.17, -0.9), (0.19, -0.97), (0.21, -0.82), (0.13, -0.74), (0.15, -0.64),
            (0.27, -0.52), (0.3, -0.4), (0.2, -0.33), (0.3, -0.08), (0.33, 0.0), (0.08, 0.0),
            (0.06, -0.06)]  # fmt: skip
    crown = [(0.0, -0.99), (0.07, -0.92)]
    right = crown + half
    shape = rounded(np.array([(-x, y) for x, y in reversed(right)] + right[1:]))
    pen = Pen.over(image, style, rng, side).at(0.5, 0.98, 0.95)
    thick = pen.rand(0.04, 0.08)
    for share in np.linspace(1, 0.1, 6):
        pen.fill(moved(shape, thick * share, -thick * 0.3 * share), tint(paint, 0, 1, 0.62), 0)
    pen.fill(shape, paint, 0)
    pen.shade(shape * (0.8, 0.92) + (-0.02, -0.03), tint(paint, 0, 0.8, 1.15), 0.4, 0.04)
    pen.shade(blob(rng, 0.1, -0.2, 0.2, 0.3), (0, 0, 0), 0.1, 0.05)
    fibre = noise(rng, side, side, (0.01,), side)
    fibre = cv2.GaussianBlur(fibre, (0, 0), side * 0.03, sigmaY=1) * 26
    image[..., :3] = np.clip(image[..., :3] + fibre[..., None], 0, 255).astype(np.uint8)
    pen.shade(ring(-0.1, -0.85, 0.03, 0.05), (255, 255, 255), 0.3, 0.02)
    return _cut_out(image, size)


def _cut_out(image: np.ndarray, size: int) -> np.ndarray:
    """Return the sprite at its final size; colours are averaged by their opacity."""
    share = image[..., 3:].astype(np.float32) / 255
    small = shrink(np.concatenate([image[..., :3] * share, share], 2), size, size)
    alpha = small[..., 3:]
    colour = small[..., :3] / np.maximum(alpha, 1e-3)
    return np.clip(np.concatenate([colour, alpha * 255], 2) + 0.5, 0, 255).astype(np.uint8)
