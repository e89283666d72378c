"""Standings as text."""

from fractions import Fraction

import pytest

from kdvision.report.standings import RankingRules, Standings, Withdrawn, series_sentences
from kdvision.report.ties import points_text
from kdvision.rules.series import By
from kdvision.rules.standings import GameStanding, Result, TieBreak, TieRule, ranking


def game(name: str, *results: Result, rule: TieRule = TieRule.CROWNS) -> GameStanding:
    return GameStanding(name, ranking(results, rule))


def standings(*games: GameStanding, language: str = "en", **rules: object) -> Standings:
    return Standings(games, RankingRules(**rules), language=language)  # type: ignore[arg-type]


ONE = game("1", Result("Ann", 40, 6, 7), Result("Bob", 40, 6, 9), Result("Cle", 12))
TWO = game("2", Result("Ann", 30, 6, 7), Result("Bob", 30, 6, 7), Result("Cle", 8))
THREE = game("3", Result("Ann", 10), Result("Bob", 9), Result("Cle", 8))
SAME = game("x", *(Result(name, 5, 2, 1) for name in ("Ann", "Bob", "Cle")))
OPEN = game("1", Result("Ann", 40, 6, 7), Result("Bob", 40), Result("Cle", 12))
PERHAPS = game("1", Result("Ann", 42, 6, 7), Result("Bob", 42, 6, 7, (40,)))
NO_TOTAL = game("1", Result("Ann", None), Result("Bob", 40))
HALF_OPEN = "may change: not every total is settled"
NOTE = "tie at 30: largest territory 6, crowns 7, shared"


def test_one_game():
    assert standings(ONE).report() == "\n".join(
        [
            "Game 1: Bob wins",
            "                          Largest",
            "Rank   Player   Total   territory   Crowns   Note",
            "─" * 85,
            "   1   Bob         40           6        9   tie at 40: largest territory 6, crowns 9",
            "   2   Ann         40           6        7   tie at 40: largest territory 6, crowns 7",
            "   3   Cle         12           ?        ?",
            "",
            "Ties: the largest territory, crowned or not; then most crowns; then a shared rank.",
        ]
    )


@pytest.mark.parametrize(
    ("games", "more", "line"),
    [
        ((ONE, TWO), {}, "Game 2: Ann and Bob share the victory"),
        ((ONE, TWO), {}, f"  1=   Ann         30           6        7   {NOTE}"),
        ((ONE, TWO), {}, "  1=   Bob         70   40 + 30"),
        ((ONE, TWO), {}, "   3   Cle         20   12 + 8"),
        ((ONE, TWO, THREE), {}, "Dynasty, the sum of three games"),
        ((ONE, TWO, THREE), {}, "   1   Ann         80   40 + 30 + 10"),
        ((OPEN, TWO), {"by": By.WINS}, "Rank   Player   Victories   Total   Per game   Note"),
        (
            (OPEN, TWO),
            {"by": By.WINS},
            f" 1-2   Ann            0.5      70   40 + 30    {HALF_OPEN}",
        ),
        ((ONE, THREE), {"by": By.PLACES}, "Rank   Player    place   Total   Per game"),
        ((ONE, THREE), {"by": By.BEST}, "Rank   Player   total   Total   Per game"),
        ((PERHAPS,), {}, "Game 1: Ann leads; Bob may still draw level"),
        ((NO_TOTAL,), {}, "Game 1: open between Bob and Ann"),
        ((NO_TOTAL,), {}, " 1-2   Ann          ?"),
        ((NO_TOTAL, TWO), {}, f" 1-2   Ann         30   ? + 30     {HALF_OPEN}"),
        ((SAME,), {}, "Game x: Ann, Bob and Cle share the victory"),
        ((OPEN,), {}, "Game 1: open between Ann and Bob"),
        (
            (ONE,),
            {"tie_rule": TieRule.TERRITORY},
            "Ties: the largest territory, crowned or not; then a shared rank.",
        ),
        (
            (ONE, TWO),
            {"ties": (TieBreak.WINS, TieBreak.LARGEST)},
            "Ties over several games: most victories; then the largest territory of any game; "
            "then a shared rank.",
        ),
        (
            (ONE,),  # over several games there is nothing to break
            {"ties": (TieBreak.WINS,)},
            "Ties: the largest territory, crowned or not; then most crowns; then a shared rank.",
        ),
    ],
)
def test_lines_of_standings(games, more, line):
    lines = standings(*games, **more).report().splitlines()
    assert line in lines
    assert len(games) > 1 or "Ties over" not in lines[-1]


def test_standings_in_german():
    text = standings(ONE, TWO, by=By.WINS, ties=(TieBreak.WINS,), language="de").report()
    for words in ("Gesamt\nRang   Spieler", "Spiel 2: Ann und Bob teilen sich den Sieg", "Gleich"):
        assert words in text, words
    assert "Game" not in text and "Rank" not in text


def played(number: str, table: str, **totals: int) -> GameStanding:
    """The game of one table in one round."""
    results = [Result(name, points) for name, points in totals.items()]
    return GameStanding(table, ranking(results), number)


@pytest.mark.parametrize(
    ("round_", "table", "is_in_round", "title"),
    [
        ("2", "A", False, "Round 2, game A: Ann wins"),
        ("2", "A", True, "Game A: Ann wins"),  # its round is named above it
        ("2", "", True, "Round 2: Ann wins"),
        ("", "A", False, "Game A: Ann wins"),
    ],
)
def test_title_of_a_game(round_: str, table: str, is_in_round: bool, title: str) -> None:
    one = played(round_, table, Ann=10, Bob=5)
    assert standings(one).game_table(one, is_in_round=is_in_round).title == title


def test_game_that_nobody_plays_has_a_title() -> None:
    empty = played("2", "A")
    gone = (Withdrawn("2", "A", "Ann", "ill"),)
    assert Standings((empty,), withdrawn=gone).game_table(empty).title == "Round 2, game A"


def test_several_tables_play_a_dynasty_each():
    rounds = [
        played("1", "A", Ann=10, Bob=20),
        played("1", "B", Cle=5, Dan=5),
        played("2", "A", Ann=30, Bob=15),
        played("2", "B", Cle=6, Dan=5),
        played("3", "A", Bob=1, Ann=2),
    ]
    lines = standings(*rounds).report().splitlines()
    assert "Round 2, game B: Cle wins" in lines
    assert "Dynasty of Ann and Bob, the sum of three games" in lines
    assert not any("Cle and Dan, the sum" in line for line in lines)
    assert lines[lines.index("Totals") + 3].split() == ["1", "Ann", "42", "10", "+", "30", "+", "2"]
    assert "Dynasty" not in standings(*rounds, by=By.WINS).report()


def test_different_numbers_of_games_are_said():
    assert series_sentences([ONE, TWO], By.SUM) == []
    late = game("4", Result("Dan", 9), Result("Ann", 3))
    assert series_sentences([ONE, TWO, late], By.SUM) == [
        "Not all players have the same number of games: 3 (Ann); 2 (Bob, Cle); 1 (Dan)."
    ]


@pytest.mark.parametrize(
    ("second", "named"),
    [("CDEFGHIJ", "C, D, E, F, G, H, I, J"), ("CDEFGHIJKL", "C, D, E, F, G, H, I, J, … (+2)")],
)
def test_missing_players_are_named(second, named):
    rounds = [
        played("1", "", **dict.fromkeys(f"AB{second}", 1)),
        played("2", "", **dict.fromkeys(second, 1)),
    ]
    assert series_sentences(rounds[:1], By.SUM) == []
    # One round is named, and the other game is of no round.
    mixed = [played("", "", Ann=1), played("1", "", Bob=1)]
    assert series_sentences(mixed, By.SUM) == []
    missing, uneven, decides = series_sentences(rounds, By.WINS)
    assert missing == "Missing in round 2: A, B."
    assert uneven.endswith(f": 2 ({named}); 1 (A, B).")
    assert decides.startswith("Over several games victories decide")


def test_warnings_above_and_notes_below_the_ranking():
    text = Standings((ONE,), warnings=("Look twice.",), notes=("Cle came late.",)).report()
    first, *_, note, ties = text.split("\n\n")
    assert (first, note) == ("Look twice.", "Cle came late.")
    assert ties.startswith("Ties: ")


def test_withdrawn_players_stand_below_the_ranked():
    rounds = [played("1", "A", Ann=10, Bob=20), played("2", "A", Ann=30, Cle=40)]
    gone = (
        Withdrawn("1", "A", "Dan", "ill"),
        Withdrawn("1", "B", "Eve", "late"),
        Withdrawn("2", "A", "Bob", "gone home"),
        Withdrawn("2", "A", "Dan", "still ill"),
    )
    report = Standings(tuple(rounds), withdrawn=gone).report()
    totals, first, second, *_ = report.split("\n\n")
    cells = [[line.split() for line in table.splitlines()] for table in (totals, first, second)]
    dash = "\N{EN DASH}"
    # Who withdrew from some games has the sum of the others, and who has none stands once.
    assert [row[:2] for row in cells[0][-5:]] == [
        ["1=", "Ann"], ["1=", "Cle"], ["3", "Bob"], [dash, "Dan"], [dash, "Eve"],
    ]  # fmt: skip
    assert cells[0][-2] == [dash, "Dan", "ill"]
    assert cells[1][-1] == [dash, "Dan", "ill"]
    assert cells[2][-2:] == [[dash, "Bob", "gone", "home"], [dash, "Dan", "still", "ill"]]


def test_results_of_two_people_of_one_name_are_not_summed():
    games = (ONE, TWO)
    sums = Standings(games, unsummed=frozenset({"Ann"})).sums
    assert {entry.player: entry.has_open for entry in sums} == {
        "Ann": True, "Bob": False, "Cle": False,
    }  # fmt: skip
    assert [entry.total for entry in sums if entry.player == "Bob"] == [70]
    assert Standings(games, is_series=False).sums == ()
    assert Standings(games[:1]).sums == ()


def test_one_total_is_enough_to_rank():
    nobody = game("1", Result("Ann", None), Result("Bob", None))
    assert not Standings((nobody,)).has_totals
    assert Standings((nobody, NO_TOTAL)).has_totals
    assert not Standings().has_totals


def test_ranking_after_each_round():
    rounds = [
        played("1", "A", Ann=10),
        played("1", "B", Bob=20),
        played("2", "A", Ann=30),
        played("2", "B", Bob=5),
        played("3", "A", Ann=1),
        played("3", "B", Bob=2),
    ]
    tables = standings(*rounds).rounds
    assert [part.title for part in tables] == ["Round 1", "Round 2", "Round 3"]
    assert [(game.round, game.game) for game in tables[1].games] == [("2", "A"), ("2", "B")]
    after = [table for part in tables for table in part.after]
    assert [(table.title, table.rows[0][1]) for table in after] == [
        ("After round 1", "Bob"),
        ("After round 2", "Ann"),
    ]


def test_points_are_written_shortly():
    assert [points_text(Fraction(n, 6)) for n in (6, 3, 2)] == ["1", "0.5", "0.33"]
