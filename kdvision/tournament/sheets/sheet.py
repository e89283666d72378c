"""Tables that people made: a CSV of any kind, or an Excel workbook.

A table is read whole, line by line, each with its number. A line that is damaged has a problem of
its own and does not stop the others. Of a CSV the text of every line is kept as it is, so that
columns can be added without changing a character of what was there.

Commas, semicolons or tabs separate columns: what the first line has most of, or what a line
`sep=;` before it says. Text is UTF-8, with or without a byte-order mark, UTF-16 with one, or else
what Excel writes on Windows (cp1252).
"""

import codecs
import csv
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO, StringIO
from itertools import islice
from pathlib import Path

from kdvision.errors import UsageError

#: More than this is no table of games.
MAX_BYTES = 5_000_000
MAX_ROWS = 100_000
WORKBOOK = ".xlsx"
#: The suffixes by which a table is told from a photo.
SUFFIXES = (".csv", ".tsv", ".txt", WORKBOOK, ".xls", ".ods")
_OTHER_WORKBOOKS = (".xls", ".ods", ".numbers")

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class Row:
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


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table.

    `columns` are in lower case, with `_` for blanks. `heading` is the row of the headings,
    `preamble` the text before it. `lines` are all rows below, empty ones included.
    """

    path: Path
    columns: tuple[str, ...]
    heading: Row
    lines: tuple[Row, ...]
    preamble: str = ""
    delimiter: str = ","
    encoding: str = "utf-8"

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


def read_sheet(path: str | Path) -> Sheet:
    """Read a table by its file name: `.xlsx` is a workbook, all else a CSV.

    Raises:
        UsageError: It cannot be read, is no table, is too large, or has no headings.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix in _OTHER_WORKBOOKS:
        raise UsageError(f"{path} is a workbook that is not read.", "Save it as .xlsx or .csv.")
    data = _bytes(path)
    return _workbook(path, data) if suffix == WORKBOOK else _csv(path, data)


def _bytes(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise UsageError(
                f"{path} has {size:,} bytes, too many for a table of games.",
                f"Give a table of at most {MAX_BYTES:,} bytes.",
            )
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no file"
        raise UsageError(f"{path} cannot be read: {reason}.", "Check its name.") from None


def _row(line: int, columns: tuple[str, ...], fields: list[str], text: str = "") -> Row:
    """A row, with its fields by column."""
    fields = [field.strip() for field in fields]
    filled = max((number for number, field in enumerate(fields, 1) if field), default=0)
    if filled > len(columns):
        problem = f"{filled} fields, but {len(columns)} columns."
        return Row(line, {}, text, len(fields), problem)
    by_column = dict(zip(columns, fields, strict=False)) if filled else {}
    return Row(line, by_column, text, len(fields))


def _column_names(fields: list[str]) -> tuple[str, ...]:
    return tuple(field.strip().lower().replace(" ", "_") for field in fields)


# ---------------------------------------------------------------------- CSV


def _csv(path: Path, data: bytes) -> Sheet:
    text, encoding = _decoded(path, data)
    lines = list(StringIO(text, newline=""))
    if len(lines) > MAX_ROWS:
        raise _too_long(path)
    told = bool(lines) and lines[0].strip().lower()[:4] == "sep="
    preamble = lines[0] if told else ""
    head = next((line for line in lines[told:] if line.strip()), "")
    delimiter = preamble.strip()[4:5] or max(",;\t", key=head.count)
    columns: tuple[str, ...] = ()
    heading = Row(1, {})
    rows: list[Row] = []
    for line, raw, fields, problem in _records(lines, int(told), delimiter):
        if columns:
            rows.append(
                Row(line, {}, raw, len(fields), problem)
                if problem
                else _row(line, columns, fields, raw)
            )
        elif problem:
            raise UsageError(f"{path}, line {line}: {problem}", "It must name the columns.")
        elif any(map(str.strip, fields)):
            columns, heading = _column_names(fields), Row(line, {}, raw, len(fields))
        else:
            preamble += raw
    if not columns:
        raise _empty(path)
    return Sheet(path, columns, heading, tuple(rows), preamble, delimiter, encoding)


def _decoded(path: Path, data: bytes) -> tuple[str, str]:
    """The text, and the name of its encoding."""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    for name in (encoding, "cp1252"):
        try:
            text = data.decode(name)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text, name
    raise UsageError(f"{path} is no text.", "Save it as CSV in UTF-8.")


def _records(
    lines: list[str], start: int, delimiter: str
) -> Iterator[tuple[int, str, list[str], str]]:
    """Each record: the number of its line, its text, its fields, and what is wrong with it.

    A quote that is never closed costs its own line only.
    """
    while start < len(lines):
        reader = csv.reader(islice(lines, start, None), delimiter=delimiter, strict=True)
        done = 0
        try:
            for fields in reader:
                end = reader.line_num
                yield start + done + 1, "".join(lines[start + done : start + end]), fields, ""
                done = end
            return
        except csv.Error as error:
            start += done + 1
            reason = "a quote is not closed" if "end of data" in str(error) else str(error)
            yield start, lines[start - 1], [], f"{reason}."


def _too_long(path: Path) -> UsageError:
    return UsageError(f"{path} has more than {MAX_ROWS:,} lines.", "Cut it into several.")


def _empty(path: Path) -> UsageError:
    return UsageError(f"{path} is empty.", "The first line must name the columns.")


# ---------------------------------------------------------------------- workbooks


def _workbook(path: Path, data: bytes) -> Sheet:
    from kdvision.tournament.sheets.workbook import workbook_rows

    columns: tuple[str, ...] = ()
    heading = Row(1, {})
    rows: list[Row] = []
    for line, fields in enumerate(islice(workbook_rows(path, BytesIO(data)), MAX_ROWS + 1), 1):
        if columns:
            rows.append(_row(line, columns, fields))
        elif any(map(str.strip, fields)):
            while not fields[-1].strip():
                fields.pop()
            columns, heading = _column_names(fields), Row(line, {}, count=len(fields))
    if not columns:
        raise _empty(path)
    while rows and not (rows[-1].fields or rows[-1].problem):
        rows.pop()
    if len(rows) >= MAX_ROWS:
        raise _too_long(path)
    return Sheet(path, columns, heading, tuple(rows))
