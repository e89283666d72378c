"""Excel workbooks, through openpyxl (`pip install kdvision[xlsx]`)."""

import datetime
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from kdvision.errors import UsageError

#: A workbook that unpacks to more than this is no table of games.
MAX_UNPACKED = 100_000_000
#: Widths of columns, in characters: enough for a heading, and no more than a screen can show.
_NARROWEST, _WIDEST = 6, 60
#: A formula may ask for others so many times over.
_MOST_DEPTH = 20
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,8})")
#: The backgrounds of statuses and verdicts, light enough for black letters.
COLOURS = {
    "sure": "C8E6C9", "agrees": "C8E6C9", "settled": "C8E6C9",
    "doubtful": "FFE0B2", "cannot tell": "FFE0B2", "open": "FFE0B2",
    "differs": "FFCDD2", "unreadable": "CFD8DC", "no-kingdom": "CFD8DC",
    "bad-line": "CFD8DC", "bad line": "CFD8DC",
}  # fmt: skip


def worksheet_names(path: Path, data: BytesIO, worksheet: str | None = None) -> tuple[str, ...]:
    """The names of the worksheets, that which is read first; hidden ones are left out.

    Raises:
        UsageError: openpyxl is not installed, or there is no such worksheet.
    """
    book = _opened(path, data, read_only=True)
    try:
        read = _worksheet(path, book, worksheet).title
        shown = [sheet.title for sheet in book.worksheets if sheet.sheet_state == "visible"]
    finally:
        book.close()
    return (read, *(name for name in shown if name != read))


def workbook_rows(path: Path, data: BytesIO, worksheet: str | None = None) -> Iterator[list[str]]:
    """The rows of a worksheet, that which was open last where none is named, cells as text.

    A formula has the value that it had when the workbook was saved, or else the one that
    `formula_value` finds; one without a value stands as it is written.

    Raises:
        UsageError: openpyxl is not installed, or the file is no workbook.
    """
    book = _opened(path, data, read_only=True, data_only=True)
    try:
        rows = [
            [_text(value) for value in row]
            for row in _worksheet(path, book, worksheet).iter_rows(values_only=True)
        ]
        yield from _with_formulas(path, data, worksheet, rows)
    except UsageError:
        raise
    except Exception as error:
        raise _damaged(path, error) from None
    finally:
        book.close()


def _with_formulas(
    path: Path, data: BytesIO, worksheet: str | None, rows: list[list[str]]
) -> list[list[str]]:
    """The rows with the values of formulas that were saved without one, as other programs do."""
    with zipfile.ZipFile(data) as archive:
        parts = [name for name in archive.namelist() if name.startswith("xl/worksheets/sheet")]
        if not any(b"<f" in archive.read(name) for name in parts):
            return rows
    book = _opened(path, data, read_only=True)
    try:
        formulas = {
            (row, col): value
            for row, cells in enumerate(
                _worksheet(path, book, worksheet).iter_rows(values_only=True)
            )
            for col, value in enumerate(cells)
            if isinstance(value, str) and value.startswith("=")
        }
    finally:
        book.close()
    for (row, col), formula in formulas.items():
        if not rows[row][col]:
            rows[row][col] = formula_value(formula, rows, formulas) or formula
    return rows


_REFERENCE = re.compile(r"\$?([A-Z]{1,2})\$?([0-9]{1,6})(?::\$?([A-Z]{1,2})\$?([0-9]{1,6}))?")
_SUM = re.compile(r"SUMM?E?\(([^()]*)\)")
_TERM = re.compile(r"\s*([+-]?)\s*([0-9]+(?:\.[0-9]+)?)\s*")


def formula_value(
    formula: str,
    rows: Sequence[Sequence[str]],
    formulas: Mapping[tuple[int, int], str],
    depth: int = 0,
) -> str:
    """The value of a formula of sums and differences, as score sheets have; empty for any other.

    Args:
        formula: As the cell has it: `=SUM(C2:F2)+G2-5`.
        rows: The values that are known.
        formulas: The formulas of cells, by row and column from 0.
        depth: How many formulas have asked for this one.
    """

    def cell(col: str, row: int) -> str:
        at = row - 1, _column_index(col)
        if at[0] >= len(rows) or at[1] >= len(rows[at[0]]):
            return "0"
        value = rows[at[0]][at[1]]
        if not value and at in formulas and depth < _MOST_DEPTH:
            value = formula_value(formulas[at], rows, formulas, depth + 1) or "?"
        return value or "0"

    def reference(match: re.Match[str]) -> str:
        first, top, last, bottom = match.groups()
        if last is None:
            return cell(first, int(top))
        cols = range(_column_index(first), _column_index(last) + 1)
        lines = range(int(top), min(int(bottom), len(rows)) + 1)
        return "+".join(cell(_column_letters(col), row) for row in lines for col in cols)

    text = _REFERENCE.sub(reference, formula[1:].upper())
    text = _SUM.sub(lambda match: re.sub(r"[;,]", "+", match[1]), text)
    total, at = 0.0, 0
    while at < len(text):
        term = _TERM.match(text, at)
        if term is None or (at and not term[1]):
            return ""
        total += -float(term[2]) if term[1] == "-" else float(term[2])
        at = term.end()
    return _text(total)


def _column_index(letters: str) -> int:
    index = 0
    for letter in letters:
        index = 26 * index + ord(letter) - ord("A") + 1
    return index - 1


def _column_letters(index: int) -> str:
    first, last = divmod(index, 26)
    return (chr(ord("A") + first - 1) if first else "") + chr(ord("A") + last)


def workbook_with(
    path: Path,
    data: BytesIO,
    columns: Sequence[str],
    heading: int,
    values: Mapping[int, Mapping[str, Any]],
    links: Mapping[str, str],
    worksheet: str | None = None,
) -> bytes:
    """The workbook with fields written into columns, all else as it was.

    Args:
        path: Its name, for messages.
        data: Its bytes.
        columns: The columns that it has, and those to be added behind all that is there.
        heading: The number of the row of the headings.
        values: Fields by the number of their row, by columns.
        links: What the fields of the column photo lead to.
        worksheet: The worksheet; None takes the one that was open last.
    """
    book = _opened(path, data)
    sheet = _worksheet(path, book, worksheet)
    there = max(
        number for number, cell in enumerate(sheet[heading], 1) if _text(cell.value).strip()
    )
    right = max(sheet.max_column, there)
    places = {name: number for number, name in enumerate(columns[:there], 1)}
    for offset, name in enumerate(columns[there:], 1):
        places[name] = right + offset
        _write(sheet.cell(heading, right + offset), name)
    for line, fields in values.items():
        for name, value in fields.items():
            _write(sheet.cell(line, places[name]), value)
        photo = sheet.cell(line, places["photo"])
        if str(photo.value) in links:
            photo.hyperlink = links[str(photo.value)]
            photo.style = "Hyperlink"
    _format_cells(sheet, heading, first=right + 1)
    return _saved(book)


def _write(cell: Any, value: object) -> None:
    cell.value = value or None if isinstance(value, str) else value
    # What starts with = would be taken for a formula.
    if isinstance(cell.value, str):
        cell.data_type = "s"


def new_workbook(
    columns: Sequence[str], rows: Iterable[Sequence[str]], links: Mapping[str, str]
) -> bytes:
    """A workbook with a frozen line of headings, wide columns, and coloured statuses.

    Args:
        columns: The headings.
        rows: Their fields; what is a number is written as one.
        links: What fields of the first column lead to.

    Raises:
        UsageError: openpyxl is not installed.
    """
    package = _openpyxl("The results are to be an Excel workbook")
    book = package.Workbook()
    sheet = book.active
    _append(sheet, columns)
    for row in rows:
        _append(sheet, [_value(field) for field in row])
    for (cell,) in sheet.iter_rows(min_row=2, max_col=1):
        if cell.value in links:
            cell.hyperlink = links[cell.value]
            cell.style = "Hyperlink"
    _format_cells(sheet, 1)
    return _saved(book)


def _append(sheet: Any, values: Sequence[object]) -> None:
    """Add a row; what starts with = is text, no formula."""
    sheet.append(list(values))
    for cell in sheet[sheet.max_row]:
        if isinstance(cell.value, str):
            cell.data_type = "s"


def _value(field: str) -> object:
    """A field as a number where it is one; no name of a player or a game is."""
    return int(field) if _INTEGER.fullmatch(field) else field or None


def _format_cells(sheet: Any, heading: int, first: int = 1) -> None:
    """Freeze the headings, fit the widths, and colour what asks for a person.

    Args:
        sheet: The sheet.
        heading: The number of the row of the headings.
        first: The first column whose width is ours to choose.
    """
    from openpyxl.styles import Font, PatternFill
    from openpyxl.utils import get_column_letter

    for number, cells in enumerate(sheet.iter_cols(min_row=heading), 1):
        if number >= first:
            longest = max(len(str(cell.value or "")) for cell in cells)
            width = min(max(longest + 2, _NARROWEST), _WIDEST)
            sheet.column_dimensions[get_column_letter(number)].width = width
            cells[0].font = Font(bold=True)
        if cells[0].value in ("status", "verdict"):
            for cell in cells[1:]:
                colour = COLOURS.get(str(cell.value))
                if colour:
                    cell.fill = PatternFill("solid", fgColor=colour)
    sheet.freeze_panes = sheet.cell(heading + 1, 1)


def _saved(book: Any) -> bytes:
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def _openpyxl(what: str) -> Any:
    try:
        import openpyxl
    except ImportError:
        raise UsageError(
            f"{what}, and the package for that is not installed.",
            "Install it with: pip install 'kdvision[xlsx]'; or use CSV.",
        ) from None
    return openpyxl


def _opened(path: Path, data: BytesIO, **options: bool) -> Any:
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise UsageError(
            f"{path} is an Excel workbook, and the package that reads them is not installed.",
            "Install it with: pip install 'kdvision[xlsx]'; or save the sheet as CSV.",
        ) from None
    try:
        with zipfile.ZipFile(data) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > MAX_UNPACKED:
                raise UsageError(f"{path} is too large for a table of games.", "Save it as CSV.")
        return load_workbook(data, **options)
    except UsageError:
        raise
    except Exception as error:
        raise _damaged(path, error) from None


def _worksheet(path: Path, book: Any, name: str | None = None) -> Any:
    """A worksheet by its name; that which was open last where none is given."""
    if name is not None and name not in book.sheetnames:
        raise UsageError(
            f"{path} has no worksheet {name[:40]!r}.", f"It has {', '.join(book.sheetnames)}."
        )
    sheet = book.active if name is None else book[name]
    if not hasattr(sheet, "iter_rows"):
        raise UsageError(f"{path} has no sheet with cells.", "Save the sheet as CSV.")
    return sheet


def _damaged(path: Path, error: Exception) -> UsageError:
    return UsageError(
        f"{path} is no Excel workbook, or is damaged ({type(error).__name__}).",
        "Open it in Excel and save it again as .xlsx, or as CSV.",
    )


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
