"""Files as a crash leaves them."""

import sqlite3
from pathlib import Path


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
