"""Numbers that decide what is a kingdom and which places are in doubt: a case on each side."""

import numpy as np
import pytest
from msgspec.structs import replace

from kdvision.photo.photo import open_photo
from kdvision.vision.doubts import find_unread, find_unseen, look_for_doubts
from kdvision.vision.found import FoundKingdom
from kdvision.vision.grid.grid import Grid
from kdvision.vision.squares.ground import Ground
from kdvision.vision.squares.window import view_window
from tests.support.grids import found_in
from tests.support.readings import reading_of
from tests.support.tables import SIDE, table, window

# ---------------------------------------------------------------------- the border


def marks(width: float, line: str) -> set[str]:
    """The doubts about a kingdom in a photo that ends so many squares to the right.

    The window begins three squares into the photo, and all of it is bare to the detector.
    """
    reading = reading_of(line)
    picture = table(reading.height, reading.width, margin=4)[:, : round(width * SIDE)]
    grid = replace(window(reading.height, reading.width), found=mask(line))
    seen = look_for_doubts(
        found_in(open_photo(np.ascontiguousarray(picture)), grid, reading)
    ).reading
    return {doubt.code for doubt in seen.doubts}


def mask(line: str) -> np.ndarray:
    """(rows, cols) where something lies."""
    rows = [row.split() for row in line.split("/")]
    return np.array(rows) != "-"


MIDDLE = "- - - -/- C W -/- F F -/- - - -"


@pytest.mark.parametrize(("out", "cut"), [(0.22, False), (0.32, True)])
def test_greatest_share_outside_the_photo(out: float, cut: bool) -> None:
    assert ("cut-off" in marks(6 - out, MIDDLE)) is cut


def more_beyond(visible: float, tile: float = 0.0, darker: int = 0) -> float:
    """How likely more lies beyond a border that leaves so much of the places beside a kingdom.

    These are so much darker (0 to 255) than the table, and that much like tiles to the detector.
    """
    reading = reading_of(MIDDLE)
    picture = table(4, 4, margin=4)
    picture[:, 6 * SIDE :] -= np.uint8(darker)
    cut = np.ascontiguousarray(picture[:, : round((6 + visible) * SIDE)])
    grid = replace(window(4, 4), found=mask(MIDDLE), tile_seen=np.full((4, 4), tile))
    doubts = look_for_doubts(found_in(open_photo(cut), grid, reading)).reading.doubts
    return sum(doubt.weight for doubt in doubts if doubt.code == "at-border")


@pytest.mark.parametrize(("out", "asked"), [(0.65, True), (0.75, True), (0.85, False)])
def test_least_share_in_the_photo(out: float, asked: bool) -> None:
    assert more_beyond(1 - out, tile=0.9) == pytest.approx(0.45 * asked)


@pytest.mark.parametrize(("visible", "told"), [(0.085, False), (0.1, True)])
def test_least_strip_of_table(visible: float, told: bool) -> None:
    assert (more_beyond(visible) < 0.5) is told


@pytest.mark.parametrize(("darker", "bare"), [(18, True), (26, False)])
def test_likeness_of_a_bare_strip(darker: int, bare: bool) -> None:
    assert (more_beyond(0.2, darker=darker) == 0) is bare


@pytest.mark.parametrize(("darker", "table"), [(38, True), (46, False)])
def test_unlikeness_of_a_tile(darker: int, table: bool) -> None:
    assert (more_beyond(0.2, darker=darker) < 1) is table


@pytest.mark.parametrize("turns", range(4))
def test_askew_tile_hides_nothing_beyond(turns: int) -> None:
    """It reaches a thirtieth of a square into the place beside it, at each side of the photo."""
    cells = np.rot90([[*"----"], [*"--C-"], [*"--W-"], [*"----"]], turns)
    line = "/".join(map(" ".join, cells))
    picture = table(4, 4)
    picture[:, 6 * SIDE : 6 * SIDE + 2] = (60, 150, 70)
    cut = picture[:, : round(6.12 * SIDE)]
    middle, far = 5 * SIDE, cut.shape[1] - 5 * SIDE
    x, y = [(middle, middle), (middle, far), (far, middle), (middle, middle)][turns]
    matrix = np.array([[SIDE, 0, x - 2 * SIDE], [0, SIDE, y - 2 * SIDE], [0, 0, 1.0]])
    grid = replace(window(4, 4), found=mask(line), homography=matrix)
    photo = open_photo(np.ascontiguousarray(np.rot90(cut, turns)))
    doubts = look_for_doubts(found_in(photo, grid, reading_of(line))).reading.doubts
    assert "at-border" not in {doubt.code for doubt in doubts}


# ---------------------------------------------------------------------- detector and classifier


def grid_with(at: tuple[int, int], found: bool, tile: float, agreed: float = 1.0) -> Grid:
    """A grid on which the detector agrees with MIDDLE but for one place."""
    taken = mask(MIDDLE)
    shares, votes = taken.astype(float), np.ones(taken.shape)
    taken[at], shares[at], votes[at] = found, tile, agreed
    return replace(window(4, 4), found=taken, tile=shares, agreed=votes)


@pytest.mark.parametrize(("tile", "doubted"), [(0.42, True), (0.5, False), (0.58, False)])
def test_likeness_of_a_castle_not_found(tile: float, doubted: bool) -> None:
    assert find_unseen(grid_with((1, 1), False, tile), reading_of(MIDDLE)) == ((1, 1),) * doubted


@pytest.mark.parametrize(("tile", "doubted"), [(0.42, False), (0.5, False), (0.58, True)])
def test_likeness_of_a_place_not_read(tile: float, doubted: bool) -> None:
    assert find_unread(grid_with((3, 1), True, tile), reading_of(MIDDLE)) == ((3, 1),) * doubted


@pytest.mark.parametrize(("agreed", "doubted"), [(0.42, True), (0.5, False), (0.58, False)])
def test_least_agreement_of_votes(agreed: float, doubted: bool) -> None:
    grid = grid_with((1, 2), True, 1.0, agreed)
    assert find_unseen(grid, reading_of(MIDDLE)) == ((1, 2),) * doubted


# ---------------------------------------------------------------------- obstructions


@pytest.mark.parametrize(("distance", "chance"), [(6.0, 0.405), (3.0, 0.132), (0.0, 0.033)])
def test_odd_and_unclear_places_are_obstructed(distance: float, chance: float) -> None:
    """Odds of 1 to 3 that the place is hidden, on ground of which six units are odd."""
    reading = reading_of(MIDDLE)
    reading = reading.with_place((0, 1), replace(reading[0, 1], hidden=0.25))
    features = np.zeros((8, 8, 4))
    features[2, 3] = distance, 0, 0, 0
    photo = open_photo(table(4, 4, margin=4))
    view = replace(view_window(photo, window(4, 4)), ground=Ground(features, np.ones((8, 8), bool)))
    doubts = look_for_doubts(FoundKingdom(photo, window(4, 4), reading, view)).reading.doubts
    chance_seen = sum(doubt.weight for doubt in doubts if doubt.code == "obstructed")
    assert chance_seen == pytest.approx(chance, abs=1e-3)
