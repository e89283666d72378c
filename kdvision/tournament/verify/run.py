"""Sheets of claims checked against the photos of their kingdoms, and written back.

What was found stands in columns of its own. The first time they are put behind what is there, whose
cells stay as they are. A sheet that has them
already, edited or not, gets them anew.
"""

import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from kdvision.columns import SETTLED, VERDICT, VERDICT_COLUMNS, WHO
from kdvision.errors import UsageError
from kdvision.files import shown, whole_file
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.tournament.batch.html import picture_links, write_pictures
from kdvision.tournament.batch.journal import Journal, locked
from kdvision.tournament.batch.results import set_aside
from kdvision.tournament.batch.scoring import MEANS, Engine, Means, OnScored, score_all
from kdvision.tournament.lines import PhotoFinder, merge_by_photo, read_lines
from kdvision.tournament.sheets import WORKBOOK, Sheet, Style, read_sheet, table_bytes
from kdvision.tournament.verify.judging import judge, notes_of
from kdvision.tournament.verify.report import write_verify_page
from kdvision.tournament.verify.verdicts import NOT_CHECKED, Field, Verification

#: The form of a table that is written to standard output.
_PLAIN = Style()


def verify(
    sheet: Sheet,
    *,
    options: GameOptions = DEFAULT_OPTIONS,
    jsonl: Path | None = None,
    html: Path | None = None,
    pictures_for: Path | None = None,
    photos: Path | None = None,
    means: Means = MEANS,
    progress: OnScored = lambda _: None,
) -> Verification:
    """Check the claims of a sheet.

    Args:
        sheet: With the columns photo and claimed; see `read_sheet`.
        options: The options of lines that say nothing of them.
        jsonl: Where to keep the full results; a later run goes on from there.
        html: Where to write a report to look at; not written by a run that is interrupted.
        pictures_for: A workbook beside which the photos are written with what was read in them.
        photos: A folder in which photos are looked for as well.
        means: How to score.
        progress: Called after every photo.

    Raises:
        UsageError: A column is missing, or there is no line.
        ModelError: The models are missing.
    """
    lines = read_lines(sheet, options, needed=("photo", "claimed"))
    finder = PhotoFinder(sheet.path.parent, photos)
    # A line that cannot be used has need of no photo.
    asked = [
        line
        for line in lines
        if line.photo and (line.accepted or (not line.problem and line.claimed is not None))
    ]
    jobs, problems = merge_by_photo([finder.job(line) for line in asked])
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        if jsonl:
            stack.enter_context(locked(jsonl))
        records = stack.enter_context(closing(Journal(jsonl or Path(folder) / "results.jsonl")))
        engine = stack.enter_context(Engine(means))
        run = score_all(jobs, records, engine, progress)
        photo_of = {entry.number: photo for photo in run.reached for entry in photo[0].entries}
        missing = {line.number for line in asked} - photo_of.keys()
        held = [line for line in lines if line.number not in missing]
        readings = [
            records.scored(photo_of[line.number][1], shown(line.photo))
            if line.number in photo_of
            else None
            for line in held
        ]
        verdicts = judge(held, readings)
        notes = [line.complaint for line in problems]
        notes += [note.text() for note in notes_of(verdicts)]
        verification = Verification(sheet, tuple(verdicts), run.interrupted, tuple(notes))
        if pictures_for:
            write_pictures(pictures_for, run)
        if html and not run.interrupted:
            write_verify_page(html, verification, photo_of, run)
        if jsonl:
            records.arrange(run.reached)
    return verification


# ---------------------------------------------------------------------- written back


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
        before = {row.line: _people(row.fields) for row in sheet.rows}
        edited = {row.line for row in now.rows if before.get(row.line) != _people(row.fields)}
        checked = [
            verdict for verdict in verification.verdicts if verdict.line.number not in edited
        ]
        verification = replace(verification, sheet=now, verdicts=tuple(checked))
        data = _annotated_bytes(verification, output)
        backup = _backup_of_words(output, verification)
        with whole_file(output) as file:
            file.write(data)
    notes = []
    if edited:
        lines = "1 line was" if len(edited) == 1 else f"{len(edited)} lines were"
        notes.append(f"{lines} edited while photos were scored, and not checked: run it again.")
    if backup:
        notes.append(f"What people wrote into {output} before is kept in {backup}.")
    return notes


def _people(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a line that people wrote."""
    return {name: field for name, field in fields.items() if name not in VERDICT_COLUMNS}


def _backup_of_words(output: Path, verification: Verification) -> Path | None:
    """Copy an output into which people have written what the new one does not have."""
    sheet, found = verification.sheet, _found(verification)
    if not output.exists() or output.resolve() == sheet.path.resolve():
        return None
    try:
        old = read_sheet(output, sheet.names)
        there = _words(row.fields for row in old.rows)
        if {*old.worksheets[1:]} - {*sheet.worksheets}:
            return set_aside(output, copy=True)
    except UsageError:
        return set_aside(output, copy=True)
    new = _words({**row.fields, **found[row.line]} for row in sheet.rows)
    return set_aside(output, copy=True) if there - new else None


def _words(rows: Iterable[Mapping[str, Any]]) -> Counter[tuple[str, str]]:
    """Count the fields that people wrote, by column."""
    people = (field for row in rows for field in _people(row).items())
    return Counter((name, str(field)) for name, field in people if field != "")


def _annotated_bytes(verification: Verification, output: Path) -> bytes:
    """Return the sheet with our columns as the bytes of a file."""
    sheet, book_out = verification.sheet, output.suffix.lower() == WORKBOOK
    photos = [row.fields.get("photo", "") for row in sheet.rows]
    links = picture_links(output, photos) if book_out else {}
    if not (book_out and sheet.style.workbook):
        style = replace(sheet.style, workbook=book_out)
        return annotated_table(verification, style, links, sheet.heading.cells)
    from kdvision.tournament.workbook import workbook_with

    found = _found(verification)
    columns = (*sheet.columns, *_added_columns(sheet, found))
    worksheet = sheet.worksheets[0]
    return workbook_with(sheet.path, columns, sheet.heading.line, found, links, worksheet)


def _found(verification: Verification) -> dict[int, dict[str, Field]]:
    """Return our fields by the numbers of the lines."""
    not_checked = {**dict.fromkeys(VERDICT_COLUMNS), VERDICT: NOT_CHECKED}
    verdicts = {verdict.line.number: verdict for verdict in verification.verdicts}
    return {
        row.line: verdict.fields if (verdict := verdicts.get(row.line)) else not_checked
        for row in verification.sheet.rows
    }


def _added_columns(sheet: Sheet, found: Mapping[int, Mapping[str, Field]]) -> list[str]:
    """Return the columns that a sheet does not have yet."""
    filled = {name for fields in found.values() for name in fields}
    columns = (*filter(filled.__contains__, WHO), *SETTLED, *VERDICT_COLUMNS)
    return [name for name in columns if name not in sheet.columns]


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
    added = _added_columns(sheet, found)
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
