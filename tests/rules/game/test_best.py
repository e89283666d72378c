from collections import Counter
from collections.abc import Iterator

import pytest

from kdvision.rules.dominoes import Face, deck, face, standard_deck
from kdvision.rules.game import players
from kdvision.rules.game.players import Greedy, best_end, play_game
from kdvision.rules.game.record import LaidKingdom
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.legality import is_legal
from kdvision.rules.scoring import score
from tests.support.cuttings import every_cutting, legal_moves

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
        for move in legal_moves(played.cells, deck()[number - 1], played.size):
            after = LaidKingdom(played.size, (*played.laid, move))
            yield score(after.kingdom, played.size).total


def used_faces(kingdom: Kingdom) -> Iterator[Counter[Face]]:
    """The faces that each way of cutting a kingdom uses."""
    terrain = kingdom.squares()
    for cutting in every_cutting(terrain):
        yield Counter(face(terrain[at], terrain[other]) for at, other in cutting)


@pytest.mark.parametrize("seed", range(4))
def test_the_last_domino_is_exact(seed: int) -> None:
    for played in play_game([Greedy()] * 2, seed).kingdoms:
        if len(played.laid) < 12:
            continue
        before = played.after(11)
        # Whatever way it is cut, and of alike dominoes it does not matter which one is left.
        left = {
            domino.number
            for used in used_faces(before.kingdom)
            for domino in deck()
            if used[domino.face] < standard_deck().face_counts[domino.face]
        }
        found = best_end(before.kingdom)
        assert found.exact
        assert found.total == max(plain_best(before, sorted(left)))


def test_what_is_found_can_be_laid_and_holds_what_lay() -> None:
    kingdom = Kingdom.parse("C W1 G G G/W W G2 - -/S L1 L F -/S L L L1 -/M2 - - - -")
    found = best_end(kingdom, width=10)
    assert not found.exact
    assert found.total == score(found.kingdom, 5).total > score(kingdom).total
    assert found.dominoes == 4
    assert is_legal(found.kingdom, 5)
    assert all(found.kingdom[at] == square for at, square in kingdom.squares().items())


def test_every_way_of_cutting_counts() -> None:
    """Of two ways to cut it, one leaves the domino that reaches 44 in the box."""
    kingdom = Kingdom.parse("F L1 W M3 S/W L1 W1 M M2/W W C W W/W1 W L1 L G2/F S2 W - -")
    assert len(set(map(str, used_faces(kingdom)))) > 1
    found = best_end(kingdom, harmony=True)
    assert (found.total, found.exact) == (44, True)


def test_with_more_cuttings_than_are_listed_nothing_is_exact(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(players, "MOST_LISTED", 1)
    kingdom = Kingdom.parse("F L1 W M3 S/W L1 W1 M M2/W W C W W/W1 W L1 L G2/F S2 W - -")
    assert not best_end(kingdom).exact


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
