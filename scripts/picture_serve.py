"""Take the pictures of the page for docs/serve.md: python -m scripts.picture_serve."""

import tempfile
from pathlib import Path

from playwright.sync_api import Page

from scripts.paths import ROOT, SAMPLES
from scripts.pictures import read_bgr, resized, write_jpeg
from tests.support.chromium import PHONE, launch_chromium, open_page
from tests.support.night import Night
from tests.support.serving import running_server

NAMES = {"pink": "Ada", "yellow": "Ben", "green": "Cleo", "blue": "Dan"}


def main() -> None:
    """Play a game with a sample, and write docs/serve_*.jpg."""
    with tempfile.TemporaryDirectory() as name, launch_chromium() as browser:
        folder = Path(name)
        with running_server(folder / "evening.sqlite") as server:
            night = Night(open_page(browser, PHONE), server.address, folder)
            night.load()
            night.choose(SAMPLES / "four_kingdoms.jpg")
            night.until_seats(len(NAMES))
            for colour, player in NAMES.items():
                night.write(f"[data-seat={colour}] input", player)
                night.until_said(player)
            take(night.page, folder, "game")
            night.open_kingdom("pink")
            take(night.page, folder, "kingdom")
            night.open_square("B.c3")
            take(night.page, folder, "square")
            night.load("#evening")
            take(night.page, folder, "evening")


def take(page: Page, folder: Path, view: str) -> None:
    """Write the picture of what is seen, once all of it is there."""
    page.wait_for_timeout(900)
    page.screenshot(path=folder / "shot.png")
    picture = read_bgr(folder / "shot.png")
    picture = resized(picture, PHONE[0] / picture.shape[1])
    write_jpeg(ROOT / "docs" / f"serve_{view}.jpg", picture, 82)


if __name__ == "__main__":
    main()
