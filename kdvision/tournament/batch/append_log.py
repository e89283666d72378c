"""A file of records that grows line by line and survives being cut off at any moment.

A record is one or more whole lines, written at once at the end of the file. Whatever kills the
program leaves whole records and at most one torn line, which is cut off when the file is opened
again. Only the places of the records are kept in memory. At the end the file is written anew, in
the order that is wanted, and takes the place of the old one in one step.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from kdvision.errors import UsageError
from kdvision.files import unwritable, whole_file

#: From a line to the key of its record; "" for a record that does not count.
KeyOf = Callable[[bytes], str]


class AppendLog:
    """Records by key, in a file.

    Args:
        path: The file; made where it is missing.
        key_of: Gives the key of a line, and raises `ValueError` for a line of another file.
        head: The first line of the file, with its line break; may be empty.

    Raises:
        UsageError: The file is there and is no such file, or it cannot be written.
    """

    def __init__(self, path: Path, key_of: KeyOf, head: bytes = b"") -> None:
        self.path = path
        self._head = head
        self._places: dict[str, list[tuple[int, int]]] = {}
        try:
            self._file: BinaryIO = path.open("a+b", buffering=0)
        except OSError as error:
            raise unwritable(path, error) from None
        try:
            self._load(key_of)
        except BaseException:
            self._file.close()
            raise

    def _load(self, key_of: KeyOf) -> None:
        """Find the records that are there, and cut off one that was not written to its end."""
        end = 0
        with self.path.open("rb") as lines:
            head = lines.readline()
            partial_head = self._head.startswith(head) and not head.endswith(b"\n")
            if self._head and head != self._head and not partial_head:
                raise _foreign(self.path)
            end = len(self._head) if head == self._head else 0
            lines.seek(end)
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                try:
                    key = key_of(line)
                except ValueError:
                    raise _foreign(self.path) from None
                if key:
                    self._places.setdefault(key, []).append((end, len(line)))
                end += len(line)
        self._file.truncate(end)
        if end == 0 and self._head:
            self._write(self._head)

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def append(self, key: str, record: bytes) -> None:
        """Add a record of whole lines. The program can be killed right after.

        Raises:
            UsageError: The disk is full, or the file has gone.
        """
        start = self._file.seek(0, os.SEEK_END)
        self._write(record)
        self._places.setdefault(key, []).append((start, len(record)))

    def _write(self, data: bytes) -> None:
        try:
            view = memoryview(data)
            while view:
                view = view[self._file.write(view) or 0 :]
        except OSError as error:
            raise unwritable(self.path, error) from None

    def read(self, key: str) -> bytes:
        """The lines of a record.

        Raises:
            KeyError: There is none.
        """
        found = []
        for start, length in self._places[key]:
            self._file.seek(start)
            found.append(self._file.read(length))
        return b"".join(found)

    def drop(self, key: str) -> None:
        """Forget a record; it stays in the file until that is written anew."""
        del self._places[key]

    def rewrite(self, records: Iterable[tuple[str, bytes]]) -> None:
        """Write the file anew with these records, by their keys; the old ones can be read from.

        Raises:
            UsageError: It cannot be written; then the old file stands.
        """
        places: dict[str, list[tuple[int, int]]] = {}
        with whole_file(self.path) as file:
            end = file.write(self._head)
            for key, record in records:
                places.setdefault(key, []).append((end, len(record)))
                end += file.write(record)
            self._file.close()
        self._file = self.path.open("a+b", buffering=0)
        self._places = places

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _foreign(path: Path) -> UsageError:
    return UsageError(
        f"{path} is there already, and was not written by kdscore batch of this version.",
        "Give another name, or remove the file.",
    )
