"""Totals over several games: by sum, by victories, by places."""

from fractions import Fraction

import pytest

from kdvision.rules.standings import By, GameStanding, Result, points_text, ranking, sums, uneven


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
        (By.SUM, [("Bob", "140"), ("Ann", "115"), ("Cle", "100")]),
        (By.WINS, [("Ann", "2"), ("Bob", "0.5"), ("Cle", "0.5")]),
        (By.PLACES, [("Ann", "7"), ("Bob", "6.5"), ("Cle", "4.5")]),
    ],
)
def test_what_decides_over_several_games(by: By, expected: list[tuple[str, str]]) -> None:
    found = sums(GAMES, by)
    assert [(one.player, points_text(one.points)) for one in found] == expected
    assert [one.rank for one in found] == [1, 2, 3]


def test_equal_sums_share_a_rank() -> None:
    found = sums([game("1", Ann=50, Bob=40), game("2", Ann=40, Bob=50)])
    assert [(one.rank, one.shared) for one in found] == [(1, True), (1, True)]


def test_what_is_not_sure_leaves_a_sum_open() -> None:
    found = sums(GAMES, By.SUM, {("", "2", "Bob")})
    assert [one.player for one in found if one.open] == ["Bob"]
    unknown = GameStanding("1", ranking([Result("Ann", 40), Result("Bob", 40)]))
    assert all(one.open for one in sums([unknown, unknown], By.WINS))
    assert not any(one.open for one in sums([unknown, unknown], By.SUM))


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        # Ann and Bob hang on a territory that nobody measured: 3 or 2 points of three players.
        (
            [Result("Ann", 40, 6, 7), Result("Bob", 40), Result("Cle", 30)],
            {"Ann": ("2.5", True), "Bob": ("2.5", True), "Cle": ("1", False)},
        ),
        # Bob may be anywhere, Ann is before Cle: 3 or 2 points, 3 to 1, 2 or 1.
        (
            [Result("Ann", 40, 6, 7), Result("Bob", 40), Result("Cle", 40, 5, 9)],
            {"Ann": ("2.5", True), "Bob": ("2", True), "Cle": ("1.5", True)},
        ),
    ],
)
def test_an_open_rank_is_worth_the_middle_of_the_places_that_are_possible(
    results: list[Result], expected: dict[str, tuple[str, bool]]
) -> None:
    found = sums([GameStanding("1", ranking(results))], "places")
    assert {one.player: (points_text(one.points), one.open) for one in found} == expected


def test_different_numbers_of_games_are_said() -> None:
    assert uneven(GAMES) == ""
    assert uneven([*GAMES, game("4", Dan=9, Ann=3)]) == (
        "Not all have played as many games: 4 by Ann; 3 by Bob, Cle; 1 by Dan."
    )


def test_points_are_written_shortly() -> None:
    assert [points_text(Fraction(n, 6)) for n in (6, 3, 2)] == ["1", "0.5", "0.33"]


def test_every_way_of_adding_up_has_a_sentence_and_a_sum_has_its_total() -> None:
    assert all(by.sentence.startswith("Over several games ") for by in By)
    assert {one.player: one.total for one in sums(GAMES, By.WINS)} == {
        "Ann": 115,
        "Bob": 140,
        "Cle": 100,
    }
