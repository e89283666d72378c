"""Readings as text: what decoding and trust need of a photo, without the photo.

One line of JSON per photo, packed with gzip. Probabilities have four digits; only those that are
not 0 are kept. What was said of a kingdom is what comes of the reading as it is kept, so that
reading it again says exactly the same.
"""

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kdvision.pipeline.trust import Curve, Trust, parse_trust
from kdvision.reading import Doubt, DoubtCode, Place, Reading, Sign
from kdvision.rules.terrain import LABELS
from kdvision.vision.grid.finder import Grid, middles

DIGITS = 4


@dataclass(frozen=True, slots=True)
class GoldenKingdom:
    """One kingdom of a photo.

    Attributes:
        grid: Its grid; of its arrays those that decide what lies on a place.
        reading: What was read on it, with doubts and signs.
        truth: The total that it truly has; None where there is no such kingdom.
        total: The total that is said.
        status: `sure` or `doubtful`.
        probability: That the total is right, as is said.
    """

    grid: Grid
    reading: Reading
    truth: int | None
    total: int
    status: str
    probability: float

    @property
    def right(self) -> bool:
        """Whether the total that is said is the true one."""
        return self.total == self.truth


@dataclass(frozen=True, slots=True)
class GoldenPhoto:
    """The kingdoms of one photo, in the order of the report."""

    name: str
    kingdoms: tuple[GoldenKingdom, ...]


@dataclass(frozen=True, slots=True)
class Golden:
    """The set: photos, and the trust by which they were judged."""

    trust: Trust
    photos: tuple[GoldenPhoto, ...]


def write_golden(path: Path, golden: Golden) -> None:
    """Write the set: the trust in the first line, then a photo per line.

    The same set makes the same file.
    """
    data = [{"trust": trust_data(golden.trust)}, *map(_packed, golden.photos)]
    text = "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in data)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def read_golden(path: Path) -> Golden:
    """The set in a file."""
    first, *lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    trust = parse_trust(json.loads(first)["trust"])
    return Golden(trust, tuple(_unpacked(json.loads(line)) for line in lines))


def trust_data(trust: Trust) -> dict[str, Any]:
    """A trust as JSON takes it."""
    return {
        "sure_from": trust.sure_from,
        "posterior": _points(trust.posterior or Curve((0.0,), (0.0,))),
        "costs": {code.value: _points(curve) for code, curve in sorted(trust.costs.items())},
    }


def _points(curve: Curve) -> list[list[float]]:
    return [[round(x, 6), round(y, 6)] for x, y in zip(curve.x, curve.y, strict=True)]


def as_kept(grid: Grid, reading: Reading) -> tuple[Grid, Reading]:
    """A grid and a reading as they are after writing and reading them."""
    return _grid(_packed_grid(grid)), _reading(_packed_reading(reading))


def _packed(photo: GoldenPhoto) -> dict[str, Any]:
    kingdoms = [
        {
            "grid": _packed_grid(one.grid),
            **_packed_reading(one.reading),
            "truth": one.truth,
            "said": [one.total, one.status, round(one.probability, 6)],
        }
        for one in photo.kingdoms
    ]
    return {"photo": photo.name, "kingdoms": kingdoms}


def _unpacked(data: Mapping[str, Any]) -> GoldenPhoto:
    kingdoms = tuple(
        GoldenKingdom(_grid(one["grid"]), _reading(one), one["truth"], *one["said"])
        for one in data["kingdoms"]
    )
    return GoldenPhoto(data["photo"], kingdoms)


def _packed_grid(grid: Grid) -> dict[str, Any]:
    maps = {name: getattr(grid, name) for name in ("castle", "tile", "tile_seen", "agreed")}
    return {
        "homography": [float(f"{value:.6g}") for value in grid.homography.ravel()],
        "size": [grid.rows, grid.cols],
        "found": "".join(str(int(one)) for one in grid.found.ravel()),
        "off": (grid.centres - middles(grid.rows, grid.cols)).round(3).ravel().tolist(),
        **{name: values.round(2).ravel().tolist() for name, values in maps.items()},
        "residual": round(grid.residual, DIGITS),
        "square_px": round(grid.square_px, 1),
    }


def _grid(data: Mapping[str, Any]) -> Grid:
    rows, cols = data["size"]

    def map_of(name: str) -> Any:
        return np.array(data[name], np.float64).reshape(rows, cols)

    return Grid(
        np.array(data["homography"], np.float64).reshape(3, 3),
        rows,
        cols,
        middles(rows, cols) + np.array(data["off"], np.float64).reshape(rows, cols, 2),
        np.array([one == "1" for one in data["found"]]).reshape(rows, cols),
        map_of("castle"),
        map_of("tile"),
        map_of("tile_seen"),
        map_of("agreed"),
        data["residual"],
        data["square_px"],
    )


def _packed_reading(reading: Reading) -> dict[str, Any]:
    return {
        "places": [[_packed_place(place) for place in row] for row in reading.places],
        "doubts": [[one.code, one.factor, one.cells, dict(one.fields)] for one in reading.doubts],
        "signs": [[one.code, round(one.value, DIGITS), one.cells] for one in reading.signs],
        "apart": reading.apart,
    }


def _packed_place(place: Place) -> list[Any]:
    """Its centre, how hidden it is, and then labels with their probabilities, the likeliest first.

    The likeliest takes what rounding leaves over.
    """
    shares = [round(value, DIGITS) for value in place.probabilities]
    best = LABELS.index(place.label)
    shares[best] = round(1 - sum(shares) + shares[best], DIGITS)
    order = sorted((label for label, value in enumerate(shares) if value), key=lambda n: -shares[n])
    pairs = [part for label in order for part in (LABELS[label], shares[label])]
    x, y = place.center or (0.0, 0.0)
    return [round(x), round(y), round(place.hidden, 2), *pairs[: 1 if len(order) == 1 else None]]


def _reading(data: Mapping[str, Any]) -> Reading:
    return Reading(
        tuple(tuple(_place(place) for place in row) for row in data["places"]),
        doubts=tuple(
            Doubt(DoubtCode(code), factor, _cells(cells), fields)
            for code, factor, cells, fields in data["doubts"]
        ),
        apart=tuple(((row, col), text) for (row, col), text in data["apart"]),
        signs=tuple(
            Sign(DoubtCode(code), value, _cells(cells)) for code, value, cells in data["signs"]
        ),
    )


def _place(data: Sequence[Any]) -> Place:
    x, y, hidden, *pairs = data
    if len(pairs) == 1:
        pairs = [pairs[0], 1.0]
    shares = dict(zip(pairs[::2], pairs[1::2], strict=True))
    return Place(tuple(shares.get(label, 0.0) for label in LABELS), (float(x), float(y)), hidden)


def _cells(cells: Sequence[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((row, col) for row, col in cells)
