"""Slips at a desk: printed beside its codes, read in what is handed in, held against claims."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kdvision.cli import main
from kdvision.errors import ExitCode, UsageError
from kdvision.rules.game.players import Greedy, play_game
from kdvision.rules.game.state import FOUR_PLAYERS
from kdvision.rules.scoring import score
from kdvision.sentences import languages, sentence
from kdvision.serve.desk.seats import read_seating
from kdvision.slips.event import FILE_NAME, Holder, SlipEvent, read_event, write_event
from kdvision.slips.slip import SlipCode
from scripts.synthesis.slips import MarkedSlip
from tests.support.desk import SHEET, AtDesk, desk
from tests.support.table_photos import table_photo

#: Worth 4, 6 and 3 points.
FOUR, SIX, THREE = "C F1 F F F", "C G1 G1 G", "C W1 W W/- - - -"
EVENT = SlipEvent(
    event="7GQ2X",
    rounds={1: "1", 2: "2"},
    tables={1: "1", 2: "2", 3: "3"},
    players=dict(enumerate(["Ada", "Ben", "Cleo", "Dan", "Eve"], 1)),
)


@pytest.fixture
def at(tmp_path: Path) -> Iterator[AtDesk]:
    """A desk whose sheet has the file of its slips beside it."""
    write_event(tmp_path / FILE_NAME, EVENT)
    with desk(tmp_path) as found:
        yield found


def brief(player: str, claimed: int | None, table: str = "1", round_: str = "1") -> str:
    """A slip as a cell of a table has it."""
    code = EVENT.code(Holder(player, table, round_))
    words = [code.event, code.round, code.table, code.player, claimed]
    return " ".join(str(word) for word in words if word is not None)


def log(at: AtDesk) -> list[dict[str, Any]]:
    return list(at.client.get("/api/board/log").json()["events"])


def codes_of(page: str) -> list[SlipCode | None]:
    return [SlipCode.parse(text) for text in re.findall(r'class="slip" data-code="(\w+)"', page)]


# ---------------------------------------------------------------------- printed


def test_the_desk_prints_the_slips_that_the_command_prints(tmp_path: Path) -> None:
    with desk(tmp_path) as at:
        printed = at.client.get("/board/slips").text
        page = tmp_path / "slips.html"
        words = ["slips", str(tmp_path / "sheet.csv"), "-o", str(page)]
        assert main.run(words) == ExitCode.SURE
        assert page.read_text("utf-8") == printed
        assert len(codes_of(printed)) == len(SHEET.splitlines()) - 1
        assert at.client.get("/board/slips").text == printed


@pytest.mark.parametrize("language", languages())
def test_slips_are_printed_by_language_and_paper(at: AtDesk, language: str) -> None:
    other = next(one for one in languages() if one != language)
    page = at.client.get(f"/board/slips?language={language}&paper=letter").text
    assert f'lang="{language}"' in page and 'data-paper="letter"' in page
    assert at.client.get("/board/slips?paper=a3").status_code == 422
    codes = at.client.get("/board/codes").text
    for one in (language, other):
        for paper in ("a4", "letter"):
            assert f'href="/board/slips?language={one}&amp;paper={paper}"' in codes
    board = at.client.get("/board", headers={"accept-language": language}).text
    assert 'href="/board/slips"' in board and sentence("slip.title", language) in board


def test_a_browser_may_use_the_style_of_the_page_and_no_other(at: AtDesk) -> None:
    policy = at.client.get("/board/slips").headers["content-security-policy"]
    assert "style-src 'sha256-" in policy
    assert "unsafe" not in policy and "default-src 'none'" in policy


def test_numbers_that_were_printed_keep_their_names(at: AtDesk, tmp_path: Path) -> None:
    at.client.get("/board/slips")
    kept = read_event(tmp_path / FILE_NAME)
    assert kept.event == EVENT.event
    assert EVENT.players.items() <= kept.players.items()


def test_slips_outlive_the_file_and_a_restart(tmp_path: Path) -> None:
    with desk(tmp_path) as at:
        printed = at.client.get("/board/slips").text
    (tmp_path / FILE_NAME).unlink()
    with desk(tmp_path) as at:
        assert at.client.get("/board/slips").text == printed
    assert (tmp_path / FILE_NAME).is_file()


def test_slips_are_the_desks(tmp_path: Path) -> None:
    with desk(tmp_path, password="players", desk_password="the-desk") as at:
        at.be_at("1", "1")
        assert at.client.get("/board/slips").status_code == 401
        entered = at.client.get("/board/slips?password=the-desk")
        assert entered.headers["location"] == "/board/slips"


def test_the_file_of_the_event_is_beside_the_sheet_or_named(tmp_path: Path) -> None:
    named = tmp_path / "elsewhere.json"
    write_event(named, EVENT)
    with desk(tmp_path, event_file=named) as at:
        assert codes_of(at.client.get("/board/slips").text)[0] == EVENT.code(
            Holder("Ada", "1", "1")
        )
    assert not (tmp_path / FILE_NAME).exists()
    named.write_text("{}")
    with (
        pytest.raises(UsageError, match="not the file of an event"),
        desk(tmp_path, event_file=named),
    ):
        pass


# ---------------------------------------------------------------------- what slips fill


def test_a_photo_with_slips_needs_no_claim_and_no_name(at: AtDesk) -> None:
    assert at.client.get("/api/table?round=1&table=1").json()["slips"] is True
    photo = at.upload(f"{FOUR} | {SIX}", slips=(brief("Ben", 4), brief("Ada", 6)))
    answer = at.hand_in("1", "1", photo)
    assert answer.status_code == 200, answer.text
    lines = {one["player"]: one for one in at.tile("1", "1")["players"]}
    assert {name: (one["claimed"], one["letter"], one["state"]) for name, one in lines.items()} == {
        "Ada": (6, "B", "agrees"), "Ben": (4, "A", "agrees"),
    }  # fmt: skip
    claims = [one["value"] for one in log(at) if one["kind"] == "claim"]
    assert [(one["after"], one["slip"]) for one in claims] == [(4, True), (6, True)]


def test_a_slip_says_whose_a_kingdom_is_where_claims_do_not(at: AtDesk) -> None:
    at.claim("1", "1", Ada=4, Ben=4)
    photo = at.upload(f"{FOUR} | {SIX}", slips=(brief("Ben", 4), brief("Ada", 4)))
    assert at.hand_in("1", "1", photo, Ada="", Ben="").status_code == 200
    lines = {one["player"]: one for one in at.tile("1", "1")["players"]}
    assert (lines["Ben"]["letter"], lines["Ben"]["state"]) == ("A", "agrees")
    assert (lines["Ada"]["letter"], lines["Ada"]["state"]) == ("B", "differs")


def test_a_slip_without_a_clear_total_is_for_the_desk(at: AtDesk) -> None:
    photo = at.upload(f"{FOUR} | {SIX}", slips=(brief("Ada", None), brief("Ben", 6)))
    assert at.hand_in("1", "1", photo).status_code == 200
    ada, ben = at.tile("1", "1")["players"]
    assert ben["state"] == "agrees"
    assert (ada["state"], ada["claimed"], ada["letter"], ada["read"]) == ("look", None, "A", 4)
    assert "More than one bubble" in ada["message"]
    assert at.decide("1", "1", "Ada", "photo").status_code == 200
    assert at.line("1", "1", "Ada")["total"] == 4


def test_a_slip_fills_no_claim_that_was_written(at: AtDesk) -> None:
    at.claim("1", "1", Ada=4)
    photo = at.upload(FOUR, slips=(brief("Ada", 4),))
    at.hand_in("1", "1", photo, Ada="")
    assert [one["kind"] for one in log(at)] == ["claim", "photo"]
    assert at.line("1", "1", "Ada")["state"] == "agrees"


def test_without_slips_a_claim_still_comes_first(at: AtDesk) -> None:
    photo = at.upload(FOUR)
    assert at.hand_in("1", "1", photo, Ada="").status_code == 409
    answer = at.hand_in("1", "1", photo)
    assert answer.status_code == 409 and "slip" in answer.json()["error"]


def test_without_an_event_slips_say_nothing(tmp_path: Path) -> None:
    with desk(tmp_path) as at:
        assert at.client.get("/api/table?round=1&table=1").json()["slips"] is False
        photo = at.upload(FOUR, slips=(brief("Ada", 4),))
        assert at.hand_in("1", "1", photo).status_code == 422
        assert at.hand_in("1", "1", photo, Ada="").status_code == 409


# ---------------------------------------------------------------------- what slips contradict


@pytest.mark.parametrize(
    ("slip", "said"),
    [
        (brief("Ada", 6), ("6", "4")),
        (brief("Ben", 4), ("Ben", "Ada")),
        (brief("Ada", 4, table="3"), ("table 3", "1")),
        (brief("Ada", 4, round_="2"), ("round 2", "1")),
        ("OTHER 1 1 1 4", ("another event",)),
    ],
)
def test_a_line_that_its_slip_contradicts_is_open_and_names_both(
    at: AtDesk, slip: str, said: tuple[str, ...]
) -> None:
    at.claim("1", "1", Ada=4)
    at.hand_in("1", "1", at.upload(FOUR, slips=(slip,)), Ada="")
    line = at.line("1", "1", "Ada")
    assert (line["state"], line["read"], line["total"]) == ("look", 4, None)
    assert all(word in line["message"] for word in said), line["message"]
    seen = at.client.get("/api/board?language=de").json()["tiles"][0]["players"][0]["message"]
    assert "Zettel" in seen and "slip" not in seen
    at.decide("1", "1", "Ada", "photo")
    assert at.line("1", "1", "Ada")["state"] == "agrees"


def test_a_slip_contradicts_what_claims_alone_would_tell(at: AtDesk) -> None:
    at.claim("1", "1", Ada=4, Ben=6)
    photo = at.upload(f"{FOUR} | {SIX}", slips=("", brief("Eve", 6, table="3")))
    at.hand_in("1", "1", photo, Ada="", Ben="")
    ada, ben = at.tile("1", "1")["players"]
    assert (ada["state"], ben["state"]) == ("agrees", "look")
    assert "Eve" in ben["message"] and "table 3" in ben["message"]


def test_slips_of_a_table_that_has_a_name(tmp_path: Path) -> None:
    event = SlipEvent(event="7GQ2X", rounds={1: "Final"}, tables={1: "Blue"}, players={1: "Ada"})
    write_event(tmp_path / FILE_NAME, event)
    with desk(tmp_path, "round,table,player\nFinal,Blue,Ada\n") as at:
        photo = at.upload(FOUR, "Blue", "Final", slips=("7GQ2X 1 1 1 4",))
        assert at.hand_in("Final", "Blue", photo).status_code == 200
        assert at.line("Final", "Blue", "Ada")["state"] == "agrees"


def test_slips_of_another_table_are_refused_by_name(at: AtDesk) -> None:
    photo = at.upload(FOUR, slips=(brief("Eve", 4, table="3"),))
    answer = at.hand_in("1", "1", photo)
    assert answer.status_code == 409 and "Round 1, table 3" in answer.json()["error"]
    photo = at.upload(SIX, slips=("OTHER 1 1 1 4",))
    answer = at.hand_in("1", "1", photo)
    assert answer.status_code == 409 and "another event" in answer.json()["error"]


def test_a_slip_twice_in_a_round_is_said(at: AtDesk) -> None:
    at.hand_in("1", "1", at.upload(FOUR, slips=(brief("Ada", 4),)))
    at.claim("1", "1", Ben=6)
    at.hand_in("1", "1", at.upload(SIX, slips=(brief("Ada", 6),)), Ben="")
    ada, ben = at.tile("1", "1")["players"]
    assert (ada["state"], ben["state"]) == ("look", "look")
    assert "more than one photo" in ada["message"]


# ---------------------------------------------------------------------- rendered


@pytest.mark.slow
def test_a_rendered_table_with_slips_needs_one_photo(tmp_path: Path) -> None:
    """The desk prints, four players mark their slips, one phone sends one photo."""
    names = ["Ada", "Ben", "Cleo", "Dan"]
    sheet = "\n".join(["round,table,player", *(f"3,B,{name}" for name in names)]) + "\n"
    laid = play_game([Greedy()] * 4, 5, FOUR_PLAYERS).kingdoms
    totals = [score(one.kingdom.trimmed()).total for one in laid]
    wrong = {"Cleo": 3}
    with desk(tmp_path, sheet) as at:
        printed = [code for code in codes_of(at.client.get("/board/slips").text) if code]
        slips = [
            MarkedSlip(code, total + wrong.get(name, 0))
            for code, total, name in zip(printed, totals, names, strict=True)
        ]
        files = {"photo": ("t.jpg", table_photo(laid, 5, slips=slips))}
        photo = at.client.post("/api/photos", files=files, data={"size": "auto"}).json()
        assert at.hand_in("3", "B", photo["id"]).status_code == 200
        lines = {one["player"]: one for one in at.tile("3", "B")["players"]}
    assert {name: one["claimed"] for name, one in lines.items()} == {
        name: total + wrong.get(name, 0) for name, total in zip(names, totals, strict=True)
    }
    assert [lines[name]["letter"] for name in names] == list("ABCD")
    assert lines["Cleo"]["state"] == "differs"
    assert "differs" not in {lines[name]["state"] for name in names if name != "Cleo"}


def test_seats_are_named_as_slips_name_them(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("table,player\n10,Ada\n9,Ben\n9,ada b\n")
    assert [seat.player for seat in read_seating(path).holders] == ["Ben", "ada b", "Ada"]
