"""Sheets: a CSV or a workbook, a line per kingdom, whose cells are read and changed in place.

What nobody changes stays as it was: of a CSV its separator, encoding, order and line ends; of a
workbook everything else that it holds. Text is UTF-8, UTF-16 with a byte-order mark, or cp1252;
commas, semicolons or tabs separate columns. The headings stand in the first line that names columns
which we know; titles above it stay.
"""

import codecs
import csv
import datetime
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from io import BytesIO, StringIO
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from kdvision.errors import UnreadablePhotoError, UsageError, missing_extra
from kdvision.files import read_file, shown, whole_file
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.photo.headers import sniff
from kdvision.sentences import Sentence
from kdvision.tournament.columns import (
    FOUND,
    PEOPLE,
    Line,
    known_headings,
    read_headings,
    synonyms_of,
)

#: A longer or larger file is no table of games; a workbook is unpacked to be read.
MAX_ROWS, MAX_BYTES, MAX_UNPACKED = 100_000, 64_000_000, 100_000_000
WORKBOOK = ".xlsx"
#: The suffixes by which sheets differ from photos.
SHEET_SUFFIXES = (".csv", ".tsv", ".txt", WORKBOOK)
#: The headings stand in one of this number of lines that hold something.
MOST_TITLES = 20
_DELIMITERS = ",;\t"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: Columns whose cells are written as numbers into a workbook: no name of a player is one.
_NUMBERS = {"score", "counts", "claimed", "size", "game", "round", "accept"}
_INTEGER = re.compile(r"0|[1-9][0-9]{0,8}")
#: What no cell of a workbook can hold.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
#: Widths of the columns of a new workbook, in characters.
_NARROWEST, _WIDEST = 6, 60


class Row(Struct):
    """A row of a sheet below its headings.

    Attributes:
        number: The number of its line in the file, from 1.
        texts: Its cells as they were typed.
        damaged: The line as it stands, where a quote is not closed; then it has no cells.
    """

    number: int
    texts: list[str]
    damaged: str = ""


class Style(Struct, frozen=True):
    """The form of a CSV."""

    delimiter: str = ","
    encoding: str = "utf-8"
    line_end: str = "\n"


class Sheet:
    """A table with a line per kingdom.

    Args:
        path: Where it was read.
        columns: Our names of its columns, else what `plain` makes of their headings.
        head: What stands above its rows: titles and headings, as rows of texts.
        rows: The rows below.
        style: Its form as a CSV.
        book: The workbook of openpyxl and the name of the worksheet, where it is one.
        options: The options of lines that say nothing of them.
    """

    def __init__(
        self,
        path: Path,
        columns: Sequence[str],
        head: list[list[str]],
        rows: list[Row],
        style: Style,
        book: tuple[Any, str] | None = None,
        options: GameOptions = DEFAULT_OPTIONS,
    ) -> None:
        self.path = path
        self.columns = list(columns)
        self.rows = rows
        self._head = head
        self._style = style
        self._book = book
        self._options = options
        self._by_number = {row.number: row for row in rows}

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines that hold something, without those that add others up."""
        lines = []
        for row in self.rows:
            if row.damaged:
                problem = Sentence("sheet.open-quote")
                lines.append(Line(number=row.number, problems=(problem,)))
            elif any(map(str.strip, row.texts)):
                line = Line.of(self.cells(row), row.number, self._options)
                lines += [] if line.is_sum else [line]
        return tuple(lines)

    def cells(self, row: Row) -> dict[str, str]:
        """Return the cells of a row that hold something, by column, without blanks around them."""
        named = zip(self.columns, map(str.strip, row.texts), strict=False)
        return {column: text for column, text in named if text}

    def require(self, *needed: Sequence[str]) -> None:
        """Check that of each of some groups of columns one is there.

        Raises:
            UsageError: A column is missing; the sentence has the headings, and the word to use.
        """
        for columns in needed:
            has_player = {"surname", "first_name"} & {*self.columns} and "player" in columns
            if not {*columns} & {*self.columns} and not has_player:
                headings = [text.strip()[:30] for text in self._head[-1] if text.strip()]
                fields = {"column": columns[0], "headings": ", ".join(headings[:12])}
                fields["names"] = synonyms_of(columns[0])
                raise UsageError(Sentence("sheet.no-column", {**fields, "path": shown(self.path)}))

    # ------------------------------------------------------------------ changing cells

    def set(self, number: int, cells: Mapping[str, str]) -> None:
        """Change cells of a line by column; columns that are missing are added at the end."""
        row = self._by_number[number]
        if row.damaged:
            return
        for column, text in cells.items():
            if column not in self.columns:
                if not text and column not in FOUND:
                    continue
                self._add_column(column)
            at = self.columns.index(column)
            row.texts += [""] * (at + 1 - len(row.texts))
            if row.texts[at].strip() != text:
                row.texts[at] = text
                self._write_cell(number, at, text)

    def know(self, number: int, cells: Mapping[str, str]) -> None:
        """Take cells for what they are known to show, and leave them as they are in the file."""
        row = self._by_number[number]
        for column, text in cells.items():
            row.texts[self.columns.index(column)] = text

    def add(self, cells: Mapping[str, str]) -> int:
        """Add a line at the end, and return its number."""
        last = self.rows[-1].number if self.rows else len(self._head)
        row = Row(last + 1, [])
        self.rows.append(row)
        self._by_number[row.number] = row
        self.set(row.number, cells)
        return row.number

    def _add_column(self, column: str) -> None:
        width = max(map(len, (self._head[-1], *(row.texts for row in self.rows))), default=0)
        width = max(width, len(self.columns))
        self.columns += [f"_{at}" for at in range(len(self.columns), width)] + [column]
        self._head[-1] += [""] * (width - len(self._head[-1])) + [column]
        if self._book:
            at = len(self.columns)
            heading = self._worksheet.cell(len(self._head), at, column)
            heading.font = copy(self._worksheet.cell(len(self._head), 1).font)

    @property
    def _worksheet(self) -> Any:
        assert self._book is not None
        book, name = self._book
        return book[name]

    def _write_cell(self, number: int, at: int, text: str) -> None:
        """Write a changed cell into the workbook; what starts with = is text, no formula."""
        if not self._book:
            return
        sheet = self._worksheet
        place = sheet.cell(number, at + 1).coordinate
        for merged in [cells.coord for cells in sheet.merged_cells.ranges if place in cells]:
            sheet.unmerge_cells(merged)
        _fill(sheet.cell(number, at + 1), self.columns[at], text)

    # ------------------------------------------------------------------ writing

    def to_bytes(self, suffix: str = "") -> bytes:
        """Return the file, in another form where `suffix` is `.csv` or `.xlsx`.

        Raises:
            UsageError: openpyxl is not installed.
        """
        is_book = (suffix or self.path.suffix).lower() == WORKBOOK
        if is_book:
            out = BytesIO()
            book = self._book[0] if self._book else self._new_book()
            book.save(out)
            return out.getvalue()
        text = self.to_text()
        try:
            return text.encode(self._style.encoding)
        except UnicodeEncodeError:
            return text.encode("utf-8-sig")

    def to_text(self) -> str:
        """Return the sheet as the text of a CSV."""
        text = StringIO()
        writer = csv.writer(
            text, delimiter=self._style.delimiter, lineterminator=self._style.line_end
        )
        width = len(self.columns)
        writer.writerows(self._head)
        for row in self.rows:
            if row.damaged:
                text.write(row.damaged)
            else:
                writer.writerow([*row.texts, *[""] * (width - len(row.texts))])
        return text.getvalue()

    def _new_book(self) -> Any:
        """A workbook with frozen headings and columns as wide as they need."""
        check_workbooks()
        from openpyxl import Workbook
        from openpyxl.styles import Font
        from openpyxl.utils import get_column_letter

        book = Workbook()
        sheet = book.active
        for number, texts in enumerate(self._head, 1):
            for at, text in enumerate(texts):
                _fill(sheet.cell(number, at + 1), "", text)
        for number, row in enumerate(self.rows, len(self._head) + 1):
            for at, text in enumerate(row.texts):
                _fill(sheet.cell(number, at + 1), self.columns[at], text)
        for at, cells in enumerate(sheet.iter_cols(min_row=len(self._head)), 1):
            longest = max(len(str(cell.value or "")) for cell in cells)
            width = min(max(longest + 2, _NARROWEST), _WIDEST)
            sheet.column_dimensions[get_column_letter(at)].width = width
            cells[0].font = Font(bold=True)
        sheet.freeze_panes = sheet.cell(len(self._head) + 1, 1)
        return book

    def save(self, path: Path) -> None:
        """Write the file in one step, as a workbook or a CSV by its name.

        Raises:
            UsageError: It cannot be written; then what was there stands.
        """
        data = self.to_bytes(WORKBOOK if path.suffix.lower() == WORKBOOK else ".csv")
        with whole_file(path) as file:
            file.write(data)


def _fill(cell: Any, column: str, text: str) -> None:
    if column in _NUMBERS and _INTEGER.fullmatch(text):
        cell.value = int(text)
        return
    cell.value = _CONTROL.sub("?", text) or None
    if cell.value is not None:
        cell.data_type = "s"


def new_sheet(path: Path, options: GameOptions = DEFAULT_OPTIONS) -> Sheet:
    """Return an empty sheet with all columns."""
    columns = [*PEOPLE, *FOUND]
    return Sheet(path, columns, [columns.copy()], [], Style(), options=options)


# ---------------------------------------------------------------------- reading


def read_sheet(path: Path, options: GameOptions = DEFAULT_OPTIONS) -> Sheet:
    """Read a sheet: `.xlsx` is a workbook, all else a CSV.

    Of a workbook the first worksheet with headings that we know is read, beginning with the one
    that was open last.

    Args:
        path: The file.
        options: The options of lines that say nothing of them.

    Raises:
        UsageError: It cannot be read, is no table, is too large, or has no headings.
    """
    try:
        data = read_file(path, MAX_BYTES)
    except UnreadablePhotoError as error:
        advice = f"Give a table of at most {MAX_BYTES:,} bytes, whose first line names the columns."
        raise UsageError(error.message, advice if path.exists() else error.advice) from None
    if path.suffix.lower() == WORKBOOK:
        return _read_workbook(path, data, options)
    with suppress(UnreadablePhotoError):  # no picture
        kind = sniff(data, str(path))
        raise UsageError(
            f"{shown(path)} is a {kind.value} picture, not a table.",
            "Give a table with a column photo; kdscore and the name alone score a photo.",
        )
    text, encoding = _decoded(path, data)
    lines = list(StringIO(text, newline=""))
    mark = lines[0].strip() if lines and lines[0].lower().startswith("sep=") else ""
    delimiter = mark[4:5] or _delimiter(lines)
    rows = list(islice(_rows(lines, delimiter), MAX_ROWS + 1))
    first = lines[0] if lines else "\n"
    style = Style(delimiter, encoding, first[len(first.rstrip("\r\n")) :] or "\n")
    return _sheet(path, rows, style, None, options)


def _sheet(
    path: Path, rows: list[Row], style: Style, book: tuple[Any, str] | None, options: GameOptions
) -> Sheet:
    """The sheet of all rows of a file, below the first that names columns which we know."""
    if len(rows) > MAX_ROWS:
        raise UsageError(f"{shown(path)} has more than {MAX_ROWS:,} lines.", "Cut it into several.")
    at = heading_index([row.texts for row in rows])
    if at is None:
        raise UsageError(f"{shown(path)} is empty.", "The first line must name the columns.")
    columns = read_headings(rows[at].texts)
    head = [row.texts for row in rows[: at + 1]]
    return Sheet(path, columns, head, rows[at + 1 :], style, book, options)


def heading_index(rows: Sequence[Sequence[str]]) -> int | None:
    """Return the index of the headings: the first row with two names that we know, else one.

    Where none has any, the first that holds something; None where none does.
    """
    filled = [index for index, texts in enumerate(rows) if any(map(str.strip, texts))]
    filled = filled[:MOST_TITLES]
    for least in (2, 1):
        for index in filled:
            if known_headings(rows[index]) >= least:
                return index
    return filled[0] if filled else None


def _decoded(path: Path, data: bytes) -> tuple[str, str]:
    """The text, and the name of its encoding."""
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    for encoding in (marked, "cp1252"):
        with suppress(UnicodeDecodeError):
            text = data.decode(encoding)
            if "\0" not in text:
                return text, encoding
    raise UsageError(f"{shown(path)} is no text.", "Save it as CSV UTF-8.")


def _delimiter(lines: Sequence[str]) -> str:
    """The delimiter by which one of the first lines has most names that we know."""
    first = [line for line in lines if line.strip()][:MOST_TITLES]

    def worth(delimiter: str) -> tuple[int, int]:
        counts = [
            (known_headings(line.strip().replace('"', "").split(delimiter)), line.count(delimiter))
            for line in first
        ]
        return max(counts, default=(0, 0))

    return max(_DELIMITERS, key=worth)


def _rows(lines: list[str], delimiter: str) -> Iterator[Row]:
    """Yield the rows of a CSV. A quote that is never closed costs its own line only."""
    start = 0
    while start < len(lines):
        reader = csv.reader(islice(lines, start, None), delimiter=delimiter, strict=True)
        done = 0
        try:
            for texts in reader:
                yield Row(start + done + 1, texts)
                done = reader.line_num
            return
        except csv.Error:
            start += done + 1
            yield Row(start, [], lines[start - 1])


# ---------------------------------------------------------------------- workbooks


def _read_workbook(path: Path, data: bytes, options: GameOptions) -> Sheet:
    """A workbook, which stays open to be changed; formulas have the values that were saved."""
    check_workbooks()
    from openpyxl import load_workbook

    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > MAX_UNPACKED:
                raise UsageError(f"{shown(path)} is too large for a table.", "Save it as CSV.")
        book = load_workbook(BytesIO(data))
        values = load_workbook(BytesIO(data), data_only=True)
    except UsageError:
        raise
    except Exception as error:
        raise UsageError(
            f"{shown(path)} is no workbook, or is damaged ({type(error).__name__}).",
            "Open it in a spreadsheet and save it again as .xlsx, or as CSV.",
        ) from None
    tables = {sheet.title: sheet for sheet in book.worksheets}
    names = [book.active.title, *tables]
    texts = {name: _texts(tables[name], values[name]) for name in names if name in tables}
    fitting = (name for name in texts if max(map(known_headings, texts[name]), default=0) > 1)
    name = next(fitting, next(iter(texts)))
    rows = [Row(number, cells) for number, cells in enumerate(texts[name], 1)]
    return _sheet(path, rows, Style(), (book, name), options)


def _texts(sheet: Any, values: Any) -> list[list[str]]:
    """The cells of a worksheet as they would be typed; merged ones say the same in each row."""
    rows = []
    for cells, saved in zip(sheet.iter_rows(), values.iter_rows(values_only=True), strict=True):
        rows.append(
            [
                _text(cell.value if value is None else value)
                for cell, value in zip(cells, saved, strict=True)
            ]
        )
    for merged in sheet.merged_cells.ranges:
        text = rows[merged.min_row - 1][merged.min_col - 1]
        for row in rows[merged.min_row - 1 : merged.max_row]:
            if any(map(str.strip, row)):
                row[merged.min_col - 1] = text
    while rows and not any(map(str.strip, rows[-1])):
        rows.pop()
    return rows


def _text(value: object) -> str:
    """A cell as it would be typed."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return str(value)


def check_workbooks() -> None:
    """Check that workbooks can be read and written.

    Raises:
        UsageError: openpyxl is not installed.
    """
    try:
        import openpyxl  # noqa: F401
    except ImportError:
        raise missing_extra("An Excel workbook", "xlsx") from None


# ---------------------------------------------------------------------- lines that are the same


#: Columns in which rows that are one line agree, the first two of which hold something.
_SAME_LINE = (
    ("photo", "player", "kingdom", "game", "round"),
    ("photo", "kingdom"),
    ("photo", "player"),
    ("player", "game", "round"),
)


def match_rows(
    new: Sequence[Mapping[str, str]], old: Sequence[Mapping[str, str]]
) -> dict[int, int]:
    """Return which rows of two versions of a sheet are the same line, by index.

    Rows may have been sorted, edited, added and deleted. Equal rows go first, then those of one
    kingdom, those of one photo in which a single word differs, and those of one player.
    """
    pairs: dict[int, int] = {}
    left = dict.fromkeys(range(len(old)))

    def pair(key_columns: Sequence[str] | None, *, alone: bool) -> None:
        groups: dict[object, list[int]] = {}
        for index in left:
            groups.setdefault(_row_key(old[index], key_columns), []).append(index)
        waiting: dict[object, list[int]] = {}
        for index in range(len(new)):
            if index not in pairs:
                waiting.setdefault(_row_key(new[index], key_columns), []).append(index)
        for key, indices in waiting.items():
            same = groups.get(key, []) if key else []
            if same and (not alone or len(indices) == len(same) == 1):
                for index, before in zip(indices, same, strict=False):
                    pairs[index] = before
                    del left[before]

    def pair_nearest() -> None:
        left_of: dict[str, list[int]] = {}
        for index in left:
            left_of.setdefault(old[index].get("photo", ""), []).append(index)
        for index, row in enumerate(new):
            likely = left_of.get(row.get("photo", ""), []) if row.get("photo") else []
            if index not in pairs and likely:
                nearest = min(likely, key=lambda before: _changes(row, old[before]))
                if _changes(row, old[nearest]) <= 1:
                    pairs[index] = nearest
                    likely.remove(nearest)
                    del left[nearest]

    pair(None, alone=False)
    pair(("photo", "reading"), alone=True)
    pair_nearest()
    for columns in _SAME_LINE:
        pair(columns, alone=True)
    return pairs


def _changes(new: Mapping[str, str], old: Mapping[str, str]) -> int:
    """The number of words that differ."""
    return sum(new[column] != old[column] for column in new.keys() & old.keys())


def _row_key(row: Mapping[str, str], columns: Sequence[str] | None) -> object:
    """What must be equal in two rows; empty where a row has none of it to compare."""
    if columns is None:
        return frozenset(row.items())
    if not row.get(columns[0]) or not row.get(columns[1]):
        return ()
    return tuple(row.get(column, "") for column in columns)


def people(cells: Mapping[str, str]) -> dict[str, str]:
    """Return the cells that people wrote."""
    return {column: text for column, text in cells.items() if column not in FOUND and text}


def merge_words(
    written: Mapping[str, str],
    word: Mapping[str, str],
    last_written: Mapping[str, str],
    last_word: Mapping[str, str],
    columns: Iterable[str],
) -> tuple[dict[str, str], int]:
    """Merge the cells that people wrote into an output and into its input.

    A cell that a person changed in the output since the last run stays; any other takes the word of
    the input where that is new.

    Args:
        written: The cells of the line in the output.
        word: Those in the input.
        last_written: Those of the output as the last run wrote it.
        last_word: Those that the input had then.
        columns: The columns of people.

    Returns:
        The cells, and how many were changed in both.
    """
    cells: dict[str, str] = {}
    conflicts = 0
    for column in columns:
        written_text, word_text = written.get(column, ""), word.get(column, "")
        is_edited = written_text != last_written.get(column, "")
        is_new = word_text != last_word.get(column, "")
        conflicts += is_edited and is_new and written_text != word_text
        cells[column] = word_text if is_new and not is_edited else written_text
    return cells, conflicts
