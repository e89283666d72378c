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
from kdvision.rules.breaks import BREAKS, Breaks, find_breaks
from kdvision.rules.cutting import cut_squares, forced_and_possible, list_cuttings
from kdvision.rules.dominoes import Deck, standard_deck
from kdvision.rules.kingdom import Kingdom, Pair, Position
from kdvision.rules.legality import Code, Names, Problem, order_problem, problem
from kdvision.rules.rules import MAX_SIZE, MAX_SQUARES

UNSEEN: Seams = MappingProxyType({})
_UNBROKEN = Breaks(0.0, ())


class CuttingPosterior(Struct, frozen=True):
    """How the squares of a kingdom may be dominoes.

    Where not every cutting can be weighed (squares that the deck cannot hold, or too many
    cuttings), the dominoes are those of every cutting, and the joining rule is not judged. Of more
    squares than a game has nothing is told.

    Attributes:
        dominoes: The pairs that may be one, in reading order; where several cuttings are possible
            they overlap, and the probabilities around every square add up to 1.
        breaks: What they say of the joining rule.
    """

    dominoes: tuple[ReadDomino, ...]
    breaks: Breaks = _UNBROKEN


def cutting_posterior(
    kingdom: Kingdom, seams: Seams = UNSEEN, deck: Deck | None = None
) -> CuttingPosterior:
    """Weigh the dominoes of a kingdom, by the deck and by what the photo shows.

    Args:
        kingdom: What lies in the photo.
        seams: What the photo shows between neighbours, by their places in the kingdom.
        deck: The dominoes of the game; None for those of the box.
    """
    if len(kingdom.squares()) > MAX_SQUARES[MAX_SIZE]:
        return CuttingPosterior(())  # no kingdom: a search through all its cuttings may not end
    squares, of_deck = cut_squares(kingdom, deck)
    cuttings = list_cuttings(squares) if of_deck else None
    if not cuttings:
        certain, _ = forced_and_possible(squares)
        chances = dict.fromkeys(squares.pairs(certain), 1.0)
        return CuttingPosterior(_list_dominoes(kingdom, deck, chances, _UNBROKEN))
    # The weight of a cutting: its ways of picking dominoes, times the ratios of its seams.
    ratios = {pair: seams.get(squares.ends[pair], 0.0) for pair in squares.halves}
    scores = []
    for pairs in cuttings:
        likelihood = math.fsum(map(ratios.__getitem__, pairs))
        scores.append(math.log(squares.count_ways(pairs)) + likelihood)
    best = max(scores)
    weights = [math.exp(score - best) for score in scores]
    whole = math.fsum(weights)
    by_bit: dict[int, float] = {}
    for pairs, weight in zip(cuttings, weights, strict=True):
        for pair in pairs:
            by_bit[pair] = by_bit.get(pair, 0.0) + weight / whole
    # Sums of shares are not exactly 1.
    forced = reduce(and_, map(sum, cuttings))
    chances = {}
    for pair, chance in by_bit.items():
        is_forced = bool(pair & forced)
        chances[squares.ends[pair]] = 1.0 if is_forced else min(chance, 1.0)
    breaks = _UNBROKEN
    if len(kingdom.castles()) == 1:
        breaks = find_breaks(squares, zip(cuttings, weights, strict=True))
    return CuttingPosterior(_list_dominoes(kingdom, deck, chances, breaks), breaks)


def _list_dominoes(
    kingdom: Kingdom, deck: Deck | None, chances: Mapping[Pair, float], breaks: Breaks
) -> tuple[ReadDomino, ...]:
    """Return pairs with their chances as dominoes, in reading order."""
    squares = kingdom.squares()
    broken = dict(breaks.dominoes)
    deck = deck or standard_deck()
    dominoes = []
    for pair, chance in sorted(chances.items()):
        first, second = pair
        numbers = deck.numbers(squares[first], squares[second])
        dominoes.append(ReadDomino(pair, numbers, chance, broken.get(pair, 0.0)))
    return tuple(dominoes)


# ---------------------------------------------------------------------- the joining rule

#: Problems that are judged by the dominoes as they lie in a photo.
_WITHOUT_ORDER = (Code.NO_ORDER, Code.NO_ORDER_IN_DECK)
_BY_DOMINOES = (*_WITHOUT_ORDER, Code.BROKEN_DOMINO, Code.ORDER_OPEN)


def judge_dominoes(
    kingdom: Kingdom, problems: tuple[Problem, ...], cuttings: CuttingPosterior, names: Names
) -> tuple[Problem, ...]:
    """Replace the verdict of the squares on the joining rule by that of the dominoes as they lie.

    Args:
        kingdom: What lies in the photo, cut to its box.
        problems: What it breaks however its dominoes lie.
        cuttings: The dominoes by what the photo shows of the seams.
        names: Names places for messages.
    """
    # What no cutting keeps is broken by the dominoes that lie so.
    codes = {item.code for item in problems}
    for code in _WITHOUT_ORDER:
        if code in codes:
            named = order_problem(kingdom, cuttings.breaks, names, code)
            if named is None:
                return problems
            return tuple(named if item.code is code else item for item in problems)
    chance = cuttings.breaks.probability
    if chance >= BREAKS.known_from:
        broken = order_problem(kingdom, cuttings.breaks, names, Code.BROKEN_DOMINO)
        if broken is not None:
            return (*problems, broken)
    if chance > 1 - BREAKS.known_from:
        cells: set[Position] = set()
        for domino in cuttings.dominoes:
            if domino.probability < 1:
                cells.update(domino.cells)
        return (*problems, problem(Code.ORDER_OPEN, cells, squares=names.of(cells)))
    return problems


def keep_domino_problems(
    rescored: Sequence[Problem], before: Sequence[Problem]
) -> tuple[Problem, ...]:
    """Return the problems of a kingdom that is scored again, with those told by its dominoes."""
    kept = [item for item in rescored if item.code not in _BY_DOMINOES]
    kept += [item for item in before if item.code in _BY_DOMINOES]
    return tuple(kept)
