"""Photos scored in parallel: what a worker does with one, and the executor that gives it work.

Any `concurrent.futures.Executor` will do: processes of this machine, threads, or the workers of a
Dask scheduler (`kdvision/tournament/batch/dask.py`). Only a few tasks are under way at a time, so
that memory does not grow with their number.
"""

import contextlib
import ctypes
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from functools import partial
from multiprocessing.synchronize import Lock
from typing import TypeVar

import cv2
from msgspec import Struct
from msgspec.structs import replace

from kdvision.concurrency import cores, take_turns
from kdvision.errors import (
    KdvisionError,
    NoKingdomError,
    SentenceError,
    UnreadablePhotoError,
    UsageError,
)
from kdvision.files import read_file
from kdvision.photo.settings import PHOTO
from kdvision.pipeline.scorer import Scorer
from kdvision.report.text import printable
from kdvision.result import PhotoResult, Status
from kdvision.sentences import Sentence
from kdvision.tournament.batch.identity import (
    fingerprint_of,
    key_of,
    photo_bytes,
    photo_digest,
    scorer_version,
)
from kdvision.tournament.batch.journal import Journal, Scored
from kdvision.tournament.lines import Job

_T = TypeVar("_T")
_R = TypeVar("_R")

#: Makes the scorer of a worker. A function at the top of a module, so that it can be sent there.
ScorerFactory = Callable[[], Scorer]
#: Called for every photo that is done; None stands for one that was done before.
OnScored = Callable[[PhotoResult | None], None]

#: Tasks under way per worker: one that runs and one that waits for it.
_PER_WORKER = 2
#: After this number of tasks that ended their workers, before any was done, the cause is no photo.
_MOST_CRASHES = 3
#: A setting of the C library of GNU (`M_MMAP_THRESHOLD` in malloc.h), and its value in bytes.
_MMAP_THRESHOLD, _LARGE_PIECE = -3, 2**20


# ---------------------------------------------------------------------- what a worker does


class Task(Struct, frozen=True):
    """A job for a worker, with its number in the run.

    `data` are the bytes of the photo where the worker cannot see our files, else empty.
    """

    number: int
    job: Job
    data: bytes = b""


_scorers: dict[ScorerFactory, Scorer] = {}
_lock = threading.Lock()


def one_thread_scorer() -> Scorer:
    """A scorer that leaves the other cores to other workers."""
    return Scorer(threads=1)


def score_task(task: Task, make_scorer: ScorerFactory) -> Scored:
    """Score one photo with the scorer of this process. A bad photo gives a result, too.

    Raises:
        KdvisionError: Nothing can be scored, as when the models are missing.
    """
    job = task.job
    try:
        data = task.data or read_file(job.path, PHOTO.max_bytes)
    except UnreadablePhotoError as error:
        return _failed(job, error.reasons)
    try:
        with _lock:
            if make_scorer not in _scorers:
                _scorers[make_scorer] = make_scorer()
        result = _scored_with_fixes(_scorers[make_scorer], data, job)
    except (NoKingdomError, UnreadablePhotoError) as error:
        result = PhotoResult.of_error(job.name, error)
    except KdvisionError:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        fields = {"what": printable(what)[:1000]}
        return _failed(job, (Sentence("unreadable.failed", fields),))
    finally:
        # What lies free between small pieces is returned, or workers grow bit by bit.
        with contextlib.suppress(Exception):  # only the C library of GNU has it
            ctypes.CDLL(None).malloc_trim(0)
    return Scored(result, photo_digest(data), fingerprint_of(data))


def _scored_with_fixes(scorer: Scorer, data: bytes, job: Job) -> PhotoResult:
    """Score with the corrections of a person.

    Corrections that name no place of the kingdom change nothing, and leave the photo doubtful.
    """
    fixes = job.fixes or None
    try:
        return scorer.score(data, job.options, name=job.name, fixes=fixes)
    except UsageError as error:
        if fixes is None:
            raise
        result = _scored_with_fixes(scorer, data, replace(job, fixes={}))
        kingdoms = tuple(replace(kingdom, status=Status.DOUBTFUL) for kingdom in result.kingdoms)
        reasons = (Sentence("correction.none-made"), *error.reasons)
        return replace(result, status=Status.DOUBTFUL, reasons=reasons, kingdoms=kingdoms)


def _failed(job: Job, reasons: tuple[Sentence, ...]) -> Scored:
    """A photo that cannot be scored; a later run tries it again."""
    return Scored(PhotoResult(job.name, Status.UNREADABLE, reasons))


def _crashed(task: Task) -> Scored:
    """A photo on which the process that scored it died."""
    return _failed(task.job, (Sentence("unreadable.crashed"),))


def _start_worker(turns: Lock) -> None:
    """Prepare a process of our own: one thread, no Ctrl-C, and an end when its parent ends.

    Args:
        turns: A lock that all workers share, for work that takes much memory.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)
    # By itself the C library of GNU keeps what a large photo took, so that every worker would grow
    # to what its largest photo asks for. Large pieces are to be returned as soon as they are free.
    with contextlib.suppress(Exception):  # only that library has it
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE_PIECE)
    take_turns(turns)
    parent = multiprocessing.parent_process()
    if parent is not None:
        # A killed parent cannot tell its workers.
        threading.Thread(target=_end_after, args=(parent.join,), daemon=True).start()


def _end_after(wait: Callable[[], None]) -> None:
    wait()
    os._exit(1)


# ---------------------------------------------------------------------- the executor


class Means(Struct, frozen=True):
    """An executor for scoring photos, and the scorer of its workers.

    Attributes:
        executor: Any executor; None starts processes on this machine.
        workers: Number of photos that are scored at a time; None takes all cores.
        scorer: Makes the scorer of a worker; a function at the top of a module.
        version: Names what scores, so that results of another version are not taken for its own;
            None takes this program with its models.
        send_photos: Whether workers get the bytes of a photo instead of its path, as they must
            where they cannot see our files.
        lost: What the executor raises for a task that ended its workers, where it goes on itself.
    """

    executor: Executor | None = None
    workers: int | None = None
    scorer: ScorerFactory = one_thread_scorer
    version: str | None = None
    send_photos: bool = False
    lost: tuple[type[Exception], ...] = ()


#: All cores of this machine.
MEANS = Means()


class Engine(contextlib.AbstractContextManager["Engine"]):
    """An executor with as much work as it can hold.

    Args:
        means: The executor and its workers. At the end it is left as it is; only processes that
            were started here end.
    """

    def __init__(self, means: Means = MEANS) -> None:
        self.means = means
        self._workers = means.workers or cores()
        self.limit = _PER_WORKER * self._workers
        self._executor = means.executor or self._processes()

    def _processes(self) -> Executor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(
            self._workers, context, initializer=_start_worker, initargs=(context.Lock(),)
        )

    def __exit__(self, *_: object) -> None:
        if self.means.executor is None:
            self._executor.shutdown(wait=True, cancel_futures=True)

    def run(
        self,
        function: Callable[[_T], _R],
        tasks: Iterable[_T],
        crashed: Callable[[_T], _R],
        *,
        ordered: bool = False,
    ) -> Iterator[tuple[_T, _R]]:
        """Do all tasks, and yield each with its result.

        Args:
            function: Called with a task by a worker; must be importable there.
            tasks: Asked for the next one only when a worker is free.
            crashed: What to give for a task that ends its worker.
            ordered: Whether results come in the order of the tasks; else as they are done.

        Raises:
            KdvisionError: Workers of our own die whatever they do, or a given executor is broken.
        """
        waiting = iter(tasks)
        suspects: deque[_T] = deque()
        running: dict[Future[_R], _T] = {}
        crashes, completed = 0, False
        while True:
            try:
                # While there are suspects, one task at a time.
                while len(running) < (1 if suspects else self.limit):
                    task = suspects.popleft() if suspects else next(waiting, None)
                    if task is None:
                        break
                    running[self._submit(function, task, suspects)] = task
                if not running:
                    return
                awaited = list(running)[:1] if ordered else list(running)
                done = wait(awaited, return_when=FIRST_COMPLETED).done
                results = [
                    (future, self._result(future, running[future], crashed)) for future in done
                ]
            except BrokenExecutor:
                # Any of the running tasks can have ended its worker. One by one they show.
                affected = [*running.values()]
                running.clear()
                self._renew()
                crashes += 1
                if len(affected) != 1:
                    suspects.extendleft(reversed(affected))
                    continue
                if crashes > _MOST_CRASHES and not completed:
                    raise SentenceError(
                        "The processes that score photos die as soon as they start.",
                        "Check that there is enough memory, or try --workers 1.",
                    ) from None
                yield affected[0], crashed(affected[0])
                continue
            completed = True
            for future, result in results:
                yield running.pop(future), result

    def _submit(self, function: Callable[[_T], _R], task: _T, suspects: deque[_T]) -> Future[_R]:
        """Hand out a task; what starts for it does not hear Ctrl-C, which is for us alone."""
        try:
            with _ctrl_c_held():
                return self._executor.submit(function, task)
        except BrokenExecutor:
            suspects.appendleft(task)
            raise
        except Exception:
            if self.means.executor is None:
                raise
            raise _workers_gone() from None  # it was shut down by somebody else

    def _result(self, future: Future[_R], task: _T, crashed: Callable[[_T], _R]) -> _R:
        try:
            return future.result()
        except self.means.lost:
            return crashed(task)
        except CancelledError:
            raise _workers_gone() from None

    def _renew(self) -> None:
        """Start new processes for those that died.

        Raises:
            KdvisionError: The executor is none of ours.
        """
        if self.means.executor is not None:
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


# ---------------------------------------------------------------------- all photos of a run


class Run(Struct, frozen=True):
    """Jobs, and what came of each.

    Attributes:
        jobs: The jobs.
        keys: Those of their results in the journal, empty for those that were not reached.
        records: The journal.
        engine: What scored them.
        skipped: The keys of the jobs that were done before.
        interrupted: Whether Ctrl-C ended it.
    """

    jobs: Sequence[Job]
    keys: Sequence[str]
    records: Journal
    engine: Engine
    skipped: Sequence[str]
    interrupted: bool

    @property
    def reached(self) -> list[tuple[Job, str]]:
        """The jobs that were reached, each with its key."""
        return [(job, key) for job, key in zip(self.jobs, self.keys, strict=True) if key]


def score_all(
    jobs: Sequence[Job],
    records: Journal,
    engine: Engine,
    progress: OnScored,
    digests: Sequence[str] = (),
) -> Run:
    """Score what is not yet in the records. Ctrl-C ends it early; what was done is kept.

    `digests` are the SHA-256 of the photos, where they are known.
    """
    means = engine.means
    version = means.version or scorer_version()
    keys = [""] * len(jobs)
    skipped: list[str] = []
    # Without earlier records no photo need be read here.
    look = len(records) > 0

    def tasks() -> Iterator[Task]:
        for number, job in enumerate(jobs):
            read = means.send_photos or (look and not digests)
            data = photo_bytes(job) if read else b""
            digest = digests[number] if digests else photo_digest(data)
            key = key_of(digest, job.options, version, job.fixes) if look else ""
            if key and key in records:
                keys[number] = key
                skipped.append(key)
                progress(None)
            else:
                asked = replace(job, entries=())  # what people wrote is no business of workers
                yield Task(number, asked, data if means.send_photos else b"")

    interrupted = False
    try:
        score = partial(score_task, make_scorer=means.scorer)
        for task, scored in engine.run(score, tasks(), _crashed):
            job = jobs[task.number]
            key = key_of(scored.digest, job.options, version, job.fixes)
            keys[task.number] = records.add(key, task.number, job, scored)
            progress(scored.result)
    except KeyboardInterrupt:
        interrupted = True
    return Run(jobs, keys, records, engine, skipped, interrupted)
