"""Speed of `kdscore batch --dask` on 1, 2 and 4 workers of this machine.

    python -m scripts.measuring.dask_benchmark [--photos 300] [--workers 1 2 4] [--repeats 2]
        [--renders 40] [--out models/dask.md]

The photos are those of `batch_benchmark`. Each run has a scheduler and workers of its own, with one
thread each, and a new output; photos are sent over the loopback. Workers are started before the
clock, the program is not. The numbers of workers take turns, so that other work of the machine
meets all of them.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from distributed import Client
from rich.console import Console
from rich.table import Table

from kdvision.tournament.sheets import read_sheet
from scripts.measuring.batch_benchmark import gather
from scripts.measuring.evaluation.markdown import markdown

#: Seconds to wait for a scheduler and its workers.
_TIMEOUT_S = 120


def main() -> None:
    """Parse, measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--photos", type=int, default=300)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--renders", type=int, default=40)
    parser.add_argument("--out", type=Path, help="a file of Markdown for the table")
    options = parser.parse_args()
    table = dask_table(options.photos, options.workers, options.repeats, options.renders)
    Console(width=110).print(table)
    if options.out:
        text = markdown("python -m scripts.measuring.dask_benchmark", [table])
        options.out.write_text(f"# Speed on Dask workers\n\n{text}", encoding="utf-8")


def dask_table(photos: int, workers: Sequence[int], repeats: int, renders: int) -> Table:
    """The table of speeds, with what the machine was doing beside it."""
    load = os.getloadavg()[0]
    seconds: dict[int, list[float]] = {number: [] for number in workers}
    found = set()
    with tempfile.TemporaryDirectory() as name:
        paths = gather(Path(name), photos, renders)
        for turn in range(repeats):
            for number in workers:
                took, scores = measure(paths, number, Path(name), turn)
                seconds[number].append(took)
                found.add(scores)
    assert len(found) == 1, "other numbers of workers read other kingdoms"
    cores = len(os.sched_getaffinity(0))
    table = Table(
        title=f"{photos} photos by `kdscore batch --dask`, workers of one thread on {cores} cores "
        f"shared with other work (load {load:.1f} before, {os.getloadavg()[0]:.1f} after)"
    )
    for heading in ("workers", "seconds of each run", "photos/s, fastest", "times one worker"):
        table.add_column(heading, justify="right")
    alone = min(seconds[workers[0]])
    for number, times in seconds.items():
        every = ", ".join(f"{one:.1f}" for one in times)
        best = min(times)
        table.add_row(str(number), every, f"{photos / best:.2f}", f"{alone / best:.2f}")
    return table


def measure(
    photos: Sequence[Path], workers: int, folder: Path, turn: int
) -> tuple[float, tuple[str, ...]]:
    """The seconds that a batch takes on so many workers, and the scores that it finds."""
    about = folder / f"scheduler-{workers}-{turn}.json"
    with ExitStack() as stack:
        words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show")
        _start(stack, "scheduler", *words, "--scheduler-file", str(about))
        _wait(about)
        address = json.loads(about.read_text())["address"]
        for _ in range(workers):
            one = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
            _start(stack, "worker", address, *one, "--local-directory", str(folder))
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=_TIMEOUT_S)
        program = [sys.executable, "-m", "kdvision.cli.main", "batch", *map(str, photos)]
        output = folder / f"dask-{workers}-{turn}.csv"
        start = time.perf_counter()
        subprocess.run(
            [*program, "-o", str(output), "--dask", address], stderr=subprocess.DEVNULL, check=False
        )
        seconds = time.perf_counter() - start
    rows = read_sheet(output).rows
    done = {row.fields["photo"] for row in rows}
    assert len(done) == len(photos), f"{output} has {len(done)} photos"
    return seconds, tuple(row.fields.get("score", "") for row in rows)


def _start(stack: ExitStack, kind: str, *words: str) -> None:
    """Start a scheduler or a worker that ends with the stack."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    stack.callback(process.wait)
    stack.callback(process.terminate)


def _wait(path: Path) -> None:
    end = time.monotonic() + _TIMEOUT_S
    while not path.exists():
        assert time.monotonic() < end, f"{path} does not come"
        time.sleep(0.1)


if __name__ == "__main__":
    main()
