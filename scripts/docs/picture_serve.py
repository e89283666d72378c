"""Take the pictures of the server's pages for the docs, one per view.

    python -m scripts.docs.picture_serve

Plays a game and a round of a tournament with the samples, on servers on loopback, drives Chromium
as the tests do, and writes docs/serve_*.jpg.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from scripts.paths import ROOT, SAMPLES
from scripts.pictures import read_bgr, resized, write_jpeg
from tests.support.browser import Browser, driver
from tests.support.night import Night
from tests.support.serving import Running, ask, form, running_server, sample, upload

#: Width and height of a phone and of a screen, in pixels of a page.
PHONE, SCREEN = (360, 740), (1280, 800)
#: Pixels of the width of a picture of a screen; one of a phone is as wide as the phone.
_SCREEN_WIDTH = 960
_QUALITY = 82
#: The photo of a table's four kingdoms, and who plays.
PHOTO, NAMES = "four_kingdoms.jpg", ("Ada", "Ben", "Cleo", "Dan")
#: A round by tables: the photo, and what each player claims; Dan has counted two too few.
ROUND: dict[str, tuple[str, dict[str, int]]] = {
    "1": (PHOTO, {"Ada": 46, "Ben": 54, "Cleo": 41, "Dan": 38}),
    "2": ("two_kingdoms.jpg", {"Eve": 50, "Finn": 40}),
    "3": ("three_kingdoms.jpg", {"Gil": 61, "Hanna": 68, "Ida": 64}),
    "4": ("", {"Jon": 75, "Kim": 33}),
}


def main() -> None:
    """Play, and take the pictures."""
    with tempfile.TemporaryDirectory() as name, driver() as port:
        folder = Path(name)
        with running_server(folder / "evening.sqlite") as server:
            picture_evening(server, port, folder)
        seats = [f"1,{table},{who}" for table, (_, claims) in ROUND.items() for who in claims]
        sheet = folder / "sheet.csv"
        sheet.write_text("\n".join(["round,table,player", *seats]), encoding="utf-8")
        with running_server(folder / "desk.sqlite", "--sheet", sheet) as server:
            picture_desk(server, port, folder)
        picture_slips(sheet, port, folder)


def picture_evening(server: Running, port: int, folder: Path) -> None:
    """Take the views of an evening: two in light, two in dark."""
    with window(port, folder / "phone", PHONE, "light") as (browser, take):
        night = Night(browser, server.address)
        night.load()
        night.upload(SAMPLES / PHOTO, len(NAMES))
        night.name(*NAMES)
        browser.until("return document.querySelector('.crown')")
        take("game")
        night.open_kingdom(1)
        take("kingdom")
        browser.prefer("dark")
        night.open_square("A.d3")
        take("square")
        night.run("document.getElementById('square').close()")
        night.back()
        night.tap("#new")
        night.until_said("Game 2 begins.")
        night.upload(SAMPLES / "meadow_5x5.jpg")
        night.tap(".whose button")
        browser.until("return document.querySelectorAll('.player:not(.waits)').length === 1")
        night.tap('#tabs [data-view="evening"]')
        browser.until("return document.querySelectorAll('#games a').length === 2")
        take("evening")


def picture_desk(server: Running, port: int, folder: Path) -> None:
    """Take the pages of a tournament: a player's, the board with a table open, the standings."""
    for table, (photo, claims) in ROUND.items():
        hand_in(server, table, photo, claims)
    with window(port, folder / "player", PHONE, "light") as (browser, take):
        browser.visit(f"{server.address}/table?round=1&table=1")
        browser.until("return document.querySelectorAll('#lines article').length === 4")
        take("table")
    with window(port, folder / "desk", SCREEN, "light") as (browser, take):
        browser.visit(f"{server.address}/board")
        browser.until("return document.querySelectorAll('.tile').length === 4")
        take("board")
        browser.run("document.querySelector('.tile').click()")
        browser.until("return document.querySelector('#detail img')?.naturalWidth")
        take("dialog")
        browser.visit(f"{server.address}/beamer")
        browser.until("return document.querySelector('#podium li')")
        take("beamer")


def picture_slips(sheet: Path, port: int, folder: Path) -> None:
    """Take the page of slips to print."""
    page = folder / "slips.html"
    words = [sys.executable, "-m", "kdvision", "slips", str(sheet), "-o", str(page)]
    subprocess.run(words, check=True, capture_output=True, timeout=120)
    with window(port, folder / "printer", SCREEN, "light") as (browser, take):
        browser.open(page)
        take("slips")


def hand_in(server: Running, table: str, photo: str, claims: Mapping[str, int]) -> None:
    """Claim for the players of a table, and hand their photo in where there is one."""
    where = {"round": "1", "table": table}
    post(server, "claims", {**where, "claims": claims})
    if photo:
        _, found = upload(server, form(sample(photo), photo))
        players = dict(zip(claims, "ABCD", strict=False))
        post(server, "photos", {**where, "photo": found["id"], "players": players})


def post(server: Running, what: str, data: Mapping[str, object]) -> None:
    """Send what a table hands in."""
    kind = {"Content-Type": "application/json"}
    status, found = ask(server, "POST", f"/api/table/{what}", json.dumps(data).encode(), **kind)
    assert status == 200, found


@contextmanager
def window(
    port: int, profile: Path, size: tuple[int, int], scheme: str
) -> Iterator[tuple[Browser, Callable[[str], None]]]:
    """Open a window; gives it, and what writes its picture into the docs by the name of a view."""
    with closing(Browser(port, profile, *size, phone=size == PHONE)) as browser:
        browser.prefer(scheme)

        def take(view: str) -> None:
            browser.run_async("setTimeout(done, 600)")
            shot = profile.with_suffix(".png")
            browser.picture(shot)
            picture = read_bgr(shot)
            width = PHONE[0] if size == PHONE else _SCREEN_WIDTH
            picture = resized(picture, width / picture.shape[1])
            write_jpeg(ROOT / "docs" / f"serve_{view}.jpg", picture, _QUALITY)

        yield browser, take


if __name__ == "__main__":
    main()
