"""Results: the rows of people with what the program found, as a CSV or a workbook.

They hold all columns of people as values, in their order, then the six of the program. The same
rows and verdicts give the same bytes.
"""

import csv
import datetime
import re
from collections.abc import Iterable, Sequence
from io import BytesIO, StringIO
from typing import TYPE_CHECKING

from kdvision.errors import UsageError, missing_extra
from kdvision.sentences import ENGLISH
from kdvision.tournament.cells import Value, show_value
from kdvision.tournament.columns import FOUND, TEMPLATE, Column, fold
from kdvision.tournament.csv_files import PLAIN, Form
from kdvision.tournament.judging import Verdict, Word
from kdvision.tournament.rows import Row

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

WORKBOOK = ".xlsx"
#: The suffixes of results.
RESULT_SUFFIXES = (".csv", WORKBOOK)
#: Columns whose texts are written as numbers into a workbook: no name of a player is one.
_NUMBERS = {"score", "counts", "claimed", "size", "game", "round", "accept"}
_INTEGER = re.compile(r"0|[1-9][0-9]{0,8}")
#: Colours of verdicts: what asks for a person stands out.
_PAINTS = {
    Word.AGREES: "#D8F0D8",
    Word.SETTLED: "#D8E6F8",
    Word.DIFFERS: "#F8D0D0",
    Word.CANNOT_TELL: "#FBEFC8",
    Word.BAD_ROW: "#F8D0D0",
}
#: Letters. Narrower than the one, headings with the arrow of a filter are cut; wider than the
#: other, explanations push everything else off the screen.
_LEAST_WIDTH, _MOST_WIDTH = 10, 60
#: A text is never taken for a formula or an address; days are written as `show_value` does.
_OPTIONS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "default_date_format": "yyyy-mm-dd",
}
#: What a workbook says of its making: the time is fixed, so that the bytes are.
_CREATED = datetime.datetime(2000, 1, 1)


def make_results(
    verdicts: Sequence[Verdict],
    suffix: str = ".csv",
    language: str = ENGLISH,
    form: Form = PLAIN,
) -> bytes:
    """Return the file of results.

    Args:
        verdicts: The verdicts of all rows, in the order in which the rows are written.
        suffix: `.csv` or `.xlsx`.
        language: That of the explanations.
        form: That of a CSV.

    Raises:
        UsageError: A workbook cannot hold them, or XlsxWriter is not installed.
    """
    columns, rows = _make_table(verdicts, language)
    if suffix.lower() == WORKBOOK:
        return _write_workbook(columns, rows)
    text = StringIO()
    writer = csv.writer(text, delimiter=form.delimiter, lineterminator="\n")
    writer.writerow(column.heading for column in columns)
    for cells in rows:
        writer.writerow(map(show_value, cells))
    return text.getvalue().encode("utf-8-sig" if form.is_marked else "utf-8")


def _make_table(
    verdicts: Sequence[Verdict], language: str
) -> tuple[list[Column], list[list[Value]]]:
    """Return the columns of results, those of people, then the six of the program; and the cells.

    A column that several sheets have stands once: columns are one where they mean the same or are
    headed alike.
    """
    columns: dict[tuple[str, int], Column] = {}
    for own in dict.fromkeys(verdict.row.columns for verdict in verdicts):
        for key, column in zip(_list_keys(own), own, strict=True):
            columns.setdefault(key, column)
    rows: list[list[Value]] = []
    for verdict in verdicts:
        row = verdict.row
        values = dict(zip(_list_keys(row.columns), row.values, strict=True))
        cells = [values.get(key, "") for key in columns]
        cells += verdict.cells(language).values()
        rows.append(cells)
    for name in FOUND:
        columns[f"kdscore {name}", 0] = Column(name, name)
    return list(columns.values()), rows


def make_template_row(photo: str) -> Row:
    """Return a row with the columns of people in results that have no sheet."""
    return Row.of(dict.fromkeys(TEMPLATE, "") | {"photo": photo})


def _list_keys(columns: Iterable[Column]) -> list[tuple[str, int]]:
    """Return what makes columns of several sheets one: the meaning, or heading, and its count."""
    counts: dict[str, int] = {}
    keys = []
    for column in columns:
        word = column.name or f"={fold(column.heading)}"
        counts[word] = counts.get(word, 0) + 1
        keys.append((word, counts[word]))
    return keys


# ---------------------------------------------------------------------- workbooks


def check_writer() -> None:
    """Raise a UsageError where workbooks cannot be written, as XlsxWriter is not installed."""
    try:
        import xlsxwriter  # noqa: F401
    except ImportError:
        raise missing_extra("A workbook", "xlsx") from None


def _write_workbook(columns: Sequence[Column], rows: Sequence[Sequence[Value]]) -> bytes:
    """Return a workbook with a header, a filter over all columns, and the colours of verdicts.

    Raises:
        UsageError: It cannot hold a row.
    """
    check_writer()
    from xlsxwriter import Workbook

    out = BytesIO()
    with Workbook(out, _OPTIONS) as book:
        book.set_properties({"created": _CREATED})
        sheet = book.add_worksheet("results")
        bold = book.add_format({"bold": True, "bottom": 1})
        paints = {word: book.add_format({"bg_color": paint}) for word, paint in _PAINTS.items()}
        for place, column in enumerate(columns):
            _write_cell(sheet, 0, place, column.heading, bold)
            width = max(_LEAST_WIDTH, len(column.heading) + 3)
            is_verdict = column == Column("verdict", "verdict")
            for index, cells in enumerate(rows, 1):
                value = _type_value(cells[place], column.name)
                paint = paints.get(Word(str(value))) if is_verdict else None
                _write_cell(sheet, index, place, value, paint)
                width = max(width, len(show_value(value)))
            sheet.set_column(place, place, min(width, _MOST_WIDTH))
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, len(rows), len(columns) - 1)
    return out.getvalue()


def _type_value(value: Value, name: str) -> Value:
    """Return a value as a workbook holds it: numbers and days as such, times of a day as texts."""
    if isinstance(value, str):
        if name in _NUMBERS and _INTEGER.fullmatch(value):
            return int(value)
        return value
    is_day = isinstance(value, datetime.date) and len(show_value(value)) == len("2000-01-01")
    if is_day or isinstance(value, int | float):
        return value
    return show_value(value)


def _write_cell(
    sheet: "Worksheet", index: int, place: int, value: Value, style: "Format | None"
) -> None:
    """Write a value.

    Raises:
        UsageError: A workbook cannot hold it, as it is too long or there are too many rows.
    """
    write = sheet.write_string if isinstance(value, str) and value else sheet.write
    if write(index, place, value, style):
        raise UsageError(
            f"A workbook cannot hold row {index + 1} of the results: there are too many rows, or a "
            "cell has too many letters.",
            "Write a CSV: -o results.csv",
        )
