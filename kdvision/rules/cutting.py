"""Cutting a kingdom into dominoes: an exact search, and exact counts (RULES 6).

The search works on small integers. A *pair* is two neighbouring squares that a domino of the deck
could cover; it is one bit. Every square asks for exactly one of the pairs around it. Whether a
cutting has an order of laying depends only on territories: dominoes that share a territory are
joined in it, a territory beside the castle is joined to the castle, and a domino joins the two
territories that it covers. So every *part* (castle and territories joined so far) that is not yet
the whole asks for at least one of the pairs that lead out of it. The search goes on with a request
that has one answer left, or none; else with the square that has the fewest.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from kdvision.rules.dominoes import Face, face_counts
from kdvision.rules.kingdom import Kingdom, Position, neighbours
from kdvision.rules.scoring import territories
from kdvision.rules.terrain import SQUARE_KINDS, Square

#: Bits that the count of one face takes in a packed sum; the deck holds no face eight times.
_BITS = 3
_ONES = (1 << _BITS) - 1

#: The parts of a kingdom: (pairs that lead out of the part, territories in it), both as bits.
_Parts = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class SquareBits:
    """The squares of a kingdom as bits, ready for the search.

    Squares are bits in reading order, pairs are bits in the order of their first squares,
    territories are bits with the castle as the lowest.
    """

    places: tuple[Position, ...]
    around: dict[int, int]  # square -> the pairs that cover it
    covers: dict[int, int]  # pair -> its two squares
    blocks: dict[int, int]  # pair -> the pairs that share a square with it, and itself
    face: dict[int, int]  # pair -> its face, as a shift into packed counts; none if any may be
    alike: dict[int, int]  # face -> the pairs that show it
    cells: tuple[tuple[Position, ...], ...]  # of each territory; none for the castle
    parts: _Parts  # before any domino: the castle with its neighbours, then each territory

    @property
    def whole(self) -> int:
        """The castle and all territories: what a legal cutting joins."""
        return (1 << len(self.cells)) - 1

    def reach(self, cutting: tuple[int, ...] = ()) -> int:
        """The territories that a cutting joins to the castle, the castle's bit included."""
        return next(members for members in self._groups(cutting) if members & 1)

    def apart(self, cutting: tuple[int, ...]) -> list[list[int]]:
        """The pairs of a cutting that are not joined to the castle, in groups that are joined."""
        apart = [members for members in self._groups(cutting) if not members & 1]
        found = [self.cells_of(members) for members in apart]
        return [[pair for pair in cutting if self.halves(pair)[0] in cells] for cells in found]

    def _groups(self, cutting: tuple[int, ...]) -> list[int]:
        """The castle and the territories, as bits, in groups that a cutting joins."""
        parts = self.parts
        for pair in cutting:
            parts = _joined(parts, pair)
        return [members for _, members in parts]

    def cells_of(self, members: int) -> frozenset[Position]:
        """The squares of some territories."""
        return frozenset(
            at for index, cells in enumerate(self.cells) if members >> index & 1 for at in cells
        )

    def squares_of(self, positions: Iterable[Position]) -> int:
        """The bits of some squares."""
        return sum(1 << self.places.index(at) for at in positions)

    def held(self, pair: int) -> int:
        """How many dominoes of the deck show the face of a pair; 0 where any face may be."""
        shift = self.face.get(pair)
        return 0 if shift is None else _packed_deck() >> shift & _ONES

    def halves(self, pair: int) -> tuple[Position, Position]:
        """The two squares of a pair, in reading order."""
        both = self.covers[pair]
        return self.places[(both & -both).bit_length() - 1], self.places[both.bit_length() - 1]


def board(kingdom: Kingdom, *, any_face: bool = False) -> SquareBits:
    """Prepare a kingdom for the search.

    Args:
        kingdom: What to cut.
        any_face: Whether any two squares make a domino, any number of times; otherwise faces are
            those of the deck, and two squares that are on no domino of it make no pair.
    """
    squares = kingdom.squares()
    places = tuple(squares)
    bit_of = {at: 1 << index for index, at in enumerate(places)}
    kinds = _kind_indices()
    kind_of = {at: kinds.get(square, -1) for at, square in squares.items()}
    shifts = _face_shifts()
    around = dict.fromkeys(bit_of.values(), 0)
    covers: dict[int, int] = {}
    face: dict[int, int] = {}
    alike: dict[int, int] = {}
    ends: list[tuple[int, Position, Position]] = []
    pair = 1
    for at, bit in bit_of.items():
        row, col = at
        for other in ((row, col + 1), (row + 1, col)):
            if other not in bit_of:
                continue
            shift = shifts.get((kind_of[at], kind_of[other]))
            if shift is None and not any_face:
                continue
            around[bit] |= pair
            around[bit_of[other]] |= pair
            covers[pair] = bit | bit_of[other]
            if shift is not None and not any_face:
                face[pair] = shift
                alike[shift] = alike.get(shift, 0) | pair
            ends.append((pair, at, other))
            pair <<= 1
    blocks = {pair: around[bit_of[at]] | around[bit_of[other]] for pair, at, other in ends}
    regions = tuple(territory.cells for territory in territories(kingdom))
    parts = _parts(regions, kingdom.castles(), ends)
    return SquareBits(places, around, covers, blocks, face, alike, ((), *regions), parts)


def cuttings(
    board: SquareBits, demand: int = 0, without: int = 0, *, banned: int = 0
) -> Iterator[tuple[int, ...]]:
    """Every cutting into dominoes, as pairs of the board.

    Args:
        board: The squares to cut.
        demand: Territories that must be joined to the castle: 0 for none, `SquareBits.whole` for an
            order of laying. The bit of the castle belongs to it.
        without: Squares to leave out.
        banned: Pairs that are no domino.
    """
    alive = sum(board.covers) & ~banned
    left_out = [bit for bit in board.around if bit & without]
    for bit in left_out:
        alive &= ~board.around[bit]
    squares = (1 << len(board.places)) - 1 & ~without
    return _cut(board, demand, alive, squares, _packed_deck(), board.parts, ())


def _cut(
    board: SquareBits,
    demand: int,
    alive: int,
    squares: int,
    left: int,
    parts: _Parts,
    chosen: tuple[int, ...],
) -> Iterator[tuple[int, ...]]:
    """Finish a cutting that has begun: the pairs and squares still open, the faces left."""
    options = _tightest(board, demand, alive, squares, parts)
    if not options:
        if options is None:
            yield chosen
        return
    while options:
        pair = options & -options
        options ^= pair
        fewer, rest = left, alive & ~board.blocks[pair]
        shift = board.face.get(pair)
        if shift is not None:
            fewer -= 1 << shift
            if not fewer >> shift & _ONES:
                rest &= ~board.alike[shift]
        yield from _cut(
            board,
            demand,
            rest,
            squares & ~board.covers[pair],
            fewer,
            _joined(parts, pair) if demand else parts,
            (*chosen, pair),
        )
        alive ^= pair  # Later answers do without this pair, so no cutting comes twice.


def _tightest(
    board: SquareBits, demand: int, alive: int, squares: int, parts: _Parts
) -> int | None:
    """The answers to the next request; 0 at a dead end, None when all are met."""
    best, fewest = None, 1 << 30
    around = board.around
    while squares:
        square = squares & -squares
        squares ^= square
        options = alive & around[square]
        count = options.bit_count()
        if count < fewest:
            if count < 2:
                return options
            best, fewest = options, count
    if demand:
        for leading_out, members in parts:
            if members & demand and demand & ~members:
                options = alive & leading_out
                if options.bit_count() < 2:
                    return options
    return best


def _joined(parts: _Parts, pair: int) -> _Parts:
    """The parts after a domino joined the two that its pair leads out of."""
    touched = [part for part in parts if part[0] & pair]
    if not touched:
        return parts
    (out, members), (other_out, other_members) = touched
    # A pair between the two led out of both, and leads out of neither any more.
    joined = (out ^ other_out, members | other_members)
    return (joined, *(part for part in parts if not part[0] & pair))


def _parts(
    regions: tuple[tuple[Position, ...], ...],
    castles: tuple[Position, ...],
    ends: list[tuple[int, Position, Position]],
) -> _Parts:
    """The parts before any domino lies."""
    beside_castle = {near for at in castles for near in neighbours(at)}
    part_of: dict[Position, int] = {}
    members = [1]
    for index, cells in enumerate(regions, 1):
        if beside_castle.isdisjoint(cells):
            part_of.update(dict.fromkeys(cells, len(members)))
            members.append(1 << index)
        else:
            part_of.update(dict.fromkeys(cells, 0))
            members[0] |= 1 << index
    leading_out = [0] * len(members)
    for pair, at, other in ends:
        if part_of[at] != part_of[other]:
            leading_out[part_of[at]] |= pair
            leading_out[part_of[other]] |= pair
    return tuple(zip(leading_out, members, strict=True))


@cache
def _kind_indices() -> dict[Square, int]:
    return {kind: index for index, kind in enumerate(SQUARE_KINDS)}


@cache
def _faces() -> tuple[Face, ...]:
    return tuple(sorted(face_counts()))


@cache
def _face_shifts() -> dict[tuple[int, int], int]:
    """Where the count of a face lies in the packed counts, by its two kinds, either way round."""
    kinds = _kind_indices()
    shifts = {}
    for index, (one, other) in enumerate(_faces()):
        shifts[kinds[one], kinds[other]] = shifts[kinds[other], kinds[one]] = index * _BITS
    return shifts


@cache
def _packed_deck() -> int:
    """How often the deck holds each face, in one number."""
    counts = face_counts()
    return sum(counts[face] << index * _BITS for index, face in enumerate(_faces()))
