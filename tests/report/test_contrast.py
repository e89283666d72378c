"""Letters of a report against what is behind them, as a browser shows them."""

from pathlib import Path

import pytest

from kdvision.report.html import Card, Page, card_of, write_html
from kdvision.tournament.report import STATES
from tests.support.browser import Browser, driver
from tests.support.results import DOUBTFUL_PHOTO, PHOTO, TWO_KINGDOMS

#: For letters of normal size (WCAG 2.2, 1.4.3); what is not there for now is left out.
LEAST = 4.5

#: Every text that is seen, with its contrast to the first opaque background behind it. Backgrounds
#: that shine through are laid over those behind them.
CONTRASTS = """
const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
const over = ([r, g, b, a = 1], back) => [r, g, b].map((v, i) => v * a + back[i] * (1 - a));
const linear = (v) => v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4;
const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
const behind = (element) => {
  if (!element) return [255, 255, 255];
  const colour = numbers(getComputedStyle(element).backgroundColor);
  return colour[3] === undefined || colour[3] === 1
    ? colour.slice(0, 3) : over(colour, behind(element.parentElement));
};
const contrast = (element, pseudo) => {
  const back = behind(element);
  const letters = over(numbers(getComputedStyle(element, pseudo).color), back);
  const [dark, light] = [luminance(back), luminance(letters)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};
const found = [];
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let text = texts.nextNode(); text; text = texts.nextNode()) {
  const element = text.parentElement;
  if (text.data.trim() && element.checkVisibility({visibilityProperty: true})) {
    found.push([text.data.trim().slice(0, 30), contrast(element)]);
  }
}
for (const field of document.querySelectorAll('[placeholder]')) {
  found.push([field.placeholder, contrast(field, '::placeholder')]);
}
return found;"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with a card of every state, standings and warnings."""
    cards = [Card("9.jpg", state, "Ann, round 1", 8, "x") for state in STATES]
    whole = [card_of(one, "Ben") for one in (PHOTO, DOUBTFUL_PHOTO, TWO_KINGDOMS)]
    path = tmp_path_factory.mktemp("contrast") / "r.html"
    table = ("Game 1", ("Rank", "Player", "Note"), [("1", "Ann", "not sure")])
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
            browser.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")
            found = browser.run(CONTRASTS)
            browser.run("document.querySelector('[data-filter=sure]').click()")
            found += browser.run(CONTRASTS)
            browser.run(
                "const large = document.getElementById('large');"
                "large.querySelector('p').textContent = 'said'; large.showModal();"
            )
            found += browser.run(CONTRASTS)
            back = browser.run("return getComputedStyle(document.body).backgroundColor")
        finally:
            browser.close()
    assert (sum(map(int, back[4:-1].split(","))) > 384) is (scheme == "light")
    assert {"An evening", "A warning.", "A note.", "said", "differs", "How it counts"} <= {
        text for text, _ in found
    }
    assert len(found) > 100
    assert [(text, round(ratio, 2)) for text, ratio in found if ratio < LEAST] == []
