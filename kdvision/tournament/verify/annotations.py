"""A sheet of claims written back, with what was found in columns of its own.

The first time they are put behind what is there, whose cells stay as they are. A sheet that has
them already, edited or not, gets them anew.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
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
    read_sheet,
    table_bytes,
)
from kdvision.tournament.verify.verdicts import NOT_CHECKED, Field, Verification

#: The form of a table that is written to standard output.
_PLAIN = Style()


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
    sheet = verification.sheet
    with locked(output):
        try:
            worksheet = next(iter(sheet.worksheets), None)
            now = read_sheet(sheet.path, sheet.names, worksheet)
        except UsageError:  # it has gone: what was read of it stands
            now = sheet
        before = {row.line: _people(row) for row in sheet.rows}
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
    photos = [row.fields.get("photo", "") for row in sheet.rows]
    links = picture_links(output, photos) if book_out else {}
    if not (book_out and sheet.style.workbook):
        style = replace(sheet.style, workbook=book_out)
        return annotated_table(verification, style, links, sheet.heading.cells)
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
    verification: Verification,
    style: Style = _PLAIN,
    links: Mapping[str, str] = {},
    headings: Sequence[str] = (),
) -> bytes:
    """Return the cells of a sheet with our columns behind them as a new table.

    Args:
        verification: The verdicts on the sheet.
        style: The form of the table.
        links: See `table_bytes`.
        headings: Those of the sheet; left out, our names of its columns.
    """
    sheet, found = verification.sheet, _found(verification)
    added = _added_columns(sheet)
    width = max(len(row.cells) for row in (sheet.heading, *sheet.lines))
    width = max(width, len(sheet.columns))

    def padded(cells: Sequence[str]) -> list[str]:
        return [*cells, *[""] * (width - len(cells))]

    rows: list[Sequence[str]] = []
    for row in sheet.lines:
        if row.text and not row.cells and not style.workbook:
            rows.append(row.text)  # an open quote would swallow what is put behind it
            continue
        fields = found.get(row.line, {})
        texts = {name: "" if field is None else str(field) for name, field in fields.items()}
        cells = padded(row.cells or [row.text.strip()])
        for place, name in enumerate(sheet.columns):
            cells[place] = texts.get(name, cells[place])
        rows.append([*cells, *({**row.fields, **texts}.get(name, "") for name in added)])
    return table_bytes([*padded(headings or sheet.columns), *added], rows, style, links)
