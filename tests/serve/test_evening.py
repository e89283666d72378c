"""The games of an evening: kept, ranked, exported, and read by `kdscore standings`."""

import io
from pathlib import Path

import pytest
from openpyxl import load_workbook
from starlette.testclient import TestClient

from kdvision.serve.evening import as_csv, as_workbook, standings_of
from kdvision.serve.store import EveningEntry
from kdvision.tournament.standings import read_standings, standings_report
from tests.support.serving import send

ENTRIES = [
    EveningEntry("1", "Ada", "C W1 W", 2, "sure", 5, False, False, "x"),
    EveningEntry("1", "Ben, the <b>Great</b>", "C F1 F1 F", 6, "doubtful", 5, False, False, "x"),
    EveningEntry("2", "Ada", "C W W", 0, "sure", 5, True, True, "y"),
]


def keep(client: TestClient, photo: dict, players: dict[str, str], **more: str) -> str:
    answer = client.post("/api/games", json={"photo": photo["id"], "players": players, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()["game"]


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


def test_a_game_is_replaced_and_forgotten(client: TestClient) -> None:
    photo = send(client, "two_kingdoms.jpg")
    keep(client, photo, {"A": "Ada", "B": "Ben"}, game="Final")
    keep(client, photo, {"A": "Cleo"}, game="Final")
    (game,) = client.get("/api/games").json()["games"]
    assert [one["player"] for one in game["players"]] == ["Cleo"]
    assert client.delete("/api/games/Final").status_code == 204
    assert client.delete("/api/games/Final").status_code == 404
    assert client.get("/api/games").json() == {"games": []}


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
    assert client.get("/api/games").json() == {"games": []}


def test_standings_reads_the_export(tmp_path: Path) -> None:
    for name, data in (("e.csv", as_csv(ENTRIES).encode()), ("e.xlsx", as_workbook(ENTRIES))):
        path = tmp_path / name
        path.write_bytes(data)
        found = read_standings(path)
        assert [game.game for game in found.games] == ["1", "2"]
        assert [one.result.player for one in found.games[0].ranked] == [
            "Ben, the <b>Great</b>",
            "Ada",
        ]
        assert standings_report(path, as_json=True).strip() != ""
    assert '"Ben, the <b>Great</b>"' in standings_of(ENTRIES)


def test_no_cell_of_the_workbook_is_a_formula() -> None:
    wild = EveningEntry("1", '=HYPERLINK("x")', "- - C", 0, "sure", 5, False, False, "x")
    sheet = load_workbook(io.BytesIO(as_workbook([wild]))).active
    assert [cell.data_type for cell in sheet[2]] == ["s", "s", "s", "n", "s", "n", "s", "s"]


def test_exports_over_http(client: TestClient) -> None:
    keep(client, send(client, "plus.jpg"), {"A": "Ada"})
    head, line = client.get("/api/export.csv").text.splitlines()
    assert head == "game,player,kingdom_line,score,status,size,harmony,middle_kingdom"
    assert line.startswith("1,Ada,")
    assert client.get("/api/export.xlsx").content[:2] == b"PK"
