"""The codes of slips in a picture, by zxing-cpp."""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from kdvision.arrays import Array
from kdvision.slips.slip import SlipCode
from kdvision.vision.geometry import homography, inverse, project, within

Gray = NDArray[np.uint8]

#: px. A picture whose longer side is shorter is enlarged twice for the search: codes are then read
#: from 50 pixels and not from 75.
ENLARGE_BELOW = 1300
#: Where a code is seen and not read, mostly as it is photographed from below, the picture is
#: stretched so many times across these directions (radians).
_STRETCH, _DIRECTIONS = 1.8, (0.0, np.pi / 2, np.pi / 4, -np.pi / 4)
#: A code that is cut out and seen from above: its corners in pixels, 10 for each of its 21 modules,
#: and the side of the picture with the border around it.
_FLAT_CORNERS = np.array([[50, 50], [260, 50], [260, 260], [50, 260]], float)
_FLAT_SIDE = 310


def find_codes(gray: Gray) -> tuple[list[tuple[SlipCode, Array]], bool]:
    """Find the codes of slips in a picture.

    Args:
        gray: (h, w).

    Returns:
        The codes of ours, with their corners (4, 2) clockwise from the top left, in pixels from the
        outer corner of the top left pixel; one that lies on two papers comes twice. And whether a
        code is seen that cannot be read.
    """
    factor = 2 if max(gray.shape) < ENLARGE_BELOW else 1
    seen = [*_codes_in(gray, downscale=factor == 1)]
    if factor > 1:
        size = (gray.shape[1] * factor, gray.shape[0] * factor)
        gray = np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_LINEAR), np.uint8)
        seen = [(text, corners * factor) for text, corners in seen]
        seen += _codes_in(gray, downscale=False)
    read = [_read_flat(gray, text, corners) for text, corners in seen]
    found: list[tuple[str, Array]] = []
    for text, corners in read:
        if text:
            at = place_among(found, text, corners)
            found[at : at + 1] = [(text, corners)]
    unread = np.array([corners.mean(axis=0) for text, corners in read if not text]).reshape(-1, 2)
    for direction in _DIRECTIONS:
        unread = unread[~within(unread, [corners for _, corners in found])]
        if not len(unread):
            break
        for text, corners in _codes_in_stretched(gray, direction):
            text, corners = _read_flat(gray, text, corners)
            if text and place_among(found, text, corners) == len(found):
                found.append((text, corners))
    unread = unread[~within(unread, [corners for _, corners in found])]
    parsed = ((SlipCode.parse(text), corners / factor) for text, corners in found)
    return [(code, corners) for code, corners in parsed if code], len(unread) > 0


def place_among(found: Sequence[tuple[object, Array]], code: object, corners: Array) -> int:
    """The index of a code, or its text, by its corners (4, 2) among others; their number if new."""
    middle = corners.mean(axis=0, keepdims=True)
    for index, (other, there) in enumerate(found):
        at = there.mean(axis=0, keepdims=True)
        if other == code and (within(middle, [there])[0] or within(at, [corners])[0]):
            return index
    return len(found)


def _codes_in_stretched(gray: Gray, direction: float) -> Iterator[tuple[str, Array]]:
    """The codes of a picture that is stretched across a direction (radians); see `_codes_in`."""
    cos, sin = np.cos(direction), np.sin(direction)
    along = np.array([[cos, -sin], [sin, cos]])
    matrix = np.eye(3)
    matrix[:2, :2] = along @ np.diag([1.0, _STRETCH]) @ along.T
    height, width = gray.shape
    corners = project(matrix, np.array([[0, 0], [width, 0], [width, height], [0, height]], float))
    matrix[:2, 2] = -corners.min(axis=0)
    right, bottom = (int(side) for side in np.ptp(corners, axis=0))
    stretched = cv2.warpAffine(gray, matrix[:2], (right, bottom), flags=cv2.INTER_LINEAR)
    for text, at in _codes_in(np.asarray(stretched, np.uint8)):
        yield text, project(inverse(matrix), at)


def _codes_in(gray: Gray, *, downscale: bool = True) -> Iterator[tuple[str, Array]]:
    """The texts and corners (4, 2) of QR codes; the text is empty where it cannot be read.

    Large and blurred ones may be read only in a picture made smaller: `downscale` looks there, too.
    """
    import zxingcpp  # only here: who prints slips reads none

    codes = zxingcpp.read_barcodes(
        gray,
        formats=zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.QRCode]),
        try_downscale=downscale,
        try_invert=False,
        return_errors=True,
    )
    for code in codes:
        at = code.position
        corners = (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
        text = code.text if code.error is None else ""
        yield text, np.array([[corner.x, corner.y] for corner in corners], float)


def _read_flat(gray: Gray, text: str, corners: Array) -> tuple[str, Array]:
    """A code read once more as seen from above: slanted ones are read, corners become exact."""
    for _ in range(2):
        if cv2.contourArea(corners.astype(np.float32)) < 100:  # without a place: all points are 0
            break
        to_flat = homography(corners, _FLAT_CORNERS)
        size = (_FLAT_SIDE, _FLAT_SIDE)
        flat = cv2.warpPerspective(gray, to_flat, size, flags=cv2.INTER_LINEAR)
        codes = list(_codes_in(np.asarray(flat, np.uint8)))
        again, at = max(codes, key=lambda code: len(code[0]), default=("", corners))
        if not codes or (text and again != text):
            break
        text, corners = again, project(inverse(to_flat), at)
        if text:
            break
    return text, corners
