"""Numbers that decide which squares are of one lattice: a case on each side of each."""

from collections.abc import Sequence

import numpy as np
import pytest

from kdvision.vision.grid.lattice import grow_lattices
from kdvision.vision.grid.voting import Squares

Place = tuple[float, float]
#: Axes of a square of 40 pixels.
UPRIGHT = ((40.0, 0.0), (0.0, 40.0))
#: Places of a full kingdom.
FULL = [(col, row) for row in range(5) for col in range(5)]


def squares(
    places: Sequence[Place],
    off: dict[int, Place] | None = None,
    axes: dict[int, Sequence[Sequence[float]]] | None = None,
    votes: dict[int, float] | None = None,
) -> Squares:
    """Upright squares at places of a lattice, but for some that lie or look otherwise."""
    centres = np.array(places, float)
    frames = np.array([UPRIGHT] * len(places))
    share = np.ones(len(places))
    for index, (x, y) in (off or {}).items():
        centres[index] += x, y
    for index, frame in (axes or {}).items():
        frames[index] = frame
    for index, value in (votes or {}).items():
        share[index] = value
    sides = np.sqrt(np.abs(np.linalg.det(frames)))
    return Squares(200 + 40 * centres, frames, sides, share, np.zeros(len(places)))


def sizes(found: Squares) -> list[int]:
    """How many squares each lattice has."""
    return [len(lattice.members) for lattice in grow_lattices(found, least=1)]


@pytest.mark.parametrize(
    ("gap", "lattices"), [(0.24, [12]), (0.29, [12]), (0.36, [6, 6]), (0.38, [6, 6])]
)
def test_greatest_offset_of_a_neighbour(gap: float, lattices: list[int]) -> None:
    places = [(col, row) for col in range(6) for row in range(2)]
    pushed = dict.fromkeys(range(6, 12), (gap, 0.0))
    assert sizes(squares(places, pushed)) == lattices


@pytest.mark.parametrize(("ratio", "lattices"), [(1.8, [3]), (2.6, [1, 1, 1])])
def test_greatest_distance_of_a_neighbour(ratio: float, lattices: list[int]) -> None:
    """Squares seen from low down: their longer axis is so many times their side."""
    flat = ((40 * ratio, 0.0), (0.0, 40 / ratio))
    row = [(ratio * col, 0.0) for col in range(3)]
    assert sizes(squares(row, axes=dict.fromkeys(range(3), flat))) == lattices


def test_greatest_turn_of_a_neighbour() -> None:
    cosine, sine = 40 * np.cos(0.575), 40 * np.sin(0.575)  # 33 degrees
    turned = ((cosine, sine), (-sine, cosine))
    assert sizes(squares([(col, 0) for col in range(4)], axes={2: turned, 3: turned})) == [4]


@pytest.mark.parametrize(("ratio", "lattices"), [(1.75, [2]), (1.95, [1, 1])])
def test_greatest_scale_of_a_neighbour(ratio: float, lattices: list[int]) -> None:
    large = ((40 * ratio, 0.0), (0.0, 40 * ratio))
    assert sizes(squares([(0, 0), ((1 + ratio) / 2, 0)], axes={1: large})) == lattices


@pytest.mark.parametrize(("off", "lattices"), [(0.23, [25]), (0.28, [24, 1])])
def test_greatest_distance_from_the_lattice(off: float, lattices: list[int]) -> None:
    assert sizes(squares(FULL, {12: (off, 0.0)})) == lattices


@pytest.mark.parametrize(
    ("count", "votes", "shapes"),
    [(25, 0.5, False), (25, 0.8, True), (4, 0.5, False), (3, 0.5, True)],
)
def test_votes_that_shape_a_lattice(count: int, votes: float, shapes: bool) -> None:
    """Unless fewer than three others are left."""
    middle = count // 2
    found = squares(FULL[:count], {middle: (0.2, 0.0)}, votes={middle: votes})
    (lattice,) = grow_lattices(found)
    assert len(lattice.members) == count
    assert (lattice.residual > 0.01) is shapes
