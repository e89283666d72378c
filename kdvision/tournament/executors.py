"""Photos scored by many workers: processes of this machine, those of Dask, or any executor.

A worker reads the bytes of a photo, scores them, and gives back a result and a digest. A photo that
ends its worker costs that photo only: what was being scored is tried again one by one, and what
ends a worker a second time is not tried again. Only a few tasks are under way at a time, so that
memory does not grow with their number.
"""

import contextlib
import ctypes
import hashlib
import logging
import multiprocessing
import os
import re
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from functools import cache, partial
from itertools import islice
from multiprocessing.synchronize import Lock
from pathlib import Path
from typing import Any, TypeVar

import cv2
from msgspec import Struct
from msgspec.structs import astuple, replace

import kdvision
from kdvision.concurrency import cores, take_turns
from kdvision.errors import (
    KdvisionError,
    NoKingdomError,
    SentenceError,
    UnreadablePhotoError,
    UsageError,
    missing_extra,
)
from kdvision.files import read_file
from kdvision.options import GameOptions
from kdvision.photo.photo import PHOTO
from kdvision.pipeline.scorer import Scorer
from kdvision.report.text import printable
from kdvision.result import PhotoResult, Status
from kdvision.sentences import Sentence
from kdvision.tournament.journal import PhotoReading
from kdvision.tournament.owners import Correction, place_fixes
from kdvision.vision.models import model_folder, read_manifest

_T = TypeVar("_T")
_R = TypeVar("_R")

#: Tasks under way per worker: one that runs, and enough behind it that a slow photo stops nobody.
_PER_WORKER = 4
#: After this number of tasks that ended their workers, before any was done, the cause is no photo.
_MOST_CRASHES = 3


# ---------------------------------------------------------------------- what a worker does


class Task(Struct, frozen=True):
    """A photo to be scored.

    Attributes:
        path: Where it is.
        options: The options that its kingdoms are scored by.
        corrections: What people corrected of its kingdoms.
        data: Its bytes, where the worker cannot see our files; else empty.
    """

    path: Path
    options: GameOptions
    corrections: tuple[Correction, ...] = ()
    data: bytes = b""

    def key(self, digest: str, version: str) -> str:
        """Return the key of the result for a photo with this digest."""
        scored_by = (digest, *astuple(self.options), version, *map(repr, self.corrections))
        return f"k{hashlib.sha256(repr(scored_by).encode()).hexdigest()[:32]}"


def one_thread_scorer() -> Scorer:
    """Return a scorer that leaves the other cores to other workers."""
    return Scorer(threads=1)


@cache
def scorer_of_process(make_scorer: Callable[[], Scorer]) -> Scorer:
    """Return the scorer of this process, which is made once."""
    return make_scorer()


def score_task(task: Task, make_scorer: Callable[[], Scorer]) -> PhotoReading:
    """Score one photo with the scorer of this process. A bad photo gives a result, too.

    Raises:
        KdvisionError: Nothing can be scored, as when the models are missing.
    """
    data = task.data
    try:
        data = data or read_file(task.path, PHOTO.max_bytes)
        result = _score_corrected(scorer_of_process(make_scorer), data, task)
    except (NoKingdomError, UnreadablePhotoError) as error:
        result = PhotoResult.of_error(task.path.name, error)
    except KdvisionError:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        return _failed(task, Sentence("unreadable.failed", {"what": printable(what)}))
    finally:
        # By itself the C library of GNU keeps what a large photo took: workers would grow.
        with contextlib.suppress(Exception):
            ctypes.CDLL(None).malloc_trim(0)
    return PhotoReading(result, photo_digest(data))


def _score_corrected(scorer: Scorer, data: bytes, task: Task) -> PhotoResult:
    """Score with the corrections of people, in the kingdoms that they were made for."""
    name, fixes = task.path.name, partial(place_fixes, task.corrections)
    try:
        return scorer.score(
            data, task.options, name=name, fixes=fixes if task.corrections else None
        )
    except UsageError as error:
        # Corrections that name no place change nothing, and leave the photo doubtful.
        result = scorer.score(data, task.options, name=name)
        kingdoms = tuple(replace(kingdom, status=Status.DOUBTFUL) for kingdom in result.kingdoms)
        reasons = (Sentence("correction.none-made"), *error.reasons)
        return replace(result, status=Status.DOUBTFUL, reasons=reasons, kingdoms=kingdoms)


def _failed(task: Task, reason: Sentence) -> PhotoReading:
    """What there is to say of a photo that cannot be scored; a later run tries it again."""
    return PhotoReading(PhotoResult(task.path.name, Status.UNREADABLE, (reason,)))


def _crashed(task: Task) -> PhotoReading:
    return _failed(task, Sentence("unreadable.crashed"))


def photo_digest(data: bytes) -> str:
    """Return the SHA-256 of a photo in hex; empty for nothing."""
    return hashlib.sha256(data).hexdigest() if data else ""


def scorer_version() -> str:
    """Return the name of this version of the program with its models.

    Raises:
        ModelError: The list of models is missing.
    """
    entries = read_manifest(model_folder())
    sums = (f"{name}={entry.sha256}/{entry.temperature}" for name, entry in entries.items())
    return " ".join((kdvision.__version__, *sorted(sums)))


def _start_process(turns: Lock) -> None:
    """Prepare a process of our own: one thread, no Ctrl-C, and an end when its parent ends.

    Args:
        turns: A lock that all processes share, for work that takes much memory.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)
    take_turns(turns)
    parent = multiprocessing.parent_process()
    if parent is not None:
        # A killed parent cannot tell its workers.
        threading.Thread(target=_end_after, args=(parent.join,), daemon=True).start()


def _end_after(wait_for: Callable[[], None]) -> None:
    wait_for()
    os._exit(1)


# ---------------------------------------------------------------------- any executor


class Workers(Struct, frozen=True):
    """An executor for scoring photos, and the scorer of its workers.

    Attributes:
        executor: Any executor; None starts processes on this machine.
        count: Number of photos that are scored at a time; None takes all cores.
        scorer: Makes the scorer of a worker; a function at the top of a module.
        version: Names what scores, so that results of another version are not taken for its own;
            None takes this program with its models.
        send_photos: Whether workers get the bytes of a photo instead of its path, as they must
            where they cannot see our files.
        lost: What the executor raises for a task that ended its workers, where it goes on itself.
        gone: Tells whether no worker is left that could do what waits.
    """

    executor: Executor | None = None
    count: int | None = None
    scorer: Callable[[], Scorer] = one_thread_scorer
    version: str | None = None
    send_photos: bool = False
    lost: tuple[type[Exception], ...] = ()
    gone: Callable[[], bool] = lambda: False


#: All cores of this machine.
ALL_CORES = Workers()
#: Seconds between two looks whether workers are left.
LOOK_EVERY_S = 2.0


class Engine(contextlib.AbstractContextManager["Engine"]):
    """An executor with as much work as it can hold.

    Args:
        workers: The executor and its workers. At the end it is left as it is; only processes that
            were started here end.
    """

    def __init__(self, workers: Workers = ALL_CORES) -> None:
        self.workers = workers
        self._count = workers.count or cores()
        self._executor = workers.executor or self._processes()
        self._crashes = 0
        self._has_results = False

    def _processes(self) -> Executor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(
            self._count, context, initializer=_start_process, initargs=(context.Lock(),)
        )

    def __exit__(self, *_: object) -> None:
        if self.workers.executor is None:
            self._executor.shutdown(wait=True, cancel_futures=True)

    def score(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, PhotoReading]]:
        """Score photos, and yield each with what it showed."""
        yield from self.run(partial(score_task, make_scorer=self.workers.scorer), tasks, _crashed)

    def run(
        self, function: Callable[[_T], _R], tasks: Iterable[_T], crashed: Callable[[_T], _R]
    ) -> Iterator[tuple[_T, _R]]:
        """Do all tasks, and yield each with its result, in their order.

        Args:
            function: Called with a task by a worker; must be importable there.
            tasks: Asked for the next one only when there is room for it.
            crashed: What to give for a task that ends its worker.

        Raises:
            KdvisionError: Workers of our own die whatever they do, or a given executor is broken.
        """
        waiting = iter(tasks)
        running: deque[tuple[_T, Future[_R]]] = deque()
        while True:
            for task in islice(waiting, _PER_WORKER * self._count - len(running)):
                running.append((task, self._submit(function, task)))
            if not running:
                return
            task, future = running[0]
            try:
                result = self._result(future)
            except self.workers.lost:
                result = crashed(task)
            except BrokenExecutor:
                # Any of the running tasks can have ended its worker. One by one they show.
                yield from self._run_one_by_one(function, [task for task, _ in running], crashed)
                running.clear()
                continue
            running.popleft()
            yield task, result

    def _run_one_by_one(
        self, function: Callable[[_T], _R], tasks: Sequence[_T], crashed: Callable[[_T], _R]
    ) -> Iterator[tuple[_T, _R]]:
        """Do tasks of which one has ended its worker, each alone."""
        self._renew()
        for task in tasks:
            try:
                result = self._result(self._submit(function, task))
            except BrokenExecutor:
                self._crashes += 1
                if self._crashes > _MOST_CRASHES and not self._has_results:
                    raise SentenceError(
                        "The processes that score photos die as soon as they start.",
                        "Check that there is enough memory, or try --workers 1.",
                    ) from None
                self._renew()
                result = crashed(task)
            yield task, result

    def _submit(self, function: Callable[[_T], _R], task: _T) -> Future[_R]:
        """Hand out a task; what starts for it does not hear Ctrl-C, which is for us alone."""
        try:
            with _ctrl_c_held():
                return self._executor.submit(function, task)
        except BrokenExecutor as error:
            failed: Future[_R] = Future()
            failed.set_exception(error)
            return failed
        except Exception:
            if self.workers.executor is None:
                raise
            raise _workers_gone() from None  # it was shut down by somebody else

    def _result(self, future: Future[_R]) -> _R:
        """Wait for a result as long as somebody is left to give it."""
        while not wait([future], timeout=LOOK_EVERY_S).done:
            if self.workers.gone():
                raise _workers_gone()
        try:
            result = future.result()
        except CancelledError:
            raise _workers_gone() from None
        self._has_results = True
        return result

    def _renew(self) -> None:
        """Start new processes for those that died."""
        if self.workers.executor is not None:
            raise _workers_gone() from None
        self.__exit__()
        self._executor = self._processes()


@contextlib.contextmanager
def _ctrl_c_held() -> Iterator[None]:
    """Ctrl-C waits until this is over; processes that are started in it never get it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _workers_gone() -> SentenceError:
    return SentenceError(
        "The workers that score photos have gone, and photos are left.",
        "Start them, and give the same command again: it goes on from what was scored.",
    )


# ---------------------------------------------------------------------- Dask

#: Seconds to wait for a scheduler: long enough for a busy one, short enough for a person.
TIMEOUT_S = 10
#: Seconds without any worker after which a run ends: a worker that restarts takes less.
NO_WORKER_S = 30
_ADDRESS = re.compile(r"(?:(?:tcp|tls|wss?)://)?[^\s/]+:[0-9]{1,5}/?")


@contextlib.contextmanager
def dask_workers(address: str, say: Callable[[str], None] = lambda _: None) -> Iterator[Workers]:
    """Connect to a scheduler, whose workers score photos as any other executor does.

    Photos are sent to them, so they need not see our files. Workers that have no kdvision of our
    version with our models are left out: they would give other totals.

    Args:
        address: Such as `tcp://host:8786`.
        say: Takes a sentence for each worker that is left out.

    Raises:
        UsageError: Dask is not installed, nobody answers, or no worker can do it.
    """
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise missing_extra("Scoring on Dask", "dask") from None
    if not _ADDRESS.fullmatch(address):
        advice = "Write the address of a scheduler: tcp://host:8786"
        raise UsageError(f"--dask is {address[:60]!r}.", advice)
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL + 1)
    try:
        client = Client(address, timeout=TIMEOUT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"No Dask scheduler answers at {address[:200]} ({type(error).__name__}).",
            "Start one with: dask scheduler; its address begins with tcp://",
        ) from None
    with contextlib.closing(client):
        threads = dict(client.nthreads())
        if not threads:
            raise UsageError(
                f"The Dask scheduler at {address} has no workers.",
                f"Start some with: dask worker {address}",
            )
        versions = client.run(scorer_version, on_error="return")
        unfit = [worker for worker in threads if versions.get(worker) != scorer_version()]
        fit = [worker for worker in threads if worker not in unfit]
        for worker in unfit:
            reason = f"The Dask worker {worker} has no kdvision of this version with these models"
            if not fit:
                raise UsageError(f"{reason}.", "Install the same version everywhere.")
            say(f"{reason}, and is not used.")
        yield Workers(
            client.get_executor(pure=False, **({"workers": fit} if unfit else {})),
            sum(threads[worker] for worker in fit),
            send_photos=True,
            lost=(KilledWorker,),
            gone=_watch(client, unfit),
        )


def _watch(client: Any, unfit: Sequence[str]) -> Callable[[], bool]:
    """Return what tells whether a client has had no worker for `NO_WORKER_S` seconds."""
    last_seen = time.monotonic()

    def are_gone() -> bool:
        nonlocal last_seen
        with contextlib.suppress(Exception):  # the scheduler is not there at the moment
            if {*client.nthreads()}.difference(unfit):
                last_seen = time.monotonic()
        return time.monotonic() - last_seen >= NO_WORKER_S

    return are_gone
