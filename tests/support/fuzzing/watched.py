"""Open files that were changed at random: each gives a photo or one clear error message.

A file is opened and decoded, or goes through the whole pipeline, in a process of its own. Allowed
are a photo, a result, or an error of ours, within 5 seconds of computing and a gigabyte; a total
that is sure and wrong is not. `tests/photo/test_fuzz.py` runs it over every format.
"""

import os
import resource
import signal
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from kdvision.errors import KdvisionError, UnreadablePhotoError
from kdvision.photo.photo import open_photo
from kdvision.pipeline.scorer import Scorer
from kdvision.result import Status
from tests.support.fuzzing.pictures import DECODED_SIDE, TOTAL

#: Seconds that one file may compute, which a busy machine does not change.
SECONDS = 5.0
#: Bytes of address space that it may take beyond the libraries.
HEADROOM = 2**30
#: What may come of a mutation.
ALLOWED = ("photo", "damaged", "refused", "sure", "doubtful", "no kingdom")
#: What a file gave, or `error`, `crash`, or `stderr` where something was written there; a message.
Outcome = tuple[str, str]


def watched(
    work: Callable[[bytes], Outcome], files: Iterable[bytes], seconds: float = SECONDS
) -> Iterator[Outcome]:
    """Yield the outcome of each file, opened in a process that is started anew after a crash."""
    pool = None
    for data in files:
        pool = pool or ProcessPoolExecutor(1, get_context("spawn"), _limit)
        try:
            yield pool.submit(_answer, work, data, seconds).result()
        except BrokenProcessPool:
            pool = None
            yield "crash", f"the process ended, perhaps after {seconds:g} s"
    if pool:
        pool.shutdown()


def _limit() -> None:
    """Limit the memory of this process, and have its standard error go into a file."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + HEADROOM
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    errors, path = tempfile.mkstemp()
    os.dup2(errors, 2)
    Path(path).unlink()


def _answer(work: Callable[[bytes], Outcome], data: bytes, seconds: float) -> Outcome:
    """Return the outcome of a file; whatever `work` raises is one, too."""
    before = os.fstat(2).st_size
    signal.setitimer(signal.ITIMER_PROF, seconds)  # what is not caught ends the process
    try:
        outcome = work(data)
    except Exception as error:
        outcome = "error", f"{type(error).__name__}: {error}"[:300]
    signal.setitimer(signal.ITIMER_PROF, 0)
    written = os.pread(2, 300, before)
    return ("stderr", written.decode(errors="replace")) if written else outcome


def decode(data: bytes) -> Outcome:
    """Open and decode a photo, reduced and in full, and look for damage in it."""
    try:
        photo = open_photo(data, name="photo")
        photo.pixels(DECODED_SIDE // 4)
        pixels, _ = photo.pixels(10**6)
    except UnreadablePhotoError as error:
        return "refused", str(error)
    if pixels.shape[2] != 3 or pixels.dtype != "uint8":
        return "error", f"pixels of shape {pixels.shape} and type {pixels.dtype}"
    return ("damaged", photo.damage.text()) if photo.damage else ("photo", "")


def score(data: bytes) -> Outcome:
    """Score a photo that shows a kingdom of a known total."""
    try:
        result = _scorer().score(data, name="photo")
    except UnreadablePhotoError as error:
        return "refused", str(error)
    except KdvisionError as error:
        return "no kingdom", str(error)
    totals = [kingdom.sheet.total for kingdom in result.kingdoms]
    wrong = result.status is Status.SURE and totals != [TOTAL]
    return ("sure and wrong", f"{totals}") if wrong else (str(result.status), result.message)


@cache
def _scorer() -> Scorer:
    return Scorer(threads=1)
