"""What the network of covers sees in our own photos, bare and with a thing drawn over them."""

import cv2
import pytest

from kdvision.photo.photo import open_photo
from kdvision.pipeline.scorer import Scorer
from kdvision.reading import DoubtCode
from tests.support.paths import SAMPLES

SKIN = (205, 152, 122)
CLOTH = (60, 70, 130)
CARD = (235, 232, 225)


@pytest.mark.parametrize("name", ["meadow_5x5", "gaps_5x5", "plus", "first_domino"])
def test_nothing_covers_a_bare_kingdom(name: str, scorer: Scorer) -> None:
    (found,) = scorer.vision.read(open_photo(SAMPLES / f"{name}.jpg")).kingdoms
    covered = [doubt.weight for doubt in found.reading.doubts if doubt.code is DoubtCode.OBSTRUCTED]
    assert max(covered, default=0.0) < 0.5


@pytest.mark.parametrize("colour", [SKIN, CLOTH, CARD])
@pytest.mark.parametrize("name", ["meadow_5x5", "corner"])
def test_thing_over_a_corner_is_named(
    name: str, colour: tuple[int, int, int], scorer: Scorer
) -> None:
    photo = open_photo(SAMPLES / f"{name}.jpg")
    (found,) = scorer.vision.read(photo).kingdoms
    reading = found.reading
    x, y = reading[reading.taken[-1]].center or (0.0, 0.0)
    pixels = photo.pixels(max(photo.width, photo.height))[0].copy()
    cv2.circle(
        pixels, (round(x), round(y)), round(1.1 * found.grid.square_px), colour, -1, cv2.LINE_AA
    )
    (found,) = scorer.vision.read(open_photo(pixels)).kingdoms
    doubts = [doubt for doubt in found.reading.doubts if doubt.code is DoubtCode.OBSTRUCTED]
    assert doubts
    assert doubts[0].weight > 0.5
    assert doubts[0].places
