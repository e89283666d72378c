"""The search against the definition: every cutting tried, every domino laid by hand."""

from itertools import chain
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kdvision.decoding.cutting_posterior import cutting_posterior
from kdvision.rules.cutting import UndecidedError, can_be_cut, cuttings, square_bits
from kdvision.rules.dominoes import Deck
from kdvision.rules.kingdom import CASTLE, Kingdom, Pair
from kdvision.rules.legality import Code, Severity, problems
from kdvision.rules.terrain import Square, Terrain
from kdvision.sentences import text_of
from tests.support.cuttings import every_cutting, lays
from tests.support.played import any_kingdoms, change_cell, laid_kingdoms
from tests.support.readings import random_kingdom


def pairs(kingdom: Kingdom, demand: int = 0) -> set[frozenset[Pair]]:
    """The cuttings that the search finds, as positions."""
    squares = square_bits(kingdom)
    return {
        frozenset(map(squares.ends.__getitem__, cutting)) for cutting in cuttings(squares, demand)
    }


@pytest.mark.parametrize("seed", range(150))
def test_rule_6_search_agrees_with_definition(seed):
    rng = Random(seed)
    kingdom = random_kingdom(rng, 5, castle=rng.choice([(2, 2), (0, 0), (1, 1), (0, 2)]))
    squares = square_bits(kingdom)
    expected = list(every_cutting(kingdom.squares()))
    assert expected
    assert pairs(kingdom) == {frozenset(cutting) for cutting in expected}
    whole = kingdom.squares().keys()
    legal = {frozenset(cutting) for cutting in expected if lays(cutting, kingdom) == whole}
    assert pairs(kingdom, squares.whole) == legal
    for cutting in cuttings(squares):
        named = tuple(squares.ends[pair] for pair in cutting)
        dominoes = chain.from_iterable(squares.find_apart(cutting))
        apart = set(chain.from_iterable(dominoes))
        assert lays(named, kingdom) == whole - apart


@given(any_kingdoms(4))
def test_rule_6_any_squares_are_cut_by_definition(kingdom):
    expected = {frozenset(cutting) for cutting in every_cutting(kingdom.squares())}
    assert pairs(kingdom) == expected


@pytest.mark.parametrize(
    ("castle", "expected"), [((2, 2), 196), ((0, 0), 192), ((3, 1), 112), ((2, 3), 0)]
)
def test_rule_6_cuttings_of_a_full_kingdom(castle, expected):
    wheat = Square(Terrain.WHEAT)
    kingdom = change_cell(Kingdom(((wheat,) * 5,) * 5), castle, CASTLE)
    assert len(list(cuttings(square_bits(kingdom, any_face=True)))) == expected


@settings(max_examples=40)
@given(laid_kingdoms(), st.randoms(use_true_random=False))
def test_rule_6_laid_dominoes_are_a_legal_cutting(played, rng):
    kingdom = played.kingdom
    squares = square_bits(kingdom)
    dominoes = frozenset(
        (min(laid.left_at, laid.right_at), max(laid.left_at, laid.right_at))
        for laid in played.placed
    )
    assert any(
        dominoes == frozenset(map(squares.ends.get, cutting)) for cutting in cuttings(squares)
    )
    legal = pairs(kingdom, squares.whole)
    assert dominoes in legal
    assert legal <= pairs(kingdom)


def test_demand_for_one_territory():
    kingdom = Kingdom.parse("C F F/W G L/L G W1")
    squares = square_bits(kingdom)
    grassland = next(
        index for index, cells in enumerate(squares.cells) if cells == ((1, 1), (2, 1))
    )
    reaching = [
        set(map(squares.ends.get, cutting)) for cutting in cuttings(squares, 1 | 1 << grassland)
    ]
    assert len(list(cuttings(squares))) == 2
    assert reaching == list(map(set, pairs(kingdom, squares.whole)))
    assert len(reaching) == 1


def test_squares_can_be_left_out():
    kingdom = Kingdom.parse("C W W W")
    squares = square_bits(kingdom)
    assert not list(cuttings(squares))
    left_out = squares.squares_of([(0, 3)])
    ((pair,),) = cuttings(squares, without=left_out)
    assert squares.ends[pair] == ((0, 1), (0, 2))


#: 48 fields of wheat, and a deck in which one domino of two of them is missing.
WHEAT = "/".join([" ".join(["W"] * 12 + ["-"])] * 3 + [" ".join(["W"] * 12 + ["C"])])
SHORT_DECK = Deck.parse(", ".join(f"{number} W W" for number in range(1, 24)) + ", 24 W F, 25 W F")


def test_too_many_cuttings_give_a_warning():
    kingdom = Kingdom.parse(WHEAT)
    with pytest.raises(UndecidedError):
        can_be_cut(square_bits(kingdom, deck=SHORT_DECK))
    *_, last = problems(kingdom, 7, deck=SHORT_DECK)
    assert (last.code, last.severity) == (Code.NOT_CHECKED, Severity.WARNING)
    assert "in too many ways" in text_of(last)
    assert not cutting_posterior(kingdom, deck=SHORT_DECK).dominoes
