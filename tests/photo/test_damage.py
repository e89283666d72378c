"""Photos without colours or without a part are never sure, and say why."""

import io
import struct

import numpy as np
import pillow_heif
import pytest
from PIL import Image, ImageOps

from kdvision.errors import NoKingdomError
from kdvision.photo.damage import find_damage, has_colours
from kdvision.photo.heif import has_gap
from kdvision.photo.photo import open_photo
from kdvision.result import Status
from tests.support.paths import SAMPLES

SEPIA = np.array([[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]])


def sample(file: str) -> Image.Image:
    with Image.open(SAMPLES / file) as picture:
        return picture.convert("RGB")


def in_grey(picture: Image.Image) -> np.ndarray:
    return np.asarray(picture.convert("L").convert("RGB"))


def in_sepia(picture: Image.Image) -> np.ndarray:
    return np.clip(np.asarray(picture) @ SEPIA.T, 0, 255).astype(np.uint8)


def toned(picture: Image.Image) -> np.ndarray:
    """As cyanotypes are: from dark blue to cream."""
    return np.asarray(ImageOps.colorize(picture.convert("L"), (10, 20, 60), (255, 250, 225)))


@pytest.mark.parametrize("file", sorted(path.name for path in SAMPLES.glob("*.jpg")))
def test_grey_and_toned_copies_lack_colours(file):
    picture = sample(file)
    assert has_colours(np.asarray(picture))
    for copy in (in_grey(picture), in_sepia(picture), toned(picture)):
        assert not has_colours(copy)


@pytest.mark.parametrize(("side", "decoded"), [(700, 700), (1590, 1590), (1600, 800), (3300, 825)])
def test_damage_is_sought_in_a_small_picture(side, decoded):
    stream = io.BytesIO()
    sample("meadow_5x5.jpg").resize((side, side)).save(stream, "JPEG")
    photo = open_photo(stream.getvalue())
    assert photo.damage is None
    assert photo.decoded_side == decoded


@pytest.mark.parametrize("level", [0, 128, 255])
def test_blank_picture_has_no_colours(level):
    damage = find_damage(np.full((60, 80, 3), level, np.uint8))
    assert damage is not None and damage.text().startswith("The photo has no")


#: Levels of red, green and blue.
GREY = (100, 100, 100)


@pytest.mark.parametrize(
    ("patch", "percent", "has_any"),
    [
        ((140, 100, 100), 5, True),
        ((100, 100, 140), 5, True),
        ((100, 140, 100), 5, True),
        ((131, 100, 100), 5, False),  # too little of a tint
        ((140, 100, 100), 0.15, False),  # too small
        ((140, 100, 100), 0.25, True),
        ((255, 255, 180), 5, False),  # light that is too bright to have a colour
        ((250, 250, 180), 5, False),
        ((249, 249, 180), 5, True),
    ],
)
def test_colours_are_a_tint_in_a_part_of_the_photo(patch, percent, has_any):
    pixels = np.full((1000, 1000, 3), GREY, np.uint8)
    # Of the same brightness in grey, and a part of it in colour.
    pixels[:500] = sum(patch) // 3
    pixels[:50, : round(200 * percent)] = patch
    assert has_colours(pixels) is has_any


@pytest.mark.parametrize("size", [(1200, 1600), (400, 3200)])
def test_noise_of_a_camera_is_no_colour(size):
    noise = np.random.default_rng(4).normal(0, 60, (*size, 3))
    assert not has_colours(np.clip(128 + noise, 0, 255).astype(np.uint8))


@pytest.mark.parametrize("file", ["lamp_castle_5x5.jpg", "first_domino.jpg"])
def test_photo_without_colours_is_doubtful(scorer, file):
    try:
        result = scorer.score(in_grey(sample(file)))
    except NoKingdomError as error:
        assert "has no colours" in str(error)
        return
    assert result.status is Status.DOUBTFUL
    doubts = [doubt for kingdom in result.kingdoms for doubt in kingdom.doubts]
    assert any("has no colours" in doubt.text() for doubt in doubts)


@pytest.fixture(scope="module")
def whole() -> bytes:
    """A sample as a HEIC."""
    picture, stream = sample("meadow_5x5.jpg").resize((640, 480)), io.BytesIO()
    pillow_heif.from_pillow(picture).save(stream, quality=70)
    return stream.getvalue()


def heic_of(version: int, *parts: bytes, method: int = 0) -> bytes:
    """As much of a HEIC as says where the parts of its picture lie: its numbers take many sizes."""
    wide = ">I" if version == 2 else ">H"
    entry = b"infe\2\0\0\0" + struct.pack(">HH", 7, 0) + b"hvc1"
    sizes = b"\x48\x44" if version else b"\x48\x40"
    item = b"iloc" + bytes([version, 0, 0, 0]) + sizes + struct.pack(wide, 1)
    item += struct.pack(wide, 7)
    if version:
        item += struct.pack(">H", method)
    base = 11
    item += struct.pack(">HIH", 0, base, len(parts))
    # Each part has an offset, a length and, but in the first version, an index.
    index = bytes(4) if version else b""
    start = len(entry + item) + len(parts) * (12 + len(index)) - base
    for part in parts:
        item += index + struct.pack(">IQ", start, len(part))
        start += len(part)
    return entry + item + b"".join(parts) + bytes(9)


def unit(content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + content


WHOLE_UNITS = unit(b"whole") + unit(b"\0\0\3\0\0") + unit(b"end")
#: Three zeros inside of a unit.
GAP = unit(b"a\0\0\0b")


@pytest.mark.parametrize("version", [0, 1, 2])
@pytest.mark.parametrize(
    ("parts", "is_damaged"),
    [
        ((WHOLE_UNITS,), False),
        ((WHOLE_UNITS, WHOLE_UNITS), False),
        ((GAP,), True),
        ((WHOLE_UNITS + GAP, WHOLE_UNITS), True),
        ((WHOLE_UNITS, WHOLE_UNITS + GAP), True),
        # A unit that ends before its length, at the end of its part.
        ((WHOLE_UNITS + unit(b"cut off")[:-4],), False),
    ],
)
def test_gaps_are_found_in_every_version(version, parts, is_damaged):
    assert has_gap(heic_of(version, *parts)) is is_damaged


def test_gaps_are_sought_in_the_file_itself():
    """A part that lies in another box begins to be counted there."""
    assert has_gap(heic_of(1, GAP))
    assert not has_gap(heic_of(1, GAP, method=1))


def test_exif_of_a_heic_may_hold_zeros():
    exif, stream = Image.Exif(), io.BytesIO()
    exif[0x010F] = "a phone"
    heif = pillow_heif.from_pillow(sample("meadow_5x5.jpg").resize((320, 240)))
    heif.save(stream, quality=70, exif=exif.tobytes() + bytes(40))
    assert open_photo(stream.getvalue()).damage is None


@pytest.mark.parametrize("length", [16, 512, 4096])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_heic_with_a_gap_is_damaged(whole, length, share):
    """The decoder does not complain of a stretch that was never written."""
    at = int(share * (len(whole) - length))
    assert has_gap(whole[:at] + bytes(length) + whole[at + length :])


def test_whole_heic_has_no_gap(whole):
    assert open_photo(whole).damage is None
    assert not has_gap(whole)


def test_heic_with_a_gap_is_doubtful(scorer, whole):
    at = len(whole) * 9 // 10
    result = scorer.score(whole[:at] + bytes(64) + whole[at + 64 :])
    assert result.status is Status.DOUBTFUL


@pytest.mark.parametrize("end", [30, 60, 90, 200, 448])
def test_truncated_heic_header_shows_no_gap(whole, end):
    assert not has_gap(whole[:end])


def test_exchanged_channels_get_a_hint(scorer):
    pixels = np.asarray(sample("first_domino.jpg"))[:, :, ::-1]
    with pytest.raises(NoKingdomError, match="order BGR: give picture"):
        scorer.score(pixels)


def test_file_gets_no_hint_on_channels(scorer):
    with pytest.raises(NoKingdomError) as caught:
        scorer.score(open_photo(SAMPLES / "not_a_kingdom.jpg"))
    assert "BGR" not in str(caught.value)
