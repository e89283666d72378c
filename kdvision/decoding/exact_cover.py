"""Cutting squares into dominoes of the deck, each face at most as often as the deck has it.

What cannot be cut is answered with a *reason*: the few squares that prove it, so that a search
need not try all that leaves them as they are. That is why decoding has an exact cover of its own:
`kdvision.rules` lists every cutting of one kingdom, while a search asks thousands of candidates for
a yes or for the shortest no. `matching` pairs squares whatever they show, before the deck is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from msgspec import Struct

from kdvision.decoding.board import Board, FaceTable
from kdvision.rules.terrain import KINDS

#: A cutting: pairs of places, each covered by one domino.
Cutting = tuple[tuple[int, int], ...]


class CuttingSettings(Struct, frozen=True):
    """How far the search for a cutting goes.

    Attributes:
        max_cutting_steps: count. An exact cutting is given up after so many steps. Kingdoms of the
            deck take less than a hundred.
        max_search_steps: count. So many steps the cuttings of one search may take together, about 5
            microseconds each, so that a search has an end. What cannot be decided then counts as
            unexplored. Of 4,033 readings of rendered and real kingdoms none took half of it.
    """

    max_cutting_steps: Annotated[int, "sure"] = 1000
    max_search_steps: Annotated[int, "sure"] = 5000


CUTTING = CuttingSettings()


class UndecidedError(Exception):
    """An exact cutting took too many steps."""


def fits(cutting: Cutting, labels: Sequence[int], table: FaceTable) -> bool:
    """Whether the dominoes of a cutting are in the deck, each as often as needed."""
    left = list(table.limits)
    for one, other in cutting:
        number = table.face[labels[one]][labels[other]]
        if number < 0 or not left[number]:
            return False
        left[number] -= 1
    return True


@dataclass(slots=True)
class StepsLeft:
    """How many steps the cuttings of one search may still take together."""

    left: int


def cut(
    labels: Sequence[int], board: Board, table: FaceTable, steps: StepsLeft | None = None
) -> Cutting | int:
    """Cut all squares into dominoes of the deck, each face at most as often as it is there.

    Exact: the square with the fewest ways to be covered goes first, and every dead end is traced
    back to the squares that caused it, which skips choices that had no part in it.

    Returns:
        A cutting; or, when there is none, the mask of the squares whose covering proves it. The
        proof holds as long as these keep their labels and their neighbours offer nothing new.

    Raises:
        UndecidedError: After `CUTTING.max_cutting_steps` steps, or when none of `steps` are left.
    """
    cutter = _Cutter(labels, board, table)
    if steps is None:
        return cutter.run()
    cutter.most_steps = min(cutter.most_steps, steps.left)
    try:
        return cutter.run()
    finally:
        steps.left -= cutter.steps


@dataclass(slots=True)
class _Cut:
    """A cutting that has begun.

    `alive` are the edges that may still be laid, `left` counts the dominoes of each face that are
    left. `why[place]` is the reason for the domino that covers a place, `why_face[face]` for all
    dominoes laid of a face: the squares whose choice, or lack of choice, led to them.
    """

    alive: int
    open_squares: list[int]
    left: list[int]
    why: list[int]
    why_face: list[int]

    def copy(self) -> "_Cut":
        open_squares, left = self.open_squares.copy(), self.left.copy()
        return _Cut(self.alive, open_squares, left, self.why.copy(), self.why_face.copy())


class _Cutter:
    """One exact cutting. Edges (possible dominoes) are numbered; sets of edges are masks."""

    def __init__(self, labels: Sequence[int], board: Board, table: FaceTable) -> None:
        edges: list[tuple[int, int, int]] = []
        at, of_face = [0] * len(labels), [0] * len(table.limits)
        squares = [place for place, label in enumerate(labels) if label < KINDS]
        bit = 1
        for place in squares:
            row = table.face[labels[place]]
            for other in board.following[place]:
                number = row[labels[other]]
                if number >= 0:
                    edges.append((place, other, number))
                    at[place] |= bit
                    at[other] |= bit
                    of_face[number] |= bit
                    bit <<= 1
        self.edges, self.at, self.of_face, self.squares = edges, at, of_face, squares
        self.limits = table.limits
        self.laid: list[tuple[int, int]] = []
        self.steps, self.most_steps = 0, CUTTING.max_cutting_steps

    def run(self) -> Cutting | int:
        alive = (1 << len(self.edges)) - 1
        none, no_face = [0] * len(self.at), [0] * len(self.limits)
        start = _Cut(alive, self.squares.copy(), list(self.limits), none, no_face)
        return self.finish(start) or tuple(self.laid)

    def finish(self, begun: _Cut) -> int:
        """Cover the squares that are open; 0 on success, else the reason (squares)."""
        at = self.at
        while begun.open_squares:
            self.steps += 1
            if self.steps > self.most_steps:
                raise UndecidedError
            pick, fewest = -1, 5
            for place in begun.open_squares:
                ways = (at[place] & begun.alive).bit_count()
                if ways < fewest:
                    pick, fewest = place, ways
                    if ways < 2:
                        break
            reason = self.reason(pick, begun)
            if fewest == 0:
                return reason
            if fewest > 1:
                return self.branch(pick, begun, reason)
            self.take(at[pick] & begun.alive, begun, reason)
        return 0

    def branch(self, pick: int, begun: _Cut, reason: int) -> int:
        """Try every way to cover `pick`."""
        ways = self.at[pick] & begun.alive
        causes = reason
        while ways:
            edge = ways & -ways
            ways ^= edge
            depth, tried = len(self.laid), begun.copy()
            self.take(edge, tried, reason)
            failed = self.finish(tried)
            if not failed:
                return 0
            del self.laid[depth:]
            if not failed >> pick & 1:
                return failed
            causes |= failed
        return causes

    def take(self, edge: int, begun: _Cut, reason: int) -> None:
        """Lay the domino of `edge`."""
        one, other, number = self.edges[edge.bit_length() - 1]
        begun.open_squares.remove(one)
        begun.open_squares.remove(other)
        begun.why[one] = begun.why[other] = reason
        begun.why_face[number] |= reason
        begun.left[number] -= 1
        self.laid.append((one, other))
        begun.alive &= ~(self.at[one] | self.at[other])
        if not begun.left[number]:
            begun.alive &= ~self.of_face[number]

    def reason(self, pick: int, begun: _Cut) -> int:
        """Why `pick` has no other ways: itself, and what made its other edges impossible."""
        reason, dead = 1 << pick, self.at[pick] & ~begun.alive
        while dead:
            edge = dead & -dead
            dead ^= edge
            one, other, number = self.edges[edge.bit_length() - 1]
            reason |= begun.why[other if one == pick else one] or begun.why_face[number]
        return reason
