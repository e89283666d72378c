"""What cannot lie on a place, given what certainly lies elsewhere on the table, and why.

Only what no box allows is excluded (RULES 1): whatever else is unclear may turn out to be anything,
and an empty place may still get a square. What is not excluded can still be wrong.

    >>> table = Table([Kingdom.parse("C W M3"), Kingdom.parse("C F F")], [{(0, 2)}, set()])
    >>> table.excluded(1, (0, 1))["M3"].reason.value
    'all-elsewhere'
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from kdvision.rules.cover import can_be_cut, square_bits
from kdvision.rules.dominoes import face_counts, square_counts
from kdvision.rules.kingdom import CASTLE, Kingdom, Position, neighbours
from kdvision.rules.terrain import CASTLE_MARK, SQUARE_KINDS, Square


class Reason(StrEnum):
    """Why something cannot lie on a place."""

    #: All squares of this kind that the boxes hold lie elsewhere.
    ALL_ELSEWHERE = "all-elsewhere"
    #: Nothing around the place can be the other half of a domino with it.
    NO_OTHER_HALF = "no-other-half"
    #: The castle of the kingdom lies elsewhere.
    CASTLE_ELSEWHERE = "castle-elsewhere"
    #: With it the kingdom cannot be cut into dominoes of the box unless other squares change too.
    NO_CUTTING = "no-cutting"


@dataclass(frozen=True, slots=True)
class Excluded:
    """Why something cannot lie on a place.

    `places` are where those lie that are in its way: (index of the kingdom, position). `held` is
    how many of the kind the boxes hold; 0 where that is not the reason.
    """

    reason: Reason
    places: tuple[tuple[int, Position], ...] = ()
    held: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """The kingdoms of one table.

    Attributes:
        kingdoms: What lies there.
        clear: The places of each kingdom, positions in its rows, of which there is no doubt.
        boxes: How many boxes the dominoes come from.
    """

    kingdoms: Sequence[Kingdom]
    clear: Sequence[Collection[Position]]
    boxes: int = 1

    def excluded(self, index: int, at: Position) -> dict[str, Excluded]:
        """What cannot lie on a place of a kingdom, which may lie outside its rows.

        Returns:
            Reasons by cell text as in a kingdom line; what is not in it may lie there.
        """
        found = {str(kind): why for kind in SQUARE_KINDS if (why := self._why(index, at, kind))}
        castles = tuple((index, place) for place in self.kingdoms[index].castles() if place != at)
        if castles and castles[0][1] in self.clear[index]:
            found[CASTLE_MARK] = Excluded(Reason.CASTLE_ELSEWHERE, castles)
        if self._can_be_cut(index, at):
            others = (kind for kind in SQUARE_KINDS if str(kind) not in found)
            wrong = [
                kind
                for kind in others
                if not can_be_cut(square_bits(self.kingdoms[index].with_cell(at, kind)))
            ]
            found |= {str(kind): Excluded(Reason.NO_CUTTING) for kind in wrong}
        return found

    def _why(self, index: int, at: Position, kind: Square) -> Excluded | None:
        """Why a square cannot lie on a place, whatever is unclear; None where it may."""
        held = square_counts()[kind] * self.boxes
        elsewhere = tuple(place for place in self._clear_places(kind) if place != (index, at))
        if len(elsewhere) >= held:
            return Excluded(Reason.ALL_ELSEWHERE, elsewhere, held)
        if all(self._is_no_half(index, place, kind) for place in neighbours(at)):
            around = tuple((index, place) for place in neighbours(at))
            return Excluded(Reason.NO_OTHER_HALF, around)
        return None

    def _clear_places(self, kind: Square) -> Iterator[tuple[int, Position]]:
        """Where squares of a kind lie for certain."""
        for index, kingdom in enumerate(self.kingdoms):
            for at, square in kingdom.squares().items():
                if square == kind and at in self.clear[index]:
                    yield index, at

    def _is_no_half(self, index: int, at: Position, kind: Square) -> bool:
        """Whether something lies there for certain that shares no domino with a square."""
        if at not in self.clear[index]:
            return False
        cell = self.kingdoms[index][at]
        return cell is CASTLE or (isinstance(cell, Square) and cell not in _other_halves(kind))

    def _can_be_cut(self, index: int, at: Position) -> bool:
        """Whether one square can take the place of another and the cutting still be judged.

        All other places must be clear, and the kingdom as it lies must be one of the box. Of
        several boxes cuttings know nothing.
        """
        kingdom = self.kingdoms[index]
        if self.boxes != 1 or at not in kingdom.squares():
            return False
        clear = all(place == at or place in self.clear[index] for place, _ in kingdom.cells())
        return clear and can_be_cut(square_bits(kingdom))


@cache
def _other_halves(kind: Square) -> frozenset[Square]:
    """What lies beside a square on dominoes of the deck."""
    pairs = ((one, other) for one, other in face_counts() if kind in (one, other))
    return frozenset(other if one == kind else one for one, other in pairs)
