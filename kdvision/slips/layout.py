"""Where everything lies on a printed slip, for the page that prints it and the reader.

Lengths are in millimetres, points are (x, y) from the top left corner of the slip.
"""

from kdvision.rules.scoring import BONUS_CODES

Point = tuple[float, float]

#: Width and height of a slip.
SIZE = (96.0, 64.0)
#: The code: its left and upper end, and its side without the quiet zone.
CODE_AT, CODE_SIDE = (9.0, 22.0), 30.0
#: Black squares in the corners of the slip, clockwise from the top left, by their middles.
CORNER_MARKS: tuple[Point, ...] = ((5.0, 5.0), (91.0, 5.0), (91.0, 59.0), (5.0, 59.0))
CORNER_MARK_SIDE = 4.0
#: The printed ring of a bubble: radius of the middle of its line, and the width of the line.
RING_RADIUS, RING_LINE = 1.8, 0.3
#: The columns of the total: the middle of each, its first bubble, and the step to the next.
PLACES: dict[str, float] = {"hundreds": 66.0, "tens": 75.0, "units": 84.0}
FIRST_DIGIT_Y, DIGIT_STEP = 17.0, 4.6
#: The boxes to write a digit in: upper end, width and height.
BOX_TOP, BOX_WIDTH, BOX_HEIGHT = 4.6, 7.0, 8.4
#: The bubbles of the bonuses in play, one below the other.
BONUSES: dict[str, Point] = {code: (46.0, 27.0 + 9 * row) for row, code in enumerate(BONUS_CODES)}

#: Every bubble by its place and digit; a bonus has the digit 1.
BUBBLES: dict[tuple[str, int], Point] = {
    **{
        (place, digit): (x, FIRST_DIGIT_Y + DIGIT_STEP * digit)
        for place, x in PLACES.items()
        for digit in range(10)
    },
    **{(bonus, 1): at for bonus, at in BONUSES.items()},
}


def rectangle(left: float, top: float, width: float, height: float) -> tuple[Point, ...]:
    """The corners of a rectangle, clockwise from the top left."""
    right, bottom = left + width, top + height
    return (left, top), (right, top), (right, bottom), (left, bottom)


CODE_CORNERS = rectangle(*CODE_AT, CODE_SIDE, CODE_SIDE)
SLIP_CORNERS = rectangle(0.0, 0.0, *SIZE)
