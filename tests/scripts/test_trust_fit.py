"""Fitting trust: on totals of which it is known why they are wrong."""

import numpy as np
import pytest

from kdvision.pipeline.trust import Curve, Trust
from kdvision.reading import Doubt, DoubtCode
from scripts.measuring.fitting.trust_fit import Judged, fit, fit_doubt, threshold, upper_bound

pytestmark = pytest.mark.slow


def judged(count: int, seed: int = 0) -> list[Judged]:
    """Totals that are wrong the more often the more they are blurred, and never in the dark."""
    rng = np.random.default_rng(seed)
    totals = []
    for _ in range(count):
        blur = float(rng.choice([0.0, 0.1, 0.2, 0.3, 0.4]))
        dark = float(rng.choice([0.0, 0.5, 0.9]))
        right = bool(rng.random() > 2 * blur**2)
        doubts = {DoubtCode.BLURRED: blur, DoubtCode.DARK: dark}
        totals.append(Judged(0.999, doubts, right))
    return totals


def test_harmful_doubts_cost_most():
    posterior, costs = fit(judged(4000))
    trust = Trust(posterior, costs)
    blurred = [trust.cost(Doubt(DoubtCode.BLURRED, blur)) for blur in (0.0, 0.1, 0.2, 0.3, 0.4)]
    assert blurred == sorted(blurred)
    assert blurred[-1] > 3
    assert trust.cost(Doubt(DoubtCode.DARK, 0.9)) < 0.5
    probability = trust.probability(0.999, [Doubt(DoubtCode.BLURRED, 0.4)])
    assert probability == pytest.approx(1 - 2 * 0.4**2, abs=0.06)


def test_one_doubt_is_fitted_alone() -> None:
    before = Trust(None, {DoubtCode.DARK: Curve((0.0, 1.0), (0.0, 2.0))}, 0.9)
    after = fit_doubt(judged(4000), DoubtCode.BLURRED, before)
    assert after.costs[DoubtCode.DARK] == before.costs[DoubtCode.DARK]
    assert (after.posterior, after.sure_from) == (None, 0.9)
    assert after.cost(Doubt(DoubtCode.BLURRED, 0.4)) > 3
    assert after.cost(Doubt(DoubtCode.BLURRED, 0.0)) == 0


@pytest.mark.parametrize(
    ("wrong", "count", "bound"),
    [(0, 2995, 0.001), (1, 4742, 0.001), (0, 300, 0.00994), (3, 3, 1.0), (0, 0, 1.0)],
)
def test_bound_of_clopper_and_pearson(wrong, count, bound):
    assert upper_bound(wrong, count) == pytest.approx(bound, rel=2e-3)


@pytest.mark.parametrize(
    ("wrong_at", "count", "sure"),
    [
        ([], 2000, 0),  # too few to be certain
        ([], 3100, 3100),  # rule of three
        ([3050], 3500, 3050),  # certain above the only wrong one
        ([100], 3500, 0),
        ([100], 5000, 5000),
    ],
)
def test_limit_of_sure(wrong_at, count, sure):
    probability = np.linspace(0.9999, 0.5, count)
    right = np.ones(count, bool)
    right[wrong_at] = False
    assert (probability >= threshold(probability, right)).sum() == sure
