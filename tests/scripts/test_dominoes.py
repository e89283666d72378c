"""The kingdoms that dominoes are measured on: one domino laid against the rule, or none."""

from itertools import islice

import pytest

from kdvision.decoding.cutting_posterior import cutting_posterior
from kdvision.reading import ReadDomino
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.legality import BREAKS, is_legal
from scripts.measuring.dominoes.measure import Reported, turned_back
from scripts.measuring.dominoes.planted import broken_kingdoms, last_pair, played_kingdoms

PAIR, OTHER = ((0, 1), (0, 2)), ((0, 3), (0, 4))


def test_played_kingdoms_keep_the_rule() -> None:
    assert all(is_legal(one.kingdom, 5) for one in islice(played_kingdoms(1), 40))


def test_the_planted_domino_touches_others_and_none_that_fits() -> None:
    for laid in islice(broken_kingdoms(1), 40):
        kingdom = laid.kingdom
        assert max(kingdom.height, kingdom.width) <= 5
        assert is_legal(laid.after(len(laid.laid) - 1).kingdom, 5)
        found = cutting_posterior(kingdom)
        pair = last_pair(laid)
        if found.breaks.probability == 1 and len(found.breaks.dominoes) == 1:
            assert found.breaks.dominoes[0][0] == pair
        assert pair in {one.cells for one in found.dominoes}


def test_most_planted_dominoes_are_named_by_the_deck_alone() -> None:
    told = [
        Reported(last_pair(one), cutting_posterior(one.kingdom).dominoes, is_legal(one.kingdom, 5))
        for one in islice(broken_kingdoms(2), 100)
    ]
    named = sum(one.verdict in ("named", "among those named") for one in told)
    assert named >= 90
    assert not any(one.verdict == "another named" for one in told)


@pytest.mark.parametrize(
    ("pair", "broken", "legal", "verdict"),
    [
        (PAIR, {PAIR: BREAKS.known_from}, False, "named"),
        (PAIR, {PAIR: BREAKS.known_from - 0.01}, False, "among those named"),
        (PAIR, {PAIR: BREAKS.named_from}, False, "among those named"),
        (PAIR, {PAIR: BREAKS.named_from - 0.01, OTHER: 1.0}, False, "another named"),
        (PAIR, {PAIR: 0.05}, None, "open"),
        (PAIR, {}, True, "taken as legal"),
        (None, {}, True, "legal"),
        (None, {}, None, "open"),
        (None, {OTHER: 1.0}, False, "false alarm"),
    ],
)
def test_what_counts_as_named(
    pair: object, broken: dict[object, float], legal: bool | None, verdict: str
) -> None:
    dominoes = tuple(ReadDomino(cells, (), 1.0, chance) for cells, chance in broken.items())
    assert Reported(pair, dominoes, legal).verdict == verdict


@pytest.mark.parametrize("quarters", range(4))
def test_dominoes_turn_with_their_kingdom(quarters: int) -> None:
    upright = Kingdom.parse("W G1 C L1 F/- - - W1 M")
    seen = upright.turned((4 - quarters) % 4)
    assert seen.turned(quarters) == upright
    found = turned_back(cutting_posterior(seen).dominoes, seen, quarters)
    expected = {one.cells for one in cutting_posterior(upright).dominoes}
    assert {one.cells for one in found} == expected
