"""What lies on tiles, and beside a kingdom where a tile may be: a hand, a note, a die, a card.

A large thing hides whole squares, which then look like bare table; a small one hides a crown on a
square that is as clear as any. Two networks look for them, and the ground around is compared.
"""

from collections.abc import Iterator, Set
from math import exp
from typing import Annotated

import numpy as np
from msgspec import Struct

from kdvision.arrays import Array
from kdvision.odds import expit, logit
from kdvision.reading import Doubt, DoubtCode
from kdvision.rules.kingdom import Position
from kdvision.rules.terrain import CASTLE_MARK
from kdvision.vision.evenness import find_even
from kdvision.vision.found import FoundKingdom
from kdvision.vision.grid.grid import taken_mask
from kdvision.vision.models import Model
from kdvision.vision.squares.settings import SQUARES
from kdvision.vision.squares.window import OBSTRUCTION_PX, view_around

#: probability that something lies on a place, from which on the place is named: there it begins to
#: cost trust. Of 38 totals that a thing over the kingdom made wrong, and that nothing else doubted,
#: 37 had 0.45 or more on an empty place; of 283 right totals with nothing over the kingdom five had
#: more than 0.33.
OBSTRUCTED_FROM = 0.3
#: probability. Neither the look of the ground nor the network counts as surer than this. With 0.998
#: the ground, which looked bare, overruled the network where hands lay over half a kingdom.
_MOST_OBSTRUCTED = 0.97
#: log-odds. Where the photo shows too little ground to compare a place with, the network is alone,
#: and an empty place beside a kingdom is so much likelier to have something on it: kingdoms that
#: fill a photo are whole, mostly. Of 34 photographed boards without a thing on them, of which eight
#: such places are seen, none has more than -8 in the network; of 644 squares of the same boards
#: that were not seen for hands, cards, strips or light 606 have more than -5.
_ALONE = 5.0
#: log-odds that anything lies on a tile, from which on it is named. The network learns from windows
#: of which half have things on them, so that it expects them: of 249 rendered pictures of 540
#: kingdoms in the open 4 have a square of so much, and 8 one of 7; of 120 photographed boards,
#: damaged, 1 and 2. Of 142 kingdoms that things made wrong 86 have one of so much, and 94 one of 7.
ON_TILE_FROM = 8.0


class ObstructionSettings(Struct, frozen=True):
    """How the look of the ground tells that something lies on a place."""

    #: The odds that something lies on an empty place are the probability that the classifier calls
    #: it hidden, times exp(odd_weight * oddness - odd_from). Both numbers were fitted on 331 scenes
    #: of the training set, half of them with things of any shape and pattern on them: from 0.09 on
    #: 92 % of the kingdoms with an obstructed place are told, and 2 % of those without one.
    odd_weight: Annotated[float, "sure"] = 3.0
    #: See `odd_weight`: how odd bare ground is.
    odd_from: Annotated[float, "sure"] = 2.0
    #: How odd an empty place is, from which on it is no ground where it looks like a plain paper.
    #: Of 848 kingdoms of rendered tables 4 have such a place beside them; with a plain paper over
    #: one square of each of the 400 tables 100 have one, and 34 of these are read wrongly.
    odd_paper: Annotated[float, "sure"] = 3.0
    #: The number of places beside a kingdom that are unlike all ground, above which the picture is
    #: taken for broken, and the network is not asked. Of 283 kingdoms in the open one had more than
    #: three; files whose bytes are broken, and decode to wrong pixels, have five.
    most_apart: int = 3


OBSTRUCTION = ObstructionSettings()


class Obstructed(Struct, frozen=True, eq=False):
    """What networks say of things that lie on the places of a window.

    Attributes:
        hidden: (rows, cols) the log-odds that a tile lies on a place, and most of it is hidden.
        touched: (rows, cols) the log-odds that anything lies on the tile of a place.
    """

    hidden: Array
    touched: Array


def read_obstructions(kingdom: FoundKingdom, covers: Model, obstructions: Model) -> Obstructed:
    """Read what lies on the places of a kingdom's window.

    Args:
        kingdom: The kingdom.
        covers: The model of that name, which sees whole tiles that are hidden.
        obstructions: The model of that name, which sees what is as small as a crown.
    """
    view = kingdom.view
    window = view.ground.window
    close = view_around(view.working, kingdom.grid, OBSTRUCTION_PX)
    hidden = covers.run(view.small[None])[0, 0].astype(np.float64)
    touched = obstructions.run(close[None])[0, 0].astype(np.float64)
    return Obstructed(hidden=hidden[window], touched=touched[window])


def obstruction_doubts(
    kingdom: FoundKingdom, obstructed: Obstructed | None, even: Set[Position]
) -> Iterator[Doubt]:
    """Find the places in or beside the kingdom on which a hand, a note, a die or a card may lie.

    A large thing hides most of a tile: one beside the kingdom, or one that is read but not clearly.
    A small thing hides a crown on a square that is as clear as any, and so does a plain paper or a
    patch of one colour.

    Args:
        kingdom: The kingdom.
        obstructed: What lies on its places; None where the network was not asked.
        even: The places without a tile that have one colour.
    """
    reading = kingdom.reading
    chances = _chances_beside(kingdom, obstructed)
    chances |= dict.fromkeys(even & chances.keys(), 1.0)
    squares = sorted({*reading.taken} - reading.hidden_places)
    touched = {*find_even(kingdom.view.flat, squares)}
    for at in squares:
        if reading[at].paper and reading[at].label != CASTLE_MARK:
            touched.add(at)
    if obstructed is not None:
        for at in squares:
            # The network counts once here, and twice beside the kingdom. Counted twice here too,
            # three of 743 kingdoms with nothing on them reach 0.5, where now none does; of four
            # that were sure and wrong three are told either way.
            unclear = 1 - max(reading[at].probabilities)
            chances[at] = _weigh(unclear, obstructed.hidden[at], 1)
            if obstructed.touched[at] >= ON_TILE_FROM:
                touched.add(at)
    on_tile = tuple(sorted(touched - {reading.castle}))
    likely = tuple(at for at in sorted(chances) if chances[at] > OBSTRUCTED_FROM)
    yield Doubt(DoubtCode.OBSTRUCTED, max(chances.values(), default=0.0), likely)
    yield Doubt(DoubtCode.ON_TILE, float(len(on_tile)), on_tile)


def _chances_beside(kingdom: FoundKingdom, obstructed: Obstructed | None) -> dict[Position, float]:
    """Return the probability that something lies on a tile on each place beside a kingdom.

    - A place that is unlike the ground around, and that the classifier does not clearly call empty,
      is likely to have something on it.
    - A place that is unlike all ground has something on it, whatever the classifier says, unless
      the detector sees a tile: that is one of another kingdom.
    - A place that looks like a plain paper, and is very odd, has one on it, whatever all else says.
    - The network, which sees what things look like and how they lie, is right more often than the
      ground and counts twice; but not where the picture is broken.
    - Where the photo shows next to no ground, the network is asked alone.
    """
    reading, ground = kingdom.reading, kingdom.view.ground
    empty = ~taken_mask(reading)
    odd = ground.oddness(empty)
    shown, is_compared = ground.inside[ground.window], ground.is_compared(empty)
    apart = ground.covered(empty) & (kingdom.grid.tile < SQUARES.bare_below)
    free = [at for at in reading.free_places if at in reading]
    broken = sum(apart[at] for at in free) > OBSTRUCTION.most_apart
    chances = {}
    for at in free:
        odds = reading[at].hidden * exp(OBSTRUCTION.odd_weight * odd[at] - OBSTRUCTION.odd_from)
        chance = 1.0 if apart[at] else odds / (1 + odds)
        if obstructed is not None and not broken:
            if shown[at] and not is_compared:
                chance = expit(obstructed.hidden[at] + _ALONE)
            else:
                chance = _weigh(chance, obstructed.hidden[at], 2)
        has_paper = reading[at].paper and odd[at] >= OBSTRUCTION.odd_paper
        chances[at] = 1.0 if has_paper else chance
    return chances


def _weigh(chance: float, log_odds: float, weight: int) -> float:
    """Return the mean, in log-odds, of a probability and of another that counts `weight` times."""
    most = logit(_MOST_OBSTRUCTED)
    likely = min(max(chance, 1 - _MOST_OBSTRUCTED), _MOST_OBSTRUCTED)
    seen = min(max(log_odds, -most), most)
    return expit((logit(likely) + weight * seen) / (1 + weight))
