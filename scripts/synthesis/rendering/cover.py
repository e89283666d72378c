"""The truth of a scene: where squares lie, what stands before them, how much can be seen.

Whatever is drawn above the tiles is drawn through a `Cover`, which remembers the pixels that it
changed. From these follows the visible share of a place, and with it whether it is hidden; and
how many pixels show the colour of a castle.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import cv2
import numpy as np

from kdvision.rules.terrain import CASTLE_LABEL
from scripts.arrays import AnyArray, Array, Image, Mask
from scripts.synthesis.rendering.camera import Camera
from scripts.synthesis.rendering.layout import Piece, Spread, apply
from scripts.synthesis.rendering.scene import KingdomTruth, SquareTruth

#: A place of which less than this share can be seen is *hidden*. Crowns fill a strip of a quarter
#: of a square along one of its sides: with more than half of it covered that strip is more
#: often covered than not, and what is left shows neither terrain nor crowns.
HIDDEN_BELOW = 0.5
#: Places around the bounding box of a kingdom whose visible share is given as well.
RING = 1
#: Owner of a pixel that nothing covers. A castle is owned by the number of its kingdom.
_FREE = -2
#: Owner of anything that belongs to no kingdom.
_OTHER = -1
#: Where a start tile has the colour of its player: the crown, and the rim of so much of its side.
_CROWN = np.array([[0.14, 0.24], [0.86, 0.24], [0.78, 0.76], [0.22, 0.76]])
_RIM = 0.045
#: How thick a colour must be to show: JPEG files keep the colour of so many pixels in one.
_SQUARE_OF_PIXELS = np.ones((2, 2), np.uint8)
#: Steps of a channel, 0 to 255, by which a pixel differs that is drawn in other colours.
_RECOLOURED = 30


class Cover:
    """Which pixels are covered, and by what: `owner` (h, w).

    `coloured` (h, w) says of which kingdom a pixel shows the player's colour.
    """

    def __init__(self, image: Image) -> None:
        self.owner: AnyArray = np.full(image.shape[:2], _FREE, np.int8)
        self.coloured: AnyArray = np.full(image.shape[:2], _FREE, np.int8)

    @contextmanager
    def drawing(
        self, image: Image, kingdom: int = _OTHER, recoloured: Callable[[Image], None] | None = None
    ) -> Iterator[None]:
        """Note that what is drawn meanwhile covers the tiles.

        Args:
            image: The picture.
            kingdom: Whose castle it is.
            recoloured: Draws the same with its player's colour changed, where it has one.
        """
        before = image.copy()
        yield
        changed = _differs(before, image, 3)
        self.owner[changed] = kingdom
        self.coloured[changed] = _OTHER
        if recoloured:
            recoloured(before)
            self.coloured[_differs(before, image, _RECOLOURED)] = kingdom

    def add_tile(self, camera: Camera, quad: Array, thickness: float, kingdom: int) -> None:
        """Note that the crown and the rim of a start tile (4, 2) show its player's colour."""
        square = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
        inner = square * (1 - 2 * _RIM) + _RIM
        for outline, sign in ((square, kingdom), (inner, _OTHER), (_CROWN, kingdom)):
            points = quad[0] + outline[:, :1] * (quad[1] - quad[0])
            points = points + outline[:, 1:] * (quad[3] - quad[0])
            corners = camera.project(np.c_[points, np.full(4, thickness)])
            if np.isfinite(corners).all() and np.abs(corners).max() < 20_000:
                cv2.fillConvexPoly(self.coloured, np.round(corners).astype(np.int32), sign)

    def colour_px(self, kingdom: int) -> int:
        """Return how many pixels show the colour of a kingdom, but for what is thinner than two."""
        owned = (self.coloured == kingdom).astype(np.uint8)
        return int(cv2.erode(owned, _SQUARE_OF_PIXELS).sum())

    def visible(self, quad: Array, own: int = _FREE) -> float:
        """Return the share of a polygon (n, 2) in pixels that can be seen.

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


def _differs(before: Image, image: Image, steps: int) -> Mask:
    """Return (h, w) where pictures differ by more than some steps of a channel."""
    gap = np.asarray(cv2.absdiff(before, image), np.uint8)
    return np.asarray((gap[..., 0] | gap[..., 1] | gap[..., 2]) > steps)


def visible_places(cover: Cover, camera: Camera, spread: Spread, number: int) -> Array:
    """Return the visible share of every place of a kingdom and `RING` more on each side.

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
    """Return where the kingdoms and all squares lie in the picture, and their visible shares."""
    kingdoms: list[KingdomTruth] = []
    squares: list[SquareTruth] = []
    for number, spread in enumerate(spreads):
        kingdom = KingdomTruth(
            line=str(spread.kingdom),
            homography=camera.plane(spread.pieces[0].thickness) @ spread.pose,
            visible=visible_places(cover, camera, spread, number),
            dominoes=spread.dominoes,
            colour=spread.colour,
            shown_by=spread.shown_by,
            colour_px=cover.colour_px(number),
        )
        kingdoms.append(kingdom)
        for piece in spread.pieces:
            squares.extend(_projected(piece, camera, number, cover))
    for piece in loose:
        squares.extend(_projected(piece, camera, -1, cover))
    return kingdoms, squares


def _projected(piece: Piece, camera: Camera, kingdom: int, cover: Cover) -> Iterator[SquareTruth]:
    for quad, label in piece.squares:
        corners = camera.project(np.c_[quad, np.full(4, piece.thickness)])
        own = kingdom if label == CASTLE_LABEL else _FREE
        yield SquareTruth(corners, label, kingdom, cover.visible(corners, own))
