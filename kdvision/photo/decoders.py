"""Bytes of a known format become RGB pixels as stored, before turning.

JPEG goes through simplejpeg, a thin layer on libjpeg-turbo, which decodes at a half, a quarter or
an eighth of the size at little cost, and raises what libjpeg would print. WebP goes through OpenCV,
whose decoder of this format prints nothing, whatever is wrong with a file. All else goes through
Pillow, which is imported only then; its plugins are opened by name, so that nothing depends on
what the host program registered. HEIC and AVIF turn the picture as the container says, and EXIF
orientation does not count for them. None of them writes to standard error.
"""

from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import simplejpeg

from kdvision.arrays import Image
from kdvision.concurrency import in_turn
from kdvision.errors import PHOTO_FIELD, UnreadablePhotoError
from kdvision.photo.headers import (
    Format,
    Header,
    animated,
    damaged,
    decodable_part,
    decodable_png,
)
from kdvision.photo.resize import on_white
from kdvision.photo.settings import PHOTO


def decode_picture(data: bytes, header: Header, name: str, reduction: int = 1) -> tuple[Image, str]:
    """Decode a whole picture.

    Args:
        data: The file.
        header: What `read_header` or `container_header` found in it.
        name: For messages.
        reduction: 1, 2, 4 or 8; more than 1 only for JPEG. The array then holds a pixel for
            each whole or partial block of reduction x reduction pixels.

    Returns:
        The pixels as stored, (h, w, 3) RGB, and the complaint of the decoder about damaged
        data ("" for none).

    Raises:
        UnreadablePhotoError: The decoder gives up.
    """
    size = -(-header.height // reduction), -(-header.width // reduction)
    with in_turn(header.width * header.height > PHOTO.large_px * reduction**2):
        if header.format is Format.JPEG and header.standard:
            pixels, complaint = _decode_jpeg(data, header, name, size)
        elif header.format is Format.WEBP:
            pixels, complaint = _decode_webp(data, name), ""
        else:
            pixels, complaint = _decode_with_pillow(data, header, name, size)
    if pixels.shape[:2] != size:
        raise damaged(name, header.format)
    return pixels, complaint


def _decode_jpeg(
    data: bytes, header: Header, name: str, size: tuple[int, int]
) -> tuple[Image, str]:
    """Decode at the scale that gives `size` (height, width)."""
    height, width = size
    inks = header.channels == 4
    colours = "CMYK" if inks else "RGB"
    complaint = ""
    try:
        pixels = simplejpeg.decode_jpeg(data, colours, min_height=height, min_width=width)
    except ValueError as error:
        complaint = str(error)
        pixels = _decode_damaged(data, colours, name, (height, width, len(colours)))
    except MemoryError:
        raise damaged(name, header.format) from None
    return (_rgb_of_inks(pixels) if inks else pixels), complaint


def _decode_damaged(data: bytes, colours: str, name: str, shape: tuple[int, int, int]) -> Image:
    """Decode as much as there is.

    After an error that it cannot recover from, the decoder leaves the rows that follow as they
    were, and does not say so where it had only complained before. So the last row is filled with
    noise that no picture holds: where it is still there, the picture was given up.

    Raises:
        UnreadablePhotoError: The decoder did not reach the last row.
    """
    pixels = np.zeros(shape, np.uint8)
    noise = np.random.default_rng(0).integers(0, 2, shape[1:], np.uint8) * np.uint8(255)
    pixels[-1] = noise
    with suppress(ValueError):
        simplejpeg.decode_jpeg(
            decodable_part(data),
            colours,
            min_height=shape[0],
            min_width=shape[1],
            strict=False,
            buffer=pixels,
        )
    if (pixels[-1] == noise).all():
        raise damaged(name, Format.JPEG)
    return pixels


def _rgb_of_inks(inks: npt.NDArray[np.uint8]) -> Image:
    """CMYK (h, w, 4), stored inverted as all programs do, as RGB (h, w, 3).

    The result takes the place of the inks in memory, strip by strip.
    """
    height, width = inks.shape[:2]
    place = inks.reshape(-1)
    for top in range(0, height, PHOTO.strip_rows):
        strip = inks[top : top + PHOTO.strip_rows].astype(np.uint16)
        rgb = (strip[:, :, :3] * strip[:, :, 3:] // 255).astype(np.uint8)
        place[top * width * 3 :][: rgb.size] = rgb.reshape(-1)
    return place[: height * width * 3].reshape(height, width, 3)


# ---------------------------------------------------------------------- WebP


def _decode_webp(data: bytes, name: str) -> npt.NDArray[np.uint8]:
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
        rgb = _webp_on_white(pixels[top : top + PHOTO.strip_rows])
        place[top * width * 3 :][: rgb.size] = rgb.reshape(-1)
    return place[: height * width * 3].reshape(height, width, 3)


def _webp_on_white(strip: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """BGR or BGRA as RGB on white."""
    rgb: npt.NDArray[np.uint8] = np.array(strip[:, :, 2::-1], np.uint8)
    return rgb if strip.shape[2] == 3 else on_white(rgb, np.asarray(strip[:, :, 3:], np.uint8))


# ---------------------------------------------------------------------- Pillow


def _decode_with_pillow(
    data: bytes, header: Header, name: str, size: tuple[int, int]
) -> tuple[Image, str]:
    """Decode a whole picture; see `decode_picture`.

    Args:
        data: The file.
        header: What was read of it.
        name: For messages.
        size: (height, width) of the result; smaller than the picture only for JPEG.
    """
    complaint = ""
    opened = _OPENED[header.format]
    try:
        if header.format is Format.PNG:
            data, complaint = decodable_png(data, name)
        picture = opened(data, size, name)
        if header.format is Format.HEIF:
            if picture.mode == "RGB":
                return np.array(picture, np.uint8), ""
            picture = picture.to_pillow()
        return rgb_of(picture), complaint
    except UnreadablePhotoError:
        raise
    except Exception:  # the libraries raise whatever their C code meets
        raise damaged(name, header.format) from None


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
    return Header(format, width, height, orientation, memory=memory)


def _jpeg(data: bytes, size: tuple[int, int], _: str) -> Any:
    """A JPEG at the reduction that gives a size."""
    from PIL import JpegImagePlugin

    picture = JpegImagePlugin.JpegImageFile(BytesIO(decodable_part(data)))
    if picture.size != size[::-1]:
        picture.draft(None, size[::-1])
    return picture


def _png(data: bytes, _: tuple[int, int], __: str) -> Any:
    from PIL import PngImagePlugin

    return PngImagePlugin.PngImageFile(BytesIO(data))


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


_OPENED: dict[Format, Callable[[bytes, tuple[int, int], str], Any]] = {
    Format.JPEG: _jpeg,
    Format.PNG: _png,
    Format.HEIF: lambda data, _, name: _open_container(data, Format.HEIF, name),
    Format.AVIF: lambda data, _, name: _open_container(data, Format.AVIF, name),
}


def rgb_of(picture: Any) -> Image:
    """A picture of Pillow on white, strip by strip, as Pillow would copy all of it twice."""
    width, height = picture.size
    see_through = picture.has_transparency_data
    result = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, PHOTO.strip_rows):
        strip = picture.crop((0, top, width, min(top + PHOTO.strip_rows, height)))
        into = result[top : top + PHOTO.strip_rows]
        if see_through:
            rgba = np.asarray(strip.convert("RGBA"))
            into[:] = on_white(rgba[:, :, :3], rgba[:, :, 3:])
        elif picture.mode.startswith("I"):  # grey of 16 bits, which Pillow would clip
            into[:] = (np.asarray(strip) >> 8).astype(np.uint8)[:, :, None]
        else:
            into[:] = np.asarray(strip.convert("RGB"))
    return result
