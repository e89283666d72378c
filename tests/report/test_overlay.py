"""The picture drawn over a photo."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from kdvision.report import overlay
from kdvision.report.overlay import draw_overlay
from kdvision.report.palette import DOUBT_COLOUR, TERRAIN_PAINTS, rgb
from kdvision.rules.terrain import Terrain
from tests.support.results import (
    DOUBTFUL,
    DOUBTFUL_PHOTO,
    EXAMPLE,
    FULL,
    NOTHING,
    PHOTO,
    TWO_KINGDOMS,
    read_kingdom,
)

TABLE = 150


def table(width: int = 800, height: int = 600) -> np.ndarray:
    return np.full((height, width, 3), TABLE, np.uint8)


def square_center(result, row: int, col: int) -> tuple[int, int]:
    """(x, y) of the middle of a square, by the homography of the corners."""
    kingdom = result.sheet.kingdom
    box = np.float32([[0, 0], [kingdom.width, 0], [kingdom.width, kingdom.height],
                      [0, kingdom.height]])  # fmt: skip
    place = cv2.getPerspectiveTransform(box, np.float32(result.corners))
    point = cv2.perspectiveTransform(np.float32([[[col + 0.5, row + 0.5]]]), place)[0, 0]
    return round(float(point[0])), round(float(point[1]))


def near(color: np.ndarray, wanted: str, tolerance: int = 40) -> bool:
    return bool(np.abs(color.astype(int) - rgb(wanted)).max() <= tolerance)


def has_color(picture: np.ndarray, center: tuple[int, int], wanted: str, reach: int = 45) -> bool:
    x, y = center
    part = picture[max(y - reach, 0) : y + reach, max(x - reach, 0) : x + reach].reshape(-1, 3)
    return sum(near(color, wanted, 20) for color in part) >= 10


def test_the_picture_keeps_its_size_and_the_photo_its_pixels():
    photo = table()
    drawn = draw_overlay(photo, PHOTO, 1.0)
    assert drawn.shape == photo.shape
    assert drawn.dtype == np.uint8
    assert (photo == TABLE).all()


def test_territories_are_outlined_in_the_colour_of_their_terrain():
    drawn = draw_overlay(table(), PHOTO, 1.0)
    kingdom = PHOTO.kingdoms[0]
    for (row, col), square in kingdom.sheet.kingdom.squares().items():
        fill = TERRAIN_PAINTS[square.terrain].fill
        assert has_color(drawn, square_center(kingdom, row, col), fill, 50), (row, col)


def test_squares_are_tinted_and_the_table_is_darkened():
    drawn = draw_overlay(table(), PHOTO, 1.0)
    assert drawn[590, 790].max() < TABLE * 0.6
    wheat = TERRAIN_PAINTS[Terrain.WHEAT].fill
    x, y = square_center(PHOTO.kingdoms[0], 1, 0)
    tinted = drawn[y - 30, x - 20].astype(int)
    assert tinted[0] > TABLE > tinted[2]  # towards the yellow of wheat
    assert not near(drawn[y - 30, x - 20], wheat)


def test_crowns_are_drawn_on_the_squares_that_have_them():
    drawn = draw_overlay(table(), PHOTO, 1.0)
    kingdom = PHOTO.kingdoms[0]
    for at, square in kingdom.sheet.kingdom.squares().items():
        if square.terrain is not Terrain.WHEAT:  # which is as yellow as a crown
            center = square_center(kingdom, *at)
            assert has_color(drawn, center, "#ffd447", 25) == (square.crowns > 0), at


def test_only_doubtful_squares_are_marked():
    drawn = draw_overlay(table(), DOUBTFUL_PHOTO, 1.0)
    marked = {
        at
        for at, _ in DOUBTFUL.sheet.kingdom.cells()
        if has_color(drawn, square_center(DOUBTFUL, *at), DOUBT_COLOUR, 30)
    }
    assert marked == {(2, 1), (2, 3), (3, 3), (4, 0)}
    sure = draw_overlay(table(), PHOTO, 1.0)
    assert not any(near(color, DOUBT_COLOUR, 20) for color in sure.reshape(-1, 3)[::7])


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0, 4.0])
def test_the_drawing_lies_right_at_every_scale(scale):
    size = round(800 / scale), round(600 / scale)
    drawn = draw_overlay(table(*size), PHOTO, scale)
    assert drawn.shape == (size[1], size[0], 3)
    x, y = (value / scale for value in square_center(PHOTO.kingdoms[0], 2, 2))
    fill = TERRAIN_PAINTS[Terrain.LAKE].fill
    lake = drawn[round(y) - 1 : round(y) + 2, round(x - 22 / scale)].mean(axis=0)
    assert lake[2] > lake[0] + 15, fill


def test_empty_places_are_left_clear():
    drawn = draw_overlay(table(), PHOTO, 1.0)
    x, y = square_center(PHOTO.kingdoms[0], 1, 4)
    spread = np.ptp(drawn[y - 15 : y + 15, x - 15 : x + 15].astype(int), axis=(0, 1))
    assert spread.max() <= 60


def test_every_kingdom_has_its_badge_beside_it():
    drawn = draw_overlay(table(), TWO_KINGDOMS, 1.0)
    plain = draw_overlay(table(), replace(TWO_KINGDOMS, kingdoms=TWO_KINGDOMS.kingdoms[:1]), 1.0)
    assert (drawn != plain).any()
    green = (np.abs(drawn.astype(int) - rgb("#1d7a46")).max(axis=2) < 12).sum()
    red = (np.abs(drawn.astype(int) - rgb(DOUBT_COLOUR)).max(axis=2) < 12).sum()
    assert green > 300
    assert red > 1000


@pytest.mark.parametrize(
    "corners",
    [
        ((0.0, 0.0), (800.0, 0.0), (800.0, 600.0), (0.0, 600.0)),  # fills the photo
        ((-300.0, -200.0), (500.0, -250.0), (450.0, 300.0), (-350.0, 350.0)),  # reaches out of it
        ((400.0, 300.0), (403.0, 300.0), (403.0, 303.0), (400.0, 303.0)),  # tiny
        ((600.0, 560.0), (100.0, 540.0), (120.0, 80.0), (620.0, 95.0)),  # upside down
    ],
)
def test_kingdoms_anywhere_can_be_drawn(corners):
    result = replace(PHOTO, kingdoms=(read_kingdom(corners=corners),))
    assert draw_overlay(table(), result, 1.0).shape == (600, 800, 3)


@pytest.mark.parametrize("size", [(1, 1), (7, 5), (40, 3)])
def test_tiny_photos_can_be_drawn_on(size):
    assert draw_overlay(table(*size), PHOTO, 800 / size[0]).shape == (size[1], size[0], 3)


def test_without_a_kingdom_the_photo_stays():
    assert (draw_overlay(table(), NOTHING, 1.0) == TABLE).all()
    typed = replace(PHOTO, kingdoms=(read_kingdom(corners=()),))
    assert (draw_overlay(table(), typed, 1.0) == TABLE).all()


#: Corners of a kingdom of 5 x 5 squares of 80 pixels, with two squares around it.
EVEN = ((160.0, 160.0), (560.0, 160.0), (560.0, 560.0), (160.0, 560.0))


def test_a_square_that_the_deck_changed_says_what_it_looked_like():
    seen = EXAMPLE.replace("S L1 L F -", "S L2 L F -", 1)
    plain, told = (
        draw_overlay(table(720, 720), replace(PHOTO, kingdoms=(kingdom,)), 1.0)
        for kingdom in (read_kingdom(corners=EVEN), read_kingdom(seen=seen, corners=EVEN))
    )
    rows, cols = np.nonzero((plain != told).any(axis=2))
    # All of it on b3, below the label in its middle.
    assert 160 + (2 + 0.5) * 80 < rows.min() < rows.max() < 160 + (2 + 1) * 80
    assert 160 + 1 * 80 <= cols.min() < cols.max() <= 160 + (1 + 1) * 80


def test_every_territory_shows_its_points():
    """The chip of a territory's points lies in the top right corner of its first square."""
    corners = ((120.0, 120.0), (480.0, 120.0), (480.0, 360.0), (120.0, 360.0))
    result = read_kingdom("C F1 F/W W G", corners=corners)
    labels = placed(corners, line=str(result.kingdom)).labels
    found = [(one.parts[0], round(one.x), round(one.y)) for one in labels if one.kind == "points"]
    first = [(territory.points, *territory.cells[0]) for territory in result.sheet.territories]
    assert sorted(found) == sorted(
        (str(points), round(120 * (1.81 + col)), round(120 * (1.16 + row)))
        for points, row, col in first
    )


@pytest.mark.parametrize("corners", [((0, 0), (600, 0), (600, 600), (0, 600)),
                                     ((100, 100), (500, 100), (500, 500), (100, 500))])  # fmt: skip
def test_letters_of_a_tight_photo_stay_on_it(corners):
    """Five letters and five numbers, white with a dark edge, wherever the kingdom lies."""
    photo = replace(PHOTO, kingdoms=(read_kingdom(FULL, corners=corners),), size=(600, 600))
    drawn = draw_overlay(table(600, 600), photo, 1.0)
    tight = corners[0] == (0, 0)
    side = (corners[1][0] - corners[0][0]) / 5
    for index in range(5):
        for letter in (True, False):
            along, across = (index + (0.16 if tight else 0.5)), (0.16 if tight else -0.22)
            if not letter and tight:
                along = index + 0.84
            x, y = (along, across) if letter else (across, along)
            center = round(corners[0][0] + x * side), round(corners[0][1] + y * side)
            assert has_color(drawn, center, "#ffffff", round(side * 0.2)), (index, letter)


def test_the_badge_of_a_tight_photo_stays_on_it():
    corners = ((0, 0), (200, 0), (200, 200), (0, 200))
    photo = replace(PHOTO, kingdoms=(read_kingdom(FULL, corners=corners),), size=(200, 200))
    drawn = draw_overlay(table(200, 200), photo, 1.0)
    green = np.abs(drawn.astype(int) - rgb("#1d7a46")).max(axis=2) < 12
    rows, cols = np.nonzero(green)
    assert rows.max() - rows.min() >= 10
    assert cols.max() - cols.min() >= 20


FIT = (
    ("above", ((150, 150), (450, 150), (450, 450), (150, 450)), -1, -1),
    ("below, as the top is tight", ((150, 0), (450, 0), (450, 300), (150, 300)), 5, -1),
    ("right, as the left is tight", ((0, 150), (300, 150), (300, 450), (0, 450)), -1, 5),
    ("inside", ((0, 0), (600, 0), (600, 600), (0, 600)), 0, 0),
    ("further inside", ((0, -150), (600, -150), (600, 600), (0, 600)), 1, 0),
)


def placed(corners, shape=(600, 600, 3), line=FULL) -> overlay._Placed:
    return overlay._Placed.of(read_kingdom(line, corners=corners), "", overlay._View(1.0), shape)


def names(found: overlay._Placed) -> dict[str, tuple[float, float]]:
    """Where letters and numbers stand, in squares of an upright kingdom."""
    (left, top), _, (right, bottom), _ = found.corners
    across, down = (right - left) / 5, (bottom - top) / 5
    return {
        one.parts[0]: (round((one.x - left) / across, 2), round((one.y - top) / down, 2))
        for one in found.labels
        if one.kind == "name"
    }


@pytest.mark.parametrize(("corners", "letters", "numbers"), [one[1:] for one in FIT])
def test_letters_stand_outside_where_there_is_room(corners, letters, numbers):
    found = names(placed(corners))
    lines = {-1: -0.22, 5: 5.22} | {line: line + 0.16 for line in range(5)}
    assert {found[letter][1] for letter in "abcde"} == {lines[letters]}
    shown = "12345" if corners[0][1] >= 0 else "2345"
    assert {found[number][0] for number in shown} == {lines[numbers]}
    assert found.keys() == {*"abcde", *shown}


#: Corners of kingdoms of which the photo shows a part, and of one that fills it, leaning.
CUT = (
    ((-150, 60), (450, 60), (450, 540), (-150, 540)),
    ((60, -200), (540, -200), (540, 400), (60, 400)),
    ((-70, -50), (700, 20), (640, 680), (-30, 620)),
    ((-40, -40), (640, -40), (640, 640), (-40, 640)),
    ((300, 300), (900, 300), (900, 900), (300, 900)),
    ((120, -60), (660, 180), (420, 700), (-130, 450)),
)


@pytest.mark.parametrize("corners", CUT)
def test_no_label_leaves_the_photo_or_lies_over_another(corners):
    found = placed(corners)
    boxes = [one.box for one in found.labels]
    assert np.min(boxes) >= 0
    assert np.max(boxes) <= 600
    for index, one in enumerate(found.labels):
        for other in found.labels[:index]:
            apart = np.abs([one.x - other.x, one.y - other.y]) * 2
            assert (
                apart >= (one.width + other.width - 1e-9, one.height + other.height - 1e-9)
            ).any()


@pytest.mark.parametrize(("cut", "lost"), [(0.4, set()), (0.6, set()), (1.05, set("e"))])
def test_a_row_or_column_has_its_name_as_long_as_it_can_be_seen(cut, lost):
    """The right side of the kingdom lies outside by a part of a square."""
    side = 100
    right = 600 + cut * side
    found = placed(((right - 5 * side, 40), (right, 40), (right, 540), (right - 5 * side, 540)))
    assert set("abcde12345") - names(found).keys() == lost
    left = found.corners[0][0]
    chips = [int((one.x - left) / side) for one in found.labels if one.kind == "chip"]
    assert (4 in chips) is (cut < 0.8)


def green_box(drawn: np.ndarray) -> tuple[slice, slice]:
    """Where the badge of a sure total lies."""
    rows, cols = np.nonzero(np.abs(drawn.astype(int) - rgb("#1d7a46")).max(axis=2) < 6)
    return np.s_[rows.min() : rows.max() + 1, cols.min() : cols.max() + 1]


@pytest.mark.parametrize(
    ("side", "corners"),
    [
        *(
            (side, ((low, low), (side - low, low), (side - low, side - low), (low, side - low)))
            for side in (300, 600, 1600)
            for low in (0, side * 0.1, side * 0.25)
        ),
        *((600, corners) for corners in CUT),
    ],
)  # fmt: skip
def test_the_total_never_hides_a_label(side, corners):
    result = replace(PHOTO, kingdoms=(read_kingdom(FULL, corners=corners),), size=(side, side))
    drawn = draw_overlay(table(side, side), result, 1.0)
    labels = np.zeros(drawn.shape[:2], np.uint8)
    for label in placed(corners, drawn.shape).labels:
        left, top, right, bottom = map(round, label.box)
        labels[top:bottom, left:right] = 1
    assert not labels[green_box(drawn)].any()


def test_the_picture_says_in_words_why_a_total_is_doubtful():
    assert overlay.caption(PHOTO) == ""
    assert overlay.caption(DOUBTFUL_PHOTO) == DOUBTFUL_PHOTO.message
    silent = draw_overlay(table(), replace(DOUBTFUL_PHOTO, reasons=()), 1.0)
    drawn = draw_overlay(table(), DOUBTFUL_PHOTO, 1.0)
    rows, cols = np.nonzero((drawn != silent).any(axis=2))
    assert np.ptp(cols) > 700
    assert 10 <= np.ptp(rows) <= 60
