"""Oracles of the rules: cuttings counted and listed, dominoes laid, without any cleverness."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from kdvision.rules.cover import cut_squares, forced_and_possible
from kdvision.rules.dominoes import Domino, Face, face, standard_deck
from kdvision.rules.kingdom import CASTLE, Cell, Kingdom, Pair, Position, neighbours
from kdvision.rules.terrain import Square
from scripts.synthesis.players import Laid


class PairSets(NamedTuple):
    """The pairs of a kingdom: `forced` are one domino in every cutting, `possible` in at least one.

    Where not `of_deck`, the deck has the dominoes of no cutting, and any two squares make one.
    """

    forced: frozenset[Pair]
    possible: frozenset[Pair]
    of_deck: bool = True


def pair_sets(kingdom: Kingdom) -> PairSets:
    """The pairs of a kingdom as the solver finds them."""
    squares, of_deck = cut_squares(kingdom)
    forced, possible = map(squares.pairs, forced_and_possible(squares))
    return PairSets(forced, possible, of_deck)


def every_cutting(squares: dict[Position, Square]) -> Iterator[tuple[Pair, ...]]:
    """Every cutting into dominoes of the deck, found without any cleverness."""

    def cut(open_: list[Position], used: Counter[Face]) -> Iterator[tuple[Pair, ...]]:
        if not open_:
            yield ()
            return
        row, col = at = open_[0]
        for other in ((row, col + 1), (row + 1, col)):
            if other in open_:
                shown = face(squares[at], squares[other])
                if used[shown] < standard_deck().face_counts.get(shown, 0):
                    rest = [one for one in open_ if one not in (at, other)]
                    for more in cut(rest, used + Counter([shown])):
                        yield ((at, other), *more)

    yield from cut(sorted(squares), Counter())


def lays(cutting: tuple[Pair, ...], kingdom: Kingdom) -> frozenset[Position]:
    """The squares that can be laid when every domino goes down as soon as it may."""
    castles = set(kingdom.castles())
    squares = kingdom.squares()
    lying: set[Position] = set()
    while True:
        fitting = [
            pair
            for pair in cutting
            if pair[0] not in lying
            and any(
                near in castles or (near in lying and squares[near].terrain is squares[at].terrain)
                for at in pair
                for near in neighbours(at)
            )
        ]
        if not fitting:
            return frozenset(lying)
        for pair in fitting:
            lying.update(pair)


# ---------------------------------------------------------------------- counting

#: More squares than the whole deck can lay are not counted: it could take for ever.
MAX_SQUARES = 48

#: Faces used so far, as a sorted tuple; empty while faces are free.
_Used = tuple[tuple[Square, Square], ...]


def count_cuttings(kingdom: Kingdom, *, of_deck: bool = False) -> int:
    """The number of ways to cover every square with dominoes, castle and gaps left free.

    Args:
        kingdom: What to cut. Several castles or none are no hindrance.
        of_deck: Whether every face must be in the deck, no more often than the deck has it;
            otherwise any two squares make a domino. The connection rule is not asked for.

    Raises:
        ValueError: The kingdom has more than `MAX_SQUARES` squares.
    """
    squares = kingdom.squares()
    if len(squares) > MAX_SQUARES:
        raise ValueError(f"A kingdom has at most {MAX_SQUARES} squares, not {len(squares)}.")
    if kingdom.width > kingdom.height:  # Short lines keep the states few.
        squares = dict(sorted(squares.items(), key=lambda item: item[0][::-1]))
    use = _use_deck if of_deck else _use_any
    states: Counter[tuple[frozenset[Position], _Used]] = Counter({(frozenset(), ()): 1})
    for at, square in squares.items():
        states = _cover(at, square, squares, states, use)
    return sum(states.values())


def _cover(
    at: Position,
    square: Square,
    squares: dict[Position, Square],
    states: Counter[tuple[frozenset[Position], _Used]],
    use: Callable[[_Used, Square, Square], _Used | None],
) -> Counter[tuple[frozenset[Position], _Used]]:
    """Cover one square, to the right or downwards where it is still open."""
    after: Counter[tuple[frozenset[Position], _Used]] = Counter()
    row, col = at
    for (covered, used), ways in states.items():
        if at in covered:
            after[covered - {at}, used] += ways
            continue
        for other in ((row, col + 1), (row + 1, col)):
            if other in squares and other not in covered:
                still = use(used, square, squares[other])
                if still is not None:
                    after[covered | {other}, still] += ways
    return after


def _use_any(used: _Used, one: Square, other: Square) -> _Used:
    """Every face is free."""
    return used


def _use_deck(used: _Used, one: Square, other: Square) -> _Used | None:
    """Take one face more from the deck; None when it is used up."""
    shown = face(one, other)
    if used.count(shown) == standard_deck().face_counts.get(shown, 0):
        return None
    return tuple(sorted((*used, shown)))


# ---------------------------------------------------------------------- laying


def legal_moves(cells: Mapping[Position, Cell], domino: Domino, size: int) -> tuple[Laid, ...]:
    """Every place where a domino may be laid, sorted (RULES 5.1 to 5.4).

    A domino whose halves are alike is listed once for each two places, the first one first.

    Args:
        cells: What lies, castle included, by position; places without an entry are empty.
        domino: The domino to lay.
        size: The side of the largest kingdom: 5 or 7.
    """
    top, left, bottom, right = _box(cells)
    highest, lowest = bottom - size + 1, top + size - 1
    leftmost, rightmost = right - size + 1, left + size - 1

    def free(at: Position) -> bool:
        row, col = at
        return highest <= row <= lowest and leftmost <= col <= rightmost and cells.get(at) is None

    def fit(one: Position, other: Position) -> bool:
        # Each half alone keeps the box; both together must as well.
        rows = (one[0], other[0], top, bottom)
        cols = (one[1], other[1], left, right)
        return max(rows) - min(rows) < size and max(cols) - min(cols) < size

    found: set[tuple[Position, Position]] = set()
    for first in _anchors(cells, domino.left):
        if free(first):
            found.update((first, at) for at in neighbours(first) if free(at) and fit(first, at))
    for first in _anchors(cells, domino.right):
        if free(first):
            found.update((at, first) for at in neighbours(first) if free(at) and fit(first, at))
    if domino.left == domino.right:
        found = {(min(places), max(places)) for places in found}
    return tuple(Laid(domino, one, other) for one, other in sorted(found))


def _anchors(cells: Mapping[Position, Cell], half: Square) -> set[Position]:
    """The places beside the castle or beside a square of the terrain of a half."""
    return {
        beside
        for at, cell in cells.items()
        if cell is CASTLE or (isinstance(cell, Square) and cell.terrain is half.terrain)
        for beside in neighbours(at)
    }


def _box(cells: Mapping[Position, Cell]) -> tuple[int, int, int, int]:
    """(top, left, bottom, right) of what lies, all inclusive."""
    rows, cols = zip(*(at for at, cell in cells.items() if cell is not None), strict=True)
    return min(rows), min(cols), max(rows), max(cols)
