"""Sheets: a CSV or a workbook, a line per kingdom, whose cells are read and changed in place.

What nobody changes stays as it was: of a CSV its separator, encoding, order and line ends; of a
workbook everything else that it holds. Text is UTF-8, UTF-16 with a byte-order mark, or cp1252;
commas, semicolons or tabs separate columns. The headings stand in the first row that names columns
which we know; titles above it stay.
"""

import codecs
import csv
import datetime
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kdvision.errors import UnreadablePhotoError, UsageError, missing_extra
from kdvision.files import PathKind, find_kind, read_file, replace_file, shown
from kdvision.rules.rules import DEFAULT_RULES, Rules
from kdvision.sentences import Sentence
from kdvision.tournament.columns import (
    FOUND,
    PEOPLE,
    Line,
    count_headings,
    drop_found,
    identify,
    list_synonyms,
    read_headings,
)
from kdvision.tournament.journal import WrittenLine

#: bytes. A larger file is no table of games.
MAX_BYTES = 64_000_000
WORKBOOK = ".xlsx"
#: The suffixes by which sheets differ from photos.
SHEET_SUFFIXES = (".csv", ".tsv", ".txt", WORKBOOK)
#: The headings stand in one of this number of rows that hold something.
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

Rows = list[list[str]]


class Style(Struct, frozen=True):
    """The form of a CSV."""

    delimiter: str = ","
    encoding: str = "utf-8"
    line_end: str = "\n"


class Sheet:
    """A table with a line per kingdom.

    Args:
        path: Where it was read.
        rows: All its rows, with the titles and headings above its lines.
        style: Its form as a CSV.
        book: The workbook of openpyxl, and its worksheet, where it is one.
        options: The options of lines that say nothing of them.

    `columns` are our names of its columns, else what `plain` makes of their headings.

    Raises:
        UsageError: It is empty, or two headings have one meaning.
    """

    def __init__(
        self,
        path: Path,
        rows: Rows,
        style: Style,
        book: tuple[Any, Any] | None = None,
        options: Rules = DEFAULT_RULES,
    ) -> None:
        head = find_headings(rows)
        if head is None:
            raise UsageError(f"{shown(path)} is empty.", "The first line must name the columns.")
        width = max(map(len, rows[head:]))
        self.path = path
        self.columns = [*read_headings([*rows[head], *[""] * (width - len(rows[head]))])]
        self._rows = rows
        self._head = head
        self._style = style
        self._book = book
        self._options = options

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines that hold something, without those that add others up."""
        headings = dict(zip(self.columns, map(str.strip, self._rows[self._head]), strict=False))
        lines = []
        for number in range(self._head + 2, len(self._rows) + 1):
            cells = self.cells(number)
            line = Line.of(cells, number, self._options, headings)
            if cells and not line.is_sum:
                lines.append(line)
        return tuple(lines)

    def cells(self, number: int) -> dict[str, str]:
        """Return the cells of a row that hold something, by column, without blanks around them."""
        pairs = zip(self.columns, map(str.strip, self._rows[number - 1]), strict=False)
        return {column: text for column, text in pairs if text}

    def require(self, *groups: Sequence[str]) -> None:
        """Check that of each group of columns one is there.

        Raises:
            UsageError: A column is missing; the sentence has the headings, and the word to use.
        """
        for columns in groups:
            if not {*columns} & {*self.columns}:
                headings = [text.strip()[:30] for text in self._rows[self._head] if text.strip()]
                fields = {"column": columns[0], "headings": ", ".join(headings[:12])}
                fields["names"] = list_synonyms(columns[0])
                raise UsageError(Sentence("sheet.no-column", {**fields, "path": shown(self.path)}))

    # ------------------------------------------------------------------ changing cells

    def set(self, number: int, cells: Mapping[str, str]) -> None:
        """Change cells of a line by column; columns that are missing are added at the end."""
        texts = self._rows[number - 1]
        for column, text in cells.items():
            if column not in self.columns:
                if not text and column not in FOUND:
                    continue
                self._add_column(column)
            at = self.columns.index(column)
            texts += [""] * (at + 1 - len(texts))
            if texts[at].strip() != text:
                texts[at] = text
                if self._book:
                    _fill(self._book[1].cell(number, at + 1), column, text)

    def set_known(self, number: int, cells: Mapping[str, str]) -> None:
        """Note what formulas are known to show, and leave them as they are in the file."""
        for column, text in self.cells(number).items():
            if text.startswith("="):
                self._rows[number - 1][self.columns.index(column)] = cells.get(column, "")

    def add(self, cells: Mapping[str, str]) -> int:
        """Add a line at the end, and return its number."""
        self._rows.append([])
        self.set(len(self._rows), cells)
        return len(self._rows)

    def _add_column(self, column: str) -> None:
        """Add a column right of all that is there."""
        headings = self._rows[self._head]
        headings += [""] * (len(self.columns) - len(headings)) + [column]
        self.columns.append(column)
        if self._book:
            self._book[1].cell(self._head + 1, len(self.columns), column)

    # ------------------------------------------------------------------ writing

    def to_bytes(self, suffix: str = "") -> bytes:
        """Return the file, in another form where `suffix` is `.csv` or `.xlsx`.

        Raises:
            UsageError: openpyxl is not installed.
        """
        if (suffix or self.path.suffix).lower() == WORKBOOK:
            out = BytesIO()
            book = self._book[0] if self._book else self._make_book()
            book.save(out)
            return out.getvalue()
        text, style = StringIO(), self._style
        writer = csv.writer(text, delimiter=style.delimiter, lineterminator=style.line_end)
        width = len(self._rows[self._head])
        writer.writerows(self._rows[: self._head])
        for texts in self._rows[self._head :]:
            writer.writerow([*texts, *[""] * (width - len(texts))] if texts else texts)
        try:
            return text.getvalue().encode(style.encoding)
        except UnicodeEncodeError:
            return text.getvalue().encode("utf-8-sig")

    def _make_book(self) -> Any:
        """Return a workbook of all rows."""
        book = import_openpyxl().Workbook()
        sheet = book.active
        for number, texts in enumerate(self._rows, 1):
            for at, text in enumerate(texts):
                column = self.columns[at] if number > self._head else ""
                _fill(sheet.cell(number, at + 1), column, text)
        return book

    def save(self, path: Path) -> None:
        """Write the file in one step, as a workbook or a CSV by its name.

        Raises:
            UsageError: It cannot be written; then what was there stands.
        """
        data = self.to_bytes(WORKBOOK if path.suffix.lower() == WORKBOOK else ".csv")
        with replace_file(path) as file:
            file.write(data)


def _fill(cell: Any, column: str, text: str) -> None:
    """Write a text into a cell of a workbook; what starts with = is text, no formula."""
    if column in _NUMBERS and _INTEGER.fullmatch(text):
        cell.value = int(text)
        return
    cell.value = _CONTROL.sub("?", text) or None
    if cell.value is not None:
        cell.data_type = "s"


def make_sheet(path: Path, options: Rules = DEFAULT_RULES) -> Sheet:
    """Return an empty sheet with all columns."""
    return Sheet(path, [[*PEOPLE, *FOUND]], Style(), options=options)


# ---------------------------------------------------------------------- reading


def read_sheet(path: Path, options: Rules = DEFAULT_RULES) -> Sheet:
    """Read a sheet: `.xlsx` is a workbook, all else a CSV.

    Of a workbook the worksheet with most headings that we know is read, of several the one that
    was open last.

    Args:
        path: The file.
        options: The options of lines that say nothing of them.

    Raises:
        UsageError: It cannot be read, is no table, is too large, or has no headings.
    """
    try:
        data = read_file(path, MAX_BYTES)
    except UnreadablePhotoError as error:
        advice = error.advice
        if find_kind(path) is PathKind.FILE:
            advice = "Give a table, CSV or .xlsx, whose first line names the columns."
        raise UsageError(error.message, advice) from None
    if path.suffix.lower() == WORKBOOK:
        return _read_workbook(path, data, options)
    text, encoding = _decode(path, data)
    first, *_ = lines = text.splitlines(keepends=True) or ["\n"]
    delimiter = _find_delimiter(lines)
    line_end = first[len(first.rstrip("\r\n")) :] or "\n"
    rows: Rows = []
    try:
        rows.extend(csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error:
        raise UsageError(
            f"A quote is not closed in line {len(rows) + 1} of {shown(path)}.",
            "Close it, or take it out.",
        ) from None
    return Sheet(path, rows, Style(delimiter, encoding, line_end), options=options)


def find_headings(rows: Sequence[Sequence[str]]) -> int | None:
    """Return the index of the headings: the row that has most names that we know.

    Only the first rows are looked at. Where none has any name, it is the first row that holds
    something; None where none does.
    """
    filled = [index for index, texts in enumerate(rows) if any(map(str.strip, texts))]
    candidates = filled[:MOST_TITLES]
    return max(candidates, key=lambda index: count_headings(rows[index]), default=None)


def _decode(path: Path, data: bytes) -> tuple[str, str]:
    """Return the text, and the name of its encoding."""
    by_mark = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    for encoding in (by_mark, "cp1252"):
        with suppress(UnicodeDecodeError):
            text = data.decode(encoding)
            if "\0" not in text:
                return text, encoding
    advice = f"Give a CSV or .xlsx. To score a photo: kdscore {shown(path)}"
    raise UsageError(f"{shown(path)} is no table.", advice)


def _find_delimiter(lines: Sequence[str]) -> str:
    """Return the delimiter that separates most headings that we know."""

    def most_headings(delimiter: str) -> int:
        return max(count_headings(line.split(delimiter)) for line in lines[:MOST_TITLES])

    return max(_DELIMITERS, key=most_headings)


# ---------------------------------------------------------------------- workbooks


def _read_workbook(path: Path, data: bytes, options: Rules) -> Sheet:
    """Read a workbook, which stays open to be changed; formulas have the values that were saved."""
    load = import_openpyxl().load_workbook
    try:
        book, values = load(BytesIO(data)), load(BytesIO(data), data_only=True)
    except Exception as error:
        raise UsageError(
            f"{shown(path)} is no workbook, or is damaged ({type(error).__name__}).",
            "Open it in a spreadsheet and save it again as .xlsx, or as CSV.",
        ) from None
    tables = sorted(book.worksheets, key=lambda sheet: sheet is not book.active)
    texts = [_read_texts(sheet, values[sheet.title]) for sheet in tables]
    names = [max(map(count_headings, rows), default=0) for rows in texts]
    index = names.index(max(names))
    return Sheet(path, texts[index], Style(), (book, tables[index]), options)


def _read_texts(sheet: Any, values: Any) -> Rows:
    """Return the cells of a worksheet as they would be typed, without empty rows at the end."""
    rows = []
    for cells, saved in zip(sheet.iter_rows(), values.iter_rows(values_only=True), strict=True):
        pairs = zip(cells, saved, strict=True)
        rows.append([_show_value(cell.value if value is None else value) for cell, value in pairs])
    while rows and not any(map(str.strip, rows[-1])):
        rows.pop()
    return rows


def _show_value(value: object) -> str:
    """Return a value as it would be typed."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return str(value)


def import_openpyxl() -> Any:
    """Return the module that reads and writes workbooks.

    Raises:
        UsageError: openpyxl is not installed.
    """
    try:
        import openpyxl
    except ImportError:
        raise missing_extra("An Excel workbook", "xlsx") from None
    return openpyxl


# ---------------------------------------------------------------------- what is new in a sheet

#: What the last run wrote of lines, by their numbers.
History = defaultdict[int, WrittenLine]


def recall_lines(sheet: Sheet, tables: Sequence[Sequence[WrittenLine]]) -> History:
    """Find what the last run wrote of each line of its output, wherever the line stands now.

    Args:
        sheet: The output. Cells of which a program has saved no value get what was written.
        tables: What the last runs wrote, or were about to write when they were killed.
    """
    lines = sheet.lines
    cells = Counter(cell for line in lines for cell in line.cells.items())

    def count_changes(table: Sequence[WrittenLine]) -> int:
        old_cells = Counter(cell for written in table for cell in written.cells.items())
        return (old_cells - cells).total() + (cells - old_cells).total()

    # The sheet is what that run wrote from which it differs least.
    table = min(reversed(tables), key=count_changes, default=())
    old_rows = [identify(written.cells) for written in table]
    pairs = match_rows([identify(line.cells) for line in lines], old_rows)
    past = History(lambda: WrittenLine({}))
    for index, old_index in pairs.items():
        number, written = lines[index].number, table[old_index]
        past[number] = written
        # A workbook that was saved by a program has formulas without their values.
        sheet.set_known(number, written.cells)
    return past


def merge_inputs(sheet: Sheet, inputs: Sequence[Sheet], past: History) -> int:
    """Put what is new in the inputs into the lines of the output; add lines that are new.

    Args:
        sheet: The output, which may be the input itself.
        inputs: The sheets.
        past: What the last run wrote of the lines; it gets what the inputs say now.

    Returns:
        How many cells were changed in both.
    """
    lines = {line.number: drop_found(line.cells) for line in sheet.lines}
    numbers = [*lines]
    if sheet in inputs:
        rows, pairs = [*lines.values()], {n: n for n in range(len(lines))}
    else:
        # A row of an input is the line of which the inputs said this last time, else that says it.
        rows = [drop_found(line.cells) for input_ in inputs for line in input_.lines]
        old_rows = [past[number].source or cells for number, cells in lines.items()]
        pairs = match_rows(rows, old_rows)
    conflicts = 0
    for index, row in enumerate(rows):
        if index in pairs:
            number = numbers[pairs[index]]
            cells, count = merge_cells(lines[number], row, past[number])
            sheet.set(number, cells)
            conflicts += count
        else:
            number = sheet.add(row)
        past[number] = replace(past[number], source=row)
    return conflicts


# ---------------------------------------------------------------------- lines that are the same


#: Cells of these columns tell a line, whatever else was changed in it: the surest first.
_TELLING_COLUMNS = (
    ("photo", "reading"),
    ("photo", "player"),
    ("photo", "claimed"),
    ("photo", "kingdom"),
    ("player", "game", "round"),
)


def match_rows(
    new: Sequence[Mapping[str, str]], old: Sequence[Mapping[str, str]]
) -> dict[int, int]:
    """Return which rows of two versions of a sheet are the same line, by index.

    Rows may have been sorted, edited, added and deleted. Rows that are equal are paired first, then
    those in which one cell was changed, a name after all else: two claims that were exchanged move
    no name. What is left is paired by two words that tell a line. A row that has only a photo, and
    of another name, is another line.
    """
    names = dict.fromkeys(column for row in (*old, *new) for column in row)
    columns = sorted(names, key=("photo", "player", "reading").count)
    ways = [(2 if column == "photo" else 1, {*columns} - {column}) for column in ("", *columns)]
    ways += [(2, {*group}) for group in _TELLING_COLUMNS]
    pairs: dict[int, int] = {}
    for least, way in ways:
        taken = {*pairs.values()}
        by_words: defaultdict[object, list[int]] = defaultdict(list)
        for before, row in enumerate(old):
            if before not in taken:
                by_words[_pick(row, way)].append(before)
        for index, row in enumerate(new):
            words = () if index in pairs else _pick(row, way)
            if len(words) >= least and by_words[words]:
                pairs[index] = by_words[words].pop(0)
    return pairs


def _pick(row: Mapping[str, str], columns: Collection[str]) -> frozenset[tuple[str, str]]:
    return frozenset((column, row[column]) for column in columns if row.get(column))


def merge_cells(
    cells: Mapping[str, str], source: Mapping[str, str], last: WrittenLine
) -> tuple[dict[str, str], int]:
    """Merge the cells that people wrote into a line of the output and into its input.

    A cell that a person changed in the output since the last run stays; any other takes what the
    input says where that is new.

    Args:
        cells: The cells of the line in the output.
        source: Those in the input.
        last: What the last run wrote of the line, and what the input said then.

    Returns:
        The cells, and how many were changed in both.
    """
    merged: dict[str, str] = {}
    conflicts = 0
    for column in dict.fromkeys((*cells, *source, *last.source)):
        text, source_text = cells.get(column, ""), source.get(column, "")
        is_edited = text != last.cells.get(column, "")
        is_new = source_text != last.source.get(column, "")
        conflicts += is_edited and is_new and text != source_text
        merged[column] = source_text if is_new and not is_edited else text
    return merged, conflicts
