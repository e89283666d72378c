"""Median and quantiles agree with numpy's, which load more modules; probabilities and logits."""

import math

import numpy as np
import pytest

from kdvision.arrays import median, quantile, sigmoid, softmax
from kdvision.odds import expit, logit


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64, np.uint8])
@pytest.mark.parametrize("shape", [(1,), (6,), (7,), (3, 5), (2, 4, 3)])
def test_median_agrees_with_numpy(shape, kind):
    rng = np.random.default_rng(len(shape))
    for _ in range(20):
        values = (rng.random(shape) * 200).astype(kind)
        assert median(values) == float(np.median(values))


def test_median_of_nothing_is_nan():
    assert math.isnan(median(np.zeros((0, 3))))


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("shape", [(4, 1), (3, 2), (6, 25), (2, 3, 11)])
def test_quantiles_agree_with_numpy(shape, share):
    values = np.random.default_rng(5).random(shape)
    np.testing.assert_allclose(quantile(values, share), np.quantile(values, share, axis=-1))


def test_softmax_has_the_odds_of_its_logits():
    logits = np.log([[1.0, 2.0, 5.0], [4.0, 4.0, 0.1]])
    np.testing.assert_allclose(softmax(logits)[0], [0.125, 0.25, 0.625])
    # At twice the temperature odds are their square root.
    cooler = softmax(logits, 2.0)[0]
    np.testing.assert_allclose(cooler[2] / cooler[0], math.sqrt(5))
    np.testing.assert_allclose(softmax(logits + 5000), softmax(logits))


@pytest.mark.parametrize(
    ("probability", "log_odds"), [(0.5, 0.0), (0.8, math.log(4)), (0.01, -math.log(99))]
)
def test_probabilities_have_log_odds(probability, log_odds):
    assert logit(probability) == pytest.approx(log_odds)
    assert expit(log_odds) == pytest.approx(probability)
    assert sigmoid(np.array([log_odds])) == pytest.approx(probability)


def test_sigmoid_of_large_logits_does_not_overflow():
    assert sigmoid(np.array([-5000.0, 5000.0])) == pytest.approx([0, 1])
    assert sigmoid(np.array([-35.0])) == pytest.approx(expit(-35), rel=1e-9)
