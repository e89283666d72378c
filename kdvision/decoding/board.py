"""Grids, the deck, and totals by labels.

Places are numbered row by row, labels by their index in `LABELS`; a set of labels is a bit mask
(`1 << label`).
"""

from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from kdvision.errors import UsageError
from kdvision.options import GameOptions
from kdvision.rules.dominoes import Deck, face, standard_deck
from kdvision.rules.kingdom import CASTLE, Cell, Kingdom
from kdvision.rules.scoring import BONUS_CODES
from kdvision.rules.terrain import KINDS, LABELS, SQUARE_KINDS, Terrain

ANY_LABEL = (1 << len(LABELS)) - 1
ANY_KIND = (1 << KINDS) - 1
NO_KIND = ANY_LABEL ^ ANY_KIND


class Board(Struct, frozen=True):
    """The places of a height x width grid and which of them share an edge."""

    height: int
    width: int
    neighbours: tuple[tuple[int, ...], ...]
    following: tuple[tuple[int, ...], ...]


@cache
def board_of(height: int, width: int) -> Board:
    """The grid of this height and width; `following` holds the neighbours right and below."""
    neighbours, following = [], []
    for row in range(height):
        for col in range(width):
            here = row * width + col
            after = [here + 1] if col + 1 < width else []
            after += [here + width] if row + 1 < height else []
            before = [here - 1] if col else []
            before += [here - width] if row else []
            following.append(tuple(after))
            neighbours.append((*before, *after))
    return Board(height, width, tuple(neighbours), tuple(following))


class FaceTable(Struct, frozen=True):
    """A deck by labels.

    `face[a][b]` numbers the face that two labels make, -1 when the deck has no such domino;
    `limits` says how often the deck holds each face, `squares` how often each kind, and
    `partners[a]` is the mask of kinds that share a domino with kind `a`.
    """

    face: tuple[tuple[int, ...], ...]
    limits: tuple[int, ...]
    squares: tuple[int, ...]
    partners: tuple[int, ...]


@cache
def face_table(deck: Deck | None = None) -> FaceTable:
    """The faces of a deck by labels; without one, of the 48 dominoes.

    Raises:
        UsageError: The deck has a square of none of the sixteen kinds, which no photo is read for.
    """
    counts = (deck or standard_deck()).face_counts
    unknown = {square for shown in counts for square in shown} - {*SQUARE_KINDS}
    if unknown:
        names = ", ".join(map(str, sorted(unknown)))
        raise UsageError(f"The deck has squares that are not read in photos: {names}.")
    numbers = {shown: number for number, shown in enumerate(counts)}
    none = (-1,) * (len(LABELS) - KINDS)
    faces = [
        (*(numbers.get(face(square, other), -1) for other in SQUARE_KINDS), *none)
        for square in SQUARE_KINDS
    ]
    squares = tuple(
        sum(count * shown.count(kind) for shown, count in counts.items()) for kind in SQUARE_KINDS
    )
    partners = tuple(
        sum(1 << other for other, number in enumerate(row) if number >= 0) for row in faces
    )
    no_square = [(-1,) * len(LABELS)] * len(none)
    return FaceTable((*faces, *no_square), tuple(counts.values()), squares, partners)


# ---------------------------------------------------------------------- totals

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
    """The totals of many kingdoms of one grid, which differ in a few squares only.

    Gives the same as `rules.scoring`, for which a test holds it; it remembers what one terrain is
    worth for the places where it lies, so that a changed square costs one or two terrains.
    """

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
