"""`kdscore slips`: a page and the event's file from a sheet."""

from pathlib import Path

import pytest

from kdvision.cli import main
from kdvision.errors import ExitCode
from kdvision.slips.event import FILE_NAME, Holder, read_event
from kdvision.slips.slip import SlipCode

SHEET = "Runde;Tisch;Spieler\n2;1;Ada\n1;2;Bo\n1;1;Zoë\n1;1;Ada\n;;\n1;1;Ada\n"


def run(*words: str | Path) -> int:
    return main.run([str(word) for word in words])


def printed(page: Path) -> list[Holder | None]:
    event = read_event(page.with_name(FILE_NAME))
    texts = page.read_text("utf-8").split('data-code="')[1:]
    codes = [SlipCode.parse(text.partition('"')[0]) for text in texts]
    return [event.seat(code) if code else None for code in codes]


def test_a_page_has_every_player_of_every_round(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet, page = tmp_path / "sheet.csv", tmp_path / "slips.html"
    sheet.write_text(SHEET, "utf-8")
    assert run("slips", sheet, "-o", page, "--language", "de") == ExitCode.SURE
    assert "4 slips on 1 page." in capsys.readouterr().out
    assert printed(page) == [
        Holder("Zoë", "1", "1"),
        Holder("Ada", "1", "1"),
        Holder("Bo", "2", "1"),
        Holder("Ada", "1", "2"),
    ]
    assert "Runde 2" in page.read_text("utf-8")


def test_a_second_round_keeps_the_event(tmp_path: Path) -> None:
    sheet, page = tmp_path / "sheet.csv", tmp_path / "slips.html"
    sheet.write_text(SHEET, "utf-8")
    run("slips", sheet, "-o", page)
    before = read_event(page.with_name(FILE_NAME))
    sheet.write_text("player,table,round\nAda,4,3\nNew,4,3\n", "utf-8")
    assert run("slips", sheet, "-o", page) == ExitCode.SURE
    after = read_event(page.with_name(FILE_NAME))
    assert after.event == before.event
    assert before.players.items() <= after.players.items()
    assert printed(page) == [Holder("Ada", "4", "3"), Holder("New", "4", "3")]


def test_a_name_is_one_player_however_it_is_written(tmp_path: Path) -> None:
    sheet, page = tmp_path / "sheet.csv", tmp_path / "slips.html"
    sheet.write_text("player,table,round\nZo\u00eb,1,1\nBo Li,1,1\nzoe\u0308,1,1\n", "utf-8")
    run("slips", sheet, "-o", page)
    assert printed(page) == [Holder("Zo\u00eb", "1", "1"), Holder("Bo Li", "1", "1")]
    sheet.write_text("player,table,round\nZoe\u0308,2,2\nBO  LI,2,2\nBoli,2,2\n", "utf-8")
    run("slips", sheet, "-o", page)
    names = ["Zo\u00eb", "Bo Li", "Boli"]
    assert printed(page) == [Holder(name, "2", "2") for name in names]
    assert list(read_event(page.with_name(FILE_NAME)).players.values()) == names


def test_a_table_and_a_round_are_one_however_they_are_written(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    for rows in (
        "Ada,Tisch 1,Runde 1\nBen,tisch 1,runde 1\nCle,Tisch  1,Runde\u00a01\n",
        "Dan,TISCH 1,RUNDE 1\n",
    ):
        sheet.write_text(f"player,table,round\n{rows}", encoding="utf-8")
        assert main.run(["slips", str(sheet), "-o", str(tmp_path / "slips.html")]) == 0
        event = read_event(tmp_path / FILE_NAME)
        assert ([*event.tables.values()], [*event.rounds.values()]) == (["Tisch 1"], ["Runde 1"])


@pytest.mark.parametrize(
    "words",
    [("--language", "xx"), ("--paper", "a5"), ("--per-page", "7")],
)
def test_what_there_is_not_is_refused(words: tuple[str, str], tmp_path: Path) -> None:
    sheet, page = tmp_path / "sheet.csv", tmp_path / "slips.html"
    sheet.write_text(SHEET, "utf-8")
    assert run("slips", sheet, "-o", page, *words) == ExitCode.USAGE
    assert not page.exists()
    assert not (tmp_path / FILE_NAME).exists()


def test_a_sheet_without_players_is_refused(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("player,round\n,1\n", "utf-8")
    assert run("slips", sheet, "-o", tmp_path / "slips.html") == ExitCode.USAGE


def test_a_line_that_cannot_be_read_is_no_player_without_a_slip(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("player,table,round\nAda,1,1\nBo, the first,1,1\n", "utf-8")
    assert run("slips", sheet, "-o", tmp_path / "slips.html") == ExitCode.USAGE
    assert "line 3: 4 fields, but 3 columns." in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "slips.html").exists()


def test_a_page_is_not_written_over_a_sheet_or_a_photo(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet, photo, page = (tmp_path / name for name in ("sheet.csv", "table.jpg", "slips.html"))
    sheet.write_text(SHEET, "utf-8")
    photo.write_bytes(b"\xff\xd8")
    for output in (sheet, photo):
        assert run("slips", sheet, "-o", output) == ExitCode.USAGE
        assert "holds something else. Give another name" in " ".join(
            capsys.readouterr().err.split()
        )
    assert (sheet.read_text("utf-8"), photo.read_bytes()) == (SHEET, b"\xff\xd8")
    assert [run("slips", sheet, "-o", page) for _ in range(2)] == [ExitCode.SURE] * 2


def test_a_damaged_event_is_not_written_over(tmp_path: Path) -> None:
    sheet, page = tmp_path / "sheet.csv", tmp_path / "slips.html"
    sheet.write_text(SHEET, "utf-8")
    (tmp_path / FILE_NAME).write_text("{")
    assert run("slips", sheet, "-o", page) == ExitCode.USAGE
    assert (tmp_path / FILE_NAME).read_text() == "{"
    assert not page.exists()
