"""Which neighbouring squares are one domino: in every cutting of a kingdom, or in some (RULES 6).

A finished kingdom does not show which two squares came together, but the deck leaves few cuttings:
of real kingdoms, nine pairs of ten are the same in all of them.
"""

from dataclasses import dataclass
from functools import cache, reduce
from itertools import islice
from operator import and_, or_

from kdvision.rules.cutting import SquareBits, board, cuttings
from kdvision.rules.dominoes import deck, face, face_counts
from kdvision.rules.kingdom import Kingdom, Position
from kdvision.rules.terrain import Square

#: Two neighbouring places, the upper or the left one first.
Pair = tuple[Position, Position]

#: So many cuttings are listed. In 400 played games no kingdom of the deck had more than 72, a full
#: 5x5 has 196 with any dominoes; a thousand take a twentieth of a second.
MOST_LISTED = 1000
#: So many cuttings are compared before pairs are tried one by one, which then is quicker.
_COMPARED = 64


@dataclass(frozen=True, slots=True)
class PairSets:
    """The pairs of a kingdom: `forced` are one domino in every cutting, `possible` in at least one.

    `of_deck` is whether the deck has the dominoes of some cutting. Where it has not, cuttings are
    those into dominoes of any two squares. Without any cutting both sets are empty.
    """

    forced: frozenset[Pair]
    possible: frozenset[Pair]
    of_deck: bool = True


@dataclass(frozen=True, slots=True)
class Cutting:
    """One way of cutting a kingdom, as pairs of a board.

    `ways` is the number of ways in which dominoes of the deck can be picked for it: with all that
    is known of the deck, cuttings are as likely as their ways. It is 1 with dominoes of any kind.
    """

    pairs: tuple[int, ...]
    ways: int


def forced_pairs(kingdom: Kingdom) -> frozenset[Pair]:
    """The pairs of squares that are one domino in every cutting."""
    return pair_sets(kingdom).forced


def possible_pairs(kingdom: Kingdom) -> frozenset[Pair]:
    """The pairs of squares that are one domino in at least one cutting."""
    return pair_sets(kingdom).possible


def pair_sets(kingdom: Kingdom) -> PairSets:
    """The pairs that are one domino in every cutting of a kingdom, and those in at least one."""
    squares, of_deck = cut_board(kingdom)
    forced, possible = _forced_and_possible(squares)
    return PairSets(pairs_of(squares, forced), pairs_of(squares, possible), of_deck)


def numbers_of(one: Square, other: Square) -> tuple[int, ...]:
    """The numbers that a domino of two squares may have on its back; none if it is not of the deck.

    Dominoes of one face are alike (RULES 1.3), so a kingdom never tells which of them it is.
    """
    return _numbers().get(face(one, other), ())


def cut_board(kingdom: Kingdom) -> tuple[SquareBits, bool]:
    """The board on which a kingdom is cut, and whether its dominoes are of the deck.

    Where the deck cannot hold the squares, any two make a domino.
    """
    squares = board(kingdom)
    if next(cuttings(squares), None) is not None:
        return squares, True
    return board(kingdom, any_face=True), False


def listed_cuttings(
    squares: SquareBits, most: int = MOST_LISTED, *, without: int = 0
) -> tuple[Cutting, ...] | None:
    """All cuttings of a board, or None when there are more than `most`.

    `without` are squares that are left out, as bits of the board.
    """
    found = list(islice(cuttings(squares, without=without), most + 1))
    if len(found) > most:
        return None
    return tuple(Cutting(pairs, _ways(squares, pairs)) for pairs in found)


def pairs_of(squares: SquareBits, pairs: int) -> frozenset[Pair]:
    """Pairs of a board, given as bits, as two places each."""
    return frozenset(squares.halves(pair) for pair in squares.covers if pair & pairs)


def _ways(squares: SquareBits, pairs: tuple[int, ...]) -> int:
    """In how many ways dominoes of the deck can be picked for a cutting."""
    if not squares.face:
        return 1
    ways, used = 1, dict.fromkeys(squares.alike, 0)
    for pair in pairs:
        shift = squares.face[pair]
        ways *= squares.held(pair) - used[shift]
        used[shift] += 1
    return ways


def _forced_and_possible(squares: SquareBits) -> tuple[int, int]:
    """The pairs in every cutting and the pairs in at least one, as bits of the board."""
    first = [sum(pairs) for pairs in islice(cuttings(squares), _COMPARED + 1)]
    if not first:
        return 0, 0
    forced, possible = reduce(and_, first), reduce(or_, first)
    if len(first) > _COMPARED:
        for pair in squares.covers:
            if pair & forced:
                other = next(cuttings(squares, banned=pair), None)
                if other is not None:
                    forced &= sum(other)
                    possible |= sum(other)
        for pair in squares.covers:
            if not pair & possible:
                rivals = squares.blocks[pair] & ~pair
                with_it = next(cuttings(squares, banned=rivals), None)
                possible |= sum(with_it or ())
    return forced, possible


@cache
def _numbers() -> dict[tuple[Square, Square], tuple[int, ...]]:
    return {
        one: tuple(domino.number for domino in deck() if domino.face == one)
        for one in face_counts()
    }
