import pickle

import pytest

from kdvision.rules import Deck, GameState, Kingdom, is_legal, problems
from kdvision.rules.dominoes import standard_deck
from kdvision.rules.errors import RulesError
from kdvision.rules.terrain import Square, Terrain

DOMINOES = standard_deck().dominoes


def test_rule_1_1_dominoes_are_numbered_and_round_trip():
    assert [domino.number for domino in DOMINOES] == list(range(1, 49))
    assert Deck.parse(str(standard_deck())) == standard_deck()
    assert str(Deck.parse("999 W W1")) == "999 W W1"


@pytest.mark.parametrize(
    ("crowns", "first", "last"), [(0, 1, 18), (1, 19, 40), (2, 41, 47), (3, 48, 48)]
)
def test_rule_1_2_higher_numbers_have_more_crowns(crowns, first, last):
    for domino in DOMINOES[first - 1 : last]:
        assert sorted((domino.left.crowns, domino.right.crowns)) == [0, crowns]


def test_rule_1_2_doubles_are_the_first_twelve():
    assert [domino.number for domino in DOMINOES if domino.is_double] == list(range(1, 13))


def test_rule_1_3_alike_dominoes():
    numbers = {standard_deck().numbers(domino.left, domino.right) for domino in DOMINOES}
    alike = [(1, 2), (3, 4, 5, 6), (7, 8, 9), (10, 11), (24, 25, 26, 27), (30, 31)]
    more = [(32, 33, 34, 35), (46, 47)]
    assert sorted(group for group in numbers if len(group) > 1) == alike + more
    for domino in DOMINOES:
        assert domino.number in standard_deck().numbers(domino.right, domino.left)
    assert standard_deck().numbers(Square(Terrain.FOREST), Square(Terrain.GRASSLAND, 2)) == ()


def test_rule_1_4_another_deck_judges_and_plays():
    deck = Deck.parse("\n".join(f"{number} F M2" for number in range(24, 0, -1)) + "\n")
    assert [domino.number for domino in deck.dominoes] == list(range(1, 25))
    assert problems(Kingdom.parse("C F M2"), deck=deck) == ()
    assert (is_legal("C F M2"), is_legal("C F M2", deck=deck)) == (None, True)
    state = GameState.start(2, deck=deck)
    assert state.deck == deck == Deck.parse(str(deck))
    assert GameState.parse(str(state)) == state
    assert pickle.loads(pickle.dumps(deck)) == deck


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is no domino; write its number and squares: 19 W1 F"),
        ("1 W", "'1 W' is no domino"),
        ("1 W W, 2 F F F", "'2 F F F' is no domino"),
        ("1 W C", "'1 W C' is no domino"),
        ("1 W X", "'X' is no square"),
        ("x W W", "'x' is no number of a domino"),
        ("1000 W W", "'1000' is no number"),
        ("1 W W, 1 F F", "different numbers, 1 to 999"),
        ("0 W W, 1 F F", "different numbers, 1 to 999"),
    ],
)
def test_bad_decks_are_refused(text, message):
    with pytest.raises(RulesError, match=message):
        Deck.parse(text)
