"""The page of slips: one for every seat, as the reader expects them."""

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from kdvision.photo.photo import open_photo
from kdvision.sentences import languages
from kdvision.slips import layout
from kdvision.slips.event import Holder, with_seats
from kdvision.slips.page import Paper, slips_page
from kdvision.slips.reader import read_slips
from kdvision.slips.slip import SlipCode
from tests.support.ci import skip_unless_ci
from tests.support.waiting import PATIENCE_S

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")

SEATS = [
    Holder(name, str(1 + number // 4), str(round_))
    for round_ in (1, 2)
    for number, name in enumerate(["Ada", "Zoë Łuczak", "Bo & <b>Tim</b>", "José María García"])
]
EVENT = with_seats(SEATS)


class Elements(HTMLParser):
    """The elements of a page, each with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def of_class(self, name: str) -> list[dict[str, str]]:
        return [attrs for _, attrs in self.found if name in attrs.get("class", "").split()]


def test_every_seat_has_a_slip_with_its_code() -> None:
    elements = Elements(slips_page(SEATS, EVENT))
    codes = [SlipCode.parse(slip["data-code"]) for slip in elements.of_class("slip")]
    assert [EVENT.seat(code) for code in codes if code] == SEATS


def test_every_bubble_has_its_place_and_digit() -> None:
    elements = Elements(slips_page(SEATS[:1], EVENT))
    rings = [attrs for _, attrs in elements.found if "data-place" in attrs]
    found = {
        (ring["data-place"], int(ring["data-digit"])): (float(ring["cx"]), float(ring["cy"]))
        for ring in rings
    }
    assert found == {at: pytest.approx(xy, abs=0.01) for at, xy in layout.BUBBLES.items()}
    assert len(rings) == 32


@pytest.mark.parametrize("per_page", [6, 8])
@pytest.mark.parametrize("paper", list(Paper))
def test_pages_hold_six_or_eight_slips(paper: Paper, per_page: int) -> None:
    seats = [Holder(f"Player {number}", "1", "1") for number in range(20)]
    page = slips_page(seats, with_seats(seats), paper=paper, per_page=per_page)
    sections = page.split("<section")[1:]
    counts = [section.count('class="slip"') for section in sections]
    assert counts == [per_page] * (20 // per_page) + [20 % per_page] * (20 % per_page > 0)
    sizes = {Paper.A4: "210.0mm 297.0mm", Paper.LETTER: "215.9mm 279.4mm"}
    assert f"size: {sizes[paper]}" in page


def test_names_are_shown_as_text_and_nothing_is_fetched() -> None:
    page = slips_page(SEATS, EVENT)
    assert "<b>" not in page
    assert "Bo &amp;" in page
    assert "&lt;b&gt;Tim&lt;/b&gt;" in page
    addresses = re.findall(r"https?://[^\"\s<]+", page)
    assert set(addresses) <= {"http://www.w3.org/2000/svg"}
    assert "<script" not in page
    assert "<link" not in page


@pytest.mark.parametrize("language", languages())
def test_a_page_speaks_one_language(language: str) -> None:
    page = slips_page(SEATS, EVENT, language=language)
    assert f'lang="{language}"' in page
    other = {"en": "Runde", "de": "Round"}[language]
    assert other not in page


def test_a_long_name_stays_in_its_room() -> None:
    for name in ("Anna-Katharina von Hohenstein-Langenburg", "W" * 60, "王" * 30):
        seats = [Holder(name, "1", "1")]
        elements = Elements(slips_page(seats, with_seats(seats)))
        lines = elements.of_class("name")
        assert 1 <= len(lines) <= 2
        for line in lines:
            assert float(line["font-size"]) >= 2.5
            assert float(line.get("textlength", 0)) <= 51


@pytest.mark.parametrize("paper", list(Paper))
def test_a_browser_shows_slips_that_are_read(paper: Paper, tmp_path: Path) -> None:
    if not any(map(shutil.which, BROWSERS)):
        skip_unless_ci("There is no Chromium here.")
    seats = [Holder(name, "7", "3") for name in ("Ada", "Zoë", "Bo", "Maximilian von Hohenstein")]
    event = with_seats(seats)
    page, shot = tmp_path / "slips.html", tmp_path / "slips.png"
    page.write_text(slips_page(seats, event, paper=paper), "utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--force-device-scale-factor=2"]
    flags += ["--run-all-compositor-stages-before-draw"]  # no tile of the page is a preview
    browser = next(filter(None, map(shutil.which, BROWSERS)))
    subprocess.run(
        [browser, *flags, f"--user-data-dir={tmp_path / 'profile'}", f"--screenshot={shot}",
         "--window-size=900,620", page.as_uri()],
        capture_output=True, timeout=PATIENCE_S, check=True,
    )  # fmt: skip
    slips = read_slips(open_photo(shot), 2000)
    assert {event.seat(slip.code) for slip in slips} == set(seats)
    assert {(slip.claimed, slip.unclear) for slip in slips} == {(None, "slip.blank")}
