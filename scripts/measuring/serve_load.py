"""What a server under load does: photos per second, memory, and whether anything is lost or wrong.

    python -m scripts.measuring.serve_load [--photos 200] [--clients 50]

Starts `kdscore serve` on loopback with a new file, sends samples from many clients at once (each
comes again when it is turned away), asks `/healthz` meanwhile, and compares every answer with what
`Scorer` says of the same sample. Stops by itself. The rate of `kdscore batch` on the same photos,
one after the other on the same machine, stands beside it.
"""

import argparse
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from kdvision.concurrency import cores
from kdvision.pipeline.scorer import Scorer
from kdvision.result import KingdomResult
from scripts.measuring.batch_benchmark import measure
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


def main() -> None:
    """Parse, load, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--photos", type=int, default=200)
    parser.add_argument("--clients", type=int, default=50)
    options = parser.parse_args()
    scorer = Scorer(threads=1)
    truth = {name: scores(scorer.score(SAMPLES / name).kingdoms) for name in _PHOTOS}
    names = [_PHOTOS[number % len(_PHOTOS)] for number in range(options.photos)]
    watched = Watched()
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as (port, process):
        watch = threading.Thread(target=_watch, args=(port, process.pid, watched))
        watch.start()
        start = time.perf_counter()
        with ThreadPoolExecutor(options.clients) as clients:
            answers = list(clients.map(lambda name: upload(port, name), names))
        seconds = time.perf_counter() - start
        watched.done = True
        watch.join()
        lost = sum(_get(port, id_) is None for id_, _ in answers)
        wrong = sum(truth[name] != seen for name, (_, seen) in zip(names, answers, strict=True))
        batch = measure(
            [str(Path(sys.executable).with_name("kdscore"))],
            copies(names, Path(folder)),
            cores(),
            Path(folder),
        )
    rate = len(names) / seconds
    table = Table(title=f"{options.photos} photos from {options.clients} clients")
    row = {
        "photos per second": f"{rate:.1f}",
        "of batch": f"{rate / batch.speed:.2f}",
        "lost": str(lost),
        "wrong": str(wrong),
        "peak memory": f"{watched.peak_bytes / 2**20:.0f} MB",
        "/healthz, slowest": f"{1000 * max(watched.health_s):.0f} ms",
    }
    for head in row:
        table.add_column(head, justify="right")
    table.add_row(*row.values())
    Console(width=110).print(table)


def scores(kingdoms: Iterable[KingdomResult]) -> list[int]:
    """The totals of a photo."""
    return [kingdom.score for kingdom in kingdoms]


@contextmanager
def server(folder: Path) -> Iterator[tuple[int, "subprocess.Popen[bytes]"]]:
    """A server on loopback, until the block ends; its port and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    words = ["serve", "--port", str(port), "--data", str(folder / "evening.sqlite")]
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
            pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
            watched.peak_bytes = max(watched.peak_bytes, pages * os.sysconf("SC_PAGE_SIZE"))
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
