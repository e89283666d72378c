"""A pinhole camera above a table.

Table coordinates: x to the right and y down on the table top as seen from above, z upwards, all
in squares (left-handed, so that rows of a kingdom grow with y). Image coordinates: (x, y) in
pixels from the top left; a pixel's centre lies at whole numbers.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from scripts.arrays import Array


class Camera(Struct, frozen=True, eq=False):
    """`matrix` (3, 4) maps homogeneous table coordinates to homogeneous pixels."""

    matrix: Array
    width: int
    height: int

    def project(self, points: Array) -> Array:
        """Project table points (n, 3) to pixels (n, 2)."""
        homogeneous = np.c_[points, np.ones(len(points))] @ self.matrix.T
        return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:])

    def depth(self, point: Sequence[float] | Array) -> float:
        """Return how far a table point (3,) is from the camera, along its view."""
        return float(np.array([*point, 1.0]) @ self.matrix[2])

    def plane(self, z: float = 0.0) -> Array:
        """Return the homography (3, 3) from (x, y) on the plane at height z to pixels."""
        return np.asarray(self.matrix @ np.array([[1, 0, 0], [0, 1, 0], [0, 0, z], [0, 0, 1.0]]))


def look_at(
    target: tuple[float, float],
    *,
    size: tuple[int, int],
    square_px: float,
    tilt: float,
    focal: float,
    turn: float = 0.0,
    roll: float = 0.0,
) -> Camera:
    """Return a camera that looks at a point of the table.

    Args:
        target: (x, y) on the table that comes to lie in the middle of the picture.
        size: (width, height) of the picture in pixels.
        square_px: Side in pixels of a square at the target, seen from above.
        tilt: Angle between the view and the vertical, radians: 0 looks straight down.
        focal: Focal length as a multiple of the longer side of the picture.
        turn: From which side the camera looks, radians.
        roll: Turn of the picture about the view, radians.
    """
    width, height = size
    focal_px = focal * max(size)
    distance = focal_px / square_px
    turned = _turn_about("z", turn)
    tilted = _turn_about("x", tilt)
    # Looking down, the camera's x and y are the table's, its depth grows against the table's z.
    turning = _turn_about("z", roll) @ tilted @ np.diag([1.0, 1.0, -1.0]) @ turned
    translation = np.array([0, 0, distance]) - turning @ np.array([*target, 0.0])
    intrinsics = np.array([[focal_px, 0, width / 2], [0, focal_px, height / 2], [0, 0, 1]])
    return Camera(intrinsics @ np.c_[turning, translation], width, height)


def _turn_about(axis: str, angle: float) -> Array:
    cos, sin = np.cos(angle), np.sin(angle)
    if axis == "x":
        return np.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]])
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])
