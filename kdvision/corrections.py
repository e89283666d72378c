"""Squares that a person corrects: `b3=W1`, or `B.c4=G2` where a photo shows several kingdoms.

Places count from the kingdom as it is read without corrections, and go on beyond it on all sides:
the column left of `a` is `z`, the next one `y`; the row above 1 is 0, the next one -1.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kdvision.errors import UsageError
from kdvision.rules.kingdom import (
    Kingdom,
    NotationError,
    Position,
    cell_text,
    parse_cell,
    position_name,
)
from kdvision.rules.scoring import MOST_SIDE
from kdvision.rules.terrain import LABELS
from kdvision.sentences import Sentence

#: A place of the kingdom as it is read without corrections: (row, col) where it is the only one of
#: the photo, (name, (row, col)) where it is one of several, which are named A, B, C in reading
#: order. Rows above the kingdom and columns left of it are negative.
FixPlace = Position | tuple[str, Position]
#: Corrections as a program gives them: cell texts by place, which may be written as `b3`, `B.c4`.
Fixes = Mapping[str, str] | Mapping[Position, str] | Mapping[FixPlace, str]

#: Columns from here on to `z` lie left of `a`, as many as a kingdom can have there.
_FIRST_LEFT = 26 - (MOST_SIDE - 1)

_PLACE = re.compile(r"(?:([a-z]{1,2})\s*\.\s*)?([a-z])(0|-?[1-9][0-9]?)\Z", re.IGNORECASE)


def _refused(code: str, *, photo: str | None = None, **fields: str | int) -> UsageError:
    """The error for a correction that cannot be made."""
    return UsageError(Sentence(f"correction.{code}", fields), photo=photo)


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
        raise _refused(
            "not-a-square", place=fix_name(place), cell=text[:20], why=str(error)
        ) from None
    if cell not in LABELS:
        raise _refused("not-on-a-domino", place=fix_name(place), cell=cell)
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
            raise _refused("not-a-place", text=f"{str(cell)[:20]!r}")
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
    raise _refused("not-a-place", text=f"{str(place)[:40]!r}")


def _add(fixes: dict[FixPlace, str], place: FixPlace, cell: str) -> None:
    if fixes.get(place, cell) != cell:
        raise _refused("twice", place=fix_name(place), first=fixes[place], second=cell)
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
        raise _refused("not-a-place", text=f"{shown!r}")
    letter = ord(match[2].lower()) - ord("a")
    at = int(match[3]) - 1, letter - 26 * (letter >= _FIRST_LEFT)
    place: FixPlace = (match[1].upper(), at) if match[1] else at
    return place, fix_text(place, cell)


# ---------------------------------------------------------------------- onto kingdoms as read


def on_grids(
    fixes: Mapping[FixPlace, str], kingdoms: Sequence[Kingdom], photo: str
) -> list[dict[Position, str]]:
    """The fixes of every kingdom, by positions in its grid.

    Args:
        fixes: By places of the kingdoms as read without them: in their own boxes or beside them.
        kingdoms: As decoded without fixes, untrimmed.
        photo: The name of the photo, for messages.

    Returns:
        Positions are negative above a grid and left of it.

    Raises:
        UsageError: A fix names no place or no square, or any of several kingdoms.
    """
    placed: list[dict[Position, str]] = [{} for _ in kingdoms]
    for place, text in fixes.items():
        index = kingdom_meant(place, len(kingdoms), photo)
        box = kingdoms[index].box() or (0, 0, 0, 0)
        row, col = _position_in_box(place, box)
        at = row + box[0], col + box[1]
        cell = fix_text(place, text)
        if placed[index].get(at, cell) != cell:
            first = placed[index][at]
            raise _refused("twice", place=fix_name(place), first=first, second=cell)
        placed[index][at] = cell
    return placed


def kingdom_meant(place: FixPlace, count: int, photo: str) -> int:
    """The index of the kingdom that a fix names.

    Args:
        place: What the fix names.
        count: How many kingdoms the photo shows.
        photo: The name of the photo, for messages.

    Raises:
        UsageError: It names none of them, or could be in any.
    """
    name, at = named_place(place)
    if not name and count == 1:
        return 0
    names = [kingdom_name(index) for index in range(count)]
    if name in names:
        return names.index(name)
    shown = "correction.one-kingdom" if count == 1 else "correction.some-kingdoms"
    known: dict[str, str | int] = {"shown": shown, "n": count, "last": (names or [""])[-1]}
    if name:
        raise _refused("no-such-kingdom", photo=photo, name=name, **known)
    raise _refused("any-kingdom", photo=photo, place=position_name(at), **known)


def _position_in_box(place: FixPlace, box: tuple[int, int, int, int]) -> Position:
    """The position that a fix names, from the top left of the box of its kingdom.

    A kingdom can grow on every side until it is `MOST_SIDE` long.
    """
    _, (row, col) = named_place(place)
    top, left, bottom, right = box
    last = bottom - top, right - left
    most = max(last[0], MOST_SIDE - 1), max(last[1], MOST_SIDE - 1)
    least = min(0, last[0] - MOST_SIDE + 1), min(0, last[1] - MOST_SIDE + 1)
    if least[0] <= row <= most[0] and least[1] <= col <= most[1]:
        return row, col
    ends = {"last": last, "least": least, "most": most}
    named = {name: position_name(at) for name, at in ends.items()}
    raise _refused("outside", place=fix_name(place), **named)
