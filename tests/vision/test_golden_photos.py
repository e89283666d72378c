"""What is seen in photos made of the samples on the fly: squares, and every sign of a doubt."""

import json

import numpy as np
import pytest

from kdvision.photo.photo import open_photo
from kdvision.pipeline.scorer import Scorer
from kdvision.reading import DoubtCode
from tests.support.golden_photos import PHOTOS
from tests.support.paths import TESTS

#: By photo, of each kingdom: how many places are taken; the side of a square and the middles of its
#: first and last square in pixels; the signs; how far the votes for squares agree and how like a
#: tile a place is, on average; and how clear the least clear is.
SEEN = json.loads((TESTS / "data" / "golden_photos.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", PHOTOS)
def test_what_is_seen(scorer: Scorer, name: str) -> None:
    make, _ = PHOTOS[name]
    kingdoms = scorer.vision.read(open_photo(np.ascontiguousarray(make()))).kingdoms
    for found, facts in zip(kingdoms, SEEN[name], strict=True):
        grid, reading = found.grid, found.reading
        assert len(reading.taken) == facts["taken"]
        assert grid.square_px == pytest.approx(facts["square_px"], abs=0.3)
        ends = grid.middles_of([reading.taken[0], reading.taken[-1]])
        assert ends.ravel() == pytest.approx(facts["middles"], abs=0.05)
        assert grid.agreed.mean() == pytest.approx(facts["agreed"], abs=5e-4)
        assert grid.tile.mean() == pytest.approx(facts["tile"], abs=5e-4)
        clearest = [max(place.probabilities) for places in reading.places for place in places]
        assert min(clearest) == pytest.approx(facts["least"], abs=1e-3)
        shown = {sign.code.value: sign.weight for sign in reading.doubts if sign.weight > 1e-3}
        # Of squares that are cut off how many there are was not kept.
        shown.pop(DoubtCode.CUT_OFF, None)
        # What may be covered is fitted anew with the trust, and has facts of its own.
        shown.pop(DoubtCode.OBSTRUCTED, None)
        assert shown == pytest.approx(facts["signs"], abs=0.003)
