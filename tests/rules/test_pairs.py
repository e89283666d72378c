"""Which pairs of squares are one domino, against the definition: every cutting tried."""

from random import Random

import pytest

from kdvision.rules.cutting import cut_squares, list_cuttings, square_bits
from kdvision.rules.kingdom import Kingdom
from tests.support.cuttings import PairSets, every_cutting, pair_sets
from tests.support.readings import random_kingdom


def sets_of_cuttings(kingdom: Kingdom) -> PairSets | None:
    """What all cuttings share, and what some have; None where the deck holds none."""
    cut = [frozenset(pairs) for pairs in every_cutting(kingdom.squares())]
    return PairSets(frozenset.intersection(*cut), frozenset.union(*cut)) if cut else None


@pytest.mark.parametrize("seed", range(120))
def test_rule_6_pairs_are_those_of_every_cutting(seed):
    """A quarter of these kingdoms have so many cuttings that pairs are tried one by one."""
    rng = Random(seed)
    kingdom = random_kingdom(rng, 5, castle=rng.choice([(2, 2), (0, 0), (1, 1), (0, 2)]))
    assert pair_sets(kingdom) == sets_of_cuttings(kingdom)


def test_rule_6_any_dominoes_force_nothing():
    """A full 7x7 of a deck that is not this one, with its castle in the centre."""
    rows = [["W"] * 7 for _ in range(7)]
    rows[3][3] = "C"
    sets = pair_sets(Kingdom.parse("/".join(" ".join(row) for row in rows)))
    assert (len(sets.forced), len(sets.possible), sets.of_deck) == (0, 80, False)


@pytest.mark.parametrize(("strips", "count"), [((15,), 987), ((7, 3, 2, 2), 252), ((6, 10), 0)])
def test_at_most_a_thousand_cuttings_are_listed(strips, count):
    """Two rows of n squares have as many cuttings as the n-th number of Fibonacci says."""
    row = " - ".join(" ".join("W" * strip) for strip in strips)
    listed = list_cuttings(square_bits(Kingdom.parse(f"{row}/{row}"), any_face=True))
    assert len(listed or ()) == count


@pytest.mark.parametrize(
    ("line", "ways"),
    [
        # Two doubles of lake can be picked of three in order.
        ("C L L/- L L", [6, 6]),
        ("C W F/- W F", [8]),
        # Any dominoes count once.
        ("C F G2/- F G2", [1, 1]),
    ],
)
def test_cuttings_come_with_their_ways(line, ways):
    squares, _ = cut_squares(Kingdom.parse(line))
    assert list(map(squares.count_ways, list_cuttings(squares) or ())) == ways
    assert list_cuttings(squares, most=len(ways)) is not None
    assert list_cuttings(squares, most=len(ways) - 1) is None
