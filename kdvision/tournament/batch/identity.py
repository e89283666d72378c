"""The identity of a photo: the digest of its bytes, a fingerprint of its picture, a key.

The fingerprint of what a photo shows is a difference hash: the photo in grey, shrunk to 17 x 16
pixels, and one bit for every pair of neighbours in a row, whether it grows brighter. Saving it with
other quality or in another size changes few of the 256 bits; another photo of the same table
changes many.
"""

import hashlib
from collections.abc import Mapping
from functools import lru_cache

import cv2
import numpy as np
from msgspec.structs import astuple

import kdvision
from kdvision.corrections import FixPlace
from kdvision.errors import UnreadablePhotoError
from kdvision.files import read_file
from kdvision.options import GameOptions
from kdvision.photo.photo import open_photo
from kdvision.photo.settings import PHOTO
from kdvision.tournament.lines import Job
from kdvision.vision.models import model_folder, read_manifest

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
    return np.packbits(small[:, 1:] > small[:, :-1]).tobytes().hex()


def different_bits(first: str, second: str) -> int:
    """The number of bits in which two fingerprints differ; more than all where one is missing."""
    if len(first) != len(second) or not first:
        return _SIDE * _SIDE + 1
    return (_number(first) ^ _number(second)).bit_count()


@lru_cache(maxsize=4_096)
def _number(fingerprint: str) -> int:
    return int(fingerprint, 16)


def photo_bytes(job: Job) -> bytes:
    """Read the photo of a job; nothing where it cannot be read."""
    try:
        return read_file(job.path, PHOTO.max_bytes)
    except UnreadablePhotoError:
        return b""


def photo_digest(photo: bytes) -> str:
    """The SHA-256 of a photo in hex; empty for none."""
    return hashlib.sha256(photo).hexdigest() if photo else ""


def scorer_version() -> str:
    """Name this version of the program with its models.

    Raises:
        ModelError: The list of models is missing.
    """
    entries = read_manifest(model_folder())
    sums = (f"{name}={entry.sha256}/{entry.temperature}" for name, entry in entries.items())
    return " ".join((kdvision.__version__, *sorted(sums)))


def key_of(
    digest: str, options: GameOptions, version: str, fixes: Mapping[FixPlace, str] | None = None
) -> str:
    """The key of a photo scored by some rules; empty where the photo's digest is not known.

    It begins with a letter, so that no spreadsheet takes it for a number.
    """
    if not digest:
        return ""
    corrected = sorted((str(place), cell) for place, cell in (fixes or {}).items())
    scored_by = (digest, *astuple(options), version, *corrected)
    return f"k{hashlib.sha256(repr(scored_by).encode()).hexdigest()[:32]}"
