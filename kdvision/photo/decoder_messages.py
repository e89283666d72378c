"""What the picture libraries say on standard error while they decode.

libjpeg reports damaged data in one way only: it prints a line on the C library's standard
error and goes on. The line is the only sign that a JPEG is damaged in its middle, and a user
should not see it. `hear` runs a decoder with file descriptor 2 pointed at a scratch file,
returns what the libraries said, and passes on whatever anybody else wrote meanwhile.

Several threads may decode at once. When something was said while others were decoding too, the
work is done again alone, so that a complaint is never charged to a neighbour's photo.
"""

import contextlib
import os
import re
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

Result = TypeVar("Result")

#: Lines of libjpeg, libpng, libwebp, libheif and OpenCV. Anything else is not for us to swallow.
_LIBRARY_LINE = re.compile(
    r"Corrupt JPEG|Premature end|Invalid SOS|Unknown Adobe|Inconsistent progression|"
    r"Warning: unknown JFIF|Invalid JPEG|Unsupported marker|Application transferred|"
    r"libpng |\[ ?(?:WARN|ERROR| INFO|DEBUG)|OpenCV|(?:imread|imdecode)_?\('?"
)
#: The most that is kept of what was written.
_MOST_KEPT = 65_536


class _Door:
    """Lets decoders in together, or one alone."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.inside = 0
        self.shared = False
        self.closed = False

    @contextlib.contextmanager
    def entered(self, *, alone: bool) -> Iterator[None]:
        with self.changed:
            self.changed.wait_for(lambda: not self.closed and not (alone and self.inside))
            if self.inside == 0:
                self.shared = False
                _redirect()
            else:
                self.shared = True
            self.inside += 1
            self.closed = alone
        try:
            yield
        finally:
            with self.changed:
                self.inside -= 1
                self.closed = False
                if self.inside == 0:
                    _restore()
                self.changed.notify_all()


_door = _Door()
#: (the true standard error, the scratch file that stands in for it), while decoders are inside.
_descriptors: tuple[int, int] | None = None


def hear(work: Callable[[], Result]) -> tuple[Result, str]:
    """Run a decoder and listen to its libraries.

    Returns:
        What `work` returns, and the first line that a library printed meanwhile ("" for none).
    """
    result, said, with_others = _listen(work, alone=False)
    if said and with_others:
        result, said, _ = _listen(work, alone=True)
    return result, said


def _listen(work: Callable[[], Result], *, alone: bool) -> tuple[Result, str, bool]:
    with _door.entered(alone=alone):
        start = _written()
        result = work()
        said = _library_line(start)
        with_others = _door.shared
    return result, said, with_others


def _redirect() -> None:
    """Point file descriptor 2 at a scratch file. Without a standard error nothing is done."""
    global _descriptors
    try:
        true_stderr = os.dup(2)
    except OSError:
        return
    try:
        scratch = _scratch_file()
        os.dup2(scratch, 2)
    except OSError:
        os.close(true_stderr)
        return
    _descriptors = true_stderr, scratch


def _restore() -> None:
    """Give standard error back and pass on what was not the libraries' to say."""
    global _descriptors
    if _descriptors is None:
        return
    true_stderr, scratch = _descriptors
    _descriptors = None
    os.dup2(true_stderr, 2)
    os.close(true_stderr)
    try:
        others = [line for line in _lines(scratch, 0) if not _LIBRARY_LINE.search(line)]
        if others:
            os.write(2, "".join(others).encode("utf-8", "replace"))
    except OSError:
        pass
    finally:
        os.close(scratch)


def _scratch_file() -> int:
    if hasattr(os, "memfd_create"):
        return os.memfd_create("kdvision-stderr")
    import tempfile

    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _written() -> int:
    """How many bytes the scratch file holds."""
    return os.fstat(_descriptors[1]).st_size if _descriptors else 0


def _library_line(start: int) -> str:
    if not _descriptors or _written() == start:
        return ""
    said = (line.strip() for line in _lines(_descriptors[1], start))
    return next((line for line in said if _LIBRARY_LINE.search(line)), "")


def _lines(scratch: int, start: int) -> list[str]:
    """The lines of the scratch file from a byte on; leaves its place for writing as it is."""
    size = min(os.fstat(scratch).st_size - start, _MOST_KEPT)
    if size <= 0:
        return []
    text = os.pread(scratch, size, start) if hasattr(os, "pread") else _seek_and_read(scratch, size)
    return text.decode("utf-8", "replace").splitlines(keepends=True)


def _seek_and_read(scratch: int, size: int) -> bytes:
    """`pread` for systems without it: reads the end of the file."""
    os.lseek(scratch, -size, os.SEEK_END)
    return os.read(scratch, size)
