"""The photo with what was read drawn over it, and a legend below.

Squares and territories are drawn in the perspective of their kingdom; labels stand upright.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, product
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace
from PIL import ImageFont

from kdvision.photo.photo import Photo
from kdvision.reading import ReadDomino
from kdvision.report.palette import (
    BROKEN_COLOUR,
    CASTLE_COLOURS,
    DOUBT_COLOUR,
    PAINTS,
    SURE_COLOUR,
    rgb,
)
from kdvision.report.totals import likely_totals, totals_text
from kdvision.report.wording import (
    KingdomSheet,
    column_names,
    kingdom_names,
    make_sheets,
    place_name,
    places_to_check,
    row_names,
)
from kdvision.result import OVERLAY_SIDE, KingdomResult, PhotoResult, Status
from kdvision.rules.breaks import BREAKS
from kdvision.rules.kingdom import Position
from kdvision.rules.terrain import Square
from kdvision.sentences import ENGLISH, sentence

Rgb = npt.NDArray[np.uint8]
_Font = ImageFont.FreeTypeFont
_Matrix = npt.NDArray[np.float64]
#: Left, top, right, bottom.
Box = tuple[float, float, float, float]

#: What is left of the light around the kingdoms.
_SHADE = 0.6
#: The share that the colours of terrains have of what they lie on.
_TINT = 0.27
_WHITE = "#ffffff"
_DARK = "#101218"
#: The height of the names of rows and columns, as a share of a square.
_NAME = 0.26
#: The height of letters on squares, as a share of a square.
_CHIP = 0.23
#: The height of the points of territories, as a share of a square.
_POINTS = 0.17
#: Names stand this far outside of the kingdom, in squares.
_OUTSIDE = 0.22
#: The width of the widest label on a square, as a share of the square.
_WIDEST = 0.9
#: The number of dashes of a side.
_DASHES = 5
#: The longer side of a picture, in letters of its legend.
_LEGEND_PART = 55
#: The gap between labels in a line of the legend, in letters.
_LEGEND_GAP = 0.3
#: px. The longer side of a picture is at least this, where the photo has as many. Where small
#: squares were read in a larger decoding, it is that of the decoding.
_MIN_SIDE = 1000
#: OpenCV is given coordinates as whole numbers, of which so many bits are fractions of a pixel.
_SHIFT = 4


def draw_overlay(
    rgb: Rgb,
    result: PhotoResult,
    scale: float,
    *,
    only: int | None = None,
    corner: tuple[float, float] = (0.0, 0.0),
) -> Rgb:
    """Draw a result over its photo.

    Args:
        rgb: The upright photo, (h, w, 3), at any size.
        result: With corners in pixels of the full photo.
        scale: How many pixels of the full photo one pixel of `rgb` stands for, along a side.
        only: The index of the kingdom that is drawn; None draws all.
        corner: Where the picture begins in the full photo, (x, y) in its pixels.

    Returns:
        A new array of the same shape.
    """
    figures = []
    for index, name in enumerate(kingdom_names(result)):
        kingdom = result.kingdoms[index]
        if only in (None, index) and len(kingdom.corners) == 4:
            corners = (np.asarray(kingdom.corners) - corner) / scale
            figures.append(_Figure.of(kingdom, name, corners))
    if not figures:
        return rgb.copy()
    picture = _shade(rgb, figures)
    _tint(picture, figures)
    labels: list[_Label] = []
    for figure in figures:
        _draw_territories(picture, figure)
        _draw_doubts(picture, figure)
        for label in _make_labels(figure):
            labels.append(_move_inside(label, rgb.shape))
    _draw_labels(picture, labels)
    return picture


class _Figure(Struct, frozen=True, eq=False):
    """A kingdom in the picture.

    Attributes:
        kingdom: The kingdom.
        name: `A`, `B`, `C` where the photo shows several.
        homography: From squares to pixels, (3, 3).
        side: The side of a square in pixels.
    """

    kingdom: KingdomResult
    name: str
    homography: _Matrix
    side: float

    @classmethod
    def of(cls, kingdom: KingdomResult, name: str, corners: _Matrix) -> "_Figure":
        """Place a kingdom whose box has these corners in the picture."""
        height = kingdom.kingdom.height
        width = kingdom.kingdom.width
        box = _box_corners((0, 0, width, height)).astype(np.float32)
        homography = cv2.getPerspectiveTransform(box, corners.astype(np.float32))
        sides = corners - np.roll(corners, -1, axis=0)
        top, right, bottom, left = np.linalg.norm(sides, axis=1)
        side = float(min((top + bottom) / 2 / width, (left + right) / 2 / height))
        return cls(kingdom, name, homography.astype(np.float64), side)

    def px(self, points: npt.ArrayLike) -> _Matrix:
        """Return points (x, y), in squares from the top left of the kingdom, in pixels."""
        flat = np.asarray([points], np.float64)
        return np.asarray(cv2.perspectiveTransform(flat, self.homography)[0], np.float64)

    def quad(self, box: Box) -> npt.NDArray[np.int32]:
        """Return a box in squares as OpenCV draws it."""
        return _to_fixed(self.px(_box_corners(box)))

    def square(self, at: Position, inset: float = 0.0) -> npt.NDArray[np.int32]:
        """Return the outline of a square, or one that lies inside of it by `inset`."""
        row, col = at
        return self.quad((col + inset, row + inset, col + 1 - inset, row + 1 - inset))

    def label(
        self, x: float, y: float, letters: float, *parts: "_Part", **colours: str
    ) -> "_Label":
        """Make a label at a point; that and the size of its letters are given in squares."""
        ((across, down),) = self.px([(x, y)])
        return _Label(
            x=float(across), y=float(down), letters=letters * self.side, parts=parts, **colours
        )


def _box_corners(box: Box) -> _Matrix:
    """Return the corners of a box, clockwise from the top left."""
    left, top, right, bottom = box
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64)


def _to_fixed(points: npt.ArrayLike) -> npt.NDArray[np.int32]:
    """Return pixels as OpenCV takes them: in fractions, and counted from the centre of a pixel."""
    centred = np.asarray(points, np.float64) - 0.5
    return np.asarray(np.round(centred * (1 << _SHIFT)), np.int32)


# ---------------------------------------------------------------------- on the squares


def _shade(rgb: Rgb, figures: Sequence[_Figure]) -> Rgb:
    """Darken everything in a photo but the tiles."""
    lit = np.zeros(rgb.shape[:2], np.uint8)
    for figure in figures:
        for at, cell in figure.kingdom.kingdom.cells():
            if cell is not None:
                cv2.fillConvexPoly(lit, figure.square(at), 1, cv2.LINE_8, _SHIFT)
    picture = cv2.convertScaleAbs(rgb, alpha=_SHADE)
    return np.asarray(cv2.copyTo(rgb, lit, picture), np.uint8)


def _tint(picture: Rgb, figures: Sequence[_Figure]) -> None:
    """Lay the colour of its terrain, and a thin white line, over each square."""
    layer = picture.copy()
    for figure in figures:
        for at, cell in figure.kingdom.kingdom.cells():
            if isinstance(cell, Square):
                colour = rgb(PAINTS[cell.terrain].fill)
                cv2.fillConvexPoly(layer, figure.square(at), colour, cv2.LINE_AA, _SHIFT)
            if cell is not None:
                _draw_outline(layer, figure.square(at), 0.02 * figure.side, _WHITE)
    cv2.addWeighted(layer, _TINT, picture, 1 - _TINT, 0, dst=picture)


def _draw_territories(picture: Rgb, figure: _Figure) -> None:
    """Draw a band inside the border of each territory, dark on its inner side."""
    for territory in figure.kingdom.territories:
        cells = set(territory.cells)
        fill = PAINTS[territory.terrain].fill
        for band, colour in ((0.066, _DARK), (0.05, fill)):
            # The parts of a square along its sides and in its corners: each is filled where no
            # square of the territory lies beyond it.
            spans = {-1: (0.0, band), 0: (0.0, 1.0), 1: (1 - band, 1.0)}
            for (row, col), down, across in product(territory.cells, spans, spans):
                if (row + down, col + across) not in cells:
                    (left, right), (top, bottom) = spans[across], spans[down]
                    quad = figure.quad((col + left, row + top, col + right, row + bottom))
                    cv2.fillConvexPoly(picture, quad, rgb(colour), cv2.LINE_AA, _SHIFT)


def _draw_doubts(picture: Rgb, figure: _Figure) -> None:
    """Draw frames around the places to look at: dashed where nothing was read."""
    kingdom = figure.kingdom.kingdom
    width = 0.07 * figure.side
    for at in places_to_check(figure.kingdom):
        if at in kingdom and kingdom[at] is not None:
            _draw_outline(picture, figure.square(at, 0.085), width, DOUBT_COLOUR)
        else:
            _draw_dashes(picture, figure, at, width)


def _draw_dashes(picture: Rgb, figure: _Figure, at: Position, width: float) -> None:
    """Draw the outline of a place in dashes."""
    corners = _box_corners((at[1] + 0.05, at[0] + 0.05, at[1] + 0.95, at[0] + 0.95))
    steps = np.linspace(0, 1, 2 * _DASHES)[:, None]
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        points = figure.px(start + steps * (end - start))
        for dash in points.reshape(_DASHES, 2, 2):
            _draw_outline(picture, _to_fixed(dash), width, DOUBT_COLOUR)


def _draw_outline(
    picture: Rgb, corners: npt.NDArray[np.int32], thickness: float, colour: str
) -> None:
    """Draw the outline of a shape, at least a pixel wide."""
    width = max(round(thickness), 1)
    cv2.polylines(picture, [corners], True, rgb(colour), width, cv2.LINE_AA, _SHIFT)


# ---------------------------------------------------------------------- labels


class _Mark(Struct, frozen=True):
    """What is drawn among the letters of a label.

    Attributes:
        colour: The colour that it is filled with.
        is_crown: Whether it is a crown; else it is a dot.
    """

    colour: str
    is_crown: bool = False


#: A part of a label.
_Part = str | _Mark
_CROWN = _Mark("#ffd447", is_crown=True)
#: The outline of a crown in a box from (0, 0) to (1, 1).
_CROWN_SHAPE = (
    (0.06, 0.92), (0.0, 0.24), (0.27, 0.52), (0.5, 0.06), (0.73, 0.52), (1.0, 0.24), (0.94, 0.92)
)  # fmt: skip
#: The height of a label, in letters.
_HEIGHT = 1.25
#: The width of both its ends together, in letters.
_ENDS = 0.85
#: The gap between its parts, in letters.
_GAP = 0.2
#: The width of a crown or a dot, in letters.
_MARK_WIDTH = 0.7


@cache
def _font(size: int) -> _Font:
    """Load the font that Pillow brings along, in pixels."""
    return cast(_Font, ImageFont.load_default(max(size, 6)))


@lru_cache(1000)
def _text_width(text: str, size: int) -> float:
    """Measure a text in pixels."""
    return _font(size).getlength(text)


class _Label(Struct, frozen=True, kw_only=True):
    """A text in the picture.

    Attributes:
        x: That of its middle, in pixels.
        y: That of its middle, in pixels.
        letters: The size of its letters in pixels.
        parts: What stands in it, from left to right.
        ink: The colour of its letters.
        back: What is behind them; empty for letters with a dark edge.
    """

    x: float = 0.0
    y: float = 0.0
    letters: float
    parts: tuple[_Part, ...]
    ink: str = _WHITE
    back: str = ""

    @property
    def widths(self) -> list[float]:
        """Those of its parts, in pixels."""
        widths = []
        for part in self.parts:
            if isinstance(part, _Mark):
                widths.append(_MARK_WIDTH * self.letters)
            else:
                widths.append(_text_width(part, round(self.letters)))
        return widths

    @property
    def width(self) -> float:
        """Its width in pixels."""
        return sum(self.widths) + self.letters * (_ENDS + _GAP * (len(self.parts) - 1))

    @property
    def height(self) -> float:
        """Its height in pixels."""
        return self.letters * _HEIGHT


def _make_labels(figure: _Figure) -> Iterator[_Label]:
    """Yield what is written on a kingdom and around it."""
    result = figure.kingdom
    doubtful = places_to_check(result)
    # The names of columns and rows, around the kingdom.
    for col, name in enumerate(column_names(result)):
        yield figure.label(col + 0.5, -_OUTSIDE, _NAME, name)
    for row, name in enumerate(row_names(result)):
        yield figure.label(-_OUTSIDE, row + 0.5, _NAME, name)
    # What was read on each square, then the total on the castle.
    for at, cell in result.kingdom.squares().items():
        parts: list[_Part] = [cell.terrain.letter]
        parts += [_CROWN] * cell.crowns
        back = _DARK
        if at in doubtful:
            parts.append("?")
            back = DOUBT_COLOUR
        chip = figure.label(at[1] + 0.5, at[0] + 0.5, _CHIP, *parts, back=back)
        yield _fit_square(chip, figure.side)
    row, col = next(chain(result.kingdom.castles(), result.kingdom.squares()), (0, 0))
    badge = figure.label(col + 0.5, row + 0.5, 1.3 * _CHIP, *_caption(result, figure.name))
    yield _fit_square(replace(badge, back=_state_colour(result)), figure.side)
    # Doubtful places where nothing lies, by name.
    for at in doubtful:
        if at not in result.kingdom or result.kingdom[at] is None:
            name = f"{place_name(result, at)}?"
            yield figure.label(at[1] + 0.5, at[0] + 0.5, _CHIP, name, back=DOUBT_COLOUR)
    # The points of territories, and a mark on dominoes that break the joining rule.
    for territory in result.territories:
        (row, col), paint = territory.cells[0], PAINTS[territory.terrain]
        colours = {"back": paint.fill, "ink": paint.ink}
        if territory.points:
            points = str(territory.points)
            yield figure.label(col + 0.81, row + 0.16, _POINTS, points, **colours)
    for domino in _list_broken(result):
        x, y = np.mean(domino.cells, axis=0)[::-1] + 0.5
        yield figure.label(x, y, _POINTS, "!", back=BROKEN_COLOUR)


def _list_broken(result: KingdomResult) -> list[ReadDomino]:
    """List the dominoes that break the joining rule."""
    return [domino for domino in result.dominoes if domino.broken >= BREAKS.named_from]


def _caption(result: KingdomResult, name: str) -> tuple[_Part, ...]:
    """Return the letter of a kingdom, a dot in the colour of its castle, and its total."""
    parts: list[_Part] = []
    if name:
        parts.append(name)
    if result.colour:
        parts.append(_Mark(CASTLE_COLOURS[result.colour]))
    return (*parts, str(result.score))


def _state_colour(result: KingdomResult) -> str:
    """Return the colour that says how sure a total is."""
    return SURE_COLOUR if result.status is Status.SURE else DOUBT_COLOUR


def _fit_square(label: _Label, side: float) -> _Label:
    """Return the label, small enough for a square."""
    return replace(label, letters=label.letters * min(1.0, _WIDEST * side / label.width))


def _move_inside(label: _Label, shape: tuple[int, ...]) -> _Label:
    """Move the label into the picture; one that would move by more than its size stays outside."""
    half, height = label.width / 2, label.height / 2
    x = min(max(label.x, half), shape[1] - half)
    y = min(max(label.y, height), shape[0] - height)
    if abs(x - label.x) > label.width or abs(y - label.y) > label.height:
        return label
    return replace(label, x=x, y=y)


def _draw_labels(picture: Rgb, labels: Iterable[_Label]) -> None:
    """Write labels into a picture."""
    texts = []
    for label in labels:
        if label.back:
            _fill_capsule(picture, label)
        x = label.x - label.width / 2 + label.letters * _ENDS / 2
        for part, width in zip(label.parts, label.widths, strict=True):
            if isinstance(part, str):
                texts.append((x, part, label))
            elif part.is_crown:
                corner = x, label.y - width / 2
                shape = _to_fixed(np.asarray(_CROWN_SHAPE) * width + corner)
                cv2.fillPoly(picture, [shape], rgb(part.colour), cv2.LINE_AA, _SHIFT)
            else:
                _fill_circle(picture, (x + width / 2, label.y), width / 2, _WHITE)
                _fill_circle(picture, (x + width / 2, label.y), width * 0.42, part.colour)
            x += width + label.letters * _GAP
    for left, text, label in texts:
        at, size = (left, label.y), round(label.letters)
        if not label.back:  # letters that lie on the photo get a dark edge
            _write(picture, at, _make_mask(text, size, max(size // 10, 1)), _DARK)
        _write(picture, at, _make_mask(text, size), label.ink)


#: How far each pixel belongs to a text, (h, w, 1), and where they begin from its left middle.
_Mask = tuple[npt.NDArray[np.float32], tuple[int, int]]


@lru_cache(1000)
def _make_mask(text: str, size: int, stroke: int = 0) -> _Mask:
    """Return the pixels of a text, or of an edge around its letters."""
    core, offset = _font(size).getmask2(text, "L", stroke_width=stroke, anchor="lm")
    width, height = core.size
    share = np.asarray(core, np.float32).reshape(height, width, 1) / np.float32(255)
    return np.asarray(share, np.float32), offset


def _write(picture: Rgb, at: tuple[float, float], mask: _Mask, colour: str) -> None:
    """Write a text whose left middle is at (x, y)."""
    share, offset = mask
    left = round(at[0]) + offset[0]
    top = round(at[1]) + offset[1]
    if left < 0 or top < 0:
        return
    part = picture[top : top + share.shape[0], left : left + share.shape[1]]
    share = share[: part.shape[0], : part.shape[1]]
    part[:] = part + (np.array(rgb(colour), np.float32) - part) * share


def _fill_capsule(picture: Rgb, label: _Label) -> None:
    """Fill a box with round ends behind a label."""
    radius = label.height / 2
    far = label.width / 2 - radius
    for x in (label.x - far, label.x + far):
        _fill_circle(picture, (x, label.y), radius, label.back)
    box = label.x - far, label.y - radius, label.x + far, label.y + radius
    corners = _to_fixed(_box_corners(box))
    cv2.fillConvexPoly(picture, corners, rgb(label.back), cv2.LINE_AA, _SHIFT)


def _fill_circle(picture: Rgb, middle: tuple[float, float], radius: float, colour: str) -> None:
    """Fill a circle around (x, y)."""
    x, y = map(int, _to_fixed(middle))
    far = round(radius * (1 << _SHIFT))
    cv2.circle(picture, (x, y), far, rgb(colour), cv2.FILLED, cv2.LINE_AA, _SHIFT)


# ---------------------------------------------------------------------- the legend


def add_legend(picture: Rgb, result: PhotoResult, language: str = ENGLISH) -> Rgb:
    """Put a strip below a picture: totals, doubts and territories of all kingdoms.

    It says what red marks mean, and what was left out of the photo.
    """
    # The lines of every kingdom.
    height, width = picture.shape[:2]
    letters = max(max(height, width) / _LEGEND_PART, 10)
    room = width - 2 * letters
    lines: list[list[_Label]] = []
    for sheet in make_sheets(result, language):
        lines += _legend_lines(sheet, letters, room, language)
    if not lines:
        return picture
    # What is said of all of them.
    if any(map(_list_broken, result.kingdoms)):
        mark = _Label(letters=letters, parts=("!",), back=BROKEN_COLOUR)
        lines.append([mark, _Label(letters=letters, parts=(sentence("legend.broken", language),))])
    for note in result.left_out:
        lines += _text_lines(note.text(language), letters, room)
    strip_height = round((len(lines) + 0.6) * 1.6 * letters)
    strip = np.full((strip_height, width, 3), rgb(_DARK), np.uint8)
    _draw_labels(strip, _lay_out(lines))
    return np.concatenate([picture, strip])


def _lay_out(lines: Iterable[Sequence[_Label]]) -> Iterator[_Label]:
    """Yield labels in lines, from the top left of the strip on."""
    for number, line in enumerate(lines):
        x = line[0].letters
        for label in line:
            y = (number + 0.8) * 1.6 * label.letters
            yield replace(label, x=x + label.width / 2, y=y)
            x += label.width + _LEGEND_GAP * label.letters


def _legend_lines(
    sheet: KingdomSheet, letters: float, room: float, language: str
) -> Iterator[list[_Label]]:
    """Yield the lines of a kingdom, none wider than so many pixels."""
    result = sheet.result
    caption = _caption(result, sheet.name)
    head = _Label(letters=letters, parts=caption, back=_state_colour(result))
    status = sentence(f"status.{result.status}", language)
    items = [head, _Label(letters=letters, parts=(status,))]
    for territory in sheet.scoring:
        paint = PAINTS[territory.terrain]
        name = sentence(f"terrain.{territory.terrain}", language)
        count = f"{territory.squares} x {territory.crowns} = {territory.points}"
        text = f"{name} {count}"
        items.append(_Label(letters=letters, parts=(text,), ink=paint.ink, back=paint.fill))
    for bonus in sheet.bonuses:
        text = f"{sentence(f'bonus.{bonus.code}', language)} +{bonus.counted_points}"
        items.append(_Label(letters=letters, parts=(text,), ink=_DARK, back=_WHITE))
    yield from _break_lines(items, room)
    texts = []
    if result.doubt:
        texts.append(result.doubt.text(language))
    if likely_totals(result):
        texts.append(totals_text(result, language))
    yield from _text_lines(" ".join(texts), letters, room)


def _text_lines(text: str, letters: float, room: float) -> Iterator[list[_Label]]:
    """Yield a text in lines, none wider than so many pixels."""
    labels = [_Label(letters=letters, parts=(word,)) for word in text.split()]
    for line in _break_lines(labels, room):
        words = chain.from_iterable(label.parts for label in line)
        yield [_Label(letters=letters, parts=(" ".join(map(str, words)),))]


def _break_lines(labels: Iterable[_Label], room: float) -> list[list[_Label]]:
    """Break labels into lines that are no wider than there is room for, in pixels."""
    lines: list[list[_Label]] = []
    taken = 0.0
    for label in labels:
        if not lines or taken + label.width > room:
            lines.append([])
            taken = 0.0
        lines[-1].append(label)
        taken += label.width + _LEGEND_GAP * label.letters
    return lines


# ---------------------------------------------------------------------- as a file

#: How files of a kind take their quality; others take none.
_QUALITIES = {
    ".jpg": cv2.IMWRITE_JPEG_QUALITY,
    ".jpeg": cv2.IMWRITE_JPEG_QUALITY,
    ".webp": cv2.IMWRITE_WEBP_QUALITY,
}


def encode_overlay(
    photo: Photo, result: PhotoResult, kind: str = ".jpg", language: str = ENGLISH
) -> bytes:
    """Draw the overlay of a photo, with its legend, as a picture file of a kind such as `.jpg`."""
    # Decoding it finer than it was read would take longer than drawing.
    side = min(max(photo.decoded_side, _MIN_SIDE), OVERLAY_SIDE)
    pixels, scale = photo.pixels(side)
    drawn = draw_overlay(pixels, result, scale)
    return encode_picture(add_legend(drawn, result, language), kind)


def encode_picture(rgb: Rgb, kind: str = ".jpg", quality: int = 92) -> bytes:
    """Write a picture, (h, w, 3), as a file of a kind; a PNG has no quality."""
    options = []
    if kind in _QUALITIES:
        options = [_QUALITIES[kind], quality]
    _, data = cv2.imencode(kind, cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), options)
    return bytes(data)
