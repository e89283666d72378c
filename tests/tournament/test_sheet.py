"""Sheets as spreadsheets and hands write them, read for their values."""

import codecs
import datetime
import io
import re
from pathlib import Path
from zipfile import ZipFile

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.styles import PatternFill

from kdvision.errors import UsageError
from kdvision.tournament.columns import FOUND
from kdvision.tournament.sheet import describe_sheet, is_results, name_sheets, read_sheets

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
    "headings again": b"photo,claimed\na.jpg,46\n,\nphoto,claimed\nb.jpg,54\n",
}


@pytest.mark.parametrize("data", FORMS.values(), ids=FORMS)
def test_forms_of_a_csv(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(data)
    (sheet,) = read_sheets(path)
    assert [(row.photo, row.claimed) for row in sheet.rows] == [("a.jpg", 46), ("b.jpg", 54)]


@pytest.mark.parametrize(
    ("word", "page", "note"),
    [
        ("Jürgen", "cp1252", "code page 1252, where a word is Jürgen."),
        ("Łukasz", "cp1250", "code page 1250, where a word is Łukasz."),
        ("Jürgen", "utf-8", ""),
    ],
)
def test_guessed_code_page_is_said(tmp_path: Path, word: str, page: str, note: str) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(f"photo,player\na.jpg,{word}\n".encode(page))
    (sheet,) = read_sheets(path)
    assert sheet.rows[0].player == word
    assert note in describe_sheet(sheet) and ("UTF-8" in describe_sheet(sheet)) == bool(note)


def test_one_line_says_what_was_read(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("Foto,Spieler,claimed,Handy\na.jpg,Ann,46,0171\nb.jpg,Ben,54,\n")
    (sheet,) = read_sheets(path)
    assert describe_sheet(sheet) == (
        "sheet.csv: 2 rows; columns photo = Foto, player = Spieler, claimed. "
        "Kept as they are: Handy."
    )


def test_findings_are_no_words_of_people(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text(
        f"photo,Status,{','.join(FOUND)},note\na.jpg,paid,46,sure,46,agrees,Fine.,C W1 W,look\n"
    )
    (sheet,) = read_sheets(path)
    (row,) = sheet.rows
    assert [column.heading for column in sheet.columns] == ["photo", "Status", "note"]
    assert row.values == ("a.jpg", "paid", "look")
    assert row.found["explanation"] == "Fine." and str(row.reading) == "C W1 W"
    assert sheet.has_results and "worked out anew" in describe_sheet(sheet)


@pytest.mark.parametrize(
    ("text", "is_written"),
    [
        (f"photo,{','.join(FOUND)}\na.jpg,46,sure,46,agrees,Fine.,C W1 W\n", True),
        ("photo,player\na.jpg,Ann\n", False),
        ("", False),
    ],
)
def test_results_are_known_by_their_headings(tmp_path: Path, text: str, is_written: bool) -> None:
    path = tmp_path / "r.csv"
    path.write_text(text)
    assert is_results(path) is is_written


@pytest.mark.parametrize(
    ("data", "sentence", "advice"),
    [
        (b"", "is empty", "first row"),
        (b"\n\n", "is empty.", "The first row must name the columns."),
        (b"\x00\x01\x02\x03" * 10, "is no table", "CSV or a workbook"),
        (
            b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + b"x" * 40,
            "is no table",
            "To score a photo: kdscore ",
        ),
        (b'photo,player\na.jpg,"Ann\nb.jpg,Ben\n', "A quote is not closed in row 2", "Close it"),
        (b"photo,photo\na.jpg,b.jpg\n", "photo and photo could both be photo.", "heading"),
        pytest.param(bytes(64_000_001), "is too large", "CSV or a workbook", id="too large"),
        (b"PK\x03\x04 no more", "is no workbook, or is damaged", "save it again as .xlsx"),
    ],
)
def test_not_a_sheet_is_refused(tmp_path: Path, data: bytes, sentence: str, advice: str) -> None:
    path = tmp_path / ("sheet.xlsx" if data.startswith(b"PK") else "sheet.csv")
    path.write_bytes(data)
    with pytest.raises(UsageError) as error:
        read_sheets(path)
    assert sentence in error.value.message and advice in error.value.advice


def test_missing_heading_names_the_others(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    head = ",".join(["Handy", "", "x" * 40, *map(str, range(12))])
    path.write_text(f"{head}\n" + "a.jpg,Ann\n" * 19 + "photo,player\n")  # too far below
    with pytest.raises(UsageError) as error:
        read_sheets(path)
    shown = ", ".join(["Handy", "x" * 30, *map(str, range(10))])
    assert error.value.message.endswith(f"has no column photo; its headings are: {shown}.")
    assert error.value.advice.startswith("Give the column one of these headings: photo, image")


# ---------------------------------------------------------------------- workbooks


def save_book(path: Path, book: Workbook) -> Path:
    """Save a workbook as a spreadsheet does: with what formulas show, 92, as openpyxl does not."""
    book.save(path)
    saved = ZipFile(io.BytesIO(path.read_bytes()))
    with ZipFile(path, "w") as file:
        for name in saved.namelist():
            data = re.sub(rb"</f><v ?/>|</f><v></v>", b"</f><v>92</v>", saved.read(name))
            file.writestr(name, data)
    return path


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A workbook as people keep it: types, colours, formulas, other worksheets."""
    book = Workbook()
    sheet = book.active
    sheet.append(["Foto", "Spieler", "Punkte", "bezahlt", "Datum", "Anteil", "Rechnung"])
    day = datetime.datetime(2026, 5, 1, 18, 30)
    sheet.append(["a.jpg", "Ann", 46, True, day, 0.25, "=C2*2"])
    sheet.append(["b.jpg", "007", 54, False, datetime.date(2026, 5, 2), 0.5, "=C3*2"])
    sheet["A9"].fill = PatternFill("solid", fgColor="FFCC00")
    book.create_sheet("Regeln")["A1"] = "Harmonie"
    return save_book(tmp_path / "sheet.xlsx", book)


def test_workbook_cells_count_as_shown(book: Path) -> None:
    (sheet,) = read_sheets(book)
    first, second = sheet.rows
    assert (first.player, first.claimed, second.player) == ("Ann", 46, "007")
    assert first.values[3:] == (True, datetime.datetime(2026, 5, 1, 18, 30), 0.25, 92.0)
    assert second.values[4] == datetime.date(2026, 5, 2)


def test_worksheets_without_headings_are_named(book: Path) -> None:
    workbook = load_workbook(book, data_only=True)
    for name in ("Runde 2", "Alt"):
        sheet = workbook.create_sheet(name)
        sheet.append(["photo", "player"])
        sheet.append(["c.jpg", "Cle"])
    workbook["Alt"].sheet_state = "hidden"
    workbook.save(book)
    first, second = read_sheets(book)
    assert (first.worksheet, second.worksheet) == ("Sheet", "Runde 2")
    assert "Worksheets that are not read: Regeln, Alt." in describe_sheet(first)
    assert [row.label for row in name_sheets([first, second])] == [
        "sheet.xlsx/Sheet:2 (Ann)", "sheet.xlsx/Sheet:3 (007)", "sheet.xlsx/Runde 2:2 (Cle)",
    ]  # fmt: skip


def test_merged_cell_counts_for_its_rows(tmp_path: Path) -> None:
    book = Workbook()
    for cells in (["photo", "player"], ["t.jpg", "Ann"], ["", "Ben"], ["", "Cle"], ["u.jpg", "D"]):
        book.active.append(cells)
    book.active.merge_cells("A2:A4")
    (sheet,) = read_sheets(save_book(tmp_path / "sheet.xlsx", book))
    assert [row.photo for row in sheet.rows] == ["t.jpg"] * 3 + ["u.jpg"]


def test_uncalculated_formula_is_refused(book: Path) -> None:
    load_workbook(book).save(book)
    with pytest.raises(UsageError, match="the formula in G2 of worksheet Sheet was never") as error:
        read_sheets(book)
    assert error.value.advice == "Open the file in a spreadsheet and save it there once."


def test_cost_goes_with_what_is_written(book: Path) -> None:
    """A colour or a format far away costs nothing; a lone word there is refused by its place."""
    workbook = load_workbook(book, data_only=True)
    workbook.active["XFD1048576"].fill = PatternFill("solid", fgColor="FFCC00")
    workbook.save(book)
    assert len(read_sheets(book)[0].rows) == 2
    workbook.active["XFD1048576"] = "x"
    workbook.save(book)
    with pytest.raises(UsageError, match="cell XFD1048576 of worksheet Sheet lies far away"):
        read_sheets(book)


@pytest.mark.parametrize("place", ["T1000001", "U1000000"])  # 20 columns are T
def test_worksheet_has_twenty_million_places_at_most(tmp_path: Path, place: str) -> None:
    book = Workbook()
    book.active["A1"], book.active[place] = "photo", "x"
    with pytest.raises(UsageError, match=f"cell {place} of worksheet Sheet lies far away"):
        read_sheets(save_book(tmp_path / "sheet.xlsx", book))


@pytest.mark.parametrize("name", ["strict.xlsx", "sheet.ods", "sheet.xls"])
def test_other_forms_of_workbooks_are_read(name: str) -> None:
    (sheet,) = read_sheets(Path(__file__).parent.parent / "data" / "sheets" / name)
    assert [(row.photo, row.player, row.claimed) for row in sheet.rows] == [
        ("corner.jpg", "Ann", 28), ("plus.jpg", "Bo", 9), ("gaps_5x5.jpg", "Cy", 33),
    ]  # fmt: skip


def test_workbook_with_password_is_refused() -> None:
    path = Path(__file__).parent.parent / "data" / "sheets" / "locked.xlsx"
    with pytest.raises(UsageError, match="locked by a password") as error:
        read_sheets(path)
    assert error.value.advice == "Save it without a password, or as CSV."
