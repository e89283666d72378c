"""The HTML reports of a batch and of a verification: what asks for a person comes first."""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from kdvision.errors import UnreadablePhotoError, UsageError
from kdvision.files import read_file
from kdvision.photo.photo import MAX_BYTES
from kdvision.report.html.cards import Card, card_of
from kdvision.report.html.page import Page, write_html
from kdvision.report.standings import Table, standings_tables
from kdvision.result import Status
from kdvision.rules.standings import TieRule
from kdvision.tournament.checked import Checked, Verification
from kdvision.tournament.engine import Engine
from kdvision.tournament.jobs import Job
from kdvision.tournament.judging import Verdict
from kdvision.tournament.records import Records
from kdvision.tournament.standings_csv import GameTable, read_standings, standing_of
from kdvision.tournament.work import PictureTask, picture_task

#: What asks most for a person comes first.
STATUSES = (Status.DOUBTFUL, Status.NO_KINGDOM, Status.UNREADABLE, Status.SURE)
VERDICTS = (Verdict.DIFFERS, Verdict.CANNOT_TELL, Verdict.BAD_LINE, Verdict.AGREES)

#: Tables and sentences.
_Standings = tuple[Sequence[Table], Sequence[str]]


def write_batch_page(
    path: Path,
    output: Path,
    jobs: Sequence[Job],
    keys: Sequence[str],
    records: Records,
    engine: Engine,
) -> None:
    """Write the report of a batch that is complete.

    Args:
        path: Where to.
        output: The CSV of the batch, for the standings.
        jobs: The photos.
        keys: Their keys in the records, which hold the full results.
        records: The results.
        engine: Draws the pictures.

    Raises:
        UsageError: The file cannot be written.
    """
    statuses = [records.status(key) for key in keys]
    order = sorted(range(len(jobs)), key=lambda index: STATUSES.index(statuses[index]))
    counts = Counter(statuses)
    page = Page(
        f"Kingdoms of {output.name}",
        [(status.value, counts[status]) for status in STATUSES if counts[status]],
        *_batch_standings(output, jobs),
    )
    photos = [(jobs[index], keys[index]) for index in order]
    write_html(path, page, _cards(photos, records, engine))


def write_verify_page(
    path: Path, verification: Verification, records: Records, engine: Engine
) -> None:
    """Write the report of a verification that is complete.

    Raises:
        UsageError: The file cannot be written.
    """
    counts = [(verdict.value, verification.count(verdict)) for verdict in VERDICTS]
    page = Page(
        f"Counts of {verification.sheet.path.name}",
        [(verdict, count) for verdict, count in counts if count],
        *_verify_standings(verification.lines),
    )
    parts = (_verdict_cards(verification, verdict, records, engine) for verdict in VERDICTS)
    write_html(path, page, chain.from_iterable(parts))


def _verdict_cards(
    verification: Verification, verdict: Verdict, records: Records, engine: Engine
) -> Iterator[Card]:
    """The cards of all lines with one verdict."""
    lines = [line for line in verification.lines if line.verdict is verdict]
    if verdict is Verdict.BAD_LINE:
        for line in lines:
            yield Card(f"Line {line.row.line}", verdict.value, message=line.message)
        return
    photos = [(line.job, line.key) for line in lines if line.job]
    for line, card in zip(lines, _cards(photos, records, engine), strict=True):
        yield replace(card, state=verdict.value, claimed=line.claimed, message=line.message)


def _cards(photos: Sequence[tuple[Job, str]], records: Records, engine: Engine) -> Iterator[Card]:
    """The cards of photos, in order; their pictures are drawn by the engine."""
    waiting: deque[Card] = deque()

    def tasks() -> Iterator[PictureTask]:
        for job, key in photos:
            result = records.result(key, job)
            waiting.append(card_of(result, _who(job)))
            data = _bytes(job.path) if engine.send_photos else None
            yield PictureTask(str(job.path), result, data)

    for picture in engine.run_in_order(picture_task, tasks(), lambda _: b""):
        yield replace(waiting.popleft(), picture=picture)


def _who(job: Job) -> str:
    """`Ann, round 2, game A`."""
    named = (("", "player"), ("round ", "round"), ("game ", "game"))
    return ", ".join(f"{word}{job.who[column]}" for word, column in named if column in job.who)


def _bytes(path: Path) -> bytes | None:
    try:
        return read_file(path, MAX_BYTES)
    except UnreadablePhotoError:
        return None


# ---------------------------------------------------------------------- standings


def _batch_standings(output: Path, jobs: Sequence[Job]) -> _Standings:
    """The standings from the CSV of a batch, where players are known."""
    if not any("player" in job.who for job in jobs):
        return (), ()
    try:
        found = read_standings(output)
    except UsageError as error:
        return (), (f"There are no standings. {error}",)
    return standings_tables(found.games), (*found.notes, found.tie_rule.sentence)


def _verify_standings(lines: Sequence[Checked]) -> _Standings:
    """The standings by the totals that were read, where players are known."""
    table = GameTable()
    notes = []
    for line in lines:
        player = line.job.who.get("player") if line.job else None
        if line.job is None or player is None:
            continue
        if line.read is None:
            notes.append(f"{player} is left out: {line.message}")
            continue
        try:
            table.add(line.job.who, line.read.standing)
        except ValueError as error:
            return (), (f"There are no standings. {line.where}: {error}",)
        if line.status is not Status.SURE:
            totals = ", or ".join(map(str, line.read.possible))
            notes.append(f"Not sure: {player} ({line.job.name}) has {totals}.")
    if not table.games:
        return (), ()
    rule = TieRule.CROWNS
    what = "The standings go by the totals that were read, not by those that were claimed."
    return standings_tables(standing_of(table.games, rule)), (what, *notes, rule.sentence)
