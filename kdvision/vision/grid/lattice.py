"""Squares become lattices: axes led by neighbours, grown from a seed, fitted as a homography.

A lattice gives every square whole coordinates (column, row). Two squares are neighbours when each
lies where the other's axes point. Axes are known up to a quarter turn (see `detector`). In slanted
views the detector takes them for more upright than they are; squares side by side correct that.
Missing squares do no harm. A wrong one would bend the fit, so a square that does not agree is left
out.
"""

import heapq

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from kdvision.arrays import Array, median
from kdvision.vision.geometry import local_axes, project, shift_origin
from kdvision.vision.grid.settings import GRID
from kdvision.vision.grid.voting import Squares

#: How often axes are corrected, each time by the squares that are neighbours by the last ones.
_AXES_ROUNDS = 3
#: Squares within which neighbours lie: the longer axis of a slanted square and more.
_AXES_REACH = 1.9
#: Squares. A step counts the less the further it is from a whole one, by a normal law of this
#: spread.
_STEP_SPREAD = 0.22
#: Squares from a whole step from which on it does not count.
_MOST_STEP_ERROR = 0.45
#: Share of their length by which the axes of neighbours differ at most.
_MOST_AXES_BEND = 0.6
#: An axis as it was detected counts as much as so many exact neighbours.
_OWN_AXES_WEIGHT = 0.35
#: The axes of a neighbour count as much as so many steps: tiles lie loosely, and these steady the
#: mean.
_SHARED_AXES_WEIGHT = 0.5
#: A priori spread of the perspective terms, per square.
_PERSPECTIVE_SPREAD = 0.12
#: A priori spread of a square's place, in squares.
_PLACE_SPREAD = 0.04
#: How much the ends of a square's axes count beside its centre.
_AXIS_WEIGHT = 0.12
#: Squares. Larger errors count by their size, not its square (Huber).
_HUBER = 0.08
#: Steps of Gauss and Newton at most.
_FIT_STEPS = 12
#: How often a lattice is fitted at most.
_FIT_ROUNDS = 7
#: Squares that a full difference of axes counts as, where the nearest neighbour is chosen.
_BEND_PRICE = 0.3
#: The steps (column, row) over one missing place.
_OVER_A_GAP = np.array([(2, 0), (-2, 0), (0, 2), (0, -2)])


def fit_homography(
    squares: Squares, members: NDArray[np.int64], places: NDArray[np.int64]
) -> Array:
    """Fit the homography (3, 3) from lattice coordinates to pixels to squares.

    Each square gives its centre and, less surely, its axes, so that three squares in a row are
    enough. Errors count in squares, large ones less (Huber); perspective is held small unless the
    squares show it.
    """
    centres, scales = squares.centres[members], squares.scales[members]
    origin, unit = centres.mean(axis=0), median(scales)
    middle = places.mean(axis=0) + 0.5
    frame = _align_frames(squares, members, places)
    lattice = places + 0.5 - middle
    points = [lattice]
    targets = [(centres - origin) / unit]
    weights = [np.ones(len(members))]
    for axis in (0, 1):
        for sign in (-0.5, 0.5):
            points.append(lattice + sign * np.eye(2)[axis])
            targets.append(targets[0] + sign * frame[:, axis] / unit)
            weights.append(np.full(len(members), _AXIS_WEIGHT))
    inner = _solve(
        np.concatenate(points),
        np.concatenate(targets),
        np.concatenate(weights) * np.tile(unit / scales, 5),
        frame.mean(axis=0) / unit,
    )
    outer = np.array([[unit, 0, origin[0]], [0, unit, origin[1]], [0, 0, 1]])
    matrix = shift_origin(outer @ inner, *-middle)
    return np.asarray(matrix / matrix[2, 2])


def _align_frames(squares: Squares, members: NDArray[np.int64], places: NDArray[np.int64]) -> Array:
    """Return axes (n, 2, 2) of the members, turned to agree with the steps between their places."""
    axes = squares.axes[members]
    lattice = places - places.mean(axis=0)
    centred = squares.centres[members] - squares.centres[members].mean(axis=0)
    turns = quarter_turns(axes[0])
    best = turns[((lattice @ turns - centred) ** 2).sum(axis=(1, 2)).argmin()]
    if len(members) >= 4:
        best = np.linalg.lstsq(lattice.astype(float), centred, rcond=None)[0]
    return align_axes(axes, best)[1]


def _solve(points: Array, targets: Array, weights: Array, frame: Array) -> Array:
    """Solve by Gauss-Newton with Huber weights for [[a, b, c], [d, e, f], [g, h, 1]]."""
    values = np.array([frame[0, 0], frame[1, 0], 0, frame[0, 1], frame[1, 1], 0, 0, 0])
    x, y = points.T
    ridge = np.diag([0.0] * 6 + [(_PLACE_SPREAD / _PERSPECTIVE_SPREAD) ** 2] * 2)
    little = 1e-9 * np.eye(8)
    jx, jy = np.zeros((2, 8, len(points)))
    for _ in range(_FIT_STEPS):
        a, b, c, d, e, f, g, h = values
        depth = 1 / np.maximum(g * x + h * y + 1, 0.1)
        px, py = (a * x + b * y + c) * depth, (d * x + e * y + f) * depth
        jx[:3] = jy[3:6] = x * depth, y * depth, depth
        jx[6:] = -px * x * depth, -px * y * depth
        jy[6:] = -py * x * depth, -py * y * depth
        rx, ry = targets[:, 0] - px, targets[:, 1] - py
        size = np.hypot(rx, ry) * weights
        robust = weights**2 * np.minimum(1, _HUBER / np.maximum(size, 1e-9))
        normal = (jx * robust) @ jx.T + (jy * robust) @ jy.T + ridge
        gradient = (jx * robust) @ rx + (jy * robust) @ ry - ridge @ values
        step = np.linalg.solve(normal + little, gradient)
        values = values + step
        if np.abs(step).max() < 1e-7:
            break
    return np.append(values, 1.0).reshape(3, 3)


def to_frames(offsets: Array, frames: Array) -> Array:
    """Return offsets (n, 2) in pixels as steps (n, 2) along the two axes of frames (n, 2, 2)."""
    (ax, ay), (bx, by) = frames[:, 0].T, frames[:, 1].T
    area = ax * by - ay * bx
    area = np.where(np.abs(area) < 1e-9, np.inf, area)
    x, y = offsets.T
    return np.stack([(x * by - y * bx) / area, (y * ax - x * ay) / area], axis=1)


def quarter_turns(axes: Array) -> Array:
    """Return axes (..., 2, 2) turned by none to three quarters: (4, ..., 2, 2)."""
    turned = np.stack([axes[..., 1, :], -axes[..., 0, :]], axis=-2)
    return np.stack([axes, turned, -axes, -turned])


def align_axes(axes: Array, frames: Array) -> tuple[NDArray[np.int64], Array]:
    """Turn axes (n, 2, 2) by the quarters (n,) that bring them nearest to a frame or frames."""
    turns = quarter_turns(axes)
    nearest = ((turns - frames) ** 2).sum(axis=(2, 3)).argmin(axis=0)
    return nearest, np.asarray(turns[nearest, np.arange(len(axes))])


def follow_neighbours(squares: Squares) -> Squares:
    """Return the same squares with axes that lead to their neighbours, where they have any.

    Args:
        squares: Squares of any number of kingdoms, in pixels.
    """
    if len(squares) < 2:
        return squares
    first, second, offsets = pairs_within(squares, _AXES_REACH)
    axes = squares.axes
    for _ in range(_AXES_ROUNDS):
        axes = _average_axes(axes, first, second, offsets)
    return replace(squares, axes=axes)


class Steps(Struct, frozen=True, eq=False):
    """How squares lie to each other, pair by pair.

    Attributes:
        turns: (m,) quarter turns that bring the second square's axes nearest to the first's.
        aligned: (m, 2, 2) the second's axes after that.
        whole: (m, 2) the step from the first to the second along the axes of the first, rounded.
        error: (m,) how far the step is from that, in squares.
        bend: (m,) how much the axes of the two differ, as a share of their length.
    """

    turns: NDArray[np.int64]
    aligned: Array
    whole: NDArray[np.int64]
    error: Array
    bend: Array

    def beside(self, most_error: float, most_bend: float) -> NDArray[np.bool_]:
        """Return (m,): whether the second is the nearest to the first in one of four directions."""
        near = (self.error < most_error) & (self.bend < most_bend)
        return np.asarray(near & (np.abs(self.whole).sum(axis=1) == 1))


def steps_between(
    axes: Array, first: NDArray[np.int64], second: NDArray[np.int64], offsets: Array
) -> Steps:
    """Return how squares `first` (m,) and `second` (m,), `offsets` (m, 2) apart, lie."""
    frames = axes[first]
    turns, seconds = align_axes(axes[second], frames)
    middle = (frames + seconds) / 2
    steps = to_frames(offsets, middle)
    whole = np.round(steps)
    error = np.linalg.norm(steps - whole, axis=1)
    bend = _measure_bend(frames, seconds)
    return Steps(turns, seconds, whole.astype(np.int64), error, bend)


def _measure_bend(frames: Array, aligned: Array) -> Array:
    """Return (n,): how much axes (n, 2, 2) differ from others, as a share of their length."""
    size = np.linalg.norm((frames + aligned) / 2, axis=(1, 2))
    return np.asarray(np.linalg.norm(frames - aligned, axis=(1, 2)) / np.maximum(size, 1e-9))


def pairs_within(
    squares: Squares, reach: float
) -> tuple[NDArray[np.int64], NDArray[np.int64], Array]:
    """Return all ordered pairs of squares that are nearer than `reach` sides of the first.

    Returns:
        The indices (m,) of the first and of the second of each pair, and the offsets (m, 2). Every
        square is also a pair with itself.
    """
    offsets = squares.centres[None] - squares.centres[:, None]
    near = (offsets**2).sum(axis=2) < (reach * squares.scales[:, None]) ** 2
    first, second = np.nonzero(near)
    return first, second, offsets[first, second]


def _average_axes(
    axes: Array, first: NDArray[np.int64], second: NDArray[np.int64], offsets: Array
) -> Array:
    """Return axes (n, 2, 2), each the mean of itself and of the steps (m, 2) that follow it."""
    steps = steps_between(axes, first, second, offsets)
    good = steps.beside(_MOST_STEP_ERROR, _MOST_AXES_BEND)
    weights = np.where(good, np.exp(-((steps.error / _STEP_SPREAD) ** 2)), 0.0)
    axis = np.abs(steps.whole[:, 1]) % 2
    sums = _OWN_AXES_WEIGHT * axes
    counts = np.full(axes.shape[:2], _OWN_AXES_WEIGHT)
    np.add.at(sums, (first, axis), (weights * steps.whole.sum(axis=1))[:, None] * offsets)
    np.add.at(counts, (first, axis), weights)
    # Tiles lie loosely: what the neighbours' axes are steadies the mean.
    shared = _SHARED_AXES_WEIGHT * weights
    np.add.at(sums, first, shared[:, None, None] * steps.aligned)
    np.add.at(counts, first, shared[:, None])
    return np.asarray(sums / counts[..., None])


class Lattice(Struct, frozen=True, eq=False):
    """A fitted lattice.

    Attributes:
        homography: (3, 3) from lattice coordinates (column, row) to pixels; the centre of the
            square at (column, row) is at half-way, (column + 0.5, row + 0.5).
        members: (n,) indices of the squares that belong to it.
        places: (n, 2) their (column, row), whole numbers that may be negative.
        residuals: How far the squares that shape it lie from their places, in squares.
    """

    homography: Array
    members: NDArray[np.int64]
    places: NDArray[np.int64]
    residuals: Array

    @property
    def residual(self) -> float:
        """Root mean square of the residuals, in squares."""
        return float(np.sqrt(np.mean(self.residuals**2))) if len(self.residuals) else 0.0


def grow_lattices(squares: Squares, *, least: int = 2) -> list[Lattice]:
    """Return all lattices of at least `least` squares, the one with most squares first."""
    squares = follow_neighbours(squares)
    free = set(range(len(squares)))
    lattices = []
    neighbours = _find_neighbours(squares)
    order = np.argsort(-squares.votes * (1 - np.abs(squares.votes - 1).clip(0, 0.9)))
    for seed in order:
        if int(seed) not in free:
            continue
        grown = _grow(neighbours, int(seed), free)
        if len(grown) < least:
            continue
        lattice = _fit_lattice(squares, grown)
        free -= set(map(int, lattice.members))
        lattices.append(_drop_weak(squares, lattice))
    alone = np.array(sorted(free), np.int64)
    lattices = [_reach_over_gaps(squares, lattice, alone) for lattice in lattices]
    return sorted(lattices, key=lambda lattice: -len(lattice.members))


def _reach_over_gaps(squares: Squares, lattice: Lattice, alone: NDArray[np.int64]) -> Lattice:
    """Return a lattice with the lone squares that lie on its places, one place away from a member.

    Half a domino lies alone where something covers the other half. Both squares of a domino that
    lies loose beside a kingdom are seen, and none of them is alone.
    """
    # The places to which one place is missing.
    beyond = np.unique((lattice.places[:, None] + _OVER_A_GAP).reshape(-1, 2), axis=0)
    away = np.abs(beyond[:, None] - lattice.places).sum(axis=2)
    beyond = beyond[away.min(axis=1) == 2]
    # The one that is nearest to each lone square, and how the square lies on it.
    offsets = squares.centres[alone][:, None] - project(lattice.homography, beyond + 0.5)
    gaps = np.linalg.norm(offsets, axis=2) / squares.scales[alone][:, None]
    nearest = beyond[gaps.argmin(axis=1)]
    frames = local_axes(lattice.homography, nearest + 0.5)
    bend = _measure_bend(frames, align_axes(squares.axes[alone], frames)[1])
    joins = (gaps.min(axis=1) < GRID.fit_tolerance) & (bend < GRID.bend_tolerance)
    members = np.concatenate([lattice.members, alone[joins]])
    places = np.concatenate([lattice.places, nearest[joins]])
    return replace(lattice, members=members, places=places)


def _drop_weak(squares: Squares, lattice: Lattice) -> Lattice:
    """Fit a lattice without squares that few pixels agree on: patterns of a table, mostly.

    They stay members, as what lies on their places is still to be doubted.
    """
    votes = squares.votes[lattice.members]
    strong = votes >= GRID.weak_share * median(votes)
    if strong.all() or strong.sum() < 3:
        return lattice
    members, places = lattice.members[strong], lattice.places[strong]
    matrix = fit_homography(squares, members, places)
    residuals = _measure_gaps(matrix, squares, members, places)
    return Lattice(matrix, lattice.members, lattice.places, residuals)


#: A neighbour of a square: price, its index, the step (column, row), and the quarter turns between
#: their axes.
_Neighbour = tuple[float, int, int, int, int]


def _find_neighbours(squares: Squares) -> list[list[_Neighbour]]:
    """Find the neighbours of every square, by the axes of that square."""
    neighbours: list[list[_Neighbour]] = [[] for _ in range(len(squares))]
    first, second, offsets = pairs_within(squares, GRID.neighbour_reach)
    steps = steps_between(squares.axes, first, second, offsets)
    good = steps.beside(GRID.step_tolerance, GRID.bend_tolerance)
    price = steps.error + _BEND_PRICE * steps.bend
    for index in np.nonzero(good)[0].tolist():
        column, row = steps.whole[index].tolist()
        to = (float(price[index]), int(second[index]), column, row, int(steps.turns[index]))
        neighbours[first[index]].append(to)
    return neighbours


def _grow(
    neighbours: list[list[_Neighbour]], seed: int, free: set[int]
) -> dict[int, tuple[int, int]]:
    """Grow a lattice by best agreement: (column, row) by square index, the seed at (0, 0)."""
    places: dict[int, tuple[int, int]] = {}
    taken: set[tuple[int, int]] = set()
    # The price, and the index of the square that asks, which breaks ties; then the square, its
    # place, and the quarter turns of its axes.
    heap: list[tuple[float, int, int, tuple[int, int], int]] = [(0.0, -1, seed, (0, 0), 0)]
    while heap:
        _, _, square, place, turn = heapq.heappop(heap)
        if square in places or place in taken:
            continue
        places[square] = place
        taken.add(place)
        for price, neighbour, column, row, more in neighbours[square]:
            if neighbour in free and neighbour not in places:
                for _ in range(turn):
                    column, row = row, -column
                to = (place[0] + column, place[1] + row)
                heapq.heappush(heap, (price, square, neighbour, to, (turn + more) % 4))
    return places


def _fit_lattice(squares: Squares, grown: dict[int, tuple[int, int]]) -> Lattice:
    """Fit and drop what disagrees, until nothing does."""
    members = np.array(list(grown), np.int64)
    places = np.array(list(grown.values()), np.int64).reshape(-1, 2)
    good = np.ones(len(members), bool)
    for _ in range(_FIT_ROUNDS):
        if good.sum() >= 2:
            members, places = members[good], places[good]
        matrix = fit_homography(squares, members, places)
        residuals = _measure_gaps(matrix, squares, members, places)
        good = residuals < GRID.fit_tolerance
        if good.all():
            break
    return Lattice(matrix, members, places, residuals)


def _measure_gaps(
    matrix: Array, squares: Squares, members: NDArray[np.int64], places: NDArray[np.int64]
) -> Array:
    """Return (n,): how far the members lie from their places of a lattice, in squares."""
    expected = project(matrix, np.asarray(places + 0.5, np.float64))
    gaps = np.linalg.norm(squares.centres[members] - expected, axis=1)
    return np.asarray(gaps / squares.scales[members])
