"""Put measured figures and real output into README.md, docs/accuracy.md and models/README.md.

    python -m scripts.measuring.fill_texts

Between `<!-- name -->` and `<!-- /name -->` stands what a program printed: the sheet of a sample,
and the tables that `evaluate.py` and `benchmark.py` wrote. The overlay picture of the README is
drawn anew as well.
"""

import subprocess
import sys
from pathlib import Path

from scripts.paths import ROOT
from scripts.pictures import read_bgr, resized, write_jpeg

SAMPLE = "samples/meadow_5x5.jpg"
TABLE = "samples/four_kingdoms.jpg"
OVERLAY_PX = 900


def main() -> None:
    """Fill the files, and draw the overlays."""
    evaluation = (ROOT / "models" / "evaluation.md").read_text()
    benchmark = (ROOT / "models" / "benchmark.md").read_text()
    fill(
        ROOT / "README.md",
        sheet=f"```\n$ kdscore {SAMPLE}\n{sheet()}\n```",
        figures=figures(evaluation),
    )
    fill(
        ROOT / "docs" / "accuracy.md",
        accuracy=sections(evaluation, "Whole kingdoms", "Single squares"),
        speed=sections(benchmark, "Cold run", "Warm score_photo"),
    )
    fill(ROOT / "models" / "README.md", evaluation=evaluation.replace("### ", "#### "))
    for sample, name in ((SAMPLE, "overlay"), (TABLE, "overlay_table")):
        draw(sample, ROOT / "docs" / f"{name}.jpg")


def fill(path: Path, **parts: str) -> None:
    """Replace what stands between the marks of each part."""
    text = path.read_text()
    for name, part in parts.items():
        first, last = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, found, rest = text.partition(first)
        _, ends, after = rest.partition(last)
        if not (found and ends):
            raise SystemExit(f"{path} has no marks for {name}.")
        text = f"{before}{first}{part.strip()}\n{last}{after}"
    path.write_text(text)


def figures(evaluation: str) -> str:
    """Return what the real photos came to, in a sentence."""
    row = next(line for line in evaluation.splitlines() if line.startswith("| photos |"))
    cells = [cell.split("(")[0].strip() for cell in row.strip("|").split("|")]
    kingdoms, exact, sure, wrong = cells[2], cells[6], cells[9], cells[10]
    silent = "gives no wrong total as sure" if wrong == "0" else f"{wrong} of these are wrong"
    return (
        f"Of {kingdoms} real phone photos that it was never trained on it reads {exact} to the\n"
        f"last crown, calls {sure} sure, and {silent}."
    )


def sheet() -> str:
    """What `kdscore` prints for the sample."""
    done = subprocess.run(
        [Path(sys.executable).with_name("kdscore"), SAMPLE],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())


def sections(text: str, *titles: str) -> str:
    """The tables of a file whose titles begin so, with their titles in bold."""
    found = []
    for part in text.split("\n### ")[1:]:
        title, _, body = part.partition("\n")
        if title.startswith(titles):
            found.append(f"**{title}**\n\n{body.strip()}")
    return "\n\n".join(found)


def draw(sample: str, target: Path) -> None:
    """The overlay of a sample, small enough for a page."""
    target.parent.mkdir(exist_ok=True)
    kdscore = Path(sys.executable).with_name("kdscore")
    command = [str(kdscore), sample, "--overlay", str(target.parent)]
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
    drawn = target.parent / f"{Path(sample).stem}-overlay.jpg"
    picture = read_bgr(drawn)
    write_jpeg(target, resized(picture, OVERLAY_PX / max(picture.shape[:2])), 85)
    drawn.unlink()


if __name__ == "__main__":
    main()
