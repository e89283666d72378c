"""Scenes that are cut close for the trust: where their squares are, and how the border lies."""

import cv2
import numpy as np

from kdvision.rules.kingdom import Kingdom
from kdvision.vision.geometry import project
from scripts.measuring.fitting.tight import Truth, cut_close
from scripts.synthesis.rendering.art import Image

LINE = "C W W -/F F G G"


def turned_kingdom() -> tuple[Image, Truth]:
    """A kingdom with squares of 40 pixels and grey values of their own, 20 degrees askew."""
    cos, sin = 40 * np.cos(np.radians(20)), 40 * np.sin(np.radians(20))
    homography = np.array([[cos, -sin, 220.0], [sin, cos, 160.0], [0, 0, 1.0]])
    picture = np.zeros((480, 640, 3), np.uint8)
    squares = []
    cells = [at for at, cell in Kingdom.parse(LINE).cells() if cell is not None]
    for index, (row, col) in enumerate(cells):
        corners = np.array([[col, row], [col + 1, row], [col + 1, row + 1], [col, row + 1]])
        pixels = project(homography, corners.astype(float))
        cv2.fillConvexPoly(picture, np.round(pixels).astype(np.int32), (100 + 20 * index,) * 3)
        squares.append({"corners": pixels.tolist(), "label": 0, "kingdom": 0})
    return picture, {"kingdoms": [{"line": LINE, "homography": homography}], "squares": squares}


def test_squares_lie_where_the_truth_says_and_half_of_the_borders_along_a_line():
    picture, truth = turned_kingdom()
    along = cut = seen = 0
    for seed in range(60):
        part, moved = cut_close(np.random.default_rng(seed), picture, truth)
        height, width = part.shape[:2]
        corners = np.array([square["corners"] for square in moved["squares"]])
        for index, (x, y) in enumerate(corners.mean(axis=1)):
            if 3 <= x < width - 3 and 3 <= y < height - 3:
                seen += 1
                assert abs(int(part[round(y), round(x), 0]) - (100 + 20 * index)) < 8
        upright = np.abs(corners[0, 1] - corners[0, 0]).min() < 0.5
        along += upright
        cut += upright and corners[..., 0].max() > width + 12
    assert 20 <= along <= 40
    assert 0.25 * along < cut < 0.75 * along
    assert seen > 200
