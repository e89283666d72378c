"""Plants, animals, people and boats: trees, sheep, birds, boats, rocks."""

import numpy as np

from scripts.synthesis.artwork.pen import Pen, Point, along, blob, ring, rock
from scripts.synthesis.artwork.style import Colour, mix, tint

WOOD: Colour = (136, 88, 46)
STRAW: Colour = (220, 176, 62)
SKIN: Colour = (238, 196, 160)


def round_tree(pen: Pen, green: Colour) -> None:
    """Draw a tree with a round crown of leaves, one unit high, its foot at the origin."""
    pen.shade(ring(pen.style.light[0] * 0.2, 0, 0.36, 0.14), (8, 16, 6), pen.style.shadow, 0.03)
    pen.fill([(-0.06, 0), (-0.045, -0.3), (0.045, -0.3), (0.06, 0)], tint(WOOD, 0, 1, 0.75), 0.5)
    pen.fill(blob(pen.rng, 0, -0.58, 0.38, 0.4, 0.14), tint(green, 0.01, 1.05, 0.72))
    side = -np.sign(pen.style.light[0])
    pen.fill(blob(pen.rng, side * 0.05, -0.64, 0.3, 0.31, 0.2), green, 0)
    light = tint(green, -0.02, 0.95, 1.3)
    pen.shade(blob(pen.rng, side * 0.11, -0.72, 0.17, 0.16, 0.3), light, 0.75, 0.01)
    for _ in range(5):
        x, y = pen.rand(-0.26, 0.26), pen.rand(-0.86, -0.36)
        leaf = light if y < -0.6 else tint(green, 0, 1, 0.6)
        pen.line([(x - 0.03, y + 0.03), (x + 0.03, y - 0.03)], leaf, 0.035)


def conifer(pen: Pen, green: Colour) -> None:
    """Draw a conifer one unit high, its foot at the origin."""
    pen.shade(ring(pen.style.light[0] * 0.2, 0, 0.3, 0.11), (8, 16, 6), pen.style.shadow, 0.03)
    pen.fill([(-0.05, 0), (-0.05, -0.2), (0.05, -0.2), (0.05, 0)], tint(WOOD, 0, 1, 0.7), 0.5)
    side = -np.sign(pen.style.light[0])
    for base, top, wide, value in ((-0.1, -0.55, 0.32, 0.75), (-0.34, -0.78, 0.26, 0.9),
                                   (-0.58, -1.0, 0.18, 1.05)):  # fmt: skip
        skirt = np.linspace(-1, 1, 7)
        hem = [(s * wide, base + (0.05 if i % 2 else -0.02)) for i, s in enumerate(skirt)]
        pen.fill([*hem, (0.0, top)], tint(green, 0.01, 1.05, value), 0.7)
        lit = [(0, top), (side * wide * 0.7, base), (side * wide * 0.1, base)]
        pen.shade(lit, tint(green, -0.02, 0.95, 1.5), 0.35)


def dead_tree(pen: Pen) -> None:
    """Draw a bare tree about one unit high, its foot at the origin."""
    bark = pen.vary((84, 60, 44), 0.12)
    pen.shade(ring(0.1 * pen.style.light[0], 0, 0.3, 0.08), (20, 16, 10), pen.style.shadow, 0.03)
    foot, fork = [(-0.2, 0.03), (-0.07, -0.08), (-0.06, -0.5)], [(0.07, -0.5), (0.09, -0.08)]
    pen.fill([*foot, *fork, (0.22, 0.04)], bark, 0.7)
    _branch(pen, (0, -0.45), -np.pi / 2 + pen.rand(-0.2, 0.2), 0.3, 0.11, bark, 3)
    pen.line([(-0.02, -0.05), (-0.01, -0.4)], tint(bark, 0, 0.8, 1.5), 0.025)


def _branch(
    pen: Pen, foot: Point, way: float, length: float, width: float, bark: Colour, depth: int
) -> None:
    tip = (foot[0] + length * np.cos(way), foot[1] + length * np.sin(way))
    pen.line([foot, tip], bark, width)
    if depth:
        for turn in (pen.rand(-0.9, -0.3), pen.rand(0.3, 0.9)):
            shorter = length * pen.rand(0.55, 0.8)
            _branch(pen, tip, way + turn, shorter, width * 0.6, bark, depth - 1)


def reeds(pen: Pen) -> None:
    """Draw a tuft of reeds with brown heads, one unit high, its foot at the origin."""
    green = pen.vary((112, 118, 58), 0.12)
    for _ in range(5):
        lean, high = pen.rand(-0.35, 0.35), pen.rand(0.6, 1.0)
        pen.line([(lean * 0.25, 0), (lean * 0.6, -high * 0.6), (lean, -high)], green, 0.05)
        if pen.chance(0.5):
            head = [along((lean * 0.6, -high * 0.6), (lean, -high), s) for s in (0.6, 1.0)]
            pen.line(head, (96, 58, 32), 0.11)


def log(pen: Pen) -> None:
    """Draw a fallen log, one unit long."""
    bark = pen.vary((100, 74, 52), 0.1)
    trunk = [(-0.5, -0.02), (-0.2, -0.12), (0.48, -0.07), (0.5, 0.08), (-0.1, 0.1), (-0.5, 0.1)]
    pen.shadow(trunk, 0.1, 0.03)
    pen.fill(trunk, bark, 0.7)
    pen.disc(0.49, 0, 0.05, (190, 160, 120), 0.08, 0.5)
    pen.line([(-0.4, 0.03), (0.3, 0.02)], tint(bark, 0, 1, 0.7), 0.03)
    pen.line([(-0.1, -0.1), (-0.2, -0.3)], bark, 0.06)


def sheep(pen: Pen) -> None:
    """Draw a sheep one unit long."""
    wool = pen.vary((246, 244, 236), 0.03)
    pen.shade(ring(pen.style.light[0] * 0.15, 0.28, 0.45, 0.16), (10, 30, 0), 0.4, 0.04)
    for x in (-0.22, -0.08, 0.12, 0.24):
        pen.line([(x, 0.1), (x, 0.36)], (60, 50, 46), 0.08)
    pen.fill(blob(pen.rng, 0, 0, 0.4, 0.28, 0.12), tint(wool, 0, 1, 0.86))
    for x, y in ((-0.2, -0.08), (0.02, -0.13), (0.2, -0.05), (-0.05, 0.05)):
        pen.disc(x, y, 0.16, wool)
    pen.disc(0.4, -0.08, 0.13, (62, 52, 50), 0.16, 0.5)


def bird(pen: Pen) -> None:
    """Draw a bird one unit wide, seen from above."""
    colour = (44, 34, 30) if pen.chance(0.8) else (196, 60, 36)
    pen.shadow([(-0.5, -0.1), (0, 0.1), (0.5, -0.15), (0, 0.3)], 0.7, 0.05)
    lift = pen.rand(-0.2, 0.3)
    pen.fill([(-0.5, -lift), (-0.15, -0.16), (0, 0.0), (0.15, -0.16), (0.5, -lift),
              (0.12, 0.12), (0.0, 0.36), (-0.12, 0.12)], colour, 0)  # fmt: skip
    pen.disc(0, -0.1, 0.09, colour)


def hay(pen: Pen) -> None:
    """Draw a haystack one unit wide, its foot at the origin."""
    heap = [(-0.45, 0), (-0.42, -0.35), (-0.2, -0.62), (0, -0.72), (0.22, -0.6), (0.42, -0.32),
            (0.46, 0), (0, 0.06)]  # fmt: skip
    straw = pen.vary((214, 160, 50), 0.06)
    pen.shadow(heap, 0.2, 0.04)
    pen.fill(heap, straw)
    for x in np.linspace(-0.32, 0.32, 6):
        pen.line([(x * 0.5, -0.6), (x, -0.05)], tint(straw, 0, 1, 0.75), 0.03)
    pen.line([(-0.38, -0.3), (0, -0.24), (0.38, -0.3)], (150, 96, 40), 0.05)


def boat(pen: Pen, wood: Colour = WOOD, sail: bool = False) -> None:
    """Draw a rowing boat one unit long, with a sail if asked."""
    hull = [(-0.5, -0.1), (-0.3, 0.16), (0.28, 0.16), (0.52, -0.12), (0.3, -0.02), (-0.3, -0.02)]
    pen.shade(ring(0, 0.14, 0.5, 0.12), (10, 30, 60), pen.style.shadow, 0.03)
    pen.fill(ring(0.0, -0.05, 0.44, 0.09), tint(wood, 0, 1, 0.6), 0.6)
    pen.fill(hull, wood, 0.8)
    pen.line([(-0.4, 0.04), (0.4, 0.04)], tint(wood, 0, 1, 0.72), 0.025)
    if sail:
        pen.line([(0, 0), (0, -0.7)], tint(wood, 0, 1, 0.6), 0.05)
        pen.fill([(0.03, -0.7), (0.36, -0.2), (0.03, -0.12)], (246, 238, 216), 0.7)
        pen.fill([(-0.03, -0.64), (-0.26, -0.2), (-0.03, -0.14)], (214, 76, 56), 0.7)
    else:
        person(pen.at(-0.06, 0.04, 0.42), robe_colour(pen))
        pen.fill(hull, wood, 0.8)
        pen.line([(0.04, -0.12), (0.34, 0.26)], tint(wood, 0, 0.8, 1.3), 0.035)
        pen.fill(ring(0.37, 0.3, 0.07, 0.05, 12), tint(wood, 0, 0.8, 1.3), 0.4)


def fish(pen: Pen, colour: Colour) -> None:
    """Draw a fish one unit long, as a shape under water."""
    body = [(0.5, 0), (0.25, -0.17), (-0.1, -0.15), (-0.3, -0.03), (-0.52, -0.2), (-0.46, 0),
            (-0.52, 0.2), (-0.3, 0.03), (-0.1, 0.15), (0.25, 0.17)]  # fmt: skip
    pen.shade(body, colour, 0.6, 0.02)


def lily(pen: Pen) -> None:
    """Draw a lily pad one unit wide."""
    pad = ring(0, 0, 0.5, 0.32, 16)[1:]
    pen.fill([(0, 0), *pad], pen.vary((70, 150, 70), 0.1), 0.5)
    if pen.chance(0.4):
        pen.disc(-0.1, -0.05, 0.16, (250, 200, 220), 0.12)


def boulder(pen: Pen, colour: Colour) -> None:
    """Draw a boulder one unit wide, lit from one side."""
    shape = rock(pen.rng, 0, 0, 0.5, 0.42)
    pen.shadow(shape, 0.12, 0.04)
    pen.fill(shape, tint(colour, 0, 1, 0.8))
    side = -np.sign(pen.style.light[0])
    inner = shape * 0.72 + (side * 0.09, -0.1)
    pen.fill(inner, colour, 0)
    pen.fill(inner * 0.6 + (side * 0.08, -0.08), tint(colour, 0, 0.75, 1.12), 0)
    pen.line([inner[1], shape[1]], tint(colour, 0, 1, 0.6), 0.03)


def nugget(pen: Pen) -> None:
    """Draw a lump of gold one unit wide, with a glint."""
    gold = pen.vary((250, 200, 30), 0.04)
    shape = rock(pen.rng, 0, 0, 0.5, 0.42)
    pen.shade(ring(0, 0, 0.75, 0.65), (255, 210, 60), 0.22, 0.15)
    pen.fill(shape, tint(gold, -0.03, 1, 0.75), 0.8)
    pen.fill(shape * 0.65 + (-0.06, -0.08), gold, 0)
    pen.fill(shape * 0.25 + (-0.14, -0.16), (255, 248, 190), 0)


def person(pen: Pen, robe: Colour) -> None:
    """Draw a little person one unit high, the feet at the origin."""
    pen.shade(ring(0.12 * pen.style.light[0], 0, 0.26, 0.09), (10, 10, 10), pen.style.shadow, 0.03)
    pen.fill([(-0.24, 0), (-0.13, -0.58), (0.13, -0.58), (0.24, 0)], robe, 0.7)
    pen.line([(-0.12, -0.45), (-0.28, -0.25)], tint(robe, 0, 1, 0.75), 0.1)
    pen.line([(0.12, -0.45), (0.28, -0.28)], tint(robe, 0, 1, 0.75), 0.1)
    pen.disc(0, -0.72, 0.17, SKIN, ink=0.6)
    hat = mix(robe, (60, 40, 30), 0.5)
    if pen.chance(0.5):
        pen.fill([(-0.2, -0.78), (0.2, -0.78), (0.04, -1.1)], hat, 0.5)
    else:
        pen.fill(ring(0, -0.84, 0.19, 0.1, 12), hat, 0.5)


def robe_colour(pen: Pen) -> Colour:
    """Return the colour of somebody's clothes."""
    robes = ((196, 60, 48), (58, 100, 170), (236, 232, 220), (110, 150, 60), (150, 80, 150))
    return pen.vary(robes[int(pen.rng.integers(len(robes)))], 0.08)
