"""A report is accessible, as axe-core sees it in a browser: letters stand out, headings nest."""

from contextlib import closing

import pytest

from kdvision.report.html import Card, Page, make_card, write_html
from kdvision.tournament.report import STATES
from tests.support.axe import violations
from tests.support.browser import Browser
from tests.support.results import DOUBTFUL_PHOTO, PHOTO, TWO_KINGDOMS


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_is_accessible(tmp_path, driver_port, scheme):
    """With a card of every state, standings and warnings."""
    cards = [Card("9.jpg", state, "Ann, round 1", 8, "x") for state in STATES]
    whole = [make_card(photo, "Ben") for photo in (PHOTO, DOUBTFUL_PHOTO, TWO_KINGDOMS)]
    table = ("Game 1", ("Rank", "Player", "Note"), [("1", "Ann", "doubtful")])
    counts = [(state, 1) for state in STATES]
    about = Page("An evening", counts, [table], ["A note."], "9 photos.", ["A warning."])
    write_html(tmp_path / "r.html", about, [*cards, *whole])
    with closing(Browser(driver_port, tmp_path / "profile", 390, 844, phone=True)) as browser:
        browser.prefer(scheme)
        browser.open(tmp_path / "r.html")
        browser.run("document.querySelectorAll('details').forEach(part => part.open = true)")
        for step in (
            "return document.body",
            "document.querySelector('[data-filter=sure]').click()",
            "document.getElementById('large').showModal()",
        ):
            browser.run(step)
            assert violations(browser) == []
        back = browser.run("return getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, back[4:-1].split(","))) > 384) is (scheme == "light")
