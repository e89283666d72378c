"""Standings on a wall: read from the back of a hall, and explained to who asks nobody."""

import pytest

from tests.support.desk_page import Desk, english, post

RANKS = (
    "return [...document.querySelectorAll(arguments[0] + ' .ranking li')]"
    ".map(one => one.innerText.split(/\\s*\\n\\s*/).join(' '))"
)
TEXT = "return document.querySelector(arguments[0]).innerText"
#: The least size of letters that are read from the back of a hall: a 35th of the screen's height.
HALL_SHARE = 1 / 35
WILD = "<img src=x onerror=alert(1)>"
#: Longer than any column.
LONG = "Maximiliana-Theodora von und zu Hohenstaufen-Wittelsbach"


def decide(desk: Desk, round_: str, table: str, totals: dict[str, int]) -> None:
    """Let the desk settle totals that were claimed."""
    where = {"round": round_, "table": table}
    post(desk.server, "/api/table/claims", {**where, "claims": totals})
    for player in totals:
        about = {**where, "player": player, "by": "Jo", "accept": "claim"}
        post(desk.server, "/api/board/decisions", about)


def look(desk: Desk, what: str) -> None:
    """Check what holds for every page, and keep a picture where one is wanted."""
    desk.look(what)
    assert desk.browser.run("return document.documentElement.scrollWidth - innerWidth") <= 0


def test_one_game_has_steps_and_explains_its_tie(desk: Desk) -> None:
    decide(desk, "1", "1", {"Ada": 41, "Ben": 41, WILD: 38, LONG: 12})
    page = desk.visit("/beamer")
    steps = "return [...document.querySelectorAll('.step')].map(one => one.dataset.player)"
    assert set(page.run(steps)) == {"Ada", "Ben", WILD}
    # Nothing was read, so that nobody knows who has the largest territory.
    ranks = page.run(RANKS, "#games")
    assert ranks[0] == "1–2 Ada 41 tie, still open"
    assert page.run("return document.querySelectorAll('main img').length") == 0
    legend = page.run(TEXT, "#legend")
    assert "1–2 – rank still open" in legend and "Ties: the largest territory" in legend
    # A name that is too long is cut on one line, and stands whole in its title.
    cut = page.run(
        "const name = [...document.querySelectorAll('.ranking .name')].at(-1);"
        "return [name.title, name.getClientRects().length, name.scrollWidth > name.clientWidth]"
    )
    assert cut[:2] == [LONG, 1]
    assert desk.name == "desk" or cut[2]
    look(desk, "beamer-game")


def test_letters_are_large_enough_for_a_hall(desk: Desk) -> None:
    if desk.name == "phone":
        pytest.skip("a beamer is no phone")
    decide(desk, "1", "1", {"Ada": 41, "Ben": 38})
    page = desk.visit("/beamer")
    small = page.run(
        "return [...document.querySelectorAll('main .name, main strong, main .rank')].filter(one =>"
        "one.checkVisibility() && parseFloat(getComputedStyle(one).fontSize) < "
        "arguments[0] * innerHeight).map(one => one.outerHTML)",
        HALL_SHARE,
    )
    assert small == []


def test_rounds_add_up_and_spellings_of_a_name_are_one_player(desk: Desk) -> None:
    decide(desk, "1", "1", {"Ada": 41, "Ben": 38})
    decide(desk, "1", "2", {"Cleo": 50})
    decide(desk, "2", "1", {"  ADA ": 30, "cleo": 21})
    page = desk.visit("/beamer")
    assert page.run(RANKS, "#totals") == ["1= Ada 71", "1= Cleo 71", "3 Ben 38"]
    assert page.run(TEXT, "#legend").startswith("♛ – leads\n= – shared rank")
    # The games below are those of the last round.
    assert len(page.run(RANKS, "#games")) == 2
    look(desk, "beamer")
    desk.browser.visit("about:blank")
    desk.browser.speak("de-DE")
    page = desk.visit("/beamer")
    assert english(page) == set()
    assert "= – geteilter Rang" in page.run(TEXT, "#legend")
    look(desk, "beamer-german")


def test_a_total_that_may_change_is_marked_in_every_language(desk: Desk) -> None:
    decide(desk, "1", "1", {"Ada": 41})
    where = {"round": "1", "table": "1"}
    post(desk.server, "/api/table/claims", {**where, "claims": {"Ben": 38}})
    for language, said in (("en-US", "not sure"), ("de-DE", "nicht sicher")):
        desk.browser.visit("about:blank")
        desk.browser.speak(language)
        page = desk.visit("/beamer")
        totals = page.run(RANKS, "#games")
        assert [text.split()[-1] for text in totals if "Ben" in text] == ["38?"]
        assert [text.split()[-1] for text in totals if "Ada" in text] == ["41"]
        assert said in page.run(TEXT, "#legend")


def test_the_beamer_goes_on_by_itself_and_says_when_the_server_is_gone(desk: Desk) -> None:
    page = desk.visit("/beamer")
    assert "Nothing yet." in page.run("return document.body.innerText")
    decide(desk, "1", "1", {"Ada": 41, "Ben": 38})
    page.until("return document.querySelectorAll('.ranking li').length === 2")
    page.offline(True)
    page.until("return document.getElementById('status').innerText.startsWith('The server does')")
    page.offline(False)
    page.until("return document.getElementById('status').innerText === ''")
    page.console()
