"""The HTML reports of a batch and of a verification: what asks for a person comes first."""

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from kdvision.errors import UsageError
from kdvision.files import DRAWN, read_file, unwritable
from kdvision.photo.photo import open_photo
from kdvision.photo.settings import PHOTO
from kdvision.report.html import Card, Page, card_of, picture_of, write_html
from kdvision.report.standings import Table
from kdvision.report.wording import kingdom_names
from kdvision.result import PhotoResult, Status
from kdvision.tournament.batch.identity import photo_bytes
from kdvision.tournament.batch.results import ResultsTable
from kdvision.tournament.batch.scoring import Run
from kdvision.tournament.lines import Job
from kdvision.tournament.standings import read_standings

#: What asks most for a person comes first.
STATUSES = (Status.DOUBTFUL, Status.NO_KINGDOM, Status.UNREADABLE, Status.SURE)
#: What the file names of no system allow.
_NO_NAME = re.compile(r'[\\/:*?"<>|]+')


def write_batch_page(path: Path, table: ResultsTable, run: Run) -> None:
    """Write the report of a complete run, with the standings of its table where players are known.

    Raises:
        UsageError: The file cannot be written.
    """
    statuses = {key: run.records.scored(key).result.status for key in run.keys}
    found = Counter(statuses[key] for key in run.keys)
    counts = [(status.value, found[status]) for status in STATUSES if found[status]]
    tables: Sequence[Table] = ()
    sentences: Sequence[str] = ()
    if any(row.get("player") for row in table.every_row):
        try:
            standings = read_standings(table.path, worksheet=table.worksheet)
            tables, sentences = standings.tables, standings.sentences
        except UsageError as error:
            sentences = (f"There are no standings. {error}",)
    summary = _summary(found.total(), found[Status.SURE], counts)
    page = Page(f"Kingdoms of {table.path.name}", counts, tables, sentences, summary=summary)
    photos = sorted(run.reached, key=lambda photo: STATUSES.index(statuses[photo[1]]))
    write_html(path, page, cards_of(photos, run))


def _summary(total: int, sure: int, counts: Sequence[tuple[str, int]]) -> str:
    """The counts in words: `9 photos, 6 sure. 3 need a person: 2 doubtful, 1 unreadable.`."""
    photos = "1 photo" if total == 1 else f"{total} photos"
    if total == sure:
        return f"{photos}, all sure."
    others = ", ".join(f"{count} {status}" for status, count in counts if status != Status.SURE)
    needs = "1 needs" if total - sure == 1 else f"{total - sure} need"
    return f"{photos}, {sure} sure. {needs} a person: {others}."


def cards_of(
    photos: Sequence[tuple[Job, str]], run: Run, letters: Sequence[str] = ()
) -> Iterator[Card]:
    """The cards of photos, in order; their pictures are drawn by the engine of the run.

    Args:
        photos: The photos, with their keys in the journal.
        run: The run that reached them.
        letters: For each, the kingdom that it is about; empty shows all of them.
    """
    waiting: deque[Card] = deque()

    def tasks() -> Iterator[PictureTask]:
        for (job, key), letter in zip(photos, letters or [""] * len(photos), strict=True):
            result = run.records.scored(key, job.name).result
            names = kingdom_names(result)
            kingdom = names.index(letter) if letters and letter in names else None
            waiting.append(card_of(result, _who(job), kingdom))
            data = photo_bytes(job) if run.engine.means.send_photos else b""
            yield PictureTask(job.path, result, data, kingdom)

    for _, picture in run.engine.run(draw_picture, tasks(), lambda _: b"", ordered=True):
        yield replace(waiting.popleft(), picture=picture)


class PictureTask(Struct, frozen=True):
    """A photo to be drawn over.

    `data` are its bytes where the worker cannot see our files, else empty. `kingdom` is the index
    of the kingdom that is cut out; None for the whole photo.
    """

    path: Path
    result: PhotoResult
    data: bytes
    kingdom: int | None


def draw_picture(task: PictureTask) -> bytes:
    """The picture of a photo for a report, as a WebP; nothing where there can be none."""
    try:
        data = task.data or read_file(task.path, PHOTO.max_bytes)
        return picture_of(open_photo(data, name=task.result.photo), task.result, task.kingdom)
    except Exception:
        return b""


def write_pictures(output: Path, run: Run) -> None:
    """Write the photos with what was read drawn over them into a folder beside a workbook.

    Photos that were done in an earlier run have theirs from then.

    Raises:
        UsageError: The folder cannot be written.
    """
    there = picture_links(output, [job.name for job in run.jobs])
    photos = [
        (job, key) for job, key in run.reached if key not in run.skipped or job.name not in there
    ]
    folder = _pictures_of(output)
    try:
        folder.mkdir(exist_ok=True)
        for (job, _), card in zip(photos, cards_of(photos, run), strict=True):
            if card.picture:
                (folder / _file_name(job.name)).write_bytes(card.picture + DRAWN)
    except OSError as error:
        raise unwritable(folder, error) from None


def picture_links(output: Path, photos: Iterable[str]) -> dict[str, str]:
    """Links from photos to their pictures, as seen from the folder of the workbook."""
    folder = _pictures_of(output)
    return {
        name: f"{folder.name}/{_file_name(name)}"
        for name in photos
        if name and (folder / _file_name(name)).is_file()
    }


def _pictures_of(output: Path) -> Path:
    return output.with_name(f"{output.stem}-pictures")


def _file_name(photo: str) -> str:
    """A file name for the picture of a photo: `round 1/table.jpg` becomes `round 1-table.jpg`."""
    return f"{_NO_NAME.sub('-', photo)[-100:]}.webp"


def _who(job: Job) -> str:
    """`Ann, round 2, game A`."""
    if len(job.entries) > 1:
        return ", ".join(filter(None, (entry.who.get("player") for entry in job.entries)))
    named = (("", "player"), ("round ", "round"), ("game ", "game"))
    return ", ".join(f"{word}{job.who[column]}" for word, column in named if column in job.who)
