"""Spreading work over processes, or over any `concurrent.futures.Executor`.

Only a few tasks are under way at a time, so that memory does not grow with their number. There is
no engine of our own here: processes are those of the standard library, and machines are those of
whatever executor is given.
"""

import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

from kdvision.concurrency import cores
from kdvision.errors import KdvisionError
from kdvision.tournament.batch.worker import start_worker

_T = TypeVar("_T")
_R = TypeVar("_R")

#: Tasks under way per worker: one that runs and one that waits for it.
PER_WORKER = 2
#: Seconds without any worker after which a run ends: a worker that restarts takes less.
NO_WORKER_S = 30
#: Seconds between questions for workers while nothing is done.
ASK_EVERY_S = 2.0
#: When so many workers die before any task was done, the cause is no photo.
_MOST_CRASHES = 3


class Engine:
    """An executor with as much work as it can hold.

    Args:
        executor: Anything with the interface; None starts processes here.
        workers: How many work at a time; None takes the cores of this machine.
        send_photos: Whether its workers cannot see our files.
        lost: What a given executor raises for a task that ended its workers.
        alive: How many workers a given executor has; None where that is not asked.
    """

    def __init__(
        self,
        executor: Executor | None = None,
        workers: int | None = None,
        *,
        send_photos: bool = False,
        lost: tuple[type[Exception], ...] = (),
        alive: Callable[[], int] | None = None,
    ) -> None:
        self._lost = lost
        self._alive = alive
        self.send_photos = send_photos
        self.workers = workers or cores()
        self.limit = PER_WORKER * self.workers
        self._given = executor
        self._executor = executor or self._processes()

    def _processes(self) -> Executor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(
            self.workers, context, initializer=start_worker, initargs=(context.Lock(),)
        )

    def run(
        self,
        function: Callable[[_T], _R],
        tasks: Iterable[_T],
        crashed: Callable[[_T], _R],
    ) -> Iterator[tuple[_T, _R]]:
        """Do all tasks; each with its result, as they come.

        Args:
            function: Called with a task by a worker; must be importable there.
            tasks: Asked for the next one only when a worker is free.
            crashed: What to give for a task that ends its worker.

        Raises:
            KdvisionError: Workers of our own die whatever they do, or a given executor is broken.
        """
        waiting = iter(tasks)
        suspects: deque[_T] = deque()
        running: dict[Future[_R], _T] = {}
        crashes, completed = 0, False
        while True:
            try:
                self._fill(running, suspects, waiting, function)
                if not running:
                    return
                done = self._awaited(running)
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
                    raise _no_worker_lives() from None
                yield affected[0], crashed(affected[0])
                continue
            completed = True
            for future, result in results:
                yield running.pop(future), result

    def _fill(
        self,
        running: dict[Future[_R], _T],
        suspects: deque[_T],
        waiting: Iterator[_T],
        function: Callable[[_T], _R],
    ) -> None:
        """Give out work; while there are suspects, one at a time."""
        while len(running) < self.limit:
            if suspects:
                if running:
                    return
                task = suspects.popleft()
            else:
                try:
                    task = next(waiting)
                except StopIteration:
                    return
            try:
                running[self._submit(function, task)] = task
            except BrokenExecutor:
                suspects.appendleft(task)
                raise

    def run_in_order(
        self, function: Callable[[_T], _R], tasks: Iterable[_T], crashed: Callable[[_T], _R]
    ) -> Iterator[_R]:
        """The results of all tasks in their order.

        When a worker dies, it is the task that was waited for which counts as crashed.
        """
        pending: deque[tuple[_T, Future[_R]]] = deque()
        waiting = iter(tasks)
        while True:
            for task in islice(waiting, self.limit - len(pending)):
                pending.append((task, self._submit(function, task)))
            if not pending:
                return
            task, future = pending.popleft()
            try:
                result = self._result(future, task, crashed)
            except BrokenExecutor:
                self._renew()
                pending = deque((other, self._submit(function, other)) for other, _ in pending)
                result = crashed(task)
            yield result

    def _awaited(self, futures: Iterable[Future[_R]]) -> set[Future[_R]]:
        """Those that are done, as soon as one is.

        Raises:
            KdvisionError: A given executor has had no worker for `NO_WORKER_S` seconds.
        """
        gone_since: float | None = None
        waiting = list(futures)
        while True:
            timeout = None if self._alive is None else ASK_EVERY_S
            done, _ = wait(waiting, timeout, return_when=FIRST_COMPLETED)
            if done or self._alive is None:
                return done
            if self._alive():
                gone_since = None
            elif gone_since is None:
                gone_since = time.monotonic()
            elif time.monotonic() - gone_since >= NO_WORKER_S:
                raise _no_worker_left()

    def _result(self, future: Future[_R], task: _T, crashed: Callable[[_T], _R]) -> _R:
        try:
            self._awaited([future])
            return future.result()
        except self._lost:
            return crashed(task)
        except CancelledError:
            raise _no_worker_left() from None

    def _submit(self, function: Callable[[_T], _R], task: _T) -> Future[_R]:
        """Hand out a task; what starts for it does not hear Ctrl-C, which is for us alone."""
        with _ctrl_c_held():
            return self._executor.submit(function, task)

    def _renew(self) -> None:
        """New processes for those that died."""
        if self._given is not None:
            raise KdvisionError(
                "The executor that was given is broken: a worker of it died.",
                "Start it again; what was scored so far is kept.",
            ) from None
        self.close()
        self._executor = self._processes()

    def close(self) -> None:
        """End the processes of our own; an executor that was given is left as it is."""
        if self._given is None:
            self._executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
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


def _no_worker_left() -> KdvisionError:
    return KdvisionError(
        f"There has been no worker for {NO_WORKER_S} seconds, and photos are left.",
        "Start workers, and give the same command again: it goes on from what was scored.",
    )


def _no_worker_lives() -> KdvisionError:
    return KdvisionError(
        "The processes that score photos die as soon as they start.",
        "Check that there is enough memory, or try --workers 1.",
    )
