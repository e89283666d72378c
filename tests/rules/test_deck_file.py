"""A deck of one's own, as docs/add_an_edition.md shows it."""

from pathlib import Path

import pytest

from kdvision.rules import Deck, GameState, Kingdom, is_legal, problems
from kdvision.rules.dominoes import deck, standard_deck
from kdvision.rules.kingdom import NotationError

COLUMNS = "number,terrain_1,crowns_1,terrain_2,crowns_2\n"


def test_rule_1_4_a_deck_is_read_from_a_file_and_judged_and_played_by(tmp_path: Path) -> None:
    file = tmp_path / "dominoes.csv"
    rows = [f"{number},forest,0,mine,2\n" for number in range(24)]
    file.write_text(COLUMNS + "".join(rows).replace("0,", "24,", 1), "utf-8")
    own = Deck.read(file)
    assert len(own.dominoes) == 24 and own != standard_deck()
    assert problems(Kingdom.parse("C F M2"), deck=own) == ()
    assert (is_legal("C F M2"), is_legal("C F M2", deck=own)) == (None, True)
    state = GameState.start(2, dominoes=own.dominoes)
    assert state.deck == own == Deck.parse(str(own))
    assert GameState.parse(str(state)) == state


def test_the_box_is_such_a_file() -> None:
    assert Deck(deck()) == standard_deck()
    assert Deck.parse(str(standard_deck())) == standard_deck()


@pytest.mark.parametrize("text", ["", "1 W", "1 W W, 1 F F", "0 W W", "1000 W W", "x W W", "1 W C"])
def test_what_is_no_deck_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Deck.parse(text)
