"""Which kingdoms one box can hold together, and the places of those that it cannot."""

from random import Random

import pytest

from kdvision.decoding.board import deck_faces, make_board, make_kingdom
from kdvision.decoding.constraints import Conflict, Constraints
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.terrain import LABELS
from tests.support.boards import can_be_cut, labels_of
from tests.support.readings import random_kingdom


def price(place: int, mask: int) -> float:
    """The third place of a row of three is the dearest to change."""
    return 1.0 + place % 3


def conflict_of(*lines: str, side: int = 5, deck: bool = True) -> Conflict | None:
    kingdoms = [Kingdom.parse(line) for line in lines]
    boards = [make_board(kingdom.height, kingdom.width) for kingdom in kingdoms]
    labels = b"".join(map(labels_of, kingdoms))
    constraints = Constraints(boards, side, deck_faces() if deck else None)
    return constraints.find_conflict(labels, range(len(labels)), price)


@pytest.mark.parametrize(
    ("lines", "side", "concerns"),
    [
        # Exactly one castle.
        (["W W - -"], 5, {0, 1, 2, 3}),
        (["C W W C"], 5, {0, 3}),
        # No two squares farther apart than the box is wide, or high.
        (["C W W - - W W"], 5, {0, 6}),
        (["C W W/L - -/L - -/- - -/- - -/- - F"], 5, {2, 17}),
        # Half a domino.
        (["C W -"], 5, {0, 1, 2}),
        # One mine with three crowns, which lies beside wheat.
        (["C M3 W - M3 W"], 7, {1, 4}),
        (["- - C/M3 F -/- - -"], 5, {0, 3, 4, 6}),
        # Each kingdom has a castle and a size of its own; dominoes lie in one; the deck is shared.
        (["C F F", "F F F"], 5, {3, 4, 5}),
        (["F F F", "C W C"], 5, {0, 1, 2}),
        (["C F F", "C W W C"], 5, {3, 6}),
        (["C F F", "C F F F F W W"], 5, {3, 9}),
        (["F C", "C F"], 5, {0, 1}),
        (["C W M3", "C W M3"], 5, {2, 5}),
    ],
)
def test_conflict_names_its_places(lines: list[str], side: int, concerns: set[int]) -> None:
    conflict = conflict_of(*lines, side=side)
    assert conflict is not None
    assert {place for place, _ in conflict} == concerns


@pytest.mark.parametrize(
    ("lines", "side"),
    [
        (["C"], 5),
        (["C W W"], 5),
        (["C W W L L F F"], 7),
        (["F F C - - - -/- - - - - - -/- - - - - - -"], 5),
        # Dominoes need not be joined.
        (["W W - L L/- - C - -/- - - - -"], 5),
        (["C F F", "C W W"], 5),
        (["C W W W W", "C L/- L/F F"], 5),
    ],
)
def test_possible_kingdoms_have_no_conflict(lines: list[str], side: int) -> None:
    assert conflict_of(*lines, side=side) is None


def test_another_deck_may_have_other_dominoes() -> None:
    assert conflict_of("C F G2") is not None
    assert conflict_of("C F G2", deck=False) is None
    assert conflict_of("C F -", deck=False) is not None


def test_conflict_holds_for_all_labels() -> None:
    """No kingdom has every place within the set that the conflict names."""
    rng = Random(3)
    board, conflicts = make_board(5, 5), 0
    for _ in range(200):
        labels = bytearray(labels_of(random_kingdom(rng, 5, gaps=rng.randrange(4))))
        for place in rng.sample(range(25), rng.randrange(1, 4)):
            labels[place] = rng.randrange(len(LABELS))
        find = Constraints([board], 5, deck_faces()).find_conflict
        conflict = find(bytes(labels), range(25), price)
        if conflict is None:
            assert can_be_cut(make_kingdom(labels, board))
            continue
        conflicts += 1
        inside = dict(conflict)
        assert all(mask >> labels[place] & 1 for place, mask in conflict)
        for _ in range(6):
            changed = bytearray(labels)
            for place in rng.sample(range(25), 12):
                allowed = inside.get(place, -1)
                changed[place] = rng.choice([n for n in range(len(LABELS)) if allowed >> n & 1])
            kingdom = make_kingdom(changed, board)
            assert len(kingdom.castles()) != 1 or not can_be_cut(kingdom)
    assert conflicts > 80
