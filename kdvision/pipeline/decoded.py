"""The stage of decoding: the kingdoms of one photo, by the deck that they share."""

from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import kingdom_name
from kdvision.decoding.cutting_posterior import CuttingPosterior, cutting_posterior
from kdvision.decoding.decoder import decode
from kdvision.decoding.posterior import Decoded
from kdvision.reading import MOST_NAMED, DoubtCode, Reading
from kdvision.rules.dominoes import Deck
from kdvision.rules.kingdom import Kingdom, Pair, Position, position_names, shift
from kdvision.rules.rules import Rules
from kdvision.vision.grid.grid import Grid
from kdvision.vision.selection import KingdomReading

#: What decoding says of a kingdom that the box cannot hold: beside further ones, or by itself.
_TOO_MANY = {DoubtCode.TOO_MANY_OF_KIND, DoubtCode.TOO_MANY_DOMINOES}
NOT_OF_THE_BOX = _TOO_MANY | {DoubtCode.OTHER_DECK, DoubtCode.NO_BOX}


class DecodedKingdom(Struct, frozen=True, eq=False, dict=True):
    """One kingdom of a photo, read and decoded, not yet judged.

    Attributes:
        grid: Where it lies in the photo.
        reading: What was read on the places of the grid.
        decoded: The likeliest kingdom, untrimmed.
        corner: The place of the grid that is called a1.
        deck: The dominoes of the game; None for those of the box.
        open_share: The share (0 to 1) of the doubt about single squares that no person has settled.
    """

    grid: Grid
    reading: Reading
    decoded: Decoded
    corner: Position
    deck: Deck | None = None
    open_share: float = 1.0

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
        return [domino.cells for domino in self.cuttings.dominoes if domino.probability < 1]


def decode_kingdoms(
    readings: Sequence[KingdomReading], rules: Rules, deck: Deck | None = None
) -> list[DecodedKingdom]:
    """Decode the kingdoms of one photo together, without what is no kingdom.

    Args:
        readings: The grids and what lies on them, in the order of the report.
        rules: What the game is played by.
        deck: The dominoes of one box; None for the 48.
    """
    answers = decode([reading for _, reading in readings], rules, deck=deck)
    kingdoms = [
        DecodedKingdom(grid, reading, answer, (answer.kingdom.box() or (0, 0))[:2], deck)
        for (grid, reading), answer in zip(readings, answers, strict=True)
    ]
    # A castle alone beside kingdoms is a tile that was taken for one: it uses none of the box.
    reported = [item for item in kingdoms if item.decoded.kingdom.squares()]
    if 0 < len(reported) < len(kingdoms):
        return decode_kingdoms([(item.grid, item.reading) for item in reported], rules, deck)
    return name_squares(kingdoms)


# ---------------------------------------------------------------------- what the box cannot hold


def name_squares(kingdoms: Sequence[DecodedKingdom]) -> list[DecodedKingdom]:
    """The kingdoms with the squares named that are too many for the box: `A c4, d4; B a1`."""
    named = []
    for kingdom in kingdoms:
        decoded = kingdom.decoded
        fields = {"squares": _squares_text(decoded.too_many, kingdoms)}
        warnings = tuple(
            replace(doubt, fields={**doubt.fields, **fields}) if doubt.code in _TOO_MANY else doubt
            for doubt in decoded.warnings
        )
        named.append(replace(kingdom, decoded=replace(decoded, warnings=warnings)))
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
