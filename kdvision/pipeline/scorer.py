"""A photo becomes a result: the stages in order, nothing else."""

import contextlib
import os
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kdvision.concurrency import cores, side_by_side, started
from kdvision.corrections import Fixes, fixes_of
from kdvision.errors import PHOTO_FIELD, NoKingdomError, UsageError, worst
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.photo.photo import Photo, Source, open_photo
from kdvision.photo.settings import PHOTO
from kdvision.pipeline.results import kingdom_results, reason
from kdvision.reading import Reading
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.terrain import LABELS
from kdvision.vision.doubt.doubts import doubts_of, not_found, not_read
from kdvision.vision.doubt.plausibility import may_be_kingdom
from kdvision.vision.doubt.selection import told
from kdvision.vision.grid.finder import detect_in, grids_in
from kdvision.vision.grid.grid import Grid
from kdvision.vision.grid.recheck import recheck
from kdvision.vision.models import load_model
from kdvision.vision.squares.castle import without_strays
from kdvision.vision.squares.classifier import classify
from kdvision.vision.squares.reader import read_grid
from kdvision.vision.squares.window_view import WindowView, view_of

_Seen = tuple[Grid, Reading] | None

#: So many kingdoms of a photo are read at a time.
MOST_SIDE_BY_SIDE = 4


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
        self.squares_session, entry = load_model("squares", models, threads=1)
        self._temperature = entry.temperature
        self._threads = threads or cores()

    def score(
        self,
        source: Source,
        options: GameOptions = DEFAULT_OPTIONS,
        *,
        name: str | None = None,
        fixes: Fixes | None = None,
    ) -> PhotoResult:
        """Score the kingdoms in a photo.

        Args:
            source: A path, the bytes of a picture file, a file open for reading bytes, a picture of
                Pillow, or RGB pixels (h, w, 3) uint8.
            options: The rules that the kingdoms are scored by.
            name: What the result calls the photo; None takes the path.
            fixes: Squares that are known, by their place in the kingdom as it is reported:
                `{"b3": "W1"}`, and `{"B.b3": "W1"}` where there are several kingdoms. A place may
                also be a position, `(row, col)` or `("B", (row, col))`, and may lie right of the
                kingdom or below it.

        Raises:
            UnreadablePhotoError: The source is no picture that can be read.
            NoKingdomError: There is no kingdom in it.
            UsageError: A fix names no place or no cell, or any of several kingdoms.
        """
        if not isinstance(options, GameOptions):
            raise UsageError(
                f"{str(options)[:40]!r} are no options of a game.", "Give GameOptions(size=7)."
            )
        known = fixes_of(fixes or {})
        photo = source if isinstance(source, Photo) else open_photo(source, name=name)
        seen = self._kingdoms_seen(photo)
        results = kingdom_results(photo.name, seen, options, known)
        # A path is opened again when a picture is wanted; what has none is kept.
        again = Path(source).absolute() if isinstance(source, str | os.PathLike) else photo
        return _photo_result(photo, results, again)

    def read_patches(self, patches: NDArray[np.uint8]) -> list[str]:
        """The likeliest label of patches (n, 64, 64, 3) RGB, as in a kingdom line."""
        classified = classify(
            patches, self.squares_session, self._temperature, threads=self._threads
        )
        return [LABELS[index] for index in classified.probabilities.argmax(axis=1)]

    def _kingdoms_seen(self, photo: Photo) -> list[tuple[Grid, Reading]]:
        """Every grid with a castle and what lies on it, in the reading order of the castles."""
        photo.pixels(PHOTO.working_side_px)
        if self._threads != 1:
            started(partial(_look_for_damage, photo))
        detected = detect_in(photo, self.grid_session)
        grids = grids_in(detected, self.grid_session)
        readers = max(1, self._threads // max(1, len(grids)))
        work = partial(self._kingdom_on, photo, readers)
        read = side_by_side(work, grids, min(self._threads, MOST_SIDE_BY_SIDE))
        seen = told(grids, read)
        if not seen:
            raise _nothing(photo, bool(grids))
        return seen

    def _kingdom_on(self, photo: Photo, readers: int, found: Grid) -> _Seen:
        """The kingdom on a grid with its doubts; None where there is none."""
        grid, reading, view = self._read(photo, found, readers)
        if reading is None or not may_be_kingdom(reading):
            return None
        return grid, doubts_of(photo, grid, reading, view)

    def _read(
        self, photo: Photo, grid: Grid, readers: int
    ) -> tuple[Grid, Reading | None, WindowView]:
        """What lies on a grid, in a window that is wide enough for it, as seen from above."""
        for last in (False, False, True):
            view = view_of(photo, grid)
            read = read_grid(photo, grid, self.squares_session, self._temperature, view, readers)
            reading = without_strays(read)
            if last or reading is None or not reading.reaches_border:
                break
            grid = grid.with_ring()
        if reading is not None and (not_found(grid, reading) or not_read(grid, reading)):
            grid = recheck(photo, grid, reading, self.grid_session)
        return grid, reading, view


def _look_for_damage(photo: Photo) -> None:
    """Have the photo know its damage before it is asked, while the main thread finds grids."""
    with contextlib.suppress(Exception):  # whoever asks for it meets it again
        _ = photo.damage


def _nothing(photo: Photo, tiles: bool) -> NoKingdomError:
    what = "tiles, but none of them is a castle" if tiles else "no tiles of Kingdomino"
    return NoKingdomError(
        f"No kingdom was found in {PHOTO_FIELD}: it shows {what}.",
        "Take the photo from above, with the whole kingdom and its start tile in it.",
        photo=photo.name,
    )


def _photo_result(photo: Photo, results: tuple[KingdomResult, ...], source: Source) -> PhotoResult:
    status = worst([result.status.exit_code for result in results])
    doubtful = [result for result in results if result.status.exit_code is status]
    size = (photo.width, photo.height)
    message = "" if doubtful[0].status is Status.SURE else reason(doubtful[0])
    return PhotoResult(photo.name, doubtful[0].status, message, results, size, source)
