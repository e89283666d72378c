"""Kingdoms that are pushed together on the table."""

from typing import Any

import pytest

from kdvision.reading import DoubtCode
from kdvision.vision.doubts import find_unread
from kdvision.vision.found import FoundKingdom
from kdvision.vision.grid.grid import taken_mask
from kdvision.vision.vision import find_kingdoms
from tests.support.grids import found_of, grid_of
from tests.support.readings import reading_of

#: What lies in one piece, and the kingdoms that it is.
TOLD_APART = {
    "two full ones": (
        "W W F F L S S G G M/W W F F L S S G G M/W W C F L S S C G M/"
        "W W F F L S S G G M/W W F F L S S G G M",
        [
            "W W F F L/W W F F L/W W C F L/W W F F L/W W F F L",
            "S S G G M/S S G G M/S S C G M/S S G G M/S S G G M",
        ],
    ),
    "one above the other, pushed aside": (
        "W W F F L -/W C F F - -/- S S G G M/- S S C G M/- - - G - -",
        ["W W F F L/W C F F -", "S S G G M/S S C G M/- - G - -"],
    ),
    "by whole dominoes alone": (
        "C W W W W F F F/W W W F - C F F/- - - - - - F -",
        ["C W W W W/W W W F -", "F F F/C F F/- F -"],
    ),
    "one of a castle and two dominoes": (
        "W W F F L C G G/W W C F - - G G",
        ["W W F F L/W W C F -", "C G G/- G G"],
    ),
    "of a large game": (
        "C W W F F L L G G C/W W W - - - - - G G/W W F F - L - G G G/"
        "- - W W F L - L L G/- - - G G - - - - -/- - - G G - - - - -",
        [
            "C W W F F L L/W W W - - - -/W W F F - L -/- - W W F L -/- - - G G - -/- - - G G - -",
            "G G C/- G G/G G G/L L G",
        ],
    ),
}
NOT_TOLD_APART = {
    "a column may be either's": "W W C L L L L C",
    "three kingdoms in a row": "C W W W W F F C F F L L L C L",
    "no straight line": "C W W F F -/W W F F F F/- - - F L C/- - - L L L",
    "a castle and one domino": "W W F F L C G G/W W F F L - - -/W W C F L - - -/W - - - - - - -",
}


def kingdoms_of(line: str, **more: Any) -> list[FoundKingdom]:
    reading = reading_of(line, **more)
    return find_kingdoms(found_of(grid_of(reading, found=taken_mask(reading)), reading))


@pytest.mark.parametrize(("piece", "kingdoms"), TOLD_APART.values(), ids=TOLD_APART)
def test_kingdoms_that_touch_are_read_apart(piece: str, kingdoms: list[str]) -> None:
    found = kingdoms_of(piece)
    assert [str(one.reading.kingdom.trimmed()) for one in found] == kingdoms
    for one in found:
        assert not one.reading.doubts
        # The other kingdom is no tile that was not read.
        assert not find_unread(one.grid, one.reading)


@pytest.mark.parametrize("piece", NOT_TOLD_APART.values(), ids=NOT_TOLD_APART)
def test_inseparable_kingdoms_are_doubtful(piece: str) -> None:
    (found,) = kingdoms_of(piece)
    assert [doubt.code for doubt in found.reading.doubts] == [DoubtCode.TOUCHING]
    assert found.reading.doubts[0].message.startswith("Kingdoms seem to touch here")


@pytest.mark.parametrize("castle", [0.95, 0.6])
def test_one_kingdom_is_not_cut(castle: float) -> None:
    """Two castles in the box of one kingdom, or one that is not clear in a larger box."""
    unsure = {"e1": {"C": castle, "F": 1 - castle}}
    line = "C W W F F/W W L L L/- - L - -" if castle > 0.9 else "C W W F F L L/W W L L - - L"
    (found,) = kingdoms_of(line, unsure=unsure)
    assert str(found.reading.kingdom.trimmed()) == str(reading_of(line, unsure).kingdom)
    assert DoubtCode.TOUCHING not in {doubt.code for doubt in found.reading.doubts}


def test_castle_that_may_be_misread_is_asked() -> None:
    """In a box of 7 there may be one kingdom; no line leaves a kingdom on either side."""
    (found,) = kingdoms_of("C W W F F L C/- - - - - L L")
    (doubt,) = found.reading.doubts
    assert doubt.places == ((0, 0), (0, 6))


def test_tiles_of_no_kingdom_stay_found() -> None:
    reading = reading_of("C W W F F", {"d1": {"F": 0.6, "-": 0.4}, "e1": {"F": 0.6, "-": 0.4}})
    grid = grid_of(reading, found=taken_mask(reading))
    for found in find_kingdoms(found_of(grid, reading)):
        assert (found.grid.found == grid.found).all()
