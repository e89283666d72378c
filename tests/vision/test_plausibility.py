"""What can be a kingdom, and what is a pattern."""

import numpy as np
import pytest
from msgspec.structs import replace

from kdvision.reading import Doubt, DoubtCode
from kdvision.vision.selection import is_made_out, may_be_kingdom, same_size
from tests.support.grids import grid_of
from tests.support.played import games
from tests.support.readings import reading_of


@pytest.mark.parametrize(
    ("line", "unclear", "may"),
    [
        ("C W W", {}, True),  # the first turn, seen clearly
        ("C W W", {"b1": {"W": 0.9}}, True),
        ("C W W", {"b1": {"W": 0.88}}, False),
        ("C W W", {"a1": {"C": 0.6}}, True),
        ("C W W", {"a1": {"C": 0.54}}, False),
        ("C W -", {}, False),  # half a domino
        ("C W W/F - -", {"a1": {"C": 0.54}}, False),
        ("C W W/F F -", {"a1": {"C": 0.4}, "b1": {"W": 0.5}}, True),  # two dominoes
        # Three castles can be one that stands before others' squares, four cannot.
        ("C C C W W/F F - - -", {}, True),
        ("C C C C W W/F F - - - -", {}, False),
    ],
)
def test_kingdom_has_a_castle_and_dominoes(
    line: str, unclear: dict[str, dict[str, float]], may: bool
) -> None:
    assert may_be_kingdom(reading_of(line, unclear)) is may


@pytest.mark.parametrize(("hidden", "may"), [(0.004, False), (0.5, True)])
def test_first_turn_is_a_kingdom(hidden: float, may: bool) -> None:
    reading = reading_of("C W W", {"b1": {"W": 0.6, "F": 0.3}})
    reading = reading.with_place((0, 1), replace(reading[0, 1], hidden=hidden))
    assert may_be_kingdom(reading) is may
    # Of a place behind the castle something shows.
    behind = reading.with_doubts(Doubt(DoubtCode.HIDDEN, 1.0, ((0, 1),)))
    assert may_be_kingdom(behind)


def test_played_kingdoms_are_plausible() -> None:
    kingdoms = [played for game in games() for played in game.kingdoms if played.laid]
    assert len(kingdoms) > 20
    for played in kingdoms:
        assert may_be_kingdom(reading_of(str(played.kingdom)))


SMALL = ("- - - - - -", "- W W F C -", "- - - F L -", "- - - - - -")
LARGE = ("- - - - - -", "- W W F F -", "- W C F L -", "- W W F L -", "- - - - - -")
FIRST = ("- - - - -", "- C W W -", "- - - - -")


@pytest.mark.parametrize(
    ("rows", "unclear", "seen", "shown"),
    [
        (SMALL, "", {}, True),
        (SMALL, "b2 c2 d2", {"W": 0.8}, True),  # castle and two squares of six are made out
        (SMALL, "b2 c2 d2 e2", {"W": 0.8}, False),
        (LARGE, "a2 a3 b1 c1 d1 e1 f2", {"-": 0.8}, True),  # 19 of 26 places are made out
        (LARGE, "a2 a3 b1 c1 d1 e1 f2 f3", {"-": 0.8}, False),
        (FIRST, "c2 d2", {"W": 0.9}, True),
        (FIRST, "c2 d2", {"W": 0.89}, False),
    ],
)
def test_least_share_of_clear_places(
    rows: tuple[str, ...], unclear: str, seen: dict[str, float], shown: bool
) -> None:
    """Of things that are no kingdom fewer are; further off what is empty does not count."""
    reading = reading_of("/".join(rows), dict.fromkeys(unclear.split(), seen))
    assert is_made_out(reading) is shown


#: A table seen from low down: rows further up are smaller.
NEAR = np.array([[60.0, 14, 250], [0, 34.0, 300], [0, 0.03, 1]])
BOARD = reading_of("/".join(["W W W W W"] * 5))


@pytest.mark.parametrize(
    ("shift", "scale", "same"),
    [
        ((9, 0), 1.0, True),
        ((0, 14), 1.0, True),  # twice as small, as perspective has it
        ((0, 14), 0.5, False),
        ((9, 0), 2.0, False),
        ((9, 0), 1.3, True),
    ],
)
def test_square_sizes_follow_perspective(
    shift: tuple[float, float], scale: float, same: bool
) -> None:
    moved = np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]])
    near, other = (grid_of(BOARD, homography=matrix) for matrix in (NEAR, NEAR @ moved))
    assert same_size(other, near) is same
    assert same_size(near, other) is same
