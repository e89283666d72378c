"""Whatever holds a photo can be given."""

import io
import os
from typing import Any

import numpy as np
import pytest
from PIL import Image

from kdvision.errors import KdvisionError, UnreadablePhotoError, UsageError
from kdvision.photo.photo import Photo, open_photo
from kdvision.photo.sources import LIMITS
from tests.support.paths import SAMPLES
from tests.support.settings import changed

PLUS = SAMPLES / "plus.jpg"
#: Of the whole photo.
PIXELS = open_photo(PLUS).pixels(10**6)[0]
DATA = PLUS.read_bytes()
PICTURE = Image.open(io.BytesIO(DATA))
SOURCES = {
    "path": PLUS,
    "name": str(PLUS),
    "bytes": DATA,
    "bytearray": bytearray(DATA),
    "memoryview": memoryview(DATA),
    "stream": io.BytesIO(DATA),
    "opened photo": open_photo(PLUS),
    "pixels": PIXELS,
    "picture of Pillow": PICTURE,
    "transparent picture of Pillow": PICTURE.convert("RGBA"),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_photo_from_many_sources(kind: str) -> None:
    shows_plus(open_photo(SOURCES[kind], name="mine.jpg"))  # type: ignore[arg-type]


def test_photo_outlives_its_source() -> None:
    for source in (PLUS.open("rb"), io.BytesIO(DATA), Image.open(PLUS)):
        photo = open_photo(source, name="mine.jpg")
        source.close()
        shows_plus(photo)


def shows_plus(photo: Photo) -> None:
    """Check the name and the pixels, which may come from another decoder."""
    assert photo.name == "mine.jpg"
    shown = photo.pixels(10**6)[0]
    assert np.abs(shown.astype(int) - PIXELS).mean() < 1
    assert photo.decoded_side == max(shown.shape)


NAMED = [
    (PLUS, str(PLUS)),
    (DATA, "The picture"),
    (memoryview(DATA), "The picture"),
    (io.BytesIO(DATA), "The picture"),
    (PIXELS, "The picture"),
    (PICTURE, "The picture"),
    (Image.open(PLUS), str(PLUS)),
    (PLUS.open("rb"), str(PLUS)),
    (os.fdopen(os.open(PLUS, os.O_RDONLY), "rb"), "The picture"),  # its name is a number
    (open_photo(DATA, name="mine.jpg"), "mine.jpg"),
]


@pytest.mark.parametrize(("source", "name"), NAMED)
def test_name_that_a_source_brings_along(source: Any, name: str) -> None:
    assert open_photo(source).name == name


@pytest.mark.parametrize("source", [DATA, bytearray(DATA), io.BytesIO(DATA)])
def test_large_files_are_refused_by_name(source: Any) -> None:
    too_large = pytest.raises(UnreadablePhotoError, match=r"^mine\.jpg is too large")
    with changed(LIMITS, max_bytes=len(DATA) - 1), too_large:
        open_photo(source, name="mine.jpg")


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
