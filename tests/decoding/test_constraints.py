"""What the box can hold, and why not."""

from random import Random

import pytest

from kdvision.decoding.board import board_of, face_table, kingdom_of
from kdvision.decoding.constraints import Conflict, Constraints
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.terrain import LABELS
from tests.support.boards import can_be_cut, labels_of
from tests.support.readings import random_kingdom


def _price(place: int, mask: int) -> float:
    """The third place of a row of three is the dearest to change."""
    return 1.0 + place % 3


def _conflict(kingdom: Kingdom, side: int = 5, deck: bool = True) -> Conflict | None:
    board = board_of(kingdom.height, kingdom.width)
    constraints = Constraints(board, side, face_table() if deck else None)
    labels = labels_of(kingdom)
    return constraints.conflict(labels, range(len(labels)), _price)


@pytest.mark.parametrize(
    ("line", "concerns"),
    [
        ("W W - -", {0, 1, 2, 3}),
        ("C W W C", {0, 3}),
        ("C W W - - W W", {0, 6}),
        ("C W W/L - -/L - -/- - -/- - -/- - F", {2, 17}),
        ("C W -", {0, 1, 2}),
        ("C M3 W - M3 W", {1, 4}),
        ("- - C/M3 F -/- - -", {0, 3, 4, 6}),
    ],
    ids=[
        "no castle",
        "two castles",
        "too wide",
        "too tall",
        "half a domino",
        "two M3",
        "no partner",
    ],
)
def test_what_is_wrong(line: str, concerns: set[int]) -> None:
    conflict = _conflict(Kingdom.parse(line), side=7 if line.startswith("C M3") else 5)
    assert conflict is not None
    assert {place for place, _ in conflict} == concerns


@pytest.mark.parametrize(
    ("line", "side"),
    [
        ("C", 5),
        ("C W W", 5),
        ("C W W L L F F", 7),
        ("F F C - - - -/- - - - - - -/- - - - - - -", 5),
        ("W W - L L/- - C - -/- - - - -", 5),
    ],
    ids=["alone", "one domino", "seven wide", "in a corner", "not joined"],
)
def test_what_is_possible(line: str, side: int) -> None:
    assert _conflict(Kingdom.parse(line), side) is None


def test_another_deck_may_have_other_dominoes() -> None:
    kingdom = Kingdom.parse("C F G2")
    assert _conflict(kingdom) is not None
    assert _conflict(kingdom, deck=False) is None
    assert _conflict(Kingdom.parse("C F -"), deck=False) is not None


def test_a_conflict_holds_for_all_its_labels() -> None:
    """No kingdom has every place within the set that the conflict names."""
    rng = Random(3)
    board = board_of(5, 5)
    table = face_table()
    found = 0
    for _ in range(200):
        labels = bytearray(labels_of(random_kingdom(rng, 5, gaps=rng.randrange(4))))
        for place in rng.sample(range(25), rng.randrange(1, 4)):
            labels[place] = rng.randrange(len(LABELS))
        conflict = Constraints(board, 5, table).conflict(bytes(labels), range(25), _price)
        if conflict is None:
            assert can_be_cut(kingdom_of(labels, board))
            continue
        found += 1
        inside = dict(conflict)
        assert all(mask >> labels[place] & 1 for place, mask in conflict)
        for _ in range(6):
            other = bytes(
                rng.choice([one for one in range(len(LABELS)) if inside.get(place, -1) >> one & 1])
                if rng.random() < 0.5
                else label
                for place, label in enumerate(labels)
            )
            kingdom = kingdom_of(other, board)
            assert len(kingdom.castles()) != 1 or not can_be_cut(kingdom)
    assert found > 80
