"""What is missing in a picture: its colours, or a part of it."""

import numpy as np
import pytest
from PIL import Image, ImageOps

from kdvision.errors import NoKingdomError
from kdvision.photo.damage import find_damage, has_colours
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
def test_a_photo_in_colour_has_colours_and_its_grey_and_toned_copies_have_none(file):
    picture = sample(file)
    assert has_colours(np.asarray(picture))
    for copy in (in_grey(picture), in_sepia(picture), toned(picture)):
        assert not has_colours(copy)


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_blank_picture_has_no_colours(level):
    assert find_damage(np.full((60, 80, 3), level, np.uint8)).text().startswith("The photo has no")


@pytest.mark.parametrize("file", ["lamp_castle_5x5.jpg", "first_domino.jpg"])
def test_a_photo_without_colours_is_never_sure_and_says_why(scorer, file):
    try:
        result = scorer.score(in_grey(sample(file)))
    except NoKingdomError as error:
        assert "has no colours" in str(error)
        return
    assert result.status is Status.DOUBTFUL
    doubts = [doubt for kingdom in result.kingdoms for doubt in kingdom.doubts]
    assert any("has no colours" in doubt.text() for doubt in doubts)


def test_pixels_in_another_order_that_show_no_kingdom_say_that_channels_may_be_exchanged(scorer):
    pixels = np.asarray(sample("first_domino.jpg"))[:, :, ::-1]
    with pytest.raises(NoKingdomError, match="order BGR: give picture"):
        scorer.score(pixels)


def test_a_file_says_nothing_of_channels(scorer):
    with pytest.raises(NoKingdomError) as caught:
        scorer.score(open_photo(SAMPLES / "not_a_kingdom.jpg"))
    assert "BGR" not in str(caught.value)
