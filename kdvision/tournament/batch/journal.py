"""The journal of a run: the full result of each photo, written down as it comes.

One JSON object per line, in a file that survives being cut off at any moment: whatever kills the
program leaves whole lines and at most one torn line, which is cut off when the file is opened
again. Only the places of the lines are kept in memory. At the end the file is written anew in the
order of the photos, and takes the place of the old one in one step.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from errno import ENOENT
from os import strerror
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from filelock import FileLock, Timeout
from msgspec import Struct

from kdvision.errors import UsageError
from kdvision.files import shown, unwritable, whole_file
from kdvision.result import PhotoResult
from kdvision.tournament.lines import Job

#: What every line begins with.
_START = b'{"schema": '
#: Seconds that a second run waits for the first one to finish its table.
LOCK_WAIT_S = 2.0


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a table for this run alone.

    Raises:
        UsageError: Another run writes it, or its folder cannot be written.
    """
    if not path.parent.is_dir():
        raise unwritable(path, FileNotFoundError(ENOENT, strerror(ENOENT)))
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


class Scored(Struct, frozen=True):
    """A scored photo.

    Attributes:
        result: The result.
        digest: The SHA-256 of the photo in hex; empty when what happened does not follow from its
            bytes, so that another try may end differently.
        picture: The fingerprint of what it shows; empty where it shows nothing.
    """

    result: PhotoResult
    digest: str = ""
    picture: str = ""


class Journal:
    """Full results by the key of what was scored.

    Every object has, beside the result, its `key`, the `digest` and the `picture` of `Scored`, and
    what is known of its player.

    Args:
        path: The file; made where it is missing.

    Raises:
        UsageError: A file is there that is none of ours, or it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        #: Start and length of the lines of a key; the same photo may be there under other names.
        self._places: dict[str, list[tuple[int, int]]] = {}
        try:
            self._file: BinaryIO = path.open("a+b", buffering=0)
        except OSError as error:
            raise unwritable(path, error) from None
        try:
            self._load()
        except BaseException:
            self._file.close()
            raise

    def _load(self) -> None:
        """Find the lines that are there, and cut off one that was not written to its end."""
        end = 0
        with self.path.open("rb") as lines:
            for line in lines:
                torn = not line.endswith(b"\n")
                if torn and (line.startswith(_START) or _START.startswith(line)):
                    break
                try:
                    key = str(json.loads(line)["key"])
                except (ValueError, KeyError, TypeError, RecursionError):
                    raise UsageError(
                        f"{shown(self.path)} is there already, and was not written by kdscore of "
                        "this version.",
                        "Give another name, or move the file away.",
                    ) from None
                if key:
                    self._places.setdefault(key, []).append((end, len(line)))
                end += len(line)
        self._file.truncate(end)

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def __len__(self) -> int:
        return len(self._places)

    def add(self, key: str, number: int, job: Job, scored: Scored) -> str:
        """Write down a result, and return the key by which this run finds it.

        The program can be killed right after. An empty `key` is that of a result that a later run
        must not rely on; then this run finds it by the number of the job.

        Raises:
            UsageError: The disk is full, or the file has gone.
        """
        known = key or f"!{number}"
        if known not in self._places:
            about = {"key": key, "digest": scored.digest, "picture": scored.picture}
            line = _line({**msgspec.to_builtins(scored.result), **about}, job)
            start = self._file.seek(0, os.SEEK_END)
            try:
                self._write(line)
            except OSError as error:
                self._file.truncate(start)
                raise unwritable(self.path, error) from None
            self._places[known] = [(start, len(line))]
        return known

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[self._file.write(view) or 0 :]

    def scored(self, key: str, name: str = "") -> Scored:
        """Return the result of a photo under a name, with its digest and fingerprint.

        Raises:
            KeyError: There is no such key.
        """
        data = self._object(key)
        result = msgspec.convert({**data, "photo": name}, PhotoResult)
        return Scored(result, str(data.get("digest", "")), str(data.get("picture", "")))

    def _object(self, key: str) -> dict[str, Any]:
        photo: dict[str, Any] = json.loads(self._read(*self._places[key][0]))
        return photo

    def _read(self, start: int, length: int) -> bytes:
        self._file.seek(start)
        return self._file.read(length)

    def arrange(self, photos: Sequence[tuple[Job, str]]) -> None:
        """Write the file anew: what was there before first, then photos in their order; close it.

        Each object has the name of its job, and what is known of its player.

        Raises:
            UsageError: It cannot be written; then the old file stands.
        """
        this_run = {key for _, key in photos}
        with whole_file(self.path) as file:
            for key, places in self._places.items():
                for place in places if key not in this_run else ():
                    file.write(self._read(*place))
            for job, key in photos:
                file.write(_line(self._object(key), job))
        self._file.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _line(data: dict[str, Any], job: Job) -> bytes:
    """An object under the name of a job, with what the job says of its player, as a line."""
    return json.dumps({**data, "photo": job.name, **job.who}).encode() + b"\n"
