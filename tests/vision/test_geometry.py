"""Homographies and warped windows, held against scikit-image."""

import numpy as np
from skimage.transform import ProjectiveTransform, warp

from kdvision.vision.geometry import inverse, local_axes, project, rectify, relative_side

#: A lattice of squares of about 60 pixels, seen from low down.
LATTICE = np.array([[60.0, 14, 150], [-4, 44.0, 60], [0.002, 0.02, 1]])


def waves() -> np.ndarray:
    """A picture of waves, that of each colour in another direction."""
    ys, xs = np.mgrid[0:420, 0:640]
    along = [(xs * a + ys * b) / 23 for a, b in ((1, 0), (0, 1), (0.7, -0.7))]
    return (128 + 90 * np.sin(np.stack(along, axis=-1))).astype(np.uint8)


def test_warp_agrees_with_scikit_image() -> None:
    pixels = waves()
    ours = rectify(pixels, LATTICE, (4, 4), px=40, border=8)
    # The centre of the first pixel of the window lies half a pixel into it.
    place = np.array([[1 / 40, 0, (0.5 - 8) / 40], [0, 1 / 40, (0.5 - 8) / 40], [0, 0, 1]])
    theirs = warp(pixels, ProjectiveTransform(LATTICE @ place), output_shape=(176, 176))
    difference = np.abs(ours.astype(float) - 255 * theirs)[8:-8, 8:-8]
    assert difference.mean() < 2
    assert np.quantile(difference, 0.99) < 8


def test_window_may_reach_beyond_the_horizon() -> None:
    """What lies on this side of it is seen as in a window that ends before."""
    pixels = waves()
    lattice = np.array([[60.0, 14, 150], [-4, 44, 60], [-0.1, -0.1, 1]])
    near = rectify(pixels, lattice, (3, 3), px=40).astype(float)
    far = rectify(pixels, lattice, (9, 9), px=40)[:120, :120]
    assert np.abs(near - far).mean() < 3


#: Points of the lattice, near and far.
POINTS = np.array([[0.5, 0.5], [3.0, 1.5], [-2.0, 4.0]])


def test_warp_is_invertible() -> None:
    assert np.allclose(project(inverse(LATTICE), project(LATTICE, POINTS)), POINTS)


def test_axes_reach_across_a_square() -> None:
    for number, step in enumerate(np.eye(2) / 2):
        side = project(LATTICE, POINTS + step) - project(LATTICE, POINTS - step)
        assert np.allclose(local_axes(LATTICE, POINTS)[:, number], side)


def test_side_grows_with_squares() -> None:
    doubled = LATTICE @ np.diag([2.0, 2.0, 1.0])
    assert np.isclose(relative_side(doubled, np.array([[1.0, 1.0]]), LATTICE), 2, rtol=0.05)


def test_side_beyond_the_horizon_says_nothing() -> None:
    """There the other lattice has no square to compare with."""
    tripled = np.diag([180.0, 180.0, 1.0])
    above, below = np.array([[0.0, 1.0]]), np.array([[0.0, 17.0]])
    assert relative_side(tripled, above, LATTICE) != 1
    assert relative_side(tripled, below, LATTICE) == 1
