"""Array types that several packages share, quantiles, and probabilities of logits.

Numpy has `median` and `quantile`, too, but they load all of `numpy.ma`, to ask whether an array is
masked. That takes 15 ms, a third of what a cold run takes beside loading its libraries.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Coordinates, probabilities and other real numbers.
Array = NDArray[np.float64]
#: RGB pixels (h, w, 3).
Image = NDArray[np.uint8]


def median(values: NDArray[Any]) -> float:
    """Return the median of all values of an array of any shape; NaN where there are none."""
    flat = values.ravel()
    if not len(flat):
        return float("nan")
    middles = [(len(flat) - 1) // 2, len(flat) // 2]
    return float(np.partition(flat, middles)[middles].mean())


def quantile(values: NDArray[Any], share: float) -> Array:
    """Return the quantile of each row: what a share of its values lies below, interpolated.

    Args:
        values: (..., n) with n at least 1, without NaN.
        share: From 0 to 1.

    Returns:
        (...), as `np.quantile(values, share, axis=-1)`.
    """
    place = share * (values.shape[-1] - 1)
    low = int(place)
    high = min(low + 1, values.shape[-1] - 1)
    ordered = np.partition(values, [low, high], axis=-1)
    below, above = ordered[..., low], ordered[..., high]
    return np.asarray(below + (above - below) * (place - low), np.float64)


def softmax(logits: NDArray[np.floating], temperature: float = 1.0) -> Array:
    """Return the probabilities (..., n) of logits (..., n), each divided by a temperature."""
    powers = np.exp((logits - logits.max(axis=-1, keepdims=True)) / temperature)
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def sigmoid(logits: NDArray[np.floating]) -> Array:
    """Return the probabilities of logits, of any shape."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -40, 40))))
