"""The process that opens mutated files, and answers with what came of each.

It reads from standard input the length of a file and the file, again and again, and answers each
with a line of JSON: the outcome, what was said, the seconds it took, the most memory so far.
"""

import json
import resource
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path

#: What a job makes of a file: the outcome, and a message.
Answer = tuple[str, str]

#: Address space that may be asked for beyond what the libraries take.
_HEADROOM = 2**30
#: How large a photo is wanted first: reduced, reduced further, or in full.
_SIDES = (1000, 48, 24, 12)


def serve(work: Callable[[bytes], Answer]) -> None:
    """Answer files until there are no more; whatever `work` raises is an outcome too."""
    _limit_memory()
    source, answers = sys.stdin.buffer, sys.stdout
    while length := source.read(4):
        data = source.read(int.from_bytes(length, "big"))
        start = time.perf_counter()
        try:
            outcome, said = work(data)
        except Exception as error:
            outcome, said = "error", f"{type(error).__name__}: {error}"[:300]
        seconds = time.perf_counter() - start
        answer = {"outcome": outcome, "said": said, "seconds": seconds, "megabytes": _peak()}
        print(json.dumps(answer), file=answers, flush=True)


def decoding() -> Callable[[bytes], Answer]:
    """The job of opening and decoding a photo, and looking for damage in it."""
    from kdvision.errors import UnreadablePhotoError
    from kdvision.photo.photo import open_photo

    def work(data: bytes) -> Answer:
        try:
            photo = open_photo(data, name="photo")
            photo.pixels(_SIDES[zlib.crc32(data) % len(_SIDES)])
            pixels, _ = photo.pixels(10**6)
            damage = photo.damage
        except UnreadablePhotoError as error:
            return "refused", str(error)
        if pixels.shape[2] != 3 or pixels.dtype != "uint8":
            return "error", f"pixels of shape {pixels.shape} and type {pixels.dtype}"
        return ("damaged", damage) if damage else ("photo", "")

    return work


def scoring(total: int) -> Callable[[bytes], Answer]:
    """The job of scoring a photo that shows a kingdom of a known total."""
    from kdvision.errors import ExitCode, KdvisionError
    from kdvision.pipeline.scorer import Scorer
    from kdvision.result import Status

    scorer = Scorer(threads=1)

    def work(data: bytes) -> Answer:
        try:
            result = scorer.score(data, name="photo")
        except KdvisionError as error:
            unread = error.exit_code is ExitCode.UNREADABLE
            return "refused" if unread else "no kingdom", str(error)
        found = [kingdom.sheet.total for kingdom in result.kingdoms]
        if result.status is Status.SURE and found != [total]:
            return "sure and wrong", f"{found} instead of {total}"
        return str(result.status), result.message

    return work


def _limit_memory() -> None:
    """Let no file take the machine's memory, whatever the watcher says of it afterwards."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + _HEADROOM
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _peak() -> float:
    """The largest resident size so far in megabytes."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


if __name__ == "__main__":
    serve(scoring(int(sys.argv[2])) if sys.argv[1] == "scoring" else decoding())
