"""How likely each pair of squares is one domino: the posterior of a kingdom's cuttings.

A cutting is as likely as the ways of picking its dominoes from the deck, times what the photo shows
between squares, where that was looked at. The connection rule has no part in it, so that dominoes
are told as they lie; only the judgement of the rule weighs how seldom players break it.
"""

import math
from collections.abc import Mapping
from functools import reduce
from operator import and_
from types import MappingProxyType

from msgspec import Struct

from kdvision.reading import ReadDomino, Seams
from kdvision.rules.cover import cut_squares, listed_cuttings, pair_sets
from kdvision.rules.dominoes import domino_numbers
from kdvision.rules.kingdom import Kingdom, Pair
from kdvision.rules.legality import Breaks, breaks_of

_UNSEEN: Seams = MappingProxyType({})
_UNBROKEN = Breaks(0.0, ())


class CuttingPosterior(Struct, frozen=True):
    """What is known of the dominoes of a kingdom.

    `dominoes` are the pairs that may be one, in reading order; where several cuttings are possible
    they overlap, and the probabilities around every square add up to 1. `breaks` judges the
    joining rule by them. `listed` is whether every cutting was weighed; where it is not (squares
    that the deck cannot hold, or too many cuttings), `dominoes` are those of every cutting, and
    the rule is not judged.
    """

    dominoes: tuple[ReadDomino, ...]
    breaks: Breaks = _UNBROKEN
    listed: bool = False


def cutting_posterior(kingdom: Kingdom, seams: Seams = _UNSEEN) -> CuttingPosterior:
    """The dominoes of a kingdom by all that is known of them.

    Args:
        kingdom: What lies on the table.
        seams: What the photo shows between neighbours, by their places in the kingdom.
    """
    squares, of_deck = cut_squares(kingdom)
    cuttings = listed_cuttings(squares) if of_deck else None
    if not cuttings:
        certain = dict.fromkeys(pair_sets(kingdom).forced, 1.0)
        return CuttingPosterior(_dominoes(kingdom, certain, {}))
    seen = {pair: seams.get(squares.halves(pair), 0.0) for pair in squares.covers}
    scores = [math.log(one.ways) + math.fsum(seen[pair] for pair in one.pairs) for one in cuttings]
    best = max(scores)
    weights = [math.exp(one - best) for one in scores]
    whole = math.fsum(weights)
    chances: dict[int, float] = {}
    for one, weight in zip(cuttings, weights, strict=True):
        for pair in one.pairs:
            chances[pair] = chances.get(pair, 0.0) + weight / whole
    forced = reduce(and_, (sum(one.pairs) for one in cuttings))
    breaks = _UNBROKEN
    if len(kingdom.castles()) == 1:
        pairs = (one.pairs for one in cuttings)
        breaks = breaks_of(squares, zip(pairs, weights, strict=True))
    by_places = {
        squares.halves(pair): 1.0 if pair & forced else min(chance, 1.0)
        for pair, chance in chances.items()
    }
    return CuttingPosterior(_dominoes(kingdom, by_places, dict(breaks.dominoes)), breaks, True)


def _dominoes(
    kingdom: Kingdom, chances: Mapping[Pair, float], broken: Mapping[Pair, float]
) -> tuple[ReadDomino, ...]:
    """Pairs with their chances as dominoes, in reading order."""
    squares = kingdom.squares()
    return tuple(
        ReadDomino(
            (one, other),
            domino_numbers(squares[one], squares[other]),
            chance,
            broken.get((one, other), 0.0),
        )
        for (one, other), chance in sorted(chances.items())
    )
