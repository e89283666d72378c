"""Constraints of several kingdoms: castles and bounding boxes apart, the deck shared."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate, pairwise

from kdvision.decoding.board import Board, FaceTable
from kdvision.decoding.constraints import Conflict, Constraints, LeavingCost
from kdvision.decoding.exact_cover import UndecidedError, cut


class TableConstraints(Constraints):
    """Checks the labels of several kingdoms, one after the other, that share a deck.

    Args:
        boards: The boards of the kingdoms.
        side: The largest side of each kingdom's bounding box, 5 or 7.
        table: The deck of all of them.
    """

    def __init__(self, boards: Sequence[Board], side: int, table: FaceTable) -> None:
        super().__init__(joined(boards), side, table)
        self.faces = table
        self.parts = [
            (part, Constraints(board, side, table))
            for part, board in zip(_parts(boards), boards, strict=True)
        ]

    def _castle(self, labels: bytes, cost: LeavingCost) -> Conflict | None:
        """One castle in every kingdom."""
        return self._first(Constraints._castle, labels, cost)

    def _box(self, labels: bytes, cost: LeavingCost) -> Conflict | None:
        """Every kingdom in a box of its own."""
        return self._first(Constraints._box, labels, cost)

    def _first(
        self,
        rule: Callable[[Constraints, bytes, LeavingCost], Conflict | None],
        labels: bytes,
        cost: LeavingCost,
    ) -> Conflict | None:
        """The conflict with a rule in the first kingdom that has one."""
        for part, constraints in self.parts:
            conflict = rule(constraints, labels[part], partial(_cost_in, cost, part.start))
            if conflict is not None:
                return [(part.start + place, mask) for place, mask in conflict]
        return None

    def clash(self, labels: bytes) -> tuple[list[int], int | None]:
        """Squares of kingdoms that the deck cannot hold together; none when it can.

        Returns:
            The places, and the kind of which there are too many, None where it is dominoes.
        """
        for kind, most in enumerate(self.faces.squares):
            if labels.count(kind) > most:
                return [place for place, label in enumerate(labels) if label == kind], kind
        try:
            result = cut(labels, self.board, self.faces)
        except UndecidedError:
            return [], None
        proof = result if isinstance(result, int) else 0
        return [place for place in range(len(labels)) if proof >> place & 1], None


def _cost_in(cost: LeavingCost, start: int, place: int, mask: int) -> float:
    return cost(start + place, mask)


def _parts(boards: Sequence[Board]) -> list[slice]:
    """Where the places of each grid are among those of all."""
    ends = list(accumulate((len(one.neighbours) for one in boards), initial=0))
    return [slice(start, end) for start, end in pairwise(ends)]


def joined(boards: Sequence[Board]) -> Board:
    """Grids in one row of places; no place of one is a neighbour of another's."""
    neighbours: list[tuple[int, ...]] = []
    following: list[tuple[int, ...]] = []
    for part, one in zip(_parts(boards), boards, strict=True):
        for joined, own in ((neighbours, one.neighbours), (following, one.following)):
            joined.extend(tuple(part.start + place for place in places) for places in own)
    return Board(1, len(neighbours), tuple(neighbours), tuple(following))
