"""Dense fields of a network become square centres with local axes.

For every fourth pixel the network says whether a square of a tile lies there, whether it is the
castle, where the square's centre is, how large it is, and along which axes its lattice runs. Axes
are only known up to a quarter turn, so they come as the two symmetric functions of their squares:
with the axes as complex numbers `e1`, `e2` (x + iy, in units of the square's size) the planes `p`
and `s` hold `(e1 * e2)**2` and `e1**2 + e2**2`, which no quarter turn changes.

Every pixel votes for its centre; where votes pile up, there is a square.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

#: The planes of the network's output, in order.
CHANNELS = ("tile", "castle", "dx", "dy", "log_scale", "p_re", "p_im", "s_re", "s_im")
#: Input pixels per output pixel.
STRIDE = 4
#: `log_scale` is the logarithm of the square's side over this many pixels.
REFERENCE_PX = 32.0

#: Below this a pixel is no tile and does not vote.
_TILE_LOGIT = 0.0
#: A centre must gather this share of the votes that a whole square casts.
_LEAST_VOTES = 0.25
#: A vote counts for a centre that lies this near, in squares.
_REACH = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Squares:
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
        return Squares(
            self.centres[index],
            self.axes[index],
            self.scales[index],
            self.votes[index],
            self.castle[index],
        )


def find_squares(fields: NDArray[np.float32]) -> Squares:
    """Squares from the network's output (9, h/4, w/4)."""
    ys, xs = np.nonzero(fields[0] > _TILE_LOGIT)
    if len(xs) < 4:
        return _none()
    values = fields[:, ys, xs].astype(np.float64)
    scales = REFERENCE_PX * np.exp(np.clip(values[4], -2.5, 3.5))
    at = np.c_[xs, ys] * STRIDE + (STRIDE - 1) / 2
    centres = at + values[2:4].T * scales[:, None]
    share = _sigmoid(values[0]) * (STRIDE / scales) ** 2
    seeds = _peaks(centres, scales, share)
    return _gather(seeds, centres, scales, share, values)


def _peaks(centres: Array, scales: Array, share: Array) -> Array:
    """Where votes pile up: (n, 2), the strongest first."""
    bin_px = float(np.clip(np.median(scales) * 0.08, 1.0, 8.0))
    low = centres.min(axis=0) - 4 * bin_px
    cells = np.floor((centres - low) / bin_px).astype(int)
    width, height = cells.max(axis=0) + 5
    votes = np.bincount(cells[:, 1] * width + cells[:, 0], share, width * height)
    piled = cv2.GaussianBlur(votes.reshape(height, width).astype(np.float32), (0, 0), 1.3)
    highest = cv2.dilate(piled, np.ones((5, 5), np.uint8))
    rows, cols = np.nonzero((piled == highest) & (piled > piled.max() * 0.02))
    order = np.argsort(-piled[rows, cols])
    return np.asarray(np.c_[cols[order] + 0.5, rows[order] + 0.5] * bin_px + low)


def _gather(seeds: Array, centres: Array, scales: Array, share: Array, values: Array) -> Squares:
    """Average the votes around each seed; a vote counts once, for the first seed that takes it."""
    order = np.argsort(centres[:, 1], kind="stable")
    centres, scales, share, values = centres[order], scales[order], share[order], values[:, order]
    castle = _sigmoid(values[1])
    # No vote reaches further than this; the votes are sorted by y, so few are asked.
    reach = 2 * _REACH * float(scales.max())
    starts = np.searchsorted(centres[:, 1], seeds[:, 1] - reach)
    stops = np.searchsorted(centres[:, 1], seeds[:, 1] + reach)
    free = np.ones(len(centres), bool)
    found = []
    for seed, start, stop in zip(seeds, starts, stops, strict=True):
        beside = np.abs(centres[start:stop, 0] - seed[0]) < reach
        some = start + np.nonzero(beside & free[start:stop])[0]
        limit = _REACH * scales[some]
        near = some[np.abs(centres[some] - seed).max(axis=1) < limit]
        total = share[near].sum()
        if total < _LEAST_VOTES * 0.5:
            continue
        centre = share[near] @ centres[near] / total
        near = some[((centres[some] - centre) ** 2).sum(axis=1) < limit**2]
        weight = share[near]
        total = weight.sum()
        if total < _LEAST_VOTES:
            continue
        free[near] = False
        mean = values[:, near] @ weight / total
        side = REFERENCE_PX * np.exp(mean[4])
        likeness = castle[near] @ weight / total
        found.append((weight @ centres[near] / total, _axes(mean, side), side, total, likeness))
    if not found:
        return _none()
    return _apart(Squares(*(np.array(column, float) for column in zip(*found, strict=True))))


def _apart(squares: Squares) -> Squares:
    """Of two squares nearer than half a side the stronger one stays."""
    kept: list[int] = []
    for index in np.argsort(-squares.votes):
        gaps = np.linalg.norm(squares.centres[kept] - squares.centres[index], axis=1)
        if not (gaps < 0.5 * squares.scales[index]).any():
            kept.append(int(index))
    return squares.pick(np.array(kept, np.int64))


def _axes(mean: Array, side: float) -> Array:
    """The two axes (2, 2) in pixels from the mean planes, the second clockwise of the first."""
    product, total = complex(mean[5], mean[6]), complex(mean[7], mean[8])
    root = np.sqrt(total * total - 4 * product)
    first, second = np.sqrt((total + root) / 2), np.sqrt((total - root) / 2)
    if first.real * second.imag - first.imag * second.real < 0:
        second = -second
    axes = np.array([[first.real, first.imag], [second.real, second.imag]])
    area = abs(axes[0, 0] * axes[1, 1] - axes[0, 1] * axes[1, 0])
    return np.asarray(axes * side / np.sqrt(max(area, 0.05)))


def _sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -40, 40))))


def _none() -> Squares:
    return Squares(np.zeros((0, 2)), np.zeros((0, 2, 2)), np.zeros(0), np.zeros(0), np.zeros(0))
