"""Tables as people make them: Excel's CSVs, workbooks, and everything that is wrong with them."""

import csv
import re
from io import StringIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from kdvision.columns import ColumnNames, number, plain
from kdvision.errors import UsageError
from kdvision.tournament.lines import PhotoFinder
from kdvision.tournament.sheets import (
    MAX_BYTES,
    MAX_ROWS,
    Sheet,
    Style,
    read_csv,
    read_sheet,
    table_bytes,
)
from kdvision.tournament.verify.run import write_annotated
from kdvision.tournament.workbook import workbook_with
from tests.support.evening import checked
from tests.support.fakes import write_photo


def written(tmp_path: Path, data: str | bytes, name: str = "sheet.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def fields(sheet: Sheet) -> list[tuple[int, dict[str, str]]]:
    return [(row.line, dict(row.fields)) for row in sheet.rows]


ANN = {"photo": "a.jpg", "claimed": "45"}


@pytest.mark.parametrize(
    "data",
    [
        "photo,claimed\na.jpg,45\n",
        "photo,claimed\na.jpg,45",
        "Photo;Claimed\r\na.jpg;45\r\n",
        "photo\tclaimed\na.jpg\t45\n",
        "\ufeffphoto;claimed\r\na.jpg;45\r\n",
        'sep=;\r\n"photo";"claimed"\r\n"a.jpg";"45"\r\n',
        " PHOTO , Claimed \n  a.jpg ,45 \n",
        "\n,\nphoto,claimed,\n\na.jpg,45,,\n\n",
        "photo\tclaimed\r\na.jpg\t45\r\n".encode("utf-16"),
        "photo,claimed\ra.jpg,45\r",
    ],
)
def test_one_table_written_in_many_ways(tmp_path: Path, data: str | bytes) -> None:
    sheet = read_sheet(written(tmp_path, data))
    assert [{k: v for k, v in row.fields.items() if k} for row in sheet.rows] == [ANN]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_names_with_accents(tmp_path: Path, encoding: str) -> None:
    sheet = read_sheet(
        written(tmp_path, "player,claimed\nZo\xeb \u2013 M\xfcller,4\n".encode(encoding))
    )
    assert sheet.rows[0].fields["player"] == "Zo\xeb \u2013 M\xfcller"


#: What Excel offers to save a table as: separator, line ends, encoding, and names in its letters.
EXCEL = [
    (",", "\r\n", "utf-8-sig", ["J\xfcrgen M\xfc\xdfig", "\u0141ukasz"]),  # CSV UTF-8
    (";", "\r\n", "utf-8-sig", ["J\xfcrgen M\xfc\xdfig", "\u0141ukasz"]),
    ("\t", "\r\n", "utf-16", ["J\xfcrgen M\xfc\xdfig", "\u0141ukasz"]),  # Unicode text
    (",", "\r\n", "cp1252", ["J\xfcrgen M\xfc\xdfig", "O\u2019Neil", "Zo\xeb \u2013 B"]),
    (";", "\r\n", "cp1252", ["Ann\u2019s", "Fran\xe7oise", "\xc9tienne"]),
    (";", "\r\n", "cp1250", ["\u0141ukasz", "\u0160imon"]),
    ("\t", "\r\n", "cp1252", ["J\xf6rg"]),  # text, tabs
    (";", "\r\n", "cp850", ["J\xfcrgen M\xfc\xdfig", "Zo\xeb"]),  # MS-DOS
    (",", "\r\n", "cp850", ["J\xf6rg", "Ren\xe9"]),
    (";", "\r", "mac_roman", ["J\xfcrgen M\xfc\xdfig", "Zo\xeb"]),  # Macintosh
]


@pytest.mark.parametrize(("delimiter", "end", "encoding", "names"), EXCEL)
def test_csv_as_any_excel_writes_it(
    tmp_path: Path, delimiter: str, end: str, encoding: str, names: list[str]
) -> None:
    rows = [["player", "claimed"], *([name, "49"] for name in names), ['Bo; "x", y', "7"]]
    text = StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator=end).writerows(rows)
    sheet = read_sheet(written(tmp_path, text.getvalue().encode(encoding)))
    assert [[row.fields["player"], row.fields["claimed"]] for row in sheet.rows] == rows[1:]
    guessed = encoding in ("cp1250", "cp850", "mac_roman")
    assert any("save it as CSV UTF-8" in note for note in sheet.notes) is guessed


def test_lines_keep_their_numbers(tmp_path: Path) -> None:
    text = 'photo,claimed\n\na.jpg,1\n"b\nc.jpg",2\n\nd.jpg,3\n'
    assert [line for line, _ in fields(read_sheet(written(tmp_path, text)))] == [3, 4, 7]


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ('"b.jpg,2', "a quote is not closed."),
        ("b.jpg,2,3", "3 fields, but 2 columns."),
        ('"b".jpg,2', "',' expected after '\"'."),
        ("b" * 200_000, "field larger than field limit (131072)."),
    ],
)
def test_a_damaged_line_costs_itself_only(tmp_path: Path, bad: str, problem: str) -> None:
    sheet = read_sheet(written(tmp_path, f"photo,claimed\na.jpg,1\n{bad}\nc.jpg,3\n"))
    assert [(row.line, row.problem) for row in sheet.rows] == [(2, ""), (3, problem), (4, "")]
    assert sheet.rows[2].fields == {"photo": "c.jpg", "claimed": "3"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty. Give a table"),
        (b"\n\n , \n", "is empty. The first line must name the columns."),
        (b"\0\1\2\0", "is no text. Save it as CSV in UTF-8."),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0\x81", "is a JPEG picture, not a table."),
        (b"W" * (MAX_BYTES + 1), "is too large: 61 MB"),
        (b"x\n" * (MAX_ROWS + 1), "has more than 100,000 lines. Cut it into several."),
        (b'"photo,claimed\n', "line 1: a quote is not closed."),
    ],
)
def test_what_is_no_table(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_sheet(written(tmp_path, data))
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["old.xls", "mac.numbers"])
def test_other_workbooks_have_a_remedy(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"Save it as \.xlsx or \.csv\."):
        read_sheet(written(tmp_path, "x", name))


def test_missing_and_doubled_columns(tmp_path: Path) -> None:
    sheet = read_sheet(written(tmp_path, "photo,remark\na.jpg,4\n"))
    with pytest.raises(UsageError) as caught:
        sheet.require(("photo",), ("claimed",))
    assert "sheet.csv, line 1: a column is missing: claimed." in str(caught.value)
    assert "now it names photo, remark." in str(caught.value)
    doubled = read_sheet(written(tmp_path, "photo,Photo\na.jpg,b.jpg\n"))
    with pytest.raises(UsageError, match="there are two columns photo"):
        doubled.require(("photo",))


def test_ten_thousand_lines(tmp_path: Path) -> None:
    lines = "".join(f"p{number}.jpg;{number % 90}\n" for number in range(10_000))
    sheet = read_sheet(written(tmp_path, f"photo;claimed\n{lines}"))
    assert len(sheet.rows) == 10_000
    assert (sheet.rows[-1].line, sheet.rows[-1].fields["claimed"]) == (10_001, "9")


# ---------------------------------------------------------------------- workbooks


def workbook(tmp_path: Path, rows: list[list[object]]) -> Path:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    path = tmp_path / "sheet.xlsx"
    book.save(path)
    return path


def test_a_workbook(tmp_path: Path) -> None:
    rows = [["Photo", "Claimed", "Harmony", None], ["a.jpg", 45, True], [], ["b.jpg", 4.0, False]]
    sheet = read_sheet(workbook(tmp_path, rows))
    assert fields(sheet) == [
        (2, {"photo": "a.jpg", "claimed": "45", "harmony": "yes"}),
        (4, {"photo": "b.jpg", "claimed": "4", "harmony": "no"}),
    ]


def test_damaged_workbooks(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    whole = workbook(tmp_path, [["photo"], ["a.jpg"]]).read_bytes()
    for data in (b"photo,claimed\n", whole[:300], whole[:-100]):
        with pytest.raises(UsageError, match="is no workbook, or is damaged"):
            read_sheet(written(tmp_path, data, "bad.xlsx"))
    with pytest.raises(UsageError, match="is empty"):
        read_sheet(workbook(tmp_path, []))


def test_without_openpyxl_there_is_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(
        UsageError, match=r"pip install 'kdvision\[xlsx\]'; or save the sheet as CSV"
    ):
        read_sheet(written(tmp_path, b"PK", "sheet.xlsx"))


# ---------------------------------------------------------------------- fields


@pytest.mark.parametrize(
    "name",
    [
        "photos/a b.jpg",
        "./photos/a b.jpg",
        "photos\\a b.jpg",
        ".\\photos\\a b.jpg",
        "C:\\Users\\me\\evening\\beside.jpg",
        "\\\\server\\share\\beside.jpg",
        "/home/other/beside.jpg",
    ],
)
def test_photos_are_found_from_the_sheet(tmp_path: Path, name: str) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a b.jpg").touch()
    (tmp_path / "beside.jpg").touch()
    assert PhotoFinder(tmp_path).path(name).is_file()


@pytest.mark.parametrize("name", ["nowhere.jpg", "photos", "a\0b", "https://x.org/a.jpg"])
def test_photos_that_are_not_there(tmp_path: Path, name: str) -> None:
    (tmp_path / "photos").mkdir()
    assert PhotoFinder(tmp_path).path(name) == tmp_path / name


def test_photos_are_looked_for_in_a_folder_and_below(tmp_path: Path) -> None:
    """`--photos DIR`: by the end of their path where a name is there twice."""
    photos = tmp_path / "camera"
    for name in ("1/a.jpg", "2/a.jpg", "2/b.JPG"):
        (photos / name).parent.mkdir(parents=True, exist_ok=True)
        (photos / name).touch()
    finder = PhotoFinder(tmp_path / "sheets", photos)
    assert finder.path("b.jpg") == photos / "2" / "b.JPG"
    assert finder.path("2/a.jpg") == photos / "2" / "a.jpg"
    assert finder.path("a.jpg") == tmp_path / "sheets" / "a.jpg"
    with pytest.raises(UsageError, match="is no folder"):
        PhotoFinder(tmp_path, tmp_path / "nowhere")


def test_a_photo_is_found_however_its_letters_are_written(tmp_path: Path) -> None:
    """`ü` is one sign in a sheet, and a u with dots in the names that macOS gives to files."""
    photos = tmp_path / "camera"
    for name in ("ku\u0308che.jpg", "1/ma\u0308r.jpg", "2/ma\u0308r.jpg"):
        (photos / name).parent.mkdir(parents=True, exist_ok=True)
        (photos / name).touch()
    finder = PhotoFinder(tmp_path / "sheets", photos)
    assert finder.path("k\xfcche.jpg") == photos / "ku\u0308che.jpg"
    assert finder.path("2/m\xe4r.jpg") == photos / "2" / "ma\u0308r.jpg"


def test_headings_are_known_however_their_letters_are_written() -> None:
    assert plain("Geza\u0308hlt") == plain("gez\xe4hlt") == "gez\xe4hlt"


def test_no_letter_of_a_name_is_lost_where_the_code_page_of_a_table_lacks_it() -> None:
    style = Style(delimiter=";", encoding="cp1252")
    table = table_bytes(["player"], [["Zo\xeb"]], style, {})
    assert table == "player\nZo\xeb\n".encode("cp1252")
    table = table_bytes(["player"], [["Zo\xeb"], ["\u0141ukasz"]], style, {})
    read = read_csv(Path("r.csv"), table, ColumnNames())
    assert [row.fields["player"] for row in read.rows] == ["Zo\xeb", "\u0141ukasz"]


@pytest.mark.parametrize("text", ["", "45", "0", "007"])
def test_numbers(text: str) -> None:
    assert number({"claimed": text}, "claimed") == (int(text) if text else None)


@pytest.mark.parametrize("text", ["x", "-4", "4.5", "4,5", "1000", "\u0664", "1e3", "45 points"])
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(UsageError, match=r"claimed is .*; write a number from 0 to 999"):
        number({"claimed": text}, "claimed")


# ---------------------------------------------------------------------- names, worksheets, formulas


def test_surname_and_first_name_are_the_player(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("Bild;Nachname;Vorname;Punkte\na.jpg;Müller;Zoë;28\nb.jpg;Bo;;3\n", "utf-8")
    sheet = read_sheet(path)
    sheet.require(("player",))
    assert [row.fields["player"] for row in sheet.rows] == ["Zoë Müller", "Bo"]


def test_columns_that_are_not_understood_are_named(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("photo,Wertung,claimed\na.jpg,x,3\n")
    missing, unknown = read_sheet(path).notes
    assert "Spieler".lower() in missing
    assert "Wertung" in unknown
    path.write_text("photo,player,claimed\na.jpg,x,3\n")
    assert read_sheet(path).notes == []


@pytest.fixture
def book_of_formulas(tmp_path: Path) -> Path:
    """A workbook as another program saves it: formulas without their values."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    first = book.active
    first.title = "Runde 1"
    for row in (
        ("photo", "player", "Felder", "Bonus", "claimed"),
        ("a.jpg", "Ann", 20, 8, "=C2+D2"),
        ("b.jpg", "Bob", 30, 5, "=SUM(C3:D3)-2"),
        ("c.jpg", "Cle", 1, 1, "=E2+E3"),
        ("d.jpg", "Dov", 1, 1, "=VLOOKUP(A1,B1,2)"),
    ):
        first.append(row)
    second = book.create_sheet("Runde 2")
    second.append(("photo", "player", "claimed"))
    second.append(("e.jpg", "Eve", 7))
    path = tmp_path / "s.xlsx"
    book.save(path)
    return path


def test_formulas_without_values_are_called_so(book_of_formulas: Path) -> None:
    sheet = read_sheet(book_of_formulas)
    claims = [row.fields["claimed"] for row in sheet.rows]
    assert claims == ["=C2+D2", "=SUM(C3:D3)-2", "=E2+E3", "=VLOOKUP(A1,B1,2)"]
    with pytest.raises(UsageError, match="claimed is a formula without a value"):
        number(sheet.rows[3].fields, "claimed")


def test_the_worksheet_that_is_read_is_named(book_of_formulas: Path) -> None:
    assert any(
        "Runde 1" in note and "Runde 2" in note for note in read_sheet(book_of_formulas).notes
    )
    second = read_sheet(book_of_formulas, worksheet="Runde 2")
    assert [row.fields["player"] for row in second.rows] == ["Eve"]
    with pytest.raises(UsageError, match="no worksheet 'Runde 3'"):
        read_sheet(book_of_formulas, worksheet="Runde 3")


def test_values_of_formulas_outlive_what_we_write(book_of_formulas: Path) -> None:
    """As Excel saves it, every formula has its value; what we write is read again."""
    with_values = book_of_formulas.with_name("excel.xlsx")
    values = {"E2": "28", "E3": "33", "E4": "61", "E5": "17"}
    with ZipFile(book_of_formulas) as old, ZipFile(with_values, "w") as new:
        for part in old.namelist():
            text = old.read(part)
            if part == "xl/worksheets/sheet1.xml":
                for cell, value in values.items():
                    found = re.search(rb'<c r="%s".*?<v ?/>' % cell.encode(), text)
                    assert found
                    whole = found[0].replace(found[0][-5:], b"<v>%s</v>" % value.encode())
                    text = text.replace(found[0], whole)
            new.writestr(part, text)
    sheet = read_sheet(with_values)
    assert [row.fields["claimed"] for row in sheet.rows] == [*values.values()]
    columns = (*sheet.columns, "verdict", "note")
    fields = {row.line: {"verdict": "agrees", "note": "a & b"} for row in sheet.rows}
    with_values.write_bytes(workbook_with(with_values, columns, 1, fields, {}))
    again = read_sheet(with_values)
    assert [row.fields["claimed"] for row in again.rows] == [*values.values()]
    assert {row.fields["note"] for row in again.rows} == {"a & b"}
    # The formulas are there as well, and so is the other worksheet.
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.load_workbook(with_values)
    assert book["Runde 1"]["E5"].value == "=VLOOKUP(A1,B1,2)"
    assert book["Runde 2"]["C2"].value == 7


# ---------------------------------------------------------------------- OpenDocument

ODS_CONTENT = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content
  xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
  xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
  xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">
 <office:body><office:spreadsheet>
  <table:table table:name="Anmeldung"><table:table-row><table:table-cell
    office:value-type="string"><text:p>player</text:p></table:table-cell></table:table-row>
  </table:table>
  <table:table table:name="Runde 1">
   <table:table-row table:number-rows-repeated="2"><table:table-cell
     table:number-columns-repeated="16384"/></table:table-row>
   <table:table-row>{heads}<table:table-cell table:number-columns-repeated="16379"/>
   </table:table-row>
   <table:table-row><table:table-cell office:value-type="string"><text:p>a.jpg</text:p>
     </table:table-cell>
    <table:table-cell office:value-type="string">
     <text:p>Zo&#235; <text:span>M&#252;</text:span></text:p>
     <office:annotation><text:p>a remark</text:p></office:annotation></table:table-cell>
    <table:table-cell office:value-type="float" office:value="28" table:formula="of:=[.A1]+8">
     <text:p>28,00</text:p></table:table-cell>
    <table:table-cell office:value-type="boolean" office:boolean-value="true"><text:p>WAHR</text:p>
    </table:table-cell></table:table-row>
   <table:table-row table:number-rows-repeated="2"><table:table-cell
     table:number-columns-repeated="2" office:value-type="string"><text:p>b.jpg</text:p>
     </table:table-cell><table:table-cell table:formula="of:=LOOKUP(1)"/></table:table-row>
   <table:table-row table:number-rows-repeated="1048570"><table:table-cell
     table:number-columns-repeated="16384"/></table:table-row>
  </table:table>
 </office:spreadsheet></office:body>
</office:document-content>"""
ODS_SETTINGS = '<config-item config:name="ActiveTable" config:type="string">Runde 1</config-item>'


def open_document(path: Path, content: str = ODS_CONTENT) -> Path:
    heads = "".join(
        f'<table:table-cell office:value-type="string"><text:p>{name}</text:p></table:table-cell>'
        for name in ("Foto", "Spieler", "Punkte", "Harmonie")
    )
    with ZipFile(path, "w") as archive:
        archive.writestr("content.xml", content.replace("{heads}", heads))
        archive.writestr("settings.xml", ODS_SETTINGS)
    return path


def test_an_open_document_is_read(tmp_path: Path) -> None:
    sheet = read_sheet(open_document(tmp_path / "s.ods"))
    assert fields(sheet) == [
        (4, {"photo": "a.jpg", "player": "Zo\xeb M\xfc", "claimed": "28", "harmony": "yes"}),
        (5, {"photo": "b.jpg", "player": "b.jpg", "claimed": "=LOOKUP(1)"}),
        (6, {"photo": "b.jpg", "player": "b.jpg", "claimed": "=LOOKUP(1)"}),
    ]
    assert sheet.worksheets == ("Runde 1", "Anmeldung")
    other = read_sheet(sheet.path, worksheet="Anmeldung")
    assert other.columns == ("player",)
    with pytest.raises(UsageError, match=r"no worksheet 'Runde 3'. It has Anmeldung, Runde 1"):
        read_sheet(sheet.path, worksheet="Runde 3")


@pytest.mark.parametrize("content", ["", "<a>", "<a/>"])
def test_a_damaged_open_document_has_a_remedy(tmp_path: Path, content: str) -> None:
    with pytest.raises(UsageError, match="is no workbook, or is damaged"):
        read_sheet(open_document(tmp_path / "s.ods", content))
    with pytest.raises(UsageError, match="is no workbook, or is damaged"):
        read_sheet(written(tmp_path, "photo,claimed\n", "t.ods"))


def test_a_checked_open_document_is_written_as_a_table(tmp_path: Path) -> None:
    write_photo(tmp_path / "a.jpg", "C W1 W W W1")
    verification = checked(open_document(tmp_path / "s.ods"))
    for name in ("out.csv", "out.xlsx"):
        write_annotated(verification, tmp_path / name)
        first = read_sheet(tmp_path / name).rows[0].fields
        assert (first["player"], first["claimed"], first["verdict"]) == (
            "Zo\xeb M\xfc", "28", "differs",
        )  # fmt: skip
