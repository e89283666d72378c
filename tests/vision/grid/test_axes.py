"""Axes that are wrong in slanted views are set right by the neighbours of a square."""

import numpy as np
import pytest

from kdvision.vision.grid.detector import Squares
from kdvision.vision.grid.lattice import grow_lattices, with_axes_of_neighbours

Step = tuple[float, float]


def board(first: Step, second: Step, seen: tuple[Step, Step], side: int = 4) -> Squares:
    """A board of side x side squares whose steps are known, and whose axes are seen otherwise."""
    columns, rows = np.meshgrid(np.arange(side), np.arange(side))
    places = np.c_[columns.ravel(), rows.ravel()]
    centres = 200 + places @ np.array([first, second], float)
    count = len(places)
    scale = np.sqrt(abs(np.linalg.det([first, second])))
    axes = np.repeat(np.array(seen, float)[None], count, axis=0)
    return Squares(centres, axes, np.full(count, scale), np.ones(count), np.zeros(count))


def steps(squares: Squares) -> np.ndarray:
    """The axes of all squares as lines without direction, in a fixed order: (n, 2, 2)."""
    axes = squares.axes * np.sign(squares.axes[..., :1] + 1e-6 * squares.axes[..., 1:])
    order = np.argsort(np.abs(axes[..., 1]), axis=1)
    return np.take_along_axis(axes, order[..., None], axis=1)


SLANTED = [
    # Steps of the board, axes as the network takes them for: too upright.
    ((40, 12), (2, 34), ((37, 5), (-4, 36))),
    ((45, 0), (12, 28), ((38, -3), (6, 34))),
    ((36, 20), (-14, 22), ((33, 14), (-12, 28))),
]


@pytest.mark.parametrize(("first", "second", "seen"), SLANTED)
def test_axes_become_the_steps_to_the_neighbours(
    first: Step, second: Step, seen: tuple[Step, Step]
) -> None:
    squares = board(first, second, seen)
    before = np.abs(steps(squares) - steps(board(first, second, (first, second)))).max()
    after = np.abs(
        steps(with_axes_of_neighbours(squares)) - steps(board(first, second, (first, second)))
    ).max()
    assert after < 0.4 * before


@pytest.mark.parametrize(("first", "second", "seen"), SLANTED)
def test_a_slanted_board_is_one_lattice(first: Step, second: Step, seen: tuple[Step, Step]) -> None:
    (lattice,) = grow_lattices(board(first, second, seen))
    assert len(lattice.members) == 16
    assert lattice.residual < 0.02


def test_right_axes_stay() -> None:
    squares = board((40, 3), (-3, 40), ((40, 3), (-3, 40)))
    assert with_axes_of_neighbours(squares).axes == pytest.approx(squares.axes)


def test_a_square_alone_keeps_its_axes() -> None:
    squares = board((40, 0), (0, 40), ((38, 5), (-5, 38)), side=1)
    assert with_axes_of_neighbours(squares) is squares


def test_a_kingdom_that_lies_otherwise_does_not_pull() -> None:
    upright = board((40, 0), (0, 40), ((40, 0), (0, 40)), side=3)
    turned = board((30, 26), (-26, 30), ((30, 26), (-26, 30)), side=3)
    both = Squares(
        np.r_[upright.centres, turned.centres + np.array([150, 0])],
        np.r_[upright.axes, turned.axes],
        np.r_[upright.scales, turned.scales],
        np.ones(18),
        np.zeros(18),
    )
    assert np.abs(with_axes_of_neighbours(both).axes - both.axes).max() < 1.0


def test_loose_tiles_move_the_axes_little() -> None:
    rng = np.random.default_rng(3)
    squares = board((40, 0), (0, 40), ((40, 0), (0, 40)))
    moved = Squares(
        squares.centres + rng.normal(0, 1.5, squares.centres.shape),
        squares.axes,
        squares.scales,
        squares.votes,
        squares.castle,
    )
    assert np.abs(with_axes_of_neighbours(moved).axes - squares.axes).max() < 5
