"""What people built for work: the windmill, the camp in the swamp, the mine."""

import numpy as np

from scripts.synthesis.artwork.nature import STRAW, nugget, person, robe_colour
from scripts.synthesis.artwork.pen import Pen, along, blob, box, ring, rock
from scripts.synthesis.artwork.style import mix, tint


def windmill(pen: Pen) -> None:
    """Draw a windmill about one unit high; its hub at (0, -0.1), its foot at (0, 0.45)."""
    wall = pen.vary(mix((178, 122, 66), (228, 214, 186), float(pen.rng.integers(2))), 0.08)
    tower = [(-0.2, 0.45), (-0.12, -0.12), (0.12, -0.12), (0.2, 0.45)]
    pen.shadow([(-0.2, 0.45), (0, -0.3), (0.2, 0.45)], 0.25, 0.03)
    pen.fill(ring(0, 0.44, 0.24, 0.08), tint(STRAW, 0, 1, 0.75), 0.6)
    pen.fill(tower, wall)
    pen.shade([(0.05, -0.12), (0.12, -0.12), (0.2, 0.45), (0.08, 0.45)], (40, 20, 0), 0.25)
    for row in np.linspace(0.0, 0.4, 6):
        half = 0.13 + 0.08 * row / 0.4
        pen.line([(-half, row), (half, row)], tint(wall, 0, 1, 0.78), 0.01)
    door = [(-0.06, 0.45), (-0.06, 0.29), (0, 0.25), (0.06, 0.29), (0.06, 0.45)]
    pen.fill(door, (84, 52, 30), 0.6)
    pen.fill(box(-0.035, 0.06, 0.035, 0.14), (60, 46, 44), 0.6)
    roof = pen.vary((150, 92, 48) if pen.chance(0.6) else (178, 66, 48), 0.08)
    pen.fill([(-0.17, -0.1), (0, -0.36), (0.17, -0.1), (0, -0.06)], roof)
    hub, turn = (0.0, -0.12), pen.rand(0.15, 1.4)
    for quarter in range(4):
        _sail(pen.at(*hub, 1, turn + quarter * np.pi / 2))
    pen.disc(*hub, 0.04, (90, 58, 34), ink=0.6)


def _sail(pen: Pen) -> None:
    cloth = (250, 244, 226)
    pen.shadow(box(0.1, 0.0, 0.46, 0.13), 0.03, 0.02)
    pen.fill(box(0.1, 0.0, 0.46, 0.125), cloth, 0.5)
    lath = (166, 84, 44)
    for x in np.linspace(0.1, 0.46, 6):
        pen.line([(x, 0), (x, 0.125)], lath, 0.014)
    for y in (0.0625, 0.125):
        pen.line([(0.1, y), (0.46, y)], lath, 0.014)
    pen.line([(0, 0), (0.48, 0)], (120, 64, 34), 0.03)


def camp(pen: Pen, big: bool) -> None:
    """Draw a camp in a boat under a tent, with people; if rich, with a hut and a cauldron."""
    wood = pen.vary((142, 86, 48), 0.1)
    cloth = pen.vary(mix((152, 150, 92), (190, 160, 110), pen.rand(0, 1)), 0.06)
    if big:
        _hut(pen.at(0.3, -0.12, 0.55))
    pen.shade(ring(0.02, 0.34, 0.5, 0.13), (30, 24, 14), 0.45, 0.02)
    hull = [(-0.56, 0.1), (-0.36, 0.33), (0.34, 0.34), (0.56, 0.1), (0.3, 0.2), (-0.3, 0.2)]
    pen.fill(ring(0, 0.17, 0.46, 0.09), tint(wood, 0, 1, 0.6))
    pen.line([(-0.12, 0.2), (-0.08, -0.42)], tint(wood, 0, 1, 0.7), 0.04)
    tent = [(-0.42, 0.14), (-0.3, -0.1), (-0.08, -0.4), (0.14, -0.12), (0.26, 0.12), (0.05, 0.06),
            (-0.12, 0.1)]  # fmt: skip
    pen.fill(tent, cloth)
    pen.fill([(-0.08, -0.4), (0.05, 0.06), (-0.12, 0.1)], tint(cloth, 0, 1, 0.75), 0.4)
    pen.fill(box(-0.3, -0.06, -0.2, 0.04), tint(cloth, 0.05, 1.3, 0.85), 0.4)
    folk = (0.12, 0.26, 0.38) if big else (0.16, 0.32)
    for x in folk:
        person(pen.at(x, 0.24, 0.3), robe_colour(pen))
    person(pen.at(-0.26, 0.22, 0.26), robe_colour(pen))
    pen.fill(hull, wood)
    pen.line([(-0.42, 0.2), (0, 0.27), (0.42, 0.2)], tint(wood, 0, 1, 0.7), 0.02)
    pen.line([(0.3, 0.12), (0.54, 0.46)], tint(wood, 0, 0.8, 1.3), 0.03)
    if big:
        _cauldron(pen.at(-0.36, 0.44, 0.26))
        person(pen.at(-0.14, 0.52, 0.24), robe_colour(pen))


def _hut(pen: Pen) -> None:
    for x in (-0.3, 0.3):
        pen.line([(x, 0.1), (x * 1.2, 0.5)], (90, 62, 40), 0.06)
    pen.fill(box(-0.36, -0.2, 0.36, 0.16), pen.vary((150, 112, 72), 0.08))
    pen.fill(box(-0.1, -0.12, 0.12, 0.16), (62, 44, 34), 0.6)
    roof = pen.vary((140, 124, 72), 0.08)
    pen.fill([(-0.52, -0.14), (0, -0.66), (0.52, -0.14), (0, -0.08)], roof)
    for x in np.linspace(-0.4, 0.4, 8):
        pen.line([(x * 0.2, -0.55), (x, -0.14)], tint(roof, 0, 1, 0.72), 0.03)


def _cauldron(pen: Pen) -> None:
    for x in (-0.2, 0.0, 0.2):
        pen.fill([(x - 0.1, 0.3), (x, -0.02), (x + 0.1, 0.3)], (244, 130, 30), 0)
    pen.fill(ring(0, 0, 0.34, 0.28), (52, 50, 54), 0.7)
    pen.disc(0, -0.16, 0.28, (126, 190, 60), 0.09, 0.5)
    for step in range(3):
        steam = blob(pen.rng, 0.1 * step, -0.4 - 0.26 * step, 0.16, 0.14)
        pen.shade(steam, (250, 250, 250), 0.6, 0.03)


def mine(pen: Pen, doors: int) -> None:
    """Draw a heap of boulders with timbered entrances, rails, and a cart full of gold."""
    stone = pen.vary(pen.style.stone, 0.05)
    spread = 0.34 + 0.06 * doors
    heap = [(x * spread / 0.4, y, r) for x, y, r in (
        (-0.26, -0.06, 0.2), (0.22, -0.1, 0.21), (-0.02, -0.24, 0.22), (-0.36, 0.12, 0.17),
        (0.36, 0.1, 0.17), (0.0, 0.02, 0.26))]  # fmt: skip
    pen.shade(ring(0.05, 0.2, spread * 1.25, 0.2), (0, 0, 0), 0.6, 0.03)
    side = -np.sign(pen.style.light[0])
    for x, y, r in heap:
        shape = rock(pen.rng, x, y, r * 1.05, r)
        pen.fill(shape, tint(stone, 0, 1.05, 0.78))
        middle = np.array((x, y))
        pen.fill((shape - middle) * 0.7 + middle + (side * r * 0.16, -r * 0.18), stone, 0)
        glint = (shape - middle) * 0.35 + middle + (side * r * 0.3, -r * 0.34)
        pen.shade(glint, (255, 246, 220), 0.5)
        pen.line([shape[2], along(shape[2], middle, 0.8)], tint(stone, 0, 1, 0.6), 0.012)
    places = {1: ((0.0, 0.3),), 2: ((-0.2, 0.28), (0.22, 0.32)),
              3: ((-0.3, 0.28), (0.02, 0.34), (0.34, 0.26))}[doors]  # fmt: skip
    for x, y in places:
        _entrance(pen.at(x, y, {1: 0.5, 2: 0.42, 3: 0.36}[doors]))
    for _ in range(2 + 2 * doors):
        nugget(pen.at(pen.rand(-0.48, 0.48), pen.rand(0.36, 0.5), pen.rand(0.06, 0.1)))
    _cart(pen.at(pen.rand(-0.34, -0.2), 0.46, 0.24))
    person(pen.at(pen.rand(0.22, 0.36), 0.52, 0.2), (206, 92, 44))


def _entrance(pen: Pen) -> None:
    beam = pen.vary((186, 82, 42), 0.08)
    pen.fill([(-0.36, 0.1), (-0.3, -0.5), (0.3, -0.5), (0.36, 0.1)], (24, 18, 18), 0.5)
    for sign in (-1, 1):
        pen.line([(sign * 0.06, 0.12), (sign * 0.12, 0.5)], (120, 112, 110), 0.04)
        pen.fill([(sign * 0.42, 0.12), (sign * 0.35, -0.5), (sign * 0.24, -0.5),
                  (sign * 0.29, 0.12)], beam, 0.7)  # fmt: skip
    for y in (0.2, 0.32, 0.44):
        pen.line([(-0.16, y), (0.16, y)], (110, 70, 40), 0.05)
    pen.fill([(-0.5, -0.46), (-0.46, -0.62), (0.46, -0.64), (0.5, -0.46)], beam, 0.7)
    pen.fill([(-0.42, -0.62), (0, -0.84), (0.42, -0.62)], tint(beam, 0, 1, 0.8), 0.7)
    pen.disc(0.2, -0.3, 0.07, (255, 222, 110), ink=0.4)


def _cart(pen: Pen) -> None:
    for x, y in ((-0.22, -0.28), (0.0, -0.36), (0.2, -0.28), (0.08, -0.24)):
        nugget(pen.at(x, y, 0.32))
    pen.fill([(-0.46, -0.26), (0.46, -0.26), (0.34, 0.14), (-0.34, 0.14)], (120, 76, 48), 0.8)
    pen.line([(-0.44, -0.1), (0.44, -0.1)], (78, 74, 78), 0.06)
    for x in (-0.2, 0.2):
        pen.disc(x, 0.2, 0.13, (70, 66, 70), ink=0.6)
        pen.disc(x, 0.2, 0.05, (150, 140, 136))
