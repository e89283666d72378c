"""Change picture files at random and check that each gives a photo or one clear error message.

    python -m scripts.fuzzing.fuzz [--count 10000] [--only WebP ...] [--seed 1]

Every mutation is opened and decoded in a process of its own; one in a hundred more, of a larger
picture, goes through the whole pipeline. Allowed are a photo, a result, or an error of ours, within
5 seconds of computing and a gigabyte; a total that is sure and wrong is not. Anything else is a
finding: its steps are printed. The exit code is 1 where there is one.
"""

import argparse
import os
import resource
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from random import Random

from kdvision.errors import KdvisionError, UnreadablePhotoError
from kdvision.photo.photo import open_photo
from kdvision.pipeline.scorer import Scorer
from kdvision.result import Status
from scripts.fuzzing.mutate import Step, apply, draw
from scripts.fuzzing.pictures import DECODED_SIDE, FORMATS, SCORED_SIDE, TOTAL, picture

#: Seconds that one file may compute, which a busy machine does not change.
SECONDS = 5.0
#: Bytes of address space that it may take beyond the libraries.
HEADROOM = 2**30
#: What may come of a mutation.
ALLOWED = ("photo", "damaged", "refused", "sure", "doubtful", "no kingdom")
#: One mutation in so many is scored, too.
SCORED_ONE_IN = 100
#: What a file gave, or `error`, `crash`, or `stderr` where something was written there; a message.
Outcome = tuple[str, str]


def main() -> None:
    """Mutate files, watch what comes of them, print what came."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000, help="mutations of each format")
    parser.add_argument("--only", nargs="+", choices=FORMATS, default=list(FORMATS))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    findings = 0
    for name in options.only:
        findings += fuzz(decode, name, DECODED_SIDE, options.count, options.seed)
        findings += fuzz(score, name, SCORED_SIDE, options.count // SCORED_ONE_IN, options.seed)
    sys.exit(min(findings, 1))


def fuzz(work: Callable[[bytes], Outcome], name: str, side: int, count: int, seed: int) -> int:
    """Open some mutations of a format, and print what came of them; the number of findings."""
    whole = FORMATS[name](picture(side))
    mutations = [draw(Random(f"{seed} {name} {side} {number}")) for number in range(count)]
    kinds: Counter[str] = Counter()
    findings: list[tuple[Step, ...]] = []
    outcomes = watched(work, (apply(whole, steps) for steps in mutations))
    for steps, (kind, message) in zip(mutations, outcomes, strict=True):
        kinds[kind] += 1
        if kind not in ALLOWED:
            findings.append(steps)
            print(f"{name}, {side} px, {steps}: {kind} {message}", flush=True)
    print(f"{name}, {side} px: {dict(kinds)}, {len(findings)} findings", flush=True)
    return len(findings)


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


if __name__ == "__main__":
    main()
