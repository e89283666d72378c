"""Small and large changes to a file, each named by a word and the seed of its random numbers.

The same steps, such as `(("byte", 81), ("insert", 7))`, change the same file in the same way.
"""

import struct
import zlib
from collections.abc import Callable, Sequence
from random import Random

#: One change: its name in `STEPS`, and its seed.
Step = tuple[str, int]

#: Values at which sizes and lengths overflow, vanish or change their sign.
_EDGES = (0, 1, 7, 8, 16, 127, 128, 255, 256, 4096, 9999, 16383, 16384, 32767, 32768, 65535,
          65536, 2**24 - 1, 2**31 - 1, 2**31, 2**32 - 1)  # fmt: skip
#: So many bytes of a file count as its header.
_HEADER = 512
_PNG = b"\x89PNG\r\n\x1a\n"


def draw(random: Random) -> tuple[Step, ...]:
    """Return the steps of a mutation, mostly one or two."""
    names = random.choices(tuple(STEPS), k=random.choice((1, 1, 2, 5)))
    return tuple((name, random.randrange(2**32)) for name in names)


def apply(data: bytes, steps: Sequence[Step]) -> bytes:
    """Apply steps to a file, in order; a PNG gets right checksums again."""
    for name, seed in steps:
        data = STEPS[name](data, Random(seed))
    return with_checksums(data)


def with_checksums(data: bytes) -> bytes:
    """Return a PNG whose chunks have right checksums again; anything else as it is."""
    result, at = bytearray(data), len(_PNG)
    while data.startswith(_PNG) and at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        end = at + 8 + length
        if end + 4 > len(data):
            break
        struct.pack_into(">I", result, end, zlib.crc32(data[at + 4 : end]))
        at = end + 4
    return bytes(result)


# ---------------------------------------------------------------------- steps


def _byte(data: bytes, random: Random) -> bytes:
    """Change a bit or a byte anywhere."""
    at = random.randrange(len(data)) if data else 0
    value = data[at : at + 1] or b"\0"
    new = value[0] ^ 1 << random.randrange(8) if random.random() < 0.5 else random.randrange(256)
    return data[:at] + bytes([new]) + data[at + 1 :]


def _bytes(data: bytes, random: Random) -> bytes:
    """Overwrite a run of bytes with noise, zeros or ones."""
    at = random.randrange(len(data) + 1)
    length = min(random.choice((2, 4, 16, 64, 512)), len(data) - at)
    noise = random.choice((bytes(length), b"\xff" * length, random.randbytes(length)))
    return data[:at] + noise + data[at + length :]


def _header(data: bytes, random: Random) -> bytes:
    """Set a field of one to four bytes near the start to an edge value."""
    at = random.randrange(max(1, min(len(data), _HEADER)))
    width = random.choice((1, 2, 3, 4))
    value = (random.choice(_EDGES) % (1 << 8 * width)).to_bytes(width, "big")
    return data[:at] + random.choice((value, value[::-1])) + data[at + width :]


def _truncate(data: bytes, random: Random) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def _delete(data: bytes, random: Random) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + data[at + random.choice((1, 2, 8, 64, 1000)) :]


def _insert(data: bytes, random: Random) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + random.randbytes(random.choice((1, 3, 20, 200))) + data[at:]


#: The steps by name.
STEPS: dict[str, Callable[[bytes, Random], bytes]] = {
    "byte": _byte,
    "bytes": _bytes,
    "header": _header,
    "truncate": _truncate,
    "delete": _delete,
    "insert": _insert,
}
