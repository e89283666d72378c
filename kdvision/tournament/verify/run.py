"""Hand-counted totals against the photos of their kingdoms, sheet by sheet."""

import tempfile
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from msgspec.structs import replace

from kdvision.columns import ENTRY_COLUMNS, RULES, acceptance
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.tournament.batch.html import write_pictures
from kdvision.tournament.batch.journal import Journal
from kdvision.tournament.batch.scoring import MEANS, Means, OnScored, Run, engine_of, score_all
from kdvision.tournament.duplicates import clashes
from kdvision.tournament.lines import Job, PhotoFinder, merge_by_photo, sheet_line
from kdvision.tournament.sheets import Sheet
from kdvision.tournament.verify.checked import Checked, Verification
from kdvision.tournament.verify.html import write_verify_page
from kdvision.tournament.verify.judged import (
    SheetClaim,
    broken_notes,
    checked_photo,
    found_of,
    owners_notes,
    with_clashes,
)
from kdvision.tournament.verify.verdicts import Verdict


def claims_of(
    sheet: Sheet, options: GameOptions = DEFAULT_OPTIONS
) -> tuple[list[SheetClaim], list[Checked]]:
    """The claims of a sheet, and its bad lines.

    Raises:
        UsageError: A column is missing.
    """
    sheet.require(("photo",), ("claimed",), known=(*ENTRY_COLUMNS, *RULES))
    claims: list[SheetClaim] = []
    bad: list[Checked] = []
    finder = PhotoFinder(sheet.path.parent)
    for row in sheet.rows:
        try:
            line = sheet_line(sheet, row, options)
            if line.problem:
                raise ValueError(line.problem)
            if not line.photo:
                raise ValueError("the photo is missing.")
            job = finder.job(line)
            if job.entries[0].claimed is None:
                raise ValueError("claimed is empty.")
            claims.append(SheetClaim(row, job, acceptance(row.fields)))
        except ValueError as error:
            bad.append(Checked(row, sheet.where(row), Verdict.BAD_LINE, str(error)))
    return claims, bad


def verify(
    sheet: Sheet,
    *,
    options: GameOptions = DEFAULT_OPTIONS,
    jsonl: Path | None = None,
    html: Path | None = None,
    pictures_for: Path | None = None,
    means: Means = MEANS,
    progress: OnScored = lambda _: None,
) -> Verification:
    """Check the claims of a sheet.

    Args:
        sheet: With the columns photo and claimed; see `read_sheet`.
        options: The rules of lines that say nothing of them.
        jsonl: Where to keep the full results; a later run goes on from there.
        html: Where to write a report to look at; not written by a run that is interrupted.
        pictures_for: A workbook beside which the photos are written with what was read in them.
        means: How to score.
        progress: Called after every photo.

    Raises:
        UsageError: A column is missing, or there is no line.
        ModelError: The models are missing.
    """
    claims, bad = claims_of(sheet, options)
    jobs, problems = merge_by_photo([claim.job for claim in claims])
    with tempfile.TemporaryDirectory() as folder:
        path = jsonl or Path(folder) / "results.jsonl"
        with closing(Journal(path)) as records, engine_of(means) as engine:
            run = score_all(jobs, records, engine, means, progress)
            if jsonl:
                records.arrange(jobs, run.keys)
            of_claims = _for_claims(claims, jobs, run)
            lines = _checked(sheet, claims, of_claims, records)
            found = clashes(
                [found_of(line, *records.about(line.key), options.boxes) for line in lines]
            )
            lines = [*bad, *with_clashes(lines, found)]
            lines.sort(key=lambda line: line.row.line)
            together = (*(clash.message for clash in found), *owners_notes(lines))
            notes = (*(line.complaint for line in problems), *together, *broken_notes(lines))
            verification = Verification(sheet, tuple(lines), run.interrupted, notes)
            if pictures_for:
                write_pictures(pictures_for, jobs, run.keys, records, engine)
            if html and not run.interrupted:
                write_verify_page(html, verification, records, engine)
    return verification


def _for_claims(claims: Sequence[SheetClaim], jobs: Sequence[Job], run: Run) -> Run:
    """The run by claims instead of photos."""
    places = {(job.path, job.options): index for index, job in enumerate(jobs)}
    indices = [places[claim.job.path, claim.job.options] for claim in claims]
    return replace(
        run,
        keys=tuple(run.keys[index] for index in indices),
        digests=tuple(run.digests[index] for index in indices),
    )


def _checked(
    sheet: Sheet, claims: Sequence[SheetClaim], run: Run, records: Journal
) -> list[Checked]:
    """Check the claims photo by photo: lines of one photo share its kingdoms."""
    found: list[Checked] = []
    for indices in _by_photo(run):
        ours = [claims[index] for index in indices]
        keys = [run.keys[index] for index in indices]
        names = [claim.job.name for claim in ours]
        photos = [records.result(key, name) for key, name in zip(keys, names, strict=True)]
        found += checked_photo(sheet, ours, keys, photos)
    return found


def _by_photo(run: Run) -> Iterable[Sequence[int]]:
    """The indices of the claims that were reached, those of one photo together.

    Photos are one when their bytes are, whatever their names.
    """
    groups: dict[str, list[int]] = {}
    for index, (key, digest) in enumerate(zip(run.keys, run.digests, strict=True)):
        if key:
            groups.setdefault(digest or key, []).append(index)
    return groups.values()
