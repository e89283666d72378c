"""The state of a desk: the log in the store, and the board that follows from it."""

import asyncio
import threading
from collections.abc import Callable

from msgspec import Struct
from starlette.exceptions import HTTPException

from kdvision.serve.desk.board import BoardLine, DeskBoard, Judge
from kdvision.serve.desk.record import NOTHING, Handed, Record, record_of, record_of_sheet
from kdvision.serve.desk.seats import RoundTable, Seating
from kdvision.serve.store import Event, Store, StoredPhoto


class Now(Struct, frozen=True):
    """What holds at one moment. `version` is the store's."""

    version: int
    record: Record
    board: DeskBoard

    def handed(self, place: RoundTable, player: str) -> Handed:
        """What a player has handed in."""
        return self.record.get((place, player), NOTHING)

    def line(self, place: RoundTable, player: str) -> BoardLine | None:
        """The line of a player at a table; None where there is none."""
        lines = self.board.tiles[place].lines
        return next((line for line in lines if line.seat.player == player), None)

    def holders(self, photo: str) -> list[tuple[RoundTable, str]]:
        """The players whom a photo was handed in for, with their tables."""
        return [
            key for key, handed in self.record.items() if handed.sent and handed.sent.id == photo
        ]


class FrozenReading(Struct, frozen=True):
    """What counts of a photo that is handed in: the photo as it was, its fixes and its result."""

    before: StoredPhoto
    fixes: str
    result: str


class PhotoChangedError(Exception):
    """Somebody else has changed the photo meanwhile."""


class Keeper:
    """Writes the log, one change after the other, and keeps the board up to date."""

    def __init__(self, store: Store, seating: Seating) -> None:
        self.seating = seating
        self._store = store
        self._judge = Judge(seating, store.result)
        self._start = record_of_sheet(seating)
        self._now: Now | None = None
        self._judging = threading.Lock()
        self._writing = asyncio.Lock()

    async def now(self) -> Now:
        """What holds now."""
        return await asyncio.to_thread(self.current)

    def current(self) -> Now:
        """What holds now, for threads."""
        with self._judging:
            version = self._store.version()
            if self._now is None or self._now.version != version:
                record = record_of(self._store.events(), self._start)
                self._now = Now(version, record, self._judge.board(record))
            return self._now

    async def add(
        self, events: Callable[[Now], list[Event]], reading: FrozenReading | None = None
    ) -> Now:
        """Write what follows from what holds now; nothing happens in between.

        Args:
            events: Gives what is to be written; what it raises leaves the log as it was.
            reading: What counts of a photo from now on, written in the same transaction.

        Raises:
            PhotoChangedError: The photo of `reading` is no longer what it was; nothing is written.
        """
        async with self._writing:
            new = events(await self.now())
            if new and reading is not None:
                terms = reading.before, reading.fixes, reading.result, new
                if not await asyncio.to_thread(self._store.set_reading, *terms):
                    raise PhotoChangedError
            elif new:
                await asyncio.to_thread(self._store.add_events, new)
            return await self.now()

    def place(self, round_: str, table: str) -> RoundTable:
        """A table in a round.

        Raises:
            HTTPException: The sheet has none of these names.
        """
        place = RoundTable(round_, table)
        if place not in self.seating.seats:
            where = f"table {table[:40]!r}" + (f" in round {round_[:40]!r}" if round_ else "")
            raise HTTPException(404, f"The sheet has no {where}.")
        return place
