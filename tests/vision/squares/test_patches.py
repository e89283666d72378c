"""The window of a grid, seen from above, and patches out of it."""

import cv2
import numpy as np
import pytest

from kdvision.vision.geometry import rectify
from kdvision.vision.squares.window import BORDER_PX, PATCH_PX, PX_PER_SQUARE, cut_patches

COLOURS = np.array([[200, 40, 40], [40, 200, 40], [40, 40, 200], [220, 220, 60]], np.uint8)


def chequered(homography: np.ndarray, rows: int, cols: int, size: tuple[int, int]) -> np.ndarray:
    """A picture whose places have one colour each."""
    picture = np.full((size[1], size[0], 3), 90, np.uint8)
    for row in range(rows):
        for col in range(cols):
            corners = np.array(
                [[col, row, 1], [col + 1, row, 1], [col + 1, row + 1, 1], [col, row + 1, 1]]
            )
            pixels = corners @ homography.T
            quad = np.round(pixels[:, :2] / pixels[:, 2:]).astype(np.int32)
            cv2.fillConvexPoly(picture, quad, COLOURS[(row * cols + col) % 4].tolist())
    return picture


@pytest.mark.parametrize(
    "homography",
    [
        np.array([[60.0, 0, 40], [0, 60.0, 30], [0, 0, 1]]),
        np.array([[50.0, 12, 60], [-14, 48.0, 90], [0.01, 0.02, 1]]),
        np.array([[180.0, 20, 60], [-20, 180.0, 120], [0.0, 0.01, 1]]),
        np.array([[24.0, 0, 12], [0, 24.0, 12], [0, 0, 1]]),
    ],
)
def test_every_patch_shows_its_own_place(homography):
    rows, cols = 3, 4
    picture = chequered(homography, rows, cols, (900, 700))
    rectified = rectify(picture, homography, rows, cols, px=PX_PER_SQUARE, border=BORDER_PX)
    assert rectified.shape == (
        rows * PX_PER_SQUARE + 2 * BORDER_PX,
        cols * PX_PER_SQUARE + 2 * BORDER_PX,
        3,
    )
    places = np.array([[col + 0.5, row + 0.5] for row in range(rows) for col in range(cols)])
    patches = cut_patches(rectified, places)
    assert patches.shape == (12, PATCH_PX, PATCH_PX, 3)
    for index, patch in enumerate(patches):
        inner = patch[20:44, 20:44].reshape(-1, 3).mean(axis=0)
        assert inner == pytest.approx(COLOURS[index % 4], abs=12)
