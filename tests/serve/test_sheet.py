"""A tournament: games from a sheet, codes for tables, decisions, and the results."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from openpyxl import load_workbook
from starlette.testclient import TestClient

from kdvision.errors import UsageError
from kdvision.serve.app import create_app
from kdvision.serve.sheet import make_games
from kdvision.serve.store import Store
from tests.support.fakes import FakeScorer
from tests.support.serving import BLUE, GREEN, Phone

SHEET = """Runde;Tisch;Name;Farbe;Harmonie;Zahlung
1;1;Ada;blau;;bar
1;1;Ben;grün;;
1;2;Cleo;rosa;ja;
1;2;Dan;gelb;ja;Rechnung
2;1;Ada;blau;;
2;1;Cleo;rosa;;
"""


class Hall:
    """A server of a tournament: the organiser's client, and phones that have opened a code."""

    def __init__(self, path: Path) -> None:
        self.path, self.store = path, Store(path.with_suffix(".sqlite"))
        self.app = create_app(FakeScorer(), self.store, sheet=path, password="organiser1")  # type: ignore[arg-type]
        self.organiser = Phone(TestClient(self.app))
        self.organiser.client.headers["authorization"] = "Bearer organiser1"

    def table(self, *names: str) -> Phone:
        """A phone that has scanned the codes of games, by their names."""
        codes = {game["name"]: game["code"] for game in self.organiser.games()}
        client = TestClient(self.app, follow_redirects=False)
        for name in names:
            answer = client.get(f"/g/{codes[name]}")
            assert answer.status_code == 303 and "#game/" in answer.headers["location"]
        return Phone(client)

    def game(self, name: str) -> dict:
        return next(game for game in self.organiser.games() if game["name"] == name)

    def rows(self) -> list[dict[str, str]]:
        """The results of the evening."""
        text = self.organiser.client.get("/sheet.csv").text
        return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    path = tmp_path / "sheet.csv"
    path.write_text(SHEET, "utf-8")
    hall = Hall(path)
    yield hall
    hall.store.close()


def test_a_round_of_a_table_is_a_game_with_its_players_colours_and_rules(hall: Hall) -> None:
    games = {game["name"]: game for game in hall.organiser.games()}
    assert [*games] == ["1 / 1", "1 / 2", "2 / 1"]
    assert hall.organiser.seats(games["1 / 2"]["id"], "player") == {"pink": "Cleo", "yellow": "Dan"}
    assert [game["rules"]["harmony"] for game in games.values()] == [False, True, False]
    assert len({game["code"] for game in games.values()}) == 3
    page = hall.organiser.client.get("/codes").text
    assert page.count("<svg") == 3 and all(game["code"] in page for game in games.values())


def test_a_code_opens_its_game_and_changes_no_other(hall: Hall) -> None:
    phone, next_table = hall.table("1 / 1"), hall.game("1 / 2")["id"]
    assert [game["name"] for game in phone.games()] == ["1 / 1"]
    assert phone.client.get("/api/evening").json()["organiser"] is False
    phone.seat(next_table, "pink", 403, claimed=50)
    assert phone.send(BLUE, next_table).status_code == 403
    photo = hall.organiser.photo(BLUE, next_table, colours=("pink",))["id"]
    assert phone.client.get(f"/api/photos/{photo}").status_code == 404
    assert phone.client.delete(f"/api/photos/{photo}").status_code == 404
    phone.put(f"/api/games/{next_table}", 403, harmony=False)
    game = phone.game()["id"]
    for path, fields in (
        (f"/api/games/{game}", {"harmony": True}),
        ("/api/evenings/1", {"name": "Mine"}),
    ):
        phone.put(path, 403, **fields)
    phone.seat(game, "blue", 409, player="Eve")
    assert phone.client.post("/api/evenings", json={}).status_code == 403
    for path in ("/codes", "/sheet.csv"):
        assert phone.client.get(path).status_code == 403
    assert len(hall.table("1 / 1", "2 / 1").games()) == 2
    assert TestClient(hall.app).get("/g/wrong").status_code == 404
    assert TestClient(hall.app).get("/api/games").status_code == 401


def test_players_claim_before_they_see_the_total(hall: Hall) -> None:
    phone = hall.table("1 / 1")
    game = phone.game()["id"]
    sent = phone.photo(f"{BLUE} | {GREEN}", game, colours=("blue", "green"))
    assert (sent["kingdoms"], sent["views"], sent["hidden"]) == ([], [], 2)
    phone.seat(game, "blue", claimed=12)
    assert {*phone.seats(field="score").values()} == {None}
    assert phone.client.get(f"/api/photos/{sent['id']}").json()["kingdoms"] == []
    assert phone.ranking() == []
    assert hall.organiser.seats(game) == {"blue": 12, "green": 9}
    phone.seat(game, "green", claimed=10)
    assert phone.seats(game) == {"blue": 12, "green": 9}
    assert phone.seats(game, "verdict") == {"blue": "agrees", "green": "differs"}
    refused = phone.seat(game, "green", 409, claimed=9)
    assert refused["code"] == "claim-stands"
    phone.seat(game, "green", 403, accept="claim")
    phone.seat(game, "green", accept="photo")
    assert phone.seats(game, "counts") == {"blue": 12, "green": 9}


def test_the_list_says_what_each_game_waits_for(hall: Hall) -> None:
    game = hall.game("1 / 1")["id"]
    assert hall.game("1 / 1")["waits"] == "claim"
    for colour, claimed in (("blue", 12), ("green", 10)):
        hall.organiser.seat(game, colour, claimed=claimed)
    assert hall.game("1 / 1")["waits"] == "photo"
    hall.organiser.photo(f"{BLUE} | {GREEN}", game, colours=("blue", "green"))
    assert hall.game("1 / 1")["waits"] == "look"
    hall.organiser.seat(game, "green", accept=10)
    assert hall.game("1 / 1")["waits"] == ""


def test_the_results_have_the_rows_of_the_sheet_which_is_only_read(hall: Hall) -> None:
    game = hall.game("1 / 1")["id"]
    for colour, claimed in (("blue", 12), ("green", 10)):
        hall.organiser.seat(game, colour, claimed=claimed)
    hall.organiser.photo(f"{BLUE} | {GREEN}", game, colours=("blue", "green"))
    hall.organiser.seat(game, "green", accept="claim")
    ada, ben, *_ = hall.rows()
    names = ("score", "status", "counts", "verdict", "reading")
    assert [ada[name] for name in names] == ["12", "sure", "12", "agrees", BLUE]
    assert [ben[name] for name in names[:4]] == ["9", "sure", "10", "settled"]
    assert (ada["Zahlung"], ada["Farbe"]) == ("bar", "blau")
    assert hall.path.read_text("utf-8") == SHEET
    # Somebody types into the file, and moves a row.
    head, *lines = hall.path.read_text("utf-8").splitlines()
    text = "\n".join([head, *reversed(lines)]).replace("bar", "bezahlt") + "\n"
    hall.path.write_text(text, "utf-8")
    *_, ben, ada = hall.rows()
    assert (ada["Zahlung"], ada["counts"], ben["counts"]) == ("bezahlt", "12", "10")


def test_the_sheet_can_be_had_as_csv_and_as_a_workbook(hall: Hall) -> None:
    client = hall.organiser.client
    answer = client.get("/sheet.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.text.splitlines()[0].startswith("Runde,Tisch,Name,Farbe,Harmonie,Zahlung,score")
    book = load_workbook(io.BytesIO(client.get("/sheet.xlsx").content))
    assert [cell.value for cell in book.active[1]][:3] == ["Runde", "Tisch", "Name"]


def test_an_evening_without_a_sheet_has_none(phone: Phone) -> None:
    phone.photo(BLUE, colours=("blue",))
    assert phone.client.get("/sheet.csv").status_code == 404


def test_a_decision_that_is_taken_back_leaves_the_results(hall: Hall) -> None:
    game = hall.game("1 / 1")["id"]
    hall.organiser.photo(BLUE, game, colours=("blue",))
    hall.organiser.seat(game, "blue", accept=20)
    assert hall.rows()[0]["counts"] == "20"
    hall.organiser.seat(game, "blue", accept=None, instead_of=20)
    assert hall.rows()[0]["counts"] == "12"


def test_a_restart_with_more_lines_adds_games_and_players_and_keeps_the_rest(hall: Hall) -> None:
    game = hall.game("1 / 1")["id"]
    hall.organiser.seat(game, "blue", claimed=12)
    with hall.path.open("a", encoding="utf-8") as file:
        file.write("1;1;Eve;gelb;;\n2;2;Dan;gelb;;\n")
    make_games(hall.store, hall.path)
    assert [game["name"] for game in hall.organiser.games()] == ["1 / 1", "1 / 2", "2 / 1", "2 / 2"]
    assert hall.organiser.seats(game, "player") == {"yellow": "Eve", "green": "Ben", "blue": "Ada"}
    assert hall.organiser.seats(game, "claimed")["blue"] == 12
    assert len(hall.store.evenings()) == 1


@pytest.mark.parametrize(
    ("claims", "photos", "owners", "asked"),
    [
        # In whatever order they lie, and only once all have claimed.
        ((12, 9), (f"{GREEN} | {BLUE}",), {"Ada": 12, "Ben": 9}, 0),
        ((12, 9), (GREEN, BLUE), {"Ada": 12, "Ben": 9}, 0),
        ((12, None), (f"{GREEN} | {BLUE}",), {}, 2),
        # A second photo of the table is of the same players.
        ((12, 9), (f"{GREEN} | {BLUE}", f"{BLUE} | {GREEN}"), {"Ada": 12, "Ben": 9}, 0),
        # One miscounted: the other kingdom is theirs.
        ((14, 9), (f"{GREEN} | {BLUE}",), {"Ada": 12, "Ben": 9}, 0),
        # Nobody's claim fits, or a kingdom is missing: people are asked.
        ((14, 10), (f"{GREEN} | {BLUE}",), {}, 2),
        ((12, 9), (BLUE,), {}, 1),
    ],
)
def test_claims_tell_whose_kingdoms_are_whose_where_a_sheet_names_no_colours(
    tmp_path: Path,
    claims: tuple[int | None, ...],
    photos: tuple[str, ...],
    owners: dict[str, int],
    asked: int,
) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("game,player\n1,Ada\n1,Ben\n")
    hall = Hall(path)
    seats = {seat["player"]: seat["colour"] for seat in hall.game("1")["seats"] if seat["player"]}
    game = hall.game("1")["id"]
    for number, line in enumerate(photos):
        hall.organiser.photo(line, game, number=number)
    for player, claimed in zip(seats, claims, strict=True):
        hall.organiser.seat(game, seats[player], claimed=claimed)
    shown = hall.game("1")
    scores = {seat["player"]: seat["score"] for seat in shown["seats"] if seat["photo"]}
    assert (scores, len(shown["unassigned"])) == (owners, asked)
    assert (shown["waits"] == "claim") is (None in claims), "nobody is asked before all claimed"
    assert len(hall.table("1").ranking()) == (0 if None in claims else len(owners))
    hall.store.close()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("game,score\n1,2\n", "player"),
        ("player\nA\nB\nC\nD\nE\n", "fifth player.*row 6.*Give round and game"),
        (None, "does not exist"),
    ],
)
def test_a_sheet_that_makes_no_games_is_refused_before_the_start(
    tmp_path: Path, text: str | None, word: str
) -> None:
    path = tmp_path / "sheet.csv"
    if text:
        path.write_text(text)
    with pytest.raises(UsageError, match=word):
        make_games(Store(tmp_path / "e.sqlite"), path)
