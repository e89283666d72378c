"""A photo becomes a result: the stages in order, nothing else."""

import contextlib
import os
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from kdvision.concurrency import cores, side_by_side, started
from kdvision.corrections import Fixes, fixes_of
from kdvision.errors import PHOTO_FIELD, NoKingdomError, UsageError, worst
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.photo.photo import Photo, Source, open_photo
from kdvision.photo.settings import PHOTO
from kdvision.pipeline.results import kingdom_results
from kdvision.pipeline.trust import Trust, load_trust
from kdvision.reading import UNREPORTED, Doubt, DoubtCode, Reading, Seams
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.cuttings.pairs import Pair
from kdvision.rules.terrain import LABELS
from kdvision.vision.doubt.apart import with_dominoes_apart
from kdvision.vision.doubt.doubts import doubts_of, not_found, not_read
from kdvision.vision.doubt.left_out import tiles_left_out, tiles_unclear, with_notes
from kdvision.vision.doubt.plausibility import is_made_out, may_be_kingdom
from kdvision.vision.doubt.selection import reported
from kdvision.vision.grid.finder import detect_in, grids_in
from kdvision.vision.grid.grid import Grid
from kdvision.vision.grid.recheck import recheck
from kdvision.vision.models import Session, load_model, model_folder, read_manifest
from kdvision.vision.seams.reader import read_seams
from kdvision.vision.squares.background import washed_out
from kdvision.vision.squares.classifier import classify
from kdvision.vision.squares.kingdoms import kingdoms_on
from kdvision.vision.squares.reader import read_grid
from kdvision.vision.squares.window_view import WindowView, view_of

_Seen = tuple[Grid, Reading]

#: So many kingdoms of a photo are read at a time.
MOST_SIDE_BY_SIDE = 4


class Scorer:
    """Scores photos. Opens the models once; one object serves many photos and threads.

    Args:
        models: Folder of the models; None takes those of the package.
        threads: Threads for one photo; 0 takes the machine's cores.
        trust: How far totals can be trusted; None takes what was fitted for the models.

    `grid_session` and `squares_session` are the ONNX Runtime sessions.

    Raises:
        ModelError: A model is missing or damaged.
    """

    def __init__(
        self, models: str | Path | None = None, *, threads: int = 0, trust: Trust | None = None
    ) -> None:
        models = None if models is None else Path(models)
        self.grid_session, _ = load_model("grid", models, threads=threads)
        self.squares_session, entry = load_model("squares", models, threads=1)
        self._temperature = entry.temperature
        self.trust = trust or load_trust(models)
        self._threads = threads or cores()
        folder = models or model_folder()
        self._models = folder
        self._has_seams = "seams" in read_manifest(folder)

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
            fixes: Squares that are known, by their place in the kingdom as it is read without them:
                `{"b3": "W1"}`, and `{"B.b3": "W1"}` where there are several kingdoms. A place may
                also be a position, `(row, col)` or `("B", (row, col))`, and may lie beside the
                kingdom: `z3` or `(2, -1)` is left of `a3`, `c0` above `c1`.

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
        views: dict[Grid, WindowView] = {}
        seen = self._kingdoms_seen(photo, views)
        seams = partial(self._seams, photo, views) if self._has_seams else None
        results = kingdom_results(photo.name, seen, options, known, self.trust, seams)
        # A path is opened again when a picture is wanted; what has none is kept.
        again = Path(source).absolute() if isinstance(source, str | os.PathLike) else photo
        return _photo_result(photo, results, again)

    def read_patches(self, patches: NDArray[np.uint8]) -> list[str]:
        """The likeliest label of patches (n, 64, 64, 3) RGB, as in a kingdom line."""
        classified = classify(
            patches, self.squares_session, self._temperature, threads=self._threads
        )
        return [LABELS[index] for index in classified.probabilities.argmax(axis=1)]

    @cached_property
    def _seam_model(self) -> tuple[Session, float]:
        """The seam network, opened when the first kingdom asks for it, and its temperature."""
        session, entry = load_model("seams", self._models, threads=1)
        return session, entry.temperature

    def _seams(
        self, photo: Photo, views: Mapping[Grid, WindowView], grid: Grid, pairs: Sequence[Pair]
    ) -> Seams:
        """What the photo shows between places of a grid; of places beside it nothing."""
        rows, cols = grid.centres.shape[:2]
        inside = [
            pair for pair in pairs if all(0 <= row < rows and 0 <= col < cols for row, col in pair)
        ]
        return read_seams(photo, grid, inside, *self._seam_model, views.get(grid))

    def _kingdoms_seen(
        self, photo: Photo, views: dict[Grid, WindowView] | None = None
    ) -> list[tuple[Grid, Reading]]:
        """Every grid with a castle and what lies on it, in the reading order of the castles.

        What was seen of their windows goes into `views`, so that nothing is looked at twice.
        """
        photo.pixels(PHOTO.working_side_px)
        if self._threads != 1:
            started(partial(_look_for_damage, photo))
        detected = detect_in(photo, self.grid_session)
        grids = grids_in(detected, self.grid_session)
        readers = max(1, self._threads // max(1, len(grids)))
        work = partial(self._read_on, photo, readers, {} if views is None else views)
        read = side_by_side(work, grids, min(self._threads, MOST_SIDE_BY_SIDE))
        bare = [one.grid for one in read if not one.kingdoms]
        seen = reported(bare, [kingdom for one in read for kingdom in one.kingdoms])
        everything = [(one.grid, one.reading) for one in read]
        size = (photo.width, photo.height)
        unclear = [(one.grid, reading) for one in read for reading in one.unclear]
        notes = tiles_left_out(everything, seen, size, unclear)
        notes += tiles_unclear(unclear, seen, size)
        if not seen:
            raise _nothing(photo, notes, bool(grids))
        _, scale, detection = detected
        middles = (detection.squares.centres + 0.5) * scale
        seen = with_dominoes_apart(seen, middles, everything, partial(self._read, photo))
        return [(grid, with_notes(reading, notes)) for grid, reading in seen]

    def _read_on(
        self, photo: Photo, readers: int, views: dict[Grid, WindowView], grid: Grid
    ) -> "_Read":
        """What lies on a grid: the kingdoms with their doubts, and all that was read there.

        The window is made wide enough for the kingdoms.
        """
        for last in (False, False, True):
            view = view_of(photo, grid)
            read = read_grid(photo, grid, self.squares_session, self._temperature, view, readers)
            hidden = washed_out(view.ground, grid.tile)
            kingdoms = [one for one in kingdoms_on(read, grid, hidden) if may_be_kingdom(one)]
            if last or not any(one.reaches_border for one in kingdoms):
                break
            grid = grid.with_ring()
        views[grid] = view
        clear = [reading for reading in kingdoms if is_made_out(reading)]
        unclear = [reading for reading in kingdoms if not is_made_out(reading)]
        seen = [self._with_doubts(photo, grid, reading, view) for reading in clear]
        return _Read(grid, read, tuple(seen), tuple(unclear))

    def _read(self, photo: Photo, grid: Grid) -> Reading:
        """All that lies on a grid."""
        return read_grid(
            photo, grid, self.squares_session, self._temperature, threads=self._threads
        )

    def _with_doubts(self, photo: Photo, grid: Grid, reading: Reading, view: WindowView) -> _Seen:
        """A kingdom with its doubts, and its grid as a second detection has it where one helps."""
        if not_found(grid, reading) or not_read(grid, reading):
            grid = recheck(photo, grid, reading, self.grid_session)
        return grid, doubts_of(photo, grid, reading, view)


class _Read(Struct, frozen=True):
    """What lies on one grid: all that was read there, and the kingdoms with their doubts.

    `unclear` are like kingdoms, and too few of their squares are made out.
    """

    grid: Grid
    reading: Reading
    kingdoms: tuple[_Seen, ...]
    unclear: tuple[Reading, ...] = ()


def _look_for_damage(photo: Photo) -> None:
    """Have the photo know its damage before it is asked, while the main thread finds grids."""
    with contextlib.suppress(Exception):  # whoever asks for it meets it again
        _ = photo.damage


def _nothing(photo: Photo, notes: Sequence[Doubt], tiles: bool) -> NoKingdomError:
    unclear = any(note.code is DoubtCode.TILES_NOT_READ for note in notes)
    kingdom = "no kingdom that can be made out" if unclear else "no kingdom with a castle"
    what = f"tiles, but {kingdom}" if tiles else "no tiles of Kingdomino"
    left_out = "".join(f" {note.message}" for note in notes)
    return NoKingdomError(
        f"No kingdom was found in {PHOTO_FIELD}: it shows {what}.{left_out}",
        "Take the photo from above, with the whole kingdom and its start tile in it.",
        photo=photo.name,
    )


def _photo_result(photo: Photo, results: tuple[KingdomResult, ...], source: Source) -> PhotoResult:
    """All kingdoms of a photo, which is in doubt where one of them is or where one may be missing.

    The notes on what was left out stand with every kingdom.
    """
    status = worst([result.status.exit_code for result in results])
    first = next(result for result in results if result.status.exit_code is status)
    notes = [note for note in results[0].warnings if note.code in UNREPORTED]
    sentences = [first.reason] if first.status is not Status.SURE else []
    sentences += [note.message for note in notes]
    status_of_all = Status.DOUBTFUL if notes and first.status is Status.SURE else first.status
    size = (photo.width, photo.height)
    return PhotoResult(photo.name, status_of_all, " ".join(sentences), results, size, source)
