"""PNG files: their header, their chunks, and what of them a decoder needs."""

from collections.abc import Iterator
from struct import error as StructError
from struct import unpack_from
from zlib import crc32

from kdvision.photo.formats import Format, animated, cut_off, damaged
from kdvision.photo.headers import Header, orientation_of
from kdvision.photo.settings import PHOTO

#: Deflate cannot compress further than this.
_DEFLATE_RATIO = 1032
#: The chunks that pixels are made of.
_OF_PIXELS = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")


def read_png_header(data: bytes, name: str) -> Header:
    """The header of a PNG.

    Raises:
        UnreadablePhotoError: It is damaged, cut off or animated.
    """
    try:
        return _header(data, name)
    except (StructError, IndexError):
        raise damaged(name, Format.PNG) from None


def _header(data: bytes, name: str) -> Header:
    width, height, depth, color = 0, 0, 0, -1
    orientation, ended = 1, False
    seen: list[bytes] = []
    for kind, start, end in _chunks(data):
        if kind == b"IHDR":
            width, height, depth, color = unpack_from(">IIBB", data, start)
        elif kind == b"eXIf":
            orientation = orientation_of(data[start:end])
        elif kind == b"acTL" and unpack_from(">I", data, start)[0] > 1:
            raise animated(name)
        ended = kind == b"IEND"
        seen.append(kind)
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}.get(color)
    if channels is None or width < 1 or height < 1 or not _in_order(seen, ended):
        raise damaged(name, Format.PNG)
    bytes_of_pixels = width * height * channels * depth // 8
    if not ended or bytes_of_pixels > _DEFLATE_RATIO * len(data):
        raise cut_off(name, Format.PNG)
    held = 4 if channels > 1 else 2 if depth > 8 else 1
    memory = held + PHOTO.bytes_per_px_png + PHOTO.copies_png * len(data) / (width * height)
    return Header(Format.PNG, width, height, orientation, memory=max(memory, PHOTO.bytes_per_px))


def _in_order(kinds: list[bytes], ended: bool) -> bool:
    """Whether chunks are those of a PNG, in their order, as far as they are there."""
    if kinds[:1] != [b"IHDR"] or kinds.count(b"IHDR") > 1 or kinds.count(b"PLTE") > 1:
        return False
    if ended and b"IDAT" not in kinds:
        return False
    # A capital says that a picture cannot be decoded without the chunk.
    needed = (kind for kind in kinds if not kind.isalpha() or kind[:1].isupper())
    return all(kind in _OF_PIXELS for kind in needed)


def _chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """(kind, start, end) of the content of each whole chunk up to IEND."""
    at = 8
    for _ in range(PHOTO.max_parts):
        if at + 12 > len(data):
            return
        (length,) = unpack_from(">I", data, at)
        kind = data[at + 4 : at + 8]
        if at + 12 + length > len(data):
            return
        yield kind, at + 8, at + 8 + length
        if kind == b"IEND":
            return
        at += 12 + length


def decodable_png(data: bytes, name: str) -> tuple[bytes, str]:
    """A PNG with nothing but what its pixels need, and a complaint about the rest ("" for none).

    Raises:
        UnreadablePhotoError: A checksum of what the pixels need is wrong.
    """
    view = memoryview(data)
    parts = [view[:8]]
    complaint = ""
    for kind, start, end in _chunks(data):
        (checksum,) = unpack_from(">I", data, end)
        wrong = crc32(view[start - 4 : end]) != checksum
        if kind not in _OF_PIXELS or kind == b"IEND":
            complaint = complaint or (f"wrong checksum of {kind.decode()}" if wrong else "")
        elif wrong:
            raise damaged(name, Format.PNG)
        if kind in _OF_PIXELS:
            parts.append(view[start - 8 : end + 4])
    return b"".join(parts), complaint
