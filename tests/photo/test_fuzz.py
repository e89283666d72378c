"""A short run over every format finds nothing; KDVISION_FUZZ=10000 makes it a long one.

`FOUND` are files that long runs found, each as the steps that make it. All were sure and wrong
once: their decoders turn wrong bytes into wrong pixels without a word, so that a part of the
kingdom looked like the table.
"""

import os
import sys
from random import Random

import pytest

pytest.importorskip("resource", reason="counts memory as POSIX does")

from tests.support.fuzzing.mutate import apply, draw
from tests.support.fuzzing.pictures import DECODED_SIDE, FORMATS, SCORED_SIDE, picture
from tests.support.fuzzing.watched import ALLOWED, decode, score, watched
from tests.support.waiting import PATIENCE_S

pytestmark = pytest.mark.slow

#: Mutations of each format. One in forty more, of a larger picture, is scored.
COUNT = int(os.environ.get("KDVISION_FUZZ", "40"))
FOUND = (
    ("lossless WebP", (("bytes", 2550419547), ("byte", 501743435))),
    ("lossless WebP", (("byte", 617417575), ("byte", 3275072339))),
    ("AVIF", (("insert", 1440978003),)),
    ("AVIF", (("insert", 415580255),)),
    ("AVIF", (("byte", 3311209216),)),
)
watches = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="watches /proc")


@watches
@pytest.mark.parametrize(
    ("work", "side", "count", "expected"),
    [
        (decode, DECODED_SIDE, COUNT, {"photo", "damaged", "refused"}),
        (score, SCORED_SIDE, COUNT // 40, {"refused", "sure"}),
    ],
)
def test_short_run_finds_nothing(work, side, count, expected):
    files = {name: write(picture(side)) for name, write in FORMATS.items()}
    mutations = [
        (name, draw(Random(f"{name} {number}"))) for name in FORMATS for number in range(count)
    ]
    broken = (apply(files[name], steps) for name, steps in mutations)
    kinds = set()
    for mutation, outcome in zip(mutations, watched(work, broken, PATIENCE_S), strict=True):
        assert outcome[0] in ALLOWED, (mutation, outcome)
        kinds.add(outcome[0])
    assert expected <= kinds


@pytest.mark.parametrize(("name", "steps"), FOUND)
def test_found_photos_are_not_silently_wrong(name, steps):
    whole = FORMATS[name](picture(SCORED_SIDE))
    broken = apply(whole, steps)
    assert broken != whole
    assert score(broken)[0] in ALLOWED
