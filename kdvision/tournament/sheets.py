"""Tables that people made: a CSV of any kind, or a workbook.

A table is read whole, line by line, each with its number. A line that is damaged has a problem of
its own and does not stop the others. Its cells are kept as they are, so that columns can be added
behind them in the form that the table has.

Commas, semicolons or tabs separate columns: those by which the headings make most sense, or what a
line `sep=;` before them says. Text is UTF-8, with or without a byte-order mark, UTF-16 with one, or
one of the code pages that Excel writes: of Windows, of an old Mac, or of MS-DOS. The headings stand
in the first line that names columns which we know, under our names or under synonyms; titles above
it are skipped.
"""

import codecs
import contextlib
import csv
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import islice
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kdvision.columns import RESULT_NAMES, VERDICT, ColumnNames, names_of, plain
from kdvision.errors import UnreadablePhotoError, UsageError
from kdvision.files import read_file
from kdvision.photo.headers import sniff

#: A longer or larger file is no table of games; a line of results has some 500 bytes.
MAX_ROWS, MAX_BYTES = 100_000, 64_000_000
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

    Attributes:
        line: Its number in the file, from 1.
        fields: Its fields by column, without blanks around them; none for an empty line.
        cells: Its fields as they are, empty ones included.
        text: The line as it was, with its line break; empty in a workbook.
        problem: What is wrong, in a sentence; then there are no fields.
    """

    line: int
    fields: Mapping[str, str] = msgspec.field(default_factory=dict)
    cells: Sequence[str] = ()
    text: str = ""
    problem: str = ""

    @property
    def is_filled(self) -> bool:
        """Whether a cell holds something."""
        return any(map(str.strip, self.cells))


class Style(Struct, frozen=True):
    """The form of a table: a workbook, or a CSV.

    Attributes:
        workbook: Whether it is an `.xlsx`; the others are of a CSV.
        delimiter: What separates its columns.
        encoding: That of its text.
        line_end: That of its lines.
        start: What stands before its headings.
    """

    workbook: bool = False
    delimiter: str = ","
    encoding: str = "utf-8"
    line_end: str = "\n"
    start: str = ""


class Sheet(Struct, frozen=True):
    """A table.

    Attributes:
        path: The file.
        columns: Ours where we know them, else in lower case with `_` for blanks.
        heading: The row of the headings.
        lines: All rows below, empty ones included.
        style: Its form.
        titles: The number of lines before the headings that hold something.
        worksheets: Those of a workbook, first the one that was read.
        names: How the columns were read.
    """

    path: Path
    columns: tuple[str, ...]
    heading: Row
    lines: tuple[Row, ...]
    style: Style = Style()
    titles: int = 0
    worksheets: tuple[str, ...] = ()
    names: ColumnNames = ColumnNames()

    @property
    def headings(self) -> list[str]:
        """The columns as they are written."""
        return list(map(str.strip, self.heading.cells))

    @property
    def meanings(self) -> set[str]:
        """The columns that are there, the player also where two columns have the name."""
        names = {*self.columns}
        return names | {"player"} if names & {"surname", "first_name"} else names

    @property
    def reading_notes(self) -> list[str]:
        """Sentences on how the file was read, which its owner may not expect."""
        notes = []
        if self.style.encoding in _GUESSED:
            page = _GUESSED[self.style.encoding]
            notes.append(
                f"Its letters were read as those of {page}; where names look "
                "wrong, save it as CSV UTF-8."
            )
        if self.titles:
            lines = f"above the headings in line {self.heading.line}"
            one = self.titles == 1
            were = f"1 line {lines} was" if one else f"{self.titles} lines {lines} were"
            notes.append(f"{were} skipped.")
        if self.worksheets[1:]:
            read, *others = self.worksheets
            notes.append(
                f"The worksheet {read} was read; there are also {', '.join(others)} (--worksheet)."
            )
        return notes

    @property
    def notes(self) -> list[str]:
        """Sentences on what the owner of the table may not expect, its columns included."""
        notes = self.reading_notes
        if {"key", VERDICT} & {*self.columns}:
            return notes  # a table that we wrote
        if "player" not in self.meanings:
            notes.append(f"No column names the player; understood are {names_of('player')}.")
        known = ColumnNames().known | RESULT_NAMES.keys()
        named = zip(self.columns, self.headings, strict=False)
        unknown = [heading for name, heading in named if heading and name not in known]
        if unknown:
            notes.append(
                f"{', '.join(unknown[:8])}: not understood, and kept as it is. Understood are "
                "photo, player, game, round, claimed, kingdom, fix, accept and note, "
                "and their names in other languages (--column player=Heading)."
            )
        return notes

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
        lines = (Row(number, cells=cells) for number, cells in enumerate(rows, 1))
        style = Style(workbook=suffix == WORKBOOK)
        return _sheet(path, lines, names, style, worksheets)
    with contextlib.suppress(UnreadablePhotoError):  # no picture
        kind = sniff(data, str(path))
        raise UsageError(
            f"{path} is a {kind.value} picture, not a table.",
            "Give a table with a column photo; kdscore and the name alone score a photo.",
        )
    return read_csv(path, data, names)


def _bytes(path: Path) -> bytes:
    try:
        return read_file(path, MAX_BYTES)
    except UnreadablePhotoError as error:
        table = f"Give a table of at most {MAX_BYTES:,} bytes, whose first line names the columns."
        raise UsageError(error.message, table if path.exists() else error.advice) from None


def _sheet(
    path: Path,
    lines: Iterable[Row],
    names: ColumnNames,
    style: Style,
    worksheets: tuple[str, ...] = (),
) -> Sheet:
    """The table of some lines, whose fields are not named yet, below the one with the headings.

    Raises:
        UsageError: There are too many lines, or no headings.
    """
    rows = list(islice(lines, MAX_ROWS + 1))
    if len(rows) > MAX_ROWS:
        raise UsageError(f"{path} has more than {MAX_ROWS:,} lines.", "Cut it into several.")
    at = _heading_index(rows, names)
    for row in rows[: at + 1 or None]:
        if row.problem:
            where = f"{path}, line {row.line}"
            raise UsageError(f"{where}: {row.problem}", "It must name the columns.")
    if at < 0:
        raise UsageError(f"{path} is empty.", "The first line must name the columns.")
    columns, text = names.read(rows[at].cells), rows[at].text
    start = style.start + "".join(row.text for row in rows[:at])
    return Sheet(
        path,
        columns,
        rows[at],
        tuple(_with_fields(row, columns) for row in rows[at + 1 :]),
        replace(style, start=start, line_end=text[len(text.rstrip("\r\n")) :] or "\n"),
        titles=sum(row.is_filled for row in rows[:at]),
        worksheets=worksheets,
        names=names,
    )


def _heading_index(rows: Sequence[Row], names: ColumnNames) -> int:
    """The index of the row with the headings: the first with two names that we know.

    Where none has two, the first with one; where none has any, the first that holds something;
    -1 where none does.
    """
    first = enumerate(rows[: 5 * MOST_TITLES])
    filled = [(index, row) for index, row in first if row.is_filled][:MOST_TITLES]
    for least in (2, 1):
        for index, row in filled:
            if len(set(map(plain, row.cells)) & names.known) >= least:
                return index
    return filled[0][0] if filled else -1


def _with_fields(row: Row, columns: tuple[str, ...]) -> Row:
    """A row with its fields by column; a field below an empty heading is somebody's, too."""
    cells = [cell.strip() for cell in row.cells]
    filled = max((number for number, cell in enumerate(cells, 1) if cell), default=0)
    if row.problem or filled > len(columns):
        return replace(row, problem=row.problem or f"{filled} fields, but {len(columns)} columns.")
    fields = {
        name or f"column_{number}": cell
        for number, (name, cell) in enumerate(zip(columns, cells, strict=False), 1)
        if filled and (name or cell)
    }
    first, last = fields.get("first_name", ""), fields.get("surname", "")
    player = fields.get("player", "")
    # In a table that we wrote, a first name of people stands beside a whole name.
    is_whole = "surname" in fields or "key" in columns
    if (first or last) and not (player and is_whole):
        fields["player"] = " ".join(filter(None, (first, last or player)))
    return replace(row, fields=fields)


# ---------------------------------------------------------------------- CSV


_DELIMITERS = ",;\t"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_csv(path: Path, data: bytes, names: ColumnNames) -> Sheet:
    """Read a CSV from its bytes.

    Raises:
        UsageError: It is no text, is too long, or has no headings.
    """
    text, encoding = _decoded(path, data)
    lines = list(StringIO(text, newline=""))
    mark = lines[0].strip() if lines and lines[0].strip().lower()[:4] == "sep=" else ""
    start = int(bool(mark))
    delimiter = mark[4:5] or _delimiter(lines[start:], names)
    style = Style(delimiter=delimiter, encoding=encoding, start="".join(lines[:start]))
    return _sheet(path, _rows(lines, start, delimiter), names, style)


def _delimiter(lines: list[str], names: ColumnNames) -> str:
    """The delimiter by which one of the first lines has most names that we know.

    Where two have as many, that which the line has more often.
    """
    first = [line for line in lines[: 5 * MOST_TITLES] if line.strip()][:MOST_TITLES]

    def worth(delimiter: str) -> tuple[int, int]:
        found = (0, first[0].count(delimiter)) if first else (0, 0)
        for line in first:
            named = {plain(field.strip().strip('"')) for field in line.split(delimiter)}
            known = len(named & names.known)
            found = (known, line.count(delimiter)) if known > found[0] else found
        return found

    return max(_DELIMITERS, key=worth)


def _decoded(path: Path, data: bytes) -> tuple[str, str]:
    """The text, and the name of its encoding."""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    for name in (encoding, *code_pages(data)):
        with contextlib.suppress(UnicodeDecodeError):
            text = data.decode(name)
            if "\0" not in text:
                return text, name
    raise UsageError(f"{path} is no text.", "Save it as CSV in UTF-8.")


def _rows(lines: list[str], start: int, delimiter: str) -> Iterator[Row]:
    """Yield the rows of a CSV. A quote that is never closed costs its own line only."""
    while start < len(lines):
        reader = csv.reader(islice(lines, start, None), delimiter=delimiter, strict=True)
        done = 0
        try:
            for cells in reader:
                text = "".join(lines[start + done : start + reader.line_num])
                yield Row(start + done + 1, cells=cells, text=text)
                done = reader.line_num
            return
        except csv.Error as error:
            start += done + 1
            reason = "a quote is not closed" if "end of data" in str(error) else str(error)
            yield Row(start, text=lines[start - 1], problem=f"{reason}.")


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


def table_bytes(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    style: Style,
    links: Mapping[str, str],
    replaced: tuple[Path, str] | None = None,
) -> bytes:
    """A table as the bytes of a file.

    Args:
        columns: The headings.
        rows: The fields; a text is a line of a CSV as it stands.
        style: The form. Spreadsheets that separate columns by semicolons expect a decimal comma.
        links: What fields of the first column of a workbook lead to.
        replaced: A workbook and its worksheet that the table replaces; None for a new workbook.
    """
    if style.workbook:
        from kdvision.tournament.workbook import new_workbook

        return new_workbook(columns, rows, links, replaced)
    out = StringIO()
    out.write(style.start)
    writer = csv.writer(out, delimiter=style.delimiter, lineterminator=style.line_end)
    writer.writerow(columns)
    decimals = {"probability"} if style.delimiter == ";" else {}
    for row in rows:
        if isinstance(row, str):
            out.write(row)
            continue
        fields = zip(columns, row, strict=True)
        writer.writerow(
            [text.replace(".", ",") if name in decimals else text for name, text in fields]
        )
    try:
        return out.getvalue().encode(style.encoding)
    except UnicodeEncodeError:  # a code page that lacks a letter of a name
        return out.getvalue().encode("utf-8-sig", errors="replace")
