"""The detector: on a whole photo, or on a kingdom as seen from above, and what its fields say.

For every fourth pixel the network says whether a square of a tile lies there, whether it is the
castle, where the square's centre is, how large it is, and along which axes its lattice runs. Axes
are only known up to a quarter turn, so they come as the two symmetric functions of their squares:
with the axes as complex numbers `e1`, `e2` (x + iy, in units of the square's size) the planes `p`
and `s` hold `(e1 * e2)**2` and `e1**2 + e2**2`, which no quarter turn changes.

Every pixel votes for its centre (a Hough vote); a peak of the votes is a square. What is left of
squares that overlap goes by non-maximum suppression.
"""

import math

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import astuple
from numpy.typing import NDArray

from kdvision.arrays import Array, Image, median
from kdvision.concurrency import in_turn
from kdvision.photo.photo import resize
from kdvision.vision.geometry import inverse, local_axes, project, rectify, shift_origin
from kdvision.vision.models import CHANNELS, Session
from kdvision.vision.settings import GRID

#: Input pixels per output pixel.
STRIDE = 4
#: `log_scale` is the logarithm of the square's side over this many pixels.
REFERENCE_PX = 32.0
#: Side of a bin of votes in squares, and between which pixels it stays; spread of the blur that
#: smooths them, and width of the window in which a peak is the highest, in bins.
_BIN_SQUARES, _BIN_PX, _BIN_BLUR, _PEAK_BINS = 0.08, (1.0, 8.0), 1.3, 5
#: Share of the highest peak below which a peak is noise. It saves time and decides nothing: the
#: peak of a square of usual size that has `least_votes` is higher, however they are spread.
_LEAST_PEAK = 0.02
#: Pixels that go through the detector at once, and rows around them that are shown but not asked
#: for: memory, not accuracy.
MOST_PIXELS_AT_ONCE, _HALO_ROWS = 640_000, 64
#: Squares around the middle of a place. How much of it is tile is sampled at such points along both
#: axes: those of its middle, and those of all of it.
_MIDDLE_POINTS = np.array((-0.25, 0.0, 0.25))
_WHOLE_POINTS = np.array((-0.36, -0.18, 0.0, 0.18, 0.36))


class Squares(Struct, frozen=True, eq=False):
    """Squares found in a picture, lattices not yet known. Pixels are those of the network's input.

    Attributes:
        centres: (n, 2) x, y.
        axes: (n, 2, 2) `axes[i, 0]` and `axes[i, 1]` are the steps (x, y) to the neighbouring
            squares, the second clockwise of the first as seen; known up to a quarter turn.
        scales: (n,) side in pixels.
        votes: (n,) share of the square's area that voted for it, about 1 for a clear square.
        castle: (n,) mean castle probability.
    """

    centres: Array
    axes: Array
    scales: Array
    votes: Array
    castle: Array

    def __len__(self) -> int:
        return len(self.centres)

    def pick(self, index: NDArray[np.int64]) -> "Squares":
        """The squares at some indices."""
        return Squares(*(values[index] for values in astuple(self)))


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
        """Pixels of the network's input per pixel of the photo, in a view of all of it."""
        return float(np.sqrt(np.linalg.det(self.to_view)))

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
        middle, inside = self._sample_tile(homography, rows, cols, _MIDDLE_POINTS)
        whole, seen = self._sample_tile(homography, rows, cols, _WHOLE_POINTS)
        count = seen.sum(axis=(1, 3))
        share = (whole * seen).sum(axis=(1, 3)) / np.maximum(count, 1)
        return (middle * inside).mean(axis=(1, 3)), np.where(count > 0, share, 0.5)

    def _sample_tile(
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
    view = resize(pixels, size)
    x, y = size[0] / width, size[1] / height
    to_view = np.array([[x, 0, 0.5 * x - 0.5], [0, y, 0.5 * y - 0.5], [0, 0, 1]])
    return _detect(view, session, to_view, pixels)


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
    low, high = _clip_window(lattice, window, pixels.shape[1::-1])
    cols, rows = np.maximum(np.round((high - low) * px), 16).astype(int).tolist()
    to_lattice = np.array([[1 / px, 0, low[0]], [0, 1 / px, low[1]], [0, 0, 1]])
    from_corner = lattice @ to_lattice
    view = rectify(pixels, from_corner, rows, cols, px=1, beyond=cv2.BORDER_CONSTANT)
    return _detect(view, session, inverse(shift_origin(from_corner, 0.5, 0.5)), pixels)


def _clip_window(
    lattice: Array, window: tuple[Array, Array], size: tuple[int, ...]
) -> tuple[Array, Array]:
    """The part of a window in which the photo lies: what is beyond its border is no table."""
    width, height = size
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5
    moved = np.c_[corners, np.ones(4)] @ inverse(lattice).T
    low, high = window
    if (moved[:, 2] <= 0).any():
        return low, high  # the photo reaches over the horizon
    at = moved[:, :2] / moved[:, 2:]
    return np.maximum(low, at.min(axis=0)), np.minimum(high, at.max(axis=0))


def _detect(view: Image, session: Session, to_view: Array, pixels: Image) -> Detection:
    """Run the network on a picture whose pixels lie in the photo as `to_view` says."""
    height, width = view.shape[:2]
    view = np.asarray(
        cv2.copyMakeBorder(view, 0, -height % 16, 0, -width % 16, cv2.BORDER_REPLICATE)
    )
    fields = _run_bands(view, session)
    tile = np.asarray(_sigmoid(fields[0]), np.float32)
    extent = (pixels.shape[1], pixels.shape[0])
    squares = _move_to_photo(find_squares(fields), inverse(to_view))
    return Detection(squares, tile, to_view, (width, height), extent)


def _run_bands(view: Image, session: Session) -> NDArray[np.float32]:
    """The network's output (9, h / 4, w / 4) for RGB (h, w, 3) whose sides are multiples of 16.

    Large pictures go through in bands: memory must not follow the photo. Each is shown with
    `_HALO_ROWS` rows more on either side, whose output is left out.
    """
    height, width = view.shape[:2]
    halo = _HALO_ROWS
    rows = max(MOST_PIXELS_AT_ONCE // width - 2 * halo, 64) // 16 * 16
    if height <= rows + 2 * halo:
        return _run(view, session)
    parts = []
    for top in range(0, height, rows):
        low, high = max(top - halo, 0), min(top + rows + halo, height)
        with in_turn(large=True):
            fields = _run(view[low:high], session)
        parts.append(fields[:, (top - low) // STRIDE : (top - low + rows) // STRIDE])
    return np.concatenate(parts, axis=1)


def _run(view: Image, session: Session) -> NDArray[np.float32]:
    return np.asarray(session.run(None, {"rgb": view[None]})[0][0], np.float32)


def _move_to_photo(squares: Squares, to_photo: Array) -> Squares:
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


def find_squares(fields: NDArray[np.float32]) -> Squares:
    """Squares from the network's output (9, h/4, w/4)."""
    index = np.flatnonzero(fields[0] > math.log(GRID.tile_from / (1 - GRID.tile_from)))
    if len(index) < 4:
        return Squares(np.zeros((0, 2)), np.zeros((0, 2, 2)), *np.zeros((3, 0)))
    values = fields.reshape(len(CHANNELS), -1).take(index, axis=1).astype(np.float64)
    scales = REFERENCE_PX * np.exp(np.clip(values[4], -2.5, 3.5))
    ys, xs = np.divmod(index, fields.shape[2])
    at = np.stack([xs, ys]) * STRIDE + (STRIDE - 1) / 2
    centres = at + values[2:4] * scales
    share = _sigmoid(values[0]) * (STRIDE / scales) ** 2
    seeds, nearest = _find_peaks(centres, scales, share)
    return _gather(
        _Votes(centres, scales, share, _merge_peaks(seeds, nearest, scales)), seeds, values
    )


def _find_peaks(centres: Array, scales: Array, share: Array) -> tuple[Array, NDArray[np.int64]]:
    """The peaks (2, m) of votes (2, n), the highest first, and the nearest to each vote (n,)."""
    bin_px = float(np.clip(median(scales) * _BIN_SQUARES, *_BIN_PX))
    low = centres.min(axis=1, keepdims=True) - 4 * bin_px
    cells = ((centres - low) / bin_px).astype(int)
    width, height = (cells.max(axis=1) + 5).tolist()
    votes = np.bincount(cells[1] * width + cells[0], share, width * height)
    piled = cv2.GaussianBlur(votes.reshape(height, width).astype(np.float32), (0, 0), _BIN_BLUR)
    rows, cols = np.nonzero(mark_peaks(np.asarray(piled, np.float32)))
    order = np.argsort(-piled[rows, cols], kind="stable")
    rows, cols = rows[order], cols[order]
    away = np.ones((height, width), np.uint8)
    away[rows, cols] = 0
    _, labels = cv2.distanceTransformWithLabels(
        away, cv2.DIST_L2, 3, labelType=cv2.DIST_LABEL_PIXEL
    )
    number = np.zeros(len(rows) + 1, np.int64)
    number[labels[rows, cols]] = np.arange(len(rows))
    return np.stack([cols + 0.5, rows + 0.5]) * bin_px + low, number[labels[cells[1], cells[0]]]


def mark_peaks(votes: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Where votes (h, w) are the highest around, and more than noise."""
    highest = cv2.dilate(votes, np.ones((_PEAK_BINS, _PEAK_BINS), np.uint8))
    return np.asarray((votes == highest) & (votes > votes.max() * _LEAST_PEAK))


def _merge_peaks(seeds: Array, nearest: NDArray[np.int64], scales: Array) -> NDArray[np.int64]:
    """The peak (n,) of each vote, where of two peaks in one square the higher one gets all."""
    count = seeds.shape[1]
    sides = _sums(nearest, count, scales) / np.maximum(np.bincount(nearest, minlength=count), 1)
    gaps = ((seeds[:, :, None] - seeds[:, None]) ** 2).sum(axis=0)
    close = np.tril(gaps < (GRID.same_peak * np.minimum(sides, sides[:, None])) ** 2, -1)
    taker = np.arange(count)
    for weaker in np.nonzero(close.any(axis=1))[0].tolist():
        strong = np.nonzero(close[weaker] & (taker == np.arange(count)))[0]
        taker[weaker] = strong[0] if len(strong) else weaker
    return taker[nearest]


class _Votes(Struct, frozen=True, eq=False):
    """Votes of pixels: for which centres (2, n), of which sides (n,), how much, for which seed."""

    centres: Array
    scales: Array
    share: Array
    seed: NDArray[np.int64]


def _gather(votes: _Votes, seeds: Array, values: Array) -> Squares:
    """Average the votes around each seed: first those near it, then those near their mean."""
    count = seeds.shape[1]
    gaps = np.abs(votes.centres - seeds[:, votes.seed]).max(axis=0)
    weight = np.where(gaps < GRID.vote_reach * votes.scales, votes.share, 0.0)
    total = _sums(votes.seed, count, weight)
    enough = total >= GRID.least_votes / 2
    middle = _means(votes.seed, total, weight, votes.centres)
    gaps = ((votes.centres - middle[:, votes.seed]) ** 2).sum(axis=0)
    weight = np.where(gaps < (GRID.vote_reach * votes.scales) ** 2, votes.share, 0.0)
    total = _sums(votes.seed, count, weight)
    kept = np.nonzero(enough & (total >= GRID.least_votes))[0]
    planes = np.concatenate([votes.centres, _sigmoid(values[1:2]), values[4:]])
    x, y, castle, log_scale, *frame = _means(votes.seed, total, weight, planes)[:, kept]
    sides = REFERENCE_PX * np.exp(log_scale)
    axes = _solve_axes(np.array(frame), sides)
    return _suppress(Squares(np.stack([x, y], axis=1), axes, sides, total[kept], castle))


def _sums(group: NDArray[np.int64], count: int, weight: Array) -> Array:
    """The sum of weights (n,) in each of `count` groups."""
    return np.asarray(np.bincount(group, weight, count), np.float64)


def _means(group: NDArray[np.int64], total: Array, weight: Array, planes: Array) -> Array:
    """The weighted means (k, count) of planes (k, n), whose weights add up to `total` (count,)."""
    sums = [_sums(group, len(total), weight * plane) for plane in planes]
    return np.asarray(np.stack(sums) / np.maximum(total, 1e-9))


def _suppress(squares: Squares) -> Squares:
    """Non-maximum suppression: of squares that overlap, only the one with most votes stays."""
    kept: list[int] = []
    offsets = squares.centres[:, None] - squares.centres[None]
    close = (offsets**2).sum(axis=2) < (GRID.suppression_reach * squares.scales[:, None]) ** 2
    for index in np.argsort(-squares.votes, kind="stable").tolist():
        if not close[index, kept].any():
            kept.append(index)
    return squares.pick(np.array(kept, np.int64))


def _solve_axes(frame: Array, sides: Array) -> Array:
    """The two axes (n, 2, 2) in pixels from the means (4, n) of the planes `p` and `s`.

    The second lies clockwise of the first.
    """
    product, total = frame[0] + 1j * frame[1], frame[2] + 1j * frame[3]
    root = np.sqrt(total * total - 4 * product)
    first, second = np.sqrt((total + root) / 2), np.sqrt((total - root) / 2)
    area = first.real * second.imag - first.imag * second.real
    second = np.where(area < 0, -second, second)
    axes = np.stack([first.real, first.imag, second.real, second.imag], axis=1).reshape(-1, 2, 2)
    return np.asarray(axes * (sides / np.sqrt(np.maximum(np.abs(area), 0.05)))[:, None, None])


def _sigmoid(x: NDArray[np.floating]) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -40, 40))))
