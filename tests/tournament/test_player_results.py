"""One person is one person: names that are one, names that are asked about, and the champion."""

import unicodedata
from pathlib import Path

import pytest

from kdvision.tournament.lines import name_key
from kdvision.tournament.player_results import PlayerNames, are_alike, is_sum, questions
from kdvision.tournament.standings import claim_standings, read_standings
from tests.support.evening import checked
from tests.support.fakes import write_photo

ZOE = "Zoë O’Hara-Müller"


@pytest.mark.parametrize(
    "spelling",
    [
        unicodedata.normalize("NFD", ZOE),
        ZOE.upper(),
        ZOE.replace(" ", "\u00a0"),
        ZOE.replace("’", "'"),
        ZOE.replace("-", "\u2011"),
        f"  {ZOE.replace(' ', '   ')} ",
        ZOE.replace(" ", " \u200b"),
        ZOE.replace("-", " – "),
    ],
)
def test_spellings_of_one_name(spelling: str) -> None:
    assert name_key(spelling) == name_key(ZOE)
    names = PlayerNames()
    assert names.shown(ZOE) == names.shown(spelling) == ZOE


@pytest.mark.parametrize(
    ("first", "second", "alike"),
    [
        ("Jörg", "Joerg", True),
        ("Jörg", "Jorg", True),
        ("Łukasz", "Lukasz", True),
        ("Meier, Anna", "Anna Meier", True),
        ("Katharina", "Katarina", True),
        ("Stefan", "Stefna", True),
        # Five letters are enough for one that differs, four are not.
        ("Marta", "Maria", True),
        ("Mara", "Maya", False),
        ("Tim", "Tom", False),
        # Its A is a Cyrillic one.
        ("Ada", "\u0410da", True),
        ("Player 1", "Player 2", False),
        ("Anna", "Hanna Maria", False),
    ],
)
def test_names_that_are_only_alike(first: str, second: str, alike: bool) -> None:
    assert are_alike(first, second) is are_alike(second, first) is alike
    assert name_key(first) != name_key(second)


def test_who_plays_in_one_round_is_not_one_person() -> None:
    apart = {"1": frozenset({"Stefan"}), "2": frozenset({"Stefna"})}
    assert questions(apart) == [("Stefan", "Stefna")]
    assert questions({**apart, "3": frozenset({"Stefan", "Stefna"})}) == []


@pytest.mark.parametrize("name", ["Summe", "TOTAL:", "Somme", "gesamt"])
def test_a_line_that_adds_others_up_is_no_player(name: str) -> None:
    assert is_sum(name)
    assert not is_sum("Tom Summers")


def test_the_champion_is_one_person_by_all_spellings(tmp_path: Path) -> None:
    """115, 47 and 24 are 186, which is more than 150."""
    sheet = tmp_path / "t.csv"
    rows = [
        (1, ZOE, 115), (1, "Bob", 60),
        (2, unicodedata.normalize("NFD", ZOE).upper(), 47), (2, "Bob", 50),
        (3, ZOE.replace("’", "'").replace(" ", "\u00a0"), 24), (3, "Bob", 40),
        (3, "Summe", 336),
    ]  # fmt: skip
    lines = "".join(f"{round_},{player},{total}\n" for round_, player, total in rows)
    sheet.write_text(f"round,player,score\n{lines}", "utf-8")
    found = read_standings(sheet)
    assert [(one.player, one.total) for one in found.sums] == [(ZOE, 186), ("Bob", 150)]
    assert found.games[0].winners == (ZOE,)


def test_alike_names_are_asked_about_and_not_merged(tmp_path: Path) -> None:
    sheet = tmp_path / "t.csv"
    sheet.write_text("round,player,score\n1,Jörg,20\n1,Ann,30\n2,Joerg,25\n2,Ann,10\n", "utf-8")
    found = read_standings(sheet)
    assert sorted(one.player for one in found.sums) == ["Ann", "Joerg", "Jörg"]
    (asked,) = [note for note in found.notes if "--players" in note]
    assert "Joerg" in asked and "Jörg" in asked


def test_the_list_of_players_decides(tmp_path: Path) -> None:
    """A name that is not on the list is named; the list says how names are written."""
    sheet, players = tmp_path / "t.csv", tmp_path / "players.csv"
    sheet.write_text("round,player,score\n1,ANN,20\n1,Bob,30\n1,Eve,1\n", "utf-8")
    players.write_text("Vorname;Nachname\nAnn;\nBob;\nCle;\n", "utf-8")
    found = read_standings(sheet, players=players)
    assert [one.result.player for one in found.games[0].ranked] == ["Bob", "Ann", "Eve"]
    (stranger,) = [note for note in found.notes if "Eve" in note]
    assert "players.csv" in stranger


def test_one_bad_cell_does_not_stop_the_ranking(tmp_path: Path) -> None:
    sheet = tmp_path / "t.csv"
    sheet.write_text("round,player,score\n1,Ann,20\n1,Bob,many\n1,Cle,30\n1,Ann,9\n", "utf-8")
    found = read_standings(sheet)
    assert [one.result.player for one in found.games[0].ranked] == ["Cle", "Ann"]
    assert sum("line 3" in note for note in found.notes) == 1
    assert sum("line 5" in note for note in found.notes) == 1


def test_the_report_of_a_sheet_knows_a_player_in_all_spellings(tmp_path: Path) -> None:
    """Its standings are those of the checked sheet: a sum is no player, and a name is one."""
    for number in range(2):
        write_photo(tmp_path / f"{number}.jpg", "C W1 W W W1", number=number)
    sheet = tmp_path / "s.csv"
    sheet.write_text(
        "photo,player,claimed,round\n0.jpg,Zoë O’Hara,8,1\n1.jpg,ZOË O'Hara,8,2\n,Summe,16,\n"
    )
    found = claim_standings(checked(sheet))
    assert [(one.player, one.total) for one in found.sums] == [("Zoë O’Hara", 16)]
    assert [note for note in found.notes if "Summe adds lines up" in note]
