"""Probabilities and their log-odds, one at a time; `kdvision.arrays` has them for arrays."""

import math


def logit(probability: float) -> float:
    """Return the logarithm of the odds of a probability between 0 and 1."""
    return math.log(probability / (1 - probability))


def expit(log_odds: float) -> float:
    """Return the probability that has these log-odds."""
    return 1 / (1 + math.exp(-log_odds))
