"""What vision finds in photos made of the samples on the fly: squares, and every doubt."""

import json

import pytest

from kdvision.photo.photo import open_photo
from kdvision.pipeline.scorer import Scorer
from kdvision.reading import DoubtCode
from tests.support.golden_photos import PHOTOS, picture
from tests.support.paths import TESTS

#: Of every kingdom of a photo: `taken` places; the side of a square, and the middles of the first
#: and last square in pixels; the weights of its doubts (`doubts`); how far the votes for squares
#: agree and how like a tile a place is, on average; and the probability of the least clear place.
SEEN = json.loads((TESTS / "data" / "golden_photos.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", PHOTOS)
def test_golden_photo_is_seen(scorer: Scorer, name: str) -> None:
    kingdoms = scorer.vision.read(open_photo(picture(name))).kingdoms
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
        weights = {each.code.value: each.weight for each in reading.doubts if each.weight > 1e-3}
        # The file does not say how many squares are cut off.
        weights.pop(DoubtCode.CUT_OFF, None)
        # What may be obstructed is fitted anew with the trust, and has tests of its own.
        weights.pop(DoubtCode.OBSTRUCTED, None)
        assert weights == pytest.approx(facts["doubts"], abs=0.003)
