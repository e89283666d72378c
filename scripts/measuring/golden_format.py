"""Readings as text: what decoding and trust need of a photo, without the photo.

The records as JSON, packed with gzip. What is said of a kingdom is what comes of the reading as it
is kept, so that reading it again says exactly the same.
"""

import gzip
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from kdvision.pipeline.trust import Trust
from kdvision.reading import Place, Reading
from kdvision.vision.grid.grid import Grid

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


def write_golden(path: Path, golden: Golden) -> None:
    """Write the set. The same set makes the same file."""
    data = msgspec.json.encode(golden, enc_hook=lambda array: array.tolist())
    path.write_bytes(gzip.compress(data, mtime=0))


def read_golden(path: Path) -> Golden:
    """Return the set in a file."""
    data = gzip.decompress(path.read_bytes())
    return msgspec.json.decode(data, type=Golden, dec_hook=_array)


def _array(_: type, values: Any) -> Any:
    return np.array(values)


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
