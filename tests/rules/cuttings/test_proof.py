import pytest
from hypothesis import given, settings

from kdvision.rules.cuttings.proof import deck_cutting, legal_cutting
from kdvision.rules.game.laying import Laid, LaidKingdom
from kdvision.rules.kingdom import Kingdom, Position
from tests.support.played import EXAMPLES, laid_kingdoms


def relay(dominoes: tuple[Laid, ...], kingdom: Kingdom) -> LaidKingdom:
    """Lay dominoes again, one after the other, by the rules."""
    ((row, col),) = kingdom.castles()
    played = LaidKingdom(7)
    for laid in dominoes:
        played = played.lay(laid.shifted(-row, -col))
    return played


@settings(max_examples=60)
@given(laid_kingdoms())
def test_rule_6_a_legal_cutting_can_be_laid_in_its_order(played: LaidKingdom) -> None:
    dominoes = legal_cutting(played.kingdom)
    assert dominoes is not None
    assert relay(dominoes, played.kingdom).kingdom == played.kingdom
    assert len({laid.domino.number for laid in dominoes}) == len(dominoes)


@pytest.mark.parametrize("name", EXAMPLES)
def test_rule_6_the_examples_can_be_laid(name: str) -> None:
    kingdom = Kingdom.parse(EXAMPLES[name]["kingdom"])
    dominoes = legal_cutting(kingdom)
    assert dominoes is not None
    assert relay(dominoes, kingdom).kingdom == kingdom


def test_alike_dominoes_take_the_lower_numbers_first() -> None:
    dominoes = legal_cutting(Kingdom.parse("F1 W C W F1"))
    assert dominoes is not None
    assert sorted(laid.domino.number for laid in dominoes) == [24, 25]
    at: dict[Position, str] = {at: str(one) for laid in dominoes for at, one in laid.squares}
    assert at == {(0, 0): "F1", (0, 1): "W", (0, 3): "W", (0, 4): "F1"}


def test_a_cutting_without_an_order() -> None:
    kingdom = Kingdom.parse("C W F/- - L/- - L")
    assert legal_cutting(kingdom) is None
    dominoes = deck_cutting(kingdom)
    assert dominoes is not None
    assert [laid.domino.number for laid in dominoes] == [13, 7]  # What can be laid comes first.


@pytest.mark.parametrize("line", ["C M3 M3", "C W", "C W W/- - M3"])
def test_no_cutting(line: str) -> None:
    assert legal_cutting(Kingdom.parse(line)) is None
    assert deck_cutting(Kingdom.parse(line)) is None


@pytest.mark.parametrize("line", ["W W", "C W W C"])
def test_without_one_castle_there_is_no_order_but_a_cutting(line: str) -> None:
    assert legal_cutting(Kingdom.parse(line)) is None
    assert len(deck_cutting(Kingdom.parse(line)) or ()) == 1


def test_a_castle_alone_needs_no_domino() -> None:
    assert legal_cutting(Kingdom.parse("C")) == ()
