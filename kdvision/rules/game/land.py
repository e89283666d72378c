"""A kingdom that grows, as bits: legal places, laying and points in a few operations (RULES 5).

A `Land` never changes; `lay` makes the next one. It counts as it goes: territories are joined and
points added for the squares of the new domino alone.
"""

from collections.abc import Iterator
from typing import NamedTuple

from kdvision.rules.dominoes import Domino
from kdvision.rules.game.frame import Frame, frame
from kdvision.rules.kingdom import CASTLE, Cell, Kingdom
from kdvision.rules.scoring import territories
from kdvision.rules.terrain import Square, Terrain

_TERRAINS = tuple(Terrain)
_INDEX = {terrain: index for index, terrain in enumerate(_TERRAINS)}
#: Bits of one cell in `Land.cells`: the terrain, counted from 1, below the crowns.
_TERRAIN_BITS, _CELL_BITS = 3, 8

#: Joined squares of one terrain: (mask, squares, crowns).
Region = tuple[int, int, int]


class Piece(NamedTuple):
    """A domino in numbers: terrain index, crowns and cell code of each half; are both alike."""

    left: int
    left_crowns: int
    left_code: int
    right: int
    right_crowns: int
    right_code: int
    double: bool


def piece(domino: Domino) -> Piece:
    """A domino in numbers."""
    one, other = domino.left, domino.right
    halves = (_INDEX[one.terrain], one.crowns, _code(one))
    return Piece(*halves, _INDEX[other.terrain], other.crowns, _code(other), one == other)


def _code(square: Square) -> int:
    return _INDEX[square.terrain] + 1 | square.crowns << _TERRAIN_BITS


class Land:
    """A growing kingdom. Never changed once made; equal when the same squares lie on each place.

    Attributes:
        frame: The places.
        cells: The codes of all squares, eight bits for each place.
        free: The places that a square may still lie on, by the size alone.
        near: By terrain: the places beside the castle or beside a square of it.
        regions: By terrain: the territories.
        points: What the territories are worth, without bonuses.
    """

    __slots__ = ("cells", "frame", "free", "near", "points", "regions")

    def __init__(
        self,
        frame: Frame,
        cells: int,
        free: int,
        near: tuple[int, ...],
        regions: tuple[tuple[Region, ...], ...],
        points: int,
    ) -> None:
        self.frame = frame
        self.cells = cells
        self.free = free
        self.near = near
        self.regions = regions
        self.points = points

    @classmethod
    def empty(cls, size: int) -> "Land":
        """A castle alone."""
        around = frame(size)
        near = (around.beside[around.castle],) * len(_TERRAINS)
        return cls(around, 0, around.keep[around.castle], near, ((),) * len(_TERRAINS), 0)

    @classmethod
    def of(cls, kingdom: Kingdom, size: int) -> "Land":
        """The land of a kingdom, whose castle goes to the middle of the frame.

        Raises:
            ValueError: The kingdom has not one castle, or is larger than the size.
        """
        castles, box = kingdom.castles(), kingdom.trimmed()
        if len(castles) != 1 or max(box.height, box.width) > size:
            raise ValueError(f"A kingdom has one castle and at most {size}x{size} places.")
        ((top, left),) = castles
        land = cls.empty(size)
        around, near, points = land.frame, list(land.near), 0
        regions: list[list[Region]] = [[] for _ in _TERRAINS]
        places = {
            at: around.place((at[0] - top + size - 1, at[1] - left + size - 1))
            for at in kingdom.squares()
        }
        cells, free = 0, land.free
        for at, square in kingdom.squares().items():
            cells |= _code(square) << _CELL_BITS * places[at]
            free &= around.keep[places[at]]
            near[_INDEX[square.terrain]] |= around.beside[places[at]]
        for territory in territories(kingdom):
            mask = sum(1 << places[at] for at in territory.cells)
            regions[_INDEX[territory.terrain]].append((mask, territory.squares, territory.crowns))
            points += territory.points
        return cls(around, cells, free, tuple(near), tuple(map(tuple, regions)), points)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Land):
            return NotImplemented
        return self.cells == other.cells and self.frame is other.frame

    def __hash__(self) -> int:
        return hash((self.cells, self.frame.size))

    # ------------------------------------------------------------------ moves

    def fits(self, domino: Piece) -> bool:
        """Whether a domino has any legal place."""
        return any(mask for mask, _, _ in self._masks(domino))

    def count(self, domino: Piece) -> int:
        """How many legal places a domino has; alike halves count once."""
        return sum(mask.bit_count() for mask, _, _ in self._masks(domino))

    def moves(self, domino: Piece) -> list[tuple[int, int]]:
        """The legal places of a domino, left half first; alike halves once (RULES 5.1 to 5.4)."""
        found = []
        for mask, left, right in self._masks(domino):
            while mask:
                bit = mask & -mask
                mask ^= bit
                place = bit.bit_length() - 1
                found.append((place + left, place + right))
        return found

    def _masks(self, domino: Piece) -> Iterator[tuple[int, int, int]]:
        """Masks of first places, and what to add to them for the left and for the right half.

        Both halves must be free, and one must connect. Each half alone keeps the size; as they
        lie side by side, both together do.
        """
        free = self.free
        left, right = self.near[domino[0]] & free, self.near[domino[3]] & free
        for step in (1, self.frame.stride):
            both = free & free >> step
            yield both & (left | right >> step), 0, step
            if not domino[6]:
                yield both & (right | left >> step), step, 0

    def lay(self, domino: Piece, left: int, right: int) -> "Land":
        """The land with a domino on two places, which are not checked."""
        one, crowns, code, other, other_crowns, other_code, _ = domino
        frame = self.frame
        beside, beside_right = frame.beside[left], frame.beside[right]
        near = list(self.near)
        near[one] |= beside
        near[other] |= beside_right
        regions = list(self.regions)
        if one == other:
            regions[one], gain = _joined(
                regions[one],
                1 << left | 1 << right,
                beside | beside_right,
                2,
                crowns + other_crowns,
            )
        else:
            regions[one], gain = _joined(regions[one], 1 << left, beside, 1, crowns)
            regions[other], more = _joined(
                regions[other], 1 << right, beside_right, 1, other_crowns
            )
            gain += more
        return Land(
            frame,
            self.cells | code << _CELL_BITS * left | other_code << _CELL_BITS * right,
            self.free & frame.keep[left] & frame.keep[right],
            tuple(near),
            tuple(regions),
            self.points + gain,
        )

    # ------------------------------------------------------------------ looking

    @property
    def taken(self) -> int:
        """The places where the castle or a square lies."""
        taken = 1 << self.frame.castle
        for regions in self.regions:
            for region in regions:
                taken |= region[0]
        return taken

    @property
    def kingdom(self) -> Kingdom:
        """The kingdom as it lies, cut to its bounding box."""
        return self.board.trimmed()

    @property
    def board(self) -> Kingdom:
        """The whole frame as a kingdom, so that positions are those of the moves."""
        side, stride, size = self.frame.side, self.frame.stride, self.frame.size
        rows = [[self._cell(row * stride + col) for col in range(side)] for row in range(side)]
        rows[size - 1][size - 1] = CASTLE
        return Kingdom(tuple(map(tuple, rows)))

    def _cell(self, place: int) -> Cell:
        code = self.cells >> _CELL_BITS * place & (1 << _CELL_BITS) - 1
        if not code:
            return None
        terrain = code & (1 << _TERRAIN_BITS) - 1
        return Square(_TERRAINS[terrain - 1], code >> _TERRAIN_BITS)


def _joined(
    regions: tuple[Region, ...], mask: int, beside: int, squares: int, crowns: int
) -> tuple[tuple[Region, ...], int]:
    """The territories of one terrain with new squares, and the points that they add."""
    apart = []
    before = 0
    for region in regions:
        if region[0] & beside:
            mask |= region[0]
            squares += region[1]
            crowns += region[2]
            before += region[1] * region[2]
        else:
            apart.append(region)
    apart.append((mask, squares, crowns))
    return tuple(apart), squares * crowns - before


def perft(land: Land, dominoes: tuple[Piece, ...]) -> int:
    """How many ways there are to lay dominoes in turn; the last ones are laid too."""
    first, rest = dominoes[0], dominoes[1:]
    laid = [land.lay(first, left, right) for left, right in land.moves(first)]
    return sum(perft(one, rest) for one in laid) if rest else len(laid)
