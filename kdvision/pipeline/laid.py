"""The dominoes of a kingdom as they lie in the photo, and what that says of the joining rule.

The deck leaves most kingdoms one cutting. Only where it leaves several is the photo looked at for
the seams between them, so that most photos cost nothing.
"""

from collections.abc import Callable, Sequence

from kdvision.decoding.cutting_posterior import CuttingPosterior, cutting_posterior
from kdvision.reading import ReadDomino, Seams
from kdvision.rules.cuttings.breaks import order_problem
from kdvision.rules.cuttings.pairs import Pair
from kdvision.rules.cuttings.settings import BREAKS
from kdvision.rules.kingdom import Kingdom, Position
from kdvision.rules.problem import Code, Names, Problem, problem

#: Reads the seams of some pairs, by their places in the kingdom.
SeamReader = Callable[[Sequence[Pair]], Seams]

#: Problems that are judged by the dominoes as they lie in a photo.
AS_LAID = (Code.NO_ORDER, Code.BROKEN_DOMINO, Code.ORDER_OPEN)


def dominoes_as_laid(
    kingdom: Kingdom,
    problems: tuple[Problem, ...],
    origin: Position = (0, 0),
    read: SeamReader | None = None,
) -> tuple[tuple[ReadDomino, ...], tuple[Problem, ...]]:
    """The dominoes of a kingdom, and its problems judged by how they lie.

    Args:
        kingdom: What lies on the table, cut to its box.
        problems: What it breaks however its dominoes lie.
        origin: The position by which the top left place is named.
        read: Looks at the seams of pairs in the photo; None where there is none to look at.
    """
    found = cutting_posterior(kingdom)
    open_pairs = [one.cells for one in found.dominoes if one.probability < 1]
    if not found.listed or not open_pairs or read is None:
        return found.dominoes, problems
    seams = read(open_pairs)
    if not seams:
        return found.dominoes, problems
    seen = cutting_posterior(kingdom, seams)
    return seen.dominoes, _judged(kingdom, problems, seen, Names(origin))


def _judged(
    kingdom: Kingdom, problems: tuple[Problem, ...], seen: CuttingPosterior, names: Names
) -> tuple[Problem, ...]:
    """Problems with the verdict of the dominoes as they lie in the place of that of the squares."""
    codes = {one.code for one in problems}
    if Code.NO_ORDER in codes:
        again = order_problem(kingdom, seen.breaks, names)
        return tuple(again if again and one.code is Code.NO_ORDER else one for one in problems)
    chance = seen.breaks.probability
    if chance >= BREAKS.known_from:
        broken = order_problem(kingdom, seen.breaks, names)
        if broken is not None:
            return (*problems, problem(Code.BROKEN_DOMINO, broken.message, broken.cells))
    if chance > 1 - BREAKS.known_from:
        cells = {at for one in seen.dominoes if one.probability < 1 for at in one.cells}
        text = (
            f"Whether every domino fits where it lies cannot be told: it depends on which of "
            f"{names.of(sorted(cells))} are one domino."
        )
        return (*problems, problem(Code.ORDER_OPEN, text, cells))
    return problems


def kept_as_laid(again: Sequence[Problem], before: Sequence[Problem]) -> tuple[Problem, ...]:
    """Problems of a kingdom that is scored again, with what its photo said of its dominoes."""
    told = tuple(one for one in before if one.code in AS_LAID)
    return (*(one for one in again if one.code not in AS_LAID), *told)
