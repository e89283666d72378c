"""What is seen in photos made of the samples on the fly: squares, and every sign of a doubt."""

import numpy as np
import pytest

from kdvision.photo.photo import open_photo
from kdvision.pipeline.scorer import Scorer
from kdvision.reading import DoubtCode
from tests.support.golden_photos import PHOTOS

Signs = dict[str, float]
#: By photo, of each kingdom: how many places are taken, the side of a square in pixels, the signs.
SEEN: dict[str, list[tuple[int, float, Signs]]] = {
    "small": [
        (25, 23.0, {"small-squares": 1.478, "loose-lattice": 0.019, "off-lattice": 0.037,
                    "blurred": 0.019}),
    ],
    "upside down": [(25, 153.4, {"loose-lattice": 0.026, "off-lattice": 0.052})],
    "tilted": [(25, 140.6, {"loose-lattice": 0.03, "off-lattice": 0.059})],
    "a domino pushed away": [(25, 155.1, {"loose-lattice": 0.042, "off-lattice": 0.121})],
    "dark": [(21, 155.0, {"loose-lattice": 0.034, "off-lattice": 0.06, "dark": 0.433})],
    "up to the border": [
        (25, 153.7, {"loose-lattice": 0.025, "off-lattice": 0.062, "beyond-border": 0.194}),
    ],
    "a column half outside": [
        (22, 153.2, {"loose-lattice": 0.018, "off-lattice": 0.047, "beyond-border": 0.52,
                     "at-border": 0.987}),
    ],
    "a column outside": [
        (20, 153.1, {"loose-lattice": 0.021, "off-lattice": 0.036, "beyond-border": 0.043,
                     "at-border": 1.0}),
    ],
    "squares of two sizes, and one mine with three crowns too many": [
        (13, 66.2, {"loose-lattice": 0.037, "off-lattice": 0.069}),
        (9, 152.9, {"loose-lattice": 0.014, "off-lattice": 0.027}),
    ],
}  # fmt: skip

#: By photo, of each kingdom: the middles of its first and last square in pixels; how far the votes
#: for squares agree and how like a tile a place is, on average; and how clear the least clear is.
PLACED: dict[str, list[tuple[tuple[float, ...], float, float, float]]] = {
    "small": [((76.23, 43.55, 165.38, 138.15), 0.6571, 0.5094, 0.9484)],
    "upside down": [((497.82, 278.68, 1088.64, 910.26), 0.6571, 0.5089, 0.9840)],
    "tilted": [((565.91, 230.93, 1083.22, 857.02), 0.6571, 0.5087, 0.9847)],
    "a domino pushed away": [((509.15, 291.91, 1121.34, 938.77), 0.6571, 0.5094, 0.9581)],
    "dark": [((594.84, 487.14, 757.08, 1106.6), 0.6, 0.4203, 0.6838)],
    "up to the border": [((87.9, 290.15, 685.76, 920.16), 0.6552, 0.5069, 0.9484)],
    "a column half outside": [((7.78, 293.17, 604.01, 919.06), 0.6111, 0.4502, 0.7742)],
    "a column outside": [((102.14, 297.48, 544.75, 920.93), 0.6333, 0.473, 0.9641)],
    "squares of two sizes, and one mine with three crowns too many": [
        ((1438.16, 214.66, 1783.51, 395.16), 0.4856, 0.273, 0.8523),
        ((793.23, 574.81, 397.35, 1034.7), 0.4286, 0.1841, 0.9998),
    ],
}


@pytest.mark.parametrize("name", PHOTOS)
def test_what_is_seen(scorer: Scorer, name: str) -> None:
    make, _ = PHOTOS[name]
    kingdoms = scorer.see(open_photo(np.ascontiguousarray(make()))).kingdoms
    facts = zip(kingdoms, SEEN[name], PLACED[name], strict=True)
    for (grid, reading), (taken, side, signs), (middles, agreed, tile, least) in facts:
        assert len(reading.taken) == taken
        assert grid.square_px == pytest.approx(side, abs=0.3)
        ends = grid.middles_of([reading.taken[0], reading.taken[-1]])
        assert ends.ravel() == pytest.approx(middles, abs=0.05)
        assert grid.agreed.mean() == pytest.approx(agreed, abs=5e-4)
        assert grid.tile.mean() == pytest.approx(tile, abs=5e-4)
        clearest = [max(place.probabilities) for places in reading.places for place in places]
        assert min(clearest) == pytest.approx(least, abs=1e-3)
        shown = {sign.code.value: sign.value for sign in reading.signs if sign.value > 1e-3}
        # What may be covered is fitted anew with the trust, and has facts of its own.
        shown.pop(DoubtCode.COVERED, None)
        assert shown == pytest.approx(signs, abs=0.003)
