"""Boards of labels, and whether one can be cut into dominoes, by trying everything."""

from collections import Counter
from collections.abc import Mapping

from kdvision.rules.dominoes import Deck, Domino, Face, face, standard_deck
from kdvision.rules.kingdom import Kingdom, cell_text, neighbours
from kdvision.rules.terrain import LABELS


def labels_of(kingdom: Kingdom) -> bytes:
    return bytes(LABELS.index(cell_text(cell)) for _, cell in kingdom.cells())


def deck_of(counts: Mapping[Face, int]) -> Deck:
    """A deck that holds faces so many times."""
    faces = list(Counter(counts).elements())
    return Deck(tuple(Domino(number, *shown) for number, shown in enumerate(faces, 1)))


def can_be_cut(kingdom: Kingdom, deck: Mapping[Face, int] | None = None) -> bool:
    """By trying every cutting."""
    squares = kingdom.squares()
    left = Counter(standard_deck().face_counts if deck is None else deck)

    def cover(places: frozenset[tuple[int, int]]) -> bool:
        if not places:
            return True
        one = min(places)
        for other in neighbours(one):
            if other in places:
                domino = face(squares[one], squares[other])
                if left[domino]:
                    left[domino] -= 1
                    if cover(places - {one, other}):
                        return True
                    left[domino] += 1
        return False

    return cover(frozenset(squares))
