"""Squares become lattices: grown from a seed, fitted as a homography, grown again.

A lattice gives every square whole coordinates (column, row). Two squares are neighbours when each
lies where the other's axes point. Missing squares are fine; a wrong one would bend the fit, so a
square that does not agree is left out.
"""

import heapq

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from kdvision.arrays import Array, median
from kdvision.vision.geometry import local_axes, project
from kdvision.vision.grid.axes import pairs_within, steps_between, with_axes_of_neighbours
from kdvision.vision.grid.homography_fit import aligned, fit_homography
from kdvision.vision.grid.voting import Squares
from kdvision.vision.settings import GRID


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
    """All lattices of at least `least` squares, the one with most squares first."""
    squares = with_axes_of_neighbours(squares)
    free = set(range(len(squares)))
    found = []
    neighbours = _neighbours(squares)
    order = np.argsort(-squares.votes * (1 - np.abs(squares.votes - 1).clip(0, 0.9)))
    for seed in order:
        if int(seed) not in free:
            continue
        grown = _grow(neighbours, int(seed), free)
        if len(grown) < least:
            continue
        lattice = _fitted(squares, grown, free)
        free -= set(map(int, lattice.members))
        found.append(_without_weak(squares, lattice))
    return sorted(found, key=lambda lattice: -len(lattice.members))


def _without_weak(squares: Squares, lattice: Lattice) -> Lattice:
    """The lattice fitted without squares that few pixels agree on: patterns of a table, mostly.

    They stay members, as what lies on their places is still to be doubted.
    """
    votes = squares.votes[lattice.members]
    strong = votes >= GRID.weak_share * median(votes)
    if strong.all() or strong.sum() < 3:
        return lattice
    members, places = lattice.members[strong], lattice.places[strong]
    matrix = fit_homography(squares, members, places)
    residuals = _residuals(matrix, squares, members, places)
    return Lattice(matrix, lattice.members, lattice.places, residuals)


#: A neighbour of a square: price, its index, the step (column, row), and the quarter turns between
#: their axes.
_Neighbour = tuple[float, int, int, int, int]


def _neighbours(squares: Squares) -> list[list[_Neighbour]]:
    """The neighbours of every square, by the axes of that square."""
    found: list[list[_Neighbour]] = [[] for _ in range(len(squares))]
    one, other, offsets = pairs_within(squares, GRID.neighbour_reach)
    steps = steps_between(squares.axes, one, other, offsets)
    good = steps.beside & (steps.error < GRID.step_tolerance) & (steps.bend < GRID.bend_tolerance)
    price = steps.error + GRID.bend_price * steps.bend
    for index in np.nonzero(good)[0].tolist():
        column, row = steps.whole[index].tolist()
        to = (float(price[index]), int(other[index]), column, row, int(steps.turns[index]))
        found[one[index]].append(to)
    return found


def _grow(
    neighbours: list[list[_Neighbour]], seed: int, free: set[int]
) -> dict[int, tuple[int, int]]:
    """Breadth by best agreement: square index to (column, row), the seed at (0, 0)."""
    places: dict[int, tuple[int, int]] = {}
    taken: set[tuple[int, int]] = set()
    # Price, then who asks first; the square, its place, and how its axes are turned.
    heap: list[tuple[float, int, int, tuple[int, int], int]] = [(0.0, -1, seed, (0, 0), 0)]
    while heap:
        _, _, square, place, turn = heapq.heappop(heap)
        if square in places or place in taken:
            continue
        places[square] = place
        taken.add(place)
        for price, other, column, row, more in neighbours[square]:
            if other in free and other not in places:
                right, down = _turned(column, row, turn)
                to = (place[0] + right, place[1] + down)
                heapq.heappush(heap, (price, square, other, to, (turn + more) % 4))
    return places


def _turned(column: int, row: int, quarters: int) -> tuple[int, int]:
    """A step along axes that were turned by so many quarters."""
    return ((column, row), (row, -column), (-column, -row), (-row, column))[quarters]


def _fitted(squares: Squares, grown: dict[int, tuple[int, int]], free: set[int]) -> Lattice:
    """Fit, drop what disagrees, take in what fits, until nothing changes."""
    members = np.array(list(grown), np.int64)
    places = np.array(list(grown.values()), np.int64).reshape(-1, 2)
    for _ in range(GRID.fit_rounds):
        matrix = fit_homography(squares, members, places)
        residuals = _residuals(matrix, squares, members, places)
        good = residuals < GRID.fit_tolerance
        if good.sum() >= 2:
            members, places = members[good], places[good]
        added = _joining(matrix, squares, members, places, free)
        if good.all() and not len(added):
            break
        if len(added):
            members = np.r_[members, [index for index, _ in added]].astype(np.int64)
            places = np.r_[places, [place for _, place in added]].astype(np.int64)
    else:
        matrix = fit_homography(squares, members, places)
        residuals = _residuals(matrix, squares, members, places)
    return Lattice(matrix, members, places, residuals)


def _joining(
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
        if error > GRID.join_tolerance or steps > 1 or (column, row) in taken:
            continue
        step = local_axes(matrix, np.array([[column + 0.5, row + 0.5]]))[0]
        turned = aligned(squares.axes[index], step)
        if np.linalg.norm(turned - step) < GRID.join_bend * np.linalg.norm(step):
            added.append((int(index), (column, row)))
            taken.add((column, row))
    return added


def _residuals(
    matrix: Array, squares: Squares, members: NDArray[np.int64], places: NDArray[np.int64]
) -> Array:
    expected = project(matrix, np.asarray(places + 0.5, np.float64))
    gaps = np.linalg.norm(squares.centres[members] - expected, axis=1)
    return np.asarray(gaps / squares.scales[members])
