"""The coded data of a HEIC, which has no checksums: bytes that no encoder writes.

H.265 puts a 3 behind any two zeros that a small byte would follow, so that three zeros never follow
each other inside a unit (ITU-T H.265, 7.4.2). A stretch of a file that was never written, or was
lost on a disk, is zeros: the decoder turns it into wrong pixels without a word.
"""

import re
from collections.abc import Iterator
from struct import error as StructError
from struct import unpack_from

_GAP = bytes(3)
#: An entry of version 2 in the list of items: the number of an item that is coded with H.265.
_CODED_ITEM = re.compile(rb"infe\x02...(..)..hvc1", re.DOTALL)
#: More items are not looked at: hostile files have millions.
_MAX_PARTS = 10_000


def has_gap(data: bytes) -> bool:
    """Tell whether the coded pictures of a HEIC hold a stretch of zeros that none is written with.

    A file whose boxes are not understood counts as whole: its decoder judges it.
    """
    try:
        return any(data.find(_GAP, start, end) >= 0 for start, end in _find_units(data))
    except (StructError, IndexError):
        return False


def _find_units(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where the units of each coded item start and end, without their lengths."""
    coded = {unpack_from(">H", match)[0] for match in _CODED_ITEM.findall(data)}
    for item, start, end in _find_extents(data):
        while item in coded and start + 4 < end:
            (length,) = unpack_from(">I", data, start)
            yield start + 4, min(start + 4 + length, end)
            start += 4 + length


def _find_extents(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the number, start and end of each part of each item that lies in the file itself.

    This is the item location box (ISO/IEC 14496-12, 8.11.3).
    """
    # The head of the box says how many bytes its numbers have.
    at = data.index(b"iloc") + 4 if b"iloc" in data else len(data)
    version, sizes = data[at], unpack_from(">H", data, at + 4)[0]
    offset_size, length_size, base_size = sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15
    index_size = sizes & 15 if version else 0
    number_size = 4 if version == 2 else 2
    position = at + 6

    def take(size: int) -> int:
        nonlocal position
        position += size
        return int.from_bytes(data[position - size : position], "big")

    # A list of items, each with a list of its parts.
    for _ in range(min(take(number_size), _MAX_PARTS)):
        item = take(number_size)
        method = take(2) & 15 if version else 0
        take(2)
        base = take(base_size)
        for _ in range(take(2)):
            take(index_size)
            start = base + take(offset_size)
            length = take(length_size)
            if position > len(data):
                return
            if method == 0:
                yield item, start, start + length
