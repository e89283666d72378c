"""A part of a photo as the network sees it, and what it sees there."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from kdvision.vision.fields import STRIDE, Squares, find_squares
from kdvision.vision.homography import project

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

#: The longer side of the picture that the network sees first.
LOOK_PX = 512
#: A part is not enlarged more than this.
_MOST_ENLARGED = 4.0


@dataclass(frozen=True, slots=True)
class View:
    """A part of the pixels as the network sees it: left, top, width, height, and the factor."""

    left: int
    top: int
    width: int
    height: int
    factor: float

    @classmethod
    def whole(cls, pixels: Image, look_px: int = LOOK_PX) -> "View":
        """All of the pixels, their longer side as `look_px`."""
        height, width = pixels.shape[:2]
        return cls(0, 0, width, height, min(look_px / max(height, width), _MOST_ENLARGED))

    def look(self, pixels: Image, session: Any) -> "Look":
        """What the network sees in this part."""
        part = pixels[self.top : self.top + self.height, self.left : self.left + self.width]
        size = max(round(self.width * self.factor), 16), max(round(self.height * self.factor), 16)
        # Means are slow, and only needed where more than half of the pixels would be skipped.
        method = cv2.INTER_AREA if self.factor < 0.5 else cv2.INTER_LINEAR
        small = cv2.resize(part, size, interpolation=method)
        right, bottom = -size[0] % 16, -size[1] % 16
        small = cv2.copyMakeBorder(small, 0, bottom, 0, right, cv2.BORDER_REPLICATE)
        tensor = small.transpose(2, 0, 1)[None].astype(np.float32) * np.float32(1 / 255)
        fields = session.run(None, {"rgb": tensor})[0][0]
        ratio = np.array([self.width / size[0], self.height / size[1]])
        tile = np.asarray(1 / (1 + np.exp(-np.clip(fields[0], -30, 30))), np.float32)
        return Look(self._to_pixels(find_squares(fields), size), tile, self, ratio)

    def _to_pixels(self, squares: Squares, size: tuple[int, int]) -> Squares:
        ratio = np.array([self.width / size[0], self.height / size[1]])
        centres = (squares.centres + 0.5) * ratio - 0.5 + [self.left, self.top]
        scales = squares.scales * np.sqrt(ratio.prod())
        return Squares(centres, squares.axes * ratio, scales, squares.votes, squares.castle)


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What the network saw in a view.

    Attributes:
        squares: The squares, in pixels of the decoded photo.
        tile: (h / 4, w / 4) tile probability.
        view: The view.
        ratio: (2,) decoded pixels per pixel of the network's input, along x and y.
    """

    squares: Squares
    tile: NDArray[np.float32]
    view: View
    ratio: Array

    @property
    def square_px(self) -> float:
        """The median side of the squares in the network's input; 0 where there are none."""
        if not len(self.squares):
            return 0.0
        return float(np.median(self.squares.scales)) / float(np.sqrt(self.ratio.prod()))

    def tile_share(self, homography: Array, rows: int, cols: int) -> tuple[Array, Array]:
        """How much of each place of a window looks like a tile.

        Args:
            homography: (3, 3) from lattice coordinates to decoded pixels.
            rows: Rows of the window, which starts at lattice (0, 0).
            cols: Its columns.

        Returns:
            (rows, cols) the mean tile probability in the middle of each place, which is 0 beyond
            the view, and that of all of it that lies in the view, 0.5 where nothing does.
        """
        middle, inside = self._tile_at(homography, rows, cols, np.array([-0.25, 0.0, 0.25]))
        every, seen = self._tile_at(homography, rows, cols, np.array([-0.4, -0.2, 0.0, 0.2, 0.4]))
        count = seen.sum(axis=(1, 3))
        share = (every * seen).sum(axis=(1, 3)) / np.maximum(count, 1)
        return (middle * inside).mean(axis=(1, 3)), np.where(count > 0, share, 0.5)

    def _tile_at(
        self, homography: Array, rows: int, cols: int, steps: Array
    ) -> tuple[Array, NDArray[np.bool_]]:
        """Tile probability (rows, k, cols, k) at k x k points of each place, and which are seen."""
        x = (np.arange(cols)[:, None] + 0.5 + steps).ravel()
        y = (np.arange(rows)[:, None] + 0.5 + steps).ravel()
        points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        at = project(homography, points) - [self.view.left, self.view.top]
        size = [self.view.width, self.view.height]
        seen = ((at > -0.5) & (at < np.array(size) - 0.5)).all(axis=1)
        at = ((at + 0.5) / self.ratio / STRIDE - 0.5).astype(np.float32)
        sampled = cv2.remap(
            self.tile, at[:, 0], at[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        shape = (rows, len(steps), cols, len(steps))
        return np.asarray(sampled.reshape(shape), np.float64), seen.reshape(shape)
