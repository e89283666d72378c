"""What a Duel map breaks, as far as a map can show it (RULES 7.6).

The map must fall into pairs of dice, see `cutting`. There is no deck, and the powers of the spell
book allow what the rules forbid: what a power explains is a warning, as the map does not show
which powers a player had.
"""

from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum

from kdvision.rules.duel.cutting import needed_powers
from kdvision.rules.duel.dice import Power
from kdvision.rules.duel.map import MIDDLE, Drawn, DuelMap
from kdvision.rules.kingdom import Position, neighbours, position_name, position_names
from kdvision.rules.problem import Problem, Severity
from kdvision.rules.shape import components

#: Two on a die, one from the castle, one from the sixth power (RULES 7.4, 7.6).
MOST_CROSSES = 4
#: A die has no more.
CROSSES_OF_A_DIE = 2


class DuelCode(StrEnum):
    """The kinds of problem of a map, in the order in which they are looked for."""

    NO_CASTLE = "no-castle"
    CASTLE_NOT_IN_THE_MIDDLE = "castle-not-in-the-middle"
    NOT_CONNECTED = "not-connected"
    NO_CUTTING = "no-cutting"
    NEEDS_POWER = "needs-power"
    TOO_MANY_CROSSES = "too-many-crosses"


def duel_problems(duel_map: DuelMap) -> tuple[Problem, ...]:
    """Every problem of a map, in the order of `DuelCode`."""
    return tuple(_problems(duel_map))


def _problems(duel_map: DuelMap) -> Iterator[Problem]:
    drawn = duel_map.drawn()
    if duel_map.castle is None:
        yield Problem(
            DuelCode.NO_CASTLE,
            Severity.MISREAD,
            f"There is no castle; it is printed on {position_name(MIDDLE)}.",
        )
    elif duel_map.castle != MIDDLE:
        yield Problem(
            DuelCode.CASTLE_NOT_IN_THE_MIDDLE,
            Severity.MISREAD,
            f"The castle is on {position_name(duel_map.castle)}; "
            f"it is printed in the middle, on {position_name(MIDDLE)}.",
            (duel_map.castle,),
        )
    apart = _unconnected(duel_map.castle or MIDDLE, drawn)
    if len(apart) > 1:
        cells = tuple(sorted(at for piece in apart for at in piece))
        yield Problem(
            DuelCode.NOT_CONNECTED,
            Severity.ERROR,
            f"Nothing joins {position_names(cells)} to the castle; they lie in {len(apart)} "
            f"groups, and no power allows more than one.",
            cells,
        )
    elif duel_map.castle == MIDDLE:
        yield from _of_cutting(duel_map)
    yield from _of_crosses(drawn)


def _unconnected(castle: Position, drawn: Collection[Position]) -> list[frozenset[Position]]:
    """The groups of drawn spaces that nothing joins to the castle."""
    beside = set(neighbours(castle))
    return [piece for piece in components(drawn) if piece.isdisjoint(beside)]


def _of_cutting(duel_map: DuelMap) -> Iterator[Problem]:
    """Whether pairs of dice can have drawn the map, and which powers that takes."""
    needed = needed_powers(duel_map)
    if not needed:
        yield Problem(
            DuelCode.NO_CUTTING,
            Severity.ERROR,
            "No pairs of dice can have drawn this map, even with the powers that ignore the "
            "connection rule and that split a domino, once each.",
        )
    elif needed[0]:
        names = [_NAMES[power] for powers in needed for power in Power if power in powers]
        both = " and ".join(names) + " together" if len(needed) == 1 < len(names) else None
        yield Problem(
            DuelCode.NEEDS_POWER,
            Severity.WARNING,
            f"The rules allow it only with {both or ' or '.join(names)}.",
        )


#: The powers that a map can show.
_NAMES = {
    Power.IGNORE_CONNECTION: "the power that ignores the connection rule",
    Power.SPLIT: "the power that splits a domino",
}


def _of_crosses(drawn: Mapping[Position, Drawn]) -> Iterator[Problem]:
    """More crosses than two on each die, one of the castle and one of the sixth power."""
    crossed = [at for at, space in drawn.items() if space.crosses > CROSSES_OF_A_DIE]
    extra = sum(drawn[at].crosses - CROSSES_OF_A_DIE for at in crossed)
    if extra > MOST_CROSSES - CROSSES_OF_A_DIE:
        yield Problem(
            DuelCode.TOO_MANY_CROSSES,
            Severity.MISREAD,
            f"There are {extra} crosses too many on {position_names(crossed)}: a die has at most "
            f"two, and the castle and the sixth power add one each, once a game.",
            tuple(sorted(crossed)),
        )
