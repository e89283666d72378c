"""Large work in turn, where several processes share one memory.

A process by itself never waits. The workers of a batch share a lock, so that the pieces of work
that take most memory, large pictures to decode and to look at finely, do not meet by chance: a
batch then takes about as much memory for thousands of photos as for a few.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

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
