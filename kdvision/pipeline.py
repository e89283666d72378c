"""A photo becomes a result: the stages in order, nothing else."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kdvision.errors import NoKingdomError
from kdvision.result import KingdomResult, PhotoResult, ReadSquare, Status
from kdvision.rules.kingdom import Kingdom, Position, cell_text
from kdvision.rules.scoring import ScoreSheet, natural_size, score
from kdvision.rules.terrain import LABELS
from kdvision.vision.decode import decode
from kdvision.vision.doubts import doubts_of
from kdvision.vision.grid import Grid, find_grids
from kdvision.vision.lattice import project
from kdvision.vision.models import load_model
from kdvision.vision.photo import Photo, open_photo
from kdvision.vision.reader import read_grid, read_patches, without_strays
from kdvision.vision.reading import Alternative, Decoded, Reading

#: A total is called sure from this probability on; measured, see models/README.md.
SURE_FROM = 0.97

Source = str | os.PathLike[str] | bytes | NDArray[np.uint8] | Photo


class Scorer:
    """Scores photos. Opens the models once; one object serves many photos and threads.

    Args:
        models: Folder of the models; None takes those of the package.
        threads: Threads for one photo; 0 takes the machine's cores.

    `grid_session` and `squares_session` are the ONNX Runtime sessions.

    Raises:
        ModelError: A model is missing or damaged.
    """

    def __init__(self, models: Path | None = None, *, threads: int = 0) -> None:
        self.grid_session, _ = load_model("grid", models, threads=threads)
        self.squares_session, entry = load_model("squares", models, threads=threads)
        self._temperature = entry.temperature

    def score(
        self,
        source: Source,
        *,
        name: str | None = None,
        size: int | None = None,
        harmony: bool = False,
        middle_kingdom: bool = False,
        fixes: Mapping[Position, str] | None = None,
    ) -> PhotoResult:
        """Score the kingdom in a photo.

        Args:
            source: A path, the bytes of a picture file, or RGB pixels (h, w, 3) uint8.
            name: What the result calls the photo; None takes the path.
            size: 5 or 7; None takes what fits.
            harmony: Whether the Harmony bonus is in play.
            middle_kingdom: Whether the Middle Kingdom bonus is in play.
            fixes: Cells that are known, by their (row, col) in the kingdom as it is reported.

        Raises:
            UnreadablePhotoError: The source is no picture that can be read.
            NoKingdomError: There is no kingdom in it.
            UsageError: A fix names no place, or no cell.
        """
        photo = source if isinstance(source, Photo) else open_photo(source, name=name)
        grid, reading = self._best(photo)
        options = _Options(size, harmony, middle_kingdom)
        decoded = options.decode(reading)
        if fixes:
            decoded = options.decode(reading, _on_grid(fixes, decoded.kingdom))
        result = _result(photo, grid, reading, decoded, options)
        return PhotoResult(
            photo.name,
            result.status,
            _message(result, reading),
            (result,),
            (photo.width, photo.height),
        )

    def _read(self, photo: Photo, grid: Grid) -> Reading:
        return read_grid(photo, grid, self.squares_session, self._temperature)

    def read_patches(self, patches: NDArray[np.uint8]) -> list[str]:
        """The likeliest label of patches (n, 64, 64, 3) RGB, as in a kingdom line."""
        probabilities = read_patches(patches, self.squares_session, self._temperature)
        return [LABELS[index] for index in probabilities.argmax(axis=1)]

    def _best(self, photo: Photo) -> tuple[Grid, Reading]:
        """The grid with a castle and most squares, and what lies on it."""
        grids = find_grids(photo, self.grid_session)
        for grid in grids:
            reading = without_strays(self._read(photo, grid))
            if reading is not None and _squares_of(reading) >= 2:
                return grid, doubts_of(photo, grid, reading)
        seen = "no castle among the tiles" if grids else "no tiles of Kingdomino"
        raise NoKingdomError(
            f"No kingdom was found in {photo.name}: {seen} could be seen.",
            "Take the photo from above, with the whole kingdom and its start tile in it.",
        )


def score_photo(source: Source, **options: Any) -> PhotoResult:
    """Score one photo; see `Scorer.score`. For many photos make one `Scorer`."""
    return Scorer().score(source, **options)


@dataclass(frozen=True, slots=True)
class _Options:
    """The rules that a photo is scored by."""

    size: int | None
    harmony: bool
    middle_kingdom: bool

    def decode(self, reading: Reading, fixes: Mapping[Position, str] | None = None) -> Decoded:
        return decode(
            reading,
            size=self.size,
            harmony=self.harmony,
            middle_kingdom=self.middle_kingdom,
            fixes=fixes,
        )

    def score(self, kingdom: Kingdom) -> ScoreSheet:
        return score(
            kingdom,
            self.size or natural_size(kingdom),
            harmony=self.harmony,
            middle_kingdom=self.middle_kingdom,
        )


def _squares_of(reading: Reading) -> int:
    labels = [place.label for places in reading.places for place in places]
    return sum(label not in "C-" for label in labels)


def _on_grid(fixes: Mapping[Position, str], kingdom: Kingdom) -> dict[Position, str]:
    """Positions in the reported kingdom become positions in the grid."""
    top, left, _, _ = kingdom.box() or (0, 0, 0, 0)
    return {(row + top, col + left): text for (row, col), text in fixes.items()}


def _result(
    photo: Photo, grid: Grid, reading: Reading, decoded: Decoded, options: _Options
) -> KingdomResult:
    """Everything that is told of one kingdom, positions counted in its own box."""
    trimmed = decoded.kingdom.trimmed()
    top, left, bottom, right = decoded.kingdom.box() or (0, 0, 0, 0)
    sheet = options.score(trimmed)
    squares = tuple(
        ReadSquare(
            (row - top, col - left),
            cell_text(cell),
            decoded.certainty[row][col],
            reading.places[row][col].center,
        )
        for (row, col), cell in decoded.kingdom.cells()
        if top <= row <= bottom and left <= col <= right
    )
    box = np.array([[left, top], [right + 1, top], [right + 1, bottom + 1], [left, bottom + 1]])
    corners = tuple((float(x), float(y)) for x, y in project(grid.homography, box.astype(float)))
    sure = decoded.probability >= SURE_FROM
    seen = decoded.seen.trimmed()
    return KingdomResult(
        sheet,
        Status.SURE if sure else Status.DOUBTFUL,
        decoded.probability,
        squares,
        corners,
        tuple(_shifted(alternative, top, left) for alternative in decoded.alternatives),
        decoded.warnings,
        None if seen == trimmed else str(seen),
    )


def _shifted(alternative: Alternative, top: int, left: int) -> Alternative:
    """An alternative with its positions counted in the kingdom's own box."""
    squares = tuple(((row - top, col - left), text) for (row, col), text in alternative.squares)
    return Alternative(alternative.score, alternative.probability, squares)


def _message(result: KingdomResult, reading: Reading) -> str:
    """Why a result is doubtful, in a sentence; nothing when it is sure."""
    if result.status is Status.SURE:
        return ""
    overall = [doubt.message for doubt in reading.doubts if not doubt.cells]
    reasons = [*overall, *result.warnings, *(d.message for d in reading.doubts if d.cells)]
    return reasons[0] if reasons else "Some squares could not be read with certainty."
