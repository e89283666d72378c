"""The page in a real browser, at the size of a phone and of a desk."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.browser import Browser, driver
from tests.support.paths import SAMPLES
from tests.support.serving import running_server

STATUS = "return document.getElementById('status').textContent"
TOTALS = "return [...document.querySelectorAll('.total')].map(one => one.textContent)"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with driver() as port:
        yield port


@pytest.fixture
def server(scorer, tmp_path: Path) -> Iterator[str]:
    """The address of a server that runs as its command starts it."""
    with running_server(tmp_path / "evening.sqlite") as running:
        yield running.address


@pytest.fixture(params=[(360, 740, True), (1280, 800, False)], ids=["phone", "desk"])
def page(request, port: int, server: str, tmp_path: Path) -> Iterator[Browser]:
    """The page, loaded."""
    width, height, phone = request.param
    browser = Browser(port, tmp_path / "profile", width, height, phone=phone)
    try:
        browser.visit(server)
        ready(browser)
        yield browser
        assert browser.console() == []
    finally:
        shown = os.environ.get("KDVISION_SCREENSHOTS")
        if shown:
            browser.picture(Path(shown) / f"{request.node.name}.png")
        browser.close()


def ready(browser: Browser) -> None:
    browser.until("return document.body.dataset.ready")


def upload(browser: Browser, name: str) -> list[str]:
    """Send a sample; the totals on the picture."""
    before = browser.run("return localStorage.getItem('photo') || ''")
    browser.give_file("#file", SAMPLES / name)
    browser.until(
        f"return localStorage.getItem('photo') && localStorage.getItem('photo') !== {before!r} && "
        "!document.getElementById('photo').hidden && "
        "document.getElementById('progress').hidden && "
        "document.getElementById('picture').complete && "
        "document.getElementById('picture').naturalWidth"
    )
    return browser.run(TOTALS)


def tap(browser: Browser, place: str, face: str, kind: str = ".cell") -> None:
    """Tap a square, and then one of the faces."""
    browser.run(
        "const square = [...document.querySelectorAll(arguments[0])]"
        ".find(one => one.getAttribute('aria-label').startsWith(arguments[1] + ' '));"
        "square.dispatchEvent(new MouseEvent('click', {bubbles: true}))",
        kind,
        place,
    )
    browser.until("return document.getElementById('square').open")
    before = browser.run(STATUS)
    browser.run(
        "[...document.querySelectorAll('#faces .face')]"
        ".find(one => one.title === arguments[0]).click();"
        "document.getElementById('status').textContent = 'waiting'",
        face,
    )
    browser.until(f"{STATUS} !== 'waiting'")
    assert before


def test_a_photo_is_corrected_and_kept(page: Browser) -> None:
    assert upload(page, "plus.jpg") == ["9"]
    # c1 is grassland with two crowns: 2 points. With one crown it is 1.
    tap(page, "c1", "grassland, 1 crowns")
    assert page.run(TOTALS)[0].startswith("8")
    tap(page, "f3", "wheat", ".plus")
    assert "f3 wheat" in str(
        page.run("return [...document.querySelectorAll('.cell')].map(c => c.ariaLabel)")
    )
    for expected in ("8", "9"):
        page.run("document.getElementById('status').textContent = 'waiting'")
        page.run("document.getElementById('undo').click()")
        page.until(f"{STATUS} !== 'waiting'")
        assert page.run(TOTALS)[0].startswith(expected)
    assert page.run("return document.getElementById('undo').disabled")


def test_players_games_and_ranking(page: Browser) -> None:
    for game in ("1", "2"):
        upload(page, "two_kingdoms.jpg")
        page.run(
            "document.querySelectorAll('#kingdoms input').forEach((field, at) => {"
            "field.value = ['<script>alert(1)</script>', 'Ben'][at];"
            "field.dispatchEvent(new Event('change'))});"
            "document.getElementById('keep').click()"
        )
        page.until(f"{STATUS} === 'Game {game} is kept.'")
    rows = page.run(
        "return [...document.querySelectorAll('#ranking td:nth-child(2)')].map(c => c.textContent)"
    )
    assert sorted(rows) == ["<script>alert(1)</script>", "Ben"]
    assert page.run("return document.querySelectorAll('#games li').length") == 2
    page.run("location.reload()")
    ready(page)
    assert page.run("return document.querySelectorAll('#games li').length") == 2
    assert len(page.run(TOTALS)) == 2
    names = page.run("return [...document.querySelectorAll('#names option')].map(o => o.value)")
    assert "Ben" in names


def test_a_territory_lights_up(page: Browser) -> None:
    upload(page, "meadow_5x5.jpg")
    page.run("document.querySelector('#kingdoms li button').click()")
    assert page.run(STATUS) == "grassland: 11 squares × 6 crowns = 66"
    assert page.run("return document.querySelectorAll('.cell.lit').length") == 11


@pytest.mark.parametrize(("name", "count"), [("three_kingdoms.jpg", 3), ("four_kingdoms.jpg", 4)])
def test_tables_of_several_kingdoms(page: Browser, name: str, count: int) -> None:
    totals = upload(page, name)
    assert len(totals) == count
    assert sum(total.startswith("♛") for total in totals) == 1
    assert page.run("return document.querySelectorAll('#kingdoms article').length") == count


def test_what_cannot_be_scored_says_why(page: Browser, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no photo")
    (tmp_path / "large.jpg").write_bytes(b"\xff\xd8" + bytes(70_000_000))
    for path in (SAMPLES / "not_a_kingdom.jpg", tmp_path / "notes.txt", tmp_path / "large.jpg"):
        page.run("document.getElementById('status').textContent = ''")
        page.give_file("#file", path)
        said = page.until(f"{STATUS}.startsWith('It did not work') && {STATUS[7:]}", 60)
        assert len(said) > 30
    assert any("422" in one or "413" in one for one in page.console())


def test_photos_wait_for_the_network_and_are_sent_once(page: Browser, server: str) -> None:
    page.offline(True)
    page.give_file("#file", SAMPLES / "plus.jpg")
    page.until(f"{STATUS} === '1 photo(s) wait for the network.'")
    page.offline(False)
    page.until(f"{TOTALS}.length === 1")
    page.run("location.reload()")
    ready(page)
    assert page.run(TOTALS) == ["9"]
    page.console()


def test_nothing_is_wider_than_the_screen_and_everything_has_a_name(page: Browser) -> None:
    upload(page, "two_kingdoms.jpg")
    assert page.run("return document.documentElement.scrollWidth - innerWidth") <= 0
    nameless = page.run(
        "return [...document.querySelectorAll('button, a, [role=button]')].filter(one => "
        "one.checkVisibility() && !(one.getAttribute('aria-label') || one.textContent.trim()))"
        ".length"
    )
    assert nameless == 0
    small = page.run(
        "return [...document.querySelectorAll('button, .camera label')].filter(one => "
        "one.checkVisibility() && one.getBoundingClientRect().height < 40).length"
    )
    assert small == 0
