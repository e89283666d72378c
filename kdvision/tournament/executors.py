"""Photos scored by many workers: processes of this machine, those of Dask, or any executor.

A worker gets the bytes of a photo, scores them, and gives back a result. A photo that ends its
worker, or keeps it too long, costs that photo only. Only a few tasks are under way at a time, so
that memory does not grow with their number.
"""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, wait
from functools import partial
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.synchronize import Lock
from typing import ParamSpec, TypeVar

import cv2
from msgspec import Struct
from pebble import ProcessExpired, ProcessPool

from kdvision.concurrency import take_turns
from kdvision.errors import SentenceError
from kdvision.pipeline.scorer import Scorer
from kdvision.tournament.scoring import (
    CRASHED,
    TIMED_OUT,
    Answer,
    Job,
    do_job,
    fail_job,
    make_scorer,
    read_version,
)

_P = ParamSpec("_P")
_T = TypeVar("_T")
#: Tasks under way per worker: one that runs, and enough behind it that a slow photo stops nobody.
_PER_WORKER = 4
#: Seconds between two looks whether workers are left.
LOOK_EVERY_S = 2.0
#: Seconds after which a photo is given up: a large one takes a few on a slow machine.
PHOTO_S = 60.0


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
    crashes: tuple[type[Exception], ...] = (ProcessExpired,)
    are_gone: Callable[[], bool] = lambda: False


def score_photos(workers: Workers, jobs: Iterable[Job]) -> Iterator[tuple[Job, Answer]]:
    """Score photos, and yield each with what was found, in their order.

    The next photo is asked for only when there is room for it.

    Raises:
        KdvisionError: No worker is left, or one is of another version.
    """
    work = partial(do_job, make_scorer=workers.scorer, version=read_version())
    queue = iter(jobs)
    futures: deque[tuple[Job, Future[Answer]]] = deque()
    while True:
        for job in islice(queue, _PER_WORKER * workers.count - len(futures)):
            futures.append((job, workers.executor.submit(work, job)))
        if not futures:
            return
        job, future = futures.popleft()
        while not wait([future], timeout=LOOK_EVERY_S).done:
            if workers.are_gone():
                raise _workers_error()
        try:
            answer = future.result()
        except CancelledError:
            raise _workers_error() from None
        except TimeoutError:
            answer = fail_job(job, TIMED_OUT)
        except workers.crashes:
            answer = fail_job(job, CRASHED)
        yield job, answer


def _workers_error() -> SentenceError:
    return SentenceError(
        "The workers that score photos have gone, and photos are left.",
        "Start them, and give the same command again: it goes on from what was scored.",
    )


# ---------------------------------------------------------------------- processes of this machine


class Processes(Executor):
    """Processes of this machine. One that a photo ends, or keeps too long, is started anew.

    Args:
        count: How many.
    """

    def __init__(self, count: int) -> None:
        context = get_context("spawn")
        self._pool = ProcessPool(
            max_workers=count,
            context=context,
            initializer=_start_process,
            initargs=(context.Lock(),),
        )

    def submit(
        self, function: Callable[_P, _T], /, *args: _P.args, **fields: _P.kwargs
    ) -> Future[_T]:
        """Have a process call a function; a TimeoutError after `PHOTO_S`."""
        return self._pool.schedule(function, args=args, kwargs=fields, timeout=PHOTO_S)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes; what waits is left, whatever is asked."""
        self._pool.stop()  # type: ignore[no-untyped-call]
        self._pool.join()


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
