"""Put what the program prints, and an overlay, into README and the pages of docs/.

    python -m scripts.documents

A block that begins with `$` shows a command and all that it prints; a comment `<!-- $ ... -->` is a
step between them that readers do by hand. Commands run in a folder with the samples, a folder
`evening` with two photos and a sheet of that evening, and a folder `photos` with the first photo of
a tournament and its sheet `day.csv`; tests run them again.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.paths import ROOT
from scripts.pictures import read_bgr, resized, write_jpeg

#: A block with a command and what it prints, or a step that is not shown.
TRANSCRIPT = re.compile(r"^(?:```\n|<!-- )\$ (.+?)(?: -->|\n(.*?)^```)$", re.MULTILINE | re.DOTALL)
#: The photos of the evening, and the sheet that was kept by hand.
EVENING = ("corner.jpg", "plus.jpg")
SHEET = "photo,player,game,claimed\nevening/corner.jpg,Ann,1,10\nevening/plus.jpg,Bo,2,9\n"
#: The tournament: the sample that is the photo of its first table, and its sheet.
TABLE = "four_kingdoms.jpg"
DAY = """\
round,table,player,colour,photo,claimed,accept,note
1,1,Ann,yellow,r1t1.jpg,46,,
1,1,Bob,pink,r1t1.jpg,54,,
1,1,Cleo,blue,r1t1.jpg,39,,
1,1,Dan,green,r1t1.jpg,40,,
1,2,Eve,green,r1t2.jpg,50,,
1,2,Finn,pink,r1t2.jpg,40,,
"""
#: The sample whose overlay README shows.
OVERLAY = "samples/meadow_5x5.jpg"
#: The longer side of that picture, in pixels.
OVERLAY_PX = 900


def main() -> None:
    """Run every command of every page, and draw the overlay."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        for page in pages():
            text = page.read_text("utf-8")
            page.write_text(TRANSCRIPT.sub(lambda block: _run_block(block, folder), text), "utf-8")
        run(f"kdscore {OVERLAY} --overlay drawn.png", folder)
        picture = read_bgr(folder / "drawn.png")
    smaller = resized(picture, OVERLAY_PX / max(picture.shape[:2]))
    write_jpeg(ROOT / "docs" / "overlay.jpg", smaller, 85)


def pages() -> list[Path]:
    """Return README and the pages of docs/."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def prepare(folder: Path) -> None:
    """Put samples, evening, tournament and their sheets into a folder."""
    shutil.copytree(ROOT / "samples", folder / "samples")
    (folder / "evening").mkdir()
    for name in EVENING:
        shutil.copy(ROOT / "samples" / name, folder / "evening" / name)
    (folder / "sheet.csv").write_text(SHEET, encoding="utf-8")
    (folder / "photos").mkdir()
    shutil.copy(ROOT / "samples" / TABLE, folder / "photos" / "r1t1.jpg")
    (folder / "day.csv").write_text(DAY, encoding="utf-8")


def run(command: str, folder: Path) -> tuple[int, str]:
    """Return the exit code of a command line, and all that it prints."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT), COLUMNS="100", NO_COLOR="1")
    python = f'"{sys.executable}"'
    program = f'kdscore() {{ {python} -m kdvision "$@"; }}\npython() {{ {python} "$@"; }}'
    done = subprocess.run(
        ["sh", "-c", f"{program}\n{command}"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())


def _run_block(block: re.Match[str], folder: Path) -> str:
    """Run a block; return it with what its command prints now, and a step as it is."""
    _, printed = run(block[1], folder)
    if block[2] is None:
        return block[0]
    printed = printed.lstrip("\n")
    return f"```\n$ {block[1]}\n{printed.rstrip()}\n```"


if __name__ == "__main__":
    main()
