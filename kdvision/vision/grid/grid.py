"""A grid: the lattice of one kingdom in a photo, and the window of its places."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from kdvision.arrays import Array
from kdvision.reading import Reading
from kdvision.rules.kingdom import Position
from kdvision.vision.geometry import project, shift_origin
from kdvision.vision.grid.settings import GRID


class Grid(Struct, frozen=True, eq=False, kw_only=True):
    """One lattice in a photo, and the window of places that may belong to its kingdom.

    Attributes:
        homography: (3, 3) from lattice coordinates (column, row) of the window to pixels (x, y) of
            the upright photo, measured from the outer corner of its top left pixel.
        rows: Rows of the window.
        cols: Columns of the window.
        centres: (rows, cols, 2) lattice coordinates of the centre of what lies on each place, as
            far as a square was found there, else the middle of the place.
        found: (rows, cols) whether a square was found there.
        castle: (rows, cols) how much it looked like the castle, 0 to 1.
        tile: (rows, cols) how much of the middle of each place looked like a tile, 0 to 1.
        tile_seen: (rows, cols) the same of all that lies in the photo, 0.5 where nothing does.
        agreed: (rows, cols) how far its pixels agreed on a square there, 0 to 1.
        residual: Root mean square distance of squares from the lattice, in squares.
        square_px: Side of a square in the middle, in pixels of the upright photo.
    """

    homography: Array
    rows: int
    cols: int
    centres: Array
    found: NDArray[np.bool_]
    castle: Array
    tile: Array
    tile_seen: Array
    agreed: Array
    residual: float
    square_px: float

    def middles_of(self, places: Sequence[Position]) -> Array:
        """Return (n, 2), the middles of places (row, col) in pixels (x, y) of the photo."""
        return project(self.homography, np.array(places, float).reshape(-1, 2)[:, ::-1] + 0.5)

    def without(self, places: Collection[Position]) -> "Grid":
        """Return the grid with no square found on places: they are another kingdom's."""
        found = self.found.copy()
        for at in places:
            found[at] = False
        return replace(self, found=found)

    def widened(self, above: int, left: int, below: int, right: int) -> "Grid":
        """Return the grid with a window that is wider by so many places on each side."""

        def pad(values: NDArray[Any], fill: float) -> NDArray[Any]:
            return np.pad(values, ((above, below), (left, right)), constant_values=fill)

        rows, cols = above + self.rows + below, left + self.cols + right
        centres = middles(rows, cols)
        shift = np.array([left, above])
        centres[above : above + self.rows, left : left + self.cols] = self.centres + shift
        return replace(
            self,
            homography=shift_origin(self.homography, -left, -above),
            rows=rows,
            cols=cols,
            centres=centres,
            found=pad(self.found, False),
            castle=pad(self.castle, 0.0),
            tile=pad(self.tile, 0.5),
            tile_seen=pad(self.tile_seen, 0.5),
            agreed=pad(self.agreed, GRID.few_votes),
        )


def middles(rows: int, cols: int) -> Array:
    """Return (rows, cols, 2): lattice coordinates (column, row) of the middles of places."""
    return np.stack(np.meshgrid(np.arange(cols) + 0.5, np.arange(rows) + 0.5), axis=-1)


def taken_mask(reading: Reading) -> NDArray[np.bool_]:
    """Return (rows, cols): where a reading has something lie."""
    mask = np.zeros((reading.height, reading.width), bool)
    mask[tuple(np.transpose(reading.taken))] = True
    return mask
