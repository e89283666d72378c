"""Hand-counted totals against the photos of their kingdoms, sheet by sheet."""

import tempfile
from contextlib import ExitStack, closing
from pathlib import Path

from kdvision.files import shown
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.slips.event import SlipEvent
from kdvision.tournament.batch.html import write_pictures
from kdvision.tournament.batch.journal import Journal, locked
from kdvision.tournament.batch.scoring import MEANS, Engine, Means, OnScored, score_all
from kdvision.tournament.lines import PhotoFinder, merge_by_photo, read_lines
from kdvision.tournament.sheets import Sheet
from kdvision.tournament.slip_lines import judge_with_slips
from kdvision.tournament.verify.judging import judge, notes_of
from kdvision.tournament.verify.report import write_verify_page
from kdvision.tournament.verify.verdicts import Verification


def verify(
    sheet: Sheet,
    *,
    options: GameOptions = DEFAULT_OPTIONS,
    jsonl: Path | None = None,
    html: Path | None = None,
    pictures_for: Path | None = None,
    photos: Path | None = None,
    event: SlipEvent | None = None,
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
        event: What the slips of paper in the photos mean. Then they complete the lines: what the
            sheet leaves empty is as on the slip, and a line that its slip contradicts is open.
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
        if line.photo
        and (line.accepted or (not line.problem and (line.claimed is not None or event)))
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
        verdicts = judge_with_slips(held, readings, event) if event else judge(held, readings)
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
