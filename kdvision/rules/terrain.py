"""Terrains and squares.

A square of a domino shows one of six terrains and up to three crowns. Sixteen kinds
of square exist in the deck (RULES 1.1).

    >>> str(Square(Terrain.from_letter("m"), 3)), len(SQUARE_KINDS)
    ('M3', 16)
"""

from dataclasses import dataclass
from enum import StrEnum

from kdvision.rules.errors import RulesError, check_number, check_type


class Terrain(StrEnum):
    """The six terrains, in the order in which the rules count the deck."""

    WHEAT = "wheat"
    FOREST = "forest"
    LAKE = "lake"
    GRASSLAND = "grassland"
    SWAMP = "swamp"
    MINE = "mine"

    @property
    def letter(self) -> str:
        """The upper-case letter that stands for this terrain in a kingdom line."""
        return self.value[0].upper()

    @classmethod
    def from_letter(cls, letter: str) -> "Terrain":
        """Return the terrain of a kingdom-line letter, either case.

        Raises:
            RulesError: The letter stands for no terrain.
        """
        check_type(letter, str, 'letter of a terrain; give such as "W"')
        if letter not in _BY_LETTER:
            raise RulesError(f"{letter[:20]!r} stands for no terrain; write one of W F L G S M.")
        return _BY_LETTER[letter]


#: The most crowns that a kingdom line can write; no square of the deck has more than three.
MAX_CROWNS = 9

#: The terrains by their letters in either case.
_BY_LETTER = {
    letter: terrain for terrain in Terrain for letter in (terrain.letter, terrain.letter.lower())
}


@dataclass(frozen=True, slots=True, order=True)
class Square:
    """One square of a domino.

    An impossible kingdom can be written and scored, and `legality` judges it.

    Attributes:
        terrain: What it shows.
        crowns: From 0 to 9, as many as a kingdom line can write.

    Raises:
        RulesError: The terrain is none, or the crowns are not 0 to 9.
    """

    terrain: Terrain
    crowns: int = 0

    def __post_init__(self) -> None:
        check_type(self.terrain, Terrain, "terrain; give such as Terrain.WHEAT")
        check_number(self.crowns, range(MAX_CROWNS + 1), "A square has 0 to 9 crowns")

    def __str__(self) -> str:
        return f"{self.terrain.letter}{self.crowns or ''}"


#: The sixteen kinds of square that the deck holds (RULES 1.1).
SQUARE_KINDS = tuple(
    Square(terrain, crowns)
    for terrain, most in zip(Terrain, (1, 1, 1, 2, 2, 3), strict=True)
    for crowns in range(most + 1)
)

#: How a kingdom line writes the castle and an empty place.
CASTLE_MARK = "C"
EMPTY_MARK = "-"

#: What the classifier can say of a place, in the order of its outputs: the sixteen kinds,
#: the castle, and background (a place of the grid where no tile lies).
LABELS = (*(str(kind) for kind in SQUARE_KINDS), CASTLE_MARK, EMPTY_MARK)
#: The number of kinds, and the places of castle and background in `LABELS`.
KINDS = len(SQUARE_KINDS)
CASTLE_LABEL = KINDS
EMPTY_LABEL = KINDS + 1
