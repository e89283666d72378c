"""The two ways in which the places of a kingdom are counted, and the way from one to the other.

Vision and decoding count from the top left of a grid, which may be larger than the kingdom. A sheet
counts from the kingdom as it is read without corrections: (0, 0) is a1, and places go on beyond it
on all sides. Whatever corrections add, every place of the sheet keeps its name.
"""

from collections.abc import Mapping
from typing import NewType

from msgspec import Struct

from kdvision.corrections import SheetPlace
from kdvision.reading import Doubt
from kdvision.rules.kingdom import Position

#: A place (row, col) of the grid, from its top left.
GridPlace = NewType("GridPlace", Position)


class Frame(Struct, frozen=True):
    """Where the sheet of a kingdom lies on its grid.

    Attributes:
        corner: The place of the grid that the sheet calls a1.
    """

    corner: GridPlace

    def to_sheet(self, at: GridPlace) -> SheetPlace:
        """Return the place of the sheet that lies on a place of the grid."""
        return SheetPlace((at[0] - self.corner[0], at[1] - self.corner[1]))

    def to_grid(self, at: SheetPlace) -> GridPlace:
        """Return the place of the grid, or beside it, on which a place of the sheet lies."""
        return GridPlace((at[0] + self.corner[0], at[1] + self.corner[1]))

    def cells_on_grid(self, cells: Mapping[SheetPlace, str]) -> dict[Position, str]:
        """Return cell texts by places of the grid, as decoding takes them."""
        return {self.to_grid(at): text for at, text in cells.items()}

    def doubt_on_sheet(self, doubt: Doubt) -> Doubt:
        """Return a doubt about places of the grid as one about places of the sheet."""
        return doubt.moved((-self.corner[0], -self.corner[1]))

    def widened(self, above: int, left: int) -> "Frame":
        """Return the frame on a grid that has so many more rows above and columns on the left."""
        return Frame(GridPlace((self.corner[0] + above, self.corner[1] + left)))
