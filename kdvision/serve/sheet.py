"""The sheet of a tournament: who sits where. It is only read, and read again when it changes.

What phones say stays with its seat: a seat is a colour where the sheet has colours, else a player.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from kdvision.errors import KdvisionError, UsageError
from kdvision.files import shown
from kdvision.reading import Colour
from kdvision.serve.evenings import Evenings
from kdvision.serve.log import GameBegun, SheetRead, SheetSeat, SheetTable
from kdvision.serve.store import Store, new_word
from kdvision.tournament.columns import RULES, Line, fold_name
from kdvision.tournament.sheet import read_sheet

_LOG = logging.getLogger(__name__)

#: Seconds between two looks whether the sheet has changed.
_LOOK_EVERY_S = 1.0

Place = tuple[str, str]


class FollowedSheet:
    """A sheet whose tables are the games of an evening.

    Args:
        path: The sheet.
        store: Keeps the log.
        evenings: Evenings and games as they stand.

    Attributes:
        evening: The id of the evening whose log knows the sheet.
        problem: Why the sheet cannot be read now; empty when it can.

    Raises:
        UsageError: The sheet cannot be read, names no players, or more than four for a game.
    """

    def __init__(self, path: Path, store: Store, evenings: Evenings) -> None:
        self.path, self._store, self._evenings = path, store, evenings
        self.problem = ""
        self._stamp = _read_stamp(path)
        tables = read_tables(path, {})
        self.evening = self._find_evening(tables) or ""
        if not self.evening:
            self.begin_evening()
        else:
            self._evenings.pinned = self.evening
            self.read()

    def begin_evening(self, device: str = "") -> str:
        """Begin an evening of this sheet, and return its id."""
        self.evening = self._evenings.begin_evening(device, self.path.stem, has_game=False)
        self._evenings.pinned = self.evening
        self.read()
        return self.evening

    def read(self) -> None:
        """Read who sits where, and say it in the log where it is new.

        Raises:
            UsageError: The sheet cannot be used now.
        """
        if self.evening not in self._store.evenings():
            self.begin_evening()
            return
        with self._evenings.changing():
            evening = self._evenings.evening(self.evening)
            before = evening.tables or {}
            tables = read_tables(self.path, before, self._list_untouched())
            if tables == tuple(before.values()):
                return
            self._store.append(self.evening, "", SheetRead(tables))
            begun = {view.game.place for view in self._evenings.view(self.evening).games}
            for table in tables:
                if table.place not in begun:
                    begins = GameBegun(table.name, place=table.place)
                    self._store.append(self.evening, new_word(), begins)

    def _list_untouched(self) -> set[Place]:
        """Return the tables of which nobody said anything yet."""
        untouched = set()
        for view in self._evenings.view(self.evening).games:
            words = self._evenings.entries(view.game.id)
            if view.game.place and not any(entry.said.sets for entry in words):
                untouched.add(view.game.place)
        return untouched

    def _find_evening(self, tables: Sequence[SheetTable]) -> str | None:
        """Return the latest evening whose log knows most of the sheet's players at their tables."""
        players = _list_players(tables)
        for id_ in self._store.evenings():
            known = _list_players(tuple((self._evenings.evening(id_).tables or {}).values()))
            if known and 2 * len(known & players) >= min(len(known), len(players)):
                return id_
        return None

    async def follow(self) -> None:
        """Read the sheet whenever it changes, for ever."""
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            await asyncio.to_thread(self.look)

    def look(self) -> None:
        """Read the sheet if it has changed; what cannot be read now is said, and tried again."""
        stamp = _read_stamp(self.path)
        if stamp == self._stamp and not self.problem:
            return
        try:
            self.read()
            self._stamp, self.problem = stamp, ""
        except KdvisionError as error:
            if not self.problem:
                _LOG.error("the sheet cannot be read now: %s", error)
            self.problem = str(error)


def _read_stamp(path: Path) -> tuple[int, int] | None:
    """Return time and size of a file, which change when it is written; None where it is missing."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size


def _list_players(tables: Sequence[SheetTable]) -> set[tuple[Place, str]]:
    return {(table.place, fold_name(seat.player)) for table in tables for seat in table.seats}


# ---------------------------------------------------------------- who sits where


def read_tables(
    path: Path, before: Mapping[Place, SheetTable], untouched: set[Place] | None = None
) -> tuple[SheetTable, ...]:
    """Read the tables of a sheet.

    Args:
        path: The sheet.
        before: What it said before, by round and game: a player who is renamed keeps the seat.
        untouched: The tables of which nobody said anything yet; None for all.

    Raises:
        UsageError: The sheet cannot be read, names no players, or more than four for a game.
    """
    sheet = read_sheet(path)
    sheet.require(["player"])
    places: dict[Place, list[Line]] = defaultdict(list)
    known: set[tuple[Place, str]] = set()
    for line in sheet.lines:
        who = line.game_key, fold_name(line.player)
        if line.player and who not in known:
            places[line.game_key].append(line)
            known.add(who)
    tables = []
    for place, lines in places.items():
        if len(lines) > len(Colour):
            where = f"line {lines[len(Colour)].number} of {shown(path)}"
            raise UsageError(
                f"A fifth player of one game stands in {where}.",
                "Give round and game of every line in the columns round and game.",
            )
        is_new = untouched is None or place in untouched or place not in before
        tables.append(_make_table(lines, None if is_new else before[place]))
    return tuple(tables)


def _make_table(lines: Sequence[Line], before: SheetTable | None) -> SheetTable:
    """Return a table; `before` is what the sheet said of it, None where nobody said anything."""
    first, colours = lines[0], [line.colour for line in lines]
    has_colours = None not in colours and len({*colours}) == len(colours)
    if before is not None and not before.has_colours:
        # What phones said of its seats would be said of others.
        has_colours = False
    seats = _name_seats(lines, before)
    return SheetTable(
        place=first.game_key,
        name=" / ".join(filter(None, (first.round, first.game))) or "1",
        seats=tuple(
            SheetSeat(
                colour=line.colour if has_colours and line.colour else seat,
                player=line.player,
                claimed=line.claimed,
            )
            for line, seat in zip(lines, seats, strict=True)
        ),
        rules={name: first.cells[name] for name in RULES if first.cells.get(name)},
        has_colours=has_colours,
    )


def _name_seats(lines: Sequence[Line], before: SheetTable | None) -> list[Colour]:
    """Return the names of seats without colours: a player keeps the seat, renamed or not."""
    known = {fold_name(seat.player): seat.colour for seat in before.seats} if before else {}
    names = [fold_name(line.player) for line in lines]
    gone = [name for name in known if name not in names]
    came = [name for name in names if name not in known]
    if len(gone) == len(came) == 1:
        known[came[0]] = known[gone[0]]
        came = []
    # Who comes sits where nobody sat, as long as there is such a seat.
    taken = [known[name] for name in names if name in known]
    left = [known[name] for name in gone if known[name] not in taken]
    free = [colour for colour in Colour if colour not in taken and colour not in left]
    known |= zip(came, [*free, *left], strict=False)
    return [known[name] for name in names]
