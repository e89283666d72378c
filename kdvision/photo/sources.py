"""What may be given as a photo becomes a path, bytes or pixels.

Nothing over the limits is read.
"""

import os
import sys
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from kdvision.errors import UNNAMED, UsageError
from kdvision.files import check_size, read_file, shown
from kdvision.photo.decoders import picture_to_rgb
from kdvision.photo.headers import photo_error

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage


#: A path, the bytes of a picture file, a file that is open for reading bytes, a picture of Pillow,
#: or the pixels of an upright photo, (h, w, 3) RGB uint8.
RawSource: TypeAlias = (
    "str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryIO | PillowImage "
    "| npt.NDArray[np.uint8]"
)


class SourceLimits(Struct, frozen=True):
    """Limits of what is given as a photo.

    Attributes:
        max_pixels: px. Photos of more decoded pixels are refused before decoding: at 6 bytes each
            these fill a process of 600 MB.
        max_bytes: bytes. Larger files are refused: set by hand, above what cameras write.
    """

    max_pixels: int = 100_000_000
    max_bytes: int = 64 * 2**20


LIMITS = SourceLimits()


def refuse_size(width: int, height: int, most: int, name: str) -> None:
    """Refuse a photo of more than `most` pixels.

    Raises:
        UnreadablePhotoError: It has more.
    """
    if width * height > most:
        fields = {"width": f"{width:,}", "height": f"{height:,}", "most": f"{most / 1e6:,.3g}"}
        raise photo_error("too-many-pixels", name, **fields)


def read_source(
    source: RawSource, name: str | None = None
) -> tuple[str, bytes | npt.NDArray[np.uint8]]:
    """Read what was given as a photo: the bytes of a file, or pixels.

    Args:
        source: What was given.
        name: What messages call it; None takes the path, or the name that it brings along.

    Returns:
        The name, and the bytes or pixels.

    Raises:
        UnreadablePhotoError: It cannot be read, or is over the limits.
        UsageError: It is of a type that can be no photo.
    """
    if isinstance(source, str | os.PathLike):
        return name or shown(source), read_file(source, LIMITS.max_bytes)
    if isinstance(source, bytes | bytearray | memoryview):
        data = bytes(source)
        check_size(len(data), LIMITS.max_bytes, name or UNNAMED)
        return name or UNNAMED, data
    if isinstance(source, np.ndarray):
        return name or UNNAMED, source
    name = name or _find_name(source) or UNNAMED
    pillow = sys.modules.get("PIL.Image")  # who gives such a picture has loaded it
    if pillow is not None and isinstance(source, pillow.Image):
        return name, _read_pixels(source, name)
    if callable(getattr(source, "read", None)):
        return name, _read_bytes(source, name)
    raise UsageError(
        f"{type(source).__name__} is no photo.",
        "Give a path, the bytes of a file, an open file, a picture of Pillow, or RGB pixels.",
    )


def _find_name(source: Any) -> str | None:
    """Return the name that an open file or a picture of Pillow brings along."""
    for field in ("filename", "name"):
        name = getattr(source, field, None)
        if isinstance(name, str) and name:
            return shown(name)
    return None


def _read_bytes(file: Any, name: str) -> bytes:
    """Read a file that is open, up to the limit of its size."""
    data, most = bytearray(), LIMITS.max_bytes + 1
    try:
        while part := file.read(most - len(data)):  # a pipe gives what it holds just now
            data += part
    except (TypeError, UnicodeDecodeError):
        raise UsageError(
            f"{name} is open as text, and gives no bytes.", 'Open it with open(path, "rb").'
        ) from None
    except (OSError, ValueError) as error:
        raise photo_error("open-file", name, why=str(error)) from None
    check_size(len(data), LIMITS.max_bytes, name)
    return bytes(data)


def _read_pixels(picture: "PillowImage", name: str) -> npt.NDArray[np.uint8]:
    """Return the pixels of a picture of Pillow, upright."""
    from PIL import ImageOps

    refuse_size(picture.width, picture.height, LIMITS.max_pixels, name)
    try:
        return picture_to_rgb(ImageOps.exif_transpose(picture))
    except (OSError, SyntaxError, ValueError) as error:
        raise photo_error("picture", name, why=str(error)) from None
