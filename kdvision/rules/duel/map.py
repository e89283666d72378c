"""A map of Kingdomino Duel, and its one-line notation (RULES 7.1).

A *map line* writes the five rows of a map from the top, joined by ``/`` or line breaks, the seven
places of a row separated by blanks: ``- D1 S - - - -/...``. A letter names the coat of arms, the
digit behind it the crosses beside it, ``-`` is an empty space, and ``C`` the castle that is printed
in the middle. A doubled coat has the letter after the single one: D dot, E two dots; S stripe, T
two stripes; Q quarters, K black.

    >>> rows = ["- - - - - - -", "- - d1 D - - -", "- - - C S - -"] + ["- - - - - - -"] * 2
    >>> duel_map = DuelMap.parse("/".join(rows))
    >>> len(duel_map.drawn), str(duel_map.drawn[1, 2])
    (3, 'D1')
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product

from kdvision.rules.errors import NotationError, RulesError, check_number, check_type
from kdvision.rules.kingdom import (
    CASTLE,
    Cell,
    Kingdom,
    Position,
    check_position,
    position_name,
    read_rows,
    shorten,
)
from kdvision.rules.notebook import cell_html, table_html
from kdvision.rules.terrain import CASTLE_MARK, EMPTY_MARK, Square, Terrain

#: The rows of a map (RULES 7.1).
ROWS = 5
#: The places of a row.
COLUMNS = 7
#: Where the castle stands.
MIDDLE: Position = (2, 3)
#: All places, row by row.
_PLACES: tuple[tuple[Position, ...], ...] = tuple(
    tuple(product([row], range(COLUMNS))) for row in range(ROWS)
)
#: What can be drawn on: 34 spaces, row by row.
SPACES = tuple(at for row in _PLACES for at in row if at != MIDDLE)
#: A die has no more crosses (RULES 7.4).
DIE_CROSSES = 2
#: The crosses that the castle adds, once a game (RULES 7.4).
CASTLE_CROSSES = 1

_SPACE = re.compile(r"([DESTQKdestqk])([0-9]?)\Z")


class Coat(StrEnum):
    """The six coats of arms (RULES 7.1)."""

    DOT = "dot"
    TWO_DOTS = "two dots"
    STRIPE = "stripe"
    TWO_STRIPES = "two stripes"
    QUARTERS = "quarters"
    BLACK = "black"

    @property
    def letter(self) -> str:
        """The letter that stands for this coat in a map line."""
        return _LETTERS[self]

    @classmethod
    def named(cls, name: str) -> "Coat":
        """Return the coat of a name or a letter; either case, blanks or dashes between words.

        Raises:
            RulesError: No coat is called so.
        """
        check_type(name, str, 'name of a coat of arms; give such as "dot"')
        key = " ".join(re.split(r"[\s_-]+", name.strip().lower()))
        if not name.isascii() or key not in _NAMES:
            names = ", ".join(f"{coat.value} ({coat.letter})" for coat in cls)
            raise RulesError(f"{name[:40]!r} is no coat of arms. Write one of {names}.")
        return _NAMES[key]


#: A coat joins in a map as a terrain does in a kingdom.
COAT_OF = dict(zip(Terrain, Coat, strict=True))
_TERRAIN_OF = dict(zip(Coat, Terrain, strict=True))
_LETTERS = dict(zip(Coat, "DESTQK", strict=True))
_NAMES = {name: coat for coat in Coat for name in (coat.value, _LETTERS[coat].lower())}

#: How a map line may write the castle.
_CASTLE_MARKS = (CASTLE_MARK, CASTLE_MARK.lower())
#: The colours of the coats in a notebook.
_COLOURS = {
    Coat.DOT: "#f2cf4a",
    Coat.TWO_DOTS: "#e0a83a",
    Coat.STRIPE: "#6aa9e0",
    Coat.TWO_STRIPES: "#8fb4d6",
    Coat.QUARTERS: "#b5d96a",
    Coat.BLACK: "#9a9a9a",
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is drawn on one space.

    Attributes:
        coat: The coat of arms.
        crosses: The crosses beside it, 0 to 9.

    Raises:
        RulesError: The coat is none, or the crosses are not 0 to 9.
    """

    coat: Coat
    crosses: int = 0

    def __post_init__(self) -> None:
        check_type(self.coat, Coat, "coat of arms; give such as Coat.DOT")
        check_number(self.crosses, range(10), "A space has 0 to 9 crosses")

    def __str__(self) -> str:
        return f"{self.coat.letter}{self.crosses or ''}"


@dataclass(frozen=True, slots=True, repr=False)
class DuelMap:
    """A map: what is drawn on which spaces, (row, col) from the top left; `DuelMap()` is empty.

    A map may break rules: `duel_problems` judges it.

    Raises:
        RulesError: That is not `Drawn` on some of the 34 spaces.
    """

    drawn: Mapping[Position, Drawn] = field(default_factory=dict)

    def __post_init__(self) -> None:
        is_map = isinstance(self.drawn, Mapping) and self.drawn.keys() <= set(SPACES)
        if not is_map or not all(isinstance(drawn, Drawn) for drawn in self.drawn.values()):
            raise RulesError("A Duel map has Drawn on some of its 34 spaces; see DuelMap.parse.")
        object.__setattr__(self, "drawn", dict(sorted(self.drawn.items())))

    @classmethod
    def parse(cls, text: str) -> "DuelMap":
        """Read a map line. Either case, extra blanks, and line breaks for ``/`` are accepted.

        Raises:
            NotationError: With the row and the place of the mistake.
        """
        rows = read_rows(text, _parse_space)
        if len(rows) != ROWS or len(rows[0]) != COLUMNS:
            raise NotationError(
                f"A Duel map has {ROWS} rows of {COLUMNS} places. "
                f"Write {EMPTY_MARK} for an empty space."
            )
        drawn: dict[Position, Drawn] = {}
        castles = []
        for row, cells in enumerate(rows):
            for col, cell in enumerate(cells):
                if isinstance(cell, Drawn):
                    drawn[row, col] = cell
                elif cell is CASTLE:
                    castles.append((row, col))
        if castles != [MIDDLE]:
            raise NotationError(
                f"The castle of a Duel map is printed in the middle. "
                f"Write {CASTLE_MARK} on {position_name(MIDDLE)}, and only there."
            )
        return cls(drawn)

    @classmethod
    def of(cls, duel_map: "DuelMap | str") -> "DuelMap":
        """Return a map as it is, or read its line.

        Raises:
            NotationError: The text is no map line.
            RulesError: It is neither a map nor text.
        """
        if isinstance(duel_map, str):
            return cls.parse(duel_map)
        check_type(duel_map, DuelMap, "Duel map; give a DuelMap, or a line")
        return duel_map

    def __hash__(self) -> int:
        return hash(tuple(self.drawn.items()))

    def _repr_html_(self) -> str:
        """Show the map in a notebook."""
        return table_html(map(self._space_html, row) for row in _PLACES)

    def _space_html(self, at: Position) -> str:
        """Return one place as a cell of a table."""
        if at == MIDDLE:
            return cell_html(CASTLE_MARK)
        if at not in self.drawn:
            return cell_html("")
        return cell_html(str(self.drawn[at]), _COLOURS[self.drawn[at].coat])

    def __repr__(self) -> str:
        return f"DuelMap.parse({str(self)!r})"

    def __str__(self) -> str:
        marks = {**dict.fromkeys(SPACES, EMPTY_MARK), MIDDLE: CASTLE_MARK}
        for at, drawn in self.drawn.items():
            marks[at] = str(drawn)
        return "/".join(" ".join(map(marks.__getitem__, row)) for row in _PLACES)

    def as_kingdom(self) -> Kingdom:
        """Return the kingdom with a terrain for each coat, crowns for crosses, and a castle."""
        cells: dict[Position, Cell] = {MIDDLE: CASTLE}
        for at, drawn in self.drawn.items():
            cells[at] = Square(_TERRAIN_OF[drawn.coat], drawn.crosses)
        return Kingdom(tuple(tuple(map(cells.get, row)) for row in _PLACES))

    def open(self) -> tuple[Position, ...]:
        """Return the spaces that can still be drawn on, row by row."""
        return tuple(at for at in SPACES if at not in self.drawn)

    def draw(self, at: Position, drawn: Drawn) -> "DuelMap":
        """Return the map with one more space drawn, or one drawn anew.

        Raises:
            RulesError: There is no such space.
        """
        return DuelMap({**self.drawn, check_position(at): drawn})


def _parse_space(word: str, where: str) -> "Cell | Drawn":
    """Read what one place shows: a coat with its crosses, the castle, or nothing."""
    if word == EMPTY_MARK:
        return None
    if word in _CASTLE_MARKS:
        return CASTLE
    match = _SPACE.match(word)
    if match is None:
        raise NotationError(
            f"{where}{shorten(word)!r} is no space. Write D (dot), E (two dots), S (stripe), "
            f"T (two stripes), Q (quarters) or K (black) with its number of crosses (D1), "
            f"C for the castle, or - for an empty space."
        )
    return Drawn(Coat.named(match[1]), int(match[2] or 0))
