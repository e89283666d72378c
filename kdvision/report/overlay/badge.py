"""Small things that are drawn: crowns and badges. All smooth, all in units of a square."""

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from msgspec import Struct
from PIL import Image, ImageDraw, ImageFont

#: Shapes are drawn this many times larger and made smaller, so that edges are smooth.
SMOOTH = 3

Point = tuple[float, float]

#: Crowns on dark ground.
CROWN_FILL = "#ffd447"

#: A crown in a box from (0, 0) to (1, 1).
_CROWN: Sequence[Point] = (
    (0.06, 0.92), (0.0, 0.24), (0.27, 0.52), (0.5, 0.06), (0.73, 0.52), (1.0, 0.24), (0.94, 0.92)
)  # fmt: skip


class Badge(Struct, frozen=True):
    """What the badge of a kingdom says: `name` before, `total` large, `below` under it.

    `fill` is `#rrggbb`; `square` the side of a square in pixels, which the badge goes by.
    """

    name: str
    total: str
    below: str
    fill: str
    square: float


Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont


@cache
def font(size: int) -> Font:
    """The font that Pillow brings along, in pixels."""
    return ImageFont.load_default(max(size, 6))


def draw_crown(draw: ImageDraw.ImageDraw, box: tuple[float, float, float], color: str) -> None:
    """A crown with its top left corner at (x, y) and a width: `box` is (x, y, width)."""
    x, y, side = box
    draw.polygon([(x + side * px, y + side * py) for px, py in _CROWN], fill=color)
    radius = side * 0.09
    for at_x, at_y in ((0.0, 0.2), (0.5, 0.02), (1.0, 0.2)):
        middle_x, middle_y = x + at_x * side, y + at_y * side
        corners = (middle_x - radius, middle_y - radius, middle_x + radius, middle_y + radius)
        draw.ellipse(corners, fill=color)


def paint_badge(badge: Badge) -> Image.Image:
    """The badge as an RGBA image."""
    unit = badge.square * SMOOTH
    large, small = font(round(unit * 0.62)), font(round(unit * 0.3))
    name = f"{badge.name} " if badge.name else ""
    name_width, total_width = small.getlength(name), large.getlength(badge.total)
    below_width = small.getlength(badge.below)
    crown = unit * 0.42
    line = crown + unit * 0.16 + name_width + total_width
    width = round(max(line, below_width) + unit * 0.56)
    height = round(unit * (1.24 if badge.below else 0.94))
    image = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    edge = unit * 0.045
    draw.rounded_rectangle(
        (edge / 2, edge / 2, width - edge / 2 - 1, height - edge / 2 - 1),
        radius=unit * 0.26,
        fill=badge.fill,
        outline="#ffffff",
        width=max(round(edge), 1),
    )
    x, middle = (width - line) / 2, unit * 0.47
    draw_crown(draw, (x, middle - crown * 0.5, crown), CROWN_FILL)
    x += crown + unit * 0.16
    for place, text, letters, anchor, weight in (
        ((x, middle), name, small, "lm", 0.007),
        ((x + name_width, middle), badge.total, large, "lm", 0.014),
        ((width / 2, unit * 0.97), badge.below, small, "mm", 0.007),
    ):
        bold = round(unit * weight)
        draw.text(place, text, font=letters, fill="#ffffff", anchor=anchor, stroke_width=bold)
    return image.reduce(SMOOTH)
