"""What people do on the page, in Chromium: a phone of 360 x 740 with touch, and a screen."""

import json
import re
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from kdvision.result import Status
from kdvision.sentences import catalogue
from kdvision.serve import app
from tests.support.axe import violations
from tests.support.chromium import PHONE, SCREEN
from tests.support.fake_serve import FREE
from tests.support.night import Night
from tests.support.serving import BLUE, COLOURS, GREEN, TABLE, running_server

DOUBTFUL: dict[str, Any] = {
    "status": Status.DOUBTFUL, "probability": 0.7, "alternatives": ((15, 0.2),),
}  # fmt: skip
STATIC = Path(app.__file__).parent / "static"
#: Bytes of all HTML, CSS and JavaScript that the page loads, unpacked.
MOST_BYTES = 75_000
#: A page that is not touched: the organiser's.
ON_SCREEN: dict[str, Any] = {"size": SCREEN, "touch": False}
#: The height of a total, in sizes of the letters around it.
LINE = 2.4
LONG_NAME = "Wolfeschlegelsteinhausenbergerdorff the Very Long of Sixty x"

Open = Callable[..., Night]


@pytest.fixture
def night(open_night: Open, server: str) -> Iterator[Night]:
    """The page on a phone; it writes nothing to the console."""
    night = open_night(server)
    yield night
    refused = "422 (Unprocessable"
    assert [line for line in night.console if refused not in line] == []


def evening(address: str) -> Any:
    with urllib.request.urlopen(f"{address}/api/evening") as answer:
        return json.load(answer)


def test_photo_to_rank_in_a_few_taps(night: Night) -> None:
    assert "all kingdoms at once" in night.text("#hint")
    hints = "[...document.querySelectorAll('.name')].map(name => name.placeholder)"
    assert night.run(hints) == ["Pink: name", "Yellow: name", "Green: name", "Blue: name"]
    night.photograph(" | ".join(TABLE), *COLOURS)
    assert night.until_seats(4) == [
        ["pink", "♛ 15"], ["blue", "12"], ["yellow", "11"], ["green", "9"],
    ]  # fmt: skip
    for colour, name in (("pink", "Ada"), ("blue", "Ben")):
        night.write(f"[data-seat={colour}] input", name)
        night.until_said(name)
    assert night.taps == 4
    night.tap("#tabs [data-view=evening]")
    night.view("evening")
    night.until_ranking(["1", "Ada", "15"], ["2", "Ben", "12"])
    night.load("#large")
    cut = "[...document.querySelectorAll('#large span')].filter(" \
          "words => words.scrollWidth > words.clientWidth).length"  # fmt: skip
    assert night.run(cut) == 0, "names are whole on a phone"
    night.load("#evening")
    assert night.count("#codes") == 0, "a family needs no codes"
    night.tap("#tabs [data-view=game]")
    night.tap("#new")
    night.until_said("Game 2 begins.")
    assert night.page.input_value("[data-seat=pink] input") == "Ada"


def test_kingdom_without_a_colour_is_asked_about(night: Night) -> None:
    night.photograph(BLUE)
    night.tap(".whose [data-give=yellow]")
    assert night.until_seats(1) == [["yellow", "12"]]
    night.undo("It is Yellow’s kingdom.")
    night.until_count(".whose", 1)
    night.tap(".whose [data-give=blue]")
    night.until_seats(1)
    # Another kingdom with the same castle, for the same game.
    night.photograph(GREEN, "blue")
    night.until_shown(".whose")
    assert "photographed again? (9)" in night.text(".whose p")
    assert night.count(".whose [data-give=blue]") == 0
    night.tap(".whose [data-again]")
    night.until_gone(".whose")
    # Two sure photos contradict each other.
    night.until("document.querySelector('.total').textContent === '12?'")
    night.undo("It is Blue’s kingdom.")
    night.tap(".whose [data-give=green]")
    assert night.until_seats(2) == [["blue", "12"], ["green", "9"]]


def test_other_phones_interrupt_no_writing(open_night: Open, server: str) -> None:
    first, second = open_night(server), open_night(server, **ON_SCREEN)
    field = first.page.locator("[data-seat=pink] input")
    field.press_sequentially("Ad")
    second.photograph(BLUE, "blue")
    second.until_seats(1)
    # The page looks what is new, and draws it, while somebody writes.
    for _ in range(2):
        with first.page.expect_response(lambda answer: "/api/evening" in answer.url):
            pass
    first.page.keyboard.press("a")
    field.blur()
    first.until_said("Ada is playing.")
    assert first.until_seats(1) == [["blue", "12"]]


def test_doubt_is_one_sentence(night: Night) -> None:
    night.show(BLUE, "blue", **DOUBTFUL)
    assert night.text("#sum") == "12?\ndoubtful, perhaps 15"
    assert night.text("#doubt-text").count(".") == 1
    for button in ("#right", "[for=again]"):
        box = night.box(button)
        assert box["y"] + box["height"] < 740
    night.tap("#right")
    night.until_gone("#doubt")
    assert night.text("#sum") == "12\nsettled: 12"
    night.undo("Blue: 12 points.")
    night.until_shown("#doubt")
    night.photograph(BLUE, "blue", field="again")
    night.view("game")
    night.until("document.querySelector('.total').textContent === '12'")


def test_confirming_settles_outlined_squares(night: Night) -> None:
    night.show(BLUE, "blue", fixes=(((1, 1), "G2"),), **DOUBTFUL)
    assert night.style("[data-place='A.b2']", "boxShadow") != "none"
    night.tap("#right")
    night.until_gone("#doubt")
    assert night.text("#sum") == "12\nsure"
    assert night.style("[data-place='A.b2']", "boxShadow") == "none", "no longer unclear"
    night.undo("Blue: 12 points.")
    night.until_shown("#doubt")
    assert night.text("#sum") == "12?\ndoubtful, perhaps 15"


def test_possible_kingdoms_are_named_by_region(night: Night) -> None:
    night.show(BLUE, "blue", left_out=("top", "bottom-right"))
    assert night.text("#sum") == "12\nsure", "the photo is in doubt, and not this kingdom"
    named = "There may be another kingdom at the top.*\n+There may be .* at the bottom right"
    assert re.match(named, night.text("#problems"))
    night.load()
    assert re.match(named, night.text("#left-out"))


def test_outside_place_is_dashed_and_tappable(night: Night) -> None:
    night.show(BLUE, "blue", fixes=(((0, 4), "W"),), **DOUBTFUL)
    night.until_count(".cell.add", 1)
    assert night.style(".cell.add[data-place='A.e1']", "borderTopStyle") == "dashed"
    night.open_square("A.e1")
    night.tap('#faces [data-face="W"]')
    night.until_said("e1 is wheat.")
    assert night.text("#kingdom-total") == "13"
    night.until_count(".cell.add", 0)


def test_square_is_corrected_and_undone(night: Night) -> None:
    night.show(BLUE, "blue")
    night.open_square("A.b2")
    assert night.text("#square-name") == "b2: grassland, 2 crowns"
    assert "/boards/A" in night.style("#crop", "backgroundImage") and night.overflow() == 0
    night.tap('#faces [data-face="G"]')
    assert night.until_said("b2 is") == "b2 is grassland."
    assert night.text("#kingdom-total") == "6"
    night.undo("b2 is grassland.")
    night.until("document.getElementById('kingdom-total').textContent === '12'")
    # Keys go from square to square, and open one.
    night.page.locator(".cell").first.focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        night.page.keyboard.press(key)
    night.until("document.getElementById('square').open")
    assert night.text("#square-name").startswith("c1")


def test_deleted_photo_comes_back(night: Night) -> None:
    night.show(f"{BLUE} | {GREEN}", "blue", "green")
    assert night.text("#delete") == "Delete photo (2 kingdoms)"
    night.tap("#delete")
    assert night.until_said("Photo deleted.") and night.seats() == []
    assert night.text("#undo") == "Undo"
    night.reload()
    assert night.count("#undo") == 0
    night.tap("#to-history")
    night.view("history")
    night.until_count("#log li", 2)
    assert night.text("#log button") == "Bring the photo back"
    night.tap("#log button")
    night.until_said("Undone.")
    night.load()
    assert night.until_seats(2) == [["blue", "♛ 12"], ["green", "9"]]


def test_undo_names_later_changes(open_night: Open, server: str) -> None:
    first, second = open_night(server), open_night(server, **ON_SCREEN)
    first.write("[data-seat=blue] input", "Ada")
    first.until_said("Ada is playing.")
    second.write("[data-seat=blue] input", "Ben")
    second.until_said("Ben is playing.")
    first.tap("#undo")
    said = first.until_said("changed this at")
    assert re.fullmatch(r"Phone 2 changed this at \d\d:\d\d: Ben plays Blue\.", said)
    first.until("document.querySelector('[data-seat=blue] input').value === 'Ben'")


def test_change_shows_at_once(night: Night) -> None:
    night.show(BLUE, "blue")
    night.hold("/fixes")
    for _ in range(2):  # a second tap while it is under way does nothing
        night.open_square("A.b2")
        night.tap('#faces [data-face="G"]')
    cell = "document.querySelector('[data-place=\"A.b2\"]')"
    night.until(f"{cell}.classList.contains('saving')")
    assert "face-G" in night.run(f"{cell}.innerHTML")
    assert night.run("document.querySelector('#sum').className") == "saving"
    night.let_go()
    night.until_said("b2 is grassland.")
    night.until(f"{cell}.className === 'cell'")
    assert night.text("#kingdom-total") == "6"


def test_phone_follows_to_a_new_game(open_night: Open, server: str) -> None:
    first, second = open_night(server), open_night(server, **ON_SCREEN)
    first.photograph(BLUE, "blue")
    for phone in (first, second):
        phone.until_seats(1)
    first.tap("#new")
    for phone in (first, second):
        phone.until("document.title.startsWith('Game 2')")
    # The next photo of the phone that followed goes there.
    second.photograph(GREEN, "green")
    assert first.until_seats(1) == [["green", "9"]]
    games = evening(server)["games"]
    assert [game["photos"] for game in games] == [1, 1]
    second.load(f"#game/{games[0]['id']}")
    assert second.text("#where-text") == "Game 2 has begun."
    first.tap("#new")
    second.until("document.getElementById('where-text').textContent === 'Game 3 has begun.'")
    assert second.seats() == [["blue", "12"]]
    second.tap("#to-current")
    second.until("document.title.startsWith('Game 3')")
    assert second.count("#where") == 0


def test_photo_for_an_old_evening_asks(night: Night, server: str) -> None:
    night.photograph(BLUE, "blue")
    night.until_seats(1)
    night.load("#evening")
    night.tap("#older summary")
    night.tap("#new-evening")
    night.view("game")
    night.tap("#tabs [data-view=evening]")
    night.tap("#older-list li:last-child button")
    night.until("document.body.classList.contains('old')")
    night.tap("#tabs [data-view=game]")
    assert "This is the evening of" in night.text("#where-text")
    night.photograph(GREEN, "green")
    night.until("document.getElementById('question').open")
    night.tap("[data-answer=today]")
    night.until_gone("#where")
    assert night.until_seats(1) == [["green", "9"]]
    assert [game["photos"] for game in evening(server)["games"]] == [1]


def test_back_closes_a_dialog(night: Night) -> None:
    night.show(BLUE, "blue")
    night.open_square("A.b2")
    night.run("history.back()")
    night.until("!document.getElementById('square').open")
    assert night.run("document.body.dataset.view") == "kingdom"
    # One that was closed by its button leaves nothing to go back to.
    night.open_square("A.b1")
    night.tap("#square form > button")
    night.until("!history.state?.dialog")
    night.run("history.back()")
    night.view("game")


def test_next_kingdom_by_tap_or_swipe(night: Night) -> None:
    night.photograph(" | ".join(TABLE), *COLOURS)
    night.until_seats(4)
    night.open_kingdom("pink")
    for title in ("Blue", "Yellow", "Green", "Pink"):
        night.tap("#next")
        night.until("title => document.getElementById('title').textContent === title", title)
    swipe = """
    () => {
    const board = document.getElementById('view-kingdom');
    for (const [kind, x] of [['touchstart', 300], ['touchend', 100]]) {
      const touch = new Touch({identifier: 1, target: board, clientX: x, clientY: 400});
      board.dispatchEvent(new TouchEvent(kind,
        {touches: kind === 'touchstart' ? [touch] : [], changedTouches: [touch], bubbles: true}));
    }
    }
    """
    night.run(swipe)
    night.until("document.getElementById('title').textContent === 'Blue'")
    assert night.run("document.title") == "Blue · kdscore"


def test_names_wait_without_network(night: Night, server: str) -> None:
    night.offline(True)
    night.until("!document.getElementById('offline').hidden")
    night.write("[data-seat=blue] input", "Ada")
    night.until("document.querySelector('[data-seat=blue].saving')")
    assert night.run("document.querySelector('[data-seat=blue] input').value") == "Ada"
    night.offline(False)
    night.until("!document.querySelector('.saving')")
    night.console.clear()
    with urllib.request.urlopen(f"{server}/api/games") as answer:
        (game,) = json.load(answer)
    assert [seat["player"] for seat in game["seats"]] == ["", "", "", "Ada"]


def test_many_waiting_photos_take_one_line(night: Night) -> None:
    night.offline(True)
    for _ in range(5):
        night.photograph(BLUE, "blue")
    night.until("document.querySelector('.pending')?.textContent.includes('5 photos to go.')")
    assert night.run("document.querySelectorAll('.pending').length") == 1
    night.offline(False)
    night.until_seats(1)
    night.console.clear()


def test_right_to_left_names_stand_apart(night: Night) -> None:
    name = "\u05d3\u05e0\u05d4"
    night.photograph(f"{BLUE} | {GREEN}", "blue", "green")
    night.until_seats(2)
    night.write("[data-seat=blue] input", name)
    assert night.until_said(name) == f"\u2068{name}\u2069 is playing."
    night.load("#evening")
    night.until("document.querySelectorAll('#ranking bdi').length === 2")
    assert night.run("document.querySelector('#ranking bdi').textContent") == name


def test_doubtful_place_beside_comes_first(night: Night) -> None:
    night.show(BLUE, "blue", fixes=(((0, 4), "-"),), **DOUBTFUL)
    right, again = night.box("#right"), night.box("[for=again]")
    assert (again["y"], again["x"]) < (right["y"], right["x"])


def test_rows_and_columns_are_lettered(night: Night) -> None:
    night.show(BLUE, "blue")
    edges = "[...document.querySelectorAll('.edge')].map(edge => edge.textContent)"
    assert night.run(edges) == ["a", "b", "c", "d", "1", "2", "3"]


def test_line_of_the_sum_lights_its_territory(night: Night) -> None:
    night.show(BLUE, "blue")
    lit = "[...document.querySelectorAll('.cell.lit')].map(cell => cell.dataset.place)"
    line = "#territories button:has-text('2 crowns')"
    night.tap(line)
    assert night.run(lit) == ["A.a2", "A.b2", "A.c2"]
    assert night.run("document.activeElement.getAttribute('aria-pressed')") == "true"
    night.tap(line)
    assert night.run(lit) == []


def test_refused_photo_offers_another_one(night: Night) -> None:
    night.photograph("")
    night.until_shown(".pending [role=alert]")
    assert "Take another photo" in night.text(".pending .act")
    night.photograph(BLUE, "blue")
    night.tap(".pending button")
    night.until_seats(1)


def test_photos_wait_through_a_lost_network(open_night: Open, tmp_path: Path) -> None:
    data = tmp_path / "e.sqlite"
    with running_server(data, fake=True) as running:
        night = open_night(running.address)
        # What opens without network has been kept.
        night.until("!!navigator.serviceWorker.controller")
        night.offline(True)
        night.photograph(BLUE, "blue")
        night.until_said("waiting for the network")
        night.offline(False)
        night.until_said("1 kingdom")
        running.process.kill()
        running.process.wait()
        night.photograph(GREEN, "green")
        night.until_said("waiting for the network")
        night.reload()
        assert night.count(".pending") == 1
        with running_server(data, fake=True, port=running.port):
            night.until_seats(2)
            assert evening(running.address)["games"][0]["photos"] == 2


def test_evenings_are_begun_named_and_deleted(night: Night, server: str) -> None:
    night.photograph(BLUE, "blue")
    night.until_seats(1)
    night.tap("#tabs [data-view=evening]")
    night.tap("#older summary")
    night.tap("#new-evening")
    night.view("game")
    night.until_gone(".seat:not(.waits)")
    night.tap("#tabs [data-view=evening]")
    night.until_count("#older-list li", 2)
    night.write("#evening-name", "Finals")
    night.until("document.getElementById('older-list').textContent.includes('Finals')")
    night.tap("#older-list li:last-child button")
    night.until_count("#ranking tr", 1)
    # An evening is deleted from inside.
    night.tap("#delete-evening")
    assert "cannot be undone" in night.text("#question-text")
    night.tap("[data-answer=yes]")
    night.until_count("#older-list li", 1)
    assert [each["name"] for each in evening(server)["evenings"]] == ["Finals"]


def test_nearly_full_disk_offers_old_evenings(
    open_night: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FREE, "400000000")
    with running_server(tmp_path / "e.sqlite", fake=True) as running:
        night = open_night(running.address)
        night.photograph(BLUE, "blue")
        night.until_seats(1)
        assert "nearly full" in night.text("#low")
        night.tap("#low a")
        night.view("evening")
        night.until("document.getElementById('older').open")
        night.until("document.getElementById('older').getBoundingClientRect().y < 600")
        assert night.text("#delete-evening") == "Delete this evening (1 MB)"
        assert violations(night.page) == []


def test_plain_http_promises_nothing(open_night: Open, server: str) -> None:
    """Under an address of the network browsers share nothing, and keep no page."""
    night = open_night(server.replace("127.0.0.1", "0.0.0.0"))
    assert not night.run("isSecureContext")
    night.photograph(BLUE, "blue")
    night.until_seats(1)
    night.tap("#tabs [data-view=evening]")
    assert night.text("#share") == "Save as a picture"
    with night.page.expect_download() as saved:
        night.tap("#share")
    assert saved.value.suggested_filename.endswith(".png")
    night.until_said("The picture is saved.")
    ignored = "Cross-Origin-Opener-Policy header has been ignored"
    assert [line for line in night.console if ignored not in line] == []


def test_page_switches_its_language(night: Night) -> None:
    night.load("#evening")
    night.tap("[name=language][value=de]")
    night.until("document.documentElement.lang === 'de' && document.body?.dataset.ready")
    assert night.text("label[for=camera]") == "Foto aufnehmen"


def test_missing_javascript_is_told(open_night: Open, server: str) -> None:
    night = open_night(server, is_open=False, scripts=False)
    night.page.goto(server)
    assert "needs JavaScript" in night.text("noscript")


@pytest.mark.parametrize(("language", "where"), [("en", "beside the QR"), ("de", "neben dem QR")])
def test_signing_in_leads_to_the_page(
    open_night: Open, tmp_path: Path, language: str, where: str
) -> None:
    words = ("--password", "meadow5x5")
    with running_server(tmp_path / "e.sqlite", *words, fake=True) as running:
        night = open_night(running.address, is_open=False, language=language)
        night.page.goto(running.address)
        for password in ("meadow", "meadow5x5"):
            assert where in night.text("form") and violations(night.page) == []
            night.page.fill("input", password)
            night.page.press("input", "Enter")
            night.until("location.search !== '' || document.body?.dataset.ready")
            night.page.wait_for_load_state()
        night.ready()


def test_shared_picture_has_every_kingdom(night: Night) -> None:
    night.photograph(" | ".join(TABLE), *COLOURS)
    night.until_seats(4)
    night.run(
        "() => { window.shared = null; navigator.canShare = () => true;"
        " navigator.share = async ({files, text}) =>"
        " { window.words = text; window.shared = files[0] } }"
    )
    night.tap("#tabs [data-view=evening]")
    night.tap("#share")
    night.until("window.shared !== null")
    script = "createImageBitmap(window.shared).then(image => [image.width, image.height])"
    assert night.run(script) == [1080, 810]
    assert re.search(r"\n1\. Pink 15\n2\. Blue 12\n", night.run("window.words"))


# ---------------------------------------------------------------- a tournament

SHEET = f"""round,table,player,colour
1,1,Ada,blue
1,1,{LONG_NAME},green
1,2,Cleo,pink
"""


def test_table_claims_and_organiser_settles(open_night: Open, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(SHEET)
    with running_server(tmp_path / "e.sqlite", "--sheet", sheet, fake=True) as running:
        code = evening(running.address)["games"][0]["code"]
        table, organiser = open_night(running.address), open_night(running.address, **ON_SCREEN)
        # Who has the password begins with what waits.
        organiser.view("evening")
        assert organiser.count("#codes") == 1
        table.page.goto(f"{running.address}/g/{code}")
        table.ready()
        assert table.text("#title") == "Game 1 / 1"
        table.photograph(f"{BLUE} | {GREEN}", "blue", "green")
        table.until_said("2 kingdoms")
        assert table.seats() == [] and "when everybody has" in table.text("#claim-first")
        for colour, claimed in (("blue", "14"), ("green", "9")):
            table.write(f"[data-seat={colour}] .number", claimed)
            table.until_said(claimed)
        assert table.until_seats(2) == [["Ada", "12"], [LONG_NAME, "9"]]
        assert table.overflow() == 0 and violations(table.page) == []
        organiser.load("#evening")
        organiser.until_shown(".difference")
        note = organiser.text(".difference")
        assert "Claimed 14, read 12" in note and organiser.text("#games a").endswith("needs a look")
        organiser.until_ranking(["1", "Ada", "12?"])
        assert violations(organiser.page) == []
        # The game that is opened shows the difference beside the list, and not twice.
        organiser.load("#game/" + evening(running.address)["games"][0]["id"])
        organiser.until_shown(".seat [data-accept=claim]")
        assert organiser.count("[data-accept=claim]") == 1
        organiser.tap(".seat [data-accept=claim]")
        organiser.until_count(".difference", 0)
        organiser.until_ranking(["1", "Ada", "14"])
        organiser.tap('a[href="#large"]')
        organiser.view("large")
        assert organiser.box("#large li")["height"] > 40
        organiser.page.goto(f"{running.address}/codes")
        assert organiser.count(".card svg") == 2
        with urllib.request.urlopen(f"{running.address}/results.csv") as results:
            assert "1,1,Ada,blue," in results.read().decode()
        assert sheet.read_text() == SHEET


def test_settling_again_asks(open_night: Open, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(SHEET)
    with running_server(tmp_path / "e.sqlite", "--sheet", sheet, fake=True) as running:
        night = open_night(running.address, **ON_SCREEN)
        night.load("#game/" + evening(running.address)["games"][0]["id"])
        night.photograph(BLUE, "blue")
        night.until_seats(1)
        # A typing error is refused, and stays to be mended.
        night.write("[data-seat=blue] .number", "1o")
        night.until_said("1o is no total")
        assert night.page.input_value("[data-seat=blue] .number") == "1o"
        night.write("[data-seat=blue] .number", "14")
        night.until_shown(".seat [data-accept=claim]")
        game = evening(running.address)["games"][0]["id"]
        request = urllib.request.Request(
            f"{running.address}/api/games/{game}/seats/blue",
            b'{"accept": 12}', {"Content-Type": "application/json"}, method="PUT",
        )  # fmt: skip
        night.hold("/api/evening")
        night.until("window.held.length")
        urllib.request.urlopen(request).close()
        with night.page.expect_response("**/seats/blue"):
            night.tap(".seat [data-accept=claim]")
        night.let_go()
        night.until_shown("#question")
        assert "settled already: 12" in night.text("#question-text")
        night.tap("[data-answer=yes]")
        night.until_said("Ada: 14 points.")
        night.reload()
        night.until("document.querySelector('.total')?.textContent === '14'")


# ---------------------------------------------------------------- every state


#: A phone, a phone with letters of twice the size, a phone that lies on its side.
UPRIGHT = (PHONE, "100%")
LARGE = (PHONE, "200%")
ASIDE = ((740, 360), "100%")


@pytest.mark.parametrize(
    ("language", "scheme", "shape"),
    [("en", "dark", UPRIGHT), ("de", "light", UPRIGHT), ("en", "light", LARGE),
     ("de", "dark", ASIDE)],
)  # fmt: skip
def test_every_state_is_accessible(
    open_night: Open, server: str, language: str, scheme: str, shape: tuple[tuple[int, int], str]
) -> None:
    size, letters = shape
    night = open_night(server, is_open=False, language=language, scheme=scheme, size=size)
    script = "addEventListener('DOMContentLoaded', () => { const style ="
    night.page.add_init_script(
        f"{script} document.documentElement.style; style.fontSize = '{letters}' }})"
    )
    night.load()
    # Sentences of the page in the other language that this one does not have.
    foreign = catalogue("de" if language == "en" else "en")
    words = {text for key, text in foreign.items() if key.startswith("page.") and "{" not in text}
    words -= {*catalogue(language).values()}

    def check() -> None:
        assert violations(night.page) == []
        lines = {line.strip() for line in night.text("body").splitlines()}
        assert lines.isdisjoint(words) and night.overflow() == 0

    # An empty game, a game with a question, a kingdom, a square, and the frame.
    check()
    night.photograph(f"{BLUE} | {GREEN}", "blue", left_out=("top",), **DOUBTFUL)
    night.until_shown(".whose")
    night.until_shown("#left-out p")
    night.write("[data-seat=blue] input", LONG_NAME)
    night.until_said(LONG_NAME)
    check()
    night.open_kingdom("blue")
    check()
    night.open_square("A.b2")
    check()
    night.run("document.getElementById('square').close()")
    night.tap("#edges")
    check()
    # The history, the evening and its end, and the page for the projector.
    night.load("#history")
    night.until_count("#log li", 2)
    check()
    night.load("#evening")
    night.tap("#older summary")
    check()
    night.tap("#delete-evening")
    night.until("document.getElementById('question').open")
    check()
    night.load("#large")
    check()


def test_projector_pages_3000_players(open_night: Open, server: str) -> None:
    """Every player is on one of the pages, in the order of ranks; letters are read from afar."""
    night = open_night(server, **ON_SCREEN)
    lines = [
        {"rank": rank, "player": f"Player {rank}", "total": 9000 - rank, "open": False}
        for rank in range(1, 3001)
    ]
    night.page.route("**/api/ranking*", lambda route: route.fulfill(json=lines))
    night.load("#large")
    night.until_shown("#large li")
    names, pages = "[...document.querySelectorAll('#large bdi')].map(name => name.textContent)", 0
    seen: list[str] = []
    while len(seen) < len(lines):
        pages += 1
        shown = list(night.run(names))
        assert 20 < len(shown) < 300 and float(night.style("#large", "fontSize")[:-2]) >= 20
        seen += shown
        night.run("document.getElementById('turn').click()")
        night.until("before => document.querySelector('#large bdi').textContent !== before",
                    shown[0])  # fmt: skip
    assert seen == [line["player"] for line in lines]
    assert night.text("#turn") == f"Page 1 of {pages}"


@pytest.mark.parametrize(
    ("width", "height", "font"),
    [(360, 740, "24px"), (360, 740, "32px"), (740, 360, "16px"), (820, 1180, "16px")],
)
def test_long_names_and_large_letters_fit(
    open_night: Open, server: str, width: int, height: int, font: str
) -> None:
    night = open_night(server, size=(width, height), touch=False)
    night.photograph(f"{BLUE} | {GREEN}", "blue", "green")
    night.until_seats(2)
    night.write("[data-seat=blue] input", LONG_NAME)
    night.until_said(LONG_NAME)
    night.run("font => { document.documentElement.style.fontSize = font }", font)
    assert night.overflow() == 0
    # The name does not vanish, and a total does not break between its digits.
    assert night.box("[data-seat=blue] .name")["width"] > 120
    assert night.box("[data-seat=blue] .total")["height"] < 1.5 * LINE * int(font[:-2])
    views = night.count("#view-game, #view-evening")
    assert views == (2 if width > 800 else 1), "a tablet has the ranking beside the game"
    # The kingdom has its total beside the board, or below it on a phone.
    night.open_kingdom("blue")
    assert night.overflow() == 0
    whole = "document.getElementById('kingdom-total').getBoundingClientRect().height"
    assert night.run(whole) < 1.5 * LINE * int(font[:-2])
    board, total = night.box("#board"), night.box("#sum")
    is_beside = total["x"] >= board["x"] + board["width"] and total["y"] < height
    assert is_beside is (width > height or width > 800), "the total stands beside the board"
    night.open_square("A.b2")
    assert night.overflow() == 0
    crop = night.box("#crop")
    assert crop["width"] > 150, "the square is large"
    assert abs(crop["width"] - crop["height"]) < 1, "the square is not stretched"
    night.load("#evening")
    name = night.page.locator("#game-name").is_visible()
    assert name is (width > 800), "the game beside the ranking has its name"


@pytest.mark.parametrize("language", ["en", "de"])
def test_page_is_light(client: TestClient, language: str) -> None:
    """The HTML with its styles, its scripts, and all that they import from the start."""
    page = client.get("/", headers={"accept-language": language})
    parts = set(re.findall(r'(?:href|src)="/static/([\w.-]+\.(?:css|js))"', page.text))
    weight, done = len(page.content), set[str]()
    while parts - done:
        name = min(parts - done)
        done.add(name)
        part = client.get(f"/static/{name}")
        weight += len(part.content)
        parts |= set(re.findall(r'^import .* from "\./([\w.-]+\.js)"', part.text, re.MULTILINE))
    print(f"weight of the page: {weight} bytes")
    assert {"page.css", "page.js", "net.js"} <= done and weight <= MOST_BYTES


def test_page_sentences_are_in_the_catalogue() -> None:
    asked = set()
    for script in STATIC.glob("*.js"):
        asked |= set(re.findall(r'text\("(page\.[\w.-]+)"', script.read_text("utf-8")))
    for template in (STATIC.parent / "templates").glob("*.html"):
        asked |= set(re.findall(r'say\("([\w.-]+)"[,)]', template.read_text("utf-8")))
    assert len(asked) > 70
    assert asked <= catalogue("en").keys() == catalogue("de").keys()
