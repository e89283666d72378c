"""The stage of decoding: the kingdoms of one photo, by the deck that they share."""

from collections.abc import Mapping, Sequence, Set
from functools import cached_property

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import SheetPlace, kingdom_name
from kdvision.decoding.cutting_posterior import cutting_posterior
from kdvision.decoding.decoder import decode
from kdvision.decoding.posterior import Decoded
from kdvision.pipeline.frame import Frame, GridPlace
from kdvision.pipeline.read_photo import ReadKingdom
from kdvision.reading import MAX_NAMED, TOO_MANY_DOUBTS, Doubt, DoubtCode, Reading, Seams
from kdvision.rules.dominoes import Deck
from kdvision.rules.kingdom import Cell, Kingdom, Pair, Position, cell_text, position_names, shift
from kdvision.rules.rules import Rules
from kdvision.rules.terrain import LABELS


class DecodedKingdom(Struct, frozen=True, eq=False, dict=True):
    """One kingdom of a photo, read and decoded, not yet judged.

    `read` and `decoded` count places of the grid; its properties count places of the sheet, but for
    those that are said to be of the grid.

    Attributes:
        read: What vision saw of it.
        decoded: The likeliest kingdom, untrimmed.
        frame: Where its sheet lies on its grid.
        number: Its number among the kingdoms of the photo as they were read, from 0.
        deck: The dominoes of the game; None for those of the box.
        correction: The squares that a person gave.
    """

    read: ReadKingdom
    decoded: Decoded
    frame: Frame
    number: int = 0
    deck: Deck | None = None
    correction: Mapping[SheetPlace, str] = msgspec.field(default_factory=dict)

    @property
    def reading(self) -> Reading:
        """What was read on the places of its grid."""
        return self.read.reading

    @cached_property
    def cells(self) -> Mapping[SheetPlace, Cell]:
        """What lies on every place of its grid, row by row, empty ones included."""
        to_sheet = self.frame.to_sheet
        return {to_sheet(GridPlace(at)): cell for at, cell in self.decoded.kingdom.cells()}

    @cached_property
    def squares(self) -> list[SheetPlace]:
        """The places of its terrain squares."""
        return [self.frame.to_sheet(GridPlace(at)) for at in self.decoded.kingdom.squares()]

    def text(self, at: SheetPlace) -> str:
        """Return what most probably lies on a place of its grid, or beside it."""
        return cell_text(self.cells.get(at))

    @cached_property
    def trimmed(self) -> Kingdom:
        """The kingdom, cut to its box."""
        return self.decoded.kingdom.trimmed()

    @cached_property
    def box(self) -> tuple[GridPlace, GridPlace]:
        """The first and the last place of the box around it."""
        top, left, bottom, right = self.decoded.kingdom.box() or (0, 0, 0, 0)
        return GridPlace((top, left)), GridPlace((bottom, right))

    @cached_property
    def origin(self) -> SheetPlace:
        """The first place of its box."""
        return self.frame.to_sheet(self.box[0])

    def is_in_box(self, at: SheetPlace) -> bool:
        """Return whether a place lies in the box around it."""
        row, col = self.frame.to_grid(at)
        (top, left), (bottom, right) = self.box
        return top <= row <= bottom and left <= col <= right

    # ------------------------------------------------------------------ what is doubted

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """Why its total may be wrong: by the photo, by the box, and by what the box corrected."""
        doubts = list(self.reading.doubts + self.decoded.doubts)
        # Where places are hidden the box decides what lies there; that is no correction.
        hidden = self.reading.hidden_places
        seen, cells = self.decoded.seen, self.decoded.kingdom.cells()
        changed = tuple(at for at, cell in cells if cell != seen[at] and at not in hidden)
        if changed:
            doubts.append(Doubt(DoubtCode.CORRECTED, float(len(changed)), changed))
        # A tile that the box needs and nobody saw is hidden: it may be any. Of 24 such kingdoms of
        # rendered tables 15 had a wrong total.
        if filled := {at for at in changed if seen[at] is None}:
            told = [doubt for doubt in doubts if doubt.code is DoubtCode.OBSTRUCTED]
            places = filled.union(*(doubt.places for doubt in told))
            doubts = [doubt for doubt in doubts if doubt not in told]
            doubts.append(Doubt(DoubtCode.OBSTRUCTED, 1.0, tuple(sorted(places))))
        return tuple(map(self.frame.doubt_on_sheet, doubts))

    @cached_property
    def doubted(self) -> Mapping[SheetPlace, float]:
        """How far each place is doubted, by its look and by the deck; 0 where a person gave it.

        The surest place that no person gave counts as certain: what it lacks is what was not tried,
        which counts against all places alike.
        """
        certainty, places = self.decoded.certainty, self.reading.places
        not_given = [value for row in certainty for value in row if value < 1]
        surest = max(not_given, default=1.0)
        doubted = {}
        for at, cell in self.cells.items():
            row, col = self.frame.to_grid(at)
            doubted[at] = 0.0
            if certainty[row][col] < 1:
                look = places[row][col].probabilities[LABELS.index(cell_text(cell))]
                doubted[at] = (surest - certainty[row][col]) + (1 - look)
        return doubted

    def measure_open_share(self, given: Set[SheetPlace]) -> float:
        """Return the share of the doubt about single places that is not about given ones."""
        everything = sum(self.doubted.values())
        if not everything:
            return 1.0
        open_doubt = [value for at, value in self.doubted.items() if at not in given]
        return sum(open_doubt) / everything

    # ------------------------------------------------------------------ what is looked at

    @property
    def castle(self) -> GridPlace | None:
        """The place on which the castle stands."""
        castles = map(GridPlace, self.decoded.kingdom.castles())
        return next(castles, None)

    @property
    def colours(self) -> tuple[float, ...] | None:
        """How likely its castle has each colour; None where it was not looked at.

        None as well where several castles stand in one piece: it is no one's kingdom.
        """
        castle = self.read.castle
        if castle is None or (castle.place,) != self.decoded.kingdom.castles():
            return None
        return castle.colours

    @cached_property
    def open_pairs(self) -> list[Pair]:
        """Pairs of places of the grid of which the deck does not tell whether they are a domino."""
        return find_open_pairs(self.decoded.kingdom, self.deck)

    @property
    def seams(self) -> Seams:
        """What was seen of the seams that were looked at, by places in its box."""
        (top, left), _ = self.box
        seams = {}
        for seam in self.read.seams:
            first, second = (shift(at, (-top, -left)) for at in seam.pair)
            seams[first, second] = seam.ratio
        return seams


def find_open_pairs(kingdom: Kingdom, deck: Deck | None = None) -> list[Pair]:
    """Find the pairs of places of which the deck does not tell whether they are a domino.

    Args:
        kingdom: A kingdom on its grid.
        deck: The dominoes of the game; None for those of the box.
    """
    cuttings = cutting_posterior(kingdom, deck=deck)
    return [domino.cells for domino in cuttings.dominoes if domino.probability < 1]


def decode_kingdoms(
    kingdoms: Sequence[ReadKingdom], rules: Rules, deck: Deck | None = None
) -> list[DecodedKingdom]:
    """Decode the kingdoms of one photo together, without what is no kingdom.

    Args:
        kingdoms: What vision saw of them, in the order of the report.
        rules: What the game is played by.
        deck: The dominoes of one box; None for the 48.
    """
    numbers: Sequence[int] = range(len(kingdoms))
    while True:
        decoded = _decode_together(kingdoms, numbers, rules, deck)
        # A castle alone beside kingdoms is a tile that was taken for one: it uses none of the box.
        numbers = [kingdom.number for kingdom in decoded if kingdom.squares]
        if len(numbers) in (0, len(decoded)):
            return name_squares(decoded)


def _decode_together(
    kingdoms: Sequence[ReadKingdom], numbers: Sequence[int], rules: Rules, deck: Deck | None
) -> list[DecodedKingdom]:
    """Decode those of the kingdoms that have these numbers."""
    readings = [kingdoms[number].reading for number in numbers]
    decoded = []
    for number, answer in zip(numbers, decode(readings, rules, deck=deck), strict=True):
        top, left, _, _ = answer.kingdom.box() or (0, 0, 0, 0)
        frame = Frame(GridPlace((top, left)))
        decoded.append(DecodedKingdom(kingdoms[number], answer, frame, number, deck))
    return decoded


# ---------------------------------------------------------------------- what the box cannot hold


def name_squares(kingdoms: Sequence[DecodedKingdom]) -> list[DecodedKingdom]:
    """Name the squares that are too many for the box in the doubts: `A c4, d4; B a1`."""
    named = []
    for kingdom in kingdoms:
        decoded = kingdom.decoded
        fields: dict[str, str | int] = {
            "squares": _squares_text(decoded.posterior.too_many, kingdoms)
        }
        doubts = []
        for doubt in decoded.doubts:
            if doubt.code in TOO_MANY_DOUBTS:
                doubt = replace(doubt, fields=dict(doubt.fields) | fields)
            doubts.append(doubt)
        named.append(replace(kingdom, decoded=replace(decoded, doubts=tuple(doubts))))
    return named


def _squares_text(
    too_many: Sequence[tuple[int, Position]], kingdoms: Sequence[DecodedKingdom]
) -> str:
    """Return places of several kingdoms as a sheet names them; of many the kingdoms alone."""
    texts = []
    for index, kingdom in enumerate(kingdoms):
        places = []
        for number, at in too_many:
            if number == index:
                places.append(kingdom.frame.to_sheet(GridPlace(at)))
        if not places:
            continue
        name = kingdom_name(index)
        if len(too_many) <= MAX_NAMED:
            name = f"{name} {position_names(places)}"
        texts.append(name)
    return "; ".join(texts)
