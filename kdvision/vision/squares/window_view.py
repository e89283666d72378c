"""What is seen of the window of a grid: its places from above, and the ground around them."""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from kdvision.photo.photo import Photo
from kdvision.vision.grid.finder import Grid
from kdvision.vision.squares.background import Ground, ground_of
from kdvision.vision.squares.patches import flatten


class WindowView(Struct, frozen=True, eq=False):
    """The window of a grid as seen from above, for the classifier and for doubts.

    Attributes:
        flat: Its places; see `patches.flatten`.
        ground: What they and those around them look like; see `background.ground_of`.
    """

    flat: NDArray[np.uint8]
    ground: Ground


def view_of(photo: Photo, grid: Grid) -> WindowView:
    """The window of a grid in a photo as seen from above."""
    return WindowView(flatten(photo, grid), ground_of(photo, grid))
