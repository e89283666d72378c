"""A whole night: 24 tables, 3 rounds, 30 phones, flaky networks, a kill in between, a full disk."""

import json
import socket
import threading
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.support.fake_serve import ROOM
from tests.support.fakes import fake_photo
from tests.support.serving import COLOURS, Running, ask, draw_kingdom, form, running_server, upload
from tests.support.waiting import PATIENCE_S, wait_for

pytestmark = pytest.mark.slow

TABLES = 24
ROUNDS = 3
PHONES = 30
#: What a phone has sent that lost its network.
HALF = (
    b"POST /api/photos HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n"
    b"Content-Type: multipart/form-data; boundary=x\r\n\r\n--x"
)
JSON = {"Content-Type": "application/json"}


class Night:
    """A hall: what phones were answered, which must all be there in the end."""

    def __init__(self, folder: Path) -> None:
        players = [
            f"{round_},{table},P{table}-{number},{colour}"
            for round_ in range(1, ROUNDS + 1)
            for table in range(1, TABLES + 1)
            for number, colour in enumerate(COLOURS)
        ]
        self.sheet, self.data = folder / "sheet.csv", folder / "e.sqlite"
        self.sheet.write_text("\n".join(["round,game,player,colour", *players]))
        self.random, self.lock = Random(7), threading.Lock()
        self.server: Running | None = None
        self.answered: dict[tuple[str, str, str], Any] = {}
        self.changes = self.refused = 0

    def start(self, stack: ExitStack, port: int = 0) -> Running:
        served = running_server(self.data, "--sheet", self.sheet, fake=True, port=port)
        self.server = stack.enter_context(served)
        return self.server

    def again(self, act: Callable[[Running], tuple[int, Any]]) -> Any:
        """Do something until it is answered, as a phone does: answers get lost, servers die."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            try:
                assert self.server
                status, answer = act(self.server)
            except (OSError, HTTPException):
                time.sleep(0.1)
                continue
            with self.lock:
                self.changes += 1
                self.refused += status == 507
                is_lost = self.random.random() < 0.1
            if status == 409:  # the answer to the first try was lost
                return answer
            assert status in (200, 201, 503, 507), (status, answer)
            if status < 500 and not is_lost:
                return answer
            time.sleep(0.1 * (status >= 500))
        raise AssertionError("never answered")

    def seat(self, game: str, colour: str, **fields: Any) -> None:
        path, body = f"/api/games/{game}/seats/{colour}", json.dumps(fields).encode()
        self.again(lambda server: ask(server, "PUT", path, body, **JSON))
        with self.lock:
            for name, value in fields.items():
                if name != "instead_of":
                    self.answered[game, colour, name] = value

    def play(self, game: dict[str, Any]) -> None:
        """A table: a photo of all, or one each; claims, one too high; somebody settles it."""
        id_ = game["id"]
        number = int(game["name"].split(" / ")[1])
        table = [draw_kingdom(Random(f"{game['name']} {colour}")) for colour in COLOURS]
        photos: list[tuple[str, tuple[str, ...]]] = [(" | ".join(table), COLOURS)]
        if number % 2:
            photos = [(line, (colour,)) for line, colour in zip(table, COLOURS, strict=True)]
        for line, colours in photos:
            key = f"{id_[:8].replace('_', '-')}-{colours[0]}-{number}"
            body = form(fake_photo(line, colours=colours), key=key, game=id_)
            self.again(partial(upload, body=body))
        scores = {
            seat["colour"]: seat["score"]
            for shown in self.again(lambda server: ask(server, "GET", "/api/games"))
            if shown["id"] == id_
            for seat in shown["seats"]
        }
        for colour in COLOURS:
            self.seat(id_, colour, claimed=scores[colour] + 3 * (colour == "pink"))
        self.seat(id_, "pink", accept=scores["pink"] + 3)


def test_night_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full after half of the photos; then the server is killed, and room made.

    Uploads that never end hold up nobody.
    """
    night = Night(tmp_path)
    sheet = night.sheet.read_bytes()
    monkeypatch.setenv(ROOM, "1200000")
    with ExitStack() as stack:
        first = night.start(stack)
        games = ask(first, "GET", "/api/games")[1]
        assert len(games) == TABLES * ROUNDS
        for _ in range(40):
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", first.port)))
            slow.sendall(HALF)
        # The disk fills up, the server is killed, and another one goes on with room.
        with ThreadPoolExecutor(PHONES) as phones:
            playing = [phones.submit(night.play, game) for game in games]
            wait_for(lambda: night.refused >= PHONES)
            assert ask(first, "GET", "/api/evening")[0] == 200 and night.answered
            first.process.kill()
            first.process.wait()
            monkeypatch.delenv(ROOM)
            night.start(stack, first.port)
            for table in playing:
                table.result()
        assert night.server
        shown = {game["id"]: game for game in ask(night.server, "GET", "/api/games")[1]}
        ranking = ask(night.server, "GET", "/api/ranking")[1]
        with urllib.request.urlopen(f"{night.server.address}/results.csv") as answer:
            results = answer.read().decode()
    # Every change that was answered is there, and no other.
    assert len(night.answered) == TABLES * ROUNDS * 5
    for (game, colour, name), value in night.answered.items():
        (seat,) = [seat for seat in shown[game]["seats"] if seat["colour"] == colour]
        assert seat["settled" if name == "accept" else name] == value, (game, colour, name)
    for game in shown.values():
        assert game["waits"] == "" and game["unassigned"] == []
        assert game["photos"] == (4 if int(game["name"].split(" / ")[1]) % 2 else 1)
        verdicts = {seat["colour"]: seat["verdict"] for seat in game["seats"]}
        assert verdicts == {**dict.fromkeys(COLOURS, "agrees"), "pink": "settled"}
    # The ranking and the results have every player, and the sheet is as it was.
    assert len(ranking) == TABLES * len(COLOURS)
    assert not any(line["open"] for line in ranking)
    lines = results.splitlines()
    assert sum(",settled," in line for line in lines) == TABLES * ROUNDS
    assert night.sheet.read_bytes() == sheet
