"""Speed of `kdscore batch --dask` on 1, 2 and 4 workers of this machine.

    python -m scripts.measuring.dask_benchmark [--photos 300] [--workers 1 2 4] [--renders 40]

The photos are those of `batch_benchmark`. Each run has a scheduler and workers of its own, with one
thread each, and a new output; photos are sent over the loopback. Workers are started before the
clock, the program is not.
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

from scripts.measuring.batch_benchmark import gather

#: Seconds to wait for a scheduler and its workers.
_PATIENCE_S = 120


def main() -> None:
    """Parse, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--photos", type=int, default=300)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--renders", type=int, default=40)
    options = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    load = os.getloadavg()[0]
    table = Table(title=f"{options.photos} photos by Dask, {cores} cores, load before {load:.1f}")
    for heading in ("workers", "seconds", "photos/s"):
        table.add_column(heading, justify="right")
    with tempfile.TemporaryDirectory() as name:
        photos = gather(Path(name), options.photos, options.renders)
        for workers in options.workers:
            seconds = measure(photos, workers, Path(name))
            table.add_row(str(workers), f"{seconds:.1f}", f"{len(photos) / seconds:.2f}")
    Console(width=80).print(table)


def measure(photos: Sequence[Path], workers: int, folder: Path) -> float:
    """The seconds that a batch takes on so many workers."""
    about = folder / f"scheduler-{workers}.json"
    with ExitStack() as stack:
        words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show")
        _start(stack, "scheduler", *words, "--scheduler-file", str(about))
        _wait(about)
        address = json.loads(about.read_text())["address"]
        for _ in range(workers):
            one = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
            _start(stack, "worker", address, *one, "--local-directory", str(folder))
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=_PATIENCE_S)
        program = [sys.executable, "-m", "kdvision.cli.main", "batch", *map(str, photos)]
        output = folder / f"dask-{workers}.csv"
        start = time.perf_counter()
        subprocess.run(
            [*program, "-o", str(output), "--dask", address], stderr=subprocess.DEVNULL, check=False
        )
        seconds = time.perf_counter() - start
        lines = output.read_text("utf-8").count("\n")
        assert lines > len(photos), f"{output} has {lines} lines"
    return seconds


def _start(stack: ExitStack, kind: str, *words: str) -> None:
    """Start a scheduler or a worker that ends with the stack."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    stack.callback(process.wait)
    stack.callback(process.terminate)


def _wait(path: Path) -> None:
    end = time.monotonic() + _PATIENCE_S
    while not path.exists():
        assert time.monotonic() < end, f"{path} does not come"
        time.sleep(0.1)


if __name__ == "__main__":
    main()
