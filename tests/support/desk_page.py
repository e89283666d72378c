"""The pages of a tournament in a browser, as players and the desk use them."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

from kdvision.sentences import catalogue
from tests.support.browser import Browser
from tests.support.contrast import weak_texts
from tests.support.serving import Running, ask, form, sample, upload

#: Ada and Ben share a photo of both kingdoms (41 and 40), Cleo has the meadow (75).
DESK_SHEET = """round,table,player
1,1,Ada
1,1,Ben
1,2,Cleo
1,2,<script>alert(1)</script>
1,3,Eve
2,1,Ada
2,1,Cleo
"""
#: The least height of what is tapped, in pixels.
TARGET_PX = 44
BADGES = "return [...document.querySelectorAll('#lines .badge')].map(one => one.textContent)"
TEXTS = "return [...document.querySelectorAll(arguments[0])].map(one => one.textContent)"
STATUS = "return document.getElementById('status').textContent"
#: Whether the dialog is open, and all is there that it shows.
DETAIL = (
    "return document.getElementById('detail').open && "
    "!document.querySelector('#detail [aria-busy]') && "
)


@dataclass(frozen=True, slots=True)
class Desk:
    """A browser at a running desk; `name` is for pictures of it, `folder` for files."""

    browser: Browser
    server: Running
    name: str
    folder: Path

    def visit(self, path: str) -> Browser:
        """Open a page."""
        self.browser.visit(self.server.address + path)
        self.browser.until("return document.body?.dataset.ready")
        return self.browser

    def look(self, what: str) -> None:
        """Check what holds for every page, light and dark; keep a picture where one is wanted."""
        for scheme in ("light", "dark"):
            self.browser.prefer(scheme)
            assert weak_texts(self.browser) == [], (what, scheme)
            shown = os.environ.get("KDVISION_SCREENSHOTS")
            if shown:
                self.browser.picture(Path(shown) / f"{self.name}-{what}-{scheme}.png")
        self.browser.prefer("light")
        wide = "return document.documentElement.scrollWidth - innerWidth"
        assert self.browser.run(wide) <= 0, what
        small = self.browser.run(
            "const kinds = 'button, a, summary, select, .camera label, #whose label, '"
            "+ 'input:not([type=file], [type=checkbox])';"
            "return [...document.querySelectorAll(kinds)].filter(one => one.checkVisibility() && "
            f"one.getBoundingClientRect().height < {TARGET_PX}).map(one => one.outerHTML)"
        )
        assert small == [], what
        nameless = self.browser.run(
            "const name = one => one.ariaLabel || one.textContent.trim() || one.alt;"
            "return [...document.querySelectorAll('button, a, input, img')].filter(one => "
            "one.checkVisibility() && !name(one) && !one.labels?.length).map(one => one.outerHTML)"
        )
        assert nameless == [], what


def claim(page: Browser, **claims: int) -> None:
    """Type claims and send them."""
    for player, total in claims.items():
        page.run(
            "const field = [...document.querySelectorAll('#claim-fields input')]"
            ".find(one => one.dataset.player === arguments[0]); field.value = arguments[1]",
            player,
            total,
        )
    page.run("document.querySelector('#claims button[type=submit]').click()")
    page.until(
        "return [...document.querySelectorAll('#whose input')].map(one => one.dataset.player)"
        f".filter(name => {list(claims)!r}.includes(name)).length === {len(claims)}"
    )


def photograph(page: Browser, photo: Path, badges: list[str]) -> None:
    """Send a photo for those who are ticked, and wait for what is said of them."""
    page.give_file("#file", photo)
    page.until(f"{BADGES}.join() === {badges!r}.join()")


def whose_is_whose(page: Browser, letters: dict[str, str]) -> None:
    """Say whose kingdom is whose, where the claims do not tell."""
    page.run("document.querySelector('#lines article button').click()")
    page.until(f"{DETAIL} document.querySelectorAll('#detail select').length === 2")
    for player, letter in letters.items():
        page.run(
            "[...document.querySelectorAll('#detail select')].find(one => "
            "one.dataset.player === arguments[0]).value = arguments[1]",
            player,
            letter,
        )
    tap(page, "Send")
    page.until("return !document.getElementById('detail').open")


def tap(page: Browser, words: str) -> None:
    """Tap the button in the open dialog that begins so, once it can be tapped."""
    page.until(
        f"const there = () => {{ {DETAIL} true }}; if (!there()) return false;"
        "const found = [...document.querySelectorAll('#detail button')].find(one => "
        "one.checkVisibility() && !one.disabled && !one.ariaDisabled && "
        "one.textContent.startsWith(arguments[0]));"
        "found?.click(); return Boolean(found)",
        words,
    )


def until_there(page: Browser, words: str) -> None:
    """Wait until the dialog is open and says something."""
    said = "document.getElementById('detail').textContent.includes(arguments[0])"
    page.until(f"{DETAIL} {said}", words)


def english(page: Browser) -> set[str]:
    """What a German page says in the words of the English catalogue."""
    rooms = ("desk.", "beamer.", "page.")
    says = [
        {text for key, text in catalogue(language).items() if key.startswith(rooms)}
        for language in ("en", "de")
    ]
    shown = page.run(
        "const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);"
        "const found = []; while (walk.nextNode()) found.push(walk.currentNode.data.trim());"
        "return found"
    )
    return set(shown) & (says[0] - says[1])


def post(server: Running, path: str, data: dict[str, object]) -> None:
    """What another phone sends."""
    kind = {"Content-Type": "application/json"}
    status, found = ask(server, "POST", path, json.dumps(data).encode(), **kind)
    assert status == 200, found


def hand_in(server: Running, name: str, round_: str, table: str, player: str, total: int) -> None:
    """What another phone claims and sends for a player: a sample."""
    where = {"round": round_, "table": table}
    post(server, "/api/table/claims", {**where, "claims": {player: total}})
    _, photo = upload(server, form(sample(name)))
    handed = {**where, "photo": photo["id"], "players": {player: "A"}}
    post(server, "/api/table/photos", handed)
