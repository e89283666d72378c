"""Squares become lattices: grown from a seed, fitted as a homography, grown again.

A lattice gives every square whole coordinates (column, row). Two squares are neighbours when each
lies where the other's axes point. Missing squares are fine; a wrong one would bend the fit, so a
square that does not agree is left out.
"""

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kdvision.vision.fields import Squares

Array = NDArray[np.float64]

#: How far, in squares, a neighbour may lie from where it is expected.
_STEP_TOLERANCE = 0.28
#: How far, in squares, a square may lie from the fitted lattice.
_FIT_TOLERANCE = 0.24
#: A square with less than this share of the votes that are usual in its lattice is weak.
WEAK_SHARE = 0.5
#: A priori spread of the perspective terms per square, and of a square's place.
_PERSPECTIVE_SPREAD = 0.12
_PLACE_SPREAD = 0.04


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
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
    """All lattices of at least `least` squares, the one with most squares first."""
    free = set(range(len(squares)))
    found = []
    order = np.argsort(-squares.votes * (1 - np.abs(squares.votes - 1).clip(0, 0.9)))
    for seed in order:
        if int(seed) not in free:
            continue
        grown = _grow(squares, int(seed), free)
        if len(grown) < least:
            continue
        lattice = _settle(squares, grown, free)
        free -= set(map(int, lattice.members))
        found.append(_without_weak(squares, lattice))
    return sorted(found, key=lambda lattice: -len(lattice.members))


def _without_weak(squares: Squares, lattice: Lattice) -> Lattice:
    """The lattice fitted without squares that few pixels agree on: patterns of a table, mostly.

    They stay members, as what lies on their places is still to be doubted.
    """
    votes = squares.votes[lattice.members]
    strong = votes >= WEAK_SHARE * np.median(votes)
    if strong.all() or strong.sum() < 3:
        return lattice
    members, places = lattice.members[strong], lattice.places[strong]
    matrix = fit_homography(squares, members, places)
    residuals = _residuals(matrix, squares, members, places)
    return Lattice(matrix, lattice.members, lattice.places, residuals)


def _grow(squares: Squares, seed: int, free: set[int]) -> dict[int, tuple[int, int]]:
    """Breadth by best agreement: square index to (column, row), the seed at (0, 0)."""
    frames = {seed: squares.axes[seed]}
    places = {seed: (0, 0)}
    taken = {(0, 0)}
    heap: list[tuple[float, int, int, tuple[int, int]]] = []
    _push(heap, squares, seed, frames[seed], (0, 0), free)
    while heap:
        _, parent, child, place = heapq.heappop(heap)
        if child in places or place in taken:
            continue
        places[child] = place
        taken.add(place)
        frames[child] = _aligned(squares.axes[child], frames[parent])
        _push(heap, squares, child, frames[child], place, free)
    return places


def _push(
    heap: list[tuple[float, int, int, tuple[int, int]]],
    squares: Squares,
    parent: int,
    frame: Array,
    place: tuple[int, int],
    free: set[int],
) -> None:
    """Queue the neighbours of a square, the best agreeing first."""
    offsets = squares.centres - squares.centres[parent]
    near = np.nonzero((offsets**2).sum(axis=1) < (2.2 * squares.scales[parent]) ** 2)[0]
    for child in near:
        if int(child) == parent or int(child) not in free:
            continue
        other = _aligned(squares.axes[child], frame)
        middle = (frame + other) / 2
        steps = np.linalg.solve(middle.T, offsets[child])
        whole = np.round(steps)
        if np.abs(whole).sum() != 1:
            continue
        error = float(np.linalg.norm(steps - whole))
        bend = float(np.linalg.norm(frame - other) / np.linalg.norm(middle))
        if error < _STEP_TOLERANCE and bend < 0.5:
            to = (place[0] + int(whole[0]), place[1] + int(whole[1]))
            heapq.heappush(heap, (error + 0.3 * bend, parent, int(child), to))


def _aligned(axes: Array, frame: Array) -> Array:
    """The quarter turn of two axes that comes nearest to a frame."""
    turns = (axes, np.array([axes[1], -axes[0]]), -axes, np.array([-axes[1], axes[0]]))
    return min(turns, key=lambda turn: float(((turn - frame) ** 2).sum()))


def _settle(squares: Squares, grown: dict[int, tuple[int, int]], free: set[int]) -> Lattice:
    """Fit, drop what disagrees, take in what fits, until nothing changes."""
    members = np.array(list(grown), np.int64)
    places = np.array(list(grown.values()), np.int64).reshape(-1, 2)
    for _ in range(6):
        matrix = fit_homography(squares, members, places)
        residuals = _residuals(matrix, squares, members, places)
        good = residuals < _FIT_TOLERANCE
        if good.sum() >= 2:
            members, places = members[good], places[good]
        added = _attach(matrix, squares, members, places, free)
        if good.all() and not len(added):
            break
        if len(added):
            members = np.r_[members, [index for index, _ in added]].astype(np.int64)
            places = np.r_[places, [place for _, place in added]].astype(np.int64)
    matrix = fit_homography(squares, members, places)
    return Lattice(matrix, members, places, _residuals(matrix, squares, members, places))


def _attach(
    matrix: Array,
    squares: Squares,
    members: NDArray[np.int64],
    places: NDArray[np.int64],
    free: set[int],
) -> list[tuple[int, tuple[int, int]]]:
    """Free squares that lie on the lattice, beside its squares.

    Not further: what lies a gap away is another kingdom or a stray.
    """
    inside = set(map(int, members))
    others = np.array(sorted(free - inside), np.int64)
    if len(others) == 0 or len(members) < 3:
        return []
    inverse = np.asarray(np.linalg.inv(matrix), np.float64)
    at = project(inverse, squares.centres[others]) - 0.5
    whole = np.round(at).astype(np.int64)
    taken = {tuple(place) for place in places}
    added: list[tuple[int, tuple[int, int]]] = []
    for index, place, error in zip(others, whole, np.linalg.norm(at - whole, axis=1), strict=True):
        steps = np.abs(places - place).sum(axis=1).min()
        column, row = int(place[0]), int(place[1])
        if error > 0.2 or steps > 1 or (column, row) in taken:
            continue
        step = local_axes(matrix, np.array([[column + 0.5, row + 0.5]]))[0]
        turned = _aligned(squares.axes[index], step)
        if np.linalg.norm(turned - step) < 0.35 * np.linalg.norm(step):
            added.append((int(index), (column, row)))
            taken.add((column, row))
    return added


def fit_homography(
    squares: Squares, members: NDArray[np.int64], places: NDArray[np.int64]
) -> Array:
    """The homography (3, 3) from lattice coordinates to pixels that fits squares best.

    Each square gives its centre and, less surely, its axes, so that three squares in a row are
    enough. Errors count in squares, large ones less (Huber); perspective is held small unless the
    squares show it.
    """
    centres, scales = squares.centres[members], squares.scales[members]
    origin, unit = centres.mean(axis=0), float(np.median(scales))
    middle = places.mean(axis=0) + 0.5
    frame = _frame_on_places(squares, members, places)
    lattice = places + 0.5 - middle
    points = [lattice]
    targets = [(centres - origin) / unit]
    weights = [np.ones(len(members))]
    for axis in (0, 1):
        for sign in (-0.5, 0.5):
            points.append(lattice + sign * np.eye(2)[axis])
            targets.append(targets[0] + sign * frame[:, axis] / unit)
            weights.append(np.full(len(members), 0.12))
    inner = _solve(
        np.concatenate(points),
        np.concatenate(targets),
        np.concatenate(weights) * np.tile(unit / scales, 5),
        frame.mean(axis=0) / unit,
    )
    outer = np.array([[unit, 0, origin[0]], [0, unit, origin[1]], [0, 0, 1]])
    shift = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]])
    matrix = outer @ inner @ shift
    return np.asarray(matrix / matrix[2, 2])


def _frame_on_places(
    squares: Squares, members: NDArray[np.int64], places: NDArray[np.int64]
) -> Array:
    """Axes (n, 2, 2) of the members, turned to agree with the steps between their places."""
    axes = squares.axes[members]
    lattice = places - places.mean(axis=0)
    centred = squares.centres[members] - squares.centres[members].mean(axis=0)
    best, best_error = axes[0], np.inf
    for turn in range(4):
        frame = axes[0]
        for _ in range(turn):
            frame = np.array([frame[1], -frame[0]])
        error = float(((lattice @ frame - centred) ** 2).sum())
        if error < best_error:
            best, best_error = frame, error
    if len(members) >= 4 and np.linalg.matrix_rank(lattice) == 2:
        best = np.linalg.lstsq(lattice.astype(float), centred, rcond=None)[0]
    return np.array([_aligned(one, best) for one in axes])


def _solve(points: Array, targets: Array, weights: Array, frame: Array) -> Array:
    """Gauss-Newton with Huber weights for [[a, b, c], [d, e, f], [g, h, 1]]."""
    values = np.array([frame[0, 0], frame[1, 0], 0, frame[0, 1], frame[1, 1], 0, 0, 0])
    x, y = points.T
    ridge = np.diag([0.0] * 6 + [(_PLACE_SPREAD / _PERSPECTIVE_SPREAD) ** 2] * 2)
    for _ in range(12):
        a, b, c, d, e, f, g, h = values
        depth = 1 / np.maximum(g * x + h * y + 1, 0.1)
        px, py = (a * x + b * y + c) * depth, (d * x + e * y + f) * depth
        zero = np.zeros_like(x)
        jx = np.stack([x, y, zero + 1, zero, zero, zero, -px * x, -px * y]) * depth
        jy = np.stack([zero, zero, zero, x, y, zero + 1, -py * x, -py * y]) * depth
        rx, ry = targets[:, 0] - px, targets[:, 1] - py
        size = np.hypot(rx, ry) * weights
        robust = weights**2 * np.minimum(1, 0.08 / np.maximum(size, 1e-9))
        normal = (jx * robust) @ jx.T + (jy * robust) @ jy.T + ridge
        gradient = (jx * robust) @ rx + (jy * robust) @ ry - ridge @ values
        step = np.linalg.solve(normal + 1e-9 * np.eye(8), gradient)
        values = values + step
        if np.abs(step).max() < 1e-7:
            break
    return np.append(values, 1.0).reshape(3, 3)


def _residuals(
    matrix: Array, squares: Squares, members: NDArray[np.int64], places: NDArray[np.int64]
) -> Array:
    expected = project(matrix, np.asarray(places + 0.5, np.float64))
    gaps = np.linalg.norm(squares.centres[members] - expected, axis=1)
    return np.asarray(gaps / squares.scales[members])


def project(matrix: Array, points: Array) -> Array:
    """A homography (3, 3) applied to points (n, 2)."""
    moved = np.c_[points, np.ones(len(points))] @ matrix.T
    return np.asarray(moved[:, :2] / moved[:, 2:])


def local_axes(matrix: Array, points: Array) -> Array:
    """The steps (n, 2, 2) in pixels along columns and rows at lattice points (n, 2)."""
    half = np.array([0.5, 0.0]), np.array([0.0, 0.5])
    steps = [project(matrix, points + one) - project(matrix, points - one) for one in half]
    return np.stack(steps, axis=1)
