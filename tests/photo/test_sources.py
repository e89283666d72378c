"""Whatever holds a photo can be given."""

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PIL import Image

from kdvision.errors import KdvisionError, UnreadablePhotoError, UsageError
from kdvision.photo.photo import open_photo
from tests.support.paths import SAMPLES

PLUS = SAMPLES / "plus.jpg"
#: Of the whole photo.
PIXELS = open_photo(PLUS).pixels(10**6)[0]
SOURCES: dict[str, Callable[[], Any]] = {
    "path": lambda: PLUS,
    "name": lambda: str(PLUS),
    "bytes": PLUS.read_bytes,
    "bytearray": lambda: bytearray(PLUS.read_bytes()),
    "memoryview": lambda: memoryview(PLUS.read_bytes()),
    "open file": lambda: PLUS.open("rb"),
    "stream": lambda: io.BytesIO(PLUS.read_bytes()),
    "opened photo": lambda: open_photo(PLUS),
    "pixels": lambda: PIXELS,
    "picture of Pillow": lambda: Image.open(PLUS),
    "transparent picture of Pillow": lambda: Image.open(PLUS).convert("RGBA"),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_photo_from_many_sources(kind: str) -> None:
    source = SOURCES[kind]()
    photo = open_photo(source, name="mine.jpg")
    if hasattr(source, "close"):
        source.close()
    assert photo.name == "mine.jpg"
    shown = photo.pixels(10**6)[0]
    assert np.abs(shown.astype(int) - PIXELS).mean() < 1  # by another decoder
    assert photo.decoded_side == max(shown.shape)


def test_pictures_of_pillow_are_turned_upright() -> None:
    stored = Image.open(PLUS).transpose(Image.Transpose.ROTATE_90)
    stored.getexif()[0x0112] = 6
    assert open_photo(stored).pixels(10**6)[0].shape == PIXELS.shape


def closed() -> io.BufferedReader:
    with PLUS.open("rb") as file:
        return file


@pytest.mark.parametrize(
    ("source", "error", "sentence"),
    [
        (None, UsageError, "NoneType is no photo."),
        (io.StringIO("text"), UsageError, "is open as text"),
        (io.BytesIO(b""), UnreadablePhotoError, "The file is empty."),
        (bytearray(b"text"), UnreadablePhotoError, "is text, not a photo"),
        (Image.new("RGB", (20_000, 6_000)), UnreadablePhotoError, "too large"),
        (closed(), UnreadablePhotoError, r"plus.jpg cannot be read: .*closed"),
    ],
)
def test_source_without_photo_is_refused(
    source: Any, error: type[KdvisionError], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        open_photo(source)
