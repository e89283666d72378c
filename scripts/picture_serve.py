"""Take the pictures of the page for docs/serve.md: python -m scripts.picture_serve."""

import tempfile
from contextlib import closing
from pathlib import Path

from scripts.paths import ROOT, SAMPLES
from scripts.pictures import read_bgr, resized, write_jpeg
from tests.support.browser import Browser, driver
from tests.support.night import Night
from tests.support.serving import running_server

#: Width and height of a phone, in pixels of a page.
PHONE = (360, 740)
NAMES = {"pink": "Ada", "yellow": "Ben", "green": "Cleo", "blue": "Dan"}


def main() -> None:
    """Play a game with a sample, and write docs/serve_*.jpg."""
    with tempfile.TemporaryDirectory() as name, driver() as port:
        folder = Path(name)
        with (
            running_server(folder / "evening.sqlite") as server,
            closing(Browser(port, folder / "phone", *PHONE, phone=True)) as browser,
        ):
            night = Night(browser, server.address)
            night.load()
            night.choose(SAMPLES / "four_kingdoms.jpg")
            night.until_seats(len(NAMES))
            for colour, player in NAMES.items():
                night.write(f"[data-seat={colour}] input", player)
                night.until_said(player)
            take(browser, folder, "game")
            night.open_kingdom("pink")
            take(browser, folder, "kingdom")
            night.open_square("B.c3")
            take(browser, folder, "square")
            night.load("#evening")
            take(browser, folder, "evening")


def take(browser: Browser, folder: Path, view: str) -> None:
    """Write the picture of what is seen, once all of it is there."""
    browser.run_async("setTimeout(done, 900)")
    browser.picture(folder / "shot.png")
    picture = read_bgr(folder / "shot.png")
    picture = resized(picture, PHONE[0] / picture.shape[1])
    write_jpeg(ROOT / "docs" / f"serve_{view}.jpg", picture, 82)


if __name__ == "__main__":
    main()
