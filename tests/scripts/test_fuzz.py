"""A short run over every format finds nothing.

`FOUND` are files that long runs found, each as the steps that make it. All were sure and wrong
once: their decoders turn wrong bytes into wrong pixels without a word, so that a part of the
kingdom looked like the table.
"""

import sys
from random import Random

import pytest

pytest.importorskip("resource", reason="counts memory as POSIX does")

from scripts.fuzzing.fuzz import ALLOWED, decode, score, watched
from scripts.fuzzing.mutate import apply, draw
from scripts.fuzzing.pictures import FORMATS, SCORED_SIDE, picture
from tests.support.waiting import PATIENCE_S

pytestmark = pytest.mark.slow

#: Mutations of each format; a long run has 10,000.
SHORT = 40
FOUND = (
    ("lossless WebP", (("bytes", 2550419547), ("byte", 501743435))),
    ("lossless WebP", (("byte", 617417575), ("byte", 3275072339))),
    ("AVIF", (("insert", 1440978003),)),
    ("AVIF", (("insert", 415580255),)),
    ("AVIF", (("byte", 3311209216),)),
)
watches = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="watches /proc")


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    """A picture in every format."""
    return {name: write(picture(96)) for name, write in FORMATS.items()}


@watches
def test_short_run_finds_nothing(files):
    mutations = [
        (name, draw(Random(f"{name} {number}"))) for name in FORMATS for number in range(SHORT)
    ]
    broken = (apply(files[name], steps) for name, steps in mutations)
    kinds = set()
    for mutation, outcome in zip(mutations, watched(decode, broken, PATIENCE_S), strict=True):
        assert outcome[0] in ALLOWED, (mutation, outcome)
        kinds.add(outcome[0])
    assert {"photo", "damaged", "refused"} <= kinds


@pytest.mark.parametrize(("name", "steps"), FOUND)
def test_found_photos_are_not_silently_wrong(name, steps):
    whole = FORMATS[name](picture(SCORED_SIDE))
    broken = apply(whole, steps)
    assert broken != whole
    assert score(broken)[0] in ALLOWED
