"""The journal beside results: what photos showed, and which bytes were written last.

An SQLite file, which is whole again whatever kills the program. It is a cache: who deletes it loses
time and nothing else.
"""

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from filelock import FileLock, Timeout

from kdvision.errors import UsageError
from kdvision.files import shown, write_error
from kdvision.tournament.scoring import Judged

#: Seconds that a second run waits for the first one to finish its results.
LOCK_WAIT_S = 2.0
#: The key of the digests of what was written.
_WRITTEN = "results"


@contextmanager
def lock_results(path: Path) -> Iterator[None]:
    """Hold a file of results for this run alone.

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


def locate_journal(output: Path) -> Path:
    """Return where the journal of results is."""
    return output.with_name(f"{output.name}.journal")


def make_digest(data: bytes) -> str:
    """Return what bytes are known by."""
    return hashlib.sha256(data).hexdigest()


class Journal:
    """What was read in photos and what it was judged to be, by keys, and the digests of results.

    Args:
        path: The file, made where it is missing; `:memory:` is none.

    All methods raise a UsageError where the file is none of ours, or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._translate():
            self._database = sqlite3.connect(path, isolation_level=None)
            try:
                self._database.execute("CREATE TABLE IF NOT EXISTS entries (key TEXT, entry)")
                self._database.execute("CREATE INDEX IF NOT EXISTS keys ON entries (key)")
            except sqlite3.Error:
                self._database.close()
                raise

    @property
    def digests(self) -> list[str]:
        """The digests of what the last run wrote; of one that was killed, also of what it wrote."""
        return self._read(_WRITTEN)

    def find(self, key: str) -> Judged | None:
        """Return what a task came to; None where there is no such key."""
        for entry in self._read(key):
            with self._translate():
                return msgspec.msgpack.decode(entry, type=Judged)
        return None

    def add(self, key: str, judged: Judged) -> None:
        """Write down what a task came to. The program can be killed right after."""
        self._write(key, msgspec.msgpack.encode(judged))

    def find_reading(self, key: str) -> bytes:
        """Return what was read in a photo, as `encode_read` writes it; empty where nothing was."""
        return next(iter(self._read(key)), b"")

    def add_reading(self, key: str, reading: bytes) -> None:
        """Write down what was read in a photo."""
        self._write(key, reading)

    def announce(self, digest: str) -> None:
        """Write down the digest of what is about to be written."""
        self._write(_WRITTEN, digest)

    def settle(self) -> None:
        """Keep of all digests the last one only: it is written."""
        newest = "SELECT max(rowid) FROM entries WHERE key = :key"
        with self._translate():
            self._database.execute(
                f"DELETE FROM entries WHERE key = :key AND rowid < ({newest})", {"key": _WRITTEN}
            )

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _write(self, key: str, entry: str | bytes) -> None:
        with self._translate():
            self._database.execute("INSERT INTO entries VALUES (?, ?)", (key, entry))

    def _read(self, key: str) -> list[Any]:
        """Return the entries of a key, what was written last first."""
        statement = "SELECT entry FROM entries WHERE key = ? ORDER BY rowid DESC"
        with self._translate():
            return [entry for (entry,) in self._database.execute(statement, (key,))]

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
