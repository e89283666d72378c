"""Kingdoms that touch are told apart; what one box holds stays in one piece."""

from random import Random

import pytest

from kdvision.reading import DoubtCode, Reading
from kdvision.vision.squares.castle import likeliest_castle
from kdvision.vision.squares.kingdoms import told_apart
from tests.support.readings import at, likeliest_kingdom, random_kingdom, reading_of

FIRST, SECOND = (str(random_kingdom(Random(seed), 5)).split("/") for seed in (1, 2))


def line(*kingdoms: list[str], upright: bool = False) -> str:
    """Kingdoms side by side, or one below the other."""
    if upright:
        return "/".join(row for kingdom in kingdoms for row in kingdom)
    return "/".join(" ".join(rows) for rows in zip(*kingdoms, strict=True))


def parts(text: str, unsure: dict[str, dict[str, float]] | None = None) -> list[Reading]:
    return told_apart(reading_of(text, unsure))


@pytest.mark.parametrize("upright", [False, True])
def test_two_kingdoms_that_touch_are_told_apart(upright: bool) -> None:
    found = parts(line(FIRST, SECOND, upright=upright))
    assert [len(one.taken) for one in found] == [25, 25]
    castles = [at("c3"), at("c8" if upright else "h3")]
    assert [likeliest_castle(one) for one in found] == castles
    assert [[doubt.code for doubt in one.doubts] for one in found] == [[DoubtCode.TOUCHING]] * 2


def test_three_in_a_row() -> None:
    found = parts(line(FIRST, SECOND, FIRST))
    assert [likeliest_castle(one) for one in found] == [at("c3"), at("h3"), at("m3")]


def test_a_castle_that_does_not_look_like_one_is_enough() -> None:
    """Of an odd number of squares one must be the castle."""
    found = parts(line(FIRST, SECOND), {"h3": {"W": 0.85, "C": 0.12}})
    assert [len(one.taken) for one in found] == [25, 25]


@pytest.mark.parametrize(
    ("text", "unsure"),
    [
        (line(FIRST), {}),
        # Seven columns are one box, also with a second castle.
        ("W W - - - - -/F C L W C L G/F - L W F - G", {}),
        # One square is not seen: no line leaves whole dominoes on both sides.
        (line(FIRST, SECOND), {"f1": {"-": 0.99}}),
        # There is only one castle.
        (line(FIRST, SECOND), {"h3": {"W": 0.999}}),
    ],
)
def test_what_stays_in_one_piece(text: str, unsure: dict[str, dict[str, float]]) -> None:
    reading = reading_of(text, unsure)
    assert told_apart(reading) == [reading]


def test_two_ways_that_part_as_many_neighbours_tell_nothing() -> None:
    """The domino in the middle can be of either: a line before it is as good as one after it."""
    reading = reading_of("W W C L L F F G G C S S")
    assert told_apart(reading) == [reading]


def test_a_kingdom_that_touches_another_is_never_sure_and_hardly_doubted() -> None:
    for one in parts(line(FIRST, SECOND)):
        assert 0.85 < likeliest_kingdom(one).probability < 0.95
