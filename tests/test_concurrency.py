"""Work on many things at once: all of it, in order, and what goes wrong is told."""

import threading
import time

import pytest

from kdvision.concurrency import in_turn, map_threads, take_turns
from tests.support.waiting import PATIENCE_S


@pytest.mark.parametrize("threads", [1, 2, 5, 40])
@pytest.mark.parametrize("count", [0, 1, 2, 23])
def test_results_come_once_and_in_order(threads, count):
    begun = []

    def double(thing: int) -> int:
        begun.append(thing)
        time.sleep(0.0001 * (thing % 3))
        return 2 * thing

    assert map_threads(double, range(count), threads) == [2 * thing for thing in range(count)]
    assert sorted(begun) == list(range(count))


def test_threads_work_at_the_same_time():
    together = threading.Barrier(3)  # it breaks, if they do not
    assert map_threads(lambda _: together.wait(PATIENCE_S), range(3), 3) is not None


def test_one_thread_is_the_caller():
    assert set(map_threads(lambda _: threading.get_ident(), range(5), 1)) == {threading.get_ident()}


@pytest.mark.parametrize(("threads", "most"), [(1, 1), (4, 8)])
def test_errors_are_raised_and_the_rest_left(threads, most):
    begun = []

    def fails(thing: int) -> None:
        begun.append(thing)
        time.sleep(0.01)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        map_threads(fails, range(100), threads)
    assert len(begun) <= most


class Lock:
    """Notes who takes it; `free` says whether it can be had."""

    def __init__(self, free: bool = True) -> None:
        self.free = free
        self.steps: list[str] = []

    def acquire(self, block: bool = True, timeout: float | None = None) -> bool:
        self.steps.append(f"asked for {timeout:g} s" if block else "asked")
        return self.free

    def release(self) -> None:
        self.steps.append("given back")


@pytest.fixture
def lock():
    lock = Lock()
    take_turns(lock)  # type: ignore[arg-type]
    yield lock
    take_turns(None)


@pytest.mark.parametrize(
    ("large", "free", "steps"),
    [
        (True, True, ["asked for 3 s", "given back"]),
        # Small work does not wait, and whoever waits too long goes on.
        (False, True, []),
        (True, False, ["asked for 3 s"]),
    ],
)
def test_failed_work_gives_its_turn_back(lock, large, free, steps):
    lock.free = free
    with pytest.raises(ValueError), in_turn(large=large):
        assert lock.steps == steps[:1]
        raise ValueError
    assert lock.steps == steps
