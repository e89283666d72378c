"""Kills, a full disk, two runs at once: the results are a whole file, the old one or the new."""

import errno
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from kdvision.errors import ExitCode, UsageError
from kdvision.tournament.request import Request
from kdvision.tournament.run import run
from tests.support.fakes import fake_workers, own_package, write_photo

WORKERS = fake_workers(executor=ThreadPoolExecutor(1))
LINE = "C W1 W W1"
COMMAND = (sys.executable, "-m", "tests.support.fake_kdscore", "batch", "s.csv", "-o", "out.csv")


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(4):
        write_photo(Path(f"{number}.jpg"), LINE, number=number, act="slow")


def write_sheet(player: str) -> None:
    rows = "".join(f"{number}.jpg,{player}{number}\n" for number in range(4))
    Path("s.csv").write_text(f"photo,player\n{rows}")


def run_here(output: str) -> bytes:
    run(Request(inputs=(Path("s.csv"),), output=Path(output)), WORKERS)
    return Path(output).read_bytes()


def start() -> subprocess.Popen[bytes]:
    silent = subprocess.DEVNULL
    return subprocess.Popen(
        COMMAND, env=own_package(), stdout=silent, stderr=silent, start_new_session=True
    )


@pytest.mark.slow
def test_kills_leave_old_or_new_results() -> None:
    rng = Random(40)
    write_sheet("Ann")
    old = run_here("out.csv")
    began = time.monotonic()
    assert start().wait() == 0
    usual_s = time.monotonic() - began
    seen = set()
    for number in range(40):
        write_sheet(f"Ann{number}-")
        new = run_here("elsewhere.csv")
        program = start()
        time.sleep(rng.uniform(0.5, 1.1) * usual_s)
        os.killpg(program.pid, signal.SIGKILL)
        program.wait()
        kept = Path("out.csv").read_bytes()
        assert kept in (old, new)
        seen.add(kept == new)
        # Kills come at about the time when a run saves, however busy the machine is by now.
        usual_s *= 0.9 if kept == new else 1.1
        # The next run goes on from there, and takes nothing for somebody's change.
        assert run_here("out.csv") == new
        old = new
    assert seen == {True, False}, "no kill was early, or none was late"


def test_two_runs_leave_one_whole_file() -> None:
    write_sheet("Ann")
    new = run_here("elsewhere.csv")
    codes = [program.wait() for program in [start(), start()]]
    assert ExitCode.SURE in codes and {*codes} <= {ExitCode.SURE, ExitCode.USAGE}
    assert Path("out.csv").read_bytes() == new


def test_full_disk_keeps_the_old_results(monkeypatch: pytest.MonkeyPatch) -> None:
    write_sheet("Ann")
    old = run_here("out.csv")
    write_sheet("Anna")

    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(UsageError, match=r"out\.csv cannot be written: no space left"):
            run_here("out.csv")
    assert Path("out.csv").read_bytes() == old
    assert b"Anna" in run_here("out.csv")
