"""Evenings in memory: their logs as far as they were read, and games computed from them.

Another process may append to the same file; every look sees what it has written.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from threading import RLock

from kdvision.serve.evening import EveningView, GameView
from kdvision.serve.log import (
    AnySaid,
    Entry,
    EveningBegun,
    EveningNamed,
    GameBegun,
    SheetRead,
    is_said,
)
from kdvision.serve.readings import Readings
from kdvision.serve.state import Evening, Game, begin_after, read_evening, read_game
from kdvision.serve.store import MissingError, Store, Version, new_code, new_id
from kdvision.serve.twins import overrule_twins


class _Log:
    """The log of one evening as far as it was read, with what is computed from it.

    Attributes:
        last: The id of the last entry that was read.
        at: When it was said.
        entries: The entries by their games; without a game those of the evening itself.
        views: The games that were computed, by their ids.
        view: The evening as a whole; None where it is to be computed.
    """

    def __init__(self) -> None:
        self.last = 0
        self.at = 0.0
        self.entries: dict[str, list[Entry]] = {"": []}
        self.views: dict[str, GameView] = {}
        self.view: EveningView | None = None


class Evenings:
    """Evenings and games as they stand, from several threads.

    Args:
        store: Keeps the log.
        readings: Gives the results of photos.

    Attributes:
        pinned: The id of the evening that is current though a later one was begun: that of a sheet.
    """

    def __init__(self, store: Store, readings: Readings) -> None:
        self._store = store
        self._readings = readings
        self._lock = RLock()
        self._logs: dict[str, _Log] = {}
        self._version: Version | None = None
        self.pinned = ""

    # ------------------------------------------------------------ what there is

    def view(self, evening: str) -> EveningView:
        """Return an evening as it stands.

        Raises:
            MissingError: There is none.
        """
        with self._lock:
            log = self._read(evening)
            if log.view is None:
                state = read_evening(evening, log.entries[""], log.at)
                games = [self._view_game(log, state, game) for game in log.entries if game]
                log.view = EveningView(state, tuple(overrule_twins(games)))
            return log.view

    def evening(self, id_: str) -> Evening:
        """Return an evening without its games.

        Raises:
            MissingError: There is none.
        """
        with self._lock:
            log = self._read(id_)
            return read_evening(id_, log.entries[""], log.at)

    def game(self, id_: str) -> GameView:
        """Return a game as it stands.

        Raises:
            MissingError: There is none.
        """
        with self._lock:
            games = self.view(self._store.evening_of(id_)).games
            return next(view for view in games if view.game.id == id_)

    def entries(self, evening: str, game: str) -> list[Entry]:
        """Return the entries of a game in their order; without a game those of the evening itself.

        Raises:
            MissingError: There is no such evening.
        """
        with self._lock:
            return list(self._read(evening).entries[game])

    def _read(self, evening: str) -> _Log:
        """Read what is new in the log of an evening."""
        version = self._store.version()
        before = self._version or version
        self._version = version
        if (version.file, version.deleted) != (before.file, before.deleted):
            # What was read before may be of an evening that is deleted.
            self._logs.clear()
        log = self._logs.setdefault(evening, _Log())
        entries = self._store.entries(evening, after=log.last)
        for entry in entries:
            log.entries.setdefault(entry.game, []).append(entry)
            log.last = entry.id
            log.at = entry.at
            log.view = None
            log.views.pop(entry.game, None)
            if isinstance(entry.said, SheetRead):
                log.views.clear()
        if not log.last:
            del self._logs[evening]
            raise MissingError("evening")
        return log

    def _view_game(self, log: _Log, evening: Evening, id_: str) -> GameView:
        if id_ not in log.views:
            game = read_game(id_, log.entries[id_], evening)
            seats = game.sheet_seats
            results = [self._readings.result(photo, game.rules, seats) for photo in game.photos]
            uncorrected = {
                photo.id: self._readings.judge(photo, game.rules, {}, seats)
                for photo in game.photos
                if photo.fixes
            }
            log.views[id_] = GameView(game, tuple(results), uncorrected)
        return log.views[id_]

    # ------------------------------------------------------------ what is said

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Make everything inside one change: no other thread or process writes meanwhile."""
        with self._lock:
            try:
                with self._store.transaction():
                    yield
            except BaseException:
                # Nothing of it was said.
                self._logs.clear()
                raise

    def say(self, game: str, said: AnySaid, device: str) -> list[int]:
        """Append what is said of a game, unless it stands already; return the ids of new entries.

        Raises:
            MissingError: There is no such game.
        """
        with self.changing():
            evening = self._store.evening_of(game)
            if is_said(self.entries(evening, game), said):
                return []
            return [self._store.append(evening, game, said, device).id]

    def latest(self) -> str:
        """Return the id of the current evening: the pinned one, else the latest; or begin one."""
        evenings = self._store.evenings()
        if self.pinned in evenings:
            return self.pinned
        if evenings:
            return evenings[0]
        with self.changing():
            # Another process may have begun one meanwhile.
            evenings = self._store.evenings()
            return evenings[0] if evenings else self.begin_evening()

    def begin_evening(self, device: str = "", name: str = "", *, has_game: bool = True) -> str:
        """Begin an evening of today with its first game, and return its id.

        Args:
            device: Who begins it.
            name: What it is called.
            has_game: Whether it has a game from the start; those of a sheet come with the sheet.
        """
        with self.changing():
            id_ = new_id()
            self._store.append(id_, "", EveningBegun(date.today().isoformat()), device)
            if name:
                self._store.append(id_, "", EveningNamed(name), device)
            if has_game:
                self._store.append(id_, new_code(), GameBegun("1"), device)
        return id_

    def next_game(self, device: str = "") -> Game:
        """Return the game of the next photo: the last one while it has no photos, else a new one.

        A new game has the names and rules of the last.
        """
        with self.changing():
            evening = self.latest()
            games = self.view(evening).games
            last = games[-1].game
            if not last.photos:
                return last
            id_ = new_code()
            self._store.append(evening, id_, begin_after(last, str(len(games) + 1)), device)
            return self.game(id_).game
