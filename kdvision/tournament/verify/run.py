"""Hand-counted totals against the photos of their kingdoms, sheet by sheet."""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.standings import result_of
from kdvision.tournament.batch.jobs import Job, row_job
from kdvision.tournament.batch.run import MEANS, Means, Progress, Run, engine_of, score_all
from kdvision.tournament.batch.store import Records
from kdvision.tournament.sheets.fields import RULES, WHO, letter, number
from kdvision.tournament.sheets.sheet import Row, Sheet
from kdvision.tournament.verify.checked import Checked, Read, Verification
from kdvision.tournament.verify.html import write_verify_page
from kdvision.tournament.verify.ownership import ClaimLine, judge_photo
from kdvision.tournament.verify.verdict import Judgement, Verdict


@dataclass(frozen=True, slots=True)
class Claim:
    """A line of a sheet that can be checked."""

    row: Row
    job: Job
    claimed: int
    letter: str = ""


def claims_of(
    sheet: Sheet, options: GameOptions = DEFAULT_OPTIONS
) -> tuple[list[Claim], list[Checked]]:
    """The claims of a sheet, and its bad lines.

    Raises:
        UsageError: A column is missing.
    """
    sheet.require(("photo",), ("claimed",), known=(*WHO, *RULES, "kingdom"))
    claims: list[Claim] = []
    bad: list[Checked] = []
    for row in sheet.rows:
        try:
            job = row_job(sheet, row, options)
            claimed = number(row.fields, "claimed")
            if claimed is None:
                raise ValueError("claimed is empty.")
            claims.append(Claim(row, job, claimed, letter(row.fields)))
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
            lines = [*bad, *_checked(sheet, claims, run, records)]
            lines.sort(key=lambda line: line.row.line)
            found = Verification(sheet, tuple(lines), run.interrupted)
            if html and not run.interrupted:
                write_verify_page(html, found, records, engine)
    return found


def _checked(
    sheet: Sheet, claims: Sequence[Claim], run: Run, records: Records
) -> Iterator[Checked]:
    """Check the claims photo by photo: lines of one photo share its kingdoms."""
    for indices in _by_photo(run):
        lines = [
            ClaimLine(
                claims[index].claimed,
                records.result(run.keys[index], claims[index].job),
                claims[index].letter,
                _name(claims[index]),
            )
            for index in indices
        ]
        for index, line, judgement in zip(indices, lines, judge_photo(lines), strict=True):
            claim = claims[index]
            yield _checked_line(sheet, claim, run.keys[index], line.photo, judgement)


def _by_photo(run: Run) -> Iterable[Sequence[int]]:
    """The indices of the claims that were reached, those of one photo together.

    Photos are one when their bytes are, whatever their names.
    """
    groups: dict[str, list[int]] = {}
    for index, (key, digest) in enumerate(zip(run.keys, run.digests, strict=True)):
        if key:
            groups.setdefault(digest or key, []).append(index)
    return groups.values()


def _name(claim: Claim) -> str:
    """`line 4 (Anna)`, for messages."""
    player = claim.job.who.get("player")
    return f"line {claim.row.line}{f' ({player})' if player else ''}"


def _checked_line(
    sheet: Sheet, claim: Claim, key: str, photo: PhotoResult, judgement: Judgement
) -> Checked:
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
        judgement.letter,
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
