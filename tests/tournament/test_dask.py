"""A batch on the workers of a real Dask scheduler."""

import json
import logging
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from logging.handlers import MemoryHandler
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from kdvision.errors import KdvisionError, ModelError, UsageError
from kdvision.pipeline.scorer import Scorer
from kdvision.tournament import dask, executors, scoring
from kdvision.tournament.dask import dask_workers
from kdvision.tournament.executors import Workers
from kdvision.tournament.report import Outcome
from kdvision.tournament.request import Request
from kdvision.tournament.run import run
from tests.support.fakes import fake_scorer, fake_workers, write_photo
from tests.support.paths import ROOT
from tests.support.waiting import PATIENCE_S, wait_for

pytestmark = pytest.mark.slow


def batch(
    folder: Path,
    output: Path,
    workers: Workers,
    progress: Callable[[int, int], None] = lambda _, __: None,
) -> Outcome:
    """Score the photos of a folder."""
    return run(Request(inputs=(folder / "p",), output=output), workers, progress)


def program(kind: str, *words: str) -> subprocess.Popen[bytes]:
    """A scheduler or a worker, which can import what the tests can."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{kind}", *words],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def address_in(file: Path) -> str:
    """The address that a scheduler writes down; empty while it is not all there."""
    try:
        return str(json.loads(file.read_text())["address"])
    except (OSError, ValueError):
        return ""


def end(process: subprocess.Popen[bytes]) -> None:
    """End a program, whether it wants to or not."""
    process.terminate()
    try:
        process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def running_scheduler(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The address of a scheduler without workers, and its program."""
    pytest.importorskip("distributed", reason="distributed is not installed")
    file = folder / "scheduler.json"
    words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show")
    process = program("scheduler", *words, "--scheduler-file", str(file))
    try:
        wait_for(lambda: address_in(file))
        yield address_in(file), process
    finally:
        end(process)


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler, which has no workers yet."""
    with running_scheduler(tmp_path_factory.mktemp("dask")) as (address, _):
        yield address


@contextmanager
def running_workers(address: str, folder: Path, *names: str) -> Iterator[list[Any]]:
    """Workers of a scheduler by their names, and their programs."""
    from distributed import Client

    words = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder))
    with ExitStack() as stack:
        programs = [program("worker", address, *words, "--name", name) for name in names]
        for worker in programs:
            stack.callback(end, worker)
        with Client(address, set_as_default=False) as client:
            wait_for(lambda: len(client.nthreads()) == len(names))
        yield programs


def take_photos(folder: Path, count: int) -> None:
    for number in range(count):
        write_photo(folder / "p" / f"{number}.jpg", "C W1 W W W1", number=number, act="slow")


def go_on_here(folder: Path) -> None:
    """The same command goes on from what was scored, on this machine as well."""
    here = fake_workers(executor=ThreadPoolExecutor(1))
    batch(folder, folder / "r.csv", here)
    assert len((folder / "r.csv").read_text().splitlines()) == 13


def no_scorer() -> Scorer:
    """A scorer that must not be asked for."""
    raise ModelError("A photo is read again.", "")


def scorers_of_worker() -> int:
    """How many scorers a worker has made."""
    return scoring.get_scorer.cache_info().misses


def test_workers_score_as_one_machine(scheduler: str, tmp_path: Path) -> None:
    from distributed import Client

    # A scheduler without workers is refused.
    with (
        pytest.raises(UsageError, match=r"has no workers\. Start some with: dask worker"),
        dask_workers(scheduler),
    ):
        pass
    # Two workers score eight photos, one without a kingdom and one that is none, each worker with
    # one scorer.
    take_photos(tmp_path, 8)
    write_photo(tmp_path / "p" / "nothing.jpg", "")
    (tmp_path / "p" / "text.jpg").write_text("hello")
    with running_workers(scheduler, tmp_path, "1", "2"):
        with dask_workers(scheduler) as workers:
            assert workers.count == 2
            fake = replace(workers, scorer=fake_scorer)
            outcome = batch(tmp_path, tmp_path / "dask.csv", fake)
            # A second run reads nothing again.
            for photo in (tmp_path / "p").iterdir():
                os.utime(photo)
            batch(tmp_path, tmp_path / "dask.csv", replace(workers, scorer=no_scorer))
        with Client(scheduler, set_as_default=False) as client:
            assert list(client.run(scorers_of_worker).values()) == [1, 1]
    statuses = Counter(str(verdict.status) for verdict in outcome.verdicts)
    assert statuses == {"sure": 8, "no-kingdom": 1, "unreadable": 1}
    here = fake_workers(executor=ThreadPoolExecutor(1))
    batch(tmp_path, tmp_path / "here.csv", here)
    assert (tmp_path / "dask.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()


NO_ADDRESSES = ("foo", "", "nonsense://x", "http://a:80", "tcp://host", "a b:1")


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        *((address, "Write the address of a scheduler") for address in NO_ADDRESSES),
        ("tcp://127.0.0.1:9", "No Dask scheduler answers at"),
        ("", "Scoring on Dask needs"),
    ],
)
def test_missing_scheduler_has_a_remedy(
    address: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed", reason="distributed is not installed")
    monkeypatch.setattr(dask, "TIMEOUT_S", 0.5)
    if "needs" in sentence:
        monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=sentence), dask_workers(address):
        pass


UNFIT = r"A worker has no kdvision of this version with these models\."


def test_late_worker_of_another_version_ends_the_run(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_photos(tmp_path, 3)
    with (
        running_workers(scheduler, tmp_path, "1"),
        dask_workers(scheduler) as workers,
        pytest.raises(UsageError, match=UNFIT),
    ):
        monkeypatch.setattr(executors, "read_version", lambda: "ours")
        batch(tmp_path, tmp_path / "r.csv", replace(workers, scorer=fake_scorer))


def test_last_death_ends_the_run(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask, "NO_WORKER_S", 2)
    monkeypatch.setattr(executors, "LOOK_EVERY_S", 0.2)
    take_photos(tmp_path, 12)
    with running_workers(scheduler, tmp_path, "1") as programs, dask_workers(scheduler) as workers:
        fake = replace(workers, scorer=fake_scorer)

        def kill_after_three(done: int, _: int) -> None:
            if done == 3:
                programs[0].kill()

        with pytest.raises(KdvisionError, match="workers that score photos have gone"):
            batch(tmp_path, tmp_path / "r.csv", fake, kill_after_three)
    go_on_here(tmp_path)


def test_killed_scheduler_keeps_the_work(tmp_path: Path) -> None:
    take_photos(tmp_path, 12)
    with (
        running_scheduler(tmp_path) as (address, process),
        running_workers(address, tmp_path, "1"),
        ExitStack() as stack,
    ):
        # Loggers of Dask have handlers of their own, and print what they get.
        printed = MemoryHandler(1000)
        printed.setLevel(logging.WARNING)
        for name in [name for name in logging.root.manager.loggerDict if "distributed" in name]:
            logging.getLogger(name).addHandler(printed)
            stack.callback(logging.getLogger(name).removeHandler, printed)

        # The run ends in one sentence, and the same command goes on.
        def kill_after_three(done: int, _: int) -> None:
            if done == 3:
                process.kill()
                process.wait()

        with (
            pytest.raises(KdvisionError, match=r"have gone.*the same command again") as raised,
            dask_workers(address) as workers,
        ):
            fake = replace(workers, scorer=fake_scorer)
            batch(tmp_path, tmp_path / "r.csv", fake, kill_after_three)
        assert not isinstance(raised.value, UsageError)
        assert [record.getMessage() for record in printed.buffer] == []
    go_on_here(tmp_path)
