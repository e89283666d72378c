"""Speed and memory of `kdscore batch`.

    python -m scripts.measuring.batch_benchmark [--photos 300] [--few 30] [--renders 40]

The photos are the samples, scenes rendered in artwork of our own, and the real photos where there
are any, at three sizes of a phone's photo, no two files alike. Each run is a process of its own
with a new output, started from nothing. Memory is the largest sum over the program and its
workers at one moment, by /proc.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from scripts.paths import ROOT, SAMPLES
from scripts.pictures import read_bgr, resized, write_jpeg
from scripts.synthesis.render import RECIPES, save
from scripts.synthesis.rendering.compose import compose
from scripts.synthesis.rendering.recipe import Sources, kingdom_pool

_SEED, _GAMES = 90, 40
#: Widths in pixels, the longer side of the picture.
SIDES = (1600, 2400, 3464)
#: Seconds between two looks at the memory.
_STEP = 0.02
_MEGABYTE = 2**20


@dataclass(frozen=True, slots=True)
class Measured:
    """One run: photos, seconds, and the largest memory in bytes, workers included."""

    photos: int
    workers: int
    seconds: float
    memory: int

    @property
    def speed(self) -> float:
        """Photos per second, the start of the program included."""
        return self.photos / self.seconds


def main() -> None:
    """Parse, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--photos", type=int, default=300)
    parser.add_argument("--few", type=int, default=30)
    parser.add_argument("--renders", type=int, default=40)
    parser.add_argument("--program", nargs="+", default=None, help="instead of kdscore")
    options = parser.parse_args()
    tables = batch_tables(options.photos, options.few, options.renders, options.program)
    for table in tables:
        Console(width=110).print(table)


def batch_tables(
    photos: int = 300, few: int = 30, renders: int = 40, program: Sequence[str] | None = None
) -> list[Table]:
    """The tables of speed and of memory.

    Args:
        photos: How many photos a large batch has.
        few: How many a small one has.
        renders: How many scenes are rendered for it.
        program: The command that starts `kdscore`.
    """
    program = program or [str(Path(sys.executable).with_name("kdscore"))]
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        every = gather(folder, photos, renders)
        one = measure(program, every, 1, folder)
        # Evenly from all, so that both batches have the same kinds and sizes of photos.
        small = measure(program, every[:: max(1, photos // few)][:few], cores, folder)
        large = measure(program, every, cores, folder)
    return [_speed_table(one, large), _memory_table(small, large)]


def gather(folder: Path, count: int, renders: int) -> list[Path]:
    """Write the photos of a batch, no two alike."""
    sources = [*sorted(SAMPLES.glob("*.jpg")), *_rendered(folder / "scenes", renders)]
    data = Path(os.environ.get("KDVISION_DATA", ROOT.parent / "shared" / "data"))
    sources += sorted((data / "photos").glob("*.jpg"))
    photos = []
    for number in range(count):
        picture = read_bgr(sources[number % len(sources)])
        turn = number // len(sources)
        scale = SIDES[(number + turn) % len(SIDES)] / max(picture.shape[:2])
        big = resized(picture, scale, cv2.INTER_CUBIC)
        path = folder / "photos" / f"{number:04}.jpg"
        path.parent.mkdir(exist_ok=True)
        write_jpeg(path, big, 85 + turn % 10)
        photos.append(path)
    return photos


def _rendered(folder: Path, count: int) -> list[Path]:
    """Scenes rendered in artwork of our own."""
    folder.mkdir()
    sources = Sources(None, kingdoms=kingdom_pool(_SEED, _GAMES) if count else [])
    for number in range(count):
        rng = np.random.default_rng([_SEED, number])
        save(compose(rng, sources, RECIPES["painted"]), folder / f"{number:04}")
    return sorted(folder.glob("*.jpg"))


def measure(program: Sequence[str], photos: Sequence[Path], workers: int, folder: Path) -> Measured:
    """Run a batch to its end."""
    output = folder / f"results-{len(photos)}-{workers}.csv"
    words = ["batch", *map(str, photos), "-o", str(output), "--workers", str(workers)]
    start = time.perf_counter()
    process = subprocess.Popen([*program, *words], stderr=subprocess.PIPE, text=True)
    peak: list[int] = [0]
    watch = threading.Thread(target=_watch, args=(process, peak))
    watch.start()
    _, said = process.communicate()
    seconds = time.perf_counter() - start
    watch.join()
    if process.returncode not in (0, 3, 4, 6):
        raise SystemExit(said)
    return Measured(len(photos), workers, seconds, peak[0])


def _watch(process: subprocess.Popen[str], peak: list[int]) -> None:
    """Note the largest memory of a process with its children until it ends."""
    while process.poll() is None:
        peak[0] = max(peak[0], sum(map(resident, family(process.pid))))
        time.sleep(_STEP)


def family(process: int) -> list[int]:
    """A process and all below it."""
    found = [process]
    for one in found:
        try:
            for thread in Path(f"/proc/{one}/task").iterdir():
                found.extend(map(int, (thread / "children").read_text().split()))
        except OSError:
            continue
    return found


def resident(process: int) -> int:
    """The resident memory of a process in bytes; 0 when it has ended."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _speed_table(one: Measured, large: Measured) -> Table:
    table = Table(title=f"Batch of {large.photos} photos")
    for head in ("workers", "seconds", "photos per second", "of the ideal"):
        table.add_column(head, justify="right")
    for run in (one, large):
        ideal = run.speed / one.speed / run.workers
        table.add_row(str(run.workers), f"{run.seconds:.1f}", f"{run.speed:.1f}", f"{ideal:.2f}")
    return table


def _memory_table(small: Measured, large: Measured) -> Table:
    table = Table(title=f"Peak memory of a batch, {large.workers} workers included")
    for head in ("photos", "peak memory", "against the first"):
        table.add_column(head, justify="right")
    for run in (small, large):
        share = run.memory / small.memory
        table.add_row(str(run.photos), f"{run.memory / _MEGABYTE:.0f} MB", f"{share:.2f}")
    return table


if __name__ == "__main__":
    main()
