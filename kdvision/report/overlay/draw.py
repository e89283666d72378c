"""The photo with what was read drawn over it.

Everything that belongs to a square is painted on a flat board first and then laid over the photo
in the perspective of the kingdom. The badge with the total stands upright beside it.
"""

from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from kdvision.report.overlay.badge import Badge, paint_badge
from kdvision.report.overlay.board import MARGIN, paint_board, paint_shade
from kdvision.report.palette import DOUBT_COLOUR
from kdvision.report.wording import kingdom_names, named_alternatives, total_text
from kdvision.result import KingdomResult, PhotoResult, Status

Rgb = npt.NDArray[np.uint8]
_Matrix = npt.NDArray[np.float64]
_Layer = npt.NDArray[np.float32]

#: What is left of the light around the kingdoms.
_SHADE = 0.55
#: A square of the painted board is no smaller and no larger than this, in pixels.
_LEAST_SQUARE, _MOST_SQUARE = 32, 200
#: What a badge that lies as far away as its kingdom is large costs, in shares of it that hide.
_FAR = 0.8
#: A badge goes by a square, or by this part of the photo where squares are large.
_BADGE_PART, _LEAST_BADGE = 14, 12
_SURE_FILL, _DOUBT_FILL = "#1d7a46", DOUBT_COLOUR


def draw_overlay(rgb: Rgb, result: PhotoResult, scale: float, *, dominoes: bool = False) -> Rgb:
    """Draw a result over its photo.

    Args:
        rgb: The upright photo, (h, w, 3), at any size.
        result: With corners in pixels of the full photo.
        scale: How many pixels of the full photo one pixel of `rgb` stands for, along a side.
        dominoes: Whether every domino gets an outline, and not only those that break a rule.

    Returns:
        A new array of the same shape.
    """
    kingdoms = [
        (kingdom, name)
        for kingdom, name in zip(result.kingdoms, kingdom_names(result), strict=True)
        if len(kingdom.corners) == 4
    ]
    if not kingdoms:
        return rgb.copy()
    shade = np.zeros(rgb.shape[:2], np.float32)
    placed = [(kingdom, name, *_placing(kingdom, scale)) for kingdom, name in kingdoms]
    for kingdom, _, square, place in placed:
        shade = np.maximum(shade, _laid(paint_shade(kingdom, square), place, rgb.shape))
    light = _SHADE + (1 - _SHADE) * shade[:, :, None]
    picture = np.clip(rgb * light, 0, 255).astype(np.uint8)
    for kingdom, _, square, place in placed:
        inside = _leaves_photo(kingdom, square, place, rgb.shape)
        board = paint_board(kingdom, square, names_inside=inside, dominoes=dominoes)
        _blend(picture, _laid(board, place, rgb.shape))
    taken = [np.array(kingdom.corners) / scale for kingdom, _ in kingdoms]
    for kingdom, name, square, _ in placed:
        part = max(min(square, max(rgb.shape) / _BADGE_PART), _LEAST_BADGE)
        badge = _badge(kingdom, name, part)
        taken.append(_put_badge(picture, badge, np.array(kingdom.corners) / scale, taken))
    return picture


def _placing(kingdom: KingdomResult, scale: float) -> tuple[int, _Matrix]:
    """The size of a square on the painted board, and the homography from board to photo."""
    corners = np.array(kingdom.corners, np.float64) / scale
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


def _leaves_photo(
    kingdom: KingdomResult, square: int, place: _Matrix, shape: tuple[int, ...]
) -> bool:
    """Whether a letter above the kingdom or a number beside it would not lie in the photo."""
    height, width = kingdom.kingdom.height, kingdom.kingdom.width
    names = [(MARGIN + col + across, MARGIN * 0.6) for col in range(width) for across in (0.3, 0.7)]
    names += [(MARGIN * 0.6, MARGIN + row + down) for row in range(height) for down in (0.3, 0.7)]
    flat = np.array([names], np.float32) * square
    x, y = cv2.perspectiveTransform(flat, place)[0].T
    return bool(((x < 0) | (y < 0) | (x > shape[1] - 1) | (y > shape[0] - 1)).any())


def _laid(board: _Layer, place: _Matrix, shape: tuple[int, ...]) -> _Layer:
    """A painted board as it lies in the photo; zero around it."""
    laid = cv2.warpPerspective(board, place, (shape[1], shape[0]), flags=cv2.INTER_LINEAR)
    return np.asarray(laid, np.float32)


def _blend(picture: Rgb, layer: _Layer) -> None:
    """Lay an RGBA layer, colours multiplied by alpha, all 0 to 1, over a picture in place."""
    rows, cols = (
        np.nonzero(layer[:, :, 3].any(axis=1))[0],
        np.nonzero(layer[:, :, 3].any(axis=0))[0],
    )
    if not len(rows):
        return
    part = np.s_[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    under = picture[part].astype(np.float32) * (1 - layer[part][:, :, 3:])
    picture[part] = np.clip(under + 255 * layer[part][:, :, :3] + 0.5, 0, 255).astype(np.uint8)


def _badge(kingdom: KingdomResult, name: str, square: float) -> Badge:
    sure = kingdom.status is Status.SURE
    totals = [one.score for one in named_alternatives(kingdom)]
    other = next((total for total in totals if total != kingdom.sheet.total), None)
    below = "" if sure else f"or {other}?" if other is not None else "not sure"
    if not kingdom.scored:
        below = "not scored"
    return Badge(
        name,
        total_text(kingdom) if kingdom.scored else "?",
        below,
        _SURE_FILL if sure else _DOUBT_FILL,
        square,
    )


def _put_badge(picture: Rgb, badge: Badge, corners: _Matrix, taken: list[_Matrix]) -> _Matrix:
    """Put a badge beside its kingdom, where it hides least; returns its corners.

    Args:
        picture: Is changed.
        badge: What to put.
        corners: Of the kingdom.
        taken: What should not be hidden: the corners of kingdoms and of other badges.
    """
    image = paint_badge(badge)
    height, width = picture.shape[:2]
    if image.width > width or image.height > height:
        image.thumbnail((width, height))
    used = np.zeros((height, width), np.uint8)
    for polygon in taken:
        outline = np.round(polygon).astype(np.int32)
        cv2.fillConvexPoly(used, outline, 1)
        cv2.polylines(used, [outline], True, 1, thickness=max(round(badge.square / 2), 1))

    def cost(place: tuple[int, int]) -> float:
        x, y = place
        hidden = float(used[y : y + image.height, x : x + image.width].mean())
        middle = np.array([x + image.width / 2, y + image.height / 2])
        low, high = corners.min(axis=0), corners.max(axis=0)
        away = np.linalg.norm(middle - np.clip(middle, low, high)) / np.linalg.norm(high - low)
        return hidden + _FAR * float(away)

    x, y = min(_places(corners, image.size, (width, height), badge.square / 2), key=cost)
    base = Image.fromarray(picture)
    base.paste(image, (x, y), image)
    picture[:] = np.asarray(base)
    right, bottom = x + image.width, y + image.height
    return np.array([[x, y], [right, y], [right, bottom], [x, bottom]], np.float64)


def _places(
    corners: _Matrix, size: tuple[int, int], room: tuple[int, int], gap: float
) -> Iterator[tuple[int, int]]:
    """Top left corners for a badge: above, below, beside the kingdom, then the photo's corners."""
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    middle_x, middle_y = corners.mean(axis=0)
    width, height = size
    most_x, most_y = room[0] - width, room[1] - height
    for x, y in (
        (middle_x - width / 2, top - gap - height),
        (middle_x - width / 2, bottom + gap),
        (right + gap, middle_y - height / 2),
        (left - gap - width, middle_y - height / 2),
        *((x, y) for y in (top - gap - height, bottom + gap) for x in (left, right - width)),
        *((x, y) for y in (top, bottom - height) for x in (right + gap, left - gap - width)),
        *((x, y) for y in (0, most_y) for x in (most_x, 0)),
    ):
        yield round(min(max(x, 0), most_x)), round(min(max(y, 0), most_y))
