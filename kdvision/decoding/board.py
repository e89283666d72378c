"""Grids, the deck by labels, and pairing squares with neighbours.

Places are numbered row by row, labels by their index in `LABELS`; a set of labels is a bit mask
(`1 << label`).
"""

from collections.abc import Iterable, Mapping
from functools import cache

from msgspec import Struct

from kdvision.rules.dominoes import Face, face, face_counts
from kdvision.rules.terrain import KINDS, LABELS, SQUARE_KINDS

ANY_LABEL = (1 << len(LABELS)) - 1
ANY_KIND = (1 << KINDS) - 1
NO_KIND = ANY_LABEL ^ ANY_KIND


class Board(Struct, frozen=True):
    """The places of a height x width grid and which of them share an edge."""

    height: int
    width: int
    neighbours: tuple[tuple[int, ...], ...]
    following: tuple[tuple[int, ...], ...]


@cache
def board_of(height: int, width: int) -> Board:
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
    return Board(height, width, tuple(neighbours), tuple(following))


class FaceTable(Struct, frozen=True):
    """A deck by labels.

    `face[a][b]` numbers the face that two labels make, -1 when the deck has no such domino;
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
    none = (-1,) * (len(LABELS) - KINDS)
    faces = [
        (*(numbers.get(face(one, other), -1) for other in SQUARE_KINDS), *none)
        for one in SQUARE_KINDS
    ]
    squares = tuple(
        sum(count * pair.count(kind) for pair, count in deck.items()) for kind in SQUARE_KINDS
    )
    partners = tuple(_mask(b for b, number in enumerate(row) if number >= 0) for row in faces)
    no_square = [(-1,) * len(LABELS)] * len(none)
    return FaceTable((*faces, *no_square), limits, squares, partners)


def _mask(members: Iterable[int]) -> int:
    return sum(1 << member for member in members)
