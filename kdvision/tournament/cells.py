"""How the cells of a row are read: numbers, colours, letters and corrections as people write them.

A word is understood where it has one meaning. What has none, or several, is an error of its cell.
"""

import datetime
import re

from kdvision.corrections import FixPlace, merge_fixes, parse_fixes
from kdvision.errors import UsageError
from kdvision.reading import Colour
from kdvision.sentences import Sentence
from kdvision.tournament.columns import fold

#: What a cell of a workbook can hold; cells of a CSV are texts.
Value = (
    str
    | int
    | float
    | bool
    | datetime.date
    | datetime.datetime
    | datetime.time
    | datetime.timedelta
)

#: No total is larger: 272 and both bonuses in a Mighty Duel (RULES 6), with room to spare.
MAX_NUMBER = 999
#: A whole number. Spreadsheets may add a decimal point or comma with up to two zeros; people may
#: add what it counts: `54 P.`.
_NUMBER = re.compile(
    r"([0-9]{1,6})(?:[.,]0{1,2})?\s*(?:(?:p|pt|pts|pkt|points?|punkte?)\b\.?)?", re.IGNORECASE
)
#: The name of a kingdom of a photo, see `kdvision.corrections.kingdom_name`.
_LETTER = re.compile(r"([A-Z])\1?")
#: Words for colours, as `fold` gives them. The pink castle is the only one that anybody calls red.
_COLOUR_WORDS = {
    Colour.PINK: "pink rosa rose magenta red rot rouge",
    Colour.YELLOW: "yellow gelb jaune",
    Colour.GREEN: "green grun gruen vert",
    Colour.BLUE: "blue blau bleu",
}


def show_value(value: Value) -> str:
    """Return a value as it would be typed, without blanks around it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return str(value).strip()


def read_number(text: str) -> int | None:
    """Return a whole number; None where the cell is empty.

    Raises:
        UsageError: It is no number that a kingdom can have.
    """
    if not text:
        return None
    match = _NUMBER.fullmatch(text)
    if match is None or int(match[1]) > MAX_NUMBER:
        raise _error("no-number", text=repr(text[:20]), most=MAX_NUMBER)
    return int(match[1])


def read_letter(text: str) -> str:
    """Return the letter of a kingdom; empty where the cell is.

    Raises:
        UsageError: It is no letter of a kingdom.
    """
    letter = text.upper()
    if letter and not _LETTER.fullmatch(letter):
        raise _error("no-letter", text=repr(text[:20]))
    return letter


def read_colour(text: str) -> Colour | None:
    """Return a colour that is named once or in several languages; None where the cell is empty.

    Raises:
        UsageError: It names none, or several.
    """
    if not text:
        return None
    named = {_find_colour(word) for word in fold(text).split("_")}
    (colour, *others) = named
    if colour is None or others:
        raise _error("no-colour", text=repr(text[:20]))
    return colour


def _find_colour(word: str) -> Colour | None:
    for colour, words in _COLOUR_WORDS.items():
        if word in words.split():
            return colour
    return None


def read_fixes(text: str, letter: str) -> dict[FixPlace, str]:
    """Return the corrections `b3=W1 c4=G`; those of a row that names its kingdom get its letter.

    Raises:
        UsageError: One is no correction, is made twice, or is of another kingdom.
    """
    parts = re.split(r"[\s,;]+", re.sub(r"\s*=\s*", "=", text))
    fixes = parse_fixes(filter(None, parts))
    for place in fixes:
        if place.kingdom and letter and place.kingdom != letter:
            raise _error("fix-of-other", name=place.kingdom, kingdom=letter)
    return merge_fixes(
        (FixPlace(place.kingdom or letter, place.at), cell) for place, cell in fixes.items()
    )


def _error(code: str, **fields: str | int) -> UsageError:
    return UsageError(Sentence(f"column.{code}", fields))
