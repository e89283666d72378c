"""A sheet of claims written back, with what was found in columns of its own.

The first time they are put behind what is there, which stays as it is to the character. A sheet
that has them already, edited or not, gets them anew.
"""

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path

from msgspec.structs import replace

from kdvision.columns import SETTLED, VERDICT, VERDICT_COLUMNS
from kdvision.errors import UsageError
from kdvision.files import whole_file
from kdvision.tournament.batch.html import picture_links
from kdvision.tournament.batch.journal import locked
from kdvision.tournament.batch.results import set_aside
from kdvision.tournament.sheets import (
    WORKBOOK,
    Row,
    Sheet,
    Style,
    localized,
    read_again,
    read_sheet,
    split_line,
    table_bytes,
)
from kdvision.tournament.verify.verdicts import NOT_CHECKED, Field, Verification


def write_annotated(verification: Verification, output: Path) -> list[str]:
    """Write the sheet with our columns: a workbook or a CSV, by the name of the output.

    The sheet is read again: what people have written into it since stays, and lines that they
    changed are marked as not checked. Where the output is another file into which people have
    written, that is kept under another name.

    Returns:
        What there is to know of the file, a sentence each.

    Raises:
        UsageError: It cannot be written.
    """
    with locked(output):
        now = _sheet_now(verification.sheet)
        before = {row.line: _people(row) for row in verification.sheet.rows}
        edited = {row.line for row in now.rows if before.get(row.line) != _people(row)}
        checked = [
            verdict for verdict in verification.verdicts if verdict.line.number not in edited
        ]
        data = _annotated_bytes(replace(verification, sheet=now, verdicts=tuple(checked)), output)
        backup = _backup_of_words(output, now)
        with whole_file(output) as file:
            file.write(data)
    notes = []
    if edited:
        lines = "1 line was" if len(edited) == 1 else f"{len(edited)} lines were"
        notes.append(f"{lines} edited while photos were scored, and not checked: run it again.")
    if backup:
        notes.append(f"What people wrote into {output} before is kept in {backup}.")
    return notes


def _sheet_now(sheet: Sheet) -> Sheet:
    """Read a sheet again; where it has gone, what was read of it stands."""
    try:
        return read_again(sheet)
    except UsageError:
        return sheet


def _people(row: Row) -> dict[str, str]:
    """Return the fields of a line that people wrote."""
    return {name: text for name, text in row.fields.items() if name not in VERDICT_COLUMNS}


def _backup_of_words(output: Path, sheet: Sheet) -> Path | None:
    """Copy an output into which people have written what the sheet does not have."""
    if not output.exists() or output.resolve() == sheet.path.resolve():
        return None
    try:
        tables = (read_sheet(output, sheet.names), sheet)
    except UsageError:
        return set_aside(output, copy=True)
    old, new = (
        Counter(field for row in table.rows for field in _people(row).items() if field[1])
        for table in tables
    )
    return set_aside(output, copy=True) if old - new else None


def _annotated_bytes(verification: Verification, output: Path) -> bytes:
    """Return the sheet with our columns as the bytes of a file."""
    sheet, book_out = verification.sheet, output.suffix.lower() == WORKBOOK
    if not book_out and not sheet.worksheet:
        return _csv(verification).encode(sheet.encoding, errors="replace")
    links = picture_links(output, [row.fields.get("photo", "") for row in sheet.rows])
    if not book_out or sheet.path.suffix.lower() != WORKBOOK:
        return annotated_table(verification, workbook=book_out, links=links)
    from kdvision.tournament.workbook import workbook_with

    columns = (*sheet.columns, *_added_columns(sheet))
    found = _found(verification)
    worksheet = sheet.worksheet or None
    return workbook_with(sheet.path, columns, sheet.heading.line, found, links, worksheet)


def _found(verification: Verification) -> dict[int, dict[str, Field]]:
    """Return our fields by the numbers of the lines."""
    not_checked = {**dict.fromkeys(VERDICT_COLUMNS), VERDICT: NOT_CHECKED}
    found = {verdict.line.number: verdict.fields for verdict in verification.verdicts}
    return {row.line: found.get(row.line, not_checked) for row in verification.sheet.rows}


def _added_columns(sheet: Sheet) -> tuple[str, ...]:
    """Return the columns that a sheet does not have yet."""
    return tuple(name for name in (*SETTLED, *VERDICT_COLUMNS) if name not in sheet.columns)


def annotated_table(
    verification: Verification, *, workbook: bool, links: Mapping[str, str]
) -> bytes:
    """Return the sheet with our columns as a new table, whatever form it was read in.

    Args:
        verification: The sheet, checked.
        workbook: Whether to make a workbook; else a CSV.
        links: In a workbook, what fields of the first column lead to.
    """
    sheet = verification.sheet
    found = _found(verification)
    columns = (*sheet.columns, *_added_columns(sheet))
    rows = [
        [_text({**row.fields, **found.get(row.line, {})}.get(name)) for name in columns]
        for row in sheet.lines
    ]
    return table_bytes(columns, rows, Style(workbook), links)


def _text(value: Field) -> str:
    return "" if value is None else str(value)


# ---------------------------------------------------------------------- CSV


def _csv(verification: Verification) -> str:
    """Return the sheet with our columns behind its lines, which stay as they are."""
    sheet, found = verification.sheet, _found(verification)
    added = _added_columns(sheet)
    width = max(sheet.heading.count, *(row.count for row in sheet.lines), 0)
    lines = [sheet.preamble, _extended(sheet, sheet.heading, {}, added, width)]
    for row in sheet.lines:
        if row.line not in found or not row.count:
            # An open quote would swallow what is put behind it.
            lines.append(row.text)
            continue
        fields = {
            name: localized(_text(field), sheet.delimiter)
            for name, field in found[row.line].items()
        }
        ours = {name: field for name, field in fields.items() if name in sheet.columns}
        behind = [fields.get(name, "") for name in added]
        lines.append(_extended(sheet, row, ours, behind, width))
    return "".join(lines)


def _extended(
    sheet: Sheet, row: Row, ours: Mapping[str, str], behind: Sequence[str], width: int
) -> str:
    """Return a line with our fields, in the columns that it has for them, and behind it."""
    text, count = row.text.rstrip("\r\n"), row.count
    end = row.text[len(text) :]
    if ours:
        cells = split_line(text, sheet.delimiter)
        cells += [""] * (len(sheet.columns) - len(cells))
        for name, field in ours.items():
            cells[sheet.columns.index(name)] = field
        text, count = _line(cells, sheet.delimiter), len(cells)
    if behind:
        text += sheet.delimiter * (width - count + 1) + _line(behind, sheet.delimiter)
    return text + end


def _line(fields: Sequence[str], delimiter: str) -> str:
    out = StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="").writerow(fields)
    return out.getvalue()
