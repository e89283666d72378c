"""Squares that a person corrects: `b3=W1`, as `--fix` takes them."""

import re
from collections.abc import Iterable

from kdvision.errors import UsageError
from kdvision.rules.kingdom import NotationError, Position, cell_text, parse_cell, position_name

_PLACE = re.compile(r"([a-z])([1-9][0-9]?)\Z", re.IGNORECASE)
_ADVICE = "Write the place, = and the square, such as b3=W1, c4=C for the castle, or d2=- for none."


def parse_fixes(texts: Iterable[str]) -> dict[Position, str]:
    """Cell texts by position, as in a kingdom line.

    Raises:
        UsageError: A text is no correction, or two say different things of one place.
    """
    fixes: dict[Position, str] = {}
    for text in texts:
        at, cell = parse_fix(text)
        if fixes.get(at, cell) != cell:
            raise UsageError(
                f"{position_name(at)} is corrected twice, to {fixes[at]} and to {cell}.",
                "Give each place once.",
            )
        fixes[at] = cell
    return fixes


def parse_fix(text: str) -> tuple[Position, str]:
    """The position and the cell text of one correction; either case, blanks allowed.

    Raises:
        UsageError: The text is no correction.
    """
    place, equals, cell = (part.strip() for part in text.partition("="))
    match = _PLACE.match(place)
    shown = "".join(letter for letter in text[:40] if letter.isprintable())
    if not equals or match is None:
        raise UsageError(f"{shown!r} is no correction of a square.", _ADVICE)
    try:
        at = int(match[2]) - 1, ord(match[1].lower()) - ord("a")
        return at, cell_text(parse_cell(cell))
    except NotationError as error:
        raise UsageError(f"{shown!r} is no correction: {error}") from None
