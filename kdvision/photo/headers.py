"""What a picture file says of itself before anything is decoded.

Of JPEG, PNG and WebP the size, the orientation, the number of frames, and whether the end of the
file is there are read in a few microseconds, with the standard library alone. HEIC and AVIF are
left to their libraries (`decoders.container_header`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from struct import error as StructError
from struct import unpack_from

from kdvision.errors import PHOTO_FIELD, UnreadablePhotoError
from kdvision.photo.formats import RESAVE, Format, animated, cut_off, damaged
from kdvision.photo.settings import PHOTO


@dataclass(frozen=True, slots=True)
class Header:
    """What is known of a picture before decoding.

    `width` and `height` are as stored, before turning. `orientation` is the EXIF value, 1 to 8:
    what must be done to the stored pixels. `alpha` says that some pixels may be see-through.
    `block` is (width, height) in pixels of the blocks in which a JPEG is coded, else None.
    `memory` is how many bytes per pixel the picture may take, by which its limit is set; `held`
    how many a progressive JPEG takes at any reduction.
    """

    format: Format
    width: int
    height: int
    orientation: int = 1
    alpha: bool = False
    block: tuple[int, int] | None = None
    memory: int = PHOTO.bytes_per_px
    held: float = 0.0

    @property
    def upright_size(self) -> tuple[int, int]:
        """(width, height) after turning."""
        stored = self.width, self.height
        return stored[::-1] if self.orientation >= 5 else stored


#: Deflate cannot compress further than this.
_DEFLATE_RATIO = 1032


def read_header(data: bytes, format: Format, name: str) -> Header:
    """Read the header of a JPEG, PNG or WebP.

    Raises:
        UnreadablePhotoError: It is damaged, cut off, animated, or of a rare kind.
    """
    readers = {Format.JPEG: _read_jpeg, Format.PNG: _read_png, Format.WEBP: _read_webp}
    try:
        header = readers[format](data, name)
    except (StructError, IndexError):
        raise damaged(name, format) from None
    if header.width < 1 or header.height < 1:
        raise damaged(name, format)
    return header


# ---------------------------------------------------------------------- JPEG


def _read_jpeg(data: bytes, name: str) -> Header:
    frame: tuple[int, int, int] | None = None
    orientation, progressive, block, held, end = 0, False, (8, 8), 0.0, 0
    for marker, start, end in _jpeg_segments(data):
        if marker == 0xE1 and not orientation and data[start : start + 6] == b"Exif\0\0":
            orientation = orientation_of(data[start + 6 : end])
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            frame = unpack_from(">BHH", data, start)
            progressive = marker == 0xC2
            block, held = _jpeg_block(data, start, name)
        elif marker == 0xDA:
            break
    else:
        raise cut_off(name, Format.JPEG)
    if frame is None:
        raise damaged(name, Format.JPEG)
    precision, height, width = frame
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
    held = held if progressive else 0.0
    in_full = orientation > 1 and (width % 2 or height % 2)  # see `photo._decodable`
    memory = max(
        PHOTO.bytes_per_px_full if in_full else PHOTO.bytes_per_px,
        ceil(PHOTO.coefficient_memory * held),
    )
    return Header(Format.JPEG, width, height, orientation or 1, False, block, memory, held)


def _jpeg_block(data: bytes, start: int, name: str) -> tuple[tuple[int, int], float]:
    """(width, height) of a coded block, and how many bytes a pixel's coefficients take.

    Both come from the sampling factors of the frame header.
    """
    components = data[start + 5]
    factors = [divmod(data[start + 7 + 3 * index], 16) for index in range(components)]
    if not factors or not all(1 <= factor <= 4 for pair in factors for factor in pair):
        raise damaged(name, Format.JPEG)
    if components == 1:
        return (8, 8), 2.0
    across, down = map(max, zip(*factors, strict=True))
    samples = sum(wide * high for wide, high in factors)
    return (8 * across, 8 * down), 2 * samples / (across * down)


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, int, int]]:
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


# ---------------------------------------------------------------------- PNG


def _read_png(data: bytes, name: str) -> Header:
    width, height, depth, color = 0, 0, 0, -1
    orientation, see_through, pixels, ended = 1, False, False, False
    for kind, start, end in _png_chunks(data):
        if kind == b"IHDR":
            width, height, depth, color = unpack_from(">IIBB", data, start)
        elif kind == b"tRNS":
            see_through = True
        elif kind == b"eXIf":
            orientation = orientation_of(data[start:end])
        elif kind == b"acTL" and unpack_from(">I", data, start)[0] > 1:
            raise animated(name)
        elif kind == b"IDAT":
            pixels = True
        elif kind == b"IEND":
            ended = True
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}.get(color)
    # Without pixels before the end OpenCV reads on behind it, and makes room for what it finds.
    if channels is None or (ended and not pixels):
        raise damaged(name, Format.PNG)
    bytes_of_pixels = width * height * channels * depth // 8
    if not ended or bytes_of_pixels > _DEFLATE_RATIO * len(data):
        raise cut_off(name, Format.PNG)
    alpha = see_through or color in (4, 6)
    memory = PHOTO.bytes_per_px_full
    if alpha:
        memory = PHOTO.bytes_per_px_wide_alpha if depth == 16 else PHOTO.bytes_per_px_alpha
    return Header(Format.PNG, width, height, orientation, alpha, memory=memory)


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
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


# ---------------------------------------------------------------------- WebP


def _read_webp(data: bytes, name: str) -> Header:
    (length,) = unpack_from("<I", data, 4)
    if length + 8 > len(data):
        raise cut_off(name, Format.WEBP)
    kind = data[12:16]
    if kind == b"VP8 ":
        width, height = unpack_from("<HH", data, 26)
        size = width & 0x3FFF, height & 0x3FFF
        return Header(Format.WEBP, *size, memory=PHOTO.bytes_per_px_full)
    if kind == b"VP8L":
        (bits,) = unpack_from("<I", data, 21)
        width, height, alpha = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, bool(bits >> 28 & 1)
        memory = PHOTO.bytes_per_px_alpha if alpha else PHOTO.bytes_per_px_full
        return Header(Format.WEBP, width, height, alpha=alpha, memory=memory)
    if kind != b"VP8X":
        raise damaged(name, Format.WEBP)
    flags = data[20]
    if flags & 0x02:
        raise animated(name)
    width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
    exif = _webp_exif(data) if flags & 0x08 else b""
    alpha = bool(flags & 0x10)
    memory = PHOTO.bytes_per_px_alpha if alpha else PHOTO.bytes_per_px_full
    return Header(Format.WEBP, width, height, orientation_of(exif), alpha, memory=memory)


def _webp_exif(data: bytes) -> bytes:
    at = 12
    for _ in range(PHOTO.max_parts):
        if at + 8 > len(data):
            break
        (length,) = unpack_from("<I", data, at + 4)
        if data[at : at + 4] == b"EXIF":
            return data[at + 8 : at + 8 + length].removeprefix(b"Exif\0\0")
        at += 8 + length + length % 2
    return b""
