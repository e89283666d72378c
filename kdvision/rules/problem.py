"""Problems of a kingdom: their codes, how severe they are, and the verdict that they add up to.

A problem has no words of its own: `key` names its sentence in a catalogue, `fields` fill it.

    >>> found = problem(Code.NO_CASTLE)
    >>> found.key, found.severity.value, verdict([found])
    ('problem.no-castle', 'misread', False)
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from kdvision.rules.kingdom import Kingdom, Pair, Position, position_name, position_names, shifted

#: Maximum number of squares that a sentence names; `Problem.cells` has them all.
_NAMED = 8


class Severity(StrEnum):
    """What a problem is about."""

    #: A rule of laying is broken: real players do that.
    ERROR = "error"
    #: No box can hold this: a square was misread or mistyped, or a tile is no domino.
    MISREAD = "misread"
    #: Within the rules or not, depending on what the kingdom does not show: whether another
    #: official deck was used (RULES 1.4), or whether the game was a Mighty Duel.
    WARNING = "warning"


class Code(StrEnum):
    """The kinds of problem, in the order in which they are looked for."""

    NO_CASTLE = "no-castle"
    SEVERAL_CASTLES = "several-castles"
    NOT_CONNECTED = "not-connected"
    TOO_WIDE = "too-wide"
    MIGHTY_DUEL_GUESSED = "mighty-duel-guessed"
    TOO_MANY_SQUARES = "too-many-squares"
    ODD_SQUARES = "odd-squares"
    CHESSBOARD = "chessboard"
    NO_CUTTING = "no-cutting"
    UNKNOWN_SQUARE = "unknown-square"
    TOO_MANY_OF_A_KIND = "too-many-of-a-kind"
    NOT_IN_DECK = "not-in-deck"
    NO_ORDER = "no-order"
    NO_ORDER_IN_DECK = "no-order-in-deck"
    BROKEN_DOMINO = "broken-domino"
    ORDER_OPEN = "order-open"


class DuelCode(StrEnum):
    """The kinds of problem of a Duel map, in the order in which they are looked for."""

    NO_CASTLE = "no-castle"
    CASTLE_NOT_IN_THE_MIDDLE = "castle-not-in-the-middle"
    NOT_CONNECTED = "not-connected"
    NO_CUTTING = "no-cutting"
    NEEDS_POWER = "needs-power"
    TOO_MANY_CROSSES = "too-many-crosses"
    CROSS_NEEDS_POWER = "cross-needs-power"


_MISREAD = {
    Code.NO_CASTLE,
    Code.SEVERAL_CASTLES,
    Code.ODD_SQUARES,
    Code.CHESSBOARD,
    Code.NO_CUTTING,
    Code.UNKNOWN_SQUARE,
}
_WARNINGS = {
    Code.MIGHTY_DUEL_GUESSED,
    Code.TOO_MANY_OF_A_KIND,
    Code.NOT_IN_DECK,
    Code.NO_ORDER_IN_DECK,
    Code.ORDER_OPEN,
}
_DUEL_MISREAD = {
    DuelCode.NO_CASTLE,
    DuelCode.CASTLE_NOT_IN_THE_MIDDLE,
    DuelCode.TOO_MANY_CROSSES,
}
_DUEL_WARNINGS = {DuelCode.NEEDS_POWER, DuelCode.CROSS_NEEDS_POWER}


def severity_of(code: Code | DuelCode) -> Severity:
    """Return how severe a kind of problem is."""
    duel = isinstance(code, DuelCode)
    if code in (_DUEL_MISREAD if duel else _MISREAD):
        return Severity.MISREAD
    return Severity.WARNING if code in (_DUEL_WARNINGS if duel else _WARNINGS) else Severity.ERROR


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that a kingdom breaks.

    Attributes:
        code: What it breaks; a `DuelCode` for a Duel map.
        severity: How bad that is.
        cells: The positions it concerns, sorted; none when it concerns the whole kingdom.
        fields: What its sentence is filled with: numbers, names of places, keys of sentences.
        variant: The last part of the key of its sentence; empty for the plain one.
    """

    code: Code | DuelCode
    severity: Severity
    cells: tuple[Position, ...] = ()
    fields: Mapping[str, str | int] = field(default_factory=dict, hash=False)
    variant: str = ""

    @property
    def key(self) -> str:
        """The key of its sentence in the catalogues; `sentence` where `fields` hold all of it."""
        room = "duel" if isinstance(self.code, DuelCode) else "problem"
        if "sentence" in self.fields:
            return f"{room}.sentence"
        return f"{room}.{self.code.value}" + (f".{self.variant}" if self.variant else "")


def problem(
    code: Code | DuelCode,
    cells: Collection[Position] = (),
    variant: str = "",
    /,
    **fields: str | int,
) -> Problem:
    """Make a problem as severe as its code is, cells sorted."""
    return Problem(code, severity_of(code), tuple(sorted(cells)), fields, variant)


def verdict(found: Iterable[Problem]) -> bool | None:
    """Return what problems say of a kingdom: legal, not legal, or None where nobody can know.

    A kingdom that only has warnings follows the rules of laying; whether its dominoes are those
    of the game that was played, the kingdom does not show (RULES 1.4).
    """
    severities = {problem.severity for problem in found}
    return False if severities - {Severity.WARNING} else None if severities else True


@dataclass(frozen=True, slots=True)
class Names:
    """How sentences name squares; `origin` is the position by which the top left place is named."""

    origin: Position = (0, 0)

    def of(self, cells: Collection[Position]) -> str:
        """Return the names of the first squares: a sentence is no list."""
        names = position_names(shifted(at, self.origin) for at in sorted(cells)[:_NAMED])
        return names if len(cells) <= _NAMED else f"{names}, \u2026 (+{len(cells) - _NAMED})"

    def domino(self, kingdom: Kingdom, pair: Pair, chance: float = 1.0) -> str:
        """Return a domino with its squares as in a kingdom line: `c3-c4 (W1 S)`.

        `chance` is named where it is below 1: `c3-c4 (W1 S, 60 %)`.
        """
        places = "-".join(position_name(shifted(at, self.origin)) for at in pair)
        squares = " ".join(str(kingdom[at]) for at in pair)
        return f"{places} ({squares}{'' if chance == 1 else f', {100 * chance:.0f} %'})"
