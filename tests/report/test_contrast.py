"""Letters of a report against what is behind them, as a browser shows them."""

from pathlib import Path

import pytest

from kdvision.report.html import Card, Page, card_of, write_html
from kdvision.tournament.report import STATES
from tests.support.browser import Browser, driver
from tests.support.contrast import weak_texts
from tests.support.results import DOUBTFUL_PHOTO, PHOTO, TWO_KINGDOMS


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with a card of every state, standings and warnings."""
    cards = [Card("9.jpg", state, "Ann, round 1", 8, "x") for state in STATES]
    whole = [card_of(photo, "Ben") for photo in (PHOTO, DOUBTFUL_PHOTO, TWO_KINGDOMS)]
    path = tmp_path_factory.mktemp("contrast") / "r.html"
    table = ("Game 1", ("Rank", "Player", "Note"), [("1", "Ann", "doubtful")])
    counts = [(state, 1) for state in STATES]
    about = Page("An evening", counts, [table], ["A note."], "9 photos.", ["A warning."])
    write_html(path, about, [*cards, *whole])
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "phone"), [(1280, False), (390, True)])
def test_all_letters_stand_out(
    tmp_path: Path, page: Path, scheme: str, width: int, phone: bool
) -> None:
    with driver() as port:
        browser = Browser(port, tmp_path / "profile", width, 844, phone=phone)
        try:
            browser.prefer(scheme)
            browser.open(page)
            browser.run("document.querySelectorAll('details').forEach(part => part.open = true)")
            assert weak_texts(browser) == []
            browser.run("document.querySelector('[data-filter=sure]').click()")
            assert weak_texts(browser) == []
            browser.run("document.getElementById('large').showModal()")
            assert weak_texts(browser) == []
            back = browser.run("return getComputedStyle(document.body).backgroundColor")
        finally:
            browser.close()
    assert (sum(map(int, back[4:-1].split(","))) > 384) is (scheme == "light")
