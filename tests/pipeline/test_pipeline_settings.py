"""Numbers that decide which kingdoms are reported and scored: a case on each side of each."""

import pytest
from msgspec.structs import replace

from kdvision.reading import Alternative, Doubt, DoubtCode, Reading
from kdvision.report.wording import totals_text
from kdvision.result import Status
from kdvision.rules.rules import Rules
from tests.support.grids import grid_of, kingdom_results, read_of
from tests.support.readings import reading_of
from tests.support.results import DOUBTFUL

LINE = "C W1 G/- W L"


def with_trust(share: float) -> Reading:
    """A reading that is clear, of which so much trust is left."""
    return reading_of(LINE, doubts=(Doubt(DoubtCode.BLURRED, share),))


@pytest.mark.parametrize(("probability", "sure"), [(0.985, False), (0.9999, True)])
def test_where_sure_begins_without_a_fitted_trust(probability: float, sure: bool) -> None:
    reading = with_trust(probability)
    (result,) = kingdom_results("a.jpg", [read_of(grid_of(reading), reading)], Rules())
    assert (result.status is Status.SURE) is sure


@pytest.mark.parametrize(("probability", "scored"), [(0.04, False), (0.06, True)])
def test_how_likely_a_total_must_be_to_be_scored(probability: float, scored: bool) -> None:
    reading = with_trust(probability)
    (result,) = kingdom_results("a.jpg", [read_of(grid_of(reading), reading)], Rules())
    assert result.scored is scored


@pytest.mark.parametrize(("probability", "is_named"), [(0.0049, False), (0.0051, True)])
def test_how_likely_another_total_must_be_to_be_named(probability: float, is_named: bool) -> None:
    other = Alternative(28, probability, (((2, 1), "L2"),))
    text = totals_text(replace(DOUBTFUL, alternatives=(other,)))
    assert ("28 if b3" in text) is is_named
