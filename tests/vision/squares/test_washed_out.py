"""Places that a reflection washes out: hidden where tiles must lie, bare where the table is."""

import numpy as np
import pytest
from msgspec.structs import replace

from kdvision.photo.photo import open_photo
from kdvision.reading import DoubtCode, Reading
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import score
from kdvision.vision.grid.finder import Grid
from kdvision.vision.squares.castle import place_at
from kdvision.vision.squares.kingdoms import kingdoms_on
from kdvision.vision.squares.window import ground_of
from tests.support.readings import at, likeliest_kingdom, reading_of
from tests.support.tables import paint, table, window

#: A 5x5 with a domino (d1, e1) and a square (c2) that may be washed out.
FULL = "M2 M2 S S2 S/W M2 S W W1/W1 M C W1 G/W M3 M1 W1 F/W W W W1 L"
NOTHING = {"-": 0.97}
WINDOW, LAMP = (232, 236, 240), (255, 255, 255)


def lit(*names: str, line: str = FULL) -> np.ndarray:
    """The mask of a reflection on some places."""
    reading = reading_of(line)
    mask = np.zeros((reading.height, reading.width), bool)
    for name in names:
        mask[at(name)] = True
    return mask


def grid_of(reading: Reading, tile: float = 1.0) -> Grid:
    """A grid seen from above whose detector sees as much of a tile everywhere."""
    grid = window(reading.height, reading.width)
    return replace(grid, tile=np.full(grid.tile.shape, tile))


def kingdom(unsure: dict[str, dict[str, float]], *names: str, tile: float = 1.0) -> Reading:
    reading = reading_of(FULL, unsure)
    (only,) = kingdoms_on(reading, grid_of(reading, tile), lit(*names))
    return only


def test_between_squares_it_is_hidden_and_named_not_empty() -> None:
    read = kingdom({"c2": NOTHING}, "c2")
    assert place_at(read, at("c2")).hidden >= 0.5
    assert [(one.code, one.cells) for one in read.doubts] == [(DoubtCode.GLARE, (at("c2"),))]
    assert place_at(kingdom({"c2": NOTHING}), at("c2")).hidden == 0  # without a reflection


@pytest.mark.parametrize("faint", ["L", "F", "W"])
def test_the_true_total_is_possible_although_another_terrain_shows_faintly(faint: str) -> None:
    """The deck leaves the square under the first one open: with grassland it counts twice."""
    truth = "C F G1/- S G"
    read = reading_of(truth, {"c2": {"-": 0.97, faint: 0.0299}})
    (washed,) = kingdoms_on(read, grid_of(read), lit("c2", line=truth))
    decoded = likeliest_kingdom(washed)
    own = score(decoded.kingdom.trimmed()).total
    assert score(Kingdom.parse(truth)).total in {own, *(one.score for one in decoded.alternatives)}
    assert decoded.probability < 0.95
    (bare,) = kingdoms_on(read, grid_of(read))
    chances = {one.score: one.probability for one in likeliest_kingdom(bare).alternatives}
    assert chances.get(2, 0.0) < 0.02


@pytest.mark.parametrize(
    ("shares", "opened"),
    [({"S": 0.97}, False), ({"S": 0.8, "W": 0.1}, True), ({"C": 0.9}, True)],
)
def test_a_terrain_that_is_made_out_all_the_same_stays(
    shares: dict[str, float], opened: bool
) -> None:
    read = kingdom({"c2": shares}, "c2")
    assert bool(read.doubts) is opened
    assert place_at(read, at("c2")).label == ("W" if "C" in shares else "S") or opened


def test_the_only_castle_stays_although_it_shines() -> None:
    read = kingdom({}, "c3")
    assert place_at(read, at("c3")).label == "C" and not read.doubts


def test_a_castle_that_shines_stays_beside_another_kingdom() -> None:
    """A bright castle is the only one of its group, although the table shines up to the next."""
    line = "C W W - W S C/F F - - L L -"
    read = reading_of(line)
    found = kingdoms_on(read, grid_of(read, 0.0), lit("a1", "d1", "d2", line=line))
    assert [len(one.taken) for one in found] == [5, 5]
    assert not any(one.doubts for one in found)


@pytest.mark.parametrize(("tile", "opened"), [(0.29, 0), (0.31, 2)])
def test_at_the_rim_the_detector_must_see_a_tile(tile: float, opened: int) -> None:
    """A mirrored table beside the kingdom is none of its squares."""
    unsure = {"e1": NOTHING, "e2": NOTHING}
    read = reading_of("W W C G -/F F L S -", unsure)
    mask = np.zeros((2, 5), bool)
    mask[:, 4] = True
    found = kingdoms_on(read, grid_of(read, tile), mask)
    cells = [doubt.cells for one in found for doubt in one.doubts]
    assert sum(map(len, cells)) == opened


def test_the_gap_between_two_groups_stays_empty() -> None:
    """Between a kingdom and what lies beside it the table may shine."""
    line = "W W - F/W1 C - F/G G - L"
    read = reading_of(line)
    for mask in (lit(line=line), lit("c1", "c2", "c3", line=line)):
        (found,) = kingdoms_on(read, grid_of(read), mask)
        assert len(found.taken) == 6 and not found.doubts


@pytest.mark.parametrize(
    ("colour", "tile", "shines"),
    [
        (WINDOW, 0.5, True),
        (LAMP, 0.5, True),
        (WINDOW, 0.0, True),  # unlike the table around, whatever the detector says
        ((120, 120, 120), 0.5, False),  # too dark
        ((230, 220, 90), 0.5, False),  # wheat in the sun
    ],
)
def test_what_shines(colour: tuple[int, int, int], tile: float, shines: bool) -> None:
    picture = table(4, 4)
    paint(picture, 1, 2, colour)
    shares = np.zeros((4, 4))
    shares[1, 2] = tile
    found = ground_of(open_photo(picture), window(4, 4)).washed_out(shares)
    assert bool(found[1, 2]) is shines
    assert found.sum() == shines


def test_a_white_table_does_not_shine() -> None:
    picture = np.full_like(table(4, 4), 236)
    rough = np.random.default_rng(2).integers(-3, 4, picture.shape)
    picture = np.clip(picture + rough, 0, 255).astype(np.uint8)
    assert not ground_of(open_photo(picture), window(4, 4)).washed_out(np.zeros((4, 4))).any()
