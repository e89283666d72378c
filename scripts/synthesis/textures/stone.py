"""Stone and its like: marble, concrete, granite, terrazzo, tiled floors."""

import cv2
import numpy as np

from scripts.named import by_name
from scripts.synthesis.artwork.style import tint
from scripts.synthesis.textures.base import Surface, added, blended, ramp, shaded


def marble(top: Surface) -> np.ndarray:
    """Paint marble: cloudy ground with warped veins, thick and thin."""
    grounds = ((238, 236, 232), (214, 206, 194), (60, 62, 66), (46, 70, 62), (196, 150, 130))
    ground = top.vary(grounds[int(top.rng.choice(5, p=(0.45, 0.2, 0.15, 0.1, 0.1)))])
    dark = sum(ground) < 300
    vein = tint(ground, 0, 0.6, 2.8 if dark else 0.5)
    clouds = top.layers(top.longer / top.rng.uniform(2, 5), 4)
    share = np.clip(0.14 * clouds, 0, 0.35)
    fade = 0.5 + 0.7 * top.soft(top.longer / 6)
    turn = top.rng.uniform(0, np.pi)
    y = np.arange(top.height, dtype=np.float32)[:, None] * np.float32(np.sin(turn) / top.longer)
    x = np.arange(top.width, dtype=np.float32)[None] * np.float32(np.cos(turn) / top.longer)
    for often, thin, strong in ((2, 0.03, 0.8), (5, 0.04, 0.45), (11, 0.06, 0.25)):
        repeat = often * top.rng.uniform(0.5, 1.5)
        bend = top.layers(top.longer / repeat / 1.5, 3) * 0.17
        line = np.abs(np.sin(((x + y) * np.float32(repeat) + bend) * np.float32(np.pi)))
        line = np.maximum(1 - line / np.float32(thin * top.rng.uniform(0.5, 2)), 0) * fade
        share = np.maximum(share, line * np.float32(strong))
    image = blended(top.plain(ground), top.plain(vein), share)
    return top.lit(image)


def concrete(top: Surface) -> np.ndarray:
    """Paint concrete, plaster or slate: patches, stains, pores."""
    rng = top.rng
    grey = top.any_colour((0.0, 0.12), (0.25, 0.8))
    values = 0.5 + 0.14 * top.layers(top.longer / rng.uniform(2, 8), 6)
    values += rng.uniform(0.02, 0.08) * top.soft(1)
    image = ramp(values, (tint(grey, 0, 1, 0.72), grey, tint(grey, 0, 0.8, 1.22)))
    pores = rng.uniform(0, (top.width, top.height), (int(rng.poisson(60)), 2))
    for x, y in pores.astype(int).tolist():
        cv2.circle(image, (x, y), int(rng.integers(1, 4)), tint(grey, 0, 1, 0.55), -1, cv2.LINE_AA)
    return top.lit(image)


def granite(top: Surface) -> np.ndarray:
    """Paint granite or speckled kitchen top: grains of three or four colours."""
    rng = top.rng
    ground = top.any_colour((0.02, 0.25), (0.2, 0.85))
    image = top.plain(ground)
    size = top.longer / 1000
    for _ in range(int(rng.integers(2, 4))):
        grain = top.soft(size * rng.uniform(1.2, 6))
        edge = rng.uniform(0.5, 1.1)
        colour = tint(
            ground, rng.uniform(-0.05, 0.05), rng.uniform(0, 1.5), rng.choice([0.45, 0.7, 1.3, 1.6])
        )
        image = blended(image, top.plain(colour), (grain - edge) * 6)
    image = added(image, top.soft(1) * rng.uniform(2, 9))
    return top.lit(image)


def terrazzo(top: Surface) -> np.ndarray:
    """Paint terrazzo: chips of stone in cement."""
    distance, labels = top.cells(top.longer / top.rng.uniform(20, 90))
    ground = top.any_colour((0.0, 0.1), (0.65, 0.95))
    palette = [ground] + [top.any_colour((0.05, 0.5), (0.3, 0.9)) for _ in range(4)]
    count = int(labels.max()) + 1
    table = np.array(palette, np.uint8)[top.rng.choice(5, count, p=(0.4, 0.15, 0.15, 0.15, 0.15))]
    reach = top.rng.uniform(0.2, 0.5, count).astype(np.float32)[labels]
    ragged = distance + 0.06 * top.soft(5)
    share = (reach - ragged) * 20
    return top.lit(blended(top.plain(ground), table[labels], share))


def floor_tiles(top: Surface) -> np.ndarray:
    """Return a tiled floor or top with grout lines, plain, marbled or as a chess board."""
    rng = top.rng
    kind = rng.random()
    if kind < 0.35:
        base = marble(top)
    elif kind < 0.6:
        base = concrete(top)
    else:
        base = added(top.plain(top.any_colour((0.0, 0.5), (0.35, 0.95))), top.soft(3) * 4)
    tall = top.longer / rng.uniform(3, 14)
    wide = tall * float(rng.choice([1, 1, 1, 2]))
    chess = rng.uniform(0.2, 0.6) if rng.random() < 0.25 else 0.0
    grout = max(1, round(tall * rng.uniform(0.012, 0.05)))
    rows, cols = int(top.height / tall) + 2, int(top.width / wide) + 2
    tone = rng.normal(1, rng.uniform(0, 0.06), (rows, cols)).astype(np.float32)
    tone[np.add.outer(np.arange(rows), np.arange(cols)) % 2 == 1] *= 1 - chess
    y = np.arange(top.height) + rng.uniform(0, tall)
    x = np.arange(top.width) + rng.uniform(0, wide)
    gain = tone[(y / tall).astype(int)][:, (x / wide).astype(int)]
    image = shaded(base, np.ascontiguousarray(gain))
    joint = top.any_colour((0.0, 0.15), (0.2, 0.9))
    image[(y % tall < grout)] = joint
    image[:, (x % wide < grout)] = joint
    return top.lit(cv2.GaussianBlur(image, (0, 0), 0.7))


#: All that is painted here.
PAINTERS = by_name(marble, concrete, granite, terrazzo, floor_tiles)
