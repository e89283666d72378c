"""JPEG files: their header, and what of them a decoder needs."""

from collections.abc import Iterator, Sequence
from math import ceil
from struct import error as StructError
from struct import unpack_from

from kdvision.errors import PHOTO_FIELD, UnreadablePhotoError
from kdvision.photo.formats import RESAVE, Format, cut_off, damaged
from kdvision.photo.headers import Header, orientation_of
from kdvision.photo.settings import PHOTO

#: How often libjpeg-turbo's interface lets brightness be sampled, (across, down), for each sample
#: of colour: 4:4:4, 4:2:2, 4:4:0, 4:2:0, 4:1:1 and 4:4:1.
_SAMPLINGS = {(1, 1), (2, 1), (1, 2), (2, 2), (4, 1), (1, 4)}

#: How often each colour is sampled in a block: (across, down).
_Factors = Sequence[tuple[int, int]]


def read_jpeg_header(data: bytes, name: str) -> Header:
    """The header of a JPEG.

    Raises:
        UnreadablePhotoError: It is damaged, cut off, or of a rare kind.
    """
    try:
        return _header(data, name)
    except (StructError, IndexError):
        raise damaged(name, Format.JPEG) from None


def _header(data: bytes, name: str) -> Header:
    frame: tuple[int, int, int] | None = None
    factors: list[tuple[int, int]] = []
    orientation, progressive, end = 0, False, 0
    for marker, start, end in _segments(data):
        if marker == 0xE1 and not orientation and data[start : start + 6] == b"Exif\0\0":
            orientation = orientation_of(data[start + 6 : end])
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            frame = unpack_from(">BHH", data, start)
            progressive = marker == 0xC2
            factors = _sampling_factors(data, start, name)
        elif marker == 0xDA:
            break
    else:
        raise cut_off(name, Format.JPEG)
    if frame is None:
        raise damaged(name, Format.JPEG)
    precision, height, width = frame
    if width < 1 or height < 1:
        raise damaged(name, Format.JPEG)
    if precision != 8:
        raise UnreadablePhotoError(
            f"{PHOTO_FIELD} is a JPEG of {precision} bits per colour, a kind that is not read.",
            RESAVE,
            photo=name,
        )
    if data.rfind(b"\xff\xd9") < end or width * height > PHOTO.max_jpeg_px_per_byte * len(data):
        raise cut_off(name, Format.JPEG)
    if progressive and data.count(b"\xff\xda") > PHOTO.max_scans:
        raise damaged(name, Format.JPEG)
    held = _coefficient_bytes(factors) if progressive else 0.0
    # Inks take a byte more; for turning at odd sizes see `photo._decodable`.
    in_full = len(factors) > 3 or (orientation > 1 and (width % 2 or height % 2))
    memory = max(
        PHOTO.bytes_per_px_full if in_full else PHOTO.bytes_per_px,
        ceil(PHOTO.coefficient_memory * held),
    )
    return Header(
        Format.JPEG,
        width,
        height,
        orientation or 1,
        block=_block(factors),
        channels=len(factors),
        standard=_is_standard(factors),
        memory=memory,
        held=held,
    )


def _sampling_factors(data: bytes, start: int, name: str) -> list[tuple[int, int]]:
    """How often each colour is sampled in a block, across and down, by the frame header."""
    factors = [divmod(data[start + 7 + 3 * index], 16) for index in range(data[start + 5])]
    if not factors or not all(1 <= factor <= 4 for pair in factors for factor in pair):
        raise damaged(name, Format.JPEG)
    return factors


def _block(factors: _Factors) -> tuple[int, int]:
    """(width, height) of a coded block in pixels."""
    if len(factors) == 1:
        return 8, 8
    across, down = map(max, zip(*factors, strict=True))
    return 8 * across, 8 * down


def _coefficient_bytes(factors: _Factors) -> float:
    """How many bytes the coefficients of a pixel take, which a progressive JPEG is held in."""
    if len(factors) == 1:
        return 2.0
    across, down = map(max, zip(*factors, strict=True))
    samples = sum(wide * high for wide, high in factors)
    return float(2 * samples / (across * down))


def _is_standard(factors: _Factors) -> bool:
    """Whether the colours are sampled as in `_SAMPLINGS`; black is sampled as the first ink."""
    first, others = factors[0], factors[1:3]
    if not others:
        return True
    return first in _SAMPLINGS and set(others) == {(1, 1)} and set(factors[3:]) <= {first}


def decodable_part(data: bytes) -> bytes:
    """A JPEG with nothing but what its pixels need: no stray bytes, texts or thumbnails."""
    view = memoryview(data)
    parts = [view[:2]]
    for marker, start, end in _segments(data):
        if marker == 0xDA:
            parts.append(view[start - 4 :])
        elif marker == 0xEE or not (0xE0 <= marker <= 0xEF or marker == 0xFE):
            parts.append(view[start - 4 : end])
    return b"".join(parts)


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """(marker, start, end) of the content of each segment, the first scan's header being last.

    Ends early where the file does.
    """
    at = 2
    for _ in range(PHOTO.max_parts):
        if at + 4 > len(data):
            return
        if data[at] != 0xFF:  # stray bytes between segments: libjpeg skips them too
            at = data.find(b"\xff", at)
            if at < 0:
                return
            continue
        marker = data[at + 1]
        if marker in (0xFF, 0x00, 0x01) or 0xD0 <= marker <= 0xD8:  # fill bytes, no content
            at += 1 if marker == 0xFF else 2
            continue
        (length,) = unpack_from(">H", data, at + 2)
        yield marker, at + 4, at + 2 + length
        at += 2 + max(length, 2)
