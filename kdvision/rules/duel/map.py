"""Kingdomino Duel: maps, domains and the total (RULES 7).

A *map line* writes the five rows of a map from the top, joined by ``/`` or line breaks, the seven
spaces of a row separated by blanks: ``- D1 S - - - -/...``. A letter names the coat of arms, the
digit behind it the crosses beside it, ``C`` is the castle and ``-`` an empty space. A doubled coat
has the letter after the single one: D dot, E two dots; S stripe, T two stripes; Q quarters,
K black.

    >>> rows = ["- - - - - - -", "- - D1 D - - -", "- - - C S - -"] + ["- - - - - - -"] * 2
    >>> sheet = score_duel(DuelMap.parse("/".join(rows)), wizard_coat=Coat.STRIPE)
    >>> [(domain.coat.value, domain.points) for domain in sheet.domains], sheet.total
    ([('dot', 2), ('stripe', 0)], 5)
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from kdvision.rules.kingdom import NotationError, Position, connected_components
from kdvision.rules.terrain import CASTLE_MARK, EMPTY_MARK

#: A map has five rows of seven spaces, the castle in the middle (RULES 7.1).
ROWS, COLUMNS = 5, 7
MIDDLE: Position = (2, 3)
#: What the fifth power pays for each domain of its coat (RULES 7.3).
WIZARD_POINTS = 3
#: Longer text is refused before it is read.
MAX_MAP_LENGTH = 1_000

_SPACE = re.compile(r"([A-Za-z])([0-9]?)\Z")


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
        """The coat of a name or a letter; either case, blanks or dashes between words.

        Raises:
            KeyError: No coat is called so.
        """
        return _NAMES[" ".join(re.split(r"[\s_-]+", name.strip().lower()))]


_LETTERS = dict(zip(Coat, "DESTQK", strict=True))
_NAMES = {name: coat for coat in Coat for name in (coat.value, _LETTERS[coat].lower())}


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is drawn on one space: a coat of arms, and the crosses beside it.

    Raises:
        ValueError: That is no coat, or the crosses are not 0 to 9.
    """

    coat: Coat
    crosses: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.coat, Coat):
            raise ValueError(f"{str(self.coat)[:40]!r} is no coat of arms.")
        if self.crosses not in range(10):
            raise ValueError(f"A space has 0 to 9 crosses, not {self.crosses}.")

    def __str__(self) -> str:
        return f"{self.coat.letter}{self.crosses or ''}"


@dataclass(frozen=True, slots=True)
class DuelMap:
    """A map: what is drawn on its spaces, and where its castle is.

    `rows[row][col]` counts from the top left; the castle's space and empty ones hold None.
    `castle` is None where a typed map has none. A map may break rules: `problems` judges it.

    Raises:
        ValueError: Not five rows of seven spaces.
    """

    rows: tuple[tuple[Drawn | None, ...], ...]
    castle: Position | None = MIDDLE

    def __post_init__(self) -> None:
        if not isinstance(self.rows, tuple) or any(type(row) is not tuple for row in self.rows):
            raise TypeError("The rows of a Duel map are a tuple of tuples.")
        if len(self.rows) != ROWS or any(len(row) != COLUMNS for row in self.rows):
            raise ValueError(f"A Duel map has {ROWS} rows of {COLUMNS} spaces.")

    @classmethod
    def empty(cls) -> "DuelMap":
        """The map at the start of a game."""
        return cls(((None,) * COLUMNS,) * ROWS)

    @classmethod
    def parse(cls, text: str) -> "DuelMap":
        """Read a map line. Either case, extra blanks, and line breaks for ``/`` are accepted.

        Raises:
            NotationError: With the row and the place of the mistake.
        """
        if len(text) > MAX_MAP_LENGTH:
            raise NotationError(
                f"A Duel map of {len(text):,} characters is too long (at most {MAX_MAP_LENGTH:,})."
            )
        lines = [line.split() for line in re.split(r"[/\n\r]+", text)]
        lines = [line for line in lines if line]
        _check_shape(lines)
        words = {
            (row, col): word for row, line in enumerate(lines) for col, word in enumerate(line)
        }
        spaces = {at: _parse_space(word, _place(at)) for at, word in words.items()}
        castles = [at for at, word in words.items() if word.upper() == CASTLE_MARK]
        if len(castles) > 1:
            raise NotationError(f"{_place(castles[1])}: a second castle; a map has one.")
        rows = tuple(tuple(spaces[row, col] for col in range(COLUMNS)) for row in range(ROWS))
        return cls(rows, castles[0] if castles else None)

    def __str__(self) -> str:
        return "/".join(
            " ".join(self._text((row, col)) for col in range(COLUMNS)) for row in range(ROWS)
        )

    def _text(self, at: Position) -> str:
        if at == self.castle:
            return CASTLE_MARK
        drawn = self[at]
        return EMPTY_MARK if drawn is None else str(drawn)

    def __getitem__(self, at: Position) -> Drawn | None:
        row, col = self._inside(at)
        return self.rows[row][col]

    @staticmethod
    def _inside(at: Position) -> Position:
        row, col = at
        if not (0 <= row < ROWS and 0 <= col < COLUMNS):
            raise IndexError(f"({row}, {col}) lies outside the map of {ROWS}x{COLUMNS}.")
        return at

    def drawn(self) -> dict[Position, Drawn]:
        """The drawn spaces by position, row by row."""
        return {
            (row, col): space
            for row, spaces in enumerate(self.rows)
            for col, space in enumerate(spaces)
            if space is not None
        }

    def open(self) -> frozenset[Position]:
        """The spaces that can still be drawn on."""
        every = {(row, col) for row in range(ROWS) for col in range(COLUMNS)}
        return frozenset(every - self.drawn().keys() - {self.castle or MIDDLE})

    def draw(self, at: Position, drawn: Drawn) -> "DuelMap":
        """The map with one more space drawn, or one drawn anew.

        Raises:
            IndexError: The position lies outside the map.
        """
        row, col = self._inside(at)
        changed = (*self.rows[row][:col], drawn, *self.rows[row][col + 1 :])
        return DuelMap((*self.rows[:row], changed, *self.rows[row + 1 :]), self.castle)


@dataclass(frozen=True, slots=True)
class Domain:
    """Spaces of one coat joined by edges (RULES 7.2)."""

    coat: Coat
    crosses: int
    cells: tuple[Position, ...]

    @property
    def spaces(self) -> int:
        """How many spaces the domain has."""
        return len(self.cells)

    @property
    def points(self) -> int:
        """Spaces times crosses."""
        return self.spaces * self.crosses


@dataclass(frozen=True, slots=True)
class DuelSheet:
    """Everything that is counted on one map; most points first.

    `wizard_coat` is the coat of the fifth power, None where a player does not have it: the map
    does not show it (RULES 7.3).
    """

    map: DuelMap
    domains: tuple[Domain, ...]
    wizard_coat: Coat | None = None

    @property
    def wizard_points(self) -> int:
        """Three points for each separate domain of the wizard's coat, crosses or not."""
        return WIZARD_POINTS * sum(domain.coat is self.wizard_coat for domain in self.domains)

    @property
    def total(self) -> int:
        """The sum of the domains and of the fifth power."""
        return sum(domain.points for domain in self.domains) + self.wizard_points

    @property
    def largest(self) -> int:
        """The spaces of the largest domain, crosses or not; 0 on an empty map."""
        return max((domain.spaces for domain in self.domains), default=0)


def score_duel(duel_map: DuelMap, wizard_coat: Coat | None = None) -> DuelSheet:
    """Count a map, legal or not.

    Raises:
        ValueError: The wizard's coat is no coat of arms.
    """
    if wizard_coat is not None and not isinstance(wizard_coat, Coat):
        raise ValueError(f"{str(wizard_coat)[:40]!r} is no coat of arms.")
    return DuelSheet(duel_map, domains(duel_map), wizard_coat)


def domains(duel_map: DuelMap) -> tuple[Domain, ...]:
    """Return the domains: most points first, then most spaces, then reading order."""
    drawn = duel_map.drawn()
    found = [
        Domain(coat, sum(drawn[at].crosses for at in cells), tuple(sorted(cells)))
        for coat in Coat
        for cells in connected_components(at for at, one in drawn.items() if one.coat is coat)
    ]
    return tuple(sorted(found, key=lambda one: (-one.points, -one.spaces, one.cells)))


class DuelEnd(StrEnum):
    """What decided a game (RULES 7.5)."""

    POINTS = "points"
    LARGEST = "largest domain"
    DRAW = "draw"


def decide(one: DuelSheet, other: DuelSheet) -> tuple[int | None, DuelEnd]:
    """Who won, 0 or 1, and by what; None for a draw (RULES 7.5)."""
    if one.total != other.total:
        return int(other.total > one.total), DuelEnd.POINTS
    if one.largest != other.largest:
        return int(other.largest > one.largest), DuelEnd.LARGEST
    return None, DuelEnd.DRAW


def _check_shape(lines: list[list[str]]) -> None:
    if not lines:
        raise NotationError("The Duel map is empty.")
    for number, line in enumerate(lines, 1):
        if len(line) != COLUMNS:
            turned = " (write it lying, not standing)" if len(line) == ROWS else ""
            raise NotationError(
                f"Row {number} has {len(line)} {'place' if len(line) == 1 else 'places'}; "
                f"a Duel map has {COLUMNS}{turned}. "
                f"Write {EMPTY_MARK} for an empty space."
            )
    if len(lines) != ROWS:
        raise NotationError(f"A Duel map has {ROWS} rows, not {len(lines)}.")


def _parse_space(word: str, where: str) -> Drawn | None:
    """One space; the castle is looked for elsewhere."""
    if word in (EMPTY_MARK, CASTLE_MARK, CASTLE_MARK.lower()):
        return None
    match = _SPACE.match(word)
    letters = {coat.letter: coat for coat in Coat}
    if match is None or match[1].upper() not in letters:
        shown = word if len(word) <= 12 else word[:12] + "..."
        raise NotationError(
            f"{where}: {shown!r} is no space. Write D (dot), E (two dots), S (stripe), "
            f"T (two stripes), Q (quarters) or K (black) with its number of crosses (D1), "
            f"C for the castle, or - for an empty space."
        )
    return Drawn(letters[match[1].upper()], int(match[2] or 0))


def _place(at: Position) -> str:
    return f"Row {at[0] + 1}, place {at[1] + 1}"
