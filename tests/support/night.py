"""The page of an evening in a browser, as a thumb uses it."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support.chromium import console_of, wait_until
from tests.support.fakes import write_photo
from tests.support.waiting import PATIENCE_S

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Page

#: Name and total of the seats that have a kingdom, in the order in which they stand.
_SEATS = """
[...document.querySelectorAll('.seat:not(.waits)')].map((row) => {
  const name = row.querySelector('.name'), total = row.querySelector('.total');
  return [name.value || name.textContent || row.dataset.seat, total.textContent];
})
"""
#: Pixels by which the page, or an open dialog, is wider than the window or lies outside of it.
_OVERFLOW = """
() => {
  const wide = document.documentElement.scrollWidth - innerWidth;
  const dialogs = [...document.querySelectorAll('dialog[open]')];
  const boxes = dialogs.map((one) => one.getBoundingClientRect());
  const over = boxes.map((box) =>
    Math.max(-box.left, -box.top, box.right - innerWidth, box.bottom - innerHeight));
  return Math.max(0, wide, ...over);
}
"""
#: Keeps answers to `fetch` of addresses with a part back until they are let go.
_HOLD = """
(part) => {
  window.held = [];
  window.fetchNow ??= window.fetch;
  window.fetch = async (address, ...more) => {
    const answer = await window.fetchNow(address, ...more);
    if (window.held && `${address}`.includes(part)) {
      await new Promise((letGo) => window.held.push(letGo));
    }
    return answer;
  };
}
"""


class Night:
    """The page, loaded in a browser.

    Attributes:
        page: What Playwright drives.
        address: Of the server.
        taps: How often a person has tapped.
        console: What the page wrote to its console.
    """

    def __init__(self, page: "Page", address: str, folder: Path) -> None:
        self.page, self.address, self.taps = page, address, 0
        self.console = console_of(page)
        self._folder, self._photos = folder, 0

    def load(self, hash_: str = "") -> None:
        """Load it, and wait until it is ready."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}/{hash_}")
        self.ready()

    def reload(self) -> None:
        """Load it again, and wait until it is ready."""
        self.page.reload()
        self.ready()

    def ready(self) -> None:
        """Wait until it is ready."""
        self.until("document.body?.dataset.ready")

    def run(self, script: str, word: object = None) -> Any:
        """Return what JavaScript gives: an expression, or a function of one word."""
        return self.page.evaluate(script, word)

    def until(self, script: str, word: object = None) -> Any:
        """Wait until JavaScript gives something that is true, and return it."""
        return wait_until(self.page, script, word)

    def until_shown(self, selector: str) -> None:
        """Wait until something is shown that a selector finds."""
        self.page.locator(selector).first.wait_for()

    def until_gone(self, selector: str) -> None:
        """Wait until what a selector finds is not there, or hidden."""
        self.page.locator(selector).first.wait_for(state="hidden")

    def count(self, selector: str) -> int:
        """Return how many elements are shown that a selector finds."""
        return self.page.locator(selector).filter(visible=True).count()

    def until_count(self, selector: str, count: int) -> None:
        """Wait until a selector finds so many elements."""
        script = "([one, count]) => document.querySelectorAll(one).length === count"
        self.until(script, [selector, count])

    def style(self, selector: str, name: str) -> str:
        """Return a property of CSS, as it is computed for what a selector finds first."""
        script = "(one, name) => getComputedStyle(one)[name]"
        return str(self.page.locator(selector).first.evaluate(script, name))

    def box(self, selector: str) -> "FloatRect":
        """Return where it lies that a selector finds first: x, y, width, height in pixels."""
        box = self.page.locator(selector).first.bounding_box()
        assert box is not None, f"{selector} is not shown"
        return box

    def tap(self, selector: str) -> None:
        """Tap what a selector finds first, once it is there and nothing covers it."""
        self.taps += 1
        self.page.locator(selector).first.click()

    def write(self, selector: str, text: str) -> None:
        """Write into a field, and leave it."""
        self.taps += 1
        field = self.page.locator(selector).first
        field.fill(text)
        field.blur()

    def choose(self, path: Path, field: str = "file") -> None:
        """Choose a photo: one tap on the button, one in the phone's own dialog."""
        self.taps += 2
        self.page.set_input_files(f"#{field}", path)

    def photograph(self, line: str, *colours: str, field: str = "file", **fake: Any) -> None:
        """Choose a fake photo of kingdoms with castles of these colours; see `fake_photo`."""
        self._photos += 1
        path = self._folder / f"{self._photos}.jpg"
        self.choose(write_photo(path, line, colours=colours, number=self._photos, **fake), field)

    def show(self, line: str, *colours: str, **fake: Any) -> None:
        """Photograph kingdoms, and tap the total of the first."""
        self.photograph(line, *colours, **fake)
        self.until_seats(len(colours))
        self.open_kingdom(colours[0])

    def seats(self) -> list[list[str]]:
        """Return name and total of the seats, in the order in which they stand."""
        return list(self.run(_SEATS))

    def until_seats(self, count: int) -> list[list[str]]:
        """Wait until so many seats have a kingdom."""
        self.until(
            "count => document.querySelectorAll('.seat:not(.waits)').length === count"
            " && !document.querySelector('.pending')",
            count,
        )
        return self.seats()

    def open_kingdom(self, colour: str) -> None:
        """Tap the total of a seat, and wait until its board is there."""
        self.tap(f".seat[data-seat={colour}] .total")
        self.view("kingdom")
        self.until("document.getElementById('picture').naturalWidth")

    def view(self, name: str) -> None:
        """Wait until a view is shown."""
        self.until("name => document.body.dataset.view === name", name)

    def text(self, selector: str) -> str:
        """Return the text of what a selector finds first."""
        return self.page.locator(selector).first.inner_text()

    def hold(self, part: str) -> None:
        """Keep the answers back that the page gets from addresses with this part."""
        self.run(_HOLD, part)

    def let_go(self) -> None:
        """Let all answers that were kept back go to the page, and keep no more of them."""
        self.run("() => { const all = window.held; window.held = null; all.forEach((go) => go()) }")

    def offline(self, off: bool) -> None:
        """Cut the network of the page off, or let it back."""
        self.page.context.set_offline(off)

    def until_said(self, part: str) -> str:
        """Wait until the live region says it; the whole sentence."""
        self.until("part => document.getElementById('status').textContent.includes(part)", part)
        return self.text("#status")

    def undo(self, label: str) -> None:
        """Take the change back that the page says; another one may be on its way meanwhile."""
        self.until_said(label)
        self.tap("#undo")
        self.until_said("Undone.")

    def open_square(self, place: str) -> None:
        """Tap a square, and wait until its faces are there."""
        self.tap(f'[data-place="{place}"]')
        self.until("place => document.getElementById('square').dataset.place === place", place)

    def ranking(self) -> list[list[str]]:
        """Return rank, player and total of every row of the evening."""
        rows = self.page.locator("#ranking tr").all()
        return [row.locator("td, th").all_text_contents() for row in rows]

    def until_ranking(self, *first: list[str]) -> None:
        """Wait until the first rows of the ranking are these."""
        end = time.monotonic() + PATIENCE_S
        while self.ranking()[: len(first)] != [*first]:
            assert time.monotonic() < end, self.ranking()
            self.page.wait_for_timeout(50)

    def overflow(self) -> int:
        """Return by how many pixels the page is wider than the window, or a dialog leaves it."""
        return int(self.run(_OVERFLOW))
