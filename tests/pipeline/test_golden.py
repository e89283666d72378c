"""The golden set: readings of many pictures, judged as they were when the set was made.

`python -m scripts.measuring.golden` makes it, with `--again` from the same readings. A change of
decoding or doubt that is meant changes what is said; one that is not fails here.
"""

from functools import cache

import pytest

from kdvision.pipeline.decoded import DecodedKingdom, decode_kingdoms
from kdvision.pipeline.judgement import assess
from kdvision.pipeline.results import make_result
from kdvision.pipeline.trust import Trust, load_trust
from kdvision.reading import DoubtCode
from kdvision.result import KingdomResult, Status
from kdvision.rules.rules import Rules
from kdvision.vision.doubts import find_unread, find_unseen
from kdvision.vision.selection import may_be_kingdom
from scripts.measuring.golden import GOLDEN, GoldenKingdom, read_golden
from tests.support.grids import read_of

golden = read_golden(GOLDEN)
KINGDOMS = [kingdom for photo in golden.photos for kingdom in photo.kingdoms]


RULES = Rules()


@cache
def decoded() -> list[DecodedKingdom]:
    """All kingdoms, decoded with those of their photo."""
    kingdoms: list[DecodedKingdom] = []
    for photo in golden.photos:
        readings = [read_of(one.grid, one.reading) for one in photo.kingdoms]
        kingdoms += decode_kingdoms(readings, RULES)
    return kingdoms


def judged(trust: Trust) -> list[tuple[GoldenKingdom, KingdomResult]]:
    """All kingdoms with what is reported of them."""
    results = []
    for kingdom in decoded():
        results.append(make_result(kingdom, assess(kingdom, RULES, trust), RULES))
    return list(zip(KINGDOMS, results, strict=True))


def test_golden_readings_keep_their_results() -> None:
    for kingdom, result in judged(golden.trust):
        assert (result.score, result.status) == (kingdom.total, kingdom.status)
        assert result.probability == pytest.approx(kingdom.probability, abs=1e-5)


def test_no_total_is_sure_and_wrong() -> None:
    wrong = [
        photo.name
        for photo in golden.photos
        for kingdom in photo.kingdoms
        if kingdom.status == "sure" and not kingdom.right
    ]
    assert wrong == []


def test_trust_in_use_leaves_no_silent_error() -> None:
    trust = load_trust()
    pairs = judged(trust)
    sure = [(one, result) for one, result in pairs if result.status is Status.SURE]
    assert all(result.sheet.total == kingdom.truth for kingdom, result in sure)
    assert len(sure) >= 0.8 * sum(one.status == "sure" for one in KINGDOMS)
    # With 0.95 more totals would be sure.
    assert any(0.95 <= result.probability < trust.sure_from for _, result in pairs)


def test_doubted_places_are_where_models_differ() -> None:
    for photo in golden.photos:
        for one in photo.kingdoms:
            places = {doubt.code: doubt.places for doubt in one.reading.doubts}
            unseen, unread = find_unseen(one.grid, one.reading), find_unread(one.grid, one.reading)
            assert places.get(DoubtCode.NOT_FOUND, ()) == unseen, photo.name
            assert places.get(DoubtCode.NOT_READ, ()) == unread, photo.name


def test_golden_readings_are_plausible() -> None:
    assert all(may_be_kingdom(one.reading) for one in KINGDOMS)
