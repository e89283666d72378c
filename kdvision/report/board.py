"""What is painted flat: the board that is laid over a photo, and the badge of its total.

The board has tints, outlines, letters and crowns per square; all is smooth, in units of a square.
"""

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from kdvision.reading import ReadDomino
from kdvision.report.palette import BROKEN_COLOUR, DOUBT_COLOUR, TERRAIN_PAINTS, rgb
from kdvision.report.wording import column_names, corrected_cells, doubtful_cells, row_names
from kdvision.result import KingdomResult
from kdvision.rules.kingdom import Cell, Kingdom, Position, neighbours
from kdvision.rules.legality import BREAKS
from kdvision.rules.scoring import Territory
from kdvision.rules.terrain import EMPTY_MARK, Square

#: Shapes are drawn this many times larger and made smaller, so that edges are smooth.
SMOOTH = 3

Point = tuple[float, float]

Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont

#: Crowns on dark ground.
CROWN_FILL = "#ffd447"

#: A crown in a box from (0, 0) to (1, 1).
_CROWN_SHAPE: Sequence[Point] = (
    (0.06, 0.92), (0.0, 0.24), (0.27, 0.52), (0.5, 0.06), (0.73, 0.52), (1.0, 0.24), (0.94, 0.92)
)  # fmt: skip

#: How many squares wide the border around the kingdom is, for the letters and numbers.
MARGIN = 1

_TINT = 70  # of 255
_CHIP = (16, 18, 24, 205)
#: No chip is wider than this part of a square.
_WIDEST_CHIP = 0.84
#: Between letter and crowns on a chip, in squares.
_PART_GAP = 0.035
#: Stands for a crown among the letters of a chip.
_CROWN = "crown"
#: Around a domino.
_FRAME = "#ffffff"
#: The middle of a letter or number is this far from its sides, in squares.
_NAME_REACH = 0.14


class NamePlaces(Struct, frozen=True):
    """Where the names of columns and rows stand, in rows and columns of the kingdom.

    `letters` is the row that the letters of the columns stand on: -1 above the kingdom, its height
    below it, else on squares. `numbers` is the column that the numbers of the rows stand on.
    """

    letters: int = -1
    numbers: int = -1

    def letter(self, col: int, height: int) -> Point:
        """(x, y) of the middle of a column's letter, in squares from the kingdom's corner."""
        if 0 <= self.letters < height:
            return col + 0.16, self.letters + 0.16
        return col + 0.5, -0.22 if self.letters < 0 else height + 0.22

    def number(self, row: int, width: int) -> Point:
        """(x, y) of the middle of a row's number."""
        if 0 <= self.numbers < width:
            return self.numbers + 0.16, row + 0.84
        return -0.22 if self.numbers < 0 else width + 0.22, row + 0.5

    def all(self, kingdom: Kingdom) -> list[Point]:
        """(x, y) of all letters and numbers."""
        letters = [self.letter(col, kingdom.height) for col in range(kingdom.width)]
        return letters + [self.number(row, kingdom.width) for row in range(kingdom.height)]


#: Letters above the kingdom, and numbers on its left.
_OUTSIDE = NamePlaces()


def label_boxes(result: KingdomResult, names: NamePlaces) -> list[tuple[Point, Point]]:
    """What must not be hidden: top left and bottom right of every label, in squares."""
    kingdom = result.kingdom
    chips = [((col + 0.08, row + 0.36), (col + 0.92, row + 0.64)) for row, col in kingdom.squares()]
    corners = [territory.cells[0] for territory in result.sheet.territories]
    chips += [((col + 0.66, row + 0.04), (col + 0.94, row + 0.28)) for row, col in corners]
    around = _NAME_REACH
    return chips + [
        ((x - around, y - around), (x + around, y + around)) for x, y in names.all(kingdom)
    ]


def paint_board(
    result: KingdomResult, square: int, *, names: NamePlaces = _OUTSIDE, dominoes: bool = False
) -> npt.NDArray[np.float32]:
    """Everything that lies on the squares.

    Args:
        result: The kingdom.
        square: The side of a square in pixels.
        names: Where the letters of columns and the numbers of rows stand.
        dominoes: Whether every domino gets an outline.

    Returns:
        RGBA from 0 to 1, colours multiplied by alpha, of (height + 2 * MARGIN) x (width + 2 *
        MARGIN) squares.
    """
    board = _Board(result, square)
    board.draw_tints()
    board.draw_lattice()
    board.draw_outlines()
    if dominoes:
        board.draw_dominoes()
    board.draw_doubts()
    board.draw_labels()
    board.draw_corrections()
    board.draw_points()
    board.draw_names(names)
    board.draw_broken_rules()
    smooth = board.image.convert("RGBa").reduce(SMOOTH)  # colours multiplied by alpha
    return np.asarray(smooth, np.float32) / np.float32(255)


def paint_shade(result: KingdomResult, square: int) -> npt.NDArray[np.float32]:
    """1 where something lies, 0 where nothing does, soft between; of the size of the board."""
    kingdom = result.sheet.kingdom
    size = (kingdom.width + 2 * MARGIN) * square, (kingdom.height + 2 * MARGIN) * square
    image = Image.new("L", size)
    draw = ImageDraw.Draw(image)
    for (row, col), cell in kingdom.cells():
        if cell is not None:
            x, y = (col + MARGIN) * square, (row + MARGIN) * square
            draw.rectangle((x, y, x + square - 1, y + square - 1), fill=255)
    return np.asarray(image.filter(ImageFilter.BoxBlur(square * 0.12)), np.float32) / np.float32(
        255
    )


class _Board:
    """The board while it is painted, `SMOOTH` times larger than it will be."""

    def __init__(self, result: KingdomResult, square: int) -> None:
        self.result = result
        self.kingdom = result.sheet.kingdom
        self.unit = square * SMOOTH
        width, height = self.kingdom.width + 2 * MARGIN, self.kingdom.height + 2 * MARGIN
        self.image = Image.new("RGBA", (width * self.unit, height * self.unit), (255, 255, 255, 0))
        self.draw = ImageDraw.Draw(self.image)

    def corner(self, at: Position) -> tuple[float, float]:
        """(x, y) of the top left corner of a square."""
        return (at[1] + MARGIN) * self.unit, (at[0] + MARGIN) * self.unit

    def draw_tints(self) -> None:
        """The colour of the terrain over each square."""
        for at, cell in self.kingdom.squares().items():
            x, y = self.corner(at)
            box = (x, y, x + self.unit - 1, y + self.unit - 1)
            self.draw.rectangle(box, fill=(*rgb(TERRAIN_PAINTS[cell.terrain].fill), _TINT))

    def draw_lattice(self) -> None:
        """Thin lines between squares, and dots around empty places."""
        thin = max(round(self.unit * 0.012), 1)
        for at, cell in self.kingdom.cells():
            x, y = self.corner(at)
            box = (x, y, x + self.unit, y + self.unit)
            if cell is not None:
                self.draw.rectangle(box, outline=(255, 255, 255, 120), width=thin)
            else:
                self._draw_dots(x, y)

    def _draw_dots(self, x: float, y: float) -> None:
        radius = self.unit * 0.016
        for step in np.linspace(0.1, 0.9, 7):
            for across, down in ((step, 0.1), (step, 0.9), (0.1, step), (0.9, step)):
                dot_x, dot_y = x + across * self.unit, y + down * self.unit
                box = (dot_x - radius, dot_y - radius, dot_x + radius, dot_y + radius)
                self.draw.ellipse(box, fill=(255, 255, 255, 150))

    def draw_outlines(self) -> None:
        """A line around each territory, in its colour, with a dark edge."""
        for territory in self.result.sheet.territories:
            color = rgb(TERRAIN_PAINTS[territory.terrain].fill)
            self._draw_outline(territory, 0.066, (12, 14, 18, 130))
            self._draw_outline(territory, 0.05, (*color, 255))

    def _draw_outline(
        self, territory: Territory, thickness: float, color: tuple[int, int, int, int]
    ) -> None:
        """A band inside the border of a territory."""
        band = self.unit * thickness
        cells = set(territory.cells)
        for at in territory.cells:
            x, y = self.corner(at)
            far_x, far_y = x + self.unit - 1, y + self.unit - 1
            above, left, right, below = (other not in cells for other in neighbours(at))
            boxes = [
                (above, (x, y, far_x, y + band)),
                (below, (x, far_y - band, far_x, far_y)),
                (left, (x, y, x + band, far_y)),
                (right, (far_x - band, y, far_x, far_y)),
            ]
            row, col = at
            for down, across, box in (
                (-1, -1, (x, y, x + band, y + band)),
                (-1, 1, (far_x - band, y, far_x, y + band)),
                (1, -1, (x, far_y - band, x + band, far_y)),
                (1, 1, (far_x - band, far_y - band, far_x, far_y)),
            ):
                boxes.append(((row + down, col + across) not in cells, box))
            for wanted, box in boxes:
                if wanted:
                    self.draw.rectangle(box, fill=color)

    def draw_labels(self) -> None:
        """Letter and crowns in the middle of each square: the printed crowns are in corners."""
        doubtful = doubtful_cells(self.result)
        for at, cell in self.kingdom.cells():
            if cell is not None or at in doubtful:
                self._draw_label(at, cell, at in doubtful)

    def _draw_label(self, at: Position, cell: Cell, doubtful: bool) -> None:
        letter = "" if cell is None else str(cell)[0]
        crowns = cell.crowns if isinstance(cell, Square) else 0
        parts = [part for part in (letter, *[_CROWN] * crowns, "?" if doubtful else "") if part]
        size = float(self.unit)
        size *= min(1.0, _WIDEST_CHIP * size / _chip_width(parts, size))
        width, height = _chip_width(parts, size), size * 0.27
        x, y = self.corner(at)
        left, middle = x + (self.unit - width) / 2, y + self.unit / 2
        box = (left, middle - height / 2, left + width, middle + height / 2)
        self.draw.rounded_rectangle(
            box, radius=height / 2, fill=DOUBT_COLOUR if doubtful else _CHIP
        )
        left += size * 0.1
        for part in parts:
            part_width = _part_width(part, size)
            if part == _CROWN:
                draw_crown(self.draw, (left, middle - part_width / 2, part_width), CROWN_FILL)
            else:
                self._draw_text((left, middle), part, size)
            left += part_width + size * _PART_GAP

    def _draw_text(self, place: tuple[float, float], text: str, size: float) -> None:
        """Bold white text, centred on the line that starts at a place."""
        self.draw.text(
            place,
            text,
            font=_letters(size),
            fill="#ffffff",
            anchor="lm",
            stroke_width=round(size * 0.008),
        )

    def draw_corrections(self) -> None:
        """Below its label, what a square looked like where the deck says otherwise."""
        unit = self.unit
        letters = font(round(unit * 0.14))
        for at, text in corrected_cells(self.result).items():
            words = f"seen {'empty' if text == EMPTY_MARK else text}"
            x, y = self.corner(at)
            width, middle = letters.getlength(words) + unit * 0.12, y + unit * 0.76
            left = x + (unit - width) / 2
            box = (left, middle - unit * 0.1, left + width, middle + unit * 0.1)
            self.draw.rounded_rectangle(box, radius=unit * 0.1, fill=_CHIP)
            self.draw.text((x + unit / 2, middle), words, font=letters, fill="#ffffff", anchor="mm")

    def draw_doubts(self) -> None:
        """A frame around each place to look at."""
        unit = self.unit
        for at in doubtful_cells(self.result):
            x, y = self.corner(at)
            inset = unit * 0.05
            self.draw.rounded_rectangle(
                (x + inset, y + inset, x + unit - inset, y + unit - inset),
                radius=unit * 0.1,
                outline=DOUBT_COLOUR,
                width=round(unit * 0.07),
            )

    def draw_dominoes(self) -> None:
        """A frame around every domino, thin where it is open."""
        for domino in self.result.dominoes:
            if domino.probability >= BREAKS.known_from:
                self._draw_frame(domino, 0.05)
            elif domino.probability >= BREAKS.named_from:
                self._draw_frame(domino, 0.02)

    def draw_broken_rules(self) -> None:
        """A small mark on the seam of each domino that breaks the joining rule."""
        radius, letters = self.unit * 0.1, font(round(self.unit * 0.15))
        for domino in self.result.dominoes:
            if domino.broken >= BREAKS.named_from:
                (x, y), (far_x, far_y) = (self.corner(at) for at in domino.cells)
                x, y = (x + far_x + self.unit) / 2, (y + far_y + self.unit) / 2
                box = (x - radius, y - radius, x + radius, y + radius)
                self.draw.ellipse(box, fill=BROKEN_COLOUR)
                self.draw.text((x, y), "!", font=letters, fill="#ffffff", anchor="mm")

    def _draw_frame(self, domino: ReadDomino, thickness: float) -> None:
        (x, y), (far_x, far_y) = (self.corner(at) for at in domino.cells)
        inset = self.unit * 0.08
        self.draw.rounded_rectangle(
            (x + inset, y + inset, far_x + self.unit - inset, far_y + self.unit - inset),
            radius=self.unit * 0.16,
            outline=_FRAME,
            width=max(round(self.unit * thickness), 1),
        )

    def draw_points(self) -> None:
        """What each territory scores, at the foot of its first square."""
        unit = self.unit
        letters = font(round(unit * 0.17))
        for territory in self.result.sheet.territories:
            text = str(territory.points)
            x, y = self.corner(territory.cells[0])
            width = max(letters.getlength(text) + unit * 0.12, unit * 0.24)
            right, middle = x + unit * 0.93, y + unit * 0.16
            box = (right - width, middle - unit * 0.11, right, middle + unit * 0.11)
            paint = TERRAIN_PAINTS[territory.terrain]
            self.draw.rounded_rectangle(
                box,
                radius=unit * 0.11,
                fill=paint.fill,
                outline=paint.ink,
                width=round(unit * 0.012),
            )
            self.draw.text(
                (right - width / 2, middle), text, font=letters, fill=paint.ink, anchor="mm"
            )

    def draw_names(self, names: NamePlaces) -> None:
        """The letters of the columns and the numbers of the rows."""
        width, height = self.kingdom.width, self.kingdom.height
        for col, name in enumerate(column_names(self.result)):
            inside = 0 <= names.letters < height
            self._draw_name(names.letter(col, height), name, inside=inside)
        for row, name in enumerate(row_names(self.result)):
            inside = 0 <= names.numbers < width
            self._draw_name(names.number(row, width), name, inside=inside)

    def _draw_name(self, at: Point, name: str, *, inside: bool) -> None:
        """A letter or a number, white with a dark edge."""
        unit = self.unit
        self.draw.text(
            ((at[0] + MARGIN) * unit, (at[1] + MARGIN) * unit),
            name,
            font=font(round(unit * (0.2 if inside else 0.26))),
            fill="#ffffff",
            anchor="mm",
            stroke_width=round(unit * 0.03),
            stroke_fill="#101218",
        )


def _letters(size: float) -> Font:
    return font(round(size * 0.23))


def _chip_width(parts: list[str], size: float) -> float:
    gaps = size * (0.2 + _PART_GAP * (len(parts) - 1))
    return gaps + sum(_part_width(part, size) for part in parts)


def _part_width(part: str, size: float) -> float:
    """The width of a letter or a crown on a chip; `size` is the side of a square."""
    return size * 0.16 if part == _CROWN else _letters(size).getlength(part)


# ---------------------------------------------------------------------- badge and crown


class Badge(Struct, frozen=True):
    """What the badge of a kingdom says: `name` before, `total` large, `below` under it.

    `fill` is `#rrggbb`; `square` the side of a square in pixels, which the badge goes by.
    """

    name: str
    total: str
    below: str
    fill: str
    square: float


@cache
def font(size: int) -> Font:
    """The font that Pillow brings along, in pixels."""
    return ImageFont.load_default(max(size, 6))


def draw_crown(draw: ImageDraw.ImageDraw, box: tuple[float, float, float], color: str) -> None:
    """A crown with its top left corner at (x, y) and a width: `box` is (x, y, width)."""
    x, y, side = box
    draw.polygon([(x + side * px, y + side * py) for px, py in _CROWN_SHAPE], fill=color)
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
