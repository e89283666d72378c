"""Photos without colours or without a part are never sure, and say why."""

import io

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


@pytest.mark.parametrize("level", [0, 128, 255])
def test_blank_picture_has_no_colours(level):
    damage = find_damage(np.full((60, 80, 3), level, np.uint8))
    assert damage is not None and damage.text().startswith("The photo has no")


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
