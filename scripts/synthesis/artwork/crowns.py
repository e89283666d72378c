"""Crowns on a square: small, golden, with a white rim, easy to count."""

import numpy as np

from scripts.synthesis.artwork.pen import Pen
from scripts.synthesis.artwork.style import tint


def crown_row(pen: Pen, crowns: int, right: bool) -> None:
    """Draw the crowns side by side in a top corner of the unit square.

    Args:
        pen: A pen whose unit square is the square of the domino.
        crowns: How many, 0 to 3.
        right: In the right corner instead of the left.
    """
    size = pen.style.crown_size
    step = size * 1.26
    margin, top = 0.055 + pen.rand(0, 0.02), 0.06 + pen.rand(0, 0.02)
    for number in range(crowns):
        offset = margin + size / 2 + number * step
        x = 1 - offset if right else offset
        crown(pen.at(x, top + size * 0.42, size, pen.rand(-0.06, 0.06)))


def crown(pen: Pen) -> None:
    """Draw one crown, one unit wide, with its middle at the origin."""
    gold = pen.style.gold
    outline = crown_outline(pen.style.crown_points)
    rim = _grown(outline, 0.13)
    pen.shadow(rim, 0.1, 0.05)
    pen.fill(rim, (252, 250, 242), 0.45)
    pen.fill(outline, gold, 0.3)
    pen.fill([(-0.36, 0.2), (0.36, 0.2), (0.33, 0.33), (-0.33, 0.33)], tint(gold, -0.03, 1, 0.8), 0)
    pen.line([(-0.37, 0.19), (0.37, 0.19)], tint(gold, -0.04, 1.1, 0.62), 0.035)
    for x, y in outline[1:-1:2]:
        pen.disc(x, y, 0.07, tint(gold, 0.01, 0.6, 1.2), ink=0.4)
    for x in (-0.2, 0.0, 0.2):
        pen.disc(x, 0.265, 0.038, (206, 52, 44) if x == 0 else (60, 110, 190))


def crown_outline(points: int) -> np.ndarray:
    """Return the outline of a crown about one unit wide: float (n, 2).

    The first and last corner are the feet, the corners between are tip, notch, tip ...
    """
    tips = np.linspace(-0.47, 0.47, points)
    corners = [(-0.36, 0.34)]
    for number, x in enumerate(tips):
        high = -0.36 + 0.14 * abs(x) / 0.47
        corners.append((x, high))
        if number < points - 1:
            corners.append(((x + tips[number + 1]) / 2 * 0.9, 0.06))
    corners.append((0.36, 0.34))
    return np.array(corners)


def _grown(outline: np.ndarray, by: float) -> np.ndarray:
    """Return the outline pushed outwards from the middle, its notches filled a little."""
    middle = np.array([0.0, 0.08])
    arm = outline - middle
    length = np.linalg.norm(arm, axis=1, keepdims=True)
    return np.asarray(middle + arm * (1 + by / np.maximum(length, 0.12)))
