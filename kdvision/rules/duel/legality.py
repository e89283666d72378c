"""What a Duel map breaks, as far as a map can show it (RULES 7.4, 7.6).

There is no deck, but the map must fall into pairs of dice, as `cover` finds them: coats take the
part of territories, and all must be joined to the castle in the end. The powers of the spell book
allow what the rules forbid: with the first one domino starts a second group of its own, with the
second the halves of one domino lie apart. What a power explains is a warning, as the map does not
show which powers a player had. The two powers together on one domino are not allowed: the text of
the first one forbids to split it (RULES 8).

    >>> from kdvision.rules.duel.map import Coat
    >>> half = DuelMap.empty().draw((2, 4), Drawn(Coat.DOT))
    >>> [problem.code.value for problem in duel_problems(half)]
    ['no-cutting']
"""

from collections.abc import Collection, Iterator, Mapping

from kdvision.rules.cover import SquareBits, cuttings, make_square_bits
from kdvision.rules.duel.dice import DEFAULT_RULES, DuelRules, Power
from kdvision.rules.duel.map import MIDDLE, Drawn, DuelMap, domains
from kdvision.rules.kingdom import (
    Position,
    connected_components,
    neighbours,
    position_name,
    position_names,
)
from kdvision.rules.problem import DuelCode, Problem, problem

#: A die has no more; the castle adds one, the sixth power another (RULES 7.4, 7.6).
CROSSES_OF_A_DIE = 2
CROSSES_OF_THE_CASTLE = 1
CROSSES_OF_THE_SIXTH_POWER = 1


def duel_problems(duel_map: DuelMap, rules: DuelRules = DEFAULT_RULES) -> tuple[Problem, ...]:
    """Return every problem of a map, in the order of `DuelCode`."""
    return tuple(_problems(duel_map, rules))


def _problems(duel_map: DuelMap, rules: DuelRules) -> Iterator[Problem]:
    drawn = duel_map.drawn()
    castle, middle = duel_map.castle, position_name(MIDDLE)
    if castle is None:
        yield problem(DuelCode.NO_CASTLE, middle=middle)
    elif castle != MIDDLE:
        squares = position_name(castle)
        yield problem(DuelCode.CASTLE_NOT_IN_THE_MIDDLE, [castle], squares=squares, middle=middle)
    beside = set(neighbours(castle or MIDDLE))
    apart = [piece for piece in connected_components(drawn) if piece.isdisjoint(beside)]
    if len(apart) > (0 if rules.ignore_beside else 1):
        cells = [at for piece in apart for at in piece]
        variant = "none" if rules.ignore_beside else ""
        squares = position_names(cells)
        yield problem(DuelCode.NOT_CONNECTED, cells, variant, squares=squares, groups=len(apart))
    elif castle == MIDDLE:
        yield from _of_cutting(duel_map)
    yield from _of_crosses(drawn)


def _of_cutting(duel_map: DuelMap) -> Iterator[Problem]:
    """Whether pairs of dice can have drawn the map, and which powers that takes."""
    needed = needed_powers(duel_map)
    if not needed:
        yield problem(DuelCode.NO_CUTTING)
    elif needed[0]:
        (first, *others), ways = needed[0], len(needed)
        power = "either" if ways > 1 else "both" if others else _POWERS[first]
        yield problem(DuelCode.NEEDS_POWER, power=f"power.{power}")


#: The powers that a map can show, as the catalogues call them.
_POWERS = {Power.IGNORE_CONNECTION: "ignore-connection", Power.SPLIT: "split"}


def _of_crosses(drawn: Mapping[Position, Drawn]) -> Iterator[Problem]:
    """More crosses than two on each die and one of the castle; the sixth power adds one more."""
    crossed = [at for at, space in drawn.items() if space.crosses > CROSSES_OF_A_DIE]
    extra = sum(drawn[at].crosses - CROSSES_OF_A_DIE for at in crossed)
    squares = position_names(crossed)
    if extra > CROSSES_OF_THE_CASTLE + CROSSES_OF_THE_SIXTH_POWER:
        yield problem(DuelCode.TOO_MANY_CROSSES, crossed, squares=squares, number=extra)
    elif extra > CROSSES_OF_THE_CASTLE:
        yield problem(DuelCode.CROSS_NEEDS_POWER, crossed, squares=squares)


# ---------------------------------------------------------------------- cutting into dice


def needed_powers(duel_map: DuelMap) -> tuple[frozenset[Power], ...]:
    """Return the fewest of the first two powers with which a map can have been drawn.

    The castle is taken to lie in the middle; crosses do not matter here.

    Returns:
        An empty set where no power is needed; two sets of one where either power will do; nothing
        at all where not even both together allow the map.
    """
    for sets in (_NO_POWER, _ONE_POWER, _BOTH_POWERS):
        allowing = tuple(powers for powers in sets if _allows(duel_map, powers))
        if allowing:
            return allowing
    return ()


_NO_POWER = (frozenset[Power](),)
_ONE_POWER = (frozenset({Power.IGNORE_CONNECTION}), frozenset({Power.SPLIT}))
_BOTH_POWERS = (frozenset({Power.IGNORE_CONNECTION, Power.SPLIT}),)


def _allows(duel_map: DuelMap, powers: Collection[Power]) -> bool:
    """Whether the map can have been drawn with some powers, each used if it is there."""
    drawn = tuple(duel_map.drawn())
    regions = [domain.cells for domain in domains(duel_map)]
    spaces = make_square_bits(drawn, regions, (MIDDLE,))
    if Power.SPLIT in powers:
        left_out = _singles(duel_map, spaces)
    else:
        left_out = iter(() if len(drawn) % 2 else (0,))
    groups = 2 if Power.IGNORE_CONNECTION in powers else 1
    return not drawn or any(_can_cut(spaces, singles, groups) for singles in left_out)


def _singles(duel_map: DuelMap, spaces: SquareBits) -> Iterator[int]:
    """What the halves of a split domino can be, as bits.

    Both are drawn, or one where the other had no place. That cannot be while a side of the castle
    is open; whether it was so once all are drawn is not looked into (RULES 8).
    """
    bits = list(spaces.around)
    if len(bits) % 2:
        if not duel_map.open().intersection(neighbours(MIDDLE)):
            yield from bits
    else:
        yield from (bit | other for bit in bits for other in bits if bit < other)


def _can_cut(spaces: SquareBits, singles: int, groups: int) -> bool:
    """Whether all but single halves fall into dominoes that form no more groups than allowed.

    A player has no power before the first domino, which lies beside the castle; and a half that
    was split off connects, so it is not alone in its domain.
    """
    first = spaces.squares_of(at for at in neighbours(MIDDLE) if at in spaces.places)
    beside = set(neighbours(MIDDLE))
    alone = (cells for cells in spaces.cells if cells and beside.isdisjoint(cells))
    if not first & ~singles or not all(spaces.squares_of(cells) & ~singles for cells in alone):
        return False
    cut = cuttings(spaces, spaces.whole, singles, groups=groups)
    return next(cut, None) is not None
