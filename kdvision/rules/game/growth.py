"""A kingdom that grows, seen several times: how one lies in the next, what was laid (RULES 5).

Squares never move and the castle is first, so an earlier kingdom lies in a later one around the
same castle, turned by quarters where the table was looked at from another side.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from kdvision.rules.cutting import board
from kdvision.rules.cuttings.pairs import Pair, listed_cuttings
from kdvision.rules.kingdom import Kingdom, Position, neighbours


@dataclass(frozen=True, slots=True)
class Alignment:
    """How an earlier kingdom lies in a later one.

    Attributes:
        quarters: By so many quarter turns clockwise the earlier one lies as the later one does.
        places: Where each place of the earlier one lies, in positions of the later one, which may
            be outside of it.
        clashes: The squares of the earlier one, in its own positions, that are not in the later.
    """

    quarters: int
    places: Mapping[Position, Position]
    clashes: tuple[Position, ...]


@dataclass(frozen=True, slots=True)
class Growth:
    """What was laid between two kingdoms, in positions of the later one.

    Attributes:
        new: The squares that came.
        pairs: Pairs of them that are one domino, with the share of the ways of laying in which
            they are: 1 where they are in every way. None where they are no dominoes of the deck.
        broken: The dominoes that no order of laying joins to what lay before, in every way of
            cutting.
    """

    new: tuple[Position, ...]
    pairs: tuple[tuple[Pair, float], ...]
    broken: tuple[Pair, ...]


def alignments(earlier: Kingdom, later: Kingdom) -> tuple[Alignment, ...]:
    """The ways in which one kingdom may lie in another, those with the fewest clashes.

    None where either has not one castle.
    """
    if len(earlier.castles()) != 1 or len(later.castles()) != 1:
        return ()
    found = [_aligned(earlier, later, quarters) for quarters in range(4)]
    fewest = min(len(one.clashes) for one in found)
    return tuple(one for one in found if len(one.clashes) == fewest)


def _aligned(earlier: Kingdom, later: Kingdom, quarters: int) -> Alignment:
    turned = {at: _turned(at, earlier, quarters) for at, _ in earlier.cells()}
    (castle,), (there,) = earlier.castles(), later.castles()
    rows, cols = there[0] - turned[castle][0], there[1] - turned[castle][1]
    places = {at: (row + rows, col + cols) for at, (row, col) in turned.items()}
    lying = later.squares()
    clashes = [at for at, square in earlier.squares().items() if lying.get(places[at]) != square]
    return Alignment(quarters, places, tuple(clashes))


def _turned(at: Position, kingdom: Kingdom, quarters: int) -> Position:
    """Where a place lies when the kingdom is turned clockwise."""
    row, col = at
    height, width = kingdom.height, kingdom.width
    for _ in range(quarters):
        row, col = col, height - 1 - row
        height, width = width, height
    return row, col


def laid_between(earlier: Kingdom, later: Kingdom, alignment: Alignment) -> Growth:
    """What was laid after one kingdom and before another that holds it.

    Args:
        earlier: The smaller one; its own squares may lie against the rules.
        later: The larger one.
        alignment: How the earlier lies in it, without clashes.
    """
    old = {alignment.places[at] for at in earlier.squares()}
    new = tuple(sorted(later.squares().keys() - old))
    squares = board(later)
    ways = [
        (tuple(squares.halves(pair) for pair in one.pairs), one.ways)
        for one in listed_cuttings(squares, without=squares.squares_of(old)) or ()
    ]
    whole = sum(weight for _, weight in ways)
    shares: dict[Pair, float] = {}
    for pairs, weight in ways:
        for pair in pairs:
            shares[pair] = shares.get(pair, 0.0) + weight / whole
    stuck = [set(_stuck(pairs, old, later)) for pairs, _ in ways]
    broken = set.intersection(*stuck) if stuck else set()
    certain = set.intersection(*(set(pairs) for pairs, _ in ways)) if ways else set()
    ranked = ((pair, 1.0 if pair in certain else share) for pair, share in sorted(shares.items()))
    return Growth(new, tuple(ranked), tuple(sorted(broken)))


def _stuck(pairs: tuple[Pair, ...], old: set[Position], kingdom: Kingdom) -> list[Pair]:
    """The dominoes that cannot be laid by the rules upon what lies, in whatever order they come."""
    squares, castles = kingdom.squares(), set(kingdom.castles())
    lying, waiting = set(old), list(pairs)
    while fitting := [
        pair
        for pair in waiting
        if any(
            near in castles or (near in lying and squares[near].terrain is squares[at].terrain)
            for at in pair
            for near in neighbours(at)
        )
    ]:
        lying.update(at for pair in fitting for at in pair)
        waiting = [pair for pair in waiting if pair not in fitting]
    return waiting
