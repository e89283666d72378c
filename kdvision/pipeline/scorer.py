"""A photo becomes a result: the stages in order, nothing else."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from kdvision.concurrency import Background, cores
from kdvision.corrections import Fixes, FixPlace, fixes_of
from kdvision.errors import NoKingdomError, UsageError
from kdvision.logs import debug
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.photo.photo import Photo, Source, open_photo
from kdvision.pipeline.judgement import judge, photo_result, without_places
from kdvision.pipeline.reader import KingdomReader, SeamReader, Seen, Sight
from kdvision.pipeline.table import TableKingdom, decode_table
from kdvision.pipeline.trust import Trust, load_trust
from kdvision.reading import Seams
from kdvision.result import KingdomResult, PhotoResult
from kdvision.rules.dominoes import Deck
from kdvision.sentences import Sentence
from kdvision.slips.reader import each_once, read_slips
from kdvision.slips.slip import Slip
from kdvision.vision.grid.finder import Grid, InPhoto, detect_in, grids_in
from kdvision.vision.models import load_model, model_folder
from kdvision.vision.squares.window import wanted_side


class Scorer:
    """Scores photos. Opens the models once; one object serves many photos and threads.

    Args:
        models: Folder of the models; None takes those of the package.
        threads: Threads for one photo; 0 takes the machine's cores.
        trust: How far totals can be trusted; None takes what was fitted for the models.
        deck: The dominoes of one box, of the sixteen kinds of square; None for the 48.

    `grid_session` and `squares_session` are the ONNX Runtime sessions.

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
        self.trust = trust or load_trust(models)
        self.deck = deck
        self._threads = threads or cores()
        sessions = self.squares_session, entry.temperature, self.grid_session
        self._reader = KingdomReader(*sessions, self._threads)
        self._seam_reader = SeamReader(models or model_folder())

    def score(
        self,
        source: Source,
        options: GameOptions = DEFAULT_OPTIONS,
        *,
        name: str | None = None,
        fixes: Fixes | None = None,
    ) -> PhotoResult:
        """Score the kingdoms in a photo, as `kdvision.score_photo` does.

        Args:
            source: The photo.
            options: The rules that the kingdoms are scored by.
            name: What the result calls the photo; None takes the path.
            fixes: Squares that are known.

        Raises:
            UnreadablePhotoError, NoKingdomError, UsageError: As there.
        """
        _check(options)
        known = fixes_of(fixes or {})
        photo = open_photo(source, name=name)
        sight = self.see(photo)
        debug(__name__, "%s: kingdoms read: %d.", photo.name, len(sight.kingdoms))
        table = decode_table(photo.name, sight.kingdoms, options, known, self.deck)
        results = tuple(
            judge(one, options, self.trust, self._seams(photo, one, sight)) for one in table
        )
        return photo_result(photo, results, source, slips=sight.slips)

    def score_together(
        self,
        sources: Sequence[Source],
        options: GameOptions = DEFAULT_OPTIONS,
        *,
        names: Sequence[str] | None = None,
        fixes: Fixes | None = None,
    ) -> PhotoResult:
        """Score kingdoms that several photos show, as `kdvision.score_together` does.

        Args:
            sources: The photos, at least one.
            options: The rules that the kingdoms are scored by.
            names: What the result calls the photos; None takes their paths.
            fixes: Squares that are known.

        Raises:
            UnreadablePhotoError, NoKingdomError, UsageError: As there.
        """
        _check(options)
        from kdvision.pipeline.matching import readings_of, tables_of

        known = fixes_of(fixes or {})
        photos = _by_name(_opened(sources, names))
        sights, blank = self._sights(photos)
        tables = tables_of(photos, sights, self.trust)
        if known and len(tables) > 1:
            raise UsageError(
                "The photos do not show the same kingdoms.", "Correct each of them by itself."
            )
        readings = readings_of(tables, list(blank))
        return self._judged(photos, {**sights, **blank}, readings, options, known)

    def score_with(
        self, photo: Photo, others: Sequence[Photo], options: GameOptions = DEFAULT_OPTIONS
    ) -> PhotoResult:
        """Score a photo, its doubts settled by others that show the same kingdoms.

        The kingdoms may have grown between the photos. Others that contradict this one, or show
        nothing of its kingdoms, count for nothing.

        Raises:
            UnreadablePhotoError: A photo cannot be read.
            NoKingdomError: The photo shows no kingdom.
        """
        from kdvision.pipeline.matching import readings_of, tables_of, with_growth

        photos = _by_name([photo, *others])
        first = next(iter(photos))
        sights, _ = self._sights(photos)
        if first not in sights:
            self.see(photo)  # says why there is no kingdom in it
        table = with_growth(tables_of(photos, sights, self.trust))
        used = {name: photos[name] for name in table.photos}
        seen = {name: sights[name] for name in used}
        return self._judged(used, seen, readings_of([table], []), options, {})

    def _judged(
        self,
        photos: Mapping[str, Photo],
        seen: Mapping[str, Sight | NoKingdomError],
        readings: Sequence[Sequence[Seen]],
        options: GameOptions,
        known: Mapping[FixPlace, str],
    ) -> PhotoResult:
        """Decode and judge the kingdoms of photos, in the pixels of the first that was `seen`."""
        first = next(iter(seen))
        results: list[KingdomResult] = []
        for table in readings:
            for one in decode_table(first, table, options, known, self.deck, len(results)):
                seams = self._seams(photos[one.reading.photo], one)
                result = judge(one, options, self.trust, seams)
                results.append(result if one.reading.photo == first else without_places(result))
        slips = each_once([one.slips for one in seen.values()], alone=len(results) == 1)
        return photo_result(photos[first], results, photos[first], tuple(photos), slips)

    def see(self, photo: Photo) -> Sight:
        """Detect squares, fit grids, and read what lies on them, and the slips beside them.

        What is printed on slips is no tile: a photo with slips is seen once more without them.

        Raises:
            NoKingdomError: There is no kingdom in the photo.
        """
        detected, grids = self._grids(photo)
        side = max(photo.decoded_side, wanted_side(photo, grids))
        slips = Background(partial(read_slips, photo, side), self._threads)
        try:
            sight = self._reader.read(photo, detected, grids)
            if not slips.result():
                return sight
        except NoKingdomError:
            if not slips.result():
                raise
        return self._beside(slips.result(), photo)

    def _beside(self, slips: tuple[Slip, ...], photo: Photo) -> Sight:
        """What lies beside the slips of a photo."""
        photo = replace(photo, paper=tuple(slip.corners for slip in slips))
        try:
            sight = self._reader.read(photo, *self._grids(photo))
        except NoKingdomError as error:
            error.slips = slips
            said = (Sentence("slip.no-kingdom", {"player": slip.code.player}) for slip in slips)
            error.notes += tuple(said)
            raise
        return replace(sight, slips=slips)

    def _grids(self, photo: Photo) -> tuple[InPhoto, list[Grid]]:
        detected = detect_in(photo, self.grid_session)
        grids = grids_in(detected, self.grid_session, self._threads)
        debug(__name__, "%s: grids found: %d.", photo.name, len(grids))
        return detected, grids

    def _sights(
        self, photos: Mapping[str, Photo]
    ) -> tuple[dict[str, Sight], dict[str, NoKingdomError]]:
        """The kingdoms that photos show, by name, and why the others show none.

        Raises:
            NoKingdomError: None shows any.
        """
        sights: dict[str, Sight] = {}
        errors: dict[str, NoKingdomError] = {}
        for name, photo in photos.items():
            try:
                sights[name] = self.see(photo)
            except NoKingdomError as error:
                errors[name] = error
        if not sights:
            raise next(iter(errors.values()))
        return sights, errors

    def _seams(self, photo: Photo, kingdom: TableKingdom, sight: Sight | None = None) -> Seams:
        """Look at the seams that the deck leaves open, by places in the kingdom's own box."""
        view = sight.views.get(kingdom.grid) if sight else None
        return self._seam_reader.read(photo, kingdom.grid, kingdom.open_pairs, kingdom.box, view)


def _check(options: GameOptions) -> None:
    if not isinstance(options, GameOptions):
        raise UsageError(
            f"{str(options)[:40]!r} are no options of a game.", "Give GameOptions(size=7)."
        )


def _opened(sources: Sequence[Source], names: Sequence[str] | None) -> list[Photo]:
    if isinstance(sources, str | bytes) or not isinstance(sources, Sequence) or not sources:
        raise UsageError("score_together takes several photos.", "Give a list of paths.")
    given: Sequence[str | None] = names or [None] * len(sources)
    if len(given) != len(sources):
        raise UsageError(
            f"There are {len(sources)} photos, but {len(given)} names.", "Give each photo one name."
        )
    return [open_photo(one, name=name) for one, name in zip(sources, given, strict=True)]


def _by_name(photos: Sequence[Photo]) -> dict[str, Photo]:
    """Photos by names that differ; of one that is given twice only the first."""
    named: dict[str, Photo] = {}
    for photo in photos:
        if any(photo.same_picture(one) for one in named.values()):
            continue
        name, number = photo.name, 2
        while name in named:
            name, number = f"{photo.name} ({number})", number + 1
        named[name] = photo
    return named
