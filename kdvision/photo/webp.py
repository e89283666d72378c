"""WebP files: their header, and their pixels by way of OpenCV.

OpenCV's decoder of this format prints nothing, whatever is wrong with a file.
"""

from struct import error as StructError
from struct import unpack_from
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from kdvision.photo.formats import Format, animated, cut_off, damaged
from kdvision.photo.headers import Header, orientation_of
from kdvision.photo.resize import on_white
from kdvision.photo.settings import PHOTO


def read_webp_header(data: bytes, name: str) -> Header:
    """The header of a WebP.

    Raises:
        UnreadablePhotoError: It is damaged, cut off or animated.
    """
    try:
        return _header(data, name)
    except (StructError, IndexError):
        raise damaged(name, Format.WEBP) from None


def _header(data: bytes, name: str) -> Header:
    (length,) = unpack_from("<I", data, 4)
    if length + 8 > len(data):
        raise cut_off(name, Format.WEBP)
    kind = data[12:16]
    if kind == b"VP8 ":
        width, height = unpack_from("<HH", data, 26)
        return _of_size(width & 0x3FFF, height & 0x3FFF, name)
    if kind == b"VP8L":
        (bits,) = unpack_from("<I", data, 21)
        alpha = bool(bits >> 28 & 1)
        return _of_size((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, name, alpha)
    if kind != b"VP8X":
        raise damaged(name, Format.WEBP)
    flags = data[20]
    if flags & 0x02:
        raise animated(name)
    width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
    exif = _exif(data) if flags & 0x08 else b""
    return _of_size(width, height, name, bool(flags & 0x10), orientation_of(exif))


def _of_size(
    width: int, height: int, name: str, alpha: bool = False, orientation: int = 1
) -> Header:
    if width < 1 or height < 1:
        raise damaged(name, Format.WEBP)
    memory = PHOTO.bytes_per_px_alpha if alpha else PHOTO.bytes_per_px_full
    return Header(Format.WEBP, width, height, orientation, memory=memory)


def _exif(data: bytes) -> bytes:
    at = 12
    for _ in range(PHOTO.max_parts):
        if at + 8 > len(data):
            break
        (length,) = unpack_from("<I", data, at + 4)
        if data[at : at + 4] == b"EXIF":
            return data[at + 8 : at + 8 + length].removeprefix(b"Exif\0\0")
        at += 8 + length + length % 2
    return b""


def decode_webp(data: bytes, name: str) -> npt.NDArray[np.uint8]:
    """The pixels, (h, w, 3) RGB, see-through ones on white.

    The result takes the place of what OpenCV decodes (BGR or BGRA), strip by strip.

    Raises:
        UnreadablePhotoError: The decoder gives up.
    """
    flags = cv2.IMREAD_UNCHANGED | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except (cv2.error, MemoryError):
        raise damaged(name, Format.WEBP) from None
    if pixels is None:
        raise damaged(name, Format.WEBP)
    height, width = pixels.shape[:2]
    place = np.asarray(pixels.reshape(-1), np.uint8)
    for top in range(0, height, PHOTO.strip_rows):
        rgb = _on_white(pixels[top : top + PHOTO.strip_rows])
        place[top * width * 3 :][: rgb.size] = rgb.reshape(-1)
    return place[: height * width * 3].reshape(height, width, 3)


def _on_white(strip: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """BGR or BGRA as RGB on white."""
    rgb: npt.NDArray[np.uint8] = np.array(strip[:, :, 2::-1], np.uint8)
    return rgb if strip.shape[2] == 3 else on_white(rgb, np.asarray(strip[:, :, 3:], np.uint8))
