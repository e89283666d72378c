"""Numbers that decide which kingdoms are reported and scored: a case on each side of each."""

import math

import pytest
from msgspec.structs import replace

from kdvision.pipeline.trust import PIPELINE, Curve, Trust
from kdvision.reading import Alternative
from kdvision.report.totals import totals_text
from kdvision.result import KingdomResult, Status
from kdvision.rules.rules import Rules
from tests.support.grids import kingdom_results, seen_of
from tests.support.results import DOUBTFUL

LINE = "C W1 G/- W L"


def trusted(probability: float) -> KingdomResult:
    """A clear kingdom, of which the total is right with a probability."""
    odds = math.log(probability / (1 - probability))
    trust = Trust(Curve((-9.0, 9.0), (odds, odds)), sure_from=PIPELINE.sure_from)
    (result,) = kingdom_results("a.jpg", [seen_of(LINE)], Rules(), trust=trust)
    return result


@pytest.mark.parametrize(("probability", "sure"), [(0.985, False), (0.9999, True)])
def test_limit_of_sure_without_trust(probability: float, sure: bool) -> None:
    assert (trusted(probability).status is Status.SURE) is sure


@pytest.mark.parametrize(("probability", "scored"), [(0.04, False), (0.06, True)])
def test_least_probability_of_a_score(probability: float, scored: bool) -> None:
    assert trusted(probability).scored is scored


@pytest.mark.parametrize(("probability", "is_named"), [(0.0049, False), (0.0051, True)])
def test_least_probability_of_an_alternative(probability: float, is_named: bool) -> None:
    other = Alternative(28, probability, (((2, 1), "L2"),))
    text = totals_text(replace(DOUBTFUL, alternatives=(other,)))
    assert ("28 if b3" in text) is is_named
