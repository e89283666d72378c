"""Workbooks: `.xlsx` through openpyxl (`pip install kdvision[xlsx]`), and `.ods` to be read."""

import datetime
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from kdvision.errors import UsageError, install_command

#: A workbook that unpacks to more than this is no table of games.
MAX_UNPACKED = 100_000_000
#: More rows than a table of games has, and more columns.
_MOST_ROWS, _MOST_COLUMNS = 100_001, 1_000
#: Widths of columns, in characters: enough for a heading, and no more than a screen can show.
_NARROWEST, _WIDEST = 6, 60
_MERGED = re.compile(r'<mergeCell ref="([A-Z]+[0-9]+:[A-Z]+[0-9]+)"')
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,8})")
#: What no cell of a workbook can hold.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
#: The backgrounds of statuses and verdicts, light enough for black letters.
COLOURS = {
    "sure": "C8E6C9", "agrees": "C8E6C9", "settled": "C8E6C9",
    "doubtful": "FFE0B2", "cannot tell": "FFE0B2", "open": "FFE0B2",
    "differs": "FFCDD2", "unreadable": "CFD8DC", "no-kingdom": "CFD8DC",
    "bad-line": "CFD8DC", "bad line": "CFD8DC",
}  # fmt: skip


def read_workbook(
    path: Path, data: bytes, worksheet: str | None = None
) -> tuple[list[list[str]], tuple[str, ...]]:
    """Read a worksheet, that which was open last where none is named.

    A formula has the value that it had when the workbook was saved; one without a value stands as
    it is written.

    Returns:
        The rows, cells as text, without empty ones at their ends; and the names of the worksheets,
        that which was read first, hidden ones left out.

    Raises:
        UsageError: The file is no workbook, has no such worksheet, or openpyxl is not installed.
    """
    read = _read_ods if path.suffix.lower() == ".ods" else _read_xlsx
    with _undamaged(path):
        rows, names = read(path, data, worksheet)
    rows = [_without_end(row) for row in rows]
    while rows and not rows[-1]:
        rows.pop()
    return rows, tuple(dict.fromkeys(names))


@contextmanager
def _undamaged(path: Path) -> Iterator[None]:
    try:
        yield
    except UsageError:
        raise
    except Exception as error:
        raise UsageError(
            f"{path} is no workbook, or is damaged ({type(error).__name__}).",
            "Open it in a spreadsheet and save it again as .xlsx, or as CSV.",
        ) from None


def worksheet_with(path: Path, heading: str) -> tuple[str | None, bool]:
    """Find the first worksheet in which a cell is `heading`.

    Returns:
        Its name, None where there is none, and whether it holds formulas.

    Raises:
        UsageError: As `read_workbook`.
    """
    with _undamaged(path):
        for sheet in _opened(path, path.read_bytes(), read_only=True).worksheets:
            cells = [cell for row in sheet.iter_rows() for cell in row]
            if any(cell.value == heading for cell in cells):
                return sheet.title, any(cell.data_type == "f" for cell in cells)
    return None, False


def _without_end(cells: list[str]) -> list[str]:
    """A row without the empty cells at its end."""
    filled = max((number for number, text in enumerate(cells, 1) if text.strip()), default=0)
    return cells[:filled]


def _read_xlsx(path: Path, data: bytes, worksheet: str | None) -> tuple[list[list[str]], list[str]]:
    book = _opened(path, data, read_only=True, data_only=True)
    from openpyxl.utils import range_boundaries

    sheet = _worksheet(path, book, worksheet)
    visible = [other.title for other in book.worksheets if other.sheet_state == "visible"]
    written = _worksheet(path, _opened(path, data, read_only=True), sheet.title)
    cells = zip(sheet.iter_rows(values_only=True), written.iter_rows(values_only=True), strict=True)
    rows = [
        [
            _text(formula if value is None and str(formula).startswith("=") else value)
            for value, formula in zip(*both, strict=True)
        ]
        for both in cells
    ]
    with zipfile.ZipFile(BytesIO(data)) as archive:
        merged = _MERGED.findall(archive.read(sheet._worksheet_path).decode("utf-8", "replace"))
    _fill_down(rows, map(range_boundaries, merged))
    return rows, [sheet.title, *visible]


def _fill_down(rows: list[list[str]], merged: Iterable[tuple[int, ...]]) -> None:
    """Give what merged cells say to all of their rows that hold something.

    Each is given by its first column and row and its last ones, from 1.
    """
    for col, top, _, last in merged:
        said = "".join(rows[top - 1][col - 1 : col]) if top <= len(rows) else ""
        for row in rows[top:last]:
            if any(map(str.strip, row)):
                row += [""] * (col - len(row))
                row[col - 1] = said


# ---------------------------------------------------------------------- OpenDocument

_OFFICE, _TABLE, _PARAGRAPH = (
    f"{{urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}" for name in ("office", "table", "text")
)
_ACTIVE = re.compile(r'"ActiveTable"[^>]*>([^<]*)<')


def _read_ods(path: Path, data: bytes, worksheet: str | None) -> tuple[list[list[str]], list[str]]:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        _refuse_large(path, archive)
        root = ElementTree.fromstring(archive.read("content.xml"))
        settings = archive.read("settings.xml") if "settings.xml" in archive.namelist() else b""
    tables = {table.get(f"{_TABLE}name", ""): table for table in root.iter(f"{_TABLE}table")}
    active = _ACTIVE.search(settings.decode())
    if worksheet is None:
        worksheet = active[1] if active and active[1] in tables else next(iter(tables))
    elif worksheet not in tables:
        raise _no_worksheet(path, worksheet, tables)
    rows: list[list[str]] = []
    merged = []
    for row in tables[worksheet].iter(f"{_TABLE}table-row"):
        cells: list[str] = []
        for cell in row:
            times = int(cell.get(f"{_TABLE}number-columns-repeated", "1"))
            spanned = int(cell.get(f"{_TABLE}number-rows-spanned", "1"))
            merged += [(len(cells) + 1, len(rows) + 1, 0, len(rows) + spanned)] * (spanned > 1)
            cells += [_ods_text(cell)] * min(times, _MOST_COLUMNS)
        times = int(row.get(f"{_TABLE}number-rows-repeated", "1"))
        short = _without_end(cells)
        rows += ([*short] for _ in range(min(times, _MOST_ROWS - len(rows))))
    _fill_down(rows, merged)
    return rows, [worksheet, *tables]


def _ods_text(cell: ElementTree.Element) -> str:
    """A cell as it would be typed; the formula where there is no value."""
    for name in ("value", "date-value", "boolean-value"):
        value = cell.get(f"{_OFFICE}{name}")
        if value is not None:
            return {"true": "yes", "false": "no"}.get(value, re.sub(r"\.0*$", "", value))
    paragraphs = cell.findall(f"{_PARAGRAPH}p")
    text = "\n".join("".join(paragraph.itertext()) for paragraph in paragraphs)
    return text or cell.get(f"{_TABLE}formula", "").removeprefix("of:")


# ---------------------------------------------------------------------- writing


def workbook_with(
    path: Path,
    columns: Sequence[str],
    heading: int,
    values: Mapping[int, Mapping[str, Any]],
    links: Mapping[str, str],
    worksheet: str | None = None,
) -> bytes:
    """Write fields into columns of a copy of a workbook, formulas with their values.

    Args:
        path: The workbook.
        columns: The columns that it has, and those to be added behind all that is there.
        heading: The number of the row of the headings.
        values: Fields by the number of their row, by columns.
        links: What the fields of the column photo lead to.
        worksheet: The worksheet; None takes the one that was open last.
    """
    data = path.read_bytes()
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
            at = sheet.cell(line, places[name]).coordinate
            for merged in [cells.coord for cells in sheet.merged_cells.ranges if at in cells]:
                sheet.unmerge_cells(merged)
            _write(sheet.cell(line, places[name]), value)
        _link(sheet.cell(line, places["photo"]), links)
    _format_cells(sheet, heading, first=right + 1)
    return _with_values(_saved(book), _opened(path, data, data_only=True))


#: A formula as openpyxl writes it, which leaves out the value that it had.
_FORMULA = re.compile(r'(<c r="([A-Z]+[0-9]+)"[^>]*)>(<f[^>]*>[^<]*</f>)<v\s*(?:/>|></v>)')


def _with_values(saved: bytes, book: Any) -> bytes:
    """A saved workbook with the values that its formulas have in the book that it was made of."""
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(saved)) as old, zipfile.ZipFile(out, "w", 8) as new:
        for part in old.namelist():
            content = old.read(part)
            number = re.fullmatch(r"xl/worksheets/sheet([0-9]+)\.xml", part)
            if number:
                sheet = book.worksheets[int(number[1]) - 1]
                content = _FORMULA.sub(partial(_with_value, sheet), content.decode()).encode()
            new.writestr(part, content)
    return out.getvalue()


def _with_value(sheet: Any, match: re.Match[str]) -> str:
    value = sheet[match[2]].value
    if not isinstance(value, (int, float, str)):
        return match[0]
    kind = {bool: ' t="b"', str: ' t="str"'}.get(type(value), "")
    text = escape(value) if isinstance(value, str) else f"{value:d}" if kind else repr(value)
    return f"{match[1]}{kind}>{match[3]}<v>{text}</v>"


def new_workbook(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    links: Mapping[str, str],
    replaced: tuple[Path, str] | None = None,
) -> bytes:
    """A workbook with a frozen line of headings, wide columns, and coloured statuses.

    What is a number is written as one; `links` are what fields of the first column lead to. Where a
    worksheet of a workbook is `replaced`, the others stay.

    Raises:
        UsageError: openpyxl is not installed.
    """
    if replaced:
        path, worksheet = replaced
        data = path.read_bytes()
        book = _opened(path, data)
        at = book.sheetnames.index(worksheet)
        book.remove(book[worksheet])
        sheet = book.create_sheet(worksheet, at)
    else:
        book = _openpyxl("The results are to be an Excel workbook", "use CSV").Workbook()
        sheet = book.active
    for col, name in enumerate(columns, 1):
        _write(sheet.cell(1, col), name)
    for line, row in enumerate(rows, 2):
        for col, field in enumerate(row, 1):
            # No name of a player or a game is a number.
            _write(sheet.cell(line, col), int(field) if _INTEGER.fullmatch(field) else field)
        _link(sheet.cell(line, 1), links)
    _format_cells(sheet, 1)
    saved = _saved(book)
    return _with_values(saved, _opened(path, data, data_only=True)) if replaced else saved


def _write(cell: Any, value: object) -> None:
    """Write a field; what starts with = is text, no formula."""
    cell.value = (_CONTROL.sub("?", value) or None) if isinstance(value, str) else value
    if isinstance(cell.value, str):
        cell.data_type = "s"


def _link(cell: Any, links: Mapping[str, str]) -> None:
    target = links.get(str(cell.value))
    if target:
        cell.hyperlink = target
        cell.style = "Hyperlink"


def _format_cells(sheet: Any, heading: int, first: int = 1) -> None:
    """Freeze the headings, fit the widths from the column `first`, and colour the statuses."""
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


def _openpyxl(what: str, instead: str) -> Any:
    try:
        import openpyxl
    except ImportError:
        raise UsageError(
            f"{what}, and the package for that is not installed.",
            f"Install it with: {install_command('xlsx')}; or {instead}.",
        ) from None
    return openpyxl


def _opened(path: Path, data: bytes, **options: bool) -> Any:
    package = _openpyxl(f"{path} is an Excel workbook", "save the sheet as CSV")
    with zipfile.ZipFile(BytesIO(data)) as archive:
        _refuse_large(path, archive)
    return package.load_workbook(BytesIO(data), **options)


def _refuse_large(path: Path, archive: zipfile.ZipFile) -> None:
    if sum(entry.file_size for entry in archive.infolist()) > MAX_UNPACKED:
        raise UsageError(f"{path} is too large for a table of games.", "Save it as CSV.")


def _worksheet(path: Path, book: Any, name: str | None = None) -> Any:
    """A worksheet by its name; that which was open last where none is given."""
    if name is not None and name not in book.sheetnames:
        raise _no_worksheet(path, name, book.sheetnames)
    sheet = book.active if name is None else book[name]
    if not hasattr(sheet, "iter_rows"):
        raise UsageError(f"{path} has no sheet with cells.", "Save the sheet as CSV.")
    return sheet


def _no_worksheet(path: Path, name: str, names: Iterable[str]) -> UsageError:
    return UsageError(f"{path} has no worksheet {name[:40]!r}.", f"It has {', '.join(names)}.")


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
