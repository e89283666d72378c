"""A photo becomes a result: the stages in order, nothing else."""

import os
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kdvision.concurrency import cores
from kdvision.corrections import Fixes, fixes_of
from kdvision.errors import UsageError, worst
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.photo.photo import Photo, Source, open_photo
from kdvision.pipeline.judgement import judge
from kdvision.pipeline.reader import KingdomReader, Sight
from kdvision.pipeline.table import TableKingdom, decode_table
from kdvision.pipeline.trust import Trust, load_trust
from kdvision.reading import UNREPORTED, Seams
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.terrain import LABELS
from kdvision.vision.grid.finder import detect_in, grids_in
from kdvision.vision.models import Session, load_model, model_folder, read_manifest
from kdvision.vision.seams.reader import read_seams
from kdvision.vision.squares.classifier import classify


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
        self.trust = trust or load_trust(models)
        self._temperature = entry.temperature
        self._threads = threads or cores()
        self._models = models or model_folder()
        self._has_seams = "seams" in read_manifest(self._models)

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
        _check(options)
        known = fixes_of(fixes or {})
        photo = open_photo(source, name=name)
        sight = self.see(photo)
        table = decode_table(photo.name, sight.kingdoms, options, known)
        results = tuple(
            judge(one, options, self.trust, self._seams(photo, sight, one)) for one in table
        )
        return _photo_result(photo, results, source)

    def see(self, photo: Photo) -> Sight:
        """Detect squares, fit grids, and read what lies on them.

        Raises:
            NoKingdomError: There is no kingdom in the photo.
        """
        detected = detect_in(photo, self.grid_session)
        grids = grids_in(detected, self.grid_session)
        return self._reader.read(photo, detected, grids)

    def read_patches(self, patches: NDArray[np.uint8]) -> list[str]:
        """The likeliest label of patches (n, 64, 64, 3) RGB, as in a kingdom line."""
        classified = classify(
            patches, self.squares_session, self._temperature, threads=self._threads
        )
        return [LABELS[index] for index in classified.probabilities.argmax(axis=1)]

    @cached_property
    def _reader(self) -> KingdomReader:
        return KingdomReader(
            self.squares_session, self._temperature, self.grid_session, self._threads
        )

    @cached_property
    def _seam_model(self) -> tuple[Session, float]:
        """The seam network, opened when the first kingdom asks for it, and its temperature."""
        session, entry = load_model("seams", self._models, threads=1)
        return session, entry.temperature

    def _seams(self, photo: Photo, sight: Sight, kingdom: TableKingdom) -> Seams:
        """Look at the seams that the deck leaves open; of places beside the grid nothing."""
        if not self._has_seams or not kingdom.open_pairs:
            return {}
        grid, (top, left, _, _) = kingdom.grid, kingdom.box
        rows, cols = grid.centres.shape[:2]
        pairs = {
            ((a + top, b + left), (c + top, d + left)): ((a, b), (c, d))
            for (a, b), (c, d) in kingdom.open_pairs
        }
        inside = [pair for pair in pairs if all(0 <= r < rows and 0 <= c < cols for r, c in pair)]
        seams = read_seams(photo, grid, inside, *self._seam_model, sight.views.get(grid))
        return {pairs[pair]: ratio for pair, ratio in seams.items()}


def _check(options: GameOptions) -> None:
    if not isinstance(options, GameOptions):
        raise UsageError(
            f"{str(options)[:40]!r} are no options of a game.", "Give GameOptions(size=7)."
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
    # A path is opened again when a picture is wanted; what has none is kept.
    again = Path(source).absolute() if isinstance(source, str | os.PathLike) else photo
    return PhotoResult(photo.name, status_of_all, " ".join(sentences), results, size, again)
