"""Whole tiles: a domino, the deck."""

from functools import partial

import cv2
import numpy as np

from kdvision.rules.dominoes import Domino, standard_deck
from scripts.arrays import Rng
from scripts.synthesis.artwork.ground import border_line, draw_border, join, lay_ground, print_grain
from scripts.synthesis.artwork.pen import Pen
from scripts.synthesis.artwork.style import Style
from scripts.synthesis.artwork.terrains import furnish


def paint_domino(
    domino: Domino, rng: Rng, size: int, style: Style, *, any_building: bool
) -> np.ndarray:
    """Return a domino as it lies with its left half left; both halves are upright.

    With `any_building` the buildings are drawn without regard to the crowns.

    Returns:
        uint8 (size, 2 * size, 3) RGB.
    """
    side, left, right = work_side(size), domino.left, domino.right
    line = border_line(rng, 0.008 if style.border in ("stones", "posts") else 0.016)
    if left.terrain is right.terrain:
        image = lay_ground(left.terrain, side, 2 * side, side, style, rng)
    else:
        wide = round(side * 1.1)
        one = lay_ground(left.terrain, side, wide, side, style, rng)
        other = lay_ground(right.terrain, side, wide, side, style, rng)
        image = join(one, other, line, 0.02 if style.border == "soft" else 0.0)
    draw_border(Pen.over(image, style, rng, side), line, left.terrain, right.terrain)
    shown = [int(rng.integers(0, 4)) if any_building else None for _ in range(2)]
    furnish(Pen.over(image, style, rng, side), left, right=False, building=shown[0])
    furnish(Pen.over(image, style, rng, side, x=1), right, right=True, building=shown[1])
    return shrink(print_grain(image, style, rng, side), 2 * size, size)


def paint_deck(seed: int, size: int, *, any_building: bool) -> dict[int, np.ndarray]:
    """Return the 48 dominoes in one style, by their number.

    With `any_building` a square with crowns may show no building, and one without any.

    Returns:
        uint8 (size, 2 * size, 3) RGB each.
    """
    rng = np.random.default_rng(seed)
    style = Style(rng)
    paint = partial(paint_domino, rng=rng, size=size, style=style, any_building=any_building)
    return {domino.number: paint(domino) for domino in standard_deck().dominoes}


def work_side(size: int) -> int:
    """Return the side at which a square is drawn, to be shrunk to `size` afterwards."""
    return size * max(2, -(-192 // size))


def shrink(image: np.ndarray, width: int, height: int) -> np.ndarray:
    """Return the picture at its final size, by averaging areas."""
    return cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
