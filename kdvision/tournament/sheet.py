"""Sheets: tables that people keep, a row per kingdom, read for their values and never written.

A sheet is a CSV or a worksheet of a workbook. The headings stand in the row that names most
columns which we know; what is above it is passed over.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from kdvision.errors import UnreadablePhotoError, UsageError
from kdvision.files import PathKind, find_kind, read_file, shown
from kdvision.rules.rules import DEFAULT_RULES, Rules
from kdvision.sentences import ENGLISH, Sentence, sentence
from kdvision.tournament.cells import show_value
from kdvision.tournament.columns import (
    FOUND,
    Column,
    find_headings,
    find_results,
    list_synonyms,
    read_headings,
)
from kdvision.tournament.csv_files import PLAIN, Form, read_csv
from kdvision.tournament.likeness import parse_reading
from kdvision.tournament.rows import Row
from kdvision.tournament.workbooks import WORKBOOKS, Worksheet, read_workbook

#: bytes. A larger file is no table of games.
MAX_BYTES = 64_000_000
#: The suffixes by which sheets differ from photos.
SHEET_SUFFIXES = (".csv", ".tsv", ".txt", *WORKBOOKS)

_Cell = TypeVar("_Cell")
#: For each group of columns, one must be there.
Needs = Sequence[Sequence[str]]


class Sheet(Struct, frozen=True, kw_only=True):
    """A table of people.

    Attributes:
        path: The file.
        worksheet: Its name in a workbook; empty for a CSV.
        columns: The columns of people.
        rows: The rows that hold something.
        has_results: Whether the program wrote it: its six columns stand there, too.
        form: In which form results of it are written as a CSV.
        unread: The worksheets of its workbook that are no sheets.
        note: What may have been read otherwise than it was written.
    """

    path: Path
    worksheet: str = ""
    columns: tuple[Column, ...] = ()
    rows: tuple[Row, ...] = ()
    has_results: bool = False
    form: Form = PLAIN
    unread: tuple[str, ...] = ()
    note: Sentence | None = None

    @property
    def name(self) -> str:
        """What messages call it: `day.xlsx`, `day.xlsx/Round 1`."""
        name = shown(self.path.name)
        return f"{name}/{self.worksheet}" if self.worksheet else name

    def count_columns(self) -> int:
        """Return how many of its columns are ours."""
        return sum(bool(column.name) for column in self.columns)

    def find_missing(self, needs: Needs) -> str:
        """Return the first column that is needed and is not there; empty where none is missing."""
        names = {column.name for column in self.columns}
        if self.has_results:
            names.update(FOUND)
        for group in needs:
            if names.isdisjoint(group):
                return group[0]
        return ""


def read_sheets(
    path: Path, needs: Needs = (("photo",),), rules: Rules = DEFAULT_RULES
) -> tuple[Sheet, ...]:
    """Read the sheets of a file: all visible worksheets that have the columns, or the CSV.

    Args:
        path: The file.
        needs: Groups of columns, of each of which one must be there.
        rules: The rules of rows that name none.

    Raises:
        UsageError: It cannot be read, is no table, is too large, or lacks a column.
    """
    try:
        data = read_file(path, MAX_BYTES)
    except UnreadablePhotoError as error:
        advice = "Give a table, CSV or a workbook, whose first row names the columns."
        raise UsageError(
            error.message, advice if find_kind(path) is PathKind.FILE else error.advice
        ) from None
    # The tables of the file, and those of them that have the columns.
    if path.suffix.lower() in WORKBOOKS:
        worksheets, form, note = read_workbook(path, data), Form(is_marked=True), None
    else:
        rows, form, note = read_csv(path, data)
        worksheets = [Worksheet("", rows)]
    sheets: list[Sheet] = []
    failed: list[Sheet] = []
    unread: list[str] = []
    for worksheet in worksheets:
        sheet = _read_table(path, worksheet, rules)
        if sheet is None or worksheet.is_hidden:
            unread.append(worksheet.name)
        elif sheet.find_missing(needs):
            unread.append(worksheet.name)
            failed.append(sheet)
        else:
            sheets.append(replace(sheet, note=note, form=form))
    if not sheets:
        raise _missing_column(path, failed, needs)
    return (replace(sheets[0], unread=tuple(unread)), *sheets[1:])


def _missing_column(path: Path, sheets: Sequence[Sheet], needs: Needs) -> UsageError:
    """Return the error for a file of which no sheet has the columns."""
    if not sheets:
        return UsageError(f"{shown(path)} is empty.", "The first row must name the columns.")
    best = max(sheets, key=lambda sheet: sheet.count_columns())
    column = best.find_missing(needs)
    headings = [text.heading[:30] for text in best.columns if text.heading]
    fields = {
        "path": shown(path),
        "column": column,
        "headings": ", ".join(headings[:12]),
        "names": ", ".join(list_synonyms(column)),
    }
    return UsageError(Sentence("sheet.no-column", fields))


def name_sheets(sheets: Sequence[Sheet]) -> list[Row]:
    """Return the rows of all sheets; where there are several, each row knows its own.

    Sheets of one name are told apart by their folders.
    """
    if len(sheets) == 1:
        return list(sheets[0].rows)
    counts = Counter(sheet.name for sheet in sheets)
    rows: list[Row] = []
    for sheet in sheets:
        name = sheet.name
        if counts[name] > 1:
            name = f"{shown(sheet.path.parent)}/{name}"
        rows += [replace(row, sheet=name) for row in sheet.rows]
    return rows


def describe_sheet(sheet: Sheet, language: str = ENGLISH, *, is_ranked: bool = False) -> str:
    """Say what of a sheet is read as what, in one line.

    Args:
        sheet: The sheet.
        language: That of the line.
        is_ranked: Whether the results in it are ranked, and not made anew.
    """
    read: list[str] = []
    kept: list[str] = []
    for column in sheet.columns:
        if not column.name:
            kept.append(column.heading)
        elif column.name == column.heading.lower():
            read.append(column.name)
        else:
            read.append(f"{column.name} = {column.heading}")
    fields = {"sheet": sheet.name, "n": len(sheet.rows), "columns": ", ".join(read)}
    texts = [sentence("sheet.read", language, **fields)]
    if any(kept):
        names = ", ".join(filter(None, kept))
        texts.append(sentence("sheet.kept", language, columns=names))
    if sheet.has_results and not is_ranked:
        texts.append(sentence("sheet.results", language))
    if sheet.unread:
        texts.append(sentence("sheet.unread", language, names=", ".join(sheet.unread)))
    if sheet.note:
        texts.append(sheet.note.text(language))
    return " ".join(texts)


# ---------------------------------------------------------------------- rows


def _read_table(path: Path, worksheet: Worksheet, rules: Rules) -> Sheet | None:
    """Return the sheet of a worksheet; None where it is empty."""
    texts = [[show_value(value) for value in cells] for cells in worksheet.rows]
    head = find_headings(texts)
    if head is None:
        return None
    width = max(_count_cells(cells) for cells in texts[head:])
    headings = _widen(texts[head], width)
    # The program's own columns are taken out of those of people.
    results = find_results(headings)
    block = range(0) if results is None else range(results, results + len(FOUND))
    places = [place for place in range(width) if place not in block]
    columns = read_headings([headings[place] for place in places])
    rows: list[Row] = []
    for index in range(head + 1, len(texts)):
        cells, values = _widen(texts[index], width), _widen(worksheet.rows[index], width)
        # A row of headings may stand again above every table.
        if not any(cells) or cells == headings:
            continue
        found = dict(zip(FOUND, [cells[place] for place in block], strict=False))
        row = Row.read(
            columns,
            [values[place] for place in places],
            rules,
            position=index + 1,
            found=found,
            reading=parse_reading(found.get("reading", "")),
        )
        rows.append(row)
    return Sheet(
        path=path,
        worksheet=worksheet.name,
        columns=columns,
        rows=tuple(rows),
        has_results=results is not None,
    )


def _count_cells(cells: Sequence[str]) -> int:
    """Return how wide a row is, up to its last cell that holds something."""
    width = len(cells)
    while width and not cells[width - 1]:
        width -= 1
    return width


def _widen(cells: Sequence[_Cell], width: int) -> list[_Cell | str]:
    """Return the cells of a row, with empty ones up to a width, and none beyond it."""
    padded: list[_Cell | str] = list(cells[:width])
    padded += [""] * (width - len(padded))
    return padded


def is_results(path: Path) -> bool:
    """Tell whether a file holds results: the six headings of the program stand in it."""
    try:
        return any(sheet.has_results for sheet in read_sheets(path, ()))
    except UsageError:
        return False
