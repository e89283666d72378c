"""Mistakes of a reading, counted per stage."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

from kdvision.rules.kingdom import CASTLE, Cell, Kingdom, Position
from kdvision.rules.terrain import Square

#: When more than this share of the true places was read wrong, it is the grid that was wrong. Tiles
#: that were invented beside a kingdom whose own places are right are mistakes of background.
LOST_SHARE = 0.34


@dataclass(slots=True)
class Mistakes:
    """Squares that were read wrong, by what was wrong about them; `grid` counts kingdoms.

    `background` are places where a tile was missed or invented, `castle` where the castle was
    missed or taken for something else.
    """

    grid: int = 0
    castle: int = 0
    background: int = 0
    terrain: int = 0
    crowns: int = 0

    def add(self, other: "Mistakes") -> None:
        """Sum up."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))

    @property
    def total(self) -> int:
        """All mistakes."""
        return sum(getattr(self, one.name) for one in fields(self))


def compare(
    said: Kingdom | None, truth: Kingdom, hidden: frozenset[Position] = frozenset()
) -> Mistakes:
    """The mistakes of a kingdom, in the quarter turn and place that make the fewest.

    Args:
        said: What was read; None when the kingdom was not found.
        truth: What is there.
        hidden: Places of the truth that do not count.
    """
    if said is None:
        return Mistakes(grid=1)
    aligned = _alignments(said.trimmed(), truth if hidden else truth.trimmed(), hidden)
    best, lost = min(aligned, key=lambda one: one[0].total)
    places = sum(cell is not None for _, cell in truth.cells())
    wrong_grid = lost > LOST_SHARE * places or best.total > places
    return Mistakes(grid=1) if wrong_grid else best


def _alignments(
    said: Kingdom, truth: Kingdom, hidden: frozenset[Position]
) -> Iterator[tuple[Mistakes, int]]:
    """The mistakes of every way to lay one over the other, and how many true places are wrong."""
    for quarters in range(4):
        turned = said.turned(quarters)
        for down in _shifts(truth.height - turned.height):
            for right in _shifts(truth.width - turned.width):
                yield _count(turned, truth, down, right, hidden)


def _shifts(room: int) -> range:
    """Ways to lay one kingdom over another that is `room` longer, or shorter where below 0."""
    return range(min(room, 0) - 2, max(room, 0) + 3)


def _count(
    said: Kingdom, truth: Kingdom, down: int, right: int, hidden: frozenset[Position]
) -> tuple[Mistakes, int]:
    mine = {(row + down, col + right): cell for (row, col), cell in said.cells() if cell}
    real = {at: cell for at, cell in truth.cells() if cell}
    mistakes = Mistakes()
    for at in (mine.keys() | real.keys()) - hidden:
        mistakes.add(_of_place(mine.get(at), real.get(at)))
    return mistakes, sum(mine.get(at) != cell for at, cell in real.items() if at not in hidden)


def _of_place(said: Cell, truth: Cell) -> Mistakes:
    if said == truth:
        return Mistakes()
    if said is CASTLE or truth is CASTLE:
        return Mistakes(castle=1)
    if not isinstance(said, Square) or not isinstance(truth, Square):
        return Mistakes(background=1)
    return Mistakes(terrain=1) if said.terrain is not truth.terrain else Mistakes(crowns=1)
