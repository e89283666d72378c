"""A photo becomes a result: the stages in order, nothing else."""

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from kdvision.corrections import Fixes, FixPlace, parse_fixes
from kdvision.photo.photo import Photo, Source, open_photo
from kdvision.pipeline.decoded import DecodedKingdom, decode_kingdoms, find_open_pairs, shift_pair
from kdvision.pipeline.judgement import judge_kingdoms, make_result
from kdvision.pipeline.read_photo import ReadCastle, ReadKingdom, ReadPhoto, ReadSeam, to_rows
from kdvision.pipeline.trust import Trust, load_trust
from kdvision.result import PhotoResult
from kdvision.rules.dominoes import Deck
from kdvision.rules.rules import DEFAULT_RULES, Rules, check_rules
from kdvision.vision.colours import tell_colours
from kdvision.vision.found import Found
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
        result = self._judge(self._keep(photo, found), rules, given, kingdoms, found)
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
        return self._keep(photo, self.vision.read(photo), alone=True)

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

    def _keep(self, photo: Photo, found: Found, *, alone: bool = False) -> ReadPhoto:
        """Keep what was found, with the castles and the seams that the deck leaves open.

        What is to be judged without the photo (`alone`) has every seam of a kingdom with unclear
        squares: what the deck makes of these is not known yet.
        """
        standing = []
        for kingdom in found.kingdoms:
            if (place := kingdom.reading.castle) is not None:
                standing.append((kingdom, place))
        colours = iter(self.vision.read_colours(standing).tolist())
        kingdoms = []
        for kingdom in found.kingdoms:
            reading = kingdom.reading
            place = reading.castle
            castle = None if place is None else ReadCastle(place, tuple(next(colours)))
            pairs = find_open_pairs(reading.kingdom, self.deck)
            if alone and not all(reading[at].is_clear for at in reading.taken):
                pairs = reading.pairs
            seams = self.vision.read_seams(kingdom, pairs)
            kept = tuple(ReadSeam(pair, ratio) for pair, ratio in seams.items())
            rows = to_rows(kingdom.grid.homography)
            kingdoms.append(ReadKingdom(reading, rows, castle=castle, seams=kept))
        return ReadPhoto(photo.name, (photo.width, photo.height), tuple(kingdoms), found.notes)

    def _judge(
        self,
        read: ReadPhoto,
        rules: Rules,
        fixes: Mapping[FixPlace, str],
        count: int | None,
        found: Found | None = None,
    ) -> PhotoResult:
        """Decode, correct and judge what was read, with the squares that settle a doubtful total.

        Seams and castles that are not kept are looked at where the pixels are at hand.
        """
        kingdoms = decode_kingdoms(read.kingdoms, rules, self.deck)
        judged = judge_kingdoms(kingdoms, fixes, rules, self.trust, read.name)
        if found is not None:
            judged = [(self._look_again(kingdom, found), trusted) for kingdom, trusted in judged]
        results = [make_result(kingdom, trusted, rules) for kingdom, trusted in judged]
        colours = tell_colours([kingdom.colours for kingdom, _ in judged])
        coloured = [
            replace(result, colour=colour, colour_probability=probability)
            for result, (colour, probability) in zip(results, colours, strict=True)
        ]
        return PhotoResult.of_kingdoms(
            read.name, coloured, left_out=read.left_out, count=count, size=read.size
        )

    def _look_again(self, decoded: DecodedKingdom, found: Found) -> DecodedKingdom:
        """Look at castle and seams of a kingdom as it was decoded, where they are not kept."""
        kingdom, read = found.kingdoms[decoded.number], decoded.read
        row, col = decoded.moved
        castle = decoded.castle
        if castle is not None and decoded.colours is None:
            place = castle[0] - row, castle[1] - col
            if place in kingdom.reading:
                (colours,) = self.vision.read_colours([(kingdom, place)]).tolist()
                read = replace(read, castle=ReadCastle(castle, tuple(colours)))
        missing = {shift_pair(pair, (-row, -col)): pair for pair in decoded.unseen_pairs}
        seams = self.vision.read_seams(kingdom, [*missing])
        more = [ReadSeam(missing[pair], ratio) for pair, ratio in seams.items()]
        return replace(decoded, read=replace(read, seams=(*read.seams, *more)))
