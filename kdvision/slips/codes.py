"""The codes of slips in a picture: looked for where something like a code is seen.

Photos without slips hardly pay: texture as dense and as black and white as print is looked for
first, then the finder patterns of QR codes in it, and only then zxing-cpp is imported and reads.
"""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from kdvision.arrays import Array
from kdvision.slips.slip import SlipCode
from kdvision.vision.geometry import project

Gray = NDArray[np.uint8]
Points = Sequence[Sequence[float]] | Array

#: px. A picture whose longer side is shorter is enlarged twice for the search: codes are then read
#: from 50 pixels and not from 75.
ENLARGE_BELOW = 1300
#: px. Side of a code that is cut out and made square, 10 of each of its 21 modules, and its border.
_FLAT_SIDE, _FLAT_BORDER = 210, 50
#: A code that is too slanted to be measured is looked for in the picture stretched so many times,
#: across these directions (radians): mostly it is photographed from below.
_STRETCH, _STRETCHES = 1.8, (0.0, np.pi / 2, np.pi / 4, 3 * np.pi / 4)

# Texture: the smallest code has modules of 2 pixels. Fitted so that of 500 rendered slips one is
# lost that zxing-cpp reads.
#: px. Side of the window whose darkest and brightest pixels are compared; every so many windows.
_WINDOW, _EVERY = 9, 3
#: Ratio of brightness of ink and paper that is print at most.
MOST_INK = 0.7
#: px. Side of a square that is print all over, at least.
_PRINT_SIDE = 21

# Finder patterns: dark, light and dark in the ratio 1:1:3:1:1 along any line through the middle.
#: px. The picture's mean over this side tells light from dark, by this difference at least.
_MEAN_SIDE, _DARKER = 41, 7
#: px. From one line that is looked at to the next, in pictures that are enlarged and in others.
_STEPS = (2, 4)
#: Modules and pixels by which a run may be too long or too short.
_TOLERANCE = (0.6, 1.0)
#: px. Lengths of the whole pattern.
_LENGTHS = (10, 200)
#: Ratio of brightness between the brightest dark and the darkest light run.
_MOST_CONTRAST = 0.85
#: Crossings of rows with columns that say enough: in one pattern, in two and in three of a code.
LEAST_CROSSINGS = (7, 5, 4)
#: Modules between the middles of two finder patterns, as slant and turn show their 14 and 20; and
#: how different their modules may be.
_APART, _MOST_UNLIKE = (8, 26), 1.7


class FoundCode(Struct, frozen=True, eq=False):
    """A code of ours; `corners` (4, 2) clockwise from its top left, in pixels of the picture."""

    code: SlipCode
    corners: Array


def find_codes(gray: Gray) -> tuple[list[FoundCode], bool]:
    """Find the codes of slips in a picture.

    Args:
        gray: (h, w).

    Returns:
        The codes, with corners in pixels from the outer corner of the top left pixel; and whether
        something like a code is there that cannot be read.
    """
    if not has_code(gray):
        return [], False
    factor = 2 if max(gray.shape) < ENLARGE_BELOW else 1
    if factor > 1:
        size = (gray.shape[1] * factor, gray.shape[0] * factor)
        gray = np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    found: dict[str, Array] = {}
    unread = _search(gray, np.eye(3), found)
    for turn in _STRETCHES if unread else ():
        before = len(found)
        _search(gray, _stretch(gray, turn), found)
        unread -= len(found) - before
        if unread <= 0:
            break
    codes = [
        FoundCode(code, corners / factor)
        for text, corners in found.items()
        if (code := SlipCode.parse(text))
    ]
    return codes, unread > 0


# Something like a code ----------------------------------------------------------------------


def has_code(gray: Gray) -> bool:
    """Whether a picture (h, w) shows something like a QR code: print with finder patterns."""
    factor = 1 if max(gray.shape) < ENLARGE_BELOW else 2
    if min(gray.shape) < _PRINT_SIDE * factor:
        return False
    dense = _dense_print(gray, factor)
    left, top, width, height = cv2.boundingRect(dense)
    if not width:
        return False
    dense = dense[top : top + height, left : left + width]
    px = _EVERY * factor
    part = gray[top * px : (top + height) * px, left * px : (left + width) * px]
    step = _STEPS[factor - 1]
    in_rows = _patterns(part[::step], dense, step)
    if not len(in_rows):
        return False
    in_cols = _patterns(part[:, ::step].T, dense.T, step)
    return _is_code(_crossed(in_rows, in_cols[:, [1, 0, 2]], step))


def _dense_print(gray: Gray, factor: int) -> Gray:
    """1 where a picture may be print: a value for `_EVERY` pixels of it reduced by `factor`."""
    height, width = gray.shape
    if factor > 1:
        size = width // factor, height // factor
        gray = np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), np.uint8)
    window = np.ones((_WINDOW, _WINDOW), np.uint8)
    ink = cv2.erode(gray, window)[::_EVERY, ::_EVERY]
    paper = cv2.dilate(gray, window)[::_EVERY, ::_EVERY]
    dense = np.asarray(ink < cv2.convertScaleAbs(paper, alpha=MOST_INK), np.uint8)
    side = _PRINT_SIDE // _EVERY
    eroded = cv2.erode(dense, np.ones((side, side), np.uint8), borderValue=0)
    side += 2 * _WINDOW // _EVERY  # back to where it was, and as far as the windows reach
    return np.asarray(cv2.dilate(eroded, np.ones((side, side), np.uint8)), np.uint8)


def _patterns(lines: Gray, dense: Gray, step: int) -> Array:
    """Cross-sections of finder patterns along rows: their middles (x, y) and modules in pixels.

    Args:
        lines: Every `step`th row of a picture.
        dense: Where to look, of any size.
        step: From row to row in pixels.
    """
    lines = np.ascontiguousarray(lines)
    height, width = lines.shape
    mean = cv2.blur(lines, (_MEAN_SIDE, _MEAN_SIDE // step | 1))
    dense = np.ascontiguousarray(dense)
    dark = np.asarray(cv2.subtract(mean, lines) > _DARKER, np.uint8)
    dark &= cv2.resize(dense, (width, height), interpolation=cv2.INTER_NEAREST) > 0
    dark[:, [0, -1]] = 0  # so that every row begins and ends light
    values = dark.ravel()
    begins = np.flatnonzero(values[1:] != values[:-1]) + 1
    if len(begins) < 8:
        return np.empty((0, 3))
    runs = np.diff(begins).astype(np.int32)
    before, middle, after = runs[3:-4:2], runs[4:-3:2], runs[5:-2:2]
    likely = (middle >= np.maximum(4, 1.5 * np.maximum(before, after))) & (middle < _LENGTHS[1] / 2)
    first = 2 * np.flatnonzero(likely) + 2
    # Light before, the five runs of the pattern, light after.
    around = runs[first[:, None] + np.arange(-1, 6)]
    total = around[:, 1:6].sum(axis=1)
    module = total / 7
    tolerance = np.minimum(_TOLERANCE[0] * module + _TOLERANCE[1], 2.1 * module)
    off = np.abs(around[:, 1:6] - module[:, None] * [1, 1, 3, 1, 1]) / [1, 1, 1.3, 1, 1]
    fits = (off <= tolerance[:, None]).all(axis=1) & (total >= _LENGTHS[0])
    fits &= (around[:, [0, 6]] >= 0.6 * module[:, None]).all(axis=1)
    around, module = around[fits], module[fits]
    middles = begins[first[fits]][:, None] + np.cumsum(around[:, 1:6], 1) - around[:, 1:6] / 2
    bright = lines.ravel()[middles.astype(int)]
    contrast = bright[:, ::2].max(axis=1) < _MOST_CONTRAST * bright[:, 1::2].min(axis=1)
    at = middles[contrast, 2]
    middle = np.c_[at % width, at // width * step + (step - 1) / 2]
    return np.asarray(np.c_[middle, module[contrast]], np.float64)


def _crossed(in_rows: Array, in_cols: Array, step: int) -> list[list[float]]:
    """Finder patterns that rows and columns cross: x, y, module along both, number of crossings."""
    rows, cols = in_rows[:, None], in_cols[None]
    larger, smaller = np.maximum(rows[..., 2], cols[..., 2]), np.minimum(rows[..., 2], cols[..., 2])
    far = np.abs(rows[..., :2] - cols[..., :2]).max(axis=2)
    row, col = np.nonzero((far < np.maximum(0.9 * larger, step)) & (larger < 4 * smaller))
    patterns: list[list[float]] = []
    crossings = np.c_[in_rows[row, 0], in_cols[col, 1], in_rows[row, 2], in_cols[col, 2]]
    for x, y, across, down in crossings.tolist():
        for pattern in patterns:
            if abs(pattern[0] - x) < 3 * across and abs(pattern[1] - y) < 3 * down:
                pattern[4] += 1
                break
        else:
            patterns.append([x, y, across, down, 1])
    return patterns


def _is_code(patterns: list[list[float]]) -> bool:
    """Whether finder patterns are those of a code: one for certain, or as they lie together."""
    for pattern in patterns:
        beside = [other[4] for other in patterns if _are_of_one_code(pattern, other)]
        together = pattern[4] + sum(sorted(beside)[-2:])
        if together >= LEAST_CROSSINGS[min(len(beside), 2)]:
            return True
    return False


def _are_of_one_code(pattern: list[float], other: list[float]) -> bool:
    """Whether two finder patterns are alike and lie as far apart as those of a code."""
    modules = np.array([pattern[2:4], other[2:4]])
    if (modules.max(axis=0) > _MOST_UNLIKE * modules.min(axis=0)).any():
        return False
    apart = np.hypot(*(np.subtract(pattern[:2], other[:2]) / modules.mean(axis=0)))
    return bool(_APART[0] < apart < _APART[1])


# Codes --------------------------------------------------------------------------------------


def _search(gray: Gray, moved_by: Array, found: dict[str, Array]) -> int:
    """Add the codes of a picture that is moved first, by their texts; how many are unread."""
    unread = 0
    view = gray if np.array_equal(moved_by, np.eye(3)) else _moved(gray, moved_by)
    for text, corners in _codes_in(view):
        corners = project(_inverse(moved_by), corners)
        text, corners = _flattened_again(gray, text, corners)
        unread += not text
        if text:
            found.setdefault(text, corners)
    return unread


def _stretch(gray: Gray, turn: float) -> Array:
    """The matrix that stretches a picture across a direction (radians), all of it in view."""
    cos, sin = np.cos(turn), np.sin(turn)
    along = np.array([[cos, -sin], [sin, cos]])
    matrix = np.eye(3)
    matrix[:2, :2] = along @ np.diag([1.0, _STRETCH]) @ along.T
    height, width = gray.shape
    corners = project(matrix, np.array([[0, 0], [width, 0], [width, height], [0, height]], float))
    matrix[:2, 2] = -corners.min(axis=0)
    return matrix


def _moved(gray: Gray, matrix: Array) -> Gray:
    """A picture under an affine matrix (3, 3), as large as that makes it."""
    height, width = gray.shape
    corners = project(matrix, np.array([[0, 0], [width, 0], [width, height], [0, height]], float))
    right, bottom = (int(side) for side in np.ceil(corners.max(axis=0)))
    centre = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    affine = (centre @ matrix @ np.linalg.inv(centre))[:2]
    moved = cv2.warpAffine(gray, affine, (right, bottom), flags=cv2.INTER_LINEAR)
    return np.asarray(moved, np.uint8)


def _codes_in(gray: Gray) -> Iterator[tuple[str, Array]]:
    """The texts and corners (4, 2) of QR codes; the text is empty where it cannot be read."""
    import zxingcpp  # only here: photos without slips need not load it

    codes = zxingcpp.read_barcodes(
        gray,
        formats=zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.QRCode]),
        try_invert=False,
        return_errors=True,
    )
    for code in codes:
        at = code.position
        corners = (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
        text = code.text if code.error is None else ""
        yield text, np.array([[corner.x, corner.y] for corner in corners], float)


def _flattened_again(gray: Gray, text: str, corners: Array) -> tuple[str, Array]:
    """A code read once more as seen from above: slanted ones are read, corners become exact."""
    if cv2.contourArea(corners.astype(np.float32)) < 100:  # without a place: all points are 0
        return text, corners
    low, high = _FLAT_BORDER, _FLAT_BORDER + _FLAT_SIDE
    square = np.array([[low, low], [high, low], [high, high], [low, high]], float)
    for _ in range(2):
        to_flat = homography(corners, square)
        side = _FLAT_SIDE + 2 * _FLAT_BORDER
        flat = cv2.warpPerspective(gray, to_flat, (side, side), flags=cv2.INTER_LINEAR)
        again = list(_codes_in(np.asarray(flat, np.uint8)))
        if not again:
            break
        better, at = max(again, key=lambda code: len(code[0]))
        if text and better != text:
            break
        text, corners = better, project(_inverse(to_flat), at)
        if text:
            break
    return text, corners


def _inverse(matrix: Array) -> Array:
    return np.asarray(np.linalg.inv(matrix), np.float64)


def homography(source: Points, target: Points) -> Array:
    """The homography (3, 3) that takes points (n, 2) nearest to others; that of nothing fails."""
    matrix, _ = cv2.findHomography(np.asarray(source, np.float64), np.asarray(target, np.float64))
    return np.eye(3) if matrix is None else np.asarray(matrix, np.float64)
