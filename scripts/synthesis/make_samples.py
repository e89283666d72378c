"""Draw the photos of samples/ and write their truth.

    python -m scripts.synthesis.make_samples [--out DIR] [--only NAME...]

Everything in them is artwork of our own. The same versions of the libraries write the same bytes.
"""

import argparse
import csv
from collections.abc import Iterable
from pathlib import Path

import cv2
from PIL import Image

from kdvision.rules.scoring import score
from scripts.paths import SAMPLES
from scripts.synthesis.staging.sample_book import BOOK
from scripts.synthesis.staging.shot import Shot
from scripts.synthesis.staging.stage import Staged, stage

COLUMNS = ("file", "kingdom", "total", "size", "note")
#: The sides of a square in the photo may lie between these, in pixels.
SMALLEST, LARGEST = 45.0, 170.0
#: The EXIF tag that says how a picture lies, and its value for "to be shown turned clockwise".
_ORIENTATION, _TURN_CLOCKWISE = 0x0112, 6


def main() -> None:
    """Draw, check, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=SAMPLES)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these files")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    known = [shot.file for shot in BOOK]
    if strangers := set(options.only or ()) - set(known):
        parser.error(f"No sample is named {', '.join(sorted(strangers))}: {', '.join(known)}.")
    rows: list[dict[str, str | int]] = []
    for shot in BOOK:
        if options.only and shot.file not in options.only:
            continue
        staged = stage(shot)
        _check(shot, staged)
        save(shot, staged, options.out / shot.file)
        rows += truth(shot, staged)
        print(
            f"{shot.file}: {(options.out / shot.file).stat().st_size // 1000} kB, {_sides(staged)}"
        )
    if not options.only:
        write_truth(rows, options.out / "truth.csv")


def truth(shot: Shot, staged: Staged) -> list[dict[str, str | int]]:
    """The rows of a photo: one per kingdom, or one without a kingdom."""
    if not staged.kingdoms:
        return [dict(zip(COLUMNS, (shot.file, "", "", "", shot.note), strict=True))]
    sheets = [score(seen.kingdom) for seen in staged.kingdoms]
    return [
        dict(zip(COLUMNS, (shot.file, str(s.kingdom), s.total, s.size, shot.note), strict=True))
        for s in sheets
    ]


def write_truth(rows: Iterable[dict[str, str | int]], path: Path) -> None:
    """The truth of all photos as CSV."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def save(shot: Shot, staged: Staged, path: Path) -> None:
    """Write the JPEG; a sideways one is stored lying on its side, with the tag that says so."""
    picture = Image.fromarray(staged.image)
    exif = Image.Exif()
    if shot.sideways:
        picture = picture.transpose(Image.Transpose.ROTATE_90)
        exif[_ORIENTATION] = _TURN_CLOCKWISE
    picture.save(path, quality=shot.quality, optimize=True, exif=exif)


def _check(shot: Shot, staged: Staged) -> None:
    """Check that a photo shows its kingdoms whole, in squares of the size that samples have.

    Raises:
        ValueError: A kingdom leaves the photo, or its squares are too small or too large.
    """
    height, width = staged.image.shape[:2]
    for seen in staged.kingdoms:
        low, high = seen.corners.min(axis=0), seen.corners.max(axis=0)
        if min(low) < 8 or high[0] > width - 8 or high[1] > height - 8:
            raise ValueError(f"{shot.file}: a kingdom leaves the photo ({low}, {high}).")
        if seen.squares[0] < SMALLEST or seen.squares[1] > LARGEST:
            raise ValueError(f"{shot.file}: squares of {seen.squares} pixels.")


def _sides(staged: Staged) -> str:
    if not staged.kingdoms:
        return "no kingdom"
    low = min(seen.squares[0] for seen in staged.kingdoms)
    high = max(seen.squares[1] for seen in staged.kingdoms)
    return f"{len(staged.kingdoms)} kingdoms, squares of {low:.0f} to {high:.0f} px"


if __name__ == "__main__":
    main()
