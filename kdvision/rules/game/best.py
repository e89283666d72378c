"""What a kingdom could still come to with the dominoes that it has not used (RULES 2, 5).

A kingdom does not show which dominoes it has used: every way of cutting it leaves its own rest in
the box, and the best of all of them counts. All ways of going on are far too many, so only the most
promising ones are followed, a domino at a time. Where none had to be dropped, the answer is exact;
otherwise it is what can be reached at least, and more may be possible.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from heapq import nlargest
from itertools import islice
from typing import Unpack

from kdvision.rules.cover import MOST_LISTED, cuttings, listed_cuttings, square_bits
from kdvision.rules.dominoes import Piece, deck, face, face_counts, piece
from kdvision.rules.game.laying import Land
from kdvision.rules.game.players import odd_pieces
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import BONUS_RULES, MOST_SQUARES, InPlay, checked_size, score

#: How many kingdoms are followed after each domino.
BEAM_WIDTH = 100
#: What a place that no domino can fill, and a free place beside a crowned territory are worth, in
#: points; they only say which kingdoms are followed.
_LOST, _OPEN = 4.0, 0.4

#: How often each face of the box is left, in the order of `face_counts`.
_Left = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Best:
    """The best end that was found.

    Attributes:
        kingdom: How it ends.
        total: Its points, with the bonuses in play.
        dominoes: How many more were laid.
        exact: Whether nothing better is possible with these dominoes.
    """

    kingdom: Kingdom
    total: int
    dominoes: int
    exact: bool


def best_end(
    kingdom: Kingdom, size: int | None = None, *, width: int = BEAM_WIDTH, **in_play: Unpack[InPlay]
) -> Best:
    """Find the most that a kingdom could still reach with the rest of the box.

    All that is left may come to this player.

    Args:
        kingdom: With one castle, cut into dominoes of the deck.
        size: 5, or 7 for a Mighty Duel; None takes what fits.
        width: The number of kingdoms that are followed after each domino.
        **in_play: The bonuses in play, as in `score`.

    Raises:
        ValueError: The kingdom is larger than the size, has not one castle, or is not made of
            dominoes of the deck.

        >>> line = "F L1 W M3 S/W L1 W1 M M2/W W C W W/W1 W L1 L G2/F S2 W - -"
        >>> best = best_end(Kingdom.parse(line), harmony=True)
        >>> best.total, best.dominoes, best.exact
        (44, 1, True)
    """
    size = checked_size(kingdom, size)
    beam = dict.fromkeys((Land.of(kingdom, size), rest) for rest in _rests(kingdom))
    if not beam:
        raise ValueError("The kingdom cannot be cut into dominoes of the deck.")
    exact = listed_cuttings(square_bits(kingdom), MOST_LISTED) is not None
    ends = [land for land, _ in beam]
    all_followed = all_ended = True
    for _ in range((MOST_SQUARES[size] - len(kingdom.squares())) // 2):
        after = {grown: None for land, rest in beam for grown in _followed(land, rest)}
        exact = exact and (all_followed or not after)
        ends.extend(nlargest(width, {land for land, _ in after}, key=lambda land: land.points))
        all_followed = len(after) <= width
        all_ended = all_ended and all_followed
        beam = dict.fromkeys(nlargest(width, after, key=lambda grown: _promise(grown[0])))
    most = max(land.points for land in ends)
    # What is further behind than all bonuses together cannot win by them.
    bonuses = sum(rule.points for rule in BONUS_RULES)
    near = [land for land in ends if land.points + bonuses >= most]
    totals = [(score(land.kingdom, size, **in_play).total, land) for land in near]
    total, land = max(totals, key=lambda entry: entry[0])
    without_bonuses = not any(in_play.get(rule.code) for rule in BONUS_RULES)
    laid = (land.taken.bit_count() - 1 - len(kingdom.squares())) // 2
    return Best(land.kingdom, total, laid, exact and (all_ended or without_bonuses))


def _rests(kingdom: Kingdom) -> list[_Left]:
    """What the ways of cutting a kingdom leave in the box, each once."""
    squares, terrain = square_bits(kingdom), kingdom.squares()
    faces = {pair: face(*(terrain[at] for at in squares.halves(pair))) for pair in squares.covers}
    used = {
        tuple(sorted(faces[pair] for pair in cutting))
        for cutting in islice(cuttings(squares), MOST_LISTED)
    }
    counts = [Counter(shown) for shown in sorted(used)]
    return [tuple(held - one[shown] for shown, held in face_counts().items()) for one in counts]


def _followed(land: Land, left: _Left) -> list[tuple[Land, _Left]]:
    """Every kingdom with one domino more."""
    grown: list[tuple[Land, _Left]] = []
    for index, domino in enumerate(_pieces()):
        if left[index]:
            fewer = (*left[:index], left[index] - 1, *left[index + 1 :])
            grown.extend((land.lay(domino, *move), fewer) for move in land.moves(domino))
    return grown


@cache
def _pieces() -> tuple[Piece, ...]:
    """The faces of the box as pieces, in the order of `face_counts`."""
    by_face = {domino.face: piece(domino) for domino in deck()}
    return tuple(by_face[shown] for shown in face_counts())


def _promise(land: Land) -> float:
    """What a kingdom is worth to be followed: points, open crowned territories, places lost."""
    every = (1 << land.frame.side * land.frame.stride) - 1
    lost = odd_pieces(land.free, every, land.frame.stride)
    open_crowns = 0
    for regions in land.regions:
        for mask, _, crowns in regions:
            if crowns:
                stride = land.frame.stride
                beside = mask << 1 | mask >> 1 | mask << stride | mask >> stride
                open_crowns += crowns * min(4, (beside & land.free).bit_count())
    return land.points + _OPEN * open_crowns - _LOST * lost
