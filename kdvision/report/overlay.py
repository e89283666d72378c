"""The photo with what was read drawn over it.

Everything that belongs to a square is painted on a flat board first and then laid over the photo
in the perspective of the kingdom. The badge with the total stands upright beside it.
"""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt
from msgspec import Struct
from PIL import Image, ImageDraw

from kdvision.photo.photo import Photo
from kdvision.report.board import (
    MARGIN,
    Box,
    Font,
    Label,
    font,
    paint_badge,
    paint_board,
    place_labels,
)
from kdvision.report.palette import DOUBT_COLOUR, SURE_COLOUR, rgb
from kdvision.report.wording import kingdom_names, photo_notes
from kdvision.result import OVERLAY_SIDE, KingdomResult, PhotoResult, Status
from kdvision.slips.slip import Slip

Rgb = npt.NDArray[np.uint8]
_Matrix = npt.NDArray[np.float64]
_Layer = npt.NDArray[np.float32]

#: What is left of the light around the kingdoms.
_SHADE = 0.55
#: The edge of that shade is so wide, as a part of a square.
_SOFT = 0.24
#: A square of the painted board is no smaller and no larger than this, in pixels.
_LEAST_SQUARE, _MOST_SQUARE = 32, 200
#: What a badge that lies as far away as its kingdom is large costs, in shares of it that hide.
_FAR = 0.8
#: A badge goes by a square, or by this part of the photo where squares are large.
_BADGE_PART, _LEAST_BADGE = 14, 12
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
        only: The index of the kingdom that is drawn, with its slips; None draws all.
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
    slips = [slip for slip in result.slips if slip.corners and only in (None, slip.kingdom)]
    picture = _shaded(rgb, placed, slips, view)
    for one in placed:
        board = paint_board(one.kingdom, one.square, labels=one.labels, dominoes=dominoes)
        _blend(picture, _laid(board, one.place, rgb.shape))
    for slip in slips:
        _draw_slip(picture, slip, result.kingdoms, view)
    labels = np.zeros(rgb.shape[:2], np.uint8)
    for one in placed:
        one.fill_labels(labels)
    around = [view.px(one.kingdom.corners) for one in placed]
    taken = [*around, *(view.px(slip.corners) for slip in slips)]
    for one, corners in zip(placed, around, strict=True):
        part = max(min(one.square, max(rgb.shape) / _BADGE_PART), _LEAST_BADGE)
        badge = paint_badge(one.kingdom, one.name, part)
        taken.append(_put_badge(picture, badge, part / 2, corners, taken, labels))
    _put_caption(picture, caption(result, only), taken, labels)
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

    def fixed(self, points: npt.ArrayLike) -> npt.NDArray[np.int32]:
        """The same as OpenCV takes it, with fractions; its pixels begin at their centres."""
        return np.asarray(np.round((self.px(points) - 0.5) * (1 << _SHIFT)), np.int32)


class _Placed(Struct, frozen=True, eq=False):
    """A kingdom and where its board lies in the photo.

    `square` is the side of a square on the board in pixels, `place` the homography from the board
    to the photo, `labels` what is written in the photo.
    """

    kingdom: KingdomResult
    name: str
    square: int
    place: _Matrix
    labels: list[Label]

    @classmethod
    def of(
        cls, kingdom: KingdomResult, name: str, view: _View, shape: tuple[int, ...]
    ) -> "_Placed":
        """The place of a kingdom in a photo of a shape."""
        square, place = _placing(kingdom, view)

        def fits(box: Box) -> bool:
            x, y = _in_photo(box, square, place).T
            return bool(min(*x, *y) >= 0 and max(x) <= shape[1] and max(y) <= shape[0])

        return cls(kingdom, name, square, place, place_labels(kingdom, fits))

    def fill_labels(self, mask: npt.NDArray[np.uint8]) -> None:
        """Set a mask of the photo to 1 where a label of the board lies."""
        for label in self.labels:
            outline = np.round(_in_photo(label.box, self.square, self.place)).astype(np.int32)
            cv2.fillConvexPoly(mask, outline, 1)


def _shaded(rgb: Rgb, placed: Sequence[_Placed], slips: Sequence[Slip], view: _View) -> Rgb:
    """The photo with everything darkened but the tiles and the slips; soft between."""
    lit = np.zeros(rgb.shape[:2], np.float32)
    for slip in slips:
        cv2.fillConvexPoly(lit, view.fixed(slip.corners), 1.0, cv2.LINE_8, _SHIFT)
    for one in placed:
        for (row, col), cell in one.kingdom.kingdom.cells():
            if cell is not None:
                corners = _in_photo((col, row, col + 1, row + 1), one.square, one.place)
                cv2.fillConvexPoly(lit, np.round(corners).astype(np.int32), 1.0)
    soft = max(round(_SOFT * max(one.square for one in placed)), 1)
    light = _SHADE + (1 - _SHADE) * cv2.blur(lit, (soft, soft))[:, :, None]
    return np.clip(rgb * light, 0, 255).astype(np.uint8)


def _placing(kingdom: KingdomResult, view: _View) -> tuple[int, _Matrix]:
    """The size of a square on the painted board, and the homography from board to photo."""
    corners = view.px(kingdom.corners)
    height, width = kingdom.sheet.kingdom.height, kingdom.sheet.kingdom.width
    across = np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])
    down = np.linalg.norm(corners[3] - corners[0]) + np.linalg.norm(corners[2] - corners[1])
    square = round(max(across / 2 / width, down / 2 / height))
    square = min(max(square, _LEAST_SQUARE), _MOST_SQUARE)
    board = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    # OpenCV counts from the centre of the first pixel, corners from its outer corner.
    flat = ((board + MARGIN) * square - 0.5).astype(np.float32)
    place = cv2.getPerspectiveTransform(flat, (corners - 0.5).astype(np.float32))
    return square, np.asarray(place, np.float64)


def _in_photo(box: Box, square: int, place: _Matrix) -> _Matrix:
    """The corners of a box in squares from the kingdom's corner, as (4, 2) pixels of the photo."""
    left, top, right, bottom = box
    corners = [[[left, top], [right, top], [right, bottom], [left, bottom]]]
    flat = (np.array(corners, np.float64) + MARGIN) * square
    return np.asarray(cv2.perspectiveTransform(flat, place)[0], np.float64)


def _laid(board: _Layer, place: _Matrix, shape: tuple[int, ...]) -> _Layer:
    """A painted board as it lies in the photo; zero around it."""
    laid = cv2.warpPerspective(board, place, (shape[1], shape[0]), flags=cv2.INTER_LINEAR)
    return np.asarray(laid, np.float32)


def _blend(picture: Rgb, layer: _Layer) -> None:
    """Lay an RGBA layer, colours multiplied by alpha, all 0 to 1, over a picture in place."""
    rows, cols = (np.nonzero(layer[:, :, 3].any(axis=axis))[0] for axis in (1, 0))
    if not len(rows):
        return
    part = np.s_[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    under = picture[part].astype(np.float32) * (1 - layer[part][:, :, 3:])
    picture[part] = np.clip(under + 255 * layer[part][:, :, :3] + 0.5, 0, 255).astype(np.uint8)


def _put_badge(
    picture: Rgb,
    image: Image.Image,
    gap: float,
    corners: _Matrix,
    taken: Sequence[_Matrix],
    labels: npt.NDArray[np.uint8],
) -> _Matrix:
    """Put a badge beside its kingdom, where it hides least; returns its corners.

    Args:
        picture: Is changed.
        image: The badge.
        gap: What is left free between it and the rest, in pixels.
        corners: Of the kingdom.
        taken: What should not be hidden: the corners of kingdoms and of other badges.
        labels: 1 where a label lies, which is not hidden as long as a smaller badge has room.
    """
    height, width = picture.shape[:2]
    if image.width > width or image.height > height:
        image.thumbnail((width, height))
    used, step = _used(picture, taken, gap), max(height, width) // _RASTER + 1
    while True:
        ys, xs = (
            np.arange(0, room + 1, step) for room in (height - image.height, width - image.width)
        )
        hidden = _shares(used, ys, xs, image) + _LABEL * (_shares(labels, ys, xs, image) > 0)
        cost = hidden + _FAR * _distances(corners, ys + image.height / 2, xs + image.width / 2)
        row, col = np.unravel_index(cost.argmin(), cost.shape)
        if cost[row, col] < _LABEL or min(image.size) <= _LEAST_BADGE:
            break
        image = image.resize((image.width * 4 // 5, image.height * 4 // 5))
    x, y = int(xs[col]), int(ys[row])
    base = Image.fromarray(picture)
    base.paste(image, (x, y), image)
    picture[:] = np.asarray(base)
    right, bottom = x + image.width, y + image.height
    return np.array([[x, y], [right, y], [right, bottom], [x, bottom]], np.float64)


def _distances(corners: _Matrix, ys: _Matrix, xs: _Matrix) -> _Matrix:
    """How far points lie from the box of a kingdom and a little from its middle, in diagonals."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    (middle_x, middle_y), diagonal = (low + high) / 2, np.linalg.norm(high - low)
    beside = np.hypot((ys - ys.clip(low[1], high[1]))[:, None], xs - xs.clip(low[0], high[0]))
    off = np.hypot((ys - middle_y)[:, None], xs - middle_x)
    return np.asarray((beside + _CENTRED * off) / diagonal)


def _used(picture: Rgb, taken: Sequence[_Matrix], edge: float) -> npt.NDArray[np.uint8]:
    """1 where something lies that should not be hidden, or within an edge around it."""
    used = np.zeros(picture.shape[:2], np.uint8)
    for polygon in taken:
        outline = np.round(polygon).astype(np.int32)
        cv2.fillConvexPoly(used, outline, 1)
        cv2.polylines(used, [outline], True, 1, thickness=max(round(edge), 1))
    return used


def _shares(
    mask: npt.NDArray[np.uint8],
    ys: npt.NDArray[np.int64],
    xs: npt.NDArray[np.int64],
    image: Image.Image,
) -> _Matrix:
    """The share of an image that hides something, for each place of its top left corner."""
    sums = cv2.integral(mask)
    far_y, far_x = ys + image.height, xs + image.width
    hidden = sums[np.ix_(far_y, far_x)] - sums[np.ix_(ys, far_x)]
    hidden += sums[np.ix_(ys, xs)] - sums[np.ix_(far_y, xs)]
    return np.asarray(hidden / (image.width * image.height))


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
    used = _used(picture, taken, 0) + 4 * labels
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


#: Bits of the fractions of a pixel that OpenCV is given.
_SHIFT = 4
#: Width of lines, and radius of the circle about a mark, as shares of the side of the code.
_LINE, _MARK = 0.025, 0.075


def _draw_slip(picture: Rgb, slip: Slip, kingdoms: Sequence[KingdomResult], view: _View) -> None:
    """Draw a slip: its frame, its marks, and a line to the kingdom that it lies beside."""
    colour = rgb(DOUBT_COLOUR if slip.unclear or not slip.kingdom_is_sure else SURE_COLOUR)
    width = max(1, round(_LINE * slip.code_px / view.scale))
    style = colour, width, cv2.LINE_AA, _SHIFT
    cv2.polylines(picture, [view.fixed(slip.corners)], True, *style)
    radius = round(_MARK * slip.code_px / view.scale * (1 << _SHIFT))
    for mark in slip.marks:
        x, y = view.fixed(mark.center)
        cv2.circle(picture, (int(x), int(y)), radius, *style)
    if slip.kingdom is not None and len(kingdoms[slip.kingdom].corners) == 4:
        corners = np.array(slip.corners)
        middle = np.mean(kingdoms[slip.kingdom].corners, axis=0)
        sides = (corners + np.roll(corners, -1, axis=0)) / 2
        start = sides[np.linalg.norm(sides - middle, axis=1).argmin()]
        cv2.polylines(picture, [view.fixed([start, middle])], False, *style)


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
