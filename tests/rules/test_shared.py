"""Dominoes that lie in several kingdoms of one table."""

import pytest

from kdvision.rules.cover import shared_dominoes
from kdvision.rules.kingdom import Kingdom, position_names
from tests.support.played import games


def found(lines: list[str], boxes: int = 1) -> list[tuple[tuple[int, ...], list[str]]]:
    return [
        (one.numbers, [f"{index} {position_names(pair)}" for index, pair in one.places])
        for one in shared_dominoes([Kingdom.parse(line) for line in lines], boxes)
    ]


@pytest.mark.parametrize(
    ("lines", "boxes", "expected"),
    [
        (["C W M3", "C W F"], 1, []),
        (["C W M3", "M3 W C"], 1, [((48,), ["0 b1, c1", "1 a1, b1"])]),
        (["C W M3", "M3 W C"], 2, []),
        # Two of them are in the box.
        (["C S M2", "C S M2"], 1, []),
        (["C S M2", "C S M2", "C S M2"], 1, [((46, 47), ["0 b1, c1", "1 b1, c1", "2 b1, c1"])]),
        # Each of these four lakes may lie across or upright: what is open does not count.
        (["C L L/- L L", "C L L/- L L"], 1, []),
        (["C F G2", "C F G2"], 1, []),
    ],
)
def test_rule_1_a_domino_lies_in_one_kingdom(
    lines: list[str], boxes: int, expected: list[tuple[tuple[int, ...], list[str]]]
) -> None:
    assert found(lines, boxes) == expected


def test_played_games_share_no_domino() -> None:
    for game in games():
        assert shared_dominoes([one.kingdom for one in game.kingdoms]) == ()
