"""Who sits where: the sheet of a tournament, table by table and round by round."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from msgspec import Struct

from kdvision.columns import ENTRY_COLUMNS, RULES, game_options
from kdvision.errors import UsageError
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.report.text import printable
from kdvision.tournament.lines import valid_line
from kdvision.tournament.sheets import Row, Sheet, read_sheet

_ADVICE = "Write a line per player with the columns round, table and player."


class RoundTable(Struct, frozen=True, order=True):
    """A table in a round, by the names in the sheet; the round may be empty."""

    round: str
    table: str


class Seat(Struct, frozen=True):
    """A line of the sheet: one player at one table in one round."""

    place: RoundTable
    player: str
    row: Row


@dataclass(frozen=True)
class Seating:
    """The sheet of a tournament.

    Attributes:
        sheet: The table as it was read; its column `game` holds the names of tables.
        seats: By their place, in the order of the lines.
        options: The rules of each place.
    """

    sheet: Sheet
    seats: Mapping[RoundTable, tuple[Seat, ...]]
    options: Mapping[RoundTable, GameOptions]

    @cached_property
    def places_of(self) -> Mapping[tuple[str, str], RoundTable]:
        """Where a player sits, by round and player."""
        every = (seat for seats in self.seats.values() for seat in seats)
        return {(seat.place.round, seat.player): seat.place for seat in every}


def read_seating(path: Path) -> Seating:
    """Read who sits where.

    Raises:
        UsageError: The sheet cannot be read, or a line of it is wrong, with its number.
    """
    sheet = read_sheet(path)
    sheet.require(("player",), ("game",), known=(*ENTRY_COLUMNS, *RULES))
    seats: dict[RoundTable, list[Seat]] = {}
    options: dict[RoundTable, GameOptions] = {}
    taken: dict[tuple[str, str], Row] = {}
    for row in sheet.rows:
        try:
            seat, rules = _seat(row)
            first = taken.setdefault((seat.place.round, seat.player), row)
            if first is not row:
                raise ValueError(f"{seat.player} sits in line {first.line} of this round already.")
            if options.setdefault(seat.place, rules) != rules:
                raise ValueError("the other players of this table have other rules.")
            seats.setdefault(seat.place, []).append(seat)
        except ValueError as error:
            raise UsageError(f"{sheet.where(row)}: {error}", _ADVICE) from None
    if not seats:
        raise UsageError(f"{path} has no players.", _ADVICE)
    return Seating(sheet, {place: tuple(found) for place, found in seats.items()}, options)


def _seat(row: Row) -> tuple[Seat, GameOptions]:
    """The seat of a line, and the rules that it is scored by.

    Raises:
        ValueError: The line cannot be used.
    """
    if row.problem:
        raise ValueError(row.problem)
    valid_line(row.fields)
    player, table = (printable(row.fields.get(name, "")) for name in ("player", "game"))
    if not player or not table:
        raise ValueError(f"the {'player' if table else 'table'} is missing.")
    place = RoundTable(printable(row.fields.get("round", "")), table)
    return Seat(place, player, row), game_options(row.fields, DEFAULT_OPTIONS)
