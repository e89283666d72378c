"""The deck of a game: the dominoes of the box, or others that take their place (RULES 1.4)."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from kdvision.rules.dominoes import Domino, deck
from kdvision.rules.game.land import Piece, piece
from kdvision.rules.game.set_up import SetUp
from kdvision.rules.kingdom import NotationError, cell_text, parse_cell
from kdvision.rules.terrain import Square


class Deck:
    """Dominoes with different numbers. Never changed; equal when the dominoes are.

    Attributes:
        dominoes: By number.
        by_number: The same, to be looked up.
        pieces: The same in numbers, for `Land`.

    Raises:
        ValueError: A number is there twice, or is not from 1 to 999.
    """

    __slots__ = ("_hash", "by_number", "dominoes", "pieces")

    def __init__(self, dominoes: tuple[Domino, ...]) -> None:
        self.dominoes = tuple(sorted(dominoes, key=lambda domino: domino.number))
        numbers = [domino.number for domino in self.dominoes]
        if len(set(numbers)) < len(numbers) or not all(0 < number < 1000 for number in numbers):
            raise ValueError("The dominoes of a deck have different numbers, from 1 to 999.")
        self.by_number: Mapping[int, Domino] = MappingProxyType(
            dict(zip(numbers, self.dominoes, strict=True))
        )
        self.pieces: Mapping[int, Piece] = MappingProxyType(
            {domino.number: piece(domino) for domino in self.dominoes}
        )
        self._hash = hash(self.dominoes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Deck):
            return NotImplemented
        return self is other or self.dominoes == other.dominoes

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return ", ".join(
            f"{one.number} {cell_text(one.left)} {cell_text(one.right)}" for one in self.dominoes
        )

    def check(self, set_up: SetUp) -> None:
        """Refuse a deck that is too small.

        Raises:
            ValueError: The set-up needs more dominoes.
        """
        if len(self.dominoes) < set_up.dominoes:
            raise ValueError(
                f"{set_up.name} needs {set_up.dominoes} dominoes; the deck has "
                f"{len(self.dominoes)}."
            )


@cache
def standard_deck() -> Deck:
    """The 48 dominoes of the box."""
    return Deck(deck())


def parse_deck(text: str) -> Deck:
    """Read the dominoes of a deck as `str` writes them: `1 W W, 19 W1 F`.

    Raises:
        NotationError: The text is no deck.
    """
    dominoes = []
    for entry in text.split(","):
        words = entry.split()
        if len(words) != 3 or not (words[0].isascii() and words[0].isdigit()):
            raise NotationError(f"{entry.strip()[:40]!r} is no domino; write 19 W1 F.")
        left, right = parse_cell(words[1]), parse_cell(words[2])
        if not isinstance(left, Square) or not isinstance(right, Square):
            raise NotationError(f"{entry.strip()[:40]!r} is no domino; it has two squares.")
        dominoes.append(Domino(int(words[0]), left, right))
    try:
        return Deck(tuple(dominoes))
    except ValueError as error:
        raise NotationError(str(error)) from None
