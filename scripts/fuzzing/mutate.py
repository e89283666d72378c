"""Small and large changes to a file, each named by a few letters that make it again.

A recipe such as `byte:81 swap:7` names steps and the random seed of each; it
can be applied to any file, so that steps can be left out to find the one that matters.
"""

import struct
import zlib
from collections.abc import Callable, Sequence
from random import Random
from typing import Literal

#: One change: its name in `STEPS`, and its seed.
Step = tuple[str, int]

#: Values at which sizes and lengths overflow, vanish or change their sign.
_EDGES = (0, 1, 2, 7, 8, 16, 127, 128, 255, 256, 4096, 9999, 16383, 16384, 32767, 32768, 65535,
          65536, 2**24 - 1, 2**24, 2**31 - 1, 2**31, 2**32 - 1)  # fmt: skip
#: So many bytes of a file count as its header.
_HEADER = 512
_PNG = b"\x89PNG\r\n\x1a\n"


def draw(random: Random) -> tuple[Step, ...]:
    """The steps of a mutation, mostly one or two."""
    number = random.choices((1, 2, 3, 6), (50, 25, 15, 10))[0]
    names = random.choices(tuple(STEPS), tuple(weight for weight, _ in STEPS.values()), k=number)
    steps = [(name, random.randrange(2**32)) for name in names]
    if random.random() < 0.8:
        steps.append(("sums", 0))
    return tuple(steps)


def apply(data: bytes, steps: Sequence[Step], others: Sequence[bytes]) -> bytes:
    """A file with its steps applied.

    Args:
        data: The whole file.
        steps: What is done to it, in order.
        others: Whole files that `splice` may take an end from.
    """
    for name, seed in steps:
        random = Random(seed)
        if name == "splice":
            data = _splice(data, random, others)
        elif name == "sums":
            data = with_checksums(data)
        else:
            data = STEPS[name][1](data, random)
    return data


def recipe(steps: Sequence[Step]) -> str:
    """Steps as text."""
    return " ".join(f"{name}:{seed}" for name, seed in steps)


def read_recipe(text: str) -> tuple[Step, ...]:
    """Steps from their text.

    Raises:
        ValueError: It is no recipe.
    """
    steps = []
    for word in text.split():
        name, _, seed = word.partition(":")
        if name not in (*STEPS, "sums"):
            raise ValueError(f"{name!r} is no step of a recipe.")
        steps.append((name, int(seed)))
    return tuple(steps)


def with_checksums(data: bytes) -> bytes:
    """A PNG whose chunks have right checksums again; anything else as it is."""
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
    """A bit or a byte changed anywhere."""
    at = random.randrange(len(data)) if data else 0
    value = data[at : at + 1] or b"\0"
    new = value[0] ^ 1 << random.randrange(8) if random.random() < 0.5 else random.randrange(256)
    return data[:at] + bytes([new]) + data[at + 1 :]


def _bytes(data: bytes, random: Random) -> bytes:
    """A run of bytes overwritten with noise, zeros or ones."""
    at = random.randrange(len(data) + 1)
    length = min(random.choice((2, 4, 16, 64, 512)), len(data) - at)
    noise = random.choice((bytes(length), b"\xff" * length, random.randbytes(length)))
    return data[:at] + noise + data[at + length :]


def _header(data: bytes, random: Random) -> bytes:
    """A field of one to four bytes near the start set to an edge value."""
    at = random.randrange(max(1, min(len(data), _HEADER)))
    width = random.choice((1, 2, 2, 3, 4, 4))
    value = random.choice(_EDGES) % (1 << 8 * width)
    order: Literal["little", "big"] = "little" if data[:4] == b"RIFF" else "big"
    return data[:at] + value.to_bytes(width, order) + data[at + width :]


def _grow(data: bytes, random: Random) -> bytes:
    """Another width and height wherever two equal numbers could be those of a square picture."""
    sizes = [random.choice((random.randrange(1, 20_000), 9_999, 16_383, 65_535)) for _ in range(2)]
    for side in (96, 128, 480, 512):
        for form in (">II", ">HH", "<HH"):
            data = data.replace(struct.pack(form, side, side), struct.pack(form, *sizes))
    return data


def _truncate(data: bytes, random: Random) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def _hollow(data: bytes, random: Random) -> bytes:
    """The end cut off, but its last bytes kept: the file still ends as it should."""
    keep = random.choice((2, 4, 12, 16))
    return data[: random.randrange(len(data) + 1)] + data[-keep:]


def _delete(data: bytes, random: Random) -> bytes:
    start, end = _range(data, random)
    return data[:start] + data[end:]


def _repeat(data: bytes, random: Random) -> bytes:
    start, end = _range(data, random)
    times = random.choice((2, 2, 3, 50))
    return data[:start] + data[start:end] * times + data[end:]


def _insert(data: bytes, random: Random) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + random.randbytes(random.choice((1, 3, 20, 200))) + data[at:]


def _splice(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """The start of this file and the end of another."""
    other = random.choice(others) if others else data
    return data[: random.randrange(len(data) + 1)] + other[random.randrange(len(other) + 1) :]


def _range(data: bytes, random: Random) -> tuple[int, int]:
    start = random.randrange(len(data) + 1)
    return start, min(len(data), start + random.choice((1, 2, 8, 64, 1000)))


#: The steps by name, each with its weight.
STEPS: dict[str, tuple[int, Callable[[bytes, Random], bytes]]] = {
    "byte": (5, _byte),
    "bytes": (3, _bytes),
    "header": (5, _header),
    "grow": (1, _grow),
    "truncate": (1, _truncate),
    "hollow": (1, _hollow),
    "delete": (2, _delete),
    "repeat": (2, _repeat),
    "insert": (1, _insert),
    "splice": (2, lambda data, random: data),
}
