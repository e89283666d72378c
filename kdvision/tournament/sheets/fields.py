"""The fields of a line: numbers, yes and no, sizes, and the names of photos."""

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath

from kdvision.options import GameOptions
from kdvision.rules.scoring import Centre

#: No total is larger: 272 and both bonuses in a Mighty Duel (RULES 6), with room to spare.
MAX_NUMBER = 999

#: The name of a kingdom of a photo, see `kdvision.corrections.kingdom_name`.
_LETTER = re.compile(r"([A-Z])\1?")

#: A whole number; spreadsheets may add a decimal point or comma with up to two zeros. Three would
#: be thousands.
_NUMBER = re.compile(r"([0-9]{1,6})(?:[.,]0{1,2})?")

#: In English, German, French and Spanish, and what spreadsheets write for a ticked box.
_YES = {"yes", "y", "1", "true", "x", "ja", "j", "wahr", "oui", "vrai", "sí", "si", "verdadero"}
_NO = {"no", "n", "0", "false", "-", "", "nein", "falsch", "non", "faux", "falso"}


def number(fields: Mapping[str, str], column: str) -> int | None:
    """A whole number, None where the field is empty.

    Raises:
        ValueError: It is no number that a kingdom can have.
    """
    text = fields.get(column, "")
    if not text:
        return None
    match = _NUMBER.fullmatch(text)
    if match is None or int(match[1]) > MAX_NUMBER:
        raise ValueError(f"{column} is {text[:20]!r}; write a number from 0 to {MAX_NUMBER}.")
    return int(match[1])


def yes(fields: Mapping[str, str], column: str) -> bool:
    """Yes or no; no where the field is empty.

    Raises:
        ValueError: It is neither.
    """
    text = fields.get(column, "").lower()
    if text not in _YES | _NO:
        raise ValueError(f"{column} is {text[:20]!r}; write yes or no.")
    return text in _YES


def side(fields: Mapping[str, str]) -> int | None:
    """The size, 5 or 7; None where the field is empty.

    Raises:
        ValueError: It is another number, or none.
    """
    size = number(fields, "size")
    if size not in (None, 5, 7):
        raise ValueError(f"size is {size}; write 5 or 7.")
    return size


def centre(fields: Mapping[str, str], default: Centre = Centre.BOX) -> Centre:
    """What the castle must be the centre of for the Middle Kingdom; `default` where it is empty.

    Raises:
        ValueError: It is neither box nor frame.
    """
    text = fields.get("centre", "").lower()
    if text and text not in tuple(Centre):
        raise ValueError(f"centre is {text[:20]!r}; write box or frame.")
    return Centre(text) if text else default


def letter(fields: Mapping[str, str]) -> str:
    """The letter of the kingdom that a line names, in upper case; empty where it names none.

    Raises:
        ValueError: It is no letter.
    """
    text = fields.get("kingdom", "").upper()
    if text and not _LETTER.fullmatch(text):
        raise ValueError(f"kingdom is {text[:20]!r}; write its letter on the photo, such as A.")
    return text


def game_options(fields: Mapping[str, str], default: GameOptions) -> GameOptions:
    """The rules that a line is scored by: its own fields, and `default` where they are empty.

    Raises:
        ValueError: A field is wrong.
    """
    return GameOptions(
        side(fields) or default.size,
        yes(fields, "harmony") if fields.get("harmony") else default.harmony,
        yes(fields, "middle_kingdom") if fields.get("middle_kingdom") else default.middle_kingdom,
        default.boxes,
        centre(fields, default.centre),
    )


def find_photo(name: str, folder: Path) -> Path:
    r"""The photo that a line names, relative to the folder of the sheet.

    A path as Windows writes it is understood everywhere. A photo of an absolute path that is not
    there is looked for beside the sheet.

    Raises:
        ValueError: It is not there, or no name is given.
    """
    if not name:
        raise ValueError("the photo is missing.")
    windows = PureWindowsPath(name)
    tries = [folder / name, folder / PurePosixPath(name.replace("\\", "/"))]
    if windows.is_absolute() or windows.drive or Path(name).is_absolute():
        tries.append(folder / windows.name)
    for path in tries:
        try:
            if path.is_file():
                return path
        except (OSError, ValueError):
            continue
    raise ValueError(f"there is no photo {name[:200]!r}.")
