"""What a worker does with one photo. It must be importable wherever the worker runs."""

import contextlib
import ctypes
import os
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from multiprocessing import parent_process
from pathlib import Path
from typing import Protocol

import cv2
import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from kdvision.concurrency import Turns, take_turns
from kdvision.corrections import FixPlace
from kdvision.errors import KdvisionError, NoKingdomError, UnreadablePhotoError, UsageError
from kdvision.files import read_file
from kdvision.options import GameOptions
from kdvision.photo.photo import open_photo
from kdvision.photo.settings import PHOTO
from kdvision.pipeline.scorer import Scorer
from kdvision.report.text import printable
from kdvision.result import PhotoResult, Status
from kdvision.tournament.batch.picture_hash import fingerprint_of, photo_digest

#: What is shown around a kingdom, in parts of its side, and the quality of that picture.
MARGIN = 0.12
_QUALITY = 62


class PhotoScorer(Protocol):
    """What scores a photo: a `Scorer`, or something like it."""

    def score(
        self,
        source: bytes,
        options: GameOptions,
        *,
        name: str | None = None,
        fixes: Mapping[FixPlace, str] | None = None,
    ) -> PhotoResult:
        """Score the bytes of a picture file."""
        ...

    def score_together(
        self,
        sources: Sequence[bytes],
        options: GameOptions,
        *,
        names: Sequence[str] | None = None,
        fixes: Mapping[FixPlace, str] | None = None,
    ) -> PhotoResult:
        """Score the bytes of several picture files of the same kingdoms."""
        ...


#: A setting of the C library of GNU (`M_MMAP_THRESHOLD` in malloc.h), and its value in bytes.
_MMAP_THRESHOLD, _LARGE_PIECE = -3, 2**20
#: Makes the scorer of a worker. A function at the top of a module, so that it can be sent there.
ScorerFactory = Callable[[], PhotoScorer]


def one_thread_scorer() -> PhotoScorer:
    """A scorer that leaves the other cores to other workers."""
    return Scorer(threads=1)


class Task(Struct, frozen=True):
    """One photo for a worker, or several of the same kingdoms.

    `data` is their bytes where the worker cannot see our files, else empty.
    """

    index: int
    name: str
    paths: tuple[str, ...]
    options: GameOptions
    data: tuple[bytes, ...] = ()
    fixes: Mapping[FixPlace, str] = msgspec.field(default_factory=dict)


class Scored(Struct, frozen=True):
    """What became of a task.

    `digest` is the SHA-256 of the photo in
    hex; empty when what happened does not follow from its bytes, so that another try may end
    differently. `picture` is the fingerprint of what it shows, empty where it shows nothing.
    """

    result: PhotoResult
    digest: str = ""
    picture: str = ""


class PictureTask(Struct, frozen=True):
    """A photo to be drawn over, with its result; `cropped` leaves only its first kingdom."""

    path: str
    result: PhotoResult
    data: bytes | None = None
    cropped: bool = False


def picture_task(task: PictureTask) -> bytes:
    """The picture of a photo for a report, as a WebP; nothing where there can be none."""
    from kdvision.report.html import picture_of

    try:
        data = read_file(task.path, PHOTO.max_bytes) if task.data is None else task.data
        picture = picture_of(open_photo(data, name=task.result.photo), task.result)
        return _cropped(picture, task.result) if task.cropped else picture
    except Exception:
        return b""


def _cropped(picture: bytes, result: PhotoResult) -> bytes:
    """The part of a drawn photo that shows its first kingdom, with some table around it."""
    corners = result.kingdoms[0].corners
    if not corners:
        return picture
    image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        return picture
    height, width = image.shape[:2]
    scale = width / result.size[0], height / result.size[1]
    cols, rows = ([corner[axis] * scale[axis] for corner in corners] for axis in (0, 1))
    margin = MARGIN * max(max(cols) - min(cols), max(rows) - min(rows))
    left, top = (max(round(min(values) - margin), 0) for values in (cols, rows))
    right, bottom = (round(max(values) + margin) for values in (cols, rows))
    part = image[top:bottom, left:right]
    return cv2.imencode(".webp", part, [cv2.IMWRITE_WEBP_QUALITY, _QUALITY])[1].tobytes()


_scorers: dict[ScorerFactory, PhotoScorer] = {}
_lock = threading.Lock()


def score_task(task: Task, factory: ScorerFactory) -> Scored:
    """Score one photo with the scorer of this process. A bad photo gives a result, too.

    Raises:
        KdvisionError: Nothing can be scored, as when the models are missing.
    """
    try:
        return _scored(task, factory)
    finally:
        _give_memory_back()


def _scored(task: Task, factory: ScorerFactory) -> Scored:
    try:
        data = task.data or tuple(read_file(path, PHOTO.max_bytes) for path in task.paths)
    except UnreadablePhotoError as error:
        message = error.unnamed if len(task.paths) == 1 else str(error)
        return Scored(failed(task, Status.UNREADABLE, message))
    try:
        result = _fixed_result(_scorer(factory), data, task)
    except UnreadablePhotoError as error:
        result = failed(task, Status.UNREADABLE, error.unnamed)
    except NoKingdomError as error:
        result = failed(task, Status.NO_KINGDOM, error.unnamed)
    except KdvisionError:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return Scored(failed(task, Status.UNREADABLE, f"The photo made the program fail: {what}"))
    return Scored(result, photo_digest(data), fingerprint_of(data[0]))


def _fixed_result(scorer: PhotoScorer, data: Sequence[bytes], task: Task) -> PhotoResult:
    """The result of a photo with the corrections of a person.

    Corrections that name no place of the kingdom change nothing, and leave the photo doubtful.
    """
    if not task.fixes:
        return _result(scorer, data, task)
    try:
        return _result(scorer, data, task, task.fixes)
    except UsageError as error:
        result = _result(scorer, data, task)
        kingdoms = tuple(replace(one, status=Status.DOUBTFUL) for one in result.kingdoms)
        message = f"No correction was made: {error.unnamed}"
        return replace(result, status=Status.DOUBTFUL, message=message, kingdoms=kingdoms)


def _result(
    scorer: PhotoScorer,
    data: Sequence[bytes],
    task: Task,
    fixes: Mapping[FixPlace, str] | None = None,
) -> PhotoResult:
    """The result of one photo, or of several that show the same kingdoms."""
    if len(data) == 1:
        return scorer.score(data[0], task.options, name=task.name, fixes=fixes)
    names = [Path(path).name for path in task.paths]
    result = scorer.score_together(data, task.options, names=names, fixes=fixes)
    return replace(result, photo=task.name)


def failed(task: Task, status: Status, message: str) -> PhotoResult:
    """The result of a photo that cannot be scored."""
    return PhotoResult(task.name, status, printable(message)[:1000])


def _scorer(factory: ScorerFactory) -> PhotoScorer:
    """The one scorer of this process."""
    with _lock:
        if factory not in _scorers:
            _scorers[factory] = factory()
        return _scorers[factory]


def start_worker(turns: Turns | None = None) -> None:
    """Prepare a process of our own: one thread, no Ctrl-C, and an end when its parent ends.

    `turns` is a lock that all workers share, for work that takes much memory.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)
    _keep_no_memory()
    take_turns(turns)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.join,), daemon=True).start()


def _keep_no_memory() -> None:
    """Have large pieces of memory returned as soon as they are free.

    By itself the C library of GNU raises that limit and keeps what a large photo took, so that
    every worker would grow to what its largest photo asks for.
    """
    with contextlib.suppress(Exception):  # only that library has it
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE_PIECE)


def _give_memory_back() -> None:
    """Return what lies free between small pieces after a photo, or workers grow bit by bit."""
    with contextlib.suppress(Exception):  # only the C library of GNU has it
        ctypes.CDLL(None).malloc_trim(0)


def _end_with(wait: Callable[[], None]) -> None:
    """End this process at once when the wait is over: a killed parent cannot tell its workers."""
    wait()
    os._exit(1)
