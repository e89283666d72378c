"""Speed and memory of the program, against what any program must pay.

    python -m scripts.measuring.benchmark
    python -m scripts.measuring.benchmark --page    # the table of the page alone; writes nothing

The yardstick of a cold run is a Python process that imports numpy, cv2 and onnxruntime and reads
the same photo with `cv2.imread`; that of a warm `score_photo` is `cv2.imread` alone. The photos
are a sample enlarged to 9 and to 16 megapixels. What a phone waits for at the page is measured
at a server of its own process, as `kdscore serve` starts it, on loopback. The tables are printed
and written into docs/accuracy.md.
"""

import argparse
import compileall
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import timeit
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import cv2
from rich.console import Console
from rich.table import Table

from kdvision.pipeline.scorer import Scorer
from kdvision.serve.evening import rank_players
from scripts.measuring.evaluation.markdown import fill, markdown
from scripts.measuring.evaluation.result_tables import table
from scripts.paths import ROOT, SAMPLES
from scripts.pictures import read_bgr, resized, write_jpeg
from tests.support.games import tables_of_four
from tests.support.serving import Running, ask, form, running_server, upload

SAMPLE = "meadow_5x5.jpg"
#: Times are medians of so many runs.
RUNS = 9
PLAYERS = 3000
#: Phones that send a photo at the same moment.
PHONES = 30
#: What their photos show: a kingdom, two, or all four of a table.
TABLES = ("meadow_5x5.jpg", "four_kingdoms.jpg", "gaps_5x5.jpg", "two_kingdoms.jpg", "corner.jpg")
#: What a square is corrected to, one after the other.
FACES = ("W", "F", "L", "G", "S", "W1", "F1", "L1", "G1")
#: Pixels of the longer side of a photo as the page sends it.
SENT_PX = 2600
SIZES = {"9 MP": 3464, "16 MP": 4618}


def main() -> None:
    """Make the photos, measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--page", action="store_true", help="the table of the page alone")
    if parser.parse_args().page:
        with tempfile.TemporaryDirectory() as folder:
            Console(width=110).print(page_table(Path(folder)))
        return
    # As pip does for an installed package; else a cold run would measure Python's compiler.
    compileall.compile_dir(ROOT / "kdvision", quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        photos = {name: enlarged(Path(folder), name, side) for name, side in SIZES.items()}
        tables = [cold_table(photos), warm_table(photos), page_table(Path(folder))]
    Console(width=110).print(*tables)
    fill(ROOT / "docs" / "accuracy.md", "speed", markdown(tables))


def enlarged(folder: Path, name: str, side: int, sample: str = SAMPLE) -> Path:
    """Return a sample with so many pixels on its longer side."""
    picture = read_bgr(SAMPLES / sample)
    path = folder / f"{name.replace(' ', '')}.jpg"
    write_jpeg(path, resized(picture, side / max(picture.shape), cv2.INTER_CUBIC), 92)
    return path


def cold_table(photos: dict[str, Path]) -> Table:
    """Measure whole processes, started anew each time, in turn with their yardstick."""
    rows = []
    for name, path in photos.items():
        yardstick = f"import numpy, cv2, onnxruntime; cv2.imread({str(path)!r})"
        ours = [str(Path(sys.executable).with_name("kdscore")), str(path)]
        command = [sys.executable, "-c", yardstick]
        bare, full = alternate(partial(process, command), partial(process, ours))
        rows.append([name, _ms(bare), _ms(full), f"{full / bare:.2f}", f"{peak_memory():.0f} MB"])
    return table("Cold run", ("photo", "yardstick", "kdscore", "ratio", "peak memory"), rows)


def warm_table(photos: dict[str, Path]) -> Table:
    """Measure one scorer for all photos, as a library is used."""
    rows = []
    scorers = Scorer(), Scorer(threads=1)
    for name, path in photos.items():
        read = partial(cv2.imread, str(path))
        bare, full, alone = alternate(read, *(partial(one.score, path) for one in scorers))
        ratios = f"{full / bare:.2f}", f"{alone / bare:.2f}"
        rows.append([name, _ms(bare), _ms(full), ratios[0], _ms(alone), ratios[1]])
    heads = ("photo", "cv2.imread", "score", "ratio", "one thread", "ratio")
    return table("Warm score_photo", heads, rows)


def page_table(folder: Path) -> Table:
    """Return what phones wait for: a photo alone, photos of thirty phones at once, a ranking."""
    large = enlarged(folder, "12 MP", 4000).read_bytes()
    sent = [enlarged(folder, Path(name).stem, SENT_PX, name).read_bytes() for name in TABLES]
    # Each is another file: what was read before is not read again.
    singles = [form(large + bytes(run)) for run in range(RUNS + 1)]
    bodies = [form(sent[phone % len(sent)] + bytes(phone)) for phone in range(PHONES)]
    with running_server(folder / "evening.sqlite") as server:
        # The first one loads the models.
        _, *alone = [wait_for_total(server, body) for body in singles]
        corrected = [wait_for_correction(server, face) for face in FACES]
        with ThreadPoolExecutor(PHONES) as phones:
            together = list(phones.map(partial(wait_for_total, server), bodies))
    (ranking,) = alternate(partial(rank_players, tables_of_four(PLAYERS // 4)))
    rows = [
        ["a photo of 12 MP, from upload to total", _ms(statistics.median(alone))],
        ["a corrected square", _ms(statistics.median(corrected))],
        [f"{PHONES} photos sent at once, the median", _ms(statistics.median(together))],
        [f"{PHONES} photos sent at once, the last", _ms(max(together))],
        [f"a ranking of {PLAYERS:,} players", _ms(ranking)],
    ]
    return table("The page", ("a phone waits for", "time"), rows)


def wait_for_total(server: Running, body: bytes) -> float:
    """Return the seconds from sending a photo to its totals."""
    start = time.perf_counter()
    status, answer = upload(server, body)
    if status != 201 or not answer["kingdoms"]:
        raise SystemExit(f"a photo was answered {status}: {answer}")
    return time.perf_counter() - start


def wait_for_correction(server: Running, face: str) -> float:
    """Return the seconds from correcting a square of the last photo to its totals."""
    seats = ask(server, "GET", "/api/evening")[1]["game"]["seats"]
    photo = next(seat["photo"] for seat in seats if seat["photo"])
    body, kind = json.dumps({"A.b1": face}).encode(), {"Content-Type": "application/json"}
    start = time.perf_counter()
    status, answer = ask(server, "POST", f"/api/photos/{photo}/fixes", body, **kind)
    if status != 200:
        raise SystemExit(f"a correction was answered {status}: {answer}")
    return time.perf_counter() - start


def alternate(*actions: Callable[[], object]) -> list[float]:
    """Return median seconds of things, run in turn so that all see the same machine."""
    turns = []
    for _ in range(RUNS + 1):
        turns.append([timeit.timeit(action, "gc.enable()", number=1) for action in actions])
    # The first turn does not count.
    return [statistics.median(times) for times in zip(*turns[1:], strict=True)]


def process(command: list[str]) -> None:
    """Run to the end; exit codes of doubt are no failure here."""
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode not in (0, 6):
        raise SystemExit(done.stderr.decode())


def peak_memory() -> float:
    """Return the largest resident size of the processes so far in megabytes."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms"


if __name__ == "__main__":
    main()
