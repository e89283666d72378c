"""Work spread over processes and over any executor: bounded, in order, and hard to kill."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
)
from pathlib import Path

import pytest

from kdvision.errors import KdvisionError, ModelError
from kdvision.tournament.batch.scoring import Engine, Means
from tests.support.fakes import own_package
from tests.support.waiting import PATIENCE_S, wait_for


def double(number: int) -> int:
    """What workers do here; 13 ends its worker."""
    if number == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.02 if number % 3 == 0 else 0)
    return 2 * number


def die(number: int) -> int:
    os._exit(1)


def damaged(number: int) -> int:
    raise ModelError("The model is damaged.", "Install it again.")


def touch(path: str) -> str:
    Path(path).touch()
    time.sleep(2 * PATIENCE_S)
    return path


def lost(number: int) -> int:
    return -1


def test_processes_do_all_tasks_and_survive_one_that_kills() -> None:
    doubled = [(number, -1 if number == 13 else 2 * number) for number in range(20)]
    with Engine(Means(workers=2)) as engine:
        assert sorted(engine.run(double, range(20), lost)) == doubled
        assert list(engine.run(double, range(20), lost, ordered=True)) == doubled
        with pytest.raises(ModelError):
            list(engine.run(damaged, range(3), lost))


def test_workers_that_all_die_end_the_run_with_a_remedy() -> None:
    with (
        Engine(Means(workers=1)) as engine,
        pytest.raises(KdvisionError, match="die as soon as they start"),
    ):
        list(engine.run(die, range(20), lost))


class Counting(Executor):
    """Threads that count how much was given to them at a time."""

    def __init__(self) -> None:
        self.threads = ThreadPoolExecutor(3)
        self.under_way = self.most = 0
        self.lock = threading.Lock()

    def submit(self, function, /, *words, **options) -> Future:  # type: ignore[no-untyped-def,override]
        with self.lock:
            self.under_way += 1
            self.most = max(self.most, self.under_way)
        future = self.threads.submit(function, *words, **options)
        future.add_done_callback(self.done)
        return future

    def done(self, _: object) -> None:
        with self.lock:
            self.under_way -= 1


@pytest.mark.parametrize("ordered", [False, True])
def test_any_executor_gets_a_bounded_number_of_tasks(ordered: bool) -> None:
    counting = Counting()
    asked = 0

    def tasks() -> Iterator[int]:
        nonlocal asked
        for number in range(100, 300):
            asked += 1
            yield number

    with Engine(Means(counting, workers=3)) as engine:
        results = engine.run(double, tasks(), lost, ordered=ordered)
        first = next(results)
        assert asked <= engine.limit
        found = [first, *results]
    doubled = [(number, 2 * number) for number in range(100, 300)]
    assert found == doubled if ordered else sorted(found) == doubled
    assert counting.most <= engine.limit == 6
    # It was given, and goes on.
    assert counting.threads.submit(double, 2).result() == 4


class LostError(Exception):
    """Stands for what an engine raises when a task has killed its workers."""


def some_lost(number: int) -> int:
    if number == 5:
        raise LostError
    return number


@pytest.mark.parametrize("ordered", [False, True])
def test_tasks_that_an_executor_gives_up_count_as_crashed(ordered: bool) -> None:
    with ThreadPoolExecutor(2) as threads:
        engine = Engine(Means(threads, workers=2, lost=(LostError,)))
        found = list(engine.run(some_lost, range(8), lost, ordered=ordered))
    assert sorted(found) == [(number, -1 if number == 5 else number) for number in range(8)]
    assert not ordered or found == sorted(found)


def broken(number: int) -> int:
    raise BrokenExecutor


def cancelled(number: int) -> int:
    raise CancelledError


@pytest.mark.parametrize("what", [broken, cancelled])
def test_an_executor_that_breaks_or_cancels_ends_the_run_with_a_remedy(
    what: Callable[[int], int],
) -> None:
    with (
        ThreadPoolExecutor(1) as threads,
        pytest.raises(KdvisionError, match=r"have gone.*the same command again"),
    ):
        list(Engine(Means(threads, workers=1)).run(what, range(8), lost))


def test_an_executor_that_was_shut_down_ends_the_run_with_a_remedy() -> None:
    threads = ThreadPoolExecutor(1)
    threads.shutdown()
    with pytest.raises(KdvisionError, match="have gone"):
        list(Engine(Means(threads, workers=1)).run(double, range(8), lost))


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are found by /proc")
def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    began = tmp_path / "began"
    parent = subprocess.Popen([sys.executable, __file__, str(began)], env=own_package())
    try:
        wait_for(began.exists)
        workers = children_of(parent.pid)
        assert workers
    finally:
        parent.kill()
        parent.wait()
    wait_for(lambda: not any(map(is_running, workers)))


def is_running(process: int) -> bool:
    """Whether a process is there, and not only its exit code."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def children_of(process: int) -> list[int]:
    """The running children of a process, by Linux' lists."""
    lists = Path(f"/proc/{process}/task").glob("*/children")
    return [int(number) for one in lists for number in one.read_text().split()]


if __name__ == "__main__":
    list(Engine(Means(workers=1)).run(touch, sys.argv[1:], lost))
