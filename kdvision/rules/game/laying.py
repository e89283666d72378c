"""Laying dominoes: where a domino may go, and a kingdom that grows (RULES 5).

While a kingdom grows its positions are counted from the castle, which lies at (0, 0), so that
they never change; rows above and columns left of it are negative. `LaidKingdom.kingdom` and
`LaidKingdom.placed` count from the top left, as every `Kingdom` does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from kdvision.rules.dominoes import Domino
from kdvision.rules.kingdom import CASTLE, Cell, Kingdom, Position, neighbours
from kdvision.rules.terrain import Square

#: The castle of a growing kingdom.
ORIGIN: Position = (0, 0)


@dataclass(frozen=True, slots=True)
class Laid:
    """A domino of the deck and where its two squares lie, left square first."""

    domino: Domino
    left_at: Position
    right_at: Position

    @property
    def squares(self) -> tuple[tuple[Position, Square], tuple[Position, Square]]:
        """Both squares with their positions, left square first."""
        return (self.left_at, self.domino.left), (self.right_at, self.domino.right)

    def shifted(self, rows: int, cols: int) -> "Laid":
        """The same domino moved down and to the right."""
        (top, left), (bottom, right) = self.left_at, self.right_at
        return Laid(self.domino, (top + rows, left + cols), (bottom + rows, right + cols))


@dataclass(frozen=True, slots=True)
class LaidKingdom:
    """A kingdom that grows from its castle: what lies, in the order of laying.

    `size` is 5, or 7 in a Mighty Duel. `discarded` are dominoes that had no place.
    """

    size: int = 5
    laid: tuple[Laid, ...] = ()
    discarded: tuple[Domino, ...] = ()
    cells: Mapping[Position, Cell] = field(
        default_factory=lambda: {ORIGIN: CASTLE}, repr=False, compare=False
    )

    def moves(self, domino: Domino) -> tuple[Laid, ...]:
        """Every legal place of a domino; see `legal_moves`."""
        return legal_moves(self.cells, domino, self.size)

    def lay(self, move: Laid) -> "LaidKingdom":
        """The kingdom with one domino more.

        Raises:
            ValueError: The move breaks a rule of laying.
        """
        ways = {move}
        if move.domino.left == move.domino.right:
            ways.add(Laid(move.domino, move.right_at, move.left_at))
        if ways.isdisjoint(self.moves(move.domino)):
            raise ValueError(f"Domino {move.domino.number} may not lie at {move.left_at}.")
        cells = {**self.cells, **dict(move.squares)}
        return LaidKingdom(self.size, (*self.laid, move), self.discarded, cells)

    def discard(self, domino: Domino) -> "LaidKingdom":
        """The kingdom after a domino had to go: what can be laid must be laid (RULES 5.5).

        Raises:
            ValueError: The domino can be laid.
        """
        if self.moves(domino):
            raise ValueError(f"Domino {domino.number} can be laid, so it must be.")
        return LaidKingdom(self.size, self.laid, (*self.discarded, domino), self.cells)

    def after(self, dominoes: int) -> "LaidKingdom":
        """The kingdom when only its first dominoes had been laid; discards are forgotten."""
        laid = self.laid[:dominoes]
        cells: dict[Position, Cell] = {ORIGIN: CASTLE}
        for move in laid:
            cells.update(move.squares)
        return LaidKingdom(self.size, laid, (), cells)

    @property
    def kingdom(self) -> Kingdom:
        """The kingdom as it lies, cut to its bounding box."""
        top, left, bottom, right = _box(self.cells)
        return Kingdom(
            tuple(
                tuple(self.cells.get((row, col)) for col in range(left, right + 1))
                for row in range(top, bottom + 1)
            )
        )

    @property
    def placed(self) -> tuple[Laid, ...]:
        """The dominoes in the order of laying, positions as in `kingdom`."""
        top, left, _, _ = _box(self.cells)
        return tuple(move.shifted(-top, -left) for move in self.laid)


def legal_moves(cells: Mapping[Position, Cell], domino: Domino, size: int) -> tuple[Laid, ...]:
    """Every place where a domino may be laid, sorted (RULES 5.1 to 5.4).

    A domino whose halves are alike is listed once for each two places, the first one first.

    Args:
        cells: What lies, castle included, by position; places without an entry are empty.
        domino: The domino to lay.
        size: The side of the largest kingdom: 5 or 7.
    """
    top, left, bottom, right = _box(cells)
    highest, lowest = bottom - size + 1, top + size - 1
    leftmost, rightmost = right - size + 1, left + size - 1

    def free(at: Position) -> bool:
        row, col = at
        return highest <= row <= lowest and leftmost <= col <= rightmost and cells.get(at) is None

    def fit(one: Position, other: Position) -> bool:
        # Each half alone keeps the box; both together must as well.
        rows = (one[0], other[0], top, bottom)
        cols = (one[1], other[1], left, right)
        return max(rows) - min(rows) < size and max(cols) - min(cols) < size

    found: set[tuple[Position, Position]] = set()
    for first in _anchors(cells, domino.left):
        if free(first):
            found.update((first, at) for at in neighbours(first) if free(at) and fit(first, at))
    for first in _anchors(cells, domino.right):
        if free(first):
            found.update((at, first) for at in neighbours(first) if free(at) and fit(first, at))
    if domino.left == domino.right:
        found = {(min(places), max(places)) for places in found}
    return tuple(Laid(domino, one, other) for one, other in sorted(found))


def _anchors(cells: Mapping[Position, Cell], half: Square) -> set[Position]:
    """The places beside the castle or beside a square of the terrain of a half."""
    return {
        beside
        for at, cell in cells.items()
        if cell is CASTLE or (isinstance(cell, Square) and cell.terrain is half.terrain)
        for beside in neighbours(at)
    }


def _box(cells: Mapping[Position, Cell]) -> tuple[int, int, int, int]:
    """(top, left, bottom, right) of what lies, all inclusive."""
    rows, cols = zip(*(at for at, cell in cells.items() if cell is not None), strict=True)
    return min(rows), min(cols), max(rows), max(cols)
