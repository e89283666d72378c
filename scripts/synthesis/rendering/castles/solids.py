"""Castles as solids: of wood, 3D-printed, bare blocks, heaps of parts, bricks.

A castle is drawn from its far parts to its near ones. Table coordinates as in `camera.py`: x, y on
the table and z upwards, in squares.
"""

from collections.abc import Iterator

import cv2
import numpy as np
from msgspec import Struct

from scripts.arrays import Array, Image, Rng
from scripts.named import by_name
from scripts.synthesis.rendering.camera import Camera
from scripts.synthesis.rendering.scene import is_visible

#: A castle stands on a tile of this thickness, in squares.
FOOT = 0.05
Colour = Array


class Face(Struct, frozen=True, eq=False):
    """A flat part: corners (n, 3) on the table and its colour, RGB."""

    corners: Array
    colour: Colour


def draw_faces(image: Image, camera: Camera, faces: list[Face]) -> None:
    """Draw flat parts, far ones first. In place."""
    for face in sorted(faces, key=lambda face: -camera.depth(face.corners.mean(axis=0))):
        quad = camera.project(face.corners)
        if is_visible(quad, image):
            colour = tuple(int(v) for v in np.clip(face.colour, 0, 255))
            corners = np.round(quad * 16).astype(np.int32)
            cv2.fillConvexPoly(image, corners, colour, cv2.LINE_AA, 4)


def prism(
    middle: Array,
    corners: int,
    radius: float,
    heights: tuple[float, float],
    colour: Colour,
    *,
    angle: float = 0.0,
    taper: float = 1.0,
    light: float = 0.7,
) -> list[Face]:
    """Return an upright prism, box (`corners` 4), pillar (12) or cone (`taper` 0) as its faces.

    Args:
        middle: (2,) on the table.
        corners: Of its base.
        radius: From the middle to a corner, in squares.
        heights: Lower and upper end, in squares.
        colour: RGB.
        angle: Turn of the base, radians.
        taper: Radius of the upper end as a share of the lower's.
        light: From which side light falls, radians.
    """
    turns = angle + np.arange(corners) * 2 * np.pi / corners
    ways = np.c_[np.cos(turns), np.sin(turns)]
    low = np.c_[middle + ways * radius, np.full(corners, heights[0])]
    high = np.c_[middle + ways * radius * taper, np.full(corners, heights[1])]
    faces = []
    for one in range(corners):
        other = (one + 1) % corners
        facing = turns[one] + np.pi / corners
        shade = 0.68 + 0.27 * np.cos(facing - light)
        faces.append(Face(np.array([low[one], low[other], high[other], high[one]]), colour * shade))
    if taper > 0:
        faces.append(Face(high, colour * 1.05))
    return faces


def wooden(rng: Rng, base: Array, angle: float) -> Iterator[Face]:
    """Yield blocks or turned towers of bare or painted wood."""
    light, z = rng.uniform(0, 6.28), FOOT
    colour = _wood(rng)
    if rng.random() < 0.5:
        radius = rng.uniform(0.22, 0.38)
        for _ in range(int(rng.integers(1, 4))):
            top = z + rng.uniform(0.25, 0.6)
            corners = int(rng.choice([4, 4, 8, 12]))
            yield from prism(base, corners, radius, (z, top), colour, angle=angle, light=light)
            z, radius = top, radius * rng.uniform(0.6, 1.0)
            colour = colour if rng.random() < 0.5 else _wood(rng)
    else:
        reach = rng.uniform(0.24, 0.36)
        for turn in range(4):
            at = base + direction(angle + np.pi / 4 + turn * np.pi / 2) * reach * 1.2
            tall = FOOT + rng.uniform(0.4, 0.7)
            yield from prism(at, 12, rng.uniform(0.09, 0.13), (FOOT, tall), colour, light=light)
        z = FOOT + rng.uniform(0.25, 0.45)
        yield from prism(base, 4, reach * 1.2, (FOOT, z), colour, angle=angle, light=light)
        radius = reach * 0.6
    if rng.random() < 0.6:
        roof = rng.uniform(20, 235, 3)
        high = z + rng.uniform(0.2, 0.5)
        yield from prism(base, 8, radius * 1.15, (z, high), roof, taper=0.02, light=light)


def printed(rng: Rng, base: Array, angle: float) -> Iterator[Face]:
    """Yield a castle of one plastic colour: a wall, towers with battlements, a keep."""
    light = rng.uniform(0, 6.28)
    greys = rng.random() < 0.4
    colour = np.full(3, rng.uniform(40, 235)) if greys else rng.uniform(15, 240, 3)
    reach, tall = rng.uniform(0.26, 0.36), rng.uniform(0.35, 0.8)
    # Four walls, each with a tower at its end.
    for turn in range(4):
        along = direction(angle + turn * np.pi / 2)
        out = np.array([-along[1], along[0]])
        middle = base + out * reach
        wall = tall * 0.65
        ends = [middle - along * reach, middle + along * reach]
        corners = np.array([[*ends[0], FOOT], [*ends[1], FOOT], [*ends[1], wall], [*ends[0], wall]])
        shade = 0.68 + 0.27 * np.cos(angle + turn * np.pi / 2 + np.pi / 2 - light)
        yield Face(corners, colour * shade)
        at = base + (out + along) * reach
        radius = rng.uniform(0.09, 0.14)
        yield from prism(at, 10, radius, (FOOT, tall), colour, light=light)
        for tooth in range(4):
            spot = at + direction(angle + tooth * np.pi / 2) * radius * 0.8
            yield from prism(spot, 4, 0.035, (tall, tall + 0.08), colour, angle=angle, light=light)
    # The keep in the middle, half of the time with a roof.
    keep = rng.uniform(0.14, 0.24)
    corners_of_keep = int(rng.choice([4, 6, 12]))
    yield from prism(base, corners_of_keep, keep, (FOOT, tall * 1.4), colour, angle=angle)
    if rng.random() < 0.5:
        roof = (tall * 1.4, tall * 1.4 + rng.uniform(0.15, 0.4))
        yield from prism(base, 10, keep * 1.1, roof, colour * rng.uniform(0.6, 1.2), taper=0.02)


def solid(rng: Rng, base: Array, angle: float) -> Iterator[Face]:
    """Yield anything that a player may set there: a cube, a pillar, a cone, a pawn."""
    colour, light = rng.uniform(10, 245, 3), rng.uniform(0, 6.28)
    corners = int(rng.choice([3, 4, 5, 6, 12, 16]))
    high = FOOT + rng.uniform(0.12, 1.2)
    radius, taper = rng.uniform(0.16, 0.5), float(rng.choice([1.0, 1.0, 0.7, 0.02]))
    span = (FOOT, high)
    yield from prism(base, corners, radius, span, colour, angle=angle, taper=taper, light=light)
    if rng.random() < 0.3 and taper > 0.5:
        head = (high, high + rng.uniform(0.1, 0.4))
        yield from prism(base, 12, radius * 0.6, head, rng.uniform(10, 245, 3), light=light)


def heap(rng: Rng, base: Array, angle: float) -> Iterator[Face]:
    """Yield parts of any shape and colour, beside and on each other."""
    own = rng.uniform(10, 245, 3)
    bright, light = rng.random() < 0.6, rng.uniform(0, 6.28)
    for _ in range(int(rng.integers(3, 14))):
        at = base + rng.normal(0, 0.14, 2).clip(-0.28, 0.28)
        low = FOOT if rng.random() < 0.6 else FOOT + rng.uniform(0.1, 0.6)
        colour = rng.uniform(10, 245, 3) if bright else own * rng.uniform(0.7, 1.2)
        high = low + rng.uniform(0.08, 0.55)
        corners, taper = int(rng.choice([3, 4, 4, 6, 12])), float(rng.choice([1.0, 1.0, 0.6, 0.02]))
        turn = angle if rng.random() < 0.5 else rng.uniform(0, 6.28)
        radius = rng.uniform(0.06, 0.24)
        span = (low, high)
        yield from prism(at, corners, radius, span, colour, angle=turn, taper=taper, light=light)
    yield from prism(base, 4, rng.uniform(0.1, 0.3), (FOOT, FOOT + 0.1), own, angle=angle)


def bricks(rng: Rng, base: Array, angle: float) -> Iterator[Face]:
    """Yield plastic bricks with studs, layer by layer in all colours. Kept for measuring."""
    palette = ([200, 30, 30], [30, 80, 190], [240, 200, 30], [40, 140, 60], [235, 235, 235])
    side, layer = rng.uniform(0.12, 0.16), rng.uniform(0.12, 0.17)
    across, up = int(rng.integers(3, 5)), int(rng.integers(2, 5))
    one, other = direction(angle), direction(angle + np.pi / 2)
    for level, row, col in np.ndindex(up, across, across):
        at_border = row in (0, across - 1) or col in (0, across - 1)
        corner = row in (0, across - 1) and col in (0, across - 1)
        if not at_border or (level == up - 1 and not corner):
            continue
        shift = np.array([row, col]) - (across - 1) / 2
        at = base + (one * shift[0] + other * shift[1]) * side
        colour = np.array(palette[int(rng.integers(len(palette)))], float)
        z = FOOT + level * layer
        yield from prism(at, 4, side * 0.7, (z, z + layer), colour, angle=angle + np.pi / 4)
        yield from prism(at, 8, side * 0.3, (z + layer, z + layer * 1.2), colour)


SOLIDS = by_name(wooden, printed, solid, heap, bricks)


def direction(angle: float) -> Array:
    """Return the direction (2,) on the table at an angle, in radians."""
    return np.array([np.cos(angle), np.sin(angle)])


def _wood(rng: Rng) -> Colour:
    """Return bare wood, or wood in a bright paint."""
    if rng.random() < 0.55:
        return np.array([205, 165, 115]) * rng.uniform(0.5, 1.15) + rng.normal(0, 8, 3)
    return rng.uniform(20, 235, 3)
