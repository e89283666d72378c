"""Hand-counted totals against the photos of their kingdoms, sheet by sheet."""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kdvision.errors import ExitCode, worst
from kdvision.outcome import GameOptions
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.standings import Result, result_of
from kdvision.tournament.batch import MEANS, Means, Progress, score_all
from kdvision.tournament.fields import number
from kdvision.tournament.jobs import NO_OPTIONS, RULES, WHO, Job, row_job
from kdvision.tournament.judging import Verdict, judge
from kdvision.tournament.records import Records
from kdvision.tournament.sheet import Row, Sheet


@dataclass(frozen=True, slots=True)
class Read:
    """What was read for a claim: of the whole result only what tables need.

    `possible` are all totals that were thought of, the likeliest first; `standing` is for ranks.
    """

    total: int
    probability: float
    kingdom: str
    possible: tuple[int, ...]
    standing: Result


@dataclass(frozen=True, slots=True)
class Checked:
    """One line of a sheet, checked.

    `job`, `claimed` and the `status` of the photo are None for a bad line, `read` and
    `difference` (what was claimed too much) where no kingdom was read. `key` finds the full
    result in the records.
    """

    row: Row
    where: str
    verdict: Verdict
    message: str
    job: Job | None = None
    claimed: int | None = None
    status: Status | None = None
    read: Read | None = None
    difference: int | None = None
    key: str = ""

    @property
    def exit_code(self) -> ExitCode:
        """What this line asks for."""
        if self.verdict is Verdict.BAD_LINE:
            return ExitCode.USAGE
        if self.verdict is Verdict.DIFFERS:
            return ExitCode.DIFFERENT
        return self.status.exit_code if self.status else ExitCode.SURE


@dataclass(frozen=True, slots=True)
class Verification:
    """All lines of a sheet, checked, in their order."""

    sheet: Sheet
    lines: tuple[Checked, ...]
    interrupted: bool = False

    def count(self, verdict: Verdict) -> int:
        """How many lines have a verdict."""
        return sum(line.verdict is verdict for line in self.lines)

    @property
    def exit_code(self) -> ExitCode:
        """That something differs is told first of all; else what asks most for a person."""
        if self.interrupted:
            return ExitCode.INTERRUPTED
        if self.count(Verdict.DIFFERS):
            return ExitCode.DIFFERENT
        return worst([line.exit_code for line in self.lines])


@dataclass(frozen=True, slots=True)
class Claim:
    """A line of a sheet that can be checked."""

    row: Row
    job: Job
    claimed: int


def claims_of(sheet: Sheet, options: GameOptions = NO_OPTIONS) -> tuple[list[Claim], list[Checked]]:
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
    options: GameOptions = NO_OPTIONS,
    jsonl: Path | None = None,
    means: Means = MEANS,
    progress: Progress = lambda _: None,
) -> Verification:
    """Check the claims of a sheet.

    Args:
        sheet: With the columns photo and claimed; see `read_sheet`.
        options: The rules of lines that say nothing of them.
        jsonl: Where to keep the full results; a later run goes on from there.
        means: How to score.
        progress: Told of every photo.

    Raises:
        UsageError: A column is missing, or there is no line.
        ModelError: The models are missing.
    """
    claims, bad = claims_of(sheet, options)
    with tempfile.TemporaryDirectory() as folder:
        records = Records(None, jsonl or Path(folder) / "results.jsonl")
        try:
            return check(sheet, claims, bad, records, means, progress)
        finally:
            records.close()


def check(
    sheet: Sheet,
    claims: Sequence[Claim],
    bad: Sequence[Checked],
    records: Records,
    means: Means,
    progress: Progress,
) -> Verification:
    """Score the photos of claims into records, and judge the claims."""
    jobs = [claim.job for claim in claims]
    run = score_all(jobs, records, means, progress) if jobs else None
    keys = run.keys if run else ()
    lines = [*bad, *_checked(sheet, claims, keys, records)]
    lines.sort(key=lambda line: line.row.line)
    return Verification(sheet, tuple(lines), run is not None and run.interrupted)


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
