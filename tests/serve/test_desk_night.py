"""A whole night at a desk: phones without network, killed servers, two desks, and cheats.

`KDVISION_NIGHT=24` plays it with as many tables; without, at a tenth of that size.
"""

import itertools
import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from kdvision.rules.game.players import Greedy, play_game
from kdvision.rules.game.state import FOUR_PLAYERS
from kdvision.rules.kingdom import Kingdom, position_name
from kdvision.rules.scoring import score
from kdvision.rules.terrain import Square
from kdvision.serve.app import create_app
from kdvision.serve.desk.seats import read_seating
from kdvision.serve.store import Store
from tests.support.desk import FakeReader
from tests.support.fakes import fake_photo

TABLES = int(os.environ.get("KDVISION_NIGHT", "3"))
ROUNDS, SEATS = 5, 4
KILLS = 5
DESK, PLAYERS = ("any", "the-desk"), ("any", "players")
#: What players try: each as often, one table per trial.
CHEATS = ("squares", "other-table", "old-photo", "letters", "second-claim")
TRIALS = max(1, round(30 * TABLES / 24 / len(CHEATS)))


@dataclass
class Seat:
    """A player in a round, what lies before this player, and what is tried."""

    round: str
    table: str
    player: str
    letter: str
    line: str
    cheat: str = ""
    refused: list[int] = field(default_factory=list)

    @property
    def total(self) -> int:
        return score(Kingdom.parse(self.line)).total

    @property
    def place(self) -> dict[str, str]:
        return {"round": self.round, "table": self.table}

    @property
    def key(self) -> tuple[str, str, str]:
        return self.round, self.table, self.player


class Server:
    """A server on one data file, which is killed now and then."""

    def __init__(self, folder: Path, sheet: Path, stack: ExitStack) -> None:
        self._folder, self._sheet, self._stack = folder, sheet, stack
        self.kills = 0
        self._open()

    def _open(self) -> None:
        self.store = Store(self._folder / "night.sqlite")
        app = create_app(
            FakeReader(), self.store, seating=read_seating(self._sheet),
            password=PLAYERS[1], desk_password=DESK[1],
        )  # fmt: skip
        self._client = self._stack.enter_context(TestClient(app, raise_server_exceptions=False))

    def kill(self) -> None:
        """Go on with a new server on the same file; the old one has closed nothing."""
        self.kills += 1
        self._open()

    def ask(self, method: str, path: str, token: str = "", **body: Any) -> Any:
        """Ask as the phone of a table, or as the desk without a token."""
        headers = {"X-Kdscore-Table": token} if token else {}
        auth = PLAYERS if token else DESK
        return self._client.request(method, path, auth=auth, headers=headers, **body)


def seats_of_the_night(random: Random) -> list[Seat]:
    """Every player of every round with a kingdom; those who cheat are drawn."""
    seats = []
    for round_, table in itertools.product(range(ROUNDS), range(TABLES)):
        laid = play_game([Greedy()] * SEATS, 1_000 * round_ + table, FOUR_PLAYERS).kingdoms
        for seat, kingdom in enumerate(laid):
            player = f"P{SEATS * ((table + seat * round_) % TABLES) + seat:02d}"
            line = str(kingdom.kingdom.trimmed())
            seats.append(Seat(str(round_ + 1), str(table + 1), player, "ABCD"[seat], line))
    # Nobody has an old photo in the first round, and one cheat at a table is enough.
    tables = [(str(r + 1), str(t + 1)) for r in range(1, ROUNDS) for t in range(TABLES)]
    random.shuffle(tables)
    for cheat, place in zip(CHEATS * TRIALS, tables, strict=False):
        at = [seat for seat in seats if (seat.round, seat.table) == place]
        able = [seat for seat in at if cheat != "squares" or richer(seat)]
        random.choice(able).cheat = cheat
    return seats


def richer(seat: Seat) -> tuple[str, str, int] | None:
    """A square with a crown more, as a player would like to have it, and the total with it."""
    kingdom = Kingdom.parse(seat.line)
    for at, square in kingdom.squares().items():
        more = Square(square.terrain, square.crowns + 1)
        if square.terrain.value in ("grassland", "swamp") and more.crowns <= 2:
            changed = kingdom.with_cell(at, more)
            return position_name(at), str(more), score(changed).total
    return None


class Phone:
    """The phone of a table: it repeats whatever got no answer."""

    def __init__(self, server: Server, token: str, random: Random) -> None:
        self._server, self._token, self._random = server, token, random

    def post(self, path: str, **body: Any) -> Any:
        """Send; the answer may be lost, and then it is sent again."""
        for _ in range(1 + (self._random.random() < 0.3)):
            answer = self._server.ask("POST", path, self._token, **body)
        return answer

    def upload(self, lines: str, key: str) -> str:
        number = int.from_bytes(key.encode(), "big") % 2**31
        photo = ("table.jpg", fake_photo(lines, number=number))
        form = {"key": key, "size": "auto"}
        answer = self.post("/api/photos", files={"photo": photo}, data=form)
        assert answer.status_code in (200, 201), answer.text
        return str(answer.json()["id"])


def play_table(
    phone: Phone, seats: list[Seat], photos: dict[tuple[str, str], str], old: dict[str, str]
) -> None:
    """Claims and the photo of one table, and what its cheat tries."""
    place = seats[0].place
    lines = " | ".join(seat.line for seat in seats)
    cheat = next((seat for seat in seats if seat.cheat), None)
    claims = {seat.player: seat.total for seat in seats}
    richest = richer(cheat) if cheat and cheat.cheat == "squares" else None
    if cheat and richest:
        claims[cheat.player] = richest[2]
    if cheat and cheat.cheat == "old-photo":
        before = [score(Kingdom.parse(line)).total for line in old[place["table"]].split(" | ")]
        claims = dict(zip(claims, before, strict=True))
    assert phone.post("/api/table/claims", json={**place, "claims": claims}).status_code == 200
    key = "-".join(place.values())
    if cheat and cheat.cheat == "old-photo":
        # This kingdom was better in the round before.
        lines = old[place["table"]]
    photo = phone.upload(lines, f"photo-{key}")
    photos[place["round"], place["table"]] = photo
    if cheat and richest:
        fix = {f"{cheat.letter}.{richest[0]}": richest[1]}
        assert phone.post(f"/api/photos/{photo}/fixes", json=fix).status_code == 200
    letters = {seat.player: seat.letter for seat in seats}
    if cheat and cheat.cheat == "letters":
        other = next(seat for seat in seats if seat.total != cheat.total)
        letters[cheat.player], letters[other.player] = other.letter, cheat.letter
    if cheat and cheat.cheat == "other-table":
        theirs = next(id_ for where, id_ in photos.items() if id_ != photo)
        body = {**place, "photo": theirs, "players": letters}
        cheat.refused.append(phone.post("/api/table/photos", json=body).status_code)
    body = {**place, "photo": photo, "players": letters}
    assert phone.post("/api/table/photos", json=body).status_code == 200
    if cheat and cheat.cheat == "second-claim":
        body = {**place, "claims": {cheat.player: cheat.total + 7}}
        cheat.refused.append(phone.post("/api/table/claims", json=body).status_code)


def decide(server: Server, desk: str, seats: list[Seat]) -> None:
    """One of two desks goes through all lines that ask for somebody."""
    for tile in server.ask("GET", "/api/board").json()["tiles"]:
        for line in tile["players"]:
            if line["state"] == "agrees" or line["claimed"] is None:
                continue
            (seat,) = [s for s in seats if s.key == (tile["round"], tile["table"], line["player"])]
            about = {**seat.place, "player": seat.player, "by": desk}
            if line["proposals"]:
                server.ask("POST", "/api/board/corrections", json={**about, "fixes": {}})
            if line["letter"] != seat.letter:
                at = [s for s in seats if (s.round, s.table) == (seat.round, seat.table)]
                letters = {s.player: s.letter for s in at}
                body = {**seat.place, "letters": letters, "by": desk}
                server.ask("POST", "/api/board/letters", json=body)
            # Who looks at the kingdom on the table knows what lies there.
            server.ask("POST", "/api/board/decisions", json={**about, "accept": seat.total})


@pytest.fixture
def night(tmp_path: Path) -> Iterator[tuple[Server, list[Seat]]]:
    seats = seats_of_the_night(Random(7))
    sheet = tmp_path / "sheet.csv"
    rows = [f"{seat.round},{seat.table},{seat.player}" for seat in seats]
    sheet.write_text("\n".join(["round,table,player", *rows]) + "\n")
    with ExitStack() as stack:
        yield Server(tmp_path, sheet, stack), seats


@pytest.mark.slow
def test_a_whole_night(night: tuple[Server, list[Seat]]) -> None:
    server, seats = night
    random = Random(11)
    codes = server.ask("GET", "/api/board/codes").json()["codes"]
    tokens = {(code["round"], code["table"]): code["token"] for code in codes}
    photos: dict[tuple[str, str], str] = {}
    old: dict[str, str] = {}
    kills = iter(sorted(random.sample(range(1, ROUNDS * TABLES), KILLS)))
    next_kill = next(kills)
    for number, (round_, table) in enumerate(tokens):
        if number == next_kill:
            server.kill()
            next_kill = next(kills, -1)
        at = [seat for seat in seats if (seat.round, seat.table) == (round_, table)]
        phone = Phone(server, tokens[round_, table], random)
        play_table(phone, at, photos, old)
        old[table] = " | ".join(seat.line for seat in at)
    assert server.kills == KILLS

    # No cheat is unseen: its line asks for somebody, or what was tried was refused.
    board = server.ask("GET", "/api/board").json()
    states = {
        (tile["round"], tile["table"], line["player"]): line["state"]
        for tile in board["tiles"]
        for line in tile["players"]
    }
    tried = [seat for seat in seats if seat.cheat]
    assert Counter(seat.cheat for seat in tried) == dict.fromkeys(CHEATS, TRIALS)
    unseen = [
        (seat.cheat, seat.key, states[seat.key])
        for seat in tried
        if not (seat.refused and min(seat.refused) >= 400) and states[seat.key] == "agrees"
    ]
    assert unseen == []
    honest = {(seat.round, seat.table) for seat in seats} - {
        (seat.round, seat.table) for seat in tried
    }
    touched = {key[:2] for key, state in states.items() if state != "agrees"}
    wrongly = touched & honest
    # The table whose photo was used again is asked about, too.
    of_old = {(str(int(s.round) - 1), s.table) for s in tried if s.cheat == "old-photo"}
    assert wrongly <= of_old

    # Two desks decide at once; nothing counts twice.
    with ThreadPoolExecutor(2) as desks:
        list(desks.map(lambda name: decide(server, name, seats), ("Jo", "Sam")))
    decide(server, "Jo", seats)

    events = server.ask("GET", "/api/board/log").json()["events"]
    claims = Counter(
        (one["round"], one["table"], one["player"]) for one in events if one["kind"] == "claim"
    )
    assert claims == {seat.key: 1 for seat in seats}
    handed_in = [one for one in events if one["kind"] == "photo"]
    assert {(one["round"], one["table"], one["player"]) for one in handed_in} == claims.keys()
    for id_ in photos.values():
        assert server.store.photo(id_) is not None

    shown = server.ask("GET", "/api/beamer").json()
    ranked = {
        (game["round"], game["game"], one["player"]): one["total"]
        for game in shown["games"]
        for one in game["players"]
    }
    assert ranked == {seat.key: seat.total for seat in seats}
    sums = Counter()
    for seat in seats:
        sums[seat.player] += seat.total
    best = max(sums.values())
    champions = {one["player"] for one in shown["totals"] if one["rank"] == 1}
    assert champions == {player for player, total in sums.items() if total == best}
