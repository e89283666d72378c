"""A desk against players who want to win: only what was read counts, and only for its own table."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kdvision.serve.store import Store
from tests.support.desk import AtDesk, desk

#: Worth 4 points; with two crowns on b1 it would be worth 8.
LINE, RICHER, TOTAL, RICHER_TOTAL = "C G1 G G G", {"b1": "G2"}, 4, 8


@pytest.fixture
def at(tmp_path: Path) -> Iterator[AtDesk]:
    with desk(tmp_path, password="players", desk_password="the-desk") as found:
        found.be_at("1", "1")
        yield found


def line(at: AtDesk, player: str = "Ada", table: str = "1") -> dict[str, Any]:
    with at.as_desk():
        return at.line("1", table, player)


def log(at: AtDesk) -> list[dict[str, Any]]:
    with at.as_desk():
        return list(at.client.get("/api/board/log").json()["events"])


def changed_photo(at: AtDesk) -> str:
    """A photo that its player has made worth more."""
    photo = at.upload(LINE)
    answer = at.client.post(f"/api/photos/{photo}/fixes", json=RICHER)
    assert answer.json()["kingdoms"][0]["score"] == RICHER_TOTAL
    return photo


# ---------------------------------------------------------------------- changed squares


def test_a_photo_counts_as_it_was_read(at: AtDesk) -> None:
    photo = changed_photo(at)
    at.claim("1", "1", Ada=RICHER_TOTAL)
    assert at.hand_in("1", "1", photo, Ada="").status_code == 200
    seen = line(at)
    assert (seen["state"], seen["read"], seen["claimed"]) == ("differs", TOTAL, RICHER_TOTAL)
    (proposal,) = seen["proposals"]
    assert proposal["by"] == "Ada"
    assert proposal["squares"] == [
        {"place": "b1", "read": "G1", "proposed": "G2", "letter": "A", "row": 0, "col": 1}
    ]
    assert [one["kind"] for one in log(at)] == ["claim", "photo", "propose"]


def test_a_proposal_counts_once_the_desk_takes_it(at: AtDesk) -> None:
    photo = changed_photo(at)
    at.claim("1", "1", Ada=RICHER_TOTAL)
    at.hand_in("1", "1", photo, Ada="")
    assert at.correct("1", "1", "Ada", RICHER).status_code == 401
    with at.as_desk():
        assert at.correct("1", "1", "Ada", RICHER, by="Judge").status_code == 200
    seen = line(at)
    assert (seen["state"], seen["read"], seen["proposals"]) == ("agrees", RICHER_TOTAL, [])
    event = log(at)[-1]
    assert (event["kind"], event["by"], event["player"]) == ("correct", "Judge", "Ada")
    assert event["value"]["fixes"] == RICHER
    assert (event["value"]["before"], event["value"]["after"]) == (TOTAL, RICHER_TOTAL)


def test_the_desk_may_turn_a_proposal_down(at: AtDesk) -> None:
    at.claim("1", "1", Ada=RICHER_TOTAL)
    at.hand_in("1", "1", changed_photo(at), Ada="")
    with at.as_desk():
        assert at.correct("1", "1", "Ada", {}, by="Judge").status_code == 200
    seen = line(at)
    assert (seen["read"], seen["proposals"]) == (TOTAL, [])
    assert log(at)[-1]["kind"] == "correct"


def test_after_the_hand_in_a_player_only_proposes(at: AtDesk) -> None:
    photo = at.upload(LINE)
    at.claim("1", "1", Ada=RICHER_TOTAL)
    at.hand_in("1", "1", photo, Ada="")
    for path in ("fixes", "options"):
        answer = at.client.post(f"/api/photos/{photo}/{path}", json=RICHER)
        assert answer.status_code == 403
    body = {"round": "1", "table": "1", "player": "Ada", "fixes": RICHER, "by": "Ben"}
    assert at.client.post("/api/table/proposals", json=body).status_code == 200
    seen = line(at)
    assert (seen["read"], seen["proposals"][0]["by"]) == (TOTAL, "Ben")


def test_a_fix_that_was_on_its_way_comes_too_late(tmp_path: Path) -> None:
    """The change is scored before the hand-in and would be written after it."""
    store = Store(tmp_path / "desk.sqlite")
    began, handed = threading.Event(), threading.Event()
    plain = store.change_photo

    def late(*args: Any) -> bool:
        if len(args) > 2:
            return plain(*args)
        began.set()
        assert handed.wait(30)
        return plain(*args)

    store.change_photo = late  # type: ignore[method-assign]
    with desk(tmp_path, store=store) as at:
        photo = at.upload(LINE)
        at.claim("1", "1", Ada=RICHER_TOTAL)
        answers: list[Any] = []
        path = f"/api/photos/{photo}/fixes"
        phone = threading.Thread(
            target=lambda: answers.append(at.client.post(path, json=RICHER)), daemon=True
        )
        phone.start()
        assert began.wait(30)
        assert at.hand_in("1", "1", photo, Ada="").status_code == 200
        handed.set()
        phone.join(30)
        assert answers[0].status_code == 403
        assert at.line("1", "1", "Ada")["read"] == TOTAL
        assert at.client.get(f"/api/photos/{photo}").json()["fixes"] == {}


# ---------------------------------------------------------------------- other tables


def test_a_phone_acts_for_the_table_whose_code_it_opened(at: AtDesk) -> None:
    at.be_at("1", "2")
    assert at.claim("1", "1", Ada=4).status_code == 403
    assert at.client.get("/api/table?round=1&table=1").status_code == 403
    assert at.claim("2", "1", Ada=4).status_code == 403, "another round of this table"
    at.be_nowhere()
    assert at.claim("1", "1", Ada=4).status_code == 403
    at.be_at("1", "1")
    assert at.claim("1", "1", Ada=4).status_code == 200
    assert {one["player"] for one in log(at)} == {"Ada"}


def test_the_photo_of_another_table_is_of_no_use(at: AtDesk) -> None:
    photo = at.upload(LINE)
    at.be_at("1", "3")
    at.claim("1", "3", Eve=4)
    assert at.hand_in("1", "3", photo, Eve="").status_code == 404
    for method, path in (("post", "fixes"), ("post", "options"), ("delete", "")):
        address = f"/api/photos/{photo}/{path}".rstrip("/")
        body = {"json": RICHER} if method == "post" else {}
        assert getattr(at.client, method)(address, **body).status_code == 404
    assert line(at, "Eve", "3")["photo"] is None


def test_games_are_deleted_by_the_desk(at: AtDesk) -> None:
    assert at.client.delete("/api/games/1").status_code == 403
    assert at.client.patch("/api/games/1", json={"dropped": "yes"}).status_code == 403
    with at.as_desk():
        assert at.client.delete("/api/games/1").status_code == 404


def test_codes_outlive_a_restart(tmp_path: Path) -> None:
    with desk(tmp_path, desk_password="the-desk", password="players") as at:
        at.be_at("1", "1")
        token = at.client.headers["X-Kdscore-Table"]
    with desk(tmp_path, desk_password="the-desk", password="players") as at:
        at.client.auth = ("any", "players")  # type: ignore[assignment]
        at.client.headers["X-Kdscore-Table"] = token
        assert at.claim("1", "1", Ada=4).status_code == 200


# ---------------------------------------------------------------------- the log


def test_the_log_says_what_was_before_and_after(at: AtDesk) -> None:
    at.claim("1", "1", Ada=5)
    at.claim("1", "1", Ada=3)
    photo = at.upload(f"{LINE} | C F1 F1 F")
    at.hand_in("1", "1", photo, Ada="A")
    at.hand_in("1", "1", photo, Ada="B")
    with at.as_desk():
        at.decide("1", "1", "Ada", "claim", "Judge")
        at.decide("1", "1", "Ada", 7, "Judge")
        at.decide("1", "1", "Ada", None, "Judge")
    events = [(one["kind"], one["value"]) for one in log(at)]
    assert [kind for kind, _ in events] == [
        "claim", "claim", "photo", "photo", "accept", "accept", "withdraw",
    ]  # fmt: skip
    befores = [value["before"] for _, value in events]
    assert befores == [None, 5, None, "A", None, 3, 7]
    afters = [value["after"] for _, value in events]
    assert afters == [5, 3, "A", "B", 3, 7, None]


# ---------------------------------------------------------------------- one wrong claim of four


def four(at: AtDesk) -> None:
    lines = ("C F1 F F F", "C G1 G1 G", "C W1 W W/- - - -", "C L1 L L L/- - - L1 -")
    at.claim("1", "1", Ada=4, Ben=6, Cleo=3, Dan=8)
    photo = at.upload(" | ".join(lines))
    at.hand_in("1", "1", photo, Ada="", Ben="", Cleo="", Dan="")


def test_of_four_claims_three_agree_and_the_fourth_differs(tmp_path: Path) -> None:
    sheet = "round,table,player\n1,1,Ada\n1,1,Ben\n1,1,Cleo\n1,1,Dan\n"
    with desk(tmp_path, sheet) as at:
        four(at)
        lines = {one["player"]: one for one in at.tile("1", "1")["players"]}
        assert {name: one["state"] for name, one in lines.items()} == {
            "Ada": "agrees", "Ben": "agrees", "Cleo": "agrees", "Dan": "differs",
        }  # fmt: skip
        dan = lines["Dan"]
        assert (dan["letter"], dan["read"], dan["difference"]) == ("D", 10, -2)
        assert dan["mistakes"]


# ---------------------------------------------------------------------- letters


def test_the_desk_assigns_kingdoms_on_the_photo(tmp_path: Path) -> None:
    with desk(tmp_path) as at:
        at.claim("1", "1", Ada=4, Ben=4)
        photo = at.upload("C F1 F F F | C G1 G1 G")
        at.hand_in("1", "1", photo, Ada="", Ben="")
        body = {"round": "1", "table": "1", "letters": {"Ada": "B", "Ben": "A"}, "by": "Judge"}
        assert at.client.post("/api/board/letters", json=body).status_code == 200
        lines = {one["player"]: one for one in at.tile("1", "1")["players"]}
        assert {name: (one["letter"], one["state"]) for name, one in lines.items()} == {
            "Ada": ("B", "differs"), "Ben": ("A", "agrees"),
        }  # fmt: skip
        kinds = [one["kind"] for one in at.client.get("/api/board/log").json()["events"]]
        assert kinds[-2:] == ["letter", "letter"]


def test_a_photo_that_is_sent_again_leaves_the_letters_of_the_desk(at: AtDesk) -> None:
    """The answer to the hand-in was lost, and the phone tries again."""
    at.claim("1", "1", Ada=9, Ben=9)
    photo = at.upload("C F1 F F F | C G1 G1 G")
    at.hand_in("1", "1", photo, Ada="", Ben="")
    body = {"round": "1", "table": "1", "letters": {"Ada": "B", "Ben": "A"}, "by": "Judge"}
    with at.as_desk():
        assert at.client.post("/api/board/letters", json=body).status_code == 200
    assert at.hand_in("1", "1", photo, Ada="", Ben="").status_code == 200
    assert [line(at, player)["letter"] for player in ("Ada", "Ben")] == ["B", "A"]
    assert at.hand_in("1", "1", photo, Ada="A", Ben="B").status_code == 200
    assert [line(at, player)["letter"] for player in ("Ada", "Ben")] == ["A", "B"]


# ---------------------------------------------------------------------- exports


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_no_export_holds_a_formula(tmp_path: Path, kind: str) -> None:
    sheet = 'table,player\n1,"=HYPERLINK(""http://x"")"\n1,+Ben\n'
    with desk(tmp_path, sheet) as at:
        data = at.client.get(f"/api/board/export.{kind}").content
    if kind == "csv":
        cells = [cell for row in data.decode().splitlines() for cell in row.split(",")]
        assert not [cell for cell in cells if cell.strip('"').startswith(("=", "+", "@"))]
    else:
        from io import BytesIO

        from openpyxl import load_workbook

        book = load_workbook(BytesIO(data))
        assert {cell.data_type for row in book.active for cell in row} <= {"s", "n"}
