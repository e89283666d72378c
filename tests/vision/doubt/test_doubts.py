"""Reasons in the photo not to trust a reading, each on a picture painted here."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from kdvision.photo.photo import open_photo
from kdvision.reading import Reading
from kdvision.vision.doubt.doubts import doubts_of
from kdvision.vision.grid.grid import Grid
from tests.support.readings import place_of, reading_of
from tests.support.tables import CARD, SIDE, paint, table, window

GREEN = (60, 150, 70)
#: A castle and two dominoes in a window of 5 rows and 5 columns.
SEEN = ("- - - - -", "- C W W -", "- F F - -", "- - - - -", "- - - - -")


def speckled(picture: NDArray[np.uint8], row: int, col: int) -> None:
    """A square with fine detail, as tiles have."""
    top, left = (row + 3) * SIDE, (col + 3) * SIDE
    rng = np.random.default_rng([row, col])
    spots = rng.normal(0, 30, (SIDE // 3, SIDE // 3)).repeat(3, 0).repeat(3, 1)[..., None]
    square = np.clip(np.array(GREEN) + spots, 0, 249)
    picture[top : top + SIDE, left : left + SIDE] = square.astype(np.uint8)


def scene(rows: tuple[str, ...] = SEEN) -> tuple[NDArray[np.uint8], Grid, Reading]:
    """A table with squares where they are read, and a finder that agrees."""
    reading, picture = reading_of("/".join(rows)), table(5, 5)
    tile = np.array([[float(place.label != "-") for place in row] for row in reading.places])
    for row, col in np.argwhere(tile > 0):
        speckled(picture, row, col)
    return picture, replace(window(5, 5), found=tile > 0, tile=tile), reading


def codes(picture: NDArray[np.uint8], grid: Grid, reading: Reading) -> list[str]:
    """The doubts that are had."""
    return [doubt.code for doubt in doubts_of(open_photo(picture), grid, reading).doubts]


def test_a_kingdom_on_a_bare_table_gives_no_doubt() -> None:
    assert codes(*scene()) == []


def test_a_card_where_a_domino_could_lie() -> None:
    picture, grid, reading = scene()
    paint(picture, 3, 1, CARD)
    paint(picture, 3, 2, CARD)
    assert codes(picture, grid, reading) == ["covered"]


def test_a_card_beside_a_kingdom_that_is_complete() -> None:
    full = ("W W W W W", "W F F F W", "W F C F W", "W F F F W", "W W W W W")
    picture, grid, reading = scene(full)
    paint(picture, 5, 2, CARD)
    assert codes(picture, grid, reading) == []


def test_the_border_of_the_photo_beside_the_kingdom() -> None:
    picture, grid, reading = scene()
    cut = picture[:, : 6 * SIDE + 20]
    assert codes(cut, grid, reading) == ["cut-off", "beyond-border", "at-border"]
    assert codes(picture[:, : 7 * SIDE + 10], grid, reading) == ["at-border"]


@pytest.mark.parametrize(
    ("visible", "tile", "doubted"),
    [
        (0.8, 0.9, False),  # nearly all of the places beside the kingdom is in the photo
        (0.6, 0.0, False),  # most of it is, and it is bare
        (0.6, 0.9, True),  # most of it is, and looks like a tile
        (0.35, 0.0, False),  # a third is, and it is bare
        (0.35, 0.9, True),  # a third is, and looks like a tile
        (0.15, 0.0, True),  # too little to tell
    ],
)
def test_what_the_border_leaves_of_the_places_beside(
    visible: float, tile: float, doubted: bool
) -> None:
    picture, grid, reading = scene()
    # The kingdom ends with the fourth column of the window, which begins 3 squares into the photo.
    cut = picture[:, : round((3 + 4 + visible) * SIDE)]
    seen = grid.tile.copy()
    seen[:, 4] = tile
    assert ("at-border" in codes(cut, replace(grid, tile_seen=seen), reading)) is doubted


def test_squares_too_small_for_crowns() -> None:
    picture, grid, reading = scene()
    assert "small-squares" in codes(picture, replace(grid, square_px=19.0), reading)


def test_a_loose_lattice() -> None:
    picture, grid, reading = scene()
    assert codes(picture, replace(grid, residual=0.2), reading) == ["loose-lattice"]


@pytest.mark.parametrize(("off", "doubted"), [(0.12, False), (0.15, True)])
def test_a_square_out_of_line(off: float, doubted: bool) -> None:
    picture, grid, reading = scene()
    centres = grid.centres.copy()
    centres[1, 2] += off  # in both directions, as a domino beside the kingdom may lie
    found = codes(picture, replace(grid, centres=centres), reading)
    assert found == ["off-lattice"] * doubted


@pytest.mark.parametrize(("at", "code"), [((1, 2), "not-found"), ((3, 1), "not-read")])
def test_finder_and_reader_disagree(at: tuple[int, int], code: str) -> None:
    picture, grid, reading = scene()
    found, tile = grid.found.copy(), grid.tile.copy()
    found[at], tile[at] = not found[at], 1 - tile[at]
    (doubt,) = doubts_of(open_photo(picture), replace(grid, found=found, tile=tile), reading).doubts
    assert (doubt.code, doubt.cells) == (code, (at,))


def test_two_castles() -> None:
    picture, grid, reading = scene(
        ("- - - - -", "- C W C -", "- F F - -", "- - - - -", "- - - - -")
    )
    assert codes(picture, grid, reading) == ["castles"]


@pytest.mark.parametrize(("share", "doubted"), [(0.9999, False), (0.9, True)])
def test_a_start_tile_that_is_not_clear(share: float, doubted: bool) -> None:
    picture, grid, reading = scene()
    row, col = next(
        (row, col)
        for row, places in enumerate(reading.places)
        for col, place in enumerate(places)
        if place.label == "C"
    )
    rows = [list(places) for places in reading.places]
    rows[row][col] = place_of({"C": share})
    unclear = replace(reading, places=tuple(map(tuple, rows)))
    doubts = {one.code: one.factor for one in doubts_of(open_photo(picture), grid, unclear).doubts}
    assert ("unclear-castle" in doubts) is doubted
    if doubted:
        assert doubts["unclear-castle"] == pytest.approx(share)


def test_blur() -> None:
    picture, grid, reading = scene()
    assert codes(cv2.GaussianBlur(picture, (0, 0), 8), grid, reading) == ["blurred"]


def test_darkness() -> None:
    picture, grid, reading = scene()
    assert codes(picture // 9, grid, reading) == ["dark"]


def test_glare_on_a_square() -> None:
    picture, grid, reading = scene()
    cv2.circle(picture, (round(4.5 * SIDE), round(4.5 * SIDE)), SIDE // 3, (255, 255, 255), -1)
    assert codes(picture, grid, reading) == ["glare"]


def test_a_damaged_file() -> None:
    picture, grid, reading = scene()
    picture[: picture.shape[0] // 5] = 128
    (doubt,) = doubts_of(open_photo(picture), grid, reading).doubts
    assert (doubt.code, doubt.factor) == ("damaged-file", 0.0)


@pytest.mark.parametrize(("colour", "factor"), [(None, 0.994), (CARD, 0.9)])
def test_a_tile_that_only_the_finder_sees(colour: tuple[int, ...] | None, factor: float) -> None:
    """Where it looks like the table it is likely none; else it may be one of another game."""
    picture, grid, reading = scene()
    if colour:
        paint(picture, 3, 1, colour)
    found, tile = grid.found.copy(), grid.tile.copy()
    found[3, 1], tile[3, 1] = True, 0.9
    seen = replace(grid, found=found, tile=tile)
    doubts = {one.code: one for one in doubts_of(open_photo(picture), seen, reading).doubts}
    assert doubts["not-read"].factor == factor
