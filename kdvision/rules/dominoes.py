"""The deck of 48 dominoes: its faces and how often it holds each (RULES 1).

`dominoes.csv` beside this module is the one source of the deck.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from kdvision.rules.terrain import Square, Terrain

#: A face: the two squares of a domino, the smaller first, so that order does not matter.
Face = tuple[Square, Square]


@dataclass(frozen=True, slots=True)
class Domino:
    """One domino of the deck, with the number on its back."""

    number: int
    left: Square
    right: Square

    @property
    def face(self) -> Face:
        """The pair of squares without regard to order."""
        return face(self.left, self.right)


def face(one: Square, other: Square) -> Face:
    """The face that two squares make, in the order in which faces are compared."""
    return (one, other) if one <= other else (other, one)


@cache
def deck() -> tuple[Domino, ...]:
    """The 48 dominoes by number."""
    # Without `csv` and `importlib.resources`: loading them takes longer than the rest of this.
    lines = Path(__file__).with_name("dominoes.csv").read_text(encoding="utf-8").splitlines()
    rows = (line.split(",") for line in lines[1:])
    return tuple(
        Domino(int(number), _square(one, crowns), _square(other, others))
        for number, one, crowns, other, others in rows
    )


def _square(terrain: str, crowns: str) -> Square:
    return Square(Terrain(terrain), int(crowns))


@cache
def face_counts() -> Mapping[Face, int]:
    """How often the deck holds each of its 33 faces (RULES 1.3)."""
    return MappingProxyType(Counter(domino.face for domino in deck()))


@cache
def square_counts() -> Mapping[Square, int]:
    """How often the deck holds each of the sixteen kinds of square (RULES 1)."""
    return MappingProxyType(
        Counter(square for domino in deck() for square in (domino.left, domino.right))
    )
