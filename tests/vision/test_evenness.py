"""Places of one colour to the last bit."""

import numpy as np
import pytest

from kdvision.arrays import Image
from kdvision.photo.photo import open_photo
from kdvision.reading import DoubtCode
from kdvision.rules.kingdom import Position
from kdvision.vision.doubts import look_for_doubts
from kdvision.vision.evenness import find_even
from kdvision.vision.squares.window import BORDER_PX, PX_PER_SQUARE
from tests.support.grids import found_in, grid_of
from tests.support.readings import at, reading_of

#: A kingdom of three columns in a window of five.
LINE = "- - - - -/- C W W -/- F F L -/- L L - -/- - - - -"
#: Three places in a row.
ROW = [(0, 0), (0, 1), (0, 2)]
SIDE = 60
#: Like wheat, and like the table.
YELLOW, GREY = (230, 190, 40), (110, 110, 110)


def row_of(*shares: float) -> Image:
    """A window of three places with grain, each of one colour in so much of its width."""
    grain = np.random.default_rng(3).integers(90, 130, (64, 164, 3))
    flat = grain.astype(np.uint8)
    for col, share in enumerate(shares):
        left = BORDER_PX + col * PX_PER_SQUARE
        flat[:, left : left + round(share * PX_PER_SQUARE)] = YELLOW
    return flat


@pytest.mark.parametrize(
    ("shares", "even"),
    [
        ((0.0, 0.0, 0.0), []),
        ((0.0, 0.3, 0.0), []),
        ((0.0, 0.4, 0.0), [(0, 1)]),
        ((0.0, 0.0, 1.0), [(0, 2)]),
        # Half of the places have a little of it: of 4 pixels nothing counts, of 5 one does.
        ((0.4, 0.08, 0.0), [(0, 0)]),
        ((0.4, 0.1, 0.0), []),
    ],
)
def test_share_of_one_colour(shares: tuple[float, ...], even: list[Position]) -> None:
    assert sorted(find_even(row_of(*shares), ROW)) == even


def test_no_place_is_even() -> None:
    assert find_even(row_of(0, 0, 0), []) == frozenset()


def doubted(name: str, colour: tuple[int, ...], grain: int = 0) -> dict[DoubtCode, tuple]:
    """The places that are named where one is painted over, in a photo with grain."""
    rng, reading = np.random.default_rng(4), reading_of(LINE)
    pixels = rng.integers(90, 130, (reading.height * SIDE, reading.width * SIDE, 3))
    row, col = at(name)
    patch = np.array(colour) + rng.integers(-grain, grain + 1, (SIDE, SIDE, 3))
    pixels[row * SIDE : (row + 1) * SIDE, col * SIDE : (col + 1) * SIDE] = patch
    photo = open_photo(pixels.astype(np.uint8))
    kingdom = look_for_doubts(found_in(photo, grid_of(reading, SIDE), reading))
    wanted = {DoubtCode.ON_TILE, DoubtCode.OBSTRUCTED}
    return {one.code: one.places for one in kingdom.reading.doubts if one.code in wanted}


def test_square_of_one_colour_may_hide_crowns() -> None:
    assert doubted("c2", YELLOW)[DoubtCode.ON_TILE] == (at("c2"),)
    assert DoubtCode.ON_TILE not in doubted("c2", YELLOW, grain=3)


def test_place_of_one_colour_may_hide_a_tile() -> None:
    assert at("e3") in doubted("e3", GREY)[DoubtCode.OBSTRUCTED]
    assert DoubtCode.ON_TILE not in doubted("e3", GREY)
    assert at("e3") not in doubted("e3", GREY, grain=3).get(DoubtCode.OBSTRUCTED, ())


def test_castle_of_one_colour_hides_no_crown() -> None:
    assert DoubtCode.ON_TILE not in doubted("b2", YELLOW)
