"""What the outline of a kingdom shows, whatever lies on its squares (RULES 5.4, 6)."""

from collections.abc import Collection, Iterable

from kdvision.rules.kingdom import Position, neighbours


def components(cells: Iterable[Position]) -> list[frozenset[Position]]:
    """The pieces that cells fall into, joined by edges; in reading order of their first cells."""
    left = dict.fromkeys(sorted(cells))
    found = []
    while left:
        start = next(iter(left))
        del left[start]
        piece, frontier = {start}, [start]
        while frontier:
            for at in neighbours(frontier.pop()):
                if at in left:
                    del left[at]
                    piece.add(at)
                    frontier.append(at)
        found.append(frozenset(piece))
    return found


def box_side(cells: Iterable[Position]) -> int:
    """The side of the smallest square box that holds the cells, of which there is at least one."""
    rows, cols = zip(*cells, strict=True)
    return int(max(max(rows) - min(rows), max(cols) - min(cols))) + 1


def outside(cells: Collection[Position], size: int) -> frozenset[Position]:
    """The cells that lie outside the size x size box which holds the most of them.

    Rows and columns are judged apart. Where several boxes hold as many, what lies outside any of
    them is named.
    """
    found: set[Position] = set()
    for axis in (0, 1):
        lines = [at[axis] for at in cells]
        first, last = min(lines), max(lines)
        starts = range(first, max(first, last - size + 1) + 1)
        held = {start: sum(start <= line < start + size for line in lines) for start in starts}
        for start in starts:
            if held[start] == max(held.values()):
                found.update(at for at in cells if not start <= at[axis] < start + size)
    return frozenset(found)


def colour_counts(cells: Iterable[Position]) -> tuple[int, int]:
    """How many cells a chessboard would colour light, and how many dark."""
    dark = [(row + col) % 2 for row, col in cells]
    return len(dark) - sum(dark), sum(dark)


def uncoverable(cells: Iterable[Position]) -> frozenset[Position]:
    """The cells that stay uncovered in some densest packing of dominoes; none if all fit."""
    cells = frozenset(cells)
    partner: dict[Position, Position] = {}
    for start in sorted(cells):
        if start not in partner:
            _cover(start, cells, partner, set())
    found: set[Position] = set()
    for start in cells - partner.keys():
        # A domino may slide off a neighbour onto `start`: then its other half is uncovered.
        frontier = [start]
        while frontier:
            at = frontier.pop()
            if at not in found:
                found.add(at)
                frontier.extend(partner[near] for near in neighbours(at) if near in cells)
    return frozenset(found)


def _cover(
    start: Position,
    cells: frozenset[Position],
    partner: dict[Position, Position],
    tried: set[Position],
) -> bool:
    """Cover one cell more, sliding dominoes that lie already; False when it cannot be."""
    for near in neighbours(start):
        if near in cells and near not in tried:
            tried.add(near)
            if near not in partner or _cover(partner[near], cells, partner, tried):
                partner[start], partner[near] = near, start
                return True
    return False
