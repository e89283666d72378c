"""Servers that run as their command starts them, and the requests that tests make."""

import http.client
import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from tests.support.fakes import own_package
from tests.support.paths import SAMPLES, TESTS
from tests.support.slow_kdscore import LATENCY
from tests.support.waiting import PATIENCE_S

BOUNDARY = "x7"
#: So often another port is tried, where another program was quicker to take the one that was free.
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Running:
    """A server of its own process, on loopback."""

    port: int
    process: subprocess.Popen[bytes]

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    def is_well(self, timeout: float = PATIENCE_S) -> bool:
        """Whether it answers `/healthz` in so many seconds."""
        try:
            with urllib.request.urlopen(f"{self.address}/healthz", timeout=timeout) as answer:
                return bool(answer.status == 200)
        except (OSError, http.client.HTTPException):
            return False


@contextmanager
def running_server(data: Path, *more: str | Path) -> Iterator[Running]:
    """A server with the real models and more options, until the test ends.

    Where the environment sets `KDVISION_LATENCY_MS`, requests and answers take up to so long.
    """
    running = next(filter(None, (_started(data, *more) for _ in range(_TRIES))), None)
    assert running is not None, "the server ends as soon as it starts"
    try:
        yield running
    finally:
        running.process.terminate()
        try:
            running.process.wait(60)
        except subprocess.TimeoutExpired:
            running.process.kill()
            running.process.wait()
            raise


def _started(data: Path, *more: str | Path) -> Running | None:
    """A server that answers; None where it has ended, as it does where its port is taken."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    slow = [str(TESTS / "support" / "slow_kdscore.py")]
    program = slow if os.environ.get(LATENCY) else ["-m", "kdvision"]
    words = ["serve", "--port", str(port), "--data", str(data), *map(str, more)]
    process = subprocess.Popen(
        [sys.executable, *program, *words], env=own_package(), stderr=subprocess.DEVNULL
    )
    running, end = Running(port, process), time.monotonic() + PATIENCE_S
    while not running.is_well(1):
        if process.poll() is not None:
            return None
        if time.monotonic() > end:
            process.kill()
            process.wait()
            raise AssertionError("the server does not answer")
        time.sleep(0.1)
    return running if process.poll() is None else None


def sample(name: str) -> bytes:
    """The bytes of a sample photo."""
    return (SAMPLES / name).read_bytes()


def send(client: TestClient, name: str = "plus.jpg", **fields: str) -> dict[str, Any]:
    """Upload a sample; the answer's JSON."""
    answer = client.post("/api/photos", files={"photo": (name, sample(name))}, data=fields)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def form(data: bytes, name: str = "plus.jpg", **fields: str) -> bytes:
    """A multipart body, written by hand so that it can be wrong."""
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
        for key, value in fields.items()
    ]
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="photo"; filename="{name}"'
    return b"".join([*parts, head.encode(), b"\r\n\r\n", data, f"\r\n--{BOUNDARY}--".encode()])


def ask(
    server: Running, method: str, path: str, body: bytes = b"", **headers: str
) -> tuple[int, dict[str, Any]]:
    """One request and its JSON."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        data = answer.read()
        return answer.status, json.loads(data or b"{}")
    finally:
        connection.close()


def upload(server: Running, body: bytes, path: str = "/api/photos") -> tuple[int, dict[str, Any]]:
    """Send a body that `form` made; the status and the JSON."""
    kind = f"multipart/form-data; boundary={BOUNDARY}"
    return ask(server, "POST", path, body, **{"Content-Type": kind})


def photos_kept(store: Path) -> int:
    """How many photos a running server has in its store."""
    with closing(sqlite3.connect(store, timeout=PATIENCE_S)) as database:
        return int(database.execute("SELECT count(*) FROM photos").fetchone()[0])
