"""The formats that are read, recognised by the first bytes of a file and never by its name.

What is no photo is named in the message for what it is.
"""

from enum import StrEnum

from kdvision.errors import PHOTO_FIELD, UnreadablePhotoError


class Format(StrEnum):
    """The kinds of picture that are read."""

    JPEG = "JPEG"
    PNG = "PNG"
    WEBP = "WebP"
    HEIF = "HEIC"
    AVIF = "AVIF"


_HEIF_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"mif1", b"hevc", b"hevx", b"msf1"}
_SEQUENCE_BRANDS = {b"hevc", b"hevx", b"msf1", b"avis"}
RESAVE = "Save it as JPEG or PNG first."
_CHOOSE = "Give the name of a photo: JPEG, PNG, WebP, HEIC or AVIF."
#: Starts of files that people confuse with photos: what they are, and what to do.
_OTHERS = (
    (b"GIF8", "a GIF picture, which is not read", RESAVE),
    (b"BM", "a BMP picture, which is not read", RESAVE),
    (b"II*\0", "a TIFF or raw picture, which is not read", RESAVE),
    (b"MM\0*", "a TIFF or raw picture, which is not read", RESAVE),
    (b"\0\0\0\x0cjP  ", "a JPEG 2000 picture, which is not read", RESAVE),
    (b"\xff\x0a", "a JPEG XL picture, which is not read", RESAVE),
    (b"\0\0\0\x0cJXL ", "a JPEG XL picture, which is not read", RESAVE),
    (b"8BPS", "a Photoshop picture, which is not read", RESAVE),
    (b"%PDF", "a PDF document, not a photo", _CHOOSE),
    (b"PK\x03\x04", "a zip archive, not a photo", "Unpack it first."),
)


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
    if data[4:8] == b"ftyp":
        found = _sniff_container(data, name)
        if found:
            return found
    what, advice = _what_else(data)
    raise UnreadablePhotoError(f"{PHOTO_FIELD} is {what}.", advice, photo=name)


def damaged(name: str, format: str) -> UnreadablePhotoError:
    """The error for a file that cannot be decoded."""
    return UnreadablePhotoError(
        f"{PHOTO_FIELD} is a damaged {format} file.",
        "Copy or download the photo again.",
        photo=name,
    )


def cut_off(name: str, format: str) -> UnreadablePhotoError:
    """The error for a file whose end is missing."""
    return UnreadablePhotoError(
        f"{PHOTO_FIELD} is cut off: the end of the {format} file is missing.",
        "Copy or download the photo again.",
        photo=name,
    )


def animated(name: str) -> UnreadablePhotoError:
    """The error for a file of several frames."""
    return UnreadablePhotoError(
        "{photo} is an animation or a burst of several pictures.",
        "Save one of its pictures as a photo first.",
        photo=name,
    )


def _sniff_container(data: bytes, name: str) -> Format | None:
    """HEIF or AVIF by the brands of an ISO base media file; None for a film."""
    length = int.from_bytes(data[:4], "big")
    major = data[8:12]
    brands = {major} | {data[at : at + 4] for at in range(16, min(length, len(data), 256), 4)}
    if major in _SEQUENCE_BRANDS:
        raise animated(name)
    if brands & {b"avif"}:
        return Format.AVIF
    return Format.HEIF if brands & _HEIF_BRANDS else None


def _what_else(data: bytes) -> tuple[str, str]:
    """What a file is that is no photo, and what to do about it."""
    for start, what, advice in _OTHERS:
        if data.startswith(start):
            return what, advice
    if data[4:8] == b"ftyp":
        return "a film, not a photo", "Save one of its pictures as a photo first."
    head = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<!doctype html", b"<html")):
        return "a web page, not a photo", "Open it and save the photo itself."
    return ("text, not a photo" if _is_text(data[:512]) else "no photo of a known kind"), _CHOOSE


def _is_text(head: bytes) -> bool:
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(head) - 3:
            return False
        text = head[: error.start].decode("utf-8")
    return all(letter.isprintable() or letter.isspace() for letter in text)
