"""PNG, HEIC and AVIF, and JPEGs of a rare kind, by way of Pillow.

The plugins are opened by name, not by `Image.open`, so that nothing depends on what the host
program registered. HEIC and AVIF turn the picture as the container says, and EXIF orientation
does not count for them.
"""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import numpy as np

from kdvision.arrays import Image
from kdvision.errors import PHOTO_FIELD, UnreadablePhotoError
from kdvision.photo.formats import Format, animated, damaged
from kdvision.photo.headers import Header
from kdvision.photo.jpeg import decodable_part
from kdvision.photo.png import decodable_png
from kdvision.photo.resize import on_white
from kdvision.photo.settings import PHOTO


def decode_with_pillow(
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


# ---------------------------------------------------------------------- files


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


# ---------------------------------------------------------------------- pixels


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
