"""Photos scored by many workers: processes of this machine, those of Dask, or any executor.

A worker gets the bytes of a photo, scores them, and gives back a result. A photo that ends its
worker costs that photo only. Only a few tasks are under way at a time, so that memory does
not grow with their number.
"""

import hashlib
import logging
import os
import re
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, suppress
from functools import cache, partial
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.synchronize import Lock
from pathlib import Path
from typing import Any, TypeVar

import cv2
from msgspec import Struct

import kdvision
from kdvision.concurrency import take_turns
from kdvision.corrections import FixPlace
from kdvision.errors import (
    KdvisionError,
    NoKingdomError,
    SentenceError,
    UnreadablePhotoError,
    UsageError,
    missing_extra,
)
from kdvision.pipeline.scorer import Scorer
from kdvision.report.text import printable
from kdvision.result import PhotoResult, Status
from kdvision.rules.rules import Rules
from kdvision.sentences import Sentence
from kdvision.vision.models import model_folder, read_manifest

_R = TypeVar("_R")

#: Tasks under way per worker: one that runs, and enough behind it that a slow photo stops nobody.
_PER_WORKER = 4
#: What is said of a photo that may be scored by another try.
_FAILED, _CRASHED = "unreadable.failed", "unreadable.crashed"


# ---------------------------------------------------------------------- what a worker does


class Task(Struct, frozen=True):
    """A photo to be scored.

    Attributes:
        path: Where it is.
        options: The options that its kingdoms are scored by.
        fixes: What people corrected in it, by places of the kingdoms as they are read without.
    """

    path: Path
    options: Rules
    fixes: tuple[tuple[FixPlace, str], ...] = ()

    def key(self, data: bytes, version: str) -> str:
        """Return the key of the result: the bytes of the photo, and all that it is scored by."""
        parts = (
            hashlib.sha256(data).hexdigest(),
            self.options,
            version,
            self.fixes,
        )
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
        return scorer.score(data, task.options, name=task.path.name, fixes=dict(task.fixes))
    except (NoKingdomError, UnreadablePhotoError) as error:
        return PhotoResult.of_error(task.path.name, error)
    except KdvisionError:
        raise
    except Exception as error:
        text = printable(f"{type(error).__name__}: {error}".rstrip(": "))
        return _fail_photo(task, _FAILED, what=text)


def _fail_photo(task: Task, key: str, **fields: str) -> PhotoResult:
    return PhotoResult(task.path.name, Status.UNREADABLE, (Sentence(key, fields),))


def is_lasting(result: PhotoResult) -> bool:
    """Tell whether another try would end in the same result."""
    return not any(reason.key in (_FAILED, _CRASHED) for reason in result.reasons)


def read_version() -> str:
    """Return the name of this version of the program with its models.

    Raises:
        ModelError: The list of models is missing.
    """
    entries = read_manifest(model_folder())
    models = (f"{name}={entry.sha256}/{entry.temperature}" for name, entry in entries.items())
    return " ".join((kdvision.__version__, *sorted(models)))


# ---------------------------------------------------------------------- any executor


class Workers(Struct, frozen=True):
    """An executor for scoring photos, and the scorer of its workers.

    Attributes:
        executor: Any executor, which is left as it is. It gets the bytes of photos.
        count: Number of photos that are scored at a time.
        scorer: Makes the scorer of a worker; a function at the top of a module.
        crashes: What the executor raises for a task that ended its worker.
        are_gone: Tells whether no worker is left that could do what waits.
    """

    executor: Executor
    count: int
    scorer: Callable[[], Scorer] = make_scorer
    crashes: tuple[type[Exception], ...] = (BrokenProcessPool,)
    are_gone: Callable[[], bool] = lambda: False


#: Seconds between two looks whether workers are left.
LOOK_EVERY_S = 2.0


def score_photos(
    workers: Workers, photos: Iterable[tuple[Task, bytes]]
) -> Iterator[tuple[Task, PhotoResult]]:
    """Score photos, and yield each with its result, in their order.

    The next photo is asked for only when there is room for it.

    Raises:
        KdvisionError: No worker is left, or one is of another version.
    """
    score = partial(score_task, make_scorer=workers.scorer, version=read_version())
    queue = iter(photos)
    futures: deque[tuple[Task, Future[PhotoResult]]] = deque()
    while True:
        for task, data in islice(queue, _PER_WORKER * workers.count - len(futures)):
            futures.append((task, workers.executor.submit(score, task, data)))
        if not futures:
            return
        task, future = futures.popleft()
        while not wait([future], timeout=LOOK_EVERY_S).done:
            if workers.are_gone():
                raise _workers_error()
        try:
            result = future.result()
        except CancelledError:
            raise _workers_error() from None
        except workers.crashes:
            result = _fail_photo(task, _CRASHED)
        yield task, result


def _workers_error() -> SentenceError:
    return SentenceError(
        "The workers that score photos have gone, and photos are left.",
        "Start them, and give the same command again: it goes on from what was scored.",
    )


def version_error() -> UsageError:
    """Return the error for a worker that would give other totals, or none."""
    return UsageError(
        "A worker has no kdvision of this version with these models.",
        "Install the same version everywhere.",
    )


# ---------------------------------------------------------------------- processes of this machine


class Processes(ThreadPoolExecutor):
    """Processes of this machine, each behind a thread, which starts another where a task ends it.

    Args:
        count: How many.
    """

    def __init__(self, count: int) -> None:
        super().__init__(count, initializer=_block_ctrl_c)
        self._context = get_context("spawn")
        self._start = partial(_start_process, self._context.Lock())
        self._pools: dict[int, ProcessPoolExecutor] = {}  # one process each, by thread

    def submit(self, function: Callable[..., _R], /, *args: Any, **kwargs: Any) -> Future[_R]:
        """Have a process call a function."""
        return super().submit(self._call, partial(function, *args, **kwargs))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End the processes as soon as what they do is done; what waits is left.

        Pools that are left to the end of the program are now and then woken once they are closed,
        which prints a traceback.
        """
        super().shutdown(wait, cancel_futures=cancel_futures)
        for pool in self._pools.values():
            pool.shutdown(wait)

    def _call(self, function: Callable[[], _R]) -> _R:
        """Call a function in the process of this thread."""
        thread = threading.get_ident()
        if thread not in self._pools:
            self._pools[thread] = ProcessPoolExecutor(1, self._context, self._start)
        try:
            return self._pools[thread].submit(function).result()
        except BrokenProcessPool:
            self._pools.pop(thread).shutdown()
            raise


def _block_ctrl_c() -> None:
    """Keep Ctrl-C, which is for the program alone, from the processes that a thread starts."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _start_process(turns: Lock) -> None:
    """Prepare a process: one thread, no Ctrl-C, and an end when its parent ends.

    Args:
        turns: A lock that all processes share, for work that takes much memory.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)
    take_turns(turns)
    # A killed parent cannot tell its processes.
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


# ---------------------------------------------------------------------- Dask

#: Seconds to wait for a scheduler: long enough for a busy one, short enough for a person.
TIMEOUT_S = 10
#: Seconds without any worker after which a run ends: a worker that restarts takes less.
NO_WORKER_S = 30
_ADDRESS = re.compile(r"(?:(?:tcp|tls|wss?)://)?[^\s/]+:[0-9]{1,5}/?")


@contextmanager
def dask_workers(address: str) -> Iterator[Workers]:
    """Connect to a scheduler, whose workers score photos as any other executor does.

    Photos are sent to them, so they need not see our files.

    Args:
        address: Such as `tcp://host:8786`.

    Raises:
        UsageError: Dask is not installed, nobody answers, or a worker is missing or unfit.
    """
    # What can be said before anything is connected.
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise missing_extra("Scoring on Dask", "dask") from None
    if not _ADDRESS.fullmatch(address):
        advice = "Write the address of a scheduler: tcp://host:8786"
        raise UsageError(f"--dask is {address[:60]!r}.", advice)
    # Connect, without the warnings of Dask itself.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL + 1)
    try:
        client = Client(address, timeout=TIMEOUT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"No Dask scheduler answers at {address[:200]} ({type(error).__name__}).",
            "Start one with: dask scheduler; its address begins with tcp://",
        ) from None
    # All workers must be there, and of this version.
    with closing(client):
        threads = client.nthreads()
        if not threads:
            raise UsageError(
                f"The Dask scheduler at {address} has no workers.",
                f"Start some with: dask worker {address}",
            )
        # Those that join later say so themselves.
        versions = client.run(read_version, on_error="return")
        if {*versions.values()} != {read_version()}:
            raise version_error()
        last_seen = time.monotonic()

        def are_gone() -> bool:
            nonlocal last_seen
            with suppress(Exception):  # the scheduler is not there at the moment
                if client.nthreads():
                    last_seen = time.monotonic()
            return time.monotonic() - last_seen >= NO_WORKER_S

        yield Workers(
            client.get_executor(pure=False),
            sum(threads.values()),
            crashes=(KilledWorker,),
            are_gone=are_gone,
        )
