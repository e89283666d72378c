"""A castle that does not look like one, inferred from the squares around it."""

import numpy as np
import pytest
from msgspec.structs import replace

from kdvision.reading import DoubtCode, Reading
from kdvision.vision.grid.finder import Grid
from kdvision.vision.squares.castle import likeliest_castle, place_at
from kdvision.vision.squares.kingdoms import kingdoms_on
from tests.support.readings import at, reading_of

#: Twenty-four squares around a hole in the middle of a window of seven rows and columns.
ROUND_A_HOLE = (
    "- - - - - - -/- M2 M2 S S2 S -/- W M2 S W W1 -/- W1 M - W1 G -/"
    "- W M3 M1 W1 F -/- W W W W1 L -/- - - - - - -"
)
HOLE = "d4"


def grid_of(reading: Reading, standing: tuple[str, ...] = ()) -> Grid:
    """A grid seen from above on which something stands on some places that show no terrain."""
    rows, cols = reading.height, reading.width
    tile = np.zeros((rows, cols))
    for place in (*reading.taken, *map(at, standing)):
        tile[place] = 0.9
    centres = np.stack(np.meshgrid(np.arange(cols) + 0.5, np.arange(rows) + 0.5), axis=-1)
    nothing, all_of_it = np.zeros((rows, cols)), np.ones((rows, cols))
    matrix = np.diag([60.0, 60.0, 1.0])
    maps = (centres, tile > 0.5, nothing, tile, tile, all_of_it)
    return Grid(matrix, rows, cols, *maps, 0.01, 60.0)


def castles(reading: Reading, grid: Grid) -> list[tuple[int, int] | None]:
    return [likeliest_castle(one) for one in kingdoms_on(reading, grid)]


def test_one_place_without_terrain_on_which_something_stands() -> None:
    reading = reading_of(ROUND_A_HOLE)
    grid = grid_of(reading, (HOLE,))
    (kingdom,) = kingdoms_on(reading, grid)
    assert likeliest_castle(kingdom) == at(HOLE)
    assert place_at(kingdom, at(HOLE)).label == "C"
    assert [doubt.code for doubt in kingdom.doubts] == [DoubtCode.CASTLE_INFERRED]


@pytest.mark.parametrize(
    ("standing", "inferred"),
    [
        ((), []),  # a hole in which nothing stands
        ((HOLE, "a4"), []),  # two places that will do, of which none shows a castle
        (("a4",), ["a4"]),  # beside the squares
        (("a1",), []),  # at a corner: not joined
    ],
)
def test_only_where_one_place_will_do(standing: tuple[str, ...], inferred: list[str]) -> None:
    reading = reading_of(ROUND_A_HOLE)
    assert castles(reading, grid_of(reading, standing)) == [at(name) for name in inferred]


@pytest.mark.parametrize(("share", "stands_out"), [(0.06, True), (0.03, False)])
def test_of_several_places_the_one_that_shows_something_of_a_castle(
    share: float, stands_out: bool
) -> None:
    unsure = {HOLE: {"-": 0.9, "C": share}}
    reading = reading_of(ROUND_A_HOLE, unsure)
    expected = [at(HOLE)] if stands_out else []
    assert castles(reading, grid_of(reading, (HOLE, "a4"))) == expected


@pytest.mark.parametrize(
    "line",
    [
        # Odd without a castle, so that with one a square is left over.
        ROUND_A_HOLE.replace("W1 L", "W1 -"),
        # No more than a draft row.
        "W W F F/- L L -/G G - -",
        # Eight in a row: no box holds them.
        "W W W W W W W W/F F F F F F F F/- - - - - - - -",
    ],
)
def test_squares_that_are_no_kingdom_with_a_castle_more(line: str) -> None:
    reading = reading_of(line)
    free = [
        f"{chr(97 + col)}{row + 1}"
        for row, places in enumerate(reading.places)
        for col, place in enumerate(places)
        if place.label == "-"
    ]
    for name in free:
        assert castles(reading, grid_of(reading, (name,))) == []


@pytest.mark.parametrize(
    ("shares", "castle"),
    [
        ({"c3": 0.2}, "c3"),  # hardly a castle, but far more than any other place
        ({"c3": 0.2, "a1": 0.15}, None),  # a pattern
        ({"c2": 0.2}, None),  # without it the others are no whole dominoes
        ({"c3": 0.04}, None),
    ],
)
def test_a_faint_castle_among_squares_that_are_odd(
    shares: dict[str, float], castle: str | None
) -> None:
    line = "M2 M2 S S2 S/W M2 S W W1/W1 M W W1 G/W M3 M1 W1 F/W W W W1 L"
    unsure = {name: {"W": 0.79, "C": share} for name, share in shares.items()}
    found = likeliest_castle(reading_of(line, unsure))
    assert found == (at(castle) if castle else None)


@pytest.mark.parametrize(("unclear", "inferred"), [(5, True), (7, False)])
def test_tiles_that_are_hardly_made_out_get_no_castle(unclear: int, inferred: bool) -> None:
    """Of 24 squares three in four must be clear: 18."""
    names = [f"{col}{row}" for row in (2, 3) for col in "bcdef"][:unclear]
    reading = reading_of(ROUND_A_HOLE, {name: {"S": 0.8} for name in names})
    assert bool(castles(reading, grid_of(reading, (HOLE,)))) is inferred


def test_two_kingdoms_on_one_lattice_are_two() -> None:
    reading = reading_of("C W W - C F F/G G F - L L L")
    assert castles(reading, grid_of(reading)) == [(0, 0), (0, 4)]


def test_the_place_behind_an_inferred_castle_may_be_hidden() -> None:
    """Two holes, one behind the other: a castle, and a square that it covers."""
    reading = reading_of(ROUND_A_HOLE, {"d3": {"-": 0.9999}})
    grid = grid_of(reading, (HOLE, "d3"))
    lean = np.array([[60.0, 0, 0], [0, 60, 0], [0, -0.06, 1]]) @ np.diag([1, 0.6, 1])
    (kingdom,) = kingdoms_on(reading, replace(grid, homography=lean))
    assert likeliest_castle(kingdom) == at(HOLE)
    assert place_at(kingdom, at("d3")).hidden > 0.99


#: A full 5x5, a small kingdom, and what their castles at c3 and a1 may be read as.
FULL = "M2 M2 S S2 S/W M2 S W W1/W1 M C W1 G/W M3 M1 W1 F/W W W W1 L"
SMALL = "C W W - - - - -/F F - - - - - -"


def read_as(line: str, castle: str, share: float, other: float = 0.00001) -> Reading:
    """The line, with its castle read as wheat; it and the square c1 look so much like a castle."""
    unsure = {castle: {"C": share, "W": 0.999 - share}, "c1": {"C": other, "W": 0.9999 - other}}
    return reading_of(line, unsure)


@pytest.mark.parametrize(
    ("line", "castle", "share", "other", "inferred"),
    [
        (FULL, "c3", 0.0025, 0.00001, True),
        (FULL, "c3", 0.0015, 0.00001, False),
        (SMALL, "a1", 0.06, 0.00001, True),
        (SMALL, "a1", 0.04, 0.00001, False),
        (SMALL, "a1", 0.3, 0.03, True),  # ten times more like one than any other square
        (SMALL, "a1", 0.3, 0.045, False),
        (FULL, "c3", 0.02, 0.002, True),
        (FULL, "c3", 0.02, 0.003, False),
        (SMALL.replace("C W", "W W"), "a1", 0.06, 0.00001, True),
    ],
)
def test_the_castle_of_strange_make_among_an_odd_number_of_squares(
    line: str, castle: str, share: float, other: float, inferred: bool
) -> None:
    reading = read_as(line, castle, share, other)
    found = kingdoms_on(reading, grid_of(reading))
    assert [likeliest_castle(one) for one in found] == [at(castle)] * inferred
    assert all(one.doubts[0].code is DoubtCode.CASTLE_INFERRED for one in found)


def test_a_square_without_which_the_others_are_no_dominoes_is_no_rival() -> None:
    """Of a chessboard's two colours the castle lies on the one with a square more."""
    unsure = {"c3": {"C": 0.02, "W": 0.979}, "b1": {"C": 0.3, "M2": 0.69}}
    reading = reading_of(FULL, unsure)
    (found,) = kingdoms_on(reading, grid_of(reading))
    assert likeliest_castle(found) == at("c3")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("W W W/F F -/L - -", "an even number"),
        ("W W W - - - - -/- - - - - - - -/- - - - - - - -", "the rest is cut in two odd parts"),
        ("W W W W W W W W W", "longer than a kingdom"),
    ],
)
def test_squares_that_are_no_castle_and_whole_dominoes(line: str, why: str) -> None:
    reading = reading_of(line, {"b1": {"C": 0.3, "W": 0.69}})
    assert not kingdoms_on(reading, grid_of(reading)), why


def test_a_small_kingdom_with_a_clear_castle_infers_nothing() -> None:
    (kingdom,) = kingdoms_on(reading_of(SMALL), grid_of(reading_of(SMALL)))
    assert not kingdom.doubts
