"""What a server remembers, in one file of SQLite: evenings, games and photos, each a JSON record.

Several processes may have one file open: every read sees what the others have written, and
`Store.version` is another text after every change of any of them.
"""

import hashlib
import os
import secrets
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import msgspec
from msgspec import Struct

from kdvision.errors import KdvisionError, UsageError
from kdvision.files import shown
from kdvision.reading import Colour
from kdvision.result import PhotoResult
from kdvision.rules.kingdom import Position
from kdvision.rules.rules import DEFAULT_RULES, Rules

#: Seconds for which a change waits for another process that is just writing.
_PATIENCE_S = 30.0
#: Records that are remembered as they were read: the photos of a night of many tables.
_RECORDS = 4096
#: Letters of a game's code: 40 bits, and nothing to confuse.
CODE_LETTERS = 8
ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
#: The seat of a kingdom that is nobody's, such as one of another table at the edge of the photo.
NOBODY = "nobody"


def new_id() -> str:
    """Make an id that nobody can guess: 128 random bits."""
    return secrets.token_urlsafe(16)


def id_of_key(key: str) -> str:
    """Return the id of the photo that is sent with a key: sent again it is the same photo."""
    return hashlib.sha256(key.encode()).hexdigest()[:32]


def new_word() -> str:
    """Make a password or a code that can be typed on a phone."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LETTERS))


# ---------------------------------------------------------------- records


class Record(Struct, frozen=True, kw_only=True):
    """What is kept under an `id`.

    `parent` is the id of the evening of a game, and of the game of a photo. `name` is what people
    call it.
    """

    id: str = msgspec.field(default_factory=new_id)
    parent: str = ""
    name: str = ""
    kind: ClassVar[str] = ""


class Evening(Record, frozen=True, kw_only=True):
    """An evening of a date, as YYYY-MM-DD."""

    date: str
    kind: ClassVar[str] = "evening"


class Decision(Struct, frozen=True):
    """What a person decided of a seat: `photo`, `claim` or a number, and what the photo showed."""

    text: str
    reading: str = ""
    origin: Position = (0, 0)
    score: int | None = None


class Seat(Struct, frozen=True):
    """A seat: the colour of its castle, who plays on it, the claim, and what was settled.

    The text of the decision is `photo`, `claim` or a number, as in the column `accept` of a sheet.
    """

    colour: Colour
    player: str = ""
    claimed: int | None = None
    decision: Decision | None = None


class Game(Record, frozen=True, kw_only=True):
    """A game of an evening. Its id is the code that opens it on a phone.

    `place` is its round and game in the sheet that it was made from, None for a game that was
    begun on the page; where that names no colours, the seats have none of their own
    (`has_colours`).
    """

    id: str = msgspec.field(default_factory=new_word)
    rules: Rules = DEFAULT_RULES
    place: tuple[str, str] | None = None
    has_colours: bool = True
    seats: tuple[Seat, ...] = tuple(Seat(colour) for colour in Colour)
    kind: ClassVar[str] = "game"


class GamePhoto(Record, frozen=True, kw_only=True):
    """A photo of a game with what was read of it.

    `fixes` are the squares that people corrected, by place. `seats` says whose its kingdoms are, by
    letter: a colour, `nobody`, or empty where people are to be asked.
    """

    result: PhotoResult
    fixes: Mapping[str, str] = msgspec.field(default_factory=dict)
    seats: Mapping[str, str] = msgspec.field(default_factory=dict)
    is_deleted: bool = False
    kind: ClassVar[str] = "photo"


class MissingError(KdvisionError):
    """There is no record of this kind under an id."""


_Kept = TypeVar("_Kept", bound=Record)


@lru_cache(_RECORDS)
def _decode(kind: type[_Kept], data: bytes) -> _Kept:
    return msgspec.json.decode(data, type=kind)


# ---------------------------------------------------------------- the file

#: The room of a deleted evening can be given back to the disk, and a commit is on the disk before
#: the phone is answered.
_SETUP = """
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA secure_delete = ON;
CREATE TABLE IF NOT EXISTS records (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL UNIQUE,
    parent TEXT NOT NULL, data BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS pictures (photo TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS words (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS records_of_parent ON records (parent);
INSERT OR IGNORE INTO words VALUES ('version', '0'), ('id', hex(randomblob(8)));
"""
_GAMES = "SELECT id FROM records WHERE parent = ?"


class Store:
    """A file of SQLite in WAL mode: what was answered survives being killed.

    Every method is safe from several threads and processes. One connection does everything, one
    thread at a time. Files of others are left alone: it holds passwords and photos.

    Raises:
        UsageError: The file cannot be written, or is no database of ours.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        try:
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            self._db = sqlite3.connect(
                path, timeout=_PATIENCE_S, check_same_thread=False, isolation_level=None
            )
            self._db.executescript(_SETUP)
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
            if self._db.in_transaction:
                yield
                return
            self._db.execute("BEGIN IMMEDIATE")
            before = self._db.total_changes
            try:
                yield
                if self._db.total_changes > before:
                    self._db.execute("UPDATE words SET value = value + 1 WHERE name = 'version'")
                self._db.execute("COMMIT")
            except BaseException:
                # Where the disk is full SQLite has undone all of it already.
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _execute(self, statement: str, *values: object) -> None:
        with self.transaction():
            self._db.execute(statement, values)

    def _select(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._db.execute(question, values).fetchall()

    def _load(self, kind: type[_Kept], where: str, *values: object) -> list[_Kept]:
        question = f"SELECT data FROM records WHERE kind = ? AND {where} ORDER BY number"
        return [_decode(kind, data) for (data,) in self._select(question, kind.kind, *values)]

    def version(self) -> str:
        """Return a text that is another one after every change, and in every other file."""
        words = dict(self._select("SELECT name, value FROM words WHERE name IN ('id', 'version')"))
        return f"{words['id']}-{words['version']}"

    def close(self) -> None:
        """Write what is to be written."""
        with self._lock:
            self._db.close()

    # ------------------------------------------------------------ records

    def get(self, kind: type[_Kept], id_: str) -> _Kept | None:
        """Return the record of an id, a deleted photo too; None where there is none."""
        return next(iter(self._load(kind, "id = ?", id_)), None)

    def find(self, kind: type[_Kept], id_: str) -> _Kept:
        """Return the record of an id.

        Raises:
            MissingError: There is none.
        """
        record = self.get(kind, id_)
        if record is None:
            raise MissingError(kind.kind)
        return record

    def evenings(self) -> list[Evening]:
        """Return all evenings, the newest first."""
        return self._load(Evening, "parent = ''")[::-1]

    def games(self, evening: str) -> list[Game]:
        """Return the games of an evening in their order."""
        return self._load(Game, "parent = ?", evening)

    def photos(self, game: str) -> list[GamePhoto]:
        """Return the photos of a game as they came, deleted ones too."""
        return self._load(GamePhoto, "parent = ?", game)

    def write(self, record: Record, picture: bytes | None = None) -> None:
        """Write a record, new or changed, with the picture of a new photo."""
        data = msgspec.json.encode(record)
        with self.transaction():
            self._execute(
                "INSERT INTO records (kind, id, parent, data) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET data = excluded.data",
                *(record.kind, record.id, record.parent, data),
            )
            if picture is not None:
                self._execute("INSERT INTO pictures VALUES (?, ?)", record.id, picture)

    def delete_evening(self, evening: str) -> None:
        """Delete an evening with its games and photos, and give their room back to the disk."""
        photos = f"SELECT id FROM records WHERE parent IN ({_GAMES})"
        with self.transaction():
            self._execute(f"DELETE FROM pictures WHERE photo IN ({photos})", evening)
            self._execute(f"DELETE FROM records WHERE parent IN ({_GAMES})", evening)
            self._execute("DELETE FROM records WHERE ? IN (id, parent)", evening)
        with self._lock:
            self._db.executescript("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)")

    # ------------------------------------------------------------ pictures and words

    def picture(self, photo: str) -> bytes:
        """Return the bytes of a photo."""
        return bytes(self._select("SELECT data FROM pictures WHERE photo = ?", photo)[0][0])

    def picture_bytes(self) -> dict[str, int]:
        """Return the bytes of the pictures of every evening."""
        rows = self._select(
            "SELECT game.parent, SUM(LENGTH(pictures.data)) FROM pictures"
            " JOIN records AS shot ON shot.id = pictures.photo"
            " JOIN records AS game ON game.id = shot.parent GROUP BY game.parent"
        )
        return dict(rows)

    def word(self, name: str, value: str = "") -> str:
        """Return what was kept under a name, such as a password; a value that is given is kept."""
        if value:
            self._execute("INSERT OR REPLACE INTO words VALUES (?, ?)", name, value)
        rows = self._select("SELECT value FROM words WHERE name = ?", name)
        return rows[0][0] if rows else ""
