"""Through spreadsheets and back: results and checked sheets keep all that is in them."""

import csv
import shutil
import subprocess
from pathlib import Path

import pytest

from kdvision.result import Status
from kdvision.tournament.sheets import read_sheet
from kdvision.tournament.standings import read_standings
from kdvision.tournament.verify.run import write_annotated
from kdvision.tournament.verify.verdicts import Verdict
from tests.support.evening import checked, rows, scored
from tests.support.fakes import write_photo

SOFFICE = shutil.which("soffice")
GERMAN = 1031
SHEET = """Herbstturnier;;;;;;;;;
Foto;Königreich;Spieler;Spiel;Runde;Punkte;Harmonie;fix;accept;note
p/ä 1.jpg;;Jürgen "der" Große;Tisch 1;1;8;ja;;;
p/b.jpg;;Zoë;Tisch 1;1;49,0;nein;b1=C;photo;"Kim; Richter"
p/c.jpg;A;Dörte, die 2.;3-1;2;2;nein;;;
p/c.jpg;B;-Bob;3-1;2;2;nein;;;
"""


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    """A sheet as a German spreadsheet writes it, and its photos."""
    write_photo(tmp_path / "p" / "ä 1.jpg", "C W1 W W W1")
    # A line that begins with - may be taken for a formula, 0.8123 for no number.
    doubt = (Status.DOUBTFUL, 0.8123, ((6, 0.19),))
    write_photo(tmp_path / "p" / "b.jpg", "- C W1/W W W1", *doubt, number=1)
    write_photo(tmp_path / "p" / "c.jpg", "C W1 | C F1 F", number=2)
    path = tmp_path / "sheet.csv"
    path.write_text(SHEET, encoding="utf-8-sig")
    return path


def through_libreoffice(path: Path, folder: Path) -> None:
    """Open a CSV in a German LibreOffice, save as .ods, that as .xlsx, and that as CSV again."""
    delimiter = ord(read_sheet(path).style.delimiter)
    program = [
        str(SOFFICE), f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--headless",
    ]  # fmt: skip
    opening = f"--infilter=CSV:{delimiter},34,76,1,,{GERMAN},false,false"
    saving = f"csv:Text - txt - csv (StarCalc):59,34,76,1,,{GERMAN},false,true"
    steps = (
        ([opening, "--convert-to", "ods"], path),
        (["--convert-to", "xlsx"], folder / f"{path.stem}.ods"),
        (["--convert-to", saving], folder / f"{path.stem}.xlsx"),
    )
    for words, source in steps:
        command = [*program, *words, "--outdir", str(folder), str(source)]
        subprocess.run(command, check=True, capture_output=True, timeout=240)
    shutil.move(folder / f"{path.stem}.csv", path)


def through_excel(path: Path) -> None:
    """Open a workbook, write a cell, and save it, as Excel does."""
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    book = openpyxl.load_workbook(path)
    table = book.active
    heads = [cell.value for cell in table[1]]
    table.cell(2, heads.index("note") + 1).value = "looked at"
    book.save(path)


def plain(row: dict[str, str]) -> dict[str, str]:
    """A row with what a spreadsheet may write another way: numbers."""
    return {name: text.replace("49,0", "49").replace("0,", "0.") for name, text in row.items()}


@pytest.mark.skipif(SOFFICE is None, reason="LibreOffice is not installed (soffice)")
def test_results_and_checked_sheets_go_through_a_german_libreoffice(sheet: Path) -> None:
    results, output = sheet.with_name("r.csv"), sheet.with_name("checked.csv")
    first = scored(results, sheet)
    verification = checked(sheet)
    write_annotated(verification, output)
    before, standings = rows(results), read_standings(output)
    verdicts = [line.verdict for line in verification.verdicts]
    assert Verdict.DIFFERS in verdicts
    assert Verdict.SETTLED in verdicts
    folder = sheet.with_name("office")
    for path in (results, output):
        through_libreoffice(path, folder)
    assert read_sheet(results).style.delimiter == ";"
    assert [plain(row) for row in rows(results)] == [plain(row) for row in before]
    # The same command goes on from it, and nothing is scored again or lost.
    again = scored(results, sheet)
    assert (again.skipped, again.exit_code) == (3, first.exit_code)
    assert [plain(row) for row in rows(results)] == [plain(row) for row in before]
    # The checked sheet is checked and ranked as before.
    assert [line.verdict for line in checked(output).verdicts] == verdicts
    assert read_standings(output).games == standings.games


def test_results_and_checked_sheets_go_through_excel(sheet: Path) -> None:
    results, output = sheet.with_name("r.xlsx"), sheet.with_name("checked.xlsx")
    scored(results, sheet)
    verification = checked(sheet)
    write_annotated(verification, output)
    before, standings = rows(results), read_standings(output)
    for path in (results, output):
        through_excel(path)
    assert scored(results, sheet).skipped == 3
    expected = [{**before[0], "note": "looked at"}, *before[1:]]
    assert [plain(row) for row in rows(results)] == [plain(row) for row in expected]
    assert [line.verdict for line in checked(output).verdicts] == [
        line.verdict for line in verification.verdicts
    ]
    assert read_standings(output).games == standings.games


def test_what_a_person_writes_between_two_runs_stays(sheet: Path) -> None:
    """`checked.csv` is verified and ranked right away, edited, and verified again, three times."""
    output = sheet.with_name("checked.csv")
    write_annotated(checked(sheet), output)
    with output.open(encoding="utf-8-sig") as file:
        title, head, *table = csv.reader(file, delimiter=";")
    table[2][head.index("accept")], table[2][head.index("note")] = "2", "Kim"
    table[3][head.index("fix")] = "c1=F1"
    with output.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file, delimiter=";").writerows([title, head, *table])
    for _ in range(3):
        found = checked(output)
        assert [line.settled for line in found.verdicts] == [None, 8, 2, None]
        assert [line.total for line in found.verdicts] == [8, 8, 2, 4]
        write_annotated(found, output)
        fields = [row.fields for row in read_sheet(output).rows]
        assert [one["accept"] for one in fields] == ["", "photo", "2", ""]
        assert [one["note"] for one in fields] == ["", "Kim; Richter", "Kim", ""]
        assert [one["fix"] for one in fields] == ["", "b1=C", "", "c1=F1"]
        first, second = read_standings(output).games
        assert [one.result.total for one in first.ranked] == [8, 8]
        assert second.winners == ("-Bob",)
