"""What a player can do on a turn, and how it is written.

`3 c4 c5` lays domino 3, its left half on c4; `3 x` discards it; `17` puts the king on domino 17.
Places are named in the frame of `land`: the castle lies on e5, in a 7x7 on g7.
"""

import re
from dataclasses import dataclass

from kdvision.rules.kingdom import Position, position_name


class IllegalActionError(ValueError):
    """An action that the rules do not allow now. The message says why, for a player."""


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay the domino under one's king. Positions are (row, col) of the frame."""

    number: int
    left_at: Position
    right_at: Position

    def __str__(self) -> str:
        return f"{self.number} {position_name(self.left_at)} {position_name(self.right_at)}"


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard the domino under one's king, which has no legal place (RULES 5.5)."""

    number: int

    def __str__(self) -> str:
        return f"{self.number} x"


@dataclass(frozen=True, slots=True)
class Choose:
    """Put one's king on a free domino of the line."""

    number: int

    def __str__(self) -> str:
        return str(self.number)


Action = Lay | Discard | Choose

_ACTION = re.compile(
    r"(?P<number>[0-9]{1,3})(?:\s+(?:(?P<discard>x)|(?P<left>[a-z][0-9]{1,2})\s*,?\s*"
    r"(?P<right>[a-z][0-9]{1,2})))?\Z",
    re.IGNORECASE,
)


def parse_action(text: str) -> Action:
    """Read an action as it is written, in either case.

    Raises:
        IllegalActionError: The text is none.
    """
    match = _ACTION.match(text.strip())
    if match is None:
        shown = "".join(letter for letter in text[:40] if letter.isprintable())
        raise IllegalActionError(
            f"{shown!r} is no move. Write the domino and its two places (3 c4 c5, its left half "
            f"first), 3 x to discard it, or the number of a domino to choose it (17)."
        )
    number = int(match["number"])
    if match["discard"]:
        return Discard(number)
    if match["left"] is None:
        return Choose(number)
    return Lay(number, _position(match["left"]), _position(match["right"]))


def _position(name: str) -> Position:
    return int(name[1:]) - 1, ord(name[0].lower()) - ord("a")
