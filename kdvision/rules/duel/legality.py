"""What a map of Kingdomino Duel breaks (RULES 7.4, 7.6)."""

from collections.abc import Iterator

from kdvision.rules.cutting import UndecidedError
from kdvision.rules.duel.drawing import needed_powers
from kdvision.rules.duel.map import CASTLE_CROSSES, DIE_CROSSES, MIDDLE, DuelMap
from kdvision.rules.duel.powers import SIXTH_POWER_CROSSES
from kdvision.rules.kingdom import connected_components, neighbours, position_names
from kdvision.rules.legality import Code, Problem, problem


def duel_problems(duel_map: DuelMap | str) -> tuple[Problem, ...]:
    """Return every problem of a map or its line, in the order of `Code` (RULES 7.4, 7.6).

    There is no deck, but a map must fall into dominoes that can be drawn in some order.
    What a power of the spell book explains is a warning, as the map does not show which powers a
    player had.

    Raises:
        NotationError: The text is no map line.
        RulesError: It is neither a map nor text.

        >>> rows = ["- - - - - - -"] * 2 + ["- - - C D - -"] + ["- - - - - - -"] * 2
        >>> [problem.code.value for problem in duel_problems("/".join(rows))]
        ['duel.no-cutting']
    """
    return tuple(_find_problems(DuelMap.of(duel_map)))


def _find_problems(duel_map: DuelMap) -> Iterator[Problem]:
    """Yield what a map breaks: its outline, how it was drawn, its crosses."""
    # The first power may have begun one group that does not touch the castle.
    drawn, beside = duel_map.drawn, neighbours(MIDDLE)
    apart = [piece for piece in connected_components(drawn) if piece.isdisjoint(beside)]
    if len(apart) > 1:
        cells = frozenset().union(*apart)
        squares = position_names(cells)
        yield problem(Code.DUEL_NOT_CONNECTED, cells, squares=squares, groups=len(apart))
    else:
        yield from _judge_cutting(duel_map)
    # Crosses that no die has are those of the castle and of the sixth power.
    crossed = [at for at, space in drawn.items() if space.crosses > DIE_CROSSES]
    extra = sum(drawn[at].crosses - DIE_CROSSES for at in crossed)
    squares = position_names(crossed)
    if extra > CASTLE_CROSSES + SIXTH_POWER_CROSSES:
        yield problem(Code.DUEL_TOO_MANY_CROSSES, crossed, squares=squares, number=extra)
    elif extra > CASTLE_CROSSES:
        yield problem(Code.DUEL_CROSS_NEEDS_POWER, crossed, squares=squares)


def _judge_cutting(duel_map: DuelMap) -> Iterator[Problem]:
    """Say whether pairs of dice can have drawn the map, and which powers that takes."""
    try:
        needed = needed_powers(duel_map)
    except UndecidedError:
        yield problem(Code.DUEL_NOT_CHECKED)
        return
    if not needed:
        yield problem(Code.DUEL_NO_CUTTING)
    elif needed[0]:
        power = "both" if len(needed[0]) > 1 else next(iter(needed[0])).value
        if len(needed) > 1:
            power = "either"
        yield problem(Code.DUEL_NEEDS_POWER, power=f"power.{power}")
