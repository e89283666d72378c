"""What a training view may meet: another camera, and a cloth or a mat with print on it.

Prints are shapes, rows of dots, stripes, blotches and washes. None looks like a tile, but many have
edges, colours and rows as tiles have them. Drawn over the table of a training view, they teach the
detector that these alone make no tile.
"""

import cv2
import numpy as np

from scripts.arrays import Array, Floats, Image, Rng
from scripts.pictures import as_bytes
from scripts.synthesis import lens


def printed(table: Image, rng: Rng) -> Image:
    """Return the table (h, w, 3) with up to a dozen random things printed on it."""
    table = table.copy()
    kinds = (_polygon, _ellipse, _dots, _stripes, _blotches, _wash)
    palette = [_colour(rng) for _ in range(int(rng.integers(1, 5)))]
    for _ in range(int(rng.integers(1, 13))):
        layer = table.copy()
        kind = kinds[int(rng.integers(len(kinds)))]
        kind(layer, palette[int(rng.integers(len(palette)))], rng)
        share = float(rng.uniform(0.35, 1.0))
        table = np.asarray(cv2.addWeighted(layer, share, table, 1 - share, 0), np.uint8)
    return table


def _colour(rng: Rng) -> tuple[int, ...]:
    """Return any colour; half of them are dark or saturated, as printed mats are."""
    colour = rng.uniform(0, 255, 3)
    if rng.random() < 0.5:
        colour = colour * rng.uniform(0.1, 1, 3) * rng.uniform(0.2, 1)
    return tuple(int(value) for value in colour)


def _somewhere(table: Image, rng: Rng) -> Array:
    height, width = table.shape[:2]
    return rng.uniform([-0.1 * width, -0.1 * height], [1.1 * width, 1.1 * height])


def _polygon(table: Image, colour: tuple[int, ...], rng: Rng) -> None:
    """Draw a triangle or a shape with more corners, long or wide."""
    count = int(rng.integers(3, 8))
    angles = np.sort(rng.uniform(0, 2 * np.pi, count))
    reach = rng.uniform(0.3, 1.0, (count, 1)) * np.exp(rng.uniform(2.3, 5.3, 2))
    points = _somewhere(table, rng) + reach * np.c_[np.cos(angles), np.sin(angles)]
    cv2.fillPoly(table, [np.array(points * 16, np.int32)], colour, cv2.LINE_AA, 4)


def _ellipse(table: Image, colour: tuple[int, ...], rng: Rng) -> None:
    """Draw a disc or a ring."""
    centre = tuple(map(int, _somewhere(table, rng)))
    axes = tuple(int(value) for value in np.exp(rng.uniform(1.0, 4.6, 2)))
    thickness = -1 if rng.random() < 0.6 else int(rng.integers(1, 8))
    turn = float(rng.uniform(0, 180))
    cv2.ellipse(table, centre, axes, turn, 0, 360, colour, thickness, cv2.LINE_AA)


def _dots(table: Image, colour: tuple[int, ...], rng: Rng) -> None:
    """Draw rows of dots side by side."""
    start, angle = _somewhere(table, rng), rng.uniform(0, 2 * np.pi)
    along = np.array([np.cos(angle), np.sin(angle)]) * rng.uniform(4, 16)
    across = np.array([-np.sin(angle), np.cos(angle)]) * rng.uniform(5, 40)
    radius = int(rng.integers(1, 5))
    for row in range(int(rng.integers(1, 9))):
        shift = across * row * rng.uniform(0.8, 1.2)
        for step in range(int(rng.integers(5, 40))):
            at = start + shift + along * step
            cv2.circle(table, (int(at[0]), int(at[1])), radius, colour, -1, cv2.LINE_AA)


def _stripes(table: Image, colour: tuple[int, ...], rng: Rng) -> None:
    """Draw lines side by side, now and then crossed by others."""
    angle, gap = rng.uniform(0, np.pi), float(np.exp(rng.uniform(1.6, 4.4)))
    width, start = int(rng.integers(1, max(2, int(gap * 0.6)))), _somewhere(table, rng)
    count = int(rng.integers(1, 12))
    for turn in (0.0, np.pi / 2)[: 1 + int(rng.random() < 0.3)]:
        way = np.array([np.cos(angle + turn), np.sin(angle + turn)])
        side = np.array([-way[1], way[0]]) * gap
        for line in range(count):
            middle = start + side * line
            one, other = middle - way * 500, middle + way * 500
            ends = [tuple(map(int, end)) for end in (one, other)]
            cv2.line(table, ends[0], ends[1], colour, width, cv2.LINE_AA)


def _blotches(table: Image, colour: tuple[int, ...], rng: Rng) -> None:
    """Draw speckles or clouds of one colour, in a part of the table."""
    height, width = table.shape[:2]
    grain = float(np.exp(rng.uniform(0.3, 3.2)))
    coarse = rng.random((int(height / grain) + 2, int(width / grain) + 2)).astype(np.float32)
    noise = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    part = np.zeros((height, width), np.uint8)
    centre = tuple(map(int, _somewhere(table, rng)))
    radius = int(rng.uniform(40, 260))
    cv2.circle(part, centre, radius, 255, -1)
    chosen = (noise > rng.uniform(0.4, 0.85)) & (part > 0)
    table[chosen] = colour


def _wash(table: Image, colour: tuple[int, ...], rng: Rng) -> None:
    """Change a picture softly to a colour in one direction."""
    height, width = table.shape[:2]
    angle = rng.uniform(0, 2 * np.pi)
    y, x = np.mgrid[-0.5 : 0.5 : height * 1j, -0.5 : 0.5 : width * 1j].astype(np.float32)
    slope = (x * np.cos(angle) + y * np.sin(angle)) * rng.uniform(0.5, 4) + rng.uniform(-0.5, 1)
    share = np.clip(slope, 0, 0.9)[..., None].astype(np.float32)
    table[:] = (table * (1 - share) + np.array(colour, np.float32) * share).astype(np.uint8)


def recoloured(view: Image, rng: Rng) -> Image:
    """Exchange colours (h, w, 3), now and then invert them, and draw them towards one."""
    colours = view[..., rng.permutation(3)].astype(np.float32)
    if rng.random() < 0.3:
        colours = 255 - colours
    colours = colours * rng.uniform(0.25, 1.3, 3).astype(np.float32)
    if rng.random() < 0.5:
        wanted = rng.uniform(0, 255, 3).astype(np.float32)
        share = np.float32(rng.uniform(0.2, 0.85))
        colours = colours * (1 - share) + wanted * share
    return np.clip(colours, 0, 255).astype(np.uint8)


def exposed(view: Image, rng: Rng) -> Image:
    """Return the view (h, w, 3) RGB as another camera might have taken it."""
    if rng.random() < 0.5:
        view = _toned(view, rng)
    if rng.random() < 0.3:
        view = _blurred(view, rng)
    if rng.random() < 0.25:
        view = _noisy(view, rng)
    if rng.random() < 0.15:
        view = lens.through_jpeg(view, int(rng.integers(20, 70)))
    return view


def lit(view: Image, rng: Rng) -> tuple[Image, Floats]:
    """Return the view with a shadow or a mirrored lamp over part of it.

    With it (h, w) how much of what lay there the light took away, 0 to 1; a shadow takes nothing.
    """
    height, width = view.shape[:2]
    shape = _polygon if rng.random() < 0.6 else _ellipse
    drawn = np.zeros((height, width, 3), np.uint8)
    shape(drawn, (255, 255, 255), rng)
    hard = drawn[..., 0].astype(np.float32) / 255
    # Shadows of people have a hard edge, mirrored skies a soft one.
    softness = float(np.exp(rng.uniform(-0.5, 3.2)))
    part = np.asarray(cv2.GaussianBlur(hard, (0, 0), softness), np.float32)
    if rng.random() < 0.5:
        dark = np.float32(rng.uniform(0.25, 0.85))
        shaded = view * (1 - part * (1 - dark))[..., None]
        return shaded.astype(np.uint8), np.zeros_like(part)
    share = part * np.float32(rng.uniform(0.1, 1.0))
    lamp = (255 * rng.uniform(0.75, 1.0, 3)).astype(np.float32)
    shining = view * (1 - share[..., None]) + lamp * share[..., None]
    return shining.astype(np.uint8), share


def _toned(view: Image, rng: Rng) -> Image:
    """Change colour of light, exposure, contrast and curve by a table of values per channel."""
    gain = np.exp(rng.normal(0, 0.12, 3) + rng.normal(0, 0.2))
    curve, lift = np.exp(rng.normal(0, 0.22)), rng.normal(0, 0.03)
    values = (np.arange(256) / 255) ** curve
    table = np.clip(values[:, None] * gain + lift, 0, 1) * 255
    return np.asarray(cv2.LUT(view, table[None].astype(np.uint8)), np.uint8)


def _blurred(view: Image, rng: Rng) -> Image:
    """Blur as out of focus, or as shaken along a line."""
    if rng.random() < 0.6:
        return lens.defocused(view, rng.uniform(0.4, 1.6))
    return lens.shaken(view, int(rng.integers(3, 8)), rng.uniform(0, np.pi))


def _noisy(view: Image, rng: Rng) -> Image:
    """Add noise of a sensor, the same in all colours or not."""
    height, width = view.shape[:2]
    channels = 1 if rng.random() < 0.4 else 3
    noise = rng.standard_normal((height, width, channels), np.float32)
    return as_bytes(view + noise * np.float32(rng.uniform(2, 16)))
