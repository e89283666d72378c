"""Write docs/first_steps.md: ten first tasks, with what the program prints.

python -m scripts.docs.first_steps
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.paths import ROOT

#: What each task is, and the command that does it; found from `--help` alone.
TASKS = (
    ("Score a photo", "kdscore samples/meadow_5x5.jpg"),
    ("Get the picture", "kdscore samples/meadow_5x5.jpg -q --overlay meadow.png && ls meadow.png"),
    ("Correct a square", "kdscore samples/meadow_5x5.jpg -q --fix a5=F"),
    ("Score a table with several kingdoms", "kdscore samples/four_kingdoms.jpg -q"),
    (
        "Score without a photo",
        "kdscore kingdom 'C W1 G G G/W W G2 - -/S L1 L F -/S L L L1 -/M2 - - - -' --harmony",
    ),
    (
        "Score a Duel map",
        "kdscore duel '- - D1 D - - -/- - - D E - -/- Q2 Q C T - -/- - - K T1 - -/- - - K - - -'",
    ),
    (
        "Score a folder of a tournament",
        "kdscore batch evening/ -o results.csv -q && cat results.csv",
    ),
    ("Check a sheet of hand counts", "cat sheet.csv && kdscore verify sheet.csv"),
    ("Rank the players", "kdscore standings results.csv --players sheet.csv"),
    (
        "Use it from Python",
        "python -c 'import kdvision; print(kdvision.score_photo(\"samples/plus.jpg\"))'",
    ),
)
#: The photos of the evening, and the sheet that was kept by hand.
EVENING = ("corner.jpg", "plus.jpg")
SHEET = "photo,player,game,claimed\nevening/corner.jpg,Ann,1,10\nevening/plus.jpg,Bo,2,9\n"

_HEAD = """\
# First steps

Ten first tasks, each found from `kdscore --help` and `kdscore COMMAND --help` alone. They run in a
folder with the samples, a folder `evening` with two photos, and the sheet of that evening.
Written by `python -m scripts.docs.first_steps`; a test runs every command.
"""


def prepare(folder: Path) -> None:
    """Put samples, evening and sheet into a folder."""
    shutil.copytree(ROOT / "samples", folder / "samples")
    (folder / "evening").mkdir()
    for name in EVENING:
        shutil.copy(ROOT / "samples" / name, folder / "evening" / name)
    (folder / "sheet.csv").write_text(SHEET, encoding="utf-8")


def run(command: str, folder: Path) -> tuple[int, str]:
    """The exit code of a command line, and all that it prints."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT), COLUMNS="100", NO_COLOR="1")
    program = "\n".join(
        f'{name}() {{ "{sys.executable}" {options} "$@"; }}'
        for name, options in (("kdscore", "-m kdvision"), ("python", ""))
    )
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
    return done.returncode, done.stdout


def main() -> None:
    """Write the document."""
    parts = [_HEAD]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        for number, (title, command) in enumerate(TASKS, 1):
            _, printed = run(command, folder)
            parts.append(f"## {number}. {title}\n```\n$ {command}\n{printed.rstrip()}\n```\n")
    (ROOT / "docs" / "first_steps.md").write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
