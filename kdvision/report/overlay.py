"""The photo with what was read drawn over it.

Squares, territories and dominoes are drawn in the perspective of their kingdom; labels, and the
badge with the total beside it, stand upright.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from math import ceil

import cv2
import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageDraw

from kdvision.photo.photo import Photo
from kdvision.report.labels import (
    SHIFT,
    Box,
    Font,
    Label,
    Rgb,
    badge,
    draw_labels,
    fill_circle,
    fixed,
    font,
    place_labels,
)
from kdvision.report.palette import (
    BROKEN_COLOUR,
    DOUBT_COLOUR,
    TERRAIN_PAINTS,
    rgb,
)
from kdvision.report.wording import doubtful_cells, kingdom_names, photo_notes
from kdvision.result import OVERLAY_SIDE, KingdomResult, PhotoResult, Status
from kdvision.rules.kingdom import Position
from kdvision.rules.legality import BREAKS
from kdvision.rules.terrain import Square

_Matrix = npt.NDArray[np.float64]

#: What is left of the light around the kingdoms.
_SHADE = 0.55
#: The edge of that shade is so wide, as a part of a square.
_SOFT = 0.24
#: The shares that the colours of terrains, and lines between squares, have of what they lie on.
_TINT, _LINES = 0.27, 0.47
#: White, and what is around the bands of territories.
_WHITE, _DARK = "#ffffff", "#0c0e12"
#: What a badge that lies as far away as its kingdom is large costs, in shares of it that hide.
_FAR = 0.8
#: A badge goes by a square, or by this part of the photo where squares are large.
_BADGE_PART, _LEAST_BADGE = 14, 12
#: The letters of a badge, as a part of that, and the smallest ones, in pixels.
_BADGE_LETTERS, _LEAST_LETTERS = 0.6, 6
#: A label that is hidden costs more than anything else.
_LABEL = 100.0
#: And what one costs that does not stand in the middle, in the same shares.
_CENTRED = 0.1
#: Places for a badge are tried in at most so many columns and rows of the photo.
_RASTER = 200
#: The letters of the caption go by the longer side of the picture; a picture is at least this wide
#: in pixels, and the caption has at most this number of lines, for it to be read.
_CAPTION_PART, _LEAST_CAPTION, _MOST_LINES = 60, 240, 3
#: What the band behind the caption takes from the light.
_BAND = 0.7


def draw_overlay(
    rgb: Rgb,
    result: PhotoResult,
    scale: float,
    *,
    dominoes: bool = False,
    only: int | None = None,
    corner: tuple[float, float] = (0.0, 0.0),
) -> Rgb:
    """Draw a result over its photo.

    Args:
        rgb: The upright photo, (h, w, 3), at any size.
        result: With corners in pixels of the full photo.
        scale: How many pixels of the full photo one pixel of `rgb` stands for, along a side.
        dominoes: Whether every domino gets an outline, and not only those that break a rule.
        only: The index of the kingdom that is drawn; None draws all.
        corner: Where the picture begins in the full photo, (x, y) in its pixels.

    Returns:
        A new array of the same shape.
    """
    view = _View(scale, corner)
    placed = [
        _Placed.of(kingdom, name, view, rgb.shape)
        for index, (kingdom, name) in enumerate(
            zip(result.kingdoms, kingdom_names(result), strict=True)
        )
        if len(kingdom.corners) == 4 and only in (None, index)
    ]
    if not placed:
        return rgb.copy()
    picture = _shaded(rgb, placed)
    for one in placed:
        _draw_squares(picture, one)
        _draw_territories(picture, one)
        _draw_frames(picture, one, dominoes)
    labels = [label for one in placed for label in one.labels]
    covered = np.zeros(rgb.shape[:2], np.uint8)
    for label in labels:
        cv2.fillConvexPoly(covered, np.round(_corners(label.box)).astype(np.int32), 1)
    taken = [one.corners for one in placed]
    for one in placed:
        part = max(min(one.side, max(rgb.shape) / _BADGE_PART), _LEAST_BADGE)
        total = _beside(badge(one.kingdom, one.name, _BADGE_LETTERS * part), one, taken, covered)
        if total is not None:
            labels.append(total)
            taken.append(_corners(total.box))
    draw_labels(picture, labels)
    _put_caption(picture, caption(result, only), taken, covered)
    return picture


def caption(result: PhotoResult, only: int | None = None) -> str:
    """What the picture says in words: why a total is doubtful; empty when all is sure.

    Args:
        result: The result of the photo.
        only: The index of the kingdom that is drawn; None for all.
    """
    about = result if only is None else result.kingdoms[only]
    if about.status is Status.SURE:
        return ""
    if len(result.kingdoms) < 2:
        return about.message if isinstance(about, PhotoResult) else about.reason
    named = list(zip(kingdom_names(result), result.kingdoms, strict=True))
    shown = named if only is None else [named[only]]
    doubts = [f"{name}: {one.reason}" for name, one in shown if one.reason]
    return " ".join([*doubts, *photo_notes(result)])


class _View(Struct, frozen=True):
    """What part of the photo a picture shows, and how large; see `draw_overlay`."""

    scale: float
    corner: tuple[float, float] = (0.0, 0.0)

    def px(self, points: npt.ArrayLike) -> _Matrix:
        """Points of the full photo in pixels of the picture, from its outer corner."""
        return np.asarray((np.asarray(points, np.float64) - self.corner) / self.scale)


class _Placed(Struct, frozen=True, eq=False):
    """A kingdom in the picture.

    `place` is the homography from squares to pixels, `corners` are those of its box, `side` is that
    of a square, and `labels` are what is written.
    """

    kingdom: KingdomResult
    name: str
    place: _Matrix
    corners: _Matrix
    side: float
    labels: list[Label]

    @classmethod
    def of(
        cls, kingdom: KingdomResult, name: str, view: _View, shape: tuple[int, ...]
    ) -> "_Placed":
        """The place of a kingdom in a picture of a shape."""
        corners = view.px(kingdom.corners)
        height, width = kingdom.kingdom.height, kingdom.kingdom.width
        box = _corners((0, 0, width, height)).astype(np.float32)
        place = cv2.getPerspectiveTransform(box, corners.astype(np.float32)).astype(np.float64)
        top, right, bottom, left = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        side = float(min((top + bottom) / 2 / width, (left + right) / 2 / height))
        one = cls(kingdom, name, place, corners, side, [])
        size = shape[1], shape[0]
        return replace(one, labels=place_labels(kingdom, one.point, side, size))

    def px(self, points: npt.ArrayLike) -> _Matrix:
        """Points (x, y) in squares from the top left of the kingdom, in pixels."""
        flat = np.asarray([points], np.float64)
        return np.asarray(cv2.perspectiveTransform(flat, self.place)[0], np.float64)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """One point in pixels."""
        ((across, down),) = self.px([(x, y)])
        return float(across), float(down)

    def quad(self, box: Box) -> npt.NDArray[np.int32]:
        """A box in squares as OpenCV draws it."""
        return fixed(self.px(_corners(box)))

    def frame(self, one: Position, other: Position, inset: float) -> npt.NDArray[np.int32]:
        """The frame around two squares, or one, so far inside of them."""
        top, left, bottom, right = *one, other[0] + 1, other[1] + 1
        return self.quad((left + inset, top + inset, right - inset, bottom - inset))


def _corners(box: Box) -> _Matrix:
    """The corners of a box, clockwise from the top left."""
    left, top, right, bottom = box
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64)


def _shaded(rgb: Rgb, placed: Sequence[_Placed]) -> Rgb:
    """The photo with everything darkened but the tiles; soft between."""
    lit = np.zeros(rgb.shape[:2], np.float32)
    for one in placed:
        for (row, col), cell in one.kingdom.kingdom.cells():
            if cell is not None:
                square = one.quad((col, row, col + 1, row + 1))
                cv2.fillConvexPoly(lit, square, 1.0, cv2.LINE_8, SHIFT)
    soft = max(round(_SOFT * max(one.side for one in placed)), 1)
    light = _SHADE + (1 - _SHADE) * cv2.blur(lit, (soft, soft))[:, :, None]
    return np.clip(rgb * light, 0, 255).astype(np.uint8)


# ---------------------------------------------------------------------- what lies on the squares


@contextmanager
def _glaze(picture: Rgb, share: float) -> Iterator[Rgb]:
    """Give a copy to draw on, of which a share shows in the picture."""
    layer = picture.copy()
    yield layer
    cv2.addWeighted(layer, share, picture, 1 - share, 0, dst=picture)


def _draw_squares(picture: Rgb, placed: _Placed) -> None:
    """The colour of the terrain over each square, thin lines between, dots around the empty."""
    cells = list(placed.kingdom.kingdom.cells())
    with _glaze(picture, _TINT) as layer:
        for at, cell in cells:
            if isinstance(cell, Square):
                colour = rgb(TERRAIN_PAINTS[cell.terrain].fill)
                cv2.fillConvexPoly(layer, placed.frame(at, at, 0), colour, cv2.LINE_AA, SHIFT)
    with _glaze(picture, _LINES) as layer:
        for at, cell in cells:
            if cell is not None:
                _draw_frame(layer, placed.frame(at, at, 0), 0.012 * placed.side, _WHITE)
                continue
            for step in np.linspace(0.1, 0.9, 7):
                for across, down in ((step, 0.1), (step, 0.9), (0.1, step), (0.9, step)):
                    middle = placed.point(at[1] + across, at[0] + down)
                    fill_circle(layer, middle, 0.016 * placed.side, _WHITE)


def _draw_territories(picture: Rgb, placed: _Placed) -> None:
    """A band inside the border of each territory, dark on its inner side."""
    for territory in placed.kingdom.sheet.territories:
        cells, fill = set(territory.cells), TERRAIN_PAINTS[territory.terrain].fill
        for band, colour in ((0.066, _DARK), (0.05, fill)):
            spans = {-1: (0.0, band), 0: (0.0, 1.0), 1: (1 - band, 1.0)}
            for (row, col), down, across in product(territory.cells, spans, spans):
                if (row + down, col + across) not in cells:
                    (left, right), (top, bottom) = spans[across], spans[down]
                    quad = placed.quad((col + left, row + top, col + right, row + bottom))
                    cv2.fillConvexPoly(picture, quad, rgb(colour), cv2.LINE_AA, SHIFT)


def _draw_frames(picture: Rgb, placed: _Placed, dominoes: bool) -> None:
    """Frames around places to look at, and around dominoes; marks on those that break the rule."""
    side = placed.side
    for domino in placed.kingdom.dominoes if dominoes else ():
        if domino.probability >= BREAKS.named_from:
            width = 0.05 if domino.probability >= BREAKS.known_from else 0.02
            _draw_frame(picture, placed.frame(*domino.cells, 0.1), width * side, _WHITE)
    for at in doubtful_cells(placed.kingdom):
        _draw_frame(picture, placed.frame(at, at, 0.085), 0.07 * side, DOUBT_COLOUR)
    broken = [one.cells for one in placed.kingdom.dominoes if one.broken >= BREAKS.named_from]
    marks = [
        placed.point((col + far_col + 1) / 2, (row + far_row + 1) / 2)
        for (row, col), (far_row, far_col) in broken
    ]
    draw_labels(
        picture,
        [
            Label(kind="chip", x=x, y=y, letters=0.15 * side, parts=("!",), back=BROKEN_COLOUR)
            for x, y in marks
        ],
    )


def _draw_frame(
    picture: Rgb, corners: npt.NDArray[np.int32], thickness: float, colour: str
) -> None:
    """Draw the outline of a shape, at least a pixel wide."""
    width = max(round(thickness), 1)
    cv2.polylines(picture, [corners], True, rgb(colour), width, cv2.LINE_AA, SHIFT)


# ---------------------------------------------------------------------- the total, and words


def _beside(
    badge: Label, placed: _Placed, taken: Sequence[_Matrix], labels: npt.NDArray[np.uint8]
) -> Label | None:
    """Place a badge beside its kingdom, where it hides least; None where it has no room at all.

    Args:
        badge: The badge.
        placed: The kingdom.
        taken: What should not be hidden: the corners of kingdoms and of other badges.
        labels: 1 where a label lies, which is not hidden as long as a smaller badge has room.
    """
    height, width = labels.shape
    used, step = _used(labels.shape, taken, badge.height / 2), max(labels.shape) // _RASTER + 1
    best = None
    while badge.letters >= _LEAST_LETTERS:
        size = ceil(badge.height), ceil(badge.width)
        if size[0] <= height and size[1] <= width:
            ys = np.arange(0, height - size[0] + 1, step)
            xs = np.arange(0, width - size[1] + 1, step)
            hidden = _shares(used, ys, xs, size) + _LABEL * (_shares(labels, ys, xs, size) > 0)
            middle_y, middle_x = ys + size[0] / 2, xs + size[1] / 2
            cost = hidden + _FAR * _distances(placed.corners, middle_y, middle_x)
            row, col = np.unravel_index(cost.argmin(), cost.shape)
            best = replace(badge, x=float(middle_x[col]), y=float(middle_y[row]))
            if cost[row, col] < _LABEL:
                break
        badge = replace(badge, letters=badge.letters * 0.8)
    return best


def _distances(corners: _Matrix, ys: _Matrix, xs: _Matrix) -> _Matrix:
    """How far points lie from the box of a kingdom and a little from its middle, in diagonals."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    (middle_x, middle_y), diagonal = (low + high) / 2, np.linalg.norm(high - low)
    beside = np.hypot((ys - ys.clip(low[1], high[1]))[:, None], xs - xs.clip(low[0], high[0]))
    off = np.hypot((ys - middle_y)[:, None], xs - middle_x)
    return np.asarray((beside + _CENTRED * off) / diagonal)


def _used(shape: tuple[int, ...], taken: Sequence[_Matrix], edge: float) -> npt.NDArray[np.uint8]:
    """1 where something lies that should not be hidden, or within an edge around it."""
    used = np.zeros(shape[:2], np.uint8)
    for polygon in taken:
        outline = np.round(polygon).astype(np.int32)
        cv2.fillConvexPoly(used, outline, 1)
        cv2.polylines(used, [outline], True, 1, thickness=max(round(edge), 1))
    return used


def _shares(
    mask: npt.NDArray[np.uint8],
    ys: npt.NDArray[np.int64],
    xs: npt.NDArray[np.int64],
    size: tuple[int, int],
) -> _Matrix:
    """The share of a box of a size that hides something, for each place of its top left corner."""
    sums, far_y, far_x = cv2.integral(mask), ys + size[0], xs + size[1]
    hidden = sums[np.ix_(far_y, far_x)] - sums[np.ix_(ys, far_x)]
    hidden += sums[np.ix_(ys, xs)] - sums[np.ix_(far_y, xs)]
    return np.asarray(hidden / (size[0] * size[1]))


def _put_caption(
    picture: Rgb, text: str, taken: Sequence[_Matrix], labels: npt.NDArray[np.uint8]
) -> None:
    """Write a sentence over the whole width of the picture, where it hides least."""
    height, width = picture.shape[:2]
    letters = font(round(max(width, height) / _CAPTION_PART))
    line = round(letters.size * 1.3) if hasattr(letters, "size") else 12
    lines = _broken_lines(text, letters, width - line)[:_MOST_LINES]
    band = line * len(lines) + line // 2
    if not text or band > height / 2 or width < _LEAST_CAPTION:
        return
    used = _used(picture.shape, taken, 0) + 4 * labels
    tops = [height - band, 0, *range(line, height - band, line)]
    top = min(tops, key=lambda y: float(used[y : y + band].mean()))
    part = picture[top : top + band]
    part[:] = (part * (1 - _BAND)).astype(np.uint8)
    base = Image.fromarray(part)
    draw = ImageDraw.Draw(base)
    for number, words in enumerate(lines):
        at = line / 2, line / 4 + (number + 0.5) * line
        draw.text(at, words, font=letters, fill="#ffffff", anchor="lm")
    part[:] = np.asarray(base)


def _broken_lines(text: str, letters: Font, room: float) -> list[str]:
    """A text in lines that are no longer than there is room for, in pixels."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and letters.getlength(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


#: How files of a kind take their quality; others take none.
_QUALITIES = {
    ".jpg": cv2.IMWRITE_JPEG_QUALITY,
    ".jpeg": cv2.IMWRITE_JPEG_QUALITY,
    ".webp": cv2.IMWRITE_WEBP_QUALITY,
}


def overlay_bytes(
    photo: Photo, result: PhotoResult, kind: str = ".jpg", *, dominoes: bool = False
) -> bytes:
    """Draw the overlay of a photo as a picture file of a kind, such as `.jpg`."""
    rgb, scale = photo.pixels(OVERLAY_SIDE)
    return picture_file(draw_overlay(rgb, result, scale, dominoes=dominoes), kind)


def picture_file(rgb: Rgb, kind: str = ".jpg", quality: int = 92) -> bytes:
    """Write a picture, (h, w, 3), as a file of a kind; a PNG has no quality."""
    options = [_QUALITIES[kind], quality] if kind in _QUALITIES else []
    _, data = cv2.imencode(kind, cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), options)
    return bytes(data)
