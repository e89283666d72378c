"""Hand-counted totals against the photos of their kingdoms, sheet by sheet."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.standings import result_of
from kdvision.tournament.batch.jobs import Job, row_job
from kdvision.tournament.batch.run import MEANS, Means, Progress, engine_of, score_all
from kdvision.tournament.batch.store import Records
from kdvision.tournament.sheets.fields import RULES, WHO, number
from kdvision.tournament.sheets.sheet import Row, Sheet
from kdvision.tournament.verify.checked import Checked, Read, Verification
from kdvision.tournament.verify.html import write_verify_page
from kdvision.tournament.verify.verdict import Verdict, judge


@dataclass(frozen=True, slots=True)
class Claim:
    """A line of a sheet that can be checked."""

    row: Row
    job: Job
    claimed: int


def claims_of(
    sheet: Sheet, options: GameOptions = DEFAULT_OPTIONS
) -> tuple[list[Claim], list[Checked]]:
    """The claims of a sheet, and its bad lines.

    Raises:
        UsageError: A column is missing.
    """
    sheet.require(("photo",), ("claimed",), known=(*WHO, *RULES))
    claims: list[Claim] = []
    bad: list[Checked] = []
    for row in sheet.rows:
        try:
            job = row_job(sheet, row, options)
            claimed = number(row.fields, "claimed")
            if claimed is None:
                raise ValueError("claimed is empty.")
            claims.append(Claim(row, job, claimed))
        except ValueError as error:
            bad.append(Checked(row, sheet.where(row), Verdict.BAD_LINE, str(error)))
    return claims, bad


def verify(
    sheet: Sheet,
    *,
    options: GameOptions = DEFAULT_OPTIONS,
    jsonl: Path | None = None,
    html: Path | None = None,
    means: Means = MEANS,
    progress: Progress = lambda _: None,
) -> Verification:
    """Check the claims of a sheet.

    Args:
        sheet: With the columns photo and claimed; see `read_sheet`.
        options: The rules of lines that say nothing of them.
        jsonl: Where to keep the full results; a later run goes on from there.
        html: Where to write a report to look at; not written by a run that is interrupted.
        means: How to score.
        progress: Told of every photo.

    Raises:
        UsageError: A column is missing, or there is no line.
        ModelError: The models are missing.
    """
    claims, bad = claims_of(sheet, options)
    with tempfile.TemporaryDirectory() as folder:
        path = jsonl or Path(folder) / "results.jsonl"
        with closing(Records(None, path)) as records, engine_of(means) as engine:
            run = score_all([claim.job for claim in claims], records, engine, means, progress)
            lines = [*bad, *_checked(sheet, claims, run.keys, records)]
            lines.sort(key=lambda line: line.row.line)
            found = Verification(sheet, tuple(lines), run.interrupted)
            if html and not run.interrupted:
                write_verify_page(html, found, records, engine)
    return found


def _checked(
    sheet: Sheet, claims: Sequence[Claim], keys: Sequence[str], records: Records
) -> Iterator[Checked]:
    for claim, key in zip(claims, keys, strict=True):
        if key:
            yield _checked_line(sheet, claim, key, records.result(key, claim.job))


def _checked_line(sheet: Sheet, claim: Claim, key: str, photo: PhotoResult) -> Checked:
    judgement = judge(claim.claimed, photo)
    player = claim.job.who.get("player") or claim.job.name
    return Checked(
        claim.row,
        sheet.where(claim.row),
        judgement.verdict,
        judgement.message,
        claim.job,
        claim.claimed,
        photo.status,
        _read(judgement.kingdom, player) if judgement.kingdom else None,
        judgement.difference,
        key,
    )


def _read(kingdom: KingdomResult, player: str) -> Read:
    others = kingdom.alternatives if kingdom.status is not Status.SURE else ()
    return Read(
        kingdom.sheet.total,
        kingdom.probability,
        str(kingdom.sheet.kingdom),
        (kingdom.sheet.total, *(one.score for one in others)),
        result_of(player, kingdom.sheet),
    )
