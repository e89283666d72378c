"""Small and large changes to a file, each named by a few letters that make it again.

A recipe such as `byte:81 swap:7` names steps and the random seed of each; it
can be applied to any file, so that steps can be left out to find the one that matters.
"""

import struct
import zlib
from collections.abc import Callable, Sequence
from random import Random
from typing import Literal

from scripts.fuzzing.parts import Span, parts

#: One change: its name in `STEPS`, and its seed.
Step = tuple[str, int]

#: Values at which sizes and lengths overflow, vanish or change their sign.
_EDGES = (0, 1, 2, 7, 8, 16, 127, 128, 255, 256, 4096, 9999, 16383, 16384, 32767, 32768, 65535,
          65536, 2**24 - 1, 2**24, 2**31 - 1, 2**31, 2**32 - 1)  # fmt: skip
#: So many bytes of a part count as its header.
_HEADER = 24


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
    if data[:4] != b"\x89PNG":
        return data
    result = bytearray(data)
    for start, end in parts(data):
        result[end - 4 : end] = struct.pack(">I", zlib.crc32(data[start + 4 : end - 4]))
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
    """A field of one to four bytes in the header of a part set to an edge value."""
    spans = parts(data) or [(0, len(data))]
    start, end = random.choice(spans)
    at = random.randrange(start, max(start + 1, min(end, start + _HEADER)))
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
    start, end = _part_or_range(data, random)
    return data[:start] + data[end:]


def _repeat(data: bytes, random: Random) -> bytes:
    start, end = _part_or_range(data, random)
    times = random.choice((2, 2, 3, 50))
    return data[:start] + data[start:end] * times + data[end:]


def _insert(data: bytes, random: Random) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + random.randbytes(random.choice((1, 3, 20, 200))) + data[at:]


def _swap(data: bytes, random: Random) -> bytes:
    """Two parts in each other's place."""
    spans = sorted(parts(data))
    if len(spans) < 2:
        return data
    (a, b), (c, d) = sorted(random.sample(spans, 2))
    if b > c:  # one within the other
        return data[:a] + data[c:d] + data[b:]
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def _pixels(data: bytes, random: Random) -> bytes:
    """A change within the unpacked data of a PNG, packed again; of others, any byte."""
    spans = [span for span in parts(data) if data[span[0] + 4 : span[0] + 8] == b"IDAT"]
    if data[:4] != b"\x89PNG" or not spans:
        return _byte(data, random)
    start, end = spans[0][0], spans[-1][1]
    packed = b"".join(data[first + 8 : last - 4] for first, last in spans)
    try:
        rows = zlib.decompressobj().decompress(packed, 2**20)
    except zlib.error:
        return data
    change = random.choice((_byte, _bytes, _truncate, _insert))
    content = zlib.compress(change(rows, random), random.choice((0, 6)))
    chunk = struct.pack(">I", len(content)) + b"IDAT" + content
    return data[:start] + chunk + struct.pack(">I", zlib.crc32(chunk[4:])) + data[end:]


def _splice(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """The start of this file and the end of another."""
    other = random.choice(others) if others else data
    cuts = [_cut(file, random) for file in (data, other)]
    return data[: cuts[0]] + other[cuts[1] :]


def _cut(data: bytes, random: Random) -> int:
    """A place to cut a file at, where possible between two of its parts."""
    spans = parts(data)
    if spans and random.random() < 0.6:
        return random.choice(spans)[random.randrange(2)]
    return random.randrange(len(data) + 1)


def _part_or_range(data: bytes, random: Random) -> Span:
    spans = parts(data)
    if spans and random.random() < 0.6:
        return random.choice(spans)
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
    "swap": (2, _swap),
    "pixels": (5, _pixels),
    "splice": (2, lambda data, random: data),
}
