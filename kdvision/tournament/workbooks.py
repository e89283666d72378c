"""Workbooks as people keep them, read for their values: `.xlsx`, `.ods` and `.xls`.

python-calamine reads the cells. What it cannot tell, the file itself is asked for: a formula whose
value was never saved, and a lone cell so far from all others that the table would not fit into the
memory.
"""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from xml.etree import ElementTree
from zipfile import BadZipFile, ZipFile

from msgspec import Struct

from kdvision.errors import UsageError, missing_extra
from kdvision.files import shown
from kdvision.sentences import Sentence
from kdvision.tournament.cells import Value

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

#: The suffixes of workbooks that are read.
WORKBOOKS = (".xlsx", ".xlsm", ".ods", ".xls")
#: Places of a worksheet. 20 million take about 700 MB; a tournament of 100,000 rows has 3 million.
MOST_PLACES = 20_000_000

#: A cell of the file of a worksheet that holds something: its attributes, and what it holds.
_CELL = re.compile(rb"<(?:\w+:)?c\b([^>]*[^/>])>(.*?)</(?:\w+:)?c>", re.DOTALL)
_PLACE = re.compile(rb'\br="([A-Z]{1,3}[0-9]{1,7})"')
_FORMULA = re.compile(rb"<(?:\w+:)?f\b")
_VALUE = re.compile(rb"<(?:\w+:)?v>[^<]|<(?:\w+:)?is>")
#: A formula that gives no letters has no value, and says that it is a text.
_TEXT = re.compile(rb'\bt="str"')


class Worksheet(Struct, frozen=True):
    """A worksheet.

    Attributes:
        name: Its name.
        rows: Its cells from the first row and column on; a merged cell stands in all its rows.
        is_hidden: Whether people see it.
    """

    name: str
    rows: list[list[Value]]
    is_hidden: bool = False


def read_workbook(path: Path, data: bytes) -> list[Worksheet]:
    """Return the worksheets of a workbook.

    Args:
        path: Where it is.
        data: Its bytes.

    Raises:
        UsageError: It is no workbook, is damaged or locked by a password, has a formula without a
            value or a cell too far away, or python-calamine is not installed.
    """
    try:
        from python_calamine import (
            CalamineError,
            CalamineWorkbook,
            PasswordError,
            SheetTypeEnum,
            SheetVisibleEnum,
        )
    except ImportError:
        raise missing_extra("A workbook", "xlsx") from None
    try:
        # By its path it tells a password from damage; by its bytes alone it does not.
        book = CalamineWorkbook.from_path(path)
        if path.suffix.lower() in (".xlsx", ".xlsm"):
            _check_cells(path, data)
        worksheets = []
        for about in book.sheets_metadata:
            if about.typ == SheetTypeEnum.WorkSheet:
                is_hidden = about.visible != SheetVisibleEnum.Visible
                rows = _read_rows(book, about.name)
                worksheets.append(Worksheet(about.name, rows, is_hidden))
    except PasswordError:
        raise _error("locked", path) from None
    except (CalamineError, BadZipFile, ElementTree.ParseError, KeyError, OSError, ValueError):
        raise _error("damaged", path) from None
    return worksheets


def _read_rows(book: "CalamineWorkbook", name: str) -> list[list[Value]]:
    sheet: CalamineSheet = book.get_sheet_by_name(name)
    rows: list[list[Value]] = sheet.to_python(skip_empty_area=False)
    for (top, left), (bottom, _) in sheet.merged_cell_ranges or ():
        for row in rows[top + 1 : bottom + 1]:
            row[left] = rows[top][left]
    return rows


# ---------------------------------------------------------------------- what the file itself says


def _check_cells(path: Path, data: bytes) -> None:
    """Refuse a formula that was never calculated, and a cell far away from all others.

    Raises:
        UsageError: There is one; the sentence has its place. Or XlsxWriter is not installed.
    """
    try:
        from xlsxwriter.utility import xl_cell_to_rowcol
    except ImportError:
        raise missing_extra("A workbook", "xlsx") from None
    with ZipFile(BytesIO(data)) as file:
        for name, part in _list_worksheets(file):
            height = width = 0
            for match in _CELL.finditer(file.read(part)):
                attributes, content = match.groups()
                place = _PLACE.search(attributes)
                if place is None:
                    continue
                where = {"place": place[1].decode(), "worksheet": name}
                has_value = _VALUE.search(content) is not None
                is_text = _TEXT.search(attributes) is not None
                if _FORMULA.search(content) and not has_value and not is_text:
                    raise _error("formula", path, **where)
                row, column = xl_cell_to_rowcol(where["place"])
                height, width = max(height, row + 1), max(width, column + 1)
                if height * width > MOST_PLACES:
                    raise _error("far-cell", path, **where)


def _list_worksheets(file: ZipFile) -> Iterator[tuple[str, str]]:
    """Yield the names of worksheets and where in the file they are."""
    relations = ElementTree.fromstring(file.read("xl/_rels/workbook.xml.rels"))
    parts = {relation.get("Id"): relation.get("Target", "") for relation in relations}
    book = ElementTree.fromstring(file.read("xl/workbook.xml"))
    for sheet in book.findall("{*}sheets/{*}sheet"):
        for key, id_ in sheet.items():
            if key.endswith("}id"):
                part = str(PurePosixPath("/xl", parts[id_])).lstrip("/")
                if part in file.namelist():
                    yield sheet.get("name", ""), part


def _error(code: str, path: Path, **fields: str) -> UsageError:
    return UsageError(Sentence(f"sheet.{code}", {**fields, "path": shown(path)}))
