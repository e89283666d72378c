"""Squares that lie on a lattice in perspective, with all that may be wrong about them."""

import numpy as np
import pytest

from kdvision.vision.geometry import local_axes, project
from kdvision.vision.grid.lattice import grow_lattices
from kdvision.vision.grid.voting import Squares

#: A lattice seen at an angle: about 40 pixels a square, smaller at the top.
VIEW = np.array([[40.0, 6.0, 120.0], [-5.0, 38.0, 90.0], [0.004, 0.012, 1.0]])
PLUS = [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)]
FULL = [(col, row) for row in range(5) for col in range(5)]


def squares_at(
    places: list[tuple[int, int]], matrix: np.ndarray = VIEW, noise: float = 0.0, seed: int = 0
) -> Squares:
    """Squares of a lattice; each knows its axes only up to a quarter turn."""
    rng = np.random.default_rng(seed)
    middles = np.array(places, float) + 0.5
    axes = local_axes(matrix, middles)
    scales = np.sqrt(np.abs(np.linalg.det(axes)))
    centres = project(matrix, middles) + rng.normal(0, noise, (len(places), 2)) * scales[:, None]
    for one in axes:
        for _ in range(rng.integers(4)):
            one[:] = np.array([one[1], -one[0]])
    return Squares(centres, axes, scales, np.ones(len(places)), np.zeros(len(places)))


def joined(*parts: Squares) -> Squares:
    """The squares of all parts, one after the other."""
    columns = []
    for name in ("centres", "axes", "scales", "votes", "castle"):
        columns.append(np.concatenate([getattr(part, name) for part in parts]))
    return Squares(*columns)


def shape(places: np.ndarray) -> set[frozenset[tuple[int, int]]]:
    """The occupied places in all four quarter turns, each moved to the origin."""
    turns = set()
    for _ in range(4):
        places = np.c_[-places[:, 1], places[:, 0]]
        turns.add(frozenset(map(tuple, (places - places.min(axis=0)).tolist())))
    return turns


@pytest.mark.parametrize("places", [PLUS, FULL, [(0, 0), (1, 0), (2, 0)], [(0, 0), (0, 1), (1, 1)]])
@pytest.mark.parametrize("noise", [0.0, 0.03])
def test_kingdom_keeps_its_shape(places, noise):
    (lattice,) = grow_lattices(squares_at(places, noise=noise, seed=3))
    assert frozenset(places) in shape(lattice.places)
    assert len(lattice.members) == len(places)
    assert lattice.residual <= 2 * noise + 1e-3


def test_loose_domino_is_its_own_lattice():
    turned = np.array([[30.0, -28.0, 420.0], [28.0, 30.0, 120.0], [0, 0, 1.0]])
    both = joined(squares_at(FULL), squares_at([(0, 0), (1, 0)], turned))
    found = grow_lattices(both)
    assert [len(lattice.members) for lattice in found] == [25, 2]


def test_neighbouring_lattices_stay_apart():
    beside = np.array([[34.0, 20.0, 330.0], [-20.0, 34.0, 190.0], [0, 0, 1.0]])
    both = joined(squares_at(FULL), squares_at(PLUS, beside))
    assert sorted(len(lattice.members) for lattice in grow_lattices(both)) == [5, 25]


@pytest.mark.parametrize("gap", [(6, 2), (2, -2)])
def test_lone_square_over_a_gap_belongs_to_the_lattice(gap):
    found = grow_lattices(squares_at([*FULL, gap]))
    assert [len(lattice.members) for lattice in found] == [26]
    assert shape(found[0].places) == shape(np.array([*FULL, gap]))


@pytest.mark.parametrize(
    "lone",
    [
        pytest.param([(7, 2)], id="two places away"),
        pytest.param([(6, 6)], id="over a corner"),
        pytest.param([(6, 2), (7, 2)], id="a whole domino"),
    ],
)
def test_other_squares_beside_it_do_not(lone):
    found = grow_lattices(squares_at([*FULL, *lone]))
    assert max(len(lattice.members) for lattice in found) == 25


@pytest.mark.parametrize(
    ("off", "turn", "count"), [(0.2, 0.0, 26), (0.28, 0.0, 25), (0.0, 0.45, 26), (0.0, 0.55, 25)]
)
def test_lone_square_lies_as_straight_as_others(off, turn, count):
    """So many squares off its place, and turned by so much (radians)."""
    cos, sin = np.cos(turn), np.sin(turn)
    middle = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    placed = np.array([[cos, -sin, 6.5 + off], [sin, cos, 2.5], [0, 0, 1]]) @ middle
    found = grow_lattices(joined(squares_at(FULL), squares_at([(0, 0)], VIEW @ placed)))
    assert [len(lattice.members) for lattice in found] == [count]
