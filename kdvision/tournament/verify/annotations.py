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
        try:
            now = read_again(verification.sheet)
        except UsageError:  # it has gone: what was read of it stands
            now = verification.sheet
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
    if not book_out and not sheet.worksheets:
        return _csv(verification).encode(sheet.encoding, errors="replace")
    links = picture_links(output, [row.fields.get("photo", "") for row in sheet.rows])
    if not book_out or sheet.path.suffix.lower() != WORKBOOK:
        return annotated_table(verification, workbook=book_out, links=links)
    from kdvision.tournament.workbook import workbook_with

    columns = (*sheet.columns, *_added_columns(sheet))
    found = _found(verification)
    worksheet = sheet.worksheets[0]
    return workbook_with(sheet.path, columns, sheet.heading.line, found, links, worksheet)


def _found(verification: Verification) -> dict[int, dict[str, Field]]:
    """Return our fields by the numbers of the lines."""
    not_checked = {**dict.fromkeys(VERDICT_COLUMNS), VERDICT: NOT_CHECKED}
    found = {verdict.line.number: verdict.fields for verdict in verification.verdicts}
    return {row.line: found.get(row.line, not_checked) for row in verification.sheet.rows}


def _added_columns(sheet: Sheet) -> list[str]:
    """Return the columns that a sheet does not have yet."""
    return [name for name in (*SETTLED, *VERDICT_COLUMNS) if name not in sheet.columns]


def annotated_table(
    verification: Verification, *, workbook: bool, links: Mapping[str, str]
) -> bytes:
    """Return the sheet with our columns as a new table, a workbook or a CSV; see `table_bytes`."""
    sheet = verification.sheet
    found = _found(verification)
    columns = (*sheet.columns, *_added_columns(sheet))
    rows = [
        [_text({**row.fields, **found.get(row.line, {})}.get(name)) for name in columns]
        for row in sheet.lines
    ]
    return table_bytes(columns, rows, Style(workbook), links)


def _text(field: Field) -> str:
    return "" if field is None else str(field)


def _csv(verification: Verification) -> str:
    """Return the sheet with our columns behind its lines, which stay as they are."""
    sheet, found = verification.sheet, _found(verification)
    added = _added_columns(sheet)
    width = max(len(row.cells) for row in (sheet.heading, *sheet.lines))

    def line(cells: Sequence[str]) -> str:
        out = StringIO()
        csv.writer(out, delimiter=sheet.delimiter, lineterminator="").writerow(cells)
        return out.getvalue()

    def extended(row: Row, fields: Mapping[str, str]) -> str:
        """A line with our fields, in the columns that it has for them, and behind it."""
        text, count = row.text.rstrip("\r\n"), len(row.cells)
        end = row.text[len(text) :]
        ours = {name: field for name, field in fields.items() if name in sheet.columns}
        if ours:
            cells = [*row.cells, *[""] * (len(sheet.columns) - count)]
            for name, field in ours.items():
                cells[sheet.columns.index(name)] = field
            text, count = line(cells), len(cells)
        if added:
            behind = [fields.get(name, "") for name in added]
            text += sheet.delimiter * (width - count + 1) + line(behind)
        return text + end

    headings = {name: name for name in added}
    lines = [sheet.preamble, extended(sheet.heading, headings)]
    for row in sheet.lines:
        if row.line in found and row.cells:
            texts = {name: _text(field) for name, field in found[row.line].items()}
            fields = {name: localized(text, sheet.delimiter) for name, text in texts.items()}
            lines.append(extended(row, fields))
        else:
            # An open quote would swallow what is put behind it.
            lines.append(row.text)
    return "".join(lines)
