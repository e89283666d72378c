"""What was read is kept as bytes, and judged without its photo as often as anybody asks."""

import pytest

import kdvision
from kdvision.pipeline.read_photo import decode_read, encode_read
from kdvision.pipeline.scorer import Scorer
from kdvision.rules.rules import Rules
from tests.support.paths import SAMPLES


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
