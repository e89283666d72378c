"""The golden set: readings of many pictures, judged as they were when the set was made.

`python -m scripts.measuring.golden` makes it, with `--again` from the same readings. A change of
decoding or doubt that is meant changes what is said; one that is not fails here.
"""

from collections import Counter

import pytest

from kdvision.options import GameOptions
from kdvision.pipeline.trust import Trust, load_trust
from kdvision.result import KingdomResult, Status
from kdvision.vision.doubts import not_found, not_read
from kdvision.vision.selection import may_be_kingdom
from scripts.measuring.golden import GOLDEN
from scripts.measuring.golden_format import GoldenKingdom, GoldenPhoto, read_golden
from tests.support.grids import kingdom_results

golden = read_golden(GOLDEN)
KINGDOMS = [one for photo in golden.photos for one in photo.kingdoms]


def said(photo: GoldenPhoto, trust: Trust) -> tuple[KingdomResult, ...]:
    """What is said of the kingdoms of a photo."""
    seen = [(one.grid, one.reading) for one in photo.kingdoms]
    return kingdom_results(photo.name, seen, GameOptions(), trust=trust)


def judged(trust: Trust) -> list[tuple[GoldenKingdom, KingdomResult]]:
    """All kingdoms with what is said of them."""
    return [
        pair
        for photo in golden.photos
        for pair in zip(photo.kingdoms, said(photo, trust), strict=True)
    ]


def test_the_set_has_kingdoms_of_every_kind() -> None:
    kinds = Counter((one.status, one.right) for one in KINGDOMS)
    assert kinds["sure", True] >= 100
    assert kinds["doubtful", True] >= 30
    assert kinds["doubtful", False] >= 30
    assert any(one.reading.doubts for one in KINGDOMS)
    assert len({sign.code for one in KINGDOMS for sign in one.reading.signs}) >= 8
    assert any(len(photo.kingdoms) == 4 for photo in golden.photos)
    assert GOLDEN.stat().st_size < 1_000_000


@pytest.mark.parametrize("part", range(8))
def test_the_same_is_said_of_every_reading(part: int) -> None:
    for photo in golden.photos[part::8]:
        results = said(photo, golden.trust)
        found = [(one.sheet.total, one.status.value) for one in results]
        assert found == [(one.total, one.status) for one in photo.kingdoms], photo.name
        probabilities = [one.probability for one in photo.kingdoms]
        assert [one.probability for one in results] == pytest.approx(probabilities, abs=1e-5), (
            photo.name
        )


def test_no_total_is_sure_and_wrong() -> None:
    assert [one.total for one in KINGDOMS if one.status == "sure" and not one.right] == []


def test_nor_is_one_with_the_trust_in_use_and_most_right_ones_are_sure() -> None:
    trust = load_trust()
    pairs = judged(trust)
    sure = [(one, result) for one, result in pairs if result.status is Status.SURE]
    assert [one.truth for one, result in sure if result.sheet.total != one.truth] == []
    assert len(sure) >= 0.8 * sum(one.status == "sure" for one in KINGDOMS)
    # With 0.95 more totals would be sure.
    assert any(0.95 <= result.probability < trust.sure_from for _, result in pairs)


def test_totals_lie_on_both_sides_of_where_sure_begins() -> None:
    near = [one for one in KINGDOMS if abs(one.probability - golden.trust.sure_from) < 0.04]
    assert {one.status for one in near} == {"sure", "doubtful"}


def test_the_places_that_are_doubted_are_those_on_which_detector_and_classifier_differ() -> None:

    for photo in golden.photos:
        for one in photo.kingdoms:
            cells = {doubt.code: doubt.cells for doubt in one.reading.doubts}
            assert cells.get("not-found", ()) == not_found(one.grid, one.reading), photo.name
            assert cells.get("not-read", ()) == not_read(one.grid, one.reading), photo.name


def test_every_one_of_them_may_be_a_kingdom() -> None:
    assert all(may_be_kingdom(one.reading) for one in KINGDOMS)
