"""Tables that people made: a CSV of any kind, or a workbook.

A table is read whole, line by line, each with its number. A line that is damaged has a problem of
its own and does not stop the others. Of a CSV the text of every line is kept as it is, so that
columns can be added without changing a character of what was there.

Commas, semicolons or tabs separate columns: those by which the headings make most sense, or what a
line `sep=;` before them says. Text is UTF-8, with or without a byte-order mark, UTF-16 with one, or
one of the code pages that Excel writes: of Windows, of an old Mac, or of MS-DOS. The headings stand
in the first line that names columns which we know, under our names or under synonyms; titles above
it are skipped.
"""

import codecs
import contextlib
import csv
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct, structs

from kdvision.columns import RESULT_NAMES, VERDICT, ColumnNames, names_of, plain
from kdvision.errors import UnreadablePhotoError, UsageError
from kdvision.files import missing
from kdvision.photo.headers import sniff

#: A longer or larger file is no table of games.
MAX_ROWS, MAX_BYTES = 100_000, 5_000_000
#: The workbook that is written, and that which is only read.
WORKBOOK, OPEN_DOCUMENT = ".xlsx", ".ods"
_UNREAD = (".xls", ".numbers")
UNWRITTEN = (OPEN_DOCUMENT, *_UNREAD)
#: The suffixes by which tables differ from photos.
SHEET_SUFFIXES = (".csv", ".tsv", ".txt", WORKBOOK, OPEN_DOCUMENT, ".xls")
#: The headings stand in one of this number of lines that hold something.
MOST_TITLES = 20
_CLAIM_NAMES = ColumnNames()

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
    something. `lines` are all rows below, empty ones included. `headings` are the columns as they
    are written there, `names` how they were read. `worksheet` is the one of a workbook that was
    read, `worksheets` are the others.
    """

    path: Path
    columns: tuple[str, ...]
    heading: Row
    lines: tuple[Row, ...]
    preamble: str = ""
    delimiter: str = ","
    encoding: str = "utf-8"
    titles: int = 0
    headings: tuple[str, ...] = ()
    worksheet: str = ""
    worksheets: tuple[str, ...] = ()
    names: ColumnNames = ColumnNames()

    @property
    def meanings(self) -> set[str]:
        """The columns that are there, the player also where two columns have the name."""
        names = {*self.columns}
        return names | {"player"} if names & {"surname", "first_name"} else names

    @property
    def notes(self) -> list[str]:
        """Sentences on what the owner of the table may not expect."""
        notes = []
        if self.encoding in _GUESSED:
            notes.append(
                f"Its letters were read as those of {_GUESSED[self.encoding]}; where names look "
                "wrong, save it as CSV UTF-8."
            )
        if self.titles:
            lines = "1 line" if self.titles == 1 else f"{self.titles} lines"
            notes.append(f"{lines} above the headings in line {self.heading.line} were skipped.")
        if self.worksheets:
            others = ", ".join(self.worksheets)
            notes.append(
                f"The worksheet {self.worksheet} was read; there are also {others} (--worksheet)."
            )
        return [*notes, *self._unknown_columns()]

    def _unknown_columns(self) -> Iterator[str]:
        """Sentences on columns that mean nothing here; none on a table that we wrote."""
        if {"key", VERDICT} & {*self.columns}:
            return
        if "player" not in self.meanings:
            yield f"No column names the player; understood are {names_of('player')}."
        known = ColumnNames().known | RESULT_NAMES.keys()
        named = zip(self.columns, self.headings, strict=False)
        unknown = [heading for name, heading in named if heading and name not in known]
        if unknown:
            yield (
                f"{', '.join(unknown[:8])}: not understood, and kept as it is. Understood are "
                "photo, player, game, round, claimed, kingdom, fix, accept and note, "
                "and their names in other languages (--column player=Heading)."
            )

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
        missing = [" or ".join(columns) for columns in needed if not {*columns} & self.meanings]
        if missing:
            named = ", ".join(column[:30] for column in self.columns[:12] if column)
            raise UsageError(
                f"{where}: a column is missing: {', '.join(missing)}.",
                f"The first line must name the columns; now it names {named}.",
            )

    def where(self, row: Row) -> str:
        """The file and the number of a line."""
        return f"{self.path}, line {row.line}"


# ---------------------------------------------------------------------- reading


def read_sheet(
    path: str | Path, names: ColumnNames = _CLAIM_NAMES, worksheet: str | None = None
) -> Sheet:
    """Read a table by its file name: `.xlsx` and `.ods` are workbooks, all else a CSV.

    Args:
        path: The file.
        names: How its columns may be called.
        worksheet: The name of a worksheet; None reads the one that was open last.

    Raises:
        UsageError: It cannot be read, is no table, is too large, or has no headings.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix in _UNREAD:
        raise UsageError(f"{path} is a workbook that is not read.", "Save it as .xlsx or .csv.")
    data = _bytes(path)
    if suffix in (WORKBOOK, OPEN_DOCUMENT):
        from kdvision.tournament.workbook import read_workbook

        rows, worksheets = read_workbook(path, data, worksheet)
        records = (_Record(number, cells) for number, cells in enumerate(rows, 1))
        sheet = _sheet(path, records, names)
        return structs.replace(sheet, worksheet=worksheets[0], worksheets=worksheets[1:])
    with contextlib.suppress(UnreadablePhotoError):  # no picture
        kind = sniff(data, str(path))
        raise UsageError(
            f"{path} is a {kind.value} picture, not a table.",
            "Give a table with a column photo; kdscore and the name alone score a photo.",
        )
    return read_csv(path, data, names)


def read_again(sheet: Sheet) -> Sheet:
    """Read the file of a sheet as it is now.

    Raises:
        UsageError: See `read_sheet`.
    """
    return read_sheet(sheet.path, sheet.names, sheet.worksheet or None)


def _bytes(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise UsageError(
                f"{path} has {size:,} bytes, too many for a table of games.",
                f"Give a table of at most {MAX_BYTES:,} bytes.",
            )
        return path.read_bytes()
    except FileNotFoundError:
        error = missing(path)
        raise UsageError(error.message, error.advice) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no file"
        raise UsageError(f"{path} cannot be read: {reason}.", "Check its name.") from None


class _Record(NamedTuple):
    """The number of a line, its fields, its text, and what is wrong with it."""

    line: int
    fields: Sequence[str]
    text: str = ""
    problem: str = ""

    @property
    def is_filled(self) -> bool:
        return any(map(str.strip, self.fields))


def _sheet(path: Path, lines: Iterable[_Record], names: ColumnNames) -> Sheet:
    """The table of some lines, below the one that holds the headings.

    Raises:
        UsageError: There are too many lines, or no headings.
    """
    records = list(islice(lines, MAX_ROWS + 1))
    if len(records) > MAX_ROWS:
        raise UsageError(f"{path} has more than {MAX_ROWS:,} lines.", "Cut it into several.")
    at = _heading_index(records, names)
    broken = next((record for record in records[: at + 1 or None] if record.problem), None)
    if broken is not None:
        where = f"{path}, line {broken.line}"
        raise UsageError(f"{where}: {broken.problem}", "It must name the columns.")
    if at < 0:
        raise UsageError(f"{path} is empty.", "The first line must name the columns.")
    above, head = records[:at], records[at]
    columns = names.read(head.fields)
    return Sheet(
        path,
        columns,
        Row(head.line, {}, head.text, len(head.fields)),
        tuple(_row(record, columns) for record in records[at + 1 :]),
        preamble="".join(record.text for record in above),
        titles=sum(record.is_filled for record in above),
        headings=tuple(map(str.strip, head.fields)),
        names=names,
    )


def _heading_index(records: Iterable[_Record], names: ColumnNames) -> int:
    """The index of the record with the headings: the first with two names that we know.

    Where none has two, the first with one; where none has any, the first that holds something;
    -1 where none does.
    """
    first = enumerate(islice(records, 5 * MOST_TITLES))
    filled = [(index, record) for index, record in first if record.is_filled][:MOST_TITLES]
    for least in (2, 1):
        for index, record in filled:
            if len({plain(field) for field in record.fields} & names.known) >= least:
                return index
    return filled[0][0] if filled else -1


def _row(record: _Record, columns: tuple[str, ...]) -> Row:
    """A record with its fields by column; a field below an empty heading is somebody's, too."""
    fields = [field.strip() for field in record.fields]
    filled = max((number for number, field in enumerate(fields, 1) if field), default=0)
    problem = record.problem
    if filled > len(columns):
        problem = f"{filled} fields, but {len(columns)} columns."
    by_column = {
        name or f"column_{number}": field
        for number, (name, field) in enumerate(zip(columns, fields, strict=False), 1)
        if filled and (name or field)
    }
    first, last = by_column.get("first_name", ""), by_column.get("surname", "")
    player = by_column.get("player", "")
    if (first or last) and not ("surname" in by_column and player):
        by_column["player"] = " ".join(filter(None, (first, last or player)))
    return Row(record.line, {} if problem else by_column, record.text, len(fields), problem)


# ---------------------------------------------------------------------- CSV


_DELIMITERS = ",;\t"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_csv(path: Path, data: bytes, names: ColumnNames) -> Sheet:
    """Read a CSV.

    Args:
        path: Its name.
        data: Its bytes.
        names: How its columns may be called.

    Raises:
        UsageError: It is no text, is too long, or has no headings.
    """
    text, encoding = _decoded(path, data)
    lines = list(StringIO(text, newline=""))
    mark = lines[0].strip() if lines and lines[0].strip().lower()[:4] == "sep=" else ""
    start = int(bool(mark))
    delimiter = mark[4:5] or _delimiter(lines[start:], names)
    sheet = _sheet(path, _records(lines, start, delimiter), names)
    preamble = "".join(lines[:start]) + sheet.preamble
    return structs.replace(sheet, preamble=preamble, delimiter=delimiter, encoding=encoding)


def split_line(text: str, delimiter: str) -> list[str]:
    """The fields of a record that is whole, blanks around them included."""
    return next(csv.reader(StringIO(text, newline=""), delimiter=delimiter), [])


def _delimiter(lines: list[str], names: ColumnNames) -> str:
    """The delimiter by which one of the first lines has most names that we know."""
    first = [line for line in lines[: 5 * MOST_TITLES] if line.strip()][:MOST_TITLES]

    def worth(delimiter: str) -> tuple[int, int]:
        known = [
            len({plain(field.strip().strip('"')) for field in line.split(delimiter)} & names.known)
            for line in first
        ]
        if not known or max(known) == 0:
            return 0, first[0].count(delimiter) if first else 0
        best = first[known.index(max(known))]
        return max(known), best.count(delimiter)

    return max(_DELIMITERS, key=worth)


def _decoded(path: Path, data: bytes) -> tuple[str, str]:
    """The text, and the name of its encoding."""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    for name in (encoding, *code_pages(data)):
        try:
            text = data.decode(name)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text, name
    raise UsageError(f"{path} is no text.", "Save it as CSV in UTF-8.")


def _records(lines: list[str], start: int, delimiter: str) -> Iterator[_Record]:
    """Yield the records of a CSV. A quote that is never closed costs its own line only."""
    while start < len(lines):
        reader = csv.reader(islice(lines, start, None), delimiter=delimiter, strict=True)
        done = 0
        try:
            for fields in reader:
                end = reader.line_num
                yield _Record(start + done + 1, fields, "".join(lines[start + done : start + end]))
                done = end
            return
        except csv.Error as error:
            start += done + 1
            reason = "a quote is not closed" if "end of data" in str(error) else str(error)
            yield _Record(start, [], lines[start - 1], f"{reason}.")


# ---------------------------------------------------------------------- code pages


#: Likelier ones first: they win where others do as well.
_WINDOWS = ("cp1252", "cp1250", "cp850")
_MAC = ("mac_roman", "cp1252")
#: Signs that stand between letters as well.
_IN_WORDS = "\u2019\u2013\u2014"


def code_pages(data: bytes) -> tuple[str, ...]:
    """The code pages by which text can be read, the one that makes most sense first."""
    pages = _MAC if b"\r" in data and b"\n" not in data else _WINDOWS
    worth = {}
    for page in pages:
        try:
            worth[page] = _sense(data.decode(page))
        except UnicodeDecodeError:  # a byte that it has no letter for
            continue
    return tuple(sorted(worth, key=lambda page: -worth[page]))


def _sense(text: str) -> int:
    """Letters with marks in their place, less signs in the middle of words."""
    sense = 0
    for before, letter, after in zip(f" {text}", text, f"{text[1:]} ", strict=False):
        if letter.isascii():
            continue
        if letter in _IN_WORDS or (
            letter.isalpha() and not (letter.isupper() and before.islower())
        ):
            sense += 1
        elif before.isalpha() and after.isalpha():
            sense -= 1
    return sense


# ---------------------------------------------------------------------- writing


#: Numbers with a decimal point, which German spreadsheets write with a comma.
_DECIMAL = re.compile(r"(-?[0-9]+)\.([0-9]+)")


class Style(Struct, frozen=True):
    """The form of a table: a workbook, or a CSV.

    `delimiter` and `encoding` are those of the CSV, `start` is what stands before its headings.
    """

    workbook: bool = False
    delimiter: str = ","
    encoding: str = "utf-8"
    start: str = ""


def table_bytes(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    style: Style,
    links: Mapping[str, str],
) -> bytes:
    """A table as the bytes of a file.

    Args:
        columns: The headings.
        rows: Their fields.
        style: The form.
        links: In a workbook, what fields of the first column lead to.
    """
    if style.workbook:
        from kdvision.tournament.workbook import new_workbook

        return new_workbook(columns, rows, links)
    out = StringIO()
    out.write(style.start)
    writer = csv.writer(out, delimiter=style.delimiter, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([localized(field, style.delimiter) for field in row] for row in rows)
    return out.getvalue().encode(style.encoding, errors="replace")


def localized(field: str, delimiter: str) -> str:
    """A field as a spreadsheet with this delimiter expects it: after a semicolon 0,99 for 0.99."""
    return (
        _DECIMAL.sub(r"\1,\2", field) if delimiter == ";" and _DECIMAL.fullmatch(field) else field
    )
