"""Interleave runs of `batch` and `verify` with what happens at a tournament, and count lost words.

    python -m scripts.fuzzing.faults [--count 300] [--seed 1]

Each interleaving is some steps drawn at random: a run, a run that is killed, a run during which
people save the table, a second run into the same table, a full disk, an edit, photos that are
renamed, copied, deleted or exchange their names, a sheet that is checked and written back. Photos
are fakes that carry their kingdom, so that 300 take minutes. After each step every field that a
person wrote must be in the table, beside the photo that it was written for, or in a file that the
program named as a backup. Ends with code 1 where one is not.
"""

import argparse
import contextlib
import csv
import errno
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from unittest import mock

from kdvision.errors import UsageError
from kdvision.result import PhotoResult
from kdvision.tournament import lines as photo_lines
from kdvision.tournament.batch.journal import Journal, locked
from kdvision.tournament.batch.run import batch
from kdvision.tournament.batch.scoring import Means
from kdvision.tournament.sheets import read_sheet
from kdvision.tournament.verify.run import verify, write_annotated

#: Columns that people write; one of them is their own.
COLUMNS = ("player", "game", "round", "claimed", "accept", "note", "Paid?")
PHOTOS = 3
STEPS = 7

MakePhoto = Callable[[Path, int], object]


class KilledError(BaseException):
    """Stands for the end of the process: nothing of ours may catch it."""


@dataclass
class Outcome:
    """What came of all interleavings."""

    steps: Counter[str] = field(default_factory=Counter)
    words: int = 0
    lost: list[str] = field(default_factory=list)


@dataclass
class Evening:
    """A folder with photos, a table of results, and all that people wrote, by the photo's bytes."""

    folder: Path
    make: MakePhoto
    means: Means
    rng: Random
    words: dict[int, dict[str, str]] = field(default_factory=dict)
    names: dict[int, list[str]] = field(default_factory=dict)
    number: int = 0

    @property
    def table(self) -> Path:
        """The table of results."""
        return self.folder / "results.csv"

    def start(self) -> None:
        """Take the first photos."""
        (self.folder / "photos").mkdir()
        for number in range(PHOTOS):
            self._photo(number)

    def _photo(self, number: int) -> None:
        name = f"{number}.jpg"
        self.make(self.folder / "photos" / name, number)
        self.names.setdefault(number, []).append(name)

    # ------------------------------------------------------------------ steps

    def run(self, progress: Callable[[PhotoResult | None], None] = lambda _: None) -> list[str]:
        """Run `batch`; what it says."""
        jobs, problems = photo_lines.collect_jobs([self.folder / "photos"])
        done = batch(jobs, self.table, problems=problems, means=self.means, progress=progress)
        return list(done.notes)

    def run_killed(self) -> list[str]:
        """Kill a run at some photo, or at the moment of writing."""
        at = self.rng.randrange(PHOTOS + 1)
        seen = 0

        def kill(*_: object) -> None:
            nonlocal seen
            seen += 1
            if seen > at:
                raise KilledError

        with contextlib.suppress(KilledError):
            self.run(kill)
        return []

    def run_killed_writing(self) -> list[str]:
        """Kill a run just before the table takes the place of the old one."""
        replace = Path.replace

        def kill(path: Path, target: Path) -> Path:
            if Path(target) == self.table:
                raise KilledError
            return replace(path, target)

        with mock.patch.object(Path, "replace", kill), contextlib.suppress(KilledError):
            self.run()
        return []

    def run_on_a_full_disk(self) -> list[str]:
        """Let the journal find no room."""

        def full(*_: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        with mock.patch.object(Journal, "_write", full), contextlib.suppress(UsageError):
            return self.run()
        return []

    def run_with_edits(self) -> list[str]:
        """Save the table while photos are scored."""
        edited = False

        def save(*_: object) -> None:
            nonlocal edited
            if not edited:
                edited = True
                self.edit()

        return self.run(save)

    def run_with_edit_while_writing(self) -> list[str]:
        """Save the table between its last reading and the write."""
        from kdvision.tournament.batch.results import ResultsTable

        write = ResultsTable.write
        edited: list[bool] = []

        def save_first(table: ResultsTable, *args: object) -> Path | None:
            if not edited:
                edited.append(True)
                self.edit()
            return write(table, *args)  # type: ignore[arg-type]

        with mock.patch.object(ResultsTable, "write", save_first):
            return self.run()

    def second_writer(self) -> list[str]:
        """Start a second run into the same table while one goes on."""
        at_once = mock.patch("kdvision.tournament.batch.journal.LOCK_WAIT_S", 0.0)
        with locked(self.table), at_once, contextlib.suppress(UsageError):
            return self.run()
        return []

    def edit(self) -> list[str]:
        """Write into the line of a photo, as a spreadsheet does, which saves the whole table."""
        if not self.table.exists():
            return []
        rows, head = _rows(self.table)
        head = [*head, *(name for name in COLUMNS if name not in head)]
        mine = [row for row in rows if self._number(row["photo"]) is not None]
        if not mine:
            return []
        row = self.rng.choice(mine)
        number = self._number(row["photo"])
        assert number is not None
        name = self.rng.choice(COLUMNS)
        if row.get(name) or self.words.get(number, {}).get(name):
            return []
        self.number += 1
        numeric = name in ("claimed", "accept", "round")
        text = str(self.number % 90) if numeric else f"{name} {self.number}"
        row[name] = text
        _write(self.table, head, rows)
        self.words.setdefault(number, {})[name] = text
        return []

    def rename(self) -> list[str]:
        """Rename a photo."""
        number = self.rng.choice(sorted(self.names))
        names = self.names[number]
        index = self.rng.randrange(len(names))
        self.number += 1
        new = f"table {self.number}.jpg"
        (self.folder / "photos" / names[index]).rename(self.folder / "photos" / new)
        names[index] = new
        return []

    def exchange_names(self) -> list[str]:
        """Give two photos the names of each other, and let a run find it."""
        first, second = (self.names[number] for number in self.rng.sample(sorted(self.names), 2))
        photos = self.folder / "photos"
        aside = photos / "aside"
        (photos / first[0]).rename(aside)
        (photos / second[0]).rename(photos / first[0])
        aside.rename(photos / second[0])
        first[0], second[0] = second[0], first[0]
        return self.run()

    def copy_and_delete(self) -> list[str]:
        """Delete a photo after it was copied."""
        number = self.rng.choice(sorted(self.names))
        self.number += 1
        new = f"copy {self.number}.jpg"
        photos = self.folder / "photos"
        old = self.names[number][0]
        shutil.copy(photos / old, photos / new)
        if self.rng.random() < 0.5:
            self.run()
        (photos / old).unlink()
        self.names[number][0] = new
        return []

    def new_photo(self) -> list[str]:
        """Take one photo more."""
        self._photo(max(self.names) + 1)
        return []

    def check_and_write_back(self) -> list[str]:
        """Check the table as a sheet of claims, and write it back where it was."""
        if not self.table.exists() or not _rows(self.table)[0]:
            return []
        copy = self.folder / "sheet.csv"
        shutil.copy(self.table, copy)
        before = _words(copy)
        found = verify(read_sheet(copy), means=self.means)
        write_annotated(found, copy)
        lost = before - _words(copy)
        if lost:
            raise AssertionError(f"verify lost {dict(lost)}")
        return []

    # ------------------------------------------------------------------ what must hold

    def _number(self, photo: str) -> int | None:
        """Which photo a line is about, by its name now; None for one that is not there."""
        name = Path(photo).name
        return next((number for number, names in self.names.items() if name in names), None)

    def lost(self) -> Iterator[str]:
        """Words that are not in a line of their photo, and not in a backup either."""
        if not self.table.exists():
            return
        rows, _ = _rows(self.table)
        kept = Counter[tuple[str, str]]()
        for backup in self.folder.glob("results.csv.*.bak"):
            kept += _words(backup)
        for number, words in self.words.items():
            mine = [row for row in rows if self._number(row["photo"]) in (number, None)]
            for name, text in words.items():
                if not any(row.get(name) == text for row in mine) and not kept[name, text]:
                    yield f"{name}={text!r} of photo {number}"


def _rows(path: Path) -> tuple[list[dict[str, str]], list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        return list(reader), list(reader.fieldnames or ())


def _write(path: Path, head: list[str], rows: list[dict[str, str]]) -> None:
    new = path.with_name("saved")
    with new.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, head, restval="")
        writer.writeheader()
        writer.writerows(rows)
    new.replace(path)


def _words(path: Path) -> Counter[tuple[str, str]]:
    rows, _ = _rows(path)
    return Counter((name, row[name]) for row in rows for name in COLUMNS if row.get(name))


STEP_NAMES = (
    "run", "run_killed", "run_killed_writing", "run_on_a_full_disk", "run_with_edits",
    "run_with_edit_while_writing", "second_writer", "edit", "edit", "rename", "exchange_names",
    "copy_and_delete", "new_photo", "check_and_write_back",
)  # fmt: skip


def interleave(count: int, seed: int, make: MakePhoto, means: Means) -> Outcome:
    """Try random interleavings.

    Args:
        count: The number of interleavings.
        seed: Makes them the same every time.
        make: Writes a photo with a number to a path.
        means: Scores such photos.
    """
    outcome = Outcome()
    for number in range(count):
        rng = Random(f"{seed} {number}")
        with tempfile.TemporaryDirectory() as folder:
            evening = Evening(Path(folder), make, means, rng)
            evening.start()
            done: list[str] = []
            for name in ["run", *rng.choices(STEP_NAMES, k=STEPS), "run"]:
                done.append(name)
                getattr(evening, name)()
                outcome.steps[name] += 1
                lost = list(evening.lost())
                if lost:
                    steps = ", ".join(done)
                    outcome.lost += [f"{word} after {steps} (number {number})" for word in lost]
                    break
            outcome.words += sum(map(len, evening.words.values()))
    return outcome


def main(words: list[str] | None = None) -> int:
    """The command line; the exit code."""
    from tests.support.fakes import fake_means, write_photo

    parser = argparse.ArgumentParser(description="Interleave runs with faults and edits.")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(words)
    means = fake_means(executor=ThreadPoolExecutor(2), workers=2)

    def make(path: Path, number: int) -> object:
        return write_photo(path, number=number)

    found = interleave(args.count, args.seed, make, means)
    for loss in found.lost:
        print(loss)
    print(
        f"{args.count} interleavings, {found.steps.total()} steps, {found.words} fields written by "
        f"people, {len(found.lost)} lost."
    )
    return 1 if found.lost else 0


if __name__ == "__main__":
    sys.exit(main())
