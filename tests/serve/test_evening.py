"""The games of an evening: kept, ranked, exported, and read by `kdscore standings`."""

import csv
import io
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from openpyxl import load_workbook
from starlette.testclient import TestClient

from kdvision.pipeline.scorer import Scorer
from kdvision.result import PhotoResult
from kdvision.serve.app import create_app
from kdvision.serve.evening import COLOURS, COLUMNS, export, standings_of
from kdvision.serve.limits import MOST_SEATS
from kdvision.serve.store import Store
from kdvision.tournament.standings import read_standings
from tests.support.fakes import FakeReader, fake_photo
from tests.support.serving import send


def row(
    game: str, player: str, line: str, score: int, status: str = "sure", **more: str
) -> dict[str, str]:
    """What a player of a game had, by columns."""
    counts = str(score) if status == "sure" else ""
    cells = {"game": game, "player": player, "reading": line, "score": str(score)}
    return {**dict.fromkeys(COLUMNS, ""), **cells, "status": status, "counts": counts, **more}


ROWS = [
    row("1", "Ada", "C W1 W", 2),
    row("1", "Ben, the <b>Great</b>", "C F1 F1 F", 6, "doubtful"),
    row("2", "Ada", "C W W", 0, harmony="yes", middle_kingdom="yes"),
]


def keep(client: TestClient, photo: dict, players: dict[str, str], **more: str) -> str:
    answer = client.post("/api/games", json={"photo": photo["id"], "players": players, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()["game"]


def change(client: TestClient, game: str, fields: dict | None = None, **more: object) -> dict:
    """Write fields of a game; what they were before."""
    answer = client.patch(f"/api/games/{game}", json={**(fields or {}), **more})
    assert answer.status_code == 200, answer.text
    return answer.json()["before"]


def players(client: TestClient, game: int = -1) -> dict[int, tuple[str, str | None]]:
    """Name and kingdom of every seat of a game."""
    shown = client.get("/api/games").json()["games"][game]["players"]
    return {one["seat"]: (one["player"], one.get("letter")) for one in shown}


def test_every_seat_has_a_colour_of_its_own() -> None:
    assert len(set(COLOURS)) == MOST_SEATS


def test_a_photo_of_the_table_fills_the_seats(client: TestClient) -> None:
    send(client, "four_kingdoms.jpg", game="1")
    game = client.get("/api/games").json()["games"][0]
    assert players(client) == {n: ("", "ABCD"[n - 1]) for n in (1, 2, 3, 4)}
    assert [one["colour"] for one in sorted(game["players"], key=lambda one: one["seat"])] == [
        "blue", "green", "pink", "yellow",
    ]  # fmt: skip
    totals = [one["score"] for one in game["players"]]
    assert totals == sorted(totals, reverse=True)
    assert game["complete"] and game["unplaced"] == []
    assert [one["wins"] for one in game["players"]] == [True, False, False, False]


def test_four_photos_of_one_kingdom_each_are_one_game(client: TestClient) -> None:
    names = {f"name.{n}": name for n, name in enumerate(("Ada", "Ben", "Cleo", "Dan"), 1)}
    change(client, "1", names)
    photos = ("plus.jpg", "corner.jpg", "meadow_5x5.jpg", "first_domino.jpg")
    ids = []
    for number, photo in enumerate(photos, 1):
        ids.append(send(client, photo, game="1", key=f"phone-{number}", seat=str(number))["id"])
    games = client.get("/api/games").json()["games"]
    assert len(games) == 1
    assert {one["player"]: one["photo"] for one in games[0]["players"]} == dict(
        zip(("Ada", "Ben", "Cleo", "Dan"), ids, strict=True)
    )


def test_whose_is_asked_until_one_is_left(client: TestClient) -> None:
    change(client, "1", {"name.1": "Ada", "name.2": "Ben"})
    photo = send(client, "two_kingdoms.jpg", game="1")["id"]
    assert players(client) == {1: ("Ada", None), 2: ("Ben", None)}
    unplaced = client.get("/api/games").json()["games"][0]["unplaced"]
    assert [(one["photo"], one["letter"]) for one in unplaced] == [(photo, "A"), (photo, "B")]
    before = change(client, "1", {f"kingdom.{photo}.A": 2})
    assert players(client) == {1: ("Ada", "B"), 2: ("Ben", "A")}
    change(client, "1", before)
    assert players(client) == {1: ("Ada", None), 2: ("Ben", None)}
    # A kingdom that comes later takes the seat; taken back, the first one has it again.
    change(client, "1", {f"kingdom.{photo}.A": 1})
    before = change(client, "1", {f"kingdom.{photo}.B": 1})
    assert players(client)[1] == ("Ada", "B")
    change(client, "1", before)
    assert players(client) == {1: ("Ada", "A"), 2: ("Ben", "B")}


def test_two_kingdoms_that_were_mixed_up_change_places(fake: TestClient) -> None:
    change(fake, "1", {"name.1": "Ada", "name.2": "Ben"})
    ada, ben = (send_fake(fake, n, game="1", seat=str(n))["id"] for n in (1, 2))

    def photos() -> dict[str, str]:
        (game,) = fake.get("/api/games").json()["games"]
        return {one["player"]: one["photo"] for one in game["players"]}

    before = change(fake, "1", {f"kingdom.{ada}.A": 2})
    assert photos() == {"Ada": ben, "Ben": ada}
    change(fake, "1", before)
    assert photos() == {"Ada": ada, "Ben": ben}
    # A new photo of a kingdom takes the place of the one before.
    again = send_fake(fake, 3, game="1", seat="2")["id"]
    assert photos() == {"Ada": ada, "Ben": again}
    change(fake, "1", {f"kingdom.{again}.A": 0})
    assert photos() == {"Ada": ada, "Ben": ben}


@pytest.mark.parametrize(
    "name", ["2026/11", "A//B/", "50 %", "Ende?", "#1", "علی\u200cرضا 👩\u200d👧"]
)
def test_a_game_of_any_name_is_reached(fake: TestClient, name: str) -> None:
    send_fake(fake, 1, game=name)
    path = f"/api/games/{quote(name, safe='')}"
    assert fake.patch(path, json={"name.1": "Ada"}).json()["game"] == name
    assert fake.delete(path).status_code == 204
    assert fake.get("/api/games").json()["games"] == []


@pytest.mark.parametrize(
    "fields",
    [
        {"game": "=1+1"}, {"game": "x" * 61}, {"game": "a\x07"}, {"game": "\u200d"},
        {"game": "1", "seat": "9"}, {"game": "1", "seat": "Ada"},
    ],
)  # fmt: skip
def test_a_photo_for_a_game_or_a_seat_that_cannot_be_is_refused(
    fake: TestClient, fields: dict[str, str]
) -> None:
    answer = fake.post("/api/photos", files={"photo": ("a.jpg", fake_photo())}, data=fields)
    assert answer.status_code == 422
    assert fake.get("/api/games").json()["games"] == []


def test_a_field_that_is_written_leaves_the_others(client: TestClient) -> None:
    """Two phones have one game open; each writes a name."""
    assert change(client, "1", {"name.1": "Ada"}) == {"name.1": None}
    assert change(client, "1", {"name.2": "Ben"}) == {"name.2": None}
    assert change(client, "1", {"name.1": "Ana"}) == {"name.1": "Ada"}
    assert players(client) == {1: ("Ana", None), 2: ("Ben", None)}
    twice = client.patch("/api/games/1", json={"name.2": "ana"})
    assert twice.status_code == 409
    assert players(client) == {1: ("Ana", None), 2: ("Ben", None)}
    change(client, "1", {"name.1": "Ben", "name.2": "Ana"})
    assert players(client) == {1: ("Ben", None), 2: ("Ana", None)}


@pytest.mark.parametrize(
    "fields",
    [
        {"name.9": "Ada"}, {"name.0": "Ada"}, {"name.": "Ada"}, {"name.1": ""}, {"name.1": 5},
        {"kingdom.x.A": 9}, {"kingdom.x.A": "a"}, {"kingdom.x": 1}, {"magic": True},
        {"name.0081": "Ada"}, {"name.01": "Ada"}, {"kingdom.x.A": "0081"},
        {"harmony": "maybe"}, {"size": 6}, {"dropped": False}, {"begun": None}, {"name.1": "=1"},
    ],
)  # fmt: skip
def test_a_field_that_is_none_changes_nothing(client: TestClient, fields: dict) -> None:
    assert client.patch("/api/games/1", json={"name.1": "Ada", **fields}).status_code == 422
    assert client.get("/api/games").json()["games"] == []


def test_the_rules_of_a_game_are_those_of_its_photos(client: TestClient) -> None:
    change(client, "1", {"middle_kingdom": True})
    photo = send(client, "lamp_castle_5x5.jpg", game="1")
    plain = client.get(f"/api/photos/{photo['id']}").json()["kingdoms"][0]["score"]
    before = change(client, "1", {"harmony": True})
    assert players(client) == {1: ("", "A")}
    now = client.get("/api/games").json()["games"][0]
    assert now["players"][0]["score"] == plain + 5
    assert (now["rules"]["harmony"], now["rules"]["middle_kingdom"]) == (True, True)
    change(client, "1", before)
    assert client.get("/api/games").json()["games"][0]["players"][0]["score"] == plain


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[TestClient]:
    """A client of a server that reads fake photos."""
    with TestClient(create_app(FakeReader(), Store(tmp_path / "e.sqlite"))) as client:
        yield client


def send_fake(client: TestClient, number: int, **fields: str) -> dict:
    files = {"photo": ("a.jpg", fake_photo(number=number))}
    answer = client.post("/api/photos", files=files, data=fields)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def test_the_rules_change_for_all_photos_of_a_game_or_for_none(
    fake: TestClient, tmp_path: Path
) -> None:
    """One of them can no longer be scored: none may have other rules than the game."""
    ids = sorted(send_fake(fake, number, game="1")["id"] for number in range(2))
    with closing(sqlite3.connect(tmp_path / "e.sqlite")) as database:
        database.execute("UPDATE photos SET picture = NULL WHERE id = ?", ids[1:])
        database.commit()
    assert fake.patch("/api/games/1", json={"harmony": True}).status_code == 410
    assert fake.get("/api/games").json()["games"][0]["rules"]["harmony"] is False
    rules = [fake.get(f"/api/photos/{id_}").json()["options"]["harmony"] for id_ in ids]
    assert rules == [False, False]


class Meanwhile(FakeReader):
    """Something happens once, while a photo is scored."""

    happens: Callable[[], object] | None = None

    def score(self, *words: Any, **named: Any) -> PhotoResult:
        happens, self.happens = self.happens, None
        if happens:
            happens()
        return super().score(*words, **named)


def test_rules_that_change_while_a_photo_is_scored_are_those_of_the_photo(tmp_path: Path) -> None:
    store, reader = Store(tmp_path / "e.sqlite"), Meanwhile()
    with TestClient(create_app(reader, store)) as client:
        reader.happens = lambda: store.set_fields("1", {"harmony": "true"})
        assert send_fake(client, 1, game="1")["options"]["harmony"] is True


def test_a_photo_that_comes_while_rules_change_has_them_too(tmp_path: Path) -> None:
    store, reader = Store(tmp_path / "e.sqlite"), Meanwhile()
    with TestClient(create_app(reader, store)) as client:
        send_fake(client, 1, game="1")
        other = send_fake(client, 2)["id"]
        reader.happens = lambda: store.set_fields("1", {f"kingdom.{other}.A": "2"})
        assert change(client, "1", {"harmony": True}) == {"harmony": None}
        assert client.get(f"/api/photos/{other}").json()["options"]["harmony"] is True


def test_a_player_whose_name_is_the_colour_of_another_one_stops_no_evening(
    fake: TestClient,
) -> None:
    change(fake, "1", {"name.2": "Blue"})
    files = {"photo": ("a.jpg", fake_photo())}
    refused = fake.post("/api/photos", files=files, data={"game": "1", "seat": "1"})
    assert refused.status_code == 409
    send_fake(fake, 2, game="1", seat="2")
    assert players(fake) == {2: ("Blue", "A")}


def test_a_game_that_was_dropped_comes_back_with_a_photo_that_was_on_its_way(
    fake: TestClient,
) -> None:
    send_fake(fake, 1, game="1")
    assert fake.delete("/api/games/1").status_code == 204
    late = send_fake(fake, 2, game="1")["id"]
    (game,) = fake.get("/api/games").json()["games"]
    assert late in {one["photo"] for one in game["players"]}


def test_two_servers_on_one_file_see_what_the_other_does(scorer: Scorer, tmp_path: Path) -> None:
    apps = [create_app(scorer, Store(tmp_path / "e.sqlite")) for _ in range(2)]
    with TestClient(apps[0]) as one, TestClient(apps[1]) as other:
        tag = other.get("/api/games").headers["etag"]
        assert other.get("/api/games", headers={"if-none-match": tag}).status_code == 304
        change(one, "1", {"name.1": "Ada"})
        news = other.get("/api/games", headers={"if-none-match": tag})
        assert news.status_code == 200
        assert news.headers["etag"] == one.get("/api/games").headers["etag"] != tag
        assert players(other) == {1: ("Ada", None)}


def test_a_correction_that_cannot_be_keeps_some_total_of_every_kingdom(
    client: TestClient,
) -> None:
    photo = send(client, "four_kingdoms.jpg", game="1")["id"]
    for face in ("W", "-"):
        client.post(f"/api/photos/{photo}/fixes", json={"A.a1": face})
        (game,) = client.get("/api/games").json()["games"]
        assert all(one["score"] is not None for one in game["players"])
        assert len(client.get("/api/export.csv").text.splitlines()) == 5


def test_games_are_kept_and_ranked(client: TestClient) -> None:
    photo = send(client, "two_kingdoms.jpg")
    scores = {name: one["score"] for name, one in zip("AB", photo["kingdoms"], strict=True)}
    assert keep(client, photo, {"A": "Ada", "B": "Ben"}) == "1"
    assert keep(client, photo, {"A": "Ben", "B": " Cleo  B. "}) == "2"
    games = client.get("/api/games").json()["games"]
    assert [game["game"] for game in games] == ["1", "2"]
    assert {one["player"]: one["score"] for one in games[1]["players"]} == {
        "Ben": scores["A"],
        "Cleo B.": scores["B"],
    }
    standings = client.get("/api/standings").json()
    best = max(scores, key=lambda letter: scores[letter])
    first = standings["games"][0]["players"][0]
    assert (first["player"], first["total"]) == ({"A": "Ada", "B": "Ben"}[best], scores[best])
    totals = {one["player"]: one["total"] for one in standings["totals"]}
    assert totals["Ben"] == scores["A"] + scores["B"]


def test_a_new_game_has_the_rules_of_the_photo_that_it_begins_with(fake: TestClient) -> None:
    photo = send_fake(fake, 1, harmony="yes")
    assert keep(fake, photo, {"A": "Ada"}) == "1"
    assert fake.get("/api/games").json()["games"][0]["rules"] == photo["options"]
    assert send_fake(fake, 2, game="1")["options"] == photo["options"]


def test_a_game_is_renamed_and_forgotten(client: TestClient) -> None:
    """Who names one kingdom leaves the others their names."""
    photo = send(client, "two_kingdoms.jpg")
    keep(client, photo, {"A": "Ada", "B": "Ben"}, game="Final")
    keep(client, photo, {"A": "Cleo"}, game="Final")
    (game,) = client.get("/api/games").json()["games"]
    assert {one["player"]: one["letter"] for one in game["players"]} == {"Cleo": "A", "Ben": "B"}
    assert client.delete("/api/games/Final").status_code == 204
    assert client.delete("/api/games/Final").status_code == 404
    assert client.get("/api/games").json()["games"] == []
    # What was forgotten can be put back.
    assert change(client, "Final", dropped=None) == {"dropped": "yes"}
    assert [one["game"] for one in client.get("/api/games").json()["games"]] == ["Final"]


@pytest.mark.parametrize(
    ("players", "game"),
    [
        ({}, "1"),
        ({"Z": "Ada"}, "1"),
        ({"A": ""}, "1"),
        ({"A": "x" * 61}, "1"),
        ({"A": "=1+1"}, "1"),
        ({"A": 5}, "1"),
        ({"A": "Ada", "B": "Ada"}, "1"),
        ({"A": "Ada"}, "\u0007"),
        (["A"], "1"),
    ],
)
def test_a_game_that_cannot_be_kept_leaves_nothing(
    client: TestClient, players: object, game: str
) -> None:
    photo = send(client, "two_kingdoms.jpg")
    data = {"photo": photo["id"], "players": players, "game": game}
    assert client.post("/api/games", json=data).status_code == 422
    assert client.get("/api/games").json()["games"] == []


def test_standings_reads_the_export(tmp_path: Path) -> None:
    for name, workbook in (("e.csv", False), ("e.xlsx", True)):
        path = tmp_path / name
        path.write_bytes(export(ROWS, workbook=workbook))
        found = read_standings([path])
        assert [game.game for game in found.games] == ["1", "2"]
        assert [one.result.player for one in found.games[0].ranked] == [
            "Ben, the <b>Great</b>",
            "Ada",
        ]
    assert '"Ben, the <b>Great</b>"' in standings_of(ROWS)


def test_spellings_of_a_name_are_one_player() -> None:
    totals = json.loads(standings_of([*ROWS, row("3", "  ADA", "C W1 W", 2)]))["totals"]
    assert [(one["player"], one["total"]) for one in totals] == [
        ("Ben, the <b>Great</b>", 6), ("Ada", 4),
    ]  # fmt: skip


def test_a_second_castle_by_a_correction_leaves_the_evening_as_it_is(client: TestClient) -> None:
    photo = send(client, "plus.jpg")
    keep(client, photo, {"A": "Ada"})
    corrected = client.post(f"/api/photos/{photo['id']}/fixes", json={"b3": "C"}).json()
    assert corrected["kingdoms"][0]["kingdom"].count("C") == 2
    (game,) = client.get("/api/games").json()["games"]
    assert game["players"][0]["score"] == corrected["kingdoms"][0]["score"]
    assert client.get("/api/standings").status_code == 200


def test_spellings_of_a_name_have_one_rank_and_are_one_player_of_a_game(client: TestClient) -> None:
    photo = send(client, "two_kingdoms.jpg")
    keep(client, photo, {"A": "Ada", "B": "Ben"})
    keep(client, photo, {"A": "  ADA", "B": "ben"})
    second = client.get("/api/games").json()["games"][1]["players"]
    assert [one["rank"] for one in second] == [1, 2] and second[0]["wins"]
    assert client.patch("/api/games/2", json={"name.2": "a d a"}).status_code == 200
    assert client.patch("/api/games/2", json={"name.2": "ada"}).status_code == 409
    data = {"photo": photo["id"], "players": {"A": "Zoe", "B": "zoe"}}
    assert client.post("/api/games", json=data).status_code in (409, 422)


def test_no_cell_of_an_export_is_a_formula() -> None:
    wild = row("1", '=HYPERLINK("x")', "- - C", 0)
    sheet = load_workbook(io.BytesIO(export([wild], workbook=True))).active
    assert {cell.data_type for cell in sheet[2]} <= {"s", "n"}
    (line,) = csv.DictReader(io.StringIO(export([wild], workbook=False).decode()))
    assert line["player"] == '\'=HYPERLINK("x")'
    assert line["reading"] == "- - C"


def test_exports_over_http(client: TestClient) -> None:
    keep(client, send(client, "plus.jpg"), {"A": "Ada"})
    head, line = client.get("/api/export.csv").text.splitlines()
    assert head == ",".join(COLUMNS)
    assert line.startswith("1,Ada,")
    assert client.get("/api/export.xlsx").content[:2] == b"PK"
