"""A tournament's pages where answers overtake one another, and where fingers tap twice."""

from tests.support.browser import Browser
from tests.support.desk_page import TEXTS, Desk, claim, hand_in, post, tap, until_there
from tests.support.paths import SAMPLES
from tests.support.serving import ask

LOOK_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"
SAID = "return document.getElementById('detail').textContent"
TICKED = (
    "return [...document.querySelectorAll('#whose input')]"
    ".map(one => `${one.dataset.player} ${one.checked}`)"
)


def open_and_close(page: Browser, selector: str, number: int) -> None:
    """Tap one of several, and close the dialog before all is there."""
    page.run("document.querySelectorAll(arguments[0])[arguments[1]].click()", selector, number)
    assert page.run("return document.getElementById('detail').open")
    page.held(number + 1)
    page.run("document.getElementById('detail').close()")


def test_a_phone_shows_the_player_who_was_tapped_last(desk: Desk) -> None:
    hand_in(desk.server, "plus.jpg", "1", "1", "Ada", 11)
    hand_in(desk.server, "meadow_5x5.jpg", "1", "1", "Ben", 70)
    page = desk.visit("/table?round=1&table=1")
    page.hold("/api/photos/")
    open_and_close(page, "#lines article button", 0)
    page.run("document.querySelectorAll('#lines article button')[1].click()")
    page.held(2)
    said = page.run(SAID)
    assert "Ben" in said and "points" not in said
    page.let_go(1)
    until_there(page, "5 points too few")
    page.let_go(0)
    page.settle()
    assert "5 points too few" in page.run(SAID) and "Ada" not in page.run(SAID)


def test_a_phone_shows_nobody_else_before_the_photo_is_there(desk: Desk) -> None:
    hand_in(desk.server, "plus.jpg", "1", "1", "Ada", 11)
    hand_in(desk.server, "meadow_5x5.jpg", "1", "1", "Ben", 70)
    page = desk.visit("/table?round=1&table=1")
    page.run("document.querySelector('#lines article button').click()")
    until_there(page, "2 points too many")
    page.run("document.getElementById('detail').close()")
    page.hold("/api/photos/")
    page.run("document.querySelectorAll('#lines article button')[1].click()")
    assert page.run(SAID).split() == ["BenOne", "moment", "…", "Close"]
    page.held(1)
    page.let_go()
    until_there(page, "5 points too few")


def test_the_board_shows_the_table_that_was_tapped_last(desk: Desk) -> None:
    hand_in(desk.server, "plus.jpg", "1", "1", "Ada", 11)
    hand_in(desk.server, "meadow_5x5.jpg", "1", "2", "Cleo", 70)
    page = desk.visit("/board")
    page.hold("/api/photos/")
    open_and_close(page, ".tile", 0)
    page.run("document.querySelectorAll('.tile')[1].click()")
    page.held(2)
    page.let_go(1)
    until_there(page, "5 points too few")
    page.let_go(0)
    page.settle()
    assert page.run(TEXTS, "#detail h3") == ["Cleo", "<script>alert(1)</script>"]


def test_a_double_tap_decides_nothing(desk: Desk) -> None:
    hand_in(desk.server, "plus.jpg", "1", "1", "Ada", 11)
    page = desk.visit("/board")
    page.run("document.getElementById('by').value = 'Jo'; document.querySelector('.tile').click()")
    until_there(page, "The claim counts: 11")
    page.run(
        "const found = [...document.querySelectorAll('#detail button')]"
        ".find(one => one.textContent === 'The claim counts: 11'); found.click(); found.click()"
    )
    assert "Tap again: 11 for Ada, says Jo" in page.run(SAID)
    kinds = [one["kind"] for one in ask(desk.server, "GET", "/api/board/log")[1]["events"]]
    assert kinds == ["claim", "photo"]
    tap(page, "Tap again: 11 for Ada")
    until_there(page, "accepted by Jo")


def test_an_older_answer_does_not_put_back_what_was_handed_in(desk: Desk) -> None:
    page = desk.visit("/table?round=1&table=1")
    page.hold("/api/table?")
    page.run(LOOK_AGAIN)
    page.held(1)
    claim(page, Ada=11, Ben=12)
    page.let_go(0)
    page.settle()
    assert page.run("return document.querySelectorAll('#claim-fields input').length") == 0
    # What is asked for afterwards is shown.
    post(desk.server, "/api/table/claims", {"round": "1", "table": "1", "claims": {"Zoe": 3}})
    page.let_go()
    page.run(LOOK_AGAIN)
    page.until("return document.querySelectorAll('#whose input').length === 3")


def test_a_claim_beside_a_photo_that_is_on_its_way_is_sent_as_well(desk: Desk) -> None:
    page = desk.visit("/table?round=1&table=1")
    claim(page, Ada=9)
    page.hold("/api/table/photos")
    page.give_file("#file", SAMPLES / "plus.jpg")
    page.held(1)
    page.run("document.querySelector('#claim-fields input').value = '7'")
    page.run("document.querySelector('#claims button[type=submit]').click()")
    page.let_go()
    page.until("return document.querySelectorAll('#claim-fields input').length === 0")
    players = ask(desk.server, "GET", "/api/table?round=1&table=1")[1]["players"]
    assert {one["player"]: one["claimed"] for one in players} == {"Ada": 9, "Ben": 7}


def test_what_a_person_has_ticked_stays_so_when_another_claims(desk: Desk) -> None:
    page = desk.visit("/table?round=1&table=1")
    claim(page, Ada=9)
    page.run("document.querySelector('#whose input').checked = false")
    post(desk.server, "/api/table/claims", {"round": "1", "table": "1", "claims": {"Ben": 7}})
    page.run(LOOK_AGAIN)
    page.until("return document.querySelectorAll('#whose input').length === 2")
    assert page.run(TICKED) == ["Ada false", "Ben true"]


def test_a_claim_that_the_server_cannot_keep_now_is_sent_again(desk: Desk) -> None:
    page = desk.visit("/table?round=1&table=2")
    page.run(
        "const fetchNow = window.fetch; let full = 1; window.fetch = (address, ...more) =>"
        "`${address}`.includes('claims') && full-- > 0 "
        "? Promise.resolve(new Response('{}', {status: 507})) : fetchNow(address, ...more)"
    )
    claim(page, Cleo=75)
    players = ask(desk.server, "GET", "/api/table?round=1&table=2")[1]["players"]
    assert players[0]["claimed"] == 75
