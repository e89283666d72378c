"""Results as people open them: all columns of theirs, then six of the program's."""

import csv
import datetime
import io

import pytest
from openpyxl import load_workbook

from kdvision.errors import UsageError
from kdvision.tournament.columns import FOUND, Column, read_headings
from kdvision.tournament.csv_files import Form
from kdvision.tournament.judging import Verdict, Word
from kdvision.tournament.results import make_results
from kdvision.tournament.rows import Row
from tests.support.results import PHOTO, read_kingdom

DAY = datetime.date(2026, 5, 1)
TIME = datetime.datetime(2026, 5, 1, 18, 30)


def judged(headings: str, *values: object, word: Word = Word.AGREES) -> Verdict:
    """A row that agrees with a kingdom of 23 points."""
    row = Row.read(read_headings(headings.split(",")), values)  # type: ignore[arg-type]
    return Verdict(row=row, word=word, kingdom=read_kingdom(), index=0, photo=PHOTO)


VERDICTS = [
    judged("Foto,Spieler,Punkte,bezahlt,Tag,Anteil,Status,", "a.jpg", "007", 23.0, True, DAY, 0.25,
           "paid", "x"),
    judged("Foto,Spieler,Punkte,bezahlt,Tag,Anteil,Status,", "b.jpg", "{=Ann}", "23", False, TIME,
           datetime.time(18, 30), "", "", word=Word.CANNOT_TELL),
]  # fmt: skip


def test_csv_has_peoples_columns_then_six() -> None:
    head, first, second = csv.reader(io.StringIO(make_results(VERDICTS).decode()))
    assert head == ["Foto", "Spieler", "Punkte", "bezahlt", "Tag", "Anteil", "Status", "", *FOUND]
    assert first[:8] == ["a.jpg", "007", "23", "yes", "2026-05-01", "0.25", "paid", "x"]
    assert first[8:12] == ["23", "sure", "23", "agrees"]
    assert second[:6] == ["b.jpg", "{=Ann}", "23", "no", "2026-05-01 18:30:00", "18:30:00"]


def test_workbook_style() -> None:
    sheet = load_workbook(io.BytesIO(make_results(VERDICTS, ".xlsx"))).active
    first, second = list(sheet.iter_rows(min_row=2, values_only=True))
    assert first[:8] == ("a.jpg", "007", 23, True, datetime.datetime(2026, 5, 1), 0.25, "paid", "x")
    assert second[:6] == ("b.jpg", "{=Ann}", 23, False, "2026-05-01 18:30:00", "18:30:00")
    assert {cell.data_type for cell in sheet["B"]} == {"s"}, "a text is no formula"
    # The filter goes over all columns, so that sorting moves whole rows.
    assert sheet.auto_filter.ref == sheet.dimensions == "A1:N3"
    assert sheet.freeze_panes == "A2" and sheet["A1"].font.bold
    assert 10 <= sheet.column_dimensions["N"].width < 62
    # A column is as wide as its longest text: here the last one.
    shown = [len(str(cell.value)) for cell in sheet["E"]]
    assert shown == [3, 19, 19]
    assert sheet.column_dimensions["E"].width == pytest.approx(19, abs=1)
    assert sheet["L2"].value == "agrees" and sheet["L3"].value == "cannot tell"
    assert sheet["L2"].fill.fgColor.rgb != sheet["L3"].fill.fgColor.rgb
    assert sheet["K2"].fill.fill_type is None


@pytest.mark.parametrize(
    ("heading", "value", "width"),
    [
        ("Ort", "Bonn", 10),
        ("Lieblingsfarbe", "rot", 17),  # with room for the arrow of a filter
        ("Ort", "x" * 40, 40),
        ("Ort", "x" * 100, 60),
    ],
)
def test_columns_of_a_workbook_are_as_wide_as_their_texts(
    heading: str, value: str, width: int
) -> None:
    sheet = load_workbook(io.BytesIO(make_results([judged(heading, value)], ".xlsx"))).active
    assert sheet.column_dimensions["A"].width == pytest.approx(width, abs=1)


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_same_rows_give_same_bytes(suffix: str) -> None:
    assert make_results(VERDICTS, suffix) == make_results(VERDICTS, suffix)


def test_csv_has_the_form_of_its_sheet() -> None:
    data = make_results(VERDICTS, form=Form(";", is_marked=True))
    assert data.startswith(b"\xef\xbb\xbfFoto;Spieler;")


def test_equal_columns_of_sheets_stand_once() -> None:
    rows = [
        judged("photo,Spieler,Handy", "a.jpg", "Ann", "1"),
        judged("Foto,handy,player,Zahlung", "b.jpg", "2", "Ben", "bar"),
        judged("photo,Handy,Handy", "c.jpg", "3", "4"),
    ]
    head, *lines = csv.reader(io.StringIO(make_results(rows).decode()))
    assert head[:5] == ["photo", "Spieler", "Handy", "Zahlung", "Handy"]
    assert [line[:5] for line in lines] == [
        ["a.jpg", "Ann", "1", "", ""],
        ["b.jpg", "Ben", "2", "bar", ""],
        ["c.jpg", "", "3", "", "4"],
    ]


def test_too_much_for_a_workbook() -> None:
    row = Row.read((Column("note", "note"),), ("x" * 32_768,))
    with pytest.raises(UsageError, match="cannot hold row 2 of the results") as error:
        make_results([Verdict(row=row)], ".xlsx")
    assert error.value.advice == "Write a CSV: -o results.csv"
