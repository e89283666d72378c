"""A tournament: games by a sheet that is only read, codes for tables, decisions, results."""

import csv
import io
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from openpyxl import load_workbook
from starlette.testclient import TestClient

from kdvision.errors import UsageError
from kdvision.serve.app import create_app
from kdvision.serve.evenings import Evenings
from kdvision.serve.readings import Readings
from kdvision.serve.sheet import FollowedSheet, read_tables
from kdvision.serve.store import Store
from tests.support.fakes import FakeScorer
from tests.support.serving import BLUE, GREEN, PINK, Phone
from tests.support.waiting import wait_for

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

    def __init__(self, path: Path, data: Path | None = None) -> None:
        self.path, self.store = path, Store(data or path.with_suffix(".sqlite"))
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

    def write(self, text: str) -> None:
        """Save the sheet, as the organiser does while the server runs."""
        self.path.write_text(text, "utf-8")

    def rows(self) -> list[dict[str, str]]:
        """The results."""
        text = self.organiser.client.get("/results.csv").content.decode("utf-8-sig")
        delimiter = max(",;", key=text.splitlines()[0].count)
        return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    """A hall whose server looks at the sheet all the time."""
    monkeypatch.setattr("kdvision.serve.sheet.LOOK_EVERY_S", 0.02)
    path = tmp_path / "sheet.csv"
    path.write_text(SHEET, "utf-8")
    hall = Hall(path)
    with hall.organiser.client:
        yield hall


def test_round_of_a_table_is_a_game(hall: Hall) -> None:
    games = {game["name"]: game for game in hall.organiser.games()}
    assert [*games] == ["1 / 1", "1 / 2", "2 / 1"]
    assert hall.organiser.seats(games["1 / 2"]["id"], "player") == {"pink": "Cleo", "yellow": "Dan"}
    assert [game["rules"]["harmony"] for game in games.values()] == [False, True, False]
    assert len({game["code"] for game in games.values()}) == 3
    page = hall.organiser.client.get("/codes").text
    assert page.count("<svg") == 3 and all(game["code"] in page for game in games.values())


def test_photo_of_all_seats_leaves_nothing_out(hall: Hall) -> None:
    """As in a sheet with a row for each of its kingdoms; one kingdom of two may not be all."""
    first, second = (hall.game(name)["id"] for name in ("1 / 1", "1 / 2"))
    both, one = (f"{BLUE} | {GREEN}", ("blue", "green")), (PINK, ("pink",))
    for game, (lines, colours) in ((first, both), (second, one)):
        hall.organiser.photo(lines, game, colours=colours, left_out=("top",))
    assert hall.game("1 / 1")["notes"] == []
    (note,) = hall.game("1 / 2")["notes"]
    assert "another kingdom at the top" in note
    ada, _, cleo, *_ = hall.rows()
    assert note in cleo["explanation"] and note not in ada["explanation"]


def test_code_opens_only_its_game(hall: Hall) -> None:
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
    for path in ("/codes", "/results.csv"):
        assert phone.client.get(path).status_code == 403
    assert len(hall.table("1 / 1", "2 / 1").games()) == 2
    for path in ("/g/wrong", "/g/"):
        assert TestClient(hall.app).get(path).status_code == 404
    assert TestClient(hall.app).get("/api/games").status_code == 401


def test_phone_keeps_the_last_twelve_codes(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("game,player\n" + "".join(f"{n},P{n}\n" for n in range(1, 14)))
    hall = Hall(path)
    names = [game["name"] for game in hall.organiser.games()]
    assert [game["name"] for game in hall.table(*names[:12]).games()] == names[:12]
    assert [game["name"] for game in hall.table(*names).games()] == names[1:]
    hall.store.close()


def test_photo_of_no_game_of_a_phone_is_not_read(hall: Hall) -> None:
    phone, next_table = hall.table("1 / 1"), hall.game("1 / 2")["id"]
    for game in ("", next_table):
        assert phone.send(BLUE, game, act="fail").status_code == 403


def test_players_claim_before_the_total(hall: Hall) -> None:
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
    phone.seat(game, "green", 403, accept=10)
    phone.seat(game, "green", accept=9)
    assert phone.seats(game, "counts") == {"blue": 12, "green": 9}


def test_unassigned_kingdoms_are_kept_back_too(hall: Hall) -> None:
    phone, game = hall.table("1 / 1"), hall.game("1 / 1")["id"]
    hall.organiser.photo(f"{BLUE} | {GREEN}", game)
    for viewer, score, line in ((phone, None, None), (hall.organiser, 12, BLUE)):
        first, _ = viewer.game(game)["unassigned"]
        assert (first["score"], first["kingdom"], first["letter"]) == (score, line, "A")
    for colour, claimed in (("blue", 12), ("green", 10)):
        hall.organiser.seat(game, colour, claimed=claimed)
    assert phone.game(game)["unassigned"][0]["score"] == 12


def test_list_of_games_begins_with_the_winners(hall: Hall) -> None:
    game = hall.game("1 / 1")["id"]
    hall.organiser.seat(game, "green", accept=40)
    hall.organiser.seat(game, "blue", accept=30)
    hall.organiser.photo(f"{BLUE} | {GREEN}", game, colours=("blue", "green"))
    (shown, *_) = hall.organiser.client.get("/api/evening").json()["games"]
    assert [(one["player"], one["counts"], one["wins"]) for one in shown["totals"]] == [
        ("Ben", 40, True), ("Ada", 30, False),
    ]  # fmt: skip
    hidden = hall.table("1 / 1").client.get("/api/evening").json()["games"][0]
    assert (hidden["totals"], hidden["open"]) == ([], [])


def test_games_say_what_they_wait_for(hall: Hall) -> None:
    game = hall.game("1 / 1")["id"]
    assert hall.game("1 / 1")["waits"] == "claim"
    for colour, claimed in (("blue", 12), ("green", 10)):
        hall.organiser.seat(game, colour, claimed=claimed)
    assert hall.game("1 / 1")["waits"] == "photo"
    hall.organiser.photo(f"{BLUE} | {GREEN}", game, colours=("blue", "green"))
    assert hall.game("1 / 1")["waits"] == "look"
    hall.organiser.seat(game, "green", accept=10)
    assert hall.game("1 / 1")["waits"] == ""


def test_sheet_is_never_written(hall: Hall) -> None:
    """Neither bytes nor times change, whatever is photographed, claimed and settled."""
    before = hall.path.read_bytes(), hall.path.stat().st_mtime_ns, hall.path.stat().st_ino
    game = hall.game("1 / 1")["id"]
    hall.organiser.photo(f"{BLUE} | {GREEN}", game, colours=("blue", "green"))
    for colour, claimed in (("blue", 12), ("green", 10)):
        hall.organiser.seat(game, colour, claimed=claimed)
    hall.organiser.seat(game, "green", accept=10)
    assert hall.organiser.client.post("/api/evenings").status_code == 201
    assert hall.rows()
    assert before == (hall.path.read_bytes(), hall.path.stat().st_mtime_ns, hall.path.stat().st_ino)


def test_results_join_sheet_and_phones(hall: Hall) -> None:
    game = hall.game("1 / 1")["id"]
    for colour, claimed in (("blue", 12), ("green", 10)):
        hall.organiser.seat(game, colour, claimed=claimed)
    hall.organiser.photo(f"{BLUE} | {GREEN}", game, colours=("blue", "green"))
    hall.organiser.seat(game, "green", accept=10)
    ada, ben, *_ = hall.rows()
    names = ("score", "status", "counts", "verdict", "reading")
    assert [ada[name] for name in names] == ["12", "sure", "12", "agrees", BLUE]
    assert [ben[name] for name in (*names[:4], "accept")] == ["9", "sure", "10", "settled", "10"]
    assert (ada["Zahlung"], ada["claimed"], ada["Farbe"]) == ("bar", "12", "blau")


def test_results_have_the_rules_of_phones(hall: Hall) -> None:
    games = [hall.game(name)["id"] for name in ("1 / 1", "1 / 2")]
    hall.organiser.put(f"/api/games/{games[0]}", size=7, middle_kingdom=True)
    hall.organiser.put(f"/api/games/{games[1]}", harmony=False)
    ada, _, cleo, *_, last = hall.rows()
    assert (ada["size"], ada["middle_kingdom"], ada["Harmonie"]) == ("7", "yes", "")
    # What the sheet says of Harmony stays in its cell.
    assert (cleo["size"], cleo["middle_kingdom"], cleo["Harmonie"]) == ("", "", "ja")
    assert (last["Name"], last["score"]) == ("Cleo", "")


def test_row_without_a_game_stays_in_the_results(hall: Hall) -> None:
    hall.write(SHEET + ";;Eve;;;bar\n")
    wait_for(lambda: "Eve" in [row["Name"] for row in hall.rows()])
    eve = next(row for row in hall.rows() if row["Name"] == "Eve")
    assert (eve["Zahlung"], eve["score"], eve["verdict"]) == ("bar", "", "")


def test_deleted_evening_of_a_sheet_begins_anew(hall: Hall) -> None:
    game = hall.game("1 / 1")["id"]
    hall.organiser.seat(game, "blue", claimed=12)
    evening = hall.organiser.client.get("/api/evening").json()["evening"]["id"]
    assert hall.organiser.client.delete(f"/api/evenings/{evening}").status_code == 204
    hall.write(SHEET + "\n")
    wait_for(lambda: len(hall.organiser.games()) == 3)
    assert hall.organiser.client.get("/api/evening").json()["evening"]["id"] != evening
    assert {seat["claimed"] for seat in hall.game("1 / 1")["seats"]} == {None}


def test_changed_sheet_keeps_phones_words(hall: Hall) -> None:
    game = hall.game("1 / 1")["id"]
    hall.organiser.photo(f"{BLUE} | {GREEN}", game, colours=("blue", "green"))
    hall.organiser.seat(game, "blue", claimed=12)
    # A name is mended, a line comes, a claim is typed, and lines change places.
    head, *lines = SHEET.replace("Ada;blau;;bar", "Ada Lovelace;blau;;bar").splitlines()
    lines.append("2;2;Dan;gelb;;")
    hall.write("\n".join([head, *reversed(lines)]) + "\n")
    wait_for(lambda: len(hall.organiser.games()) == 4)
    assert hall.organiser.seats(game, "player") == {"green": "Ben", "blue": "Ada Lovelace"}
    assert hall.organiser.seats(game, "claimed") == {"green": None, "blue": 12}
    assert hall.organiser.seats(game) == {"green": 9, "blue": 12}
    assert hall.game("1 / 1")["unassigned"] == []


def test_renamed_player_keeps_the_seat(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("game,player\n1,Ada\n1,Ben\n")
    hall = Hall(path)
    game = hall.game("1")["id"]
    colour = next(seat["colour"] for seat in hall.game("1")["seats"] if seat["player"] == "Ben")
    hall.organiser.seat(game, colour, claimed=31)
    hall.store.close()
    # Also where the server does not run meanwhile.
    path.write_text("game,player\n1,Benjamin\n1,Ada\n1,Cleo\n")
    path.write_text("game,player\n1,Benjamin\n1,Ada\n")
    hall = Hall(path)
    claims = {seat["player"]: seat["claimed"] for seat in hall.game("1")["seats"] if seat["player"]}
    assert claims == {"Ada": None, "Benjamin": 31}
    hall.store.close()


def test_colours_come_to_tables_of_which_nobody_spoke(tmp_path: Path) -> None:
    """Where somebody spoke, a seat stays with its player."""
    path = tmp_path / "sheet.csv"
    path.write_text("game,player\n1,Ada\n1,Ben\n2,Cleo\n2,Dan\n3,Eve\n3,Fay\n")
    hall = Hall(path)
    (cleo, _, *_) = hall.game("2")["seats"]
    hall.organiser.seat(hall.game("2")["id"], cleo["colour"], claimed=31)
    hall.organiser.put(f"/api/games/{hall.game('3')['id']}", harmony=True)
    before = hall.game("2")["seats"]
    hall.store.close()
    # It has grown meanwhile.
    text = "4,Gus,pink\n4,Hal,blue\n5,Ida,pink\n5,Jo,blue\n6,Kai,pink\n6,Lu,blue\n7,Mo,pink\n"
    text += "1,Ada,blue\n1,Ben,green\n2,Cleo,blue\n2,Dan,green\n3,Eve,blue\n3,Fay,green\n"
    path.write_text(f"game,player,colour\n{text}")
    hall = Hall(path)
    assert hall.organiser.seats(hall.game("1")["id"], "player") == {"blue": "Ada", "green": "Ben"}
    assert hall.game("2")["seats"] == before
    assert hall.game("3")["seats"] != before
    hall.store.close()


def test_different_claims_ask_the_organiser(hall: Hall) -> None:
    game = hall.game("1 / 1")["id"]
    hall.organiser.photo(f"{BLUE} | {GREEN}", game, colours=("blue", "green"))
    for colour, claimed in (("blue", 12), ("green", 9)):
        hall.organiser.seat(game, colour, claimed=claimed)
    head, *lines = SHEET.splitlines()
    claims = ["46", "", "", "", "", ""]
    rows = [f"{line};{claim}" for line, claim in zip(lines, claims, strict=True)]
    hall.write("\n".join([f"{head};Angabe", *rows]) + "\n")
    wait_for(lambda: hall.game("1 / 1")["waits"] == "look")
    seat = next(seat for seat in hall.game("1 / 1")["seats"] if seat["player"] == "Ada")
    assert (seat["claims"], seat["counts"], seat["open"]) == (
        {"sheet": 46, "phone": 12},
        None,
        True,
    )
    assert seat["explanation"] == "The sheet says 46, a phone says 12."
    hall.organiser.seat(game, "blue", accept=12)
    assert (hall.game("1 / 1")["waits"], hall.organiser.seats(game, "counts")["blue"]) == ("", 12)


def test_unreadable_sheet_changes_nothing(hall: Hall) -> None:
    hall.write("Runde;Tisch\n1;1\n")
    evening = lambda: hall.organiser.client.get("/api/evening").json()  # noqa: E731
    wait_for(lambda: evening()["problem"])
    assert "player" in evening()["problem"] and len(evening()["games"]) == 3
    hall.write(SHEET)
    wait_for(lambda: not evening()["problem"])


def test_answer_from_before_a_problem_is_not_sent_again(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fills up while the sheet cannot be read: nothing is said in between."""
    evening = lambda: hall.organiser.client.get("/api/evening").json()  # noqa: E731
    assert (evening()["problem"], evening()["low"]) == ("", False)
    hall.write("Runde;Tisch\n1;1\n")
    wait_for(lambda: evening()["problem"])
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=0))
    hall.write(SHEET)
    wait_for(lambda: not evening()["problem"])
    assert evening()["low"] is True


def test_unreadable_sheet_is_told_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path, store = tmp_path / "sheet.csv", Store(tmp_path / "e.sqlite")
    path.write_text(SHEET, "utf-8")
    readings = Readings(store, FakeScorer())  # type: ignore[arg-type]
    sheet = FollowedSheet(path, store, Evenings(store, readings))
    for number in (1, 2):
        path.write_text(f"Runde;Tisch\n{number};1\n")
        for _ in range(2):
            sheet.look()
            assert "player" in sheet.problem
        assert caplog.text.count("the sheet cannot be read now") == number
        path.write_text(SHEET, "utf-8")
        sheet.look()
        assert sheet.problem == ""
    store.close()


def test_sheet_finds_its_evening(tmp_path: Path) -> None:
    """Also from another folder, and after other evenings; a new evening of it begins anew."""
    first, data = tmp_path / "sheet.csv", tmp_path / "e.sqlite"
    first.write_text(SHEET, "utf-8")
    hall = Hall(first, data)
    game = hall.game("1 / 1")["id"]
    hall.organiser.seat(game, "blue", claimed=12)
    evening = hall.store.evenings()[0]
    hall.store.close()
    with TestClient(create_app(FakeScorer(), Store(data))) as client:  # type: ignore[arg-type]
        client.post("/api/evenings")
    # The sheet under another name, after another evening.
    moved = tmp_path / "elsewhere" / "final.csv"
    moved.parent.mkdir()
    first.rename(moved)
    hall = Hall(moved, data)
    assert hall.organiser.client.get("/api/evening").json()["current"]["evening"] == evening
    assert hall.organiser.seats(game, "claimed")["blue"] == 12
    # A new evening of it, without the claims.
    new = hall.organiser.client.post("/api/evenings").json()["id"]
    shown = hall.organiser.client.get("/api/evening").json()
    assert (shown["evening"]["id"], len(shown["games"])) == (new, 3)
    assert {seat["claimed"] for seat in hall.game("1 / 1")["seats"]} == {None}
    hall.store.close()
    # Another sheet has an evening of its own.
    other = tmp_path / "other.csv"
    other.write_text("game,player\n1,Eve\n1,Fay\n")
    hall = Hall(other, data)
    assert [game["name"] for game in hall.organiser.games()] == ["1"]
    assert len(hall.store.evenings()) == 4
    hall.store.close()


def test_results_as_csv_and_workbook(hall: Hall) -> None:
    client = hall.organiser.client
    answer = client.get("/results.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    book = load_workbook(io.BytesIO(client.get("/results.xlsx").content))
    assert [cell.value for cell in book.active[1]][:3] == ["Runde", "Tisch", "Name"]


def test_family_has_results_too(phone: Phone) -> None:
    game = phone.photo(f"{BLUE} | {GREEN}", colours=("blue", "green"))["game"]
    phone.seat(game, "blue", player="Ada")
    text = phone.client.get("/results.csv").content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["player"], row["colour"], row["score"]) for row in rows] == [
        ("", "green", "9"), ("Ada", "blue", "12"),
    ]  # fmt: skip


def test_kingdom_of_two_games_counts_in_neither(phone: Phone) -> None:
    first = phone.photo(BLUE, colours=("blue",))["game"]
    second = phone.client.post("/api/games").json()["id"]
    phone.photo(BLUE, second, colours=("green",), number=2)
    for game in (first, second):
        assert [*phone.seats(game, "elsewhere").values()] == [True]
    told = [*phone.seats(first, "explanation").values()]
    assert told == ["This kingdom is also in game 2, with Green. It counts in neither."]
    text = phone.client.get("/results.csv").content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["counts"], row["verdict"]) for row in rows] == [("", "cannot tell")] * 2
    assert rows[0]["explanation"].startswith("Row 3, a.jpg has the same kingdom")


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
def test_claims_match_kingdoms_without_colours(
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


def test_player_has_one_seat_at_a_table(tmp_path: Path) -> None:
    """However often the sheet names them; what adds rows up plays nowhere."""
    path = tmp_path / "sheet.csv"
    path.write_text("round,game,player\n,,Ada\n,,ADA\n,,Ben\n,,Summe\n2,,Ada\n2,B,Cleo\n2,,\n")
    tables = read_tables(path, {})
    assert [(table.name, [seat.player for seat in table.seats]) for table in tables] == [
        ("1", ["Ada", "Ben"]), ("2", ["Ada"]), ("2 / B", ["Cleo"]),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("game,score\n1,2\n", "player"),
        ("player\nA\nB\nC\nD\nE\n", "fifth player.*row 6.*Give round and game"),
        (None, "does not exist"),
    ],
)
def test_sheet_without_games_is_refused(tmp_path: Path, text: str | None, word: str) -> None:
    path = tmp_path / "sheet.csv"
    if text:
        path.write_text(text)
    with pytest.raises(UsageError, match=word):
        Hall(path)
