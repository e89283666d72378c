"""Bytes of unknown origin become an upright RGB photo.

A file is read once, recognised by its content, held to the limits by its header, and only
then decoded, at the smallest size that is large enough for what is asked. Pixels that were
decoded once are kept.
"""

import os
import threading
from functools import cached_property
from typing import TypeAlias

import cv2
import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from kdvision.arrays import Image
from kdvision.errors import UnreadablePhotoError
from kdvision.photo.damage import find_damage
from kdvision.photo.decoders import decode_picture, read_container
from kdvision.photo.headers import BYTES_PER_PX, Format, Header, read_header, sniff
from kdvision.photo.heif import has_gap
from kdvision.photo.resizing import block_means
from kdvision.photo.sources import LIMITS, RawSource, read_source, refuse_size
from kdvision.rules.errors import check_type
from kdvision.sentences import Sentence

#: What may be given as a photo.
Source: TypeAlias = "RawSource | Photo"


class PhotoSettings(Struct, frozen=True):
    """Sizes of decoding.

    Attributes:
        max_decoding_bytes: bytes. A JPEG whose pixels would take more comes at a half, a quarter or
            an eighth. Leaves room for libraries and models in a process of 600 MB.
        working_side_px: px. The photo is decoded to at least this longer side; grids are found and
            patches are cut in the same pixels. The grid net sees half as much.
    """

    max_decoding_bytes: int = 530_000_000
    working_side_px: int = 800


PHOTO = PhotoSettings()

#: A photo can be had at 1/n of its size, for these n.
REDUCTIONS = (8, 4, 2, 1)


class _Decoded(Struct):
    """The pixels of a photo that were decoded so far.

    Attributes:
        stored: The bytes of the file, and its header; None where pixels were given.
        by_reduction: The upright pixels by the reduction that they were decoded at.
        complaint: What a decoder said of damaged data; empty for nothing.
        lock: Held while pixels are decoded.
    """

    stored: tuple[bytes, Header] | None
    by_reduction: dict[int, Image] = msgspec.field(default_factory=dict)
    complaint: str = ""
    lock: threading.Lock = msgspec.field(default_factory=threading.Lock)


class Photo(Struct, frozen=True, eq=False, dict=True):
    """A photo that can be decoded: its header was read and is within the limits.

    All coordinates that the program gives are in pixels of the full upright photo, measured from
    the outer corner of its top left pixel. Safe to use from several threads.

    Attributes:
        name: What results and messages call it.
        width: That of the full upright photo in pixels.
        height: That of the full upright photo in pixels.
    """

    name: str
    width: int
    height: int
    _pixels: _Decoded

    def __repr__(self) -> str:
        return f"<Photo {self.name!r}, {self.width} x {self.height}>"

    def pixels(self, min_side: int) -> tuple[Image, float]:
        """Return the upright photo at the smallest size whose longer side has `min_side` pixels.

        The sizes are 1/1, 1/2, 1/4 and 1/8 of the photo; a photo smaller than `min_side` comes in
        full, unless it is a JPEG so large that its pixels would fill the memory. Every pixel stands
        for a whole block of scale x scale pixels of the photo, from the top left corner on. What is
        left over at the right and at the bottom (less than one block) is not in the array.

        Args:
            min_side: How many pixels the longer side must have.

        Returns:
            The (h, w, 3) RGB array, not to be written to, and the scale: the point (x, y) of the
            array, measured from the outer corner of its top left pixel, is (x * scale, y * scale)
            in the photo. (With pixel *centres* at whole numbers: x * scale + (scale - 1) / 2.)

        Raises:
            UnreadablePhotoError: The photo cannot be decoded.
        """
        longer, shorter = max(self.width, self.height), min(self.width, self.height)
        reduction = self._finest_reduction()
        for coarser in REDUCTIONS:
            if coarser > reduction and longer // coarser >= min_side and shorter >= coarser:
                reduction = coarser
                break
        # Pixels that are there already need no lock, which is held while others are decoded.
        ready = self._pixels.by_reduction.get(reduction)
        if ready is None:
            with self._pixels.lock:
                ready = self._pixels_at(reduction)
        return ready, float(reduction)

    @property
    def decoded_side(self) -> int:
        """The longer side in pixels of the finest decoding so far; 0 before the first."""
        finest = min(self._pixels.by_reduction, default=0)
        if not finest:
            return 0
        return max(self.width, self.height) // finest

    @property
    def data(self) -> bytes:
        """The bytes of the file; empty where it was given as pixels."""
        return self._pixels.stored[0] if self._pixels.stored else b""

    @property
    def is_array(self) -> bool:
        """Whether it was given as pixels, whose channels may be in another order."""
        return self._pixels.stored is None

    @cached_property
    def damage(self) -> Sentence | None:
        """What is damaged in the photo as a whole; None where nothing is found.

        What its decoder complains of, or what is missing: stretches of the file, a part of the
        picture, its colours. Decodes the photo when that has not been done.

        Raises:
            UnreadablePhotoError: The photo cannot be decoded.
        """
        pixels, _ = self.pixels(PHOTO.working_side_px)
        if self._pixels.complaint:
            return Sentence("damage.decoder", {"complaint": repr(self._pixels.complaint)})
        stored = self._pixels.stored
        if stored and stored[1].format is Format.HEIF and has_gap(stored[0]):
            return Sentence("damage.gap")
        return find_damage(pixels)

    def _finest_reduction(self) -> int:
        """Return the finest reduction within `PHOTO.max_decoding_bytes`; only JPEG has a choice."""
        if not self._pixels.stored:
            return 1
        _, header = self._pixels.stored
        if header.format is not Format.JPEG:
            return 1
        area = self.width * self.height
        for reduction in sorted(REDUCTIONS):
            per_px = header.coefficients + BYTES_PER_PX / reduction**2
            if area * per_px <= PHOTO.max_decoding_bytes:
                return reduction
        return max(REDUCTIONS)

    def _pixels_at(self, reduction: int) -> Image:
        """Return the upright pixels at a reduction, decoded at most once. Needs the lock."""
        ready = self._pixels.by_reduction
        if reduction in ready:
            return ready[reduction]
        finest = min(ready, default=reduction)
        if finest >= reduction:
            finest = self._decode(reduction)
        if finest != reduction:
            ready[reduction] = _freeze(block_means(ready[finest], reduction // finest))
        return ready[reduction]

    def _decode(self, reduction: int) -> int:
        """Decode at a reduction, or at a finer one where the format asks for it; return that."""
        assert self._pixels.stored is not None  # arrays are known in full from the start
        data, header = self._pixels.stored
        reduction = _choose_reduction(header, reduction)
        pixels, complaint = decode_picture(data, header, self.name, reduction)
        self._pixels.complaint = self._pixels.complaint or complaint
        whole = pixels[: header.height // reduction, : header.width // reduction]
        self._pixels.by_reduction[reduction] = _freeze(_turn_upright(whole, header.orientation))
        return reduction


def open_photo(source: Source, *, name: str | None = None) -> Photo:
    """Open a photo without decoding it.

    Args:
        source: A path, the bytes of a file, a file open for reading bytes, a picture of Pillow,
            an (H, W, 3) uint8 RGB array that is already upright, which is copied, or a Photo, which
            is returned as it is but for its name.
        name: What messages call it; by default the path, or its name so far.

    Raises:
        UnreadablePhotoError: There is no such file, it is no picture of a known format, it is
            damaged, cut off or animated, or it is over a limit (`LIMITS`). Of formats that take
            more memory per pixel than a plain picture fewer pixels are accepted, in proportion.
        UsageError: The source is of a type that can be no photo.
        RulesError: The name is no text.
    """
    check_type(name, str | os.PathLike | None, 'name of a photo; give such as "table.jpg"')
    name = os.fspath(name) if name else None
    if isinstance(source, Photo):
        return replace(source, name=name or source.name)
    name, data = read_source(source, name)
    if isinstance(data, np.ndarray):
        return _open_array(data, name)
    format = sniff(data, name)
    if format in (Format.JPEG, Format.PNG, Format.WEBP):
        header = read_header(data, format, name)
    else:
        header = read_container(data, format, name)
    width, height = header.upright_size
    refuse_size(width, height, int(LIMITS.max_pixels * BYTES_PER_PX / header.memory), name)
    return Photo(name, width, height, _Decoded((data, header)))


def _open_array(array: npt.NDArray[np.uint8], name: str) -> Photo:
    """Open the pixels of an upright photo."""
    if array.ndim != 3 or array.shape[2] != 3 or array.dtype != np.uint8 or not array.size:
        raise UnreadablePhotoError(
            f"An array of shape {array.shape} and type {array.dtype} is no photo.",
            "Give an RGB array of shape (height, width, 3) and type uint8.",
        )
    height, width = array.shape[:2]
    refuse_size(width, height, LIMITS.max_pixels, name)
    return Photo(name, width, height, _Decoded(None, {1: _freeze(array.copy())}))


def _choose_reduction(header: Header, reduction: int) -> int:
    """Return the coarsest reduction, up to the given one, whose decoded pixels can be used.

    Only JPEG decodes at reduced size. Its blocks start at the stored top left corner: where
    turning the photo brings the other end of a side to the front, the side must be a whole
    number of blocks, or every point would be off by a part of a block.
    """
    if header.format is not Format.JPEG:
        return 1
    # The stored sides whose other end comes to the front.
    turned_sides = []
    if header.orientation in (2, 3, 7, 8):
        turned_sides.append(header.width)
    if header.orientation in (3, 4, 6, 7):
        turned_sides.append(header.height)
    while any(side % reduction for side in turned_sides):
        reduction //= 2
    return reduction


def _turn_upright(pixels: Image, orientation: int) -> Image:
    """Turn stored pixels upright, by the EXIF orientation."""
    turned = pixels
    if orientation >= 5:
        turned = np.asarray(cv2.transpose(pixels), np.uint8)
    flip = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}.get(orientation)
    if flip is not None:
        cv2.flip(turned, flip, dst=turned)  # in place: there may be no room for another copy
    return turned


def _freeze(pixels: Image) -> Image:
    """Return pixels that nobody can write to."""
    pixels = np.ascontiguousarray(pixels)
    pixels.flags.writeable = False
    return pixels
