"""Cutting a Duel map into pairs of dice, exactly: could it have been drawn so (RULES 7.4, 7.6)?

Two spaces side by side are a *pair*; every drawn space belongs to one, but for the halves of the
domino that the second power splits. Domains play the part of territories: dominoes that share a
domain are joined in it, a domain beside the castle is joined to the castle, and a domino joins the
two domains that it covers. All must be joined to the castle in the end; with the first power one
domino starts a second part of its own. No search over orders is needed: matching is symmetric,
and what is drawn later never makes an earlier domino wrong.

The two powers together on one domino are not allowed: the text of the first one forbids to split
it (RULES 8).
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from kdvision.rules.duel.dice import Power
from kdvision.rules.duel.map import MIDDLE, DuelMap
from kdvision.rules.kingdom import Position, neighbours
from kdvision.rules.shape import components

#: Joined domains: the pairs that lead out of them, and the domains, both as bits; castle first.
_Parts = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _Pairs:
    """The spaces of a map as bits, with its pairs as bits of their own."""

    around: dict[int, int]  # space -> the pairs that cover it
    covers: dict[int, int]  # pair -> its two spaces
    domains: tuple[int, ...]  # the spaces of each domain that is not beside the castle
    beside: int  # the spaces beside the castle
    parts: _Parts


def needed_powers(duel_map: DuelMap) -> tuple[frozenset[Power], ...]:
    """The fewest of the first two powers with which a map can have been drawn.

    The castle is taken to lie in the middle; crosses do not matter here.

    Returns:
        An empty set where no power is needed; two sets of one where either power will do; nothing
        at all where not even both together allow the map.
    """
    for sets in (_NO_POWER, _ONE_POWER, _BOTH_POWERS):
        found = tuple(powers for powers in sets if _allows(duel_map, powers))
        if found:
            return found
    return ()


_NO_POWER = (frozenset[Power](),)
_ONE_POWER = (frozenset({Power.IGNORE_CONNECTION}), frozenset({Power.SPLIT}))
_BOTH_POWERS = (frozenset({Power.IGNORE_CONNECTION, Power.SPLIT}),)


def _allows(duel_map: DuelMap, powers: Collection[Power]) -> bool:
    """Whether the map can have been drawn with some powers, each used if it is there."""
    board = _pairs(duel_map)
    every = (1 << len(board.around)) - 1
    if Power.SPLIT in powers:
        left_out = _singles(duel_map, board)
    else:
        left_out = iter(() if len(board.around) % 2 else (0,))
    parts = 2 if Power.IGNORE_CONNECTION in powers else 1
    return any(_can_cut(board, every & ~singles, parts) for singles in left_out)


def _singles(duel_map: DuelMap, board: _Pairs) -> Iterator[int]:
    """What the halves of a split domino can be, as bits.

    Both are drawn, or one where the other had no place. That cannot be while a side of the castle
    is open; whether it was so once all are drawn is not looked into (RULES 8).
    """
    spaces = list(board.around)
    if len(spaces) % 2:
        if not duel_map.open().intersection(neighbours(MIDDLE)):
            yield from spaces
    else:
        yield from (one | other for one in spaces for other in spaces if one < other)


def _pairs(duel_map: DuelMap) -> _Pairs:
    drawn = duel_map.drawn()
    bit_of = {at: 1 << index for index, at in enumerate(drawn)}
    domain: dict[Position, int] = {}
    domains = 1
    for coat in {space.coat for space in drawn.values()}:
        for cells in components(at for at, space in drawn.items() if space.coat is coat):
            joined = not cells.isdisjoint(neighbours(MIDDLE))
            domain.update(dict.fromkeys(cells, 1 if joined else 1 << domains))
            domains += not joined
    around = dict.fromkeys(bit_of.values(), 0)
    covers: dict[int, int] = {}
    out = {1 << index: 0 for index in range(domains)}
    for (row, col), bit in bit_of.items():
        for other in ((row, col + 1), (row + 1, col)):
            if other in bit_of:
                pair = 1 << len(covers)
                covers[pair] = bit | bit_of[other]
                around[bit] |= pair
                around[bit_of[other]] |= pair
                if domain[row, col] != domain[other]:
                    out[domain[row, col]] |= pair
                    out[domain[other]] |= pair
    apart = [
        sum(bit_of[at] for at, one in domain.items() if one == found) for found in out if found > 1
    ]
    beside = sum(bit_of[at] for at in neighbours(MIDDLE) if at in bit_of)
    return _Pairs(
        around, covers, tuple(apart), beside, tuple((pairs, one) for one, pairs in out.items())
    )


def _can_cut(board: _Pairs, spaces: int, most: int) -> bool:
    """Whether the spaces fall into pairs that join all domains into at most so many parts.

    A player has no power before the first domino, which lies beside the castle; and a half that
    was split off connects, so it is not alone in its domain.
    """
    if not spaces & board.beside or not all(spaces & domain for domain in board.domains):
        return not board.around
    alive = 0
    for pair, both in board.covers.items():
        if not both & ~spaces:
            alive |= pair
    return _cut(board, spaces, alive, board.parts, most)


def _cut(board: _Pairs, spaces: int, alive: int, parts: _Parts, most: int) -> bool:
    """Go on with the space that has the fewest pairs; `most` parts may be left in the end."""
    # Each domino joins two parts at most, and a part that no pair leads out of stays alone.
    closed = sum(not out & alive for out, _ in parts)
    if (
        len(parts) - most > spaces.bit_count() // 2
        or (closed > most)
        or (closed == most and len(parts) > most)
    ):
        return False
    if not spaces:
        return True
    options = _fewest(board, spaces, alive)
    while options:
        pair = options & -options
        options ^= pair
        rest = alive
        both = board.covers[pair]
        for bit in (both & -both, both & both - 1):
            rest &= ~board.around[bit]
        if _cut(board, spaces & ~both, rest, _joined(parts, pair), most):
            return True
        alive ^= pair
    return False


def _fewest(board: _Pairs, spaces: int, alive: int) -> int:
    """The pairs that can cover the space with the fewest of them."""
    best, fewest = 0, 5
    while spaces:
        space = spaces & -spaces
        spaces ^= space
        options = alive & board.around[space]
        if options.bit_count() < fewest:
            best, fewest = options, options.bit_count()
    return best


def _joined(parts: _Parts, pair: int) -> _Parts:
    """The parts after a pair joined the two that it leads out of."""
    touched = [part for part in parts if part[0] & pair]
    if len(touched) < 2:
        return parts
    (out, members), (other_out, other_members) = touched
    joined = (out ^ other_out, members | other_members)
    return (joined, *(part for part in parts if not part[0] & pair))
