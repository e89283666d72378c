"""A report is accessible, as axe-core sees it in a browser: letters stand out, headings nest."""

import pytest

from kdvision.report.html import Card, Page, make_card, write_html
from kdvision.tournament.report import STATES
from tests.support.axe import violations
from tests.support.chromium import open_page
from tests.support.results import DOUBTFUL_PHOTO, PHOTO, TWO_KINGDOMS


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_is_accessible(tmp_path, chromium, scheme):
    """With a card of every state, standings and warnings."""
    cards = [Card("9.jpg", state, "Ann, round 1", 8, "x") for state in STATES]
    whole = [make_card(photo, "Ben") for photo in (PHOTO, DOUBTFUL_PHOTO, TWO_KINGDOMS)]
    table = ("Game 1", ("Rank", "Player", "Note"), [("1", "Ann", "doubtful")])
    counts = [(state, 1) for state in STATES]
    about = Page("An evening", counts, [table], ["A note."], "9 photos.", ["A warning."])
    write_html(tmp_path / "r.html", about, [*cards, *whole])
    page = open_page(chromium, scheme=scheme)
    page.goto((tmp_path / "r.html").as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    assert violations(page) == []
    page.click("[data-filter=sure]")
    assert violations(page) == []
    page.evaluate("document.getElementById('large').showModal()")
    assert violations(page) == []
    back = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.context.close()
    assert (sum(map(int, back[4:-1].split(","))) > 384) is (scheme == "light")
