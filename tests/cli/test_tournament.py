"""The commands for many photos: words in, files, sentences and exit codes out."""

import csv
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from unittest.mock import Mock

import pytest

from kdvision.cli import console, main, tournament
from kdvision.concurrency import cores
from kdvision.errors import ExitCode
from kdvision.result import Status
from kdvision.serve import running
from kdvision.tournament import dask
from kdvision.tournament.executors import Workers
from tests.support.fakes import fake_workers, own_package, write_photo
from tests.support.paths import ROOT, TESTS

Run = Callable[..., tuple[int, str, str]]
EXECUTOR = ThreadPoolExecutor(2)


@pytest.fixture
def kdscore(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Runs a command line among fake photos."""

    @contextmanager
    def workers(count: int | None, dask: str | None) -> Iterator[Workers]:
        yield fake_workers(executor=EXECUTOR, count=2)

    monkeypatch.setattr(tournament, "open_workers", workers)
    monkeypatch.chdir(tmp_path)
    for number in range(1, 4):
        write_photo(Path(f"evening/{number}.jpg"), "C W1 W W W1", number=number)
    write_photo(Path("dark.jpg"), "C W1 W W W1", Status.DOUBTFUL, 0.8, ((6, 0.19),))
    write_photo(Path("nothing.jpg"), "")
    Path("s.csv").write_text("photo,claimed,player\nevening/1.jpg,18,Ann\ndark.jpg,6,Ben\n")
    Path("mine.csv").write_text("player,score\nAnn,4\n")

    def run(*words: str) -> tuple[int, str, str]:
        code = main.run(words)
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_batch_of_a_folder(kdscore):
    code, out, err = kdscore("batch", "evening", "-o", "r.csv", "--html", "r.html")
    assert (code, out) == (0, "")
    assert err == (
        "kdscore: 3 rows: 3 sure.\nkdscore: The results are in r.csv; the report is r.html.\n"
    )
    with Path("r.csv").open() as file:
        assert [row["score"] for row in csv.DictReader(file)] == ["8", "8", "8"]
    assert "<title>r.csv</title>" in Path("r.html").read_text()


@pytest.mark.parametrize("quiet", [[], ["-q"]])
def test_batch_names_copies_of_photos(kdscore, quiet):
    Path("evening/4.jpg").write_bytes(Path("evening/1.jpg").read_bytes())
    code, _, err = kdscore("batch", "evening", "-o", "r.csv", *quiet)
    (note, *rest) = err.splitlines()
    assert code == 0 and note.startswith("kdscore: evening/4.jpg ") and "evening/1.jpg" in note
    assert bool(rest) is (not quiet)


def test_batch_code_is_the_most_urgent(kdscore):
    photos = ["evening", "nothing.jpg", "dark.jpg"]
    assert kdscore("batch", *photos, "-o", "r.csv")[0] == ExitCode.NO_KINGDOM


def test_mistyped_input_writes_nothing(kdscore):
    before = sorted(Path().iterdir())
    code, _, err = kdscore("batch", "evenin", "evening", "-o", "r.csv")
    assert code == ExitCode.UNREADABLE
    assert err == "kdscore: evenin does not exist. Did you mean evening?\n"
    assert sorted(Path().iterdir()) == before


def test_verify_prints_open_rows(kdscore):
    code, out, err = kdscore("verify", "s.csv")
    assert code == ExitCode.DIFFERENT
    assert err == "kdscore: s.csv: 2 rows; columns photo, claimed, player.\n"
    assert out == (
        "row 2: evening/1.jpg, Ann: differs\n"
        "    Claimed 18, read 8: the sum is 10 too high.\n"
        "row 3: dark.jpg, Ben: cannot tell\n"
        "    The likeliest total is 8 (80 %), but others are possible. Some squares are unclear.\n"
        "\n"
        "2 rows: 1 differs, 1 cannot tell.\n"
    )


def test_changed_results_are_not_overwritten(kdscore):
    kdscore("verify", "s.csv", "-o", "o.csv")
    Path("o.csv").write_text(Path("o.csv").read_text().replace("Ann", "Anna"))
    code, _, err = kdscore("verify", "s.csv", "-o", "o.csv")
    assert code == ExitCode.USAGE and "o.csv was changed since kdscore wrote it" in err
    assert kdscore("verify", "o.csv", "-o", "new.csv")[0] == ExitCode.DIFFERENT
    assert "Anna" in Path("new.csv").read_text()
    assert kdscore("verify", "s.csv", "-o", "o.csv", "--overwrite")[0] == ExitCode.DIFFERENT
    assert "Anna" not in Path("o.csv").read_text()
    assert kdscore("standings", "o.csv", "--html", "o.csv")[0] == ExitCode.USAGE


@pytest.mark.parametrize(
    ("words", "german"),
    [
        (["score", str(ROOT / "samples" / "plus.jpg")], "Punkte"),
        (["kingdom", "C W1 W/G G - "], "Summe"),
        (["batch", "evening", "-o", "r.csv"], "Die Ergebnisse stehen in r.csv."),
        (["verify", "s.csv"], "Angegeben 18, gelesen 8: "),
        (["standings", "s.csv"], "Spiel 1: Ann gewinnt"),
        (["duel", "- - - - - - -/" * 2 + "- - - C D2 - -" + "/- - - - - - -" * 2], "Summe: 2"),
    ],
)
def test_language_from_option_or_environment(kdscore, monkeypatch, words, german):
    as_option = kdscore(*words, "--language", "de")
    monkeypatch.setenv("KDSCORE_LANGUAGE", "de")
    assert kdscore(*words) == as_option
    assert german in as_option[1] + as_option[2]


def test_serve_language_from_option_or_environment(kdscore, monkeypatch):
    asked: list[running.ServeOptions] = []
    monkeypatch.setattr(running, "serve", lambda wanted, _: asked.append(wanted))
    kdscore("serve", "--language", "de")
    monkeypatch.setenv("KDSCORE_LANGUAGE", "de")
    kdscore("serve")
    assert [wanted.language for wanted in asked] == ["de", "de"]


def test_another_language_is_refused(kdscore):
    code, _, err = kdscore("verify", "s.csv", "--language", "xx")
    assert code == ExitCode.USAGE and "--language is xx; write one of 'en', 'de'." in err


def test_bonuses_of_the_command_are_defaults(kdscore):
    write_photo(Path("m.jpg"), "W1 W C W W1")
    write_photo(Path("n.jpg"), "W1 W C W W1", number=1)
    Path("b.csv").write_text("photo,claimed,middle_kingdom\nm.jpg,14,\nn.jpg,4,no\n")
    assert kdscore("verify", "b.csv", "--middle-kingdom")[0] == 0


def test_verified_sheet_is_ranked(kdscore):
    kdscore("verify", "s.csv", "-o", "o.csv")
    code, out, _ = kdscore("standings", "o.csv")
    assert code == 0 and "2 totals are still open; the notes say why." in out
    assert "to be decided: 18 was claimed" in " ".join(out.split())
    code, out, err = kdscore("standings", "o.csv", "--final")
    assert (code, out) == (ExitCode.USAGE, "") and "2 rows are open in o.csv." in err
    text = Path("s.csv").read_text().splitlines()
    text[0] += ",accept"
    Path("s.csv").write_text("\n".join([text[0], *(f"{line},8" for line in text[1:])]) + "\n")
    assert kdscore("verify", "s.csv", "-o", "o.csv")[0] == 0
    code, out, _ = kdscore("standings", "o.csv", "--final", "--html", "r.html")
    assert code == 0 and out.startswith("Game 1: ")
    assert "<td>Ann</td>" in Path("r.html").read_text()


def test_ties_break_in_the_given_order(kdscore):
    Path("r.csv").write_text("round,player,points\n1,Ann,6\n1,Ben,5\n2,Ann,4\n2,Ben,5\n")
    _, out, _ = kdscore("standings", "r.csv", "--then", "wins", "--then", "largest")
    assert "several games: most victories; then the largest territory" in " ".join(out.split())
    code, _, err = kdscore("standings", "r.csv", "--then", "coin")
    assert code == ExitCode.USAGE and "'coin' is no tie-break" in err


WRONG = [
    (["batch", "evening"], "Say where the results go: -o results.csv"),
    (["batch", "-o", "r.csv"], "Missing argument"),
    (["batch", "empty", "-o", "r.csv"], "There are no photos in empty."),
    (["batch", "evening", "-o", "mine.csv"], "mine.csv is there already"),
    (["batch", "evening", "-o", "r.csv", "--size", "6"], "--size is 6; write one of 'auto', '5',"),
    (["batch", "mine.csv", "-o", "r.csv"], "mine.csv has no column photo; its headings are:"),
    (["batch", "dark.jpg", "-o", "dark.jpg"], "The results cannot go into dark.jpg."),
    (["verify", "missing.csv"], "missing.csv does not exist"),
    (["batch", "missing.xlsx", "-o", "r.csv"], "missing.xlsx does not exist"),
    (["verify", "evening"], "claimed. To score its photos: kdscore batch evening -o results.csv"),
    (["verify", "mine.csv"], "mine.csv has no column photo"),
    (["verify", "dark.jpg"], "dark.jpg is no table."),
    (["verify", "s.csv", "-o", "s.csv"], "s.csv is one of the inputs, and no input is ever"),
    (["verify", "s.csv", "-o", "../{here}/s.csv"], "s.csv is one of the inputs, and no input is"),
    (["verify", "s.csv", "-o", "folder.csv"], "cannot go into folder.csv. Give"),
    (["standings", "mine.csv", "--ties", "coin"], "--ties is coin; write one of 'crowns',"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "sentence"), WRONG, ids=lambda value: " ".join(value)[:40])
def test_wrong_usage_is_code_2(kdscore, words, sentence):
    Path("empty").mkdir()
    Path("folder.csv").mkdir()
    code, out, err = kdscore(*(word.format(here=Path.cwd().name) for word in words))
    assert (code, out) == (ExitCode.USAGE, "")
    assert " ".join(err.split()).count(sentence) == 1
    assert Path("mine.csv").read_text() == "player,score\nAnn,4\n"


@pytest.mark.parametrize("number", ["0", "-1", "100000"])
def test_workers_are_a_sensible_number(kdscore, number):
    code, _, err = kdscore("batch", "evening", "-o", "r.csv", f"--workers={number}")
    assert code == ExitCode.USAGE and "Invalid value for '--workers'" in err


def test_scoring_on_processors_or_a_scheduler(monkeypatch):
    monkeypatch.setattr(dask, "dask_workers", nullcontext)
    with tournament.open_workers(2, "tcp://here:1") as workers:
        assert str(workers) == "tcp://here:1"
    for wanted, count in ((3, 3), (None, cores())):
        with tournament.open_workers(wanted, None) as workers:
            assert workers.count == count


def test_terminal_breaks_no_word(kdscore, monkeypatch):
    plain = kdscore("verify", "s.csv")[1]
    monkeypatch.setattr(console, "terminal_width", lambda stream: 40)
    wrapped = kdscore("verify", "s.csv")[1]
    assert max(map(len, wrapped.splitlines())) <= 40
    assert wrapped.split() == plain.split()


def test_progress_bar_needs_a_terminal(tmp_path):
    for number in range(4):
        write_photo(tmp_path / "p" / f"{number}.jpg", number=number, act="slow")
    pty = pytest.importorskip("pty", reason="there are no terminals to play with")
    ours, terminal = pty.openpty()
    program = str(TESTS / "support" / "fake_kdscore.py")
    words = [sys.executable, program, "batch", str(tmp_path / "p"), "-o", str(tmp_path / "r.csv")]
    environment = {**own_package(), "TERM": "xterm", "COLUMNS": "100"}
    # A terminal holds few bytes: who does not read while the program runs stops it.
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=terminal, env=environment) as run:
        os.close(terminal)
        shown = b""
        while chunk := read(ours):
            shown += chunk
        printed, _ = run.communicate()
    os.close(ours)
    assert (run.returncode, printed) == (0, b"")
    assert b"/4" in shown
    assert b"kdscore: 4 rows: 4 sure." in shown


def read(terminal: int) -> bytes:
    """What is left to read of a terminal."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


INTERRUPTED = "kdscore: Interrupted.\n"
KEPT = "kdscore: What was read is kept: the same command goes on from there.\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [("batch evening -o r.csv", KEPT + INTERRUPTED), ("verify s.csv", INTERRUPTED)],
)
def test_ctrl_c_tells_how_to_resume(kdscore, monkeypatch, words, told):
    monkeypatch.setattr("kdvision.tournament.run.run", Mock(side_effect=KeyboardInterrupt))
    assert kdscore(*words.split()) == (130, "", told)


def test_serve_gets_its_options(kdscore: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[running.ServeOptions] = []
    monkeypatch.setattr(running, "serve", lambda wanted, _: asked.append(wanted))
    assert kdscore("serve")[0] == ExitCode.SURE
    kdscore("serve", "--host", "0.0.0.0", "--port", "81", "--data", "e", "--no-password")
    kdscore("serve", "--password", "meadow5x5", "--sheet", "sheet.csv")
    assert asked == [
        running.ServeOptions(),
        running.ServeOptions(host="0.0.0.0", port=81, data=Path("e"), password=""),
        running.ServeOptions(password="meadow5x5", sheet=Path("sheet.csv")),
    ]
