"""Where the parts of a picture file begin and end: segments, chunks and boxes."""

from struct import error as StructError
from struct import unpack_from

#: (start, end) of a part, its own header included.
Span = tuple[int, int]

_BOXES_OF_BOXES = (b"meta", b"iprp", b"ipco", b"iinf", b"iref", b"dinf")
_MOST = 2000


def parts(data: bytes) -> list[Span]:
    """The parts of a JPEG, PNG, WebP, HEIC or AVIF file; what cannot be followed is left out."""
    try:
        if data[:2] == b"\xff\xd8":
            return _segments(data)
        if data[:4] == b"\x89PNG":
            return _chunks(data, 8, ">I", 0, 12)
        if data[:4] == b"RIFF":
            return _chunks(data, 12, "<I", 4, 8)
        return _boxes(data, 0, len(data))
    except (StructError, IndexError):
        return []


def _segments(data: bytes) -> list[Span]:
    """Segments of a JPEG; the coded data after a header of a scan are a part too."""
    spans: list[Span] = []
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF and len(spans) < _MOST:
        marker = data[at + 1]
        if marker == 0xD9:
            break
        end = at + 2 + int(unpack_from(">H", data, at + 2)[0])
        spans.append((at, end))
        at = end
        if marker == 0xDA:
            while (at := data.find(b"\xff", at)) >= 0 and at + 1 < len(data):
                if data[at + 1] not in (0, *range(0xD0, 0xD8)):
                    break
                at += 2
            if at < 0:
                break
            spans.append((end, at))
    return [(start, end) for start, end in spans if end <= len(data)]


def _chunks(data: bytes, at: int, length: str, offset: int, around: int) -> list[Span]:
    """Chunks of a PNG or a RIFF file, whose length stands `offset` bytes into them."""
    spans: list[Span] = []
    while at + 8 <= len(data) and len(spans) < _MOST:
        size = int(unpack_from(length, data, at + offset)[0])
        end = at + around + size + (size % 2 if around == 8 else 0)
        if end > len(data):
            break
        spans.append((at, end))
        at = end
    return spans


def _boxes(data: bytes, at: int, end: int) -> list[Span]:
    """Boxes of an ISO base media file, those within others too."""
    spans: list[Span] = []
    while at + 8 <= end and len(spans) < _MOST:
        size = int(unpack_from(">I", data, at)[0])
        if size < 8 or at + size > end:
            break
        spans.append((at, at + size))
        kind = data[at + 4 : at + 8]
        if kind in _BOXES_OF_BOXES:
            inner = at + 8 + {b"meta": 4, b"iref": 4, b"iinf": 6}.get(kind, 0)
            spans += _boxes(data, inner, at + size)
        at += size
    return spans
