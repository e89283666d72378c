"""Work on many things at once: all of it, in order, and what goes wrong is told."""

import os
import threading
import time

import pytest

from kdvision.vision.side_by_side import cores, side_by_side


@pytest.mark.parametrize("threads", [1, 2, 5, 40])
@pytest.mark.parametrize("count", [0, 1, 2, 23])
def test_everything_is_made_once_and_in_order(threads: int, count: int) -> None:
    begun = []

    def double(thing: int) -> int:
        begun.append(thing)
        time.sleep(0.0001 * (thing % 3))
        return 2 * thing

    assert side_by_side(double, range(count), threads) == [2 * thing for thing in range(count)]
    assert sorted(begun) == list(range(count))


def test_threads_work_at_the_same_time() -> None:
    together = threading.Barrier(3)  # it breaks, if they do not
    assert side_by_side(lambda _: together.wait(10), range(3), 3) is not None


def test_one_thread_is_the_caller() -> None:
    assert set(side_by_side(lambda _: threading.get_ident(), range(5), 1)) == {
        threading.get_ident()
    }


@pytest.mark.parametrize("threads", [1, 4])
def test_what_is_raised_is_raised_again_and_nothing_more_is_begun(threads: int) -> None:
    begun = []

    def fails(thing: int) -> None:
        begun.append(thing)
        time.sleep(0.01)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        side_by_side(fails, range(100), threads)
    assert len(begun) <= threads


def test_where_no_thread_can_be_had_the_caller_does_all(monkeypatch) -> None:
    def refused(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    assert side_by_side(lambda thing: thing + 1, range(5), 4) == [1, 2, 3, 4, 5]


def test_cores_are_those_that_may_be_used() -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)
