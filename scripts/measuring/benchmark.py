"""Speed and memory of the program, against what any program must pay.

    python -m scripts.measuring.benchmark

The yardstick of a cold run is a Python process that imports numpy, cv2 and onnxruntime and reads
the same photo with `cv2.imread`; that of a warm `score_photo` is `cv2.imread` alone. The photos
are a sample enlarged to 9 and to 16 megapixels. What a phone waits for at the page is measured
without a network. The tables are printed and written into docs/accuracy.md.
"""

import compileall
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path

import cv2
from rich.console import Console
from rich.table import Table
from starlette.testclient import TestClient

from kdvision.pipeline.scorer import Scorer
from kdvision.serve.app import create_app
from kdvision.serve.evening import rank_players
from kdvision.serve.store import Store
from scripts.measuring.evaluation.markdown import fill, markdown
from scripts.measuring.evaluation.result_tables import table
from scripts.paths import ROOT, SAMPLES
from scripts.pictures import read_bgr, resized, write_jpeg
from tests.support.games import tables_of_four

SAMPLE = "meadow_5x5.jpg"
#: Times are medians of so many runs.
RUNS = 9
PLAYERS = 3000
SIZES = {"9 MP": 3464, "16 MP": 4618}


def main() -> None:
    """Make the photos, measure, print and write."""
    # As pip does for an installed package; else a cold run would measure Python's compiler.
    compileall.compile_dir(ROOT / "kdvision", quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        photos = {name: enlarged(Path(folder), name, width) for name, width in SIZES.items()}
        tables = [cold_table(photos), warm_table(photos), page_table(Path(folder))]
    Console(width=110).print(*tables)
    fill(ROOT / "docs" / "accuracy.md", "speed", markdown(tables))


def enlarged(folder: Path, name: str, width: int) -> Path:
    """Return a sample at the size of a phone's photo."""
    picture = read_bgr(SAMPLES / SAMPLE)
    path = folder / f"{name.replace(' ', '')}.jpg"
    write_jpeg(path, resized(picture, width / picture.shape[1], cv2.INTER_CUBIC), 92)
    return path


def cold_table(photos: dict[str, Path]) -> Table:
    """Whole processes, started anew each time, in turn with their yardstick."""
    rows = []
    for name, path in photos.items():
        yardstick = f"import numpy, cv2, onnxruntime; cv2.imread({str(path)!r})"
        ours = [str(Path(sys.executable).with_name("kdscore")), str(path)]
        command = [sys.executable, "-c", yardstick]
        bare, full = alternate(partial(process, command), partial(process, ours))
        rows.append([name, _ms(bare), _ms(full), f"{full / bare:.2f}", f"{peak_memory():.0f} MB"])
    return table("Cold run", ("photo", "yardstick", "kdscore", "ratio", "peak memory"), rows)


def warm_table(photos: dict[str, Path]) -> Table:
    """One scorer for all photos, as a library is used."""
    rows = []
    scorer, single = Scorer(), Scorer(threads=1)
    for name, path in photos.items():
        read = partial(cv2.imread, str(path))
        bare, full = alternate(read, partial(scorer.score, str(path)))
        _, alone = alternate(read, partial(single.score, str(path)))
        ratios = f"{full / bare:.2f}", f"{alone / bare:.2f}"
        rows.append([name, _ms(bare), _ms(full), ratios[0], _ms(alone), ratios[1]])
    heads = ("photo", "cv2.imread", "score", "ratio", "one thread", "ratio")
    return table("Warm score_photo", heads, rows)


def page_table(folder: Path) -> Table:
    """Return what the server of the page takes for what phones wait for."""
    path = enlarged(folder, "12 MP", 4000)
    data, uploads = path.read_bytes(), count()
    evening = tables_of_four(PLAYERS // 4)
    with (
        closing(Store(folder / "evening.sqlite")) as store,
        TestClient(create_app(Scorer(), store)) as client,
    ):

        def upload() -> None:
            # Each is another file: what was read before is not read again.
            file = ("photo.jpg", data + bytes(next(uploads)))
            client.post("/api/photos", files={"photo": file}).raise_for_status()

        photo, ranking = alternate(upload, partial(rank_players, evening))
    rows = [
        ["a photo of 12 MP, from upload to total", _ms(photo)],
        [f"a ranking of {PLAYERS:,} players", _ms(ranking)],
    ]
    return table("The page", ("a phone waits for", "time"), rows)


def alternate(one: Callable[[], object], other: Callable[[], object]) -> tuple[float, float]:
    """Median seconds of two things, run in turn so that both see the same machine."""
    times: tuple[list[float], list[float]] = ([], [])
    one(), other()
    for _ in range(RUNS):
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


def peak_memory() -> float:
    """Largest resident size of the processes so far in megabytes: that of the largest photo yet."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms"


if __name__ == "__main__":
    main()
