"""The page of an evening in a browser, as a thumb uses it."""

from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from tests.support.browser import Browser
from tests.support.fakes import write_photo
from tests.support.waiting import wait_for

#: Keys, as WebDriver names them.
ENTER, RIGHT = "\ue007", "\ue014"

#: Taps the middle of an element, if nothing else lies there.
_TAP = """
const found = document.querySelector(arguments[0]);
found.scrollIntoView({block: 'center', inline: 'center'});
const box = found.getBoundingClientRect();
const x = box.x + box.width / 2, y = box.y + box.height / 2;
const there = document.elementFromPoint(x, y);
if (there !== found && !found.contains(there)) return `${there?.outerHTML.slice(0, 200)} covers it`;
const tap = {bubbles: true, cancelable: true, clientX: x, clientY: y};
there.dispatchEvent(new MouseEvent('click', tap));
return '';
"""
_WRITE = """
const field = document.querySelector(arguments[0]);
field.focus();
field.value = arguments[1];
field.dispatchEvent(new Event('change'));
field.blur();
"""
_SEATS = """
return [...document.querySelectorAll('.seat:not(.waits)')].map((row) => {
  const name = row.querySelector('.name'), total = row.querySelector('.total');
  return [name.value || name.textContent || row.dataset.seat, total.textContent];
});
"""


class Night:
    """The page, loaded in a browser. `taps` counts what a person has tapped."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address, self.taps = browser, address, 0
        self._folder, self._photos = Path(mkdtemp(dir=browser.profile)), 0

    def load(self, hash_: str = "") -> None:
        """Load it, and wait until it is ready."""
        self.browser.visit("about:blank")
        self.browser.visit(f"{self.address}/{hash_}")
        self.ready()

    def ready(self) -> None:
        """Wait until it is ready."""
        self.browser.until("return document.body?.dataset.ready")

    def run(self, script: str, *words: object) -> Any:
        """Return what JavaScript returns."""
        return self.browser.run(script, *words)

    def tap(self, selector: str) -> None:
        """Tap what a selector finds, once it is there; nothing may cover it."""
        self.browser.until("return document.querySelector(arguments[0])", selector)
        self.taps += 1
        covered = self.run(_TAP, selector)
        assert not covered, f"{selector}: {covered}"

    def write(self, selector: str, text: str) -> None:
        """Write into a field, and leave it."""
        self.taps += 1
        self.run(_WRITE, selector, text)

    def choose(self, path: Path, field: str = "file") -> None:
        """Choose a photo: one tap on the button, one in the phone's own dialog."""
        self.taps += 2
        self.browser.give_file(f"#{field}", path)

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
        """Name and total of the seats, in the order in which they stand."""
        return list(self.run(_SEATS))

    def until_seats(self, count: int) -> list[list[str]]:
        """Wait until so many seats have a kingdom."""
        self.browser.until(
            "return document.querySelectorAll('.seat:not(.waits)').length === arguments[0]"
            " && !document.querySelector('.pending')",
            count,
        )
        return self.seats()

    def open_kingdom(self, colour: str) -> None:
        """Tap the total of a seat, and wait until its board is there."""
        self.tap(f".seat[data-seat={colour}] .total")
        self.browser.until(
            "const picture = document.getElementById('picture');"
            "return document.body.dataset.view === 'kingdom' && picture.naturalWidth"
        )

    def view(self, name: str) -> None:
        """Wait until a view is shown."""
        self.browser.until("return document.body.dataset.view === arguments[0]", name)

    def text(self, selector: str) -> str:
        """The text of what a selector finds first."""
        return str(self.run("return document.querySelector(arguments[0]).innerText", selector))

    def until_said(self, part: str) -> str:
        """Wait until the live region says it; the whole sentence."""
        script = "const said = document.getElementById('status').textContent;"
        return str(self.browser.until(f"{script} return said.includes(arguments[0]) && said", part))

    def open_square(self, place: str) -> None:
        """Tap a square, and wait until its faces are there."""
        self.tap(f'[data-place="{place}"]')
        self.browser.until(f"return document.getElementById('square').dataset.place === {place!r}")

    def ranking(self) -> list[list[str]]:
        """Rank, player and total of every line of the evening."""
        return list(
            self.run(
                "return [...document.querySelectorAll('#ranking tr')].map(line => "
                "[...line.cells].map(cell => cell.textContent))"
            )
        )

    def until_ranking(self, *first: list[str]) -> None:
        """Wait until the first lines of the ranking are these."""
        wait_for(lambda: self.ranking()[: len(first)] == [*first])

    def overflow(self) -> int:
        """Pixels by which the page, or an open dialog, is wider or lies outside of the window."""
        return int(
            self.run(
                "const wide = document.documentElement.scrollWidth - innerWidth;"
                "const boxes = [...document.querySelectorAll('dialog[open]')]"
                ".map(one => one.getBoundingClientRect());"
                "return Math.max(0, wide, ...boxes.map(box => Math.max(-box.left, -box.top,"
                " box.right - innerWidth, box.bottom - innerHeight)))"
            )
        )
