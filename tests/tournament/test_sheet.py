"""Sheets as spreadsheets and hands write them: read, changed in place, and written back."""

import codecs
import datetime
import io
import re
from pathlib import Path
from zipfile import ZipFile

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.comments import Comment
from openpyxl.styles import PatternFill

from kdvision.errors import UsageError
from kdvision.tournament.journal import WrittenLine
from kdvision.tournament.sheet import match_rows, merge_cells, read_sheet

FORMS = {
    "comma": b"photo,player,claimed\na.jpg,Ann,46\nb.jpg,Ben,54\n",
    "semicolon, Windows": "Foto;Spieler;Punkte\r\na.jpg;Jürgen;46\r\nb.jpg;Ben;54\r\n".encode(
        "cp1252"
    ),
    "tab, UTF-16": "photo\tplayer\tclaimed\r\na.jpg\tŁukasz\t46\r\nb.jpg\tBen\t54\r\n".encode(
        "utf-16"
    ),
    "marked UTF-8": codecs.BOM_UTF8 + "photo,player,claimed\na.jpg,Zoë,46\nb.jpg,,54\n".encode(),
    "sep=": b"sep=;\nphoto;player;claimed\na.jpg;Ann;46\nb.jpg;Ben;54\n",
    "titles": b"Autumn cup,,\n" * 19 + b",,\nphoto,player,claimed\na.jpg,Ann,46\nb.jpg,Ben,54\n",
    "quotes": b'photo,player,claimed\na.jpg,"O\'Hara, Ann",46\nb.jpg,"Be\nn",54\n',
    "a sum below": b"photo,player,claimed\na.jpg,Ann,46\nb.jpg,Ben,54\n,Summe,100\n",
}


@pytest.mark.parametrize("data", FORMS.values(), ids=FORMS)
def test_what_nobody_changes_stays_as_it_was(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(data)
    sheet = read_sheet(path)
    assert [(line.photo, line.claimed) for line in sheet.lines] == [("a.jpg", 46), ("b.jpg", 54)]
    assert sheet.to_bytes() == data


def test_found_columns_are_put_behind_those_of_people(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(b"Cup;;;;;;;;\r\n" + FORMS["semicolon, Windows"])
    sheet = read_sheet(path)
    for line in sheet.lines:
        sheet.set(line.number, {"score": str(line.claimed), "explanation": "Größe; so"})
    title, head, first, _ = sheet.to_bytes().decode("cp1252").splitlines()
    assert title == "Cup;;;;;;;;"
    assert head == "Foto;Spieler;Punkte;score;explanation"
    assert first == 'a.jpg;Jürgen;46;46;"Größe; so"'


@pytest.mark.parametrize(
    ("data", "sentence", "advice"),
    [
        (b"", "is empty", "first line"),
        (b"\n\n", "is empty.", "The first line must name the columns."),
        (b"\x00\x01\x02\x03" * 10, "is no table", "CSV or .xlsx"),
        (
            b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + b"x" * 40,
            "is no table",
            "To score a photo: kdscore ",
        ),
        (b'photo,player\na.jpg,"Ann\nb.jpg,Ben\n', "A quote is not closed in line 2", "Close it"),
        (b"photo,photo\na.jpg,b.jpg\n", "photo and photo could both be photo.", "heading"),
        pytest.param(bytes(64_000_001), "is too large", "CSV or .xlsx", id="too large"),
        (b"PK\x03\x04 no more", "is no workbook, or is damaged", "save it again as .xlsx"),
    ],
)
def test_what_is_no_sheet_is_said_with_the_remedy(
    tmp_path: Path, data: bytes, sentence: str, advice: str
) -> None:
    path = tmp_path / ("sheet.xlsx" if data.startswith(b"PK") else "sheet.csv")
    path.write_bytes(data)
    with pytest.raises(UsageError) as error:
        read_sheet(path)
    assert sentence in error.value.message and advice in error.value.advice


def test_a_missing_heading_is_said_with_those_that_are_there(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    head = ",".join(["Handy", "", "x" * 40, *map(str, range(12))])
    path.write_text(f"{head}\n" + "a.jpg,Ann\n" * 19 + "photo,player\n")  # too far below
    with pytest.raises(UsageError) as error:
        read_sheet(path).require(["photo"])
    shown = ", ".join(["Handy", "x" * 30, *map(str, range(10))])
    assert error.value.message.endswith(f"has no column photo; its first line is: {shown}.")
    assert error.value.advice.startswith("Write one of these over the column: photo, image")


# ---------------------------------------------------------------------- workbooks


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A workbook as people keep it: types, colours, comments, formulas, other worksheets."""
    book = Workbook()
    sheet = book.active
    sheet.append(["Foto", "Spieler", "Punkte", "bezahlt", "Datum", "Anteil", "Rechnung"])
    day = datetime.datetime(2026, 5, 1, 18, 30)
    sheet.append(["a.jpg", "Ann", 46, True, day, 0.25, "=C2*2"])
    sheet.append(["b.jpg", "007", 54, False, None, 0.5, "=C3*2"])
    sheet["F2"].number_format = "0%"
    sheet["B2"].comment = Comment("Geburtstag", "Kim")
    sheet["A3"].fill = PatternFill("solid", fgColor="FFCC00")
    sheet["A9"].fill = PatternFill("solid", fgColor="FFCC00")
    sheet.column_dimensions["B"].width = 33
    book.create_sheet("Regeln")["A1"] = "Harmonie"
    path = tmp_path / "sheet.xlsx"
    book.save(path)
    # A spreadsheet saves what a formula shows, as openpyxl does not.
    saved = ZipFile(io.BytesIO(path.read_bytes()))
    with ZipFile(path, "w") as file:
        for name in saved.namelist():
            data = re.sub(rb"</f><v ?/>|</f><v></v>", b"</f><v>92</v>", saved.read(name))
            file.writestr(name, data)
    return path


def test_a_workbook_is_changed_in_place(book: Path) -> None:
    sheet = read_sheet(book)
    for line in sheet.lines:
        sheet.set(line.number, {"score": "46", "explanation": "=no formula"})
    sheet.set(3, {"claimed": "55"})
    changed = load_workbook(io.BytesIO(sheet.to_bytes()))
    cells = changed.active
    assert [cell.value for cell in cells[1]][-2:] == ["score", "explanation"]
    assert (cells["H2"].value, cells["I2"].value, cells["I2"].data_type) == (46, "=no formula", "s")
    # Everything of people is as it was, but the one claim.
    day = datetime.datetime(2026, 5, 1, 18, 30)
    assert [cell.value for cell in cells[2]][:7] == ["a.jpg", "Ann", 46, True, day, 0.25, "=C2*2"]
    assert [cells["B3"].value, cells["C3"].value, cells["D3"].value] == ["007", 55, False]
    assert cells["F2"].number_format == "0%"
    assert cells["B2"].comment.text == "Geburtstag"
    assert cells["A3"].fill.fgColor.rgb == "00FFCC00"
    assert cells.column_dimensions["B"].width == 33
    assert changed["Regeln"]["A1"].value == "Harmonie"


def test_cells_of_a_workbook_are_read_as_they_are_typed(book: Path) -> None:
    first, second = read_sheet(book).lines
    assert (first.player, first.claimed, second.player) == ("Ann", 46, "007")
    assert first.cells["rechnung"] == "92" and first.cells["bezahlt"] == "yes"
    assert first.cells["datum"] == "2026-05-01 18:30:00"


def test_the_worksheet_with_headings_is_read(book: Path) -> None:
    workbook = load_workbook(book)
    workbook.active = 1
    workbook.save(book)
    assert len(read_sheet(book).lines) == 2


def test_csv_and_workbook_become_each_other(book: Path, tmp_path: Path) -> None:
    read_sheet(book).save(tmp_path / "out.csv")
    assert len((tmp_path / "out.csv").read_text("utf-8").splitlines()) == 3
    again = read_sheet(tmp_path / "out.csv")
    again.save(tmp_path / "out.xlsx")
    last = read_sheet(tmp_path / "out.xlsx")
    for sheet in (again, last):
        assert [(line.player, line.claimed) for line in sheet.lines] == [("Ann", 46), ("007", 54)]
    cells = load_workbook(tmp_path / "out.xlsx").active
    assert (cells["C2"].value, cells["B3"].value) == (46, "007")


# ---------------------------------------------------------------------- lines that are the same


def row(**cells: str) -> dict[str, str]:
    return cells


A = row(photo="t.jpg", player="Ann", claimed="46")
B = row(photo="t.jpg", player="Ben", claimed="54")
C = row(photo="u.jpg", player="Cle", claimed="41")


@pytest.mark.parametrize(
    ("new", "pairs"),
    [
        ([A, B, C], {0: 0, 1: 1, 2: 2}),
        ([C, A, B], {0: 2, 1: 0, 2: 1}),
        ([B, C], {0: 1, 1: 2}),
        ([{**A, "player": "Anna"}, B, C], {0: 0, 1: 1, 2: 2}),
        ([{**A, "photo": "v.jpg"}, B, C], {0: 0, 1: 1, 2: 2}),
        ([{**A, "claimed": "47", "note": "x"}, {**B, "claimed": "1"}, C], {0: 0, 1: 1, 2: 2}),
        # Somebody else, with another claim, is no mended line.
        ([row(photo="t.jpg", player="Eve", claimed="33"), B, C], {1: 1, 2: 2}),
        # Claims that were exchanged move no name.
        ([{**B, "claimed": "46"}, C, {**A, "claimed": "54"}], {0: 1, 1: 2, 2: 0}),
        ([{**A, "player": "Ben"}, C], {0: 1, 1: 2}),
        ([], {}),
    ],
)
def test_lines_are_known_again(new: list[dict[str, str]], pairs: dict[int, int]) -> None:
    old = [{**cells, "game": "1", "round": "1"} for cells in (A, B, C)]
    new = [{"game": "1", "round": "1", **cells} for cells in new]
    assert match_rows(new, old) == pairs


@pytest.mark.parametrize(
    ("output", "sheet", "last_output", "last_sheet", "expected", "conflicts"),
    [
        ("46", "46", "46", "46", "46", 0),
        ("47", "46", "46", "46", "47", 0),
        ("46", "47", "46", "46", "47", 0),
        ("47", "48", "46", "46", "47", 1),
        ("47", "47", "46", "46", "47", 0),
        ("", "46", "46", "46", "", 0),
        ("46", "", "46", "46", "", 0),
        # A cell that was changed in the output before the last run stays, too.
        ("47", "46", "47", "46", "47", 0),
        # A first run into what is there.
        ("47", "46", "", "", "47", 1),
        ("", "46", "", "", "46", 0),
    ],
)
def test_a_cell_has_the_newest_word(
    output: str, sheet: str, last_output: str, last_sheet: str, expected: str, conflicts: int
) -> None:
    words = [{"claimed": text} for text in (output, sheet, last_output, last_sheet)]
    assert merge_cells(*words[:2], WrittenLine(*words[2:])) == ({"claimed": expected}, conflicts)
