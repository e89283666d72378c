"""Fit the trust in totals: one monotone model from the posterior and doubts to a right total."""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from scipy.optimize import minimize
from scipy.special import expit, logit
from scipy.stats import beta

from kdvision.pipeline.trust import Curve, Trust
from kdvision.reading import Doubt, DoubtCode
from scripts.arrays import Array, Mask

#: Knots of the posterior, in log-odds, up to 99 %: what decoding leaves unexplored is half of what
#: is above, so that it says nothing more.
POSTERIOR_KNOTS = (-4.0, -2.0, 0.0, 1.5, 3.0, 4.0, 4.6)
#: Knots of every doubt, from nothing of it to much, in the units of its weight.
KNOTS: Mapping[DoubtCode, tuple[float, ...]] = {
    DoubtCode.SMALL_SQUARES: (0.0, 1.0, 1.4, 1.7, 2.0),
    DoubtCode.LOOSE_LATTICE: (0.04, 0.06, 0.08, 0.1, 0.14),
    DoubtCode.BEYOND_BORDER: (0.2, 0.3, 0.5),
    DoubtCode.AT_BORDER: (0.1, 0.4, 0.7, 1.0, 1.05, 1.2, 1.4),
    DoubtCode.NOT_FOUND: (0.0, 1.0, 2.0, 4.0),
    DoubtCode.NOT_READ: (0.0, 1.0, 1.4, 2.0, 3.0),
    DoubtCode.OBSTRUCTED: (0.3, 0.5),
    DoubtCode.BLURRED: (0.05, 0.15, 0.23, 0.3, 0.4),
    DoubtCode.DARK: (0.2, 0.45, 0.65, 0.85),
    DoubtCode.GLARE: (0.02, 0.1, 0.3, 0.6),
    DoubtCode.UNCLEAR_CASTLE: (0.0, 0.01, 0.1, 0.4),
    DoubtCode.SEVERAL_CASTLES: (0.0, 2.0, 3.0),
    DoubtCode.HIDDEN: (0.0, 1.0, 2.0),
    DoubtCode.CORRECTED: (0.0, 1.0, 2.0, 4.0),
    DoubtCode.OTHER_DECK: (0.0, 1.0),
    DoubtCode.NO_BOX: (0.0, 1.0),
    DoubtCode.TOO_MANY_OF_KIND: (0.0, 1.0),
    DoubtCode.TOO_MANY_DOMINOES: (0.0, 1.0),
    DoubtCode.NOT_ALL_TRIED: (0.0, 1.0),
}
#: Regularisation: a weak pull of every step to 0, in units of one total.
_PULL = 0.02


#: Log-odds of the totals that every doubt begins with: one in a hundred wrong but for the doubt.
_BEGUN = 4.6


class Judged(Struct, frozen=True):
    """A total as it was read: its posterior, its doubts by code, and whether it is right."""

    posterior: float
    doubts: Mapping[DoubtCode, float]
    right: bool


def fit(judged: Sequence[Judged]) -> tuple[Curve, dict[DoubtCode, Curve]]:
    """Return the posterior's curve and the costs of doubts that make the totals likeliest.

    A doubt that was never seen with a right total must cost something. So one total is invented for
    every knot of every doubt: nothing else is against it, and it is half right and half wrong.
    Invented totals count for the costs of doubts only, not for the posterior.
    """
    posteriors = [one.posterior for one in judged]
    real = design(posteriors, [one.doubts for one in judged])
    knots = [(code, x) for code, xs in KNOTS.items() for x in xs[1:]]
    begun = design([0.5] * len(knots), [{code: x} for code, x in knots])
    begun[:, : len(POSTERIOR_KNOTS)] = 0.0
    right = np.array([one.right for one in judged], float)
    rows = np.concatenate([real, begun, begun])
    labels = np.concatenate([right, np.zeros(len(knots)), np.ones(len(knots))])
    weights = np.concatenate([np.ones(len(right)), np.full(2 * len(knots), 0.5)])
    known = np.concatenate([np.zeros(len(right)), np.full(2 * len(knots), _BEGUN)])
    steps = _steps(rows, known, labels, weights)
    counts = [len(POSTERIOR_KNOTS), *(len(xs) - 1 for xs in KNOTS.values())]
    first, *rest = np.split(steps, np.cumsum(counts)[:-1])
    costs = {}
    for (code, xs), more in zip(KNOTS.items(), rest, strict=True):
        costs[code] = Curve(xs, (0.0, *np.cumsum(more).tolist()))
    return Curve(POSTERIOR_KNOTS, tuple(np.cumsum(first).tolist())), costs


def fit_doubt(judged: Sequence[Judged], code: DoubtCode, trust: Trust) -> Trust:
    """Return the trust with the costs of one doubt fitted, and all else as it is."""
    rest = replace(trust, costs={kept: trust.costs[kept] for kept in trust.costs.keys() - {code}})
    odds = logit(np.clip(predicted(judged, rest), 1e-6, 1 - 1e-6))
    rows = -_along(np.array([total.doubts.get(code, 0.0) for total in judged]), KNOTS[code])
    # The first step is free, and may stay at nothing.
    rows = np.concatenate([np.zeros((len(rows), 1)), rows], axis=1)
    right = np.array([total.right for total in judged], float)
    steps = _steps(rows, odds, right, np.ones(len(right)))
    curve = Curve(KNOTS[code], (0.0, *np.cumsum(steps[1:]).tolist()))
    return replace(trust, costs={**rest.costs, code: curve})


def design(posteriors: Sequence[float], doubts: Sequence[Mapping[DoubtCode, float]]) -> Array:
    """Return (n, steps) how far totals went along each step of each curve; doubts count down."""
    kept = np.clip(np.array(posteriors, float), 1e-6, 1 - 1e-6)
    odds = logit(kept)
    columns = [np.ones((len(odds), 1)), _along(odds, POSTERIOR_KNOTS)]
    for code, xs in KNOTS.items():
        values = np.array([one.get(code, 0.0) for one in doubts], float)
        columns.append(-_along(values, xs))
    return np.concatenate(columns, axis=1)


def _along(values: Array, knots: Sequence[float]) -> Array:
    """Return (n, knots - 1) how much of each piece between knots lies below the values, 0 to 1."""
    low, high = np.array(knots[:-1]), np.array(knots[1:])
    return np.asarray(np.clip((values[:, None] - low) / (high - low), 0.0, 1.0))


def _steps(rows: Array, known: Array, labels: Array, weights: Array) -> Array:
    """Return the steps, of which only the first may be below 0, that make the labels likeliest."""

    def loss(steps: Array) -> tuple[float, Array]:
        odds = rows @ steps + known
        value = weights @ (np.logaddexp(0, odds) - labels * odds) + _PULL * steps[1:].sum()
        slope = rows.T @ (weights * (expit(odds) - labels))
        slope[1:] += _PULL
        return float(value), slope

    start = np.full(rows.shape[1], 0.1)
    bounds = [(None, None), *[(0.0, 12.0)] * (rows.shape[1] - 1)]
    found = minimize(
        loss,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        # With its usual tolerance it stops long before: steps were left that cost and gain nothing.
        options={"maxiter": 5000, "maxfun": 20_000, "maxcor": 50, "ftol": 1e-13},
    )
    return np.asarray(found.x)


def predicted(judged: Sequence[Judged], trust: Trust) -> Array:
    """Return (n,) the probabilities that a trust gives."""
    probabilities = []
    for one in judged:
        doubts = [Doubt(code, weight) for code, weight in one.doubts.items()]
        probabilities.append(trust.probability(one.posterior, doubts))
    return np.array(probabilities)


def upper_bound(wrong: int, count: int, confidence: float = 0.95) -> float:
    """Return the bound of Clopper and Pearson on a rate of which `wrong` of `count` were seen."""
    return 1.0 if wrong >= count else float(beta.ppf(confidence, wrong + 1, count - wrong))


def threshold(probability: Array, right: Mask, most: float = 1e-3) -> float:
    """Return from where on at most a share `most` of totals is wrong, with 95 % confidence.

    1 where too few were measured to say so of any.
    """
    order = np.argsort(-probability, kind="stable")
    ranked, wrong = probability[order], np.cumsum(~right[order])
    ends = np.append(np.nonzero(ranked[1:] < ranked[:-1])[0], len(ranked) - 1)
    known = [end for end in ends if upper_bound(int(wrong[end]), int(end) + 1) <= most]
    if not known:
        return 1.0
    below = ranked[known[-1] + 1] if known[-1] + 1 < len(ranked) else 0.0
    return float((ranked[known[-1]] + below) / 2)
