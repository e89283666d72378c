"""Kingdomino Duel: maps, domains, the total, and what a map breaks (RULES 7).

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
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum, StrEnum
from itertools import combinations

from kdvision.rules.cover import SquareBits, cuttings, square_bits
from kdvision.rules.errors import NotationError, RulesError
from kdvision.rules.kingdom import (
    CASTLE,
    Kingdom,
    Position,
    connected_components,
    neighbours,
    position_name,
    position_names,
)
from kdvision.rules.legality import Code, Problem, problem
from kdvision.rules.scoring import territories
from kdvision.rules.terrain import CASTLE_MARK, EMPTY_MARK, Square, Terrain

#: A map has five rows of seven spaces, the castle in the middle (RULES 7.1).
ROWS, COLUMNS = 5, 7
MIDDLE: Position = (2, 3)
#: What the fifth power pays for each domain of its coat (RULES 7.3).
WIZARD_POINTS = 3
#: A die has no more; the castle adds one, the sixth power another (RULES 7.4, 7.6).
CROSSES_OF_A_DIE = 2
CROSSES_OF_THE_CASTLE = 1
CROSSES_OF_THE_SIXTH_POWER = 1
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
        """Return the coat of a name or a letter; either case, blanks or dashes between words.

        Raises:
            RulesError: No coat is called so.
        """
        key = " ".join(re.split(r"[\s_-]+", name.strip().lower()))
        if key not in _NAMES:
            names = ", ".join(f"{coat.value} ({coat.letter})" for coat in cls)
            raise RulesError(f"{name[:40]!r} is no coat of arms. Write one of {names}.")
        return _NAMES[key]


#: A coat joins in a map as a terrain does in a kingdom.
_COAT_OF = dict(zip(Terrain, Coat, strict=True))
_TERRAIN_OF = dict(zip(Coat, Terrain, strict=True))
_LETTERS = dict(zip(Coat, "DESTQK", strict=True))
_NAMES = {name: coat for coat in Coat for name in (coat.value, _LETTERS[coat].lower())}


class Power(Enum):
    """The six wizard powers, in the order of the text (RULES 7.4)."""

    IGNORE_CONNECTION = "ignore-connection"
    SPLIT = "split"
    DRAFT_TWICE = "draft-twice"
    TURN_DIE = "turn-die"
    DOMAINS = "domains"
    CROSS = "cross"


@dataclass(frozen=True, slots=True)
class DuelRules:
    """The readings of text 002 where it leaves a choice (RULES 8).

    Attributes:
        ignore_beside: Whether a domino of the first power must lie beside the castle or something
            drawn before, of whatever coat; otherwise it may lie anywhere.
        end_when_unable: Whether the game goes on where neither player draws although one could with
            the first or the second power; otherwise a round in which neither draws is the last.
    """

    ignore_beside: bool = False
    end_when_unable: bool = False


#: The readings that are taken unless the players agree on others.
USUAL_DUEL_RULES = DuelRules()


# ---------------------------------------------------------------------- maps


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is drawn on one space: a coat of arms, and the crosses beside it.

    Raises:
        RulesError: That is no coat, or the crosses are not 0 to 9.
    """

    coat: Coat
    crosses: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.coat, Coat):
            raise RulesError(f"{str(self.coat)[:40]!r} is no coat of arms.")
        if type(self.crosses) is not int or self.crosses not in range(10):
            raise RulesError(f"A space has 0 to 9 crosses, not {self.crosses}.")

    def __str__(self) -> str:
        return f"{self.coat.letter}{self.crosses or ''}"


@dataclass(frozen=True, slots=True)
class DuelMap:
    """A map: what is drawn on its spaces, and where its castle is.

    `rows[row][col]` counts from the top left; the castle's space and empty ones hold None.
    `castle` is None where a typed map has none. A map may break rules: `duel_problems` judges it.

    Raises:
        RulesError: The rows are not tuples, so that the map could not be hashed.
        RulesError: Not five rows of seven spaces, or something is drawn on the castle.
    """

    rows: tuple[tuple[Drawn | None, ...], ...]
    castle: Position | None = MIDDLE

    def __post_init__(self) -> None:
        if not isinstance(self.rows, tuple) or any(type(row) is not tuple for row in self.rows):
            raise RulesError("The rows of a Duel map are a tuple of tuples.")
        if len(self.rows) != ROWS or any(len(row) != COLUMNS for row in self.rows):
            raise RulesError(f"A Duel map has {ROWS} rows of {COLUMNS} spaces.")
        if not {type(space) for row in self.rows for space in row} <= {Drawn, type(None)}:
            raise RulesError("A space of a Duel map is Drawn or None; see DuelMap.parse.")
        if self.castle and self[self.castle] is not None:
            raise RulesError("Nothing can be drawn on the castle of a Duel map.")

    @classmethod
    def empty(cls) -> "DuelMap":
        """Return the map at the start of a game."""
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
        lines = [line.split() for line in re.split(r"[/\n\r]+", text) if line.strip()]
        _check_shape(lines)
        rows, castles = [], []
        for row, words in enumerate(lines):
            for col, word in enumerate(words):
                if word.upper() == CASTLE_MARK:
                    castles.append((row, col))
            rows.append(tuple(_parse_space(word, (row, col)) for col, word in enumerate(words)))
        if len(castles) > 1:
            raise NotationError(f"{_place(castles[1])}: a second castle; a map has one.")
        return cls(tuple(rows), castles[0] if castles else None)

    @classmethod
    def of(cls, duel_map: "DuelMap | str") -> "DuelMap":
        """Return a map as it is, or read its line.

        Raises:
            NotationError: The text is no map line.
            RulesError: It is neither a map nor text.
        """
        if isinstance(duel_map, str):
            return cls.parse(duel_map)
        if not isinstance(duel_map, DuelMap):
            raise RulesError(
                f"{type(duel_map).__name__} is no Duel map; give a DuelMap, or a line."
            )
        return duel_map

    def __repr__(self) -> str:
        return f"DuelMap.parse({str(self)!r})"

    def __str__(self) -> str:
        return "/".join(
            " ".join(self._text((row, col)) for col in range(COLUMNS)) for row in range(ROWS)
        )

    def _text(self, at: Position) -> str:
        return CASTLE_MARK if at == self.castle else str(self[at] or EMPTY_MARK)

    def __getitem__(self, at: Position) -> Drawn | None:
        row, col = self._inside(at)
        return self.rows[row][col]

    @staticmethod
    def _inside(at: Position) -> Position:
        row, col = at
        if not (0 <= row < ROWS and 0 <= col < COLUMNS):
            raise RulesError(f"({row}, {col}) lies outside the map of {ROWS}x{COLUMNS}.")
        return at

    def drawn(self) -> dict[Position, Drawn]:
        """Return the drawn spaces by position, row by row."""
        return {
            (row, col): space
            for row, spaces in enumerate(self.rows)
            for col, space in enumerate(spaces)
            if space is not None
        }

    def as_kingdom(self) -> Kingdom:
        """Return the kingdom with a terrain for each coat, crowns for crosses, and a castle."""
        squares = {
            at: Square(_TERRAIN_OF[space.coat], space.crosses) for at, space in self.drawn().items()
        }
        rows = (((row, col) for col in range(COLUMNS)) for row in range(ROWS))
        kingdom = Kingdom(tuple(tuple(map(squares.get, places)) for places in rows))
        return kingdom.with_cell(self.castle, CASTLE) if self.castle else kingdom

    def open(self) -> frozenset[Position]:
        """Return the spaces that can still be drawn on."""
        spaces = {(row, col) for row in range(ROWS) for col in range(COLUMNS)}
        return frozenset(spaces - self.drawn().keys() - {self.castle or MIDDLE})

    def draw(self, at: Position, drawn: Drawn) -> "DuelMap":
        """Return the map with one more space drawn, or one drawn anew.

        Raises:
            RulesError: The position lies outside the map.
            RulesError: It is the castle's.
        """
        row, col = self._inside(at)
        changed = (*self.rows[row][:col], drawn, *self.rows[row][col + 1 :])
        return DuelMap((*self.rows[:row], changed, *self.rows[row + 1 :]), self.castle)


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


def _parse_space(word: str, at: Position) -> Drawn | None:
    """Read one space; None for the castle's, too."""
    if word.upper() in (EMPTY_MARK, CASTLE_MARK):
        return None
    match = _SPACE.match(word)
    letters = {coat.letter: coat for coat in Coat}
    if match is None or match[1].upper() not in letters:
        shown = word if len(word) <= 12 else word[:12] + "..."
        raise NotationError(
            f"{_place(at)}: {shown!r} is no space. Write D (dot), E (two dots), S (stripe), "
            f"T (two stripes), Q (quarters) or K (black) with its number of crosses (D1), "
            f"C for the castle, or - for an empty space."
        )
    return Drawn(letters[match[1].upper()], int(match[2] or 0))


def _place(at: Position) -> str:
    return f"Row {at[0] + 1}, place {at[1] + 1}"


# ---------------------------------------------------------------------- scoring


@dataclass(frozen=True, slots=True)
class Domain:
    """Spaces of one coat joined by edges (RULES 7.2)."""

    coat: Coat
    crosses: int
    cells: tuple[Position, ...]

    @property
    def spaces(self) -> int:
        """The number of spaces."""
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


def score_duel(duel_map: DuelMap | str, wizard_coat: Coat | None = None) -> DuelSheet:
    """Count a map or its line, legal or not (RULES 7.2, 7.3).

    Raises:
        NotationError: The text is no map line.
        RulesError: `wizard_coat` is no coat of arms.
    """
    if wizard_coat is not None and not isinstance(wizard_coat, Coat):
        raise RulesError(f"{str(wizard_coat)[:40]!r} is no coat of arms.")
    duel_map = DuelMap.of(duel_map)
    return DuelSheet(duel_map, domains(duel_map), wizard_coat)


def domains(duel_map: DuelMap) -> tuple[Domain, ...]:
    """Return the domains: most points first, then most spaces, then reading order."""
    return tuple(
        Domain(_COAT_OF[region.terrain], region.crowns, region.cells)
        for region in territories(duel_map.as_kingdom())
    )


class DuelEnd(StrEnum):
    """What decided a game (RULES 7.5)."""

    POINTS = "points"
    LARGEST = "largest domain"
    DRAW = "draw"


def decide(sheet: DuelSheet, rival: DuelSheet) -> tuple[int | None, DuelEnd]:
    """Return who won, 0 or 1, and by what; None for a draw (RULES 7.5)."""
    if sheet.total != rival.total:
        return int(rival.total > sheet.total), DuelEnd.POINTS
    if sheet.largest != rival.largest:
        return int(rival.largest > sheet.largest), DuelEnd.LARGEST
    return None, DuelEnd.DRAW


# ---------------------------------------------------------------------- legality


#: The powers that the cutting of a map into dominoes can show.
_SHOWN_POWERS = (Power.IGNORE_CONNECTION, Power.SPLIT)


def duel_problems(
    duel_map: DuelMap | str, *, rules: DuelRules = USUAL_DUEL_RULES
) -> tuple[Problem, ...]:
    """Return every problem of a map or its line, in the order of `Code` (RULES 7.4, 7.6).

    There is no deck, but a map must fall into pairs of dice, all joined to the castle in the end.
    What a power of the spell book explains is a warning, as the map does not show which powers a
    player had.

    Raises:
        NotationError: The text is no map line.

        >>> half = DuelMap.empty().draw((2, 4), Drawn(Coat.DOT))
        >>> [problem.code.value for problem in duel_problems(half)]
        ['duel.no-cutting']
    """
    return tuple(_problems(DuelMap.of(duel_map), rules))


def _problems(duel_map: DuelMap, rules: DuelRules) -> Iterator[Problem]:
    drawn = duel_map.drawn()
    castle, middle = duel_map.castle, position_name(MIDDLE)
    if castle is None:
        yield problem(Code.DUEL_NO_CASTLE, middle=middle)
    elif castle != MIDDLE:
        squares = position_name(castle)
        yield problem(Code.DUEL_CASTLE_NOT_IN_THE_MIDDLE, [castle], squares=squares, middle=middle)
    beside = set(neighbours(castle or MIDDLE))
    apart = [piece for piece in connected_components(drawn) if piece.isdisjoint(beside)]
    if len(apart) > (0 if rules.ignore_beside else 1):
        cells = [at for piece in apart for at in piece]
        variant = "none" if rules.ignore_beside else ""
        squares = position_names(cells)
        yield problem(Code.DUEL_NOT_CONNECTED, cells, variant, squares=squares, groups=len(apart))
    elif castle == MIDDLE:
        yield from _problems_of_cutting(duel_map)
    crossed = [at for at, space in drawn.items() if space.crosses > CROSSES_OF_A_DIE]
    extra = sum(drawn[at].crosses - CROSSES_OF_A_DIE for at in crossed)
    squares = position_names(crossed)
    if extra > CROSSES_OF_THE_CASTLE + CROSSES_OF_THE_SIXTH_POWER:
        yield problem(Code.DUEL_TOO_MANY_CROSSES, crossed, squares=squares, number=extra)
    elif extra > CROSSES_OF_THE_CASTLE:
        yield problem(Code.DUEL_CROSS_NEEDS_POWER, crossed, squares=squares)


def _problems_of_cutting(duel_map: DuelMap) -> Iterator[Problem]:
    """Say whether pairs of dice can have drawn the map, and which powers that takes."""
    needed = needed_powers(duel_map)
    if not needed:
        yield problem(Code.DUEL_NO_CUTTING)
    elif needed[0]:
        (first, *further), ways = needed[0], len(needed)
        power = "either" if ways > 1 else "both" if further else first.value
        yield problem(Code.DUEL_NEEDS_POWER, power=f"power.{power}")


def needed_powers(duel_map: DuelMap) -> tuple[frozenset[Power], ...]:
    """Return the fewest of the first two powers with which a map can have been drawn.

    With the first, one domino starts a second group; with the second, the halves of one domino lie
    apart. On one domino they do not go together: the first forbids to split it (RULES 8). Crosses
    do not matter here.

    Returns:
        An empty set where no power is needed; two sets of one where either power will do; nothing
        at all where not even both together allow the map.
    """
    for count in range(len(_SHOWN_POWERS) + 1):
        sets = map(frozenset, combinations(_SHOWN_POWERS, count))
        allowing = tuple(powers for powers in sets if _allows(duel_map, powers))
        if allowing:
            return allowing
    return ()


def _allows(duel_map: DuelMap, powers: Collection[Power]) -> bool:
    """Return whether the map can have been drawn with some powers, each used if it is there."""
    spaces = square_bits(duel_map.as_kingdom(), any_face=True)
    if Power.SPLIT in powers:
        left_out = _singles(duel_map, spaces)
    else:
        left_out = iter(() if len(spaces.places) % 2 else (0,))
    groups = 2 if Power.IGNORE_CONNECTION in powers else 1
    return not spaces.places or any(_can_cut(spaces, singles, groups) for singles in left_out)


def _singles(duel_map: DuelMap, spaces: SquareBits) -> Iterator[int]:
    """Yield what the halves of a split domino can be, as bits.

    Both are drawn, or one where the other had no place. That cannot be while a side of the castle
    is open; whether it was so once all are drawn is not looked into (RULES 8).
    """
    bits = list(spaces.around)
    if len(bits) % 2 == 0:
        yield from (bit | second for bit, second in combinations(bits, 2))
    elif not duel_map.open().intersection(neighbours(MIDDLE)):
        yield from bits


def _can_cut(spaces: SquareBits, singles: int, groups: int) -> bool:
    """Return whether all but single halves fall into dominoes in no more groups than allowed.

    A player has no power before the first domino, which lies beside the castle; and a half that
    was split off connects, so it is not alone in its domain.
    """
    beside = set(neighbours(MIDDLE))
    first = spaces.squares_of(beside.intersection(spaces.places))
    alone = (cells for cells in spaces.cells if cells and beside.isdisjoint(cells))
    if not first & ~singles or not all(spaces.squares_of(cells) & ~singles for cells in alone):
        return False
    return next(cuttings(spaces, spaces.whole, singles, groups=groups), None) is not None
