"""The picture drawn over a photo, and the legend below it."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from kdvision.photo.photo import open_photo
from kdvision.reading import Colour, ReadDomino
from kdvision.report.overlay import add_legend, draw_overlay, encode_overlay
from kdvision.report.palette import (
    BROKEN_COLOUR,
    CASTLE_COLOURS,
    DOUBT_COLOUR,
    PAINTS,
    SURE_COLOUR,
    rgb,
)
from kdvision.rules.breaks import BREAKS
from kdvision.rules.terrain import Terrain
from tests.support.paths import SAMPLES
from tests.support.results import (
    DOUBTFUL,
    DOUBTFUL_PHOTO,
    FULL,
    NOTHING,
    PHOTO,
    TWO_KINGDOMS,
    read_kingdom,
)

TABLE = 150
#: Corners of a kingdom of 5 x 5 squares of 80 pixels, with two squares around it.
EVEN = ((160.0, 160.0), (560.0, 160.0), (560.0, 560.0), (160.0, 560.0))


def table(width: int = 800, height: int = 600) -> np.ndarray:
    return np.full((height, width, 3), TABLE, np.uint8)


def square_center(result, row: int, col: int) -> tuple[int, int]:
    """(x, y) of the middle of a square, by the homography of the corners."""
    width, height = result.kingdom.width, result.kingdom.height
    box = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    place = cv2.getPerspectiveTransform(box, np.array(result.corners, np.float32))
    point = cv2.perspectiveTransform(np.array([[[col + 0.5, row + 0.5]]], np.float32), place)[0, 0]
    return round(float(point[0])), round(float(point[1]))


def pixels_of(part: np.ndarray, colour: str, tolerance: int = 20) -> int:
    """How many pixels have a colour."""
    return int((np.abs(part.astype(int) - rgb(colour)).max(axis=-1) <= tolerance).sum())


def around(picture: np.ndarray, center: tuple[int, int], reach: int) -> np.ndarray:
    x, y = center
    return picture[max(y - reach, 0) : y + reach, max(x - reach, 0) : x + reach]


def test_overlay_keeps_size_and_photo():
    photo = table()
    drawn = draw_overlay(photo, PHOTO, 1.0)
    assert drawn.shape == photo.shape
    assert drawn.dtype == np.uint8
    assert (photo == TABLE).all()
    assert drawn[590, 790].max() < TABLE * 0.65  # the table is darkened


def test_squares_show_terrain_and_crowns():
    drawn, kingdom = draw_overlay(table(), PHOTO, 1.0), PHOTO.kingdoms[0]
    for at, square in kingdom.kingdom.squares().items():
        center = square_center(kingdom, *at)
        assert pixels_of(around(drawn, center, 50), PAINTS[square.terrain].fill) >= 10, at
        if square.terrain is not Terrain.WHEAT:  # which is as yellow as a crown
            has_crown = pixels_of(around(drawn, center, 25), "#ffd447") >= 10
            assert has_crown == (square.crowns > 0), at


def test_rows_and_columns_are_named():
    """Also where there is hardly room for them beside the kingdom."""
    for left in (160, 16):
        corners = tuple((x - 160 + left, y - 160 + left) for x, y in EVEN)
        result = replace(PHOTO, kingdoms=(read_kingdom(corners=corners),))
        drawn = draw_overlay(table(720, 720), result, 1.0)
        beside, above = drawn[:, :left], drawn[:left].swapaxes(0, 1)
        for strip in (beside, above):
            for start in range(left, left + 400, 80):
                white = [pixels_of(line, "#ffffff") for line in strip[start : start + 80]]
                assert np.average(range(80), weights=white) == pytest.approx(40, abs=7)
                assert pixels_of(strip[start - 12 : start + 12], "#ffffff") == 0


def test_names_at_the_edge_keep_their_outline():
    corners = tuple((x / 4 - 36, y / 4 - 36) for x, y in EVEN)
    result = replace(PHOTO, kingdoms=(read_kingdom(corners=corners),))
    drawn = draw_overlay(table(200, 200), result, 1.0)
    for edge in (drawn[:2], drawn[:, :2]):
        assert pixels_of(edge, "#101218") > 10


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0, 4.0])
def test_drawing_lies_right_at_every_scale(scale):
    size = round(800 / scale), round(600 / scale)
    drawn = draw_overlay(table(*size), PHOTO, scale)
    x, y = (value / scale for value in square_center(PHOTO.kingdoms[0], 2, 2))
    lake = drawn[round(y) - 1 : round(y) + 2, round(x - 26 / scale)].mean(axis=0)
    assert lake[2] > lake[0] + 15


def test_doubtful_places_are_framed():
    squares = (((2, 1), "L1"), ((1, 3), "-"), ((-1, 0), "W"))
    kingdom = replace(DOUBTFUL, fixes=squares, corners=EVEN)
    drawn = draw_overlay(table(720, 720), replace(DOUBTFUL_PHOTO, kingdoms=(kingdom,)), 1.0)
    marked = {
        (row, col): pixels_of(around(drawn, square_center(kingdom, row, col), 39), DOUBT_COLOUR)
        for row in range(-1, 6)
        for col in range(-1, 6)
    }
    castle = (0, 0)  # the badge with the total has that colour
    assert {at for at, count in marked.items() if count > 300} - {castle} == dict(squares).keys()
    assert marked[-1, 0] > marked[2, 1] / 3  # dashes, and the name of the place
    sure = draw_overlay(table(), PHOTO, 1.0)
    assert pixels_of(sure, DOUBT_COLOUR) == 0


@pytest.mark.parametrize(
    ("kingdom", "colour"),
    [
        (read_kingdom(corners=EVEN), SURE_COLOUR),
        (replace(DOUBTFUL, corners=EVEN), DOUBT_COLOUR),
        (replace(read_kingdom(corners=EVEN), colour=Colour.PINK), CASTLE_COLOURS[Colour.PINK]),
    ],
)
def test_castle_carries_total_and_colour(kingdom, colour):
    drawn = draw_overlay(table(720, 720), replace(PHOTO, kingdoms=(kingdom,)), 1.0)
    assert pixels_of(around(drawn, square_center(kingdom, 0, 0), 40), colour, 12) > 40


#: Pixels from where few words fit on a line of the legend to where all do.
NARROW = range(244, 600, 24)


@pytest.mark.parametrize("size", [(1, 1), (7, 5), (40, 3)])
def test_tiny_photos_can_be_drawn_on(size):
    drawn = draw_overlay(table(*size), PHOTO, 800 / size[0])
    assert drawn.shape == (size[1], size[0], 3)
    assert add_legend(drawn, PHOTO).shape[1] == size[0]


def test_without_a_kingdom_the_photo_stays():
    assert (draw_overlay(table(), NOTHING, 1.0) == TABLE).all()
    assert (add_legend(table(), NOTHING) == TABLE).all()
    typed = replace(PHOTO, kingdoms=(read_kingdom(corners=()),))
    assert (draw_overlay(table(), typed, 1.0) == TABLE).all()


@pytest.mark.parametrize(
    ("broken", "is_marked"), [(BREAKS.named_from - 0.01, False), (BREAKS.named_from, True)]
)
def test_broken_rule_is_marked_on_its_seam(broken, is_marked):
    domino = ReadDomino(((1, 0), (1, 1)), (1,), 1.0, broken)
    kingdom = replace(read_kingdom(corners=EVEN), dominoes=(domino,))
    drawn = draw_overlay(table(720, 720), replace(PHOTO, kingdoms=(kingdom,)), 1.0)
    assert (pixels_of(around(drawn, (240, 280), 10), BROKEN_COLOUR) > 10) is is_marked


@pytest.mark.parametrize(
    ("photo", "totals"), [(PHOTO, "sure"), (DOUBTFUL_PHOTO, "doubtful"), (TWO_KINGDOMS, "both")]
)
def test_legend_has_totals_territories_and_doubts(photo, totals):
    strip = add_legend(table(), photo)[600:]
    assert (pixels_of(strip, SURE_COLOUR) > 50) is (totals in ("sure", "both"))
    assert (pixels_of(strip, DOUBT_COLOUR) > 50) is (totals in ("doubtful", "both"))
    terrains = {part.terrain for kingdom in photo.kingdoms for part in kingdom.territories}
    shown = {name for name in terrains if pixels_of(strip, PAINTS[name].fill, 8) > 50}
    worthless = {Terrain.SWAMP} if photo is TWO_KINGDOMS else {Terrain.SWAMP, Terrain.FOREST}
    assert shown == terrains - worthless


def test_legend_fits_the_picture():
    for width in NARROW:
        for photo in (PHOTO, DOUBTFUL_PHOTO, TWO_KINGDOMS):
            strip = add_legend(table(width), photo)[600:]
            assert (strip[:, -8:] == strip[0, 0]).all(), width


def test_legend_lists_bonuses_in_play():
    played, unplayed = (
        add_legend(table(3000), replace(PHOTO, kingdoms=(read_kingdom(FULL, harmony=harmony),)))
        for harmony in (True, False)
    )
    white = pixels_of(played[600:], "#ffffff") - pixels_of(unplayed[600:], "#ffffff")
    assert white > 500


def test_legend_speaks_german():
    english, german = (add_legend(table(), PHOTO, language)[600:] for language in ("en", "de"))
    assert english.shape != german.shape or (english != german).any()


def test_overlay_is_a_picture_file():
    photo = open_photo(SAMPLES / "four_kingdoms.jpg")
    for kind, start in ((".jpg", b"\xff\xd8"), (".png", b"\x89PNG"), (".webp", b"RIFF")):
        data = encode_overlay(photo, PHOTO, kind)
        assert data.startswith(start)
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape[1] == 1600
    assert picture.shape[0] > 1200


@pytest.mark.parametrize(("read_at", "width"), [(500, 1000), (2000, 2000), (4000, 2000)])
def test_overlay_is_as_fine_as_the_photo_was_read(read_at, width):
    """It has 1000 pixels where names must be read, and never more than a size above 1600 takes."""
    data = cv2.imencode(".jpg", table(4000, 3000))[1].tobytes()
    photo = open_photo(data)
    photo.pixels(read_at)
    drawn = cv2.imdecode(np.frombuffer(encode_overlay(photo, PHOTO), np.uint8), cv2.IMREAD_COLOR)
    assert drawn is not None
    assert drawn.shape[1] == width
