"""Servers that run as their command starts them, and the requests that tests make."""

import http.client
import json
import random
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from kdvision.rules.terrain import CASTLE_MARK, EMPTY_MARK, LABELS
from tests.support.fakes import fake_photo, own_package
from tests.support.paths import SAMPLES
from tests.support.waiting import PATIENCE_S

#: Kingdoms of 12, 9, 15 and 11 points, and the colours of their castles.
BLUE = "C W1 W W/G G2 G -/F F F1 -"
GREEN = "C F1 F F/L L1 L -/S S1 S -"
PINK = "C L1 L L/M1 M M3 -/W W W -"
YELLOW = "C S S1 -/F F1 F -/G G G2 -"
TABLE = (BLUE, GREEN, PINK, YELLOW)
COLOURS = ("blue", "green", "pink", "yellow")
BOUNDARY = "x7"
#: So often another port is tried, where another program was quicker to take the one that was free.
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Running:
    """A server of its own process, on loopback."""

    port: int
    process: subprocess.Popen[bytes]
    scheme: str = "http"

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"{self.scheme}://127.0.0.1:{self.port}"

    def is_well(self, timeout: float = PATIENCE_S) -> bool:
        """Whether it answers `/healthz` in so many seconds."""
        try:
            trusting = ssl._create_unverified_context() if self.scheme == "https" else None
            address = f"{self.address}/healthz"
            with urllib.request.urlopen(address, timeout=timeout, context=trusting) as answer:
                return bool(answer.status == 200)
        except (OSError, http.client.HTTPException):
            return False


@contextmanager
def running_server(
    data: Path, *more: str | Path, fake: bool = False, port: int = 0
) -> Iterator[Running]:
    """A server with more options, until the test ends; one that is `fake` reads fake photos."""
    running = next(
        filter(None, (_started(data, *more, fake=fake, port=port) for _ in range(_TRIES))), None
    )
    assert running is not None, "the server ends as soon as it starts"
    try:
        yield running
    finally:
        running.process.terminate()
        try:
            running.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            running.process.kill()
            running.process.wait()
            raise


def _started(data: Path, *more: str | Path, fake: bool, port: int) -> Running | None:
    """A server that answers; None where it has ended, as it does where its port is taken."""
    port = port or _find_port()
    program = ["-m", "tests.support.fake_serve" if fake else "kdvision"]
    words = ["serve", "--port", str(port), "--data", str(data), *map(str, more)]
    process = subprocess.Popen(
        [sys.executable, *program, *words], env=own_package(), stderr=subprocess.DEVNULL
    )
    scheme = "https" if "--certfile" in words else "http"
    running, end = Running(port, process, scheme), time.monotonic() + PATIENCE_S
    while not running.is_well(10):
        if process.poll() is not None:
            return None
        if time.monotonic() > end:
            process.kill()
            process.wait()
            raise AssertionError("the server does not answer")
        time.sleep(0.1)
    return running if process.poll() is None else None


def _find_port() -> int:
    """Return a port that is free, and not one of those that systems give to any program.

    A server that was killed can have it again: no program takes it meanwhile, nor does a client
    that knocks at it while nobody listens.
    """
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port


def sample(name: str) -> bytes:
    """The bytes of a sample photo."""
    return (SAMPLES / name).read_bytes()


@dataclass(frozen=True, slots=True)
class Phone:
    """A client of a server, as the page and programs use it."""

    client: TestClient

    def send(self, line: str, game: str = "", *, key: str = "", **fake: Any) -> Any:
        """Upload a fake photo; the answer."""
        files = {"photo": ("a.jpg", fake_photo(line, **fake))}
        fields = {name: value for name, value in (("game", game), ("key", key)) if value}
        return self.client.post("/api/photos", files=files, data=fields)

    def photo(self, line: str, game: str = "", **fake: Any) -> dict[str, Any]:
        """Upload a fake photo that is taken; its JSON."""
        answer = self.send(line, game, **fake)
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def put(self, path: str, status: int = 200, **fields: Any) -> Any:
        """Change something; the JSON of the answer."""
        answer = self.client.put(path, json=fields)
        assert answer.status_code == status, answer.text
        return answer.json()

    def seat(self, game: str, colour: str, status: int = 200, **fields: Any) -> Any:
        """Change a seat; the JSON of the answer."""
        return self.put(f"/api/games/{game}/seats/{colour}", status, **fields)

    def undo(self, *entries: int, status: int = 200, **wanted: bool) -> Any:
        """Take entries back, the last first; the JSON of the last answer."""
        for entry in reversed(entries):
            answer = self.client.post(f"/api/log/{entry}/undo", json=wanted)
            assert answer.status_code == status, answer.text
        return answer.json()

    def log(self, game: str = "") -> list[dict[str, Any]]:
        """What was said of a game, or of the last one."""
        return list(self.client.get(f"/api/games/{game or self.game()['id']}/log").json())

    def games(self) -> list[dict[str, Any]]:
        """The games of the evening."""
        return list(self.client.get("/api/games").json())

    def game(self, id_: str = "") -> dict[str, Any]:
        """A game, or the last one."""
        return next(game for game in reversed(self.games()) if id_ in ("", game["id"]))

    def seats(self, game: str = "", field: str = "score") -> dict[str, Any]:
        """A field of the seats of a game that are taken."""
        seats = self.game(game)["seats"]
        taken = [seat for seat in seats if seat["photo"] or seat["player"]]
        return {seat["colour"]: seat[field] for seat in taken}

    def ranking(self) -> list[tuple[int, str, int, bool]]:
        """Rank, player, total of the evening, and whether it may change."""
        lines = self.client.get("/api/ranking").json()
        return [(line["rank"], line["player"], line["total"], line["open"]) for line in lines]


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
) -> tuple[int, Any]:
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


def draw_kingdom(source: random.Random) -> str:
    """Draw the line of a kingdom of 25 squares; two of them agree on a fifth."""
    tiles = [label for label in LABELS if label not in (CASTLE_MARK, EMPTY_MARK)]
    cells = source.choices(tiles, k=25)
    cells[12] = CASTLE_MARK
    rows = [" ".join(cells[at : at + 5]) for at in range(0, 25, 5)]
    return "/".join(rows)
