"""Tables written: as CSV in the form that they were read in, or as a workbook for Excel."""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO

from msgspec import Struct

#: Numbers with a decimal point, which German spreadsheets write with a comma.
_DECIMAL = re.compile(r"(-?[0-9]+)\.([0-9]+)")


class Style(Struct, frozen=True):
    """The form of a table: a workbook, or a CSV.

    `delimiter` and `encoding` are those of the CSV, `start` is what stands before its headings.
    """

    workbook: bool = False
    delimiter: str = ","
    encoding: str = "utf-8"
    start: str = ""


def table_bytes(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    style: Style,
    links: Mapping[str, str],
) -> bytes:
    """A table as the bytes of a file.

    Args:
        columns: The headings.
        rows: Their fields.
        style: The form.
        links: In a workbook, what fields of the first column lead to.
    """
    if style.workbook:
        from kdvision.tournament.sheets.workbook import new_workbook

        return new_workbook(columns, rows, links)
    out = StringIO()
    out.write(style.start)
    writer = csv.writer(out, delimiter=style.delimiter, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([localized(field, style.delimiter) for field in row] for row in rows)
    return out.getvalue().encode(style.encoding, errors="replace")


def localized(field: str, delimiter: str) -> str:
    """A field as a spreadsheet with this delimiter expects it: after a semicolon 0,99 for 0.99."""
    return (
        _DECIMAL.sub(r"\1,\2", field) if delimiter == ";" and _DECIMAL.fullmatch(field) else field
    )
