"""Problems of a kingdom: their codes, how severe they are, and the verdict that they add up to."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from kdvision.rules.kingdom import Position, position_names, shifted

#: A message names no more squares than this; `Problem.cells` has them all.
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


_SEVERITIES = {
    Code.NO_CASTLE: Severity.MISREAD,
    Code.SEVERAL_CASTLES: Severity.MISREAD,
    Code.NOT_CONNECTED: Severity.ERROR,
    Code.TOO_WIDE: Severity.ERROR,
    Code.MIGHTY_DUEL_GUESSED: Severity.WARNING,
    Code.TOO_MANY_SQUARES: Severity.ERROR,
    Code.ODD_SQUARES: Severity.MISREAD,
    Code.CHESSBOARD: Severity.MISREAD,
    Code.NO_CUTTING: Severity.MISREAD,
    Code.UNKNOWN_SQUARE: Severity.MISREAD,
    Code.TOO_MANY_OF_A_KIND: Severity.WARNING,
    Code.NOT_IN_DECK: Severity.WARNING,
    Code.NO_ORDER: Severity.ERROR,
    Code.NO_ORDER_IN_DECK: Severity.WARNING,
    Code.BROKEN_DOMINO: Severity.ERROR,
    Code.ORDER_OPEN: Severity.WARNING,
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that a kingdom breaks.

    `code` is a `Code`, or a `DuelCode` for a Duel map. `cells` are the positions it concerns,
    sorted; none when it concerns the whole kingdom.
    `message` is a sentence for a player.
    """

    code: StrEnum
    severity: Severity
    message: str
    cells: tuple[Position, ...] = ()


def verdict(found: Iterable[Problem]) -> bool | None:
    """What problems say of a kingdom: legal, not legal, or None where that cannot be known.

    A kingdom that only has warnings follows the rules of laying; whether its dominoes are those
    of the game that was played, the kingdom does not show (RULES 1.4).
    """
    severities = {problem.severity for problem in found}
    return False if severities - {Severity.WARNING} else None if severities else True


def problem(code: Code, message: str, cells: Collection[Position] = ()) -> Problem:
    """A problem of a kingdom, as severe as its code is, cells sorted."""
    return Problem(code, _SEVERITIES[code], message, tuple(sorted(cells)))


@dataclass(frozen=True, slots=True)
class Names:
    """How messages name squares; `origin` is the position by which the top left place is named."""

    origin: Position = (0, 0)

    def of(self, cells: Collection[Position]) -> str:
        """The names of the first squares: a message is no list."""
        names = position_names(shifted(at, self.origin) for at in sorted(cells)[:_NAMED])
        return names if len(cells) <= _NAMED else f"{names} and {len(cells) - _NAMED} more"

    def are(self, cells: Collection[Position]) -> str:
        """`b3 is` or `b3, b4 are`, to go on with."""
        return f"{self.of(cells)} {'is' if len(cells) == 1 else 'are'}"
