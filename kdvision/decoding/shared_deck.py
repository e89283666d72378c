"""Several kingdoms on a table, judged as one: castles and bounding boxes apart, the deck shared."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate, pairwise

from kdvision.decoding.board_graph import FaceTable, Grid
from kdvision.decoding.constraints import Conflict, Judge, Price
from kdvision.decoding.exact_cover import UndecidedError, cut


class TableJudge(Judge):
    """Judges the labels of several kingdoms, one after the other, that share a deck.

    Args:
        grids: The grids of the kingdoms.
        side: The largest side of each kingdom's bounding box, 5 or 7.
        table: The deck of all of them.
    """

    def __init__(self, grids: Sequence[Grid], side: int, table: FaceTable) -> None:
        super().__init__(joined(grids), side, table)
        self.faces = table
        self.parts = [
            (part, Judge(grid, side, table))
            for part, grid in zip(_parts(grids), grids, strict=True)
        ]

    def _castle(self, labels: bytes, price: Price) -> Conflict | None:
        """One castle in every kingdom."""
        return self._first(Judge._castle, labels, price)

    def _box(self, labels: bytes, price: Price) -> Conflict | None:
        """Every kingdom in a box of its own."""
        return self._first(Judge._box, labels, price)

    def _first(
        self,
        rule: Callable[[Judge, bytes, Price], Conflict | None],
        labels: bytes,
        price: Price,
    ) -> Conflict | None:
        """The conflict with a rule in the first kingdom that has one."""
        for part, judge in self.parts:
            conflict = rule(judge, labels[part], partial(_price_in, price, part.start))
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
            result = cut(labels, self.places, self.faces)
        except UndecidedError:
            return [], None
        proof = result if isinstance(result, int) else 0
        return [place for place in range(len(labels)) if proof >> place & 1], None


def _price_in(price: Price, start: int, place: int, mask: int) -> float:
    return price(start + place, mask)


def _parts(grids: Sequence[Grid]) -> list[slice]:
    """Where the places of each grid are among those of all."""
    ends = list(accumulate((len(one.neighbours) for one in grids), initial=0))
    return [slice(start, end) for start, end in pairwise(ends)]


def joined(grids: Sequence[Grid]) -> Grid:
    """Grids in one row of places; no place of one is a neighbour of another's."""
    neighbours: list[tuple[int, ...]] = []
    following: list[tuple[int, ...]] = []
    for part, one in zip(_parts(grids), grids, strict=True):
        for joined, own in ((neighbours, one.neighbours), (following, one.following)):
            joined.extend(tuple(part.start + place for place in places) for places in own)
    return Grid(1, len(neighbours), tuple(neighbours), tuple(following))
