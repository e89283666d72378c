"""Work spread over processes and over any executor: bounded, in order, and hard to kill."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from kdvision.errors import KdvisionError, ModelError
from kdvision.tournament.batch.executor import Engine
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
    engine = Engine(workers=2)
    try:
        found = dict(engine.run(double, range(20), lost))
        assert found == {number: -1 if number == 13 else 2 * number for number in range(20)}
        ordered = list(engine.run_in_order(double, range(12), lost))
        assert ordered == [2 * number for number in range(12)]
        with pytest.raises(ModelError):
            list(engine.run(damaged, range(3), lost))
    finally:
        engine.close()


def test_workers_that_all_die_end_the_run_with_a_remedy() -> None:
    engine = Engine(workers=1)
    try:
        with pytest.raises(KdvisionError, match="die as soon as they start"):
            list(engine.run(die, range(20), lost))
    finally:
        engine.close()


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

    engine = Engine(counting, workers=3)
    if ordered:
        found = list(engine.run_in_order(double, tasks(), lost))
        assert found == [2 * number for number in range(100, 300)]
    else:
        results = engine.run(double, tasks(), lost)
        first, _ = next(results)
        assert asked <= engine.limit
        assert {first, *(task for task, _ in results)} == {*range(100, 300)}
    assert counting.most <= engine.limit == 6
    engine.close()
    assert counting.threads.submit(double, 2).result() == 4


class LostError(Exception):
    """Stands for what an engine raises when a task has killed its workers."""


def some_lost(number: int) -> int:
    if number == 5:
        raise LostError
    return number


def test_tasks_that_an_executor_gives_up_count_as_crashed() -> None:
    with ThreadPoolExecutor(2) as threads:
        engine = Engine(threads, workers=2, lost=(LostError,))
        assert sorted(dict(engine.run(some_lost, range(8), lost)).values()) == [
            -1,
            0,
            1,
            2,
            3,
            4,
            6,
            7,
        ]
        assert list(engine.run_in_order(some_lost, range(4, 7), lost)) == [4, -1, 6]


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
    list(Engine(workers=1).run(touch, sys.argv[1:], lost))
