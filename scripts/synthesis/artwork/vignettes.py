"""Little scenes on squares without crowns, so that no two fields are alike."""

import numpy as np

from kdvision.rules.terrain import Terrain
from scripts.synthesis.artwork import nature
from scripts.synthesis.artwork.houses import jetty
from scripts.synthesis.artwork.pen import Pen, blob, box, moved, ring
from scripts.synthesis.artwork.style import mix, tint


def scarecrow(pen: Pen) -> None:
    """Draw a scarecrow one unit high, its foot at the origin."""
    pen.shade(ring(0.15 * pen.style.light[0], 0, 0.25, 0.08), (40, 20, 0), pen.style.shadow, 0.03)
    pen.line([(0, 0), (0, -0.7)], nature.WOOD, 0.06)
    pen.line([(-0.42, -0.56), (0.42, -0.6)], nature.WOOD, 0.05)
    coat = nature.robe_colour(pen)
    pen.fill([(-0.36, -0.62), (0.36, -0.64), (0.36, -0.5), (0.14, -0.48), (0.2, -0.16),
              (-0.2, -0.16), (-0.14, -0.48), (-0.36, -0.5)], coat, 0.7)  # fmt: skip
    pen.disc(0, -0.78, 0.13, (228, 196, 120), ink=0.6)
    pen.fill([(-0.24, -0.86), (0.24, -0.86), (0.06, -1.06), (-0.06, -1.06)], (112, 76, 40), 0.6)


def hay_cart(pen: Pen) -> None:
    """Draw a cart of hay, one unit long, its wheels on the origin's height."""
    nature.hay(pen.at(0.0, -0.2, 0.85))
    pen.fill([(-0.5, -0.34), (0.5, -0.34), (0.4, -0.12), (-0.4, -0.12)], nature.WOOD, 0.8)
    pen.line([(0.45, -0.2), (0.8, -0.08)], nature.WOOD, 0.05)
    for x in (-0.26, 0.26):
        pen.disc(x, -0.08, 0.15, (84, 54, 32), ink=0.6)
        pen.disc(x, -0.08, 0.09, (214, 176, 96))
        pen.line([(x - 0.1, -0.08), (x + 0.1, -0.08)], (84, 54, 32), 0.03)


def track(pen: Pen) -> None:
    """Draw a sandy track that winds over half a square around the origin."""
    t = np.linspace(-0.3, 0.3, 12)
    way = np.stack([t, 0.05 * np.sin(9 * t + pen.rand(0, 6))], 1)
    band = np.concatenate([moved(way, 0, -0.025), moved(way, 0, 0.03)[::-1]])
    pen.shade(band, (214, 196, 120), 0.75, 0.008)


def tent(pen: Pen) -> None:
    """Draw a traveller's tent and fire, one unit wide, its foot at the origin."""
    cloth = nature.robe_colour(pen)
    pen.shadow([(-0.45, 0), (0.0, -0.5), (0.4, 0.0)], 0.15, 0.04)
    pen.fill([(-0.45, 0), (0.0, -0.6), (0.4, 0)], cloth)
    pen.fill([(-0.12, 0), (0.0, -0.6), (0.14, 0)], tint(cloth, 0, 1, 0.55), 0.4)
    for x in (0.55, 0.62, 0.69):
        pen.fill([(x - 0.06, 0.05), (x, -0.18), (x + 0.06, 0.05)], (246, 140, 36), 0)
    pen.line([(0.46, 0.06), (0.78, 0.04)], nature.WOOD, 0.06)


def serpent(pen: Pen) -> None:
    """Draw the humps of a lake serpent, one unit long."""
    hide = pen.vary((66, 128, 96), 0.15)
    turn = np.linspace(np.pi, 2 * np.pi, 10)
    for x, r in ((-0.28, 0.1), (-0.02, 0.14)):
        hump = np.stack([x + r * np.cos(turn), r * 1.1 * np.sin(turn)], 1)
        pen.fill(hump, hide, 0.8)
        pen.shade(ring(x, 0.01, r * 1.4, 0.03), (230, 246, 255), 0.6, 0.01)
    neck = [(0.2, 0), (0.22, -0.3), (0.3, -0.42), (0.46, -0.4), (0.48, -0.33), (0.36, -0.3),
            (0.34, 0)]  # fmt: skip
    pen.fill(neck, hide, 0.8)
    pen.disc(0.36, -0.37, 0.022, (250, 240, 120))
    pen.shade(ring(0.27, 0.01, 0.14, 0.03), (230, 246, 255), 0.6, 0.01)


def ducks(pen: Pen) -> None:
    """Draw a duck and her young, about one unit long."""
    for x, y, size in ((0.25, 0, 0.4), (-0.12, 0.05, 0.24), (-0.36, 0.02, 0.24)):
        duck = pen.at(x, y, size)
        colour = (250, 246, 236) if size > 0.3 else (250, 214, 70)
        duck.shade(ring(0, 0.16, 0.6, 0.1), (230, 246, 255), 0.5, 0.02)
        duck.fill([(-0.5, -0.12), (0.1, -0.1), (0.42, 0.0), (0.3, 0.2), (-0.3, 0.2)], colour, 0.6)
        duck.disc(0.3, -0.22, 0.17, colour, ink=0.6)
        duck.fill([(0.44, -0.24), (0.64, -0.18), (0.44, -0.12)], (240, 140, 30), 0)


def islet(pen: Pen) -> None:
    """Draw a small island with a tree, one unit wide."""
    pen.shade(ring(0, 0.05, 0.56, 0.3), (220, 240, 255), 0.5, 0.03)
    pen.fill(blob(pen.rng, 0, 0.02, 0.48, 0.24), (220, 196, 130))
    pen.fill(blob(pen.rng, 0, -0.03, 0.36, 0.16), (110, 170, 60), 0)
    nature.round_tree(pen.at(-0.05, 0.0, 0.7), (50, 130, 50))
    nature.boulder(pen.at(0.26, 0.04, 0.2), (180, 172, 160))


def pond(pen: Pen) -> None:
    """Draw a pond in the meadow, one unit wide."""
    pen.fill(blob(pen.rng, 0, 0, 0.5, 0.3), (96, 120, 70), 0.6)
    water = mix(pen.style.ground[Terrain.LAKE], (120, 200, 230), 0.3)
    pen.fill(blob(pen.rng, 0, 0.01, 0.45, 0.25), water)
    pen.shade(ring(-0.1, -0.06, 0.2, 0.06), (240, 250, 255), 0.5, 0.03)
    nature.reeds(pen.at(0.36, 0.1, 0.35))


def stone_ring(pen: Pen) -> None:
    """Draw standing stones in a ring, one unit wide."""
    for turn in np.sort(pen.rng.uniform(0, 6.3, 7)) + np.pi:
        x, y = 0.42 * np.cos(turn), 0.26 * np.sin(turn)
        stone = pen.vary((166, 164, 152), 0.12)
        pen.shade(ring(x + 0.04 * pen.style.light[0], y, 0.1, 0.05), (20, 40, 0), 0.4, 0.02)
        pen.fill([(x - 0.07, y), (x - 0.05, y - 0.22), (x + 0.04, y - 0.25), (x + 0.07, y)], stone)


def bones(pen: Pen) -> None:
    """Draw the ribs of a skeleton in the mud, one unit long."""
    bone = (226, 216, 186)
    for x in np.linspace(-0.35, 0.3, 5):
        pen.line([(x, 0.1), (x - 0.08, -0.12), (x + 0.02, -0.3)], tint(bone, 0, 1, 0.55), 0.075)
        pen.line([(x, 0.1), (x - 0.08, -0.12), (x + 0.02, -0.3)], bone, 0.05)
    pen.shade(ring(0, 0.1, 0.5, 0.07), (90, 76, 54), 0.6, 0.03)
    pen.disc(0.46, 0.0, 0.11, bone, 0.09, 0.6)


def crocodile(pen: Pen) -> None:
    """Draw a crocodile, its back and eyes above the mud, one unit long."""
    hide = pen.vary((92, 104, 58), 0.12)
    pen.shade(ring(0, 0.06, 0.56, 0.14), (70, 62, 44), 0.6, 0.03)
    ridge = [(-0.5, 0.04)]
    for number, x in enumerate(np.linspace(-0.4, 0.3, 9)):
        ridge.append((x, -0.16 if number % 2 else -0.07))
    pen.fill([*ridge, (0.5, 0.0), (0.42, 0.08), (-0.4, 0.1)], hide, 0.8)
    for x in (0.26, 0.36):
        pen.disc(x, -0.1, 0.05, (240, 226, 80), ink=0.5)
        pen.disc(x, -0.1, 0.02, (20, 20, 10))


def lantern(pen: Pen) -> None:
    """Draw a miner's lantern and pick, one unit wide."""
    pen.shade(ring(0, -0.2, 0.7, 0.6), (255, 200, 90), 0.35, 0.18)
    pen.fill(box(-0.12, -0.4, 0.12, 0.0), (255, 224, 130), 0.9)
    pen.fill(box(-0.16, -0.46, 0.16, -0.38), (120, 100, 80), 0.6)
    pen.fill(box(-0.16, -0.02, 0.16, 0.06), (120, 100, 80), 0.6)
    pen.line([(0.25, 0.05), (0.6, -0.4)], nature.WOOD, 0.06)
    pen.line([(0.4, -0.48), (0.62, -0.42), (0.74, -0.22)], (170, 172, 180), 0.07)


def fishing(pen: Pen) -> None:
    """Draw a jetty with somebody who fishes, one unit long."""
    jetty(pen)
    nature.person(pen.at(0.2, -0.02, 0.55), nature.robe_colour(pen))
    pen.line([(0.34, -0.2), (0.72, -0.5), (0.74, 0.1)], (70, 50, 34), 0.018)
