"""The truth of a scene: where squares lie, what stands before them, how much can be seen.

Whatever is drawn above the tiles is drawn through a `Cover`, which remembers the pixels that it
changed. From these follows the visible share of a place, and with it whether it is hidden.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import cv2
import numpy as np
from numpy.typing import NDArray

from kdvision.rules.terrain import CASTLE_LABEL
from scripts.synthesis.rendering.art import Image
from scripts.synthesis.rendering.camera import Camera
from scripts.synthesis.rendering.layout import Array, Piece, Spread, apply
from scripts.synthesis.rendering.scene import KingdomTruth, SquareTruth

#: A place of which less than this share can be seen is *hidden*. Crowns fill a strip of a quarter
#: of a square along one of its sides: with more than half of it covered that strip is more
#: often covered than not, and what is left shows neither terrain nor crowns.
HIDDEN_BELOW = 0.5
#: Places around the bounding box of a kingdom whose visible share is given as well.
RING = 1
#: Owners of pixels: nothing, anything that belongs to no kingdom; castles have their kingdom's.
_FREE, _OTHER = -2, -1


class Cover:
    """Which pixels are covered, and by what: `owner` (h, w)."""

    def __init__(self, image: Image) -> None:
        self.owner: NDArray[np.int8] = np.full(image.shape[:2], _FREE, np.int8)

    @contextmanager
    def drawing(self, image: Image, kingdom: int = _OTHER) -> Iterator[None]:
        """What is drawn meanwhile covers the tiles; `kingdom` is whose castle it is."""
        before = image.copy()
        yield
        gap = np.asarray(cv2.absdiff(before, image), np.uint8)
        self.owner[(gap[..., 0] | gap[..., 1] | gap[..., 2]) > 3] = kingdom

    def visible(self, quad: Array, own: int = _FREE) -> float:
        """The share of a polygon (n, 2) in pixels that can be seen.

        What lies beyond the picture cannot; what the castle `own` covers can.
        """
        whole = float(cv2.contourArea(quad.astype(np.float32)))
        height, width = self.owner.shape
        low = np.clip(np.floor(quad.min(axis=0)), 0, [width, height]).astype(int)
        high = np.clip(np.ceil(quad.max(axis=0)) + 1, 0, [width, height]).astype(int)
        if whole < 1 or (high <= low).any():
            return 0.0
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        corners = np.round((quad - low) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, corners, 1, cv2.LINE_8, 4)
        part = self.owner[low[1] : high[1], low[0] : high[0]]
        seen = (mask > 0) & ((part == _FREE) | (part == own))
        inside = max(float(mask.sum()), 1.0)
        return float(seen.sum() / inside * min(1.0, inside / whole))


def visible_places(cover: Cover, camera: Camera, spread: Spread, number: int) -> Array:
    """The visible share of every place of a kingdom and `RING` more on each side.

    Args:
        cover: What covers the picture.
        camera: Its camera.
        spread: The kingdom.
        number: Its number in the picture; its castle does not hide its own start tile.

    Returns:
        (rows + 2 * RING, cols + 2 * RING) from 0 to 1.
    """
    rows, cols = spread.kingdom.height, spread.kingdom.width
    castle = spread.kingdom.castles()[0]
    shares = np.zeros((rows + 2 * RING, cols + 2 * RING))
    thickness = spread.pieces[0].thickness
    for row, col in np.ndindex(shares.shape):
        y, x = row - RING, col - RING
        corners = np.array([[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]], float)
        quad = camera.project(np.c_[apply(spread.pose, corners), np.full(4, thickness)])
        own = number if (y, x) == castle else _FREE
        if np.isfinite(quad).all() and np.abs(quad).max() < 20_000:
            shares[row, col] = cover.visible(quad, own)
    return shares


def truth(
    spreads: list[Spread], loose: list[Piece], camera: Camera, cover: Cover
) -> tuple[list[KingdomTruth], list[SquareTruth]]:
    """Where the kingdoms and all squares lie in the picture, and their visible shares."""
    kingdoms, squares = [], []
    for number, spread in enumerate(spreads):
        height = spread.pieces[0].thickness
        visible = visible_places(cover, camera, spread, number)
        homography = camera.plane(height) @ spread.pose
        line, shown_by = str(spread.kingdom), spread.shown_by
        dominoes, colour = spread.dominoes, spread.colour
        kingdoms.append(KingdomTruth(line, homography, visible, dominoes, colour, shown_by))
        for piece in spread.pieces:
            squares.extend(_projected(piece, camera, number, cover))
    for piece in loose:
        squares.extend(_projected(piece, camera, -1, cover))
    return kingdoms, squares


def _projected(piece: Piece, camera: Camera, kingdom: int, cover: Cover) -> list[SquareTruth]:
    found = []
    for quad, label in piece.squares:
        corners = camera.project(np.c_[quad, np.full(4, piece.thickness)])
        own = kingdom if label == CASTLE_LABEL else _FREE
        found.append(SquareTruth(corners, label, kingdom, cover.visible(corners, own)))
    return found
