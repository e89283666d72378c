"""What long runs of `scripts/fuzzing/fuzz.py` found: each file as the few bytes of its recipe.

All were sure and wrong once. Their decoders turn wrong bytes into wrong pixels without a word,
so that a part of the kingdom looked like the table.
"""

import pytest

from kdvision.errors import KdvisionError, UnreadablePhotoError
from kdvision.photo.photo import open_photo
from kdvision.result import Status
from scripts.fuzzing.mutate import apply, read_recipe
from scripts.fuzzing.pictures import FORMATS, SCORED_SIDE, TOTAL, picture

FOUND = (
    ("lossless WebP", "bytes:2550419547 byte:501743435"),
    ("lossless WebP", "byte:617417575 byte:3275072339"),
    ("AVIF", "insert:1440978003"),
    ("AVIF", "insert:415580255"),
    ("AVIF", "byte:3311209216"),
)


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    """The picture that runs start from, in every format."""
    pixels = picture(SCORED_SIDE)
    return {name: write(pixels) for name, write in FORMATS.items()}


@pytest.mark.parametrize(("name", "recipe"), FOUND)
def test_what_was_found_is_not_sure_and_wrong(scorer, files, name, recipe):
    data = apply(files[name], read_recipe(recipe), tuple(files.values()))
    assert data != files[name]
    try:
        result = scorer.score(data)
    except KdvisionError:
        return
    totals = [kingdom.sheet.total for kingdom in result.kingdoms]
    assert result.status is not Status.SURE or totals == [TOTAL]


def test_a_png_without_pixels_takes_no_memory():
    """OpenCV read on behind the end, and made room for a chunk of 670 MB that was no chunk."""
    whole = picture(96)
    data = FORMATS["PNG with alpha"](whole)
    end = bytes.fromhex("0000000049454e44ae426082")
    chunks = data.index(b"IDAT") - 4
    moved = data[:chunks] + end + bytes.fromhex("00270f43") + data[chunks + 4 : -len(end)]
    with pytest.raises(UnreadablePhotoError, match="is a damaged PNG file"):
        open_photo(moved)
    with pytest.raises(UnreadablePhotoError, match="is a damaged PNG file"):
        open_photo(data[:chunks] + end)
