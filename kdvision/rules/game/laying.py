"""Laying dominoes: the frame around a castle, kingdoms that grow, and actions (RULES 5).

    >>> from kdvision.rules.dominoes import standard_deck
    >>> len(Land.empty(5).moves(standard_deck().by_number[13]))
    24

`Land` is fast: legal places, laying and points in a few operations on bits. It counts as it goes:
territories are joined and points added for the squares of the new domino alone.

A *frame* of (2 * size - 1) rows and columns has the castle in its middle, so that a kingdom never
outgrows it and its places keep their names: the castle of a 5x5 lies on e5, that of a 7x7 on g7.
A *place* is the index of a cell of the frame, and bit `1 << place` of a mask. Rows are one bit
longer than the frame is wide; that bit is never free, so shifts do not run into the next row.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import product

from kdvision.rules.dominoes import Domino
from kdvision.rules.errors import IllegalActionError, RulesError, check_type
from kdvision.rules.kingdom import CASTLE, Cell, Kingdom, Position, check_position, position_name
from kdvision.rules.terrain import Square, Terrain

# ---------------------------------------------------------------------- the frame


@dataclass(frozen=True, slots=True)
class Frame:
    """The places around a castle; there is one frame for each size.

    Attributes:
        size: The size of kingdoms, 5 or 7.
        side: The rows and columns of the frame.
        stride: What is added to a place to come to the one below it.
        castle: The place of the castle.
        beside: For each place its neighbours, as a mask.
        keep: For each place those that stay free once a square lies there, as a mask: not itself,
            and none too far from it for the size.
    """

    size: int
    side: int = field(compare=False)
    stride: int = field(compare=False)
    castle: int = field(compare=False)
    beside: tuple[int, ...] = field(compare=False, repr=False)
    keep: tuple[int, ...] = field(compare=False, repr=False)

    def place(self, at: Position) -> int:
        """Return the place of a (row, col) of the frame."""
        row, col = at
        return row * self.stride + col

    def position(self, place: int) -> Position:
        """Return the (row, col) of a place."""
        return divmod(place, self.stride)


@cache
def frame(size: int) -> Frame:
    """Return the frame of kingdoms of a size, 5 or 7."""
    side, stride = 2 * size - 1, 2 * size
    cells = list(product(range(side), repeat=2))
    beside, keep = [0] * (side * stride), [0] * (side * stride)
    for row, col in cells:
        for far_row, far_col in cells:
            bit = 1 << far_row * stride + far_col
            distances = abs(row - far_row), abs(col - far_col)
            if sum(distances) == 1:
                beside[row * stride + col] |= bit
            if sum(distances) > 0 and max(distances) < size:
                keep[row * stride + col] |= bit
    castle = (size - 1) * stride + size - 1
    return Frame(size, side, stride, castle, tuple(beside), tuple(keep))


# ---------------------------------------------------------------------- land

#: Joined squares of one terrain: (mask, squares, crowns).
Region = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Land:
    """A growing kingdom. Equal when the same squares lie on each place.

    Attributes:
        frame: The places.
        cells: The squares by place.
        free: The places that a square may still lie on, by the size alone.
        near: The places beside the castle or beside a square of a terrain, by terrain.
        regions: The territories, by terrain.
        points: What the territories are worth, without bonuses.
    """

    frame: Frame
    cells: Mapping[int, Square] = field(hash=False)
    free: int = field(repr=False)
    near: Mapping[Terrain, int] = field(compare=False, repr=False)
    regions: Mapping[Terrain, tuple[Region, ...]] = field(compare=False, repr=False)
    points: int

    @classmethod
    def empty(cls, size: int) -> "Land":
        """Return a castle alone."""
        around = frame(size)
        near = dict.fromkeys(Terrain, around.beside[around.castle])
        return cls(around, {}, around.keep[around.castle], near, dict.fromkeys(Terrain, ()), 0)

    @classmethod
    def of(cls, kingdom: Kingdom, size: int) -> "Land":
        """Return the land of a kingdom, whose castle goes to the middle of the frame.

        Raises:
            RulesError: The kingdom has not one castle, or is larger than the size.
        """
        castles, box = kingdom.castles(), kingdom.trimmed()
        if len(castles) != 1 or max(box.height, box.width) > size:
            raise RulesError(f"A kingdom has one castle and at most {size}x{size} places.")
        ((top, left),) = castles
        land = cls.empty(size)
        squares: dict[int, Square] = {}
        for (row, col), square in kingdom.squares().items():
            at = row - top + size - 1, col - left + size - 1
            squares[land.frame.place(at)] = square
        return land._add(squares)

    # ------------------------------------------------------------------ moves

    def moves(self, domino: Domino) -> list[tuple[int, int]]:
        """Return the places of a domino, left half first; alike halves once (RULES 5.1 to 5.4)."""
        moves = []
        for mask, left, right in self._list_masks(domino):
            while mask:
                bit = mask & -mask
                mask ^= bit
                place = bit.bit_length() - 1
                moves.append((place + left, place + right))
        return moves

    def _list_masks(self, domino: Domino) -> Iterator[tuple[int, int, int]]:
        """Yield the first places of each direction, as a mask, with what leads to either half.

        The first place is the upper or the left one. Added to it, the second number gives the place
        of the left half, the third that of the right half. Both places must be free, and one half
        must connect. `free` keeps each half within the size, and as they lie side by side, both
        together stay within it.
        """
        free, is_double = self.free, domino.is_double
        left, right = self.near[domino.left.terrain] & free, self.near[domino.right.terrain] & free
        for step in (1, self.frame.stride):
            side_by_side = free & free >> step
            yield side_by_side & (left | right >> step), 0, step
            if not is_double:
                yield side_by_side & (right | left >> step), step, 0

    def can_lay(self, domino: Domino, left_at: Position, right_at: Position) -> bool:
        """Return whether a domino can lie with its halves on two positions (RULES 5.1 to 5.4)."""
        side = self.frame.side
        for row, col in (left_at, right_at):
            if not (0 <= row < side and 0 <= col < side):
                return False
        left, right = self.frame.place(left_at), self.frame.place(right_at)
        left_bit, right_bit = 1 << left, 1 << right
        if not (self.free & left_bit and self.free & right_bit):
            return False
        if not self.frame.beside[left] & right_bit:
            return False
        near_left, near_right = self.near[domino.left.terrain], self.near[domino.right.terrain]
        return bool(near_left & left_bit or near_right & right_bit)

    def has_room(self, domino: Domino) -> bool:
        """Return whether a domino can be laid anywhere."""
        return any(mask for mask, _, _ in self._list_masks(domino))

    def lay(self, domino: Domino, left: int, right: int) -> "Land":
        """Return the land with a domino on two places, which are not checked."""
        return self._add({left: domino.left, right: domino.right})

    def _add(self, squares: Mapping[int, Square]) -> "Land":
        """Return the land with more squares by place."""
        frame, near, regions = self.frame, dict(self.near), dict(self.regions)
        free, points = self.free, self.points
        for place, square in squares.items():
            terrain, beside = square.terrain, frame.beside[place]
            free &= frame.keep[place]
            near[terrain] |= beside
            regions[terrain], gain = _join_regions(regions[terrain], place, beside, square.crowns)
            points += gain
        return Land(frame, {**self.cells, **squares}, free, near, regions, points)

    # ------------------------------------------------------------------ looking

    @property
    def kingdom(self) -> Kingdom:
        """The kingdom as it lies, cut to its bounding box."""
        return self.board.trimmed()

    @property
    def board(self) -> Kingdom:
        """The whole frame as a kingdom, so that positions are those of the moves."""
        cells: dict[int, Cell] = {**self.cells, self.frame.castle: CASTLE}
        side, stride = self.frame.side, self.frame.stride
        rows = (range(start, start + side) for start in range(0, side * stride, stride))
        return Kingdom(tuple(tuple(map(cells.get, row)) for row in rows))


def _join_regions(
    regions: tuple[Region, ...], place: int, beside: int, crowns: int
) -> tuple[tuple[Region, ...], int]:
    """Return the territories of one terrain with a new square, and the points that it adds."""
    untouched, before, mask, squares = [], 0, 1 << place, 1
    for region in regions:
        if region[0] & beside:
            mask |= region[0]
            squares += region[1]
            crowns += region[2]
            before += region[1] * region[2]
        else:
            untouched.append(region)
    untouched.append((mask, squares, crowns))
    return tuple(untouched), squares * crowns - before


# ---------------------------------------------------------------------- actions


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay the domino under one's king.

    Attributes:
        number: The number of the domino.
        left_at: Where its left half lies, (row, col) of the frame.
        right_at: Where its right half lies.
    """

    number: int
    left_at: Position
    right_at: Position

    def __post_init__(self) -> None:
        for at in (self.left_at, self.right_at):
            check_position(at)

    def __str__(self) -> str:
        return f"{self.number} {position_name(self.left_at)} {position_name(self.right_at)}"


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard the domino under one's king, which has no legal place (RULES 5.5)."""

    number: int

    def __str__(self) -> str:
        return f"{self.number} x"


@dataclass(frozen=True, slots=True)
class Choose:
    """Put one's king on a free domino of the line."""

    number: int

    def __str__(self) -> str:
        return str(self.number)


Action = Lay | Discard | Choose

_ACTION = re.compile(
    r"(?P<number>[0-9]{1,3})(?:\s+(?:(?P<discard>x)|(?P<left>[a-z][0-9]{1,2})\s*,?\s*"
    r"(?P<right>[a-z][0-9]{1,2})))?\Z",
    re.IGNORECASE | re.ASCII,
)


def parse_action(text: str) -> Action:
    """Read an action as it is written, in either case.

    `3 c4 c5` lays domino 3, its left half on c4; `3 x` discards it; `17` puts the king on domino
    17. Places are named in the frame of `Land`: the castle lies on e5, in a 7x7 on g7.

    Raises:
        IllegalActionError: The text is none.

        >>> parse_action("3 C4 c5")
        Lay(number=3, left_at=(3, 2), right_at=(4, 2))
    """
    check_type(text, str, 'text of a move; give such as "3 c4 c5"')
    match = _ACTION.match(text.strip())
    if match is None:
        printable = "".join(filter(str.isprintable, text[:40]))
        raise IllegalActionError(
            f"{printable!r} is no move. Write the domino and its two places (3 c4 c5, its left "
            f"half first), 3 x to discard it, or the number of a domino to choose it (17)."
        )
    number = int(match["number"])
    if match["discard"]:
        return Discard(number)
    if match["left"] is None:
        return Choose(number)
    return Lay(number, _parse_position(match["left"]), _parse_position(match["right"]))


def _parse_position(name: str) -> Position:
    """Return the position that a letter and a number name."""
    return int(name[1:]) - 1, ord(name[0].lower()) - ord("a")
