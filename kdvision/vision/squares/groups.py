"""The kingdoms on one grid: groups of tiles around a castle."""

from kdvision.reading import Reading
from kdvision.vision.grid.grid import Grid
from kdvision.vision.grid.settings import GRID
from kdvision.vision.squares.castle import open_hidden_places
from kdvision.vision.squares.touching import cut_touching


def kingdoms_on(reading: Reading, grid: Grid) -> list[Reading]:
    """Return a reading for each of the kingdoms on a grid, those of the largest pieces first.

    Args:
        reading: All that was read on the grid.
        grid: The grid.
    """
    pieces = [group for group in reading.groups() if len(group.taken) >= GRID.least_squares]
    kingdoms = [kingdom for piece in pieces if piece.castle for kingdom in cut_touching(piece)]
    return [open_hidden_places(kingdom, grid) for kingdom in kingdoms]
