"""Dominoes and decks: the 48 of the box, or those of another edition (RULES 1).

`dominoes.csv` beside this module is the one source of the box. Another deck is a `Deck` of other
dominoes: read it with `Deck.read(path)` from a file of the same columns or with `Deck.parse(text)`,
and give it to `GameState.start(dominoes=...)`, `problems(deck=...)` or `is_legal(deck=...)`.

    >>> standard_deck().by_number[48]
    Domino(48, W, M3)
    >>> standard_deck().face_counts[standard_deck().by_number[24].face]
    4
    >>> Deck.parse("1 W W, 19 W1 F").numbers(Square(Terrain.FOREST), Square(Terrain.WHEAT, 1))
    (19,)
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType

from kdvision.rules.errors import NotationError, RulesError
from kdvision.rules.kingdom import parse_cell
from kdvision.rules.terrain import Square, Terrain

#: A face: the two squares of a domino, the smaller first, so that order does not matter.
Face = tuple[Square, Square]

#: The numbers that dominoes of a deck may have.
MOST_NUMBER = 999


@dataclass(frozen=True, slots=True, repr=False)
class Domino:
    """One domino, with the number on its back."""

    number: int
    left: Square
    right: Square

    @property
    def face(self) -> Face:
        """The pair of squares without regard to order."""
        return face(self.left, self.right)

    @property
    def is_double(self) -> bool:
        """Whether both halves are alike."""
        return self.left == self.right

    def __str__(self) -> str:
        return f"{self.number} {self.left} {self.right}"

    def __repr__(self) -> str:
        return f"Domino({self.number}, {self.left}, {self.right})"


def face(square: Square, neighbour: Square) -> Face:
    """Return the face that two squares make, in the order in which faces are compared."""
    return (square, neighbour) if square <= neighbour else (neighbour, square)


@dataclass(frozen=True, repr=False)
class Deck:
    """Dominoes with different numbers, sorted by number.

    Raises:
        RulesError: A number is there twice, or is not from 1 to `MOST_NUMBER`.
    """

    dominoes: tuple[Domino, ...]

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.dominoes, key=lambda domino: domino.number))
        numbers = {domino.number for domino in ordered}
        if len(numbers) < len(ordered) or not all(0 < number <= MOST_NUMBER for number in numbers):
            raise RulesError(f"The dominoes of a deck have different numbers, 1 to {MOST_NUMBER}.")
        object.__setattr__(self, "dominoes", ordered)

    def __reduce__(self) -> tuple[type["Deck"], tuple[tuple[Domino, ...]]]:
        return Deck, (self.dominoes,)

    def __str__(self) -> str:
        return ", ".join(map(str, self.dominoes))

    def __repr__(self) -> str:
        return f"Deck({len(self.dominoes)} dominoes)"

    @classmethod
    def read(cls, path: Path) -> "Deck":
        """Read a deck from a file with the columns of `dominoes.csv`, named in its first line.

        Raises:
            OSError: The file cannot be read.
            RulesError: A line is no domino, or the first one is.
        """
        dominoes = []
        # Without `csv`: loading it takes longer than the rest of this.
        headings, *lines = path.read_text(encoding="utf-8-sig").splitlines() or [""]
        if headings[:1].isdigit():
            raise RulesError(f"{headings[:40]!r} stands where the columns are named.")
        for line in filter(str.strip, lines):
            try:
                number, left, crowns, right, right_crowns = line.split(",")
                halves = (
                    Square(Terrain(left), int(crowns)),
                    Square(Terrain(right), int(right_crowns)),
                )
                dominoes.append(Domino(int(number), *halves))
            except ValueError:
                raise RulesError(
                    f"{line[:40]!r} is no domino; write 19,wheat,1,forest,0."
                ) from None
        return cls(tuple(dominoes))

    @classmethod
    def parse(cls, text: str) -> "Deck":
        """Read a deck as `str` writes it: `1 W W, 19 W1 F`.

        Raises:
            NotationError: The text is no deck.
        """
        try:
            return cls(tuple(map(_parse_domino, text.split(","))))
        except NotationError:
            raise
        except ValueError as error:
            raise NotationError(str(error)) from None

    def numbers(self, square: Square, neighbour: Square) -> tuple[int, ...]:
        """Return the numbers of the dominoes that show two squares; none where none does.

        Dominoes of one face are alike (RULES 1.3), so a kingdom never tells which of them it is.
        """
        return self._numbers.get(face(square, neighbour), ())

    @cached_property
    def by_number(self) -> Mapping[int, Domino]:
        """The dominoes, to be looked up by number."""
        return MappingProxyType({domino.number: domino for domino in self.dominoes})

    @cached_property
    def face_counts(self) -> Mapping[Face, int]:
        """The number of dominoes with each face."""
        return MappingProxyType(Counter(domino.face for domino in self.dominoes))

    @cached_property
    def square_counts(self) -> Mapping[Square, int]:
        """The number of squares of each kind."""
        squares = (square for domino in self.dominoes for square in (domino.left, domino.right))
        return MappingProxyType(Counter(squares))

    @cached_property
    def _numbers(self) -> Mapping[Face, tuple[int, ...]]:
        numbers: dict[Face, tuple[int, ...]] = {}
        for domino in self.dominoes:
            numbers[domino.face] = (*numbers.get(domino.face, ()), domino.number)
        return numbers


def _parse_domino(text: str) -> Domino:
    """Read one domino: `19 W1 F`.

    Raises:
        NotationError: The text is none.
    """
    words, shown = text.split(), repr(text.strip()[:40])
    if len(words) != 3 or not (words[0].isascii() and words[0].isdigit()):
        raise NotationError(f"{shown} is no domino; write 19 W1 F.")
    left, right = map(parse_cell, words[1:])
    if not isinstance(left, Square) or not isinstance(right, Square):
        raise NotationError(f"{shown} is no domino; it has two squares.")
    return Domino(int(words[0]), left, right)


@cache
def standard_deck() -> Deck:
    """Return the 48 dominoes of the box."""
    return Deck.read(Path(__file__).with_name("dominoes.csv"))
