"""The places around a castle, numbered, with their neighbours as bits (RULES 5.4).

A *frame* of (2 * size - 1) rows and columns has the castle in its middle, so that a kingdom never
outgrows it and its places keep their names: the castle of a 5x5 lies on e5, that of a 7x7 on g7.
A *place* is the index of a cell of the frame, and bit `1 << place` of a mask. Rows are one bit
longer than the frame is wide; that bit is never free, so shifts do not run into the next row.
"""

from dataclasses import dataclass
from functools import cache

from kdvision.rules.kingdom import Position
from kdvision.rules.scoring import SIZES


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """The places around a castle. `beside` and `keep` are masks by place.

    `beside` are the neighbours of a place, `keep` the places that stay free once a square lies
    there: not itself, and none too far from it for the size.
    """

    size: int
    side: int
    stride: int
    castle: int
    beside: tuple[int, ...]
    keep: tuple[int, ...]

    def place(self, at: Position) -> int:
        """The place of a (row, col) of the frame.

        Raises:
            ValueError: The position lies outside.
        """
        row, col = at
        if not (0 <= row < self.side and 0 <= col < self.side):
            raise ValueError(f"({row}, {col}) lies outside the {self.side}x{self.side} frame.")
        return row * self.stride + col

    def position(self, place: int) -> Position:
        """The (row, col) of a place."""
        return divmod(place, self.stride)


@cache
def frame(size: int) -> Frame:
    """The frame of kingdoms of a size.

    Raises:
        ValueError: The size is neither 5 nor 7.
    """
    if size not in SIZES:
        raise ValueError(f"The size of a kingdom is 5 or 7, not {size!r}.")
    side, stride = 2 * size - 1, 2 * size
    cells = [(row, col) for row in range(side) for col in range(side)]
    beside, keep = [0] * (side * stride), [0] * (side * stride)
    for row, col in cells:
        for other_row, other_col in cells:
            bit = 1 << other_row * stride + other_col
            distances = abs(row - other_row), abs(col - other_col)
            if sum(distances) == 1:
                beside[row * stride + col] |= bit
            if sum(distances) > 0 and max(distances) < size:
                keep[row * stride + col] |= bit
    castle = (size - 1) * stride + size - 1
    return Frame(size, side, stride, castle, tuple(beside), tuple(keep))
