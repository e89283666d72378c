"""Mistakes of a reading: squares that were read wrong, by what was wrong about them.

`background` are places where a tile was missed or invented, `castle` where the castle was missed or
taken for something else, then `terrain` and `crowns`; `grid` counts kingdoms.
"""

from collections import Counter
from collections.abc import Iterator

from kdvision.rules.kingdom import CASTLE, Cell, Kingdom, Position
from kdvision.rules.terrain import Square

#: When more than this share of the true places was read wrong, it is the grid that was wrong. Tiles
#: that were invented beside a kingdom whose own places are right are mistakes of background.
LOST_SHARE = 0.34


def compare(
    said: Kingdom, truth: Kingdom, hidden: frozenset[Position] = frozenset()
) -> Counter[str]:
    """Return the mistakes of a kingdom, in the quarter turn and place that make the fewest.

    Args:
        said: What was read.
        truth: What is there.
        hidden: Places of the truth that do not count.
    """
    aligned = _alignments(said.trimmed(), truth if hidden else truth.trimmed(), hidden)
    best, lost = min(aligned, key=lambda one: one[0].total())
    places = sum(cell is not None for _, cell in truth.cells())
    wrong_grid = lost > LOST_SHARE * places or best.total() > places
    return Counter(grid=1) if wrong_grid else best


def _alignments(
    said: Kingdom, truth: Kingdom, hidden: frozenset[Position]
) -> Iterator[tuple[Counter[str], int]]:
    """Yield the mistakes of every way to lay one over the other, and how many places are wrong."""
    for quarters in range(4):
        turned = said.turned(quarters)
        for down in _shifts(truth.height - turned.height):
            for right in _shifts(truth.width - turned.width):
                yield _count(turned, truth, down, right, hidden)


def _shifts(room: int) -> range:
    """Return the ways to lay one kingdom over another that is `room` longer; below 0 shorter."""
    return range(min(room, 0) - 2, max(room, 0) + 3)


def _count(
    said: Kingdom, truth: Kingdom, down: int, right: int, hidden: frozenset[Position]
) -> tuple[Counter[str], int]:
    mine = {(row + down, col + right): cell for (row, col), cell in said.cells() if cell}
    real = {at: cell for at, cell in truth.cells() if cell}
    places = (mine.keys() | real.keys()) - hidden
    wrong = [at for at in places if mine.get(at) != real.get(at)]
    mistakes = Counter(_what_is_wrong(mine.get(at), real.get(at)) for at in wrong)
    return mistakes, sum(mine.get(at) != cell for at, cell in real.items() if at not in hidden)


def _what_is_wrong(said: Cell, truth: Cell) -> str:
    if said is CASTLE or truth is CASTLE:
        return "castle"
    if not isinstance(said, Square) or not isinstance(truth, Square):
        return "background"
    return "terrain" if said.terrain is not truth.terrain else "crowns"
