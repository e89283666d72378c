"""A kingdom: the grid of squares around its castle, and its one-line notation.

A *kingdom line* writes the rows from the top, joined by ``/``, and the places of a row
separated by blanks: ``C W1 G/W - G2``. A letter names the terrain (`Terrain.letter`),
the digit behind it the crowns, ``C`` is the castle and ``-`` an empty place inside the
bounding box.

    >>> kingdom = Kingdom.parse("c w1 g/w - g2")
    >>> str(kingdom), kingdom.castles(), str(kingdom[1, 2])
    ('C W1 G/W - G2', ((0, 0),), 'G2')
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from kdvision.rules.errors import NotationError, RulesError, check_type
from kdvision.rules.notebook import cell_html, table_html
from kdvision.rules.terrain import CASTLE_MARK, EMPTY_MARK, Square, Terrain


class _Castle(StrEnum):
    """The type of the one value `CASTLE`."""

    CASTLE = CASTLE_MARK


#: The start tile, with or without the castle standing on it. It is no terrain.
CASTLE: Final = _Castle.CASTLE

#: What lies on one place: a square, the castle, or nothing.
Cell = Square | _Castle | None
_CELL_TYPES = {Square, _Castle, type(None)}

_Word = TypeVar("_Word")

#: (row, column) from the top left, counted from 0.
Position = tuple[int, int]
#: Two neighbouring places, the upper or the left one first: where one domino lies.
Pair = tuple[Position, Position]

#: Longer text is refused before its squares are read: the largest kingdom line is short.
MAX_LINE_LENGTH = 10_000
#: A `Kingdom` has no more rows or columns: far more than any edition needs.
MAX_GRID_SIDE = 64

#: How a kingdom line may write the castle.
_CASTLE_MARKS = (CASTLE_MARK, CASTLE_MARK.lower())
_CELL = re.compile(r"([WFLGSMwflgsm])([0-9]?)\Z")


@dataclass(frozen=True, slots=True)
class Kingdom:
    """A rectangle of places: squares, castle, or nothing.

    `rows` is a tuple of equally long tuples, indexed `rows[row][col]` from the top left.
    A kingdom may have no castle, or several, or empty border rows: it holds what was
    written or seen. `legality` judges it, `trimmed` cuts it to its bounding box.

    Raises:
        RulesError: The rows are no tuples of squares, `CASTLE` and None, not equally long, or more
            than `MAX_GRID_SIDE`.
    """

    rows: tuple[tuple[Cell, ...], ...]

    def __post_init__(self) -> None:
        if not isinstance(self.rows, tuple) or not set(map(type, self.rows)) <= {tuple}:
            raise RulesError("The rows of a kingdom are a tuple of tuples.")
        if len(set(map(len, self.rows))) > 1:
            raise RulesError("The rows of a kingdom must be equally long.")
        if max(self.height, self.width) > MAX_GRID_SIDE:
            raise RulesError(f"A kingdom has at most {MAX_GRID_SIDE} rows and columns.")
        for row in self.rows:
            if not set(map(type, row)) <= _CELL_TYPES:
                raise RulesError("A cell of a kingdom is a Square, CASTLE or None; see parse_cell.")

    # ------------------------------------------------------------------ notation

    @classmethod
    def parse(cls, line: str) -> "Kingdom":
        """Read a kingdom line.

        Either case, extra blanks, and line breaks for ``/`` are accepted. Rows may not
        be ragged: an empty place is written ``-``. A blank row between others is a row of empty
        places. Line breaks and ``/`` together are several kingdoms, see `split_kingdoms`.

        Raises:
            NotationError: With the row and the place of the mistake; rows count from the first
                that is not blank.
        """
        return cls(read_rows(line, parse_cell))

    @classmethod
    def of(cls, kingdom: "Kingdom | str") -> "Kingdom":
        """Return a kingdom as it is, or read its line.

        Raises:
            NotationError: The text is no kingdom line.
            RulesError: It is neither a kingdom nor text.
        """
        if isinstance(kingdom, str):
            return cls.parse(kingdom)
        check_type(kingdom, Kingdom, 'kingdom; give a Kingdom, or a line such as "C W1"')
        return kingdom

    @classmethod
    def of_cells(cls, cells: Mapping[Position, Cell]) -> "Kingdom":
        """Return the smallest kingdom that holds cells, by positions counted from anywhere.

        >>> str(Kingdom.of_cells({(0, 0): CASTLE, (-1, 1): parse_cell("W")}))
        '- W/C -'
        """
        check_type(cells, Mapping, "mapping of cells; give {(0, 0): CASTLE}")
        if not cells:
            return cls(())
        row_numbers, col_numbers = zip(*cells, strict=True)
        cols = range(min(col_numbers), max(col_numbers) + 1)
        rows = []
        for row in range(min(row_numbers), max(row_numbers) + 1):
            rows.append(tuple(cells.get((row, col)) for col in cols))
        return cls(tuple(rows))

    def __repr__(self) -> str:
        return f"Kingdom.parse({str(self)!r})"

    def __str__(self) -> str:
        return "/".join(" ".join(map(cell_text, row)) for row in self.rows)

    def _repr_html_(self) -> str:
        """Show the kingdom in a notebook."""
        return table_html(map(_show_cell, row) for row in self.rows)

    # ------------------------------------------------------------------ looking

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0]) if self.rows else 0

    def __getitem__(self, position: Position) -> Cell:
        if position not in self:
            shape = f"{self.height}x{self.width}"
            raise RulesError(f"{str(position)[:40]} is no (row, col) of the {shape} grid.")
        row, col = position
        return self.rows[row][col]

    def __contains__(self, position: Position) -> bool:
        """Return whether a position lies inside the rectangle."""
        row, col = check_position(position)
        return 0 <= row < self.height and 0 <= col < self.width

    def cells(self) -> Iterator[tuple[Position, Cell]]:
        """Yield every place with what lies on it, row by row, empty ones included."""
        for row, cells in enumerate(self.rows):
            for col, cell in enumerate(cells):
                yield (row, col), cell

    def squares(self) -> dict[Position, Square]:
        """Return the terrain squares by position, row by row, without the castle."""
        return {at: cell for at, cell in self.cells() if isinstance(cell, Square)}

    def castles(self) -> tuple[Position, ...]:
        """Return where castles lie: one position in a proper kingdom."""
        return tuple(at for at, cell in self.cells() if cell is CASTLE)

    # ------------------------------------------------------------------ changing

    def trimmed(self) -> "Kingdom":
        """Return the kingdom cut to the bounding box of what lies in it."""
        box = self.box()
        if box is None:
            return Kingdom(())
        top, left, bottom, right = box
        return Kingdom(tuple(row[left : right + 1] for row in self.rows[top : bottom + 1]))

    def box(self) -> tuple[int, int, int, int] | None:
        """Return (top, left, bottom, right) of what lies, all inclusive; None when nothing does."""
        taken = [at for at, cell in self.cells() if cell is not None]
        if not taken:
            return None
        rows, cols = zip(*taken, strict=True)
        return min(rows), min(cols), max(rows), max(cols)

    def turned(self, quarters: int = 1) -> "Kingdom":
        """Return the kingdom turned clockwise by quarter turns."""
        check_type(quarters, int, "number of quarter turns; give such as 1")
        rows = self.rows
        for _ in range(quarters % 4):
            rows = tuple(zip(*reversed(rows), strict=True))
        return Kingdom(rows)


def split_kingdoms(text: str) -> tuple[str, ...]:
    """Return the texts of the kingdoms in a text, which may be one.

    A line break inside a kingdom stands for ``/``. Where a text has both, every line that is not
    blank is a kingdom of its own; a line that ends with ``/`` goes on in the next one, and so
    does one before a line that begins with it.
    """
    check_type(text, str, 'text of a kingdom; give a line such as "C W1"')
    joined = _join_lines(text)
    lines = tuple(filter(str.strip, joined.split("\n")))
    if len(lines) > 1 and "/" in joined:
        return lines
    return (joined,)


def _join_lines(text: str) -> str:
    """Return the text with one sort of line break, and none beside a slash nor around it."""
    text = re.sub(r"\r\n?", "\n", text)
    return re.sub(r"/[ \t]*\n|\n[ \t]*/", "/", text).strip("/ \t\n")


def read_rows(
    text: str, read_word: Callable[[str, str], _Word]
) -> tuple[tuple[_Word | None, ...], ...]:
    """Return the rows of one kingdom, equally long; a blank row between others is all None.

    Args:
        text: Rows joined by ``/`` or line breaks, words separated by blanks.
        read_word: Reads a word; a message about it begins with the second argument, its place.

    Raises:
        NotationError: With the row and the place of the mistake.
    """
    if len(split_kingdoms(text)) > 1:
        raise NotationError(
            "Line 2 begins another kingdom. Give one at a time; "
            "part its rows by line breaks or by /, not by both."
        )
    if len(text) > MAX_LINE_LENGTH:
        raise NotationError(
            f"{len(text):,} characters are too long for a kingdom (at most {MAX_LINE_LENGTH:,})."
        )
    rows: list[tuple[_Word | None, ...]] = []
    for number, words in enumerate(_split_rows(text), 1):
        row = [read_word(word, f"Row {number}, place {at}: ") for at, word in enumerate(words, 1)]
        # The first row is not blank, and the others are as long or blank.
        rows.append(tuple(row) if row else (None,) * len(rows[0]))
    return tuple(rows)


def _split_rows(text: str) -> list[list[str]]:
    """Return the words of each row.

    Raises:
        NotationError: A row is neither blank nor as long as the first.
    """
    joined = _join_lines(text)
    if not joined:
        return []
    rows = list(map(str.split, re.split(r"[/\n]", joined)))
    width = len(rows[0])
    for number, row in enumerate(rows, 1):
        if len(row) not in (0, width):
            places = "1 place" if len(row) == 1 else f"{len(row)} places"
            raise NotationError(
                f"Row {number} has {places}, but row 1 has {width} "
                f"(write {EMPTY_MARK} for an empty place)."
            )
    return rows


def check_position(at: object) -> Position:
    """Return a position; refuse what is no pair of whole numbers.

    Raises:
        RulesError: It is none.
    """
    match at:
        case (int(row), int(col)):
            return row, col
    raise RulesError(f"{str(at)[:40]!r} is no position; give (row, col).")


def neighbours(at: Position) -> tuple[Position, Position, Position, Position]:
    """Return the four positions that share an edge with a position."""
    row, col = at
    return (row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)


def list_pairs(places: Collection[Position]) -> Iterator[Pair]:
    """Yield every two neighbouring places, the upper or the left one first."""
    for row, col in places:
        for near in ((row, col + 1), (row + 1, col)):
            if near in places:
                yield (row, col), near


def connected_components(cells: Iterable[Position]) -> list[frozenset[Position]]:
    """Return the groups of cells that edges join, in reading order of their first cells.

    >>> [sorted(group) for group in connected_components([(0, 0), (2, 0), (0, 1)])]
    [[(0, 0), (0, 1)], [(2, 0)]]
    """
    unvisited = dict.fromkeys(sorted(cells))
    components = []
    while unvisited:
        start = next(iter(unvisited))
        del unvisited[start]
        component, frontier = {start}, [start]
        while frontier:
            for at in neighbours(frontier.pop()):
                if at in unvisited:
                    del unvisited[at]
                    component.add(at)
                    frontier.append(at)
        components.append(frozenset(component))
    return components


def box_side(cells: Iterable[Position]) -> int:
    """Return the side of the smallest square box that holds the cells, at least one."""
    rows, cols = zip(*cells, strict=True)
    return int(max(max(rows) - min(rows), max(cols) - min(cols))) + 1


def position_name(at: Position) -> str:
    """Return a position as people write it: column letter, row number (`b3`); `aa` follows `z`.

    A place outside a grid that has grown counts on: the column left of `a` is `z`, the one left of
    that `y`; the row above 1 is 0, the one above that -1.
    """
    return f"{column_name(at[1])}{at[0] + 1}"


def column_name(col: int) -> str:
    """Return the letter of a column, counted from 0; see `position_name`."""
    alphabets, letter = divmod(col, 26)
    first = chr(ord("a") + alphabets - 1) if alphabets > 0 else ""
    return f"{first}{chr(ord('a') + letter)}"


def shift(at: Position, by: Position) -> Position:
    """Return a position moved by (rows, columns)."""
    return at[0] + by[0], at[1] + by[1]


def position_names(positions: Iterable[Position]) -> str:
    """Return several positions, sorted, as people write them: `a1, b3`."""
    return ", ".join(map(position_name, sorted(positions)))


def cell_text(cell: Cell) -> str:
    """Return a cell in kingdom-line notation."""
    return EMPTY_MARK if cell is None else str(cell)


def parse_cell(text: str, where: str = "") -> Cell:
    """Read one cell in kingdom-line notation (`W`, `g2`, `C`, `-`).

    Raises:
        NotationError: The text is no cell; the message begins with `where`.
    """
    check_type(text, str, 'text of a square; give such as "W1"')
    word = text.strip()
    if word == EMPTY_MARK:
        return None
    if word in _CASTLE_MARKS:
        return CASTLE
    if match := _CELL.match(word):
        return Square(Terrain.from_letter(match[1]), int(match[2] or 0))
    raise NotationError(
        f"{where}{shorten(word)!r} is no square. Write one of W F L G S M with "
        f"its number of crowns (W1), C for the castle, or - for an empty place."
    )


def shorten(word: str) -> str:
    """Return the beginning of a word that is too long for a sentence; others as they are."""
    return word if len(word) <= 12 else word[:12] + "..."


#: The colours of the terrains in a notebook.
_COLOURS = dict(
    zip(Terrain, ("#f2cf4a", "#4f8f4b", "#6aa9e0", "#b5d96a", "#b7a98a", "#9a9a9a"), strict=True)
)


def _show_cell(cell: Cell) -> str:
    """Return a cell of a kingdom as a cell of a table."""
    if isinstance(cell, Square):
        return cell_html(str(cell), _COLOURS[cell.terrain])
    return cell_html("" if cell is None else str(cell))
