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
from kdvision.pipeline.read_photo import ReadPhoto, decode_read, encode_read
from kdvision.pipeline.scorer import Scorer
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
        data: The bytes of the photo; empty where its reading is known.
        reading: What was read in it before, as `encode_read` writes it; empty where nothing was.
    """

    tasks: tuple[Task, ...]
    data: bytes
    reading: bytes = b""


class Answer(Struct, frozen=True):
    """What a worker found.

    Attributes:
        photos: The result of each task.
        reading: What was read in the photo; empty where it could not be read.
    """

    photos: tuple[PhotoResult, ...]
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
    name = job.tasks[0].path.name
    try:
        scorer = get_scorer(make_scorer)
        read = decode_read(job.reading) or scorer.read(job.data, name=name)
        photos = [_judge(scorer, read, task) for task in job.tasks]
        return Answer(tuple(photos), job.reading or encode_read(read))
    except (NoKingdomError, UnreadablePhotoError) as error:
        return Answer((PhotoResult.of_error(name, error),) * len(job.tasks))
    except KdvisionError:
        raise
    except Exception as error:
        text = printable(f"{type(error).__name__}: {error}".rstrip(": "))
        return fail_job(job, FAILED, what=text)


def _judge(scorer: Scorer, read: ReadPhoto, task: Task) -> PhotoResult:
    """Judge what was read in a photo.

    Where a sheet has a row for each kingdom that is found, nothing else in the photo is one. More
    rows or fewer say nothing: a photo may show kingdoms of another table.
    """
    count = task.rows if 0 < task.rows == len(read.kingdoms) else None
    return scorer.judge(read, task.rules, fixes=dict(task.fixes), kingdoms=count)


def fail_job(job: Job, key: str, **fields: str) -> Answer:
    """Return the answer for a photo that was not read to the end."""
    name = job.tasks[0].path.name
    photo = PhotoResult(name, Status.UNREADABLE, (Sentence(key, fields),))
    return Answer((photo,) * len(job.tasks))


def is_lasting(result: PhotoResult) -> bool:
    """Tell whether another try would end in the same result."""
    return not any(reason.key in (FAILED, CRASHED, TIMED_OUT) for reason in result.reasons)


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
