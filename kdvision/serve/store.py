"""What a server remembers, in one file of SQLite: evenings, games, seats, photos, kingdoms.

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
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, astuple, replace

from kdvision.errors import UsageError
from kdvision.files import shown
from kdvision.options import GameOptions
from kdvision.reading import Colour
from kdvision.result import PhotoResult

#: Seconds for which a change waits for another process that is just writing.
_PATIENCE_S = 30.0
#: Results that are remembered as they were read back: those of a night of many tables.
_RESULTS = 2048
#: Letters of a game's code: 40 bits, and nothing to confuse.
CODE_LETTERS = 8
ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
#: The seat of a kingdom that is nobody's, such as one of another table at the edge of the photo.
NOBODY = "nobody"


@lru_cache(_RESULTS)
def result_from(text: str) -> PhotoResult:
    """Read a result back from its `kdscore/1` object as text."""
    return msgspec.json.decode(text, type=PhotoResult)


@lru_cache(_RESULTS)
def rules_from(text: str) -> GameOptions:
    """Read options back from their JSON object as text."""
    return GameOptions.from_words(json.loads(text))


def rules_text(rules: GameOptions) -> str:
    """Write options as `rules_from` reads them."""
    return json.dumps(asdict(rules))


class EveningRow(Struct, frozen=True):
    """An evening: its date as YYYY-MM-DD, and the name that a person gave it."""

    id: int
    date: str
    name: str


class GameRow(Struct, frozen=True):
    """A game of an evening.

    `rules` are its options as JSON. `place` is its round and game in the sheet that it was made
    from, empty for a game that was begun on the page; where that names no colours, the seats have
    none of their own (`has_colours`). `code` opens the game on a phone.
    """

    id: str
    evening: int
    name: str
    code: str
    rules: str
    place: str = ""
    has_colours: bool = True
    is_deleted: bool = False

    @property
    def options(self) -> GameOptions:
        """Its rules."""
        return rules_from(self.rules)


class SeatRow(Struct, frozen=True):
    """A seat of a game.

    `accept` is what a person settled, as JSON (see `evening.Decision`), empty while nobody did.
    `line` is the number of its line in the sheet, 0 without one.
    """

    game: str
    colour: str
    player: str = ""
    claimed: int | None = None
    accept: str = ""
    line: int = 0


class PhotoRow(Struct, frozen=True):
    """A photo of a game: its fixes as JSON, and its `kdscore/1` object as text."""

    id: str
    game: str
    name: str
    rules: str
    fixes: str
    result: str
    is_deleted: bool = False

    @property
    def read(self) -> PhotoResult:
        """What was read of it."""
        return result_from(self.result)

    @property
    def corrections(self) -> dict[str, str]:
        """The squares that people corrected, by place."""
        return dict(json.loads(self.fixes))


def new_id() -> str:
    """Make an id that nobody can guess: 128 random bits."""
    return secrets.token_urlsafe(16)


def new_word() -> str:
    """Make a password or a code that can be typed on a phone."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LETTERS))


_TABLES = """
CREATE TABLE IF NOT EXISTS evenings (
    id INTEGER PRIMARY KEY, date TEXT NOT NULL, name TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, evening INTEGER NOT NULL, name TEXT NOT NULL, code TEXT NOT NULL UNIQUE,
    rules TEXT NOT NULL, place TEXT NOT NULL, has_colours INTEGER NOT NULL,
    is_deleted INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS seats (
    game TEXT NOT NULL, colour TEXT NOT NULL, player TEXT NOT NULL, claimed INTEGER,
    accept TEXT NOT NULL, line INTEGER NOT NULL, PRIMARY KEY (game, colour)
);
CREATE TABLE IF NOT EXISTS photos (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, name TEXT NOT NULL, rules TEXT NOT NULL,
    fixes TEXT NOT NULL, result TEXT NOT NULL, is_deleted INTEGER NOT NULL,
    made REAL NOT NULL, upload_key TEXT UNIQUE
);
CREATE TABLE IF NOT EXISTS pictures (photo TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS kingdoms (
    photo TEXT NOT NULL, letter TEXT NOT NULL, seat TEXT NOT NULL, PRIMARY KEY (photo, letter)
);
CREATE TABLE IF NOT EXISTS words (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS games_of_evening ON games (evening);
CREATE INDEX IF NOT EXISTS photos_of_game ON photos (game);
INSERT OR IGNORE INTO words VALUES ('version', '0'), ('id', hex(randomblob(8)));
"""
_GAME = "id, evening, name, code, rules, place, has_colours, is_deleted"
_SEAT = "game, colour, player, claimed, accept, line"
_PHOTO = "id, game, name, rules, fixes, result, is_deleted"
_OF_EVENING = "game IN (SELECT id FROM games WHERE evening = ?)"


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
        self._depth = 0
        try:
            if not path.exists():
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            self._db = sqlite3.connect(
                path, timeout=_PATIENCE_S, check_same_thread=False, isolation_level=None
            )
            # INCREMENTAL: the room of a deleted evening can be given back to the disk.
            # FULL: a commit is on the disk before the phone is answered.
            for pragma in (
                "auto_vacuum = INCREMENTAL",
                "journal_mode = WAL",
                "synchronous = FULL",
                "secure_delete = ON",
            ):
                self._db.execute(f"PRAGMA {pragma}")
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

    def version(self) -> str:
        """Return a text that is another one after every change, and in every other file."""
        words = dict(self._rows("SELECT name, value FROM words WHERE name IN ('id', 'version')"))
        return f"{words['id']}-{words['version']}"

    def close(self) -> None:
        """Write what is to be written."""
        with self._lock:
            self._db.close()

    # ------------------------------------------------------------ evenings

    def evenings(self) -> list[EveningRow]:
        """Return all evenings, the newest first."""
        return [EveningRow(*row) for row in self._rows("SELECT * FROM evenings ORDER BY id DESC")]

    def add_evening(self, name: str = "") -> int:
        """Begin an evening of today; its id."""
        with self.transaction():
            self._db.execute(
                "INSERT INTO evenings (date, name) VALUES (?, ?)", (date.today().isoformat(), name)
            )
            return int(self._rows("SELECT last_insert_rowid()")[0][0])

    def name_evening(self, evening: int, name: str) -> None:
        """Give an evening a name."""
        self._change("UPDATE evenings SET name = ? WHERE id = ?", name, evening)

    def delete_evening(self, evening: int) -> None:
        """Delete an evening with its games and photos, and give their room back to the disk."""
        photos = f"(SELECT id FROM photos WHERE {_OF_EVENING})"
        with self.transaction():
            for table in ("pictures", "kingdoms"):
                self._change(f"DELETE FROM {table} WHERE photo IN {photos}", evening)
            for table in ("photos", "seats"):
                self._change(f"DELETE FROM {table} WHERE {_OF_EVENING}", evening)
            self._change("DELETE FROM games WHERE evening = ?", evening)
            self._change("DELETE FROM evenings WHERE id = ?", evening)
        with self._lock:
            self._db.executescript("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)")

    def picture_bytes(self) -> dict[int, int]:
        """Return the bytes of the pictures of every evening."""
        rows = self._rows(
            "SELECT evening, SUM(LENGTH(data)) FROM pictures JOIN photos ON photos.id = photo "
            "JOIN games ON games.id = game GROUP BY evening"
        )
        return dict(rows)

    # ------------------------------------------------------------ games and seats

    def games(self, evening: int) -> list[GameRow]:
        """Return the games of an evening in their order, without deleted ones."""
        rows = self._rows(
            f"SELECT {_GAME} FROM games WHERE evening = ? AND NOT is_deleted ORDER BY rowid",
            evening,
        )
        return [_game(row) for row in rows]

    def game(self, id_: str) -> GameRow | None:
        """Return a game, deleted or not."""
        rows = self._rows(f"SELECT {_GAME} FROM games WHERE id = ?", id_)
        return _game(rows[0]) if rows else None

    def last_game(self) -> GameRow | None:
        """Return the last game of the latest evening."""
        evenings = self.evenings()
        games = self.games(evenings[0].id) if evenings else []
        return games[-1] if games else None

    def game_of_code(self, code: str) -> str | None:
        """Return the id of the game that a code opens."""
        rows = self._rows("SELECT id FROM games WHERE code = ?", code)
        return rows[0][0] if rows else None

    def add_game(
        self, evening: int, name: str, rules: str, place: str = "", *, has_colours: bool = True
    ) -> GameRow:
        """Begin a game by rules as JSON, with a seat for every colour."""
        game = GameRow(new_id(), evening, name, new_word(), rules, place, has_colours)
        with self.transaction():
            self._change(f"INSERT INTO games ({_GAME}) VALUES (?,?,?,?,?,?,?,?)", *astuple(game))
            for colour in Colour:
                self.write_seat(SeatRow(game.id, colour))
        return game

    def change_game(self, id_: str, **values: object) -> None:
        """Change fields of a game."""
        for name, value in values.items():
            self._change(f"UPDATE games SET {name} = ? WHERE id = ?", value, id_)

    def seats(self, evening: int, game: str = "") -> dict[str, list[SeatRow]]:
        """Return the seats of the games of an evening, or of one game, by game."""
        seats: dict[str, list[SeatRow]] = {}
        where, which = _within(evening, game)
        for row in self._rows(f"SELECT {_SEAT} FROM seats WHERE {where} ORDER BY rowid", which):
            seats.setdefault(row[0], []).append(SeatRow(*row))
        return seats

    def write_seat(self, seat: SeatRow) -> None:
        """Write a seat, new or not."""
        self._change(
            f"INSERT INTO seats ({_SEAT}) VALUES (?,?,?,?,?,?) ON CONFLICT (game, colour) DO UPDATE"
            " SET player = excluded.player, claimed = excluded.claimed, accept = excluded.accept,"
            " line = excluded.line",
            seat.game, seat.colour, seat.player, seat.claimed, seat.accept, seat.line,
        )  # fmt: skip

    # ------------------------------------------------------------ photos and kingdoms

    def photos(self, evening: int, game: str = "") -> dict[str, list[PhotoRow]]:
        """Return the photos of an evening or of one game, without deleted ones, as they came."""
        photos: dict[str, list[PhotoRow]] = {}
        where, which = _within(evening, game)
        question = f"SELECT {_PHOTO} FROM photos WHERE {where} AND NOT is_deleted ORDER BY rowid"
        for row in self._rows(question, which):
            photos.setdefault(row[1], []).append(_photo(row))
        return photos

    def photo(self, id_: str) -> PhotoRow | None:
        """Return a photo, deleted or not."""
        rows = self._rows(f"SELECT {_PHOTO} FROM photos WHERE id = ?", id_)
        return _photo(rows[0]) if rows else None

    def picture(self, id_: str) -> bytes:
        """Return the bytes of a photo."""
        return bytes(self._rows("SELECT data FROM pictures WHERE photo = ?", id_)[0][0])

    def id_of(self, key: str) -> str | None:
        """Return the id of the photo that was sent with this key before."""
        rows = self._rows("SELECT id FROM photos WHERE upload_key = ?", key)
        return rows[0][0] if rows else None

    def add_photo(
        self, photo: PhotoRow, key: str, picture: bytes, seats: Mapping[str, str]
    ) -> None:
        """Keep a new photo under the key that its sender chose, with the seats of its kingdoms."""
        with self.transaction():
            self._change(
                f"INSERT INTO photos ({_PHOTO}, made, upload_key) VALUES (?,?,?,?,?,?,0,?,?)",
                photo.id, photo.game, photo.name, photo.rules, photo.fixes, photo.result,
                time.time(), key or None,
            )  # fmt: skip
            self._change("INSERT INTO pictures VALUES (?, ?)", photo.id, picture)
            for letter, seat in seats.items():
                self.place_kingdom(photo.id, letter, seat)

    def change_photo(self, before: PhotoRow, after: PhotoRow) -> bool:
        """Keep other rules, fixes and another result of a photo.

        Returns whether it is kept: not where somebody else has changed the photo since `before`.
        """
        changed = self._change(
            "UPDATE photos SET rules = ?, fixes = ?, result = ?, is_deleted = ? "
            "WHERE id = ? AND rules = ? AND fixes = ? AND result = ? AND is_deleted = ?",
            after.rules, after.fixes, after.result, after.is_deleted,
            before.id, before.rules, before.fixes, before.result, before.is_deleted,
        )  # fmt: skip
        return changed > 0

    def kingdoms(self, evening: int, game: str = "") -> dict[tuple[str, str], str]:
        """Return whose the kingdoms of an evening or of one game are, by photo and letter.

        A seat is a colour, `nobody`, or empty where people are to be asked.
        """
        where, which = _within(evening, game)
        question = (
            "SELECT photo, letter, seat FROM kingdoms "
            f"WHERE photo IN (SELECT id FROM photos WHERE {where})"
        )
        return {(photo, letter): seat for photo, letter, seat in self._rows(question, which)}

    def place_kingdom(self, photo: str, letter: str, seat: str) -> None:
        """Write whose a kingdom is."""
        self._change("INSERT OR REPLACE INTO kingdoms VALUES (?, ?, ?)", photo, letter, seat)

    # ------------------------------------------------------------ words

    def word(self, name: str, value: str = "") -> str:
        """Return what was kept under a name, such as a password; a value that is given is kept."""
        if value:
            self._change("INSERT OR REPLACE INTO words VALUES (?, ?)", name, value)
        rows = self._rows("SELECT value FROM words WHERE name = ?", name)
        return rows[0][0] if rows else ""


def _within(evening: int, game: str) -> tuple[str, object]:
    """Return the condition for rows of a game, or of all games of an evening, and its value."""
    return ("game = ?", game) if game else (_OF_EVENING, evening)


def _game(row: tuple[Any, ...]) -> GameRow:
    game = GameRow(*row)
    return replace(game, has_colours=bool(game.has_colours), is_deleted=bool(game.is_deleted))


def _photo(row: tuple[Any, ...]) -> PhotoRow:
    photo = PhotoRow(*row)
    return replace(photo, is_deleted=bool(photo.is_deleted))
