"""What a worker does with one photo."""

import hashlib
from collections.abc import Callable
from dataclasses import astuple
from functools import cache
from pathlib import Path

from msgspec import Struct

import kdvision
from kdvision.corrections import FixPlace
from kdvision.errors import KdvisionError, NoKingdomError, UnreadablePhotoError, UsageError
from kdvision.photo.photo import Photo, open_photo
from kdvision.pipeline.read_photo import ReadPhoto, decode_read, encode_read
from kdvision.pipeline.scorer import Scorer
from kdvision.report.html import render_picture
from kdvision.report.text import printable
from kdvision.result import PhotoResult, Status
from kdvision.rules.rules import Rules
from kdvision.sentences import Sentence
from kdvision.vision.models import model_folder, read_manifest

#: What is said of a photo that may be scored by another try.
FAILED, CRASHED, TIMED_OUT = "unreadable.failed", "unreadable.crashed", "unreadable.timed-out"


class Task(Struct, frozen=True):
    """A photo to be judged.

    Attributes:
        path: Where it is.
        rules: The rules that its kingdoms are scored by.
        fixes: What people corrected in it, by places of the kingdoms as they are read without.
        rows: How many rows of a sheet stand for its kingdoms; 0 where that says nothing.
    """

    path: Path
    rules: Rules
    fixes: tuple[tuple[FixPlace, str], ...] = ()
    rows: int = 0

    def key(self, reading_key: str) -> str:
        """Return the key of the result: what was read, and all that it is judged by."""
        return make_key(reading_key, *astuple(self.rules), self.fixes, self.rows)


class Job(Struct, frozen=True):
    """What a worker does at a time: all tasks of one photo.

    Attributes:
        tasks: The tasks; the photo is read once for all of them.
        data: The bytes of the photo; empty where they are not needed.
        reading: What was read in it before, as `encode_read` writes it; empty where nothing was.
        is_drawn: Whether pictures are wanted.
    """

    tasks: tuple[Task, ...]
    data: bytes
    reading: bytes = b""
    is_drawn: bool = False

    @property
    def name(self) -> str:
        """What results call the photo."""
        return self.tasks[0].path.name


class Judged(Struct, frozen=True):
    """What a task came to.

    Attributes:
        photo: What the photo shows.
        pictures: A small JPEG of each kingdom, then one of the whole photo where it has not just
            one; None where none were wanted.
    """

    photo: PhotoResult
    pictures: tuple[bytes, ...] | None = None

    @property
    def lacks_pictures(self) -> bool:
        """Whether there are none, though the photo could be drawn."""
        return self.pictures is None and self.photo.status is not Status.UNREADABLE

    def find_picture(self, kingdom: int | None) -> bytes:
        """Return the picture of a kingdom, or of the whole photo; empty where there is none."""
        if not self.pictures:
            return b""
        return self.pictures[-1 if kingdom is None else kingdom]


class Answer(Struct, frozen=True):
    """What a worker found.

    Attributes:
        judged: What each task came to.
        reading: What was read in the photo; empty where there is nothing to be kept.
    """

    judged: tuple[Judged, ...]
    reading: bytes = b""


def make_key(*parts: object) -> str:
    """Return a short name for all parts together."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def make_scorer() -> Scorer:
    """Return a scorer that leaves the other cores to other workers."""
    return Scorer(threads=1)


@cache
def get_scorer(make_scorer: Callable[[], Scorer]) -> Scorer:
    """Return the scorer of this process, which is made once."""
    return make_scorer()


def do_job(job: Job, make_scorer: Callable[[], Scorer], version: str) -> Answer:
    """Read a photo and judge it, with the scorer of this process. A bad photo gives results, too.

    Args:
        job: What to do.
        make_scorer: Makes the scorer.
        version: That of the program that asks; another one would give other totals.

    Raises:
        KdvisionError: Nothing can be scored, as when the models are missing.
    """
    if read_version() != version:
        raise version_error()
    try:
        return _answer(job, get_scorer(make_scorer))
    except UnreadablePhotoError as error:
        photo = PhotoResult.of_error(job.name, error)
        return Answer((Judged(photo),) * len(job.tasks))
    except KdvisionError:
        raise
    except Exception as error:
        text = printable(f"{type(error).__name__}: {error}".rstrip(": "))
        return fail_job(job, FAILED, what=text)


def _answer(job: Job, scorer: Scorer) -> Answer:
    """Read a photo, judge it and draw what is wanted.

    Raises:
        UnreadablePhotoError: It cannot be decoded.
    """
    # What is decoded for reading is drawn on, too.
    source = open_photo(job.data, name=job.name) if job.data else None
    reading = b""
    try:
        read = decode_read(job.reading) or scorer.read(source or job.data, name=job.name)
    except NoKingdomError as error:
        photos = [PhotoResult.of_error(job.name, error)] * len(job.tasks)
    else:
        photos = [_judge(scorer, read, task) for task in job.tasks]
        reading = job.reading or encode_read(read)
    if source is None or not job.is_drawn:
        return Answer(tuple(map(Judged, photos)), reading)
    judged = [Judged(photo, _draw_pictures(source, photo)) for photo in photos]
    return Answer(tuple(judged), reading)


def _draw_pictures(source: Photo, photo: PhotoResult) -> tuple[bytes, ...]:
    indices: list[int | None] = [*range(len(photo.kingdoms))]
    if len(indices) != 1:
        indices.append(None)
    return tuple(render_picture(source, photo, index) for index in indices)


def _judge(scorer: Scorer, read: ReadPhoto, task: Task) -> PhotoResult:
    """Judge what was read in a photo.

    Where a sheet has a row for each kingdom that is found, nothing else in the photo is one. More
    rows or fewer say nothing: a photo may show kingdoms of another table.
    """
    count = None
    if 0 < task.rows == len(read.kingdoms):
        count = task.rows
    return scorer.judge(read, task.rules, fixes=dict(task.fixes), kingdoms=count)


def fail_job(job: Job, key: str, **fields: str) -> Answer:
    """Return the answer for a photo that was not read to the end."""
    photo = PhotoResult(job.name, Status.UNREADABLE, (Sentence(key, fields),))
    return Answer((Judged(photo),) * len(job.tasks))


def is_lasting(photo: PhotoResult) -> bool:
    """Tell whether another try would end in the same result."""
    return not any(reason.key in (FAILED, CRASHED, TIMED_OUT) for reason in photo.reasons)


def read_version() -> str:
    """Return the name of this version of the program with its models.

    Raises:
        ModelError: The list of models is missing.
    """
    entries = read_manifest(model_folder())
    models = (f"{name}={entry.sha256}/{entry.temperature}" for name, entry in entries.items())
    return " ".join((kdvision.__version__, *sorted(models)))


def version_error() -> UsageError:
    """Return the error for a worker that would give other totals, or none."""
    return UsageError(
        "A worker has no kdvision of this version with these models.",
        "Install the same version everywhere.",
    )
