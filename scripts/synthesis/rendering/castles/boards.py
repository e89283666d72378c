"""The castle of the box: four boards, printed on both sides, slotted into each other."""

import itertools

import cv2
import numpy as np

from scripts.arrays import Array, Image
from scripts.synthesis.rendering.camera import Camera
from scripts.synthesis.rendering.castles.solids import FOOT, direction
from scripts.synthesis.rendering.scene import paste


def draw_boards(
    image: Image,
    camera: Camera,
    sprite: Image,
    base: Array,
    size: float,
    angle: float,
    *,
    low_pair: float = 1.0,
    shades: tuple[float, ...] = (1.0, 0.8, 0.65, 0.85),
) -> None:
    """Draw the castle of the box: two pairs of boards slotted into each other. In place.

    All four are printed on both sides.

    Args:
        image: The picture (h, w, 3).
        camera: Its camera.
        sprite: A board's print (h, w, 4).
        base: (2,) its middle on the table.
        size: Distance between opposite boards, in squares.
        angle: Which way its front looks, radians.
        low_pair: Height of the second pair as a share of the first's.
        shades: How much light falls on each of the four.
    """
    half, reach = size / 2, size / 2 * 1.25
    height = 2 * reach * sprite.shape[0] / sprite.shape[1]
    cuts = (-reach, -half, half, reach)
    parts = []
    for turn in range(4):
        along = direction(angle + turn * np.pi / 2)
        middle = base + np.array([-along[1], along[0]]) * half
        tall = height * (1.0 if turn % 2 == 0 else low_pair)
        for start, stop in itertools.pairwise(cuts):
            one, other = middle + along * start, middle + along * stop
            span = [(cut + reach) / (2 * reach) for cut in (start, stop)]
            depth = camera.depth([*(one + other) / 2, height / 3])
            parts.append((depth, one, other, span, tall, shades[turn]))
    for _, one, other, span, tall, shade in sorted(parts, key=lambda part: -part[0]):
        columns = [round(share * sprite.shape[1]) for share in span]
        strip = sprite[:, columns[0] : max(columns[1], columns[0] + 1)]
        draw_board(image, camera, strip, one, other, (FOOT, FOOT + tall), shade)


def draw_board(
    image: Image,
    camera: Camera,
    sprite: Image,
    left: Array,
    right: Array,
    heights: tuple[float, float],
    shade: float,
) -> None:
    """Draw an upright board between two points of the table, with its edge and both prints."""
    low, high = heights
    corners = np.array([[*left, high], [*right, high], [*right, low], [*left, low]])
    quad = camera.project(corners)
    one, other = quad[1] - quad[0], quad[3] - quad[0]
    if one[0] * other[1] - one[1] * other[0] < 0:
        quad = quad[[1, 0, 3, 2]]
    rows = max(float(np.linalg.norm(other)), 8.0)
    factor = min(1.0, rows * 1.3 / sprite.shape[0])
    wide = max(2, round(sprite.shape[1] * factor))
    tall = max(2, round(sprite.shape[0] * factor))
    picture = cv2.resize(sprite, (wide, tall), interpolation=cv2.INTER_AREA)
    colour = np.clip(picture[..., :3] * np.float32(shade), 0, 255).astype(np.uint8)
    edge = np.full_like(colour, np.clip(np.array([150, 145, 135]) * shade, 0, 255))
    out = np.array([left[1] - right[1], right[0] - left[0]])
    back = corners + np.array([*out / max(float(np.linalg.norm(out)), 1e-6) * 0.045, 0.0])
    paste(image, np.dstack([edge, picture[..., 3]]), camera.project(back))
    paste(image, np.dstack([colour, picture[..., 3]]), quad)
