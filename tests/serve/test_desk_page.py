"""The pages of a tournament in a real browser, at the size of a phone and of a desk."""

import time

import cv2
import numpy as np

from kdvision.rules.game.players import Greedy, play_game
from kdvision.rules.game.state import FOUR_PLAYERS
from kdvision.rules.scoring import score
from kdvision.slips.slip import SlipCode
from scripts.synthesis.slips import MarkedSlip
from tests.support.browser import Browser
from tests.support.desk_page import (
    BADGES,
    DETAIL,
    STATUS,
    TEXTS,
    Desk,
    claim,
    english,
    hand_in,
    photograph,
    post,
    tap,
    until_there,
    whose_is_whose,
)
from tests.support.paths import SAMPLES
from tests.support.serving import ask, form, sample, upload
from tests.support.table_of_two import table_of_two
from tests.support.table_photos import table_photo


def smaller(photo: bytes) -> bytes:
    """The same picture, at a lower quality."""
    picture = cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR)
    _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])
    return coded.tobytes()


def test_a_table_claims_sends_its_photo_and_the_desk_decides(desk: Desk) -> None:
    page = desk.visit("/table?round=1&table=1")
    assert page.run("return document.getElementById('where').textContent") == "Round 1, table 1"
    assert not page.run("return document.getElementById('shoot').checkVisibility()")
    desk.look("claims")
    claim(page, Ada=41, Ben=38)
    desk.look("photo")
    photograph(page, table_of_two(), ["? look", "≠ differs"])
    whose_is_whose(page, {"Ada": "A", "Ben": "B"})
    page.until(f"{BADGES}.join() === '✓ agrees,≠ differs'")
    page.run("[...document.querySelectorAll('#lines article')][1].querySelector('button').click()")
    until_there(page, "2 points too few")
    page.until(f"{DETAIL} document.querySelector('.shown img')?.naturalWidth")
    desk.look("difference")

    page = desk.visit("/board")
    states = page.run(
        "return [...document.querySelectorAll('.tile .badge')].map(b => b.textContent)"
    )
    assert states == ["≠ differs", "… waiting", "… waiting"]
    assert "<script>alert(1)</script>" in page.run("return document.body.textContent")
    desk.look("board")
    page.run("document.querySelector('.tile').click()")
    page.until(f"{DETAIL} document.querySelectorAll('.shown img').length === 1")
    tap(page, "The claim counts: 38")
    page.until(f"{STATUS} === 'Write your name first.'")
    page.run(
        "const by = document.getElementById('by'); by.value = 'Jo';"
        "by.dispatchEvent(new Event('change')); document.querySelector('.tile').click()"
    )
    tap(page, "The claim counts: 38")
    page.until(f"{DETAIL} document.querySelector('.shown img').naturalWidth")
    desk.look("decision")
    tap(page, "Tap again: 38 for Ben, says Jo")
    until_there(page, "accepted by Jo")
    page.run("document.getElementById('detail').close()")
    assert page.run("return document.querySelector('.tile .badge').textContent") == "✓ agrees"
    page.run("document.querySelector('#log-part summary').click()")
    page.until("return document.querySelectorAll('#log li').length === 7")
    said = [line.partition(" Round 1, table 1: ")[2] for line in page.run(TEXTS, "#log li")]
    assert said[0] == "Jo, for Ben, accepted 38"
    assert said[1:] == [
        "Ben handed in a photo B", "Ada handed in a photo A", "Ben handed in a photo ",
        "Ada handed in a photo ", "Ben claimed 38", "Ada claimed 41",
    ]  # fmt: skip
    page.run("document.getElementById('log').scrollIntoView()")
    desk.look("log")


def test_a_table_of_four_is_one_photo_and_a_row_each(desk: Desk) -> None:
    """One claim of four is wrong; whose kingdom is whose can be told by a tap on the photo."""
    claims = {"Ada": 46, "Ben": 54, "Cleo": 41, "Dan": 38}
    where = {"round": "1", "table": "1"}
    post(desk.server, "/api/table/claims", {**where, "claims": claims})
    _, photo = upload(desk.server, form(sample("four_kingdoms.jpg")))
    players = dict.fromkeys(claims, "")
    post(desk.server, "/api/table/photos", {**where, "photo": photo["id"], "players": players})
    for language, words in (
        ("de-DE", ["? ansehen", "≠ weicht ab", "✓ stimmt", "✓ stimmt"]),
        ("en-US", ["? look", "≠ differs", "✓ agrees", "✓ agrees"]),
    ):
        desk.browser.visit("about:blank")
        desk.browser.speak(language)
        page = desk.visit("/board")
        page.run("document.querySelector('.tile').click()")
        page.until(f"{DETAIL} document.querySelector('.shown img')?.naturalWidth")
        # Dan differs, and Cleo sits at another table: what asks for a person comes first.
        assert page.run(TEXTS, "#detail h3") == ["Cleo", "Dan", "Ada", "Ben"]
        assert page.run(TEXTS, "#detail .badge") == words
        assert len(page.run(TEXTS, ".shown img")) == 1
        letters = page.run(
            "return [...document.querySelectorAll('.shown .area')].map(one => one.ariaLabel)"
        )
        assert [name[-5:] for name in letters] == ["A, 46", "B, 54", "C, 41", "D, 40"]
        desk.look(f"four-{language[:2]}")
        # The table was 3,594 pixels high, with the same photo four times.
        height = page.run("return document.getElementById('detail').scrollHeight")
        assert height <= {"phone": 2400, "desk": 1300}[desk.name]
        page.run("document.getElementById('detail').scrollTo(0, 10000)")
        desk.look(f"four-end-{language[:2]}")
        if language == "de-DE":
            assert english(page) == set()
    page.run("document.getElementById('by').value = 'Jo'")
    counted = ["41", "41", "38", "40", "46", "46", "54", "54"]
    assert page.run(TEXTS, "#detail dd") == counted
    tap_kingdom(page, "D", 2)
    assert page.run(TEXTS, "#detail dd")[:4] == ["41", "40", "38", "41"]
    tap_kingdom(page, "C", 3)
    assert page.run(TEXTS, "#detail dd") == counted
    lines = ask(desk.server, "GET", "/api/board")[1]["tiles"][0]["players"]
    assert [one["verdict"] for one in lines] == ["agrees"] * 3 + ["differs"]
    desk.look("four-told")


def tap_kingdom(page: Browser, letter: str, area: int) -> None:
    """Give Dan, the second row, another kingdom of the photo than that of this letter."""
    total = page.run(TEXTS, "#detail dd")[3]
    page.run(
        "[...document.querySelectorAll('#detail article')][1].querySelectorAll('button')"
        f".forEach(one => {{ if (one.textContent === 'Kingdom {letter}') one.click() }})"
    )
    page.until("return document.getElementById('detail-hint').textContent.includes('Dan')")
    page.run(
        f"document.querySelectorAll('.shown .area')[{area}].dispatchEvent(new MouseEvent('click'))"
    )
    page.until(f"{DETAIL} document.querySelectorAll('#detail dd')[3].textContent !== '{total}'")


def test_with_slips_one_photo_is_all_that_a_table_hands_in(desk: Desk) -> None:
    page = desk.visit("/table?round=2&table=1")
    assert not page.run("return document.getElementById('slips').checkVisibility()")
    desk.browser.visit(f"{desk.server.address}/board/slips")
    fills = "return getComputedStyle(document.querySelector('.ring')).fill"
    assert desk.browser.run(fills) == "none", "the style of the page is used"
    printed = desk.browser.run(
        "return [...document.querySelectorAll('.slip')].map(one => one.dataset.code)"
    )
    desk.browser.console()  # the page has no picture of its own for the browser's tab
    laid = play_game([Greedy()] * 4, 5, FOUR_PLAYERS).kingdoms
    totals = [score(one.kingdom.trimmed()).total for one in laid]
    codes = [SlipCode.parse(text) for text in printed[-2:]]
    slips = [MarkedSlip(code, total) for code, total in zip(codes, totals, strict=False) if code]
    path = desk.folder / "table.jpg"
    path.write_bytes(table_photo(laid, 5, slips=slips))
    page = desk.visit("/table?round=2&table=1")
    assert page.run("return document.getElementById('slips').checkVisibility()")
    assert not page.run("return document.getElementById('whose').checkVisibility()")
    desk.look("slips")
    page.give_file("#file", path)
    page.until(f"{BADGES}.filter(said => ['✓ agrees', '? look'].includes(said)).length === 2")
    players = ask(desk.server, "GET", "/api/table?round=2&table=1")[1]["players"]
    assert [one["claimed"] for one in players] == totals[:2]
    page = desk.visit("/board")
    page.run("document.querySelectorAll('#rounds button')[1].click()")
    page.run("document.querySelector('#log-part summary').click()")
    page.until("return document.querySelectorAll('#log li').length === 4")
    assert any("Ada claimed on a slip" in line for line in page.run(TEXTS, "#log li"))


def test_what_has_waited_longest_comes_first(desk: Desk) -> None:
    hand_in(desk.server, "meadow_5x5.jpg", "1", "2", "Cleo", 70)
    time.sleep(1.1)  # times are to the second
    hand_in(desk.server, "plus.jpg", "1", "1", "Ada", 11)
    page = desk.visit("/board")
    order = "return [...document.querySelectorAll('.tile')].map(one => one.dataset.table)"
    assert page.run(order) == ["2", "1", "3"]
    where = {"round": "1", "table": "2", "player": "Cleo", "by": "Jo", "accept": "photo"}
    post(desk.server, "/api/board/decisions", where)
    page.until(f"{order}.join() === '1,2,3'")


def test_the_board_and_the_beamer_update_by_themselves(desk: Desk) -> None:
    table = desk.visit("/table?round=1&table=2")
    claim(table, Cleo=75)
    board = desk.visit("/board")
    first = "return document.querySelectorAll('.tile')[1].textContent"
    assert "75" not in board.run(first)
    hand_in(desk.server, "meadow_5x5.jpg", "1", "2", "Cleo", 75)
    board.until(f"{first}.includes('75 ✓')")
    beamer = desk.visit("/beamer")
    assert "Cleo" in beamer.run("return document.body.innerText")
    where = {"round": "1", "table": "2", "player": "Cleo", "by": "Jo", "accept": 70}
    post(desk.server, "/api/board/decisions", where)
    beamer.until("return document.body.innerText.includes('70')")


def test_what_is_handed_in_waits_for_the_network_and_is_sent_once_as_taken(desk: Desk) -> None:
    picture = cv2.resize(cv2.imread(str(SAMPLES / "meadow_5x5.jpg")), (4000, 3000))
    large = desk.folder / "large.jpg"
    cv2.imwrite(str(large), picture, [cv2.IMWRITE_JPEG_QUALITY, 98])
    page = desk.visit("/table?round=1&table=2")
    page.offline(True)
    page.run("document.querySelector('#claim-fields input').value = '75'")
    page.run("document.querySelector('#claims button[type=submit]').click()")
    page.until(f"{STATUS} === '1 waits for the network.'")
    page.offline(False)
    page.until("return document.querySelectorAll('#whose input').length === 1")
    page.offline(True)
    page.give_file("#file", large)
    page.until(f"{STATUS} === '1 waits for the network.'")
    page.offline(False)
    page.until(f"{BADGES}[0] === '✓ agrees'")
    _, board = ask(desk.server, "GET", "/api/board")
    (sent,) = {line["photo"] for tile in board["tiles"] for line in tile["players"]} - {None}
    _, photo = ask(desk.server, "GET", f"/api/photos/{sent}")
    assert max(photo["photo_size"]) == 4000
    page.reload()
    page.until("return document.body?.dataset.ready")
    page.until(f"{BADGES}[0] === '✓ agrees'")
    page.console()


def test_the_pages_speak_german(desk: Desk) -> None:
    desk.browser.visit("about:blank")
    desk.browser.speak("de-DE")
    page = desk.visit("/table?round=1&table=1")
    assert page.run("return document.documentElement.lang") == "de"
    assert "Zuerst: was ihr gezählt habt" in page.run("return document.body.innerText")
    claim(page, Ada=41)
    photograph(page, table_of_two(), ["? ansehen", "… offen"])
    desk.look("table-german")
    assert english(page) == set()
    missing = page.run(
        "return [...document.querySelectorAll('#lines .flag')].map(f => f.innerText)"
    )
    assert missing == ["fehlt"]
    page = desk.visit("/board")
    assert "Alle Tische" in page.run("return document.body.innerText")
    page.run("document.querySelector('.tile').click()")
    until_there(page, "Das Gezählte gilt: 41")
    page.until(f"{DETAIL} document.querySelector('.shown img').naturalWidth")
    desk.look("decision-german")
    page.run("document.getElementById('detail').close()")
    page.run("document.querySelector('#log-part summary').click()")
    page.until("return document.querySelectorAll('#log li').length === 2")
    desk.look("board-german")
    assert english(page) == set()
    for path in ("/beamer", "/board/codes"):
        assert english(desk.visit(path)) == set()


def test_a_proposal_is_shown_with_its_square(desk: Desk) -> None:
    where = {"round": "1", "table": "1"}
    hand_in(desk.server, "plus.jpg", "1", "1", "Ada", 11)
    fixes = {"A.b1": "F"}
    proposal = {**where, "player": "Ada", "by": "Ben", "fixes": fixes}
    post(desk.server, "/api/table/proposals", proposal)
    page = desk.visit("/board")
    page.run("document.querySelector('.tile').click()")
    until_there(page, "Ben would correct A.b1")
    page.until("return document.querySelector('#detail .crop').naturalWidth")
    sides = "const one = document.querySelector('#detail .crop'); return [one.width, one.height]"
    assert page.run(sides) == [100, 100]
    # b1 lies two squares from the left of the board and one from its top: around it is a ring.
    where_cut = "return getComputedStyle(document.querySelector('#detail .crop')).objectPosition"
    assert page.run(where_cut) == "-208px -104px"
    page.run("document.querySelector('#detail .crop').scrollIntoView()")
    desk.look("proposal")


def test_the_codes_and_the_way_in_without_one(desk: Desk) -> None:
    page = desk.visit("/board/codes")
    page.until("return [...document.querySelectorAll('#codes img')].every(i => i.naturalWidth)")
    captions = page.run(TEXTS, "figcaption")
    places = [caption.rpartition(" ")[0] for caption in captions]
    assert places[:2] == ["Round 1, table 1", "Round 1, table 2"] and len(places) == 4
    assert len({caption.rpartition(" ")[2] for caption in captions}) == 4
    wide = "return [...document.querySelectorAll('#codes figure')].map(one => one.scrollWidth"
    assert max(page.run(f"{wide} - one.clientWidth)")) <= 0
    desk.look("codes")
    page = desk.visit("/table")
    desk.look("find")
    page.run(
        "document.getElementById('find-round').value = '2';"
        "document.getElementById('find-table').value = '1';"
        "document.querySelector('#find button').click()"
    )
    page.until("return document.querySelectorAll('#claim-fields input').length === 2")
