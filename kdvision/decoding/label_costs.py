"""The likeliest label of a place among some, for every set of labels that is asked for.

Sets of labels are masks: bit `n` stands for `LABELS[n]`. What was asked once is remembered. The
first two answers of every place, which each search asks for, are worked out for all at once.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from kdvision.rules.terrain import LABELS

#: Of some labels at a place: the likeliest, its cost (minus its log-probability), and the
#: probability of all.
Best = tuple[int, float, float]

_BITS = tuple(1 << label for label in range(len(LABELS)))


@lru_cache(4096)
def _picker(labels: int) -> Callable[[Sequence[float]], tuple[float, ...]]:
    """Picks the values of two labels or more."""
    return itemgetter(*(label for label, bit in enumerate(_BITS) if labels & bit))


class LabelCosts:
    """What is likeliest at the places of a grid.

    Args:
        probabilities: For every place the probability of each label.

    `domains` are the labels of every place that are possible at all, and `labels` the likeliest.
    """

    def __init__(self, probabilities: Sequence[Sequence[float]]) -> None:
        self._probabilities = probabilities
        self._known: list[dict[int, Best]] = [{} for _ in probabilities]
        values = np.array(probabilities, np.float64).reshape(-1, len(LABELS))
        self.domains: list[int] = ((values > 0) @ _BITS).tolist()
        self._ranked: list[list[int]] = np.argsort(-values, axis=1, kind="stable").tolist()
        likeliest = self._note(values, self.domains)
        self._note(values, [d & ~(1 << n) for d, n in zip(self.domains, likeliest, strict=True)])
        self.labels = bytes(likeliest)

    def _note(self, values: NDArray[np.float64], domains: list[int]) -> list[int]:
        """Note the best of each place's domain, and take it out of `values`."""
        rows = np.arange(len(values))
        labels, mass = values.argmax(axis=1), values.sum(axis=1).tolist()
        most = values[rows, labels].tolist()
        values[rows, labels] = 0
        best: list[int] = labels.tolist()
        for known, domain, label, value, total in zip(
            self._known, domains, best, most, mass, strict=True
        ):
            if domain:
                known[domain] = (label, -math.log(value), total)
        return best

    def best(self, place: int, labels: int) -> Best:
        """The likeliest of some labels at a place."""
        best = self._known[place].get(labels)
        if best is None:
            values = self._probabilities[place]
            for label in self._ranked[place]:
                if labels >> label & 1:
                    break
            value = values[label]
            mass = value if labels == _BITS[label] else sum(_picker(labels)(values))
            best = self._known[place][labels] = (label, -math.log(value), mass)
        return best

    def gap(self, domains: Sequence[int], place: int, inside: int) -> float:
        """What it costs to leave a set of labels at a place, infinite when it is not possible."""
        domain = domains[place]
        outside = domain & ~inside
        if not outside:
            return math.inf
        known = self._known[place]
        others = known.get(outside) or self.best(place, outside)
        whole = known.get(domain) or self.best(place, domain)
        return others[1] - whole[1]

    def gaps(
        self, domains: Sequence[int], members: Iterable[tuple[int, int]]
    ) -> list[tuple[float, int, int]]:
        """The sets (place, labels) that can be left, each after what that costs, cheapest first."""
        gaps = []
        for place, inside in members:
            domain = domains[place]
            outside = domain & ~inside
            if outside:
                known = self._known[place]
                others = known.get(outside) or self.best(place, outside)
                whole = known.get(domain) or self.best(place, domain)
                gaps.append((others[1] - whole[1], place, inside))
        gaps.sort()
        return gaps

    def share(
        self, domains: Sequence[int], members: Iterable[tuple[int, int]], mass: float
    ) -> float:
        """What is left of a probability where every place is within its set (place, labels)."""
        for place, inside in members:
            domain, known = domains[place], self._known[place]
            within = known.get(domain & inside) or self.best(place, domain & inside)
            whole = known.get(domain) or self.best(place, domain)
            mass *= within[2] / whole[2]
        return mass
