from dataclasses import replace
from itertools import islice, product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import score
from kdvision.rules.standings import (
    By,
    GameStanding,
    Result,
    TieRule,
    dynasties,
    is_dynasty,
    ranking,
    result_of,
    sums,
)
from tests.support.ties import broken


def ranks(
    results: list[Result], rule: TieRule = TieRule.CROWNS
) -> list[tuple[int, str, list[str]]]:
    """Ranks with what broke a tie of totals."""
    return [(one.rank, one.result.player, broken(one.note)) for one in ranking(results, rule)]


def test_rule_4_then_the_largest_territory_crowned_or_not() -> None:
    ann = result_of("Ann", score(Kingdom.parse("C W1 W W W/L L L L L")))
    bob = result_of("Bob", score(Kingdom.parse("C M2 M - -/G G G - -")))
    assert (ann.total, ann.largest, ann.crowns) == (4, 5, 1)
    assert (bob.total, bob.largest, bob.crowns) == (4, 3, 2)
    for rule in TieRule:
        assert ranks([bob, ann], rule) == [
            (1, "Ann", ["largest territory 5"]),
            (2, "Bob", ["largest territory 3"]),
        ]


def test_rule_4_then_most_crowns_by_default() -> None:
    results = [Result("Ann", 40, 6, 1), Result("Bob", 40, 6, 9), Result("Cle", 30)]
    assert ranks(results) == [
        (1, "Bob", ["largest territory 6", "crowns 9"]),
        (2, "Ann", ["largest territory 6", "crowns 1"]),
        (3, "Cle", []),
    ]


def test_rule_4_text_001_knows_no_crowns() -> None:
    results = [Result("Ann", 40, 1, 7), Result("Bob", 40, 1, 9), Result("Cle", 30)]
    assert ranks(results, TieRule.TERRITORY) == [
        (1, "Ann", ["largest territory 1", "shared"]),
        (1, "Bob", ["largest territory 1", "shared"]),
        (3, "Cle", []),
    ]


def test_rule_4_then_a_shared_victory() -> None:
    results = [Result("Ann", 40, 6, 7), Result("Bob", 40, 6, 7), Result("Cle", 40, 5, 9)]
    entries = ranking(results)
    assert GameStanding("final", entries).winners == ("Ann", "Bob")
    assert [(one.rank, one.shared) for one in entries] == [(1, True), (1, True), (3, False)]
    assert broken(entries[0].note) == ["largest territory 6", "crowns 7", "shared"]


def possible(results: list[Result]) -> dict[str, tuple[int, int, bool]]:
    """The best and the worst rank of each player, and whether it is known to be shared."""
    return {one.result.player: (one.rank, one.worst, one.shared) for one in ranking(results)}


def test_rule_4_a_tie_that_the_numbers_cannot_break_is_open() -> None:
    results = [Result("Ann", 40, 6, 7), Result("Bob", 40), Result("Cle", 30)]
    assert possible(results) == {"Ann": (1, 2, False), "Bob": (1, 2, False), "Cle": (3, 3, False)}
    assert ranks(results) == [
        (1, "Ann", ["largest territory 6", "another unknown", "open"]),
        (1, "Bob", ["largest territory unknown", "open"]),
        (3, "Cle", []),
    ]
    results = [Result("Ann", 40, 6, 7), Result("Bob", 40, 6)]
    assert possible(results) == {"Ann": (1, 2, False), "Bob": (1, 2, False)}
    assert ranks(results) == [
        (1, "Ann", ["largest territory 6", "crowns 7", "another unknown", "open"]),
        (1, "Bob", ["largest territory 6", "crowns unknown", "open"]),
    ]


def test_rule_4_ranks_that_do_not_depend_on_what_is_open_are_given() -> None:
    # Whatever Bob has, Ann is before Cle; and Dan and Eve share what comes last.
    results = [
        *(Result("Cle", 40, 5, 9), Result("Ann", 40, 6, 7), Result("Bob", 40)),
        *(Result("Dan", 12, 3, 1), Result("Eve", 12, 3, 1)),
    ]
    assert possible(results) == {
        "Ann": (1, 2, False),
        "Bob": (1, 3, False),
        "Cle": (2, 3, False),
        "Dan": (4, 4, True),
        "Eve": (4, 4, True),
    }
    # Crowns that are not known decide nothing where the territory does.
    assert possible([Result("Ann", 40, 6), Result("Bob", 40, 5, 9)]) == {
        "Ann": (1, 1, False),
        "Bob": (2, 2, False),
    }


def test_rule_4_nobody_has_won_an_open_game() -> None:
    opened = GameStanding("1", ranking([Result("Ann", 40, 6, 7), Result("Bob", 40)]))
    assert (opened.winners, opened.contenders) == ((), ("Ann", "Bob"))
    decided = GameStanding("1", ranking([Result("Ann", 41, 6, 7), Result("Bob", 40)]))
    assert decided.winners == decided.contenders == ("Ann",)


def games(*scores: dict[str, int]) -> list[GameStanding]:
    return [
        GameStanding("", ranking(Result(player, total) for player, total in game.items()))
        for game in scores
    ]


THREE = games({"Ann": 50, "Bob": 40}, {"Ann": 20, "Bob": 60}, {"Bob": 10, "Ann": 61})


def test_rule_3_4_dynasty_is_the_sum_of_three_games() -> None:
    assert is_dynasty(THREE)
    (found,) = dynasties(THREE)
    assert [(one.rank, one.player, one.total, one.totals) for one in found] == [
        (1, "Ann", 131, (50, 20, 61)),
        (2, "Bob", 110, (40, 60, 10)),
    ]


@pytest.mark.parametrize("by", [By.BEST, "best"])
def test_rule_3_4_or_the_best_of_three_games(by: By) -> None:
    (found,) = dynasties(
        games({"Ann": 50, "Bob": 40}, {"Ann": 55, "Bob": 60}, {"Bob": 10, "Ann": 59}), by
    )
    assert [(one.rank, one.player, one.points) for one in found] == [(1, "Bob", 60), (2, "Ann", 59)]


@pytest.mark.parametrize(
    "played",
    [
        games(),
        games({"Ann": 1}, {"Ann": 1}),
        games({"Ann": 1}, {"Ann": 1}, {"Ann": 1}, {"Ann": 1}),
        games({"Ann": 1, "Bob": 1}, {"Ann": 1, "Bob": 1}, {"Ann": 1}),
    ],
)
def test_rule_3_4_no_dynasty(played: list[GameStanding]) -> None:
    assert not is_dynasty(played)
    assert dynasties(played) == ()


def test_sums_share_a_rank_and_leave_the_next_out() -> None:
    played = games({"Ann": 50, "Bob": 40, "Cle": 1}, {"Ann": 10, "Bob": 20})
    assert [(one.rank, one.player, one.total, one.shared) for one in sums(played)] == [
        (1, "Ann", 60, True),
        (1, "Bob", 60, True),
        (3, "Cle", 1, False),
    ]


@pytest.mark.parametrize("rule", ["nonsense", "CROWNS", "", None])
def test_rule_4_a_rule_that_is_none_is_refused(rule: str) -> None:
    with pytest.raises(ValueError, match="is no rule for ties; write one of 'crowns', 'territory'"):
        ranking([Result("Ann", 1)], rule)
    with pytest.raises(ValueError, match="is no way to decide over several games; write one of 's"):
        sums(THREE, rule)


RESULTS = st.lists(
    st.builds(
        Result,
        st.text("abc", min_size=1),
        st.integers(0, 3),
        st.one_of(st.none(), st.integers(0, 2)),
        st.one_of(st.none(), st.integers(0, 2)),
    ),
    max_size=6,
)


@given(RESULTS, st.sampled_from(TieRule))
def test_rule_4_open_ranks_are_those_that_some_numbers_give(
    results: list[Result], rule: TieRule
) -> None:
    """What is not known is tried out: the ranks of the entry are the extremes of all trials."""
    results = results[:4]
    tries = [
        [
            replace(one, largest=largest, crowns=crowns)
            for largest in ([one.largest] if one.largest is not None else [-1, 0, 1, 2, 3])
            for crowns in ([one.crowns] if one.crowns is not None else [-1, 0, 1, 2, 3])
        ]
        for one in results
    ]
    found: list[set[int]] = [set() for _ in results]
    for known in islice(product(*tries), 3000):
        keys = [
            (one.total, one.largest, one.crowns if rule is TieRule.CROWNS else 0) for one in known
        ]
        for ranks_of, key in zip(found, keys, strict=True):
            ranks_of.add(1 + sum(other > key for other in keys))
    by_result = {id(entry.result): entry for entry in ranking(results, rule)}
    complete = prod(map(len, tries)) <= 3000
    for one, ranks_of in zip(results, found, strict=True):
        entry = by_result[id(one)]
        assert entry.rank <= min(ranks_of) and max(ranks_of) <= entry.worst
        if complete:
            assert (entry.rank, entry.worst) == (min(ranks_of), max(ranks_of))


@pytest.mark.parametrize(
    ("doubtful", "expected"),
    [
        ({}, [("Bob", 1, 1), ("Ann", 2, 2), ("Cle", 3, 3)]),
        # Ann may have 45, which is more than Bob's total, or 41, which changes nothing.
        ({"Ann": (45,)}, [("Bob", 1, 2), ("Ann", 1, 2), ("Cle", 3, 3)]),
        ({"Ann": (41,)}, [("Bob", 1, 1), ("Ann", 2, 2), ("Cle", 3, 3)]),
        # Her totals reach from 29 to 40: a total that is equal is one, too.
        ({"Ann": (30, 29)}, [("Bob", 1, 1), ("Ann", 2, 3), ("Cle", 2, 3)]),
        # She may have any.
        ({"Ann": ()}, [("Bob", 1, 2), ("Ann", 1, 3), ("Cle", 2, 3)]),
    ],
)
def test_ranks_that_a_doubtful_total_would_change_are_open(
    doubtful: dict[str, tuple[int, ...]], expected: list[tuple[str, int, int]]
) -> None:
    results = [Result("Ann", 40), Result("Bob", 42), Result("Cle", 30)]
    found = ranking(results, doubtful=doubtful)
    assert [(entry.result.player, entry.rank, entry.worst) for entry in found] == expected


@pytest.mark.parametrize(
    ("results", "doubtful", "expected"),
    [
        # Bob is behind Dan, and may pass him; that Bob and Cle are open among each other hides it.
        (
            [Result("Bob", 38, 4), Result("Cle", 38, None, 2), Result("Dan", 38, 5, 2)],
            {"Dan": (37,)},
            [("Dan", 1, 3), ("Cle", 1, 3), ("Bob", 1, 3)],
        ),
        # Of three players nobody is fourth.
        (
            [Result("Ann", 40, 6, 3), Result("Bob", 40, 6, 3), Result("Cle", 40)],
            {"Ann": (39,)},
            [("Ann", 1, 3), ("Bob", 1, 3), ("Cle", 1, 3)],
        ),
    ],
)
def test_a_doubtful_total_among_open_ranks(
    results: list[Result],
    doubtful: dict[str, tuple[int, ...]],
    expected: list[tuple[str, int, int]],
) -> None:
    found = ranking(results, doubtful=doubtful)
    assert [(entry.result.player, entry.rank, entry.worst) for entry in found] == expected
