"""The HTML reports of a batch and of a verification: what asks for a person comes first."""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from kdvision.errors import UnreadablePhotoError, UsageError
from kdvision.files import read_file
from kdvision.photo.settings import PHOTO
from kdvision.report.html.cards import Card, card_of
from kdvision.report.html.page import Page, write_html
from kdvision.report.standings import Table, standings_tables
from kdvision.result import Status
from kdvision.tournament.batch.executor import Engine
from kdvision.tournament.batch.jobs import Job
from kdvision.tournament.batch.store import Records
from kdvision.tournament.batch.worker import PictureTask, picture_task
from kdvision.tournament.standings import read_standings

#: What asks most for a person comes first.
STATUSES = (Status.DOUBTFUL, Status.NO_KINGDOM, Status.UNREADABLE, Status.SURE)

#: Tables and sentences.
StandingsOf = tuple[Sequence[Table], Sequence[str]]


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
    write_html(path, page, cards_of(photos, records, engine))


def cards_of(photos: Sequence[tuple[Job, str]], records: Records, engine: Engine) -> Iterator[Card]:
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
        return read_file(path, PHOTO.max_bytes)
    except UnreadablePhotoError:
        return None


# ---------------------------------------------------------------------- standings


def _batch_standings(output: Path, jobs: Sequence[Job]) -> StandingsOf:
    """The standings from the CSV of a batch, where players are known."""
    if not any("player" in job.who for job in jobs):
        return (), ()
    try:
        found = read_standings(output)
    except UsageError as error:
        return (), (f"There are no standings. {error}",)
    return standings_tables(found.games), (*found.notes, found.tie_rule.sentence)
