"""Photos made of the samples on the fly: what must be read in each, down to the doubts."""

import cv2
import numpy as np
import pytest

from kdvision.pipeline.scorer import Scorer
from kdvision.result import PhotoResult
from tests.support.golden_photos import PHOTOS, picture


@pytest.mark.parametrize("name", PHOTOS)
def test_golden_photo_is_read(scorer: Scorer, name: str) -> None:
    result = scorer.score(picture(name))
    read = []
    for kingdom in result.kingdoms:
        codes = [doubt.code for doubt in kingdom.doubts]
        read.append((kingdom.line, kingdom.score, kingdom.status, codes))
    assert read == PHOTOS[name]
    assert_sound(result)


def assert_sound(result: PhotoResult) -> None:
    """What holds of every photo."""
    width, height = result.size
    for kingdom in result.kingdoms:
        totals = [alternative.score for alternative in kingdom.alternatives]
        assert len({kingdom.score, *totals}) == len(totals) + 1
        chances = [alternative.probability for alternative in kingdom.alternatives]
        assert chances == sorted(chances, reverse=True)
        assert sum(chances) + kingdom.probability <= 1 + 1e-9
        assert max(chances, default=0) <= kingdom.probability
        # Squares lie in the photo, each within the corners of its kingdom.
        outline = np.array(kingdom.corners, np.float32)
        for square in kingdom.squares:
            assert square.center is not None
            if square.text != "-":
                assert 0 <= square.center[0] <= width and 0 <= square.center[1] <= height
                assert cv2.pointPolygonTest(outline, square.center, False) > 0
