"""How likely each pair of squares is one domino: the posterior of a kingdom's cuttings.

A cutting is as likely as the ways of picking its dominoes from the deck, times what the photo shows
between squares, where that was looked at. The connection rule has no part in it, so that dominoes
are told as they lie; only the judgement of the rule weighs how seldom players break it. Light to
import: kingdoms that are scored again without their photo keep what it told.
"""

import math
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_
from types import MappingProxyType

from msgspec import Struct

from kdvision.reading import ReadDomino, Seams
from kdvision.rules.cover import cut_squares, forced_and_possible, listed_cuttings
from kdvision.rules.dominoes import Deck, standard_deck
from kdvision.rules.kingdom import Kingdom, Pair
from kdvision.rules.legality import (
    BREAKS,
    Breaks,
    Code,
    Names,
    Problem,
    breaks_of,
    order_problem,
    problem,
)
from kdvision.rules.scoring import MOST_SIDE, MOST_SQUARES

UNSEEN: Seams = MappingProxyType({})
_UNBROKEN = Breaks(0.0, ())


class CuttingPosterior(Struct, frozen=True):
    """What is known of the dominoes of a kingdom.

    `dominoes` are the pairs that may be one, in reading order; where several cuttings are possible
    they overlap, and the probabilities around every square add up to 1. `breaks` judges the
    joining rule by them. `listed` is whether every cutting was weighed; where it is not (squares
    that the deck cannot hold, or too many cuttings), `dominoes` are those of every cutting, and
    the rule is not judged. Of more squares than a game has nothing is said.
    """

    dominoes: tuple[ReadDomino, ...]
    breaks: Breaks = _UNBROKEN
    listed: bool = False


def cutting_posterior(
    kingdom: Kingdom, seams: Seams = UNSEEN, deck: Deck | None = None
) -> CuttingPosterior:
    """The dominoes of a kingdom by all that is known of them.

    Args:
        kingdom: What lies on the table.
        seams: What the photo shows between neighbours, by their places in the kingdom.
        deck: The dominoes of the game; None for those of the box.
    """
    if len(kingdom.squares()) > MOST_SQUARES[MOST_SIDE]:
        return CuttingPosterior(())  # no kingdom: a search through all its cuttings may not end
    squares, of_deck = cut_squares(kingdom, deck)
    cuttings = listed_cuttings(squares) if of_deck else None
    if not cuttings:
        certain, _ = forced_and_possible(squares)
        sure = dict.fromkeys(squares.pairs(certain), 1.0)
        return CuttingPosterior(_dominoes(kingdom, deck, sure))
    seen = {pair: seams.get(squares.halves(pair), 0.0) for pair in squares.covers}
    scores = [
        math.log(squares.ways(one)) + math.fsum(map(seen.__getitem__, one)) for one in cuttings
    ]
    best = max(scores)
    weights = [math.exp(one - best) for one in scores]
    whole = math.fsum(weights)
    chances: dict[int, float] = {}
    for pairs, weight in zip(cuttings, weights, strict=True):
        for pair in pairs:
            chances[pair] = chances.get(pair, 0.0) + weight / whole
    forced = reduce(and_, map(sum, cuttings))
    breaks = _UNBROKEN
    if len(kingdom.castles()) == 1:
        breaks = breaks_of(squares, zip(cuttings, weights, strict=True))
    by_places = {
        squares.halves(pair): 1.0 if pair & forced else min(chance, 1.0)
        for pair, chance in chances.items()
    }
    dominoes = _dominoes(kingdom, deck, by_places, breaks)
    return CuttingPosterior(dominoes, breaks, True)


def _dominoes(
    kingdom: Kingdom, deck: Deck | None, chances: Mapping[Pair, float], breaks: Breaks = _UNBROKEN
) -> tuple[ReadDomino, ...]:
    """Pairs with their chances as dominoes, in reading order."""
    squares, broken, held = kingdom.squares(), dict(breaks.dominoes), deck or standard_deck()
    return tuple(
        ReadDomino(
            pair,
            held.numbers(*(squares[at] for at in pair)),
            chance,
            broken.get(pair, 0.0),
        )
        for pair, chance in sorted(chances.items())
    )


# ---------------------------------------------------------------------- the joining rule

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
