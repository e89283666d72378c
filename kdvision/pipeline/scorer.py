"""A photo becomes a result: the stages in order, nothing else."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from kdvision.corrections import Fixes, FixPlace, parse_fixes
from kdvision.photo.photo import Photo, Source, open_photo
from kdvision.pipeline.decoded import DecodedKingdom, decode_kingdoms, find_open_pairs
from kdvision.pipeline.frame import Frame, GridPlace
from kdvision.pipeline.judgement import judge_kingdoms
from kdvision.pipeline.read_photo import ReadCastle, ReadKingdom, ReadPhoto, ReadSeam
from kdvision.pipeline.results import make_result
from kdvision.pipeline.trust import Trust, load_trust
from kdvision.result import PhotoResult
from kdvision.rules.dominoes import Deck
from kdvision.rules.kingdom import Pair, Position
from kdvision.rules.rules import DEFAULT_RULES, Rules, check_rules
from kdvision.vision.colours import tell_colours
from kdvision.vision.found import Found, FoundKingdom
from kdvision.vision.vision import Vision


class Scorer:
    """Scores photos. Opens the models once; one object serves many photos and threads.

    Args:
        models: Folder of the models; None takes those of the package.
        threads: Threads for one photo; 0 takes the machine's cores.
        trust: How far totals can be trusted; None takes what was fitted for the models.
        deck: The dominoes of one box, of the sixteen kinds of square; None for the 48.

    `vision` is what reads photos.

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
        folder = None if models is None else Path(models)
        self.vision = Vision(folder, threads)
        self.trust = trust or load_trust(folder)
        self.deck = deck

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
        found = self.vision.read(photo)
        read = _keep(photo, found, list(map(ReadKingdom.of, found.kingdoms)))
        result = self._judge(read, rules, given, kingdoms, found.kingdoms)
        # A path is opened again when a picture is wanted; of anything else the photo is kept.
        if isinstance(source, str | os.PathLike):
            return result.with_source(Path(source).absolute())
        return result.with_source(photo)

    def read(self, source: Source, *, name: str | None = None) -> ReadPhoto:
        """Read the kingdoms in a photo, to be judged without it.

        Args:
            source: The photo.
            name: What results call the photo; None takes the path.

        Raises:
            UnreadablePhotoError, NoKingdomError, UsageError: As `kdvision.score_photo`.
        """
        photo = open_photo(source, name=name)
        found = self.vision.read(photo)
        kingdoms = []
        for kingdom in found.kingdoms:
            reading = kingdom.reading
            pairs = reading.pairs
            # What the deck makes of unclear squares is not known yet: then every seam counts.
            if all(reading[at].is_clear for at in reading.taken):
                pairs = find_open_pairs(reading.kingdom, self.deck)
            castle, seams = self._look(kingdom, reading.castle, pairs)
            kingdoms.append(replace(ReadKingdom.of(kingdom), castle=castle, seams=seams))
        return _keep(photo, found, kingdoms)

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

    def _judge(
        self,
        read: ReadPhoto,
        rules: Rules,
        fixes: Mapping[FixPlace, str],
        count: int | None,
        found: Sequence[FoundKingdom] = (),
    ) -> PhotoResult:
        """Decode, correct and judge what was read.

        Castles and seams are looked at where the kingdoms that were found are at hand.
        """
        kingdoms = decode_kingdoms(read.kingdoms, rules, self.deck)
        results, castles = [], []
        judged = judge_kingdoms(kingdoms, fixes, rules, self.trust, read.name)
        for plain, (kingdom, assessed) in zip(kingdoms, judged, strict=True):
            if found:
                kingdom = self._look_again(kingdom, plain.frame, found[plain.number])
            results.append(make_result(kingdom, assessed, rules))
            castles.append(kingdom.colours)
        for index, (colour, probability) in enumerate(tell_colours(castles)):
            results[index] = replace(results[index], colour=colour, colour_probability=probability)
        return PhotoResult.of_kingdoms(
            read.name, results, left_out=read.left_out, count=count, size=read.size
        )

    def _look_again(
        self, kingdom: DecodedKingdom, frame: Frame, found: FoundKingdom
    ) -> DecodedKingdom:
        """Look at the castle and the seams of a kingdom as it was decoded.

        Args:
            kingdom: The kingdom, on a grid that may be wider than the one that was found.
            frame: Where its sheet lies on the grid that was found.
            found: The kingdom as it was found.
        """

        def find(at: Position) -> Position:
            """Return the place of the grid that was found."""
            return frame.to_grid(kingdom.frame.to_sheet(GridPlace(at)))

        pairs = {
            (find(first), find(second)): (first, second) for first, second in kingdom.open_pairs
        }
        place = kingdom.castle
        castle, seams = self._look(found, None if place is None else find(place), list(pairs))
        if castle is not None and place is not None:
            castle = ReadCastle(place, castle.colours)
        moved = tuple(ReadSeam(pairs[seam.pair], seam.ratio) for seam in seams)
        return replace(kingdom, read=replace(kingdom.read, castle=castle, seams=moved))

    def _look(
        self, kingdom: FoundKingdom, castle: Position | None, pairs: Sequence[Pair]
    ) -> tuple[ReadCastle | None, tuple[ReadSeam, ...]]:
        """Look at the castle and the seams of a kingdom, as far as they lie on its grid."""
        ratios = self.vision.read_seams(kingdom, pairs)
        seams = tuple(ReadSeam(pair, ratio) for pair, ratio in ratios.items())
        if castle is None or castle not in kingdom.reading:
            return None, seams
        return ReadCastle(castle, self.vision.read_colours(kingdom, castle)), seams


def _keep(photo: Photo, found: Found, kingdoms: Sequence[ReadKingdom]) -> ReadPhoto:
    """Keep what was seen of a photo."""
    return ReadPhoto(photo.name, (photo.width, photo.height), tuple(kingdoms), found.notes)
