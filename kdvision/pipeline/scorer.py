"""A photo becomes a result: the stages in order, nothing else."""

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from msgspec.structs import replace

from kdvision.concurrency import cores
from kdvision.corrections import Fixes, FixPlace, parse_fixes
from kdvision.logs import log_debug
from kdvision.photo.photo import Photo, Source, open_photo
from kdvision.pipeline.decoded import DecodedKingdom, decode_kingdoms
from kdvision.pipeline.fixes import apply_fixes
from kdvision.pipeline.judgement import judge
from kdvision.pipeline.reader import KingdomReader, PhotoReading
from kdvision.pipeline.suggestions import add_settling_fixes
from kdvision.pipeline.trust import Trust, load_trust
from kdvision.reading import Seams
from kdvision.result import KingdomResult, PhotoResult
from kdvision.rules.dominoes import Deck
from kdvision.rules.kingdom import shift
from kdvision.rules.rules import DEFAULT_RULES, Rules, check_rules
from kdvision.vision.colours import read_colours
from kdvision.vision.grid.finder import detect_squares, find_grids
from kdvision.vision.models import Session, load_model
from kdvision.vision.seams import read_seams


class Scorer:
    """Scores photos. Opens the models once; one object serves many photos and threads.

    Args:
        models: Folder of the models; None takes those of the package.
        threads: Threads for one photo; 0 takes the machine's cores.
        trust: How far totals can be trusted; None takes what was fitted for the models.
        deck: The dominoes of one box, of the sixteen kinds of square; None for the 48.

    `grid_session` and `squares_session` are the ONNX Runtime sessions, `colours` that of castles
    with its temperature.

    Raises:
        ModelError: A model is missing or damaged.
    """

    def __init__(
        self,
        models: str | Path | None = None,
        *,
        threads: int = 0,
        trust: Trust | None = None,
        deck: Deck | None = None,
    ) -> None:
        models = None if models is None else Path(models)
        self.grid_session, _ = load_model("grid", models, threads=threads)
        self.squares_session, entry = load_model("squares", models, threads=1)
        colours, colours_entry = load_model("colours", models, threads=1)
        self.colours = colours, colours_entry.temperature
        self.trust = trust or load_trust(models)
        self.deck = deck
        self._threads = threads or cores()
        covers, _ = load_model("covers", models, threads=1)
        sessions = self.squares_session, entry.temperature, self.grid_session, covers
        self._reader = KingdomReader(*sessions, self._threads)
        self._models = models

    def score(
        self,
        source: Source,
        rules: Rules = DEFAULT_RULES,
        *,
        name: str | None = None,
        fixes: Fixes | None = None,
    ) -> PhotoResult:
        """Score the kingdoms in a photo, as `kdvision.score_photo` does.

        Args:
            source: The photo.
            rules: What the game is played by.
            name: What the result calls the photo; None takes the path.
            fixes: Squares that a person gives.

        Raises:
            UnreadablePhotoError, NoKingdomError, UsageError, RulesError: As there.
        """
        check_rules(rules)
        given = parse_fixes(fixes or {})
        photo = open_photo(source, name=name)
        reading = self.read(photo)
        log_debug(__name__, "%s: kingdoms read: %d.", photo.name, len(reading.kingdoms))
        kingdoms = decode_kingdoms(reading.kingdoms, rules, self.deck)
        # A path is opened again when a picture is wanted; what has none is kept.
        kept = Path(source).absolute() if isinstance(source, str | os.PathLike) else photo
        size = (photo.width, photo.height)
        results = self._judge_all(photo, reading, kingdoms, given, rules)
        return PhotoResult.of_kingdoms(photo.name, results, size=size, source=kept)

    def _judge_all(
        self,
        photo: Photo,
        reading: PhotoReading,
        kingdoms: Sequence[DecodedKingdom],
        fixes: Mapping[FixPlace, str],
        rules: Rules,
    ) -> Sequence[KingdomResult]:
        """Correct and judge kingdoms, with the squares that settle a doubtful total."""

        def try_fixes(trial: Mapping[FixPlace, str], index: int) -> KingdomResult:
            return judge(apply_fixes(kingdoms, trial, rules, photo.name)[index], rules, trust)

        trust = self.trust
        fixed = apply_fixes(kingdoms, fixes, rules, photo.name)
        results = [
            judge(kingdom, rules, trust, self._look_at_seams(photo, kingdom, reading))
            for kingdom in fixed
        ]
        results = add_settling_fixes(fixed, results, fixes, try_fixes)
        return self._add_colours(photo, fixed, results)

    def read(self, photo: Photo) -> PhotoReading:
        """Detect squares, fit grids, and read what lies on them.

        Raises:
            NoKingdomError: There is no kingdom in the photo.
        """
        detected = detect_squares(photo, self.grid_session)
        grids = find_grids(detected, self.grid_session, self._threads)
        log_debug(__name__, "%s: grids found: %d.", photo.name, len(grids))
        return self._reader.read(photo, detected, grids)

    def _add_colours(
        self, photo: Photo, kingdoms: Sequence[DecodedKingdom], results: Sequence[KingdomResult]
    ) -> list[KingdomResult]:
        """The results with the colours of their castles."""
        castles = [(kingdom.grid, kingdom.castle) for kingdom in kingdoms]
        colours = read_colours(photo, castles, *self.colours)
        return [
            replace(result, colour=colour, colour_probability=probability)
            for result, (colour, probability) in zip(results, colours, strict=True)
        ]

    @cached_property
    def _seam_model(self) -> tuple[Session, float]:
        """The network of seams and its temperature, opened when a kingdom asks for it."""
        session, entry = load_model("seams", self._models, threads=1)
        return session, entry.temperature

    def _look_at_seams(self, photo: Photo, kingdom: DecodedKingdom, reading: PhotoReading) -> Seams:
        """Look at the seams that the deck leaves open, by places in the kingdom's own box."""
        top, left, _, _ = kingdom.box
        on_grid = {
            (shift(first, (top, left)), shift(second, (top, left))): (first, second)
            for first, second in kingdom.open_pairs
        }
        if not on_grid:
            return {}
        view = reading.views.get(kingdom.grid)
        seams = read_seams(photo, kingdom.grid, list(on_grid), *self._seam_model, view)
        return {on_grid[pair]: ratio for pair, ratio in seams.items()}
