"""What vision hands on: the kingdoms that were found in a photo, and notes on all else."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from kdvision.arrays import Image
from kdvision.photo.photo import Photo
from kdvision.reading import Doubt, Reading
from kdvision.rules.kingdom import Position
from kdvision.vision.colours import cut_castle
from kdvision.vision.geometry import project
from kdvision.vision.grid.grid import Grid
from kdvision.vision.squares.window import WindowView


class FoundKingdom(Struct, frozen=True, eq=False):
    """One kingdom of a photo, or tiles on one grid that may be one.

    Attributes:
        photo: The photo.
        grid: Where it lies in the photo.
        reading: What lies on the places of the grid.
        view: These places as seen from above.
    """

    photo: Photo
    grid: Grid
    reading: Reading
    view: WindowView

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of the photo in pixels."""
        return self.photo.width, self.photo.height

    def groups(self) -> "list[FoundKingdom]":
        """Return what lies here group by group, see `Reading.groups`."""
        return [replace(self, reading=group) for group in self.reading.groups()]

    def with_doubts(self, *doubts: Doubt) -> "FoundKingdom":
        """Return the kingdom with more doubts."""
        return replace(self, reading=self.reading.with_doubts(*doubts))

    def reach_outside(self, places: Sequence[Position]) -> list[float]:
        """Return how far each place reaches out of the photo, in squares."""
        first = np.array(places, float).reshape(-1, 1, 2)[..., ::-1]
        corners = (first + np.array([[0, 0], [1, 0], [1, 1], [0, 1]])).reshape(-1, 2)
        pixels = project(self.grid.homography, corners).reshape(-1, 8)
        limit = np.array([*self.size] * 4)
        most = np.maximum(-pixels, pixels - limit).max(axis=1) / self.grid.square_px
        return [float(reach) for reach in most]

    def cut_castle(self, at: Position) -> Image:
        """Return the patch (48, 48, 3) of what stands around a place, as the camera sees it."""
        fine = self.view.fine
        return cut_castle(fine.pixels, fine.locate(self.grid.homography), self.grid.centres[at])


class Found(Struct, frozen=True, eq=False):
    """What was found in a photo.

    Attributes:
        kingdoms: The kingdoms, in the reading order of their castles.
        notes: What else may be a kingdom, and is none of these.
    """

    kingdoms: tuple[FoundKingdom, ...]
    notes: tuple[Doubt, ...]
