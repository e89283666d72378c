"""A table that people made, line by line, and where its headings stand.

A line that is damaged has a problem of its own and does not stop the others. Of a CSV the text of
every line is kept as it is, so that columns can be added without changing what was there.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path

from msgspec import Struct

from kdvision.columns import ColumnNames, plain
from kdvision.errors import UsageError

#: More than this is no table of games.
MAX_ROWS = 100_000
WORKBOOK = ".xlsx"
#: The suffixes by which tables differ from photos.
SHEET_SUFFIXES = (".csv", ".tsv", ".txt", WORKBOOK, ".xls", ".ods")

#: The headings stand in one of so many lines that hold something.
MOST_TITLES = 20


#: Code pages that a file does not name, and that are rarer than that of Windows in the west.
_GUESSED = {
    "cp1250": "Windows in central Europe",
    "cp850": "MS-DOS",
    "mac_roman": "an old Mac",
}


class Row(Struct, frozen=True):
    """One line.

    `line` is its number in the file, from 1. `fields` are by column, without blanks around them;
    none for an empty line. `text` is the line as it was, with its line break; empty in a workbook.
    `count` is the number of its fields, empty ones included. `problem` says in a sentence what is
    wrong; then there are no fields.
    """

    line: int
    fields: Mapping[str, str]
    text: str = ""
    count: int = 0
    problem: str = ""


class Sheet(Struct, frozen=True):
    """A table.

    `columns` are ours where we know them, else in lower case with `_` for blanks. `heading` is the
    row of the headings, `preamble` the text before it, `titles` the number of lines in it that hold
    something. `lines` are all rows below, empty ones included.
    """

    path: Path
    columns: tuple[str, ...]
    heading: Row
    lines: tuple[Row, ...]
    preamble: str = ""
    delimiter: str = ","
    encoding: str = "utf-8"
    titles: int = 0

    @property
    def notes(self) -> list[str]:
        """What was made of the table that its owner may not expect, a sentence each."""
        found = []
        if self.encoding in _GUESSED:
            found.append(
                f"Its letters were read as those of {_GUESSED[self.encoding]}; where names look "
                "wrong, save it as CSV UTF-8."
            )
        if self.titles:
            lines = "1 line" if self.titles == 1 else f"{self.titles} lines"
            found.append(f"{lines} above the headings in line {self.heading.line} were skipped.")
        return found

    @property
    def rows(self) -> list[Row]:
        """The rows that hold something, or should."""
        return [row for row in self.lines if row.fields or row.problem]

    def require(self, *needed: Collection[str], known: Collection[str] = ()) -> None:
        """Check the headings.

        Args:
            needed: For each, the columns of which at least one must be there.
            known: Other columns that may not be there twice.

        Raises:
            UsageError: Columns are missing, or are there twice.
        """
        known = {*known, *(column for columns in needed for column in columns)}
        where = self.where(self.heading)
        for column in self.columns:
            if column in known and self.columns.count(column) > 1:
                raise UsageError(f"{where}: there are two columns {column}.")
        missing = [" or ".join(columns) for columns in needed if not {*columns} & {*self.columns}]
        if missing:
            found = ", ".join(column[:30] for column in self.columns[:12] if column)
            raise UsageError(
                f"{where}: a column is missing: {', '.join(missing)}.",
                f"The first line must name the columns; now it names {found}.",
            )

    def where(self, row: Row) -> str:
        """The file and the number of a line."""
        return f"{self.path}, line {row.line}"


def row_of(line: int, columns: tuple[str, ...], fields: Sequence[str], text: str = "") -> Row:
    """A row, with its fields by column."""
    fields = [field.strip() for field in fields]
    filled = max((number for number, field in enumerate(fields, 1) if field), default=0)
    if filled > len(columns):
        problem = f"{filled} fields, but {len(columns)} columns."
        return Row(line, {}, text, len(fields), problem)
    by_column = dict(zip(columns, fields, strict=False)) if filled else {}
    return Row(line, by_column, text, len(fields))


def heading_index(rows: Iterable[Sequence[str]], names: ColumnNames) -> int:
    """Which of the first rows holds the headings: the first with two names that we know.

    Where none has two, the first with one; where none has any, the first that holds something;
    -1 where none does.
    """
    filled = [
        (index, row)
        for index, row in islice(enumerate(rows), 5 * MOST_TITLES)
        if any(map(str.strip, row))
    ][:MOST_TITLES]
    for least in (2, 1):
        for index, row in filled:
            if len({plain(field) for field in row} & names.known) >= least:
                return index
    return filled[0][0] if filled else -1


def too_long(path: Path) -> UsageError:
    """The error for a table with too many lines."""
    return UsageError(f"{path} has more than {MAX_ROWS:,} lines.", "Cut it into several.")


def empty(path: Path) -> UsageError:
    """The error for a table that holds nothing."""
    return UsageError(f"{path} is empty.", "The first line must name the columns.")
