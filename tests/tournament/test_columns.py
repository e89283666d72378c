"""Headings and cells as people write them, and what a row makes of them."""

import datetime

import pytest

from kdvision.errors import UsageError
from kdvision.reading import Colour
from kdvision.tournament.cells import Value, show_value
from kdvision.tournament.columns import (
    FOUND,
    count_headings,
    find_results,
    fold_name,
    read_headings,
)
from kdvision.tournament.rows import Row


@pytest.mark.parametrize(
    ("headings", "names"),
    [
        ("photo,player,claimed", "photo,player,claimed"),
        ("Bild,Spieler,Punkte,Tisch,Runde", "photo,player,claimed,game,round"),
        ("Foto,Königreich,Farbe,gezählt", "photo,kingdom,colour,claimed"),
        ("FICHIER,Joueur,Résultat,Manche", "photo,player,claimed,round"),
        ("Harmonie,Mittelreich,Grösse", "harmony,middle_kingdom,size"),
        ("Foto-Datei,Name des Spielers,Punktzahl", "photo,player,claimed"),
        ("Tisch-Nr.,Spielername,Startnummer", "game,player,number"),
        # A heading is understood as a whole: a part of it says nothing.
        ("Foto,Foto-Format,Name der Mutter,Punkte vom Vorjahr", "photo,,,"),
        ("photo,Handy,,Handy,Nr", "photo,,,,"),
        # The program's headings mean nothing where the six do not stand side by side.
        ("photo,Status,Reading,Verdict", "photo,,,"),
        # A score is a claim where nothing else is.
        ("photo,score", "photo,claimed"),
        ("photo,claimed,Score", "photo,claimed,"),
    ],
)
def test_headings(headings: str, names: str) -> None:
    columns = read_headings(headings.split(","))
    assert ",".join(column.name for column in columns) == names
    assert ",".join(column.heading for column in columns) == headings


@pytest.mark.parametrize(("first", "second"), [("Punkte", "Summe"), ("photo", "Photo")])
def test_two_headings_of_one_meaning(first: str, second: str) -> None:
    with pytest.raises(UsageError, match=f"{first} and {second} could both be") as error:
        read_headings([first, second])
    assert error.value.advice == "Give one of them another heading."


@pytest.mark.parametrize(
    ("headings", "count"),
    [
        ("photo,player,Handy", 2),
        ("Foto,photo", 1),
        ("player,score", 2),
        ("Score", 1),
        ("Autumn cup,", 0),
    ],
)
def test_headings_that_mean_something_count_once(headings: str, count: int) -> None:
    assert count_headings(headings.split(",")) == count


SIX = ",".join(FOUND)


@pytest.mark.parametrize(
    ("headings", "index"),
    [
        (f"photo,{SIX}", 1),
        (f"{SIX},photo", 0),
        (f"photo,{SIX},{SIX}", 7),
        (f"photo,{SIX.title()}", None),
        (f"photo,{SIX}".replace("counts", "note,counts"), None),
        ("photo,score,status", None),
    ],
)
def test_results_have_six_headings_together(headings: str, index: int | None) -> None:
    assert find_results(headings.split(",")) == index


@pytest.mark.parametrize(
    ("cells", "field", "value"),
    [
        ({"claimed": "46"}, "claimed", 46),
        ({"claimed": "46,0"}, "claimed", 46),
        ({"claimed": "999.00"}, "claimed", 999),
        ({"claimed": "54 P."}, "claimed", 54),
        ({"claimed": "54 Punkte"}, "claimed", 54),
        ({"claimed": "54pts"}, "claimed", 54),
        ({"kingdom": "b"}, "letter", "B"),
        ({"fix": "B.b3=W1"}, "letter", "B"),
        ({"colour": "Grün"}, "colour", Colour.GREEN),
        ({"colour": "BLEU"}, "colour", Colour.BLUE),
        ({"colour": "rot/red"}, "colour", Colour.PINK),
        ({"colour": "gelb (yellow)"}, "colour", Colour.YELLOW),
        ({"accept": "47"}, "accept", 47),
        ({"player": " Ada   King "}, "player", "Ada King"),
        ({"player": "Ada", "number": "007"}, "player_key", "#007"),
    ],
)
def test_cells(cells: dict[str, str], field: str, value: object) -> None:
    row = Row.of(cells)
    assert getattr(row, field) == value and not row.problems


@pytest.mark.parametrize("word", ["yes", "x", "X", "✓", "✔", "ja", "oui", "1", "WAHR"])
def test_bonuses_as_people_tick_them(word: str) -> None:
    row = Row.of({"harmony": word})
    assert row.rules.harmony and not row.problems


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ({"claimed": "n/a"}, "claimed is 'n/a'; write a number from 0 to 999."),
        ({"claimed": "54?"}, "claimed is '54?'; write a number from 0 to 999."),
        ({"claimed": "54 (58)"}, "claimed is '54 (58)'; write a number from 0 to 999."),
        ({"claimed": "1000"}, "claimed is '1000'; write a number from 0 to 999."),
        ({"claimed": "=B" * 15}, f"claimed is '{'=B' * 10}'; write a number from 0 to 999."),
        (
            {"kingdom": "first"},
            "kingdom is 'first'; write the letter of the kingdom on the photo, such as A.",
        ),
        ({"kingdom": "x" * 30}, f"kingdom is '{'x' * 20}'; write the letter"),
        ({"colour": "o" * 30}, f"colour is '{'o' * 20}'; write pink, yellow, green or blue."),
        ({"colour": "blue/green"}, "colour is 'blue/green'; write pink, yellow, green or blue."),
        ({"accept": "photo"}, "accept is 'photo'; write a number from 0 to 999."),
        ({"fix": "b3"}, "'b3' is no correction."),
        ({"kingdom": "A", "fix": "B.b3=W"}, "fix names kingdom B, but the row is"),
        ({"size": "6"}, "size is '6'"),
        ({"harmony": "perhaps"}, "harmony is 'perhaps'"),
    ],
)
def test_bad_cell_spoils_only_its_row(cells: dict[str, str], sentence: str) -> None:
    row = Row.of({**cells, "player": "Ann"})
    (problem,) = row.problems.values()
    assert problem.text().startswith(sentence)
    assert row.player == "Ann"


@pytest.mark.parametrize(
    ("first", "second"),
    [("Zoë O’Hara", "ZOE\u0308  o'hara"), ("Anne-Marie", "Anne \u2013 Marie"), ("Ⅸ", "ix")],
)
def test_one_name_however_it_is_written(first: str, second: str) -> None:
    assert fold_name(first) == fold_name(second)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "yes"),
        (False, "no"),
        (23.0, "23"),
        (23.5, "23.5"),
        (datetime.datetime(2026, 5, 1), "2026-05-01"),
        (datetime.datetime(2026, 5, 1, 18, 30), "2026-05-01 18:30:00"),
        (" Ann ", "Ann"),
    ],
)
def test_cells_are_shown_as_typed(value: Value, text: str) -> None:
    assert show_value(value) == text
