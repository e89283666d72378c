"""Wood: boards, planks, parquet, bamboo, cork."""

from collections.abc import Sequence
from functools import partial

import cv2
import numpy as np

from scripts.arrays import Rng
from scripts.named import by_name
from scripts.synthesis.artwork.style import Colour, tint
from scripts.synthesis.textures.base import Surface, blended, ramp, shaded

#: Dark and light of each sort of wood.
_SORTS: dict[str, tuple[Colour, Colour]] = {
    "beech": ((188, 142, 98), (232, 200, 158)),
    "pine": ((196, 144, 78), (240, 206, 142)),
    "oak": ((128, 88, 50), (196, 152, 100)),
    "walnut": ((56, 34, 22), (124, 84, 54)),
    "cherry": ((104, 46, 26), (176, 96, 58)),
    "grey": ((108, 98, 88), (172, 162, 150)),
    "white": ((206, 200, 190), (240, 236, 228)),
    "black": ((24, 20, 18), (62, 54, 48)),
}


def _grain(top: Surface) -> np.ndarray:
    """Return the grain of one wide board along x, as a map from 0 (dark) to 1 (light)."""
    rng = top.rng
    rings = rng.uniform(4, 16) / top.height
    bend = top.soft(top.height * rng.uniform(0.15, 0.4), top.width * rng.uniform(0.4, 0.9))
    bend *= rng.uniform(0.5, 2.2)
    y = np.arange(top.height, dtype=np.float32)[:, None] * np.float32(rings)
    phase = (bend + y) * 2 * np.pi
    _add_knots(top, phase, rings)
    ring = np.sin(phase)
    # Late wood is a thin dark line, early wood a broad light band.
    ring = 0.5 + 0.5 * ring
    ring *= ring
    fibre = top.soft(1.6, rng.uniform(40, 90))
    broad = top.soft(top.height / rng.uniform(10, 30), top.width * 0.6)
    pores = top.soft(1.3, rng.uniform(12, 30))
    contrast = rng.uniform(0.12, 0.4)
    grain = 0.72 - contrast * ring + rng.uniform(0.05, 0.12) * fibre
    grain += 0.1 * broad
    grain -= rng.uniform(0.05, 0.3) * np.maximum(pores - 1.0, 0)
    return np.asarray(grain)


def _add_knots(top: Surface, phase: np.ndarray, rings: float) -> None:
    """Bend the rings around a few knots, in place."""
    height, width = phase.shape
    for _ in range(int(top.rng.poisson(0.7))):
        x, y = top.rng.uniform(0, width), top.rng.uniform(0, height)
        r = top.rng.uniform(0.012, 0.03) * height
        x0, x1 = int(max(0, x - 10 * r)), int(min(width, x + 10 * r))
        y0, y1 = int(max(0, y - 5 * r)), int(min(height, y + 5 * r))
        if x1 <= x0 or y1 <= y0:
            continue
        gy = (np.arange(y0, y1, dtype=np.float32)[:, None] - y) / (1.6 * r)
        gx = (np.arange(x0, x1, dtype=np.float32)[None] - x) / (3.4 * r)
        bump = np.exp(-(gx * gx + gy * gy))
        phase[y0:y1, x0:x1] += bump * np.float32(2 * np.pi * (1.5 + 2.5 * r * rings))


def board(top: Surface) -> np.ndarray:
    """Paint one large wooden top, or a few glued boards without gaps."""
    dark, light = _sort(top)
    grain = _grain(top)
    edge = 0
    while top.rng.random() < 0.75 and edge < top.height - 20:
        end = int(min(top.height, edge + top.rng.uniform(0.12, 0.4) * top.height))
        roll = int(top.rng.integers(0, top.height))
        part = np.roll(grain, roll, 0)[edge:end, :: int(top.rng.choice([-1, 1]))]
        grain[edge:end] = part + top.rng.uniform(-0.1, 0.1)
        grain[edge : edge + 2] -= top.rng.uniform(0, 0.15)
        edge = end
    return ramp(grain, (dark, light))


def _sort(top: Surface, name: str | None = None) -> tuple[Colour, Colour]:
    names = list(_SORTS)
    dark, light = _SORTS[name or top.choose(names)]
    hue, value = top.rng.uniform(-0.012, 0.012), top.rng.uniform(0.88, 1.1)
    dark = tint(dark, hue, top.rng.uniform(0.8, 1.15), value)
    return dark, tint(light, hue, top.rng.uniform(0.8, 1.15), value)


def _veneer(top: Surface, sorts: Sequence[str]) -> np.ndarray:
    """Paint one wide top of any of some sorts."""
    colours = _sort(top, str(top.rng.choice(sorts)))
    return top.lit(ramp(_grain(top), colours))


def beech(top: Surface) -> np.ndarray:
    """Return a top of a light wood."""
    return top.sometimes_turned(partial(_veneer, sorts=("beech", "pine")))


def oak(top: Surface) -> np.ndarray:
    """Return a top of a brown or a red wood."""
    return top.sometimes_turned(partial(_veneer, sorts=("oak", "cherry")))


def walnut(top: Surface) -> np.ndarray:
    """Return a top of a dark wood."""
    return top.sometimes_turned(partial(_veneer, sorts=("walnut", "black")))


def boards(top: Surface) -> np.ndarray:
    """Return a top of glued boards of any wood."""
    return top.lit(top.sometimes_turned(board))


def planks(top: Surface) -> np.ndarray:
    """Paint planks with gaps: a garden table, a deck, an old floor."""
    return top.lit(top.sometimes_turned(_planks))


def _planks(top: Surface) -> np.ndarray:
    dark, light = _sort(top)
    grain = _grain(top)
    tall = top.height / top.rng.uniform(4, 12)
    gap = max(1, round(top.rng.uniform(0.01, 0.06) * tall))
    gain = np.ones((top.height, top.width), np.float32)
    result = grain.copy()
    long = top.rng.uniform(0.4, 3.0) * top.width
    for upper in np.arange(-top.rng.uniform(0, tall), top.height, tall):
        y0, y1 = max(0, int(upper)), min(top.height, int(upper + tall))
        if y1 <= y0:
            continue
        x = -top.rng.uniform(0, long)
        while x < top.width:
            x0, x1 = max(0, int(x)), min(top.width, int(x + long))
            _lay(top.rng, grain, result, (y0, y1, x0, x1))
            gain[y0:y1, max(0, x1 - gap) : x1] *= 0.35
            x += long
        gain[max(y0, y1 - gap) : y1] = top.rng.uniform(0.15, 0.4)
        gain[y0 : y0 + gap] *= 1.08
    gain = np.asarray(cv2.GaussianBlur(gain, (0, 0), 0.8), np.float32)
    return shaded(ramp(result, (dark, light)), gain)


def _lay(rng: Rng, grain: np.ndarray, result: np.ndarray, place: tuple[int, int, int, int]) -> None:
    """Fill (y0, y1, x0, x1) with a piece cut from elsewhere in the grain."""
    y0, y1, x0, x1 = place
    tall, wide = y1 - y0, x1 - x0
    if tall <= 0 or wide <= 0:
        return
    y = int(rng.integers(0, max(1, grain.shape[0] - tall)))
    x = int(rng.integers(0, max(1, grain.shape[1] - wide)))
    piece = grain[y : y + tall, x : x + wide][:, :: int(rng.choice([-1, 1]))]
    result[y0:y1, x0:x1] = piece + np.float32(rng.uniform(-0.13, 0.13))


def parquet(top: Surface) -> np.ndarray:
    """Paint parquet: staggered strips, or blocks that lie crosswise like a basket."""
    dark, light = _sort(top, str(top.rng.choice(["oak", "beech", "pine", "cherry", "walnut"])))
    side = top.longer
    grain = _grain(Surface(top.rng, side, side))
    turned = np.ascontiguousarray(grain.T)
    result = np.empty((top.height, top.width), np.float32)
    gain = np.ones((top.height, top.width), np.float32)
    strip = max(6, int(side / top.rng.uniform(18, 40)))
    if top.rng.random() < 0.5:
        count = int(top.rng.integers(3, 6))
        _basket(top.rng, (grain, turned), result, gain, (strip, count))
    else:
        long = int(strip * top.rng.uniform(4, 8))
        for row, y in enumerate(range(0, top.height, strip)):
            start = -int(top.rng.integers(0, long)) if row % 2 else -int(long * 0.5 * (row % 4))
            for x in range(start, top.width, long):
                low, right = min(top.height, y + strip), min(top.width, x + long)
                _lay(top.rng, grain, result, (y, low, max(0, x), right))
                gain[y : y + strip, max(0, x) : max(0, x) + 1] = 0.6
            gain[y : y + 1] = 0.65
    return top.lit(shaded(ramp(result, (dark, light)), gain))


def _basket(
    rng: Rng,
    grains: tuple[np.ndarray, np.ndarray],
    result: np.ndarray,
    gain: np.ndarray,
    sizes: tuple[int, int],
) -> None:
    strip, count = sizes
    height, width = result.shape
    block = strip * count
    for row, y in enumerate(range(0, height, block)):
        for col, x in enumerate(range(0, width, block)):
            upright = (row + col) % 2
            for number in range(count):
                move = number * strip
                y0, x0 = (y, x + move) if upright else (y + move, x)
                y1 = min(height, y0 + (block if upright else strip))
                x1 = min(width, x0 + (strip if upright else block))
                _lay(rng, grains[upright], result, (y0, y1, x0, x1))
                gain[y0 : y0 + 1, x0:x1] = 0.65
                gain[y0:y1, x0 : x0 + 1] = 0.65


def bamboo(top: Surface) -> np.ndarray:
    """Return a bamboo mat: thin round slats with nodes, tied by threads."""
    return top.lit(top.sometimes_turned(_bamboo))


def _bamboo(top: Surface) -> np.ndarray:
    height, width = top.height, top.width
    slat = max(4, round(height / top.rng.uniform(30, 90)))
    rows = height // slat + 1
    tone = np.repeat(top.rng.uniform(-0.15, 0.15, rows).astype(np.float32), slat)[:height, None]
    across = (np.arange(height) % slat) / slat
    round_ = np.sin(np.pi * across).astype(np.float32)[:, None] ** 0.6
    values = 0.55 + tone + 0.08 * top.soft(1.5, 60)
    image = ramp(values, (top.vary((146, 104, 50)), top.vary((230, 200, 140))))
    gain = np.broadcast_to(0.45 + 0.6 * round_, (height, width)).astype(np.float32)
    for row in range(rows):
        for x in top.rng.uniform(0, width, int(top.rng.poisson(1.2))).astype(int):
            gain[row * slat : (row + 1) * slat, x : x + 3] *= 0.7
    thread = int(width / top.rng.uniform(3, 7))
    ink = top.vary((120, 60, 40) if top.rng.random() < 0.5 else (220, 210, 190))
    image = shaded(image, gain)
    for x in range(thread // 2, width, thread):
        cv2.line(image, (x, 0), (x, height), ink, max(1, slat // 4), cv2.LINE_AA)
    return image


def cork(top: Surface) -> np.ndarray:
    """Paint cork: crumbs of many browns."""
    distance, labels = top.cells(top.longer / top.rng.uniform(90, 220))
    tones = top.rng.normal(0.6, 0.16, int(labels.max()) + 1).astype(np.float32)
    tones[top.rng.random(len(tones)) < 0.06] = 0.12
    values = tones[labels] - 0.12 * distance
    values += 0.08 * top.soft(2)
    values += 0.05 * top.soft(top.height / 4)
    browns = ((92, 58, 34), (196, 150, 96), (226, 188, 136))
    return top.lit(ramp(values, [top.vary(brown) for brown in browns]))


def laminate(top: Surface) -> np.ndarray:
    """Return a plain painted or laminated top of any colour, a little uneven, perhaps shiny."""
    rng = top.rng
    height, width = top.height, top.width
    grey, coloured = ((0.0, 0.12), (0.15, 0.97)), ((0.1, 0.85), (0.2, 0.95))
    image = top.plain(top.any_colour(*(grey if rng.random() < 0.45 else coloured)))
    speck = rng.uniform(0.0, 0.02)
    gain = 1 + speck * top.soft(1.5)
    gain += rng.uniform(0, 0.02) * top.soft(height / 3)
    image = top.lit(shaded(image, gain), rng.uniform(0.05, 0.3))
    if rng.random() < 0.35:
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        gx = (np.arange(width, dtype=np.float32)[None] - x) / (rng.uniform(0.1, 0.4) * width)
        gy = (np.arange(height, dtype=np.float32)[:, None] - y) / (rng.uniform(0.1, 0.4) * height)
        shine = np.exp(-(gx * gx)) * np.exp(-(gy * gy)) * rng.uniform(0.1, 0.6)
        image = blended(image, top.plain((255, 252, 244)), shine)
    return image


#: All that is painted here.
PAINTERS = by_name(beech, oak, walnut, boards, planks, parquet, bamboo, cork, laminate)
