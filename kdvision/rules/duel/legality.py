"""What a Duel map breaks, as far as a map can show it (RULES 7.6).

There is no deck, and the powers of the spell book allow what the rules forbid. A problem that one
power explains is a warning; the map does not show which powers a player had.
"""

from collections.abc import Collection, Iterator
from enum import StrEnum

from kdvision.rules.duel.map import MIDDLE, DuelMap
from kdvision.rules.kingdom import Position, neighbours, position_name, position_names
from kdvision.rules.problem import Problem, Severity
from kdvision.rules.shape import components

#: Two on a die, one from the castle, one from the sixth power (RULES 7.4, 7.6).
MOST_CROSSES = 4


class DuelCode(StrEnum):
    """The kinds of problem of a map, in the order in which they are looked for."""

    NO_CASTLE = "no-castle"
    CASTLE_NOT_IN_THE_MIDDLE = "castle-not-in-the-middle"
    NOT_CONNECTED = "not-connected"
    ODD_SPACES = "odd-spaces"
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
    yield from _unconnected(duel_map.castle or MIDDLE, drawn)
    if len(drawn) % 2:
        yield Problem(
            DuelCode.ODD_SPACES,
            Severity.WARNING,
            f"{len(drawn)} spaces are drawn, an odd number; "
            f"only the power that splits a domino allows it.",
        )
    crossed = tuple(at for at, space in drawn.items() if space.crosses > MOST_CROSSES)
    if crossed:
        yield Problem(
            DuelCode.TOO_MANY_CROSSES,
            Severity.MISREAD,
            f"More than {MOST_CROSSES} crosses on {position_names(crossed)}: a die has at most "
            f"two, the castle and the sixth power add one each.",
            crossed,
        )


def _unconnected(castle: Position, drawn: Collection[Position]) -> Iterator[Problem]:
    """Drawn spaces that nothing joins to the castle.

    The power that ignores the connection rule can start one such group; more break the rule.
    """
    beside = set(neighbours(castle))
    apart = [piece for piece in components(drawn) if piece.isdisjoint(beside)]
    if apart:
        cells = tuple(sorted(at for piece in apart for at in piece))
        alone = len(apart) == 1
        excuse = "only the power that ignores the connection rule allows it"
        broken = f"they lie in {len(apart)} groups, and no power allows more than one"
        yield Problem(
            DuelCode.NOT_CONNECTED,
            Severity.WARNING if alone else Severity.ERROR,
            f"Nothing joins {position_names(cells)} to the castle; {excuse if alone else broken}.",
            cells,
        )
