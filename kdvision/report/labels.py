"""What is written over a photo: names of rows and columns, squares, points, badges of totals.

All of it stands upright, in pixels of the picture.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from typing import Literal, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageDraw, ImageFont

from kdvision.report.palette import DOUBT_COLOUR, SURE_COLOUR, TERRAIN_PAINTS, rgb
from kdvision.report.wording import (
    column_names,
    corrected_cells,
    doubtful_cells,
    named_alternatives,
    row_names,
)
from kdvision.result import KingdomResult, Status
from kdvision.rules.kingdom import Position
from kdvision.rules.terrain import EMPTY_MARK, Square

Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont
Rgb = npt.NDArray[np.uint8]
#: Left, top, right, bottom.
Box = tuple[float, float, float, float]
#: Where a point lies that is given in squares, as (x, y) from the top left of the kingdom.
Place = Callable[[float, float], tuple[float, float]]

Kind = Literal["name", "chip", "seen", "points", "badge"]
#: Stands for a crown among the parts of a label.
CROWN = "crown"
_CROWN_FILL = "#ffd447"
#: A crown in a box from (0, 0) to (1, 1).
_CROWN_SHAPE = (
    (0.06, 0.92), (0.0, 0.24), (0.27, 0.52), (0.5, 0.06), (0.73, 0.52), (1.0, 0.24), (0.94, 0.92)
)  # fmt: skip
_CHIP = "#101218"
#: Bits of the fractions of a pixel that OpenCV is given.
SHIFT = 4

#: Letters of labels, as shares of a square: names outside of the kingdom and inside, chips, what
#: was seen, and points.
_NAME, _NAME_INSIDE, _CHIP_LETTERS, _SEEN, _POINTS = 0.26, 0.2, 0.23, 0.14, 0.17
#: The height of a label, its ends together, the gap between its parts, a crown, and what is around
#: some of them, in letters.
_HEIGHT, _ENDS, _GAP, _CROWN_WIDTH, _EDGE = 1.25, 0.85, 0.15, 0.7, 0.07
#: Names stand this far outside of the kingdom, or inside from the corner of a square, in squares.
_OUTSIDE, _INSIDE = 0.22, 0.16
#: No chip is wider than this part of a square.
_WIDEST_CHIP = 0.84
#: Of a square that the photo cuts, a chip tries these sizes and places, as parts of a square.
_CHIP_SIZES, _CHIP_PLACES = (1.0, 0.7, 0.45), (0.5, 0.3, 0.7, 0.15, 0.85)


@cache
def font(size: int) -> Font:
    """The font that Pillow brings along, in pixels."""
    return ImageFont.load_default(max(size, 6))


class Label(Struct, frozen=True, kw_only=True):
    """A text in the picture.

    Attributes:
        kind: The name of a row or column, a square's chip, what it looked like, points, or the
            badge of a total.
        x: Of its middle, in pixels.
        y: Of its middle, in pixels.
        letters: The size of its letters in pixels.
        parts: What stands in it: texts, and crowns.
        ink: The colour of its letters.
        back: What is behind them; empty for letters with a dark edge.
        edge: The colour around that; empty for none.
    """

    kind: Kind
    x: float
    y: float
    letters: float
    parts: tuple[str, ...]
    ink: str = "#ffffff"
    back: str = ""
    edge: str = ""

    @property
    def widths(self) -> list[float]:
        """Those of its parts, in pixels."""
        measured = font(round(self.letters))
        return [
            _CROWN_WIDTH * self.letters if part == CROWN else measured.getlength(part)
            for part in self.parts
        ]

    @property
    def width(self) -> float:
        """Its width in pixels."""
        return sum(self.widths) + self.letters * (_ENDS + _GAP * (len(self.parts) - 1))

    @property
    def height(self) -> float:
        """Its height in pixels."""
        return self.letters * _HEIGHT

    @property
    def box(self) -> Box:
        """What it covers."""
        across, down = self.width / 2, self.height / 2
        return self.x - across, self.y - down, self.x + across, self.y + down


# ---------------------------------------------------------------------- where they stand


def place_labels(
    result: KingdomResult, place: Place, side: float, size: tuple[int, int]
) -> list[Label]:
    """Place every label of a kingdom where it can be seen, and where no other one lies.

    A label that can be seen nowhere on its square, row or column is left out.

    Args:
        result: The kingdom.
        place: Where points of it lie in the picture.
        side: The side of a square in pixels.
        size: Width and height of the picture.
    """

    def fits(label: Label) -> bool:
        left, top, right, bottom = label.box
        return left >= 0 and top >= 0 and right <= size[0] and bottom <= size[1]

    placed: list[Label] = []
    for choices in (
        *_names(result, place, side, fits),
        *_chips(result, place, side),
        *_seen_labels(result, place, side),
        *_points_labels(result, place, side),
    ):
        for label in choices:
            if fits(label) and not any(_overlap(label.box, other.box) for other in placed):
                placed.append(label)
                break
    return placed


def _overlap(one: Box, other: Box) -> bool:
    left, top, right, bottom = one
    return left < other[2] and other[0] < right and top < other[3] and other[1] < bottom


def _names(
    result: KingdomResult, place: Place, side: float, fits: Callable[[Label], bool]
) -> Iterator[Iterable[Label]]:
    """The letters of columns and the numbers of rows, outside of the kingdom where there is room.

    As many as possible stand in one line.
    """
    height, width = result.kingdom.height, result.kingdom.width
    for names, across, foot, is_row in (
        (column_names(result), height, _INSIDE, False),
        (row_names(result), width, 1 - _INSIDE, True),
    ):
        places = [(0.5, line, _NAME) for line in (-_OUTSIDE, across + _OUTSIDE)]
        places += [(foot, line + _INSIDE, _NAME_INSIDE) for line in range(across)]
        lines = []
        for along, line, letters in places:
            points = [(line, n + along) if is_row else (n + along, line) for n in range(len(names))]
            lines.append(
                [
                    _label("name", place(*point), letters * side, (name,))
                    for name, point in zip(names, points, strict=True)
                ]
            )
        lines.sort(key=lambda labels: -sum(map(fits, labels)))
        yield from zip(*lines, strict=True)


def _label(
    kind: Kind,
    at: tuple[float, float],
    letters: float,
    parts: tuple[str, ...],
    **colours: str,
) -> Label:
    return Label(kind=kind, x=at[0], y=at[1], letters=letters, parts=parts, **colours)


def _chips(result: KingdomResult, place: Place, side: float) -> Iterator[Iterable[Label]]:
    """Letter and crowns in the middle of each square: the printed crowns are in corners."""
    doubtful = doubtful_cells(result)
    for at, cell in result.kingdom.cells():
        if cell is None and at not in doubtful:
            continue
        letter = "" if cell is None else str(cell)[0]
        crowns = cell.crowns if isinstance(cell, Square) else 0
        marks = (letter, *[CROWN] * crowns, "?" if at in doubtful else "")
        back = DOUBT_COLOUR if at in doubtful else _CHIP
        chip = _label("chip", (0, 0), _CHIP_LETTERS * side, tuple(filter(None, marks)), back=back)
        largest = chip.letters * min(1.0, _WIDEST_CHIP * side / chip.width)
        yield _chip_choices(replace(chip, letters=largest), at, place)


def _chip_choices(chip: Label, at: Position, place: Place) -> Iterator[Label]:
    for size, down, across in product(_CHIP_SIZES, _CHIP_PLACES, _CHIP_PLACES):
        x, y = place(at[1] + across, at[0] + down)
        yield replace(chip, x=x, y=y, letters=chip.letters * size)


def _seen_labels(result: KingdomResult, place: Place, side: float) -> Iterator[Iterable[Label]]:
    """Below its chip, what a square looked like where the deck says otherwise."""
    for (row, col), text in corrected_cells(result).items():
        words = (f"seen {'empty' if text == EMPTY_MARK else text}",)
        yield [
            _label("seen", place(col + across, row + 0.78), _SEEN * side, words, back=_CHIP)
            for across in (0.5, 0.6)
        ]


def _points_labels(result: KingdomResult, place: Place, side: float) -> Iterator[Iterable[Label]]:
    """What each territory scores, in the corner of its first square that can be seen."""
    for territory in result.sheet.territories:
        paint, words = TERRAIN_PAINTS[territory.terrain], (str(territory.points),)
        colours = {"back": paint.fill, "ink": paint.ink, "edge": paint.ink}
        yield [
            _label("points", place(col + 0.81, row + 0.16), _POINTS * side, words, **colours)
            for row, col in territory.cells
        ]


def badge(result: KingdomResult, name: str, letters: float) -> Label:
    """The total of a kingdom, to be placed beside it; `name` is empty for the only one."""
    sure = result.status is Status.SURE
    total, doubt = (str(result.score) if result.scored else "?"), "" if sure else _doubt(result)
    back = SURE_COLOUR if sure else DOUBT_COLOUR
    parts = tuple(filter(None, (CROWN, name, total, doubt)))
    return _label("badge", (0, 0), letters, parts, back=back, edge="#ffffff")


def _doubt(result: KingdomResult) -> str:
    """What a badge says of a doubtful total."""
    if not result.scored:
        return "not scored"
    totals = [one.score for one in named_alternatives(result) if one.score != result.score]
    return f"or {totals[0]}?" if totals else "not sure"


# ---------------------------------------------------------------------- how they are drawn


def draw_labels(picture: Rgb, labels: Iterable[Label]) -> None:
    """Write labels into a picture."""
    texts = []
    for label in labels:
        edge = label.letters * _EDGE if label.edge else 0.0
        if label.back:
            _fill_capsule(picture, label.box, label.edge or label.back)
            _fill_capsule(picture, label.box, label.back, edge)
        x = label.box[0] + label.letters * _ENDS / 2
        for part, width in zip(label.parts, label.widths, strict=True):
            if part == CROWN:
                _fill_crown(picture, x, label.y - width / 2, width)
            else:
                texts.append((x, part, label))
            x += width + label.letters * _GAP
    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image)
    for x, text, label in texts:
        # Bold letters, or a dark edge around those that lie on the photo.
        share, stroke = (0.05, label.ink) if label.back else (0.1, _CHIP)
        draw.text(
            (x, label.y),
            text,
            font=font(round(label.letters)),
            anchor="lm",
            fill=label.ink,
            stroke_width=int(label.letters * share),
            stroke_fill=stroke,
        )
    picture[:] = np.asarray(image)


def _fill_capsule(picture: Rgb, box: Box, colour: str, inset: float = 0.0) -> None:
    """Fill a box with round ends, smaller on every side by `inset` pixels."""
    left, top, right, bottom = np.add(box, (inset, inset, -inset, -inset))
    radius = (bottom - top) / 2
    left, right = left + radius, right - radius
    for x in (left, right):
        fill_circle(picture, (x, top + radius), radius, colour)
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    cv2.fillConvexPoly(picture, fixed(corners), rgb(colour), cv2.LINE_AA, SHIFT)


def fill_circle(
    picture: Rgb, middle: npt.ArrayLike, radius: float, colour: str, thickness: int = -1
) -> None:
    """Fill a circle, or draw one of so many pixels."""
    x, y = map(int, fixed(middle))
    far = round(radius * (1 << SHIFT))
    cv2.circle(picture, (x, y), far, rgb(colour), thickness, cv2.LINE_AA, SHIFT)


def _fill_crown(picture: Rgb, x: float, y: float, side: float) -> None:
    """Fill a crown of so many pixels with its top left corner at (x, y)."""
    shape = fixed(np.asarray(_CROWN_SHAPE) * side + np.array([x, y]))
    cv2.fillPoly(picture, [shape], rgb(_CROWN_FILL), cv2.LINE_AA, SHIFT)


def fixed(points: npt.ArrayLike) -> npt.NDArray[np.int32]:
    """Pixels as OpenCV takes them, with fractions; its pixels begin at their centres."""
    return np.asarray(np.round((np.asarray(points, np.float64) - 0.5) * (1 << SHIFT)), np.int32)
