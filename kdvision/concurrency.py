"""Parallel work on many items of a kind, on the cores there are.

ONNX Runtime shares out the inside of each layer, and all threads wait for each other after each.
Where many items go through a network, every thread may take items of its own instead: threads wait
for each other once, at the end.
"""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from multiprocessing.synchronize import Lock

Item = TypeVar("Item")
Result = TypeVar("Result")


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def side_by_side(
    work: Callable[[Item], Result], items: Sequence[Item], threads: int
) -> list[Result]:
    """The results of `work` for each item, in their order, by so many threads, this one included.

    The work must let other threads run, as networks and OpenCV do, for this to be any faster.

    Raises:
        Exception: What `work` raised first; items that were not begun by then are left.
    """
    if threads <= 1 or len(items) <= 1:
        return [work(item) for item in items]
    results: dict[int, Result] = {}
    errors: list[BaseException] = []
    left, lock = iter(range(len(items))), threading.Lock()

    def work_through() -> None:
        """Take the next item that no other thread has taken, until there is none."""
        try:
            while not errors:
                with lock:
                    index = next(left, None)
                if index is None:
                    return
                results[index] = work(items[index])
        except BaseException as error:  # raised again by the thread that waits
            errors.append(error)

    helpers = [Background(work_through, threads) for _ in items[1:threads]]
    work_through()
    for helper in helpers:
        helper.wait()
    if errors:
        raise errors[0]
    return [results[index] for index in range(len(items))]


class Background(Generic[Result]):
    """Work in a thread of its own, begun at once; left to `result` where there is no such thread.

    Args:
        work: The work. What it raises, `result` raises.
        threads: How many threads there may be; 1 makes none.
    """

    def __init__(self, work: Callable[[], Result], threads: int) -> None:
        self._work = work
        self._results: list[Result] = []
        self._thread = threading.Thread(target=self._run) if threads > 1 else None
        if self._thread is not None:
            try:
                self._thread.start()
            except RuntimeError:  # the system gives this process no more threads
                self._thread = None

    def _run(self) -> None:
        with suppress(Exception):  # `result` does the work again
            self._results.append(self._work())

    def wait(self) -> None:
        """Wait until the thread has ended, if there is one."""
        if self._thread is not None:
            self._thread.join()

    def result(self) -> Result:
        """Wait for what came of the work."""
        self.wait()
        return self._results[0] if self._results else self._work()


#: Seconds. The longest that a process waits for its turn: the one that has it may hang. Decoding a
#: large photo takes less than one.
_MAX_WAIT = 3.0

_turns: "Lock | None" = None


def take_turns(turns: "Lock | None") -> None:
    """Have this process do memory-hungry work in turn with others.

    Args:
        turns: A lock that they share; None to take none.
    """
    global _turns
    _turns = turns


@contextmanager
def in_turn(large: bool) -> Iterator[None]:
    """Our turn, where the work is large. Who waits too long goes on without."""
    turns = _turns if large else None
    ours = turns is not None and turns.acquire(True, _MAX_WAIT)
    try:
        yield
    finally:
        if turns is not None and ours:
            turns.release()
