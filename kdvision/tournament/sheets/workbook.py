"""Excel workbooks, through openpyxl (`pip install kdvision[xlsx]`)."""

import datetime
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from kdvision.errors import UsageError

#: A workbook that unpacks to more than this is no table of games.
MAX_UNPACKED = 100_000_000


def workbook_rows(path: Path, data: BytesIO) -> Iterator[list[str]]:
    """The rows of the sheet that was open last, cells as text.

    Raises:
        UsageError: openpyxl is not installed, or the file is no workbook.
    """
    book = _opened(path, data, read_only=True, data_only=True)
    try:
        for row in _active(path, book).iter_rows(values_only=True):
            yield [_text(value) for value in row]
    except UsageError:
        raise
    except Exception as error:
        raise _damaged(path, error) from None
    finally:
        book.close()


def workbook_with(
    path: Path, data: BytesIO, columns: Sequence[str], values: Mapping[int, Sequence[object]]
) -> bytes:
    """The workbook with columns added to the right, all else as it was.

    Args:
        path: Its name, for messages.
        data: Its bytes.
        columns: The headings of the new columns.
        values: Their fields by the number of the row; `columns` stand in the row before the first.
    """
    book = _opened(path, data)
    sheet = _active(path, book)
    right = sheet.max_column
    for line, fields in {_heading(sheet): columns, **values}.items():
        for offset, value in enumerate(fields, 1):
            cell = sheet.cell(line, right + offset)
            cell.value = value
            # What starts with = would be taken for a formula.
            if isinstance(value, str):
                cell.data_type = "s"
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def _heading(sheet: Any) -> int:
    """The number of the first row that holds something."""
    rows = enumerate(sheet.iter_rows(values_only=True), 1)
    return next((line for line, row in rows if any(_text(value).strip() for value in row)), 1)


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


def _active(path: Path, book: Any) -> Any:
    sheet = book.active
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
