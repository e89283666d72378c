"""Boards of labels, and whether one can be cut into dominoes, by trying everything."""

from collections import Counter
from collections.abc import Mapping

from kdvision.rules.dominoes import Deck, Domino, Face
from kdvision.rules.kingdom import Kingdom, cell_text
from kdvision.rules.terrain import LABELS, SQUARE_KINDS
from tests.support.cuttings import every_cutting


def labels_of(kingdom: Kingdom) -> bytes:
    return bytes(LABELS.index(cell_text(cell)) for _, cell in kingdom.cells())


def deck_of(counts: Mapping[Face, int]) -> Deck:
    """A deck that holds faces so many times."""
    faces = list(Counter(counts).elements())
    return Deck(tuple(Domino(number, *shown) for number, shown in enumerate(faces, 1)))


def can_be_cut(kingdom: Kingdom, held: Mapping[Face, int] | None = None) -> bool:
    """By trying every cutting."""
    return next(every_cutting(kingdom.squares(), held), None) is not None


def can_be_paired(kingdom: Kingdom) -> bool:
    """Whether dominoes of any two squares cover the squares, by trying every cutting."""
    kind = SQUARE_KINDS[0]
    alike = dict.fromkeys(kingdom.squares(), kind)
    return next(every_cutting(alike, {(kind, kind): len(alike)}), None) is not None
