"""The file of an event: what the numbers on its slips mean."""

import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from kdvision.errors import UsageError
from kdvision.files import natural_key, shown, whole_file
from kdvision.slips.slip import (
    ALPHABET,
    EVENT_LENGTH,
    MAX_PLAYER,
    MAX_ROUND,
    MAX_TABLE,
    SlipCode,
)

#: The file beside the printed page; looked for beside photos, sheets and results.
FILE_NAME = "slips.event.json"


class Holder(Struct, frozen=True):
    """A player at a table in a round, as a sheet names them; round and table may be empty."""

    player: str
    table: str = ""
    round: str = ""


class SlipEvent(Struct, frozen=True, kw_only=True):
    """An event: its id, and the names of its rounds, tables and players by their numbers."""

    schema: Literal["kdvision-event/1"] = "kdvision-event/1"
    event: str
    rounds: dict[int, str]
    tables: dict[int, str]
    players: dict[int, str]

    def code(self, seat: Holder) -> SlipCode:
        """The code of a slip for a seat that `with_seats` has put into the event."""

        def number(names: dict[int, str], name: str) -> int:
            return next(number for number, known in names.items() if known == name)

        numbers = (
            number(self.rounds, seat.round),
            number(self.tables, seat.table),
            number(self.players, seat.player),
        )
        return SlipCode(self.event, *numbers)

    def seat(self, code: SlipCode) -> Holder | None:
        """Whose slip it is; None where it is one of another event, or has an unknown number."""
        if code.event != self.event or code.player not in self.players:
            return None
        names = self.players[code.player], self.tables.get(code.table), self.rounds.get(code.round)
        return None if None in names else Holder(*(name or "" for name in names))


def in_order(holders: Iterable[Holder]) -> list[Holder]:
    """Return players once each, round by round and table by table: 2 goes before 10."""
    return sorted(
        dict.fromkeys(holders),
        key=lambda holder: (natural_key(holder.round), natural_key(holder.table)),
    )


def with_seats(seats: Sequence[Holder], event: SlipEvent | None = None) -> SlipEvent:
    """Return an event that knows every seat; numbers that were printed keep their names.

    Raises:
        UsageError: There are more rounds, tables or players than a code can number.
    """
    name = "".join(secrets.choice(ALPHABET) for _ in range(EVENT_LENGTH))
    known = event or SlipEvent(event=name, rounds={}, tables={}, players={})
    return SlipEvent(
        event=known.event,
        rounds=_numbered("rounds", known.rounds, (seat.round for seat in seats), MAX_ROUND),
        tables=_numbered("tables", known.tables, (seat.table for seat in seats), MAX_TABLE),
        players=_numbered("players", known.players, (seat.player for seat in seats), MAX_PLAYER),
    )


def _numbered(what: str, known: dict[int, str], names: Iterable[str], most: int) -> dict[int, str]:
    """Numbers from 1 on for names; a name that is a free number has itself."""
    numbers = dict(known)
    taken = set(known.values())
    new = [name for name in dict.fromkeys(names) if name not in taken]
    if len(numbers) + len(new) > most:
        raise UsageError(
            f"There are more than {most} {what}.", "Print slips for a part of the sheet at a time."
        )
    numerals = {str(number): number for number in range(1, most + 1) if number not in numbers}
    numbers |= {numerals[name]: name for name in new if name in numerals}
    free = (number for number in range(1, most + 1) if number not in numbers)
    return numbers | {next(free): name for name in new if name not in numerals}


def read_event(path: Path) -> SlipEvent:
    """Read the file of an event.

    Raises:
        UsageError: It cannot be read, or is none.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=SlipEvent)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        advice = f"Give the file {FILE_NAME} that kdscore slips has written beside its page."
        raise UsageError(f"{shown(path)} is not the file of an event: {reason}.", advice) from None


def write_event(path: Path, event: SlipEvent) -> None:
    """Write the file of an event, whole or not at all.

    Raises:
        UsageError: It cannot be written.
    """
    with whole_file(path) as file:
        file.write(msgspec.json.format(msgspec.json.encode(event), indent=1) + b"\n")


def find_event(folders: Iterable[Path]) -> SlipEvent | None:
    """Read the event's file in the first of some folders that has one; None where none has.

    Raises:
        UsageError: It cannot be read.
    """
    for folder in dict.fromkeys(folders):
        if (folder / FILE_NAME).is_file():
            return read_event(folder / FILE_NAME)
    return None
