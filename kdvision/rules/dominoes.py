"""Dominoes and decks: the 48 of the box, or those of another edition (RULES 1).

`dominoes.txt` beside this module is the one source of the box. Another deck is a text of the same
form: read it with `Deck.parse`, and give it to `GameState.start(deck=...)`, `problems(deck=...)` or
`is_legal(deck=...)`.

    >>> standard_deck().by_number[48]
    Domino(48, W, M3)
    >>> standard_deck().face_counts[standard_deck().by_number[24].face]
    4
    >>> Deck.parse("1 W W, 19 W1 F").numbers(parse_cell("F"), parse_cell("W1"))
    (19,)
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from kdvision.rules.errors import NotationError, RulesError, check_each, check_type
from kdvision.rules.kingdom import parse_cell
from kdvision.rules.terrain import Square

#: A face: the two squares of a domino, the smaller first, so that order does not matter.
Face = tuple[Square, Square]

#: The numbers that dominoes of a deck may have.
MAX_NUMBER = 999


@dataclass(frozen=True, slots=True, repr=False)
class Domino:
    """One domino.

    Attributes:
        number: The number on its back.
        left: One half.
        right: The other half.

    Raises:
        RulesError: The number is no whole number, or a half is no `Square`.
    """

    number: int
    left: Square
    right: Square

    def __post_init__(self) -> None:
        check_type(self.number, int, "number of a domino; give such as 19")
        check_each((self.left, self.right), Square, 'square; give such as parse_cell("W1")')

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
        RulesError: Something is no domino, or a number is there twice or above `MAX_NUMBER`.
    """

    dominoes: tuple[Domino, ...]

    def __post_init__(self) -> None:
        dominoes = check_each(self.dominoes, Domino, "domino; to read a text take Deck.parse")
        ordered = tuple(sorted(dominoes, key=lambda domino: domino.number))
        numbers = {domino.number for domino in ordered}
        if len(numbers) < len(ordered) or not all(0 < number <= MAX_NUMBER for number in numbers):
            raise RulesError(f"The dominoes of a deck have different numbers, 1 to {MAX_NUMBER}.")
        object.__setattr__(self, "dominoes", ordered)

    def __str__(self) -> str:
        return ", ".join(map(str, self.dominoes))

    def __repr__(self) -> str:
        return f"Deck({len(self.dominoes)} dominoes)"

    @classmethod
    def of(cls, deck: "Deck | None") -> "Deck":
        """Return a deck as it is, that of the box for None.

        Raises:
            RulesError: It is neither.
        """
        if deck is None:
            deck = standard_deck()
        check_type(deck, Deck, "deck; give Deck(dominoes)")
        return deck

    @classmethod
    def parse(cls, text: str) -> "Deck":
        """Read a deck: `1 W W, 19 W1 F`, with commas or line breaks between the dominoes.

        Raises:
            NotationError: A part of the text is no domino.
            RulesError: Two dominoes have one number.
        """
        check_type(text, str, 'deck; give its text, such as "1 W W"')
        return cls(tuple(map(_parse_domino, re.split(r"\s*[,\n]\s*", text.strip()))))

    def numbers(self, square: Square, neighbour: Square) -> tuple[int, ...]:
        """Return the numbers of the dominoes that show two squares; none where none does.

        Dominoes of one face are alike (RULES 1.3), so a kingdom never tells which of them it is.
        """
        check_each((square, neighbour), Square, 'square; give such as parse_cell("W1")')
        return self._numbers.get(face(square, neighbour), ())

    @cached_property
    def by_number(self) -> Mapping[int, Domino]:
        """The dominoes, to be looked up by number."""
        return {domino.number: domino for domino in self.dominoes}

    @cached_property
    def face_counts(self) -> Mapping[Face, int]:
        """The number of dominoes with each face."""
        return Counter(domino.face for domino in self.dominoes)

    @cached_property
    def square_counts(self) -> Mapping[Square, int]:
        """The number of squares of each kind."""
        counts: Counter[Square] = Counter()
        for domino in self.dominoes:
            counts.update((domino.left, domino.right))
        return counts

    @cached_property
    def _numbers(self) -> Mapping[Face, tuple[int, ...]]:
        """The numbers of the dominoes with each face."""
        numbers: dict[Face, tuple[int, ...]] = {}
        for domino in self.dominoes:
            numbers[domino.face] = (*numbers.get(domino.face, ()), domino.number)
        return numbers


def parse_number(word: str) -> int:
    """Read the number of a domino.

    Raises:
        NotationError: It is none.
    """
    if not (word.isascii() and word.isdigit() and len(word) <= len(str(MAX_NUMBER))):
        raise NotationError(f"{word[:20]!r} is no number of a domino.")
    return int(word)


def _parse_domino(text: str) -> Domino:
    """Read one domino: `19 W1 F`."""
    number, *squares = text.split() or [""]
    halves = [half for half in map(parse_cell, squares) if isinstance(half, Square)]
    if len(squares) != 2 or len(halves) != 2:
        raise NotationError(f"{text[:40]!r} is no domino; write its number and squares: 19 W1 F.")
    return Domino(parse_number(number), *halves)


@cache
def standard_deck() -> Deck:
    """Return the 48 dominoes of the box."""
    return Deck.parse(Path(__file__).with_name("dominoes.txt").read_text("utf-8"))
