"""Printed surfaces: cutting mats, play mats, maps, pages of text."""

from itertools import pairwise

import cv2
import numpy as np

from scripts.arrays import Rng
from scripts.named import by_name
from scripts.synthesis.artwork.style import Colour, tint
from scripts.synthesis.textures.base import Surface, added, blended, ramp, shaded

_FONT = cv2.FONT_HERSHEY_SIMPLEX


def cutting_mat(top: Surface) -> np.ndarray:
    """Return a cutting mat: a grid of thin lines, every fifth stronger, numbers, slanted guides."""
    colours = ((20, 92, 84), (24, 78, 140), (92, 96, 102), (28, 30, 34), (110, 70, 130))
    colour = top.vary(top.choose(colours), 0.15)
    image = top.plain(colour)
    ink = tint(colour, 0, 0.5, 2.2) if top.rng.random() < 0.7 else (230, 220, 120)
    faint = tuple((a + 2 * b) // 3 for a, b in zip(ink, colour, strict=True))
    step = top.longer / top.rng.uniform(16, 40)
    # The grid with its numbers.
    left, upper = top.rng.uniform(-1, 3, 2) * step
    columns, rows = int((top.width - left) / step) + 1, int((top.height - upper) / step) + 1
    right, foot = int(left + columns * step), int(upper + rows * step)
    for lines, start in ((columns, left), (rows, upper)):
        for number in range(lines + 1):
            at = int(start + number * step)
            if start is left:
                ends = ((at, int(upper)), (at, foot))
                spot = (at + 2, max(10, int(upper) - 4))
            else:
                ends = ((int(left), at), (right, at))
                spot = (max(0, int(left) - int(step * 0.7)), at)
            tone, wide = (faint, 1) if number % 5 else (ink, 2)
            cv2.line(image, *ends, tone, wide, cv2.LINE_AA)
            size = step / 60
            if size * 20 > 5:
                cv2.putText(image, str(number), spot, _FONT, size, ink, 1, cv2.LINE_AA)
    # Slanted guides, and scratches.
    for slope in (1.0, 1.732):
        if top.rng.random() < 0.6:
            end = (int(left + (foot - upper) / slope), int(upper))
            cv2.line(image, (int(left), foot), end, ink, 1, cv2.LINE_AA)
    image = added(image, top.soft(1.3) * 3)
    for _ in range(int(top.rng.poisson(8))):
        a = top.rng.uniform((0, 0), (top.width, top.height))
        b = a + top.rng.normal(0, 0.2, 2) * top.width
        one, other = a.astype(int).tolist(), b.astype(int).tolist()
        cv2.line(image, one, other, tint(colour, 0, 0.9, 1.15), 1, cv2.LINE_AA)
    return top.lit(image)


def night_sky(top: Surface) -> np.ndarray:
    """Return a mat with a night sky: stars, and star signs joined by dotted lines."""
    deep = top.any_colour((0.5, 0.9), (0.08, 0.3))
    values = 0.5 + 0.22 * top.layers(top.longer / 3, 4)
    image = ramp(values, (tint(deep, 0, 1, 0.5), deep, tint(deep, 0.06, 0.8, 1.7)))
    _stars(top, image, 350)
    ink = tint(top.any_colour((0.05, 0.4), (0.7, 0.95)))
    for _ in range(int(top.rng.integers(4, 12))):
        start = top.rng.uniform((0, 0), (top.width, top.height))
        path = start + np.cumsum(top.rng.normal(0, 0.07, (6, 2)) * top.width, 0)
        for a, b in pairwise(path):
            _dotted(image, a, b, ink, top.longer / top.rng.uniform(70, 140))
        for x, y in path.astype(int).tolist():
            cv2.circle(image, (x, y), int(top.rng.integers(2, 6)), ink, -1, cv2.LINE_AA)
    return top.lit(image)


def _dotted(image: np.ndarray, a: np.ndarray, b: np.ndarray, ink: Colour, gap: float) -> None:
    count = max(1, int(np.hypot(*(b - a)) / gap))
    for share in np.arange(count) / count:
        x, y = (a + (b - a) * share).astype(int).tolist()
        cv2.circle(image, (x, y), max(1, int(gap / 5)), ink, -1, cv2.LINE_AA)


def _stars(top: Surface, image: np.ndarray, count: int) -> None:
    height, width = image.shape[:2]
    for x, y in top.rng.uniform((0, 0), (width, height), (count, 2)).astype(int).tolist():
        shine = int(top.rng.uniform(120, 255))
        size = int(top.rng.choice([0, 0, 0, 1, 1, 2]))
        cv2.circle(image, (x, y), size, (shine, shine, min(255, shine + 10)), -1, cv2.LINE_AA)


def galaxy(top: Surface) -> np.ndarray:
    """Return a mat with nebulas in glowing colours, a galaxy, and stars."""
    image = top.plain(top.any_colour((0.3, 0.8), (0.03, 0.12)))
    warp = top.layers(top.longer / 4, 5)
    for turned in (-1, 0, 1):
        cloud = top.soft(top.longer / top.rng.uniform(2, 5))
        cloud += cv2.flip(warp, turned) * 0.9
        glow = top.plain(top.any_colour((0.4, 0.9), (0.5, 1.0)))
        image = blended(image, glow, np.clip(cloud - 0.1, 0, 2) * 0.4)
    if top.rng.random() < 0.7:
        x0, y0 = top.rng.uniform(0, top.width), top.rng.uniform(0, top.height)
        reach = top.longer * top.rng.uniform(0.1, 0.3)
        x = (np.arange(top.width, dtype=np.float32)[None] - x0) / reach
        y = (np.arange(top.height, dtype=np.float32)[:, None] - y0) / (reach * 0.6)
        glow = np.exp(-(x * x + y * y) * 3) * 0.9
        image = blended(image, top.plain((255, 240, 220)), glow)
    _stars(top, image, 450)
    return top.lit(image, 0.08)


def fantasy_map(top: Surface) -> np.ndarray:
    """Return a map of invented lands: coasts, hills, woods, roads."""
    ground = top.layers(top.longer / top.rng.uniform(2.5, 5), 6)
    paper = top.vary((222, 198, 150))
    # Sea, shore, land and hills.
    if top.rng.random() < 0.5:
        sea, shore, land = top.vary((176, 176, 150)), (120, 92, 60), paper
        high = tint(paper, 0, 1, 0.85)
    else:
        sea, shore, land, high = ((50, 104, 150), (220, 206, 150), (112, 156, 76), (140, 120, 90))
    heights = (tint(sea, 0, 1.1, 0.8), sea, sea, sea, shore, land, land, high, high, high)
    image = ramp(np.clip(0.5 + 0.22 * ground, 0, 1), heights)
    coast = (np.abs(ground) < 0.03).astype(np.float32)
    image = blended(image, top.plain((70, 50, 34)), coast * 0.7)
    # Mountains and trees, then roads.
    ink = (76, 54, 36)
    for _ in range(260):
        x, y = int(top.rng.uniform(0, top.width)), int(top.rng.uniform(0, top.height))
        h, s = ground[y, x], int(top.longer * top.rng.uniform(0.006, 0.014))
        if h > 0.9:
            peak = np.array([(x - s, y), (x, y - 2 * s), (x + s, y)])
            cv2.polylines(image, [peak], False, ink, 1, cv2.LINE_AA)
            cv2.line(image, (x, y - 2 * s), (x + s // 2, y), ink, 1, cv2.LINE_AA)
        elif h > 0.25:
            leaves = tint(land, 0.04, 1.2, 0.7)
            cv2.circle(image, (x, y - s), max(1, s // 2), leaves, -1, cv2.LINE_AA)
            cv2.line(image, (x, y - s // 2), (x, y), ink, 1, cv2.LINE_AA)
    for _ in range(4):
        a, b = top.rng.uniform((0, 0), (top.width, top.height), (2, 2))
        _dotted(image, a, b, (150, 40, 30), top.longer / 90)
    return top.lit(added(image, top.soft(2) * 3))


def hexes(top: Surface) -> np.ndarray:
    """Return a mat of hexagons, of one colour or in the colours of land and sea."""
    r = top.longer / top.rng.uniform(14, 34)
    ground = top.any_colour((0.05, 0.6), (0.15, 0.8))
    lands = ((96, 150, 62), (206, 178, 90), (70, 120, 170), (120, 112, 104), (52, 96, 52))
    many = top.rng.random() < 0.5
    image = top.plain(ground)
    ink = tint(ground, 0, 0.6, 0.5 if sum(ground) > 330 else 1.9)
    corner = np.stack([np.cos(np.arange(6) * np.pi / 3), np.sin(np.arange(6) * np.pi / 3)], 1) * r
    columns, rows = int(top.width / (1.5 * r)) + 2, int(top.height / (1.732 * r)) + 2
    middles = [
        (1.5 * r * col, 1.732 * r * (row + 0.5 * (col % 2)))
        for row, col in np.ndindex(rows, columns)
    ]
    shapes = [np.round(np.add(corner, middle) * 8).astype(np.int32) for middle in middles]
    if many:
        for shape in shapes:
            colour = top.vary(top.choose(lands), 0.08)
            cv2.fillPoly(image, [shape], colour, cv2.LINE_8, 3)
    cv2.polylines(image, shapes, True, ink, max(1, int(r / 25)), cv2.LINE_AA, 3)
    gain = 1 + 0.07 * top.layers(top.longer / 4, 5)
    return top.lit(shaded(image, gain))


def gradient_mat(top: Surface) -> np.ndarray:
    """Return a rubber play mat with a soft picture of drifting colours and a stitched edge."""
    colours = [top.any_colour((0.2, 0.9), (0.1, 0.9)) for _ in range(int(top.rng.integers(3, 5)))]
    values = 0.5 + 0.3 * top.layers(top.longer / top.rng.uniform(1.5, 3), 5)
    image = ramp(values, colours)
    edge = int(min(top.height, top.width) * top.rng.uniform(0.0, 0.06))
    if edge > 2:
        cv2.rectangle(image, (0, 0), (top.width - 1, top.height - 1), (24, 24, 26), edge)
        for x in range(0, top.width, 6):
            for y in (edge // 2, top.height - edge // 2):
                cv2.line(image, (x, y - 2), (x + 3, y + 2), (70, 70, 74), 1)
    return top.lit(shaded(image, 1 + 0.02 * top.soft(1.2)))


_SYLLABLES = ["ba", "lo", "mi", "ter", "ra", "ko", "ne"]
_SYLLABLES += ["sun", "del", "gar", "tu", "or", "is", "qua"]


def _words(rng: Rng, letters: int) -> str:
    text = ""
    while len(text) < letters:
        text += "".join(rng.choice(_SYLLABLES, int(rng.integers(1, 4)))) + " "
    return text[:letters]


def text_page(top: Surface) -> np.ndarray:
    """Return a newspaper or a page of rules: columns of text, headlines, grey pictures."""
    rng = top.rng
    paper = top.vary((236, 232, 220), 0.05)
    image = top.plain(paper)
    columns = int(rng.integers(2, 6))
    wide = top.width / columns
    tall = max(7.0, wide / rng.uniform(16, 28))
    black = (int(rng.uniform(20, 70)),) * 3
    for column in range(columns):
        x, y = int((column + 0.06) * wide), tall * rng.uniform(0, 2)
        while y < top.height + tall:
            kind = rng.random()
            if kind < 0.025:
                foot = int(y + tall * rng.uniform(4, 10))
                _picture(rng, image[max(0, int(y)) : foot, x : int(x + wide * 0.88)])
                y = foot + tall * 1.2
            elif kind < 0.06:
                cv2.putText(image, _words(rng, 11), (x, int(y + tall)), cv2.FONT_HERSHEY_DUPLEX,
                            tall / 14, black, max(1, int(tall / 9)), cv2.LINE_AA)  # fmt: skip
                y += tall * 2.2
            else:
                letters = int(wide * 0.88 / (tall * 0.46)) if rng.random() < 0.85 else 9
                cv2.putText(image, _words(rng, letters), (x, int(y)), _FONT, tall / 40,
                            black, 1, cv2.LINE_AA)  # fmt: skip
                y += tall
    return top.lit(added(image, top.soft(2) * 3))


def _picture(rng: Rng, part: np.ndarray) -> None:
    """Fill a part of a page with a blurry picture."""
    top = Surface(rng, *part.shape[:2])
    if top.height > 8 and top.width > 8:
        stops = [top.any_colour((0.0, rng.choice([0.1, 0.7])), (0.15, 0.95)) for _ in range(3)]
        part[:] = ramp(0.5 + 0.4 * top.layers(top.width / 3, 4), stops)


#: All that is painted here.
PAINTERS = by_name(cutting_mat, night_sky, galaxy, fantasy_map, hexes, gradient_mat, text_page)
