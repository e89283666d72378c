"""Totals over several games: by sum, by victories, by places."""

import pytest

from kdvision.rules.series import By, sums
from kdvision.rules.standings import GameStanding, Result, TieBreak, ranking
from tests.support.ties import tie_words


def game(name: str, **totals: int) -> GameStanding:
    results = [Result(player, total, 5, 5) for player, total in totals.items()]
    return GameStanding(name, ranking(results))


GAMES = [
    game("1", Ann=50, Bob=40, Cle=30),
    game("2", Ann=20, Bob=60, Cle=60),
    game("3", Ann=45, Bob=40, Cle=10),
]


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        (By.SUM, [("Bob", 140), ("Ann", 115), ("Cle", 100)]),
        (By.WINS, [("Ann", 2), ("Bob", 0.5), ("Cle", 0.5)]),
        (By.PLACES, [("Ann", 7), ("Bob", 6.5), ("Cle", 4.5)]),
    ],
)
def test_sum_wins_or_places_decide(by, expected):
    entries = sums(GAMES, by)
    assert [(entry.player, float(entry.points)) for entry in entries] == expected
    assert [entry.rank for entry in entries] == [1, 2, 3]
    assert {entry.player: entry.total for entry in entries} == {"Ann": 115, "Bob": 140, "Cle": 100}


def test_equal_sums_skip_the_next_rank():
    entries = sums([game("1", Ann=50, Bob=40, Cle=1), game("2", Ann=10, Bob=20)])
    assert [(entry.rank, entry.player, entry.total, entry.shared) for entry in entries] == [
        (1, "Ann", 60, True),
        (1, "Bob", 60, True),
        (3, "Cle", 1, False),
    ]


def test_doubtful_total_opens_a_sum():
    doubtful = GameStanding("2", ranking([Result("Ann", 20), Result("Bob", 60, others=(20,))]))
    entries = sums([GAMES[0], doubtful])
    assert [(entry.player, entry.rank, entry.worst, entry.has_open) for entry in entries] == [
        ("Bob", 1, 2, True),  # 100, or 60
        ("Ann", 1, 2, False),  # 70
        ("Cle", 3, 3, False),  # 30
    ]
    unknown = GameStanding("1", ranking([Result("Ann", 40), Result("Bob", 40)]))
    assert all(entry.has_open for entry in sums([unknown, unknown], By.WINS))
    assert not any(entry.has_open for entry in sums([unknown, unknown], By.SUM))


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        # Ann has 50 and an unknown total, against 100 and 60: she may be first or last.
        (By.SUM, [("Bob", 1, 2), ("Cle", 2, 3), ("Ann", 1, 3)]),
        (By.BEST, [("Bob", 1, 2), ("Ann", 1, 2), ("Cle", 3, 3)]),
        # She won once, and Bob may have won the other game.
        (By.WINS, [("Ann", 1, 2), ("Bob", 1, 2), ("Cle", 3, 3)]),
    ],
)
def test_player_without_total_may_win(by, expected):
    second = GameStanding("2", ranking([Result("Ann", None), Result("Bob", 60), Result("Cle", 30)]))
    entries = sums([GAMES[0], second], by)
    assert [(entry.player, entry.rank, entry.worst) for entry in entries] == expected
    assert next(entry.totals for entry in entries if entry.player == "Ann") == (50, None)


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        # Ann and Bob hang on a territory that nobody measured: 3 or 2 points of three players.
        (
            [Result("Ann", 40, 6, 7), Result("Bob", 40), Result("Cle", 30)],
            {"Ann": (2.5, True), "Bob": (2.5, True), "Cle": (1, False)},
        ),
        # Bob may be anywhere, Ann is before Cle: 3 or 2 points, 3 to 1, 2 or 1.
        (
            [Result("Ann", 40, 6, 7), Result("Bob", 40), Result("Cle", 40, 5, 9)],
            {"Ann": (2.5, True), "Bob": (2, True), "Cle": (1.5, True)},
        ),
    ],
)
def test_open_rank_is_worth_its_middle(results, expected):
    entries = sums([GameStanding("1", ranking(results))], "places")
    listed = {entry.player: (float(entry.points), entry.has_open) for entry in entries}
    assert listed == expected


# ---------------------------------------------------------------------- ties of sums


def measured(name: str, **results: tuple[int, int | None, int | None]) -> GameStanding:
    """A game of players with their totals, largest territories and crowns."""
    listed = [Result(player, *result) for player, result in results.items()]
    return GameStanding(name, ranking(listed))


#: Ann, Bob and Cle have 100 each. Ann won one game, Bob one, Cle none and was second twice; each
#: has another largest territory, and other crowns.
TIED = [
    measured("1", Ann=(60, 9, 5), Cle=(50, 7, 6), Dan=(10, 2, 1)),
    measured("2", Bob=(55, 8, 9), Ann=(40, 4, 4), Eve=(20, 2, 1)),
    measured("3", Dan=(70, 9, 9), Cle=(50, 8, 8), Bob=(45, 8, 3)),
]


def places(games: list[GameStanding], *ties: TieBreak, by: By = By.SUM) -> list[tuple[int, str]]:
    entries = sums(games, by, ties=ties)
    ranks = [entry.rank for entry in entries]
    assert all(entry.shared == (ranks.count(entry.rank) > 1) for entry in entries)
    trio = ("Ann", "Bob", "Cle")
    return [(entry.rank, entry.player) for entry in entries if entry.player in trio]


@pytest.mark.parametrize(
    ("ties", "expected"),
    [
        ((), [(1, "Ann"), (1, "Cle"), (1, "Bob")]),
        ((TieBreak.WINS,), [(1, "Ann"), (1, "Bob"), (3, "Cle")]),
        ((TieBreak.LARGEST,), [(1, "Ann"), (2, "Cle"), (2, "Bob")]),
        ((TieBreak.CROWNS,), [(1, "Cle"), (2, "Bob"), (3, "Ann")]),
        # The order decides.
        ((TieBreak.WINS, TieBreak.LARGEST), [(1, "Ann"), (2, "Bob"), (3, "Cle")]),
        ((TieBreak.LARGEST, TieBreak.CROWNS), [(1, "Ann"), (2, "Cle"), (3, "Bob")]),
        ((TieBreak.CROWNS, TieBreak.LARGEST), [(1, "Cle"), (2, "Bob"), (3, "Ann")]),
    ],
)
def test_ties_of_sums_break(ties, expected):
    assert places(TIED, *ties) == expected


WON = "wins 1, largest"


@pytest.mark.parametrize(
    ("ties", "notes"),
    [
        (
            ("wins", "largest"),
            {"Ann": f"{WON} 9", "Bob": f"{WON} 8", "Cle": "wins 0", "Dan": ""},
        ),
        (
            ("largest", "crowns"),
            {"Ann": "largest 9", "Cle": "largest 8, crowns 14"},
        ),
        ((), {"Ann": "", "Bob": "", "Cle": ""}),
    ],
)
def test_tie_break_is_named(ties, notes):
    entries = sums(TIED, ties=ties)
    assert notes.items() <= {entry.player: tie_words(entry.tie) for entry in entries}.items()
    assert all(entry.tie is None or entry.tie.points == 100 for entry in entries)


def test_shared_victory_is_divided():
    games = [
        measured("1", Ann=(50, 5, 5), Bob=(50, 5, 5)),
        measured("2", Ann=(40, 5, 5), Bob=(30, 5, 5)),
        measured("3", Bob=(30, 5, 5), Ann=(20, 5, 5)),
    ]
    entries = sums(games, ties=("wins",))
    assert [tie_words(entry.tie) for entry in entries] == ["wins 1.5, shared"] * 2


#: Nobody has counted the crowns of Bob, nor a territory of Cle.
TYPED = [
    measured("1", Ann=(60, 9, 5), Bob=(50, 9, None), Cle=(50, None, 6)),
    measured("2", Cle=(60, 8, 9), Bob=(60, 8, 9), Ann=(50, 7, 9)),
]


@pytest.mark.parametrize(
    ("tie", "expected"),
    [
        # Ann has 14 crowns, Cle 15, and Bob may have any number.
        (TieBreak.CROWNS, {"Ann": "2-3 crowns 14", "Bob": "1-3 crowns ?", "Cle": "1-2 crowns 15"}),
        # Ann and Bob have 9 squares; so may Cle, and then victories are compared.
        (
            TieBreak.LARGEST,
            {"Ann": "1-2 largest 9", "Bob": "2-3 largest 9", "Cle": "1-3 largest ?"},
        ),
    ],
)
def test_unknown_number_leaves_the_tie_open(tie, expected):
    entries = sums(TYPED, ties=(tie, TieBreak.WINS))
    found = {}
    for entry in entries:
        compared = tie_words(entry.tie).partition(",")[0]
        found[entry.player] = f"{entry.rank}-{entry.worst} {compared}"
    assert found == expected


def test_open_victory_leaves_the_tie():
    unknown = measured("1", Ann=(40, None, 5), Bob=(40, 3, 5))
    equal = measured("2", Ann=(30, 3, 5), Bob=(30, 3, 5))
    entries = sums([unknown, equal], ties=(TieBreak.WINS, TieBreak.CROWNS))
    assert [(entry.rank, entry.worst) for entry in entries] == [(1, 2)] * 2
    assert [tie_words(entry.tie) for entry in entries] == ["wins ?, unknown"] * 2


def test_doubtful_reading_breaks_no_tie():
    """Bob may have other totals than 55 in the second game, but none of a tie."""
    doubtful = ranking([Result("Bob", 55, 8, 9, (55,)), Result("Ann", 40, 4, 4)])
    games = [TIED[0], GameStanding("2", doubtful), TIED[2]]
    ranks = {entry.player: (entry.rank, entry.worst) for entry in sums(games, ties=("largest",))}
    assert ranks["Bob"] == (1, 3)


def test_ties_of_wins_and_places_break():
    games = [
        measured("1", Ann=(50, 5, 5), Bob=(40, 9, 9)),
        measured("2", Bob=(50, 9, 9), Ann=(40, 5, 5)),
    ]
    for by in (By.WINS, By.PLACES, By.BEST):
        assert places(games, by=by) == [(1, "Ann"), (1, "Bob")]
        assert places(games, TieBreak.CROWNS, by=by) == [(1, "Bob"), (2, "Ann")]


def test_unknown_tie_break_is_refused():
    with pytest.raises(ValueError, match="'coin' is no tie-break; write one of 'wins', 'largest"):
        sums(TIED, ties=("wins", "coin"))
