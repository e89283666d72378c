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


@pytest.mark.parametrize("name", PHOTOS)
def test_what_is_seen(scorer: Scorer, name: str) -> None:
    make, _ = PHOTOS[name]
    kingdoms = scorer.see(open_photo(np.ascontiguousarray(make()))).kingdoms
    for (grid, reading), (taken, side, signs) in zip(kingdoms, SEEN[name], strict=True):
        assert len(reading.taken) == taken
        assert grid.square_px == pytest.approx(side, abs=0.3)
        shown = {sign.code.value: sign.value for sign in reading.signs if sign.value > 1e-3}
        # What may be covered is fitted anew with the trust, and has facts of its own.
        shown.pop(DoubtCode.COVERED, None)
        assert shown == pytest.approx(signs, abs=0.003)
