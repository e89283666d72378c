"""Every pixel of the detector votes for the centre of its square (a Hough vote).

A peak of the votes is a square. Of squares that overlap non-maximum suppression leaves one.
"""

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import astuple
from numpy.typing import NDArray

from kdvision.arrays import Array, median, sigmoid
from kdvision.odds import logit
from kdvision.vision.grid.settings import GRID
from kdvision.vision.models import CHANNELS

#: Input pixels per output pixel.
STRIDE = 4
#: `log_scale` is the logarithm of the square's side over this many pixels.
REFERENCE_PX = 32.0
#: Side of a bin of votes, in squares.
_BIN_SQUARES = 0.08
#: The smallest and the largest side of a bin in pixels.
_BIN_PX = (1.0, 8.0)
#: Spread of the blur that smooths votes, in bins.
_BIN_BLUR = 1.3
#: Width of the window in which a peak is the highest, in bins.
_PEAK_BINS = 5
#: Share of the highest peak below which a peak is noise. It saves time and decides nothing: the
#: peak of a square of usual size that has `least_votes` is higher, however they are spread.
_LEAST_PEAK = 0.02


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
        """Return the squares at some indices."""
        return Squares(*(values[index] for values in astuple(self)))


def find_squares(fields: NDArray[np.float32]) -> Squares:
    """Find the squares in the network's output (9, h/4, w/4)."""
    index = np.flatnonzero(fields[0] > logit(GRID.tile_from))
    if len(index) < 4:
        return Squares(np.zeros((0, 2)), np.zeros((0, 2, 2)), *np.zeros((3, 0)))
    values = fields.reshape(len(CHANNELS), -1).take(index, axis=1).astype(np.float64)
    scales = REFERENCE_PX * np.exp(np.clip(values[4], -2.5, 3.5))
    ys, xs = np.divmod(index, fields.shape[2])
    at = np.stack([xs, ys]) * STRIDE + (STRIDE - 1) / 2
    centres = at + values[2:4] * scales
    share = sigmoid(values[0]) * (STRIDE / scales) ** 2
    seeds, nearest = _find_peaks(centres, scales, share)
    return _gather(
        _Votes(centres, scales, share, _merge_peaks(seeds, nearest, scales)), seeds, values
    )


def _find_peaks(centres: Array, scales: Array, share: Array) -> tuple[Array, NDArray[np.int64]]:
    """Find the peaks (2, m) of votes (2, n), highest first, and the nearest to each vote (n,)."""
    # Votes are piled up in bins and smoothed.
    bin_px = float(np.clip(median(scales) * _BIN_SQUARES, *_BIN_PX))
    low = centres.min(axis=1, keepdims=True) - 4 * bin_px
    cells = ((centres - low) / bin_px).astype(int)
    width, height = (cells.max(axis=1) + 5).tolist()
    votes = np.bincount(cells[1] * width + cells[0], share, width * height)
    piled = cv2.GaussianBlur(votes.reshape(height, width).astype(np.float32), (0, 0), _BIN_BLUR)
    # Peaks, the highest first.
    rows, cols = np.nonzero(mark_peaks(np.asarray(piled, np.float32)))
    order = np.argsort(-piled[rows, cols], kind="stable")
    rows, cols = rows[order], cols[order]
    # The nearest peak to every bin: a label of the distance transform is a peak.
    away = np.ones((height, width), np.uint8)
    away[rows, cols] = 0
    _, labels = cv2.distanceTransformWithLabels(
        away, cv2.DIST_L2, 3, labelType=cv2.DIST_LABEL_PIXEL
    )
    number = np.zeros(len(rows) + 1, np.int64)
    number[labels[rows, cols]] = np.arange(len(rows))
    return np.stack([cols + 0.5, rows + 0.5]) * bin_px + low, number[labels[cells[1], cells[0]]]


def mark_peaks(votes: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Mark where votes (h, w) are the highest around, and more than noise."""
    highest = cv2.dilate(votes, np.ones((_PEAK_BINS, _PEAK_BINS), np.uint8))
    return np.asarray((votes == highest) & (votes > votes.max() * _LEAST_PEAK))


def _merge_peaks(seeds: Array, nearest: NDArray[np.int64], scales: Array) -> NDArray[np.int64]:
    """Give each vote its peak (n,); of two peaks in one square the higher one gets all."""
    count = seeds.shape[1]
    sides = _sums(nearest, count, scales) / np.maximum(np.bincount(nearest, minlength=count), 1)
    gaps = ((seeds[:, :, None] - seeds[:, None]) ** 2).sum(axis=0)
    close = np.tril(gaps < (GRID.same_peak * np.minimum(sides, sides[:, None])) ** 2, -1)
    # From the highest peak on, each that lies in the square of a higher one gives it its votes.
    taker = np.arange(count)
    for weaker in np.nonzero(close.any(axis=1))[0].tolist():
        strong = np.nonzero(close[weaker] & (taker == np.arange(count)))[0]
        taker[weaker] = strong[0] if len(strong) else weaker
    return taker[nearest]


class _Votes(Struct, frozen=True, eq=False):
    """The votes of pixels.

    Attributes:
        centres: (2, n) x, y of the centre that each votes for.
        scales: (n,) the side of its square, in pixels.
        share: (n,) how much it counts: its share of the area of the square.
        seed: (n,) the index of the peak that it belongs to.
    """

    centres: Array
    scales: Array
    share: Array
    seed: NDArray[np.int64]


def _gather(votes: _Votes, seeds: Array, values: Array) -> Squares:
    """Average the votes around each seed: first those near it, then those near their mean."""
    # The mean of the votes near each seed.
    count = seeds.shape[1]
    gaps = np.abs(votes.centres - seeds[:, votes.seed]).max(axis=0)
    weight = np.where(gaps < GRID.vote_reach * votes.scales, votes.share, 0.0)
    total = _sums(votes.seed, count, weight)
    enough = total >= GRID.least_votes / 2
    middle = _means(votes.seed, total, weight, votes.centres)
    # The votes near that mean; a square has enough of them.
    gaps = ((votes.centres - middle[:, votes.seed]) ** 2).sum(axis=0)
    weight = np.where(gaps < (GRID.vote_reach * votes.scales) ** 2, votes.share, 0.0)
    total = _sums(votes.seed, count, weight)
    kept = np.nonzero(enough & (total >= GRID.least_votes))[0]
    # What these pixels say of the square, on average.
    planes = np.concatenate([votes.centres, sigmoid(values[1:2]), values[4:]])
    x, y, castle, log_scale, *frame = _means(votes.seed, total, weight, planes)[:, kept]
    sides = REFERENCE_PX * np.exp(log_scale)
    axes = _solve_axes(np.array(frame), sides)
    return _suppress(Squares(np.stack([x, y], axis=1), axes, sides, total[kept], castle))


def _sums(group: NDArray[np.int64], count: int, weight: Array) -> Array:
    """Return the sum of weights (n,) in each of `count` groups."""
    return np.asarray(np.bincount(group, weight, count), np.float64)


def _means(group: NDArray[np.int64], total: Array, weight: Array, planes: Array) -> Array:
    """Return the means (k, count) of planes (k, n), whose weights add up to `total` (count,)."""
    sums = [_sums(group, len(total), weight * plane) for plane in planes]
    return np.asarray(np.stack(sums) / np.maximum(total, 1e-9))


def _suppress(squares: Squares) -> Squares:
    """Suppress non-maxima: of squares that overlap, only the one with most votes stays."""
    kept: list[int] = []
    offsets = squares.centres[:, None] - squares.centres[None]
    close = (offsets**2).sum(axis=2) < (GRID.suppression_reach * squares.scales[:, None]) ** 2
    for index in np.argsort(-squares.votes, kind="stable").tolist():
        if not close[index, kept].any():
            kept.append(index)
    return squares.pick(np.array(kept, np.int64))


def _solve_axes(frame: Array, sides: Array) -> Array:
    """Solve for the two axes (n, 2, 2) in pixels, from the means (4, n) of planes `p` and `s`.

    As complex numbers, `p` is the product of the squares of both axes and `s` their sum: these do
    not change when the axes are exchanged or turned by half a turn. The second lies clockwise of
    the first.
    """
    product, total = frame[0] + 1j * frame[1], frame[2] + 1j * frame[3]
    root = np.sqrt(total * total - 4 * product)
    first, second = np.sqrt((total + root) / 2), np.sqrt((total - root) / 2)
    area = first.real * second.imag - first.imag * second.real
    second = np.where(area < 0, -second, second)
    axes = np.stack([first.real, first.imag, second.real, second.imag], axis=1).reshape(-1, 2, 2)
    return np.asarray(axes * (sides / np.sqrt(np.maximum(np.abs(area), 0.05)))[:, None, None])
