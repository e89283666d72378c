"""What a server keeps, in one file of SQLite: the log, photos, and what was read of them.

The log is the one source: entries are appended, and deleted only with their whole evening. What was
read of a photo is kept beside it and can be made anew. Several processes may have one file open:
`Store.version` changes with every entry of any of them.
"""

import hashlib
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from kdvision.errors import KdvisionError, UsageError
from kdvision.files import shown
from kdvision.serve.log import AnySaid, Entry, PhotoTaken

#: The form of the file. Another one is refused, and never misread.
SCHEMA = 1
#: Seconds for which a change waits for another process that is just writing.
_PATIENCE_S = 30.0
#: Pages of 4 KiB that are given back to the disk at once: each that is moved is written twice.
_PAGES_AT_ONCE = 64
#: Letters of a game's code: 40 bits, and nothing to confuse.
CODE_LETTERS = 8
ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"


def new_id() -> str:
    """Make an id that nobody can guess: 128 random bits."""
    return secrets.token_urlsafe(16)


def id_of_key(key: str) -> str:
    """Return the id of the photo that is sent with a key: sent again it is the same photo."""
    return hashlib.sha256(key.encode()).hexdigest()[:32]


def new_code() -> str:
    """Make a password or a code that can be typed on a phone."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LETTERS))


class Version(NamedTuple):
    """The state of a store; it differs after every entry, and in every other file.

    Attributes:
        file: An id of the file.
        deleted: How many evenings were deleted from it.
        last: The id of the last entry; None where there is none.
    """

    file: str
    deleted: str
    last: int | None


class MissingError(KdvisionError):
    """There is no such evening, game, photo or entry; its text is the kind."""


#: The room of a deleted evening can be given back to the disk, and a commit is on the disk before
#: the phone is answered. What is deleted is not written over: that takes as much room again.
_SETUP = f"""
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA journal_mode = WAL;
PRAGMA journal_size_limit = 1000000;
PRAGMA synchronous = FULL;
PRAGMA secure_delete = FAST;
CREATE TABLE IF NOT EXISTS log (
    id INTEGER PRIMARY KEY AUTOINCREMENT, evening TEXT NOT NULL, game TEXT NOT NULL,
    photo TEXT UNIQUE, at REAL NOT NULL, device TEXT NOT NULL, said BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS log_of_evening ON log (evening, id);
CREATE INDEX IF NOT EXISTS log_of_game ON log (game, id);
CREATE TABLE IF NOT EXISTS pictures (photo TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS readings (photo TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS results (
    photo TEXT NOT NULL, terms TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (photo, terms)
);
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT OR IGNORE INTO settings VALUES ('id', hex(randomblob(8))), ('deleted', '0');
PRAGMA user_version = {SCHEMA};
"""
_DECODER: msgspec.json.Decoder[AnySaid] = msgspec.json.Decoder(AnySaid)
_ENTRY = "SELECT id, evening, game, at, device, said FROM log"


class Store:
    """A file of SQLite in WAL mode: what was answered survives being killed.

    Every method is safe from several threads and processes. One connection does everything, one
    thread at a time. Files of others are left alone: it holds passwords and photos.

    Raises:
        UsageError: The file cannot be written, or is none of this form.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        try:
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            self._db = sqlite3.connect(
                path, timeout=_PATIENCE_S, check_same_thread=False, isolation_level=None
            )
            try:
                self._check_schema()
                self._db.executescript(_SETUP)
            except (sqlite3.Error, UsageError):
                self._db.close()
                raise
        except (sqlite3.Error, OSError) as error:
            reason = getattr(error, "strerror", None) or error
            raise UsageError(
                f"{shown(path)} cannot be used: {reason}.", "Name another file with --data."
            ) from None

    def _check_schema(self) -> None:
        """See that the file is empty or of this form.

        Raises:
            UsageError: It is another database.
        """
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        (tables,) = self._db.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
        if version != SCHEMA and (version or tables):
            raise UsageError(
                f"{shown(self.path)} was written by another program or version of kdscore.",
                "Name another file with --data.",
            )

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make everything inside one change.

        Nobody else, in this process or another, writes meanwhile; an error undoes all of it.
        Transactions may lie inside one another.
        """
        with self._lock:
            if self._db.in_transaction:
                yield
                return
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                # Where the disk is full SQLite has undone all of it already.
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _execute(self, statement: str, *values: object) -> int:
        """Change something, and return the number of the row."""
        with self.transaction():
            return self._db.execute(statement, values).lastrowid or 0

    def _select(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._db.execute(question, values).fetchall()

    def _find(self, question: str, *values: object) -> Any:
        """Return the first value of the first row; None where there is none."""
        for row in self._select(question, *values):
            return row[0]
        return None

    def version(self) -> Version:
        """Return the state of the store."""
        (row,) = self._select(
            "SELECT (SELECT value FROM settings WHERE name = 'id'),"
            " (SELECT value FROM settings WHERE name = 'deleted'),"
            " (SELECT MAX(id) FROM log)"
        )
        return Version(*row)

    def close(self) -> None:
        """Write what is to be written."""
        with self._lock:
            self._db.close()

    # ------------------------------------------------------------ the log

    def append(self, evening: str, game: str, said: AnySaid, device: str = "") -> Entry:
        """Append an entry, and return it."""
        at = time.time()
        photo = said.photo if isinstance(said, PhotoTaken) else None
        number = self._execute(
            "INSERT INTO log (evening, game, photo, at, device, said) VALUES (?, ?, ?, ?, ?, ?)",
            *(evening, game, photo, at, device, msgspec.json.encode(said)),
        )
        return Entry(id=number, evening=evening, game=game, at=at, device=device, said=said)

    def entries(self, evening: str, *, after: int = 0) -> list[Entry]:
        """Return the entries of an evening in their order, those after an id."""
        rows = self._select(f"{_ENTRY} WHERE evening = ? AND id > ? ORDER BY id", evening, after)
        return [_read_entry(row) for row in rows]

    def entry(self, id_: int) -> Entry:
        """Return an entry.

        Raises:
            MissingError: There is none.
        """
        # SQLite takes no number of more than 63 bits.
        rows = self._select(f"{_ENTRY} WHERE id = ?", id_) if id_.bit_length() < 64 else []
        if not rows:
            raise MissingError("entry")
        return _read_entry(rows[0])

    def evenings(self) -> list[str]:
        """Return the ids of all evenings, the latest first."""
        rows = self._select("SELECT evening FROM log GROUP BY evening ORDER BY MIN(id) DESC")
        return [evening for (evening,) in rows]

    def evening_of(self, game: str) -> str:
        """Return the id of the evening of a game.

        Raises:
            MissingError: There is no such game.
        """
        evening = self._find("SELECT evening FROM log WHERE game = ? LIMIT 1", game)
        if not game or evening is None:
            raise MissingError("game")
        return str(evening)

    def has_game(self, game: str) -> bool:
        """Return whether there is a game."""
        entry = self._find("SELECT id FROM log WHERE game = ? LIMIT 1", game)
        return bool(game) and entry is not None

    def game_of(self, photo: str) -> str:
        """Return the id of the game of a photo, a deleted one too; empty where there is none."""
        return self._find("SELECT game FROM log WHERE photo = ?", photo) or ""

    def devices(self, evening: str) -> list[str]:
        """Return the ids of the phones of an evening in the order in which they came."""
        rows = self._select(
            "SELECT device FROM log WHERE evening = ? AND device != ''"
            " GROUP BY device ORDER BY MIN(id)",
            evening,
        )
        return [device for (device,) in rows]

    def delete_evening(self, evening: str) -> None:
        """Delete an evening with its photos, and give their room back to the disk.

        Photo by photo, so that it needs next to no room itself.
        """
        rows = self._select("SELECT photo FROM log WHERE evening = ? AND photo NOT NULL", evening)
        for (photo,) in rows:
            self._delete_photo(photo)
        with self.transaction():
            # Photos may have come meanwhile.
            for (photo,) in self._select("SELECT photo FROM log WHERE evening = ?", evening):
                self._delete_rows(photo)
            self._execute("DELETE FROM log WHERE evening = ?", evening)
            self._execute("UPDATE settings SET value = value + 1 WHERE name = 'deleted'")
        self._give_back()

    def _delete_photo(self, photo: str) -> None:
        with self.transaction():
            self._delete_rows(photo)
        self._give_back()

    def _delete_rows(self, photo: str | None) -> None:
        for table in ("pictures", "readings", "results"):
            self._execute(f"DELETE FROM {table} WHERE photo = ?", photo)

    def _give_back(self) -> None:
        """Give the pages that are free back to the disk, a few at a time."""
        with self._lock:
            while True:
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                (free,) = self._db.execute("PRAGMA freelist_count").fetchone()
                if not free:
                    return
                self._db.execute(f"PRAGMA incremental_vacuum({_PAGES_AT_ONCE})").fetchall()
                (left,) = self._db.execute("PRAGMA freelist_count").fetchone()
                if left == free:
                    return

    # ------------------------------------------------------------ photos, and what was read

    def keep_picture(self, photo: str, picture: bytes, reading: bytes) -> None:
        """Keep the bytes of a new photo, and what was read of it."""
        with self.transaction():
            self._execute("INSERT INTO pictures VALUES (?, ?)", photo, picture)
            self._execute("INSERT INTO readings VALUES (?, ?)", photo, reading)

    def picture(self, photo: str) -> bytes:
        """Return the bytes of a photo.

        Raises:
            MissingError: It has just been deleted.
        """
        return self._load("pictures", photo)

    def reading(self, photo: str) -> bytes:
        """Return what was read of a photo.

        Raises:
            MissingError: It has just been deleted.
        """
        return self._load("readings", photo)

    def _load(self, table: str, photo: str) -> bytes:
        data = self._find(f"SELECT data FROM {table} WHERE photo = ?", photo)
        if data is None:
            raise MissingError("photo")
        return bytes(data)

    def keep_reading(self, photo: str, reading: bytes) -> None:
        """Keep what was read of a photo anew, where the disk has room for it."""
        with suppress(sqlite3.OperationalError):
            self._execute("UPDATE readings SET data = ? WHERE photo = ?", reading, photo)

    def result(self, photo: str, terms: str) -> bytes | None:
        """Return the result that was kept of a photo on some terms; None where there is none.

        Args:
            photo: The id of the photo.
            terms: A digest of the rules and corrections that it was judged by.
        """
        question = "SELECT data FROM results WHERE (photo, terms) = (?, ?)"
        result: bytes | None = self._find(question, photo, terms)
        return result

    def keep_result(self, photo: str, terms: str, result: bytes) -> None:
        """Keep a result of a photo, where the disk has room for it."""
        with suppress(sqlite3.OperationalError):
            self._execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", photo, terms, result)

    def picture_bytes(self) -> dict[str, int]:
        """Return the bytes of the pictures of every evening."""
        rows = self._select(
            "SELECT evening, SUM(LENGTH(data)) FROM pictures JOIN log USING (photo)"
            " GROUP BY evening"
        )
        return dict(rows)

    # ------------------------------------------------------------ settings

    def setting(self, name: str) -> str:
        """Return what was kept under a name, such as a password; empty for nothing."""
        return self._find("SELECT value FROM settings WHERE name = ?", name) or ""

    def keep_setting(self, name: str, value: str) -> str:
        """Keep a value under a name in place of the one before, and return it."""
        self._execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", name, value)
        return value


def _read_entry(row: tuple[Any, ...]) -> Entry:
    number, evening, game, at, device, said = row
    return Entry(
        id=number, evening=evening, game=game, at=at, device=device, said=_DECODER.decode(said)
    )
