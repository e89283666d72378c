"""What a person settled: the columns `fix`, `accept` and `note` of a table."""

import re
from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from kdvision.corrections import FixPlace, named_place, parse_fixes
from kdvision.errors import UsageError
from kdvision.tournament.sheets.fields import number


class Accepted(StrEnum):
    """Which total a person accepted for a line."""

    PHOTO = "photo"
    CLAIM = "claim"
    NUMBER = "number"


class Acceptance(Struct, frozen=True):
    """What a person accepted.

    `total` is the number that was written, None where what was read or claimed is accepted. `note`
    says who decided, and why; it may be empty.
    """

    what: Accepted
    total: int | None = None
    note: str = ""

    def settle(self, claimed: int | None, read: int | None) -> int:
        """The total that counts.

        Raises:
            ValueError: What was accepted is not there.
        """
        total = {Accepted.PHOTO: read, Accepted.CLAIM: claimed}.get(self.what, self.total)
        if total is None:
            missing = "photo gave no total" if self.what is Accepted.PHOTO else "line has no claim"
            raise ValueError(f"accept is {self.what.value}, but the {missing}; write a number.")
        return total

    def sentence(self, total: int) -> str:
        """What was settled, and by whom, in a clause."""
        how = {Accepted.PHOTO: " as read", Accepted.CLAIM: " as claimed"}.get(self.what, "")
        who = self.note or "nobody is named; write in the column note who decided"
        return f"{total}{how} was accepted by hand ({who})"


_PHOTO = {"photo", "foto", "read", "picture", "bild"}
_CLAIM = {"claim", "claimed", "player", "spieler"}


def acceptance(fields: Mapping[str, str]) -> Acceptance | None:
    """What a line settles by hand; None where it settles nothing.

    Raises:
        ValueError: The column `accept` holds something else.
    """
    text = fields.get("accept", "").casefold()
    note = fields.get("note", "")
    if not text:
        return None
    if text in _PHOTO:
        return Acceptance(Accepted.PHOTO, note=note)
    if text in _CLAIM:
        return Acceptance(Accepted.CLAIM, note=note)
    try:
        return Acceptance(Accepted.NUMBER, number(fields, "accept"), note)
    except ValueError:
        raise ValueError(
            f"accept is {text[:20]!r}; write photo, claim, or the total that counts."
        ) from None


def fixes_of(fields: Mapping[str, str], letter: str) -> dict[FixPlace, str]:
    """The corrections of a line: `b3=W1 c4=G`, separated by blanks, commas or semicolons.

    Args:
        fields: The line.
        letter: The kingdom of the photo that the line names; empty where it names none.

    Raises:
        ValueError: They are no corrections, or of another kingdom than the line names.
    """
    text = re.sub(r"\s*=\s*", "=", fields.get("fix", ""))
    try:
        found = parse_fixes(filter(None, re.split(r"[\s,;]+", text)))
    except UsageError as error:
        raise ValueError(str(error)) from None
    return {_of_kingdom(place, letter): cell for place, cell in found.items()}


def _of_kingdom(place: FixPlace, letter: str) -> FixPlace:
    """A place with the letter of its kingdom, where one is known."""
    name, at = named_place(place)
    if name and letter and name != letter:
        raise ValueError(f"fix names kingdom {name}, but the line is about kingdom {letter}.")
    name = name or letter
    return (name, at) if name else at
