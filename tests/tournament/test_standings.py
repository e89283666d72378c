"""Ranks from sheets: what people wrote by hand, and what batch and verify wrote."""

from dataclasses import replace
from pathlib import Path

import pytest

from kdvision.errors import ExitCode, UsageError
from kdvision.report.standings import RankingRules, Standings, game_title
from kdvision.rules.standings import Result, TieBreak
from kdvision.tournament.standings import read_standings
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
    return {
        game_title(game.round, game.game): {
            replace(entry.result, others=()) for entry in game.ranked
        }
        for game in standings.games
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("player,score\nAnn,40\n", Result("Ann", 40)),
        ("\ufeffSpieler;Punkte\nAnn;40\n", Result("Ann", 40)),
        ("points\tplayer\n40\tAnn\n", Result("Ann", 40)),
        (f"player,points,reading\nAnn,23,{EXAMPLE}\n", Result("Ann", 23, 5, 7)),
        (f"player,points,reading,harmony\nAnn,133,{BEST},yes\n", Result("Ann", 133, 9, 18)),
        ("player,score,accept\nAnn,40,44\n", Result("Ann", 44)),
        ("player,score\n\n,\n Ann , 40 \nSumme,40\n", Result("Ann", 40)),
        ("photo,score\na.jpg,40\n", Result("a.jpg", 40)),
        # What the program wrote: what counts, not what was claimed.
        (f"player,claimed,{FOUND}\nAnn,46,44,sure,44,differs,,C F1 F F\n", Result("Ann", 44, 3, 1)),
        (f"player,accept,{FOUND}\nAnn,47,44,sure,47,settled,,C F1 F F\n", Result("Ann", 47, 3, 1)),
        (f"player,{FOUND}\nAnn,44,doubtful,,,It is dark.,C F1 F F\n", Result("Ann", 44, 3, 1)),
    ],
)
def test_what_a_sheet_may_look_like(tmp_path: Path, text: str, expected: Result) -> None:
    assert results(ranked(tmp_path, text)) == {"Game 1": {expected}}


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("Ann,,,,,cannot tell,Photo not found.,", "Ann is left out: Photo not found."),
        ("Ann,,,,,bad line,Claimed is 'n/a'.,", "Ann is left out: Claimed is 'n/a'."),
        ("Ann,,44,doubtful,,,It is dark.,C F1", "1 total is still open; the notes say why."),
        ("Ann,46,44,sure,44,differs,,C F1", "1 total is still open; the notes say why."),
        (",,44,sure,44,,,C F1", "a.jpg is left out: it names no player"),
        (",,44,doubtful,,,It is dark.,C F1", "a.jpg is left out: it names no player"),
    ],
)
def test_what_is_open_is_said_and_ends_a_final_ranking(
    tmp_path: Path, line: str, note: str
) -> None:
    text = f"photo,player,claimed,{FOUND}\nb.jpg,Ben,,30,sure,30,,,C F1\na.jpg,{line}\n"
    assert note in ranked(tmp_path, text).notes
    with pytest.raises(UsageError, match=r"1 line is open in .*0.csv. Settle them"):
        ranked(tmp_path, text, final=True)


@pytest.mark.parametrize(("cells", "total"), [("44,sure,47", 47), ("44,doubtful,", 44)])
def test_a_decision_that_no_run_has_seen_is_open(tmp_path: Path, cells: str, total: int) -> None:
    text = f"player,accept,{FOUND}\nAnn,50,{cells},,,C F1\n"
    standings = ranked(tmp_path, text)
    (entry,) = standings.games[0].ranked
    assert [*standings.remarks.values()] == ["accept is new: run batch or verify again"]
    assert entry.result.total == total and not entry.result.is_sure


@pytest.mark.parametrize(
    ("line", "ranks"),
    [
        # A doubtful total may be any.
        (",44,doubtful,,,It is dark.,C F1", ["1-2", "1-2"]),
        # While a decision is pending it is the photo's or the claim's.
        ("46,44,sure,44,differs,,C F1", ["1", "2"]),
        ("29,44,sure,44,differs,,C F1", ["1-2", "1-2"]),
        # A workbook has no value of a formula until a spreadsheet has saved it.
        ("=D4+E4,44,sure,44,differs,,C F1", ["1-2", "1-2"]),
    ],
)
def test_a_rank_that_hangs_on_an_open_line_is_open(
    tmp_path: Path, line: str, ranks: list[str]
) -> None:
    text = f"player,claimed,{FOUND}\nBen,,30,sure,30,,,C F1\nAnn,{line}\nCle,,,,,,It is dark.,\n"
    standings = ranked(tmp_path, text)
    assert [row[0] for row in standings.tables[0].rows] == ranks
    assert standings.notes[0] == "1 total is still open; the notes say why."


def test_a_kingdom_in_two_photos_counts_once(tmp_path: Path) -> None:
    text = (
        f"photo,player,{FOUND}\nb.jpg,Ann,43,doubtful,,,The kingdom counts in line 3.,C F1\n"
        "a.jpg,Ann,44,sure,44,,,C F1\nc.jpg,,44,sure,,,The kingdom counts in line 3.,C F1\n"
    )
    standings = ranked(tmp_path, text)
    assert results(standings) == {"Game 1": {Result("Ann", 44, 1, 1)}}
    assert standings.notes == ()


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


def test_sheets_of_several_rounds_are_one_tournament(tmp_path: Path) -> None:
    first = "round,player,points\n1,Ann,40\n1,Ben,50\n1,Cle,10\n"
    second = "Runde;Spieler;Punkte\n2;ANN;60\n2;Ben;20\n"
    standings = ranked(tmp_path, first, second)
    assert [(entry.rank, entry.player, entry.total) for entry in standings.sums] == [
        (1, "Ann", 100), (2, "Ben", 70), (3, "Cle", 10),
    ]  # fmt: skip
    assert "In round 2 is missing: Cle." in standings.notes


def test_a_player_twice_in_a_game_is_said(tmp_path: Path) -> None:
    standings = ranked(tmp_path, "player,score\nAnn,4\nBob,5\nAnn,6\n")
    (note,) = [note for note in standings.notes if "Line 4" in note]
    assert "Ann is already in this game (Game 1)" in note


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "0.csv is empty."),
        ("player,score\n", "0.csv has no results with a total."),
        ("who,score\nAnn,4\n", "0.csv has no column player; its first line is: who, score."),
        ("player,worth\nAnn,4\n", "0.csv has no column claimed"),
        ("player,score\nAnn,many\n", "0.csv has no results with a total."),
    ],
)
def test_what_cannot_be_ranked_ends_with_code_2(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        ranked(tmp_path, text)
    assert message in error.value.message and error.value.exit_code is ExitCode.USAGE


def test_a_tie_over_games_is_broken_as_asked(tmp_path: Path) -> None:
    text = "game,player,points,reading\n1,Ann,3,C F1 F F\n1,Bob,4,C F2 F\n2,Ann,1,C F1\n2,Bob,0,C\n"
    standings = ranked(tmp_path, text, ties=(TieBreak.LARGEST,))
    assert [(entry.rank, entry.player) for entry in standings.sums] == [(1, "Ann"), (2, "Bob")]


def test_notes_on_ties_are_in_the_language_of_the_report(tmp_path: Path) -> None:
    text = "player,points,reading\nAnn,3,C F1 F F\nBen,3,C F3\nCle,3,C W3\n"
    (game,) = ranked(tmp_path, text, language="de").tables
    assert [row[-1] for row in game.rows] == [
        "Gleichstand bei 3: größtes Gebiet 3",
        *["Gleichstand bei 3: größtes Gebiet 1, Kronen 3, geteilt"] * 2,
    ]
