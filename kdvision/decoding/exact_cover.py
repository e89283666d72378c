"""Cutting squares into dominoes of the deck, each face at most as often as the deck has it.

What cannot be cut is answered with a *reason*: the few squares that prove it, so that a search
need not try all that leaves them as they are. That is why decoding has an exact cover of its own:
`kdvision.rules` lists every cutting of one kingdom, while a search asks thousands of candidates for
a yes or for the shortest no. `matching` pairs squares whatever they show, before the deck is asked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kdvision.decoding.board import DECODING, DeckFaces, Neighbours
from kdvision.rules.cutting import UndecidedError as UndecidedError
from kdvision.rules.terrain import KINDS

#: A cutting: pairs of places, each covered by one domino.
Cutting = tuple[tuple[int, int], ...]


def step_budget() -> Iterator[int]:
    """Return the steps that the cuttings of one search may take together."""
    return iter(range(DECODING.max_cutting_steps))


def fits_deck(cutting: Cutting, labels: Sequence[int], faces: DeckFaces) -> bool:
    """Return whether the dominoes of a cutting are in the deck, each as often as needed."""
    stock = list(faces.limits)
    for first, second in cutting:
        number = faces.face[labels[first]][labels[second]]
        if number < 0 or not stock[number]:
            return False
        stock[number] -= 1
    return True


def cut(
    labels: Sequence[int], neighbours: Neighbours, faces: DeckFaces, steps: Iterator[int]
) -> Cutting | int:
    """Cut all squares into dominoes of the deck, each face at most as often as it is there.

    Exact: the square with the fewest ways to be covered goes first, and every dead end is traced
    back to the squares that caused it, which skips choices that had no part in it.

    Args:
        labels: One per place.
        neighbours: Those of every place.
        faces: The deck.
        steps: The steps that are left, of which the cutting takes what it needs.

    Returns:
        A cutting; or, when there is none, the mask of the squares whose covering proves it. The
        proof holds as long as these keep their labels and their neighbours offer nothing new.

    Raises:
        UndecidedError: No steps are left.
    """
    cutter = _Cutter(labels, neighbours, faces, steps)
    alive = (1 << len(cutter.edges)) - 1
    squares = [place for place, label in enumerate(labels) if label < KINDS]
    none = [0] * len(labels)
    no_face = [0] * len(faces.limits)
    start = _Cut(alive, squares, list(faces.limits), none, no_face)
    return cutter.finish(start) or tuple(cutter.laid)


@dataclass(slots=True)
class _Cut:
    """A cutting that has begun.

    Reasons are squares, as a mask: those whose choice, or lack of choice, led to something.

    Attributes:
        alive: The edges that may still be laid.
        open_squares: The squares that no domino covers yet.
        stock: How many dominoes of each face are left.
        why: For each place the reason of the domino that covers it.
        why_face: For each face the reasons of all its dominoes that are laid.
    """

    alive: int
    open_squares: list[int]
    stock: list[int]
    why: list[int]
    why_face: list[int]

    def copy(self) -> "_Cut":
        """Return a copy, to be tried and given up."""
        open_squares = self.open_squares.copy()
        stock = self.stock.copy()
        return _Cut(self.alive, open_squares, stock, self.why.copy(), self.why_face.copy())


class _Cutter:
    """One exact cutting. Edges (possible dominoes) are numbered; sets of edges are masks.

    Attributes:
        edges: The two places of each edge, and the number of its face.
        at: The edges of each place.
        of_face: The edges of each face.
        steps: The steps that are left.
        laid: The dominoes so far.
    """

    def __init__(
        self,
        labels: Sequence[int],
        neighbours: Neighbours,
        faces: DeckFaces,
        steps: Iterator[int],
    ) -> None:
        edges: list[tuple[int, int, int]] = []
        at, of_face = [0] * len(labels), [0] * len(faces.limits)
        bit = 1
        for place, label in enumerate(labels):
            row = faces.face[label]
            for neighbour in neighbours[place]:
                number = row[labels[neighbour]]
                if number >= 0 and neighbour > place:
                    edges.append((place, neighbour, number))
                    at[place] |= bit
                    at[neighbour] |= bit
                    of_face[number] |= bit
                    bit <<= 1
        self.edges, self.at, self.of_face = edges, at, of_face
        self.steps = steps
        self.laid: list[tuple[int, int]] = []

    def finish(self, begun: _Cut) -> int:
        """Cover the open squares; return 0 on success, else the squares that are the reason."""
        at = self.at
        while begun.open_squares:
            if next(self.steps, None) is None:
                raise UndecidedError
            # The square with the fewest ways to be covered.
            pick, fewest = -1, 5
            for place in begun.open_squares:
                ways = (at[place] & begun.alive).bit_count()
                if ways < fewest:
                    pick, fewest = place, ways
                    if ways < 2:
                        break
            reason = self.explain(pick, begun)
            if fewest == 0:
                return reason
            if fewest > 1:
                return self.branch(pick, begun, reason)
            self.lay(at[pick] & begun.alive, begun, reason)
        return 0

    def branch(self, pick: int, begun: _Cut, reason: int) -> int:
        """Try every way to cover `pick`."""
        ways = self.at[pick] & begun.alive
        causes = reason
        while ways:
            edge = ways & -ways
            ways ^= edge
            depth, tried = len(self.laid), begun.copy()
            self.lay(edge, tried, reason)
            failed = self.finish(tried)
            if not failed:
                return 0
            del self.laid[depth:]
            if not failed >> pick & 1:
                return failed
            causes |= failed
        return causes

    def lay(self, edge: int, begun: _Cut, reason: int) -> None:
        """Lay the domino of `edge`."""
        first, second, number = self.edges[edge.bit_length() - 1]
        begun.open_squares.remove(first)
        begun.open_squares.remove(second)
        begun.why[first] = begun.why[second] = reason
        begun.why_face[number] |= reason
        begun.stock[number] -= 1
        self.laid.append((first, second))
        begun.alive &= ~(self.at[first] | self.at[second])
        if not begun.stock[number]:
            begun.alive &= ~self.of_face[number]

    def explain(self, pick: int, begun: _Cut) -> int:
        """Return why `pick` has no other ways: itself, and what made its other edges impossible."""
        reason, dead = 1 << pick, self.at[pick] & ~begun.alive
        while dead:
            edge = dead & -dead
            dead ^= edge
            first, second, number = self.edges[edge.bit_length() - 1]
            partner = second if first == pick else first
            reason |= begun.why[partner] or begun.why_face[number]
        return reason
