"""A report is accessible, as axe-core sees it in a browser: letters stand out, headings nest."""

from contextlib import closing

import pytest

from kdvision.report.html import Card, Group, Link, Page, Section, make_card, ungrouped, write_html
from kdvision.report.tables import Table
from kdvision.tournament.report import STATES
from tests.support.axe import violations
from tests.support.browser import Browser
from tests.support.results import DOUBTFUL_PHOTO, PHOTO, TWO_KINGDOMS


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_is_accessible(tmp_path, driver_port, scheme):
    """With a card of every state, standings and warnings."""
    cards = [
        Card("Ann", state, "Round 1", "9.jpg", anchor=f"row-{number}", claimed=8, message="x")
        for number, state in enumerate(STATES)
    ]
    whole = [make_card(photo, "Ben") for photo in (PHOTO, DOUBTFUL_PHOTO, TWO_KINGDOMS)]
    table = Table("Game 1", ("rank", "player", "note"), [("1", "Ann", "doubtful")])
    about = Page(
        "An evening",
        counts=[(state, 1) for state in STATES],
        tables=[table],
        notes=["A note."],
        summary="9 photos.",
        warnings=["A warning."],
        links={STATES[0]: [Link("row-0", "Ann")]},
    )
    round_ = Section("Round 1", [Group("Game 1", table, cards)], [table])
    write_html(tmp_path / "r.html", about, [round_, *ungrouped(whole)])
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
