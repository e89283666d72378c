"""Our median and quantiles agree with numpy's, which load more modules."""

import math

import numpy as np
import pytest

from kdvision.arrays import median, quantile


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
