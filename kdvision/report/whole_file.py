"""Writing a file in one step: all of it, or nothing."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from kdvision.errors import UsageError
from kdvision.vision.files import shown


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file beside `path` to write to, which takes its place at the end.

    Raises:
        UsageError: It cannot be written; then what was there before stands.
    """
    new = path.with_name(f"{path.name}.new")
    try:
        with new.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        raise unwritable(path, error) from None
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)


def unwritable(path: Path, error: OSError) -> UsageError:
    """The error for a file that cannot be written."""
    reason = (error.strerror or str(error)).lower()
    return UsageError(
        f"{shown(path)} cannot be written: {reason}.", "Check the folder and the room on the disk."
    )
