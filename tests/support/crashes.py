"""Files as a crash leaves them."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

import pytest

from kdvision.files import replace_file


def crash_while_writing(path: Path) -> None:
    """Leave an SQLite file half written, with what its next reader needs to undo that."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA cache_size = 1")
    database.execute("BEGIN")
    database.execute("UPDATE entries SET key = 'torn', entry = hex(zeroblob(50000))")
    half = {file: file.read_bytes() for file in (path, Path(f"{path}-journal"))}
    database.rollback()
    database.close()
    for file, data in half.items():
        file.write_bytes(data)


class _KilledError(Exception):
    """Somebody ended the program."""


def kill_while_saving(run: Callable[[], object], *, is_saved: bool) -> None:
    """End a run right before its results are saved, or right after."""

    @contextmanager
    def die(path: Path) -> Iterator[BinaryIO]:
        with replace_file(path) if is_saved else TemporaryFile() as file:
            yield file
        raise _KilledError

    with pytest.MonkeyPatch.context() as patch, pytest.raises(_KilledError):
        patch.setattr("kdvision.tournament.run.replace_file", die)
        run()
