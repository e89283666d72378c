"""Headings and cells as people write them, and what a line makes of them."""

import pytest

from kdvision.errors import UsageError
from kdvision.reading import Colour
from kdvision.tournament.columns import Line, fold_name, read_headings


@pytest.mark.parametrize(
    ("headings", "columns"),
    [
        ("photo,player,claimed", "photo,player,claimed"),
        ("Bild,Spieler,Punkte,Tisch,Runde", "photo,player,claimed,game,round"),
        ("Foto,Königreich,Farbe,gezählt", "photo,kingdom,colour,claimed"),
        ("FICHIER,Joueur,Résultat,Manche", "photo,player,claimed,round"),
        ("Harmonie,Mittelreich,Grösse", "harmony,middle_kingdom,size"),
        ("Foto-Datei,Name des Spielers,Punktzahl", "photo,player,claimed"),
        ("Tisch-Nr.,Spielername", "game,player"),
        ("Bild hier", "photo"),
        # A part names a column only where no other heading does.
        ("Foto,Foto-Format", "photo,foto_format"),
        ("photo,Handy,,Handy", "photo,handy,_3,handy_4"),
        # What people counted, and what the program wrote.
        ("photo,score", "photo,claimed"),
        ("photo,score,counts", "photo,score,counts"),
    ],
)
def test_headings(headings: str, columns: str) -> None:
    assert ",".join(read_headings(headings.split(","))) == columns


@pytest.mark.parametrize(("first", "second"), [("Punkte", "Summe"), ("photo", "Photo")])
def test_two_headings_of_one_meaning_are_named(first: str, second: str) -> None:
    with pytest.raises(UsageError, match=f"{first} and {second} could both be") as error:
        read_headings([first, second])
    assert error.value.advice == "Give one of them another heading."


@pytest.mark.parametrize(
    ("cells", "field", "value"),
    [
        ({"claimed": "46"}, "claimed", 46),
        ({"claimed": "46,0"}, "claimed", 46),
        ({"claimed": "999.00"}, "claimed", 999),
        ({"kingdom": "b"}, "letter", "B"),
        ({"fix": "B.b3=W1"}, "letter", "B"),
        ({"colour": "Grün"}, "colour", Colour.GREEN),
        ({"colour": "BLEU"}, "colour", Colour.BLUE),
        ({"accept": "Foto"}, "accept", "photo"),
        ({"accept": "claimed"}, "accept", "claim"),
        ({"accept": "47"}, "accept", 47),
        ({"player": " Ada   King "}, "player", "Ada King"),
    ],
)
def test_cells(cells: dict[str, str], field: str, value: object) -> None:
    line = Line.of(cells)
    assert getattr(line, field) == value and line.problems == ()


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ({"claimed": "n/a"}, "claimed is 'n/a'; write a number from 0 to 999."),
        ({"claimed": "1000"}, "claimed is '1000'; write a number from 0 to 999."),
        ({"claimed": "=B" * 15}, f"claimed is '{'=B' * 10}'; write a number from 0 to 999."),
        ({"kingdom": "first"}, "kingdom is 'FIRST'; write its letter on the photo, such as A."),
        ({"kingdom": "x" * 30}, f"kingdom is '{'X' * 20}'; write its letter"),
        ({"colour": "o" * 30}, f"colour is '{'o' * 20}'; write pink, yellow, green or blue."),
        ({"accept": "o" * 30}, f"accept is '{'o' * 20}'; write photo, claim, or the total that"),
        ({"fix": "b3"}, "'b3' is no correction."),
        ({"kingdom": "A", "fix": "B.b3=W"}, "fix names kingdom B, but the line is"),
        ({"size": "6"}, "size is '6'"),
    ],
)
def test_a_bad_cell_is_a_problem_of_its_line_and_the_rest_is_read(
    cells: dict[str, str], sentence: str
) -> None:
    line = Line.of({**cells, "player": "Ann"})
    assert line.problems[0].text().startswith(sentence)
    assert line.player == "Ann"


@pytest.mark.parametrize(
    ("first", "second"),
    [("Zoë O’Hara", "ZOE\u0308  o'hara"), ("Anne-Marie", "Anne \u2013 Marie"), ("Ⅸ", "ix")],
)
def test_one_name_however_it_is_written(first: str, second: str) -> None:
    assert fold_name(first) == fold_name(second)
