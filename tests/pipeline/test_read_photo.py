"""What was read is kept as bytes, and judged without its photo as often as anybody asks."""

import numpy as np
import pytest

import kdvision
from kdvision.pipeline.read_photo import ReadKingdom, decode_read, encode_read, to_rows
from kdvision.pipeline.scorer import Scorer
from kdvision.rules.rules import Rules
from tests.support.grids import grid_of
from tests.support.paths import SAMPLES
from tests.support.readings import reading_of


@pytest.mark.parametrize("name", ["three_kingdoms.jpg", "gaps_5x5.jpg", "mighty_duel_7x7.jpg"])
def test_read_photo_suffices(scorer: Scorer, name: str) -> None:
    data = encode_read(scorer.read(SAMPLES / name, name=name))
    kept = decode_read(data)
    assert kept is not None
    result = scorer.judge(kept)
    assert result == scorer.score(SAMPLES / name, name=name)
    assert len(data) < 20_000 * len(result.kingdoms)


def test_rules_and_corrections_need_no_photo(scorer: Scorer) -> None:
    photo, rules = SAMPLES / "meadow_5x5.jpg", Rules(harmony=True)
    read = scorer.read(photo)
    for fixes in ({}, {"a1": "W1"}, {"z1": "F", "y1": "F"}):
        judged = scorer.judge(read, rules, fixes=fixes)
        scored = scorer.score(photo, rules, fixes=fixes)
        assert judged.kingdoms[0].line == scored.kingdoms[0].line
        assert judged.kingdoms[0].probability == scored.kingdoms[0].probability


def test_other_versions_and_damage_are_refused(scorer: Scorer) -> None:
    data = encode_read(scorer.read(SAMPLES / "plus.jpg"))
    version = kdvision.__version__.encode()
    assert decode_read(data) is not None
    for other in (data.replace(version, version[:-1] + b"x", 1), data[:-9], b"", b"read"):
        assert decode_read(other) is None


def test_wider_window_leaves_squares_where_they_lie() -> None:
    # Squares of 100 pixels, the castle's from (400, 300) on.
    reading = reading_of("C W/F -")
    homography = grid_of(reading, at=(400, 300)).homography
    kingdom = ReadKingdom(reading, to_rows(homography))
    wider = kingdom.widened(above=2, left=1, below=1, right=3)
    assert (wider.reading.height, wider.reading.width) == (5, 6)
    assert [wider.reading[at].label for at in ((2, 1), (2, 2), (3, 1))] == ["C", "W", "F"]
    castle, added = np.array([[1.5, 2.5]]), wider.reading[0, 0]
    assert wider.to_photo(castle).tolist() == [[450, 350]]
    assert (added.label, added.center) == ("-", (350, 150))
