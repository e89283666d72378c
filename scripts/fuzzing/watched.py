"""A process that opens mutated files, and what came of each, also where it dies or hangs."""

import contextlib
import os
import resource
import tempfile
import zlib
from collections.abc import Callable
from functools import cache
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import NamedTuple, Self

from kdvision.errors import ExitCode, KdvisionError, UnreadablePhotoError
from kdvision.photo.photo import open_photo
from kdvision.pipeline.scorer import Scorer
from kdvision.result import Status
from scripts.fuzzing.pictures import TOTAL

#: Address space that may be asked for beyond what the libraries take.
HEADROOM = 2**30
#: Seconds that the process may take to start, on a machine that does other work as well.
START_S = 60.0
#: How large a photo is wanted first: reduced, reduced further, or in full.
_SIDES = (1000, 48, 24, 12)


class Outcome(NamedTuple):
    """What came of one file.

    `kind` is what the work gave, or `error`, `crash`, `hang`, or `stderr` where something was
    written to standard error.
    """

    kind: str
    message: str = ""


class Watched:
    """A process that is started anew after each crash and hang.

    Args:
        work: What it does with a file; a function of a module.
        seconds: The longest that one file may take.
    """

    def __init__(self, work: Callable[[bytes], Outcome], seconds: float) -> None:
        self.work, self.seconds = work, seconds
        self._process: BaseProcess | None = None

    def open(self, data: bytes) -> Outcome:
        """Hand a file to the process."""
        if self._process is None:
            context = get_context("spawn")
            self._files, theirs = context.Pipe()
            self._process = context.Process(target=_serve, args=(theirs, self.work), daemon=True)
            self._process.start()
            theirs.close()
            self._files.poll(START_S)
            self._files.recv()
        self._files.send_bytes(data)
        if not self._files.poll(self.seconds):
            self.close()
            return Outcome("hang", f"no answer after {self.seconds:g} s")
        try:
            return Outcome(*self._files.recv())
        except EOFError:
            self._process.join()
            code = self._process.exitcode
            self.close()
            return Outcome("crash", f"the process ended with code {code}")

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._files.close()
            self._process = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _serve(files: Connection, work: Callable[[bytes], Outcome]) -> None:
    """Answer files until there are no more; whatever `work` raises is an outcome too."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + HEADROOM
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryFile() as errors, contextlib.suppress(EOFError):
        os.dup2(errors.fileno(), 2)
        files.send(None)
        while True:
            data = files.recv_bytes()
            try:
                outcome = work(data)
            except Exception as error:
                outcome = Outcome("error", f"{type(error).__name__}: {error}"[:300])
            if written := os.pread(errors.fileno(), 300, 0):
                os.ftruncate(errors.fileno(), 0)
                os.lseek(errors.fileno(), 0, os.SEEK_SET)
                outcome = Outcome("stderr", written.decode("utf-8", "replace").strip())
            files.send(outcome)


def decode(data: bytes) -> Outcome:
    """Open and decode a photo, and look for damage in it."""
    try:
        photo = open_photo(data, name="photo")
        photo.pixels(_SIDES[zlib.crc32(data) % len(_SIDES)])
        pixels, _ = photo.pixels(10**6)
        damage = photo.damage
    except UnreadablePhotoError as error:
        return Outcome("refused", str(error))
    if pixels.shape[2] != 3 or pixels.dtype != "uint8":
        return Outcome("error", f"pixels of shape {pixels.shape} and type {pixels.dtype}")
    return Outcome("damaged", damage.text()) if damage else Outcome("photo")


def score(data: bytes) -> Outcome:
    """Score a photo that shows a kingdom of a known total."""
    try:
        result = _scorer().score(data, name="photo")
    except KdvisionError as error:
        unread = error.exit_code is ExitCode.UNREADABLE
        return Outcome("refused" if unread else "no kingdom", str(error))
    totals = [kingdom.sheet.total for kingdom in result.kingdoms]
    if result.status is Status.SURE and totals != [TOTAL]:
        return Outcome("sure and wrong", f"{totals} instead of {TOTAL}")
    return Outcome(str(result.status), result.message)


@cache
def _scorer() -> Scorer:
    return Scorer(threads=1)
