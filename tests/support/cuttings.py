"""Oracles of the rules: cuttings listed, dominoes laid, without any cleverness."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kdvision.rules.cutting import cut_squares, forced_and_possible
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


def every_cutting(
    squares: Mapping[Position, Square], held: Mapping[Face, int] | None = None
) -> Iterator[tuple[Pair, ...]]:
    """Every cutting into dominoes that a deck holds, the box's unless others are given."""
    held = standard_deck().face_counts if held is None else held

    def cut(places: list[Position], used: Counter[Face]) -> Iterator[tuple[Pair, ...]]:
        if not places:
            yield ()
            return
        row, col = at = places[0]
        for near in ((row, col + 1), (row + 1, col)):
            if near in places:
                shown = face(squares[at], squares[near])
                if used[shown] < held.get(shown, 0):
                    rest = [place for place in places if place not in (at, near)]
                    for more in cut(rest, used + Counter([shown])):
                        yield ((at, near), *more)

    yield from cut(sorted(squares), Counter())


def lays(cutting: tuple[Pair, ...], kingdom: Kingdom) -> frozenset[Position]:
    """The squares that can be laid when every domino goes down as soon as it may."""
    castles = set(kingdom.castles())
    squares = kingdom.squares()
    lying: set[Position] = set()

    def joins(at: Position) -> bool:
        terrain = squares[at].terrain
        beside = neighbours(at)
        return any(
            near in castles or (near in lying and squares[near].terrain is terrain)
            for near in beside
        )

    while True:
        fitting = [pair for pair in cutting if pair[0] not in lying and any(map(joins, pair))]
        if not fitting:
            return frozenset(lying)
        for pair in fitting:
            lying.update(pair)


# ---------------------------------------------------------------------- laying


def legal_moves(cells: Mapping[Position, Cell], domino: Domino, size: int) -> tuple[Laid, ...]:
    """Every place where a domino may be laid, sorted (RULES 5.1 to 5.4).

    A domino whose halves are alike is listed once for each two places, the first one first.

    Args:
        cells: What lies, castle included, by position.
        domino: The domino to lay.
        size: The side of the largest kingdom: 5 or 7.
    """
    rows, cols = zip(*cells, strict=True)

    def connects(at: Position, half: Square) -> bool:
        beside = [cells.get(near) for near in neighbours(at)]
        return any(
            cell is CASTLE or (isinstance(cell, Square) and cell.terrain is half.terrain)
            for cell in beside
        )

    def keeps_the_size(left: Position, right: Position) -> bool:
        height = max(*rows, left[0], right[0]) - min(*rows, left[0], right[0])
        width = max(*cols, left[1], right[1]) - min(*cols, left[1], right[1])
        return max(height, width) < size

    # Both halves lie on free places, one of them beside what lies already.
    beside = {near for at in cells for near in neighbours(at)} - cells.keys()
    pairs = {(at, near) for at in beside for near in neighbours(at) if near not in cells}
    pairs |= {(right, left) for left, right in pairs}
    if domino.left == domino.right:
        pairs = {(left, right) for left, right in pairs if left < right}
    # One half matches, and the kingdom does not become too wide.
    return tuple(
        Laid(domino, left, right)
        for left, right in sorted(pairs)
        if connects(left, domino.left) or connects(right, domino.right)
        if keeps_the_size(left, right)
    )
