"""The page for everybody: contrast, one thumb, keyboard, screen reader, less motion, German."""

import re
from collections.abc import Callable

import pytest

from tests.support.contrast import weak_texts
from tests.support.night import ENTER, ESCAPE, RIGHT, TAB, Night
from tests.support.paths import ROOT, SAMPLES
from tests.support.table_of_two import TOTALS, table_of_two

TEXTS = ROOT / "kdvision" / "serve" / "static" / "night" / "texts.js"
#: Pixels that a thumb hits; WCAG 2.2 asks for 24.
LEAST_TOUCH_PX = 40
WIDER = "return document.documentElement.scrollWidth - innerWidth"
FOCUSED = "return document.activeElement.dataset.place || document.activeElement.id"


def look(night: Night, what: str) -> None:
    """What holds for everything that the page shows."""
    for scheme in ("light", "dark"):
        night.browser.prefer(scheme)
        assert weak_texts(night.browser) == [], (what, scheme)
    night.browser.prefer("light")
    assert night.run(WIDER) <= 0, what
    small = night.run(
        "const kinds = 'button, a, select, .camera label, #rules label, article input';"
        "return [...document.querySelectorAll(kinds)].filter(one => one.checkVisibility() && "
        "one.getBoundingClientRect().height < arguments[0]).map(one => one.outerHTML)",
        LEAST_TOUCH_PX,
    )
    assert small == [], what
    acts = ("button", "link", "textbox", "combobox", "switch", "image", "dialog")
    nameless = [role for role, name in night.browser.accessible() if role in acts and not name]
    assert nameless == [], what


def test_everything_can_be_read_and_hit_and_has_a_name(night: Night) -> None:
    look(night, "the start")
    night.upload(SAMPLES / "two_kingdoms.jpg")
    look(night, "a photo")
    night.open_square("A.c1")
    night.tap('#faces [aria-disabled="true"]')
    look(night, "a square")
    night.run("document.getElementById('square').close()")
    night.settle("A.c1", "M3")
    assert night.run("return document.querySelectorAll('.unsure').length") >= 1
    night.name_players("Ada", "Ben")
    night.tap("#keep")
    night.until_said("is kept")
    look(night, "the evening")


def test_the_measure_finds_what_is_too_weak(open_night: Callable[[str], Night]) -> None:
    night = open_night("phone")
    night.run("document.querySelector('footer').style.color = '#999'")
    assert [one.split()[0] for one in weak_texts(night.browser)] == ["FOOTER."]


def test_squares_are_settled_by_keyboard(night: Night) -> None:
    night.upload(SAMPLES / "plus.jpg")
    night.run("document.getElementById('size').focus()")
    for _ in range(8):
        night.browser.press(TAB)
        if night.run("return document.activeElement.classList.contains('cell')"):
            break
    assert night.run(FOCUSED) == "A.a1"
    night.browser.press(RIGHT, RIGHT)
    assert night.run(FOCUSED) == "A.c1"
    night.browser.press(ENTER)
    night.browser.until("return document.getElementById('square').dataset.ready === 'A.c1'")
    assert night.run("return document.activeElement.dataset.face") == "G2"
    night.browser.press(ESCAPE)
    night.browser.until("return !document.getElementById('square').open")
    night.browser.until("return document.activeElement.dataset.place === 'A.c1'")
    night.browser.press(ENTER)
    night.browser.until("return document.getElementById('square').dataset.ready === 'A.c1'")
    night.run("document.querySelector('#faces [data-face=G1]').focus()")
    night.changes(lambda: night.browser.press(ENTER))
    assert night.totals() == ["8"]
    assert night.status().startswith("c1 is grassland, 1 crown.")
    night.browser.until("return document.activeElement.dataset.place === 'A.c1'")
    label = "return document.activeElement.getAttribute('aria-label')"
    assert night.run(label) == "c1: grassland, 1 crown"
    # The Tab key stops at each "+" and once at the squares.
    stops = "return document.querySelectorAll('#overlay [tabindex=\"0\"]').length"
    assert night.run(stops) == 5


def test_a_screen_reader_is_given_the_squares_and_what_happens(night: Night) -> None:
    night.upload(table_of_two())
    given = night.browser.accessible()
    assert ("button", "A.a1: grassland") in given
    assert ("group", f"Kingdom A: {TOTALS[0]}") in given
    assert ("button", "Add a column on the left of kingdom B") in given
    assert ("textbox", "Player, Kingdom A") in given or ("combobox", "Player, Kingdom A") in given
    assert ("switch", "Harmony (+5)") in given
    assert ("status", "") in given or any(role == "status" for role, _ in given)
    night.open_square("A.a1")
    names = [name for role, name in night.browser.accessible() if role == "button"]
    assert any(name.startswith("mine, 3 crowns: ") for name in names)
    assert "grassland" in names


@pytest.mark.parametrize(("motion", "name"), [("no-preference", "pulse"), ("reduce", "none")])
def test_doubtful_squares_pulse_for_who_likes_motion(
    open_night: Callable[[str], Night], motion: str, name: str
) -> None:
    night = open_night("phone")
    night.browser.prefer("light", motion=motion)
    night.upload(SAMPLES / "plus.jpg")
    night.settle("A.c1", "M3")
    night.run("document.querySelector('.cell').classList.add('doubt')")
    moving = "return getComputedStyle(document.querySelector('.doubt')).animationName"
    assert night.run(moving) == name


def test_a_german_browser_gets_german(open_night: Callable[[str], Night]) -> None:
    night = open_night("phone")
    night.browser.speak("de-DE")
    night.load()
    assert night.run("return document.documentElement.lang") == "de"
    night.upload(SAMPLES / "meadow_5x5.jpg")
    assert night.status() == "Sicher."
    night.tap("#kingdoms li button")
    assert night.status() == "Wiese: 11 Felder × 6 Kronen = 66"
    night.open_square("A.a1")
    assert night.run("return document.querySelector('#faces .face').title") == "Weizen"
    look(night, "German")


def test_both_languages_say_the_same_things() -> None:
    english, german = (
        dict(re.findall(r'\b(\w+): "((?:[^"\\]|\\.)*)"', part))
        for part in TEXTS.read_text("utf-8").split("de: {")
    )
    assert english.keys() == german.keys() and len(english) > 60
    for key, sentence in english.items():
        holes = [sorted(re.findall(r"\{\w+\}", one)) for one in (sentence, german[key])]
        assert holes[0] == holes[1], key


def test_every_text_that_is_asked_for_is_there() -> None:
    known = set(re.findall(r'\b(\w+): "', TEXTS.read_text("utf-8")))
    page = (TEXTS.parents[2] / "templates" / "page.html").read_text("utf-8")
    asked = set(re.findall(r'data-text="(\w+)"', page))
    for script in TEXTS.parent.glob("*.js"):
        asked |= set(re.findall(r'\btext\("(\w+)"', script.read_text("utf-8")))
    assert asked <= known
