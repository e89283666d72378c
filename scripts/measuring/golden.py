"""Make the golden set of readings: tests/data/readings.json.gz.

    python -m scripts.measuring.golden [--workers 2]    # reads pictures with the models in use
    python -m scripts.measuring.golden --again          # judges the kept readings anew, in seconds

The set is what decoding and trust need of photos, without the photos: the records as JSON, packed
with gzip. What is said of a kingdom is what comes of the reading as it is kept, so that reading it
again says exactly the same. The pictures are our own samples, undamaged, damaged and covered in
every way that is measured.

After an intended change of decoding or trust, run it with `--again` and look at what changed.
"""

import argparse
import gzip
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from kdvision.errors import KdvisionError
from kdvision.photo.photo import open_photo
from kdvision.pipeline.decoded import decode_kingdoms
from kdvision.pipeline.judgement import assess
from kdvision.pipeline.read_photo import ReadKingdom, to_rows
from kdvision.pipeline.results import make_result
from kdvision.pipeline.trust import Trust, load_trust
from kdvision.reading import Place, Reading
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.rules import Rules
from kdvision.rules.scoring import score
from kdvision.vision.grid.grid import Grid
from scripts.measuring.evaluation import covers, damages
from scripts.measuring.evaluation.cases import TrueKingdom, sample_lines
from scripts.measuring.evaluation.scoring import matched, scorer
from scripts.paths import ROOT, SAMPLES

GOLDEN = ROOT / "tests" / "data" / "readings.json.gz"
_SEED = 31_337
#: The longer side of a picture before it is damaged.
LONGER_PX = 1400
#: Copies with each kind of damage.
COPIES = 2
#: Digits of probabilities and of what else a reading holds.
DIGITS = 4
#: Digits of places in a grid.
GRID_DIGITS = 3


class GoldenKingdom(Struct, frozen=True, eq=False):
    """One kingdom of a photo.

    Attributes:
        grid: Its grid.
        reading: What was read on it, with doubts.
        truth: The total that it truly has; None where there is no such kingdom.
        total: The total that is said.
        status: `sure` or `doubtful`.
        probability: That the total is right, as is said.
    """

    grid: Grid
    reading: Reading
    truth: int | None
    total: int = 0
    status: str = ""
    probability: float = 0.0

    @property
    def right(self) -> bool:
        """Whether the total that is said is the true one."""
        return self.total == self.truth


class GoldenPhoto(Struct, frozen=True, eq=False):
    """The kingdoms of one photo, in the order of the report."""

    name: str
    kingdoms: tuple[GoldenKingdom, ...]


class Golden(Struct, frozen=True, eq=False):
    """The set: photos, and the trust by which they were judged."""

    trust: Trust
    photos: tuple[GoldenPhoto, ...]


def main() -> None:
    """Read or take the kept readings, judge, choose, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--again", action="store_true", help="judge the kept readings anew")
    options = parser.parse_args()
    trust = load_trust()
    kept = read_golden(GOLDEN).photos if options.again else read_samples(options.workers)
    photos = [_judged(photo, trust) for photo in kept]
    GOLDEN.parent.mkdir(exist_ok=True)
    write_golden(GOLDEN, Golden(trust, tuple(photos)))
    kingdoms = [kingdom for photo in photos for kingdom in photo.kingdoms]
    kinds = Counter((kingdom.status, kingdom.right) for kingdom in kingdoms)
    for (status, right), count in sorted(kinds.items()):
        print(f"{count:4} kingdoms {status} and {'right' if right else 'wrong'}")
    print(f"{len(photos)} photos, {GOLDEN.stat().st_size // 1024} KiB in {GOLDEN}")


def read_samples(workers: int) -> Iterator[GoldenPhoto]:
    """Yield the kingdoms of all pictures, read and not yet judged."""
    lines = {name: mine for name, mine in sample_lines().items() if mine}
    with ProcessPoolExecutor(workers) as pool:
        for photos in pool.map(_versions, lines, lines.values()):
            yield from photos


def _versions(name: str, lines: Sequence[str]) -> list[GoldenPhoto]:
    """Return a sample and its damaged copies."""
    picture = open_photo(SAMPLES / name).pixels(LONGER_PX)[0]
    whole = _read(name, damages.as_jpeg(picture), lines)
    if whole is None:
        return []
    photos = [whole]
    kingdom = whole.kingdoms[0]
    unit = kingdom.grid.square_px
    centres = [kingdom.reading[at].center or (0.0, 0.0) for at in kingdom.reading.taken]
    rng = np.random.default_rng([_SEED, zlib.crc32(name.encode())])
    for kind, number in product((*damages.KINDS, *covers.KINDS), range(COPIES)):
        if kind in covers.KINDS:
            at = np.array(centres[int(rng.integers(len(centres)))])
            at = at + rng.normal(0, 0.3, 2) * unit
            damaged = covers.over(picture, *covers.KINDS[kind](picture, rng, unit, at))
        else:
            damaged = damages.KINDS[kind](picture, rng, rng.random(), unit)
        photo = _read(f"{name} {kind} {number + 1}", damages.as_jpeg(damaged), lines)
        photos += [photo] if photo else []
    return photos


def _read(name: str, data: bytes, lines: Sequence[str]) -> GoldenPhoto | None:
    """Return what is read in a picture, with its true totals; None where there is no kingdom."""
    reader = scorer()
    try:
        found = reader.vision.read(open_photo(data, name=name)).kingdoms
        result = reader.score(data, Rules(), name=name)
    except KdvisionError:
        return None
    if len(result.kingdoms) != len(found):
        return None  # what was left out has no place in the order
    pairs = matched(tuple(map(TrueKingdom, lines)), result.kingdoms)
    truths = {said: score(Kingdom.parse(lines[true])).total for true, said in pairs.items()}
    kingdoms = []
    for index, kingdom in enumerate(found):
        grid, reading = rounded(kingdom.grid, kingdom.reading)
        kingdoms.append(GoldenKingdom(grid, reading, truths.get(index)))
    return GoldenPhoto(name, tuple(kingdoms))


def _judged(photo: GoldenPhoto, trust: Trust) -> GoldenPhoto:
    """Return the photo with what is said of its kingdoms."""
    seen = [ReadKingdom(one.reading, to_rows(one.grid.homography)) for one in photo.kingdoms]
    decoded = decode_kingdoms(seen, Rules())
    if len(decoded) != len(seen):
        raise ValueError(f"{photo.name}: {len(decoded)} kingdoms of {len(seen)} are reported.")
    kingdoms = []
    for one, kingdom in zip(photo.kingdoms, decoded, strict=True):
        said = make_result(kingdom, assess(kingdom, Rules(), trust), Rules())
        total, status = said.sheet.total, said.status.value
        kingdoms.append(replace(one, total=total, status=status, probability=said.probability))
    return replace(photo, kingdoms=tuple(kingdoms))


# ---------------------------------------------------------------------- as a file


def write_golden(path: Path, golden: Golden) -> None:
    """Write the set. The same set makes the same file."""
    data = msgspec.json.encode(golden, enc_hook=lambda array: array.tolist())
    path.write_bytes(gzip.compress(data, mtime=0))


def read_golden(path: Path) -> Golden:
    """Return the set in a file."""
    data = gzip.decompress(path.read_bytes())
    return msgspec.json.decode(data, type=Golden, dec_hook=lambda _, values: np.array(values))


def rounded(grid: Grid, reading: Reading) -> tuple[Grid, Reading]:
    """Return a grid and a reading with as many digits as are kept."""
    arrays = ("centres", "castle", "tile", "tile_seen", "agreed")
    digits = {name: getattr(grid, name).round(GRID_DIGITS) for name in arrays}
    places = tuple(tuple(map(_rounded, row)) for row in reading.places)
    doubts = tuple(replace(doubt, weight=round(doubt.weight, DIGITS)) for doubt in reading.doubts)
    return replace(grid, **digits), replace(reading, places=places, doubts=doubts)


def _rounded(place: Place) -> Place:
    """Round the shares of a place; the likeliest takes what rounding leaves over."""
    shares = [round(value, DIGITS) for value in place.probabilities]
    best = shares.index(max(shares))
    shares[best] = round(1 - sum(shares) + shares[best], DIGITS)
    x, y = place.center or (0.0, 0.0)
    return Place(tuple(shares), (round(x), round(y)), round(place.hidden, 2))


if __name__ == "__main__":
    main()
