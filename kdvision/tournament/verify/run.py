"""Hand-counted totals against the photos of their kingdoms, sheet by sheet."""

import tempfile
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.standings import result_of
from kdvision.tournament.batch.html import write_pictures
from kdvision.tournament.batch.jobs import ENTRY_COLUMNS, Entry, Job, by_photo, row_job
from kdvision.tournament.batch.scoring import MEANS, Means, Progress, Run, engine_of, score_all
from kdvision.tournament.batch.store import Records
from kdvision.tournament.duplicates import Clash, Found, clashes
from kdvision.tournament.sheets.columns import RULES
from kdvision.tournament.sheets.settled import Acceptance, acceptance
from kdvision.tournament.sheets.table import Row, Sheet
from kdvision.tournament.verify.checked import Checked, Read, Verification
from kdvision.tournament.verify.html import write_verify_page
from kdvision.tournament.verify.ownership import ClaimLine, judge_photo
from kdvision.tournament.verify.verdict import Judgement, Verdict


@dataclass(frozen=True, slots=True)
class Claim:
    """A line of a sheet that can be checked.

    Attributes:
        row: The line.
        job: Its photo, as the line names it.
        accepted: What a person settled; None where nothing was.
    """

    row: Row
    job: Job
    accepted: Acceptance | None = None

    @property
    def entry(self) -> Entry:
        """What the line says of its kingdom."""
        return self.job.entries[0]

    @property
    def claimed(self) -> int:
        """The total."""
        assert self.entry.claimed is not None
        return self.entry.claimed

    @property
    def name(self) -> str:
        """What messages call the line: `line 4 (Anna)`."""
        player = self.entry.who.get("player")
        return f"line {self.row.line}{f' ({player})' if player else ''}"


def claims_of(
    sheet: Sheet, options: GameOptions = DEFAULT_OPTIONS
) -> tuple[list[Claim], list[Checked]]:
    """The claims of a sheet, and its bad lines.

    Raises:
        UsageError: A column is missing.
    """
    sheet.require(("photo",), ("claimed",), known=(*ENTRY_COLUMNS, *RULES))
    claims: list[Claim] = []
    bad: list[Checked] = []
    for row in sheet.rows:
        try:
            job = row_job(sheet, row, options)
            if job.entries[0].claimed is None:
                raise ValueError("claimed is empty.")
            claims.append(Claim(row, job, acceptance(row.fields)))
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
    progress: Progress = lambda _: None,
) -> Verification:
    """Check the claims of a sheet.

    Args:
        sheet: With the columns photo and claimed; see `read_sheet`.
        options: The rules of lines that say nothing of them.
        jsonl: Where to keep the full results; a later run goes on from there.
        html: Where to write a report to look at; not written by a run that is interrupted.
        pictures_for: A workbook beside which the photos are written with what was read in them.
        means: How to score.
        progress: Told of every photo.

    Raises:
        UsageError: A column is missing, or there is no line.
        ModelError: The models are missing.
    """
    claims, bad = claims_of(sheet, options)
    jobs, problems = by_photo([claim.job for claim in claims])
    with tempfile.TemporaryDirectory() as folder:
        path = jsonl or Path(folder) / "results.jsonl"
        with closing(Records(path)) as records, engine_of(means) as engine:
            run = score_all(jobs, records, engine, means, progress)
            if jsonl:
                records.arrange(jobs, run.keys)
            of_claims = _for_claims(claims, jobs, run)
            lines = _checked(sheet, claims, of_claims, records)
            found = clashes([_found(line, records, options) for line in lines])
            lines = [*bad, *_with_clashes(lines, found)]
            lines.sort(key=lambda line: line.row.line)
            notes = (*map(str, problems), *(clash.message for clash in found))
            verification = Verification(sheet, tuple(lines), run.interrupted, notes)
            if pictures_for:
                write_pictures(pictures_for, jobs, run.keys, records, engine)
            if html and not run.interrupted:
                write_verify_page(html, verification, records, engine)
    return verification


def _for_claims(claims: Sequence[Claim], jobs: Sequence[Job], run: Run) -> Run:
    """The run by claims instead of photos."""
    places = {(job.path, job.options): index for index, job in enumerate(jobs)}
    indices = [places[claim.job.path, claim.job.options] for claim in claims]
    return replace(
        run,
        keys=tuple(run.keys[index] for index in indices),
        digests=tuple(run.digests[index] for index in indices),
    )


def _checked(sheet: Sheet, claims: Sequence[Claim], run: Run, records: Records) -> list[Checked]:
    """Check the claims photo by photo: lines of one photo share its kingdoms."""
    found = []
    for indices in _by_photo(run):
        lines = [
            ClaimLine(
                claims[index].claimed,
                records.result(run.keys[index], claims[index].job.name),
                claims[index].entry.letter,
                claims[index].name,
            )
            for index in indices
        ]
        for index, line, judgement in zip(indices, lines, judge_photo(lines), strict=True):
            found.append(
                _checked_line(sheet, claims[index], run.keys[index], line.photo, judgement)
            )
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


def _checked_line(
    sheet: Sheet, claim: Claim, key: str, photo: PhotoResult, judgement: Judgement
) -> Checked:
    player = claim.entry.who.get("player") or claim.job.name
    checked = Checked(
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
    return _settled(checked, claim.accepted) if claim.accepted else checked


def _settled(line: Checked, accepted: Acceptance) -> Checked:
    """A line with what a person accepted."""
    try:
        total = accepted.settle(line.claimed, line.read.total if line.read else None)
    except ValueError as error:
        return replace(line, verdict=Verdict.BAD_LINE, message=str(error))
    message = accepted.sentence(total)
    if line.message:
        message = f"{message}; without that: {line.message}"
    return replace(line, verdict=Verdict.SETTLED, message=message, settled=total)


def _read(kingdom: KingdomResult, player: str) -> Read:
    others = kingdom.alternatives if kingdom.status is not Status.SURE else ()
    return Read(
        kingdom.sheet.total,
        kingdom.probability,
        str(kingdom.sheet.kingdom),
        (kingdom.sheet.total, *(one.score for one in others)),
        result_of(player, kingdom.sheet),
        kingdom.status,
    )


# ---------------------------------------------------------------------- what cannot be at once


def _found(line: Checked, records: Records, options: GameOptions) -> Found:
    assert line.job is not None
    entry = line.job.entries[0]
    digest, picture = records.about(line.key)
    return Found(
        line.name,
        line.job.name,
        entry.who.get("player", ""),
        (entry.who.get("round", ""), entry.who.get("game", "")),
        line.read.laid if line.read else None,
        line.read is not None and line.read.status is Status.SURE,
        digest,
        picture,
        options.boxes,
    )


def _with_clashes(lines: Sequence[Checked], found: Sequence[Clash]) -> list[Checked]:
    """Lines that cannot all be right do not agree, where different players handed them in."""
    texts: dict[int, list[str]] = {}
    for clash in found:
        for index in clash.lines:
            texts.setdefault(index, []).append(clash.message)
    return [
        replace(line, verdict=Verdict.CANNOT_TELL, message=" ".join(texts[index]))
        if index in texts and line.verdict is Verdict.AGREES and line.player
        else line
        for index, line in enumerate(lines)
    ]
