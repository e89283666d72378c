"""Count how often a total is sure and wrong in files of which a stretch was overwritten.

    python -m scripts.measuring.destroyed

These are the formats without checksums; samples are saved in each, and zeros or noise are written
over 4096 bytes or a quarter of the file, at three places.
"""

from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random

from kdvision.errors import KdvisionError
from kdvision.pipeline.scorer import Scorer
from kdvision.result import Status
from scripts.measuring.evaluation.cases import sample_lines
from scripts.paths import SAMPLES
from scripts.pictures import read_bgr, resized
from tests.support.fuzzing.pictures import FORMATS

FILES = ("meadow_5x5.jpg", "corner.jpg", "gaps_7x7.jpg")
KINDS = ("HEIC", "AVIF", "WebP", "TIFF", "BMP", "GIF")
#: Shares of the file before the stretch.
PLACES = (0.15, 0.35, 0.55)
FILLS: tuple[Callable[[int], bytes], ...] = (bytes, Random(1).randbytes)
#: The longer side of the pictures.
SIDE_PX = 1000


def main() -> None:
    """Destroy, score, and print a line for each format."""
    truths = sample_lines()
    scorer, total = Scorer(), Counter[str]()
    for kind in KINDS:
        outcomes = Counter[str]()
        for file in FILES:
            picture = read_bgr(SAMPLES / file)
            small = resized(picture, SIDE_PX / max(picture.shape))
            whole = FORMATS[kind](small[..., ::-1])
            for fill, length, place in product(FILLS, (4096, len(whole) // 4), PLACES):
                start = int(place * len(whole))
                broken = whole[:start] + fill(length) + whole[start + length :]
                outcomes[judge(scorer, broken, truths[file])] += 1
        print(kind, dict(outcomes), flush=True)
        total += outcomes
    print("all", dict(total))


def judge(scorer: Scorer, data: bytes, truths: list[str]) -> str:
    """Return what comes of a file: `not read`, `doubtful`, `right` or `sure and wrong`."""
    try:
        result = scorer.score(data)
    except KdvisionError:
        return "not read"
    if result.status is not Status.SURE:
        return "doubtful"
    return "right" if [str(one.kingdom) for one in result.kingdoms] == truths else "sure and wrong"


if __name__ == "__main__":
    main()
