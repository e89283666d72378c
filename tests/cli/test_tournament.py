"""The commands for many photos: words in, files, sentences and exit codes out."""

import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from kdvision.cli import console, main, tournament
from kdvision.errors import ExitCode
from kdvision.result import Status
from kdvision.tournament.batch.scoring import Means
from tests.support.fakes import fake_means, own_package, write_photo
from tests.support.paths import TESTS
from tests.support.terminal import terminal_in_colour

Run = Callable[..., tuple[int, str, str]]
EXECUTOR = ThreadPoolExecutor(2)


@pytest.fixture
def kdscore(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Runs a command line among fake photos."""

    @contextmanager
    def means(workers: int | None, dask: str | None) -> Iterator[Means]:
        yield fake_means(executor=EXECUTOR, workers=2)

    monkeypatch.setattr(tournament, "scoring_means", means)
    monkeypatch.chdir(tmp_path)
    for number in range(1, 4):
        write_photo(Path(f"evening/{number}.jpg"), "C W1 W W W1", number=number)
    write_photo(Path("dark.jpg"), "C W1 W W W1", Status.DOUBTFUL, 0.8, ((6, 0.19),))
    write_photo(Path("nothing.jpg"), "")

    def run(*words: str) -> tuple[int, str, str]:
        code = main.run(words)
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_batch_of_a_folder(kdscore: Run) -> None:
    code, out, err = kdscore("batch", "evening", "-o", "r.csv", "--html", "r.html")
    assert (code, out) == (0, "")
    assert err == (
        "kdscore: 3 photos: 3 sure.\nkdscore: The results are in r.csv; the report is r.html.\n"
    )
    with Path("r.csv").open() as file:
        assert [row["score"] for row in csv.DictReader(file)] == ["8", "8", "8"]
    lines = Path("r.csv.jsonl").read_text().splitlines()
    assert [json.loads(line)["schema"] for line in lines] == ["kdscore/1"] * 3
    assert "<title>Kingdoms of r.csv</title>" in Path("r.html").read_text()
    code, out, err = kdscore("batch", "evening/2.jpg", "evening", "-o", "r.csv")
    assert code == 0 and err.startswith("kdscore: 3 photos: 3 sure; 3 were done before.\n")
    code, out, err = kdscore("batch", "evening/2.jpg", "-o", "r.csv")
    assert err.endswith(
        "kdscore: r.csv holds 2 photos of earlier runs as well; --fresh starts anew.\n"
    )


@pytest.mark.parametrize(
    ("photos", "code", "told"),
    [
        (["dark.jpg"], ExitCode.DOUBTFUL, "1 photo: 1 doubtful."),
        (["nothing.jpg", "dark.jpg"], ExitCode.NO_KINGDOM, "1 no-kingdom"),
        (["evening", "missing.jpg", "dark.jpg"], ExitCode.UNREADABLE, "5 photos: 3 sure, 1 "),
    ],
)
def test_batch_ends_with_what_asks_most_for_a_person(
    kdscore: Run, photos: list[str], code: ExitCode, told: str
) -> None:
    found, _, err = kdscore("batch", *photos, "-o", "r.csv")
    assert found == code
    assert told in err


def test_batch_of_a_table_with_bad_lines(kdscore: Run) -> None:
    Path("t.csv").write_text("photo,player\nevening/1.jpg,Ann\n,Bob\n")
    code, _, err = kdscore("batch", "t.csv", "-o", "r.csv")
    assert code == ExitCode.USAGE
    assert err == (
        "kdscore: t.csv, line 3: the photo is missing.\n"
        "kdscore: 1 photo: 1 sure, 1 bad line.\nkdscore: The results are in r.csv.\n"
    )
    assert kdscore("standings", "r.csv")[1].startswith("Game 1: Ann wins")


def test_standings_of_lines_without_letters_say_what_to_do(kdscore: Run) -> None:
    write_photo(Path("table.jpg"), "C W1 W W W1 | C F1 F F")
    for claims in (("", ""), ("7", "2")):
        lines = "".join(f"table.jpg,P{n},{claim}\n" for n, claim in enumerate(claims))
        Path("t.csv").write_text(f"photo,player,claimed\n{lines}")
        kdscore("batch", "t.csv", "-o", "r.csv", "--fresh")
        _, out, err = kdscore("standings", "r.csv")
        said = " ".join((out + err).split())
        assert "2 lines are open: the column message of r.csv says what to do" in said
        assert "Write the letter of the kingdom" in Path("r.csv").read_text()
    # Written by hand, they count.
    text = Path("r.csv").read_text().replace(",7,,", ",7,A,").replace(",2,,", ",2,B,")
    Path("r.csv").write_text(text)
    assert kdscore("batch", "t.csv", "-o", "r.csv")[0] == 0
    _, out, err = kdscore("standings", "r.csv")
    assert "P0 wins" in out
    assert "open:" not in out + err and "Write the letter" not in out + err


def test_a_line_that_cannot_be_used_is_no_photo_of_an_earlier_run(kdscore: Run) -> None:
    Path("t.csv").write_text("photo,player,kingdom\nevening/1.jpg,Ann,\nevening/2.jpg,Bob,?\n")
    for _ in range(2):
        code, _, err = kdscore("batch", "t.csv", "-o", "r.csv")
        assert (code, "1 bad line" in err, "earlier runs" in err) == (ExitCode.USAGE, True, False)


def test_verify(kdscore: Run) -> None:
    Path("s.csv").write_text("photo,claimed,player\nevening/1.jpg,8,\ndark.jpg,6,\n")
    code, out, err = kdscore("verify", "s.csv")
    assert (code, err) == (ExitCode.DOUBTFUL, "")
    assert out.endswith("2 lines: 1 agrees, 1 cannot be told.\n")
    Path("s.csv").write_text("photo,claimed\nevening/1.jpg,18\ndark.jpg,6\n")
    code, out, _ = kdscore("verify", "s.csv", "-o", "out.csv", "--html", "s.html", "--json")
    assert code == ExitCode.DIFFERENT
    assert [json.loads(line)["verdict"] for line in out.splitlines()] == ["differs", "cannot tell"]
    assert Path("out.csv").read_text().startswith("photo,claimed,fix,accept,note,verdict,")
    assert "<title>Counts of s.csv</title>" in Path("s.html").read_text()


def test_bonuses_of_the_command_hold_where_the_sheet_says_nothing(kdscore: Run) -> None:
    write_photo(Path("m.jpg"), "W1 W C W W1")
    write_photo(Path("n.jpg"), "W1 W C W W1", number=1)
    Path("s.csv").write_text("photo,claimed,middle_kingdom\nm.jpg,14,\nn.jpg,4,no\n")
    assert kdscore("verify", "s.csv", "--middle-kingdom")[0] == 0


#: Three rounds of typed totals: Ann and Bob have 130 each, and nobody has counted all crowns.
TYPED = (
    "round,player,score,largest,crowns\n1,Ann,60,9,5\n1,Bob,50,7,7\n2,Bob,60,8,9\n2,Ann,50,6,\n"
    "3,Ann,20,4,3\n3,Bob,20,4,3\n"
)


def test_ties_over_rounds_are_broken_in_the_order_given(kdscore: Run) -> None:
    Path("t.csv").write_text(TYPED)
    assert "  1=   Bob        130   50 + 60 + 20\n" in kdscore("standings", "t.csv")[1]
    code, out, _ = kdscore("standings", "t.csv", "--ties", "wins, Largest,crowns")
    assert code == 0
    told = "tie at 130: victories 1.5, largest territory"
    assert f"1 Ann 130 60 + 50 + 20 {told} 9 2 Bob" in " ".join(out.split())
    assert f"2 Bob 130 50 + 60 + 20 {told} 8" in " ".join(out.split())
    assert out.splitlines()[-1].startswith("Ties over several games: most victories; then the")
    # Where a value is not known the tie stays, and it is said: in text, CSV, JSON and on a page.
    words = ("standings", "t.csv", "--ties", "crowns,largest", "--html", "t.html")
    _, out, _ = kdscore(*words)
    stays = "tie at 130, stays: crowns unknown"
    assert f"  1=   Ann        130   60 + 50 + 20   {stays}\n" in out
    *_, last = kdscore(*words, "--csv")[1].splitlines()
    assert last == f'dynasty,,,1,Bob,130,,,yes,"50 + 60 + 20; {stays}",130'
    found = json.loads(kdscore(*words, "--json")[1])
    assert found["ties"] == ["crowns", "largest"]
    assert [(one["rank"], one["note"]) for one in found["totals"]] == [(1, stays)] * 2
    page = Path("t.html").read_text()
    assert page.count(stays) == 2 and "<p>Ties over several games: most crowns; then" in page


def test_one_word_of_the_ties_is_the_rule_of_a_game(kdscore: Run) -> None:
    Path("t.csv").write_text(TYPED)
    for rule in ("crowns", "territory"):
        found = json.loads(kdscore("standings", "t.csv", "--ties", rule, "--json")[1])
        assert (found["tie_rule"], found["ties"]) == (rule, [])
    found = json.loads(kdscore("standings", "t.csv", "--ties", "territory,wins", "--json")[1])
    assert (found["tie_rule"], found["ties"]) == ("territory", ["wins"])


def test_an_unknown_tie_rule_names_those_that_are_understood(kdscore: Run) -> None:
    Path("t.csv").write_text(TYPED)
    code, out, err = kdscore("standings", "t.csv", "--ties", "wins,coin")
    assert (code, out) == (ExitCode.USAGE, "")
    assert "'coin' is no tie rule" in err
    for name in ("crowns", "territory", "wins", "largest"):
        assert name in err


def test_final_standings_are_refused_while_something_is_open(kdscore: Run) -> None:
    """A claim that differs, a doubtful reading, and a line that cannot be used."""
    Path("s.csv").write_text(
        "photo,player,claimed\nevening/1.jpg,Ann,18\ndark.jpg,Bob,8\nevening/3.jpg,Cle,8\n"
    )
    kdscore("verify", "s.csv", "-o", "s.csv")
    code, out, _ = kdscore("standings", "s.csv")
    assert code == 0 and "\n2 open, marked in their lines: see the report.\n" in out
    said = " ".join(out.split())
    assert "a decision is pending: 18 was claimed 1-3" in said and "not sure: 8, or 6 1-2" in said
    code, out, err = kdscore("standings", "s.csv", "--final")
    assert (code, out) == (ExitCode.USAGE, "")
    assert "2 lines are open in s.csv." in err

    def settle(player: str) -> None:
        with Path("s.csv").open(newline="") as file:
            head, *rows = csv.reader(file)
        for row in rows:
            if row[head.index("player")] == player:
                row[head.index("accept")] = "photo"
        with Path("s.csv").open("w", newline="") as file:
            csv.writer(file).writerows([head, *rows])

    settle("Ann")
    assert "1 line is open in s.csv." in kdscore("standings", "s.csv", "--final")[2]
    settle("Bob")
    code, out, _ = kdscore("standings", "s.csv", "--final")
    assert code == 0 and "open" not in out
    with Path("s.csv").open("a") as file:
        file.write("evening/2.jpg,Dan,many\n")
    assert "1 line is open in s.csv." in kdscore("standings", "s.csv", "--final")[2]


WRONG = [
    (["batch", "evening"], "Missing option"),
    (["batch", "-o", "r.csv"], "Missing argument"),
    (["batch", "empty", "-o", "r.csv"], "There are no photos in empty."),
    (["batch", "evening", "-o", "mine.csv"], "mine.csv is there already"),
    (["batch", "evening", "-o", "no/r.csv"], "no/r.csv cannot be written: no such file"),
    (["batch", "evening", "-o", "r.csv", "--html", "./r.csv"], "Two outputs have one name."),
    (["batch", "evening", "-o", "r.csv", "--size", "6"], "'6' is not one of 'auto', '5', '7'."),
    (["batch", "s.csv", "-o", "r.csv"], "s.csv, line 1: a column is missing: photo."),
    (["verify", "missing.csv"], "missing.csv does not exist"),
    (["verify", "s.csv"], "s.csv, line 1: a column is missing: photo, claimed."),
    (["verify", "old.xls"], "Save it as .xlsx or .csv."),
]  # fmt: skip


@pytest.mark.parametrize(("words", "sentence"), WRONG, ids=lambda value: " ".join(value)[:40])
def test_wrong_usage_gets_a_sentence_and_exit_code_2(
    kdscore: Run, words: list[str], sentence: str
) -> None:
    Path("empty").mkdir()
    Path("mine.csv").write_text("player,score\nAnn,4\n")
    Path("s.csv").write_text("what,sum\na.jpg,4\n")
    Path("ok.csv").write_text("photo,claimed\nevening/1.jpg,8\n")
    Path("old.xls").touch()
    code, out, err = kdscore(*words)
    assert code == ExitCode.USAGE
    assert out == ""
    assert sentence in " ".join(err.split())
    assert "Traceback" not in err
    assert Path("mine.csv").read_text() == "player,score\nAnn,4\n"


@pytest.mark.parametrize("number", ["0", "-1", "100000"])
def test_workers_are_a_sensible_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], number: str
) -> None:
    write_photo(tmp_path / "a.jpg")
    words = ["batch", str(tmp_path), "-o", str(tmp_path / "r.csv"), f"--workers={number}"]
    assert main.run(words) == ExitCode.USAGE
    assert "Invalid value for '--workers'" in capsys.readouterr().err


def test_a_progress_bar_on_a_terminal_only(tmp_path: Path) -> None:
    for number in range(4):
        write_photo(tmp_path / "p" / f"{number}.jpg", number=number, act="slow")
    pty = pytest.importorskip("pty", reason="there are no terminals to play with")
    ours, theirs = pty.openpty()
    program = str(TESTS / "support" / "fake_kdscore.py")
    words = [sys.executable, program, "batch", str(tmp_path / "p"), "-o", str(tmp_path / "r.csv")]
    environment = {**own_package(), "TERM": "xterm", "COLUMNS": "100"}
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""
    while chunk := read(ours):
        shown += chunk
    os.close(ours)
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"photos/s" in shown
    assert b"/4" in shown
    assert b"kdscore: 4 photos: 4 sure." in shown


def read(terminal: int) -> bytes:
    """What is left to read of a terminal."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


LONG = "the round table of the second floor beside the window/evening of the nineteenth/1.jpg"


@pytest.fixture
def long_sheet(kdscore: Run) -> Run:
    """A sheet with a claim that differs, of a photo with a long name."""
    write_photo(Path(LONG), "C W1 W W W1")
    Path("long.csv").write_text(
        f"photo,claimed,player\n{LONG},16,Bartholomew\nevening/1.jpg,8,Al\n"
    )
    return kdscore


def test_verify_on_a_terminal_has_colours_and_whole_words(
    long_sheet: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = long_sheet("verify", "long.csv")[1]
    terminal_in_colour(monkeypatch)
    coloured = long_sheet("verify", "long.csv")[1]
    assert "\x1b[1;31mdiffers\x1b[0m" in coloured
    assert "\x1b[1;32m1 agrees\x1b[0m" in coloured
    bare = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert max(map(len, bare.splitlines())) <= 80
    assert bare.split() == plain.split()
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in long_sheet("verify", "long.csv")[1]


def test_no_word_is_broken_on_a_terminal_without_colours(
    long_sheet: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = long_sheet("verify", "long.csv")[1]
    assert max(map(len, plain.splitlines())) > 80
    monkeypatch.setattr(console, "terminal_width", lambda stream: 80)
    wrapped = long_sheet("verify", "long.csv")[1]
    assert max(map(len, wrapped.splitlines())) <= 80
    assert wrapped.split() == plain.split()
    _, _, err = long_sheet("verify", "nowhere of a name that is far too long to fit.csv")
    assert max(map(len, err.splitlines())) <= 80


def test_verify_as_csv_is_the_sheet_that_output_writes(long_sheet: Run) -> None:
    code, out, _ = long_sheet("verify", "long.csv", "--csv", "-o", "out.csv")
    assert code == ExitCode.DIFFERENT
    assert out == Path("out.csv").read_text()
    assert [row["verdict"] for row in csv.DictReader(out.splitlines())] == ["differs", "agrees"]
    code, _, err = long_sheet("verify", "long.csv", "--csv", "--json")
    assert (code, err) == (2, "kdscore: --json and --csv exclude each other. Give one of them.\n")


def test_every_photo_has_its_line(kdscore: Run) -> None:
    """Good, doubtful, empty, damaged, missing or no photo at all: a line each, and a reason."""
    Path("empty.jpg").write_bytes(b"")
    Path("text.jpg").write_text("no photo")
    write_photo(Path("two.jpg"), "C W1 W W W1", number=7)
    names = [
        "evening/1.jpg",
        "dark.jpg",
        "nothing.jpg",
        "empty.jpg",
        "text.jpg",
        "gone.jpg",
        "two.jpg",
    ]
    table = (
        "photo,player\n" + "".join(f"{name},P{n}\n" for n, name in enumerate(names)) + ",Nobody\n"
    )
    Path("all.csv").write_text(table)
    kdscore("batch", "all.csv", "-o", "r.csv")
    with Path("r.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["photo"] for row in rows} == {*names, ""}
    assert all(row["score"] or row["message"] for row in rows)
    assert {row["player"] for row in rows} == {*(f"P{n}" for n in range(len(names))), "Nobody"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["verify", "s.csv", "--html", "s.csv"],
            "--html s.csv is what is read. Give another name.",
        ),
        (["verify", "s.csv", "-o", "dark.jpg"], "--output dark.jpg is a photo. Give another name."),
        (
            ["verify", "s.csv", "--html", "other.txt"],
            "--html other.txt is there, and holds something",
        ),
        (["batch", "dark.jpg", "-o", "r.csv", "--html", "dark.jpg"], "--html dark.jpg is "),
        (["batch", "s.csv", "-o", "r.csv", "--html", "s.csv"], "--html s.csv is what is read."),
        (["batch", "dark.jpg", "-o", "dark.jpg"], "--output dark.jpg is a photo."),
        (["batch", "dark.jpg", "-o", "r.html"], "--output r.html is named like no table. Give a"),
        (["verify", "s.csv", "-o", "v.pdf"], "--output v.pdf is named like no table. Give a"),
        (["verify", "s.csv", "-o", "nowhere/v.csv"], "nowhere/v.csv cannot be written: no such"),
        (["batch", "dark.jpg", "-o", "r.ods"], "is not written. Give a name that ends in .xlsx"),
        (["verify", "s.csv", "-o", "s.numbers"], "is not written. Give a name that ends in"),
    ],
)
def test_nothing_is_written_over(kdscore: Run, words: list[str], sentence: str) -> None:
    Path("s.csv").write_text("photo,claimed\nevening/1.jpg,8\n")
    Path("other.txt").write_text("notes of mine")
    before = {name: Path(name).read_bytes() for name in ("s.csv", "other.txt", "dark.jpg")}
    code, out, err = kdscore(*words)
    assert (code, out) == (ExitCode.USAGE, "")
    assert sentence in err
    assert {name: Path(name).read_bytes() for name in before} == before


@pytest.mark.parametrize("words", [("verify", "s.csv"), ("batch", "s.csv", "-o", "r.csv")])
def test_a_report_without_a_folder_is_refused_before_photos_are_scored(
    kdscore: Run, words: Sequence[str]
) -> None:
    Path("s.csv").write_text("photo,claimed\nevening/1.jpg,8\n")
    code, _, err = kdscore(*words, "--html", "no/r.html")
    assert (code, "no/r.html cannot be written" in err) == (ExitCode.USAGE, True)
    assert not Path("r.csv").exists()


def test_a_report_and_a_sheet_are_written_again(kdscore: Run) -> None:
    Path("s.csv").write_text("photo,claimed\nevening/1.jpg,8\n")
    for _ in range(2):
        assert kdscore("verify", "s.csv", "-o", "s.csv", "--html", "s.html")[0] == 0


def test_what_a_batch_cannot_find_is_named(kdscore: Run) -> None:
    code, _, err = kdscore("batch", "evenin", "evening", "-o", "r.csv")
    assert code == ExitCode.UNREADABLE
    assert err.startswith("kdscore: evenin does not exist. Did you mean evening?\n")
