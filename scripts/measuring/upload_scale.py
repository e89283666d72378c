"""What scaling photos down on the phone does to their reading, and to their size.

    python -m scripts.measuring.upload_scale [--most 60]

Scores photos with known kingdoms as they are and as the page of `kdscore serve` sends them: at most
so many pixels on the longer side, as JPEG of quality 0.85. The photos are those of the samples and
of `photos.csv` beside the repository.
"""

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from kdvision.errors import KdvisionError
from kdvision.pipeline.scorer import Scorer
from kdvision.result import PhotoResult, Status
from scripts.paths import ROOT, SAMPLES

_SIDES = (0, 3200, 2600, 2000, 1600)
_QUALITY = 85
_DATA = Path(os.environ.get("KDVISION_DATA", ROOT.parent / "shared" / "data"))


def main() -> None:
    """Parse, score, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=60, help="the number of photos")
    options = parser.parse_args()
    scorer = Scorer(threads=1)
    photos = list(_photos())[: options.most]
    table = Table(title=f"{len(photos)} photos")
    for head in ("longer side", "bytes, median", "sure", "same totals as the whole photo", "other"):
        table.add_column(head, justify="right")
    whole = [_score(scorer, path.read_bytes()) for path in photos]
    for side in _SIDES:
        data = [scaled(path.read_bytes(), side) for path in photos]
        found = [_score(scorer, one) for one in data]
        same = sum(a == b for (_, a), (_, b) in zip(found, whole, strict=True))
        sure_other = sum(sure and a != b for (sure, a), (_, b) in zip(found, whole, strict=True))
        table.add_row(
            f"{side} px" if side else "as taken",
            f"{np.median([len(one) for one in data]) / 1e6:.2f} MB",
            str(sum(sure for sure, _ in found)),
            str(same),
            f"{len(photos) - same}, {sure_other} of them sure",
        )
    Console(width=110).print(table)


def scaled(data: bytes, side: int) -> bytes:
    """Scale a photo as the page does: upright, JPEG; 0 leaves it as it is."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if not side or picture is None:
        return data
    share = min(1.0, side / max(picture.shape[:2]))
    size = round(picture.shape[1] * share), round(picture.shape[0] * share)
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    coded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()
    return min(data, coded, key=len)


def _photos() -> Iterator[Path]:
    """Yield photos, the largest first: there scaling does something."""
    folders = (SAMPLES, _DATA / "photos")
    paths = [path for folder in folders for path in folder.rglob("*.jpg")]
    yield from sorted(paths, key=lambda path: -path.stat().st_size)


def _score(scorer: Scorer, data: bytes) -> tuple[bool, tuple[int, ...]]:
    """Return whether a photo is sure, and its totals."""
    try:
        found: PhotoResult = scorer.score(data)
    except KdvisionError:
        return False, ()
    return found.status is Status.SURE, tuple(one.score for one in found.kingdoms)


if __name__ == "__main__":
    main()
