"""Whether squares can be cut into dominoes: matching, and exact cutting with the deck's counts.

Places are numbered row by row, labels by their index in `LABELS`; a set of labels is a bit mask
(`1 << label`), and so is a set of places. Whatever cannot be cut is answered with a *reason*: a
few places whose labels alone make it impossible, so that a search need not try the rest.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from kdvision.rules.dominoes import Face, face, face_counts
from kdvision.rules.terrain import LABELS, SQUARE_KINDS

KINDS = len(SQUARE_KINDS)
CASTLE_LABEL = KINDS
EMPTY_LABEL = KINDS + 1
ANY_LABEL = (1 << len(LABELS)) - 1
ANY_KIND = (1 << KINDS) - 1
NO_KIND = ANY_LABEL ^ ANY_KIND

#: A cutting: pairs of places, each covered by one domino.
Cutting = tuple[tuple[int, int], ...]

#: Steps after which an exact cutting is given up. Real kingdoms take less than a hundred.
MOST_STEPS = 3000


@dataclass(frozen=True, slots=True)
class Grid:
    """The places of a height x width grid and which of them share an edge."""

    height: int
    width: int
    neighbours: tuple[tuple[int, ...], ...]
    following: tuple[tuple[int, ...], ...]


@cache
def grid(height: int, width: int) -> Grid:
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
    return Grid(height, width, tuple(neighbours), tuple(following))


@dataclass(frozen=True, slots=True)
class FaceTable:
    """A deck by labels.

    `face[a][b]` numbers the face that two kinds make, -1 when the deck has no such domino;
    `limits` says how often the deck holds each face, `squares` how often each kind, and
    `partners[a]` is the mask of kinds that share a domino with kind `a`.
    """

    face: tuple[tuple[int, ...], ...]
    limits: tuple[int, ...]
    squares: tuple[int, ...]
    partners: tuple[int, ...]


def face_table(deck: Mapping[Face, int] | None = None) -> FaceTable:
    """The faces of a deck by labels; without one, those of the 48 dominoes."""
    return _usual_table() if deck is None else _face_table(deck)


@cache
def _usual_table() -> FaceTable:
    return _face_table(face_counts())


def _face_table(deck: Mapping[Face, int]) -> FaceTable:
    numbers = {one: number for number, one in enumerate(deck) if deck[one] > 0}
    limits = tuple(deck.values())
    faces = tuple(
        tuple(numbers.get(face(one, other), -1) for other in SQUARE_KINDS) for one in SQUARE_KINDS
    )
    squares = tuple(
        sum(count * pair.count(kind) for pair, count in deck.items()) for kind in SQUARE_KINDS
    )
    partners = tuple(_mask(b for b, number in enumerate(row) if number >= 0) for row in faces)
    return FaceTable(faces, limits, squares, partners)


def _mask(members: Iterable[int]) -> int:
    return sum(1 << member for member in members)


# ---------------------------------------------------------------------- matching


def matching(
    options: Mapping[int, Sequence[int]],
) -> tuple[dict[int, int], list[set[int]]]:
    """Pair places with neighbours, as many as possible, without regard to counts.

    Args:
        options: For every place to be covered, the neighbours that it can share a domino with.
            Places of one chessboard colour only neighbour those of the other.

    Returns:
        The partner of every paired place, and for every place left over a set of places of its
        colour that has fewer neighbours than members: the proof that they cannot all be covered.
    """
    partner: dict[int, int] = {}
    for place, others in options.items():
        if place not in partner:
            for other in others:
                if other not in partner:
                    partner[place], partner[other] = other, place
                    break
    proofs = []
    for place in options:
        if place not in partner:
            crowd = _augment(place, options, partner)
            if crowd:
                proofs.append(crowd)
    return partner, proofs


def _augment(
    start: int, options: Mapping[int, Sequence[int]], partner: dict[int, int]
) -> set[int] | None:
    """Pair `start` along an alternating path; the places that compete with it when there is none.

    (The places that compete stay short of neighbours whatever is paired later.)
    """
    came: dict[int, int] = {}
    crowd, frontier = {start}, [start]
    while frontier:
        place = frontier.pop()
        for other in options[place]:
            if other in came:
                continue
            came[other] = place
            if other not in partner:
                _flip(other, came, partner)
                return None
            crowd.add(partner[other])
            frontier.append(partner[other])
    return crowd


def _flip(end: int, came: dict[int, int], partner: dict[int, int]) -> None:
    """Exchange paired and unpaired along the path that ends at the free place `end`."""
    place: int | None = end
    while place is not None:
        before = came[place]
        following = partner.get(before)
        partner[place], partner[before] = before, place
        place = following


# ---------------------------------------------------------------------- cutting


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


def cut(labels: Sequence[int], places: Grid, table: FaceTable) -> Cutting | int:
    """Cut all squares into dominoes of the deck, each face at most as often as it is there.

    Exact: the square with the fewest ways to be covered goes first, and every dead end is traced
    back to the squares that caused it, which skips choices that had no part in it.

    Returns:
        A cutting; or, when there is none, the mask of the squares whose covering proves it. The
        proof holds as long as these keep their labels and their neighbours offer nothing new.

    Raises:
        UndecidedError: After `MOST_STEPS` steps.
    """
    return _Cutter(labels, places, table).run()


class _Cutter:
    """One exact cutting. Edges (possible dominoes) are numbered; sets of edges are masks."""

    def __init__(self, labels: Sequence[int], places: Grid, table: FaceTable) -> None:
        self.edges: list[tuple[int, int, int]] = []
        self.at = [0] * len(labels)
        self.of_face = [0] * len(table.limits)
        self.squares = [place for place, label in enumerate(labels) if label < KINDS]
        self.limits = table.limits
        self.laid: list[tuple[int, int]] = []
        self.steps = 0
        bit = 1
        for place in self.squares:
            row = table.face[labels[place]]
            for other in places.following[place]:
                if labels[other] < KINDS and row[labels[other]] >= 0:
                    number = row[labels[other]]
                    self.edges.append((place, other, number))
                    self.at[place] |= bit
                    self.at[other] |= bit
                    self.of_face[number] |= bit
                    bit <<= 1

    def run(self) -> Cutting | int:
        alive = (1 << len(self.edges)) - 1
        reason = self.lay(
            alive, self.squares, list(self.limits), [0] * len(self.at), [0] * len(self.limits)
        )
        return reason or tuple(self.laid)

    def lay(
        self,
        alive: int,
        open_squares: list[int],
        left: list[int],
        why: list[int],
        why_face: list[int],
    ) -> int:
        """Cover `open_squares` by edges of `alive`; 0 on success, else the reason (squares).

        `left` counts the dominoes of each face that are left. `why[place]` is the reason for the
        domino that covers a place, `why_face[face]` for all dominoes laid of a face: the squares
        whose choice, or lack of choice, led to them.
        """
        at = self.at
        open_squares = open_squares.copy()
        while open_squares:
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise UndecidedError
            pick, fewest = -1, 5
            for place in open_squares:
                ways = (at[place] & alive).bit_count()
                if ways < fewest:
                    pick, fewest = place, ways
                    if ways < 2:
                        break
            reason = self.reason(pick, at[pick] & ~alive, why, why_face)
            if fewest == 0:
                return reason
            if fewest > 1:
                return self.branch(pick, alive, open_squares, left, why, why_face, reason)
            alive = self.take(at[pick] & alive, alive, open_squares, left, why, why_face, reason)
        return 0

    def branch(
        self,
        pick: int,
        alive: int,
        open_squares: list[int],
        left: list[int],
        why: list[int],
        why_face: list[int],
        reason: int,
    ) -> int:
        """Try every way to cover `pick`."""
        ways = self.at[pick] & alive
        causes = reason
        while ways:
            edge = ways & -ways
            ways ^= edge
            squares, counts = open_squares.copy(), left.copy()
            whys, why_faces = why.copy(), why_face.copy()
            depth = len(self.laid)
            alive_then = self.take(edge, alive, squares, counts, whys, why_faces, reason)
            failed = self.lay(alive_then, squares, counts, whys, why_faces)
            if not failed:
                return 0
            del self.laid[depth:]
            if not failed >> pick & 1:
                return failed
            causes |= failed
        return causes

    def take(
        self,
        edge: int,
        alive: int,
        open_squares: list[int],
        left: list[int],
        why: list[int],
        why_face: list[int],
        reason: int,
    ) -> int:
        """Lay the domino of `edge`; the edges that are still alive."""
        one, other, number = self.edges[edge.bit_length() - 1]
        open_squares.remove(one)
        open_squares.remove(other)
        why[one] = why[other] = reason
        why_face[number] |= reason
        left[number] -= 1
        self.laid.append((one, other))
        alive &= ~(self.at[one] | self.at[other])
        return alive if left[number] else alive & ~self.of_face[number]

    def reason(self, pick: int, dead: int, why: list[int], why_face: list[int]) -> int:
        """Why `pick` has no other ways: itself, and what made its `dead` edges impossible."""
        reason = 1 << pick
        while dead:
            edge = dead & -dead
            dead ^= edge
            one, other, number = self.edges[edge.bit_length() - 1]
            reason |= why[other if one == pick else one] or why_face[number]
        return reason
