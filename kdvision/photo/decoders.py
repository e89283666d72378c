"""Bytes of a known format become RGB pixels as stored, before turning.

JPEG goes through simplejpeg, a thin layer on libjpeg-turbo, which decodes at a half, a quarter or
an eighth of the size at little cost, and raises what libjpeg would print. WebP goes through OpenCV,
all else through Pillow, which is imported only then. None of them writes to standard error.
"""

from contextlib import suppress

import numpy as np
import numpy.typing as npt
import simplejpeg

from kdvision.arrays import Image
from kdvision.concurrency import in_turn
from kdvision.photo.formats import Format, damaged
from kdvision.photo.headers import Header
from kdvision.photo.jpeg import decodable_part
from kdvision.photo.settings import PHOTO
from kdvision.photo.webp import decode_webp


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
            pixels, complaint = decode_webp(data, name), ""
        else:
            from kdvision.photo.pillow_decoders import decode_with_pillow

            pixels, complaint = decode_with_pillow(data, header, name, size)
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
