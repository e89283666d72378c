"""Speed and memory of the program, against what any program must pay.

    python -m scripts.measuring.benchmark [--runs 9]

The yardstick of a cold run is a Python process that imports numpy, cv2 and onnxruntime and reads
the same photo with `cv2.imread`; that of a warm `score_photo` is `cv2.imread` alone. The photos
are a sample enlarged to 9 and to 16 megapixels; a sample with four kingdoms stands against it at
12 megapixels. The tables are printed and written to
models/benchmark.md.
"""

import argparse
import compileall
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
from rich.console import Console
from rich.table import Table

from kdvision.concurrency import cores
from kdvision.photo.photo import open_photo
from kdvision.photo.settings import PHOTO
from kdvision.pipeline.scorer import Scorer
from kdvision.vision.grid.finder import detect_in, grids_in
from kdvision.vision.squares.reader import read_grid
from scripts.measuring.evaluation.markdown import markdown
from scripts.paths import ROOT, SAMPLES
from scripts.pictures import read_bgr, resized, write_jpeg

SAMPLE = "meadow_5x5.jpg"
SIZES = {"9 MP": 3464, "16 MP": 4618}
MANY = "four_kingdoms.jpg"
MANY_PX = 4000


def main() -> None:
    """Make the photos, measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args()
    # As pip does for an installed package; else a cold run would measure Python's compiler.
    compileall.compile_dir(ROOT / "kdvision", quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        photos = {name: enlarged(Path(folder), name, width) for name, width in SIZES.items()}
        tables = [
            cold_table(photos, options.runs),
            warm_table(photos, options.runs),
            stage_table(photos, options.runs),
            kingdoms_table(Path(folder), options.runs),
        ]
    for table in tables:
        Console(width=110).print(table)
    (ROOT / "models" / "benchmark.md").write_text(
        markdown("scripts/measuring/benchmark.py", tables)
    )


def enlarged(folder: Path, name: str, width: int, sample: str = SAMPLE) -> Path:
    """A sample at the size of a phone's photo."""
    picture = read_bgr(SAMPLES / sample)
    path = folder / f"{name.replace(' ', '')}.jpg"
    write_jpeg(path, resized(picture, width / picture.shape[1], cv2.INTER_CUBIC), 92)
    return path


def cold_table(photos: dict[str, Path], runs: int) -> Table:
    """Whole processes, started anew each time, in turn with their yardstick."""
    table = _table("Cold run", "photo", "yardstick", "kdscore", "ratio", "peak memory")
    for name, path in photos.items():
        yardstick = f"import numpy, cv2, onnxruntime; cv2.imread({str(path)!r})"
        ours = [str(Path(sys.executable).with_name("kdscore")), str(path)]
        bare, full = alternate(
            partial(process, [sys.executable, "-c", yardstick]), partial(process, ours), runs
        )
        memory = peak_memory(ours)
        table.add_row(name, _ms(bare), _ms(full), f"{full / bare:.2f}", f"{memory:.0f} MB")
    return table


def warm_table(photos: dict[str, Path], runs: int) -> Table:
    """One scorer for all photos, as a library is used."""
    table = _table(
        "Warm score_photo", "photo", "cv2.imread", "score", "ratio", "one thread", "ratio"
    )
    scorer, single = Scorer(), Scorer(threads=1)
    for name, path in photos.items():
        read = partial(cv2.imread, str(path))
        bare, full = alternate(read, partial(scorer.score, str(path)), runs)
        _, one = alternate(read, partial(single.score, str(path)), runs)
        table.add_row(
            name, _ms(bare), _ms(full), f"{full / bare:.2f}", _ms(one), f"{one / bare:.2f}"
        )
    return table


def stage_table(photos: dict[str, Path], runs: int) -> Table:
    """Where the time of a warm run goes."""
    table = _table("Stages of a warm run", "photo", "open and decode", "grid", "squares", "rest")
    scorer = Scorer()
    for name, path in photos.items():
        times: dict[str, list[float]] = {"open": [], "grid": [], "squares": [], "all": []}
        for _ in range(runs):
            marks = [time.perf_counter()]
            photo = open_photo(str(path))
            photo.pixels(PHOTO.working_side_px)
            marks.append(time.perf_counter())
            grids = grids_in(detect_in(photo, scorer.grid_session), scorer.grid_session)
            marks.append(time.perf_counter())
            read_grid(photo, grids[0], scorer.squares_session, threads=cores())
            marks.append(time.perf_counter())
            scorer.score(str(path))
            marks.append(time.perf_counter())
            for stage, start, end in zip(times, marks, marks[1:], strict=False):
                times[stage].append(end - start)
        medians = {stage: statistics.median(values) for stage, values in times.items()}
        rest = medians["all"] - sum(medians[stage] for stage in ("open", "grid", "squares"))
        shown = [medians["open"], medians["grid"], medians["squares"], max(rest, 0.0)]
        table.add_row(name, *map(_ms, shown))
    return table


def kingdoms_table(folder: Path, runs: int) -> Table:
    """What a photo of several kingdoms takes, against one of the same size with one kingdom."""
    one = enlarged(folder, "one", MANY_PX)
    many = enlarged(folder, "many", MANY_PX, MANY)
    table = _table("Several kingdoms, 12 MP, warm", "photo", "one", "four", "ratio")
    for name, threads in (("all cores", 0), ("one thread", 1)):
        scorer = Scorer(threads=threads)
        found = len(scorer.score(str(many)).kingdoms)
        if found != 4:
            raise SystemExit(f"{found} kingdoms were found in {MANY}")
        alone, together = alternate(
            partial(scorer.score, str(one)), partial(scorer.score, str(many)), runs
        )
        table.add_row(name, _ms(alone), _ms(together), f"{together / alone:.2f}")
    return table


def alternate(
    one: Callable[[], object], other: Callable[[], object], runs: int
) -> tuple[float, float]:
    """Median seconds of two things, run in turn so that both see the same machine."""
    times: tuple[list[float], list[float]] = ([], [])
    one(), other()
    for _ in range(runs):
        for action, record in zip((one, other), times, strict=True):
            start = time.perf_counter()
            action()
            record.append(time.perf_counter() - start)
    return statistics.median(times[0]), statistics.median(times[1])


def process(command: list[str]) -> None:
    """Run to the end; exit codes of doubt are no failure here."""
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode not in (0, 6):
        raise SystemExit(done.stderr.decode())


def peak_memory(command: list[str]) -> float:
    """Largest resident size of a process in megabytes."""
    child = os.fork()
    if child == 0:
        process(command)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        os._exit(min(255, peak // 4096))
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) * 4096 / 1024


def _table(title: str, *heads: str) -> Table:
    table = Table(title=title)
    for head in heads:
        table.add_column(head, justify="left" if head == "photo" else "right")
    return table


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms"


if __name__ == "__main__":
    main()
