"""What the box can hold: one castle, a 5x5 or 7x7, and dominoes of the deck.

`Constraints.find_conflict` says why labels for all places are no kingdoms of one box, as a
*conflict*: places, each with a set of labels (a bit mask), such that no kingdoms at all have every
one of these places within its set. All kingdoms differ from it somewhere; that is where the search
branches. Several kingdoms have castles and bounding boxes apart, and share the deck. The connection
rule is no constraint: players break it, and the kingdom is read as it lies.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Sequence

from kdvision.decoding.board import ANY_KIND, ANY_LABEL, NO_KIND, Board, DeckFaces, join_boards
from kdvision.decoding.exact_cover import Cutting, cut, fits_deck, step_budget
from kdvision.rules.matching import matching
from kdvision.rules.terrain import CASTLE_LABEL, EMPTY_LABEL, KINDS

#: (place, mask of labels) of a few places: no kingdom has all of them.
Conflict = list[tuple[int, int]]

#: The log-likelihood lost by leaving a set of labels at a place: `cost(place, mask)`, infinite when
#: no other label is possible there.
LeavingCost = Callable[[int, int], float]

#: Number of cuttings that are tried again on kingdoms of the same outline.
_MAX_CUTTINGS = 4
#: Translates labels to 1 for a square and 0 for the castle or nothing.
_OUTLINE = bytes(label < KINDS for label in range(256))
_CASTLE = 1 << CASTLE_LABEL
_TAKEN = ANY_LABEL ^ 1 << EMPTY_LABEL


class Constraints:
    """Checks labels of all places. Remembers cuttings, as the next kingdom is much like the last.

    Args:
        boards: The grid of each kingdom; its places follow those of the grid before it.
        side: The largest side of a kingdom's bounding box, 5 or 7.
        faces: The deck; None allows any domino of two of the sixteen kinds (other editions).

    Attributes:
        parts: The places of each kingdom among all.
        neighbours: Those of every place.
    """

    def __init__(self, boards: Sequence[Board], side: int, faces: DeckFaces | None) -> None:
        self.boards = boards
        self.side = side
        self.faces = faces
        self.parts, self.neighbours = join_boards(boards)
        self._proofs: dict[bytes, list[set[int]]] = {}
        self._cuttings: dict[bytes, deque[Cutting]] = defaultdict(
            lambda: deque(maxlen=_MAX_CUTTINGS)
        )
        self._steps = step_budget()

    def find_conflict(
        self, labels: bytes, changed: Collection[int], cost: LeavingCost
    ) -> Conflict | None:
        """Find why these labels are no kingdoms of the box, None when they are.

        Args:
            labels: Those of all places.
            changed: Places whose label is new: they are checked first.
            cost: What it costs to leave a set of labels at a place. Of several conflicts the one
                that is costliest to resolve is returned.

        Raises:
            UndecidedError: The cuttings took too many steps.
        """
        for rule in self._castle_conflict, self._box_conflict, self._outline_conflict:
            conflict = rule(labels, cost)
            if conflict is not None:
                return conflict
        return self._deck_conflict(labels, changed, self.faces, cost) if self.faces else None

    # ------------------------------------------------------------------ castle and box

    def _castle_conflict(self, labels: bytes, cost: LeavingCost) -> Conflict | None:
        """Find a kingdom without exactly one castle."""
        for part in self.parts:
            count = labels.count(CASTLE_LABEL, part.start, part.stop)
            places = range(part.start, part.stop)
            if not count:
                return [(place, ANY_LABEL ^ _CASTLE) for place in places]
            if count > 1:
                castles = [place for place in places if labels[place] == CASTLE_LABEL]
                return _pick_costliest(castles, _CASTLE, 2, cost)
        return None

    def _box_conflict(self, labels: bytes, cost: LeavingCost) -> Conflict | None:
        """Find two taken places of a kingdom that are farther apart than the side of the box."""
        for part, board in zip(self.parts, self.boards, strict=True):
            if max(board.height, board.width) <= self.side:
                continue
            rows, cols, members = [], [], []
            for place, label in enumerate(labels[part]):
                if label != EMPTY_LABEL:
                    rows.append(place // board.width)
                    cols.append(place % board.width)
                    members.append((part.start + place, _TAKEN))
            for lines in rows, cols:
                first, last = min(lines), max(lines)
                if last - first >= self.side:
                    return [_pick_on_line(end, members, lines, cost) for end in (first, last)]
        return None

    # ------------------------------------------------------------------ dominoes

    def _outline_conflict(self, labels: bytes, cost: LeavingCost) -> Conflict | None:
        """Find squares that cannot be paired with neighbours, whatever they show."""
        outline = labels.translate(_OUTLINE)
        if outline not in self._proofs:
            squares = {}
            for place, is_square in enumerate(outline):
                if is_square:
                    around = self.neighbours[place]
                    squares[place] = [beside for beside in around if outline[beside]]
            _, self._proofs[outline] = matching(squares)
        # The squares that are too many for their neighbours, and places where more might lie.
        conflicts = []
        for deficient in self._proofs[outline]:
            conflict: Conflict = []
            near: set[int] = set()
            for place in deficient:
                conflict.append((place, ANY_KIND))
                near.update(self.neighbours[place])
            for place in near:
                if labels[place] >= KINDS:
                    conflict.append((place, NO_KIND))
            conflicts.append(conflict)
        return max(conflicts, key=lambda conflict: _cheapest_exit(conflict, cost), default=None)

    def _deck_conflict(
        self, labels: bytes, changed: Collection[int], faces: DeckFaces, cost: LeavingCost
    ) -> Conflict | None:
        """Find dominoes that the deck does not hold."""
        conflict = _kind_conflict(labels, faces, cost) or self._find_lonely(labels, changed, faces)
        if conflict:
            return conflict
        # Cuttings of kingdoms before this one often fit it too.
        cuttings = self._cuttings[labels.translate(_OUTLINE)]
        if any(fits_deck(cutting, labels, faces) for cutting in cuttings):
            return None
        result = cut(labels, self.neighbours, faces, self._steps)
        if isinstance(result, int):
            return self._explain_uncut(result, labels, faces)
        cuttings.appendleft(result)
        return None

    def _find_lonely(
        self, labels: bytes, changed: Collection[int], faces: DeckFaces
    ) -> Conflict | None:
        """Find a square next to none that shares a domino with it."""
        for place in changed:
            if labels[place] < KINDS:
                partners = faces.partners[labels[place]]
                around = self.neighbours[place]
                if any(partners >> labels[beside] & 1 for beside in around):
                    continue
                # As long as nothing else than now lies beside it, this kind is impossible, and so
                # is each one whose partners are all among those of this kind.
                others = ANY_LABEL & ~partners
                lonely = 0
                for kind, kind_partners in enumerate(faces.partners):
                    if not kind_partners & others:
                        lonely |= 1 << kind
                conflict = [(place, lonely)]
                for beside in around:
                    conflict.append((beside, others))
                return conflict
        return None

    def _explain_uncut(self, squares: int, labels: bytes, faces: DeckFaces) -> Conflict:
        """Return the squares of a failed cutting, and neighbours that could offer more.

        Args:
            squares: Those that prove that there is no cutting, as a mask.
            labels: Those of all places.
            faces: The deck.
        """
        # The kinds that would be a partner on each place beside these squares.
        partners: dict[int, int] = {}
        conflict = []
        for place, label in enumerate(labels):
            if squares >> place & 1:
                conflict.append((place, 1 << label))
                for beside in self.neighbours[place]:
                    if not squares >> beside & 1:
                        partners[beside] = partners.get(beside, 0) | faces.partners[label]
        # The proof holds while such a place keeps its label, or has one that is no partner.
        for beside, kinds in partners.items():
            no_partner = ANY_LABEL & ~kinds
            conflict.append((beside, no_partner | 1 << labels[beside]))
        return conflict


def _kind_conflict(labels: bytes, faces: DeckFaces, cost: LeavingCost) -> Conflict | None:
    """Find a kind of square that is there more often than the deck has it."""
    for kind, most in enumerate(faces.squares):
        if labels.count(kind) > most:
            places = [place for place, label in enumerate(labels) if label == kind]
            return _pick_costliest(places, 1 << kind, most + 1, cost)
    return None


# ---------------------------------------------------------------------- the costliest


def _pick_costliest(places: list[int], mask: int, count: int, cost: LeavingCost) -> Conflict:
    """Return `count` of places that are too many: those that are costliest to change."""
    costliest = sorted(places, key=lambda place: -cost(place, mask))
    return [(place, mask) for place in costliest[:count]]


def _pick_on_line(
    line: int, members: Conflict, lines: Sequence[int], cost: LeavingCost
) -> tuple[int, int]:
    """Return the member on a line that is costliest to change."""
    on_line = []
    for member, at in zip(members, lines, strict=True):
        if at == line:
            on_line.append(member)
    return max(on_line, key=lambda member: cost(*member))


def _cheapest_exit(conflict: Conflict, cost: LeavingCost) -> float:
    """Return what it costs least to resolve a conflict."""
    return min(cost(place, mask) for place, mask in conflict)
