"""A report is accessible, as axe-core sees it in a browser: letters stand out, headings nest."""

import pytest

from kdvision.report.html import Card, Group, Link, Page, Section, make_card, ungrouped, write_html
from kdvision.report.tables import Table
from kdvision.tournament.report import STATES
from tests.support.axe import violations
from tests.support.chromium import open_page
from tests.support.results import DOUBTFUL_PHOTO, PHOTO, TWO_KINGDOMS


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_report_is_accessible(tmp_path, chromium, scheme):
    # A report with a card of every state, standings, notes and warnings.
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
    # All of it is open, then filtered, then below a large picture.
    page = open_page(chromium, scheme=scheme)
    page.goto((tmp_path / "r.html").as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    assert violations(page) == []
    page.click("[data-filter=sure]")
    assert violations(page) == []
    page.evaluate("document.getElementById('large').showModal()")
    assert violations(page) == []
    # The background follows the scheme.
    back = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.context.close()
    assert (sum(map(int, back[4:-1].split(","))) > 384) is (scheme == "light")
