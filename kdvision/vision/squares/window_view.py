"""What is seen of the window of a grid: its places from above, and the ground around them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kdvision.photo.photo import Photo
from kdvision.vision.grid.grid import Grid
from kdvision.vision.squares.background import Ground, survey
from kdvision.vision.squares.patches import flatten


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What is seen of a window, for the reader and for doubts.

    Attributes:
        flat: The window from above; see `squares.flatten`.
        ground: How its places and those around it look; see `ground.survey`.
    """

    flat: NDArray[np.uint8]
    ground: Ground


def sight_of(photo: Photo, grid: Grid) -> Sight:
    """What is seen of the window of a grid in a photo."""
    return Sight(flatten(photo, grid), survey(photo, grid))
