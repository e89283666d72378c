"""Tiles that are in no kingdom are not left out without a word."""

from collections.abc import Mapping

import numpy as np
import pytest

from kdvision.reading import DoubtCode, Reading
from kdvision.vision.doubt.left_out import tiles_left_out, tiles_unclear, where
from kdvision.vision.doubt.plausibility import same_size
from kdvision.vision.grid.grid import Grid
from tests.support.readings import reading_of

SIZE = (1600, 1200)
TILES = "W W F/F L L/- G G"
Seen = tuple[Grid, Reading]


def seen_at(
    x: float,
    y: float,
    line: str = TILES,
    side: float = 60.0,
    sure: float = 0.9999,
    unsure: Mapping[str, Mapping[str, float]] | None = None,
    slope: float = 0.0,
) -> Seen:
    """Squares that lie with their first place at (x, y), and are found by the detector.

    With a `slope` squares become smaller to the right.
    """
    reading = reading_of(line, unsure, sure=sure)
    rows, cols = reading.height, reading.width
    centres = np.stack(np.meshgrid(np.arange(cols) + 0.5, np.arange(rows) + 0.5), axis=-1)
    flat = np.ones((rows, cols))
    matrix = np.array([[side, 0, x], [0, side, y], [slope, 0, 1.0]])
    grid = Grid(matrix, rows, cols, centres, flat > 0, flat, flat, flat, flat, 0.01, side)
    return grid, reading


KINGDOM = seen_at(800, 600, "C W W/F F -")


@pytest.mark.parametrize(
    ("tiles", "count"),
    [
        (seen_at(100, 100), 1),
        (seen_at(100, 100, "W W F/F L -"), 1),
        (seen_at(100, 100, "W W F/F - -"), 1),  # two dominoes, not as in a draft row
        (seen_at(100, 100, "W W F/F - -", unsure={"a1": {"W": 0.7}}), 1),
        (seen_at(100, 100, "W W F/F - -", unsure={"a1": {"W": 0.7}, "b1": {"W": 0.7}}), 0),
        (seen_at(100, 100, "W W/F F"), 0),  # two dominoes of a draft row
        (seen_at(100, 100, "W W F F"), 0),
        (seen_at(100, 100, "W F"), 0),  # a domino
        (seen_at(100, 100, "W F -", unsure={"c1": {"C": 0.008, "-": 0.99}}), 0),
        (
            seen_at(100, 100, "W F -", unsure={"c1": {"C": 0.012, "-": 0.98}}),
            1,
        ),  # it may be its castle
        (seen_at(100, 100, "W F -", unsure={"c1": {"C": 0.1, "-": 0.89}, "a1": {"W": 0.7}}), 0),
        (seen_at(100, 100, "W W/F F/- -", unsure={"a3": {"C": 0.1, "-": 0.89}}), 1),
        (
            seen_at(100, 100, "W W/F F/L L/- -", unsure={"a4": {"C": 0.1, "-": 0.89}}),
            0,
        ),  # a draft row
        (seen_at(100, 100, "W F F"), 1),  # a domino, and what may be its castle
        (seen_at(100, 100, "W F F", unsure={"a1": {"W": 0.7}}), 1),
        (seen_at(100, 100, "W F F", unsure={"a1": {"W": 0.7}, "b1": {"F": 0.7}}), 0),
        (seen_at(100, 100, "C F"), 1),  # part of a kingdom, or a start tile with half a domino
        (seen_at(100, 100, "C F/F F"), 1),
        (seen_at(100, 100, "C -"), 0),  # a spare start tile
        (seen_at(100, 100, "C F", unsure={"a1": {"C": 0.7, "W": 0.2}}), 0),
        (seen_at(100, 100, "W - F"), 0),  # single squares
        (seen_at(100, 100, "W W F F/L L G G"), 0),  # a draft row
        (seen_at(100, 100, "W W F F/L L G -/G - - -"), 1),
        (seen_at(100, 100, "W W F F L L G G F"), 0),  # longer than any kingdom
        (seen_at(100, 100, "M3 M3 M3/M3 M3 M3/M3 M3 W"), 0),  # a pattern
        (seen_at(100, 100, sure=0.8), 0),  # nothing that is clearly a square
        (seen_at(100, 100, side=30), 0),  # a print, with squares of another size
        (seen_at(805, 595, "C W W/F F -"), 0),  # the kingdom, on another grid
    ],
)
def test_groups_that_may_be_a_kingdom(tiles: Seen, count: int) -> None:
    notes = tiles_left_out([KINGDOM, tiles], [KINGDOM], SIZE)
    assert len(notes) == count
    for note in notes:
        assert note.factor == 1
        assert note.fields == {"number": len(tiles[1].taken), "where": "where.top-left"}


@pytest.mark.parametrize(
    ("unclear", "named"),
    [
        (seen_at(100, 100, "C W W"), True),
        (seen_at(100, 100, "C W W", side=30), False),  # a print, with squares of another size
        (seen_at(805, 595, "C W W/F F -"), False),  # the kingdom, on another grid
    ],
)
def test_what_cannot_be_made_out_is_named(unclear: Seen, named: bool) -> None:
    notes = tiles_unclear([unclear], [KINGDOM], SIZE)
    assert [note.code for note in notes] == [DoubtCode.TILES_NOT_READ] * named
    assert all(note.fields == {"number": 3, "where": "where.top-left"} for note in notes)
    assert all(note.factor == 1 for note in notes)
    alone = tiles_unclear([unclear], [], SIZE)
    assert len(alone) == 1


def test_the_same_tiles_are_named_once() -> None:
    unclear, again = seen_at(100, 100, "C W W/F F -"), seen_at(105, 95, "C W W")
    assert len(tiles_unclear([unclear, again], [], SIZE)) == 1
    assert len(tiles_left_out([unclear, seen_at(1300, 900)], [], SIZE)) == 2
    assert len(tiles_left_out([unclear, seen_at(1300, 900)], [], SIZE, [unclear])) == 1


def test_without_a_kingdom_all_groups_are_named_once() -> None:
    read = [seen_at(100, 100), seen_at(1300, 900), seen_at(1305, 895)]
    notes = tiles_left_out(read, [], SIZE)
    assert [note.fields["where"] for note in notes] == ["where.top-left", "where.bottom-right"]


@pytest.mark.parametrize(
    ("at", "key"),
    [
        ((800, 600), "where.middle"),
        ((800, 100), "where.top"),
        ((100, 600), "where.left"),
        ((1500, 1100), "where.bottom-right"),
        ((-50, 1300), "where.bottom-left"),
    ],
)
def test_where_in_the_photo(at: tuple[float, float], key: str) -> None:
    assert where(np.array(at), SIZE) == key


@pytest.mark.parametrize(("side", "named"), [(45, True), (30, False)])
def test_a_small_kingdom_tells_little_of_sizes_far_away(side: float, named: bool) -> None:
    """By its perspective squares so far to the left would be twice as large."""
    kingdom = seen_at(800, 600, "C W W", slope=0.05)
    tiles = seen_at(100, 100, side=side)
    assert not same_size(tiles[0], kingdom[0])
    assert bool(tiles_left_out([kingdom, tiles], [kingdom], SIZE)) is named
