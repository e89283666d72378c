"""Photos that are damaged and can still be decoded are never called sure and read wrong."""

import csv
import io
from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from PIL import Image

from kdvision.errors import KdvisionError
from kdvision.result import Status
from kdvision.rules.kingdom import Kingdom
from tests.support.paths import SAMPLES

pytestmark = pytest.mark.slow

#: Kingdoms of few and of many dominoes, and a table of two.
FILES = (
    "first_domino.jpg", "plus.jpg", "corner.jpg", "meadow_5x5.jpg", "gaps_7x7.jpg",
    "two_kingdoms.jpg",
)  # fmt: skip


def truth(file: str) -> list[Kingdom]:
    with (SAMPLES / "truth.csv").open(newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    return [Kingdom.parse(row["kingdom"]) for row in rows if row["file"] == file]


# ---------------------------------------------------------------------- damage to the file


def _in_scan(data: bytes, share: float) -> int:
    """The index at which this share of a JPEG's coded data ends."""
    start = data.index(b"\xff\xda") + 14
    return start + round((len(data) - 2 - start) * share)


def never_written(data: bytes) -> bytes:
    at = _in_scan(data, 0.5)
    return data[:at] + bytes(3000) + data[at + 3000 :]


def end_missing(data: bytes) -> bytes:
    return data[: _in_scan(data, 0.55)] + b"\xff\xd9"


def middle_missing(data: bytes) -> bytes:
    return data[: _in_scan(data, 0.4)] + data[_in_scan(data, 0.43) :]


def wrong_byte(share: float, seed: int) -> Callable[[bytes], bytes]:
    def damage(data: bytes) -> bytes:
        at = _in_scan(data, share)
        return data[:at] + bytes([Random(seed).randrange(255)]) + data[at + 1 :]

    return damage


# ---------------------------------------------------------------------- damage to the picture


def _redrawn(change: Callable[[np.ndarray], None], kind: str) -> Callable[[bytes], bytes]:
    """A change of pixels that are saved again: the file itself is whole."""

    def damage(data: bytes) -> bytes:
        with Image.open(io.BytesIO(data)) as picture:
            pixels = np.array(picture.convert("RGB"))
        change(pixels)
        stream = io.BytesIO()
        Image.fromarray(pixels).save(stream, kind, quality=92, compress_level=1)
        return stream.getvalue()

    return damage


def grey_half(pixels: np.ndarray) -> None:
    pixels[len(pixels) // 2 :] = 128


def grey_right_half(pixels: np.ndarray) -> None:
    pixels[:, pixels.shape[1] // 2 :] = 128


def shifted_blocks(pixels: np.ndarray) -> None:
    """Blocks of 16 x 16 in each other's place, in a band across the middle."""
    size = 16
    top = len(pixels) // 2 // size * size
    band = pixels[top : top + 8 * size].copy()
    blocks = band.reshape(8, size, -1, size, 3)
    order = np.random.default_rng(5).permutation(blocks.shape[2])
    pixels[top : top + 8 * size] = blocks[:, :, order].reshape(band.shape)


def other_colours(pixels: np.ndarray) -> None:
    """From the middle on the colours are off, as after one wrong difference of blocks."""
    half = len(pixels) // 2
    pixels[half:] = np.clip(pixels[half:] + np.array([40, -40, 30]), 0, 255)


DAMAGE = {
    "a stretch never written": never_written,
    "the end missing": end_missing,
    "a stretch missing": middle_missing,
    "a wrong byte early": wrong_byte(0.2, 1),
    "a wrong byte in the middle": wrong_byte(0.5, 2),
    "the lower half grey": _redrawn(grey_half, "PNG"),
    "the right half grey": _redrawn(grey_right_half, "JPEG"),
    "blocks in disorder": _redrawn(shifted_blocks, "PNG"),
    "other colours from the middle on": _redrawn(other_colours, "JPEG"),
}


@pytest.mark.parametrize("kind", DAMAGE)
@pytest.mark.parametrize("file", FILES)
def test_damaged_photo_is_never_silently_wrong(scorer, file: str, kind: str) -> None:
    data = DAMAGE[kind]((SAMPLES / file).read_bytes())
    try:
        result = scorer.score(data)
    except KdvisionError:
        return
    for kingdom in result.kingdoms:
        if kingdom.status is Status.SURE:
            assert kingdom.sheet.kingdom in truth(file)


@pytest.mark.parametrize("kind", list(DAMAGE)[:3])
def test_damaged_file_is_never_sure(scorer, kind: str) -> None:
    """Even where the kingdom is read rightly: nobody can tell."""
    data = DAMAGE[kind]((SAMPLES / "meadow_5x5.jpg").read_bytes())
    try:
        result = scorer.score(data)
    except KdvisionError:
        return
    assert result.status is not Status.SURE
