"""One small picture, written in every format that phones and programs write."""

import io
import struct
import zlib
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from scripts.paths import SAMPLES

Rgb = NDArray[np.uint8]

#: What is mutated: a full kingdom, which is read and called sure where nothing is damaged.
SAMPLE = "meadow_5x5.jpg"
#: The part of it that is shown: left, top, right, bottom.
CROP = (200, 0, 1400, 1200)
#: Its total.
TOTAL = 75
#: Pixels along a side that is large enough to be scored.
SCORED_SIDE = 480
#: Pixels along a side that is just large enough to be decoded.
DECODED_SIDE = 96

_EXIF_SIDEWAYS = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"


def picture(side: int) -> Rgb:
    """Return the sample's kingdom as RGB (side, side, 3)."""
    with Image.open(SAMPLES / SAMPLE) as whole:
        small = whole.convert("RGB").crop(CROP).resize((side, side), Image.Resampling.LANCZOS)
    return np.asarray(small, np.uint8)


def jpeg(pixels: Rgb, mode: str = "RGB", **options: object) -> bytes:
    """Return a JPEG in a mode of Pillow."""
    stream = io.BytesIO()
    Image.fromarray(pixels).convert(mode).save(stream, "JPEG", quality=88, **options)
    return stream.getvalue()


def multi_picture(pixels: Rgb) -> bytes:
    """Return two pictures in one JPEG, as from a camera with two lenses."""
    stream = io.BytesIO()
    first, second = Image.fromarray(pixels), Image.fromarray(255 - pixels)
    first.save(stream, "MPO", save_all=True, append_images=[second], quality=88)
    return stream.getvalue()


def png(chunks: list[tuple[bytes, bytes]]) -> bytes:
    """Return a PNG of chunks (kind, content), each with its checksum."""
    parts = [b"\x89PNG\r\n\x1a\n"]
    for kind, content in chunks:
        checksum = zlib.crc32(kind + content)
        parts.append(struct.pack(">I", len(content)) + kind + content)
        parts.append(struct.pack(">I", checksum))
    return b"".join(parts)


def interlaced(pixels: Rgb) -> bytes:
    """Return a PNG in the seven passes of Adam7, which neither Pillow nor OpenCV writes."""
    passes = ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2))
    rows = [
        b"\0" + row.tobytes()
        for top, left, down, right in (*passes, (1, 0, 2, 1))
        for row in pixels[top::down, left::right]
    ]
    header = struct.pack(">IIBBBBB", pixels.shape[1], pixels.shape[0], 8, 2, 0, 0, 1)
    return png([(b"IHDR", header), (b"IDAT", zlib.compress(b"".join(rows))), (b"IEND", b"")])


def sixteen_bits(pixels: Rgb) -> bytes:
    """Return a PNG of 16 bits per colour."""
    return cv2.imencode(".png", pixels[:, :, ::-1].astype(np.uint16) * 257)[1].tobytes()


def with_alpha(pixels: Rgb, kind: str, **options: object) -> bytes:
    """Return a picture whose left edge is transparent."""
    alpha = np.full((*pixels.shape[:2], 1), 255, np.uint8)
    alpha[:, : len(alpha) // 16] = 90
    return _saved(Image.fromarray(np.concatenate([pixels, alpha], axis=2)), kind, **options)


def heic(pixels: Rgb) -> bytes:
    """Return a HEIC with EXIF data."""
    import pillow_heif

    stream = io.BytesIO()
    pillow_heif.from_pillow(Image.fromarray(pixels)).save(stream, quality=80, exif=_EXIF_SIDEWAYS)
    return stream.getvalue()


def _saved(image: Image.Image, kind: str, **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def _palette(pixels: Rgb) -> bytes:
    image = Image.fromarray(pixels).quantize(128, Image.Quantize.MEDIANCUT)
    return _saved(image, "PNG", transparency=3)


#: How a picture is written in each format.
FORMATS: dict[str, Callable[[Rgb], bytes]] = {
    "baseline JPEG": lambda pixels: jpeg(pixels, exif=_EXIF_SIDEWAYS),
    "JPEG with restarts": lambda pixels: jpeg(pixels, restart_marker_rows=1, subsampling=0),
    "progressive JPEG": lambda pixels: jpeg(pixels, progressive=True),
    "CMYK JPEG": lambda pixels: jpeg(pixels, "CMYK"),
    "grey JPEG": lambda pixels: jpeg(pixels, "L"),
    "MPO": multi_picture,
    "palette PNG": _palette,
    "PNG with alpha": lambda pixels: with_alpha(pixels, "PNG"),
    "16-bit PNG": sixteen_bits,
    "interlaced PNG": interlaced,
    "WebP": lambda pixels: _saved(Image.fromarray(pixels), "WEBP", quality=85),
    "lossless WebP": lambda pixels: with_alpha(pixels, "WEBP", lossless=True),
    "WebP with EXIF": lambda pixels: with_alpha(pixels, "WEBP", exif=_EXIF_SIDEWAYS, quality=80),
    "HEIC": heic,
    "AVIF": lambda pixels: _saved(Image.fromarray(pixels), "AVIF", quality=75),
    "TIFF": lambda pixels: _saved(Image.fromarray(pixels), "TIFF"),
    "TIFF of LZW": lambda pixels: with_alpha(pixels, "TIFF", compression="tiff_lzw"),
    "TIFF of JPEG": lambda pixels: _saved(Image.fromarray(pixels), "TIFF", compression="jpeg"),
    "TIFF of Deflate": lambda pixels: _saved(
        Image.fromarray(pixels), "TIFF", compression="tiff_adobe_deflate"
    ),
    "BMP": lambda pixels: _saved(Image.fromarray(pixels), "BMP"),
    "palette BMP": lambda pixels: _saved(Image.fromarray(pixels).quantize(200), "BMP"),
    "GIF": lambda pixels: _saved(Image.fromarray(pixels).quantize(250), "GIF"),
}
