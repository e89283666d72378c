"""The journal beside a table: what photos showed, and what the last run wrote.

An SQLite file, which is whole again whatever kills the program. It holds what a machine needs and
people do not: full results, and the cells that were written, by which the next run knows what
people changed since.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec
from filelock import FileLock, Timeout
from msgspec import Struct

from kdvision.errors import UsageError
from kdvision.files import shown, write_error
from kdvision.result import PhotoResult
from kdvision.rules.kingdom import Position
from kdvision.tournament.columns import Decision
from kdvision.tournament.owners import Clue

#: Seconds that a second run waits for the first one to finish its table.
LOCK_WAIT_S = 2.0
#: The key of what a run wrote.
_TABLE = "table"
_T = TypeVar("_T")


@contextmanager
def lock_sheet(path: Path) -> Iterator[None]:
    """Hold a table for this run alone.

    Raises:
        UsageError: Another run writes it, or its folder cannot be written.
    """
    lock = FileLock(path.with_name(f".{path.name}.lock"), timeout=LOCK_WAIT_S)
    try:
        held = lock.acquire()
    except Timeout:
        raise UsageError(
            f"Another run of kdscore is writing {shown(path)}.",
            "Wait until it ends, or give another name with -o.",
        ) from None
    except OSError as error:
        raise write_error(path, error) from None
    with held:
        yield


class WrittenLine(Struct, frozen=True):
    """One line as the last run wrote it.

    Attributes:
        cells: Its cells.
        source: What people had written of it in the inputs; what the program had put in, where
            no input has the line.
        decisions: The decisions in its columns `fix` and `accept`.
        origin: What the top left place of its kingdom is called.
        clue: How it was known first whose kingdom it is.
    """

    cells: Mapping[str, str]
    source: Mapping[str, str] = {}
    decisions: Mapping[str, Decision] = {}
    origin: Position = (0, 0)
    clue: Clue = Clue.READING


class Journal:
    """The results of photos by the key of what was scored, and the lines of the last run.

    Args:
        path: The file, made where it is missing; `:memory:` is none.

    All methods raise a UsageError where the file is none of ours, or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._translate():
            self._database = sqlite3.connect(path, isolation_level=None)
            self._database.execute("CREATE TABLE IF NOT EXISTS entries (key TEXT, entry TEXT)")
            self._database.execute("CREATE INDEX IF NOT EXISTS keys ON entries (key)")

    @property
    def tables(self) -> list[tuple[WrittenLine, ...]]:
        """What the last runs wrote; of a run that was killed, what it was about to write."""
        return self._read(_TABLE, tuple[WrittenLine, ...])

    def find(self, key: str) -> PhotoResult | None:
        """Return what a photo showed; None where there is no such key."""
        return next(iter(self._read(key, PhotoResult)), None)

    def add(self, key: str, entry: object) -> None:
        """Write down what a photo showed. The program can be killed right after."""
        with self._translate():
            values = key, msgspec.json.encode(entry).decode()
            self._database.execute("INSERT INTO entries VALUES (?, ?)", values)

    def announce(self, lines: Sequence[WrittenLine]) -> None:
        """Write down the lines that are about to be written."""
        self.add(_TABLE, lines)

    def settle(self) -> None:
        """Keep of all tables the last one only: it is written."""
        newest = "SELECT max(rowid) FROM entries WHERE key = :key"
        with self._translate():
            self._database.execute(
                f"DELETE FROM entries WHERE key = :key AND rowid < ({newest})", {"key": _TABLE}
            )

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _read(self, key: str, type_: type[_T]) -> list[_T]:
        """Return the entries of a key, in the order in which they were written."""
        statement = "SELECT entry FROM entries WHERE key = ? ORDER BY rowid"
        with self._translate():
            entries = self._database.execute(statement, (key,))
            return [msgspec.json.decode(entry, type=type_) for (entry,) in entries]

    @contextmanager
    def _translate(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise write_error(self.path, OSError(str(error))) from None
        except (sqlite3.DatabaseError, msgspec.MsgspecError):
            name = shown(self.path)
            raise UsageError(
                f"{name} is there already, and was not written by this version of kdscore.",
                "Give another name with -o, or move the file away.",
            ) from None
