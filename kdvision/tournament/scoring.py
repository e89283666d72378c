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
from kdvision.pipeline.scorer import Scorer
from kdvision.report.text import printable
from kdvision.result import PhotoResult, Status
from kdvision.rules.rules import Rules
from kdvision.sentences import Sentence
from kdvision.vision.models import model_folder, read_manifest

#: What is said of a photo that may be scored by another try.
FAILED, CRASHED, TIMED_OUT = "unreadable.failed", "unreadable.crashed", "unreadable.timed-out"


class Task(Struct, frozen=True):
    """A photo to be scored.

    Attributes:
        path: Where it is.
        rules: The rules that its kingdoms are scored by.
        fixes: What people corrected in it, by places of the kingdoms as they are read without.
    """

    path: Path
    rules: Rules
    fixes: tuple[tuple[FixPlace, str], ...] = ()

    def key(self, digest: str, version: str) -> str:
        """Return the key of the result: the photo, and all that it is scored by."""
        parts = (digest, *astuple(self.rules), version, self.fixes)
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def make_scorer() -> Scorer:
    """Return a scorer that leaves the other cores to other workers."""
    return Scorer(threads=1)


@cache
def get_scorer(make_scorer: Callable[[], Scorer]) -> Scorer:
    """Return the scorer of this process, which is made once."""
    return make_scorer()


def score_task(
    task: Task, data: bytes, make_scorer: Callable[[], Scorer], version: str
) -> PhotoResult:
    """Score one photo with the scorer of this process. A bad photo gives a result, too.

    Args:
        task: What to score.
        data: The bytes of the photo.
        make_scorer: Makes the scorer.
        version: That of the program that asks; another one would give other totals.

    Raises:
        KdvisionError: Nothing can be scored, as when the models are missing.
    """
    if read_version() != version:
        raise version_error()
    try:
        scorer = get_scorer(make_scorer)
        return scorer.score(data, task.rules, name=task.path.name, fixes=dict(task.fixes))
    except (NoKingdomError, UnreadablePhotoError) as error:
        return PhotoResult.of_error(task.path.name, error)
    except KdvisionError:
        raise
    except Exception as error:
        text = printable(f"{type(error).__name__}: {error}".rstrip(": "))
        return fail_photo(task, FAILED, what=text)


def fail_photo(task: Task, key: str, **fields: str) -> PhotoResult:
    """Return the result of a photo that was not read to the end."""
    return PhotoResult(task.path.name, Status.UNREADABLE, (Sentence(key, fields),))


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
