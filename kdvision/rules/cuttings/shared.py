"""Dominoes that lie in several kingdoms of one table, although the deck has them less often."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from kdvision.rules.cuttings.pairs import Pair, numbers_of, pair_sets
from kdvision.rules.dominoes import Face, face, face_counts
from kdvision.rules.kingdom import Kingdom


@dataclass(frozen=True, slots=True)
class SharedDomino:
    """A face that lies on a table more often than its boxes hold it.

    Attributes:
        face: Its two squares.
        most: How often the boxes hold it.
        places: Where it lies in every cutting: (index of the kingdom, pair of its squares).
    """

    face: Face
    most: int
    places: tuple[tuple[int, Pair], ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the dominoes that show it."""
        return numbers_of(*self.face)


def shared_dominoes(kingdoms: Sequence[Kingdom], boxes: int = 1) -> tuple[SharedDomino, ...]:
    """The dominoes that lie on a table more often than they can (RULES 1).

    Only dominoes that are forced count, so what is named lies there for sure.

    Args:
        kingdoms: Those of one table.
        boxes: How many boxes their dominoes come from.
    """
    lying: defaultdict[Face, list[tuple[int, Pair]]] = defaultdict(list)
    for index, kingdom in enumerate(kingdoms):
        squares = kingdom.squares()
        sets = pair_sets(kingdom)
        if sets.of_deck:
            for one, other in sorted(sets.forced):
                lying[face(squares[one], squares[other])].append((index, (one, other)))
    held = face_counts()
    return tuple(
        SharedDomino(shown, held[shown] * boxes, tuple(places))
        for shown, places in sorted(lying.items())
        if len(places) > held[shown] * boxes and len({index for index, _ in places}) > 1
    )
