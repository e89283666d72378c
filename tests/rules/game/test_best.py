from collections import Counter
from collections.abc import Iterator

import pytest

from kdvision.rules.cuttings.proof import deck_cutting
from kdvision.rules.dominoes import deck, face_counts
from kdvision.rules.game.best import best_end
from kdvision.rules.game.laying import LaidKingdom
from kdvision.rules.game.play import play_game
from kdvision.rules.game.players import Greedy
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.legality import is_legal
from kdvision.rules.scoring import score

FULL = "M2 M2 S S2 S/W M2 S W W1/W1 M C W1 G/W M3 M1 W1 F/W W W W1 L"


def test_a_full_kingdom_stays_as_it_is() -> None:
    found = best_end(Kingdom.parse(FULL))
    assert (found.total, found.dominoes, found.exact) == (123, 0, True)
    both = best_end(Kingdom.parse(FULL), harmony=True, middle_kingdom=True)
    assert (both.total, both.exact) == (138, True)


def plain_best(played: LaidKingdom, numbers: list[int]) -> Iterator[int]:
    """The totals of every way to lay one domino more, by the plain rules."""
    yield score(played.kingdom, played.size).total
    for number in numbers:
        for move in played.moves(deck()[number - 1]):
            yield score(played.lay(move).kingdom, played.size).total


@pytest.mark.parametrize("seed", range(4))
def test_the_last_domino_is_exact(seed: int) -> None:
    for played in play_game([Greedy()] * 2, seed).kingdoms:
        if len(played.laid) < 12:
            continue
        before = played.after(11)
        laid = deck_cutting(before.kingdom)
        assert laid is not None
        # Of alike dominoes it does not matter which one is left.
        used = Counter(one.domino.face for one in laid)
        left = [one.number for one in deck() if used[one.face] < face_counts()[one.face]]
        found = best_end(before.kingdom)
        assert found.exact
        assert found.total == max(plain_best(before, left))


def test_what_is_found_can_be_laid_and_holds_what_lay() -> None:
    kingdom = Kingdom.parse("C W1 G G G/W W G2 - -/S L1 L F -/S L L L1 -/M2 - - - -")
    found = best_end(kingdom, width=10)
    assert not found.exact
    assert found.total == score(found.kingdom, 5).total > score(kingdom).total
    assert found.dominoes == 4
    assert is_legal(found.kingdom, 5)
    assert all(found.kingdom[at] == square for at, square in kingdom.squares().items())


@pytest.mark.parametrize(
    ("line", "size", "message"),
    [
        ("C F M2", None, "cannot be cut into dominoes of the deck"),
        ("W W", None, "one castle"),
        ("C W W W W F F", 5, "at most 5x5"),
        ("C W W", 6, "5 or 7, not 6"),
    ],
)
def test_what_cannot_be_laid_further(line: str, size: int | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        best_end(Kingdom.parse(line), size)
