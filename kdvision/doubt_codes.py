"""Reasons not to trust a reading: their codes, their sentences, and the signs behind them."""

from collections.abc import Mapping
from enum import StrEnum

import msgspec
from msgspec import Struct

from kdvision.rules.kingdom import Position


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
    NOT_ALL_TRIED = "not-all-tried"
    # What a person said of squares.
    IMPOSSIBLE_CORRECTION = "impossible-correction"
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
LEFT_OUT = UNREPORTED | {DoubtCode.CUT_OFF_LEFT_OUT, DoubtCode.PRINT_LEFT_OUT}

#: What is said, with the fields of the doubt put in.
SENTENCES: Mapping[DoubtCode, str] = {
    DoubtCode.DAMAGED_FILE: "{damage}",
    DoubtCode.STRANGE_SIDE: (
        "On one side of the kingdom the photo looks strange; the file may be damaged."
    ),
    DoubtCode.SMALL_SQUARES: (
        "The squares are only {pixels} pixels wide, too small to be sure of crowns: take the "
        "photo from nearer."
    ),
    DoubtCode.BLURRED: "The photo is blurred: hold the camera still, and take it again.",
    DoubtCode.DARK: "The kingdom lies in the dark: take the photo with more light.",
    DoubtCode.GLARE: "Glare hides part of a square: take the photo from another side.",
    DoubtCode.LOOSE_LATTICE: (
        "The tiles lie so loosely, or bend so much, that the grid may be wrong."
    ),
    DoubtCode.OFF_LATTICE: (
        "A tile lies so far out of line that it may not belong to the kingdom."
    ),
    DoubtCode.CUT_OFF: "The kingdom is cut off by the border of the photo.",
    DoubtCode.BEYOND_BORDER: "What lies beyond the border cannot be known.",
    DoubtCode.AT_BORDER: (
        "The kingdom reaches the border of the photo; more of it may lie beyond."
    ),
    DoubtCode.NOT_FOUND: "Squares were read where no tile was found.",
    DoubtCode.NOT_READ: "Something lies beside the kingdom that could be a tile.",
    DoubtCode.COVERED: "Something lies on the kingdom or beside it that may hide a tile.",
    DoubtCode.TORN: (
        "More tiles lie in line with the kingdom; what joins them to it may be hidden."
    ),
    DoubtCode.TOUCHING: (
        "The kingdom touches another one; where it ends is told by its castle and its dominoes."
    ),
    DoubtCode.CORRECTED: "What was seen does not fit the dominoes of the deck everywhere.",
    DoubtCode.NOT_JOINED: (
        "A domino lies in line with the kingdom and is not joined to it by an edge: {without} "
        "points without it, {total_with} with it."
    ),
    DoubtCode.UNCLEAR_CASTLE: ("The start tile cannot be seen clearly; this may be no kingdom."),
    DoubtCode.SEVERAL_CASTLES: "More than one castle was seen.",
    DoubtCode.CASTLE_INFERRED: (
        "Nothing looks like a castle; it must be where the squares around need it."
    ),
    DoubtCode.HIDDEN: "The castle stands before a square and hides what lies there.",
    DoubtCode.OTHER_DECK: (
        "These squares cannot be cut into the dominoes of the deck. They stand as they were seen; "
        "compare them with the photo, or ignore this if you play with another edition."
    ),
    DoubtCode.NO_BOX: (
        "What was seen is no kingdom: it needs one castle, whole dominoes, and a box of at most "
        "{side}x{side}. It stands as it was seen; compare it with the photo."
    ),
    DoubtCode.TOO_MANY_OF_KIND: (
        "{squares} were read as {kind}, but {box} {holds} {most} of them. Every kingdom stands as "
        "it was read; compare these squares with the photo, or add --boxes {more} if there are "
        "dominoes of another box."
    ),
    DoubtCode.TOO_MANY_DOMINOES: (
        "The dominoes of {squares} cannot all be from {box}{which}. Every kingdom stands as it was "
        "read; compare these squares with the photo, or add --boxes {more} if there are dominoes "
        "of another box."
    ),
    DoubtCode.NOT_ALL_TRIED: (
        "So many squares are unclear that not every possible kingdom was tried."
    ),
    DoubtCode.TILES_LEFT_OUT: (
        "{squares} squares {where} of the photo may be a kingdom, but no castle was found there."
    ),
    DoubtCode.TILES_NOT_READ: (
        "{squares} squares {where} of the photo may be a kingdom, but fewer than half of them can "
        "be made out."
    ),
    DoubtCode.IMPOSSIBLE_CORRECTION: (
        "With {fixes} this is no kingdom of the box: the correction and what was read clearly "
        "cannot both be. Both stand; check the correction and the squares around it."
    ),
    DoubtCode.CUT_OFF_LEFT_OUT: (
        "Another kingdom, cut off by the border without its castle, was left out."
    ),
    DoubtCode.PRINT_LEFT_OUT: (
        "Something like a kingdom, but with squares of another size, was left out."
    ),
    DoubtCode.UNCERTAIN_SQUARES: "Some squares could not be read with certainty.",
    DoubtCode.SENTENCE: "{sentence}",
}


class Doubt(Struct, frozen=True):
    """A reason not to trust a reading, or a note on what lies beside it.

    `factor` (0 to 1) is what is left of the trust in the total: 1 says nothing, 0 that the
    reading can be anything. `cells` are the places of the grid that it concerns, empty when it
    concerns all. `fields` are put into the sentence of its code.
    """

    code: DoubtCode
    factor: float = 1.0
    cells: tuple[Position, ...] = ()
    fields: Mapping[str, str | int] = msgspec.field(default_factory=dict)

    @property
    def message(self) -> str:
        """The sentence for the user."""
        return SENTENCES[self.code].format(**self.fields)


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
