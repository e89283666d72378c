"""People, phones and crashes at once: no word is lost, and none moves to another kingdom."""

import csv
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from kdvision.rules.kingdom import CASTLE, Kingdom, parse_cell
from kdvision.rules.scoring import score
from kdvision.tournament import run as runs
from kdvision.tournament.owners import parse_reading, same_kingdom
from kdvision.tournament.run import Request, run
from kdvision.tournament.sheet import read_sheet
from tests.support.crashes import crash_while_writing, kill_while_saving
from tests.support.fakes import fake_workers, write_photo
from tests.support.played import change_cell

pytestmark = pytest.mark.slow

WORKERS = fake_workers(executor=ThreadPoolExecutor(1))
FACES = [f"{letter}{crowns}" for letter in "WFLGSM" for crowns in ("", "", "1", "2", "3")]
COLUMNS = ("nr", "photo", "player", "claimed", "note", "accept")
#: What people write into a cell of a column.
WORDS = {
    "player": ("Ann", "Ben", "Cle", "Dan", "Eve"),
    "claimed": ("46", "54", "n/a", ""),
    "note": ("look", "Kim", ""),
    "accept": ("photo", "33", ""),
}


class Evening:
    """A sheet, its output and its photos, and what must stand in the output.

    Lines are known by their number in the column `nr`, which is nobody's but people's.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.rng = Random(seed)
        self.folder = folder
        suffix = ".xlsx" if seed % 6 == 0 else ".csv"
        self.sheet, self.output = folder / "sheet.csv", folder / f"out{suffix}"
        self.kingdoms: dict[str, Kingdom] = {}
        self.photos: dict[str, list[str]] = {}
        #: What people wrote last, by line: in the sheet, and in the output.
        self.input: dict[str, dict[str, str]] = {}
        self.expected: dict[str, dict[str, str]] = {}
        self.edited: dict[str, set[str]] = {}
        self.heard: dict[str, dict[str, str]] = {}
        #: The kingdom that a line had first.
        self.owned: dict[str, str] = {}
        for _ in range(self.rng.randint(1, 3)):
            self.add_photo()
        self.write_sheet()

    def add_photo(self) -> None:
        name = f"{len(self.photos)}.jpg"
        players = list(WORDS["player"])
        self.rng.shuffle(players)
        self.photos[name] = []
        for _ in range(self.rng.randint(1, 4)):
            nr = str(len(self.kingdoms))
            kingdom = random_kingdom(self.rng)
            self.kingdoms[nr] = kingdom
            self.photos[name].append(nr)
            claimed = str(score(kingdom).total)
            words = {"nr": nr, "photo": name, "player": players.pop(), "claimed": claimed}
            self.input[nr] = words
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

    def write_sheet(self) -> None:
        """Write the sheet in any order."""
        rows = list(self.input.values())
        self.rng.shuffle(rows)
        with self.sheet.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)

    # -------------------------------------------------------------- what happens

    def edit_sheet(self) -> None:
        nr = self.rng.choice(list(self.input))
        column, word = self.any_word()
        self.input[nr][column] = word
        self.write_sheet()

    def edit_output(self) -> None:
        if not self.output.exists():
            return
        sheet = read_sheet(self.output)
        line = self.rng.choice(sheet.lines)
        column, word = self.any_word()
        sheet.set(line.number, {column: word})
        sheet.save(self.output)
        nr = line.cells["nr"]
        if self.expected[nr].get(column, "") != word:
            self.edited.setdefault(nr, set()).add(column)
        self.expected[nr][column] = word

    def any_word(self) -> tuple[str, str]:
        column = self.rng.choice(list(WORDS))
        return column, self.rng.choice(WORDS[column])

    def sort_output(self) -> None:
        if self.output.exists() and self.output.suffix == ".csv":
            head, *lines = self.output.read_text("utf-8").splitlines(keepends=True)
            self.rng.shuffle(lines)
            self.output.write_text("".join([head, *lines]), "utf-8")

    def delete_line(self) -> None:
        """Delete a line of the sheet; the output keeps it."""
        if len(self.input) > 1 and self.output.exists():
            del self.input[self.rng.choice(list(self.input))]
            self.write_sheet()

    def new_line(self) -> None:
        self.add_photo()
        self.write_sheet()

    def retake(self) -> None:
        self.take_photo(self.rng.choice(list(self.photos)))

    def lose_photo(self) -> None:
        (self.folder / self.rng.choice(list(self.photos))).unlink(missing_ok=True)

    def find_photos(self) -> None:
        for name in self.photos:
            if not (self.folder / name).exists():
                self.take_photo(name)

    def tear_journal(self) -> None:
        """Leave the journal as a crash does: in the middle of what was being written."""
        journal = runs.locate_journal(self.output)
        if journal.exists():
            crash_while_writing(journal)

    def killed_run(self) -> None:
        is_saved = self.output.exists() and self.rng.random() < 0.5
        kill_while_saving(self.run_once, is_saved=is_saved)
        if is_saved:
            self.settle()

    def run_once(self) -> None:
        run(Request(inputs=(self.sheet,), output=self.output, needs_claims=True), WORKERS)

    def settle(self) -> None:
        """Work out what must stand in the output: its own edits, else what the sheet says newly."""
        for nr, words in self.input.items():
            before = self.expected.setdefault(nr, {})
            heard = self.heard.get(nr, {})
            for column in COLUMNS:
                is_new = words.get(column, "") != heard.get(column, "")
                if is_new and column not in self.edited.get(nr, ()):
                    before[column] = words.get(column, "")
            self.heard[nr] = dict(words)
        self.edited = {}

    # -------------------------------------------------------------- what must be

    def check(self) -> None:
        lines = {line.cells["nr"]: line for line in read_sheet(self.output).lines}
        assert lines.keys() == self.expected.keys(), "a line was lost, or is there twice"
        for nr, words in self.expected.items():
            cells = lines[nr].cells
            written = {column: cells.get(column, "") for column in COLUMNS}
            assert written == {column: words.get(column, "") for column in COLUMNS}
            reading = parse_reading(cells.get("reading", ""))
            if reading is not None:
                (kingdom,) = (
                    nr for nr, shown in self.kingdoms.items() if same_kingdom(reading, shown)
                )
                assert self.owned.setdefault(nr, kingdom) == kingdom, "a name has moved"


def random_kingdom(rng: Random) -> Kingdom:
    cells = {(row, col): parse_cell(rng.choice(FACES)) for row in range(4) for col in range(4)}
    cells[rng.randrange(4), rng.randrange(4)] = CASTLE
    return Kingdom.of_cells(cells)


@pytest.mark.parametrize("tens", range(20))
def test_nothing_is_lost_and_no_name_moves(tens: int, tmp_path: Path) -> None:
    for seed in range(10 * tens, 10 * tens + 10):
        folder = tmp_path / str(seed)
        folder.mkdir()
        evening = Evening(folder, seed)
        happenings: list[Callable[[], None]] = [
            evening.edit_sheet, evening.edit_output, evening.edit_output, evening.sort_output,
            evening.delete_line, evening.new_line, evening.retake, evening.retake,
            evening.lose_photo, evening.find_photos, evening.tear_journal,
            evening.killed_run,
        ]  # fmt: skip
        for _ in range(4):
            for happens in evening.rng.choices(happenings, k=evening.rng.randint(0, 3)):
                happens()
            evening.run_once()
            evening.settle()
            evening.check()
        # The same command, repeated, changes no cell.
        lines = read_sheet(evening.output).lines
        evening.run_once()
        assert read_sheet(evening.output).lines == lines
