"""The totals of many kingdoms of one grid, which differ in a few squares only.

Gives the same as `rules.scoring`, for which a test holds it; it remembers what one terrain is
worth for the places where it lies, so that a changed square costs one or two terrains.
"""

from collections.abc import Sequence

from kdvision.decoding.board import Board
from kdvision.options import GameOptions
from kdvision.rules.kingdom import CASTLE, Cell, Kingdom
from kdvision.rules.scoring import BONUS_CODES
from kdvision.rules.terrain import KINDS, SQUARE_KINDS, Terrain

#: For every terrain, translates labels to crowns + 1, and all else to 0.
_CROWNS = tuple(
    bytes(
        SQUARE_KINDS[label].crowns + 1
        if label < KINDS and SQUARE_KINDS[label].terrain is terrain
        else 0
        for label in range(256)
    )
    for terrain in Terrain
)
#: Translates labels to all that the bonuses depend on: square, castle or nothing.
_OUTLINE = bytes(max(0, label - KINDS + 1) for label in range(256))
_CELLS: tuple[Cell, ...] = (*SQUARE_KINDS, CASTLE, None)


def kingdom_of(labels: Sequence[int], board: Board) -> Kingdom:
    """The kingdom of labels given row by row."""
    cells = [_CELLS[label] for label in labels]
    starts = (row * board.width for row in range(board.height))
    return Kingdom(tuple(tuple(cells[start : start + board.width]) for start in starts))


class ScoreCache:
    """Counts the totals of kingdoms, with the bonuses in play."""

    def __init__(self, board: Board, options: GameOptions) -> None:
        self.board = board
        self.options = options
        self.any_bonus = any(getattr(options, code) for code in BONUS_CODES)
        self._points: dict[bytes, int] = {}
        self._bonus: dict[bytes, int] = {}

    def total(self, labels: bytes) -> int:
        """The total of a kingdom, labels row by row."""
        total = self.bonus(labels) if self.any_bonus else 0
        for crowns in _CROWNS:
            total += self.points(labels.translate(crowns))
        return total

    def points(self, crowns: bytes) -> int:
        """What one terrain is worth (RULES 2.2), given its crowns + 1 per place, 0 elsewhere."""
        points = self._points.get(crowns)
        if points is None:
            points = self._points[crowns] = self._count(crowns)
        return points

    def _count(self, crowns: bytes) -> int:
        left = {place for place, value in enumerate(crowns) if value}
        points = 0
        while left:
            territory = [left.pop()]
            for place in territory:
                for other in self.board.neighbours[place]:
                    if other in left:
                        left.remove(other)
                        territory.append(other)
            points += len(territory) * sum(crowns[place] - 1 for place in territory)
        return points

    def bonus(self, labels: bytes) -> int:
        """The bonuses, which depend on the outline and the castle only (RULES 3.1, 3.2)."""
        outline = labels.translate(_OUTLINE)
        bonus = self._bonus.get(outline)
        if bonus is None:
            sheet = self.options.score(kingdom_of(labels, self.board))
            bonus = self._bonus[outline] = sum(one.counted_points for one in sheet.bonuses)
        return bonus
