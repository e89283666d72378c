"""Take the picture of a report for the README.

    python -m scripts.docs.picture_report [--out docs/report.jpg]

Checks made-up claims about the samples, four of them wrong, writes the HTML report, and takes
its picture with Chromium.
"""

import argparse
import csv
import shutil
import subprocess
import tempfile
from pathlib import Path

from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import score
from kdvision.tournament.sheets import read_sheet
from kdvision.tournament.verify.mistakes import Mistake, mistakes
from kdvision.tournament.verify.run import verify
from scripts.paths import ROOT, SAMPLES
from scripts.pictures import read_bgr, write_jpeg

#: Who played the first game; the other photos are of others.
PLAYERS = ("Ada", "Ben", "Cleo", "Dora")
#: What is wrong with some of the claims: of each kind the mistake that costs most.
MISTAKES = {
    "meadow_5x5.jpg": Mistake.CROWN_LESS,
    "corner.jpg": Mistake.LEFT_OUT,
    "lamp_castle_5x5.jpg": Mistake.SUM,
    "sideways_draft.jpg": Mistake.SQUARE_LESS,
}
SIZE = (1360, 1060)
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def main() -> None:
    """Parse, check the claims, take the picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "report.jpg")
    options = parser.parse_args()
    options.out.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        page = folder / "report.html"
        verify(read_sheet(write_claims(folder)), html=page)
        # The browser waits for pictures only where it may not put them off.
        page.write_text(page.read_text().replace(' loading="lazy" decoding="async"', ""))
        take_picture(page, folder / "report.png")
        write_jpeg(options.out, read_bgr(folder / "report.png"), 82)


def write_claims(folder: Path) -> Path:
    """A sheet of claims, with the photos beside it."""
    with (SAMPLES / "truth.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    photos = [row["file"] for row in rows]
    single = [row for row in rows if photos.count(row["file"]) == 1 and row["kingdom"]]
    lines = ["photo,claimed,player"]
    for number, row in enumerate(single):
        shutil.copy(SAMPLES / row["file"], folder)
        player = PLAYERS[number] if number < len(PLAYERS) else ""
        lines.append(f"{row['file']},{claimed(row)},{player}")
    sheet = folder / "evening.csv"
    sheet.write_text("\n".join(lines), encoding="utf-8")
    return sheet


def claimed(row: dict[str, str]) -> int:
    """What is claimed of a sample."""
    sheet = score(Kingdom.parse(row["kingdom"]))
    kind = MISTAKES.get(row["file"])
    made = [one.difference for one in mistakes(sheet) if one.mistake is kind]
    return sheet.total + max(made, key=abs, default=0)


def take_picture(page: Path, out: Path) -> None:
    """What a browser shows of a page."""
    words = [*browser_command(page.parent, SIZE, out), page.as_uri()]
    subprocess.run(words, check=True, capture_output=True, timeout=120)


def browser_command(folder: Path, size: tuple[int, int], out: Path) -> list[str]:
    """The command by which Chromium takes a picture of a page, whose address is added to it.

    Args:
        folder: For its profile.
        size: Of the window, (width, height) in pixels.
        out: Of the picture, PNG.
    """
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        raise SystemExit("Chromium is not installed.")
    return [
        browser,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        f"--user-data-dir={folder / 'profile'}",
        f"--window-size={size[0]},{size[1]}",
        f"--screenshot={out}",
    ]


if __name__ == "__main__":
    main()
