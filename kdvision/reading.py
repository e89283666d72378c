"""What passes from vision to decoding: frozen values, no arrays.

A `Reading` holds what the network saw on every place of one grid. A `Doubt` is a reason not to
trust it, a `Sign` the number behind it. An `Alternative` is another total that it allows.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import force_setattr, replace

from kdvision.rules.kingdom import Kingdom, Position, parse_cell, position_names, shift
from kdvision.rules.terrain import EMPTY_MARK, LABELS
from kdvision.sentences import ENGLISH, Sentence, catalogue

#: What a photo shows between neighbouring places, the upper or the left one first: the natural
#: logarithm of how much likelier it looks so if they are one domino than if they are two. What is
#: missing was not looked at, and says nothing.
Seams = Mapping[tuple[Position, Position], float]


#: What lies on a place, as in a kingdom line.
CellText = Annotated[str, Meta(pattern="^(C|-|[WFLGSM][1-3]?)$")]


class Colour(StrEnum):
    """The colour of a castle, which says whose kingdom it is."""

    PINK = "pink"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"


class DoubtCode(StrEnum):
    """Every reason not to trust a reading, and every note on what the photo shows beside it."""

    # The photo and its file.
    DAMAGED_FILE = "damaged-file"
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
    NOT_JOINED = "not-joined"
    CORRECTED = "corrected"
    # The castle.
    UNCLEAR_CASTLE = "unclear-castle"
    SEVERAL_CASTLES = "castles"
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
    # What was left out.
    TILES_LEFT_OUT = "tiles-left-out"
    TILES_NOT_READ = "tiles-not-read"
    CUT_OFF_LEFT_OUT = "cut-off-left-out"
    PRINT_LEFT_OUT = "print-left-out"
    # What no other code says.
    UNCERTAIN_SQUARES = "uncertain-squares"


#: Notes on tiles of the photo that may be a kingdom and are reported as none.
UNREPORTED = frozenset({DoubtCode.TILES_LEFT_OUT, DoubtCode.TILES_NOT_READ})
#: Notes on something else than the kingdom that they stand with: no reason to doubt it.
LEFT_OUT = UNREPORTED | {DoubtCode.CUT_OFF_LEFT_OUT, DoubtCode.PRINT_LEFT_OUT}

#: No more squares than this are named: more are the whole kingdom.
MOST_NAMED = 12


class Doubt(Struct, frozen=True):
    """A reason not to trust a reading, or a note on what lies beside it.

    `factor` (0 to 1) is what is left of the trust in the total: 1 says nothing, 0 that the
    reading can be anything. `cells` are the places of the grid that it concerns, empty when it
    concerns all. `fields` are put into its sentence.
    """

    code: DoubtCode
    factor: float = 1.0
    cells: tuple[Position, ...] = ()
    fields: Mapping[str, str | int] = msgspec.field(default_factory=dict)

    @property
    def key(self) -> str:
        """The key of its sentence in the catalogues; that with its squares where it has some."""
        key = f"doubt.{self.code.value}"
        placed = f"{key}.at"
        return placed if "squares" in self.fields and placed in catalogue() else key

    @property
    def sentence(self) -> Sentence:
        """What it says, for a list of such sentences."""
        return Sentence(self.key, self.fields)

    @property
    def message(self) -> str:
        """The sentence for the user, in English."""
        return self.text()

    def text(self, language: str = ENGLISH) -> str:
        """The sentence for the user."""
        return self.sentence.text(language)

    def name_cells(self, corner: Position, origin: Position) -> "Doubt":
        """The doubt with its cells counted from `corner` of the grid, and named in its sentence.

        Args:
            corner: The place of the grid that the kingdom's box begins with, (row, col).
            origin: The position by which that place is named: (0, 0) is a1.
        """
        cells = tuple((row - corner[0], col - corner[1]) for row, col in self.cells)
        fields = self.fields
        if 0 < len(cells) <= MOST_NAMED and "squares" not in fields:
            fields = {**fields, "squares": position_names(shift(at, origin) for at in cells)}
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


class Place(Struct, frozen=True):
    """What was read on one place of the grid.

    `probabilities` has one value per entry of `LABELS`, summing to 1. `center` is in pixels
    (x, y) of the upright photo, None where there is no photo. `hidden` is the probability that too
    little of it is seen to tell, which counts as open in `probabilities`. `label` is the likeliest
    label.
    """

    probabilities: tuple[float, ...]
    center: tuple[float, float] | None = None
    hidden: float = 0.0
    label: str = ""

    def __post_init__(self) -> None:
        likeliest = self.probabilities.index(max(self.probabilities))
        force_setattr(self, "label", LABELS[likeliest])

    def likeliest(self, count: int, *, beside: str) -> tuple[str, ...]:
        """So many labels with any probability, the likeliest first, without one of them."""
        ranked = sorted(zip(self.probabilities, LABELS, strict=True), key=lambda pair: -pair[0])
        return tuple(label for value, label in ranked if value > 0 and label != beside)[:count]


class Reading(Struct, frozen=True):
    """All places of one grid, `places[row][col]` from the top left of the photo.

    `doubts` say which places are uncertain, `signs` how far the reading as a whole can be trusted.
    """

    places: tuple[tuple[Place, ...], ...]
    doubts: tuple[Doubt, ...] = ()
    signs: tuple[Sign, ...] = ()

    @property
    def height(self) -> int:
        """The number of rows of the grid."""
        return len(self.places)

    @property
    def width(self) -> int:
        """The number of columns of the grid."""
        return len(self.places[0]) if self.places else 0

    @property
    def taken(self) -> tuple[Position, ...]:
        """The places (row, col) on which something lies, row by row."""
        return tuple(
            (row, col)
            for row, places in enumerate(self.places)
            for col, place in enumerate(places)
            if place.label != EMPTY_MARK
        )

    @property
    def kingdom(self) -> Kingdom:
        """The kingdom with the likeliest label of every place, untrimmed."""
        rows = []
        for places in self.places:
            rows.append(tuple(parse_cell(place.label) for place in places))
        return Kingdom(tuple(rows))

    @property
    def reaches_border(self) -> bool:
        """Whether a tile lies on an outermost place: then the kingdom may go on beyond."""
        edge = [*self.places[0], *self.places[-1]]
        edge += [place for row in self.places for place in (row[0], row[-1])]
        return any(place.label != EMPTY_MARK for place in edge)

    def move_places(self, move: Callable[[Position], Position | None]) -> "Reading":
        """The reading with the positions of its doubts and signs moved, or dropped.

        What concerned places and has none left is dropped as well, and a sign that counts its
        places counts those that are left.
        """
        doubts, signs = [], []
        for doubt in self.doubts:
            cells = _move_cells(doubt.cells, move)
            if cells or not doubt.cells:
                doubts.append(replace(doubt, cells=cells))
        for sign in self.signs:
            cells = _move_cells(sign.cells, move)
            value = float(len(cells)) if sign.value == len(sign.cells) else sign.value
            if cells or not sign.cells:
                signs.append(replace(sign, cells=cells, value=value))
        return replace(self, doubts=tuple(doubts), signs=tuple(signs))


def _move_cells(
    cells: Iterable[Position], move: Callable[[Position], Position | None]
) -> tuple[Position, ...]:
    """Positions moved, without those that `move` drops."""
    return tuple(at for at in map(move, cells) if at is not None)


class ReadDomino(Struct, frozen=True):
    """Two squares of a kingdom that are one domino, or may be.

    `cells` are their places (row, col), the upper or the left one first; `numbers` those that the
    domino may have on its back, none where the deck does not have it; `probability` is that they
    are one domino, if the squares are what they were read as; `broken` that they are and the
    domino breaks the joining rule.
    """

    cells: tuple[Position, Position]
    numbers: tuple[int, ...]
    probability: float
    broken: float = 0.0


class Alternative(Struct, frozen=True):
    """Another total that the reading allows.

    `squares` names what would have to lie on a place instead: (position in the grid of the
    decoded kingdom, cell text as in a kingdom line).
    """

    score: int
    probability: float
    squares: tuple[tuple[Position, CellText], ...]
