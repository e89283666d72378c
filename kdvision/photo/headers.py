"""What is known of a picture file before anything is decoded; its orientation by EXIF.

`jpeg`, `png` and `webp` read it in a few microseconds, with the standard library alone; HEIC and
AVIF are left to their libraries (`pillow_decoders.container_header`).
"""

from struct import error as StructError
from struct import unpack_from

from msgspec import Struct

from kdvision.photo.formats import Format
from kdvision.photo.settings import PHOTO


class Header(Struct, frozen=True):
    """What is known of a picture before decoding.

    `width` and `height` are as stored, before turning. `orientation` is the EXIF value, 1 to 8:
    what must be done to the stored pixels. `block` is (width, height) in pixels of the blocks in
    which a JPEG is coded, else None; `channels` how many colours or inks it has, and `standard`
    whether these are sampled in one of the ways that libjpeg-turbo's own interface knows.
    `memory` is how many bytes per pixel the picture may take, by which its limit is set; `held`
    how many a progressive JPEG takes at any reduction.
    """

    format: Format
    width: int
    height: int
    orientation: int = 1
    block: tuple[int, int] | None = None
    channels: int = 3
    standard: bool = True
    memory: float = PHOTO.bytes_per_px
    held: float = 0.0

    @property
    def upright_size(self) -> tuple[int, int]:
        """(width, height) after turning."""
        stored = self.width, self.height
        return stored[::-1] if self.orientation >= 5 else stored


def orientation_of(tiff: bytes) -> int:
    """The orientation (1 to 8) that EXIF data give; 1 where there is none or it is damaged.

    Args:
        tiff: From the byte order mark on (`II` or `MM`).
    """
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return 1
    try:
        (start,) = unpack_from(order + "I", tiff, 4)
        (count,) = unpack_from(order + "H", tiff, start)
        for entry in range(start + 2, start + 2 + 12 * min(count, 512), 12):
            tag, kind = unpack_from(order + "HH", tiff, entry)
            if tag == 0x0112 and kind == 3:
                (value,) = unpack_from(order + "H", tiff, entry + 8)
                return value if 1 <= value <= 8 else 1
    except StructError:
        pass
    return 1
