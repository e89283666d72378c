"""Kingdoms that touch: tiles in one piece that are two kingdoms.

Kingdoms that are pushed together come out as one piece with two castles, in a box larger
than 5x5. Where exactly one straight line leaves a kingdom on either side, they are cut along it.
"""

from collections.abc import Iterator

from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.rules.kingdom import Position, box_side, connected_components
from kdvision.rules.rules import SIZES
from kdvision.rules.terrain import CASTLE_MARK

#: Squares: a castle and a domino. A line may part two kingdoms where so many lie on either side.
_LEAST_SQUARES = 3
#: Squares: a castle and two dominoes. Nothing is cut along a line with less on one side: where so
#: little is unclear it is taken for no kingdom, and would be lost without a word.
_LEAST_CUT = 5
#: The squares on the two sides of a line.
_Parts = tuple[frozenset[Position], frozenset[Position]]


def cut_touching(piece: Reading) -> list[Reading]:
    """Return the kingdoms of a piece: itself, or the two that touch in it.

    A piece that no line divides, or more than one line, stays one and gets a doubt.

    Args:
        piece: Tiles that are joined by edges.
    """
    castles = {at for at in piece.taken if piece[at].label == CASTLE_MARK and piece[at].is_clear}
    side = box_side(piece.taken)
    if side <= min(SIZES) or len(connected_components(castles)) < 2:
        return [piece]
    for most in SIZES:
        cuts = list(_find_cuts(piece, castles, most))
        if len(cuts) == 1 and min(map(len, cuts[0])) >= _LEAST_CUT:
            return [piece.only(part) for part in cuts[0]]
        if cuts:
            break
    # In a box that a kingdom may have, a castle may be misread: whoever gives them says so.
    places = tuple(sorted(castles)) if side <= max(SIZES) else ()
    return [piece.with_doubts(Doubt(DoubtCode.TOUCHING, places=places))]


def _find_cuts(piece: Reading, castles: set[Position], most: int) -> Iterator[_Parts]:
    """Find the straight lines that leave a kingdom in a box of at most `most` on either side."""
    taken = frozenset(piece.taken)
    for axis in (0, 1):
        for line in sorted({at[axis] for at in taken})[1:]:
            before = frozenset(at for at in taken if at[axis] < line)
            parts = before, taken - before
            if all(_is_kingdom(part, castles, most) for part in parts):
                yield parts


def _is_kingdom(part: frozenset[Position], castles: set[Position], most: int) -> bool:
    """Return whether squares are one piece: a castle and whole dominoes in a box of that side."""
    if len(part) < _LEAST_SQUARES or len(part) % 2 == 0 or box_side(part) > most:
        return False
    return len(connected_components(part)) == len(connected_components(castles & part)) == 1
