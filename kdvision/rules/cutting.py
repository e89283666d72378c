"""Cutting squares into dominoes: one exact solver for all questions of the rules (RULES 6, 7.6).

The search works on small integers. A *pair* is two neighbouring squares that could be one domino;
it is one bit. Every square asks for exactly one of the pairs around it. Whether a cutting
has an order of laying depends only on territories: dominoes that share a territory are joined in
it, a territory beside the castle is joined to the castle, and a domino joins the two territories
that it lies in. So every *part* (castle and territories joined so far) that is not yet the whole
asks for at least one of the pairs that lead out of it. So squares and parts make *requests*, and
pairs are the answers. The search goes on with a request that has one answer left, or none; else
with the square that has the fewest.

`kdvision.decoding.exact_cover` answers another question: not which cuttings a known kingdom has,
but which squares prove that labels have none. Either would be slower at the other's work.

    >>> squares = square_bits(Kingdom.parse("C L L/- L L"))
    >>> [[squares.ends[pair] for pair in cutting] for cutting in cuttings(squares)][0]
    [((0, 1), (0, 2)), ((1, 1), (1, 2))]
    >>> forced, possible = map(squares.pairs, forced_and_possible(squares))
    >>> len(forced), len(possible)
    (0, 4)
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from math import perm, prod
from operator import and_, or_

from kdvision.rules.dominoes import Deck, Face, face, standard_deck
from kdvision.rules.kingdom import Kingdom, Pair, Position, list_pairs, neighbours
from kdvision.rules.scoring import territories

#: Joined territories: (pairs that lead out of them, the territories), both as bits.
_Parts = tuple[tuple[int, int], ...]

#: Maximum number of cuttings that are listed. In 400 played games no kingdom of the deck had more
#: than 72, a full 5x5 has 196 with any dominoes; a thousand take a twentieth of a second.
MAX_LISTED = 1000
#: Steps that the searches for one answer may take together, some 30 microseconds each. Of 3,200
#: kingdoms that were played, most of them then misread in one to eight squares, none took more than
#: 56,000; 48 squares of one kind and a deck that lacks one domino would take a million.
MAX_STEPS = 100_000
#: Number of cuttings that are compared before pairs are tried one by one, which then is quicker.
_COMPARED = 8


class UndecidedError(Exception):
    """A search took too many steps: neither yes nor no."""


def step_budget() -> Iterator[int]:
    """Return the steps that the searches for one answer may take together."""
    return iter(range(MAX_STEPS))


@dataclass(frozen=True, slots=True)
class SquareBits:
    """Squares as bits, ready for the search.

    Squares are bits in reading order, pairs are bits in the order of their first squares,
    territories are bits with the castle as the lowest.

    Attributes:
        places: Where the squares lie.
        around: The pairs that each square is in.
        halves: The two squares of each pair.
        blocks: The pairs that share a square with each pair, and the pair itself.
        ends: The two places of each pair, in reading order.
        face: The number of the face of each pair in `stock`; empty if any two squares may be one.
        alike: The pairs that show each face, by its number.
        stock: How often the deck has each face.
        cells: The places of each territory; none for the castle.
        parts: Those before any domino lies: the castle with its neighbours, then each territory.
    """

    places: tuple[Position, ...]
    around: dict[int, int]
    halves: dict[int, int]
    blocks: dict[int, int]
    ends: dict[int, Pair]
    face: dict[int, int]
    alike: dict[int, int]
    stock: tuple[int, ...]
    cells: tuple[tuple[Position, ...], ...]
    parts: _Parts

    @property
    def whole(self) -> int:
        """The castle and all territories: what a legal cutting joins."""
        return (1 << len(self.cells)) - 1

    def find_apart(self, cutting: tuple[int, ...]) -> list[list[Pair]]:
        """Return the dominoes of a cutting that nothing joins to the castle, in joined groups."""
        parts = self.parts
        for pair in cutting:
            parts = _join_parts(parts, pair)
        dominoes = [self.ends[pair] for pair in cutting]
        groups = []
        for _, members in parts:
            if not members & 1:
                cells = self.cells_of(members)
                groups.append([domino for domino in dominoes if domino[0] in cells])
        return groups

    def cells_of(self, members: int) -> frozenset[Position]:
        """Return the squares of some territories."""
        squares: set[Position] = set()
        for index, cells in enumerate(self.cells):
            if members >> index & 1:
                squares.update(cells)
        return frozenset(squares)

    def squares_of(self, positions: Iterable[Position]) -> int:
        """Return the bits of some squares."""
        return sum(1 << self.places.index(at) for at in positions)

    def pairs(self, pairs: int) -> frozenset[Pair]:
        """Return pairs that are given as bits as two places each."""
        return frozenset(ends for pair, ends in self.ends.items() if pair & pairs)

    def count_ways(self, cutting: tuple[int, ...]) -> int:
        """Return in how many ways dominoes of the deck can be picked for a cutting.

        With all that is known of the deck, cuttings are as likely as their ways. There is one with
        dominoes of any kind.
        """
        used = Counter(self.face[pair] for pair in cutting if self.face)
        return prod(perm(self.stock[number], times) for number, times in used.items())


def square_bits(
    kingdom: Kingdom, *, any_face: bool = False, deck: Deck | None = None
) -> SquareBits:
    """Prepare a kingdom for the search.

    Args:
        kingdom: What is to be cut.
        any_face: Whether any two squares make a domino, any number of times. Otherwise two squares
            on no domino of the deck make no pair.
        deck: The dominoes; None for those of the box.
    """
    # Squares are bits in reading order.
    squares = kingdom.squares()
    stock = (deck or standard_deck()).face_counts
    numbers: dict[Face, int] = {}
    bit_of = {at: 1 << index for index, at in enumerate(squares)}
    around = dict.fromkeys(bit_of.values(), 0)
    halves: dict[int, int] = {}
    faces: dict[int, int] = {}
    alike: dict[int, int] = {}
    ends: dict[int, Pair] = {}
    # Two neighbouring squares are a pair where a domino shows them.
    pair = 1
    for at, near in list_pairs(squares):
        if not any_face:
            pair_face = face(squares[at], squares[near])
            if pair_face not in stock:
                continue
            number = faces[pair] = numbers.setdefault(pair_face, len(numbers))
            alike[number] = alike.get(number, 0) | pair
        around[bit_of[at]] |= pair
        around[bit_of[near]] |= pair
        halves[pair] = bit_of[at] | bit_of[near]
        ends[pair] = at, near
        pair <<= 1
    # The pairs that exclude each other, and the territories that pairs join.
    blocks: dict[int, int] = {}
    for pair, (at, near) in ends.items():
        blocks[pair] = around[bit_of[at]] | around[bit_of[near]]
    regions = tuple(territory.cells for territory in territories(kingdom))
    joined = {near for at in kingdom.castles() for near in neighbours(at)}
    parts = _build_parts(regions, joined, ends)
    return SquareBits(
        places=tuple(bit_of),
        around=around,
        halves=halves,
        blocks=blocks,
        ends=ends,
        face=faces,
        alike=alike,
        stock=tuple(stock[pair_face] for pair_face in numbers),
        cells=((), *regions),
        parts=parts,
    )


def cuttings(
    squares: SquareBits,
    demand: int = 0,
    without: int = 0,
    *,
    banned: int = 0,
    groups: int = 1,
    steps: Iterator[int] | None = None,
) -> Iterator[tuple[int, ...]]:
    """Yield every cutting into dominoes, as pairs, each once.

    Args:
        squares: What to cut.
        demand: Territories that must be joined to the castle: 0 for none, `SquareBits.whole` for an
            order of laying. The bit of the castle belongs to it.
        without: Squares to leave out, as bits.
        banned: Pairs that are no domino, as bits.
        groups: The number of joined groups that the demanded territories may form; 1 where all
            must be joined to the castle.
        steps: The steps that are left, of which the search takes what it needs; None for a
            `step_budget` of its own.

    Raises:
        UndecidedError: No steps are left.
    """
    alive = sum(squares.halves) & ~banned
    left_out = [bit for bit in squares.around if bit & without]
    for bit in left_out:
        alive &= ~squares.around[bit]
    open_squares = (1 << len(squares.places)) - 1 & ~without
    search = _Search(squares, demand, groups, step_budget() if steps is None else steps)
    return search.cut(alive, open_squares, squares.stock, squares.parts, ())


@dataclass(frozen=True, slots=True)
class _Search:
    """One search; its fields are the arguments of `cuttings`."""

    squares: SquareBits
    demand: int
    groups: int
    steps: Iterator[int]

    def cut(
        self,
        alive: int,
        open_squares: int,
        stock: tuple[int, ...],
        parts: _Parts,
        chosen: tuple[int, ...],
    ) -> Iterator[tuple[int, ...]]:
        """Yield the ends of a cutting that has begun: pairs and squares still open, faces left.

        Raises:
            UndecidedError: No steps are left.
        """
        if next(self.steps, None) is None:
            raise UndecidedError
        options = self.find_tightest(alive, open_squares, parts)
        if not options:
            if options is None:
                yield chosen
            return
        squares = self.squares
        # Each answer in turn: the pair is laid, and one domino with its face is gone.
        while options:
            pair = options & -options
            options ^= pair
            fewer, open_pairs = stock, alive & ~squares.blocks[pair]
            number = squares.face.get(pair)
            if number is not None:
                fewer = (*stock[:number], stock[number] - 1, *stock[number + 1 :])
                if not fewer[number]:
                    open_pairs &= ~squares.alike[number]
            # The rest is cut without the squares of this domino.
            yield from self.cut(
                open_pairs,
                open_squares & ~squares.halves[pair],
                fewer,
                _join_parts(parts, pair) if self.demand else parts,
                (*chosen, pair),
            )
            # Later answers do without this pair, so no cutting comes twice.
            alive ^= pair

    def find_tightest(self, alive: int, open_squares: int, parts: _Parts) -> int | None:
        """Return the answers to the next request; 0 at a dead end, None when all are met."""
        best = None
        # A square is in four pairs at most.
        fewest = 5
        around = self.squares.around
        dominoes = open_squares.bit_count() // 2
        while open_squares:
            square = open_squares & -open_squares
            open_squares ^= square
            options = alive & around[square]
            count = options.bit_count()
            if count < fewest:
                if count < 2:
                    return options
                best, fewest = options, count
        if self.demand:
            answer = self.answer_parts(alive, parts, dominoes)
            if answer is not None:
                return answer
        return best

    def answer_parts(self, alive: int, parts: _Parts, dominoes: int) -> int | None:
        """Return the only answer to a part's request; 0 where too many parts stay apart.

        None where no part has only one.
        """
        demand = self.demand
        waiting = [out & alive for out, members in parts if members & demand]
        if len(waiting) <= self.groups:
            return None
        # A domino joins two parts at most.
        if len(waiting) - self.groups > dominoes:
            return 0
        if self.groups > 1:
            return None
        for options in waiting:
            if options.bit_count() < 2:
                return options
        return None


def _join_parts(parts: _Parts, pair: int) -> _Parts:
    """Return the parts after a domino joined the two that its pair leads out of."""
    touched = [part for part in parts if part[0] & pair]
    if not touched:
        return parts
    (out, members), (far_out, far_members) = touched
    # A pair between the two led out of both, and leads out of neither any more.
    joined = (out ^ far_out, members | far_members)
    return (joined, *(part for part in parts if not part[0] & pair))


def _build_parts(
    regions: Sequence[tuple[Position, ...]], joined: set[Position], ends: Mapping[int, Pair]
) -> _Parts:
    """Return the parts before any domino lies.

    Args:
        regions: The places of each territory.
        joined: The places beside the castle.
        ends: The two places of each pair.
    """
    # The territories beside the castle are one part with it; every other one is its own.
    part_of: dict[Position, int] = {}
    members = [1]
    for index, cells in enumerate(regions, 1):
        if joined.isdisjoint(cells):
            part_of.update(dict.fromkeys(cells, len(members)))
            members.append(1 << index)
        else:
            part_of.update(dict.fromkeys(cells, 0))
            members[0] |= 1 << index
    # Pairs between two parts lead out of both.
    leading_out = [0] * len(members)
    for pair, (at, near) in ends.items():
        if part_of[at] != part_of[near]:
            leading_out[part_of[at]] |= pair
            leading_out[part_of[near]] |= pair
    return tuple(zip(leading_out, members, strict=True))


# ---------------------------------------------------------------------- pairs


def cut_squares(kingdom: Kingdom, deck: Deck | None = None) -> tuple[SquareBits, bool]:
    """Return the squares of a kingdom to be cut, and whether its dominoes are of the deck.

    Where the deck cannot hold the squares, or that takes too many steps to tell, any two make a
    domino. None is the deck of the box.
    """
    squares = square_bits(kingdom, deck=deck)
    with suppress(UndecidedError):
        if can_be_cut(squares):
            return squares, True
    return square_bits(kingdom, any_face=True), False


def can_be_cut(
    squares: SquareBits, demand: int = 0, without: int = 0, *, steps: Iterator[int] | None = None
) -> bool:
    """Return whether there is any cutting; see `cuttings`.

    Raises:
        UndecidedError: No steps are left.
    """
    return next(cuttings(squares, demand, without, steps=steps), None) is not None


def list_cuttings(
    squares: SquareBits, most: int = MAX_LISTED
) -> tuple[tuple[int, ...], ...] | None:
    """List all cuttings, or return None where they are more than `most`, or too hard to find."""
    try:
        listing = tuple(islice(cuttings(squares), most + 1))
    except UndecidedError:
        return None
    return listing if len(listing) <= most else None


def forced_and_possible(squares: SquareBits) -> tuple[int, int]:
    """Return the pairs that are one domino in every cutting, and those in at least one, as bits.

    Of real kingdoms, nine pairs of ten are the same in all cuttings. What takes too many steps to
    tell is possible, and not forced.
    """
    # A few cuttings show which pairs can be in all, and some that are in any.
    every_pair = sum(squares.halves)
    try:
        first = [sum(cutting) for cutting in islice(cuttings(squares), _COMPARED)]
    except UndecidedError:
        return 0, every_pair
    forced, possible = reduce(and_, first or [0]), reduce(or_, first, 0)
    if len(first) < _COMPARED:
        return forced, possible
    # The others are tried one by one: a cutting is sought without a pair that is in all so far, or
    # with one that is in none.
    steps = step_budget()
    try:
        for pair in squares.halves:
            if pair & forced:
                cutting = next(cuttings(squares, banned=pair, steps=steps), ())
                if cutting:
                    forced &= sum(cutting)
            elif not pair & possible:
                others = squares.blocks[pair] & ~pair
                cutting = next(cuttings(squares, banned=others, steps=steps), ())
            else:
                continue
            possible |= sum(cutting)
    except UndecidedError:
        return 0, every_pair
    return forced, possible
