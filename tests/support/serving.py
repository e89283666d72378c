"""Servers that run as their command starts them, and the requests that tests make."""

import http.client
import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from tests.support.fakes import own_package
from tests.support.paths import SAMPLES

BOUNDARY = "x7"


@dataclass(frozen=True, slots=True)
class Running:
    """A server of its own process, on loopback."""

    port: int
    process: subprocess.Popen[bytes]

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    def is_well(self, timeout: float = 5) -> bool:
        """Whether it answers `/healthz` in so many seconds."""
        try:
            with urllib.request.urlopen(f"{self.address}/healthz", timeout=timeout) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


@contextmanager
def running_server(data: Path, *more: str | Path) -> Iterator[Running]:
    """A server with the real models and more options, until the test ends."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["serve", "--port", str(port), "--data", str(data), *map(str, more)]
    process = subprocess.Popen(
        [sys.executable, "-m", "kdvision", *words], env=own_package(), stderr=subprocess.DEVNULL
    )
    running = Running(port, process)
    try:
        end = time.monotonic() + 60
        while not running.is_well(1):
            assert process.poll() is None and time.monotonic() < end, "the server does not answer"
            time.sleep(0.1)
        yield running
    finally:
        process.terminate()
        process.wait(30)


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
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        data = answer.read()
        return answer.status, json.loads(data or b"{}")
    finally:
        connection.close()


def upload(server: Running, body: bytes) -> tuple[int, dict[str, Any]]:
    """Send a body that `form` made; the status and the JSON."""
    kind = f"multipart/form-data; boundary={BOUNDARY}"
    return ask(server, "POST", "/api/photos", body, **{"Content-Type": kind})
