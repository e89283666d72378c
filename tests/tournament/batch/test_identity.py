"""Fingerprints of pictures: alike for a picture saved again, not for another one."""

from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image

from kdvision.tournament.batch.identity import SAME_BITS, different_bits, fingerprint_of
from tests.support.paths import SAMPLES

PHOTOS = sorted(SAMPLES.glob("*.jpg"))


@pytest.mark.parametrize("path", PHOTOS[:6], ids=lambda path: path.stem)
@pytest.mark.parametrize(("quality", "scale"), [(30, 1.0), (80, 0.5), (30, 0.5)])
def test_a_picture_saved_again_is_the_same(path: object, quality: int, scale: float) -> None:
    data = path.read_bytes()  # type: ignore[attr-defined]
    picture = Image.open(BytesIO(data))
    again = BytesIO()
    size = round(picture.width * scale), round(picture.height * scale)
    picture.resize(size).save(again, "JPEG", quality=quality, exif=picture.getexif())
    assert different_bits(fingerprint_of(data), fingerprint_of(again.getvalue())) <= SAME_BITS


def test_other_pictures_are_not() -> None:
    found = [fingerprint_of(path.read_bytes()) for path in PHOTOS]
    assert all(different_bits(*pair) > SAME_BITS for pair in combinations(found, 2))


def test_nothing_is_like_nothing() -> None:
    assert fingerprint_of(b"no picture") == ""
    assert different_bits("", "") > SAME_BITS
