"""A fingerprint of what a photo shows, alike for the same picture saved again.

A difference hash: the photo in grey, shrunk to 17 x 16 pixels, and one bit for every pair of
neighbours in a row, whether it grows brighter. Saving it with other quality or in another size
changes few of the 256 bits; another photo of the same table changes many.
"""

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import cv2

from kdvision.photo.photo import open_photo

#: Rows, and pairs in a row, of the shrunken photo.
_SIDE = 16
#: The longer side in pixels that is decoded for it; JPEG files are decoded that small directly.
_DECODED_PX = 256
#: Photos can be one picture up to this many different bits of 256, one in twenty: our samples saved
#: again at quality 30 and at half their size stay within it, and no two samples do, which a test
#: holds. Alone it would not do: two photos of one kingdom from one place differ little more.
SAME_BITS = 12


def fingerprint_of(data: bytes) -> str:
    """The fingerprint of a picture file, as 64 hex digits; empty where it cannot be decoded."""
    try:
        rgb, _ = open_photo(data, name="photo").pixels(_DECODED_PX)
        grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
        small = cv2.resize(grey, (_SIDE + 1, _SIDE), interpolation=cv2.INTER_AREA)
    except Exception:
        return ""
    brighter = (small[:, 1:] > small[:, :-1]).flat
    number = int("".join("1" if one else "0" for one in brighter), 2)
    return f"{number:0{_SIDE * _SIDE // 4}x}"


def different_bits(one: str, other: str) -> int:
    """How many bits of two fingerprints differ; more than there are where one is missing."""
    if len(one) != len(other) or not one:
        return _SIDE * _SIDE + 1
    return (_number(one) ^ _number(other)).bit_count()


@lru_cache(maxsize=4_096)
def _number(fingerprint: str) -> int:
    return int(fingerprint, 16)


def photo_digest(photos: Sequence[bytes]) -> str:
    """The SHA-256 of a photo, or of several that are scored together."""
    if len(photos) == 1:
        return hashlib.sha256(photos[0]).hexdigest()
    return hashlib.sha256(b"".join(hashlib.sha256(data).digest() for data in photos)).hexdigest()
