"""What passes from vision to decoding: frozen values, no arrays.

A `Reading` holds what the network saw on every place of one grid. A `Doubt` is a reason why its
total may be wrong. An `Alternative` is another total that it allows.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import force_setattr, replace

from kdvision.rules.kingdom import (
    Kingdom,
    Pair,
    Position,
    connected_components,
    list_pairs,
    neighbours,
    parse_cell,
    position_names,
    shift,
)
from kdvision.rules.rules import MAX_SIZE
from kdvision.rules.terrain import CASTLE_LABEL, CASTLE_MARK, EMPTY_LABEL, EMPTY_MARK, LABELS
from kdvision.sentences import ENGLISH, Sentence, catalogue

#: What a photo shows between neighbouring places, the upper or the left one first: the natural
#: logarithm of how much likelier it looks so if they are one domino than if they are two. What is
#: missing was not looked at, and says nothing.
Seams = Mapping[tuple[Position, Position], float]

#: What lies on a place, as in a kingdom line.
CellText = Annotated[str, Meta(pattern="^(C|-|[WFLGSM][1-3]?)$")]


class ReadingSettings(Struct, frozen=True):
    """When a place is made out, and which one is the castle.

    Attributes:
        hidden: probability that too little of a place is seen, from which on it is hidden: its
            likeliest label is no evidence against a kingdom.
        made_out: probability of its likeliest label, from which on a place is made out.
        draft_squares: count of squares in the widest draft row: four dominoes.
        draft_castle: probability of a castle that is asked for among so few squares.
        least_castle: probability that is enough for a castle that stands out among more squares. On
            rendered tables castles of a strange make had 0.004 to 0.5 of it, and other squares
            hardly ever 0.0005.
        stands_out: ratio. Such a castle looks so many times more like one than the next place does:
            a castle is one place of the lattice, and of what a pattern shows there are many.
    """

    hidden: Annotated[float, "sure"] = 0.5
    made_out: Annotated[float, "sure"] = 0.9
    draft_squares: Annotated[int, "kingdom"] = 8
    draft_castle: Annotated[float, "kingdom"] = 0.97
    least_castle: Annotated[float, "kingdom"] = 0.002
    stands_out: Annotated[float, "kingdom"] = 4.0


READING = ReadingSettings()

#: Probabilities of a place on which nothing lies.
NOTHING = tuple(float(label == EMPTY_MARK) for label in LABELS)


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
    CUT_OFF = "cut-off"
    BEYOND_BORDER = "beyond-border"
    AT_BORDER = "at-border"
    NOT_FOUND = "not-found"
    NOT_READ = "not-read"
    OBSTRUCTED = "obstructed"
    ON_TILE = "on-tile"
    NOT_LIT = "not-lit"
    NOT_JOINED = "not-joined"
    TOUCHING = "touching"
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
    SMALLER_LEFT_OUT = "smaller-left-out"
    OTHER_COUNT = "other-count"
    # What no other code says.
    UNCERTAIN_SQUARES = "uncertain-squares"


#: The doubts that make the places which they are about less certain.
PLACE_DOUBTS = frozenset(
    {DoubtCode.CUT_OFF, DoubtCode.NOT_FOUND, DoubtCode.NOT_READ, DoubtCode.HIDDEN}
)
#: What doubts leave of the trust in a total (0 to 1), whatever the places that they are about.
KEPT_OF_TOTAL = {
    # Of a damaged file all can be wrong.
    DoubtCode.DAMAGED_FILE: 0.0,
    # Which squares are whose is not known.
    DoubtCode.TOUCHING: 0.0,
    # A domino in line with the kingdom may or may not belong to it: either is as likely.
    DoubtCode.NOT_JOINED: 0.5,
    # Where nothing can be seen beside a kingdom it may go on, or not, and where a square is burnt
    # out there may be a crown: either is as likely.
    DoubtCode.NOT_LIT: 0.5,
    # Below what lies on a tile there may be a crown, or not: either is as likely.
    DoubtCode.ON_TILE: 0.5,
}
#: The doubts of kingdoms of one photo that one box cannot hold together.
TOO_MANY_DOUBTS = frozenset({DoubtCode.TOO_MANY_OF_KIND, DoubtCode.TOO_MANY_DOMINOES})
#: The doubts of a kingdom that the box cannot hold, together with others or by itself.
BOX_DOUBTS = TOO_MANY_DOUBTS | {DoubtCode.OTHER_DECK, DoubtCode.NO_BOX}

#: Notes on what may be a kingdom of the photo and is reported as none: the photo is in doubt.
UNREPORTED = frozenset(
    {
        DoubtCode.TILES_LEFT_OUT,
        DoubtCode.TILES_NOT_READ,
        DoubtCode.SMALLER_LEFT_OUT,
        DoubtCode.OTHER_COUNT,
    }
)
#: Notes on what was left out of a photo.
LEFT_OUT = UNREPORTED | {DoubtCode.CUT_OFF_LEFT_OUT, DoubtCode.PRINT_LEFT_OUT}

#: No more squares than this are named: more are the whole kingdom.
MAX_NAMED = 12


class Doubt(Struct, frozen=True):
    """A reason why a total may be wrong, or a note on what lies beside the kingdom.

    Attributes:
        code: What it is.
        weight: How much of it there is, from 0 for nothing on, in a unit of its own. Trust is
            fitted on it.
        places: The places that it is about; empty when it is about all.
        fields: What is put into its sentence.
    """

    code: DoubtCode
    weight: float = 1.0
    places: tuple[Position, ...] = ()
    fields: Mapping[str, str | int] = msgspec.field(default_factory=dict)

    @property
    def key(self) -> str:
        """The key of its sentence in the catalogues: one that names squares where it has some."""
        key = f"doubt.{self.code.value}"
        placed = f"{key}.at"
        if "squares" in self.fields and placed in catalogue():
            return placed
        return key

    @property
    def sentence(self) -> Sentence:
        """What it says, for a list of such sentences."""
        return Sentence(self.key, self.fields)

    @property
    def message(self) -> str:
        """The sentence for the user, in English."""
        return self.text()

    def text(self, language: str = ENGLISH) -> str:
        """Return the sentence for the user."""
        return self.sentence.text(language)

    def moved(self, by: Position) -> "Doubt":
        """Return the doubt with its places moved by so many (rows, columns)."""
        return replace(self, places=tuple(shift(at, by) for at in self.places))

    def name_places(self, origin: Position) -> "Doubt":
        """Return the doubt with its places named in its sentence, and counted from `origin`.

        Args:
            origin: The place from which they are counted; (0, 0) is named a1.
        """
        fields = self.fields
        if 0 < len(self.places) <= MAX_NAMED and "squares" not in fields:
            fields = {**fields, "squares": position_names(self.places)}
        return replace(self.moved((-origin[0], -origin[1])), fields=fields)

    def without(self, given: Container[Position]) -> "Doubt | None":
        """Return the doubt about the places that are not among some; None where no place is left.

        One that counts its places counts those that are left.
        """
        left = tuple(at for at in self.places if at not in given)
        if self.places and not left:
            return None
        weight = self.weight
        if weight == len(self.places):
            weight = float(len(left))
        return replace(self, places=left, weight=weight)


def open_doubts(doubts: Iterable[Doubt], given: Container[Position]) -> list[Doubt]:
    """Return what is left of doubts where a person has given places."""
    return [left for doubt in doubts if (left := doubt.without(given))]


class Place(Struct, frozen=True, omit_defaults=True):
    """What was read on one place of the grid.

    Attributes:
        probabilities: One per entry of `LABELS`, summing to 1.
        center: Its middle in pixels (x, y) of the upright photo; None where there is no photo.
        hidden: Probability that too little of it is seen to tell, which counts as open in
            `probabilities`.
        paper: Whether a plain paper seems to lie on its tile, such as a note.
        label: The likeliest label.
    """

    probabilities: tuple[float, ...]
    center: tuple[float, float] | None = None
    hidden: float = 0.0
    paper: bool = False
    label: str = ""

    def __post_init__(self) -> None:
        likeliest = self.probabilities.index(max(self.probabilities))
        force_setattr(self, "label", LABELS[likeliest])

    def likeliest(self, count: int, *, beside: str) -> tuple[str, ...]:
        """Return so many labels with any probability, the likeliest first, without one of them."""
        ranked = sorted(zip(self.probabilities, LABELS, strict=True), key=lambda pair: -pair[0])
        return tuple(label for value, label in ranked if value > 0 and label != beside)[:count]

    @property
    def castle(self) -> float:
        """The probability of a castle."""
        return self.probabilities[CASTLE_LABEL]

    @property
    def is_clear(self) -> bool:
        """Whether its likeliest label is clear."""
        return max(self.probabilities) >= READING.made_out

    @property
    def is_hidden(self) -> bool:
        """Whether too little of it is seen to tell what lies there."""
        return self.hidden >= READING.hidden

    def as_castle(self, share: float) -> "Place":
        """Return the place with at least this probability of a castle."""
        share, rest = max(self.castle, share), max(1 - self.castle, 1e-9)
        values = [value * (1 - share) / rest for value in self.probabilities]
        values[CASTLE_LABEL] = share
        return replace(self, probabilities=tuple(values))

    def as_hidden(self) -> "Place":
        """Return the place as one that is hidden: its terrain is open, but for what is seen of it.

        The probabilities of a castle and of nothing become open, as does what was hidden before;
        at least `READING.hidden` is.
        """
        unseen = self.castle + self.probabilities[EMPTY_LABEL]
        hidden = max(READING.hidden, self.hidden, min(unseen, 1.0))
        return replace(self._without(CASTLE_LABEL, EMPTY_LABEL), hidden=hidden)

    def behind_castle(self) -> "Place":
        """Return the place as one before which a castle stands.

        It has none itself. Where some of a terrain shows beside the castle or over it, the place is
        read from that; where little but walls shows, or no tile does, it is hidden.
        """
        shown = self._without(CASTLE_LABEL)
        if self.castle >= READING.made_out or shown.label == EMPTY_MARK:
            return self.as_hidden()
        return shown

    def _without(self, *labels: int) -> "Place":
        """Return the place without some labels (index in `LABELS`); the others keep their odds."""
        values = [value + 1e-6 for value in self.probabilities]
        for label in labels:
            values[label] = 0.0
        whole = sum(values)
        return replace(self, probabilities=tuple(value / whole for value in values))

    def mean(self, other: "Place") -> "Place":
        """Return the place as two looks at it say together, each as far as it is not hidden."""
        mine, others = (1.0 - look.hidden + 1e-6 for look in (self, other))
        shares = []
        for one, two in zip(self.probabilities, other.probabilities, strict=True):
            shares.append((mine * one + others * two) / (mine + others))
        hidden = (self.hidden + other.hidden) / 2
        return replace(self, probabilities=tuple(shares), hidden=hidden)


class Reading(Struct, frozen=True, dict=True):
    """All places of one grid, `places[row][col]` from the top left of the photo.

    Attributes:
        places: What was read on each.
        doubts: What in the photo goes with wrong totals, such as blur.
    """

    places: tuple[tuple[Place, ...], ...]
    doubts: tuple[Doubt, ...] = ()

    @property
    def height(self) -> int:
        """The number of rows of the grid."""
        return len(self.places)

    @property
    def width(self) -> int:
        """The number of columns of the grid."""
        return len(self.places[0]) if self.places else 0

    @cached_property
    def taken(self) -> tuple[Position, ...]:
        """The places (row, col) on which something lies, row by row."""
        return tuple(at for at, place in self.items() if place.label != EMPTY_MARK)

    @property
    def pairs(self) -> list[Pair]:
        """The pairs of neighbouring places on which something lies."""
        return list(list_pairs(self.taken))

    @property
    def kingdom(self) -> Kingdom:
        """The kingdom with the likeliest label of every place, untrimmed."""
        rows = []
        for places in self.places:
            rows.append(tuple(parse_cell(place.label) for place in places))
        return Kingdom(tuple(rows))

    def items(self) -> Iterator[tuple[Position, Place]]:
        """Yield every place with its position (row, col), row by row."""
        for row, places in enumerate(self.places):
            for col, place in enumerate(places):
                yield (row, col), place

    def __getitem__(self, at: Position) -> Place:
        """Return the place at a position (row, col)."""
        return self.places[at[0]][at[1]]

    def __contains__(self, at: Position) -> bool:
        """Tell whether a position lies on the grid."""
        return 0 <= at[0] < self.height and 0 <= at[1] < self.width

    @property
    def castle(self) -> Position | None:
        """The place that is most surely the castle; None when none looks like it.

        The squares of dominoes pair up, so a kingdom with its castle has an odd number of them.

        - An even number, no more than in a draft row: only what clearly looks like a castle is one.
        - An odd number, more than in a draft row: if no place looks most like a castle, the one
          that stands out among the others is taken, however little it looks like one. Glare or a
          standing castle can hide the start tile.
        - Else the place that looks most like a castle.
        """
        shares = {at: self[at].castle for at in self.taken}
        castles = [at for at in shares if self[at].label == CASTLE_MARK]
        if len(shares) <= READING.draft_squares and len(shares) % 2 == 0:
            castles = [at for at in castles if shares[at] >= READING.draft_castle]
        elif not castles and len(shares) > READING.draft_squares and len(shares) % 2:
            return _find_faint_castle(shares)
        return max(castles, key=shares.__getitem__, default=None)

    @property
    def castle_centre(self) -> tuple[float, float]:
        """Where the castle lies, in pixels (x, y) of the upright photo."""
        castle = self.castle
        return (castle and self[castle].center) or (0.0, 0.0)

    @property
    def castle_likeness(self) -> float:
        """How surely there is a castle: the probability at the place that looks most like one."""
        return max((place.castle for _, place in self.items()), default=0.0)

    @property
    def hidden_places(self) -> frozenset[Position]:
        """The places that the castle hides: they are open already, and need no other doubt."""
        hidden: set[Position] = set()
        for doubt in self.doubts:
            if doubt.code is DoubtCode.HIDDEN:
                hidden.update(doubt.places)
        return frozenset(hidden)

    def groups(self) -> "list[Reading]":
        """Return a reading for each group of tiles that edges join, the largest first.

        In each the places of the other groups are empty.
        """
        pieces = sorted(connected_components(self.taken), key=lambda piece: -len(piece))
        return [self.only(piece) for piece in pieces]

    def only(self, places: frozenset[Position]) -> "Reading":
        """Return the reading with nothing on all other places."""
        rows = list(map(list, self.places))
        for row, col in self.taken:
            if (row, col) not in places:
                rows[row][col] = replace(rows[row][col], probabilities=NOTHING, hidden=0.0)
        return replace(self, places=tuple(map(tuple, rows)))

    def with_place(self, at: Position, place: Place) -> "Reading":
        """Return the reading with another place at a position."""
        rows = list(map(list, self.places))
        rows[at[0]][at[1]] = place
        return replace(self, places=tuple(map(tuple, rows)))

    def with_doubts(self, *doubts: Doubt) -> "Reading":
        """Return the reading with more doubts."""
        return replace(self, doubts=self.doubts + doubts)

    @property
    def reaches_border(self) -> bool:
        """Whether a tile lies on an outermost place: then the kingdom may go on beyond."""
        last_row, last_col = self.height - 1, self.width - 1
        return any(row in (0, last_row) or col in (0, last_col) for row, col in self.taken)

    @property
    def free_places(self) -> list[Position]:
        """The places beside its tiles on which a kingdom of that size could go on (RULES 5.4).

        On the grid and beyond it, row by row.
        """
        axes = list(zip(*self.taken, strict=True))
        lowest, highest = list(map(min, axes)), list(map(max, axes))
        longest = max(high - low + 1 for low, high in zip(lowest, highest, strict=True))
        most = 5 if longest <= 5 else MAX_SIZE
        free = []
        for at in sorted({beside for taken in self.taken for beside in neighbours(taken)}):
            sides = zip(lowest, highest, at, strict=True)
            fits = all(max(high, to) - min(low, to) < most for low, high, to in sides)
            if fits and at not in self.taken:
                free.append(at)
        return free

    def move_places(self, by: Position) -> "Reading":
        """Move the places of its doubts by so many (rows, columns)."""
        return replace(self, doubts=tuple(doubt.moved(by) for doubt in self.doubts))

    def without_doubts(self, given: Container[Position]) -> "Reading":
        """Leave out the doubts about places that a person has given."""
        return replace(self, doubts=tuple(open_doubts(self.doubts, given)))


def _find_faint_castle(shares: Mapping[Position, float]) -> Position | None:
    """Find the place that stands out as a castle where none is likely to be one.

    Args:
        shares: The probability of a castle on each place.
    """
    first, second = sorted(shares, key=lambda at: -shares[at])[:2]
    if shares[first] < max(READING.least_castle, READING.stands_out * shares[second]):
        return None
    return first


class ReadDomino(Struct, frozen=True):
    """Two squares of a kingdom that are or may be one domino.

    Attributes:
        cells: Their places (row, col), the upper or the left one first.
        numbers: Those that the domino may have on its back; none where the deck does not have it.
        probability: That they are one domino, provided that the squares were read rightly.
        broken: The probability that they are one domino and that it breaks the joining rule.
    """

    cells: tuple[Position, Position]
    numbers: tuple[int, ...]
    probability: float
    broken: float = 0.0


class Alternative(Struct, frozen=True):
    """Another total that the reading allows.

    Attributes:
        score: The total.
        probability: That it is the right one.
        squares: What would have to lie on places instead: a position in the grid that was decoded,
            in a result in the kingdom's box; and the cell, as in a kingdom line.
    """

    score: int
    probability: float
    squares: tuple[tuple[Position, CellText], ...]
