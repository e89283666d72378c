"""The joining rule, judged by the dominoes of a kingdom as they lie in its photo.

Light to import: kingdoms that are scored again without their photo keep what it told.
"""

from collections.abc import Sequence

from kdvision.decoding.cutting_posterior import CuttingPosterior
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.legality import BREAKS, order_problem
from kdvision.rules.problem import Code, Names, Problem, problem

#: Problems that are judged by the dominoes as they lie in a photo.
_WITHOUT_ORDER = (Code.NO_ORDER, Code.NO_ORDER_IN_DECK)
_BY_DOMINOES = (*_WITHOUT_ORDER, Code.BROKEN_DOMINO, Code.ORDER_OPEN)


def problems_by_dominoes(
    kingdom: Kingdom, problems: tuple[Problem, ...], seen: CuttingPosterior, names: Names
) -> tuple[Problem, ...]:
    """Replace the verdict of the squares on the joining rule by that of the dominoes as they lie.

    Args:
        kingdom: What lies on the table, cut to its box.
        problems: What it breaks however its dominoes lie.
        seen: The dominoes by what the photo shows of the seams.
        names: Names places for messages.
    """
    for code in _WITHOUT_ORDER:
        if any(one.code is code for one in problems):
            again = order_problem(kingdom, seen.breaks, names, code)
            return tuple(again if again and one.code is code else one for one in problems)
    chance = seen.breaks.probability
    if chance >= BREAKS.known_from:
        broken = order_problem(kingdom, seen.breaks, names, Code.BROKEN_DOMINO)
        if broken is not None:
            return (*problems, broken)
    if chance > 1 - BREAKS.known_from:
        cells = {at for one in seen.dominoes if one.probability < 1 for at in one.cells}
        return (*problems, problem(Code.ORDER_OPEN, cells, squares=names.of(cells)))
    return problems


def with_domino_problems(
    again: Sequence[Problem], before: Sequence[Problem]
) -> tuple[Problem, ...]:
    """Return the problems of a kingdom that is scored again, with those told by its dominoes."""
    told = tuple(one for one in before if one.code in _BY_DOMINOES)
    return (*(one for one in again if one.code not in _BY_DOMINOES), *told)
