"""Three hundred days: photos turned and retaken, sheets edited, results used as sheets.

After each run, what people wrote stands in the results cell by cell, and no name has another
player's kingdom.
"""

import csv
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from kdvision.errors import UsageError
from kdvision.rules.kingdom import CASTLE, Kingdom, parse_cell
from kdvision.rules.scoring import score
from kdvision.tournament.cells import show_value
from kdvision.tournament.columns import FOUND, find_results
from kdvision.tournament.journal import locate_journal
from kdvision.tournament.likeness import parse_reading, same_kingdom
from kdvision.tournament.request import Request
from kdvision.tournament.run import run
from kdvision.tournament.sheet import read_sheets
from tests.support.crashes import crash_while_writing, kill_while_saving
from tests.support.fakes import fake_workers, write_photo
from tests.support.played import change_cell

pytestmark = pytest.mark.slow

WORKERS = fake_workers(executor=ThreadPoolExecutor(1))
FACES = [f"{letter}{crowns}" for letter in "WFLGSM" for crowns in ("", "", "1", "2", "3")]
#: Columns of people; the program gives the second and the last no meaning.
COLUMNS = ("photo", "Status", "player", "claimed", "note", "accept", "nr")
#: What people write into a cell of a column.
WORDS = {
    "Status": ("paid", "sure", "doubtful", ""),
    "player": ("Ann", "Ben", "Cle", "Dan", "Eve", "=A1"),
    "claimed": ("46", "54", "n/a", "54 P.", ""),
    "note": ("look", "Kim", " a  b", ""),
    "accept": ("33", "photo", ""),
}


class Day:
    """A sheet, its photos, and the kingdoms of its rows.

    Rows are known by their number in the column `nr`, which is nobody's but people's.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.rng = Random(seed)
        self.folder = folder
        suffix = ".xlsx" if seed % 5 == 0 else ".csv"
        self.sheet, self.output = folder / "sheet.csv", folder / f"out{suffix}"
        self.kingdoms: dict[str, Kingdom] = {}
        self.photos: dict[str, list[str]] = {}
        self.rows: list[dict[str, str]] = []
        self.columns = list(COLUMNS)
        for _ in range(self.rng.randint(1, 3)):
            self.add_photo()
        self.write_sheet()

    # -------------------------------------------------------------- photos

    def add_photo(self) -> None:
        name = f"{len(self.photos)}.jpg"
        self.photos[name] = []
        for _ in range(self.rng.randint(1, 4)):
            nr = str(len(self.kingdoms))
            self.kingdoms[nr] = random_kingdom(self.rng)
            self.photos[name].append(nr)
            claimed = str(score(self.kingdoms[nr]).total)
            player = self.rng.choice(WORDS["player"])
            self.rows.append({"nr": nr, "photo": name, "player": player, "claimed": claimed})
        self.take_photo(name)

    def take_photo(self, name: str) -> None:
        """Take a photo from any side: other letters, turned kingdoms, a square misread."""
        shown = []
        order = list(self.photos[name])
        self.rng.shuffle(order)
        quarters = self.rng.randrange(4)
        for nr in order:
            kingdom = self.kingdoms[nr].turned(quarters)
            if self.rng.random() < 0.2:
                at = self.rng.choice(list(kingdom.squares()))
                kingdom = change_cell(kingdom, at, parse_cell("M3"))
            shown.append(str(kingdom))
        write_photo(self.folder / name, " | ".join(shown), number=self.rng.randrange(10**6))

    def retake(self) -> None:
        self.take_photo(self.rng.choice(list(self.photos)))

    def exchange_photos(self) -> None:
        first, second = self.rng.choices(list(self.photos), k=2)
        if (self.folder / first).exists() and (self.folder / second).exists():
            (self.folder / first).rename(self.folder / "x")
            if first != second:
                (self.folder / second).rename(self.folder / first)
            (self.folder / "x").rename(self.folder / second)

    def lose_photo(self) -> None:
        (self.folder / self.rng.choice(list(self.photos))).unlink(missing_ok=True)

    def find_photos(self) -> None:
        for name in self.photos:
            self.take_photo(name)

    # -------------------------------------------------------------- the sheet

    def write_sheet(self) -> None:
        with self.sheet.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, self.columns, restval="")
            writer.writeheader()
            writer.writerows(self.rows)

    def edit(self) -> None:
        row = self.rng.choice(self.rows)
        column = self.rng.choice([name for name in WORDS if name in self.columns])
        row[column] = self.rng.choice(WORDS[column])
        self.write_sheet()

    def sort_rows(self) -> None:
        self.rng.shuffle(self.rows)
        self.write_sheet()

    def delete_row(self) -> None:
        if len(self.rows) > 1:
            self.rows.remove(self.rng.choice(self.rows))
            self.write_sheet()

    def move_column(self) -> None:
        self.rng.shuffle(self.columns)
        self.write_sheet()

    def new_photo(self) -> None:
        self.add_photo()
        self.write_sheet()

    def use_results(self) -> None:
        """Go on with the results as the sheet: a person has sorted them, and typed into them."""
        if self.output.exists() and self.output.suffix == ".csv":
            with self.output.open(encoding="utf-8", newline="") as file:
                self.rows = list(csv.DictReader(file))
            self.columns = [*self.rows[0]]
            for row in self.rows:
                row["note"] = self.rng.choice(WORDS["note"])
            self.sort_rows()

    def change_results(self) -> None:
        """A person types into the results: the next run leaves them, so they are put away."""
        if self.output.exists():
            self.output.write_bytes(self.output.read_bytes() + b"\n")
            with pytest.raises(UsageError, match="was changed since kdscore wrote it"):
                self.run_once()
            self.output.unlink()

    # -------------------------------------------------------------- runs

    def kill(self) -> None:
        kill_while_saving(self.run_once, is_saved=self.rng.random() < 0.5)

    def tear_journal(self) -> None:
        """Leave the journal as a crash does: in the middle of what was being written."""
        journal = locate_journal(self.output)
        if journal.exists():
            crash_while_writing(journal)

    def delete_journal(self) -> None:
        """Deleting it costs time; where the sheet has changed since, the results go as well."""
        locate_journal(self.output).unlink(missing_ok=True)
        self.output.unlink(missing_ok=True)

    def run_once(self) -> None:
        run(Request(inputs=(self.sheet,), output=self.output, needs_claims=True), WORKERS)

    def check(self) -> None:
        """See that every word of people stands in the results, in its row and column."""
        (results,) = read_sheets(self.output)
        headings = [column.heading for column in results.columns]
        # The six of the program are people's where somebody tore them apart.
        block = find_results(self.columns)
        program = () if block is None else range(block, block + len(FOUND))
        own = [name for place, name in enumerate(self.columns) if place not in program]
        assert headings == own
        assert len(results.rows) == len(self.rows)
        for row, words in zip(results.rows, self.rows, strict=True):
            written = [words.get(name, "").strip() for name in own]
            assert list(map(show_value, row.values)) == written
            last = parse_reading(words.get("reading", "")) if program else None
            if last and row.reading and not same_kingdom(last, row.reading):
                assert "shows another kingdom than before" in row.found["explanation"]


def random_kingdom(rng: Random) -> Kingdom:
    cells = {(row, col): parse_cell(rng.choice(FACES)) for row in range(4) for col in range(4)}
    cells[rng.randrange(4), rng.randrange(4)] = CASTLE
    return Kingdom.of_cells(cells)


@pytest.mark.parametrize("tens", range(30))
def test_people_find_their_words_in_results(tens: int, tmp_path: Path) -> None:
    for seed in range(10 * tens, 10 * tens + 10):
        folder = tmp_path / str(seed)
        folder.mkdir()
        day = Day(folder, seed)
        happenings: list[Callable[[], None]] = [
            day.edit, day.edit, day.sort_rows, day.delete_row, day.move_column, day.new_photo,
            day.retake, day.retake, day.exchange_photos, day.lose_photo, day.find_photos,
            day.use_results, day.change_results, day.kill, day.tear_journal, day.delete_journal,
        ]  # fmt: skip
        for _ in range(4):
            for happens in day.rng.choices(happenings, k=day.rng.randint(0, 3)):
                happens()
            before = day.sheet.read_bytes()
            day.run_once()
            day.check()
            # The same command, repeated, gives the same bytes, and no run writes the sheet.
            data = day.output.read_bytes()
            day.run_once()
            assert day.output.read_bytes() == data and day.sheet.read_bytes() == before
