"""Runs over fake photos: what comes back, what stays, and what goes wrong."""

import csv
import sqlite3
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import active_children
from pathlib import Path
from unittest.mock import Mock

import pytest
from filelock import FileLock

from kdvision.errors import ExitCode, ModelError, UsageError
from kdvision.result import Status
from kdvision.rules.kingdom import Kingdom
from kdvision.tournament.executors import Processes, Workers
from kdvision.tournament.report import Outcome, render_outcome
from kdvision.tournament.run import Request, locate_journal, run
from kdvision.tournament.sheet import read_sheet
from tests.support.crashes import crash_while_writing, kill_while_saving
from tests.support.fakes import fake_workers, write_photo
from tests.support.played import equal_when_turned

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


def write_cell(column: str, at: int, text: str, path: str = "out.csv") -> None:
    """Write into a cell as a person does."""
    sheet = read_sheet(Path(path))
    sheet.set(sheet.lines[at].number, {column: text})
    sheet.save(Path(path))


# ---------------------------------------------------------------------- folders


def test_a_folder_gives_a_line_per_kingdom() -> None:
    take("p/2.jpg", colours=("pink", "yellow", "green", "blue"))
    take("p/10.jpg", TABLE[:1], number=1)
    take("p/3.jpg", [""])
    Path("p/text.jpg").write_text("hello")
    Path("p/zero.jpg").touch()
    outcome = ask("p")
    alone = ["p/3.jpg", "p/10.jpg", "p/text.jpg", "p/zero.jpg"]
    assert column("photo") == ["p/2.jpg"] * 4 + alone
    assert column("kingdom") == ["A", "B", "C", "D", "", "", "", ""]
    assert column("colour") == ["pink", "yellow", "green", "blue", "", "", "", ""]
    assert column("score") == ["11", "17", "15", "14", "", "11", "", ""]
    assert column("status")[4:] == ["no-kingdom", "sure", "unreadable", "unreadable"]
    assert set(column("verdict")) == {""}
    assert outcome.exit_code is ExitCode.UNREADABLE
    assert render_outcome(outcome).endswith("8 lines: 1 no-kingdom, 2 unreadable, 5 sure.")


def test_a_folder_that_grows_keeps_what_people_wrote() -> None:
    take("p/1.jpg", TABLE[:1])
    ask("p")
    write_cell("player", 0, "Ann")
    take("p/0.jpg", TABLE[1:2])
    ask("p")
    assert list(zip(column("photo"), column("player"), column("score"), strict=True)) == [
        ("p/1.jpg", "Ann", "11"), ("p/0.jpg", "", "17"),
    ]  # fmt: skip


def test_a_turned_photo_moves_no_name_and_letters_follow() -> None:
    take("p/t.jpg")
    ask("p")
    for at, player in enumerate(("Ann", "Ben", "Cle", "Dan")):
        write_cell("player", at, player)
    take("p/t.jpg", [str(Kingdom.parse(line).turned(3)) for line in reversed(TABLE)])
    ask("p")
    assert column("player") == ["Ann", "Ben", "Cle", "Dan"]
    assert column("score") == ["11", "17", "15", "14"]
    assert column("kingdom") == ["D", "C", "B", "A"]


def test_two_kingdoms_that_are_alike_keep_a_line_each() -> None:
    take("p/t.jpg", [TABLE[0], TABLE[0]])
    for _ in range(2):
        ask("p")
        assert column("kingdom") == ["A", "B"]


# ---------------------------------------------------------------------- sheets


def write_sheet(claims: Sequence[str] = ("11", "17", "15", "14"), photo: str = "t.jpg") -> None:
    players = zip(("Ann", "Ben", "Cle", "Dan"), claims, strict=True)
    lines = "".join(f"{photo},{player},{claim}\n" for player, claim in players)
    Path("s.csv").write_text(f"photo,player,claimed\n{lines}")


def verify(**asked: object) -> Outcome:
    return ask("s.csv", needs_claims=True, **asked)


def test_a_missing_photo_opens_its_own_line_and_keeps_the_last_score() -> None:
    take("t.jpg")
    take("d.jpg", TABLE[3:])
    write_sheet()
    Path("s.csv").write_text(Path("s.csv").read_text().replace("t.jpg,Dan", "d.jpg,Dan"))
    assert verify().exit_code is ExitCode.SURE
    Path("d.jpg").unlink()
    outcome = verify()
    assert outcome.exit_code is ExitCode.DOUBTFUL
    assert render_outcome(outcome) == (
        "line 5: d.jpg, Dan: cannot tell\n    Photo not found: d.jpg.\n\n"
        "4 lines: 1 cannot tell, 3 agree."
    )
    assert column("verdict") == ["agrees"] * 3 + ["cannot tell"]
    last = rows()[3]
    assert (last["score"], last["counts"], last["reading"]) == ("14", "14", TABLE[3])
    assert last["explanation"] == "Photo not found: d.jpg."


def test_the_same_verify_repeated_changes_no_cell_and_keeps_what_was_decided() -> None:
    take("t.jpg")
    write_sheet(("11", "17", "15", "41"))
    verify()
    cells = rows()
    verify()
    assert rows() == cells
    write_cell("accept", 3, "photo")
    write_cell("note", 3, "Kim")
    for _ in range(2):
        assert verify().exit_code is ExitCode.SURE
        assert rows()[3]["verdict"] == "settled" and rows()[3]["counts"] == "14"
        assert rows()[3]["note"] == "Kim"


def test_a_mended_claim_arrives_and_what_both_changed_stays_and_is_said() -> None:
    take("t.jpg")
    write_sheet(("11", "17", "15", "41"))
    verify()
    write_cell("claimed", 0, "12")
    write_sheet(("13", "17", "15", "14"))
    outcome = verify()
    assert column("claimed") == ["12", "17", "15", "14"]
    assert outcome.notes == (
        "1 cell was changed both in the sheet and in the output; the output counts.",
    )
    assert verify().notes == ()


@pytest.mark.parametrize(
    ("is_saved", "cell", "claimed"),
    # Who takes back what has arrived, and who writes before it has.
    [(True, ("claimed", 0, "40"), "40"), (False, ("player", 0, "Anna"), "41")],
)
def test_what_a_person_writes_after_a_kill_counts(
    is_saved: bool, cell: tuple[str, int, str], claimed: str
) -> None:
    take("t.jpg", TABLE[:2])
    Path("s.csv").write_text("photo,player,claimed\nt.jpg,Ann,40\n")
    verify()
    Path("s.csv").write_text("photo,player,claimed\nt.jpg,Ann,41\nt.jpg,Ben,17\n")
    kill_while_saving(verify, is_saved=is_saved)
    write_cell(*cell)
    if is_saved:
        write_cell("claimed", 1, "18")
    verify()
    assert column("claimed") == [claimed, "18" if is_saved else "17"]


def test_a_formula_whose_value_was_not_saved_has_the_last_one() -> None:
    take("t.jpg", TABLE[:1])
    Path("s.csv").write_text("photo,claimed\nt.jpg,11\n")
    verify(output=Path("out.xlsx"))
    write_cell("claimed", 0, "=5+6", "out.xlsx")
    assert verify(output=Path("out.xlsx")).exit_code is ExitCode.SURE


def test_accept_photo_does_not_count_for_another_photo() -> None:
    take("t.jpg", TABLE[:1])
    Path("s.csv").write_text("photo,player,claimed\nt.jpg,Ann,40\n")
    verify()
    write_cell("accept", 0, "photo")
    verify()
    assert column("counts") == ["11"]
    take("t.jpg", TABLE[1:2])
    for _ in range(2):
        assert verify().exit_code is ExitCode.DIFFERENT
        (row,) = rows()
        assert (row["verdict"], row["accept"], row["counts"]) == ("differs", "photo", "17")
        assert "accept was written when the photo showed 11; now it shows 17" in row[
            "explanation"
        ].replace("Accept", "accept")


@pytest.mark.parametrize(
    ("named", "read"), [({"kingdom": "B"}, 1), ({"colour": "blau"}, 1), ({}, 0)]
)
def test_a_letter_or_colour_that_is_mended_names_another_kingdom(
    named: dict[str, str], read: int
) -> None:
    """One that is erased names none: the line keeps what was read before."""
    take("t.jpg", TABLE[:2], colours=("pink", "blue"))
    Path("s.csv").write_text("photo,player,kingdom,colour,claimed\nt.jpg,Ann,A,pink,17\n")
    verify()
    for name in ("kingdom", "colour"):
        write_cell(name, 0, named.get(name, ""))
    for _ in range(2):
        assert verify().exit_code is (ExitCode.SURE if read else ExitCode.DIFFERENT)
        assert column("reading") == [TABLE[read]]


def test_a_correction_follows_its_kingdom_however_the_photo_is_turned() -> None:
    """c3 has a crown: 11 points become 13, from whichever side."""
    take("t.jpg", TABLE[:2], status=Status.DOUBTFUL, probability=0.9, alternatives=((1, 0.1),))
    Path("s.csv").write_text("photo,player,claimed\nt.jpg,Ann,13\nt.jpg,Ben,17\n")
    ask("t.jpg")
    write_cell("fix", 0, "c3=L1")
    for quarters in (0, 1, 2):
        lines = [str(Kingdom.parse(line).turned(quarters)) for line in TABLE[:2]]
        lines = lines if quarters == 0 else lines[::-1]
        about = {"status": Status.DOUBTFUL, "probability": 0.9, "alternatives": ((1, 0.1),)}
        take("t.jpg", lines, **about)
        ask("t.jpg")
        assert column("score") == ["13", "17"], quarters
        reading, corrected = column("reading")[0], TABLE[0].replace("L L", "L1 L")
        assert equal_when_turned(Kingdom.parse(reading), Kingdom.parse(corrected))


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
def test_a_correction_in_a_new_sheet_counts_for_the_kingdom_that_it_names(
    kingdoms: Sequence[str], named: str, scores: list[str]
) -> None:
    take("t.jpg", kingdoms, colours=("blue", "pink")[: len(kingdoms)])
    Path("s.csv").write_text(f"photo,fix,kingdom,colour\nt.jpg,c3=L1,{named}\n")
    ask("s.csv")
    assert column("score") == scores
    assert column("kingdom")[1:] == ["A"] * (len(scores) - 1)
    assert ("Fix is not applied yet" in column("explanation")[0]) == (scores[0] != "13")


def test_a_correction_counts_where_only_claims_tell_whose_kingdom_it_is() -> None:
    take("t.jpg", TABLE[1::-1])
    Path("s.csv").write_text("photo,player,claimed,fix\nt.jpg,Ann,13,c3=L1\nt.jpg,Ben,17,\n")
    assert verify().exit_code is ExitCode.SURE
    assert column("score") == ["13", "17"]


@pytest.mark.parametrize("place", ["c9", "i3", "c8"])
def test_a_correction_beside_the_kingdom_opens_its_own_line_only(place: str) -> None:
    take("t.jpg", TABLE[:2])
    Path("s.csv").write_text(
        f"photo,player,kingdom,claimed,fix\nt.jpg,Ann,A,11,{place}=L1\nt.jpg,Ben,B,17,\n"
    )
    assert verify().exit_code is ExitCode.USAGE
    assert column("verdict") == ["bad line", "agrees"]
    assert column("counts") == ["", "17"]
    assert column("explanation")[0].startswith(f"{place.upper()[0]}{place[1]} is too far from the")


def test_a_correction_counts_for_no_other_kingdom() -> None:
    take("t.jpg", TABLE[:1])
    ask("t.jpg")
    write_cell("fix", 0, "c3=L1")
    take("t.jpg", TABLE[1:2])
    ask("t.jpg")
    (row,) = rows()
    assert (row["score"], row["fix"]) == ("17", "c3=L1")
    assert row["explanation"] == (
        "Fix was written for another kingdom (11 points, now 17) and does not count."
    )


def test_two_spellings_and_columns_of_ones_own_are_written_back() -> None:
    take("t.jpg", TABLE[:1])
    text = "Nr;Foto-Datei;Name des Spielers;Punkte;bezahlt\r\n7;t.jpg; Ännchen ;11;ja\r\n"
    Path("s.csv").write_bytes(text.encode("cp1252"))
    verify()
    head, line = Path("out.csv").read_bytes().decode("cp1252").splitlines()
    assert head.startswith("Nr;Foto-Datei;Name des Spielers;Punkte;bezahlt;score;status;")
    assert line.startswith("7;t.jpg; Ännchen ;11;ja;11;sure;11;agrees;")


def test_bad_cells_are_told_by_the_headings_of_the_sheet() -> None:
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


def test_a_photo_that_ends_its_worker_or_a_mistake_in_it_costs_that_photo_only() -> None:
    for number, act in enumerate(("", "die", "", "fail")):
        take(f"p/{number}.jpg", TABLE[number : number + 1], act=act)
    with Processes(1) as executor:
        outcome = ask("p", workers=fake_workers(executor=executor))
    assert not active_children()  # none is left to the end of the program
    assert sorted(column("status")) == ["sure", "sure", "unreadable", "unreadable"]
    assert "fail: ZeroDivisionError: division by zero" in " ".join(column("explanation"))
    assert outcome.exit_code is ExitCode.UNREADABLE


def test_a_missing_model_ends_the_run() -> None:
    take("p/1.jpg", act="models")
    with pytest.raises(ModelError):
        ask("p")


@pytest.mark.parametrize("times", [1, 4])
def test_what_a_person_saves_while_photos_are_read_stays(times: int) -> None:
    take("t.jpg")
    write_sheet()
    verify()
    Path("s.csv").write_text(Path("s.csv").read_text() + "t.jpg,Eve,11\n")
    verify(progress=save_output(times))
    assert column("note") == ["", str(times), "", "", ""]
    assert len(rows()) == 5


def save_output(times: int) -> Callable[[int, int], None]:
    """Write a note into the output in the first passes of a run over one photo."""
    numbers = iter(range(1, times + 1))

    def save(*_: int) -> None:
        if number := next(numbers, 0):
            write_cell("note", 1, str(number))

    return save


def test_two_runs_do_not_write_one_output(monkeypatch: pytest.MonkeyPatch) -> None:
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
        ({"photos": Path("no")}, "no is no folder."),
    ],
)
def test_what_would_fail_at_the_end_is_said_before_the_first_photo(
    asked: dict[str, object], sentence: str
) -> None:
    take("t.jpg", act="models")  # scoring it is another error
    Path("mine.csv").write_text("player,score\nAnn,4\n")
    Path("folder.html").mkdir()
    with pytest.raises(UsageError, match=sentence):
        ask("t.jpg", **asked)
    assert Path("mine.csv").read_text() == "player,score\nAnn,4\n"


def test_what_a_sheet_of_claims_must_have() -> None:
    for heading, missing in (("photo,player", "claimed"), ("player,claimed", "photo")):
        Path("s.csv").write_text(f"{heading}\nt.jpg,46\n")
        with pytest.raises(UsageError, match=f"s.csv has no column {missing}"):
            verify()


def test_workbooks_need_openpyxl_before_the_first_photo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    take("t.jpg", act="models")
    with pytest.raises(UsageError, match="An Excel workbook needs"):
        ask("t.jpg", output=Path("r.xlsx"))


def test_a_journal_of_somebody_else_is_not_touched() -> None:
    take("t.jpg")
    locate_journal(Path("out.csv")).write_text("my diary\n")
    with pytest.raises(UsageError, match="is there already, and was not written by this version"):
        ask("t.jpg")
    assert locate_journal(Path("out.csv")).read_text() == "my diary\n"


def test_a_full_disk_ends_the_run_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    take_each()

    connect = sqlite3.connect

    def connect_to_full_disk(path: Path, **options: None) -> sqlite3.Connection:
        database = connect(path, **options)
        database.execute("PRAGMA max_page_count = 4")
        return database

    monkeypatch.setattr(sqlite3, "connect", connect_to_full_disk)
    with pytest.raises(UsageError, match=r"out\.csv\.journal cannot be written: .* disk is full"):
        ask("p")


def test_two_thousand_lines_are_no_work() -> None:
    """They took hours, when each looked at all others."""
    lines = "".join(f"{n}.jpg,Player {n},{n % 100}\n" for n in range(2_000))
    Path("s.csv").write_text(f"photo,player,claimed\n{lines}")
    for _ in range(2):
        verify()
    assert column("player")[-1] == "Player 1999" and len(rows()) == 2_000


# ---------------------------------------------------------------------- where photos are


@pytest.mark.parametrize(
    "name", ["p/a.jpg", "p\\a.jpg", "C:\\photos\\a.jpg", "/elsewhere/a.jpg", "a.jpg"]
)
def test_a_photo_is_found_however_a_sheet_names_it(name: str) -> None:
    take("p/a.jpg", TABLE[:1])
    Path("s.csv").write_text(f"photo,claimed\n{name},11\n")
    ask("s.csv", photos=Path("p"))
    assert column("score") == ["11"]


# ---------------------------------------------------------------------- the report


def test_the_report_shows_the_own_kingdom_and_speaks_german() -> None:
    take("t.jpg")
    write_sheet(("11", "17", "15", "41"))
    Path("s.csv").write_text(Path("s.csv").read_text() + ",Eve,3\nzero.jpg,Fay,4\n")
    Path("zero.jpg").touch()
    verify(html=P, language="de")
    text = P.read_text("utf-8")
    assert '<html lang="de">' in text and text.count("data:image/jpeg") == 4
    assert ">Eve</h2>" in text and '<p class="photo">zero.jpg</p>' in text
    first = text.index('<article class="card is-differs"')
    assert first < text.index('<article class="card is-agrees"')
    for words in ("weicht ab", "angegeben <b>41</b>", "gelesen <b>14</b>", "Nur König"):
        assert words in text, words
    for word in ("Standings", "claimed <", ">Player<", "sure"):
        assert word not in text.split("<body>")[1].split("<script>")[0], word


P = Path("report.html")
