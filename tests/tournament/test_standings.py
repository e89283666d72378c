"""Ranks from sheets: what people wrote by hand, and what batch and verify wrote."""

from dataclasses import replace
from html import escape
from pathlib import Path

import pytest

from kdvision.errors import ExitCode, UsageError
from kdvision.report.standings import RankingRules, Standings, game_title
from kdvision.rules.standings import Result, TieBreak
from kdvision.tournament.standings import read_standings, write_standings_page
from tests.support.played import EXAMPLES

EXAMPLE = EXAMPLES["publisher's worked example"]["kingdom"]
BEST = EXAMPLES["best 5x5"]["kingdom"]
FOUND = "score,status,counts,verdict,explanation,reading"


def ranked(
    tmp_path: Path,
    text: str,
    *more: str,
    final: bool = False,
    language: str = "en",
    **rules: object,
) -> Standings:
    paths = []
    for number, content in enumerate((text, *more)):
        paths.append(tmp_path / f"{number}.csv")
        paths[-1].write_text(content, encoding="utf-8")
    ranked_by = RankingRules(**rules)  # type: ignore[arg-type]
    return read_standings(paths, ranked_by, final=final, language=language)


def results(standings: Standings) -> dict[str, set[Result]]:
    """The results of every game, without other totals that they may have."""
    found = {}
    for game in standings.games:
        alone = {replace(entry.result, others=()) for entry in game.ranked}
        found[game_title(game.round, game.game)] = alone
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("player,score\nAnn,40\n", Result("Ann", 40)),
        ("\ufeffSpieler;Punkte\nAnn;40\n", Result("Ann", 40)),
        ("points\tplayer\n40\tAnn\n", Result("Ann", 40)),
        (f"player,{FOUND}\nAnn,23,sure,23,,,{EXAMPLE}\n", Result("Ann", 23, 5, 7)),
        (f"player,harmony,{FOUND}\nAnn,yes,133,sure,133,,,{BEST}\n", Result("Ann", 133, 9, 18)),
        ("player,score,accept\nAnn,40,44\n", Result("Ann", 44)),
        ("player,score\n\n,\n Ann , 40 \nSumme,40\n", Result("Ann", 40)),
        # What the program wrote: what counts, not what was claimed.
        (f"player,claimed,{FOUND}\nAnn,46,44,sure,44,differs,,C F1 F F\n", Result("Ann", 44, 3, 1)),
        # What a person accepted counts; of another total nobody knows the territories.
        (f"player,accept,{FOUND}\nAnn,47,44,sure,47,settled,,C F1 F F\n", Result("Ann", 47)),
        (f"player,accept,{FOUND}\nAnn,44,44,doubtful,,,,C F1 F F\n", Result("Ann", 44, 3, 1)),
        (f"player,{FOUND}\nAnn,44,doubtful,,,It is dark.,C F1 F F\n", Result("Ann", 44, 3, 1)),
    ],
)
def test_accepted_sheets(tmp_path: Path, text: str, expected: Result) -> None:
    assert results(ranked(tmp_path, text)) == {"Game 1": {expected}}


NOT_YET = "1 total is still open; the notes say why."


@pytest.mark.parametrize(
    ("row", "note"),
    [
        ("Ann,46,,,,cannot tell,Photo not found.,", "Photo not found."),
        ("Ann,,,,,bad row,Claimed is 'n/a'.,", "Claimed is 'n/a'."),
        ("Ann,,44,doubtful,,,It is dark.,C F1", "doubtful"),
        ("Ann,46,44,sure,44,differs,,C F1", "to be decided: 46 was claimed"),
        ("Ann,,44,sure,many,,,C F1", "no total"),
    ],
)
def test_open_row_stops_a_final_ranking(tmp_path: Path, row: str, note: str) -> None:
    text = f"photo,player,claimed,{FOUND}\nb.jpg,Ben,,30,sure,30,,,C F1\na.jpg,{row}\n"
    standings = ranked(tmp_path, text)
    assert note in standings.report()
    assert standings.notes == (NOT_YET,)
    with pytest.raises(UsageError, match=r"1 row is open in .*0.csv"):
        ranked(tmp_path, text, final=True)


@pytest.mark.parametrize("cells", ["44,sure,44,,", "44,doubtful,,,It is dark."])
def test_unclaimed_kingdom_stands_above_the_ranking(tmp_path: Path, cells: str) -> None:
    text = f"photo,player,{FOUND}\nb.jpg,Ben,30,sure,30,,,C F1\na.jpg,,{cells},C F1\n"
    warning = "A kingdom of 44 points in a.jpg has no player."
    assert ranked(tmp_path, text).warnings == (warning,)
    with pytest.raises(UsageError, match=warning):
        ranked(tmp_path, text, final=True)


@pytest.mark.parametrize(
    ("row", "ranks"),
    [
        # A doubtful total may be any.
        (",44,doubtful,,,It is dark.,C F1", {"Ann": "1-2", "Ben": "1-2"}),
        # While a decision is pending it is the photo's or the claim's.
        ("46,44,sure,44,differs,,C F1", {"Ann": "1", "Ben": "2"}),
        ("29,44,sure,44,differs,,C F1", {"Ann": "1-2", "Ben": "1-2"}),
        # Who has no total may win.
        (",,,,cannot tell,Photo not found.,", {"Ben": "1-2", "Ann": "1-2"}),
    ],
)
def test_open_row_opens_ranks(tmp_path: Path, row: str, ranks: dict[str, str]) -> None:
    text = f"player,claimed,{FOUND}\nBen,,30,sure,30,,,C F1\nAnn,{row}\n"
    (table,) = ranked(tmp_path, text).tables
    assert {str(player): rank for rank, player, *_ in table.rows} == ranks


@pytest.mark.parametrize(
    ("row", "is_final"),
    [
        # Who went home is listed without a rank, and the others' ranks stand.
        ("Dan,,went home", True),
        # Whose total is still to come may win.
        ("Dan,,", False),
    ],
)
def test_players_without_a_total_stay_listed(tmp_path: Path, row: str, is_final: bool) -> None:
    text = f"round,player,points,note\n1,Ann,40,\n1,Ben,30,\n1,{row}\n2,Ann,1,\n2,Ben,2,\n"
    standings = ranked(tmp_path, text)
    ranks = {str(player): rank for rank, player, *_ in standings.tables[0].rows}
    assert ranks["Dan"] == ("\u2013" if is_final else "1-3")
    assert ranks["Ann"] == ("1" if is_final else "1-2")
    if is_final:
        assert ranked(tmp_path, text, final=True).open == 0
        assert "went home" in standings.report()
    else:
        with pytest.raises(UsageError, match="say in the column note why there is none"):
            ranked(tmp_path, text, final=True)


def test_kingdom_in_two_photos_counts_once(tmp_path: Path) -> None:
    text = (
        f"photo,player,{FOUND}\nb.jpg,Ann,43,doubtful,,,The kingdom counts in row 3.,C F1\n"
        "a.jpg,Ann,44,sure,44,,,C F1\nc.jpg,,44,sure,,,The kingdom counts in row 3.,C F1\n"
    )
    standings = ranked(tmp_path, text, final=True)
    assert results(standings) == {"Game 1": {Result("Ann", 44, 1, 1)}}
    assert (standings.notes, standings.warnings) == ((), ())


# ---------------------------------------------------------------------- rounds and games


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("game,player,score\nB,Ann,1\nA,Ann,2\nB,Bob,3\n", ["Game B", "Game A"]),
        ("round,game,player,score\n1,A,Ann,1\n2,A,Bob,2\n", ["Round 1, game A", "Round 2, game A"]),
        ("round,player,score\n2,Ann,1\n1,Ann,2\n", ["Round 2", "Round 1"]),
        ("table,player,score\nTisch 1,Ann,1\ntisch  1,Ben,2\n", ["Game Tisch 1"]),
        # A photo of several kingdoms is a game.
        (f"photo,player,{FOUND}\nt.jpg,Ann,4,sure,4,,,C F1\nt.jpg,Ben,5,sure,5,,,C F1\n", [
            "Game t.jpg",
        ]),
    ],
)  # fmt: skip
def test_games_keep_their_order(tmp_path: Path, text: str, titles: list[str]) -> None:
    assert [game_title(game.round, game.game) for game in ranked(tmp_path, text).games] == titles


def test_sheet_without_rounds_is_a_round(tmp_path: Path) -> None:
    first = "player,table,points\nAnn,1,50\nBob,1,60\nCle,2,40\n"
    second = "player,table,points\nANN,2,70\nBob,1,20\n"
    standings = ranked(tmp_path, first, second)
    assert [(entry.rank, entry.player, entry.totals) for entry in standings.sums] == [
        (1, "Ann", (50, 70)), (2, "Bob", (60, 20)), (3, "Cle", (40,)),
    ]  # fmt: skip
    assert [game.round for game in standings.games] == ["1", "1", "2", "2"]
    assert "Missing in round 2: Cle." in standings.notes


def test_equal_names_in_two_folders_are_rounds(tmp_path: Path) -> None:
    paths = [tmp_path / folder / "day.csv" for folder in ("one", "two")]
    for path in paths:
        path.parent.mkdir()
        path.write_text("player,points\nAnn,40\nBen,30\n")
    (ann, _) = read_standings(paths, RankingRules()).sums
    assert (ann.player, ann.totals) == ("Ann", (40, 40))


def test_column_round_is_believed(tmp_path: Path) -> None:
    first = "round,player,points\n1,Ann,40\n1,Ben,50\n2,Ann,10\n"
    second = "Runde;Spieler;Punkte\n2;Ben;20\n"
    games = ranked(tmp_path, first, second).games
    assert [(game.round, len(game.ranked)) for game in games] == [("1", 2), ("2", 2)]


def test_unclaimed_photos_of_several_kingdoms_are_games(tmp_path: Path) -> None:
    rows = {"a.jpg": 1, "t.jpg": 2, "b.jpg": 1}
    text = f"photo,{FOUND}\n"
    for photo, count in rows.items():
        text += f"{photo},4,sure,4,,,C F1\n" * count
    standings = ranked(tmp_path, text)
    assert [game.game for game in standings.games] == ["t.jpg"]
    assert {entry.result.player for entry in standings.games[0].ranked} == {"A", "B"}
    with pytest.raises(UsageError, match="no totals of players or tables to rank"):
        ranked(tmp_path, f"photo,{FOUND}\na.jpg,4,sure,4,,,C F1\nb.jpg,5,sure,5,,,C F1\n")


def test_unclaimed_files_are_rounds(tmp_path: Path) -> None:
    text = f"photo,{FOUND}\n" + "t.jpg,4,sure,4,,,C F1\n" * 2
    games = ranked(tmp_path, text, text.replace("4", "5")).games
    assert [(game.round, len(game.ranked)) for game in games] == [("1", 2), ("2", 2)]


# ---------------------------------------------------------------------- who is who

ROUNDS = "player,game,round,points\nAnn,1,1,50\n{},1,1,60\nAnn,1,2,50\n{},1,2,60\n"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Bob", "Bobb"), ("Novak", "Nov\u00e1k"), ("Jan Novak", "JanNovak"),
        ("Elisabeth", "Elizabet"), ("Meier", "Maier"),
    ],
)  # fmt: skip
def test_similar_names_stand_above_the_ranking(tmp_path: Path, first: str, second: str) -> None:
    text = ROUNDS.format(first, second)
    warning = f"{first} and {second} may be one player."
    assert ranked(tmp_path, text).report().startswith(warning)
    with pytest.raises(UsageError, match=warning):
        ranked(tmp_path, text, final=True)
    # Who played in one round are two people.
    met = f"player,game,round,points\n{first},1,1,50\n{second},2,1,60\n"
    assert ranked(tmp_path, met, final=True).warnings == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [("Bob", "Cleo"), ("Al", "Ali"), ("Dan", "Ina"), ("Team 1", "Team 2"), ("bob", "BOB ")],
)
def test_different_or_equal_names_are_not_named(tmp_path: Path, first: str, second: str) -> None:
    assert ranked(tmp_path, ROUNDS.format(first, second), final=True).warnings == ()


NAMESAKES = (
    "player,game,round,points\nJan Novak,1,1,50\nBo,1,1,40\nJan Novak,2,1,60\nDi,2,1,30\n"
    "Jan Novak,1,2,45\nBo,1,2,44\nDi,2,2,61\n"
)


def test_name_at_two_tables_is_not_summed(tmp_path: Path) -> None:
    standings = ranked(tmp_path, NAMESAKES)
    (warning,) = standings.warnings
    assert "Jan Novak is listed more than once: Round 1, game 1 and Round 1, game 2" in warning
    assert "column number" in warning
    ranks = {entry.player: (entry.rank, entry.worst, entry.totals) for entry in standings.sums}
    assert ranks == {
        "Di": (1, 3, (30, 61)),
        "Bo": (2, 4, (40, 44)),
        "Jan Novak": (1, 4, (None, None)),
        "Jan Novak (2)": (1, 4, (None,)),
    }
    with pytest.raises(UsageError, match="Nothing of this name is summed"):
        ranked(tmp_path, NAMESAKES, final=True)


def test_column_number_makes_people_unique(tmp_path: Path) -> None:
    numbers = iter(("number", "7", "1", "8", "2", "7", "1", "2"))
    text = "".join(f"{next(numbers)},{line}\n" for line in NAMESAKES.splitlines())
    standings = ranked(tmp_path, text, final=True)
    assert {entry.player: entry.total for entry in standings.sums} == {
        "Jan Novak (7)": 95, "Di": 91, "Bo": 84, "Jan Novak (8)": 60,
    }  # fmt: skip


def test_player_without_a_name_is_called_by_the_number(tmp_path: Path) -> None:
    text = "number,player,round,points\n7,,1,4\n8,Ann,1,6\n7,,2,5\n8,,2,1\n"
    sums = ranked(tmp_path, text).sums
    assert {entry.player: entry.total for entry in sums} == {"7": 9, "Ann": 7}


def test_number_of_two_names_is_said(tmp_path: Path) -> None:
    text = "number,player,round,points\n7,Ann,1,4\n7,Cleo,2,5\n"
    (warning,) = ranked(tmp_path, text).warnings
    assert warning.startswith("Number 7 belongs to Ann and Cleo.")


def test_player_twice_in_a_game_is_said(tmp_path: Path) -> None:
    standings = ranked(tmp_path, "player,score\nAnn,4\nBob,5\nAnn,6\n")
    assert standings.warnings[0].startswith("Ann is listed more than once: Game 1 and Game 1")
    assert {entry.result.player for entry in standings.games[0].ranked} == {
        "Ann", "Ann (2)", "Bob",
    }  # fmt: skip


def test_player_without_a_name_is_called_by_number(tmp_path: Path) -> None:
    standings = ranked(tmp_path, "number,player,score\n7,,40\n8,Ben,50\n9,Cle,30\n")
    (game,) = standings.games
    assert [entry.result.player for entry in game.ranked] == ["Ben", "7", "Cle"]


# ---------------------------------------------------------------------- what cannot be ranked


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "0.csv is empty."),
        ("player,score\n", "0.csv has no totals of players or tables to rank."),
        ("who,score\nAnn,4\n", "0.csv has no column player; its headings are: who, score."),
        ("player,worth\nAnn,4\n", "0.csv has no column claimed"),
        ("player,score\nAnn,many\n", "0.csv has no totals of players or tables to rank."),
    ],
)
def test_unrankable_is_code_2(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        ranked(tmp_path, text)
    assert message in error.value.message and error.value.exit_code is ExitCode.USAGE


def test_page_of_standings_has_all(tmp_path: Path) -> None:
    text = "round,player,score\n1,Ann,40\n1,Bob,50\n2,Ann,9\n2,Bob,\n"
    standings = ranked(tmp_path, text)
    write_standings_page(tmp_path / "page.html", "Autumn cup", standings)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for shown in ("Autumn cup", "Round 1", "Bob", "50", "Ties: the largest territory"):
        assert shown in page, shown
    for warning in standings.warnings + standings.notes:
        assert escape(warning) in page, warning


def test_ties_over_games_break_as_asked(tmp_path: Path) -> None:
    text = (
        f"game,player,{FOUND}\n1,Ann,3,sure,3,,,C F1 F F\n1,Bob,4,sure,4,,,C F2 F\n"
        "2,Ann,1,sure,1,,,C F1\n2,Bob,0,sure,0,,,C\n"
    )
    standings = ranked(tmp_path, text, ties=(TieBreak.LARGEST,))
    assert [(entry.rank, entry.player) for entry in standings.sums] == [(1, "Ann"), (2, "Bob")]


def test_tie_notes_follow_the_language(tmp_path: Path) -> None:
    text = f"player,{FOUND}\nAnn,3,sure,3,,,C F1 F F\nBen,3,sure,3,,,C F3\nCle,3,sure,3,,,C W3\n"
    (game,) = ranked(tmp_path, text, language="de").tables
    assert [row[-1] for row in game.rows] == [
        "Gleichstand bei 3: größtes Gebiet 3",
        *["Gleichstand bei 3: größtes Gebiet 1, Kronen 3, geteilt"] * 2,
    ]
