"""A whole tournament: 16 players, 5 rounds, table photos, mistakes, a crash, and the ranking."""

import csv
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from kdvision.result import Status
from kdvision.rules.game.play import play_game
from kdvision.rules.game.players import Greedy
from kdvision.rules.game.set_up import FOUR_PLAYERS
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import ScoreSheet, score
from kdvision.rules.standings import GameStanding, ranking, result_of
from kdvision.rules.sums import By, sums
from kdvision.tournament.sheets.sheet import read_sheet
from kdvision.tournament.standings import read_standings
from kdvision.tournament.verify.annotated import write_annotated
from kdvision.tournament.verify.checked import Verification
from kdvision.tournament.verify.mistakes import Mistake
from kdvision.tournament.verify.run import verify
from kdvision.tournament.verify.verdict import Verdict
from kdvision.vision.models import model_folder
from tests.support.claims import wrong_claims
from tests.support.fakes import fake_means, own_package, write_photo
from tests.support.paths import SAMPLES, TESTS

ROUNDS, TABLES, SEATS = 5, 4, 4
BONUSES = {"harmony": True, "middle_kingdom": True}
MEANS = fake_means(executor=ThreadPoolExecutor(1))
#: The table (round, number) that is a sample, read by the real program.
SAMPLE = (0, 0)
#: Tables whose photo is dark, so that nothing on it is sure.
DARK = ((1, 2), (3, 1))
#: From this round on nobody has written the letters of the kingdoms.
WITHOUT_LETTERS = 3


@dataclass(frozen=True)
class Line:
    """A line of the sheet, and the truth of it."""

    photo: str
    letter: str
    player: str
    round: int
    sheet: ScoreSheet
    claimed: int


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    """The lines of all rounds; twenty of the claims are wrong, two for each kind of mistake."""
    with (SAMPLES / "truth.csv").open(encoding="utf-8") as file:
        sample = [row["kingdom"] for row in csv.DictReader(file) if "four" in row["file"]]
    seats: list[tuple[str, str, str, int, ScoreSheet]] = []
    for round_ in range(ROUNDS):
        for table in range(TABLES):
            game = play_game([Greedy()] * SEATS, 100 * round_ + table, FOUR_PLAYERS)
            kingdoms = [played.kingdom for played in game.kingdoms]
            if (round_, table) == SAMPLE:
                kingdoms = [Kingdom.parse(line) for line in sample]
            for seat, kingdom in enumerate(kingdoms):
                # Everybody meets others in every round.
                player = f"P{(4 * ((table + seat * round_) % TABLES) + seat):02d}"
                photo, letter = f"round{round_ + 1}/table{table + 1}.jpg", "ABCD"[seat]
                seats.append(
                    (photo, letter, player, round_ + 1, score(kingdom.trimmed(), **BONUSES))
                )
    # In rounds without letters one mistake leaves the others of its table to be settled by hand.
    wrong = {number: made.difference for number, made in wrong_claims([one[4] for one in seats])}
    assert len(wrong) == 2 * len(Mistake) == 20
    return [
        Line(*one, claimed=max(one[4].total + wrong.get(number, 0), 0))
        for number, one in enumerate(seats)
    ]


@pytest.fixture
def evening(tmp_path: Path, lines: list[Line]) -> Path:
    """The photos and the sheet, as German spreadsheets write it."""
    for round_ in range(ROUNDS):
        for table in range(TABLES):
            photo = f"round{round_ + 1}/table{table + 1}.jpg"
            path = tmp_path / photo
            if (round_, table) == SAMPLE:
                path.parent.mkdir(exist_ok=True)
                shutil.copy(SAMPLES / "four_kingdoms.jpg", path)
                continue
            kingdoms = " | ".join(str(one.sheet.kingdom) for one in lines if one.photo == photo)
            status = (Status.DOUBTFUL, 0.9) if (round_, table) in DARK else (Status.SURE, 0.999)
            write_photo(path, kingdoms, *status, number=10 * round_ + table, act="slow")
    sheet = tmp_path / "sheet.csv"
    rows = [
        f"{one.photo};{one.letter if one.round <= WITHOUT_LETTERS else ''};{one.player};"
        f"{one.round};{one.claimed};ja;ja"
        for one in lines
    ]
    head = "Herbstturnier;;;;;;\nFoto;Königreich;Spieler;Runde;Punkte;Harmonie;Mittelreich"
    sheet.write_text("\ufeff" + "\n".join([head, *rows]) + "\n", encoding="utf-8")
    return sheet


def checked(path: Path, full: Path) -> Verification:
    return verify(read_sheet(path), jsonl=full, means=MEANS)


def false_agreements(found: Verification, lines: list[Line]) -> list[str]:
    return [
        line.where
        for line, truth in zip(found.lines, lines, strict=True)
        if line.verdict is Verdict.AGREES and line.claimed != truth.sheet.total
    ]


def wait_for(condition: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)


def test_a_tournament_from_photos_to_the_ranking(evening: Path, lines: list[Line]) -> None:
    if not (model_folder() / "manifest.json").is_file():
        pytest.skip(f"there are no models in {model_folder()}")
    full, output = evening.with_name("full.jsonl"), evening.with_name("checked.csv")
    # The program is killed in the middle.
    words = ["verify", str(evening), "--jsonl", str(full), "-o", str(output)]
    program = subprocess.Popen(
        [sys.executable, str(TESTS / "support" / "fake_kdscore.py"), *words],
        env=own_package(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    wait_for(lambda: full.exists() and full.read_bytes().count(b"\n") >= 5)
    program.send_signal(signal.SIGKILL)
    program.wait()
    assert not output.exists()
    # The same command goes on. No wrong claim agrees, and with letters every one is found.
    first = checked(evening, full)
    assert false_agreements(first, lines) == []
    with_letters = [
        (line, truth)
        for line, truth in zip(first.lines, lines, strict=True)
        if truth.round <= WITHOUT_LETTERS and line.status is Status.SURE
    ]
    for line, truth in with_letters:
        right = truth.claimed == truth.sheet.total
        assert line.verdict is (Verdict.AGREES if right else Verdict.DIFFERS), line
    write_annotated(first, output)
    # A person looks at what is open: corrects a square, writes letters, accepts totals.
    with output.open(encoding="utf-8-sig") as file:
        table = list(csv.reader(file, delimiter=";"))
    head = table[1]
    dark = f"round{DARK[0][0] + 1}/table{DARK[0][1] + 1}.jpg"
    corrected = False
    for row, line, truth in zip(table[2:], first.lines, lines, strict=True):
        row[head.index("Königreich")] = truth.letter
        if truth.photo == dark and not corrected:
            kingdom = truth.sheet.kingdom
            at, square = next(iter(kingdom.squares().items()))
            row[head.index("fix")] = f"{'abcdefghi'[at[1]]}{at[0] + 1}={square}"
            corrected = True
        elif line.verdict is Verdict.CANNOT_TELL and truth.photo != dark:
            row[head.index("accept")] = str(truth.sheet.total)
            row[head.index("note")] = "counted again, Kim"
    with output.open("w", encoding="utf-8-sig") as file:
        csv.writer(file, delimiter=";").writerows(table)
    second = checked(output, full)
    assert false_agreements(second, lines) == []
    assert second.count(Verdict.CANNOT_TELL) == second.count(Verdict.BAD_LINE) == 0
    write_annotated(second, output)
    # The ranking is that of the truth.
    for by in By:
        found = read_standings(output, by=by)
        assert [one for one in found.notes if "Not sure" in one] == []
        truth_games = []
        for photo in dict.fromkeys(one.photo for one in lines):
            seats = [one for one in lines if one.photo == photo]
            results = [result_of(one.player, one.sheet) for one in seats]
            truth_games.append(GameStanding(photo, ranking(results), str(seats[0].round)))
        assert {game.game: game.winners for game in found.games} == {
            game.game: game.winners for game in truth_games
        }
        expected = {(one.player, one.rank, one.points) for one in sums(truth_games, by)}
        assert {(one.player, one.rank, one.points) for one in found.sums} == expected
        assert len(expected) == 16
