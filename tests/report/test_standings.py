import json

import pytest

from kdvision.report.standings import Standings, series_sentences
from kdvision.rules.standings import By, GameStanding, Result, TieBreak, TieRule, ranking, sums
from kdvision.sentences import catalogue, languages


def game(name: str, *results: Result, rule: TieRule = TieRule.CROWNS) -> GameStanding:
    return GameStanding(name, ranking(results, rule))


def standings(*games: GameStanding, **more: object) -> Standings:
    return Standings(games, sums=sums(games) if len(games) > 1 else (), **more)


ONE = game("1", Result("Ann", 40, 6, 7), Result("Bob", 40, 6, 9), Result("Cle", 12))
TWO = game("2", Result("Ann", 30, 6, 7), Result("Bob", 30, 6, 7), Result("Cle", 8))
THREE = game("3", Result("Ann", 10), Result("Bob", 9), Result("Cle", 8))


def test_one_game() -> None:
    assert standings(ONE).report() == "\n".join(
        [
            "Game 1: Bob wins",
            "Rank   Player   Total   Largest   Crowns   Note",
            "─" * 83,
            "   1   Bob         40         6        9   tie at 40: largest territory 6, crowns 9",
            "   2   Ann         40         6        7   tie at 40: largest territory 6, crowns 7",
            "   3   Cle         12         ?        ?",
            "",
            "Ties: the largest territory, crowned or not; then most crowns; then a shared rank.",
        ]
    )


def test_several_games_have_totals() -> None:
    lines = standings(ONE, TWO).report().splitlines()
    assert "Game 2: Ann and Bob share the victory" in lines
    assert f"  1=   Ann         30         6        7   {NOTE}" in lines
    assert lines[-6:-2] == [
        "───────────────────────────────",
        "  1=   Bob         70   40 + 30",
        "  1=   Ann         70   40 + 30",
        "   3   Cle         20   12 + 8",
    ]
    assert "Totals" in lines


def test_three_games_are_a_dynasty() -> None:
    lines = standings(ONE, TWO, THREE).report().splitlines()
    assert "Dynasty, the sum of three games" in lines
    assert "   1   Ann         80   40 + 30 + 10" in lines


def test_three_winners() -> None:
    same = game("x", *(Result(name, 5, 2, 1) for name in ("Ann", "Bob", "Cle")))
    assert standings(same).report().startswith("Game x: Ann, Bob and Cle share the victory")


def test_an_open_victory_is_nobodys() -> None:
    opened = game("1", Result("Ann", 40, 6, 7), Result("Bob", 40), Result("Cle", 12))
    lines = standings(opened).report().splitlines()
    assert lines[0] == "Game 1: open between Ann and Bob"
    rows = [line.split()[:2] for line in lines[3:] if line.split()[:1] in (["1-2"], ["3"])]
    assert rows == [["1-2", "Ann"], ["1-2", "Bob"], ["3", "Cle"]]
    found = json.loads(standings(opened).report("json"))["games"][0]
    assert (found["winners"], found["contenders"]) == ([], ["Ann", "Bob"])
    ranks = [(one["rank"], one.get("ranks")) for one in found["players"]]
    assert ranks == [(None, [1, 2]), (None, [1, 2]), (3, None)]
    assert "game,,1,1-2,Ann,40,6,7,no," in standings(opened).report("csv")


def test_the_rule_of_text_001_is_named() -> None:
    text = standings(ONE, tie_rule=TieRule.TERRITORY).report()
    assert text.endswith("Ties: the largest territory, crowned or not; then a shared rank.")


def test_json() -> None:
    text = standings(TWO).report("json")
    assert "\n" not in text
    found = json.loads(text)
    assert found["schema"] == "kdscore-standings/1"
    assert found["tie_rule"] == "crowns"
    assert found["dynasty"] is False
    assert found["games"] == [
        {
            "game": "2",
            "winners": ["Ann", "Bob"],
            "players": [
                {
                    "rank": rank,
                    "player": name,
                    "total": total,
                    "largest": largest,
                    "crowns": crowns,
                    "shared": shared,
                    "open": False,
                    "note": note,
                }
                for rank, name, total, largest, crowns, shared, note in [
                    (1, "Ann", 30, 6, 7, True, NOTE),
                    (1, "Bob", 30, 6, 7, True, NOTE),
                    (3, "Cle", 8, None, None, False, ""),
                ]
            ],
        }
    ]
    assert found["totals"][2] == {
        "rank": 3,
        "player": "Cle",
        "points": 8.0,
        "total": 8,
        "games": [8],
        "shared": False,
        "open": False,
        "note": "",
    }


def test_several_tables_play_a_dynasty_each() -> None:
    rounds = [
        GameStanding(table, ranking([Result(name, points) for name, points in results]), number)
        for number, table, results in [
            ("1", "A", [("Ann", 10), ("Bob", 20)]),
            ("1", "B", [("Cle", 5), ("Dan", 5)]),
            ("2", "A", [("Ann", 30), ("Bob", 15)]),
            ("2", "B", [("Cle", 6), ("Dan", 5)]),
            ("3", "A", [("Bob", 1), ("Ann", 2)]),
        ]
    ]
    found = standings(*rounds, notes=("Not sure: Ann.",))
    lines = found.report().splitlines()
    assert "Round 2, game B: Cle wins" in lines
    assert "Dynasty of Ann and Bob, the sum of three games" in lines
    assert not any("Cle and Dan, the sum" in line for line in lines)
    assert lines[lines.index("Totals") + 3].split() == ["1", "Ann", "42", "10", "+", "30", "+", "2"]
    assert "Not sure: Ann." in lines
    found = json.loads(found.report("json"))
    assert found["games"][1]["round"] == "1"
    assert [[one["player"] for one in entries] for entries in found["dynasties"]] == [
        ["Ann", "Bob"]
    ]
    assert found["notes"] == ["Not sure: Ann."]


NOTE = "tie at 30: largest territory 6, crowns 7, shared"


def test_what_breaks_ties_is_said_in_the_order_in_which_it_is_asked() -> None:
    breaks = (TieBreak.WINS, TieBreak.LARGEST)
    found = standings(ONE, TWO, tie_rule=TieRule.TERRITORY, ties=breaks)
    assert found.sentences == (
        "Ties: the largest territory, crowned or not; then a shared rank.",
        "Ties over several games: most victories; then the largest territory of any game; "
        "then a shared rank.",
    )
    assert len(standings(ONE, ties=breaks).sentences) == 1


@pytest.mark.parametrize("language", languages())
def test_every_rule_has_a_sentence(language: str) -> None:
    rules = {"tie-rule": TieRule, "tie-break": TieBreak, "by": {*By} - {By.SUM}}
    keys = {f"standings.{room}.{rule}" for room, kinds in rules.items() for rule in kinds}
    assert keys <= catalogue(language).keys()


def test_different_numbers_of_games_are_said() -> None:
    assert series_sentences([ONE, TWO], By.SUM) == []
    other = game("4", Result("Dan", 9), Result("Ann", 3))
    assert series_sentences([ONE, TWO, other], By.SUM) == [
        "Not all have played as many games: 3 (Ann); 2 (Bob, Cle); 1 (Dan)."
    ]
    many = game("5", *(Result(f"P{n}", 9) for n in range(10)))
    assert "1 (P0, P1, P2, P3, P4, P5, P6, P7, … (+2))" in "".join(
        series_sentences([ONE, TWO, many], By.SUM)
    )
    assert len(series_sentences([ONE, other], By.WINS)) == 2
