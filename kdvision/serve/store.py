"""What a server remembers, behind one small interface.

`SqliteStore` keeps it in a file. A store for several machines would put the same methods over
PostgreSQL.
"""

import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from msgspec.structs import replace

from kdvision.errors import UsageError
from kdvision.files import shown
from kdvision.serve.kept import EveningEntry as EveningEntry
from kdvision.serve.kept import Event as Event
from kdvision.serve.kept import StoredPhoto as StoredPhoto


class Store(Protocol):
    """Where results, fixes and games are. Every method is safe from several threads."""

    def add_photo(self, photo: StoredPhoto, key: str) -> str:
        """Keep a new photo under its id, and under the key that its sender chose ("" for none).

        Returns the id of the photo that is kept under the key: another one where it was sent twice.
        """

    def photo(self, id_: str) -> StoredPhoto | None:
        """The photo with this id."""

    def id_of(self, key: str) -> str | None:
        """The id of the photo that was sent with this key before."""

    def set_result(self, before: StoredPhoto, options: str, fixes: str, result: str) -> bool:
        """Keep another result of a photo, and the options and fixes that led to it.

        Returns whether it is kept: not where somebody else changed the photo since `before`.
        """

    def forget(self, id_: str) -> bool:
        """Drop a photo; whether it was there."""

    def add_game(self, entries: list[EveningEntry]) -> str:
        """Keep a game, all of it or nothing; a game of this name is replaced.

        Entries without a game get the next number. Returns the name of the game.
        """

    def entries(self) -> list[EveningEntry]:
        """All games, in the order in which they were kept."""

    def drop_game(self, game: str) -> bool:
        """Forget a game; whether it was there."""

    def drop_pictures(self, older_than_s: float) -> int:
        """Forget the pictures of photos that are older; their results stay. How many."""

    def result(self, id_: str) -> str | None:
        """The result of a photo alone, as `StoredPhoto` has it."""

    def add_events(self, events: list[Event]) -> None:
        """Write events into the log, all of them or none. Nothing ever leaves the log."""

    def events(self) -> list[Event]:
        """The log, in the order in which it was written."""

    def version(self) -> int:
        """A number that is another one after every change."""

    def close(self) -> None:
        """Write what is to be written."""


def new_id() -> str:
    """An id that nobody can guess: 128 random bits."""
    return secrets.token_urlsafe(16)


_TABLES = """
CREATE TABLE IF NOT EXISTS photos (
    id TEXT PRIMARY KEY, made REAL NOT NULL, upload_key TEXT UNIQUE, name TEXT NOT NULL,
    options TEXT NOT NULL, fixes TEXT NOT NULL, result TEXT NOT NULL,
    picture BLOB
);
CREATE TABLE IF NOT EXISTS entries (
    place INTEGER PRIMARY KEY, made REAL NOT NULL, game TEXT NOT NULL, player TEXT NOT NULL,
    kingdom TEXT NOT NULL, score INTEGER NOT NULL, status TEXT NOT NULL, size INTEGER NOT NULL,
    harmony INTEGER NOT NULL, middle_kingdom INTEGER NOT NULL, photo TEXT NOT NULL,
    UNIQUE (game, player)
);
CREATE TABLE IF NOT EXISTS events (
    place INTEGER PRIMARY KEY, made REAL NOT NULL, kind TEXT NOT NULL, round TEXT NOT NULL,
    board TEXT NOT NULL, player TEXT NOT NULL, by TEXT NOT NULL, value TEXT NOT NULL
);
"""
_EVENT = "kind, round, board, player, by, value, made"
_ENTRY = "game, player, kingdom, score, status, size, harmony, middle_kingdom, photo"
_PHOTO = "id, name, options, fixes, result, picture"


class SqliteStore:
    """A store in a file of SQLite, in WAL mode: what was answered survives being killed.

    One connection does everything, one thread at a time.

    Raises:
        UsageError: The file cannot be written, or is no database of ours.
    """

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        try:
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            # FULL: a commit is on the disk before the phone is answered.
            for line in ("journal_mode = WAL", "synchronous = FULL", "secure_delete = ON"):
                self._db.execute(f"PRAGMA {line}")
            self._db.executescript(_TABLES)
            self._db.execute(f"SELECT {_PHOTO} FROM photos LIMIT 1")
            self._db.execute(f"SELECT {_ENTRY} FROM entries LIMIT 1")
            self._db.execute(f"SELECT {_EVENT} FROM events LIMIT 1")
        except sqlite3.Error as error:
            raise UsageError(
                f"{shown(path)} cannot be used: {error}.", "Name another file with --data."
            ) from None

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def add_photo(self, photo: StoredPhoto, key: str) -> str:
        """See `Store`."""
        values = (photo.id, photo.name, photo.options, photo.fixes, photo.result)
        with self._writing() as db:
            db.execute(
                f"INSERT INTO photos ({_PHOTO}, made, upload_key) VALUES (?,?,?,?,?,?,?,?) "
                "ON CONFLICT (upload_key) DO NOTHING",
                (*values, photo.picture, time.time(), key or None),
            )
        return (self.id_of(key) if key else None) or photo.id

    def photo(self, id_: str) -> StoredPhoto | None:
        """See `Store`."""
        with self._lock:
            row = self._db.execute(f"SELECT {_PHOTO} FROM photos WHERE id = ?", (id_,)).fetchone()
        return StoredPhoto(*row) if row else None

    def id_of(self, key: str) -> str | None:
        """See `Store`."""
        with self._lock:
            row = self._db.execute("SELECT id FROM photos WHERE upload_key = ?", (key,)).fetchone()
        return str(row[0]) if row else None

    def set_result(self, before: StoredPhoto, options: str, fixes: str, result: str) -> bool:
        """See `Store`."""
        known = before.id, before.options, before.fixes
        with self._writing() as db:
            changed = db.execute(
                "UPDATE photos SET options = ?, fixes = ?, result = ? "
                "WHERE id = ? AND options = ? AND fixes = ?",
                (options, fixes, result, *known),
            )
            return changed.rowcount > 0

    def forget(self, id_: str) -> bool:
        """See `Store`."""
        with self._writing() as db:
            return db.execute("DELETE FROM photos WHERE id = ?", (id_,)).rowcount > 0

    def add_game(self, entries: list[EveningEntry]) -> str:
        """See `Store`."""
        with self._writing() as db:
            names = [name for (name,) in db.execute("SELECT DISTINCT game FROM entries")]
            game = entries[0].game or _next_number(names)
            entries = [replace(one, game=game) for one in entries]
            db.executemany("DELETE FROM entries WHERE game = ?", {(one.game,) for one in entries})
            db.executemany(
                f"INSERT INTO entries ({_ENTRY}, made) VALUES (?,?,?,?,?,?,?,?,?,?)",
                [(*_values(one), time.time()) for one in entries],
            )
        return game

    def entries(self) -> list[EveningEntry]:
        """See `Store`."""
        with self._lock:
            rows = self._db.execute(f"SELECT {_ENTRY} FROM entries ORDER BY place").fetchall()
        return [_entry(*row) for row in rows]

    def drop_game(self, game: str) -> bool:
        """See `Store`."""
        with self._writing() as db:
            return db.execute("DELETE FROM entries WHERE game = ?", (game,)).rowcount > 0

    def drop_pictures(self, older_than_s: float) -> int:
        """See `Store`."""
        limit = time.time() - older_than_s
        with self._writing() as db:
            return db.execute(
                "UPDATE photos SET picture = NULL WHERE picture IS NOT NULL AND made < ?", (limit,)
            ).rowcount

    def result(self, id_: str) -> str | None:
        """See `Store`."""
        with self._lock:
            row = self._db.execute("SELECT result FROM photos WHERE id = ?", (id_,)).fetchone()
        return str(row[0]) if row else None

    def add_events(self, events: list[Event]) -> None:
        """See `Store`."""
        with self._writing() as db:
            db.executemany(
                f"INSERT INTO events ({_EVENT}) VALUES (?,?,?,?,?,?,?)",
                [
                    (one.kind, one.round, one.table, one.player, one.by, one.value, time.time())
                    for one in events
                ],
            )

    def events(self) -> list[Event]:
        """See `Store`."""
        with self._lock:
            rows = self._db.execute(f"SELECT {_EVENT} FROM events ORDER BY place").fetchall()
        return [Event(*row) for row in rows]

    def version(self) -> int:
        """See `Store`."""
        with self._lock:
            return self._db.total_changes

    def close(self) -> None:
        """See `Store`."""
        with self._lock:
            self._db.close()


def _entry(
    game: str, player: str, kingdom: str, score: int, status: str, *rules: int | str
) -> EveningEntry:
    size, harmony, middle_kingdom, photo = rules
    about = (game, player, kingdom, score, status)
    return EveningEntry(*about, int(size), bool(harmony), bool(middle_kingdom), str(photo))


def _next_number(games: list[str]) -> str:
    numbers = [int(game) for game in games if game.isascii() and game.isdigit()]
    return str(max(numbers, default=0) + 1)


def _values(entry: EveningEntry) -> tuple[object, ...]:
    rules = (entry.size, entry.harmony, entry.middle_kingdom)
    return (entry.game, entry.player, entry.kingdom, entry.score, entry.status, *rules, entry.photo)
