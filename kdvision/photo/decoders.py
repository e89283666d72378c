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
from functools import cache
from importlib import import_module
from io import BytesIO
from typing import Any

import cv2
import numpy as np
import simplejpeg

from kdvision.arrays import Image
from kdvision.concurrency import in_turn
from kdvision.errors import UnreadablePhotoError
from kdvision.photo.headers import (
    Format,
    Header,
    damage_error,
    mend_scan,
    photo_error,
    strip_jpeg,
    strip_png,
)

#: px. Photos of more decoded pixels are decoded in turn with other processes of a batch, so that
#: their peaks of memory do not coincide.
_LARGE_PX = 3_000_000
#: Rows that are converted at a time, so that a picture is not held twice.
_STRIP_ROWS = 128
#: Bytes per pixel at the peak of opening a HEIC, without and with see-through pixels. Without them
#: it takes 6; with 10 the 48 million px of phones are still within the limit.
_BYTES_PER_PX_HEIF = 10, 16
#: The same of what Pillow opens.
_BYTES_PER_PX_PILLOW = 13, 16
#: The tag of a TIFF that says what its first picture is.
_SUBFILE_TYPE = 254
#: Its bit for a preview, as cameras write into raw files.
_IS_PREVIEW = 1


def decode_picture(data: bytes, header: Header, name: str, reduction: int) -> tuple[Image, str]:
    """Decode a whole picture.

    Args:
        data: The file.
        header: What `read_header` or `read_container` found in it.
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
    with in_turn(header.width * header.height > _LARGE_PX * reduction**2):
        if header.format is Format.JPEG:
            pixels, complaint = _decode_jpeg(data, header, name, size)
        elif header.format is Format.WEBP:
            pixels, complaint = _decode_webp(data, name), ""
        else:
            pixels, complaint = _decode_with_pillow(data, header, name, size), ""
    if pixels.shape[:2] != size:
        raise damage_error(name, header.format)
    return pixels, complaint


def _decode_jpeg(
    data: bytes, header: Header, name: str, size: tuple[int, int]
) -> tuple[Image, str]:
    """Decode at the scale that gives `size` (height, width)."""
    height, width = size
    colours = "CMYK" if header.channels == 4 else "RGB"
    complaint = ""
    try:
        pixels = simplejpeg.decode_jpeg(data, colours, min_height=height, min_width=width)
    except ValueError as error:
        complaint = str(error)
        if "subsampling" in complaint:  # one that libjpeg-turbo's own interface does not know
            return _decode_with_pillow(data, header, name, size), ""
        if "SOS parameters" in complaint and (mended := mend_scan(data)) != data:
            return _decode_jpeg(mended, header, name, size)
        pixels = _decode_damaged(data, colours, name, (height, width, len(colours)))
    except MemoryError:
        raise damage_error(name, header.format) from None
    if colours == "CMYK":
        pixels = _convert_in_place(pixels, _inks_to_rgb)
    return pixels, complaint


def _decode_damaged(data: bytes, colours: str, name: str, shape: tuple[int, int, int]) -> Image:
    """Decode as much as there is.

    Where it gives up, the decoder leaves the rows that follow as they were. It does not always say
    so: after a first complaint it is silent. So the last row is filled with noise that no picture
    holds. Where that is still there, the decoder gave up.
    """
    pixels = np.zeros(shape, np.uint8)
    noise = np.random.default_rng(0).integers(0, 2, shape[1:], np.uint8) * np.uint8(255)
    pixels[-1] = noise
    with suppress(ValueError):
        simplejpeg.decode_jpeg(
            strip_jpeg(data),
            colours,
            min_height=shape[0],
            min_width=shape[1],
            strict=False,
            buffer=pixels,
        )
    if (pixels[-1] == noise).all():
        raise damage_error(name, Format.JPEG)
    return pixels


def _inks_to_rgb(inks: Image) -> Image:
    """Return CMYK (h, w, 4), stored inverted as all programs do, as RGB (h, w, 3)."""
    wide = inks.astype(np.uint16)
    return (wide[:, :, :3] * wide[:, :, 3:] // 255).astype(np.uint8)


def _convert_in_place(pixels: Image, convert: Callable[[Image], Image]) -> Image:
    """Turn decoded pixels to RGB (h, w, 3), strip by strip in their own place in memory."""
    height, width = pixels.shape[:2]
    place = pixels.reshape(-1)
    for top in range(0, height, _STRIP_ROWS):
        rgb = convert(pixels[top : top + _STRIP_ROWS])
        place[top * width * 3 :][: rgb.size] = rgb.reshape(-1)
    return place[: height * width * 3].reshape(height, width, 3)


# ---------------------------------------------------------------------- WebP


def _decode_webp(data: bytes, name: str) -> Image:
    """Decode a WebP."""
    flags = cv2.IMREAD_UNCHANGED | cv2.IMREAD_IGNORE_ORIENTATION
    pixels = None
    with suppress(cv2.error, MemoryError):
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    if pixels is None:
        raise damage_error(name, Format.WEBP)
    return _convert_in_place(np.asarray(pixels, np.uint8), _webp_to_rgb)


def _webp_to_rgb(pixels: Image) -> Image:
    """Return BGR or BGRA (h, w, 3 or 4), as OpenCV decodes it, as RGB on white."""
    rgb = np.array(pixels[:, :, 2::-1])
    if pixels.shape[2] == 3:
        return rgb
    return _lay_on_white(rgb, pixels[:, :, 3:])


# ---------------------------------------------------------------------- Pillow


def _decode_with_pillow(data: bytes, header: Header, name: str, size: tuple[int, int]) -> Image:
    """Decode at `size` (height, width), which is smaller than the picture only for JPEG."""
    try:
        if header.format is Format.PNG:
            data = strip_png(data, name)
        elif header.format is Format.JPEG:
            data = strip_jpeg(data)
        picture = _open_picture(data, header.format, name)
        if header.format is Format.HEIF:
            if picture.mode == "RGB":
                # A copy: its array is a view of memory that is freed with the picture.
                return np.array(picture, np.uint8)
            picture = picture.to_pillow()
        if picture.size != size[::-1]:
            picture.draft(None, size[::-1])
        return picture_to_rgb(picture)
    except UnreadablePhotoError:
        raise
    except Exception:  # the libraries raise whatever their C code meets
        raise damage_error(name, header.format) from None


def read_container(data: bytes, format: Format, name: str) -> Header:
    """Read the header of a file that is left to its library, without decoding.

    Raises:
        UnreadablePhotoError: It is damaged, animated, or this installation cannot read it.
    """
    picture = _open_picture(data, format, name)
    width, height = picture.size
    has_alpha = picture.mode.endswith(("A", "a"))
    orientation = 1
    # All others are turned by the library.
    if format is Format.AVIF and 1 <= (turn := picture.getexif().get(0x0112, 1)) <= 8:
        orientation = turn
    plain, see_through = _BYTES_PER_PX_HEIF if format is Format.HEIF else _BYTES_PER_PX_PILLOW
    memory = see_through if has_alpha else plain
    return Header(format, width, height, orientation, memory=memory)


def _open_picture(data: bytes, format: Format, name: str) -> Any:
    """Return the primary picture of a HEIC file (pi-heif), or a file of Pillow."""
    try:
        if format is Format.HEIF:
            import pi_heif

            file = pi_heif.open_heif(data)
            return file[file.primary_index]
        picture = _open_plugin(data, format)
    except ImportError:
        raise photo_error("not-installed", name, format=format) from None
    except Exception:
        raise damage_error(name, format) from None
    if format is Format.TIFF and picture.tag_v2.get(_SUBFILE_TYPE, 0) & _IS_PREVIEW:
        raise photo_error("raw", name)
    if getattr(picture, "n_frames", 1) > 1:
        raise photo_error("animated", name)
    return picture


def _open_plugin(data: bytes, format: Format) -> Any:
    """Open a file by the plugin of its format: `PIL.JpegImagePlugin.JpegImageFile`.

    Raises:
        ImportError: The plugin is there, and its library is not.
    """
    _silence_pillow()
    kind = format.capitalize()
    plugin = import_module(f"PIL.{kind}ImagePlugin")
    if not getattr(plugin, "SUPPORTED", True):
        raise ImportError
    return getattr(plugin, f"{kind}ImageFile")(BytesIO(data))


def _silence_pillow() -> None:
    """Keep off standard error what Pillow and its libtiff say there of a damaged file.

    It is said as an error of ours. What other modules warn of is not touched.
    """
    import warnings

    warnings.filterwarnings("ignore", module=r"PIL\.")
    _silence_logs()


@cache
def _silence_logs() -> None:
    """Keep Python from printing what Pillow logs, and libtiff from printing errors.

    On Windows libtiff is a part of Pillow's own library, and stays as it is.
    """
    import ctypes
    import logging

    from PIL import _imaging

    logging.getLogger("PIL").addHandler(logging.NullHandler())
    with suppress(AttributeError):
        set_handler = ctypes.CDLL(_imaging.__file__).TIFFSetErrorHandler
        set_handler.argtypes, set_handler.restype = [ctypes.c_void_p], ctypes.c_void_p
        set_handler(None)


def picture_to_rgb(picture: Any) -> Image:
    """Lay a picture of Pillow on white, strip by strip: Pillow would copy all of it twice."""
    width, height = picture.size
    see_through = picture.has_transparency_data
    result = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, _STRIP_ROWS):
        strip = picture.crop((0, top, width, min(top + _STRIP_ROWS, height)))
        into = result[top : top + _STRIP_ROWS]
        if picture.mode.startswith("I"):  # grey of 16 bits, which Pillow would clip
            into[:] = (np.asarray(strip) >> 8).astype(np.uint8)[:, :, None]
        elif see_through:
            rgba = np.asarray(strip.convert("RGBA"))
            into[:] = _lay_on_white(rgba[:, :, :3], rgba[:, :, 3:])
        else:
            into[:] = np.asarray(strip.convert("RGB"))
    return result


def _lay_on_white(rgb: Image, alpha: Image) -> Image:
    """Lay see-through pixels, (h, w, 3) with their alpha (h, w, 1), on white."""
    if alpha.min() == 255:
        return rgb
    share = alpha.astype(np.uint16)
    return np.asarray((rgb * share + 255 * (255 - share) + 127) // 255, np.uint8)
