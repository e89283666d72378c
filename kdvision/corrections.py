"""Squares that a person corrects: `b3=W1`, or `B.c4=G2` where a photo shows several kingdoms.

Places count from the kingdom as it is read without corrections, and go on beyond it on all sides:
the column left of `a` is `z`, the next one `y`; the row above 1 is 0, the next one -1.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from kdvision.errors import UsageError
from kdvision.rules.kingdom import NotationError, Position, cell_text, parse_cell, position_name
from kdvision.rules.terrain import LABELS

#: A place of the kingdom as it is read without corrections: (row, col) where it is the only one of
#: the photo, (name, (row, col)) where it is one of several, which are named A, B, C in reading
#: order. Rows above the kingdom and columns left of it are negative.
FixPlace = Position | tuple[str, Position]
#: Corrections as a program gives them: cell texts by place, which may be written as `b3`, `B.c4`.
Fixes = Mapping[str, str] | Mapping[Position, str] | Mapping[FixPlace, str]

#: Squares can be added to a kingdom until it is as large as that of a Mighty Duel.
MOST_SIDE = 7
#: Columns from here on to `z` lie left of `a`, as many as a kingdom can have there.
_FIRST_LEFT = 26 - (MOST_SIDE - 1)

_PLACE = re.compile(r"(?:([a-z]{1,2})\s*\.\s*)?([a-z])(0|-?[1-9][0-9]?)\Z", re.IGNORECASE)
_ADVICE = (
    "Write the place, = and the square, such as b3=W1, c4=C for the castle, or d2=- for none; "
    "of several kingdoms B.b3=W1."
)


def kingdom_name(index: int) -> str:
    """The name of the kingdom of a photo at this index: A, B, C; AA follows Z."""
    return chr(ord("A") + index % 26) * (1 + index // 26)


def fix_name(place: FixPlace) -> str:
    """A place as people write it: `b3`, `B.c4`."""
    name, at = named_place(place)
    return f"{name}.{position_name(at)}" if name else position_name(at)


def named_place(place: FixPlace) -> tuple[str, Position]:
    """The name of the kingdom, empty where none is given, and the position."""
    first, second = place
    if isinstance(first, str):
        assert isinstance(second, tuple)
        return first.upper(), second
    assert isinstance(second, int)
    return "", (first, second)


def fix_text(place: FixPlace, text: str) -> str:
    """The cell text of a correction, as in a kingdom line.

    Raises:
        UsageError: It is no square, or none of the game.
    """
    try:
        cell = cell_text(parse_cell(text))
    except NotationError as error:
        raise UsageError(f"{fix_name(place)}={text[:20]} is no correction: {error}") from None
    if cell not in LABELS:
        raise UsageError(
            f"{fix_name(place)}={cell} cannot be: no domino has such a square.",
            "Compare its crowns with the photo.",
        )
    return cell


def fixes_of(given: Fixes) -> dict[FixPlace, str]:
    """Fixes by place, from places that are written or given as positions.

    Raises:
        UsageError: One is no correction, or two say different things of one place.
    """
    if not isinstance(given, Mapping):
        raise UsageError(f"{str(given)[:40]!r} are no fixes.", 'Give {"b3": "W1"}.')
    fixes: dict[FixPlace, str] = {}
    for place, cell in given.items():
        if not isinstance(cell, str):
            raise UsageError(f"{str(cell)[:20]!r} is no square.", _ADVICE)
        if isinstance(place, str):
            at, text = parse_fix(f"{place}={cell}")
        else:
            at, text = _checked_place(place), cell
        _add(fixes, at, text)
    return fixes


def _checked_place(place: Any) -> FixPlace:
    """A place that is given as a position, or as the name of a kingdom and a position."""
    match place:
        case (int(row), int(col)):
            return row, col
        case (str(name), (int(row), int(col))):
            return name, (row, col)
    raise UsageError(f"{str(place)[:40]!r} is no place of a kingdom.", _ADVICE)


def _add(fixes: dict[FixPlace, str], place: FixPlace, cell: str) -> None:
    if fixes.get(place, cell) != cell:
        raise UsageError(
            f"{fix_name(place)} is corrected twice, to {fixes[place]} and to {cell}.",
            "Give each place once.",
        )
    fixes[place] = cell


def parse_fixes(texts: Iterable[str]) -> dict[FixPlace, str]:
    """Cell texts by place, as in a kingdom line.

    Raises:
        UsageError: A text is no correction, or two say different things of one place.
    """
    fixes: dict[FixPlace, str] = {}
    for text in texts:
        place, cell = parse_fix(text)
        _add(fixes, place, cell)
    return fixes


def parse_fix(text: str) -> tuple[FixPlace, str]:
    """The place and the cell text of one correction; either case, blanks allowed.

    Raises:
        UsageError: The text is no correction.
    """
    where, equals, cell = (part.strip() for part in text.partition("="))
    match = _PLACE.match(where)
    shown = "".join(letter for letter in text[:40] if letter.isprintable())
    if not equals or not cell or match is None:
        raise UsageError(f"{shown!r} is no correction of a square.", _ADVICE)
    letter = ord(match[2].lower()) - ord("a")
    at = int(match[3]) - 1, letter - 26 * (letter >= _FIRST_LEFT)
    place: FixPlace = (match[1].upper(), at) if match[1] else at
    return place, fix_text(place, cell)
