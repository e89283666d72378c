"""What a server remembers, in one file of SQLite.

Several processes may have one file open: every read sees what the others have written, and
`Store.version` is another number after every change of any of them.
"""

import json
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from kdvision.errors import UsageError
from kdvision.files import shown
from kdvision.options import GameOptions
from kdvision.result import PhotoResult

#: Seconds for which a change waits for another process that is just writing.
_PATIENCE_S = 30.0
#: Results that are remembered as they were read back: those of a night of many tables.
_RESULTS = 512


@lru_cache(_RESULTS)
def result_from(text: str) -> PhotoResult:
    """Read a result back from its `kdscore/1` object as text."""
    return msgspec.convert(json.loads(text), PhotoResult)


@lru_cache(_RESULTS)
def rules_from(text: str) -> GameOptions:
    """Read options back from their JSON object as text."""
    return GameOptions.from_words(json.loads(text))


class StoredPhoto(Struct, frozen=True):
    """A photo that was scored.

    `result` is its `kdscore/1` object as text, with the fixes.
    `fixes` and `options` are JSON objects as text. `picture` are the bytes of the file, None when
    they are no longer kept.
    """

    id: str
    name: str
    options: str
    fixes: str
    result: str
    picture: bytes | None

    @property
    def read(self) -> PhotoResult:
        """What was read of it."""
        return result_from(self.result)

    @property
    def rules(self) -> GameOptions:
        """The options that it was scored by."""
        return rules_from(self.options)

    @property
    def corrections(self) -> dict[str, str]:
        """The squares that people corrected, by place."""
        return dict(json.loads(self.fixes))


#: What is written of one game, by the names of its fields.
Fields = Mapping[str, str]


def new_id() -> str:
    """Make an id that nobody can guess: 128 random bits."""
    return secrets.token_urlsafe(16)


_TABLES = """
CREATE TABLE IF NOT EXISTS photos (
    id TEXT PRIMARY KEY, made REAL NOT NULL, upload_key TEXT UNIQUE, name TEXT NOT NULL,
    options TEXT NOT NULL, fixes TEXT NOT NULL, result TEXT NOT NULL,
    picture BLOB
);
CREATE TABLE IF NOT EXISTS fields (
    place INTEGER PRIMARY KEY, game TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
    version INTEGER NOT NULL, UNIQUE (game, name)
);
CREATE TABLE IF NOT EXISTS tokens (
    token TEXT PRIMARY KEY, kind TEXT NOT NULL, subject TEXT NOT NULL, UNIQUE (kind, subject)
);
CREATE TABLE IF NOT EXISTS words (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT OR IGNORE INTO words VALUES ('version', '0'), ('id', hex(randomblob(4)));
"""
_PHOTO = "id, name, options, fixes, result, picture"
_VERSION = "(SELECT CAST(value AS INTEGER) FROM words WHERE name = 'version')"
#: Photos whose pictures a game still needs.
_NEEDED = "EXISTS (SELECT 1 FROM fields WHERE instr(fields.name, photos.id))"


class Store:
    """A file of SQLite in WAL mode: what was answered survives being killed.

    Every method is safe from several threads and processes. One connection does everything, one
    thread at a time. Files of others are left alone: it holds passwords and photos.

    Raises:
        UsageError: The file cannot be written, or is no database of ours.
    """

    def __init__(self, path: Path) -> None:
        self._lock = threading.RLock()
        self._depth = 0
        try:
            if not path.exists():
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            self._db = sqlite3.connect(
                path, timeout=_PATIENCE_S, check_same_thread=False, isolation_level=None
            )
            # FULL: a commit is on the disk before the phone is answered.
            for line in ("journal_mode = WAL", "synchronous = FULL", "secure_delete = ON"):
                self._db.execute(f"PRAGMA {line}")
            self._db.executescript(_TABLES)
            self._db.execute(f"SELECT {_PHOTO} FROM photos LIMIT 1")
        except (sqlite3.Error, OSError) as error:
            reason = getattr(error, "strerror", None) or error
            raise UsageError(
                f"{shown(path)} cannot be used: {reason}.", "Name another file with --data."
            ) from None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make one change of all that is read and written inside, by this thread alone.

        Nobody else, in this process or another, writes meanwhile; an error undoes all of it.
        Transactions may lie inside one another.
        """
        with self._lock:
            if self._depth == 0:
                self._db.execute("BEGIN IMMEDIATE")
                before = self._db.total_changes
            self._depth += 1
            try:
                yield
                if self._depth == 1 and self._db.total_changes > before:
                    self._db.execute("UPDATE words SET value = value + 1 WHERE name = 'version'")
                if self._depth == 1:
                    self._db.execute("COMMIT")
            except BaseException:
                # Where the disk is full SQLite has undone all of it already.
                if self._depth == 1 and self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            finally:
                self._depth -= 1

    def _change(self, statement: str, *values: object) -> int:
        """Change rows in a transaction; how many."""
        with self.transaction():
            return self._db.execute(statement, values).rowcount

    def _rows(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._db.execute(question, values).fetchall()

    def _value(self, question: str, *values: object) -> str | None:
        rows = self._rows(question, *values)
        return str(rows[0][0]) if rows else None

    def version(self) -> int:
        """Return a number that is another one after every change, and outlives a restart."""
        return int(self._value(f"SELECT {_VERSION}") or 0)

    def tag(self) -> str:
        """Return the version as an ETag: that of another file is another one."""
        return f'"{self.word("id")}-{self.version()}"'

    def close(self) -> None:
        """Write what is to be written."""
        with self._lock:
            self._db.close()

    # ------------------------------------------------------------ photos

    def add_photo(self, photo: StoredPhoto, key: str) -> str:
        """Keep a new photo under its id, and under the key that its sender chose ("" for none).

        Returns the id of the photo that is kept under the key: another one where it was sent twice.
        """
        values = astuple(photo)
        self._change(
            f"INSERT INTO photos ({_PHOTO}, made, upload_key) VALUES (?,?,?,?,?,?,?,?) "
            "ON CONFLICT (upload_key) DO NOTHING",
            *values, time.time(), key or None,
        )  # fmt: skip
        return (self.id_of(key) if key else None) or photo.id

    def photo(self, id_: str, *, with_picture: bool = True) -> StoredPhoto | None:
        """Return the photo with this id; what is only read of it needs no picture."""
        columns = _PHOTO if with_picture else _PHOTO.replace("picture", "NULL")
        rows = self._rows(f"SELECT {columns} FROM photos WHERE id = ?", id_)
        return StoredPhoto(*rows[0]) if rows else None

    def id_of(self, key: str) -> str | None:
        """Return the id of the photo that was sent with this key before."""
        return self._value("SELECT id FROM photos WHERE upload_key = ?", key)

    def change_photo(self, before: StoredPhoto, after: StoredPhoto) -> bool:
        """Keep other options, fixes and another result of a photo.

        Returns whether it is kept: not where somebody else has changed the photo since `before`.
        """
        changed = self._change(
            "UPDATE photos SET options = ?, fixes = ?, result = ? "
            "WHERE id = ? AND options = ? AND fixes = ? AND result = ?",
            after.options, after.fixes, after.result,
            before.id, before.options, before.fixes, before.result,
        )  # fmt: skip
        return changed > 0

    def forget(self, id_: str) -> None:
        """Drop a photo."""
        self._change("DELETE FROM photos WHERE id = ?", id_)

    def drop_pictures(self, older_than_s: float) -> int:
        """Forget the pictures of photos that are older; their results stay. How many."""
        limit = time.time() - older_than_s
        return self._change(
            "UPDATE photos SET picture = NULL WHERE picture IS NOT NULL AND made < ?", limit
        )

    def make_room(self, count: int, most: int) -> bool:
        """Forget the oldest pictures that no game needs until there is room.

        Args:
            count: Bytes of a picture that is to be kept.
            most: Bytes of all pictures together.

        Returns:
            Whether there is room for it.
        """
        with self.transaction():
            kept = self._value("SELECT COALESCE(SUM(LENGTH(picture)), 0) FROM photos")
            held = count + int(kept or 0)
            if held <= most:
                return True
            rows = self._db.execute(
                "SELECT id, LENGTH(picture) FROM photos "
                f"WHERE picture IS NOT NULL AND NOT {_NEEDED} ORDER BY made"
            ).fetchall()
            for id_, size in rows:
                self._change("UPDATE photos SET picture = NULL WHERE id = ?", id_)
                held -= size
                if held <= most:
                    return True
            return False

    # ------------------------------------------------------------ games

    def games(self) -> dict[str, dict[str, str]]:
        """Return the fields of every game: games as they began, fields as written."""
        games: dict[str, dict[str, str]] = {}
        rows = self._rows(
            "SELECT game, name, value FROM fields ORDER BY min(place) OVER (PARTITION BY game), "
            "version, place"
        )
        for game, name, value in rows:
            games.setdefault(game, {})[name] = value
        return games

    def next_game(self) -> str:
        """Return the number after that of the last game."""
        numbers = [int(game) for game in self.games() if game.isascii() and game.isdigit()]
        return str(max(numbers, default=0) + 1)

    def set_fields(self, game: str, values: Mapping[str, str | None]) -> dict[str, str | None]:
        """Write fields of a game, new or not; other fields stay as they are.

        Args:
            game: The name of the game.
            values: By the names of fields; None takes a field away.

        Returns:
            What the fields were before: written again, it undoes this.
        """
        with self.transaction():
            known = self.games().get(game, {})
            for name, value in values.items():
                if value is None:
                    self._change("DELETE FROM fields WHERE game = ? AND name = ?", game, name)
                else:
                    self._change(
                        "INSERT INTO fields (game, name, value, version) "
                        f"VALUES (?, ?, ?, {_VERSION} + 1) ON CONFLICT (game, name) "
                        "DO UPDATE SET value = excluded.value, version = excluded.version",
                        game, name, value,
                    )  # fmt: skip
            return {name: known.get(name) for name in values}

    # ------------------------------------------------------------ who may do what

    def token(self, kind: str, subject: str) -> str:
        """Return the secret that stands for a subject: the one that is kept, or a new one.

        Args:
            kind: What it opens, such as a session.
            subject: Whose it is.
        """
        self._change(
            "INSERT INTO tokens (token, kind, subject) VALUES (?, ?, ?) "
            "ON CONFLICT (kind, subject) DO NOTHING",
            new_id(), kind, subject,
        )  # fmt: skip
        return self._value(
            "SELECT token FROM tokens WHERE kind = ? AND subject = ?", kind, subject
        ) or ""  # fmt: skip

    def word(self, name: str) -> str | None:
        """Return what was kept under a name, such as a password."""
        return self._value("SELECT value FROM words WHERE name = ?", name)

    def keep_word(self, name: str, value: str) -> None:
        """Keep a word under a name."""
        if self.word(name) != value:
            self._change("INSERT OR REPLACE INTO words VALUES (?, ?)", name, value)
