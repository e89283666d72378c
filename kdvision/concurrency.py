"""Work on many like things at once, on the cores there are.

ONNX Runtime shares out the inside of each layer, and all threads wait for each other after each.
Where many things go through a network, every thread may take things of its own instead: they meet
once, at the end.
"""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar

Thing = TypeVar("Thing")
Made = TypeVar("Made")


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def side_by_side(
    work: Callable[[Thing], Made], things: Sequence[Thing], threads: int
) -> list[Made]:
    """What `work` makes of each thing, in their order, by so many threads, this one included.

    The work must let other threads run, as networks and OpenCV do, for this to be any faster.

    Raises:
        Exception: What `work` raised first; things that were not begun then are left.
    """
    if threads <= 1 or len(things) <= 1:
        return [work(thing) for thing in things]
    shared = _Shared(work, things)
    others = [
        other
        for _ in range(min(threads, len(things)) - 1)
        if (other := started(shared.go_on)) is not None
    ]
    shared.go_on()
    for other in others:
        other.join()
    if shared.errors:
        raise shared.errors[0]
    return [shared.made[index] for index in range(len(things))]


def started(work: Callable[[], None]) -> threading.Thread | None:
    """A thread that does the work; None where the system gives this process no more threads."""
    thread = threading.Thread(target=work)
    try:
        thread.start()
    except RuntimeError:
        return None
    return thread


class _Shared(Generic[Thing, Made]):
    """Things from which each thread takes the next that nobody has taken."""

    def __init__(self, work: Callable[[Thing], Made], things: Sequence[Thing]) -> None:
        self.work, self.things = work, things
        self.made: dict[int, Made] = {}
        self.errors: list[BaseException] = []
        self._left = iter(range(len(things)))
        self._lock = threading.Lock()

    def go_on(self) -> None:
        try:
            for index in self._taken():
                self.made[index] = self.work(self.things[index])
        except BaseException as error:  # raised again by the thread that waits
            self.errors.append(error)

    def _taken(self) -> Iterator[int]:
        while not self.errors:
            with self._lock:
                index = next(self._left, None)
            if index is None:
                return
            yield index


#: For a turn is waited so many seconds: whoever has it may hang.
_PATIENCE = 3.0


class Turns(Protocol):
    """A lock that processes share."""

    def acquire(self, block: bool = ..., timeout: float | None = ...) -> bool:
        """Wait for the lock, at most so many seconds; whether it was had."""
        ...

    def release(self) -> None:
        """Give it back."""
        ...


_turns: Turns | None = None


def take_turns(turns: Turns | None) -> None:
    """Have this process do large work in turn with others.

    Args:
        turns: A lock that they share; None to take none.
    """
    global _turns
    _turns = turns


@contextmanager
def in_turn(large: bool) -> Iterator[None]:
    """Our turn, where the work is large. Who waits too long goes on without."""
    turns = _turns if large else None
    ours = turns is not None and turns.acquire(True, _PATIENCE)
    try:
        yield
    finally:
        if turns is not None and ours:
            turns.release()
