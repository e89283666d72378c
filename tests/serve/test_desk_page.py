"""The pages of a tournament in a real browser, at the size of a phone and of a desk."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.browser import Browser, driver
from tests.support.contrast import weak_texts
from tests.support.paths import SAMPLES
from tests.support.serving import Running, ask, form, running_server, sample, upload
from tests.support.table_of_two import table_of_two

#: Ada and Ben share a photo of both kingdoms (41 and 40), Cleo has the meadow (75).
SHEET = """round,table,player
1,1,Ada
1,1,Ben
1,2,Cleo
1,2,<script>alert(1)</script>
1,3,Eve
2,1,Ada
2,1,Cleo
"""
SIZES = [(360, 740, True), (1280, 800, False)]
BADGES = "return [...document.querySelectorAll('#lines .badge')].map(one => one.textContent)"
TEXTS = "return [...document.querySelectorAll(arguments[0])].map(one => one.textContent)"
STATUS = "return document.getElementById('status').textContent"


@dataclass(frozen=True, slots=True)
class Desk:
    """A browser at a running desk; `name` is for pictures of it."""

    browser: Browser
    server: Running
    name: str

    def visit(self, path: str) -> Browser:
        """Open a page."""
        self.browser.visit(self.server.address + path)
        self.browser.until("return document.body.dataset.ready", 20)
        return self.browser

    def look(self, what: str) -> None:
        """Check what holds for every page, light and dark; keep a picture where one is wanted."""
        for scheme in ("light", "dark"):
            self.browser.prefer(scheme)
            assert weak_texts(self.browser) == [], (what, scheme)
            shown = os.environ.get("KDVISION_SCREENSHOTS")
            if shown:
                self.browser.picture(Path(shown) / f"{self.name}-{what}-{scheme}.png")
        self.browser.prefer("light")
        wide = "return document.documentElement.scrollWidth - innerWidth"
        assert self.browser.run(wide) <= 0, what
        small = self.browser.run(
            "const kinds = 'button, a, .camera label, input:not([type=file], [type=checkbox])';"
            "return [...document.querySelectorAll(kinds)].filter(one => one.checkVisibility() && "
            "one.getBoundingClientRect().height < 40).map(one => one.outerHTML)"
        )
        assert small == [], what
        nameless = self.browser.run(
            "const name = one => one.ariaLabel || one.textContent.trim() || one.alt;"
            "return [...document.querySelectorAll('button, a, input, img')].filter(one => "
            "one.checkVisibility() && !name(one) && !one.labels?.length).map(one => one.outerHTML)"
        )
        assert nameless == [], what


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with driver() as port:
        yield port


@pytest.fixture(params=SIZES, ids=["phone", "desk"])
def desk(request, scorer, port: int, tmp_path: Path) -> Iterator[Desk]:
    width, height, phone = request.param
    (tmp_path / "sheet.csv").write_text(SHEET)
    with running_server(tmp_path / "e.sqlite", "--sheet", tmp_path / "sheet.csv") as running:
        browser = Browser(port, tmp_path / "profile", width, height, phone=phone)
        try:
            yield Desk(browser, running, "phone" if phone else "desk")
            assert [one for one in browser.console() if "409" not in one] == []
        finally:
            browser.close()


def claim(page: Browser, **claims: int) -> None:
    """Type claims and send them."""
    for player, total in claims.items():
        page.run(
            "const field = [...document.querySelectorAll('#claim-fields input')]"
            ".find(one => one.dataset.player === arguments[0]); field.value = arguments[1]",
            player,
            total,
        )
    page.run("document.querySelector('#claims button[type=submit]').click()")
    page.until(
        "return [...document.querySelectorAll('#whose input')].map(one => one.dataset.player)"
        f".filter(name => {list(claims)!r}.includes(name)).length === {len(claims)}"
    )


def photograph(page: Browser, photo: Path, badges: list[str]) -> None:
    """Send a photo for those who are ticked, and wait for what is said of them."""
    page.give_file("#file", photo)
    page.until(f"{BADGES}.join() === {badges!r}.join()", 60)


def whose_is_whose(page: Browser, letters: dict[str, str]) -> None:
    """Say whose kingdom is whose, where the claims do not tell."""
    page.run("document.querySelector('#lines article button').click()")
    page.until("return document.querySelectorAll('#detail select').length === 2")
    for player, letter in letters.items():
        page.run(
            "[...document.querySelectorAll('#detail select')].find(one => "
            "one.dataset.player === arguments[0]).value = arguments[1]",
            player,
            letter,
        )
    tap(page, "Send")
    page.until("return !document.getElementById('detail').open")


def tap(page: Browser, words: str) -> None:
    """Tap the button in the open window that begins so."""
    page.until(
        "const found = [...document.querySelectorAll('#detail button')]"
        ".find(one => one.checkVisibility() && one.textContent.startsWith(arguments[0]));"
        "found?.click(); return Boolean(found)".replace("arguments[0]", repr(words))
    )


def test_a_table_claims_sends_its_photo_and_the_desk_decides(desk: Desk) -> None:
    page = desk.visit("/table?round=1&table=1")
    assert page.run("return document.getElementById('where').textContent") == "Round 1, Table 1"
    assert not page.run("return document.getElementById('shoot').checkVisibility()")
    desk.look("claims")
    claim(page, Ada=41, Ben=38)
    desk.look("photo")
    photograph(page, table_of_two(), ["? look", "≠ differs"])
    whose_is_whose(page, {"Ada": "A", "Ben": "B"})
    page.until(f"{BADGES}.join() === '✓ agrees,≠ differs'")
    page.run("[...document.querySelectorAll('#lines article')][1].querySelector('button').click()")
    page.until("return document.querySelector('.shown img')?.naturalWidth")
    assert "2 points too few" in page.run("return document.getElementById('detail').textContent")
    desk.look("difference")

    page = desk.visit("/board")
    states = page.run(
        "return [...document.querySelectorAll('.tile .badge')].map(b => b.textContent)"
    )
    assert states == ["≠ differs", "… waiting", "… waiting"]
    assert "<script>alert(1)</script>" in page.run("return document.body.textContent")
    desk.look("board")
    page.run("document.querySelector('.tile').click()")
    page.until("return document.querySelectorAll('.shown img').length === 1")
    tap(page, "The claim counts: 38")
    page.until(f"{STATUS} === 'Write your name first.'")
    page.run(
        "const by = document.getElementById('by'); by.value = 'Jo';"
        "by.dispatchEvent(new Event('change')); document.querySelector('.tile').click()"
    )
    page.until("return document.getElementById('detail').open")
    tap(page, "The claim counts: 38")
    desk.look("decision")
    tap(page, "Tap again: 38 for Ben, says Jo")
    page.until("return document.getElementById('detail').textContent.includes('accepted by Jo')")
    page.run("document.getElementById('detail').close()")
    assert page.run("return document.querySelector('.tile .badge').textContent") == "✓ agrees"
    page.run("document.querySelector('#log-part summary').click()")
    page.until("return document.querySelectorAll('#log li').length === 7")
    desk.look("log")

    page = desk.visit("/beamer")
    shown = page.run("return [...document.querySelectorAll('.ranking li')].map(l => l.innerText)")
    assert [" ".join(one.split()) for one in shown] == ["1 Ada 41", "2 Ben 38"]
    desk.look("beamer")


def post(server: Running, path: str, data: dict[str, object]) -> None:
    """What another phone sends."""
    kind = {"Content-Type": "application/json"}
    status, found = ask(server, "POST", path, json.dumps(data).encode(), **kind)
    assert status == 200, found


def test_the_board_and_the_beamer_update_by_themselves(desk: Desk, tmp_path: Path) -> None:
    table = desk.visit("/table?round=1&table=2")
    claim(table, Cleo=75)
    board = desk.visit("/board")
    first = "return document.querySelectorAll('.tile')[1].textContent"
    assert "75" not in board.run(first)
    _, photo = upload(desk.server, form(sample("meadow_5x5.jpg")))
    handed = {"round": "1", "table": "2", "photo": photo["id"], "players": {"Cleo": ""}}
    post(desk.server, "/api/table/photos", handed)
    board.until(f"{first}.includes('75 ✓')", 30)
    beamer = desk.visit("/beamer")
    assert "Cleo" in beamer.run("return document.body.innerText")
    where = {"round": "1", "table": "2", "player": "Cleo", "by": "Jo", "accept": 70}
    post(desk.server, "/api/board/decisions", where)
    beamer.until("return document.body.innerText.includes('70')", 15)


def test_what_is_handed_in_waits_for_the_network_and_is_sent_once(desk: Desk) -> None:
    page = desk.visit("/table?round=1&table=2")
    page.offline(True)
    page.run("document.querySelector('#claim-fields input').value = '75'")
    page.run("document.querySelector('#claims button[type=submit]').click()")
    page.until(f"{STATUS} === '1 wait for the network.'")
    page.offline(False)
    page.until("return document.querySelectorAll('#whose input').length === 1")
    page.offline(True)
    page.give_file("#file", SAMPLES / "meadow_5x5.jpg")
    page.until(f"{STATUS} === '1 wait for the network.'")
    page.offline(False)
    page.until(f"{BADGES}[0] === '✓ agrees'", 60)
    page.run("location.reload()")
    page.until("return document.body.dataset.ready")
    page.until(f"{BADGES}[0] === '✓ agrees'")
    page.console()


def test_the_pages_speak_german(desk: Desk) -> None:
    desk.browser.visit("about:blank")
    desk.browser.speak("de-DE")
    page = desk.visit("/board")
    assert page.run("return document.documentElement.lang") == "de"
    assert "Alle Tische" in page.run("return document.body.innerText")
    desk.look("board-german")
    page = desk.visit("/table?round=1&table=1")
    assert "Zuerst: was ihr gezählt habt" in page.run("return document.body.innerText")
    claim(page, Ada=41)
    photograph(page, table_of_two(), ["? ansehen", "… offen"])
    desk.look("table-german")
    missing = page.run(
        "return [...document.querySelectorAll('#lines .flag')].map(f => f.innerText)"
    )
    assert missing == ["fehlt"]


def test_the_codes_and_the_way_in_without_one(desk: Desk) -> None:
    page = desk.visit("/board/codes")
    page.until("return [...document.querySelectorAll('#codes img')].every(i => i.naturalWidth)")
    captions = page.run(TEXTS, "figcaption")
    assert captions[:2] == ["Round 1, Table 1", "Round 1, Table 2"] and len(captions) == 4
    desk.look("codes")
    page = desk.visit("/table")
    desk.look("find")
    page.run(
        "document.getElementById('find-round').value = '2';"
        "document.getElementById('find-table').value = '1';"
        "document.querySelector('#find button').click()"
    )
    page.until("return document.querySelectorAll('#claim-fields input').length === 2")
