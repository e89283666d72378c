"""The page for everybody: axe, contrast, thumbs, keyboard, large type, landscape, German."""

import json
import re
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from kdvision.sentences import catalogue
from kdvision.serve.guard import Failures
from tests.support import axe
from tests.support.browser import Browser
from tests.support.contrast import weak_texts
from tests.support.night import ENTER, ESCAPE, RIGHT, TAB, Night
from tests.support.paths import ROOT, SAMPLES
from tests.support.serving import running_server

STATIC = ROOT / "kdvision" / "serve" / "static"
#: Pixels that a thumb hits; WCAG 2.2 asks for 24.
LEAST_TOUCH_PX = 44
#: How high a page may be.
MOST_SCREENS = 2.5
#: Bytes of everything that the page loads, without the pictures of kingdoms.
MOST_BYTES = 80_000
SCRIPTS = sorted(STATIC.rglob("*.js"))
MOST_SCRIPTS = 9
LITERAL = re.compile(r"""["'`]([^"'`\n]*)["'`]""")
#: Words as people read them: a capital and more words, or words and a full stop.
SENTENCE = re.compile(r"^[A-Z][a-z]+(:? [a-z]+|:? \$)|[a-z] [a-z]+[.!?:]$")
#: JavaScript files of the page.
MOST_FILES = 5
WIDER = "return document.documentElement.scrollWidth - innerWidth"
FOCUSED = "return document.activeElement.dataset.place || document.activeElement.id"
LANGUAGES = ("en", "de")


def look(night: Night, what: str) -> None:
    """Check what holds for everything that the page shows."""
    for scheme in ("light", "dark"):
        night.browser.prefer(scheme)
        assert weak_texts(night.browser) == [], (what, scheme)
        assert axe.violations(night.browser) == [], (what, scheme)
    night.browser.prefer("light")
    assert night.run(WIDER) <= 0, what
    assert night.screens() <= MOST_SCREENS, what
    small = night.run(
        "const kinds = 'button, a, select, summary, label[for], #rules label, .player input';"
        "return [...document.querySelectorAll(kinds)].filter(one => one.checkVisibility() && "
        "one.tabIndex !== -1 | one.matches('.cell, label') && "
        "Math.min(one.getBoundingClientRect().height, one.getBoundingClientRect().width)"
        " < arguments[0]).map((one) => `${one.getBoundingClientRect().width} x "
        "${one.getBoundingClientRect().height}: ${one.outerHTML}`)",
        LEAST_TOUCH_PX,
    )
    assert small == [], what
    acts = ("button", "link", "textbox", "combobox", "switch", "image", "dialog")
    nameless = [role for role, name in night.browser.accessible() if role in acts and not name]
    assert nameless == [], what


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_view_can_be_read_and_hit_and_has_a_name(
    open_night: Callable[[str], Night], language: str
) -> None:
    night = open_night("phone")
    night.browser.speak(f"{language}-{language.upper()}")
    night.load()
    assert night.run("return document.documentElement.lang") == language
    look(night, "the start")
    night.upload(SAMPLES / "two_kingdoms.jpg", 2)
    night.name("Ada", "Ben")
    look(night, "a game")
    night.open_kingdom()
    look(night, "a kingdom")
    night.tap("#edges")
    night.browser.until("return document.querySelector('.cell.add')")
    look(night, "squares to add")
    square = night.places()[-9]
    night.open_square(square)
    night.tap('#faces [aria-disabled="true"]')
    look(night, "a square")
    night.tap("#reason button")
    night.browser.until("return document.querySelector('.unsure')?.textContent")
    look(night, "a doubtful kingdom")
    night.tap("#photo")
    look(night, "the photo")
    night.run("document.getElementById('whole').close()")
    night.back()
    night.tap("#new")
    night.browser.until("return !document.querySelector('.player:not(.waits)')")
    night.upload(SAMPLES / "two_kingdoms.jpg", 2)
    look(night, "whose kingdom it is")
    night.tap('#tabs [data-view="evening"]')
    look(night, "the evening")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_that_asks_for_the_password(
    driver_port: int, tmp_path: Path, language: str
) -> None:
    with (
        running_server(tmp_path / "e.sqlite", "--password", "meadow5x5") as server,
        closing(Browser(driver_port, tmp_path / "profile", 360, 740, phone=True)) as browser,
    ):
        browser.speak(f"{language}-{language.upper()}")
        night = Night(browser, server.address)
        for word, then in (("a guess", "return document.querySelector('[role=alert]')"),
                           ("meadow5x5", "return document.body?.dataset.ready")):  # fmt: skip
            browser.visit(f"{server.address}/#evening")
            assert night.run("return document.documentElement.lang") == language
            look(night, "the password")
            night.run("document.querySelector('input').value = arguments[0]", word)
            time.sleep(Failures.FIRST_S)
            night.tap("button")
            browser.until(then)


def test_the_measure_finds_what_is_too_weak(open_night: Callable[[str], Night]) -> None:
    night = open_night("phone")
    night.run("document.getElementById('title').style.color = '#999'")
    assert [one.split()[0] for one in weak_texts(night.browser)] == ["H1."]
    assert [one.split(":")[0] for one in axe.violations(night.browser)] == ["color-contrast"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_letters_of_twice_the_size_are_not_wider_than_the_screen(
    open_night: Callable[[str], Night], language: str
) -> None:
    night = open_night("phone")
    night.browser.speak(f"{language}-{language.upper()}")
    night.load()
    night.run("document.documentElement.style.fontSize = '200%'")
    night.upload(SAMPLES / "two_kingdoms.jpg", 2)
    assert night.run(WIDER) <= 0
    night.open_kingdom()
    assert night.run(WIDER) <= 0
    night.open_square(night.places()[0])
    assert night.run(WIDER) <= 0
    night.run("document.getElementById('square').close(); location.hash = 'evening'")
    night.browser.until("return !document.getElementById('view-evening').hidden")
    assert night.run(WIDER) <= 0


def test_a_phone_on_its_side_shows_all_faces(open_night: Callable[[str], Night]) -> None:
    night = open_night("phone")
    night.upload(SAMPLES / "plus.jpg")
    night.browser.resize(740, 360)
    night.open_kingdom()
    night.open_square("A.c1")
    hidden = night.run(
        "return [...document.querySelectorAll('#faces .face')].filter((one) =>"
        "one.getBoundingClientRect().bottom > innerHeight).map((one) => one.dataset.face)"
    )
    assert hidden == []


def test_squares_are_settled_by_keyboard(open_night: Callable[[str], Night]) -> None:
    night = open_night("phone")
    night.upload(SAMPLES / "plus.jpg")
    night.open_kingdom()
    night.run("document.getElementById('title').focus()")
    # The button that takes changes back, and then the squares, which are one stop.
    night.browser.press(TAB, TAB)
    assert night.run(FOCUSED) == "A.a1"
    night.browser.press(RIGHT, RIGHT)
    assert night.run(FOCUSED) == "A.c1"
    night.browser.press(ENTER)
    night.browser.until("return document.getElementById('square').dataset.ready === 'A.c1'")
    assert night.run("return document.activeElement.dataset.face") == "G2"
    night.browser.press(ESCAPE)
    night.browser.until("return document.activeElement.dataset.place === 'A.c1'")
    night.browser.press(ENTER)
    night.browser.until("return document.getElementById('square').dataset.ready === 'A.c1'")
    night.run("document.querySelector('#faces [data-face=G1]').focus()")
    night.changes(lambda: night.browser.press(ENTER))
    assert night.total() == "8"
    assert night.status().startswith("c1 is grassland, 1 crown.")
    night.browser.until("return document.activeElement.dataset.place === 'A.c1'")
    label = "return document.activeElement.getAttribute('aria-label')"
    assert night.run(label) == "c1: grassland, 1 crown"


@pytest.mark.parametrize(("motion", "name"), [("no-preference", "pulse"), ("reduce", "none")])
def test_doubtful_squares_pulse_for_who_likes_motion(
    open_night: Callable[[str], Night], motion: str, name: str
) -> None:
    night = open_night("phone")
    night.browser.prefer("light", motion=motion)
    night.upload(SAMPLES / "plus.jpg")
    night.open_kingdom()
    night.run("document.querySelector('.cell').classList.add('doubt')")
    moving = "return getComputedStyle(document.querySelector('.doubt')).animationName"
    assert night.run(moving) == name


def test_a_german_page_says_nothing_in_english(open_night: Callable[[str], Night]) -> None:
    night = open_night("phone")
    night.browser.speak("de-DE")
    night.load()
    night.upload(SAMPLES / "meadow_5x5.jpg")
    assert night.status() == "1 Königreich auf dem Foto."
    night.open_kingdom()
    night.tap("#territories button")
    assert night.status() == "11 Felder × 6 Kronen = 66"
    night.open_square("A.a1")
    assert night.run("return document.querySelector('#faces .face').title") == "Weizen"
    # Faces are colours and pictures, without the letters of kingdom lines.
    shown = night.run("return [...document.querySelectorAll('.face')].map((one) => one.innerText)")
    assert {letter for one in shown for letter in one if letter.isalpha()} == set()
    english = {text for key, text in catalogue("en").items() if key.startswith("page.")}
    german = {text for key, text in catalogue("de").items() if key.startswith("page.")}
    texts = night.run(
        "const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);"
        "const found = []; while (walk.nextNode()) found.push(walk.currentNode.data.trim());"
        "return found"
    )
    assert set(texts) & (english - german) == set()


def test_players_without_a_name_are_colours_in_german(open_night: Callable[[str], Night]) -> None:
    night = open_night("phone")
    night.browser.speak("de-DE")
    night.load()
    night.upload(SAMPLES / "two_kingdoms.jpg", 2)
    night.name("Ada")
    night.tap('#tabs [data-view="evening"]')
    # The name may still be on its way when the ranking is drawn first.
    night.browser.until("return document.getElementById('ranking').textContent.includes('Ada')")
    assert {line[1] for line in night.ranking()} == {"Ada", "Grün"}
    assert "Grün" in night.run("return document.getElementById('games').textContent")


def test_what_is_scrolled_passes_below_the_whole_header(
    open_night: Callable[[str], Night],
) -> None:
    night = open_night("phone")
    night.upload(SAMPLES / "gaps_7x7.jpg")
    night.open_kingdom()
    night.run("scrollTo(0, 150)")
    there = "return document.elementFromPoint(arguments[0], 20).closest('header') !== null"
    assert [night.run(there, x) for x in (1, 180, 358)] == [True, True, True]


def test_the_photo_is_zoomed_by_two_fingers(open_night: Callable[[str], Night]) -> None:
    night = open_night("phone")
    night.upload(SAMPLES / "plus.jpg")
    night.open_kingdom()
    night.tap("#photo")
    night.browser.until("return document.getElementById('whole-picture').complete")
    assert night.run("return visualViewport.scale") == 1
    night.browser.spread(180, 200)
    night.browser.until("return visualViewport.scale > 2")


def test_every_sentence_that_a_page_asks_for_is_in_the_catalogue() -> None:
    asked = set()
    for script in SCRIPTS:
        asked |= set(re.findall(r'"(page\.[\w.-]+)"', script.read_text("utf-8")))
    for template in (STATIC.parent / "templates").glob("*.html"):
        asked |= set(re.findall(r'say\("([\w.-]+)"[,)]', template.read_text("utf-8")))
    assert len(asked) > 120
    assert asked <= catalogue("en").keys() == catalogue("de").keys()


def test_there_are_few_scripts() -> None:
    assert 5 < len(SCRIPTS) <= MOST_SCRIPTS


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_no_script_holds_a_sentence(script: Path) -> None:
    """What is said stands in the catalogue; errors of ours for ourselves are single words."""
    code = re.sub(r"^\s*//.*$", "", script.read_text("utf-8"), flags=re.MULTILINE)
    said = [text for text in LITERAL.findall(code) if SENTENCE.search(text)]
    assert said == []


@pytest.mark.parametrize("text", ["Write your name first.", "no photo yet.", "It failed: ${why}"])
def test_a_sentence_in_a_script_is_found(text: str) -> None:
    assert SENTENCE.search(text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_light(client: TestClient, language: str) -> None:
    """With its styles, its scripts, and the scripts that these import."""
    answer = client.get("/", headers={"accept-language": language})
    assert answer.status_code == 200
    linked = re.findall(r'(?:href|src)="(/static/[\w/.-]+\.(?:css|js|svg))"', answer.text)
    weights, open_ = {"/": len(answer.content)}, [*linked]
    while open_:
        path = open_.pop()
        if path in weights:
            continue
        data = client.get(path)
        assert data.status_code == 200, path
        weights[path] = len(data.content)
        for name in re.findall(r'from "(\.[\w/.]+)"', data.text):
            parts = [*path.split("/")[:-1], *name.split("/")]
            while ".." in parts:
                up = parts.index("..")
                parts = parts[: up - 1] + parts[up + 1 :]
            open_.append("/".join(part for part in parts if part != "."))
    assert len(weights) >= 3
    assert sum(weights.values()) <= MOST_BYTES, weights


def test_the_page_is_light(open_night: Callable[[str], Night]) -> None:
    night = open_night("phone")
    night.upload(SAMPLES / "plus.jpg")
    loaded = night.run(
        "return [performance.getEntriesByType('navigation')[0],"
        "...performance.getEntriesByType('resource')].filter((one) => !one.name.includes('/api/'))"
        ".map((one) => [one.name, one.decodedBodySize])"
    )
    assert {name.rsplit("/", 1)[1] for name, _ in loaded} >= {"page.js", "net.js", "night.css"}
    assert sum(name.endswith(".js") for name, _ in loaded) <= MOST_FILES
    weight = sum(size for _, size in loaded)
    print(f"weight of the page: {weight} bytes")
    assert weight <= MOST_BYTES


def test_the_page_can_be_put_beside_other_apps(open_night: Callable[[str], Night]) -> None:
    night = open_night("phone")
    about = json.loads(
        night.browser.run_async(
            "fetch(document.querySelector('link[rel=manifest]').href)"
            ".then((one) => one.text()).then(done)"
        )
    )
    assert (about["start_url"], about["display"]) == ("/", "standalone")
    for icon in about["icons"]:
        side = night.browser.run_async(
            f"const one = new Image(); one.src = {icon['src']!r};"
            "one.decode().then(() => done(`${one.width}x${one.height}`))"
        )
        assert side == icon["sizes"]
