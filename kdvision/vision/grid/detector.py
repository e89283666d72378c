"""Calling the detector: on a whole photo, or on a kingdom as seen from above."""

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from kdvision.arrays import Array, Image, median
from kdvision.concurrency import in_turn
from kdvision.photo.resize import resized
from kdvision.vision.geometry import inverse, local_axes, project, rectify, starting_at
from kdvision.vision.grid.voting import STRIDE, Squares, find_squares
from kdvision.vision.models import Session
from kdvision.vision.settings import GRID

#: Pixels that go through the detector at once, and rows around them that are shown but not asked
#: for: memory, not accuracy.
MOST_PIXELS_AT_ONCE, _HALO_ROWS = 640_000, 64
#: Squares around the middle of a place. How much of it is tile is sampled at such points along both
#: axes: those of its middle, and those of all of it.
_MIDDLE_POINTS = np.array((-0.25, 0.0, 0.25))
_WHOLE_POINTS = np.array((-0.36, -0.18, 0.0, 0.18, 0.36))


class Detection(Struct, frozen=True, eq=False):
    """What the detector found in a view: a photo made smaller, or a part of it from above.

    Attributes:
        squares: The squares, in pixels of the decoded photo.
        tile: (h / 4, w / 4) tile probability.
        to_view: (3, 3) homography from pixels of the decoded photo to those of the network's
            input, pixel centres at whole numbers.
        size: Width and height of the view in the network's input.
        extent: Width and height of the decoded photo.
    """

    squares: Squares
    tile: NDArray[np.float32]
    to_view: Array
    size: tuple[int, int]
    extent: tuple[int, int]

    @property
    def factor(self) -> float:
        """Pixels of the network's input per pixel of the photo, in the middle of the view."""
        middle = project(inverse(self.to_view), np.array([self.size]) / 2)
        return float(np.sqrt(abs(np.linalg.det(local_axes(self.to_view, middle)[0]))))

    @property
    def square_px(self) -> float:
        """The median side of the squares in the network's input; 0 where there are none."""
        return median(self.squares.scales) * self.factor if len(self.squares) else 0.0

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
        middle, inside = self._tile_at(homography, rows, cols, _MIDDLE_POINTS)
        every, seen = self._tile_at(homography, rows, cols, _WHOLE_POINTS)
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
        pixels = project(homography, points)
        at = project(self.to_view, pixels)
        seen = _within(pixels, self.extent) & _within(at, self.size)
        at = ((at + 0.5) / STRIDE - 0.5).astype(np.float32)
        sampled = cv2.remap(
            self.tile, at[:, 0], at[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        shape = (rows, len(steps), cols, len(steps))
        return np.asarray(sampled.reshape(shape), np.float64), seen.reshape(shape)


def detect_all(pixels: Image, session: Session, view_px: int | None = None) -> Detection:
    """What the detector finds in all of a photo.

    Args:
        pixels: RGB (h, w, 3).
        session: The model `grid`.
        view_px: The longer side of the network's input; None takes `GRID.view_px`.
    """
    height, width = pixels.shape[:2]
    factor = min((view_px or GRID.view_px) / max(height, width), GRID.most_enlarged)
    size = max(round(width * factor), 16), max(round(height * factor), 16)
    shown = resized(pixels, size)
    x, y = size[0] / width, size[1] / height
    to_view = np.array([[x, 0, 0.5 * x - 0.5], [0, y, 0.5 * y - 0.5], [0, 0, 1]])
    return _detect(shown, session, to_view, pixels)


def detect_from_above(
    pixels: Image, session: Session, lattice: Array, window: tuple[Array, Array], px: int
) -> Detection:
    """What the detector finds of a kingdom when its squares are upright and `px` pixels wide.

    Args:
        pixels: RGB (h, w, 3).
        session: The model `grid`.
        lattice: (3, 3) from lattice coordinates (column, row) to pixels.
        window: Lattice coordinates between which the view lies. Less is shown where the photo
            ends.
        px: Pixels of the network's input per square.
    """
    low, high = _clipped(lattice, window, pixels.shape[1::-1])
    cols, rows = np.maximum(np.round((high - low) * px), 16).astype(int).tolist()
    to_lattice = np.array([[1 / px, 0, low[0]], [0, 1 / px, low[1]], [0, 0, 1]])
    from_corner = lattice @ to_lattice
    shown = rectify(pixels, from_corner, rows, cols, px=1, beyond=cv2.BORDER_CONSTANT)
    return _detect(shown, session, inverse(starting_at(from_corner, 0.5, 0.5)), pixels)


def _clipped(
    lattice: Array, window: tuple[Array, Array], size: tuple[int, ...]
) -> tuple[Array, Array]:
    """The part of a window in which the photo lies: what is beyond its border is no table."""
    width, height = size
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5
    moved = np.c_[corners, np.ones(4)] @ inverse(lattice).T
    low, high = window
    if (moved[:, 2] <= 0).any() and (moved[:, 2] >= 0).any():
        return low, high  # the photo reaches over the horizon
    at = moved[:, :2] / moved[:, 2:]
    return np.maximum(low, at.min(axis=0)), np.minimum(high, at.max(axis=0))


def _detect(shown: Image, session: Session, to_view: Array, pixels: Image) -> Detection:
    """Run the network on a picture whose pixels lie in the photo as `to_view` says."""
    height, width = shown.shape[:2]
    shown = np.asarray(
        cv2.copyMakeBorder(shown, 0, -height % 16, 0, -width % 16, cv2.BORDER_REPLICATE)
    )
    fields = _fields(shown, session)
    tile = np.asarray(1 / (1 + np.exp(-np.clip(fields[0], -30, 30))), np.float32)
    extent = (pixels.shape[1], pixels.shape[0])
    squares = _in_photo(find_squares(fields), inverse(to_view))
    return Detection(squares, tile, to_view, (width, height), extent)


def _fields(shown: Image, session: Session) -> NDArray[np.float32]:
    """The network's output (9, h / 4, w / 4) for RGB (h, w, 3) whose sides are multiples of 16.

    Large pictures go through in bands: memory must not follow the photo. Each is shown with
    `_HALO_ROWS` rows more on either side, whose output is left out.
    """
    height, width = shown.shape[:2]
    halo = _HALO_ROWS
    rows = max(MOST_PIXELS_AT_ONCE // width - 2 * halo, 64) // 16 * 16
    if height <= rows + 2 * halo:
        return _run(shown, session)
    parts = []
    for top in range(0, height, rows):
        low, high = max(top - halo, 0), min(top + rows + halo, height)
        with in_turn(large=True):
            fields = _run(shown[low:high], session)
        parts.append(fields[:, (top - low) // STRIDE : (top - low + rows) // STRIDE])
    return np.concatenate(parts, axis=1)


def _run(shown: Image, session: Session) -> NDArray[np.float32]:
    return np.asarray(session.run(None, {"rgb": shown[None]})[0][0], np.float32)


def _in_photo(squares: Squares, to_photo: Array) -> Squares:
    """Squares of the network's input in pixels of the photo."""
    if not len(squares):
        return squares
    steps = local_axes(to_photo, squares.centres)
    scales = squares.scales * np.sqrt(np.abs(np.linalg.det(steps)))
    centres = project(to_photo, squares.centres)
    return Squares(centres, squares.axes @ steps, scales, squares.votes, squares.castle)


def _within(points: Array, size: tuple[int, int]) -> NDArray[np.bool_]:
    """(n,) whether points (n, 2) lie in a picture of that width and height."""
    return np.asarray(((points > -0.5) & (points < np.array(size) - 0.5)).all(axis=1))
