"""A sheet of claims written back, with what was found in columns of its own at the right."""

import csv
from collections.abc import Sequence
from io import BytesIO, StringIO
from pathlib import Path

from kdvision.errors import UsageError
from kdvision.files import whole_file
from kdvision.report.text.table import printable
from kdvision.tournament.sheets.sheet import WORKBOOK, Row, Sheet
from kdvision.tournament.verify.checked import Checked, Verification

#: The columns that are added.
COLUMNS = (
    "verdict",
    "read_total",
    "difference",
    "explanation",
    "probability",
    "possible_totals",
    "read_kingdom",
)


def check_output(sheet: Sheet, output: Path) -> None:
    """See that a sheet can be written back, before any work is done.

    Raises:
        UsageError: It has such columns already, or the output is of another kind.
    """
    there = [column for column in COLUMNS if column in sheet.columns]
    if there:
        raise UsageError(
            f"{sheet.path} has the column {there[0]} already.",
            "Give the sheet as it was before kdscore verify wrote to it.",
        )
    suffixes = sheet.path.suffix.lower(), output.suffix.lower()
    if WORKBOOK in suffixes and len(set(suffixes)) > 1:
        raise UsageError(
            f"{sheet.path} cannot be written as {output}.",
            f"Give the output a name that ends with {suffixes[0]}.",
        )


def write_annotated(verification: Verification, output: Path) -> None:
    """Write the sheet with our columns; what was in it stays as it is, to the character.

    Raises:
        UsageError: It cannot be written, or see `check_output`.
    """
    sheet = verification.sheet
    check_output(sheet, output)
    found = {line.row.line: _fields(line) for line in verification.lines}
    if sheet.path.suffix.lower() == WORKBOOK:
        from kdvision.tournament.sheets.workbook import workbook_with

        data = workbook_with(sheet.path, BytesIO(sheet.path.read_bytes()), COLUMNS, found)
    else:
        data = _csv(sheet, found).encode(sheet.encoding, errors="replace")
    with whole_file(output) as file:
        file.write(data)


def _fields(line: Checked) -> tuple[str | int | float | None, ...]:
    """The fields of `COLUMNS`."""
    read = line.read
    return (
        line.verdict.value,
        read.total if read else None,
        line.difference,
        printable(line.message),
        round(read.probability, 4) if read else None,
        "; ".join(map(str, read.possible)) if read else None,
        read.kingdom if read else None,
    )


def _csv(sheet: Sheet, found: dict[int, tuple[str | int | float | None, ...]]) -> str:
    width = max(sheet.heading.count, *(row.count for row in sheet.lines), 0)
    lines = [sheet.preamble, _extended(sheet, sheet.heading, COLUMNS, width)]
    for row in sheet.lines:
        # An open quote would swallow what is put behind it.
        fields = found.get(row.line) if row.count else None
        lines.append(_extended(sheet, row, fields, width) if fields else row.text)
    return "".join(lines)


def _extended(sheet: Sheet, row: Row, fields: Sequence[object], width: int) -> str:
    """The text of a line with fields behind it, before its line break."""
    text = row.text.rstrip("\r\n")
    end = row.text[len(text) :]
    out = StringIO()
    csv.writer(out, delimiter=sheet.delimiter, lineterminator="").writerow(fields)
    return f"{text}{sheet.delimiter * (width - row.count + 1)}{out.getvalue()}{end}"
