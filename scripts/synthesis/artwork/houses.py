"""Houses: the lodge in the wood, the house on stilts, the farm."""

import numpy as np

from scripts.synthesis.artwork.nature import STRAW, WOOD, person, robe_colour
from scripts.synthesis.artwork.pen import Pen, Point, along, blob, box, moved, ring
from scripts.synthesis.artwork.style import Colour, tint

_PLASTER: Colour = (240, 228, 200)


def house(
    pen: Pen,
    wall: Colour,
    roof: Colour,
    cover: str,
    walls: str,
    high: float = 0.22,
    gable: float = 0.26,
    deep: Point = (0.42, -0.16),
) -> None:
    """Draw a house about one unit long, its near corner at (-0.4, 0.3), gable to the front left.

    Args:
        pen: The pen.
        wall: Colour of the walls.
        roof: Colour of the roof.
        cover: "tiles", "thatch" or "boards".
        walls: "timber", "logs" or "plain".
        high: Height of the walls.
        gable: Height of the gable above the walls.
        deep: From the front to the back, as the picture shows it.
    """
    back = np.array(deep)
    a, b = np.array((-0.4, 0.3)), np.array((-0.4 + 0.36, 0.3))
    up, ridge = np.array((0, -high)), np.array((0.18, -high - gable))
    pen.shadow([a, b, b + back, a + back * 0.6], 0.16, 0.03)
    eave = 0.05 * np.array((-1.0, 1.3))
    pen.fill([a + up + back, a + ridge + back, a + ridge, a + up], tint(roof, 0, 1, 0.7), 0.6)
    pen.fill([b, b + back, b + back + up, b + up], tint(wall, 0, 1, 0.82), 0.8)
    pen.fill([a, b, b + up, a + ridge, a + up], wall, 0.8)
    _dress_wall(pen, a, b, up, ridge, back, wall, walls)
    over = back * 0.08
    top, low = a + ridge, b + up - eave * (1, 0) + (0.0, 0.05)
    slope = [top - over, low - over, low + back + over, top + back + over]
    pen.fill(slope, roof)
    _dress_roof(pen, slope, roof, cover)
    left = [a + ridge - over, a + up + eave - over]
    pen.line(left, tint(roof, 0, 1, 0.75), 0.05)
    pen.line([slope[0], slope[1]], tint(roof, 0, 1, 0.75), 0.035)
    pen.line([slope[0], slope[3]], tint(roof, 0, 0.9, 1.15), 0.035)


def _dress_wall(pen: Pen, a: np.ndarray, b: np.ndarray, up: np.ndarray, ridge: np.ndarray,
                back: np.ndarray, wall: Colour, walls: str) -> None:  # fmt: skip
    beam = (104, 64, 36)
    if walls == "timber":
        for start, end in ((a, a + up), (b, b + up), (a + up, b + up), (b + back, b + back + up),
                           (b + back * 0.5, b + back * 0.5 + up), (b, b + back * 0.5 + up),
                           (a + up, a + ridge), (b + up, a + ridge)):  # fmt: skip
            pen.line([start, end], beam, 0.024)
    elif walls == "logs":
        for share in np.linspace(0.15, 0.95, 5):
            pen.line([a + up * share, b + up * share, b + up * share + back],
                     tint(wall, 0, 1, 0.6), 0.014)  # fmt: skip
    middle = (a + b) / 2
    half = float(b[0] - a[0]) * 0.17
    top = up[1] * 0.72
    door = [(-half, 0), (half, 0), (half, top), (0, top * 1.2), (-half, top)]
    pen.fill(moved(door, *middle), tint(beam, 0, 1, 0.75), 0.6)
    x, y = a + ridge
    pen.disc(x, y + 0.11, 0.04, (54, 44, 50), ink=0.6)
    for share in (0.28, 0.72):
        foot = b + back * share
        pane = [foot + up * 0.35, foot + up * 0.35 + back * 0.14, foot + up * 0.75 + back * 0.14,
                foot + up * 0.75]  # fmt: skip
        pen.fill(pane, (66, 60, 72) if pen.chance(0.7) else (250, 220, 120), 0.5)


def _dress_roof(pen: Pen, slope: list[np.ndarray], roof: Colour, cover: str) -> None:
    ridge0, eave0, eave1, ridge1 = slope
    dark, light = tint(roof, 0, 1.05, 0.74), tint(roof, 0.01, 0.9, 1.18)
    if cover == "tiles":
        for row in np.linspace(0.2, 0.85, 4):
            pen.line([along(ridge0, eave0, row), along(ridge1, eave1, row)], dark, 0.014)
            for share in np.arange(pen.rand(0.05, 0.15), 1, 0.14):
                start = along(along(ridge0, eave0, row), along(ridge1, eave1, row), share)
                below = row + 0.18
                end = along(along(ridge0, eave0, below), along(ridge1, eave1, below), share)
                pen.line([start, end], light if pen.chance(0.3) else dark, 0.011)
    else:
        gap = 0.07 if cover == "thatch" else 0.125
        for share in np.arange(gap / 2, 1, gap):
            lean = pen.rand(-0.02, 0.02) if cover == "thatch" else 0.0
            start, end = along(ridge0, ridge1, share), along(eave0, eave1, share + lean)
            pen.line([along(start, end, pen.rand(0, 0.3)), along(start, end, pen.rand(0.7, 1.0))],
                     light if pen.chance(0.35) else dark, 0.013)  # fmt: skip
        if cover == "thatch":
            for share in np.arange(0.0, 1.0, 0.08):
                foot = along(eave0, eave1, share)
                pen.line([foot, (foot[0], foot[1] + pen.rand(0.02, 0.05))], dark, 0.015)


def chimney(pen: Pen, x: float, y: float) -> None:
    """Draw a chimney with a wisp of smoke."""
    pen.fill(box(x - 0.035, y - 0.15, x + 0.035, y), (168, 118, 96), 0.6)
    pen.fill(box(x - 0.05, y - 0.17, x + 0.05, y - 0.14), (140, 96, 80), 0.4)
    for step in range(3):
        smoke = (x + 0.03 * step, y - 0.23 - 0.07 * step, 0.04 + 0.015 * step, 0.035)
        pen.shade(blob(pen.rng, *smoke), (245, 245, 245), 0.55 - 0.13 * step, 0.01)


def lodge(pen: Pen) -> None:
    """Draw a woodcutter's lodge, with a pile of logs and a chopping block."""
    wood = pen.vary((146, 98, 56), 0.08)
    house(pen, wood, pen.vary((118, 74, 44), 0.1), "boards", "logs", high=0.18, gable=0.3)
    chimney(pen, 0.2, -0.2)
    for x, y in ((-0.3, 0.47), (-0.22, 0.47), (-0.14, 0.47), (-0.26, 0.41), (-0.18, 0.41)):
        pen.disc(x, y, 0.045, (196, 150, 98), ink=0.7)
        pen.disc(x, y, 0.02, (160, 112, 66))
    person(pen.at(0.2, 0.5, 0.2), robe_colour(pen))


def stilt_house(pen: Pen) -> None:
    """Draw a thatched house on a wooden deck over the water, with a boat beside it."""
    deck = [(-0.52, 0.32), (0.02, 0.45), (0.56, 0.2), (0.1, 0.08)]
    plank = pen.vary((176, 108, 58), 0.08)
    pen.shade(moved(deck, 0.03, 0.13), (8, 30, 70), 0.4, 0.03)
    for x, y in ((-0.5, 0.33), (-0.24, 0.4), (0.02, 0.46), (0.3, 0.33), (0.54, 0.21)):
        pen.line([(x, y), (x, y + 0.15)], tint(plank, 0, 1, 0.6), 0.04)
        pen.shade(ring(x, y + 0.16, 0.06, 0.02), (230, 244, 255), 0.5)
    pen.fill(deck, plank)
    for share in np.arange(0.08, 1, 0.1):
        pen.line([along(deck[0], deck[1], share), along(deck[3], deck[2], share)],
                 tint(plank, 0, 1, 0.72), 0.012)  # fmt: skip
    wall, straw = pen.vary(_PLASTER, 0.03), pen.vary(STRAW, 0.08)
    house(pen.at(-0.02, 0.0, 0.9), wall, straw, "thatch", "timber", high=0.2, gable=0.24)


def farmhouse(pen: Pen, barn: bool) -> None:
    """Draw a farmhouse with a red roof, a fence, and for a rich farm a barn beside it."""
    wall, roof = pen.vary(_PLASTER, 0.03), pen.vary((200, 54, 36), 0.07)
    if barn:
        house(pen.at(0.26, -0.2, 0.68), wall, roof, "tiles", "timber")
    house(pen, wall, roof, "tiles", "timber", deep=(0.46, -0.14))
    chimney(pen, 0.06, -0.14)
    for x in np.arange(-0.5, -0.2, 0.09):
        pen.line([(x, 0.4), (x, 0.52)], (232, 222, 200), 0.028)
    pen.line([(-0.53, 0.45), (-0.22, 0.45)], (232, 222, 200), 0.02)
    for _ in range(6):
        x, y = pen.rand(-0.15, 0.5), pen.rand(0.36, 0.52)
        pen.fill(blob(pen.rng, x, y, 0.045, 0.035, 0.3, 12), pen.vary((178, 176, 160), 0.1), 0.5)


def jetty(pen: Pen) -> None:
    """Draw a short wooden jetty, one unit long."""
    for x in (-0.4, 0.0, 0.4):
        pen.line([(x, 0), (x, 0.28)], tint(WOOD, 0, 1, 0.6), 0.08)
    pen.fill([(-0.5, -0.12), (0.5, -0.12), (0.5, 0.1), (-0.5, 0.1)], WOOD, 0.7)
    for x in np.linspace(-0.4, 0.4, 6):
        pen.line([(x, -0.12), (x, 0.1)], tint(WOOD, 0, 1, 0.7), 0.025)
