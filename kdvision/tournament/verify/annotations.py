"""A sheet of claims written back, with what was found in columns of its own.

The first time they are put behind what is there, which stays as it is to the character. A sheet
that has them already, edited or not, gets them anew.
"""

import csv
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from io import StringIO
from pathlib import Path

from msgspec.structs import replace

from kdvision.columns import SETTLED, VERDICT, VERDICT_COLUMNS, origin_name
from kdvision.errors import UsageError
from kdvision.files import whole_file
from kdvision.report.text import printable
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
from kdvision.tournament.verify.verdicts import NOT_CHECKED, LineVerdict, Verification

Field = str | int | float | None


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
        sheet, edited = _sheet_now(verification)
        data = _annotated_bytes(replace(verification, sheet=sheet), edited, output)
        backup = _kept_words(output, sheet)
        with whole_file(output) as file:
            file.write(data)
    notes = []
    if edited:
        lines = "1 line was" if len(edited) == 1 else f"{len(edited)} lines were"
        notes.append(f"{lines} edited while photos were scored, and not checked: run it again.")
    if backup:
        notes.append(f"What people wrote into {output} before is kept in {backup}.")
    return notes


def _sheet_now(verification: Verification) -> tuple[Sheet, set[int]]:
    """The sheet as it is now, and the numbers of the lines that were changed since it was read."""
    sheet = verification.sheet
    try:
        now = read_again(sheet)
    except UsageError:  # it has gone: what was read of it is what there is
        return sheet, set()
    before = {row.line: _people(row) for row in sheet.rows}
    changed = {row.line for row in now.rows if before.get(row.line) != _people(row)}
    return (now, changed) if changed or len(now.rows) != len(sheet.rows) else (sheet, set())


def _people(row: Row) -> dict[str, str]:
    """The fields of a line that people wrote."""
    return {name: text for name, text in row.fields.items() if name not in VERDICT_COLUMNS}


def _kept_words(output: Path, sheet: Sheet) -> Path | None:
    """Keep an output into which people have written what the sheet does not have."""
    if not output.exists() or output.resolve() == sheet.path.resolve():
        return None
    try:
        old = read_sheet(output, sheet.names)
    except UsageError:
        return set_aside(output, copy=True)
    words = [Counter(_words(table)) for table in (old, sheet)]
    return set_aside(output, copy=True) if words[0] - words[1] else None


def _words(sheet: Sheet) -> list[tuple[str, str]]:
    return [(name, text) for row in sheet.rows for name, text in _people(row).items() if text]


def _annotated_bytes(verification: Verification, edited: Collection[int], output: Path) -> bytes:
    """The sheet with our columns as the bytes of a file."""
    sheet = verification.sheet
    found = {
        number: _fields(None) if number in edited else fields
        for number, fields in _found(verification).items()
    }
    book_out = output.suffix.lower() == WORKBOOK
    if book_out and sheet.path.suffix.lower() == WORKBOOK:
        from kdvision.tournament.workbook import workbook_with

        photos = [row.fields.get("photo", "") for row in sheet.rows]
        data = workbook_with(
            sheet.path,
            (*sheet.columns, *added_columns(sheet)),
            sheet.heading.line,
            found,
            picture_links(output, photos),
            sheet.worksheet or None,
        )
    elif book_out or sheet.worksheet:
        photos = [row.fields.get("photo", "") for row in sheet.rows]
        data = annotated_table(verification, workbook=book_out, links=picture_links(output, photos))
    else:
        data = _csv(sheet, found).encode(sheet.encoding, errors="replace")
    return data


def _found(verification: Verification) -> dict[int, dict[str, Field]]:
    """Our fields by the numbers of the lines."""
    verdicts = {one.line.number: one for one in verification.verdicts}
    return {row.line: _fields(verdicts.get(row.line)) for row in verification.sheet.rows}


def _fields(verdict: LineVerdict | None) -> dict[str, Field]:
    """The fields of `VERDICT_COLUMNS` of a line; a total that must not count is not said."""
    if verdict is None:
        return {**dict.fromkeys(VERDICT_COLUMNS), VERDICT: NOT_CHECKED}
    kingdom = None if verdict.pending else verdict.kingdom
    read = kingdom if kingdom and kingdom.scored else None
    status = read.status if read else verdict.status
    return {
        VERDICT: verdict.verdict.value,
        "counts": verdict.total,
        "read_total": read.score if read else None,
        "read_letter": verdict.letter,
        "difference": verdict.difference,
        "explanation": printable(verdict.text()),
        "read_status": status.value if status else None,
        "probability": round(read.probability, 4) if read else None,
        "possible_totals": "; ".join(map(str, verdict.possible)) if read else None,
        "read_kingdom": str(read.kingdom) if read else None,
        "read_origin": origin_name(read) if read else None,
    }


def added_columns(sheet: Sheet) -> tuple[str, ...]:
    """The columns that a sheet does not have yet."""
    return tuple(name for name in (*SETTLED, *VERDICT_COLUMNS) if name not in sheet.columns)


def annotated_table(
    verification: Verification, *, workbook: bool, links: Mapping[str, str]
) -> bytes:
    """The sheet with our columns as a new table, whatever the form that it was read in.

    Args:
        verification: The sheet, checked.
        workbook: Whether to make a workbook; else a CSV.
        links: In a workbook, what fields of the first column lead to.
    """
    sheet = verification.sheet
    found = _found(verification)
    columns = (*sheet.columns, *added_columns(sheet))
    rows = [
        [_text({**row.fields, **found.get(row.line, {})}.get(name)) for name in columns]
        for row in sheet.lines
    ]
    return table_bytes(columns, rows, Style(workbook), links)


def _text(value: Field) -> str:
    return "" if value is None else str(value)


# ---------------------------------------------------------------------- CSV


def _csv(sheet: Sheet, found: Mapping[int, Mapping[str, Field]]) -> str:
    added = added_columns(sheet)
    width = max(sheet.heading.count, *(row.count for row in sheet.lines), 0)
    lines = [sheet.preamble, _extended(sheet, sheet.heading, added, width)]
    for row in sheet.lines:
        # An open quote would swallow what is put behind it.
        fields = found.get(row.line) if row.count else None
        if fields is None:
            lines.append(row.text)
            continue
        kept = _replaced(sheet, row, fields)
        lines.append(_extended(sheet, kept, [fields.get(name) for name in added], width))
    return "".join(lines)


def _replaced(sheet: Sheet, row: Row, fields: Mapping[str, Field]) -> Row:
    """A line with our fields in the columns that it has for them already."""
    ours = [(sheet.columns.index(name), name) for name in VERDICT_COLUMNS if name in sheet.columns]
    if not ours:
        return row
    text, end = _ending(row.text)
    cells = split_line(text, sheet.delimiter)
    cells += [""] * (max(index for index, _ in ours) + 1 - len(cells))
    for index, name in ours:
        cells[index] = localized(_text(fields.get(name)), sheet.delimiter)
    return Row(row.line, row.fields, _line(cells, sheet.delimiter) + end, len(cells))


def _extended(sheet: Sheet, row: Row, fields: Sequence[Field], width: int) -> str:
    """The text of a line with fields behind it, before its line break."""
    if not fields:
        return row.text
    text, end = _ending(row.text)
    added = _line([localized(_text(field), sheet.delimiter) for field in fields], sheet.delimiter)
    return f"{text}{sheet.delimiter * (width - row.count + 1)}{added}{end}"


def _ending(text: str) -> tuple[str, str]:
    """A line without its line break, and that."""
    bare = text.rstrip("\r\n")
    return bare, text[len(bare) :]


def _line(fields: Sequence[str], delimiter: str) -> str:
    out = StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="").writerow(fields)
    return out.getvalue()
