"""Parallel work on many items of a kind, and turns between processes for what needs much memory.

ONNX Runtime splits every layer of a network between its threads, which wait for each other after
each layer. Where many items go through a network it is faster to give each thread whole items.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from multiprocessing.synchronize import Lock

Item = TypeVar("Item")
Result = TypeVar("Result")


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_threads(
    work: Callable[[Item], Result], items: Sequence[Item], threads: int
) -> list[Result]:
    """Apply `work` to each item on a number of threads; the results stand in the order of items.

    The work must let other threads run, as networks and OpenCV do, for this to be any faster.

    Raises:
        Exception: What `work` raised first; items that were not begun by then are left.
    """
    if threads <= 1 or len(items) <= 1:
        return [work(item) for item in items]
    # Plain threads: loading `concurrent.futures` takes as long as reading the squares of a photo.
    numbered = enumerate(items)
    results: dict[int, Result] = {}
    errors: list[BaseException] = []

    def take_items() -> None:
        for number, item in numbered:
            try:
                results[number] = work(item)
            except BaseException as error:
                errors.append(error)
            if errors:
                return

    # Each thread takes the next item until there is none, or one of them failed.
    workers = []
    for _ in range(min(threads, len(items))):
        worker = Thread(target=take_items)
        worker.start()
        workers.append(worker)
    for worker in workers:
        worker.join()
    if errors:
        raise errors[0]
    return [results[number] for number in range(len(items))]


#: Seconds. The longest that a process waits for its turn, as the one that has it may hang. Decoding
#: a large photo takes less than one second.
_MAX_WAIT = 3.0
#: The lock of processes that take turns; None where this one takes none.
_turns: "Lock | None" = None


def take_turns(turns: "Lock | None") -> None:
    """Have this process take turns with others for work that needs much memory.

    Args:
        turns: A lock that they share; None to take none.
    """
    global _turns
    _turns = turns


@contextmanager
def in_turn(large: bool) -> Iterator[None]:
    """Wait for the turn of this process where the work is large; not longer than `_MAX_WAIT`."""
    turns = _turns if large else None
    has_turn = turns is not None and turns.acquire(True, _MAX_WAIT)
    try:
        yield
    finally:
        if turns is not None and has_turn:
            turns.release()
