import json
from pathlib import Path

import pytest

from kdvision.errors import ExitCode, UsageError
from kdvision.rules.standings import Result, TieRule
from kdvision.tournament.player_results import counted
from kdvision.tournament.sheets import MAX_BYTES
from kdvision.tournament.standings import read_standings
from tests.support.played import EXAMPLES

EXAMPLE = EXAMPLES["publisher's worked example"]["kingdom"]
BEST = EXAMPLES["best 5x5"]["kingdom"]


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "games.csv"
    path.write_text(text, encoding="utf-8")
    return path


def results(path: Path) -> dict[str, set[Result]]:
    """What the players of each game have."""
    games = read_standings(path).games
    return {game.game: {entry.result for entry in game.ranked} for game in games}


def test_kingdoms_are_scored(tmp_path: Path) -> None:
    path = written(tmp_path, f"player,kingdom\nAnn,{EXAMPLE}\nBob,{BEST}\n")
    assert results(path) == {"1": {Result("Ann", 23, 5, 7), Result("Bob", 128, 9, 18)}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("player,score\nAnn,40\n", Result("Ann", 40)),
        ("\ufeffPlayer;Score;Largest;Crowns\nAnn;40;7;9\n", Result("Ann", 40, 7, 9)),
        ("score\tplayer\tphoto\n40\tAnn\tx.jpg\n", Result("Ann", 40)),
        ("photo,score,note\na.jpg,40,nice\n", Result("a.jpg", 40)),
        ('player,score\n"Ann, the first",40\n', Result("Ann, the first", 40)),
        (f"player,kingdom,score\nAnn,{EXAMPLE},23\n", Result("Ann", 23, 5, 7)),
        (f"player,kingdom,score\nAnn,{BEST},133\n", Result("Ann", 133, 9, 18)),
        (f"player,kingdom,Harmony\nAnn,{BEST},yes\n", Result("Ann", 133, 9, 18)),
        (f"player,kingdom,Harmony\nAnn,{BEST},No\n", Result("Ann", 128, 9, 18)),
        (f"player,kingdom,size,harmony\nAnn,{BEST},7,yes\n", Result("Ann", 128, 9, 18)),
        ("player,kingdom,Middle Kingdom\nAnn,W1 W C W W,1\n", Result("Ann", 12, 2, 1)),
        ("player,kingdom,score\nAnn,W1 W C W W,12\n", Result("Ann", 12, 2, 1)),
        ("player,score\n\n,\n Ann , 40 \n", Result("Ann", 40)),
        ("player,score,size\nAnn,40\n", Result("Ann", 40)),
        ('player,kingdom\nAnn,"C W1 W\nC W W"'.replace("\nC", "\n-"), Result("Ann", 4, 4, 1)),
    ],
)
def test_what_a_table_may_look_like(tmp_path: Path, text: str, expected: Result) -> None:
    assert results(written(tmp_path, text)) == {"1": {expected}}


def test_the_players_of_photos_are_found_however_letters_are_written(tmp_path: Path) -> None:
    path = written(tmp_path, "photo,score\nku\u0308che.jpg,40\n")
    players = tmp_path / "players.csv"
    players.write_text("photo,player\nk\xfcche.jpg,Ann\n", encoding="utf-8")
    (game,) = read_standings(path, players=players).games
    assert [entry.result for entry in game.ranked] == [Result("Ann", 40)]


def test_several_games_keep_their_order(tmp_path: Path) -> None:
    path = written(tmp_path, "game,player,score\nB,Ann,1\nA,Ann,2\nB,Bob,3\n,Ann,4\n")
    assert results(path) == {
        "B": {Result("Ann", 1), Result("Bob", 3)},
        "A": {Result("Ann", 2)},
        "1": {Result("Ann", 4)},
    }


def test_a_line_without_a_game_joins_none_that_has_a_name(tmp_path: Path) -> None:
    path = written(tmp_path, "table,player,score\n1,Ann,40\n1,Bob,30\n,Cle,99\n")
    assert results(path) == {"1": {Result("Ann", 40), Result("Bob", 30)}, "2": {Result("Cle", 99)}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "games.csv is empty. Give a table"),
        ("player,score\n", "games.csv has no results."),
        ("who,score\nAnn,4\n", "games.csv, line 1: a column is missing: "),
        ("player,worth\nAnn,4\n", "games.csv, line 1: a column is missing: "),
        ("player,points,total\nAnn,4,4\n", "The columns points and total could both be score."),
        ("player,score,Score\nAnn,4,4\n", "games.csv, line 1: there are two columns score."),
        ("player,score\nAnn,4,5\n", "games.csv, line 2: 3 fields, but 2 columns."),
        ("player,score\nAnn,4\n,5\n", "games.csv, line 3: the player is missing."),
        ("player,score\nAnn,\n", "games.csv, line 2: neither a kingdom nor a score."),
        ("player,score\nAnn,many\n", "games.csv, line 2: score is 'many'; write a number"),
        ("player,score\nAnn,-4\n", "games.csv, line 2: score is '-4'; write a number from 0"),
        ("player,score\nAnn,1000\n", "games.csv, line 2: score is '1000'"),
        ("player,score\nAnn,\u0664\n", "games.csv, line 2: score is '\u0664'"),
        ("player,score\nAnn," + "9" * 9999, "games.csv, line 2: score is '99999999999999999999';"),
        ("player,score,crowns\nAnn,4,x\n", "games.csv, line 2: crowns is 'x'"),
        ("player,score\nAnn,4\nBob,5\nAnn,6\n", "line 4: 'Ann' is in game '1' already."),
        ("player,kingdom\n\nAnn,C WX\n", "line 3: Row 1, place 2: 'WX' is no square."),
        ("player,kingdom\nAnn,C W/C\n", "line 2: Row 2 has 1 place, but row 1 has 2"),
        ("player,kingdom\nAnn,C W/W C\n", "line 2: Row 2, place 2: a second castle"),
        ("player,kingdom,size\nAnn,C W W,6\n", "line 2: size is '6'. Write auto, 5 or 7."),
        ("player,kingdom,harmony\nAnn,C W W,maybe\n", "line 2: harmony is 'maybe'. Write yes"),
        (
            f"player,kingdom,score\nAnn,{EXAMPLE},24\n",
            "line 2: the score is 24, but the kingdom scores 23.",
        ),
        (
            f"player,kingdom,score,harmony\nAnn,{BEST},133,no\n",
            "line 2: the score is 133, but the kingdom scores 128.",
        ),
        ('player,kingdom\nAnn,"C\nW\nW"\nBob,X W\n', "line 5: Row 1, place 1: 'X' is no square."),
        (f"player,score\n{'x' * 200_000},4\n", "games.csv, line 2: field larger than"),
    ],
)
def test_bad_text_names_the_line_and_ends_with_code_2(
    tmp_path: Path, text: str, message: str
) -> None:
    """A line that cannot be used is named; only where none is left there are no standings."""
    path = written(tmp_path, text)
    try:
        (said,) = (note for note in read_standings(path).notes if message in note)
    except UsageError as error:
        said = str(error)
        assert error.exit_code is ExitCode.USAGE
    assert message in said
    assert len(said) < 600


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"missing.csv does not exist"):
        read_standings(tmp_path / "missing.csv")
    with pytest.raises(UsageError, match="is a folder"):
        read_standings(tmp_path)
    binary = tmp_path / "binary.csv"
    binary.write_bytes(b"player,score\n\x81\0,4\n")
    with pytest.raises(UsageError, match=r"is no text. Save it as CSV in UTF-8."):
        read_standings(binary)
    large = tmp_path / "large.csv"
    large.write_bytes(b"W" * (MAX_BYTES + 1))
    with pytest.raises(UsageError, match=r"is too large: 61 MB"):
        read_standings(large)


def test_a_report_with_a_tie(tmp_path: Path) -> None:
    path = written(tmp_path, "player,score,largest,crowns\nAnn,40,6,7\nBob,40,6,9\n")
    assert "Game 1: Bob wins" in read_standings(path).report()
    by_001 = read_standings(path, tie_rule="territory").report()
    assert "Game 1: Ann and Bob share the victory" in by_001
    assert by_001 == read_standings(path, tie_rule=TieRule.TERRITORY).report()
    found = json.loads(read_standings(path).report("json"))
    assert found["games"][0]["winners"] == ["Bob"]


def test_no_such_tie_rule(tmp_path: Path) -> None:
    path = written(tmp_path, "player,score\nAnn,40\n")
    with pytest.raises(UsageError, match=r"'coin' is no tie rule. Write crowns or territory for"):
        read_standings(path, tie_rule="coin")


def test_names_as_excel_writes_them_on_windows(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_bytes("player;score\r\nZo\xeb;4\r\n".encode("cp1252"))
    assert results(path) == {"1": {Result("Zo\xeb", 4)}}


# ---------------------------------------------------------------------- results of photos

#: What `kdscore batch` writes, but for the columns that standings do not need.
RESULTS = (
    "photo,player,game,round,status,kingdom,score,alternatives,kingdom_line,message\n"
    "r1/1.jpg,,,,sure,,3,,C F1 F F,\n"
    "r1/2.jpg,,,,sure,,2,,C F1 F,\n"
    "r1/3.jpg,,,,unreadable,,,,,r1/3.jpg is empty.\n"
    "r1/4.jpg,,,,doubtful,,4,6 (12 %),C F1 F F F,It is dark.\n"
    "r2/1.jpg,,,,sure,,3,,C F1 F F,\n"
    "r2/2.jpg,,,,sure,,5,,C F1 F F F F,\n"
)
PLAYERS = (
    "Photo;Player;Round;Game\n"
    "r1\\1.jpg;Ann;1;A\n"
    "r1\\2.jpg;Bob;1;A\n"
    "r1\\3.jpg;Cle;1;B\n"
    "r1\\4.jpg;Dan;1;B\n"
    "r2\\1.jpg;Bob;2;A\n"
    "r2\\2.jpg;Ann;2;A\n"
    "r2\\9.jpg;Eve;2;A\n"
)


@pytest.fixture
def evening(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "players.csv").write_text(PLAYERS)
    return written(tmp_path, RESULTS), tmp_path / "players.csv"


def test_results_are_joined_with_players_games_and_rounds(evening: tuple[Path, Path]) -> None:
    table, players = evening
    found = read_standings(table, players=players)
    assert [
        (game.title, [(one.rank, one.result.player, one.result.total) for one in game.ranked])
        for game in found.games
    ] == [
        ("Round 1, game A", [(1, "Ann", 3), (2, "Bob", 2)]),
        ("Round 1, game B", [(1, "Dan", 4)]),
        ("Round 2, game A", [(1, "Ann", 5), (2, "Bob", 3)]),
    ]
    assert found.notes == (
        "1 open, marked in their lines: see the report.",
        "Cle is left out: r1/3.jpg is empty.",
        "Eve is left out: no result for r2/9.jpg.",
        "Not all have played as many games: 2 (Ann, Bob); 1 (Dan).",
    )
    text = read_standings(table, players=players).report()
    assert "   1   Dan          4         4        1   not sure: 4, or 6 (12 %)" in text
    assert "   1   Ann          8   3 + 5" in text


def test_a_photo_that_nobody_handed_in_is_named_and_stops_nothing(
    evening: tuple[Path, Path],
) -> None:
    table, players = evening
    players.write_text("photo,player\nr1/1.jpg,Ann\n")
    found = read_standings(table, players=players)
    assert [one.result.player for game in found.games for one in game.ranked] == ["Ann"]
    assert f"r1/2.jpg is left out: {players} does not name the photo." in found.notes
    # A photo of the same name in another folder is another photo.
    assert f"r2/1.jpg is left out: {players} does not name the photo." in found.notes


def test_a_tie_on_a_territory_that_is_not_known_is_open(tmp_path: Path) -> None:
    (game,) = read_standings(written(tmp_path, "player,score\nAnn,40\nBob,40\nCle,7\n")).games
    assert game.winners == ()
    assert [(one.rank, one.worst) for one in game.ranked] == [(1, 2), (1, 2), (3, 3)]
    assert game.title == "Game 1"
    known = "player,score,largest,crowns\nAnn,40,9,5\nBob,40,8,7\nCle,7,2,1\n"
    (game,) = read_standings(written(tmp_path, known)).games
    assert game.winners == ("Ann",)


def test_photos_of_one_name_are_kept_apart_by_their_folders(evening: tuple[Path, Path]) -> None:
    table, players = evening
    players.write_text("photo,player\na/1.jpg,Ann\nb/1.jpg,Bob\n")
    with pytest.raises(UsageError, match=r"line 2: .*players.csv has several photos 'r1/1.jpg'"):
        read_standings(table, players=players)
    players.write_text("photo,player\na/1.jpg,Ann\na\\1.jpg,Bob\n")
    with pytest.raises(
        UsageError, match=r"players.csv, line 3: the photo 'a/1.jpg' is there twice"
    ):
        read_standings(table, players=players)
    players.write_text("photo,who\na/1.jpg,Ann\n")
    with pytest.raises(UsageError, match=r"players.csv, line 1: a column is missing: player"):
        read_standings(table, players=players)


def test_without_players_photos_stand_for_them(tmp_path: Path) -> None:
    text = "photo,status,kingdom,score,kingdom_line\na.jpg,sure,A,3,C F1 F F\na.jpg,sure,B,1,C F1\n"
    # A table photo is a game of its own.
    assert results(written(tmp_path, text)) == {
        "a.jpg": {Result("a.jpg A", 3, 3, 1), Result("a.jpg B", 1, 1, 1)}
    }


def test_rounds_without_games(tmp_path: Path) -> None:
    path = written(
        tmp_path, "round,player,score\n1,Ann,4\n1,Bob,5\n2,Ann,6\n2,Bob,1\n3,Bob,9\n3,Ann,2\n"
    )
    text = read_standings(path).report()
    assert "Round 2: Ann wins" in text
    assert "Dynasty, the sum of three games" in text
    assert "   1   Bob         15   5 + 1 + 9" in text


def test_a_player_twice_in_a_round(tmp_path: Path) -> None:
    path = written(tmp_path, "round,game,player,score\n1,A,Ann,4\n2,A,Ann,5\n1,A,Ann,6\n")
    assert any(
        "line 4: 'Ann' is in round 1, game 'A' already" in note
        for note in read_standings(path).notes
    )


def test_only_photos_without_total(tmp_path: Path) -> None:
    path = written(tmp_path, "photo,status,score\na.jpg,unreadable,\n")
    with pytest.raises(UsageError, match="has no results with a total"):
        results(path)


def test_the_csv_has_all_tables(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "round,player,score,largest,crowns\n1,Ann,4,3,2\n1,Bob,4,3,2\n2,Ann,6,,\n2,Bob,1,,\n",
    )
    assert read_standings(path).report("csv").splitlines() == [
        "table,round,game,rank,player,total,largest,crowns,shared,note,points",
        'game,1,,1,Ann,4,3,2,yes,"tie at 4: largest territory 3, crowns 2, shared",',
        'game,1,,1,Bob,4,3,2,yes,"tie at 4: largest territory 3, crowns 2, shared",',
        "game,2,,1,Ann,6,,,no,,",
        "game,2,,2,Bob,1,,,no,,",
        "totals,,,1,Ann,10,,,no,4 + 6,10",
        "totals,,,2,Bob,5,,,no,4 + 1,5",
    ]


def test_a_total_that_is_only_not_certain_has_no_other_beside_it() -> None:
    line = {"player": "Ada", "status": "doubtful", "score": "52", "alternatives": "52"}
    assert counted(line).note == "52, which is not certain"
    assert counted(line | {"alternatives": "52; 54"}).note == "52, or 54"
    assert counted(line | {"claimed": "45"}).note == "52, or 45"


def test_a_table_is_one_however_it_is_written(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "player,score,game,round\nAnn,4,Tisch Süd,R 1\nBob,3,tisch su\u0308d,r 1\n"
        "Cle,2,Tisch\u00a0 Süd,R  1\nDan,5,Tisch Nord,R 1\n",
    )
    games = {game.title: len(game.ranked) for game in read_standings(path).games}
    assert games == {"Round R 1, game Tisch Süd": 3, "Round R 1, game Tisch Nord": 1}


@pytest.mark.parametrize(
    ("lines", "asked"),
    [
        # Two people, or one line of a wrong player: nobody is at two tables at a time.
        ("Ada,4,1,1\nBen,3,1,1\nAda,2,2,1\nDan,5,2,1\n", True),
        # The three games of a Dynasty, a game against nobody, other rounds, no rounds.
        ("Ada,4,1,1\nBen,3,1,1\nAda,2,2,1\nBen,5,2,1\n", False),
        ("Ada,4,1,1\nBen,3,1,1\nAda,2,2,1\n", False),
        ("Ada,4,1,1\nBen,3,1,1\nAda,2,2,2\nDan,5,2,2\n", False),
        ("Ada,4,1,\nBen,3,1,\nAda,2,2,\nDan,5,2,\n", False),
    ],
)
def test_two_players_of_one_name_are_asked_for_two_names(
    tmp_path: Path, lines: str, asked: bool
) -> None:
    found = read_standings(written(tmp_path, f"player,score,game,round\n{lines}")).report("text")
    assert ("Ada is in the games '1' and '2' of round 1" in found) is asked


def test_another_worksheet_is_said(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    book = openpyxl.Workbook()
    for title in ("Round 1", "Round 2"):
        sheet = book.create_sheet(title)
        sheet.append(["player", "score"])
        sheet.append(["Ada", 3])
    book.remove(book.worksheets[0])
    book.save(tmp_path / "e.xlsx")
    said: list[str] = []
    read_standings(tmp_path / "e.xlsx", say=said.append)
    assert len(said) == 1 and "Round 1 was read; there are also Round 2" in said[0]
