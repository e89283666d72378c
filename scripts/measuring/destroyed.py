"""Count how often a total is sure and wrong in files of which a stretch was overwritten.

    python -m scripts.measuring.destroyed

These are the formats without checksums; samples are saved in each, and zeros or noise are written
over 4096 bytes or a quarter of the file, at three places.
"""

import csv
import io
from collections import Counter
from collections.abc import Callable
from random import Random

import pillow_heif
from PIL import Image

from kdvision.errors import KdvisionError
from kdvision.pipeline.scorer import Scorer
from kdvision.result import Status
from kdvision.rules.kingdom import Kingdom
from scripts.paths import SAMPLES

FILES = ("meadow_5x5.jpg", "corner.jpg", "gaps_7x7.jpg")
FORMATS = ("HEIC", "AVIF", "WEBP", "TIFF", "BMP", "GIF")
#: Shares of the file before the stretch.
PLACES = (0.15, 0.35, 0.55)
FILLS: dict[str, Callable[[int], bytes]] = {"zeros": bytes, "noise": Random(1).randbytes}
SIDE_PX = 1000


def main() -> None:
    """Destroy, score, and print a line for each format."""
    scorer, total = Scorer(), Counter[str]()
    for kind in FORMATS:
        outcomes = Counter[str]()
        for file in FILES:
            whole = save(file, kind)
            for fill in FILLS.values():
                for length in (4096, len(whole) // 4):
                    for place in PLACES:
                        start = int(place * len(whole))
                        broken = whole[:start] + fill(length) + whole[start + length :]
                        outcomes[judge(scorer, file, broken)] += 1
        print(kind, dict(outcomes), flush=True)
        total += outcomes
    print("all", dict(total))


def save(file: str, kind: str) -> bytes:
    """Save a sample in a format."""
    stream = io.BytesIO()
    with Image.open(SAMPLES / file) as picture:
        small = picture.convert("RGB")
    small.thumbnail((SIDE_PX, SIDE_PX))
    if kind == "HEIC":
        pillow_heif.from_pillow(small).save(stream, quality=70)
    else:
        small.save(stream, kind)
    return stream.getvalue()


def judge(scorer: Scorer, file: str, data: bytes) -> str:
    """Return what comes of a file: `not read`, `doubtful`, `right` or `sure and wrong`."""
    try:
        result = scorer.score(data)
    except KdvisionError:
        return "not read"
    if result.status is not Status.SURE:
        return "doubtful"
    with (SAMPLES / "truth.csv").open(newline="", encoding="utf-8") as table:
        rows = [row for row in csv.DictReader(table) if row["file"] == file]
    truth = [Kingdom.parse(row["kingdom"]) for row in rows]
    return "right" if [one.kingdom for one in result.kingdoms] == truth else "sure and wrong"


if __name__ == "__main__":
    main()
