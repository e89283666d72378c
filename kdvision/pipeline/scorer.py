"""A photo becomes a result: the stages in order, nothing else."""

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from kdvision.concurrency import cores
from kdvision.corrections import Fixes, FixPlace, parse_fixes
from kdvision.logs import log_debug
from kdvision.photo.photo import Photo, Source, open_photo
from kdvision.pipeline.decoded import DecodedKingdom, decode_kingdoms, find_open_pairs
from kdvision.pipeline.judgement import judge_kingdoms, make_result
from kdvision.pipeline.read_photo import ReadCastle, ReadKingdom, ReadPhoto, ReadSeam, to_rows
from kdvision.pipeline.reader import KingdomReader, PhotoReading
from kdvision.pipeline.trust import Trust, load_trust
from kdvision.reading import Seams
from kdvision.result import PhotoResult
from kdvision.rules.dominoes import Deck
from kdvision.rules.kingdom import Pair
from kdvision.rules.rules import DEFAULT_RULES, Rules, check_rules
from kdvision.vision.colours import read_colours, tell_colours
from kdvision.vision.grid.finder import detect_squares, find_grids
from kdvision.vision.grid.grid import Grid
from kdvision.vision.models import Session, load_model
from kdvision.vision.seams import read_seams
from kdvision.vision.squares.castle import likeliest_castle


class _Pixels(Struct, frozen=True, eq=False):
    """A photo that is at hand, and what was found in it."""

    photo: Photo
    found: PhotoReading


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
        kingdoms: int | None = None,
    ) -> PhotoResult:
        """Score the kingdoms in a photo, as `kdvision.score_photo` does.

        Args:
            source: The photo.
            rules: What the game is played by.
            name: What the result calls the photo; None takes the path.
            fixes: Squares that a person gives.
            kingdoms: How many kingdoms the photo shows, where a person says so.

        Raises:
            UnreadablePhotoError, NoKingdomError, UsageError, RulesError: As there.
        """
        check_rules(rules)
        given = parse_fixes(fixes or {})
        photo = open_photo(source, name=name)
        found = self._find(photo)
        kept = self._keep(photo, found)
        result = self._judge(kept, rules, given, kingdoms, _Pixels(photo, found))
        # A path is opened again when a picture is wanted; what has none is kept.
        origin = Path(source).absolute() if isinstance(source, str | os.PathLike) else photo
        result.__dict__["source"] = origin
        return result

    def read(self, source: Source, *, name: str | None = None) -> ReadPhoto:
        """Read the kingdoms in a photo, to be judged without it.

        Args:
            source: The photo.
            name: What results call the photo; None takes the path.

        Raises:
            UnreadablePhotoError, NoKingdomError, UsageError: As `kdvision.score_photo`.
        """
        photo = open_photo(source, name=name)
        return self._keep(photo, self._find(photo))

    def judge(
        self,
        read: ReadPhoto,
        rules: Rules = DEFAULT_RULES,
        *,
        fixes: Fixes | None = None,
        kingdoms: int | None = None,
    ) -> PhotoResult:
        """Judge what was read in a photo; no pixels are needed.

        Seams and castles that were not looked at when the photo was read say nothing.

        Args:
            read: What was read.
            rules: What the game is played by.
            fixes: Squares that a person gives.
            kingdoms: How many kingdoms the photo shows, where a person says so.

        Raises:
            UsageError, RulesError: A fix or the rules make no sense.
        """
        check_rules(rules)
        return self._judge(read, rules, parse_fixes(fixes or {}), kingdoms)

    def _find(self, photo: Photo) -> PhotoReading:
        """Detect squares, fit grids, and read what lies on them.

        Raises:
            NoKingdomError: There is no kingdom in the photo.
        """
        detected = detect_squares(photo, self.grid_session)
        grids = find_grids(detected, self.grid_session, self._threads)
        log_debug(__name__, "%s: grids found: %d.", photo.name, len(grids))
        found = self._reader.read(photo, detected, grids)
        log_debug(__name__, "%s: kingdoms read: %d.", photo.name, len(found.kingdoms))
        return found

    def _keep(self, photo: Photo, found: PhotoReading) -> ReadPhoto:
        """Keep what was found, with the castles and the seams that the deck leaves open."""
        castles = [likeliest_castle(reading) for _, reading in found.kingdoms]
        standing = [
            (grid, castle)
            for (grid, _), castle in zip(found.kingdoms, castles, strict=True)
            if castle is not None
        ]
        colours = iter(read_colours(photo, standing, *self.colours).tolist())
        kingdoms = []
        for (grid, reading), castle in zip(found.kingdoms, castles, strict=True):
            seams = self._look_at_seams(
                photo, grid, find_open_pairs(reading.kingdom, self.deck), found
            )
            kingdoms.append(
                ReadKingdom(
                    reading=reading,
                    homography=to_rows(grid.homography),
                    castle=castle and ReadCastle(castle, tuple(next(colours))),
                    seams=tuple(ReadSeam(pair, ratio) for pair, ratio in seams.items()),
                )
            )
        size = (photo.width, photo.height)
        return ReadPhoto(photo.name, size, tuple(kingdoms), found.notes)

    def _judge(
        self,
        read: ReadPhoto,
        rules: Rules,
        fixes: Mapping[FixPlace, str],
        count: int | None,
        pixels: _Pixels | None = None,
    ) -> PhotoResult:
        """Decode, correct and judge what was read, with the squares that settle a doubtful total.

        Seams and castles that are not kept are looked at where the pixels are at hand.
        """
        kingdoms = decode_kingdoms(read.kingdoms, rules, self.deck)
        judged = judge_kingdoms(kingdoms, fixes, rules, self.trust, read.name)
        if pixels is not None:
            judged = [(self._look_again(kingdom, pixels), found) for kingdom, found in judged]
        results = [make_result(kingdom, found, rules) for kingdom, found in judged]
        colours = tell_colours([kingdom.colours for kingdom, _ in judged])
        coloured = [
            replace(result, colour=colour, colour_probability=probability)
            for result, (colour, probability) in zip(results, colours, strict=True)
        ]
        return PhotoResult.of_kingdoms(
            read.name, coloured, left_out=read.left_out, count=count, size=read.size
        )

    def _look_again(self, kingdom: DecodedKingdom, pixels: _Pixels) -> DecodedKingdom:
        """Look at castle and seams of a kingdom as it was decoded, where they are not kept."""
        grid, _ = pixels.found.kingdoms[kingdom.number]
        above, left = kingdom.moved
        size = kingdom.reading.height - grid.rows - above, kingdom.reading.width - grid.cols - left
        if kingdom.moved != (0, 0) or size != (0, 0):
            grid = grid.widened(above, left, *size)
        read, castle = kingdom.read, kingdom.castle
        if castle is not None and kingdom.colours is None:
            (colours,) = read_colours(pixels.photo, [(grid, castle)], *self.colours).tolist()
            read = replace(read, castle=ReadCastle(castle, tuple(colours)))
        if missing := kingdom.unseen_pairs:
            seams = self._look_at_seams(pixels.photo, grid, missing, pixels.found)
            more = (ReadSeam(pair, ratio) for pair, ratio in seams.items())
            read = replace(read, seams=(*read.seams, *more))
        return replace(kingdom, read=read)

    @cached_property
    def _seam_model(self) -> tuple[Session, float]:
        """The network of seams and its temperature, opened when a kingdom asks for it."""
        session, entry = load_model("seams", self._models, threads=1)
        return session, entry.temperature

    def _look_at_seams(
        self, photo: Photo, grid: Grid, pairs: Sequence[Pair], found: PhotoReading
    ) -> Seams:
        """Look at the seams between pairs of places of a grid."""
        if not pairs:
            return {}
        return read_seams(photo, grid, pairs, *self._seam_model, found.views.get(grid))
