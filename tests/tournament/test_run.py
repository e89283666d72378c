"""Runs over fake photos: what comes back, what stays, and what goes wrong."""

import csv
import re
import sqlite3
import sys
import time
from base64 import b64decode
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import active_children
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import cv2
import numpy as np
import pytest
from filelock import FileLock

from kdvision.concurrency import in_turn
from kdvision.errors import ExitCode, ModelError, UsageError
from kdvision.rules.kingdom import Kingdom
from kdvision.tournament.executors import Processes, Workers
from kdvision.tournament.journal import locate_journal
from kdvision.tournament.report import Outcome, render_outcome
from kdvision.tournament.request import Request
from kdvision.tournament.run import run
from tests.support.crashes import crash_while_writing, kill_while_saving
from tests.support.fakes import SLOW_S, FakeScorer, fake_workers, write_photo
from tests.support.waiting import PATIENCE_S, wait_for

WORKERS = fake_workers(executor=ThreadPoolExecutor(2), count=2)
#: Four kingdoms of 11, 17, 15 and 14 points.
TABLE = (
    "C W1 W W/G G2 G F/F F1 L L",
    "C F1 F F/L L2 L1 W/S S1 M3 G",
    "C G1 G G/W W W1 L/L L2 F F/S S2 M1 -",
    "C S2 S L/L L1 L F/F F1 F W1/W M3 - -",
)


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def take(name: str, kingdoms: Sequence[str] = TABLE, **about: object) -> None:
    write_photo(Path(name), " | ".join(kingdoms), **about)


def take_each() -> None:
    """A photo for every kingdom."""
    for number, kingdom in enumerate(TABLE):
        take(f"p/{number}.jpg", [kingdom])


def ask(
    *inputs: str,
    workers: Workers = WORKERS,
    progress: Callable[[int, int], None] = lambda _, __: None,
    **asked: object,
) -> Outcome:
    asked = {"output": Path("out.csv"), **asked}
    request = Request(inputs=tuple(map(Path, inputs)), **asked)  # type: ignore[arg-type]
    return run(request, workers, progress)


def rows(path: str = "out.csv") -> list[dict[str, str]]:
    with Path(path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def column(name: str, path: str = "out.csv") -> list[str]:
    return [row[name] for row in rows(path)]


def explained(path: str = "out.csv") -> str:
    return " ".join(column("explanation", path))


# ---------------------------------------------------------------------- folders


def test_folder_gives_a_row_per_kingdom() -> None:
    take("p/2.jpg", colours=("pink", "yellow", "green", "blue"))
    take("p/10.jpg", TABLE[:1], number=1)
    take("p/3.jpg", [""])
    Path("p/text.jpg").write_text("hello")
    Path("p/zero.jpg").touch()
    outcome = ask("p")
    alone = ["p/3.jpg", "p/10.jpg", "p/text.jpg", "p/zero.jpg"]
    assert column("photo") == ["p/2.jpg"] * 4 + alone
    assert column("explanation")[0] == "Kingdom A, with the pink castle."
    assert set(column("player")) == {""}
    assert column("score") == ["11", "17", "15", "14", "", "11", "", ""]
    assert column("status")[4:] == ["no-kingdom", "sure", "unreadable", "unreadable"]
    assert set(column("verdict")) == {""}
    assert outcome.exit_code is ExitCode.UNREADABLE
    assert render_outcome(outcome).endswith("8 rows: 1 no kingdom, 2 unreadable, 5 sure.")


def test_folders_and_sheets_cover_every_kingdom() -> None:
    take("p/1.jpg", TABLE[:2], colours=("pink", "blue"))
    take("p/2.jpg", TABLE[2:3])
    Path("names.csv").write_text("Foto,Spieler,Farbe,Handy\n1.jpg,Ann,blau,0171\n")
    ask("p", "names.csv")
    assert [(row["Foto"], row["Spieler"], row["Handy"], row["score"]) for row in rows()] == [
        ("1.jpg", "Ann", "0171", "17"), ("1.jpg", "", "", "11"), ("p/2.jpg", "", "", "15"),
    ]  # fmt: skip


def test_equal_files_count_once() -> None:
    take("p/1.jpg", TABLE[:1])
    take("p/2.jpg", TABLE[1:2])
    for name in ("p/3.jpg", "p/@eaDir/1.jpg/SYNOPHOTO_THUMB_M.jpg", "p/.hidden.jpg"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(Path("p/1.jpg").read_bytes())
    executor = Mock(wraps=ThreadPoolExecutor(1))
    outcome = ask("p", workers=fake_workers(executor=executor))
    assert column("photo") == ["p/1.jpg", "p/2.jpg"] and executor.submit.call_count == 2
    assert outcome.notes == ("p/3.jpg is a copy of p/1.jpg, and is not counted again.",)
    # The copy that a row names is the photo.
    Path("s.csv").write_text("photo,player\n3.jpg,Ann\n")
    assert ask("p", "s.csv", output=Path("named.csv")).notes == (
        "p/1.jpg is a copy of 3.jpg, and is not counted again.",
    )
    assert column("player", "named.csv") == ["Ann", ""]


def test_equal_kingdoms_have_a_row_each() -> None:
    take("p/t.jpg", [TABLE[0], TABLE[0]])
    ask("p")
    assert column("score") == ["11", "11"]
    assert "Kingdom B." in explained()


# ---------------------------------------------------------------------- results are a sheet, too


def use_as_sheet(**cells: Sequence[str]) -> None:
    """Write into results as a person does, and save them under another name."""
    table = rows()
    for name, texts in cells.items():
        for row, text in zip(table, texts, strict=True):
            row[name] = text
    with Path("names.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*table[0]])
        writer.writeheader()
        writer.writerows(table)


def test_turned_photo_moves_no_name() -> None:
    take("p/t.jpg", colours=("pink", "yellow", "green", "blue"))
    ask("p")
    use_as_sheet(player=("Ann", "Ben", "Cle", "Dan"))
    take("p/t.jpg", [str(Kingdom.parse(line).turned(3)) for line in reversed(TABLE)])
    ask("names.csv", output=Path("new.csv"))
    assert column("player", "new.csv") == ["Ann", "Ben", "Cle", "Dan"]
    assert column("score", "new.csv") == ["11", "17", "15", "14"]


def test_results_sorted_by_names_alone_open_rows() -> None:
    """Names and colours moved to other readings: nobody gets another player's kingdom."""
    take("t.jpg", TABLE[:2], colours=("pink", "yellow"))
    Path("s.csv").write_text("photo,player,colour\nt.jpg,Bob,pink\nt.jpg,Ann,yellow\n")
    ask("s.csv")
    use_as_sheet(player=("Ann", "Bob"), colour=("yellow", "pink"))
    ask("names.csv", output=Path("new.csv"))
    assert column("counts", "new.csv") == ["", ""]
    assert explained("new.csv").count("but the column colour contradicts it") == 2


def test_findings_are_no_words_of_people() -> None:
    take("t.jpg", TABLE[:1])
    ask("t.jpg")
    use_as_sheet(score=("99",), counts=("99",), status=("sure",), verdict=("settled",))
    ask("names.csv", output=Path("new.csv"))
    assert rows("new.csv") == rows("out.csv")


# ---------------------------------------------------------------------- sheets


def write_sheet(claims: Sequence[str] = ("11", "17", "15", "14"), photo: str = "t.jpg") -> None:
    players = zip(("Ann", "Ben", "Cle", "Dan"), claims, strict=True)
    lines = "".join(f"{photo},{player},{claim}\n" for player, claim in players)
    Path("s.csv").write_text(f"photo,player,claimed\n{lines}")


def verify(**asked: Any) -> Outcome:
    return ask("s.csv", needs_claims=True, **asked)


def test_missing_photo_opens_its_row() -> None:
    take("t.jpg")
    take("late-one.jpg", TABLE[3:])
    write_sheet()
    Path("s.csv").write_text(Path("s.csv").read_text().replace("t.jpg,Dan", "late-one.jpg,Dan"))
    assert verify().exit_code is ExitCode.SURE
    Path("late-one.jpg").unlink()
    outcome = verify()
    assert outcome.exit_code is ExitCode.DOUBTFUL
    assert render_outcome(outcome) == (
        "row 5: late-one.jpg, Dan: cannot tell\n    Photo not found: late-one.jpg.\n\n"
        "4 rows: 1 cannot tell, 3 agree."
    )
    assert column("verdict") == ["agrees"] * 3 + ["cannot tell"]
    assert column("score") == ["11", "17", "15", ""]
    assert column("explanation")[3] == "Photo not found: late-one.jpg."


def test_misspelt_photo_gets_a_hint() -> None:
    take("table.jpg", TABLE[:1])
    Path("s.csv").write_text("photo,player,claimed\ntabel.jpg,Ann,11\n")
    verify()
    assert explained() == "Photo not found: tabel.jpg. Did you mean table.jpg?"


def test_nothing_to_read_is_said() -> None:
    Path("p").mkdir()
    with pytest.raises(UsageError, match="There are no photos in p") as error:
        ask("p")
    assert error.value.advice.startswith("Name photos, a folder with photos, or a sheet")


def test_same_command_gives_same_bytes() -> None:
    take("t.jpg")
    write_sheet(("11", "17", "15", "41"))
    for name in ("out.csv", "out.xlsx"):
        output = Path(name)
        verify(output=output)
        data = output.read_bytes()
        verify(output=output)
        locate_journal(output).unlink()
        assert verify(output=output).exit_code is ExitCode.DIFFERENT
        assert output.read_bytes() == data


def test_rows_are_those_of_the_sheet() -> None:
    take("t.jpg")
    write_sheet()
    verify()
    Path("s.csv").write_text("photo,player,claimed,paid\nt.jpg,Cle,15,yes\nt.jpg,Ann,11,no\n")
    verify()
    assert [(row["player"], row["paid"]) for row in rows()] == [("Cle", "yes"), ("Ann", "no")]


def test_another_version_reads_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    take("t.jpg")
    executor = Mock(wraps=ThreadPoolExecutor(1))
    for version, calls in (("1", 1), ("1", 1), ("2", 2)):
        monkeypatch.setattr(
            "kdvision.tournament.reader.read_version", lambda version=version: version
        )
        ask("t.jpg", workers=fake_workers(executor=executor))
        assert executor.submit.call_count == calls


def test_changed_results_are_not_overwritten() -> None:
    take("t.jpg", TABLE[:1])
    Path("s.csv").write_text("photo,player\nt.jpg,Ann\n")
    ask("s.csv")
    Path("out.csv").write_text(Path("out.csv").read_text().replace("Ann", "Anna"))
    take("t.jpg", act="models")  # scoring it is another error
    with pytest.raises(UsageError) as error:
        ask("s.csv")
    assert str(error.value) == (
        "out.csv was changed since kdscore wrote it. Use it as a sheet (kdscore verify out.csv "
        "-o new.csv), give another -o, or --overwrite."
    )
    assert column("player") == ["Anna"]
    take("t.jpg", TABLE[:1])
    ask("s.csv", overwrite=True)
    assert column("player") == ["Ann"]


def test_results_saved_during_a_run_stay() -> None:
    take("t.jpg", TABLE[:1])
    Path("s.csv").write_text("photo,player\nt.jpg,Ann\n")
    ask("s.csv")
    take("t.jpg", TABLE[1:2])

    def save(*_: int) -> None:
        Path("out.csv").write_text(Path("out.csv").read_text().replace("Ann", "Anna"))

    with pytest.raises(UsageError, match="was changed since kdscore wrote it"):
        ask("s.csv", progress=save)
    assert column("player") == ["Anna"]


@pytest.mark.parametrize("is_saved", [False, True])
def test_killed_run_goes_on(is_saved: bool) -> None:
    take("t.jpg", TABLE[:1])
    Path("s.csv").write_text("photo,claimed\nt.jpg,11\n")
    verify()
    Path("s.csv").write_text("photo,claimed\nt.jpg,12\n")
    kill_while_saving(verify, is_saved=is_saved)
    assert column("verdict") == ["differs" if is_saved else "agrees"]
    verify()
    assert column("claimed") == ["12"]


def test_results_keep_peoples_columns() -> None:
    take("t.jpg", TABLE[:1])
    text = "Nr;Foto;Spieler;Punkte;Status;Status;;Reading\r\n7;t.jpg; Ännchen ;11;paid;;x;aloud\r\n"
    Path("s.csv").write_bytes(text.encode("cp1252"))
    verify()
    head, line = Path("out.csv").read_text("utf-8-sig").splitlines()
    assert head.startswith("Nr;Foto;Spieler;Punkte;Status;Status;;Reading;score;status;counts;")
    assert line.startswith("7;t.jpg;Ännchen;11;paid;;x;aloud;11;sure;11;agrees;")


def test_withdrawn_players_are_kept() -> None:
    take("t.jpg", TABLE[:1])
    Path("s.csv").write_text("photo,player,claimed,note\nt.jpg,Ann,11,\n,Hugo,,went home\n")
    outcome = verify(html=Path("o.html"))
    assert outcome.exit_code is ExitCode.SURE
    assert column("player") == ["Ann", "Hugo"] and column("verdict") == ["agrees", ""]
    assert render_outcome(outcome) == "1 row: 1 agrees."
    assert "went home" in Path("o.html").read_text("utf-8")


def test_sum_rows_are_not_judged() -> None:
    take("t.jpg", TABLE[:1])
    Path("s.csv").write_text("photo,player,claimed\nt.jpg,Ann,11\n,Summe,11\n")
    outcome = verify()
    assert outcome.exit_code is ExitCode.SURE
    assert column("player") == ["Ann", "Summe"] and column("verdict") == ["agrees", ""]
    assert render_outcome(outcome) == "1 row: 1 agrees."


def test_accepted_total_outlasts_the_photo() -> None:
    take("t.jpg", TABLE[:1])
    Path("s.csv").write_text("photo,player,claimed,accept\nt.jpg,Ann,40,12\n")
    for shown, kingdoms in (("11", TABLE[:1]), ("17", TABLE[1:2])):
        take("t.jpg", kingdoms)
        assert verify().exit_code is ExitCode.SURE
        (row,) = rows()
        assert (row["verdict"], row["counts"], row["accept"]) == ("settled", "12", "12")
        assert row["explanation"] == f"12 was accepted. The photo shows {shown}."


def test_contradicting_correction_opens_its_row() -> None:
    take("t.jpg", TABLE[:1])
    Path("s.csv").write_text("photo,player,fix\nt.jpg,Ann,b1=F\n")
    assert ask("s.csv").exit_code is ExitCode.DOUBTFUL
    said = "B1 is clearly W1 (wheat): is this the correction of another photo? If it is right, "
    assert f"{said}accept 8." in explained()
    assert column("counts") == [""] and column("score") == ["8"]
    # What a person accepts settles it.
    Path("s.csv").write_text("photo,player,fix,accept\nt.jpg,Ann,b1=F,12\n")
    assert ask("s.csv").exit_code is ExitCode.SURE
    assert column("verdict") == ["settled"] and column("counts") == ["12"]


@pytest.mark.parametrize(
    ("kingdoms", "named", "scores"),
    [
        (TABLE[:1], ",", ["13"]),
        (TABLE[1::-1], "B,", ["13", "17"]),
        (TABLE[1::-1], ",pink", ["13", "17"]),
        # Nobody knows which kingdom is meant, or it is not there.
        (TABLE[1::-1], ",", [""]),
        (TABLE[:1], "B,", ["11"]),
    ],
)
def test_corrections_name_their_kingdom(
    kingdoms: Sequence[str], named: str, scores: list[str]
) -> None:
    take("t.jpg", kingdoms, colours=("blue", "pink")[: len(kingdoms)], unclear=((2, 2),))
    Path("s.csv").write_text(f"photo,fix,kingdom,colour\nt.jpg,c3=L1,{named}\n")
    ask("s.csv")
    assert column("score") == scores
    assert ("Fix is not applied yet" in column("explanation")[0]) == (scores[0] != "13")


def test_corrections_follow_matched_claims() -> None:
    take("t.jpg", TABLE[1::-1], unclear=((2, 2),))
    Path("s.csv").write_text("photo,player,claimed,fix\nt.jpg,Ann,13,c3=L1\nt.jpg,Ben,17,\n")
    assert verify().exit_code is ExitCode.SURE
    assert column("score") == ["13", "17"]


@pytest.mark.parametrize("place", ["c9", "i3", "c8"])
def test_far_correction_opens_its_row(place: str) -> None:
    take("t.jpg", TABLE[:2])
    Path("s.csv").write_text(
        f"photo,player,kingdom,claimed,fix\nt.jpg,Ann,A,11,{place}=L1\nt.jpg,Ben,B,17,\n"
    )
    assert verify().exit_code is ExitCode.USAGE
    assert column("verdict") == ["bad row", "agrees"]
    assert column("counts") == ["", "17"]
    assert column("explanation")[0].startswith(f"{place.upper()[0]}{place[1]} is too far from the")


def test_bad_cells_are_named_by_headings() -> None:
    Path("s.csv").write_text("Foto,Punkte\nt.jpg,4o\nt.jpg,x\n")
    text = render_outcome(verify(language="de"), "de")
    assert "In Punkte steht '4o'; schreib eine Zahl von 0 bis 999." in text
    assert "2 Zeilen: 2 fehlerhafte Zeilen." in text


# ---------------------------------------------------------------------- what goes wrong


def test_ctrl_c_keeps_what_was_read() -> None:
    """Also where a crash leaves the journal half written behind it."""
    take_each()

    def stop(done: int, _: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask("p", progress=stop)
    crash_while_writing(locate_journal(Path("out.csv")))
    # The next run scores only what is left.
    executor = Mock(wraps=ThreadPoolExecutor(1))
    assert ask("p", workers=fake_workers(executor=executor)).exit_code is ExitCode.SURE
    assert executor.submit.call_count == 2
    assert sorted(column("score")) == ["11", "14", "15", "17"]


def test_crashing_photo_costs_only_itself() -> None:
    for number, act in enumerate(("", "die", "", "fail")):
        take(f"p/{number}.jpg", TABLE[number : number + 1], act=act)
    # Other tests may have processes of their own.
    others = active_children()
    with Processes(1) as executor:
        outcome = ask("p", workers=fake_workers(executor=executor))
    # None is left to the end of the program; one that just started may take a moment to end.
    left = [process for process in active_children() if process not in others]
    for process in left:
        process.join(PATIENCE_S)
    assert not [process for process in left if process.is_alive()]
    assert sorted(column("status")) == ["sure", "sure", "unreadable", "unreadable"]
    assert "failed on this photo: ZeroDivisionError: division by zero" in explained()
    assert outcome.exit_code is ExitCode.UNREADABLE


def test_mistake_of_the_program_costs_only_its_photo() -> None:
    take("p/0.jpg", TABLE[:1], act="fail")
    take("p/1.jpg", TABLE[1:2])
    outcome = ask("p")
    assert column("status") == ["unreadable", "sure"]
    assert "ZeroDivisionError: division by zero" in column("explanation")[0]
    assert outcome.exit_code is ExitCode.UNREADABLE


def meet_in_turn(name: str, other: str) -> bool:
    """Whether another process has its turn, for work that needs much memory, at the same time."""
    Path(f"{name}-is-there").touch()
    wait_for(Path(f"{other}-is-there").exists)
    with in_turn(large=True):
        Path(f"{name}-works").touch()
        time.sleep(0.3)
        is_met = Path(f"{other}-works").exists()
        Path(f"{name}-works").unlink()
    return is_met


def test_processes_decode_large_photos_in_turn() -> None:
    with Processes(2) as executor:
        pairs = (("one", "two"), ("two", "one"))
        asked = [executor.submit(meet_in_turn, *pair) for pair in pairs]
        assert [one.result(PATIENCE_S) for one in asked] == [False, False]


def test_hanging_photo_costs_only_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After a minute; here after some seconds, which the other photo has as well."""
    monkeypatch.setattr("kdvision.tournament.executors.PHOTO_S", 30.0)
    monkeypatch.setenv(SLOW_S, "3600")
    take("p/0.jpg", TABLE[:1], act="slow")
    take("p/1.jpg", TABLE[1:2])
    with Processes(1) as executor:
        ask("p", workers=fake_workers(executor=executor))
    assert column("status") == ["unreadable", "sure"]
    assert explained().startswith("Reading this photo took longer than a minute.")


def test_missing_model_ends_the_run() -> None:
    take("p/1.jpg", act="models")
    with pytest.raises(ModelError):
        ask("p")


def test_second_run_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kdvision.tournament.journal.LOCK_WAIT_S", 0.1)
    take("t.jpg")
    with (
        FileLock(".out.csv.lock"),
        pytest.raises(UsageError, match=r"Another run of kdscore is writing out\.csv"),
    ):
        ask("t.jpg")


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"output": Path("no/r.csv")}, "no/r.csv cannot be written: its folder is missing"),
        ({"output": Path("r.pdf")}, "cannot go into r.pdf. Give the name of a file that ends"),
        ({"html": Path("mine.csv")}, "cannot go into mine.csv. .* ends in .html or .htm."),
        ({"html": Path("folder.html")}, "cannot go into folder.html. Give the name of a file"),
        ({"html": Path("no/r.html")}, "no/r.html cannot be written: its folder is missing"),
        ({"output": Path("mine.csv")}, "mine.csv is there already, and was not written by kdscore"),
        (
            {"output": Path("r.txt")},
            "cannot go into r.txt. Give the name of a file that ends in .csv",
        ),
        ({"photos": Path("no")}, "no is no folder."),
        ({"output": Path("p/../t.csv")}, "t.csv is one of the inputs, and no input is ever writ"),
    ],
)
def test_late_failures_are_said_first(asked: dict[str, Any], sentence: str) -> None:
    take("t.jpg", act="models")  # scoring it is another error
    Path("mine.csv").write_text("player,score\nAnn,4\n")
    Path("folder.html").mkdir()
    Path("t.csv").write_text("photo\nt.jpg\n")
    Path("p").mkdir()
    with pytest.raises(UsageError, match=sentence):
        ask("t.jpg", "t.csv", **asked)
    assert Path("mine.csv").read_text() == "player,score\nAnn,4\n"


def test_sheet_of_claims_needs_columns() -> None:
    for heading, missing in (("photo,player", "claimed"), ("player,claimed", "photo")):
        Path("s.csv").write_text(f"{heading}\nt.jpg,46\n")
        with pytest.raises(UsageError, match=f"s.csv has no column {missing}"):
            verify()


def test_workbooks_need_their_libraries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    take("t.jpg", act="models")
    with pytest.raises(UsageError, match="A workbook needs"):
        ask("t.jpg", output=Path("r.xlsx"))


def test_foreign_journal_is_not_touched() -> None:
    take("t.jpg")
    locate_journal(Path("out.csv")).write_text("my diary\n")
    with pytest.raises(UsageError, match="is there already, and was not written by this version"):
        ask("t.jpg")
    assert locate_journal(Path("out.csv")).read_text() == "my diary\n"


def test_full_disk_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    take_each()

    connect = sqlite3.connect

    def connect_to_full_disk(path: Path, **options: Any) -> sqlite3.Connection:
        database = connect(path, **options)
        database.execute("PRAGMA max_page_count = 4")
        return database

    monkeypatch.setattr(sqlite3, "connect", connect_to_full_disk)
    with pytest.raises(UsageError, match=r"out\.csv\.journal cannot be written: .* disk is full"):
        ask("p")


def test_two_thousand_rows_are_no_work() -> None:
    """They took hours, when each looked at all others."""
    lines = "".join(f"{n}.jpg,Player {n},{n % 100}\n" for n in range(2_000))
    Path("s.csv").write_text(f"photo,player,claimed\n{lines}")
    verify()
    assert column("player")[-1] == "Player 1999" and len(rows()) == 2_000


# ---------------------------------------------------------------------- where photos are


@pytest.mark.parametrize(
    "name", ["p/a.jpg", "p\\a.jpg", "C:\\photos\\a.jpg", "/elsewhere/a.jpg", "a.jpg"]
)
def test_photo_names_are_matched(name: str) -> None:
    take("p/a.jpg", TABLE[:1])
    Path("s.csv").write_text(f"photo,claimed\n{name},11\n")
    ask("s.csv", photos=Path("p"))
    assert column("score") == ["11"]


# ---------------------------------------------------------------------- the report

P = Path("report.html")


def test_report_shows_its_kingdom_in_german() -> None:
    take("t.jpg")
    write_sheet(("11", "17", "15", "41"))
    Path("s.csv").write_text(Path("s.csv").read_text() + ",Eve,3\nzero.jpg,Fay,4\n")
    Path("zero.jpg").touch()
    verify(html=P, language="de")
    text = P.read_text("utf-8")
    assert '<html lang="de">' in text and text.count("data:image/jpeg") == 4
    assert 'class="name">Eve<' in text and '<p class="photo">zero.jpg</p>' in text
    assert text.index('<nav id="links"') < text.index('class="card is-differs"')
    for words in ("weicht ab", "angegeben <b>41</b>", "gelesen <b>14</b>", "Nur König"):
        assert words in text, words
    for word in ("Standings", "claimed <", ">Player<", "sure"):
        assert word not in text.split("<body>")[1].split("<script>")[0], word


def test_cards_show_their_kingdom_or_the_whole_photo() -> None:
    """The kingdoms are as high as wide, the photo is not."""
    take("two.jpg", TABLE[:2])
    take("one.jpg", TABLE[2:3])
    rows = ("two.jpg,Ann,A,11", "two.jpg,Ben,B,17", "two.jpg,Cle,A,11", "one.jpg,Dan,,15")
    Path("s.csv").write_text("\n".join(["photo,player,kingdom,claimed", *rows]))
    verify(html=Path("r.html"))
    shapes = {}
    for card in Path("r.html").read_text(encoding="utf-8").split("<article")[1:]:
        (player,) = re.findall(r"\b(Ann|Ben|Cle|Dan)\b", card)[:1]
        (data,) = re.findall(r'src="data:image/jpeg;base64,([^"]+)"', card)
        picture = cv2.imdecode(np.frombuffer(b64decode(data), np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        shapes[player] = picture.shape[0] == picture.shape[1]
    assert shapes == {"Ann": False, "Ben": True, "Cle": False, "Dan": True}


def test_report_reads_no_photo_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pictures are drawn where a photo is read; a later report draws what is missing."""
    reader = Mock(side_effect=FakeScorer().read)
    monkeypatch.setattr(FakeScorer, "read", reader)
    take("t.jpg")
    write_sheet()
    verify(output=Path("first.csv"), html=P)
    assert (reader.call_count, P.read_text("utf-8").count("data:image/jpeg")) == (1, 4)
    verify()
    verify(html=P)
    assert (reader.call_count, P.read_text("utf-8").count("data:image/jpeg")) == (2, 4)
    page = P.read_bytes()
    executor = Mock(wraps=ThreadPoolExecutor(1))
    verify(html=P, workers=fake_workers(executor=executor))
    assert P.read_bytes() == page and executor.submit.call_count == 0


def test_kingdoms_without_rows_are_no_round() -> None:
    take("t.jpg")
    Path("names.csv").write_text("photo,player,kingdom\nt.jpg,Ann,A\nt.jpg,Ben,B\n")
    ask("t.jpg", "names.csv", html=P)
    assert "Round" not in P.read_text("utf-8").split("<body>")[1].split("<script>")[0]


def cards(text: str) -> list[tuple[str, str, str]]:
    """The states, names and places of cards, in their order."""
    found = []
    for card in text.split("<article")[1:]:
        (state,) = re.findall(r'data-state="([^"]*)"', card)
        (name,) = re.findall(r'class="name">([^<]*)<', card)
        (place,) = re.findall(r'class="place">([^<]*)<', card) or [""]
        found.append((state, name, place))
    return found


def test_report_has_rounds_and_links() -> None:
    """Cards stand in their games; what asks for a person is named above, by its state."""
    take_each()
    lines = (
        "p/0.jpg,11,Ann,1,", "p/1.jpg,18,Ben,1,", "p/2.jpg,x,Ann,2,7", "p/3.jpg,41,Ben,2,7",
        "p/9.jpg,4,Cle,2,8", ",,Dan,2,8", ",30,Summe,2,8",
    )  # fmt: skip
    Path("s.csv").write_text("\n".join(["photo,claimed,player,round,table", *lines]))
    verify(html=P)
    text = P.read_text("utf-8")
    assert cards(text) == [
        ("agrees", "Ann", "Round 1"),
        ("differs", "Ben", "Round 1"),
        ("bad row", "Ann", "Round 2, game 7"),
        ("differs", "Ben", "Round 2, game 7"),
        ("cannot tell", "Cle", "Round 2, game 8"),
        ("cannot tell", "Dan", "Round 2, game 8"),
    ]
    links = re.findall(r'<a href="#(row-[0-9]+)">([^<]*)</a>', text)
    assert links == [
        ("row-3", "Ben, Round 1"), ("row-5", "Ben, Round 2, game 7"),
        ("row-6", "Cle, Round 2, game 8"), ("row-7", "Dan, Round 2, game 8"),
        ("row-4", "Ann, Round 2, game 7"),
    ]  # fmt: skip
    assert all(f'<article id="{anchor}"' in text for anchor, _ in links)
    assert "Summe" not in text.split("<body>")[1].split("<script>")[0]


def test_report_of_photos_begins_with_the_doubtful() -> None:
    take_each()
    take("p/8.jpg", [""])
    Path("p/9.jpg").write_text("hello")
    ask("p", html=P)
    text = P.read_text("utf-8")
    states = [state for state, *_ in cards(text)]
    assert states == ["no-kingdom", "unreadable", *["sure"] * 4]
    assert "<a href" not in text.split("<body>")[1].split("<script>")[0]


def test_run_of_nothing_says_so() -> None:
    assert render_outcome(Outcome("out", ())) == "No row was read."
