"""Kingdomino Duel: maps, domains, the total, and what a map breaks (RULES 7).

A *map line* writes the five rows of a map from the top, joined by ``/`` or line breaks, the seven
places of a row separated by blanks: ``- D1 S - - - -/...``. A letter names the coat of arms, the
digit behind it the crosses beside it, ``-`` is an empty space, and ``C`` the castle that is printed
in the middle. A doubled coat has the letter after the single one: D dot, E two dots; S stripe, T
two stripes; Q quarters, K black.

    >>> rows = ["- - - - - - -", "- - D1 D - - -", "- - - C S - -"] + ["- - - - - - -"] * 2
    >>> sheet = score_duel(DuelMap.parse("/".join(rows)), wizard_coat=Coat.STRIPE)
    >>> [(domain.coat.value, domain.points) for domain in sheet.domains], sheet.total
    ([('dot', 2), ('stripe', 0)], 5)
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from itertools import combinations

from kdvision.rules.cover import SquareBits, cuttings, square_bits
from kdvision.rules.errors import NotationError, RulesError, check_number, check_type
from kdvision.rules.kingdom import (
    CASTLE,
    Cell,
    Kingdom,
    Position,
    check_position,
    connected_components,
    neighbours,
    position_name,
    position_names,
    read_rows,
)
from kdvision.rules.legality import Code, Problem, problem
from kdvision.rules.scoring import territories
from kdvision.rules.terrain import CASTLE_MARK, EMPTY_MARK, Square, Terrain

#: The rows of a map (RULES 7.1).
ROWS = 5
#: The places of a row.
COLUMNS = 7
#: Where the castle stands.
MIDDLE: Position = (2, 3)
_PLACES = tuple(tuple((row, col) for col in range(COLUMNS)) for row in range(ROWS))
#: What can be drawn on: 34 spaces, row by row.
SPACES = tuple(at for row in _PLACES for at in row if at != MIDDLE)
#: What the fifth power pays for each domain of its coat (RULES 7.3).
WIZARD_POINTS = 3
#: A die has no more crosses; the castle adds one, the sixth power another (RULES 7.4, 7.6).
DIE_CROSSES = 2
CASTLE_CROSSES = 1
SIXTH_POWER_CROSSES = 1

_SPACE = re.compile(r"([DESTQK])([0-9]?)\Z", re.IGNORECASE)


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

    drawn: Mapping[Position, Drawn] = field(default_factory=dict, hash=False)

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
        cells = {(row, col): rows[row][col] for row in range(ROWS) for col in range(COLUMNS)}
        if [at for at, cell in cells.items() if cell is CASTLE] != [MIDDLE]:
            raise NotationError(
                f"The castle of a Duel map is printed in the middle. "
                f"Write {CASTLE_MARK} on {position_name(MIDDLE)}, and only there."
            )
        return cls({at: cell for at, cell in cells.items() if isinstance(cell, Drawn)})

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

    def __repr__(self) -> str:
        return f"DuelMap.parse({str(self)!r})"

    def __str__(self) -> str:
        marks = {MIDDLE: CASTLE_MARK} | {at: str(drawn) for at, drawn in self.drawn.items()}
        return "/".join(" ".join(marks.get(at, EMPTY_MARK) for at in row) for row in _PLACES)

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
    if word.upper() == CASTLE_MARK:
        return CASTLE
    match = _SPACE.match(word)
    if match is None:
        shown = word if len(word) <= 12 else word[:12] + "..."
        raise NotationError(
            f"{where}{shown!r} is no space. Write D (dot), E (two dots), S (stripe), "
            f"T (two stripes), Q (quarters) or K (black) with its number of crosses (D1), "
            f"C for the castle, or - for an empty space."
        )
    return Drawn(Coat.named(match[1]), int(match[2] or 0))


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
    check_type(wizard_coat, Coat | None, "coat of arms; give such as Coat.DOT")
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


def duel_problems(duel_map: DuelMap | str) -> tuple[Problem, ...]:
    """Return every problem of a map or its line, in the order of `Code` (RULES 7.4, 7.6).

    There is no deck, but a map must fall into pairs of dice, all joined to the castle in the end.
    What a power of the spell book explains is a warning, as the map does not show which powers a
    player had.

    Raises:
        NotationError: The text is no map line.
        RulesError: It is neither a map nor text.

        >>> half = DuelMap({(2, 4): Drawn(Coat.DOT)})
        >>> [problem.code.value for problem in duel_problems(half)]
        ['duel.no-cutting']
    """
    return tuple(_find_problems(DuelMap.of(duel_map)))


def _find_problems(duel_map: DuelMap) -> Iterator[Problem]:
    # The first power may have begun one group that does not touch the castle.
    drawn, beside = duel_map.drawn, neighbours(MIDDLE)
    apart = [piece for piece in connected_components(drawn) if piece.isdisjoint(beside)]
    if len(apart) > 1:
        cells = frozenset().union(*apart)
        squares = position_names(cells)
        yield problem(Code.DUEL_NOT_CONNECTED, cells, squares=squares, groups=len(apart))
    else:
        yield from _judge_cutting(duel_map)
    # Crosses that no die has are those of the castle and of the sixth power.
    crossed = [at for at, space in drawn.items() if space.crosses > DIE_CROSSES]
    extra = sum(drawn[at].crosses - DIE_CROSSES for at in crossed)
    squares = position_names(crossed)
    if extra > CASTLE_CROSSES + SIXTH_POWER_CROSSES:
        yield problem(Code.DUEL_TOO_MANY_CROSSES, crossed, squares=squares, number=extra)
    elif extra > CASTLE_CROSSES:
        yield problem(Code.DUEL_CROSS_NEEDS_POWER, crossed, squares=squares)


def _judge_cutting(duel_map: DuelMap) -> Iterator[Problem]:
    """Say whether pairs of dice can have drawn the map, and which powers that takes."""
    needed = needed_powers(duel_map)
    if not needed:
        yield problem(Code.DUEL_NO_CUTTING)
    elif needed[0]:
        power = "both" if len(needed[0]) > 1 else next(iter(needed[0])).value
        if len(needed) > 1:
            power = "either"
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
        left_out = _list_singles(duel_map, spaces)
    else:
        left_out = iter(() if len(spaces.places) % 2 else (0,))
    groups = 2 if Power.IGNORE_CONNECTION in powers else 1
    return not spaces.places or any(_can_cut(spaces, singles, groups) for singles in left_out)


def _list_singles(duel_map: DuelMap, spaces: SquareBits) -> Iterator[int]:
    """Yield what the halves of a split domino can be, as bits.

    Both are drawn, or one where the other had no place. That cannot be while a side of the castle
    is open; whether it was so once all are drawn is not looked into (RULES 8).
    """
    bits = list(spaces.around)
    if len(bits) % 2 == 0:
        yield from (bit | second for bit, second in combinations(bits, 2))
    elif duel_map.drawn.keys() >= set(neighbours(MIDDLE)):
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
