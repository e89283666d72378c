"""Tables that people made: a CSV of any kind, or an Excel workbook.

A table is read whole, line by line, each with its number. A line that is damaged has a problem of
its own and does not stop the others. Of a CSV the text of every line is kept as it is, so that
columns can be added without changing a character of what was there.

The headings stand in the first line that names columns which we know, under our names or under
synonyms; titles above it are skipped.
"""

import contextlib
from io import BytesIO
from itertools import islice
from pathlib import Path

from kdvision.columns import ColumnNames
from kdvision.errors import UnreadablePhotoError, UsageError
from kdvision.files import missing
from kdvision.photo.formats import sniff
from kdvision.tournament.sheets.csv_text import read_csv
from kdvision.tournament.sheets.table import (
    MAX_ROWS,
    WORKBOOK,
    Row,
    Sheet,
    empty,
    heading_index,
    row_of,
    too_long,
)

#: A larger file is no table of games.
MAX_BYTES = 5_000_000
CLAIM_NAMES = ColumnNames()
_OTHER_WORKBOOKS = (".xls", ".ods", ".numbers")


def read_sheet(path: str | Path, names: ColumnNames = CLAIM_NAMES) -> Sheet:
    """Read a table by its file name: `.xlsx` is a workbook, all else a CSV.

    Args:
        path: The file.
        names: How its columns may be called.

    Raises:
        UsageError: It cannot be read, is no table, is too large, or has no headings.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix in _OTHER_WORKBOOKS:
        raise UsageError(f"{path} is a workbook that is not read.", "Save it as .xlsx or .csv.")
    data = _bytes(path)
    if suffix == WORKBOOK:
        return _workbook(path, data, names)
    _refuse_picture(path, data)
    return read_csv(path, data, names)


def _refuse_picture(path: Path, data: bytes) -> None:
    with contextlib.suppress(UnreadablePhotoError):  # no picture
        kind = sniff(data, str(path))
        raise UsageError(
            f"{path} is a {kind.value} picture, not a table.",
            "Give a table with a column photo; kdscore and the name alone score a photo.",
        )


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


def _workbook(path: Path, data: bytes, names: ColumnNames) -> Sheet:
    from kdvision.tournament.sheets.workbook import workbook_rows

    found = list(islice(workbook_rows(path, BytesIO(data)), MAX_ROWS + 1))
    if len(found) > MAX_ROWS:
        raise too_long(path)
    at = heading_index(found, names)
    if at < 0:
        raise empty(path)
    titles = sum(any(map(str.strip, row)) for row in found[:at])
    heads = found[at]
    while not heads[-1].strip():
        heads.pop()
    columns = names.read(heads)
    rows = [row_of(line, columns, fields) for line, fields in enumerate(found[at + 1 :], at + 2)]
    while rows and not (rows[-1].fields or rows[-1].problem):
        rows.pop()
    return Sheet(path, columns, Row(at + 1, {}, count=len(heads)), tuple(rows), titles=titles)
