"""What limits a server first: its one writer, its disk, or the board of a large tournament.

    python -m scripts.measuring.serve_limits [--seconds 10] [--tables 100]

Writes results with pictures of two sizes into a store of SQLite for so many seconds each, and makes
the board of a round of so many tables with four players each: anew, after one more claim, and after
one more photo. Nothing is scored.
"""

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table

from kdvision.pipeline.scorer import Scorer
from kdvision.report.json import to_object
from kdvision.rules import GameState
from kdvision.serve.desk.board import Judge
from kdvision.serve.desk.seats import Handed, Record, RoundTable, Sent, read_seating
from kdvision.serve.store import Store, StoredPhoto, new_id
from scripts.paths import SAMPLES

#: Bytes of a picture: of a sample, and of a phone's photo of 12 megapixels.
_SIZES = {"a sample, 0.25 MB": 250_000, "a phone's photo, 3 MB": 3_000_000}
_SEATS = 4
_SAMPLE = "meadow_5x5.jpg"
_DAY_S = 24 * 3600


def main() -> None:
    """Parse, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--tables", type=int, default=100)
    options = parser.parse_args()
    text = json.dumps(to_object(Scorer(threads=1).score(SAMPLES / _SAMPLE)))
    table = Table(title="one writer of SQLite, every commit on the disk")
    for head in ("picture", "photos/s", "a day", "file, per photo"):
        table.add_column(head, justify="right")
    for name, size in _SIZES.items():
        rate, each = writes(text, size, options.seconds)
        table.add_row(name, f"{rate:.0f}", f"{rate * _DAY_S / 1e6:.1f} million", f"{each:,.0f} B")
    console = Console(width=110)
    console.print(table)
    first, claim, photo = board(text, options.tables)
    players = _SEATS * options.tables
    console.print(
        f"board of {options.tables} tables, {players} players: "
        f"anew {first:.2f} s of one core, after one more claim "
        f"{1000 * claim:.0f} ms, after one more photo {1000 * photo:.0f} ms"
    )


def writes(text: str, size: int, seconds: float) -> tuple[float, float]:
    """Photos per second that one writer keeps, and the bytes of the file for each.

    Args:
        text: A result.
        size: Bytes of a picture.
        seconds: For how long to write.
    """
    picture = os.urandom(size)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.sqlite"
        store = Store(path)
        count, start = 0, time.perf_counter()
        while time.perf_counter() - start < seconds:
            store.add_photo(StoredPhoto(new_id(), "a.jpg", "{}", "{}", text, picture), "")
            count += 1
        rate = count / (time.perf_counter() - start)
        store.close()
        return rate, path.stat().st_size / count


def board(text: str, tables: int) -> tuple[float, float, float]:
    """Seconds of one core for the board of a round: anew, after one more claim, one more photo.

    Args:
        text: A result of one kingdom; every player has it with a kingdom of a game played here.
        tables: How many tables play.
    """
    photos = {f"{table}-{seat}": one for table, seat, one in _results(text, tables)}
    with tempfile.TemporaryDirectory() as folder:
        sheet = Path(folder) / "sheet.csv"
        rows = [f"1,{name.split('-')[0]},P{name}" for name in photos]
        sheet.write_text("\n".join(["round,table,player", *rows]))
        record = {
            (RoundTable("1", name.split("-")[0]), f"P{name}"): Handed(40, Sent(name, "", name))
            for name in photos
        }
        judge = Judge(read_seating(sheet), photos.get)
        first = _timed(judge, record)
        key = next(iter(record))
        record[key] = Handed(41, record[key].sent)
        claim = _timed(judge, record)
        record[key] = Handed(41, Sent(key[1][1:], "", "another"))
        return first, claim, _timed(judge, record)


def _results(text: str, tables: int) -> Iterator[tuple[int, int, str]]:
    """For each table and seat the text of a result with a kingdom of that game."""
    for table in range(tables):
        state = GameState.start(_SEATS, seed=table)
        while not state.over:
            state = state.play(Random(f"{table} {state}").choice(state.actions()))
        for seat, kingdom in enumerate(state.kingdoms):
            result = json.loads(text)
            result["kingdoms"][0]["kingdom"] = str(kingdom)
            yield table, seat, json.dumps(result)


def _timed(judge: Judge, record: Record) -> float:
    start = time.process_time()
    judge.board(record)
    return time.process_time() - start


if __name__ == "__main__":
    main()
