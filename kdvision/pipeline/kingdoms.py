"""The stage of decoding: the kingdoms of one photo, by the deck that they share."""

from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import kingdom_name
from kdvision.decoding.cutting_posterior import CuttingPosterior, cutting_posterior
from kdvision.decoding.kingdoms import likeliest_kingdoms
from kdvision.options import GameOptions
from kdvision.pipeline.reader import Seen
from kdvision.pipeline.trust import PIPELINE
from kdvision.reading import Decoded, Doubt, DoubtCode, Reading
from kdvision.rules.cover import shared_dominoes
from kdvision.rules.dominoes import Deck, standard_deck
from kdvision.rules.kingdom import Kingdom, Pair, Position, position_names, shifted
from kdvision.vision.grid.finder import Grid
from kdvision.vision.selection import same_size, with_notes

#: What decoding says of a kingdom that the box cannot hold: by itself, or beside further ones.
_NO_KINGDOM_OF_THE_DECK = {DoubtCode.OTHER_DECK, DoubtCode.NO_BOX}
_TOO_MANY = {DoubtCode.TOO_MANY_OF_KIND, DoubtCode.TOO_MANY_DOMINOES}
NOT_OF_THE_BOX = _NO_KINGDOM_OF_THE_DECK | _TOO_MANY

#: Kingdoms with more squares that are too many for the box are named without these.
_MOST_NAMED = 10


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
    seen: Sequence[Seen], options: GameOptions, deck: Deck | None = None
) -> list[DecodedKingdom]:
    """Decode the kingdoms of one photo together, without what is no kingdom.

    Args:
        seen: The grids and what lies on them, in the order of the report.
        options: The rules.
        deck: The dominoes of one box; None for the 48.
    """
    answers = likeliest_kingdoms([reading for _, reading in seen], options, deck=deck)
    kingdoms = [
        DecodedKingdom(grid, reading, answer, (answer.kingdom.box() or (0, 0))[:2], deck)
        for (grid, reading), answer in zip(seen, answers, strict=True)
    ]
    reported = _side_by_side(kingdoms, options)
    if not reported or len(reported) == len(kingdoms):
        return with_squares_named(kingdoms)
    # What is left out uses none of the box, and is noted where it is more than a castle.
    left_out = [kingdom for kingdom in kingdoms if kingdom not in reported]
    is_print = any(kingdom.decoded.kingdom.squares() for kingdom in left_out)
    notes = [Doubt(DoubtCode.PRINT_LEFT_OUT)] if is_print else []
    rest = [(kingdom.grid, with_notes(kingdom.reading, notes)) for kingdom in reported]
    return decode_kingdoms(rest, options, deck)


def _side_by_side(
    kingdoms: Sequence[DecodedKingdom], options: GameOptions
) -> Sequence[DecodedKingdom]:
    """Those that are kingdoms which lie side by side.

    A lone castle beside kingdoms is nobody's: a tile that was taken for one. And where a kingdom is
    clear, what is hardly one and has squares of another size is a print.
    """
    reported = [kingdom for kingdom in kingdoms if kingdom.decoded.kingdom.squares()]
    if all(same_size(kingdom.grid, reported[0].grid) for kingdom in reported[1:]):
        return reported
    alone = {
        kingdom: likeliest_kingdoms([kingdom.reading], options, deck=kingdom.deck)[0].probability
        for kingdom in reported
    }
    best = max(reported, key=alone.__getitem__)
    if alone[best] < PIPELINE.clear_kingdom:
        return reported
    return [
        kingdom
        for kingdom in reported
        if alone[kingdom] >= PIPELINE.unclear_kingdom or same_size(kingdom.grid, best.grid)
    ]


# ---------------------------------------------------------------------- what the box cannot hold


def with_squares_named(kingdoms: Sequence[DecodedKingdom]) -> list[DecodedKingdom]:
    """The kingdoms with the squares named that are too many for the box: `A c4, d4; B a1`."""
    named = []
    for kingdom in kingdoms:
        decoded = kingdom.decoded
        warnings = tuple(_named(doubt, decoded.too_many, kingdoms) for doubt in decoded.warnings)
        named.append(replace(kingdom, decoded=replace(decoded, warnings=warnings)))
    return named


def _named(
    doubt: Doubt, too_many: Sequence[tuple[int, Position]], kingdoms: Sequence[DecodedKingdom]
) -> Doubt:
    """A doubt; one about squares that are too many with these and the dominoes that lie twice."""
    if doubt.code not in _TOO_MANY:
        return doubt
    squares = []
    for index, kingdom in enumerate(kingdoms):
        places = [at for number, at in too_many if number == index]
        if places and len(too_many) <= _MOST_NAMED:
            squares.append(_places(index, kingdom.corner, places))
        elif places:
            squares.append(kingdom_name(index))
    fields = {**doubt.fields, "squares": "; ".join(squares)}
    # Numbers are told of the dominoes of the box only.
    is_box = kingdoms[0].deck in (None, standard_deck())
    if doubt.code is DoubtCode.TOO_MANY_DOMINOES and is_box:
        which = _lying_twice(kingdoms)
        fields |= {"which": which} if which else {}
    return replace(doubt, fields=fields)


def _lying_twice(kingdoms: Sequence[DecodedKingdom]) -> str:
    """The dominoes that surely lie in several kingdoms: `24 (A c4, d4; B a1, a2)`."""
    of_deck = [
        (index, kingdom)
        for index, kingdom in enumerate(kingdoms)
        if _NO_KINGDOM_OF_THE_DECK.isdisjoint(doubt.code for doubt in kingdom.decoded.warnings)
    ]
    texts = []
    for shared in shared_dominoes([kingdom.decoded.kingdom for _, kingdom in of_deck]):
        places = []
        for position, pair in shared.places:
            index, kingdom = of_deck[position]
            places.append(_places(index, kingdom.corner, pair or ()))
        texts.append(f"{'/'.join(map(str, shared.numbers))} ({'; '.join(places)})")
    return ", ".join(texts)


def _places(index: int, corner: Position, places: Sequence[Position]) -> str:
    """Places of a grid as a report names them: `A c4, d4`."""
    top, left = corner
    cells = [shifted(at, (-top, -left)) for at in places]
    return f"{kingdom_name(index)} {position_names(cells)}".rstrip()
