"""The detector: on a whole photo, or on a kingdom as seen from above, and what its fields say.

For every fourth pixel the network says whether a square of a tile lies there, whether it is the
castle, where the square's centre is, how large it is, and along which axes its lattice runs. Axes
are only known up to a quarter turn, so they come as the two symmetric functions of their squares:
with the axes as complex numbers `e1`, `e2` (x + iy, in units of the square's size) the planes `p`
and `s` hold `(e1 * e2)**2` and `e1**2 + e2**2`, which no quarter turn changes.
"""

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from kdvision.arrays import Array, Image, median, sigmoid
from kdvision.concurrency import in_turn
from kdvision.photo.resizing import resize
from kdvision.vision.geometry import View, inverse, local_axes, project, rectify, shift_origin
from kdvision.vision.grid.settings import GRID
from kdvision.vision.grid.voting import STRIDE, Squares, find_squares
from kdvision.vision.models import Model

#: Pixels that go through the detector at once: memory, not accuracy.
MOST_PIXELS_AT_ONCE = 640_000
#: Rows around them that are shown to it and not asked for.
_HALO_ROWS = 64
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
        photo: The decoded photo.
    """

    squares: Squares
    tile: NDArray[np.float32]
    to_view: Array
    size: tuple[int, int]
    photo: View

    @property
    def factor(self) -> float:
        """Pixels of the network's input per pixel of the photo, in a view of all of it."""
        return float(np.sqrt(np.linalg.det(self.to_view)))

    @property
    def square_px(self) -> float:
        """The median side of the squares in the network's input; 0 where there are none."""
        return median(self.squares.scales) * self.factor if len(self.squares) else 0.0

    def tile_share(self, homography: Array, rows: int, cols: int) -> tuple[Array, Array]:
        """Return how much of each place of a window looks like a tile.

        Args:
            homography: (3, 3) from lattice coordinates to decoded pixels.
            rows: Rows of the window, which starts at lattice (0, 0).
            cols: Its columns.

        Returns:
            (rows, cols) the mean tile probability in the middle of each place, which is 0 beyond
            the view, and that of all of it that lies in the view, 0.5 where nothing does.
        """
        middle, inside = self._sample_tile(homography, rows, cols, _MIDDLE_POINTS)
        whole, seen = self._sample_tile(homography, rows, cols, _WHOLE_POINTS)
        count = seen.sum(axis=(1, 3))
        share = (whole * seen).sum(axis=(1, 3)) / np.maximum(count, 1)
        return (middle * inside).mean(axis=(1, 3)), np.where(count > 0, share, 0.5)

    def _sample_tile(
        self, homography: Array, rows: int, cols: int, steps: Array
    ) -> tuple[Array, NDArray[np.bool_]]:
        """Return tile probabilities (rows, k, cols, k) at k x k points a place, and which show."""
        x = (np.arange(cols)[:, None] + 0.5 + steps).ravel()
        y = (np.arange(rows)[:, None] + 0.5 + steps).ravel()
        points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        pixels = project(homography, points)
        at = project(self.to_view, pixels)
        seen = _within(pixels, self.photo.pixels.shape[1::-1]) & _within(at, self.size)
        at = ((at + 0.5) / STRIDE - 0.5).astype(np.float32)
        sampled = cv2.remap(
            self.tile, at[:, 0], at[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        shape = (rows, len(steps), cols, len(steps))
        return np.asarray(sampled.reshape(shape), np.float64), seen.reshape(shape)


def detect_all(photo: View, model: Model, view_px: int | None = None) -> Detection:
    """Find squares in all of a photo.

    Args:
        photo: The decoded photo.
        model: The model `grid`.
        view_px: The longer side of the network's input; None takes `GRID.view_px`.
    """
    height, width = photo.pixels.shape[:2]
    factor = min((view_px or GRID.view_px) / max(height, width), GRID.most_enlarged)
    size = max(round(width * factor), 16), max(round(height * factor), 16)
    view = resize(photo.pixels, size)
    x, y = size[0] / width, size[1] / height
    to_view = np.array([[x, 0, 0.5 * x - 0.5], [0, y, 0.5 * y - 0.5], [0, 0, 1]])
    return _detect(view, model, to_view, photo)


def detect_from_above(
    photo: View, model: Model, lattice: Array, window: tuple[Array, Array], px: int
) -> Detection:
    """Find squares where those of a kingdom are shown upright and `px` pixels wide.

    Args:
        photo: The decoded photo.
        model: The model `grid`.
        lattice: (3, 3) from lattice coordinates (column, row) to pixels.
        window: Lattice coordinates between which the view lies. Less is shown where the photo
            ends.
        px: Pixels of the network's input per square.
    """
    low, high = _clip_window(lattice, window, photo.pixels.shape[1::-1])
    cols, rows = np.maximum(np.round((high - low) * px), 16).astype(int).tolist()
    to_lattice = np.array([[1 / px, 0, low[0]], [0, 1 / px, low[1]], [0, 0, 1]])
    from_corner = lattice @ to_lattice
    view = rectify(photo.pixels, from_corner, (rows, cols), px=1, beyond=cv2.BORDER_CONSTANT)
    return _detect(view, model, inverse(shift_origin(from_corner, 0.5, 0.5)), photo)


def _clip_window(
    lattice: Array, window: tuple[Array, Array], size: tuple[int, ...]
) -> tuple[Array, Array]:
    """Clip a window to the part in which the photo lies: beyond its border is no table."""
    width, height = size
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5
    moved = np.c_[corners, np.ones(4)] @ inverse(lattice).T
    low, high = window
    if (moved[:, 2] <= 0).any():
        return low, high  # the photo reaches over the horizon
    at = moved[:, :2] / moved[:, 2:]
    return np.maximum(low, at.min(axis=0)), np.minimum(high, at.max(axis=0))


def _detect(view: Image, model: Model, to_view: Array, photo: View) -> Detection:
    """Run the network on a picture whose pixels lie in the photo as `to_view` says."""
    height, width = view.shape[:2]
    view = np.asarray(
        cv2.copyMakeBorder(view, 0, -height % 16, 0, -width % 16, cv2.BORDER_REPLICATE)
    )
    fields = _run_bands(view, model)
    tile = np.asarray(sigmoid(fields[0]), np.float32)
    squares = _move_to_photo(find_squares(fields), inverse(to_view))
    return Detection(squares, tile, to_view, (width, height), photo)


def _run_bands(view: Image, model: Model) -> NDArray[np.float32]:
    """Run the network on RGB (h, w, 3), sides multiples of 16: its output (9, h / 4, w / 4).

    Large pictures go through in bands: memory must not follow the photo. Each is shown with
    `_HALO_ROWS` rows more on either side, whose output is left out.
    """
    height, width = view.shape[:2]
    halo = _HALO_ROWS
    rows = max(MOST_PIXELS_AT_ONCE // width - 2 * halo, 64) // 16 * 16
    if height <= rows + 2 * halo:
        return _run(view, model)
    parts = []
    for top in range(0, height, rows):
        low, high = max(top - halo, 0), min(top + rows + halo, height)
        with in_turn(large=True):
            fields = _run(view[low:high], model)
        parts.append(fields[:, (top - low) // STRIDE : (top - low + rows) // STRIDE])
    return np.concatenate(parts, axis=1)


def _run(view: Image, model: Model) -> NDArray[np.float32]:
    """Return what the network says of one picture."""
    return np.asarray(model.run(view[None])[0], np.float32)


def _move_to_photo(squares: Squares, to_photo: Array) -> Squares:
    """Return squares of the network's input in pixels of the photo."""
    if not len(squares):
        return squares
    steps = local_axes(to_photo, squares.centres)
    scales = squares.scales * np.sqrt(np.abs(np.linalg.det(steps)))
    centres = project(to_photo, squares.centres)
    return Squares(centres, squares.axes @ steps, scales, squares.votes, squares.castle)


def _within(points: Array, size: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return (n,): whether points (n, 2) lie in a picture of that width and height."""
    return np.asarray(((points > -0.5) & (points < np.array(size) - 0.5)).all(axis=1))
