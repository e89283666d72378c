"""The sheet of a tournament: who sits where. It is only read, and read again when it changes.

What phones say stays with its seat: a seat is a colour where the sheet has colours, else a player.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import to_builtins

from kdvision.errors import KdvisionError, UsageError
from kdvision.files import shown
from kdvision.reading import Colour
from kdvision.serve.evenings import Evenings
from kdvision.serve.log import GameBegun, SheetRead, SheetSeat, SheetTable, find_things
from kdvision.serve.store import Store, new_code
from kdvision.tournament.columns import fold_name
from kdvision.tournament.rows import Row
from kdvision.tournament.sheet import name_sheets, read_sheets

_LOG = logging.getLogger(__name__)

#: Seconds between two looks whether the sheet has changed.
LOOK_EVERY_S = 1.0

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
        self.path = path
        self._store = store
        self._evenings = evenings
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
                    self._store.append(self.evening, new_code(), begins)

    def _list_untouched(self) -> set[Place]:
        """Return the tables of which nobody said anything yet."""
        untouched = set()
        for view in self._evenings.view(self.evening).games:
            entries = self._evenings.entries(self.evening, view.game.id)
            if view.game.place and not any(find_things(entry.said) for entry in entries):
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
        """Read the sheet whenever it changes, until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            await asyncio.to_thread(self.look)

    def look(self) -> None:
        """Read the sheet if it has changed; where that fails, say why and try again later."""
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
    places: dict[Place, list[Row]] = defaultdict(list)
    known: set[tuple[Place, str]] = set()
    for row in name_sheets(read_sheets(path, (("player",),))):
        who = row.game_key, fold_name(row.player)
        if row.player and not row.is_sum and who not in known:
            places[row.game_key].append(row)
            known.add(who)
    tables = []
    for place, rows in places.items():
        if len(rows) > len(Colour):
            where = f"row {rows[len(Colour)].position} of {shown(path)}"
            raise UsageError(
                f"A fifth player of one game stands in {where}.",
                "Give round and game of every row in the columns round and game.",
            )
        is_new = untouched is None or place in untouched or place not in before
        tables.append(_make_table(rows, None if is_new else before[place]))
    return tuple(tables)


def _make_table(rows: Sequence[Row], before: SheetTable | None) -> SheetTable:
    """Return a table; `before` is what the sheet said of it, None where nobody said anything."""
    first = rows[0]
    colours = [row.colour for row in rows]
    has_colours = None not in colours and len({*colours}) == len(colours)
    if before is not None and not before.has_colours:
        # Else what phones said of a seat would pass to another player.
        has_colours = False
    seats = _name_seats(rows, before)
    return SheetTable(
        place=first.game_key,
        name=" / ".join(filter(None, (first.round, first.game))) or "1",
        seats=tuple(
            SheetSeat(
                colour=row.colour if has_colours and row.colour else seat,
                player=row.player,
                claimed=row.claimed,
            )
            for row, seat in zip(rows, seats, strict=True)
        ),
        rules=to_builtins(first.rules),
        has_colours=has_colours,
    )


def _name_seats(rows: Sequence[Row], before: SheetTable | None) -> list[Colour]:
    """Return a seat for each row without colours: a player keeps the seat, renamed or not."""
    known = {fold_name(seat.player): seat.colour for seat in before.seats} if before else {}
    names = [fold_name(row.player) for row in rows]
    gone = [name for name in known if name not in names]
    came = [name for name in names if name not in known]
    if len(gone) == len(came) == 1:
        known[came[0]] = known[gone[0]]
        came = []
    # New players take seats that nobody had, as long as there are any.
    taken = [known[name] for name in names if name in known]
    left = [known[name] for name in gone if known[name] not in taken]
    free = [colour for colour in Colour if colour not in taken and colour not in left]
    known |= zip(came, [*free, *left], strict=False)
    return [known[name] for name in names]
