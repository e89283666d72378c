"""What is painted flat: the board that is laid over a photo, its labels, and the badge of a total.

The board has tints, outlines, letters and crowns per square; all is smooth. Places of labels are
(x, y) in squares from the top left corner of the kingdom.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from itertools import product
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageDraw, ImageFont

from kdvision.report.palette import (
    BROKEN_COLOUR,
    DOUBT_COLOUR,
    SURE_COLOUR,
    TERRAIN_PAINTS,
    Paint,
    rgb,
)
from kdvision.report.wording import (
    column_names,
    corrected_cells,
    doubtful_cells,
    named_alternatives,
    row_names,
)
from kdvision.result import KingdomResult, Status
from kdvision.rules.kingdom import Cell, Position
from kdvision.rules.legality import BREAKS
from kdvision.rules.scoring import Territory
from kdvision.rules.terrain import EMPTY_MARK, Square

#: Shapes are drawn this many times larger and made smaller, so that edges are smooth.
SMOOTH = 3
#: How many squares wide the border around the kingdom is, for the letters and numbers.
MARGIN = 1

Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont
Box = tuple[float, float, float, float]

_CROWN_FILL = "#ffd447"
#: A crown in a box from (0, 0) to (1, 1).
_CROWN_SHAPE = (
    (0.06, 0.92), (0.0, 0.24), (0.27, 0.52), (0.5, 0.06), (0.73, 0.52), (1.0, 0.24), (0.94, 0.92)
)  # fmt: skip
_TINT = 70  # of 255
_CHIP = (16, 18, 24, 205)
#: Around a domino.
_FRAME = "#ffffff"


@cache
def font(size: int) -> Font:
    """The font that Pillow brings along, in pixels."""
    return ImageFont.load_default(max(size, 6))


# ---------------------------------------------------------------------- labels


class Label(Struct, frozen=True, kw_only=True):
    """A text on the board, and where.

    Attributes:
        x: Of its middle, in squares from the left side of the kingdom.
        y: Of its middle, in squares from its upper side.
        width: In squares.
        height: In squares, by which its letters go.
        parts: What stands in it: texts, and crowns.
        kind: The name of a row or column, a square's chip, what it looked like, or points.
        paint: The colours of the territory that has the points.
        doubtful: Whether it asks for a look.
    """

    x: float
    y: float
    width: float
    height: float
    parts: tuple[str, ...]
    kind: Literal["name", "chip", "seen", "points"] = "name"
    paint: Paint | None = None
    doubtful: bool = False

    @property
    def box(self) -> Box:
        """Left, top, right, bottom."""
        across, down = self.width / 2, self.height / 2
        return self.x - across, self.y - down, self.x + across, self.y + down


#: Whether a box can be seen.
Fits = Callable[[Box], bool]

#: Stands for a crown among the parts of a label.
_CROWN = "crown"
#: Heights of labels in squares: names outside of the kingdom and inside, chips, what was seen, and
#: points.
_NAME, _NAME_INSIDE, _CHIP_HEIGHT, _SEEN_HEIGHT, _POINTS_HEIGHT = 0.28, 0.22, 0.27, 0.2, 0.22
#: Names stand this far outside of the kingdom, or inside from the corner of a square, in squares.
_OUTSIDE, _INSIDE = 0.22, 0.16
#: No chip is wider than this part of a square.
_WIDEST_CHIP = 0.84
#: Between letter and crowns on a chip, and the room at both its ends together, in squares.
_PART_GAP, _CHIP_ENDS = 0.035, 0.2
#: Of a square that the photo cuts, a chip tries these sizes and places, as parts of a square.
_CHIP_SIZES, _CHIP_PLACES = (1.0, 0.7, 0.45), (0.5, 0.3, 0.7, 0.15, 0.85)
#: Text is measured at this size, in pixels.
_MEASURED = 100


def place_labels(result: KingdomResult, fits: Fits = lambda box: True) -> list[Label]:
    """Place every label of a kingdom where it can be seen, and where no other one lies.

    A label that can be seen nowhere on its square, row or column is left out.

    Args:
        result: The kingdom.
        fits: Whether a box in squares lies in the picture.
    """
    placed = list(_name_labels(result, fits))
    for choices in (*_chips(result), *_seen_labels(result), *_points_labels(result)):
        for label in choices:
            if fits(label.box) and not any(_overlap(label.box, one.box) for one in placed):
                placed.append(label)
                break
    return placed


def _overlap(one: Box, other: Box) -> bool:
    left, top, right, bottom = one
    return left < other[2] and other[0] < right and top < other[3] and other[1] < bottom


def _name_labels(result: KingdomResult, fits: Fits) -> Iterator[Label]:
    """The letters of columns and the numbers of rows, outside of the kingdom where there is room.

    As many as possible stand in one line.
    """
    height, width = result.kingdom.height, result.kingdom.width
    letters, numbers = column_names(result), row_names(result)
    for names, across, foot in ((letters, height, _INSIDE), (numbers, width, 1 - _INSIDE)):
        lines = [
            [_name(text, index + 0.5, line, _NAME) for index, text in enumerate(names)]
            for line in (-_OUTSIDE, across + _OUTSIDE)
        ]
        lines += [
            [
                _name(text, index + foot, line + _INSIDE, _NAME_INSIDE)
                for index, text in enumerate(names)
            ]
            for line in range(across)
        ]
        if names is numbers:
            lines = [[replace(one, x=one.y, y=one.x) for one in line] for line in lines]
        seen = [[one if fits(one.box) else None for one in line] for line in lines]
        seen.sort(key=lambda line: line.count(None))
        for choices in zip(*seen, strict=True):
            yield from list(filter(None, choices))[:1]


def _name(text: str, x: float, y: float, size: float) -> Label:
    return Label(x=x, y=y, width=size, height=size, parts=(text,))


def _chips(result: KingdomResult) -> Iterator[Iterable[Label]]:
    """Letter and crowns in the middle of each square: the printed crowns are in corners."""
    doubtful = doubtful_cells(result)
    for at, cell in result.kingdom.cells():
        if cell is not None or at in doubtful:
            yield _chip_choices(at, cell, at in doubtful)


def _chip_choices(at: Position, cell: Cell, doubtful: bool) -> Iterator[Label]:
    letter = "" if cell is None else str(cell)[0]
    crowns = cell.crowns if isinstance(cell, Square) else 0
    parts = tuple(part for part in (letter, *[_CROWN] * crowns, "?" if doubtful else "") if part)
    width = _CHIP_ENDS + _PART_GAP * (len(parts) - 1) + sum(map(_part_width, parts))
    largest = min(1.0, _WIDEST_CHIP / width)
    for size, down, across in product(_CHIP_SIZES, _CHIP_PLACES, _CHIP_PLACES):
        yield Label(
            x=at[1] + across,
            y=at[0] + down,
            width=width * largest * size,
            height=_CHIP_HEIGHT * largest * size,
            parts=parts,
            kind="chip",
            doubtful=doubtful,
        )


def _part_width(part: str) -> float:
    """The width of a letter or a crown on a chip of full size, in squares."""
    letters = font(round(0.23 * _MEASURED))
    return 0.16 if part == _CROWN else letters.getlength(part) / _MEASURED


def _seen_labels(result: KingdomResult) -> Iterator[Iterable[Label]]:
    """Below its chip, what a square looked like where the deck says otherwise."""
    for at, text in corrected_cells(result).items():
        words = f"seen {'empty' if text == EMPTY_MARK else text}"
        width = font(round(0.14 * _MEASURED)).getlength(words) / _MEASURED + 0.12
        label = _name(words, 0, at[0] + 0.76, _SEEN_HEIGHT)
        label = replace(label, width=width, kind="seen")
        yield [replace(label, x=at[1] + across) for across in (0.5, 0.95 - width / 2)]


def _points_labels(result: KingdomResult) -> Iterator[Iterable[Label]]:
    """What each territory scores, in the corner of its first square that can be seen."""
    for territory in result.sheet.territories:
        text = str(territory.points)
        width = font(round(0.17 * _MEASURED)).getlength(text) / _MEASURED + 0.12
        label = _name(text, 0, 0, _POINTS_HEIGHT)
        paint = TERRAIN_PAINTS[territory.terrain]
        label = replace(label, width=max(width, 0.24), kind="points", paint=paint)
        yield [
            replace(label, x=col + 0.93 - label.width / 2, y=row + 0.16)
            for row, col in territory.cells
        ]


# ---------------------------------------------------------------------- the board


def paint_board(
    result: KingdomResult,
    square: int,
    *,
    labels: Collection[Label] | None = None,
    dominoes: bool = False,
) -> npt.NDArray[np.float32]:
    """Everything that lies on the squares.

    Args:
        result: The kingdom.
        square: The side of a square in pixels.
        labels: What is written, see `place_labels`; None writes everything.
        dominoes: Whether every domino gets an outline.

    Returns:
        RGBA from 0 to 1, colours multiplied by alpha, of (height + 2 * MARGIN) x (width + 2 *
        MARGIN) squares.
    """
    board = _Board(result, square)
    board.draw_squares()
    for territory in result.sheet.territories:
        board.draw_outline(territory, 0.066, (12, 14, 18, 130))
        board.draw_outline(territory, 0.05, (*rgb(TERRAIN_PAINTS[territory.terrain].fill), 255))
    if dominoes:
        board.draw_dominoes()
    board.draw_doubts()
    for label in place_labels(result) if labels is None else labels:
        board.draw_label(label)
    board.draw_broken_rules()
    smooth = board.image.convert("RGBa").reduce(SMOOTH)  # colours multiplied by alpha
    return np.asarray(smooth, np.float32) / np.float32(255)


class _Board:
    """The board while it is painted, `SMOOTH` times larger than it will be."""

    def __init__(self, result: KingdomResult, square: int) -> None:
        self.result = result
        self.unit = square * SMOOTH
        width, height = result.kingdom.width + 2 * MARGIN, result.kingdom.height + 2 * MARGIN
        self.image = Image.new("RGBA", (width * self.unit, height * self.unit), (255, 255, 255, 0))
        self.draw = ImageDraw.Draw(self.image)

    def corner(self, at: Position) -> tuple[float, float]:
        """(x, y) of the top left corner of a square."""
        return (at[1] + MARGIN) * self.unit, (at[0] + MARGIN) * self.unit

    def rounded(self, box: Box, radius: float, thickness: float, color: str) -> None:
        """A frame with round corners; its box in pixels, the rest in squares."""
        width = max(round(self.unit * thickness), 1)
        self.draw.rounded_rectangle(box, radius=self.unit * radius, outline=color, width=width)

    def draw_squares(self) -> None:
        """The colour of the terrain over each square, thin lines between, dots around the empty."""
        for at, cell in self.result.kingdom.cells():
            x, y = self.corner(at)
            if isinstance(cell, Square):
                box = (x, y, x + self.unit - 1, y + self.unit - 1)
                self.draw.rectangle(box, fill=(*rgb(TERRAIN_PAINTS[cell.terrain].fill), _TINT))
        thin = max(round(self.unit * 0.012), 1)
        for at, cell in self.result.kingdom.cells():
            x, y = self.corner(at)
            box = (x, y, x + self.unit, y + self.unit)
            if cell is not None:
                self.draw.rectangle(box, outline=(255, 255, 255, 120), width=thin)
            else:
                self._draw_dots(x, y)

    def _draw_dots(self, x: float, y: float) -> None:
        for step in np.linspace(0.1, 0.9, 7):
            for across, down in ((step, 0.1), (step, 0.9), (0.1, step), (0.9, step)):
                middle = x + across * self.unit, y + down * self.unit
                self.draw.circle(middle, self.unit * 0.016, fill=(255, 255, 255, 150))

    def draw_outline(
        self, territory: Territory, thickness: float, color: tuple[int, int, int, int]
    ) -> None:
        """A band inside the border of a territory, so many squares wide."""
        band, far = self.unit * thickness, self.unit - 1
        spans = {-1: (0, band), 0: (0, far), 1: (far - band, far)}
        cells = set(territory.cells)
        for row, col in territory.cells:
            x, y = self.corner((row, col))
            for down, across in product(spans, repeat=2):
                if (row + down, col + across) not in cells:
                    (left, right), (top, bottom) = spans[across], spans[down]
                    self.draw.rectangle((x + left, y + top, x + right, y + bottom), fill=color)

    def draw_doubts(self) -> None:
        """A frame around each place to look at."""
        for at in doubtful_cells(self.result):
            x, y = self.corner(at)
            near, far = self.unit * 0.05, self.unit * 0.95
            self.rounded((x + near, y + near, x + far, y + far), 0.1, 0.07, DOUBT_COLOUR)

    def draw_dominoes(self) -> None:
        """A frame around every domino, thin where it is open."""
        for domino in self.result.dominoes:
            if domino.probability >= BREAKS.named_from:
                (x, y), (far_x, far_y) = map(self.corner, domino.cells)
                near, far = self.unit * 0.08, self.unit * 0.92
                box = x + near, y + near, far_x + far, far_y + far
                known = domino.probability >= BREAKS.known_from
                self.rounded(box, 0.16, 0.05 if known else 0.02, _FRAME)

    def draw_broken_rules(self) -> None:
        """A small mark on the seam of each domino that breaks the joining rule."""
        for domino in self.result.dominoes:
            if domino.broken >= BREAKS.named_from:
                (x, y), (far_x, far_y) = map(self.corner, domino.cells)
                middle = (x + far_x + self.unit) / 2, (y + far_y + self.unit) / 2
                self.draw.circle(middle, self.unit * 0.1, fill=BROKEN_COLOUR)
                self._write(middle, "!", self.unit * 0.15)

    def draw_label(self, label: Label) -> None:
        """A label at its place."""
        box = tuple((side + MARGIN) * self.unit for side in label.box)
        middle = (label.x + MARGIN) * self.unit, (label.y + MARGIN) * self.unit
        height = label.height * self.unit
        text, radius = label.parts[0], height / 2
        if label.kind == "name":
            edge = round(self.unit * 0.03)
            self._write(middle, text, height * 0.93, stroke_width=edge, stroke_fill="#101218")
        elif label.paint is not None:
            paint, edge = label.paint, round(self.unit * 0.012)
            self.draw.rounded_rectangle(box, radius, paint.fill, paint.ink, edge)
            self._write(middle, text, height * 0.77, fill=paint.ink)
        else:
            self.draw.rounded_rectangle(box, radius, DOUBT_COLOUR if label.doubtful else _CHIP)
            if label.kind == "chip":
                self._write_chip(label, box[0], middle[1])
            else:
                self._write(middle, text, height * 0.7)

    def _write_chip(self, label: Label, left: float, middle: float) -> None:
        """Write letter and crowns onto a chip, from the left."""
        size = label.height / _CHIP_HEIGHT * self.unit
        letters = font(round(size * 0.23))
        left += size * _CHIP_ENDS / 2
        for part in label.parts:
            width = size * 0.16 if part == _CROWN else letters.getlength(part)
            if part == _CROWN:
                draw_crown(self.draw, left, middle - width / 2, width)
            else:
                edge = round(size * 0.008)
                self._write((left, middle), part, size * 0.23, anchor="lm", stroke_width=edge)
            left += width + size * _PART_GAP

    def _write(self, place: tuple[float, float], text: str, size: float, **style: Any) -> None:
        """Write white letters of so many pixels, centred on a place unless `style` says else."""
        style = {"fill": "#ffffff", "anchor": "mm", **style}
        self.draw.text(place, text, font=font(round(size)), **style)


# ---------------------------------------------------------------------- badge and crown


def draw_crown(draw: ImageDraw.ImageDraw, x: float, y: float, side: float) -> None:
    """A crown of so many pixels with its top left corner at (x, y)."""
    draw.polygon([(x + side * px, y + side * py) for px, py in _CROWN_SHAPE], fill=_CROWN_FILL)
    for across, down in ((0.0, 0.2), (0.5, 0.02), (1.0, 0.2)):
        draw.circle((x + across * side, y + down * side), side * 0.09, fill=_CROWN_FILL)


def _below_total(result: KingdomResult) -> str:
    """What a badge says of a doubtful total."""
    if not result.scored:
        return "not scored"
    totals = [one.score for one in named_alternatives(result) if one.score != result.score]
    return f"or {totals[0]}?" if totals else "not sure"


def paint_badge(result: KingdomResult, name: str, square: float) -> Image.Image:
    """The badge of a kingdom as an RGBA image, of a size that goes by a square in pixels."""
    sure = result.status is Status.SURE
    total, below = (str(result.score) if result.scored else "?"), _below_total(result)
    below = "" if sure else below
    unit = square * SMOOTH
    large, small = font(round(unit * 0.62)), font(round(unit * 0.3))
    name = f"{name} " if name else ""
    crown, name_width = unit * 0.42, small.getlength(name)
    line = crown + unit * 0.16 + name_width + large.getlength(total)
    width = round(max(line, small.getlength(below)) + unit * 0.56)
    height = round(unit * (1.24 if below else 0.94))
    image = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    edge = unit * 0.045
    draw.rounded_rectangle(
        (edge / 2, edge / 2, width - edge / 2 - 1, height - edge / 2 - 1),
        radius=unit * 0.26,
        fill=SURE_COLOUR if sure else DOUBT_COLOUR,
        outline="#ffffff",
        width=max(round(edge), 1),
    )
    x, middle = (width - line) / 2, unit * 0.47
    draw_crown(draw, x, middle - crown * 0.5, crown)
    x += crown + unit * 0.16
    for place, text, letters, anchor, weight in (
        ((x, middle), name, small, "lm", 0.007),
        ((x + name_width, middle), total, large, "lm", 0.014),
        ((width / 2, unit * 0.97), below, small, "mm", 0.007),
    ):
        bold = round(unit * weight)
        draw.text(place, text, font=letters, fill="#ffffff", anchor=anchor, stroke_width=bold)
    return image.reduce(SMOOTH)
