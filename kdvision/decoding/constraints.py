"""What the box can hold: one castle, a 5x5 or 7x7, and dominoes of the deck.

`Constraints.conflict` says why labels for all places of a grid are no kingdom, as a *conflict*:
places, each with a set of labels (a bit mask), such that no kingdom at all has every one of these
places within its set. Every kingdom differs from it somewhere; that is where the search branches.
The connection rule is no constraint: players break it, and the kingdom is read as it lies.
`TableConstraints` asks the same of several kingdoms: castles and boxes apart, the deck shared.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from itertools import accumulate, pairwise

from kdvision.decoding.board import ANY_KIND, ANY_LABEL, NO_KIND, Board, FaceTable
from kdvision.decoding.exact_cover import CUTTING, Cutting, StepsLeft, UndecidedError, cut, fits
from kdvision.rules.cover import matching
from kdvision.rules.terrain import CASTLE_LABEL, EMPTY_LABEL, KINDS

#: (place, mask of labels) of a few places: no kingdom has all of them.
Conflict = list[tuple[int, int]]

#: The log-likelihood lost by leaving a set of labels at a place: `cost(place, mask)`, infinite when
#: no other label is possible there.
LeavingCost = Callable[[int, int], float]

#: Number of cuttings that are tried again on kingdoms of the same outline.
_REMEMBERED_CUTTINGS = 4
#: Translates labels to 1 for a square and 0 for the castle or nothing.
_OUTLINE = bytes(label < KINDS for label in range(256))
#: Translates labels to 1 for whatever lies there and 0 for nothing.
_TAKEN = bytes(label != EMPTY_LABEL for label in range(256))


class Constraints:
    """Checks labels of all places. Remembers cuttings, as the next kingdom is much like the last.

    Args:
        board: The places of the grid and their neighbours.
        side: The largest side of the kingdom's bounding box, 5 or 7.
        table: The deck; None allows any domino of two of the sixteen kinds (other editions).
    """

    def __init__(self, board: Board, side: int, table: FaceTable | None) -> None:
        self.board = board
        self.side = side
        self.table = table
        self._boxed: set[bytes] = set()
        self._proofs: dict[bytes, list[set[int]]] = {}
        self._cuttings: dict[bytes, list[Cutting]] = {}
        self._steps = StepsLeft(CUTTING.max_search_steps)

    def conflict(
        self, labels: bytes, changed: Collection[int], cost: LeavingCost
    ) -> Conflict | None:
        """Why these labels are no kingdom of the box, None when they are one.

        Args:
            labels: Row by row.
            changed: Places whose label is new: they are checked first.
            cost: What it costs to leave a set of labels at a place. Where several conflicts are
                found, the one that is costliest to resolve is returned.

        Raises:
            UndecidedError: The cutting took too many steps.
        """
        conflict = self._castle(labels, cost)
        if conflict is None:
            conflict = self._box(labels, cost)
        if conflict is None:
            conflict = self._outline(labels, cost)
        if conflict is None and self.table:
            conflict = self._deck(labels, changed, self.table, cost)
        return conflict

    # ------------------------------------------------------------------ castle and box

    def _castle(self, labels: bytes, cost: LeavingCost) -> Conflict | None:
        """Exactly one castle."""
        castle = 1 << CASTLE_LABEL
        count = labels.count(CASTLE_LABEL)
        if count == 1:
            return None
        if not count:
            return [(place, ANY_LABEL ^ castle) for place in range(len(labels))]
        found = [place for place, label in enumerate(labels) if label == CASTLE_LABEL]
        return _costliest_members(found, castle, 2, cost)

    def _box(self, labels: bytes, cost: LeavingCost) -> Conflict | None:
        """No two taken places farther apart than the side of the box."""
        width = self.board.width
        if max(self.board.height, width) <= self.side:
            return None
        places = labels.translate(_TAKEN)
        if places in self._boxed:
            return None
        taken = [place for place, label in enumerate(labels) if label != EMPTY_LABEL]
        mask = ANY_LABEL ^ 1 << EMPTY_LABEL
        for lines in [place // width for place in taken], [place % width for place in taken]:
            ends = min(lines), max(lines)
            if ends[1] - ends[0] >= self.side:
                return [
                    max(
                        ((at, mask) for at, line in zip(taken, lines, strict=True) if line == end),
                        key=lambda member: cost(*member),
                    )
                    for end in ends
                ]
        self._boxed.add(places)
        return None

    # ------------------------------------------------------------------ dominoes

    def _outline(self, labels: bytes, cost: LeavingCost) -> Conflict | None:
        """The squares can be paired with neighbours, whatever they show."""
        outline = labels.translate(_OUTLINE)
        if outline not in self._proofs:
            neighbours = self.board.neighbours
            _, self._proofs[outline] = matching(
                {
                    place: [other for other in neighbours[place] if labels[other] < KINDS]
                    for place, label in enumerate(labels)
                    if label < KINDS
                }
            )
        proofs = self._proofs[outline]
        return _costliest([self._deficient_outline(one, labels) for one in proofs], cost)

    def _deficient_outline(self, deficient: set[int], labels: bytes) -> Conflict:
        around = {other for place in deficient for other in self.board.neighbours[place]}
        return [(place, ANY_KIND) for place in deficient] + [
            (other, NO_KIND) for other in around if labels[other] >= KINDS
        ]

    def _deck(
        self,
        labels: bytes,
        changed: Collection[int],
        table: FaceTable,
        cost: LeavingCost,
    ) -> Conflict | None:
        """The deck holds the dominoes."""
        conflict = _counts(labels, table, cost) or self._unpartnered(labels, changed, table)
        if conflict:
            return conflict
        known = self._cuttings.setdefault(labels.translate(_OUTLINE), [])
        for cutting in known:
            if fits(cutting, labels, table):
                return None
        result = cut(labels, self.board, table, self._steps)
        if isinstance(result, int):
            return self._uncuttable(result, labels, table)
        known.insert(0, result)
        del known[_REMEMBERED_CUTTINGS:]
        return None

    def _unpartnered(
        self, labels: bytes, changed: Collection[int], table: FaceTable
    ) -> Conflict | None:
        """A square next to none that shares a domino with it."""
        for place in changed:
            if labels[place] < KINDS:
                partners = table.partners[labels[place]]
                around = self.board.neighbours[place]
                if not any(partners >> labels[other] & 1 for other in around):
                    refused = ANY_LABEL & ~partners
                    useless = _without_partner(refused, table)
                    return [(place, useless), *((other, refused) for other in around)]
        return None

    def _uncuttable(self, squares: int, labels: bytes, table: FaceTable) -> Conflict:
        """The squares of a failed cutting, and neighbours that could offer more."""
        offered: dict[int, int] = {}
        members = []
        for place, label in enumerate(labels):
            if squares >> place & 1:
                members.append((place, 1 << label))
                for other in self.board.neighbours[place]:
                    if not squares >> other & 1:
                        offered[other] = offered.get(other, 0) | table.partners[label]
        for other, kinds in offered.items():
            members.append((other, ANY_LABEL & ~kinds | 1 << labels[other]))
        return members


def _counts(labels: bytes, table: FaceTable, cost: LeavingCost) -> Conflict | None:
    """No kind of square more often than the deck has it."""
    for kind, most in enumerate(table.squares):
        if labels.count(kind) > most:
            found = [place for place, label in enumerate(labels) if label == kind]
            return _costliest_members(found, 1 << kind, most + 1, cost)
    return None


def _without_partner(labels: int, table: FaceTable) -> int:
    """The kinds that share a domino with none of these labels."""
    return sum(1 << kind for kind, partners in enumerate(table.partners) if not partners & labels)


def _costliest_members(places: list[int], mask: int, count: int, cost: LeavingCost) -> Conflict:
    """Of places that are too many, `count` that are costliest to change."""
    costs = sorted([(-cost(place, mask), place) for place in places])
    return [(place, mask) for _, place in costs[:count]]


def _costliest(conflicts: Iterable[Conflict], cost: LeavingCost) -> Conflict | None:
    """The conflict whose cheapest way out costs most."""
    return max(
        conflicts,
        key=lambda conflict: min(cost(place, mask) for place, mask in conflict),
        default=None,
    )


# ---------------------------------------------------------------------- several kingdoms


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
