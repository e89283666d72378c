"""The page for a game night in a browser, as a thumb uses it."""

from pathlib import Path
from typing import Any

from tests.support.browser import Browser

#: Keys, as WebDriver names them.
TAB, ENTER, ESCAPE, RIGHT = "\ue004", "\ue007", "\ue00c", "\ue014"

_STATUS = "return document.getElementById('status').textContent"
#: Taps the middle of an element, if nothing else lies there.
_TAP = """
const found = document.querySelector(arguments[0]);
found.scrollIntoView({block: 'center', inline: 'center'});
const box = found.getBoundingClientRect();
const x = box.x + box.width / 2, y = box.y + box.height / 2;
const there = document.elementFromPoint(x, y);
if (there !== found && !found.contains(there)) return `${there?.outerHTML.slice(0, 200)} covers it`;
there.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: x, clientY: y}));
return '';
"""


class Night:
    """The page, loaded in a browser."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address

    def load(self, hash_: str = "") -> None:
        """Load it, and wait until it is ready."""
        self.browser.visit("about:blank")
        self.browser.visit(f"{self.address}/{hash_}")
        self.ready()

    def ready(self) -> None:
        """Wait until it is ready."""
        self.browser.until("return document.body?.dataset.ready")

    def run(self, script: str, *words: object) -> Any:
        """What JavaScript returns."""
        return self.browser.run(script, *words)

    def tap(self, selector: str) -> None:
        """Tap what a selector finds; nothing may cover it."""
        assert self.run("return document.querySelectorAll(arguments[0]).length", selector) >= 1
        covered = self.run(_TAP, selector)
        assert not covered, f"{selector}: {covered}"

    def upload(self, path: Path) -> list[str]:
        """Send a photo; the totals on the picture."""
        before = self.photo()
        self.browser.give_file("#file", path)
        self.wait_for_photo(before)
        return self.totals()

    def wait_for_photo(self, before: str) -> None:
        """Wait until another photo is shown."""
        self.browser.until(
            f"return localStorage.getItem('photo') && localStorage.getItem('photo') !== "
            f"JSON.stringify({before!r}) && document.getElementById('progress').hidden && "
            "!document.getElementById('photo').hidden && "
            "document.getElementById('picture').complete && "
            "document.getElementById('picture').naturalWidth"
        )

    def photo(self) -> str:
        """The id of the photo that is shown, empty for none."""
        return str(self.run("return JSON.parse(localStorage.getItem('photo') || '\"\"')"))

    def totals(self) -> list[str]:
        """The totals beside the kingdoms."""
        script = "return [...document.querySelectorAll('.total')].map(one => one.dataset.total)"
        return list(self.run(script))

    def places(self) -> list[str]:
        """The names of all squares that can be tapped."""
        script = "return [...document.querySelectorAll('.cell')].map(one => one.dataset.place)"
        return list(self.run(script))

    def status(self) -> str:
        """What the live region says."""
        return str(self.run(_STATUS))

    def until_said(self, part: str) -> str:
        """Wait until the live region says it; the whole sentence."""
        said = f"const said = {_STATUS.removeprefix('return ')};"
        return str(self.browser.until(f"{said} return said.includes(arguments[0]) && said", part))

    def changes(self, act: Any) -> None:
        """Do something, and wait until the server has answered and the page shows it."""
        self.run("document.getElementById('status').textContent = 'waiting'")
        act()
        self.browser.until(f"{_STATUS} !== 'waiting' && !document.querySelector('[aria-busy]')")

    def open_square(self, place: str) -> None:
        """Tap a square, and wait until its faces are there."""
        self.tap(f'[data-place="{place}"]')
        self.browser.until(f"return document.getElementById('square').dataset.ready === {place!r}")

    def settle(self, place: str, face: str, among: str = "faces") -> None:
        """Tap a square and one of the faces; one that is greyed is used all the same."""
        self.open_square(place)

        def choose() -> None:
            self.tap(f'#{among} [data-face="{face}"]')
            if self.run("return document.getElementById('square').open"):
                self.tap("#reason button")

        self.changes(choose)

    def grow(self, letter: str, side: str) -> int:
        """Tap the "+" on a side of a kingdom; how many places there are to fill then."""
        at = ord(letter) - ord("A") + 1
        self.tap(f"#overlay > g:nth-child({at}) [data-side={side}]")
        script = "return document.querySelectorAll(arguments[0]).length"
        return int(self.run(script, f'[data-kingdom="{letter}"] .added'))

    def name_players(self, *names: str) -> None:
        """Write names into the fields of the kingdoms."""
        self.run(
            "document.querySelectorAll('#kingdoms input').forEach((field, at) => {"
            "field.value = arguments[0][at] ?? '';"
            "field.dispatchEvent(new Event('change'))})",
            names,
        )

    def ranking(self) -> list[list[str]]:
        """Rank, player and total of every line."""
        return list(
            self.run(
                "return [...document.querySelectorAll('#ranking tr')].map(line => "
                "[...line.cells].map(cell => cell.textContent))"
            )
        )

    def games(self) -> list[str]:
        """The games of the evening, in words."""
        script = "return [...document.querySelectorAll('#games li')].map(one => one.textContent)"
        return list(self.run(script))
