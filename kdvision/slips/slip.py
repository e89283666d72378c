"""A slip: the code that says whose it is, and what was read of its marks."""

import zlib

from msgspec import Struct

#: Digits and letters that are not taken for each other (Crockford's base 32).
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
#: What the text of every code begins with.
PREFIX = "KD"
EVENT_LENGTH = 5
#: Bits of the numbers of table and player in a code, behind the round; all of it is 6 letters.
_TABLE_BITS, _PLAYER_BITS = 10, 12
_NUMBERS_LENGTH, _CHECK_LENGTH = 6, 3
#: Largest number of a round, of a table and of a player.
MAX_ROUND, MAX_TABLE, MAX_PLAYER = 255, 2**_TABLE_BITS - 1, 2**_PLAYER_BITS - 1

#: Why the total of a slip is unclear that lies in a photo on two papers: the key of a sentence.
TWO_PAPERS = "slip.two-papers"


class SlipCode(Struct, frozen=True):
    """What the code of a slip holds: an event and numbers that the event's file gives names.

    The text has 16 letters and digits, which fill the smallest QR code at its error level Q: a
    code of 21 modules is read from smaller and more slanted photos than one of 25.
    """

    event: str
    round: int
    table: int
    player: int

    def text(self) -> str:
        """The text of the code: prefix, event, numbers, checksum."""
        packed = (self.round << _TABLE_BITS | self.table) << _PLAYER_BITS | self.player
        body = PREFIX + self.event + _in_base_32(packed, _NUMBERS_LENGTH)
        return body + _in_base_32(zlib.crc32(body.encode()), _CHECK_LENGTH)

    def modules(self) -> tuple[tuple[bool, ...], ...]:
        """The modules of the printed code, dark or not, row by row."""
        import segno  # only here: who reads slips prints none

        code = segno.make(self.text(), version=1, error="q", micro=False, boost_error=False)
        return tuple(tuple(bool(module) for module in row) for row in code.matrix)

    @classmethod
    def parse(cls, text: str) -> "SlipCode | None":
        """Return the code that a text holds; None where it is no code of ours."""
        numbers = len(PREFIX) + EVENT_LENGTH
        packed = 0
        for letter in text[numbers : numbers + _NUMBERS_LENGTH]:
            packed = packed << 5 | max(ALPHABET.find(letter), 0)
        rest, player = divmod(packed, MAX_PLAYER + 1)
        round_, table = divmod(rest, MAX_TABLE + 1)
        code = cls(text[len(PREFIX) : numbers], round_, table, player)
        return code if code.text() == text else None


def _in_base_32(number: int, length: int) -> str:
    """The last digits of a number, with leading zeros."""
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(length)))


class Mark(Struct, frozen=True):
    """A bubble that a person marked; `center` in pixels (x, y) of the upright photo."""

    place: str
    digit: int
    center: tuple[float, float]


class Slip(Struct, frozen=True, kw_only=True):
    """A slip as it was read in a photo.

    Attributes:
        code: Whose it is.
        claimed: The total that is marked; None where it is unclear.
        bonuses: The bonuses that are marked as in play, by their option's names.
        marks: The bubbles that are marked.
        unclear: Why the total is unclear, as the key of a sentence; empty where it is clear.
        place: The column that is unclear; empty where it is not one of them.
        probability: That the marks are those that a person made.
        corners: Of the slip, clockwise from the corner above its name, in pixels (x, y) of the
            upright photo.
        code_px: Mean side of the code in pixels of the upright photo.
        kingdom: The index of the kingdom of the photo that it lies beside; None where it is beside
            none.
        kingdom_is_sure: False where it may as well lie beside another.
    """

    code: SlipCode
    claimed: int | None = None
    bonuses: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    unclear: str = ""
    place: str = ""
    probability: float = 0.0
    corners: tuple[tuple[float, float], ...]
    code_px: float
    kingdom: int | None = None
    kingdom_is_sure: bool = True

    @property
    def no_kingdom(self) -> str:
        """Why it tells of no kingdom for sure, as the key of a sentence; empty where it does."""
        if self.kingdom is None:
            return "slip.no-kingdom"
        return "" if self.kingdom_is_sure else "slip.between"

    def brief(self) -> str:
        """The slip in a cell of a table: `7GQ2X 3 12 47 86`; with `?` beside no kingdom for sure.

        Event, round, table, player, and the total unless it is unclear.
        """
        code = self.code
        words = [code.event, code.round, code.table, code.player, self.claimed]
        said = " ".join(str(word) for word in words if word is not None)
        return f"?{said}" if self.no_kingdom else said
