from itertools import islice, product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import score
from kdvision.rules.series import By, dynasties, is_dynasty, sums
from kdvision.rules.standings import GameStanding, Ranked, Result, TieRule, ranking, result_of
from tests.support.ties import tie_words


def test_rule_4_result_has_largest_territory_and_crowns():
    ann = result_of("Ann", score(Kingdom.parse("C W1 W W W/L L L L L")))
    bob = result_of("Bob", score(Kingdom.parse("C M2 M - -/G G G - -")))
    assert (ann.total, ann.largest, ann.crowns) == (4, 5, 1)
    assert (bob.total, bob.largest, bob.crowns) == (4, 3, 2)


CROWNS = TieRule.CROWNS
TERRITORY = TieRule.TERRITORY


def ranked(
    line: str, rule: TieRule = CROWNS, **others: tuple[int, ...] | None
) -> tuple[Ranked, ...]:
    """Players with total, largest territory and crowns, `?` where nobody counted."""
    results = []
    for words in line.split(", "):
        player, total, *texts = words.split()
        ties = [None if text == "?" else int(text) for text in texts]
        points = None if total == "?" else int(total)
        results.append(Result(player, points, *ties, others=others.get(player, ())))  # type: ignore[arg-type,misc]
    return ranking(results, rule)


@pytest.mark.parametrize(
    ("line", "rule", "ranks"),
    [
        # The largest territory, whatever the rule behind it.
        *(
            ("Bob 4 3 2, Ann 4 5 1", rule, ["1 Ann territory 5", "2 Bob territory 3"])
            for rule in TieRule
        ),
        # Then most crowns, which text 001 does not have; then a shared victory.
        (
            "Ann 40 6 1, Bob 40 6 9, Cle 30",
            CROWNS,
            ["1 Bob territory 6, crowns 9", "2 Ann territory 6, crowns 1", "3 Cle"],
        ),
        (
            "Ann 40 1 7, Bob 40 1 9, Cle 30",
            TERRITORY,
            ["1 Ann territory 1, shared", "1 Bob territory 1, shared", "3 Cle"],
        ),
        (
            "Ann 40 6 7, Bob 40 6 7, Cle 40 5 9",
            CROWNS,
            [*(f"1 {name} territory 6, crowns 7, shared" for name in ("Ann", "Bob")),
             "3 Cle territory 5"],
        ),
        # A tie that the numbers cannot break is open.
        (
            "Ann 40 6 7, Bob 40, Cle 30",
            CROWNS,
            ["1 Ann territory 6, another-unknown", "1 Bob territory ?, unknown", "3 Cle"],
        ),
        (
            "Ann 40 6 7, Bob 40, Cle 40 6 9",
            CROWNS,
            ["1 Cle territory 6, another-unknown", "1 Bob territory ?, unknown",
             "2 Ann territory 6, another-unknown"],
        ),
        (
            "Ann 40 6 7, Bob 40 6 ?",
            CROWNS,
            ["1 Ann territory 6, crowns 7, another-unknown",
             "1 Bob territory 6, crowns ?, unknown"],
        ),
    ],
)  # fmt: skip
def test_rule_4_ranks_and_what_broke_a_tie(line, rule, ranks):
    entries = ranked(line, rule)
    listed = [
        f"{entry.rank} {entry.result.player} {tie_words(entry.tie)}".strip() for entry in entries
    ]
    assert [words.replace("largest", "territory") for words in listed] == ranks
    for entry, words in zip(entries, ranks, strict=True):
        assert entry.shared == ("shared" in words)


@pytest.mark.parametrize(
    ("line", "winners", "contenders"),
    [
        ("Ann 40 6 7, Bob 40", (), ("Ann", "Bob")),
        ("Ann 41 6 7, Bob 40", ("Ann",), ("Ann",)),
        ("Ann 40 6 7, Bob 40 6 7, Cle 3", ("Ann", "Bob"), ("Ann", "Bob")),
    ],
)
def test_rule_4_nobody_has_won_an_open_game(line, winners, contenders):
    game = GameStanding("1", ranked(line))
    assert (game.winners, game.contenders) == (winners, contenders)


def games(*lines: str) -> list[GameStanding]:
    return [GameStanding("", ranked(line)) for line in lines]


THREE = games("Ann 50, Bob 40", "Ann 20, Bob 60", "Bob 10, Ann 61")


def test_rule_3_4_dynasty_is_sum_or_best():
    assert is_dynasty(THREE)
    (dynasty,) = dynasties(THREE)
    assert [(entry.rank, entry.player, entry.total, entry.totals) for entry in dynasty] == [
        (1, "Ann", 131, (50, 20, 61)),
        (2, "Bob", 110, (40, 60, 10)),
    ]
    for by in (By.BEST, "best"):
        (dynasty,) = dynasties(games("Ann 50, Bob 40", "Ann 55, Bob 60", "Bob 10, Ann 59"), by)
        best = [(entry.rank, entry.player, entry.points) for entry in dynasty]
        assert best == [(1, "Bob", 60), (2, "Ann", 59)]


@pytest.mark.parametrize(
    "lines", [[], ["Ann 1"] * 2, ["Ann 1"] * 4, ["Ann 1, Bob 1"] * 2 + ["Ann 1"]]
)
def test_rule_3_4_no_dynasty(lines):
    assert not is_dynasty(games(*lines))
    assert dynasties(games(*lines)) == ()


@pytest.mark.parametrize("rule", ["nonsense", "CROWNS", "", None])
def test_rule_4_unknown_tie_rule_is_refused(rule):
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
    max_size=4,
)
MOST_TRIALS = 3000


def possible(number: int | None) -> list[int]:
    """What a number may be: where nobody counted, more and less than any other player has."""
    return list(range(-1, 4)) if number is None else [number]


@given(RESULTS, st.sampled_from(TieRule))
def test_rule_4_open_ranks_cover_all_numbers(results, rule):
    """What is not known is tried out: the ranks of the entry are the extremes of all trials."""
    trials = []
    for result in results:
        crowns = [0]
        if rule is TieRule.CROWNS:
            crowns = possible(result.crowns)
        trials.append(list(product([result.total], possible(result.largest), crowns)))
    ranks: list[set[int]] = [set() for _ in results]
    for keys in islice(product(*trials), MOST_TRIALS):
        for seen, key in zip(ranks, keys, strict=True):
            seen.add(1 + sum(rival > key for rival in keys))
    by_result = {id(entry.result): entry for entry in ranking(results, rule)}
    for result, seen in zip(results, ranks, strict=True):
        entry = by_result[id(result)]
        assert entry.rank <= min(seen) and max(seen) <= entry.worst
        if prod(map(len, trials)) <= MOST_TRIALS:
            assert (entry.rank, entry.worst) == (min(seen), max(seen))


THREE_APART = "Ann 40, Bob 42, Cle 30"


@pytest.mark.parametrize(
    ("line", "others", "expected"),
    [
        (THREE_APART, {}, "Bob 1-1, Ann 2-2, Cle 3-3"),
        # Ann may have 45, which is more than Bob's total, or 41, which changes nothing.
        (THREE_APART, {"Ann": (45,)}, "Bob 1-2, Ann 1-2, Cle 3-3"),
        (THREE_APART, {"Ann": (41,)}, "Bob 1-1, Ann 2-2, Cle 3-3"),
        (THREE_APART, {"Ann": (42,)}, "Bob 1-2, Ann 1-2, Cle 3-3"),
        # Her totals reach from 29 to 40: a total that is equal is one, too.
        (THREE_APART, {"Ann": (30, 29)}, "Bob 1-1, Ann 2-3, Cle 2-3"),
        # She may have any.
        (THREE_APART, {"Ann": None}, "Bob 1-2, Ann 1-3, Cle 2-3"),
        # Two players of 42, one perhaps 40: the other leads.
        ("Ann 42 6 7, Bob 42 6 7", {"Bob": (40,)}, "Ann 1-1, Bob 1-2"),
        ("Ann 42 6 7, Bob 42 5 7", {"Bob": (40,)}, "Ann 1-1, Bob 2-2"),
        # Nobody knows who has the larger territory of equal totals.
        ("Ann 42, Bob 42", {"Bob": (40,)}, "Ann 1-2, Bob 1-2"),
        # Bob is behind Dan, and may pass him; that Bob and Cle are open among each other hides it.
        ("Bob 38 4, Cle 38 ? 2, Dan 38 5 2", {"Dan": (37,)}, "Bob 1-3, Cle 1-3, Dan 1-3"),
        # Ann is never before Bob, so he is second at worst.
        ("Ann 40 6 3, Bob 40 6 3, Cle 40", {"Ann": (39,)}, "Bob 1-2, Ann 1-3, Cle 1-3"),
        # Who has no total may win, and is listed last.
        ("Ann ?, Bob 45, Cle 40", {}, "Bob 1-2, Cle 2-3, Ann 1-3"),
    ],
)
def test_doubtful_totals_open_ranks(line, others, expected):
    entries = ranked(line, **others)
    listed = [f"{entry.result.player} {entry.rank}-{entry.worst}" for entry in entries]
    assert ", ".join(listed) == expected
    assert all(entry.is_open == (entry.rank < entry.worst) for entry in entries)


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.lists(st.integers(0, 4), max_size=2)),
        min_size=1,
        max_size=4,
    )
)
def test_ranks_cover_all_possible_totals(players):
    """All combinations are tried out; of another total nobody knows the largest territory."""
    results, trials = [], []
    for number, (total, others) in enumerate(players):
        results.append(Result(str(number), total, 1, 1, tuple({*others} - {total})))
        keys_of_player = [(total, 1)]
        keys_of_player += product({*others} - {total}, range(3))
        trials.append(keys_of_player)
    ranks: list[set[int]] = [set() for _ in results]
    is_shared = [True for _ in results]
    for keys in product(*trials):
        for index, key in enumerate(keys):
            ranks[index].add(1 + sum(rival > key for rival in keys))
            is_shared[index] &= keys.count(key) > 1
    for entry in ranking(results, TERRITORY):
        index = int(entry.result.player)
        assert (entry.rank, entry.worst) == (min(ranks[index]), max(ranks[index]))
        assert entry.shared is (is_shared[index] and not entry.is_open)
