"""Sizes of what is drawn over a photo, in squares: a phone shows names, crowns and frames alike."""

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image, ImageDraw, ImageFont

from kdvision.reading import Colour, Doubt, DoubtCode, ReadDomino
from kdvision.report.overlay import add_legend, draw_overlay
from kdvision.report.palette import (
    BROKEN_COLOUR,
    CASTLE_COLOURS,
    DOUBT_COLOUR,
    PAINTS,
    SURE_COLOUR,
    rgb,
)
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.breaks import BREAKS
from kdvision.rules.terrain import Terrain
from tests.support.results import FULL, PHOTO, read_kingdom

#: Pixels of a square, and of the table on each side of the kingdom.
SIDE = 400
TABLE = 150
#: Left, top, right, bottom; in squares from the top left of the kingdom.
Box = tuple[float, float, float, float]

CROWN = "#ffd447"
DARK = "#101218"
WHITE = "#ffffff"
FOREST = PAINTS[Terrain.FOREST].fill
WHEAT = PAINTS[Terrain.WHEAT].fill


def corners_of(width: float, height: float) -> tuple[tuple[float, float], ...]:
    right, bottom = SIDE + width, SIDE + height
    return ((SIDE, SIDE), (right, SIDE), (right, bottom), (SIDE, bottom))


def drawn(kingdom: KingdomResult, *others: KingdomResult) -> np.ndarray:
    """The picture of a kingdom that lies a square from the top left; others are not drawn."""
    photo = PhotoResult("t.jpg", kingdom.status, kingdoms=(kingdom, *others))
    size = max(kingdom.kingdom.height, kingdom.kingdom.width) + 2
    table = np.full((size * SIDE, size * SIDE, 3), TABLE, np.uint8)
    return draw_overlay(table, photo, 1.0, only=0)


def box_of(picture: np.ndarray, colour: str, area: Box) -> Box:
    """Where in an area a colour is."""
    left, top, right, bottom = (round((1 + value) * SIDE) for value in area)
    part = picture[top:bottom, left:right].astype(int)
    rows, cols = np.nonzero(np.abs(part - rgb(colour)).max(axis=-1) <= 20)
    edges = left + cols.min(), top + rows.min(), left + cols.max() + 1, top + rows.max() + 1
    left_edge, top_edge, right_edge, bottom_edge = (float(edge / SIDE) - 1 for edge in edges)
    return left_edge, top_edge, right_edge, bottom_edge


def text_width(text: str, letters: float) -> float:
    """The width of a text, in squares, by the size of its letters."""
    return ImageFont.load_default(round(letters * SIDE)).getlength(text) / SIDE


def around(x: float, y: float, width: float, height: float) -> Box:
    return (x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def letters_at(x: float, y: float, text: str, letters: float, edge: float = 0.0) -> Box:
    """Where the letters of a text are, whose middle is at (x, y)."""
    font = ImageFont.load_default(round(letters * SIDE))
    blank = Image.new("L", (SIDE, SIDE))
    ImageDraw.Draw(blank).text((0, SIDE // 2), text, 255, font, "lm")
    left, top, right, bottom = (value / SIDE for value in blank.getbbox() or ())
    start = x - text_width(text, letters) / 2
    return (
        start + left - edge,
        y - 0.5 + top - edge,
        start + right + edge,
        y - 0.5 + bottom + edge,
    )


#: A crown is so wide, and there is a gap before it.
CROWN_WIDTH = 0.7 * 0.23
GAP = 0.2 * 0.23
#: The width of a label with W and two crowns; it has room at both ends.
W2_WIDTH = text_width("W", 0.23) + 2 * (GAP + CROWN_WIDTH) + 0.85 * 0.23
FIRST_CROWN = 1.5 + W2_WIDTH / 2 - 0.425 * 0.23 - 2 * CROWN_WIDTH - GAP
POINTS_WIDTH = text_width("2", 0.17) + 0.85 * 0.17
F_WIDTH = text_width("F", 0.23) + 0.85 * 0.23
TOTAL_WIDTH = text_width("4", 0.299) + 0.85 * 0.299

KINGDOM = read_kingdom("C W2 F/L1 L -", corners=corners_of(3 * SIDE, 2 * SIDE))
SURE = drawn(KINGDOM)
FIXES = (((0, 1), "W2"), ((1, 2), "-"))
DOUBTFUL = drawn(replace(KINGDOM, status=Status.DOUBTFUL, fixes=FIXES))


@pytest.mark.parametrize(
    ("colour", "area", "box"),
    [
        # A territory has a band of its colour, and a dark line inside of it.
        (FOREST, (2.0, 0.2, 2.5, 0.25), (2.0, 0.2, 2.05, 0.25)),
        (DARK, (2.0, 0.2, 2.5, 0.25), (2.05, 0.2, 2.066, 0.25)),
        (FOREST, (2.5, 0.2, 3.0, 0.25), (2.95, 0.2, 3.0, 0.25)),
        (FOREST, (2.2, 0.5, 2.25, 1.0), (2.2, 0.95, 2.25, 1.0)),
        # A thin line around the castle, half of it outside.
        ("#868686", (0.1, -0.05, 0.3, -0.002), (0.1, -0.01, 0.3, -0.002)),
        # Labels of squares, of points, and of the total.
        (DARK, (2.1, 0.3, 2.9, 0.7), around(2.5, 0.5, F_WIDTH, 0.2875)),
        (DARK, (1.07, 0.3, 1.93, 0.7), around(1.5, 0.5, W2_WIDTH, 0.2875)),
        (WHEAT, (1.6, 0.053, 1.94, 0.3), around(1.81, 0.16, POINTS_WIDTH, 0.2125)),
        (SURE_COLOUR, (0.1, 0.2, 0.9, 0.8), around(0.5, 0.5, TOTAL_WIDTH, 0.374)),
        # Letters begin where the label has room for them.
        (WHITE, (2.1, 0.3, 2.9, 0.7), letters_at(2.5, 0.5, "F", 0.23)),
        # Crowns stand behind the letter.
        (
            CROWN,
            (1.1, 0.3, 1.9, 0.7),
            (
                FIRST_CROWN,
                0.5 - 0.44 * CROWN_WIDTH,
                FIRST_CROWN + 2 * CROWN_WIDTH + GAP,
                0.5 + 0.42 * CROWN_WIDTH,
            ),
        ),
        # Names of columns and rows, with a dark edge.
        (WHITE, (0.2, -0.5, 0.8, -0.03), letters_at(0.5, -0.22, "a", 0.26)),
        (DARK, (0.2, -0.5, 0.8, -0.03), letters_at(0.5, -0.22, "a", 0.26, 0.025)),
        (WHITE, (-0.5, 1.2, -0.03, 1.8), letters_at(-0.22, 1.5, "2", 0.26)),
    ],
)
def test_sizes_in_a_sure_kingdom(colour: str, area: Box, box: Box) -> None:
    assert box_of(SURE, colour, area) == pytest.approx(box, abs=0.009)


@pytest.mark.parametrize(
    ("area", "box"),
    [
        # A frame inside of the band of its territory.
        ((1.0, 0.8, 1.5, 0.85), (1.05, 0.8, 1.12, 0.85)),
        ((1.5, 0.8, 2.0, 0.85), (1.88, 0.8, 1.95, 0.85)),
        # Dashes along the border of an empty place, and its name.
        ((2.1, 1.0, 2.14, 1.3), (2.1, 1.015, 2.14, 1.085)),
        (
            (2.1, 1.3, 2.9, 1.7),
            around(2.5, 1.5, text_width("c2?", 0.23) + 0.85 * 0.23, 0.2875),
        ),
    ],
)
def test_sizes_of_doubts(area: Box, box: Box) -> None:
    assert box_of(DOUBTFUL, DOUBT_COLOUR, area) == pytest.approx(box, abs=0.009)


def test_side_has_five_dashes() -> None:
    row = DOUBTFUL[round(2.05 * SIDE), 3 * SIDE : 4 * SIDE].astype(int)
    is_dash = np.abs(row - rgb(DOUBT_COLOUR)).max(axis=-1) <= 20
    assert np.count_nonzero(np.diff(is_dash.astype(int)) == 1) + is_dash[0] == 5


@pytest.mark.parametrize(
    ("x", "y", "colour"),
    [
        (3.5, 0.5, "#5a5a5a"),  # the table: 0.6 of the light
        (0.2, 0.2, "#969696"),  # the castle, as it is
        (2.3, 0.2, "#768a7d"),  # forest: 0.27 of its colour
    ],
)
def test_light_of_table_and_squares(x: float, y: float, colour: str) -> None:
    pixel = SURE[round((1 + y) * SIDE), round((1 + x) * SIDE)].astype(int)
    assert np.abs(pixel - rgb(colour)).max() <= 3


@pytest.mark.parametrize(("x", "y", "is_filled"), [(0.98, 0.98, False), (1.98, 1.02, True)])
def test_corner_of_a_territory(x: float, y: float, is_filled: bool) -> None:
    """It is closed where the place across the corner is of another territory."""
    picture = drawn(read_kingdom("W W C/W W W", corners=corners_of(3 * SIDE, 2 * SIDE)))
    pixel = picture[round((1 + y) * SIDE), round((1 + x) * SIDE)].astype(int)
    assert bool(np.abs(pixel - rgb(WHEAT)).max() <= 20) is is_filled


@pytest.mark.parametrize(("x", "top"), [(0.1, 0.32), (0.27, 0.52), (0.5, 0.06), (0.73, 0.52)])
def test_crown_has_three_points(x: float, top: float) -> None:
    at = FIRST_CROWN + x * CROWN_WIDTH
    column = box_of(SURE, CROWN, (at - 0.002, 0.3, at + 0.003, 0.7))
    assert column[1] == pytest.approx(0.5 + (top - 0.5) * CROWN_WIDTH, abs=0.013)


def test_long_label_fits_its_square() -> None:
    """The name of a kingdom, a dot in the colour of its castle, and a total of three digits."""
    kingdom = read_kingdom(FULL, corners=corners_of(5 * SIDE, 5 * SIDE))
    picture = drawn(replace(kingdom, colour=Colour.PINK), KINGDOM)
    left, top, right, bottom = box_of(picture, SURE_COLOUR, (2.0, 2.1, 3.0, 2.9))
    assert (left, right) == pytest.approx((2.05, 2.95), abs=0.009)
    dot = box_of(picture, CASTLE_COLOURS[Colour.PINK], (2.0, 2.1, 3.0, 2.9))
    letters = (bottom - top) / 1.25
    assert dot[3] - dot[1] == pytest.approx(0.84 * 0.7 * letters, abs=0.009)
    assert (dot[1] + dot[3]) / 2 == pytest.approx(2.5, abs=0.005)


@pytest.mark.parametrize("size", [(3 * SIDE, 1.5 * SIDE), (2.25 * SIDE, 2 * SIDE)])
def test_flat_squares_have_smaller_labels(size: tuple[float, float]) -> None:
    """Three quarters of the size, where one side of a square is so long."""
    across, down = size[0] / 3 / SIDE, size[1] / 2 / SIDE
    picture = drawn(replace(KINGDOM, corners=corners_of(*size)))
    box = box_of(picture, DARK, (2.15 * across, 0.25 * down, 2.85 * across, 0.75 * down))
    assert box[3] - box[1] == pytest.approx(0.75 * 0.2875, abs=0.009)


@pytest.mark.parametrize(("left", "is_named"), [(40, True), (0, False)])
def test_labels_outside_of_the_picture_stay_there(left: int, is_named: bool) -> None:
    """Names of rows move to the border, and no farther than their own size."""
    corners = tuple((x - SIDE + left, y) for x, y in corners_of(3 * SIDE, 2 * SIDE))
    picture = drawn(replace(KINGDOM, corners=corners))
    border = picture[SIDE : 2 * SIDE, : SIDE // 4].astype(int)
    white = np.abs(border - rgb(WHITE)).max(axis=-1) <= 20
    assert bool(white.any()) is is_named
    far = picture[:, 4 * SIDE :].astype(int)
    assert np.abs(far - rgb(WHITE)).max(axis=-1).min() > 20, "nothing is written elsewhere"


@pytest.mark.parametrize(
    ("at", "moved", "area", "is_named"),
    [
        ((0, 3), (300, 0), (3.45, 0.3, 4.0, 0.7), True),
        ((0, 3), (380, 0), (3.65, 0.3, 4.0, 0.7), False),
        ((2, 0), (0, 600), (0.2, 3.7, 0.8, 4.0), True),
        ((2, 0), (0, 700), (0.2, 3.7, 0.8, 4.0), False),
    ],
)
def test_names_of_places_move_inside(
    at: tuple[int, int], moved: tuple[int, int], area: Box, is_named: bool
) -> None:
    corners = tuple((x + moved[0], y + moved[1]) for x, y in corners_of(3 * SIDE, 2 * SIDE))
    fixes = ((at, "W"),)
    kingdom = replace(KINGDOM, status=Status.DOUBTFUL, corners=corners, fixes=fixes)
    left, top, right, bottom = (round((1 + value) * SIDE) for value in area)
    part = drawn(kingdom)[top:bottom, left:right].astype(int)
    white = np.abs(part - rgb(WHITE)).max(axis=-1) <= 20
    assert bool(white.any()) is is_named


# ---------------------------------------------------------------------- the legend

WHEAT_ONLY = replace(PHOTO, kingdoms=(read_kingdom("C W1"),))


@pytest.mark.parametrize(
    ("width", "height", "letters"),
    [(1100, 200, 20), (800, 1100, 20), (2200, 200, 40), (440, 60, 10)],
)
def test_sizes_of_the_legend(width: int, height: int, letters: int) -> None:
    """The longer side is 55 letters, and letters have 10 pixels at least."""
    table = np.full((height, width, 3), TABLE, np.uint8)
    strip = add_legend(table, WHEAT_ONLY)[height:]
    assert len(strip) == round(1.6 * 1.6 * letters)
    font = ImageFont.load_default(letters)
    rows, cols = np.nonzero(np.abs(strip.astype(int) - rgb(SURE_COLOUR)).max(axis=-1) <= 20)
    assert cols.min() == pytest.approx(letters, abs=1)
    total = font.getlength("1") + 0.85 * letters
    assert cols.max() + 1 == pytest.approx(letters + total, abs=1.5)
    assert (rows.min() + rows.max() + 1) / 2 == pytest.approx(0.8 * 1.6 * letters, abs=1)
    assert rows.max() + 1 - rows.min() == pytest.approx(1.25 * letters, abs=2)
    # Then `sure` and the wheat, with gaps between.
    _, cols = np.nonzero(np.abs(strip.astype(int) - rgb(WHEAT)).max(axis=-1) <= 20)
    sure = font.getlength("sure") + 0.85 * letters
    start = letters + total + sure + 2 * 0.3 * letters
    assert cols.min() == pytest.approx(start, abs=1.5)


def lines_of_legend(photo: PhotoResult) -> int:
    """How many lines it has, of 40 pixels a letter."""
    table = np.zeros((200, 2200, 3), np.uint8)
    return round((len(add_legend(table, photo)) - 200) / (1.6 * 40) - 0.6)


(WHOLE,) = WHEAT_ONLY.kingdoms
BREAK = ReadDomino(((0, 0), (0, 1)), (1,), 1.0, BREAKS.named_from)
BROKEN = replace(WHOLE, dominoes=(BREAK,))
LEFT_OUT = Doubt(DoubtCode.TILES_LEFT_OUT, fields={"number": 4, "where": "where.top"})


@pytest.mark.parametrize(
    ("kingdoms", "left_out", "lines"),
    [
        ((WHOLE,), (), 1),
        ((WHOLE, WHOLE, WHOLE), (), 3),
        # What red marks mean stands once, whichever kingdom has them.
        ((BROKEN,), (), 2),
        ((WHOLE, BROKEN), (), 3),
        ((BROKEN, BROKEN), (), 3),
        # So does what was left out.
        ((WHOLE, WHOLE), (LEFT_OUT,), 3),
    ],
)
def test_legend_has_a_line_for_each_thing(
    kingdoms: tuple[KingdomResult, ...], left_out: tuple[Doubt, ...], lines: int
) -> None:
    assert lines_of_legend(replace(WHEAT_ONLY, kingdoms=kingdoms, left_out=left_out)) == lines


def test_legend_shows_the_mark_of_broken_rules() -> None:
    table = np.zeros((200, 2200, 3), np.uint8)
    strip = add_legend(table, replace(WHEAT_ONLY, kingdoms=(BROKEN,)))[200:].astype(int)
    rows, cols = np.nonzero(np.abs(strip - rgb(BROKEN_COLOUR)).max(axis=-1) <= 20)
    width = ImageFont.load_default(40).getlength("!") + 0.85 * 40
    assert (cols.min() + cols.max() + 1) / 2 == pytest.approx(40 + width / 2, abs=1)
    assert (rows.min() + rows.max() + 1) / 2 == pytest.approx(1.8 * 1.6 * 40, abs=1)
