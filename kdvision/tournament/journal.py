"""The journal beside a table: what photos showed, and what the last run wrote.

One JSON object per line, in a file that survives being cut off at any moment: whatever kills the
program leaves whole lines and at most one torn line, which is cut off when the file is opened
again. It holds what a machine needs and people do not: full results, digests, and the cells that
were written, by which the next run knows what people changed since.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from errno import ENOSPC
from os import strerror
from pathlib import Path
from typing import BinaryIO

import msgspec
from filelock import FileLock, Timeout
from msgspec import Struct

from kdvision.errors import UsageError
from kdvision.files import shown, unwritable, whole_file
from kdvision.result import PhotoResult
from kdvision.rules.kingdom import Position
from kdvision.tournament.columns import Decision

#: Seconds that a second run waits for the first one to finish its table.
LOCK_WAIT_S = 2.0
#: What every line begins with.
_START = b'{"key":"'
#: The key of what the last run wrote.
_TABLE = "table"


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a table for this run alone.

    Raises:
        UsageError: Another run writes it, or its folder cannot be written.
    """
    lock = FileLock(path.with_name(f".{path.name}.lock"), timeout=LOCK_WAIT_S)
    try:
        lock.acquire()
    except Timeout:
        raise UsageError(
            f"Another run of kdscore is writing {shown(path)}.",
            "Wait until it ends, or give another name with -o.",
        ) from None
    except OSError as error:
        raise unwritable(path, error) from None
    try:
        yield
    finally:
        lock.release()


class WrittenLine(Struct, frozen=True):
    """One line as the last run wrote it.

    Attributes:
        cells: Its cells.
        word: What people had written into the input for it; what the program had put in, where the
            line stands in no input.
        decisions: The decisions in its columns `fix` and `accept`.
        origin: What the top left place of its kingdom is called.
    """

    cells: Mapping[str, str]
    word: Mapping[str, str] = {}
    decisions: Mapping[str, Decision] = {}
    origin: Position = (0, 0)


class PhotoReading(Struct, frozen=True):
    """What one photo showed.

    Attributes:
        result: The result.
        digest: The SHA-256 of the photo in hex; empty when what happened does not follow from its
            bytes, so that another try may end differently.
    """

    result: PhotoResult
    digest: str = ""


class _Entry(Struct):
    """One line of the file: the reading of a photo, or what the last run wrote."""

    key: str
    reading: PhotoReading | None = None
    lines: tuple[WrittenLine, ...] = ()


class Journal:
    """Readings by the key of what was read, and the lines of the last run.

    Args:
        path: The file; made where it is missing.

    Raises:
        UsageError: A file is there that is none of ours, or it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._entries: list[_Entry] = []
        self._readings: dict[str, PhotoReading | None] = {}
        try:
            end = self._load(path.read_bytes() if path.exists() else b"")
            self._file: BinaryIO = path.open("ab", buffering=0)
            self._file.truncate(end)
        except OSError as error:
            raise unwritable(path, error) from None

    def _load(self, data: bytes) -> int:
        """Read whole lines, and return where a last one begins that was not written to its end."""
        end = 0
        for line in data.splitlines(keepends=True):
            is_torn = not line.endswith(b"\n")
            if is_torn and (line.startswith(_START) or _START.startswith(line)):
                break
            try:
                self._keep(msgspec.json.decode(line, type=_Entry))
            except msgspec.MsgspecError:
                name = shown(self.path)
                raise UsageError(
                    f"{name} is there already, and was not written by this version of kdscore.",
                    "Give another name with -o, or move the file away.",
                ) from None
            end += len(line)
        return end

    def _keep(self, entry: _Entry) -> None:
        self._entries.append(entry)
        self._readings[entry.key] = entry.reading

    @property
    def tables(self) -> list[tuple[WrittenLine, ...]]:
        """What the last runs wrote; of a run that was killed, what it was about to write."""
        return [entry.lines for entry in self._entries if entry.key == _TABLE]

    def find(self, key: str) -> PhotoReading | None:
        """Return what a photo showed; None where there is no such key."""
        return self._readings.get(key)

    def add(self, key: str, reading: PhotoReading) -> None:
        """Write down a reading. The program can be killed right after.

        Raises:
            UsageError: The disk is full, or the file has gone.
        """
        self._append(_Entry(key, reading))

    def announce(self, lines: Sequence[WrittenLine]) -> None:
        """Write down the lines that are about to be written.

        Raises:
            UsageError: The disk is full, or the file has gone.
        """
        self._append(_Entry(_TABLE, lines=tuple(lines)))

    def tidy(self) -> None:
        """Write the file anew, of all tables the last one only.

        Raises:
            UsageError: It cannot be written; then the old file stands.
        """
        entries = {entry.key: entry for entry in self._entries}
        with whole_file(self.path) as file:
            file.writelines(msgspec.json.encode(entry) + b"\n" for entry in entries.values())

    def _append(self, entry: _Entry) -> None:
        """Add a line; one that is torn, as the disk is full, is cut off by the next run."""
        line = msgspec.json.encode(entry) + b"\n"
        try:
            if self._file.write(line) != len(line):
                raise OSError(ENOSPC, strerror(ENOSPC))
        except OSError as error:
            raise unwritable(self.path, error) from None
        self._keep(entry)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
