"""Squares that a person corrects: `b3=W1`, `b3=wheat`; `B.c4=G2` of one of several kingdoms.

Places count from the kingdom as it is read without corrections, and go on beyond it on all sides:
the column left of `a` is `z`, the next one `y`; the row above 1 is 0, the next one -1.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple, NewType

from kdvision.errors import UsageError
from kdvision.rules.errors import NotationError
from kdvision.rules.kingdom import (
    Kingdom,
    Position,
    cell_text,
    parse_cell,
    position_name,
)
from kdvision.rules.rules import MAX_SIZE
from kdvision.rules.terrain import CASTLE_MARK, EMPTY_MARK, LABELS, Terrain
from kdvision.sentences import Sentence, catalogue, languages

#: A place (row, col) as a sheet names it: (0, 0) is a1; negative above the kingdom and left of it.
SheetPlace = NewType("SheetPlace", Position)

#: Columns from here on to `z` lie left of `a`, as many as a kingdom can have there.
_FIRST_LEFT = 26 - (MAX_SIZE - 1)

#: A word, and the number of its crowns.
_WORD = re.compile(r"([^\W\d_]{2,})\s*([0-9]?)\Z")
_PLACE = re.compile(r"(?:([a-z]{1,2})\s*\.\s*)?([a-z])(0|-?[1-9][0-9]?)\Z", re.I | re.A)


def _fix_error(code: str, *, photo: str | None = None, **fields: str | int) -> UsageError:
    """Return the error for a correction that cannot be made."""
    return UsageError(Sentence(f"correction.{code}", fields), photo=photo)


class FixPlace(NamedTuple):
    """A place of a kingdom as it is read without corrections.

    Attributes:
        kingdom: The name of the kingdom, A, B, C in reading order; empty for the only one.
        at: The place.
    """

    kingdom: str
    at: SheetPlace

    def __str__(self) -> str:
        """Return the place as people write it: `b3`, `B.c4`."""
        return ".".join(filter(None, (self.kingdom, position_name(self.at))))


#: Corrections as a program gives them: cell texts by place, which is a `FixPlace` or written as
#: `b3`, `B.c4`.
Fixes = Mapping[str, str] | Mapping[FixPlace, str]


def kingdom_name(index: int) -> str:
    """Return the name of the kingdom of a photo at this index: A, B, C; AA follows Z."""
    return chr(ord("A") + index % 26) * (1 + index // 26)


def parse_fixes(given: Fixes | Iterable[str]) -> dict[FixPlace, str]:
    """Return cell texts by place, from texts such as `b3=W1`, or by places as a program gives them.

    Raises:
        UsageError: A text is no correction, or two correct one place differently.
    """
    if isinstance(given, Mapping):
        given = [f"{place}={cell}" for place, cell in given.items()]
    is_list = isinstance(given, Iterable) and not isinstance(given, str)
    fixes = list(given) if is_list else []
    if not is_list or not all(isinstance(fix, str) for fix in fixes):
        raise UsageError(f"{str(given)[:40]!r} are no fixes.", 'Give {"b3": "W1"}.')
    return merge_fixes(map(parse_fix, fixes))


def merge_fixes(pairs: Iterable[tuple[FixPlace, str]]) -> dict[FixPlace, str]:
    """Return cell texts by place; raise a UsageError where two correct one place differently."""
    fixes: dict[FixPlace, str] = {}
    for place, cell in pairs:
        if fixes.setdefault(place, cell) != cell:
            raise _fix_error("twice", place=str(place), first=fixes[place], second=cell)
    return fixes


def parse_fix(text: str) -> tuple[FixPlace, str]:
    """Return the place and the cell text of one correction; either case, blanks allowed.

    Raises:
        UsageError: The text is no correction.
    """
    place_text, equals, cell = map(str.strip, text.partition("="))
    match = _PLACE.match(place_text)
    quoted = "".join(filter(str.isprintable, text[:40]))
    if not equals or not cell or match is None:
        raise _fix_error("not-a-place", text=f"{quoted!r}")
    col = ord(match[2].lower()) - ord("a")
    if col >= _FIRST_LEFT:
        col -= 26
    at = SheetPlace((int(match[3]) - 1, col))
    place = FixPlace((match[1] or "").upper(), at)
    return place, _check_cell(place, cell)


def _check_cell(place: FixPlace, text: str) -> str:
    """Return the cell text of a correction, as in a kingdom line; terrains may be written out."""
    word = _WORD.match(text)
    if word and word[1].casefold() in _letters():
        text = _letters()[word[1].casefold()] + word[2]
    try:
        cell = cell_text(parse_cell(text))
    except NotationError:
        raise _fix_error("not-a-square", place=str(place), cell=text[:20]) from None
    if cell not in LABELS:
        raise _fix_error("not-on-a-domino", place=str(place), cell=cell)
    return cell


@cache
def _letters() -> Mapping[str, str]:
    """Return what stands in a kingdom line for the words of people, in every language."""
    marks = {terrain.value: terrain.letter for terrain in Terrain}
    marks |= {"castle": CASTLE_MARK, "empty": EMPTY_MARK}
    words = {}
    for language in languages():
        for name, mark in marks.items():
            words[catalogue(language)[f"terrain.{name}"].casefold()] = mark
    return words


# ---------------------------------------------------------------------- onto kingdoms as read


def locate_fixes(
    fixes: Mapping[FixPlace, str], kingdoms: Sequence[Kingdom], photo: str
) -> list[dict[SheetPlace, str]]:
    """Return the fixes of every kingdom.

    Args:
        fixes: By places of the kingdoms as read without them: in their own boxes or beside them.
        kingdoms: As read without fixes, trimmed.
        photo: The name of the photo, for messages.

    Raises:
        UsageError: A fix names no place, or could be in any of several kingdoms.
    """
    placed: list[dict[SheetPlace, str]] = [{} for _ in kingdoms]
    for place, cell in fixes.items():
        index = find_index(place, len(kingdoms), photo)
        _check_distance(place, kingdoms[index])
        first = placed[index].setdefault(place.at, cell)
        if first != cell:
            raise _fix_error("twice", place=str(place), first=first, second=cell)
    return placed


def find_index(place: FixPlace, count: int, photo: str) -> int:
    """Return the index of the kingdom that a fix names.

    Args:
        place: What the fix names.
        count: How many kingdoms the photo shows.
        photo: The name of the photo, for messages.

    Raises:
        UsageError: It names none of them, or could be in any.
    """
    if not place.kingdom and count == 1:
        return 0
    names = [kingdom_name(index) for index in range(count)]
    if place.kingdom in names:
        return names.index(place.kingdom)
    shown = "correction.one-kingdom" if count == 1 else "correction.some-kingdoms"
    last = "".join(names[-1:])
    if place.kingdom:
        raise _fix_error(
            "no-such-kingdom", photo=photo, name=place.kingdom, shown=shown, n=count, last=last
        )
    raise _fix_error("any-kingdom", photo=photo, place=str(place), shown=shown, n=count, last=last)


def _check_distance(place: FixPlace, kingdom: Kingdom) -> None:
    """Refuse a place that is too far away: a kingdom grows until it is `MAX_SIZE` long."""
    last = max(kingdom.height - 1, 0), max(kingdom.width - 1, 0)
    most = max(last[0], MAX_SIZE - 1), max(last[1], MAX_SIZE - 1)
    least = min(0, last[0] - MAX_SIZE + 1), min(0, last[1] - MAX_SIZE + 1)
    row, col = place.at
    if least[0] <= row <= most[0] and least[1] <= col <= most[1]:
        return
    raise _fix_error(
        "outside",
        place=str(place),
        last=position_name(last),
        least=position_name(least),
        most=position_name(most),
    )
