"""Bytes of a known format become RGB pixels as stored, before turning.

JPEG, PNG and WebP go through OpenCV, and JPEG may be decoded at a half, a quarter or an eighth
of its size at once, which the format allows at little cost. HEIC and AVIF go through
pillow-heif and Pillow, which are imported only then; these turn the picture as the container
says, and EXIF orientation does not count for them.
"""

from io import BytesIO
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from kdvision.concurrency import in_turn
from kdvision.errors import PHOTO_FIELD, UnreadablePhotoError
from kdvision.photo.decoder_messages import hear
from kdvision.photo.formats import Format, animated, damaged
from kdvision.photo.headers import Header
from kdvision.photo.settings import PHOTO

#: An image: (height, width, 3) RGB.
Rgb = npt.NDArray[np.uint8]

#: Decoding at 1/n of the size, by n. The flags keep OpenCV from turning the picture itself.
_REDUCED = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}


def decode_picture(data: bytes, header: Header, name: str, reduction: int = 1) -> tuple[Rgb, str]:
    """Decode a whole picture.

    Args:
        data: The file.
        header: What `header` or `container_header` found in it.
        name: For messages.
        reduction: 1, 2, 4 or 8; more than 1 only for JPEG. The array then holds a pixel for
            each whole or partial block of reduction x reduction pixels.

    Returns:
        The pixels as stored, (h, w, 3) RGB, and the complaint of the decoder about damaged
        data ("" for none).

    Raises:
        UnreadablePhotoError: The decoder gives up.
    """
    with in_turn(header.width * header.height > PHOTO.large_px * reduction**2):
        if header.format in (Format.HEIF, Format.AVIF):
            pixels, said = _decode_container(data, header.format, name), ""
        else:
            pixels, said = _decode_with_opencv(data, header, name, reduction)
    expected = -(-header.height // reduction), -(-header.width // reduction)
    if pixels.shape[:2] != expected:
        raise damaged(name, header.format)
    return pixels, said


def _decode_with_opencv(data: bytes, header: Header, name: str, reduction: int) -> tuple[Rgb, str]:
    flags = cv2.IMREAD_UNCHANGED if header.alpha else _REDUCED[reduction]
    encoded = np.frombuffer(data, np.uint8)
    try:
        pixels, said = hear(lambda: cv2.imdecode(encoded, flags | cv2.IMREAD_IGNORE_ORIENTATION))
    except (cv2.error, MemoryError):
        raise damaged(name, header.format) from None
    if pixels is None:
        raise damaged(name, header.format)
    if header.alpha:
        return _on_white(pixels), said
    return _swap_channels(pixels), said


def _swap_channels(bgr: npt.NDArray[Any]) -> Rgb:
    """BGR to RGB in place."""
    for top in range(0, len(bgr), PHOTO.strip_rows):
        strip = bgr[top : top + PHOTO.strip_rows]
        cv2.cvtColor(strip, cv2.COLOR_BGR2RGB, dst=strip)
    return bgr


def _on_white(pixels: npt.NDArray[Any]) -> Rgb:
    """A picture with or without see-through pixels (grey, BGR or BGRA; 8 or 16 bits) on white.

    The result takes the place of the picture in memory, strip by strip, as it is never larger.
    """
    if pixels.ndim == 2:
        pixels = cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR)
    height, width = pixels.shape[:2]
    place = pixels.reshape(-1).view(np.uint8)
    for top in range(0, height, PHOTO.strip_rows):
        rgb = _strip_on_white(pixels[top : top + PHOTO.strip_rows])
        place[top * width * 3 :][: rgb.size] = rgb.reshape(-1)
    return place[: height * width * 3].reshape(height, width, 3)


def _strip_on_white(strip: npt.NDArray[Any]) -> Rgb:
    """BGR or BGRA, 8 or 16 bits, as RGB on white."""
    if strip.dtype == np.uint16:
        strip = (strip >> 8).astype(np.uint8)
    if strip.shape[2] == 3 or strip[:, :, 3].min() == 255:
        return np.ascontiguousarray(strip[:, :, 2::-1])
    alpha = strip[:, :, 3:].astype(np.uint16)
    return ((strip[:, :, 2::-1] * alpha + 255 * (255 - alpha) + 127) // 255).astype(np.uint8)


# ---------------------------------------------------------------------- HEIC and AVIF


def container_header(data: bytes, format: Format, name: str) -> Header:
    """Read the header of a HEIC or AVIF file, without decoding.

    Raises:
        UnreadablePhotoError: It is damaged, animated, or this installation cannot read it.
    """
    picture = _open_container(data, format, name)
    width, height = picture.size
    alpha = picture.mode.endswith(("A", "a"))
    turn = picture.getexif().get(0x0112, 1) if format is Format.AVIF else 1  # the container's
    orientation = turn if 1 <= turn <= 8 else 1
    memory = PHOTO.bytes_per_px_container_alpha if alpha else PHOTO.bytes_per_px_container
    return Header(format, width, height, orientation, alpha, memory=memory)


def _decode_container(data: bytes, format: Format, name: str) -> Rgb:
    try:
        picture = _open_container(data, format, name)
        if format is Format.HEIF:
            if picture.mode == "RGB":
                return np.array(picture, np.uint8)
            picture = picture.to_pillow()
        return _from_pillow(picture)
    except UnreadablePhotoError:
        raise
    except Exception:  # the libraries raise whatever their C code meets
        raise damaged(name, format) from None


def _from_pillow(picture: Any) -> Rgb:
    """A picture of Pillow on white, strip by strip, as Pillow would copy all of it twice."""
    width, height = picture.size
    see_through = picture.has_transparency_data
    result = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, PHOTO.strip_rows):
        strip = picture.crop((0, top, width, min(top + PHOTO.strip_rows, height)))
        if see_through:
            rgba = np.asarray(strip.convert("RGBA"))
            result[top : top + PHOTO.strip_rows] = _strip_on_white(rgba[:, :, [2, 1, 0, 3]])
        else:
            result[top : top + PHOTO.strip_rows] = np.asarray(strip.convert("RGB"))
    return result


def _open_container(data: bytes, format: Format, name: str) -> Any:
    """The primary picture of a HEIC file (pillow-heif), or an AVIF file (Pillow)."""
    try:
        if format is Format.HEIF:
            import pillow_heif

            file = pillow_heif.open_heif(data)
            return file[file.primary_index]
        from PIL import AvifImagePlugin

        picture = AvifImagePlugin.AvifImageFile(BytesIO(data))
    except ImportError:
        raise UnreadablePhotoError(
            f"{PHOTO_FIELD} is an {format} file, which this installation cannot read.",
            "Install a newer Pillow and pillow-heif, or save the photo as JPEG.",
            photo=name,
        ) from None
    except Exception:
        raise damaged(name, format) from None
    if picture.n_frames > 1:
        raise animated(name)
    return picture
