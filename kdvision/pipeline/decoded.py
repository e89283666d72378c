"""The stage of decoding: the kingdoms of one photo, by the deck that they share."""

from collections.abc import Mapping, Sequence
from functools import cached_property

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import kingdom_name
from kdvision.decoding.cutting_posterior import CuttingPosterior, cutting_posterior
from kdvision.decoding.decoder import decode
from kdvision.decoding.posterior import Decoded
from kdvision.pipeline.read_photo import ReadKingdom
from kdvision.reading import MOST_NAMED, TOO_MANY, Reading, Seams
from kdvision.rules.dominoes import Deck
from kdvision.rules.kingdom import Kingdom, Pair, Position, position_names, shift
from kdvision.rules.rules import Rules


class DecodedKingdom(Struct, frozen=True, eq=False, dict=True):
    """One kingdom of a photo, read and decoded, not yet judged.

    Attributes:
        read: What vision saw of it.
        decoded: The likeliest kingdom, untrimmed.
        corner: The place of the grid that is called a1.
        number: Its number among the kingdoms of the photo as they were read, from 0.
        moved: How many places (above, on the left) its window is wider than it was read.
        deck: The dominoes of the game; None for those of the box.
        given: What a person gave, by places of the grid.
    """

    read: ReadKingdom
    decoded: Decoded
    corner: Position
    number: int = 0
    moved: Position = (0, 0)
    deck: Deck | None = None
    given: Mapping[Position, str] = msgspec.field(default_factory=dict)

    @property
    def reading(self) -> Reading:
        """What was read on the places of its grid."""
        return self.read.reading

    def is_inside(self, at: Position) -> bool:
        """Whether a place lies in its grid."""
        return at in self.decoded.kingdom

    @property
    def trimmed(self) -> Kingdom:
        """The kingdom, cut to its box."""
        return self.decoded.kingdom.trimmed()

    @property
    def box(self) -> tuple[int, int, int, int]:
        """The first row and column of the grid in which something lies, and the last ones."""
        return self.decoded.kingdom.box() or (0, 0, 0, 0)

    @property
    def castle(self) -> Position | None:
        """The place of the grid on which the castle stands."""
        return next(iter(self.decoded.kingdom.castles()), None)

    @cached_property
    def cuttings(self) -> CuttingPosterior:
        """Its dominoes as far as the deck tells, by places in its own box."""
        return cutting_posterior(self.trimmed, deck=self.deck)

    @property
    def open_pairs(self) -> list[Pair]:
        """Pairs of places in its box of which the deck does not tell whether they are a domino."""
        return _list_open(self.cuttings)

    @property
    def seams(self) -> Seams:
        """What is kept of the seams that the deck leaves open, by places in its own box."""
        top, left, _, _ = self.box
        kept = {seam.pair: seam.ratio for seam in self.read.seams}
        seams = {}
        for pair in self.open_pairs:
            ratio = kept.get(shift_pair(pair, (top, left)))
            if ratio is not None:
                seams[pair] = ratio
        return seams

    @property
    def unseen_pairs(self) -> list[Pair]:
        """Pairs of places of the grid that the deck leaves open, and nobody looked at."""
        kept = {seam.pair for seam in self.read.seams}
        on_grid = [shift_pair(pair, self.box[:2]) for pair in self.open_pairs]
        return [pair for pair in on_grid if pair not in kept]

    @property
    def colours(self) -> tuple[float, ...] | None:
        """How likely its castle has each colour; None where it was not looked at."""
        castle = self.read.castle
        return castle.colours if castle is not None and castle.place == self.castle else None


def find_open_pairs(kingdom: Kingdom, deck: Deck | None = None) -> list[Pair]:
    """Find the pairs of places of which the deck does not tell whether they are a domino.

    Args:
        kingdom: A kingdom on its grid, untrimmed.
        deck: The dominoes of the game; None for those of the box.

    Returns:
        Pairs of places of the grid.
    """
    corner = (kingdom.box() or (0, 0))[:2]
    pairs = _list_open(cutting_posterior(kingdom.trimmed(), deck=deck))
    return [shift_pair(pair, corner) for pair in pairs]


def _list_open(cuttings: CuttingPosterior) -> list[Pair]:
    return [domino.cells for domino in cuttings.dominoes if domino.probability < 1]


def shift_pair(pair: Pair, by: Position) -> Pair:
    """Return a pair of places moved by so many (rows, columns)."""
    first, second = pair
    return shift(first, by), shift(second, by)


def decode_kingdoms(
    kingdoms: Sequence[ReadKingdom], rules: Rules, deck: Deck | None = None
) -> list[DecodedKingdom]:
    """Decode the kingdoms of one photo together, without what is no kingdom.

    Args:
        kingdoms: What vision saw of them, in the order of the report.
        rules: What the game is played by.
        deck: The dominoes of one box; None for the 48.
    """
    decoded = _decode_together(kingdoms, range(len(kingdoms)), rules, deck)
    # A castle alone beside kingdoms is a tile that was taken for one: it uses none of the box.
    reported = [kingdom.number for kingdom in decoded if kingdom.decoded.kingdom.squares()]
    while 0 < len(reported) < len(decoded):
        decoded = _decode_together(kingdoms, reported, rules, deck)
        reported = [kingdom.number for kingdom in decoded if kingdom.decoded.kingdom.squares()]
    return name_squares(decoded)


def _decode_together(
    kingdoms: Sequence[ReadKingdom], numbers: Sequence[int], rules: Rules, deck: Deck | None
) -> list[DecodedKingdom]:
    """Decode those of the kingdoms that have these numbers."""
    readings = [kingdoms[number].reading for number in numbers]
    decoded = []
    for number, answer in zip(numbers, decode(readings, rules, deck=deck), strict=True):
        corner = (answer.kingdom.box() or (0, 0))[:2]
        decoded.append(
            DecodedKingdom(kingdoms[number], answer, corner=corner, number=number, deck=deck)
        )
    return decoded


# ---------------------------------------------------------------------- what the box cannot hold


def name_squares(kingdoms: Sequence[DecodedKingdom]) -> list[DecodedKingdom]:
    """The kingdoms with the squares named that are too many for the box: `A c4, d4; B a1`."""
    named = []
    for kingdom in kingdoms:
        decoded = kingdom.decoded
        fields = {"squares": _squares_text(decoded.too_many, kingdoms)}
        doubts = []
        for doubt in decoded.doubts:
            if doubt.code in TOO_MANY:
                doubt = replace(doubt, fields={**doubt.fields, **fields})
            doubts.append(doubt)
        named.append(replace(kingdom, decoded=replace(decoded, doubts=tuple(doubts))))
    return named


def _squares_text(
    too_many: Sequence[tuple[int, Position]], kingdoms: Sequence[DecodedKingdom]
) -> str:
    """Places of several kingdoms as a report names them; of many the kingdoms alone."""
    texts = []
    for index, kingdom in enumerate(kingdoms):
        top, left = kingdom.corner
        cells = [shift(at, (-top, -left)) for number, at in too_many if number == index]
        places = f" {position_names(cells)}" if len(too_many) <= MOST_NAMED else ""
        texts += [f"{kingdom_name(index)}{places}"] if cells else []
    return "; ".join(texts)
