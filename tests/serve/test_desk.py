"""A desk with many tables: claims before photos, verdicts, decisions, flags, the log, exports."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kdvision.errors import UsageError
from kdvision.result import Status
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import score
from kdvision.serve.desk.pages import table_address
from kdvision.serve.desk.seats import RoundTable, read_seating
from kdvision.tournament.sheets import read_sheet
from kdvision.tournament.standings import read_standings
from kdvision.tournament.verify.run import verify
from kdvision.tournament.verify.verdicts import Verdict
from tests.support.desk import SHEET, AtDesk, desk
from tests.support.fakes import fake_means, write_photo

#: Kingdom lines by their totals; none is like another when it is turned.
LINES = {
    3: "C W1 W W/- - - -",
    4: "C F1 F F F",
    6: "C G1 G1 G",
    10: "C L1 L L L/- - - L1 -",
}


def test_the_lines_have_these_totals() -> None:
    for total, line in LINES.items():
        assert score(Kingdom.parse(line)).total == total


@pytest.fixture
def at(tmp_path: Path) -> Iterator[AtDesk]:
    with desk(tmp_path) as found:
        yield found


def hand_in(at: AtDesk, claims: dict[str, int], total: int, table: str = "1", **fake: Any) -> None:
    """Claim and send a photo for the same players."""
    assert at.claim("1", table, **claims).status_code == 200
    photo = at.upload(LINES[total], table, **fake)
    answer = at.hand_in("1", table, photo, **dict.fromkeys(claims, ""))
    assert answer.status_code == 200, answer.text


# ---------------------------------------------------------------------- states


def test_a_table_waits_until_all_of_it_is_there(at: AtDesk) -> None:
    assert at.tile("1", "1")["state"] == "waiting"
    hand_in(at, {"Ada": 4}, 4)
    assert at.line("1", "1", "Ada")["state"] == "agrees"
    assert at.line("1", "1", "Ben")["flags"] == [{"flag": "missing", "text": ""}]
    assert at.tile("1", "1")["state"] == "waiting"
    hand_in(at, {"Ben": 6}, 6)
    assert at.tile("1", "1")["state"] == "agrees"
    assert at.tile("2", "1")["state"] == "waiting"
    assert at.tile("2", "1")["players"][0]["flags"] == []


def test_a_difference_names_the_mistake(at: AtDesk) -> None:
    hand_in(at, {"Ada": 3}, 4)
    line = at.line("1", "1", "Ada")
    assert (line["state"], line["claimed"], line["read"], line["difference"]) == (
        "differs", 3, 4, -1,
    )  # fmt: skip
    assert line["mistakes"][0]["mistake"] == "square-too-few"
    assert line["mistakes"][0]["cells"] == [[0, 1], [0, 2], [0, 3], [0, 4]]
    assert at.tile("1", "1")["state"] == "differs"


def test_a_doubtful_reading_is_to_be_looked_at(at: AtDesk) -> None:
    doubt = {"status": Status.DOUBTFUL, "probability": 0.6, "alternatives": ((3, 0.4),)}
    hand_in(at, {"Ada": 3}, 4, **doubt)
    assert at.line("1", "1", "Ada")["state"] == "look"
    hand_in(at, {"Ben": 99}, 4, number=5, **doubt)
    assert at.line("1", "1", "Ben")["state"] == "differs"


def test_a_table_on_one_photo_needs_letters_only_where_they_matter(at: AtDesk) -> None:
    at.claim("1", "1", Ada=6, Ben=4)
    photo = at.upload(f"{LINES[4]} | {LINES[6]}")
    at.hand_in("1", "1", photo, Ada="", Ben="")
    assert at.tile("1", "1")["state"] == "agrees"
    at.claim("1", "2", Cleo=9, Dan=14)
    photo = at.upload(f"{LINES[4]} | {LINES[3]}", "2")
    tile = at.hand_in("1", "2", photo, Cleo="A", Dan="B").json()
    assert [one["letter"] for one in tile["players"]] == ["A", "B"]
    assert tile["state"] == "differs"


def test_the_rules_of_the_sheet_count(at: AtDesk) -> None:
    assert at.client.get("/api/table?round=1&table=2").json()["rules"] == {
        "size": "auto", "harmony": True, "middle_kingdom": False, "centre": "box",
    }  # fmt: skip
    at.claim("1", "1", Ada=4)
    other = at.upload(LINES[4], "2")
    answer = at.hand_in("1", "1", other, Ada="")
    assert answer.status_code == 422 and "other rules" in answer.json()["error"]


def test_every_rule_of_a_sheet_goes_through_the_form(tmp_path: Path) -> None:
    sheet = "table,player,size,harmony,middle_kingdom,centre\n1,Ada,7,yes,yes,frame\n"
    with desk(tmp_path, sheet) as at:
        at.claim("", "1", Ada=4)
        photo = at.upload(LINES[4], "1", "")
        assert at.hand_in("", "1", photo, Ada="").status_code == 200


# ---------------------------------------------------------------------- claims come first


def test_a_photo_without_a_claim_is_refused(at: AtDesk) -> None:
    photo = at.upload(LINES[4])
    answer = at.hand_in("1", "1", photo, Ada="")
    assert (answer.status_code, answer.json()["error"]) == (409, "Write the claim of Ada first.")
    assert at.line("1", "1", "Ada")["photo"] is None


def test_a_claim_stands_once_its_photo_is_there(at: AtDesk) -> None:
    assert at.claim("1", "1", Ada=5).status_code == 200
    assert at.claim("1", "1", Ada=3).status_code == 200
    hand_in(at, {"Ada": 3}, 4)
    answer = at.claim("1", "1", Ada=4)
    assert answer.status_code == 409 and "stands" in answer.json()["error"]
    assert at.claim("1", "1", Ada=3).status_code == 200
    assert at.line("1", "1", "Ada")["claimed"] == 3


def test_what_a_table_sees_tells_no_reading_before_the_claim(at: AtDesk) -> None:
    at.claim("1", "1", Ada=5)
    players = at.client.get("/api/table?round=1&table=1").json()["players"]
    assert {(one["read"], one["verdict"], one["message"]) for one in players} == {(None, None, "")}


def test_sent_twice_is_written_once(at: AtDesk) -> None:
    at.claim("1", "1", Ada=4)
    at.claim("1", "1", Ada=4)
    photo = at.upload(LINES[4])
    for _ in range(2):
        assert at.hand_in("1", "1", photo, Ada="").status_code == 200
    assert len(at.client.get("/api/board/log").json()["events"]) == 2


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({"claims": {"Ada": 4}}, 404),
        ({"round": "1", "table": "9", "claims": {"Ada": 4}}, 404),
        ({"round": "1", "table": "1"}, 422),
        ({"round": "1", "table": "1", "claims": {}}, 422),
        ({"round": "1", "table": "1", "claims": {"Ada": "4"}}, 422),
        ({"round": "1", "table": "1", "claims": {"Ada": True}}, 422),
        ({"round": "1", "table": "1", "claims": {"Ada": -1}}, 422),
        ({"round": "1", "table": "1", "claims": {"Ada": 1000}}, 422),
        ({"round": "1", "table": "1", "claims": {"": 4}}, 422),
        ({"round": "1", "table": "1", "claims": {"=1+1": 4}}, 422),
        ({"round": "1", "table": "1", "claims": {"Ada": 4, "x" * 61: 4}}, 422),
        ({"round": "1", "table": "1", "claims": {"Ada": 4, " ada": 6}}, 409),
    ],
)
def test_claims_that_are_none_leave_nothing(at: AtDesk, data: dict, status: int) -> None:
    answer = at.client.post("/api/table/claims", json=data)
    assert answer.status_code == status and answer.json()["error"].endswith(".")
    assert at.client.get("/api/board/log").json() == {"events": []}


# ---------------------------------------------------------------------- decisions


@pytest.mark.parametrize(("accept", "total"), [("photo", 4), ("claim", 3), (7, 7)])
def test_the_desk_accepts_a_side_with_name_and_time(at: AtDesk, accept: object, total: int) -> None:
    hand_in(at, {"Ada": 3}, 4)
    assert at.decide("1", "1", "Ada", accept, "Judge Judy").status_code == 200
    line = at.line("1", "1", "Ada")
    assert (line["state"], line["total"], line["accepted"]["by"]) == ("agrees", total, "Judge Judy")
    event = at.client.get("/api/board/log").json()["events"][-1]
    assert (event["kind"], event["player"], event["by"]) == ("accept", "Ada", "Judge Judy")
    assert event["at"] == line["accepted"]["at"] and event["at"].endswith("+00:00")
    at.decide("1", "1", "Ada", None)
    assert at.line("1", "1", "Ada")["state"] == "differs"


def test_a_player_begins_again(at: AtDesk) -> None:
    hand_in(at, {"Ada": 3}, 4)
    where = {"round": "1", "table": "1", "player": "Ada", "by": "Judge"}
    assert at.client.post("/api/board/reopen", json=where).status_code == 200
    assert at.line("1", "1", "Ada")["claimed"] is None
    hand_in(at, {"Ada": 4}, 4)
    assert (at.line("1", "1", "Ada")["state"], at.line("1", "1", "Ada")["photos"]) == ("agrees", 2)


def test_who_begins_again_is_missing_and_a_stranger_is_gone(at: AtDesk) -> None:
    hand_in(at, {"Ada": 4, "Zoe": 4}, 4)
    hand_in(at, {"Ben": 6}, 6)
    for player in ("Ada", "Zoe"):
        where = {"round": "1", "table": "1", "player": player, "by": "Judge"}
        assert at.client.post("/api/board/reopen", json=where).status_code == 200
    ada, ben = at.tile("1", "1")["players"]
    assert (ada["player"], ada["flags"]) == ("Ada", [{"flag": "missing", "text": ""}])
    assert (ben["player"], ben["flags"]) == ("Ben", [])
    hand_in(at, {"Zoe": 3}, 3)
    assert at.line("1", "1", "Zoe")["claimed"] == 3


def test_players_may_accept_only_a_sure_photo_that_differs(at: AtDesk) -> None:
    where = {"round": "1", "table": "1", "player": "Ada", "by": "Ada"}
    assert at.client.post("/api/table/accept", json=where).status_code == 409
    hand_in(at, {"Ada": 3}, 4)
    assert at.client.post("/api/table/accept", json=where).status_code == 200
    assert at.line("1", "1", "Ada")["total"] == 4
    assert at.client.post("/api/table/accept", json=where).status_code == 409
    doubt = {"status": Status.DOUBTFUL, "probability": 0.99}
    hand_in(at, {"Ben": 50}, 6, **doubt)
    assert at.line("1", "1", "Ben")["state"] == "differs"
    answer = at.client.post("/api/table/accept", json={**where, "player": "Ben"})
    assert answer.status_code == 409 and "Ask the desk" in answer.json()["error"]


def test_a_decision_is_about_the_total_that_was_seen(at: AtDesk) -> None:
    """One desk shows 45 and another one corrects squares: it is asked again."""
    where = {"round": "1", "table": "1", "player": "Ada", "by": "Judge"}
    hand_in(at, {"Ada": 9}, 6)
    assert at.correct("1", "1", "Ada", {"b1": "G2"}).status_code == 200
    assert at.line("1", "1", "Ada")["read"] == 9
    at.correct("1", "1", "Ada", {"b1": "G1", "c1": "G"})
    for path, seen, status in (
        ("/api/table/accept", 6, 409), ("/api/table/accept", 3, 200),
        ("/api/board/decisions", 9, 409), ("/api/board/decisions", 3, 200),
    ):  # fmt: skip
        answer = at.client.post(path, json={**where, "accept": "photo", "total": seen})
        assert answer.status_code == status, (path, seen)
    withdrawn = {**where, "accept": None, "total": 6}
    assert at.client.post("/api/board/decisions", json=withdrawn).status_code == 409
    assert at.line("1", "1", "Ada")["total"] == 3


def test_what_the_desk_writes_is_about_the_photo_that_was_seen(at: AtDesk) -> None:
    """A player sends another photo while a desk looks at the first one."""
    hand_in(at, {"Ada": 9}, 6)
    seen = at.line("1", "1", "Ada")["photo"]
    hand_in(at, {"Ada": 9}, 4)
    where = {"round": "1", "table": "1", "player": "Ada", "by": "Judge"}
    written = {
        "corrections": {"fixes": {"c1": "F1"}}, "letters": {"letters": {"Ada": "A"}},
        "decisions": {"accept": "claim"}, "reopen": {},
    }  # fmt: skip
    for photo, status in ((seen, 409), (at.line("1", "1", "Ada")["photo"], 200)):
        for path, data in written.items():
            body = {**where, **data, "photo": photo}
            answer = at.client.post(f"/api/board/{path}", json=body)
            assert answer.status_code == status, (path, photo)
    assert [one["kind"] for one in at.client.get("/api/board/log").json()["events"]] == [
        "claim", "photo", "photo", "correct", "letter", "accept", "reopen",
    ]  # fmt: skip


@pytest.mark.parametrize(("accept", "stays"), [("photo", False), ("claim", True), (7, True)])
def test_a_decision_for_the_photo_ends_with_its_total(
    at: AtDesk, accept: object, stays: bool
) -> None:
    at.claim("1", "1", Ada=3)
    at.hand_in("1", "1", at.upload(f"{LINES[6]} | {LINES[4]}"), Ada="A")
    at.decide("1", "1", "Ada", accept)
    for fixes in ({"B.b1": "F"}, {}):
        at.correct("1", "1", "Ada", fixes)
        assert at.line("1", "1", "Ada")["accepted"], "its own total is as before"
    at.correct("1", "1", "Ada", {"A.b1": "G2"})
    assert bool(at.line("1", "1", "Ada")["accepted"]) is stays
    at.decide("1", "1", "Ada", accept)
    body = {"round": "1", "table": "1", "letters": {"Ada": "B"}, "by": "Judge"}
    assert at.client.post("/api/board/letters", json=body).status_code == 200
    assert bool(at.line("1", "1", "Ada")["accepted"]) is stays


@pytest.mark.parametrize(
    ("accept", "by", "player", "status"),
    [
        ("photo", "Judge", "Ada", 409),
        ("claim", "Judge", "Ben", 409),
        ("claim", "", "Ada", 422),
        ("both", "Judge", "Ada", 422),
        (-1, "Judge", "Ada", 422),
        (True, "Judge", "Ada", 422),
        ("claim", "Judge", "Zoe", 404),
    ],
)
def test_decisions_that_are_none_leave_nothing(
    at: AtDesk, accept: object, by: str, player: str, status: int
) -> None:
    at.claim("1", "1", Ada=3)
    answer = at.decide("1", "1", player, accept, by)
    assert answer.status_code == status and answer.json()["error"].endswith(".")
    assert len(at.client.get("/api/board/log").json()["events"]) == 1


# ---------------------------------------------------------------------- flags


def test_one_kingdom_for_two_players_is_flagged(at: AtDesk) -> None:
    hand_in(at, {"Ada": 4}, 4)
    hand_in(at, {"Eve": 4}, 4, table="3")
    for table, player in (("1", "Ada"), ("3", "Eve")):
        line = at.line("1", table, player)
        assert line["state"] == "look"
        assert line["flags"] == [{"flag": "clash", "text": ""}]
        assert {"1": "Eve", "3": "Ada"}[table] in line["message"]
    seen = at.client.get("/api/table?round=1&table=3").json()["players"][0]["flags"]
    assert seen == [{"flag": "clash", "text": ""}]
    message = at.client.get("/api/table?round=1&table=3").json()["players"][0]["message"]
    assert message == "", "players read nothing of other tables"


def test_a_wrong_table_and_a_stranger_are_flagged(at: AtDesk) -> None:
    hand_in(at, {"Cleo": 4}, 4)
    hand_in(at, {"Zoe": 6}, 6)
    flags = {one["player"]: one["flags"] for one in at.tile("1", "1")["players"]}
    assert flags["Cleo"] == [{"flag": "wrong-table", "text": "2"}]
    assert flags["Zoe"] == [{"flag": "stranger", "text": ""}]
    assert at.tile("1", "1")["state"] == "look"


def test_who_sits_elsewhere_counts_once_the_desk_says_so(at: AtDesk) -> None:
    """A second kingdom, handed in at another table of the round, is no second total."""

    def totals(table: str) -> list[tuple[str, bool]]:
        games = at.client.get("/api/beamer").json()["games"]
        (game,) = [one for one in games if one["game"] == table]
        return [(one["player"], one["open"]) for one in game["players"]]

    hand_in(at, {"Ada": 4}, 4)
    hand_in(at, {"Ada": 6}, 6, table="3")
    assert totals("1") == [("Ada", False)]
    assert totals("3") == [("Ada", True)]
    lines = {one["player"]: one for one in at.tile("1", "3")["players"]}
    assert (lines["Ada"]["state"], lines["Ada"]["total"], lines["Ada"]["message"]) == (
        "look",
        6,
        "",
    )
    rows = csv.DictReader(at.client.get("/api/board/export.csv").text.splitlines())
    (row,) = [one for one in rows if (one["game"], one["player"]) == ("3", "Ada")]
    assert (row["verdict"], row["explanation"]) == ("cannot tell", "wrong table: sits at 1")
    at.decide("1", "3", "Ada", "photo")
    assert at.line("1", "3", "Ada")["total"] == 6


def test_a_stranger_has_the_rules_of_the_table_and_nothing_else_of_its_players(
    tmp_path: Path,
) -> None:
    sheet = "round,table,player,harmony,club\n1,1,Ada,yes,Meadow\n"
    with desk(tmp_path, sheet) as at:
        hand_in(at, {"Zoe": 6}, 6)
        lines = at.client.get("/api/board/export.csv").text.splitlines()
        ada, zoe = csv.DictReader(lines)
        assert (ada["club"], zoe["club"]) == ("Meadow", "")
        assert (zoe["player"], zoe["harmony"]) == ("Zoe", "yes")


# ---------------------------------------------------------------------- nothing judged twice


def test_the_board_says_what_verify_says(at: AtDesk, tmp_path: Path) -> None:
    """The same photos and claims through `kdscore verify` and over the board."""
    claims = [("1", "Ada", 3, 4), ("1", "Ben", 6, 6), ("2", "Cleo", 8, 3), ("3", "Eve", 10, 10)]
    rows = ["photo,round,table,player,claimed,harmony"]
    for number, (table, player, claim, total) in enumerate(claims):
        write_photo(tmp_path / f"{number}.jpg", LINES[total], number=number)
        harmony = "yes" if table == "2" else ""
        rows.append(f"{number}.jpg,1,{table},{player},{claim},{harmony}")
        hand_in(at, {player: claim}, total, table, number=number)
    (tmp_path / "claims.csv").write_text("\n".join(rows))
    checked = verify(read_sheet(tmp_path / "claims.csv"), means=fake_means())
    for line, (table, player, *_) in zip(checked.verdicts, claims, strict=True):
        seen = at.line("1", table, player)
        assert (seen["verdict"], seen["difference"], seen["message"]) == (
            line.verdict.value, line.difference, line.text(),
        )  # fmt: skip


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_standings_reads_the_export(at: AtDesk, tmp_path: Path, kind: str) -> None:
    hand_in(at, {"Ada": 3}, 4)
    at.decide("1", "1", "Ada", "claim", "Judge")
    hand_in(at, {"Ben": 6}, 6)
    at.claim("1", "3", Eve=10)
    path = tmp_path / f"out.{kind}"
    path.write_bytes(at.client.get(f"/api/board/export.{kind}").content)
    found = read_standings(path)
    games = {(one.round, one.game): one.ranked for one in found.games}
    assert [(one.result.player, one.result.total) for one in games["1", "1"]] == [
        ("Ben", 6), ("Ada", 3),
    ]  # fmt: skip
    assert [one.result.player for one in games["1", "3"]] == ["Eve"]
    seen = at.client.get("/api/beamer").json()
    assert [one["player"] for one in seen["games"][0]["players"]] == ["Ben", "Ada"]
    assert seen["games"][0]["winners"] == ["Ben"]
    assert "only claimed" in seen["games"][1]["players"][0]["note"]
    assert [one["open"] for game in seen["games"] for one in game["players"]] == [
        False, False, True,
    ]  # fmt: skip


def test_the_export_is_checked_again_as_it_was(at: AtDesk, tmp_path: Path) -> None:
    hand_in(at, {"Ada": 3}, 4)
    at.decide("1", "1", "Ada", "photo", "Judge")
    path = tmp_path / "out.csv"
    path.write_bytes(at.client.get("/api/board/export.csv").content)
    row = read_sheet(path).rows[0].fields
    assert (row["verdict"], row["accept"], row["note"]) == ("settled", "photo", "Judge")
    assert row["photo"] == "1-1-1" and Verdict(row["verdict"]) is Verdict.SETTLED


# ---------------------------------------------------------------------- evidence stays


def test_what_was_handed_in_only_the_desk_may_change(tmp_path: Path) -> None:
    with desk(tmp_path, password="players", desk_password="the-desk") as at:
        at.be_at("1", "1")
        hand_in(at, {"Ada": 4}, 4)
        photo = at.client.get("/api/table?round=1&table=1").json()["players"][0]["photo"]
        fixes = f"/api/photos/{photo}/fixes"
        assert at.client.post(fixes, json={"a1": "W1"}).status_code == 403
        assert at.client.delete(f"/api/photos/{photo}").status_code == 403
        for path in ("/board", "/board/codes", "/api/board", "/api/board/log"):
            assert at.client.get(path).status_code == 401
        with at.as_desk():
            assert at.client.get("/api/board").status_code == 200
            assert at.client.post(fixes, json={"c1": "F1"}).status_code == 403
            assert at.client.delete(f"/api/photos/{photo}").status_code == 403
            assert at.correct("1", "1", "Ada", {"c1": "F1"}).status_code == 200
            line = at.line("1", "1", "Ada")
            assert (line["state"], line["read"]) == ("differs", 8)
            event = at.client.get("/api/board/log").json()["events"][-1]
        assert (event["kind"], event["value"]["fixes"]) == ("correct", {"c1": "F1"})


def test_the_desk_comes_in_by_its_address(tmp_path: Path) -> None:
    with desk(tmp_path, password="players", desk_password="desk") as at:
        entered = at.client.get("/table?round=1&table=3&password=players")
        assert entered.headers["location"] == "/table?round=1&table=3"
        assert at.client.get("/api/table?round=1&table=3").status_code == 403
        assert at.client.get("/api/board").status_code == 401
        assert at.client.get("/board?password=desk").headers["location"] == "/board"
        assert at.client.get("/api/board").status_code == 200


def test_nothing_is_lost_by_a_new_start(tmp_path: Path) -> None:
    with desk(tmp_path) as at:
        hand_in(at, {"Ada": 3}, 4)
        at.decide("1", "1", "Ada", "photo", "Judge")
        before = at.client.get("/api/board").json(), at.client.get("/api/board/log").json()
    with desk(tmp_path) as at:
        assert (
            at.client.get("/api/board").json(),
            at.client.get("/api/board/log").json(),
        ) == before


def test_a_sheet_that_spells_a_player_otherwise_keeps_what_was_handed_in(tmp_path: Path) -> None:
    with desk(tmp_path) as at:
        hand_in(at, {"Ada": 4}, 4)
    with desk(tmp_path, SHEET.replace("Ada", "ADA")) as at:
        assert at.line("1", "1", "ADA")["state"] == "agrees"
        assert [one["player"] for one in at.tile("1", "1")["players"]] == ["ADA", "Ben"]


def test_tables_and_rounds_have_names_in_any_spelling(tmp_path: Path) -> None:
    sheet = "round,table,player\nFinal,Blue,Ada\nfinal,BLUE,Ben\nFinal,Red,Cleo\n"
    with desk(tmp_path, sheet) as at:
        board = at.client.get("/api/board").json()
        assert board["rounds"] == ["Final"]
        assert [one["table"] for one in board["tiles"]] == ["Blue", "Red"]
        at.claim("FINAL", "blue", Ada=4, Ben=6)
        at.hand_in(
            "final",
            "Blue",
            at.upload(f"{LINES[4]} | {LINES[6]}", "blue", "final"),
            Ada="A",
            Ben="B",
        )
        assert at.tile("Final", "Blue")["state"] == "agrees"
    with desk(tmp_path, sheet.replace("Blue", "blue")) as at:
        assert at.tile("Final", "blue")["state"] == "agrees"
        assert at.client.get("/api/board").json()["notes"] == []


def test_a_photo_of_other_rules_than_the_sheet_has_by_now_counts_for_nothing(
    tmp_path: Path,
) -> None:
    sheet = "round,table,player,middle_kingdom\n1,1,Ada,\n1,2,Ben,\n"
    with desk(tmp_path, sheet) as at:
        hand_in(at, {"Ada": 4}, 4)
        hand_in(at, {"Ben": 6}, 6, table="2")
    with desk(tmp_path, sheet.replace("Ada,", "Ada,yes")) as at:
        ada = at.line("1", "1", "Ada")
        assert (ada["state"], ada["read"], ada["total"]) == ("look", None, None)
        assert ada["flags"] == [{"flag": "other-rules", "text": ""}]
        assert at.line("1", "2", "Ben")["total"] == 6
        where = {"round": "1", "table": "1", "player": "Ada", "by": "Judge"}
        assert at.client.post("/api/board/reopen", json=where).status_code == 200
        hand_in(at, {"Ada": 4}, 4)
        assert at.line("1", "1", "Ada")["total"] == 4


def test_the_export_says_what_the_board_says_of_claims_and_notes_of_the_sheet(
    tmp_path: Path,
) -> None:
    sheet = "round,table,player,claimed,accept,note\n1,1,Ada,45,,\n1,1,Ben,,60,\n1,1,Cleo,,,late\n"
    with desk(tmp_path, sheet) as at:

        def cells() -> list[tuple[str, ...]]:
            rows = csv.DictReader(at.client.get("/api/board/export.csv").text.splitlines())
            return [(row["claimed"], row["accept"], row["note"]) for row in rows]

        assert cells() == [("45", "", ""), ("", "60", ""), ("", "", "late")]
        for player in ("Ada", "Ben"):
            where = {"round": "1", "table": "1", "player": player, "by": "Judge"}
            assert at.client.post("/api/board/reopen", json=where).status_code == 200
        hand_in(at, {"Cleo": 4}, 4)
        assert cells() == [("", "", ""), ("", "", ""), ("4", "", "late")]
        at.decide("1", "1", "Cleo", 5, "Judge")
        assert cells()[2] == ("4", "5", "Judge")


def test_a_table_that_the_sheet_lost_is_named(tmp_path: Path) -> None:
    with desk(tmp_path) as at:
        hand_in(at, {"Ada": 4}, 4)
        assert at.client.get("/api/board").json()["notes"] == []
    with desk(tmp_path, "round,table,player\n1,7,Ada\n") as at:
        (note,) = at.client.get("/api/board").json()["notes"]
        assert "table 1 of round 1" in note
        assert len(at.client.get("/api/board/log").json()["events"]) == 2


def test_pages_are_sent_only_changes(at: AtDesk) -> None:
    for path in ("/api/board", "/api/beamer"):
        tag = at.client.get(path).headers["etag"]
        assert at.client.get(path, headers={"if-none-match": tag}).status_code == 304
        at.claim("1", "1", Ada=len(path))
        assert at.client.get(path, headers={"if-none-match": tag}).status_code == 200


def test_another_sheet_is_news_to_pages_that_stayed_open(tmp_path: Path) -> None:
    paths = ("/api/board", "/api/beamer")
    tags = {}
    for sheet, status in ((SHEET, 200), (SHEET, 304), (f"{SHEET}2,1,Dan,\n", 200)):
        with desk(tmp_path, sheet) as at:
            for path in paths:
                answer = at.client.get(path, headers={"if-none-match": tags.get(path, "")})
                assert answer.status_code == status
                tags[path] = answer.headers["etag"]


# ---------------------------------------------------------------------- the sheet


@pytest.mark.parametrize(
    ("sheet", "why"),
    [
        ("round,table\n1,1\n", "player"),
        ("round,player\n1,Ada\n", "game"),
        ("table,player\n1,\n", "line 2: the player is missing"),
        ("table,player\n,Ada\n", "line 2: the table is missing"),
        (f"table,player\n1,{'a' * 60}\n1,{'b' * 61}\n", "line 3: the player has more than 60"),
        (f"table,player\n{'t' * 61},Ada\n", "line 2: the table has more than 60 letters"),
        ("round,table,player\n1,1,Ada\n1,2,Ada\n", "line 3: Ada sits in line 2"),
        ("table,player,harmony\n1,Ada,yes\n1,Ben,no\n", "line 3: the other players"),
        ("table,player,claimed\n1,Ada,many\n", "line 2: claimed is"),
        ("table,player\n", "no players"),
    ],
)
def test_a_sheet_that_cannot_be_used(tmp_path: Path, sheet: str, why: str) -> None:
    (tmp_path / "sheet.csv").write_text(sheet)
    with pytest.raises(UsageError, match=why):
        read_seating(tmp_path / "sheet.csv")


def test_a_sheet_in_german_with_claims_and_decisions(tmp_path: Path) -> None:
    sheet = "Runde;Tisch;Spieler;Punkte;gilt;Notiz\n1;A;Ada;7;;\n1;A;Ben;5;claim;Jo\n"
    with desk(tmp_path, sheet) as at:
        assert read_seating(tmp_path / "sheet.csv").options.keys() == {RoundTable("1", "A")}
        ada, ben = at.tile("1", "A")["players"]
        assert (ada["claimed"], ada["state"]) == (7, "waiting")
        assert (ben["total"], ben["state"], ben["accepted"]["by"]) == (5, "agrees", "Jo")


def test_without_a_sheet_the_desk_says_so(client: Any) -> None:
    for path in ("/api/board", "/api/table?round=1&table=1", "/api/board/export.csv"):
        answer = client.get(path)
        assert answer.status_code == 404 and "--sheet" in answer.json()["error"]
    assert client.get("/api/beamer").json()["games"] == []


@pytest.mark.parametrize(
    ("base", "address"),
    [
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/table?round=1&table=A+%26+B&token=t"),
        (
            "http://192.0.2.7:8000/?password=w",
            "http://192.0.2.7:8000/table?round=1&table=A+%26+B&token=t&password=w",
        ),
    ],
)
def test_the_address_in_a_code(base: str, address: str) -> None:
    assert table_address(base, RoundTable("1", "A & B"), "t") == address


def test_a_code_opens_the_page_with_both_filled_in(tmp_path: Path) -> None:
    sheet = "round,table,player\n1,A & B,Ada\n"
    with desk(tmp_path, sheet, address="http://192.0.2.7:8000/?password=w") as at:
        answer = at.client.get("/api/board/code.svg", params={"round": "1", "table": "A & B"})
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.content.startswith(b"<?xml")
        assert at.client.get("/api/board/code.svg?round=1&table=9").status_code == 404
        assert at.client.get("/api/board/code.svg").json()["error"]
