"""What is known of a picture file before anything is decoded: its format, and its header.

Formats are recognised by the first bytes of a file and never by its name; what is no photo is named
in the message for what it is. The headers of JPEG, PNG and WebP are read here in a few
microseconds, with the standard library alone; all others are left to their libraries
(`decoders.read_container`).
"""

from codecs import getincrementaldecoder
from collections.abc import Iterator
from enum import StrEnum
from math import ceil
from struct import error as StructError
from struct import unpack_from
from zlib import crc32

from msgspec import Struct

from kdvision.errors import UnreadablePhotoError
from kdvision.sentences import Sentence

#: Bytes per pixel at the peak of opening a JPEG: its pixels as decoded, and the copy that is turned
#: upright.
BYTES_PER_PX = 6
#: The same of what cannot be decoded at a reduced size (WebP, a JPEG turned off its block grid): it
#: must leave room for the rest of the program.
_BYTES_PER_PX_FULL = 7
#: The same of a JPEG of one scan, per pixel of the file: where all its pixels would fill the memory
#: it comes at a half at least, as with phones of 108 and 200 million px.
_BYTES_PER_PX_HALF = BYTES_PER_PX / 4
#: The same of a WebP with see-through pixels.
_BYTES_PER_PX_ALPHA = 9
#: The same of PNG, beside what Pillow holds of a pixel (1, 2 or 4 bytes). With the copies of the
#: file this gives 7.5 bytes per pixel for a plain picture of 24 million px, 13.8 for one of noise.
BYTES_PER_PX_PNG = 3.5
#: How many times the file of a PNG is held.
COPIES_PNG = 2.1
#: What a JPEG of several scans takes for each byte of its stored coefficients. This and the numbers
#: above are peaks of memory (VmHWM), measured on whole photos.
_COEFFICIENT_MEMORY = 1.6
#: A file of more segments or chunks is not followed further: hostile ones have millions.
_MAX_PARTS = 50_000
#: A JPEG of more scans is refused: each costs a pass over the picture. The usual encoders write 10
#: progressive ones.
_MAX_SCANS = 100
#: px per byte. A JPEG that promises more has been cut off; one that is plain grey and progressive
#: has 512.
_MAX_JPEG_PX_PER_BYTE = 1024


class Format(StrEnum):
    """The kinds of picture that are read."""

    JPEG = "JPEG"
    PNG = "PNG"
    WEBP = "WebP"
    HEIF = "HEIC"
    AVIF = "AVIF"
    TIFF = "TIFF"
    BMP = "BMP"
    GIF = "GIF"


_HEIF_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"mif1", b"hevc", b"hevx", b"msf1"}
_SEQUENCE_BRANDS = {b"hevc", b"hevx", b"msf1", b"avis"}
#: Starts of files that people confuse with photos, and the sentence that says what each is.
_NO_PHOTOS = {
    b"\0\0\0\x0cjP  ": Sentence("unreadable.format", {"format": "JPEG 2000"}),
    b"\xff\x0a": Sentence("unreadable.format", {"format": "JPEG XL"}),
    b"\0\0\0\x0cJXL ": Sentence("unreadable.format", {"format": "JPEG XL"}),
    b"FUJIFILMCCD-RAW": Sentence("unreadable.raw"),
    b"IIU\0": Sentence("unreadable.raw"),  # Panasonic
    b"IIRO": Sentence("unreadable.raw"),  # Olympus
    b"8BPS": Sentence("unreadable.format", {"format": "Photoshop"}),
    b"%PDF": Sentence("unreadable.pdf"),
    b"PK\x03\x04": Sentence("unreadable.zip"),
}
#: Starts of the rarer kinds of picture that are read.
_RARE = {
    b"II*\0": Format.TIFF,
    b"MM\0*": Format.TIFF,
    b"BM": Format.BMP,
    b"GIF8": Format.GIF,
}


def sniff(data: bytes, name: str) -> Format:
    """Tell the format by the first bytes.

    Raises:
        UnreadablePhotoError: It is none of `Format`; the message says what it is instead.
    """
    if data.startswith(b"\xff\xd8\xff"):
        return Format.JPEG
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return Format.PNG
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return Format.WEBP
    if data[4:8] == b"ftyp" and (container := _sniff_container(data, name)):
        return container
    for start, format in _RARE.items():
        if data.startswith(start):
            return format
    raise UnreadablePhotoError(_name_format(data), photo=name)


def photo_error(code: str, name: str, **fields: str) -> UnreadablePhotoError:
    """Return the error for a file that is not read, by the code of its sentence."""
    return UnreadablePhotoError(Sentence(f"unreadable.{code}", fields), photo=name)


def damage_error(name: str, format: str) -> UnreadablePhotoError:
    """Return the error for a file that cannot be decoded."""
    return photo_error("damaged", name, format=format)


def _sniff_container(data: bytes, name: str) -> Format | None:
    """Tell HEIF or AVIF by the brands of an ISO base media file; None for a film."""
    length = int.from_bytes(data[:4], "big")
    major = data[8:12]
    brands = {major} | {data[at : at + 4] for at in range(16, min(length, len(data), 256), 4)}
    if major in _SEQUENCE_BRANDS:
        raise photo_error("animated", name)
    if b"avif" in brands:
        return Format.AVIF
    if brands & _HEIF_BRANDS:
        return Format.HEIF
    return None


def _name_format(data: bytes) -> Sentence:
    """Return what a file is that is no photo."""
    for start, sentence in _NO_PHOTOS.items():
        if data.startswith(start):
            return sentence
    if data[4:8] == b"ftyp":
        if data[8:12] == b"crx ":  # Canon
            return Sentence("unreadable.raw")
        return Sentence("unreadable.film")
    head = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<!doctype html", b"<html")):
        return Sentence("unreadable.web-page")
    if _is_text(data[:512]):
        return Sentence("unreadable.text")
    return Sentence("unreadable.unknown")


def _is_text(head: bytes) -> bool:
    """Return whether the first bytes of a file are text."""
    try:
        text = getincrementaldecoder("utf-8")().decode(head)  # the last letter may be cut
    except UnicodeDecodeError:
        return False
    return all(letter.isprintable() or letter.isspace() for letter in text)


# ---------------------------------------------------------------------- headers


class Header(Struct, frozen=True):
    """What is known of a picture before decoding.

    Attributes:
        format: The kind of picture.
        width: As stored, before turning.
        height: As stored, before turning.
        orientation: The EXIF value, 1 to 8: how the stored pixels are to be turned.
        channels: The number of colours or inks of a JPEG.
        memory: The bytes per pixel that opening the picture takes, by which its limit is set.
        coefficients: The bytes per pixel that a JPEG of several scans takes for its coefficients,
            at every reduction.
    """

    format: Format
    width: int
    height: int
    orientation: int = 1
    channels: int = 3
    memory: float = BYTES_PER_PX
    coefficients: float = 0.0

    @property
    def upright_size(self) -> tuple[int, int]:
        """(width, height) after turning."""
        stored = self.width, self.height
        if self.orientation >= 5:
            return stored[::-1]
        return stored


def read_header(data: bytes, format: Format, name: str) -> Header:
    """Read the header of a JPEG, PNG or WebP.

    Args:
        data: The file.
        format: One of these three.
        name: For messages.

    Raises:
        UnreadablePhotoError: It is damaged, cut off, animated or of a rare kind.
    """
    readers = {Format.JPEG: _read_jpeg, Format.PNG: _read_png, Format.WEBP: _read_webp}
    try:
        return readers[format](data, name)
    except (StructError, IndexError):
        raise damage_error(name, format) from None


def read_orientation(tiff: bytes) -> int:
    """Return the orientation (1 to 8) that EXIF data give; 1 where there is none or it is damaged.

    Args:
        tiff: From the byte order mark on (`II` or `MM`), or with what leads it in a JPEG.
    """
    tiff = tiff.removeprefix(b"Exif\0\0")
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


# ---------------------------------------------------------------------- JPEG


class _Jpeg(Struct):
    """What the segments of a JPEG say before its pixels begin.

    Attributes:
        precision: Bits of a sample.
        height: In pixels.
        width: In pixels.
        factors: How often each colour is sampled in a block, across and down.
        orientation: The orientation of EXIF, 1 to 8; 0 where none is given.
        several_scans: Whether it is progressive, or its colours come one after the other.
        end: Where the header of the first scan ends, in bytes; 0 where none was met.
    """

    precision: int = 0
    height: int = 0
    width: int = 0
    factors: tuple[tuple[int, int], ...] = ()
    orientation: int = 0
    several_scans: bool = False
    end: int = 0


def _read_jpeg(data: bytes, name: str) -> Header:
    """Read the header of a JPEG."""
    jpeg = _read_segments(data, name)
    if not jpeg.end:
        raise photo_error("cut-off", name, format=Format.JPEG)
    if jpeg.width < 1 or jpeg.height < 1:
        raise damage_error(name, Format.JPEG)
    if jpeg.precision != 8:
        raise photo_error("format", name, format=f"{jpeg.precision}-bit JPEG")
    most_px = _MAX_JPEG_PX_PER_BYTE * len(data)
    if data.rfind(b"\xff\xd9") < jpeg.end or jpeg.width * jpeg.height > most_px:
        raise photo_error("cut-off", name, format=Format.JPEG)
    # The marker of a scan, with the first byte of its length: the film that some phones put behind
    # a photo has the marker alone.
    if jpeg.several_scans and data.count(b"\xff\xda\0") > _MAX_SCANS:
        raise damage_error(name, Format.JPEG)
    return _measure_jpeg(jpeg)


def _read_segments(data: bytes, name: str) -> _Jpeg:
    """Read the segments of a JPEG as far as the header of its first scan."""
    jpeg = _Jpeg()
    for marker, start, end in _segments(data):
        if marker == 0xE1 and not jpeg.orientation and data[start : start + 6] == b"Exif\0\0":
            jpeg.orientation = read_orientation(data[start:end])
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xCC):
            jpeg.precision, jpeg.height, jpeg.width = unpack_from(">BHH", data, start)
            jpeg.several_scans = marker in (0xC2, 0xCA)  # progressive
            jpeg.factors = _read_factors(data, start, name)
        elif marker == 0xDA:
            jpeg.several_scans = jpeg.several_scans or data[start] < len(jpeg.factors)
            jpeg.end = end
    return jpeg


def _measure_jpeg(jpeg: _Jpeg) -> Header:
    """Return the header of a JPEG, with the memory that decoding it takes."""
    across, down = map(max, zip(*jpeg.factors, strict=True))
    samples = sum(wide * high for wide, high in jpeg.factors)
    # Two bytes a sample, kept until the last scan is read.
    coefficients = 2 * samples / (across * down) if jpeg.several_scans else 0.0
    is_odd = jpeg.width % 2 != 0 or jpeg.height % 2 != 0
    # Four inks take a byte more than three colours. For turning at odd sizes see
    # `photo._choose_reduction`.
    if len(jpeg.factors) > 3 or (jpeg.orientation > 1 and is_odd):
        least: float = _BYTES_PER_PX_FULL
    elif jpeg.several_scans:
        least = BYTES_PER_PX
    else:
        least = _BYTES_PER_PX_HALF
    return Header(
        Format.JPEG,
        jpeg.width,
        jpeg.height,
        jpeg.orientation or 1,
        channels=len(jpeg.factors),
        memory=max(least, ceil(_COEFFICIENT_MEMORY * coefficients)),
        coefficients=coefficients,
    )


def _read_factors(data: bytes, start: int, name: str) -> tuple[tuple[int, int], ...]:
    """Read from the header of a frame how often each colour is sampled, across and down."""
    factors = tuple(divmod(data[start + 7 + 3 * index], 16) for index in range(data[start + 5]))
    if not factors or not all(1 <= factor <= 4 for pair in factors for factor in pair):
        raise damage_error(name, Format.JPEG)
    return factors


def strip_jpeg(data: bytes) -> bytes:
    """Reduce a JPEG to what its pixels need: no stray bytes, texts or thumbnails."""
    view = memoryview(data)
    parts = [view[:2]]
    for marker, start, end in _segments(data):
        if marker == 0xDA:
            parts.append(view[start - 4 :])
        elif marker == 0xEE or not (0xE0 <= marker <= 0xEF or marker == 0xFE):
            parts.append(view[start - 4 : end])
    return b"".join(parts)


def mend_scan(data: bytes) -> bytes:
    """Return a JPEG whose scan says that it is not progressive: some Samsung phones write zeros."""
    *_, (_, _, end) = _segments(data)
    return data[: end - 3] + b"\0\x3f\0" + data[end:]


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield (marker, start, end) of the content of each segment, up to the first scan's header.

    Ends early where the file does.
    """
    at = 2
    for _ in range(_MAX_PARTS):
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
        if marker == 0xDA:
            return
        at += 2 + max(length, 2)


# ---------------------------------------------------------------------- PNG

#: Deflate cannot compress further than this.
_DEFLATE_RATIO = 1032
#: The chunks that pixels are made of.
_OF_PIXELS = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")


def _read_png(data: bytes, name: str) -> Header:
    """Read the header of a PNG."""
    # What its chunks say.
    width, height, depth, color = 0, 0, 0, -1
    orientation, ended = 1, False
    kinds: list[bytes] = []
    for kind, start, end in _chunks(data):
        if kind == b"IHDR":
            width, height, depth, color = unpack_from(">IIBB", data, start)
        elif kind == b"eXIf":
            orientation = read_orientation(data[start:end])
        elif kind == b"acTL" and unpack_from(">I", data, start)[0] > 1:
            raise photo_error("animated", name)
        ended = kind == b"IEND"
        kinds.append(kind)
    # Whether that makes a picture, and all of it is there.
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}.get(color)
    in_order = kinds[:1] == [b"IHDR"] and kinds.count(b"IHDR") == 1
    has_pixels = b"IDAT" in kinds or not ended
    if channels is None or width < 1 or height < 1 or not in_order or not has_pixels:
        raise damage_error(name, Format.PNG)
    bytes_of_pixels = width * height * channels * depth // 8
    if not ended or bytes_of_pixels > _DEFLATE_RATIO * len(data):
        raise photo_error("cut-off", name, format=Format.PNG)
    # The memory that decoding it takes.
    in_pillow = 4 if channels > 1 else max(depth // 8, 1)
    memory = in_pillow + BYTES_PER_PX_PNG + COPIES_PNG * len(data) / (width * height)
    return Header(Format.PNG, width, height, orientation, memory=max(memory, BYTES_PER_PX))


def _chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield (kind, start, end) of the content of each whole chunk up to IEND."""
    at = 8
    for _ in range(_MAX_PARTS):
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


def strip_png(data: bytes, name: str) -> bytes:
    """Reduce a PNG to what its pixels need.

    Raises:
        UnreadablePhotoError: A checksum of that is wrong.
    """
    view = memoryview(data)
    parts = [view[:8]]
    for kind, start, end in _chunks(data):
        if kind in _OF_PIXELS:
            if crc32(view[start - 4 : end]) != unpack_from(">I", data, end)[0]:
                raise damage_error(name, Format.PNG)
            parts.append(view[start - 8 : end + 4])
    return b"".join(parts)


# ---------------------------------------------------------------------- WebP


def _read_webp(data: bytes, name: str) -> Header:
    """Read the header of a WebP."""
    (length,) = unpack_from("<I", data, 4)
    if length + 8 > len(data):
        raise photo_error("cut-off", name, format=Format.WEBP)
    kind, alpha, orientation = data[12:16], False, 1
    if kind == b"VP8 ":
        width, height = (side & 0x3FFF for side in unpack_from("<HH", data, 26))
    elif kind == b"VP8L":
        (bits,) = unpack_from("<I", data, 21)
        width, height, alpha = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, bool(bits >> 28 & 1)
    elif kind == b"VP8X":
        flags = data[20]
        if flags & 0x02:
            raise photo_error("animated", name)
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
        alpha = bool(flags & 0x10)
        orientation = read_orientation(_find_exif(data)) if flags & 0x08 else 1
    else:
        raise damage_error(name, Format.WEBP)
    if width < 1 or height < 1:
        raise damage_error(name, Format.WEBP)
    memory = _BYTES_PER_PX_ALPHA if alpha else _BYTES_PER_PX_FULL
    return Header(Format.WEBP, width, height, orientation, memory=memory)


def _find_exif(data: bytes) -> bytes:
    """Return the EXIF data of a WebP; nothing where there are none."""
    at = 12
    for _ in range(_MAX_PARTS):
        if at + 8 > len(data):
            break
        (length,) = unpack_from("<I", data, at + 4)
        if data[at : at + 4] == b"EXIF":
            return data[at + 8 : at + 8 + length]
        at += 8 + length + length % 2
    return b""
