"""The page of an evening in a browser, as a thumb uses it."""

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
const tap = {bubbles: true, cancelable: true, clientX: x, clientY: y};
there.dispatchEvent(new MouseEvent('click', tap));
return '';
"""
_CARDS = """
return [...document.querySelectorAll('.player:not(.waits)')].map((row) =>
  [row.querySelector('input').value, row.querySelector('.total').textContent])
"""


class Night:
    """The page, loaded in a browser. `taps` counts what a person has tapped."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address, self.taps = browser, address, 0

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
        """Tap what a selector finds; nothing may cover it."""
        assert self.run("return document.querySelectorAll(arguments[0]).length", selector) >= 1
        self.taps += 1
        covered = self.run(_TAP, selector)
        assert not covered, f"{selector}: {covered}"

    def choose(self, path: Path, field: str = "file") -> None:
        """Choose a photo: one tap on the button, one in the phone's own dialog."""
        self.taps += 2
        self.browser.give_file(f"#{field}", path)

    def upload(self, path: Path, count: int = 1) -> list[str]:
        """Send a photo of so many kingdoms; the totals of the game, best first."""
        before = len(self.kingdoms())
        self.choose(path)
        self.browser.until(
            "const cards = document.querySelectorAll('.player:not(.waits), .whose');"
            "return cards.length === arguments[0] && !document.querySelector('.pending')",
            before + count,
        )
        return self.totals()

    def kingdoms(self) -> list[str]:
        """The addresses of the kingdoms of the game, those that wait for an owner included."""
        script = (
            "return [...document.querySelectorAll('.player:not(.waits) .cut, .whose .cut')]"
            ".map(one => one.hash)"
        )
        return list(self.run(script))

    def cards(self) -> list[list[str]]:
        """Name and total of the players, in the order in which they stand."""
        return list(self.run(_CARDS))

    def totals(self) -> list[str]:
        """The totals of the game, in the order in which they stand, without the crown."""
        return [total.removeprefix("♛ ") for _, total in self.cards()]

    def name(self, *names: str) -> None:
        """Write the names of the seats in their order: a tap into each field."""
        for seat, name in enumerate(names, 1):
            self.taps += 1
            self.run(
                "const field = document.querySelector(`[data-seat='${arguments[0]}'] input`);"
                "field.value = arguments[1]; field.dispatchEvent(new Event('change'))",
                seat,
                name,
            )
            self.browser.until(
                "const {games} = await (await fetch('/api/games')).json();"
                "return games.at(-1)?.players.some(one => one.player === arguments[0])",
                name,
            )

    def open_kingdom(self, index: int = 0) -> None:
        """Tap a kingdom of the game, and wait until its board is there."""
        target = self.kingdoms()[index]
        self.tap(f'a.total[href="{target}"], .whose a[href="{target}"]')
        self.board_ready()

    def board_ready(self) -> None:
        """Wait until a kingdom is shown with its picture."""
        self.browser.until(
            "const view = document.getElementById('view-kingdom'), "
            "picture = document.getElementById('picture');"
            "return !view.hidden && picture.complete && picture.naturalWidth"
        )

    def back(self) -> None:
        """Go back to the game."""
        self.tap("#back")
        self.browser.until("return !document.getElementById('view-game').hidden")

    def total(self) -> str:
        """The total of the kingdom that is shown."""
        return str(self.run("return document.getElementById('kingdom-total').textContent"))

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
        """Do something, and wait until the server has answered and the page says so."""
        self.run("document.getElementById('status').textContent = 'waiting'")
        act()
        self.browser.until(f"{_STATUS} !== 'waiting'")

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

    def ranking(self) -> list[list[str]]:
        """Rank, player and total of every line of the evening."""
        return list(
            self.run(
                "return [...document.querySelectorAll('#ranking tr')].map(line => "
                "[...line.cells].map(cell => cell.textContent))"
            )
        )

    def screens(self) -> float:
        """How many screens high the page is."""
        return float(self.run("return document.documentElement.scrollHeight / innerHeight"))
