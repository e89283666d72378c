"""What a server under load does: photos per second, memory, and whether anything is lost or wrong.

    python -m scripts.measuring.serve_load [--photos 200] [--clients 50] [--pairs 3]

Starts `kdscore serve` on loopback with a new file, sends samples from many clients at once (each
comes again when it is turned away), asks `/healthz` meanwhile, and compares every answer with what
`Scorer` says of the same sample. Stops by itself. `kdscore batch` on the same photos runs before or
after it, in turns, and both are compared pair by pair: other work on the machine slows both. The
start of neither counts (that of the batch is found by a run over two photos); the clients run on
the same cores as the server. `/healthz` is the slowest answer.
"""

import argparse
import http.client
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from kdvision.concurrency import cores
from kdvision.pipeline.scorer import Scorer
from kdvision.result import KingdomResult
from scripts.measuring.batch_benchmark import family, measure, resident
from scripts.paths import SAMPLES

#: Samples that show a kingdom.
_PHOTOS = ("plus.jpg", "meadow_5x5.jpg", "corner.jpg", "two_kingdoms.jpg", "gaps_7x7.jpg")
_BOUNDARY = "load"
#: Seconds between two looks at the memory and at `/healthz`.
_STEP_S = 0.25


@dataclass(slots=True)
class Watched:
    """What was seen while the clients were at work."""

    health_s: list[float] = field(default_factory=list)
    peak_bytes: int = 0
    done: bool = False


@dataclass(frozen=True, slots=True)
class Load:
    """One run of the server beside one of the batch.

    Rates are photos per second, `cpu` and `batch_cpu` seconds of a core per photo.
    """

    rate: float
    cpu: float
    batch: float
    batch_cpu: float
    lost: int
    wrong: int
    peak_bytes: int
    health_s: float


def main() -> None:
    """Parse, load, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--photos", type=int, default=200)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--pairs", type=int, default=3)
    options = parser.parse_args()
    scorer = Scorer(threads=1)
    truth = {name: scores(scorer.score(SAMPLES / name).kingdoms) for name in _PHOTOS}
    names = [_PHOTOS[number % len(_PHOTOS)] for number in range(options.photos)]
    pairs = [
        pair(names, truth, options.clients, batch_first=bool(number % 2))
        for number in range(options.pairs)
    ]
    title = f"{options.photos} photos from {options.clients} clients"
    ratios = [one.rate / one.batch for one in pairs]
    console = Console(width=110)
    console.print(_table(title, pairs))
    console.print(f"of batch: median {median(ratios):.2f} of {len(pairs)} pairs")


def _table(title: str, pairs: Iterable[Load]) -> Table:
    table = Table(title=title)
    heads = (
        "photos/s", "batch", "of batch", "core per photo", "batch", "lost", "wrong", "peak memory",
        "/healthz",
    )  # fmt: skip
    for head in heads:
        table.add_column(head, justify="right")
    for one in pairs:
        table.add_row(
            f"{one.rate:.1f}", f"{one.batch:.1f}", f"{one.rate / one.batch:.2f}",
            f"{1000 * one.cpu:.0f} ms", f"{1000 * one.batch_cpu:.0f} ms", str(one.lost),
            str(one.wrong), f"{one.peak_bytes / 2**20:.0f} MB", f"{1000 * one.health_s:.0f} ms",
        )  # fmt: skip
    return table


def pair(
    names: list[str],
    truth: Mapping[str, list[int]],
    clients: int,
    *,
    batch_first: bool,
) -> Load:
    """The server and the batch on the same photos, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        photos = copies(names, Path(folder))
        if batch_first:
            batch, cpu = batch_rate(photos, Path(folder))
            load = _loaded(names, truth, clients, Path(folder))
        else:
            load = _loaded(names, truth, clients, Path(folder))
            batch, cpu = batch_rate(photos, Path(folder))
        return replace(load, batch=batch, batch_cpu=cpu)


def batch_rate(photos: Sequence[Path], folder: Path) -> tuple[float, float]:
    """Photos per second of `kdscore batch` on all cores, and seconds of a core per photo.

    Its start counts for neither.
    """
    program = [str(Path(sys.executable).with_name("kdscore"))]
    spent = [_children_cpu_s()]
    runs = []
    for some in (photos[: cores()], photos):
        runs.append(measure(program, some, cores(), folder))
        spent.append(_children_cpu_s())
    more = runs[1].photos - runs[0].photos
    cpu = (spent[2] - spent[1]) - (spent[1] - spent[0])
    return more / (runs[1].seconds - runs[0].seconds), cpu / more


def _children_cpu_s() -> float:
    """Seconds of cores that processes which have ended took, with theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _cpu_s(process: int) -> float:
    """Seconds of cores that a process and those below it have taken."""
    ticks = 0
    for one in family(process):
        about = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        ticks += int(about[11]) + int(about[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _loaded(
    names: list[str],
    truth: Mapping[str, list[int]],
    clients: int,
    folder: Path,
) -> Load:
    """The server under load; `batch` is not known yet."""
    watched = Watched()
    with server(folder) as (port, process):
        upload(port, names[0])
        watch = threading.Thread(target=_watch, args=(port, process.pid, watched))
        watch.start()
        start, cpu = time.perf_counter(), _cpu_s(process.pid)
        with ThreadPoolExecutor(clients) as phones:
            answers = list(phones.map(lambda name: upload(port, name), names))
        seconds, cpu = time.perf_counter() - start, _cpu_s(process.pid) - cpu
        watched.done = True
        watch.join()
        lost = sum(_get(port, id_) is None for id_, _ in answers)
    wrong = sum(truth[name] != seen for name, (_, seen) in zip(names, answers, strict=True))
    slowest, photos = max(watched.health_s), len(names)
    return Load(photos / seconds, cpu / photos, 0.0, 0.0, lost, wrong, watched.peak_bytes, slowest)


def scores(kingdoms: Iterable[KingdomResult]) -> list[int]:
    """The totals of a photo."""
    return [kingdom.score for kingdom in kingdoms]


@contextmanager
def server(
    folder: Path, more: Sequence[str] = ()
) -> Iterator[tuple[int, "subprocess.Popen[bytes]"]]:
    """A server on loopback with more options, until the block ends; its port and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    words = ["serve", "--port", str(port), "--data", str(folder / "evening.sqlite"), *more]
    process = subprocess.Popen(
        [sys.executable, "-m", "kdvision", *words], stderr=subprocess.DEVNULL
    )
    try:
        end = time.monotonic() + 60
        while _health(port) is None:
            if process.poll() is not None or time.monotonic() > end:
                raise SystemExit("The server does not answer.")
            time.sleep(0.1)
        yield port, process
    finally:
        process.terminate()
        process.wait(30)


def upload(port: int, name: str) -> tuple[str, list[int]]:
    """Send a sample until it is taken; its id and its totals."""
    head = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="photo"; filename="{name}"'
    data = (SAMPLES / name).read_bytes()
    body = b"".join([head.encode(), b"\r\n\r\n", data, f"\r\n--{_BOUNDARY}--".encode()])
    kind = {"Content-Type": f"multipart/form-data; boundary={_BOUNDARY}"}
    while True:
        status, found = _ask(port, "POST", "/api/photos", body, kind)
        if status == 201:
            return found["id"], [one["score"] for one in found["kingdoms"]]
        if status != 503:
            raise SystemExit(f"{name} was answered {status}: {found}")
        time.sleep(1)


def copies(names: list[str], folder: Path) -> list[Path]:
    """The same photos as files, no two alike, for the batch."""
    paths = []
    for number, name in enumerate(names):
        path = folder / f"{number:04}.jpg"
        # What follows the end of a JPEG is not part of it.
        path.write_bytes((SAMPLES / name).read_bytes() + number.to_bytes(4, "big"))
        paths.append(path)
    return paths


def _watch(port: int, process: int, watched: Watched) -> None:
    while not watched.done:
        seconds = _health(port)
        watched.health_s.append(60.0 if seconds is None else seconds)
        try:
            memory = sum(map(resident, family(process)))
            watched.peak_bytes = max(watched.peak_bytes, memory)
        except OSError:
            return
        time.sleep(_STEP_S)


def _health(port: int) -> float | None:
    """Seconds in which the server says that it is well; None where it does not."""
    start = time.perf_counter()
    try:
        status, _ = _ask(port, "GET", "/healthz")
    except OSError:
        return None
    return time.perf_counter() - start if status == 200 else None


def _get(port: int, id_: str) -> object:
    status, found = _ask(port, "GET", f"/api/photos/{id_}")
    return found if status == 200 else None


def _ask(
    port: int, method: str, path: str, body: bytes = b"", head: dict[str, str] | None = None
) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        connection.request(method, path, body, head or {})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"{}")
    finally:
        connection.close()


if __name__ == "__main__":
    main()
