"""The one table of columns: what is written by one command is read by the others."""

from collections import Counter
from pathlib import Path

import pytest

from kdvision.cli.main import run as main
from kdvision.columns import (
    CLAIM_NAMES,
    COLUMNS,
    CSV_COLUMNS,
    RESULT_COLUMNS,
    RESULT_NAMES,
    ColumnNames,
    csv_head,
    plain,
    result_rows,
)
from kdvision.result import PhotoResult, Status
from kdvision.sentences import Sentence
from tests.support.paths import ROOT
from tests.support.results import PHOTO

SAMPLE = ROOT / "samples"


def test_standings_read_what_csv_writes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = SAMPLE / "two_kingdoms.jpg"
    assert main(["score", str(table), "--csv"]) in (0, 6)
    text = capsys.readouterr().out
    written = tmp_path / "t.csv"
    written.write_text(text, "utf-8")
    assert main(["standings", str(written), "--json"]) == 0
    ranked = capsys.readouterr().out
    rows = text.splitlines()[1:]
    assert len(rows) > 1
    assert all(f"{table} {name}" in ranked for name in "ABCDEFGH"[: len(rows)])


@pytest.mark.parametrize("names", [CLAIM_NAMES, RESULT_NAMES], ids=["claims", "results"])
def test_no_heading_has_two_meanings(names: dict[str, tuple[str, ...]]) -> None:
    headings = [heading for others in names.values() for heading in others]
    headings += list(names)
    doubled = {heading for heading, count in Counter(headings).items() if count > 1}
    assert doubled == set()
    assert [heading for heading in headings if plain(heading) != heading] == []


def test_a_column_that_is_written_is_in_every_table_of_results() -> None:
    (row,) = result_rows(PHOTO, "k", "p", "d")
    written = {*row}
    assert written <= {*RESULT_COLUMNS}
    by_people = {column.name for column in COLUMNS if column.by_people}
    empty = {"alternatives", "centre", "message", "origin"}
    assert {*RESULT_COLUMNS} - by_people - written == empty
    internal = {column.name for column in COLUMNS if column.internal}
    assert {*CSV_COLUMNS} == {*RESULT_COLUMNS} - (by_people - {"kingdom"}) - internal
    assert csv_head() == ",".join(CSV_COLUMNS)
    assert "kingdom" in CSV_COLUMNS and "kingdom_line" in CSV_COLUMNS


def test_a_photo_without_kingdom_is_one_row() -> None:
    (row,) = result_rows(PhotoResult("a.jpg", Status.NO_KINGDOM, (Sentence.plain("none"),)), "k1")
    assert row == {
        "photo": "a.jpg", "status": "no-kingdom", "message": "none", "kingdoms": "0", "key": "k1",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("headings", "meaning"),
    [
        (
            "Bild;Nachname;Vorname;Punkte;Tisch-Nr.;Rd.",
            "photo surname first_name claimed game round",
        ),
        ("Photo;Joueur;Points;Table;Manche", "photo player claimed game round"),
        ("Foto;Jugador;Puntos;Mesa;Ronda", "photo player claimed game round"),
        ("File name;Team;Total;Table No.;Round No.", "photo player claimed game round"),
    ],
)
def test_headings_in_the_languages_that_we_claim(headings: str, meaning: str) -> None:
    assert ColumnNames().read(headings.split(";")) == tuple(meaning.split())
