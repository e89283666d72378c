"""What a kingdom could still come to with the dominoes that it has not used (RULES 2, 5).

All ways of going on are far too many, so only the most promising ones are followed, a domino at a
time. Where none had to be dropped, the answer is exact; otherwise it is what can be reached at
least, and more may be possible.
"""

from collections import Counter
from dataclasses import dataclass
from heapq import nlargest

from kdvision.rules.cuttings.proof import deck_cutting
from kdvision.rules.dominoes import Face, deck, face_counts
from kdvision.rules.game.land import Land, Piece, piece
from kdvision.rules.game.players import odd_pieces
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import MOST_SQUARES, Centre, checked_size, score

#: How many kingdoms are followed after each domino.
BEAM_WIDTH = 100
#: What a place that no domino can fill, and a free place beside a crowned territory are worth, in
#: points; they only say which kingdoms are followed.
_LOST, _OPEN = 4.0, 0.4

#: A kingdom with the faces that are left, as (how often, piece) by face.
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
    kingdom: Kingdom,
    size: int | None = None,
    *,
    harmony: bool = False,
    middle_kingdom: bool = False,
    centre: Centre = Centre.BOX,
    width: int = BEAM_WIDTH,
) -> Best:
    """The most that a kingdom could still reach with the dominoes of the box that it has not used.

    Of several ways to cut the kingdom into dominoes one is taken; all that is left may come to
    this player.

    Args:
        kingdom: With one castle, cut into dominoes of the deck.
        size: 5, or 7 for a Mighty Duel; None takes what fits.
        harmony: Whether the Harmony bonus is in play.
        middle_kingdom: Whether the Middle Kingdom bonus is.
        centre: What the castle must be the centre of for it.
        width: How many kingdoms are followed after each domino.

    Raises:
        ValueError: The kingdom is larger than the size, has not one castle, or is not made of
            dominoes of the deck.
    """
    size = checked_size(kingdom, size)
    used = deck_cutting(kingdom)
    if used is None:
        raise ValueError("The kingdom cannot be cut into dominoes of the deck.")
    faces, left = _left(Counter(laid.domino.face for laid in used))
    beam = {(Land.of(kingdom, size), left): None}
    ends = [land for land, _ in beam]
    exact = followed_all = True
    for _ in range((MOST_SQUARES[size] - len(kingdom.squares())) // 2):
        after = {found: None for one in beam for found in _followed(*one, faces)}
        exact = exact and (followed_all or not after)
        ends.extend(nlargest(width, {land for land, _ in after}, key=lambda land: land.points))
        followed_all = len(after) <= width
        beam = dict.fromkeys(nlargest(width, after, key=lambda one: _promise(one[0])))
    most = max(land.points for land in ends)
    # A bonus is worth 15 points at most; what is further behind cannot win by it.
    near = [land for land in ends if land.points + 15 >= most]
    totals = [
        (
            score(
                land.kingdom, size, harmony=harmony, middle_kingdom=middle_kingdom, centre=centre
            ).total,
            land,
        )
        for land in near
    ]
    total, land = max(totals, key=lambda one: one[0])
    exact = exact and (followed_all or not (harmony or middle_kingdom))
    return Best(land.kingdom, total, _laid(land, kingdom), exact)


def _laid(land: Land, kingdom: Kingdom) -> int:
    """How many dominoes a land has more than a kingdom."""
    return (land.taken.bit_count() - 1 - len(kingdom.squares())) // 2


def _left(used: Counter[Face]) -> tuple[list[Piece], _Left]:
    """The faces of the deck as pieces, and how often each is left."""
    pieces = {domino.face: piece(domino) for domino in deck()}
    counts = tuple(face_counts()[face] - used[face] for face in pieces)
    return list(pieces.values()), counts


def _followed(land: Land, left: _Left, faces: list[Piece]) -> list[tuple[Land, _Left]]:
    """Every kingdom with one domino more."""
    found: list[tuple[Land, _Left]] = []
    for index, domino in enumerate(faces):
        if left[index]:
            fewer = (*left[:index], left[index] - 1, *left[index + 1 :])
            found.extend((land.lay(domino, *move), fewer) for move in land.moves(domino))
    return found


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
