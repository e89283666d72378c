"""A tournament of twelve tables and three rounds, whose sheets no command ever writes."""

import csv
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from openpyxl import Workbook

from kdvision.errors import ExitCode
from kdvision.rules.scoring import score
from scripts.synthesis.players import Greedy, play_game
from tests.support.fakes import fake_photo, write_photo
from tests.support.programs import obeys_modes, python
from tests.support.serving import COLOURS, TABLE, ask, form, running_server, upload

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not obeys_modes(), reason="this user may write whatever is read-only"),
]

TABLES = 12
HEAD = ["Foto", "Name", "Farbe", "Tisch", "Runde", "Punkte", "Status"]


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Path]:
    """The folder of the organiser: a sheet for each round, each in another form, and photos."""
    for round_ in (1, 2, 3):
        rows = []
        for table in range(1, TABLES + 1):
            photo = f"photos/r{round_}t{table}.jpg"
            played = play_game([Greedy()] * 4, 100 * round_ + table).kingdoms
            kingdoms = [player.kingdom.trimmed() for player in played]
            write_photo(tmp_path / photo, " | ".join(map(str, kingdoms)), colours=COLOURS)
            for seat, (colour, kingdom) in enumerate(zip(COLOURS, kingdoms, strict=True)):
                player = f"Jürgen {4 * ((table + seat * round_) % TABLES) + seat}"
                claimed = score(kingdom).total + (10 if seat == table % 7 else 0)
                rows.append([photo, player, colour, table, round_, claimed, "bezahlt"])
        # The second round is a workbook, the others are CSVs of two code pages.
        if round_ == 2:
            book = Workbook()
            for cells in (HEAD, *rows):
                book.active.append(cells)
            book.save(tmp_path / "round2.xlsx")
            continue
        with (tmp_path / f"round{round_}.csv").open(
            "w", encoding="cp1252" if round_ == 3 else "utf-8", newline=""
        ) as file:
            csv.writer(file, delimiter=";").writerows([HEAD, *rows])
    # After the test the sheets are as they were, and nothing else was made but results.
    sheets = list(tmp_path.glob("round*"))
    for sheet in (*sheets, *tmp_path.glob("photos/*")):
        sheet.chmod(0o444)
    before = [look_at(sheet) for sheet in sheets]
    yield tmp_path
    assert [look_at(sheet) for sheet in sheets] == before
    left = {"photos", *(sheet.name for sheet in sheets)}
    made = {path.name for path in tmp_path.iterdir()} - left
    assert {name.lstrip(".").partition(".")[0] for name in made} <= {"r1", "r2", "r3", "all", "e"}


def look_at(path: Path) -> tuple[str, int, int]:
    """Return what changes when a file is written: its bytes, its time and its size."""
    stat = path.stat()
    return hashlib.sha256(path.read_bytes()).hexdigest(), stat.st_mtime_ns, stat.st_size


def kdscore(folder: Path, *words: str) -> int:
    program = ("-m", "tests.support.fake_kdscore")
    return python(*program, *words, cwd=folder, obeying_modes=True).returncode


def test_no_command_writes_to_a_sheet(hall: Path) -> None:
    for number, sheet in enumerate(("round1.csv", "round2.xlsx", "round3.csv"), 1):
        code = kdscore(hall, "verify", sheet, "-o", f"r{number}.xlsx", "--html", f"r{number}.html")
        assert code == ExitCode.DIFFERENT
        assert kdscore(hall, "verify", sheet, "-o", sheet) == ExitCode.USAGE
    sheets = ("round1.csv", "round2.xlsx", "round3.csv")
    assert kdscore(hall, "batch", "photos", *sheets, "-o", "all.csv") == ExitCode.DIFFERENT
    with (hall / "all.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    assert len(rows) == 3 * 4 * TABLES
    assert {row["Status"] for row in rows} == {"bezahlt"}
    results = ("r1.xlsx", "r2.xlsx", "r3.xlsx")
    assert kdscore(hall, "standings", *results, "--html", "all.html") == ExitCode.SURE
    assert kdscore(hall, "standings", *sheets) == ExitCode.SURE
    with running_server(hall / "e.sqlite", "--sheet", hall / "round1.csv", fake=True) as server:
        _, games = ask(server, "GET", "/api/games")
        assert len(games) == TABLES
        body = form(fake_photo(" | ".join(TABLE), colours=COLOURS), game=games[0]["id"])
        assert upload(server, body)[0] == 201
