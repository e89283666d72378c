"""What may be given as a photo, brought down to three: a path, the bytes of a file, or pixels."""

import os
import sys
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

import numpy as np
import numpy.typing as npt

from kdvision.errors import PHOTO_FIELD, UnreadablePhotoError, UsageError

if TYPE_CHECKING:
    from PIL.Image import Image

#: A path, the bytes of a picture file, a file that is open for reading bytes, a picture of Pillow,
#: or the pixels of an upright photo, (h, w, 3) RGB uint8.
Given: TypeAlias = (
    "str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryIO | Image "
    "| npt.NDArray[np.uint8]"
)
Plain: TypeAlias = "str | os.PathLike[str] | bytes | npt.NDArray[np.uint8]"

#: What a photo without a name is called.
UNNAMED = "The picture"


def plain_source(source: "Given", name: str | None, *, max_bytes: int, max_pixels: int) -> "Plain":
    """A path, bytes or an array, whatever was given.

    Args:
        source: What was given.
        name: What messages call it.
        max_bytes: No more than one byte above this is read from an open file.
        max_pixels: A picture of Pillow with more pixels is refused before it is decoded.

    Raises:
        UsageError: It is nothing that can be a photo.
        UnreadablePhotoError: An open file cannot be read, or a picture cannot be decoded.
    """
    if isinstance(source, bytes | str | os.PathLike | np.ndarray):
        return source
    if isinstance(source, bytearray | memoryview):
        return bytes(source)
    pillow = sys.modules.get("PIL.Image")  # who gives such a picture has loaded it
    if pillow is not None and isinstance(source, pillow.Image):
        return _pixels_of(source, name or UNNAMED, max_pixels)
    if callable(getattr(source, "read", None)):
        return _bytes_of(source, name or UNNAMED, max_bytes)
    raise UsageError(
        f"{type(source).__name__} is no photo.",
        "Give a path, the bytes of a file, an open file, a picture of Pillow, or RGB pixels.",
    )


def name_of(source: Any) -> str | None:
    """The name that an open file or a picture of Pillow brings along."""
    if isinstance(source, bytes | str | os.PathLike | np.ndarray):
        return None
    for field in ("filename", "name"):
        name = getattr(source, field, None)
        if isinstance(name, str) and name:
            return name
    return None


def _bytes_of(file: Any, name: str, max_bytes: int) -> bytes:
    try:
        data = file.read(max_bytes + 1)
    except UnicodeDecodeError:
        data = ""
    except (OSError, ValueError) as error:
        raise UnreadablePhotoError(
            f"{PHOTO_FIELD} cannot be read: {error}.", "Open it again.", photo=name
        ) from None
    if not isinstance(data, bytes | bytearray | memoryview):
        raise UsageError(
            f"{name} is open as text, and gives no bytes.", 'Open it with open(path, "rb").'
        )
    return bytes(data)


def _pixels_of(picture: "Image", name: str, max_pixels: int) -> npt.NDArray[np.uint8]:
    """The pixels of a picture of Pillow, upright."""
    from PIL import ImageOps

    from kdvision.photo.pillow_decoders import rgb_of

    if picture.width * picture.height > max_pixels:
        raise UnreadablePhotoError(
            f"{PHOTO_FIELD} is too large: {picture.width:,} x {picture.height:,} pixels, and the "
            f"limit is {max_pixels / 1e6:,.0f} million.",
            "Make the picture smaller, or raise the limit.",
            photo=name,
        )
    try:
        return rgb_of(ImageOps.exif_transpose(picture))
    except (OSError, SyntaxError, ValueError) as error:
        raise UnreadablePhotoError(
            f"{PHOTO_FIELD} cannot be decoded: {error}.",
            "Copy or download the photo again.",
            photo=name,
        ) from None
