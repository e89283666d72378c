"""Reasons not to trust a reading: their codes, and the signs behind them."""

from collections.abc import Mapping
from enum import StrEnum

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kdvision.rules.kingdom import Position, position_names, shifted
from kdvision.sentences import DEFAULT_LANGUAGE, catalogue, sentence


class DoubtCode(StrEnum):
    """Every reason not to trust a reading, and every note on what the photo shows beside it."""

    # The photo and its file.
    DAMAGED_FILE = "damaged-file"
    STRANGE_SIDE = "strange-side"
    SMALL_SQUARES = "small-squares"
    BLURRED = "blurred"
    DARK = "dark"
    GLARE = "glare"
    # The lattice, the border, and what lies on the places.
    LOOSE_LATTICE = "loose-lattice"
    OFF_LATTICE = "off-lattice"
    CUT_OFF = "cut-off"
    BEYOND_BORDER = "beyond-border"
    AT_BORDER = "at-border"
    NOT_FOUND = "not-found"
    NOT_READ = "not-read"
    COVERED = "covered"
    TORN = "torn"
    TOUCHING = "touching"
    NOT_JOINED = "not-joined"
    CORRECTED = "corrected"
    # The castle.
    UNCLEAR_CASTLE = "unclear-castle"
    SEVERAL_CASTLES = "castles"
    CASTLE_INFERRED = "castle-inferred"
    HIDDEN = "hidden"
    # The box.
    OTHER_DECK = "other-deck"
    NO_BOX = "no-box"
    TOO_MANY_OF_KIND = "too-many-of-kind"
    TOO_MANY_DOMINOES = "too-many-dominoes"
    NOT_OF_THE_BOX = "not-of-the-box"
    NOT_ALL_TRIED = "not-all-tried"
    # What a person said of squares.
    IMPOSSIBLE_CORRECTION = "impossible-correction"
    # What several photos of one kingdom show.
    PHOTOS_DIFFER = "photos-differ"
    PHOTO_WITHOUT_KINGDOM = "photo-without-kingdom"
    # What was left out.
    TILES_LEFT_OUT = "tiles-left-out"
    TILES_NOT_READ = "tiles-not-read"
    CUT_OFF_LEFT_OUT = "cut-off-left-out"
    PRINT_LEFT_OUT = "print-left-out"
    # No more than a sentence: what a report says that was read back, and where no code fits.
    UNCERTAIN_SQUARES = "uncertain-squares"
    SENTENCE = "sentence"


#: Notes on tiles of the photo that may be a kingdom and are reported as none.
UNREPORTED = frozenset({DoubtCode.TILES_LEFT_OUT, DoubtCode.TILES_NOT_READ})
#: Notes on something else than the kingdom that they stand with: no reason to doubt it.
LEFT_OUT = UNREPORTED | {
    DoubtCode.CUT_OFF_LEFT_OUT,
    DoubtCode.PRINT_LEFT_OUT,
    DoubtCode.PHOTO_WITHOUT_KINGDOM,
}


#: No more squares than this are named: more are the whole kingdom.
MOST_NAMED = 12
#: Variants of a sentence by the last part of their key, with the field that they ask for.
_VARIANTS = {"at": "squares", "which": "which"}


class Doubt(Struct, frozen=True):
    """A reason not to trust a reading, or a note on what lies beside it.

    `factor` (0 to 1) is what is left of the trust in the total: 1 says nothing, 0 that the
    reading can be anything. `cells` are the places of the grid that it concerns, empty when it
    concerns all. `fields` are put into its sentence, and choose the variant of it.
    """

    code: DoubtCode
    factor: float = 1.0
    cells: tuple[Position, ...] = ()
    fields: Mapping[str, str | int] = msgspec.field(default_factory=dict)

    @property
    def key(self) -> str:
        """The key of its sentence in the catalogues: the variant that says most."""
        key = f"doubt.{self.code.value}"
        variants = (f"{key}.{name}" for name, field in _VARIANTS.items() if field in self.fields)
        return next((one for one in variants if one in catalogue()), key)

    @property
    def message(self) -> str:
        """The sentence for the user, in English."""
        return self.text()

    def text(self, language: str = DEFAULT_LANGUAGE) -> str:
        """The sentence for the user."""
        return sentence(self.key, language, **self.fields)

    def placed(self, corner: Position, origin: Position) -> "Doubt":
        """The doubt with its cells counted from `corner` of the grid, and named in its sentence.

        Args:
            corner: The place of the grid that the kingdom's box begins with, (row, col).
            origin: The position by which that place is named: (0, 0) is a1.
        """
        cells = tuple((row - corner[0], col - corner[1]) for row, col in self.cells)
        fields = self.fields
        if 0 < len(cells) <= MOST_NAMED and "squares" not in fields:
            fields = {**fields, "squares": position_names(shifted(at, origin) for at in cells)}
        return replace(self, cells=cells, fields=fields)


class Sign(Struct, frozen=True):
    """Something in the photo that totals are wrong with more often, as a number.

    `value` is 0 where there is nothing of it and grows with it, in a unit of its own. `cells` and
    `fields` are those of the doubt that it becomes when it costs much trust.
    """

    code: DoubtCode
    value: float
    cells: tuple[Position, ...] = ()
    fields: Mapping[str, str | int] = msgspec.field(default_factory=dict)

    @property
    def doubt(self) -> Doubt:
        """The sign in words."""
        return Doubt(self.code, cells=self.cells, fields=self.fields)
