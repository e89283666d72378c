"""A kingdom that grows: how an earlier one lies in a later one, and what was laid between."""

import pytest

from kdvision.rules.game.record import alignments, laid_between
from kdvision.rules.kingdom import Kingdom, position_names
from tests.support.played import games

SMALL, LARGE = "W G1 C L1 F", "- - - L1 F/W G1 C L1 F"


def between(earlier: str, later: str) -> tuple[list[str], list[str]]:
    """The pairs that were laid, with the share of the ways, and those that fit nothing."""
    small, large = Kingdom.parse(earlier), Kingdom.parse(later)
    laid = laid_between(small, large, alignments(small, large)[0])
    pairs = [f"{position_names(pair)} {share:.2f}" for pair, share in laid.pairs]
    return pairs, [position_names(pair) for pair in laid.broken]


@pytest.mark.parametrize(
    ("earlier", "later", "pairs", "broken"),
    [
        (SMALL, LARGE, ["d1, e1 1.00"], []),
        # Alone it could be cut in two ways; what lay before leaves one.
        ("C L L", "C L L/- L L", ["b2, c2 1.00"], []),
        ("C W F", "C W F W1 L", ["d1, e1 1.00"], ["d1, e1"]),
        # Forest joins forest; wheat beside lake joins nothing.
        ("C W F", "C W F F L1 W1 L", ["d1, e1 1.00", "f1, g1 1.00"], ["f1, g1"]),
        ("C W F", "C W F", [], []),
        # One square more is no domino.
        ("C W F", "C W F F", [], []),
        ("C", "C L L/- L L", ["b1, c1 0.50", "b1, b2 0.50", "c1, c2 0.50", "b2, c2 0.50"], []),
    ],
)
def test_rule_5_what_was_laid(
    earlier: str, later: str, pairs: list[str], broken: list[str]
) -> None:
    assert between(earlier, later) == (pairs, broken)


@pytest.mark.parametrize("quarters", range(4))
def test_a_kingdom_lies_in_the_next_however_the_table_was_looked_at(quarters: int) -> None:
    small, large = Kingdom.parse(SMALL), Kingdom.parse(LARGE)
    (found,) = alignments(small.turned(quarters), large)
    assert (found.quarters, found.clashes) == ((4 - quarters) % 4, ())
    for at, square in small.turned(quarters).squares().items():
        assert large[found.places[at]] == square


@pytest.mark.parametrize(
    ("earlier", "later", "clashes"),
    [
        ("C W F", "C W F W1 L", ""),
        ("C W L", "C W F W1 L", "c1"),
        ("C W F W1 L", "C W F", "d1, e1"),
        # As good in three turns as in one: nothing of it is there.
        ("C M3 W", "C F L", "b1, c1"),
    ],
)
def test_what_is_not_in_the_later_one_is_named(earlier: str, later: str, clashes: str) -> None:
    found = alignments(Kingdom.parse(earlier), Kingdom.parse(later))[0]
    assert position_names(found.clashes) == clashes


@pytest.mark.parametrize("line", ["W F", "C W F C"])
def test_without_one_castle_nothing_can_be_aligned(line: str) -> None:
    assert alignments(Kingdom.parse(line), Kingdom.parse("C W F")) == ()
    assert alignments(Kingdom.parse("C W F"), Kingdom.parse(line)) == ()


def test_played_games_come_out_as_they_were_laid() -> None:
    """Every second domino is seen: the pairs that are certain are those that were laid."""
    certain = laid_in_all = 0
    for game in games():
        for realm in game.kingdoms:
            for before in range(0, len(realm.laid) - 2, 2):
                earlier, later = realm.after(before), realm.after(before + 2)
                ways = [
                    one for one in alignments(earlier.kingdom, later.kingdom) if not one.quarters
                ]
                laid = laid_between(earlier.kingdom, later.kingdom, ways[0])
                true = {
                    tuple(sorted((one.left_at, one.right_at)))
                    for one in later.placed
                    if {one.left_at, one.right_at} <= set(laid.new)
                }
                sure = {pair for pair, share in laid.pairs if share == 1}
                assert sure <= true <= {pair for pair, _ in laid.pairs}
                assert not laid.broken
                certain += len(sure)
                laid_in_all += len(true)
    assert certain > 0.9 * laid_in_all
