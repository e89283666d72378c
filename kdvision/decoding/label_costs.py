"""The likeliest label of a place among some, for every set of labels that is asked for.

Sets of labels are masks: bit `n` stands for `LABELS[n]`. What was asked once is remembered. The
first two answers of every place, which each search asks for, are worked out for all at once.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kdvision.rules.terrain import LABELS

#: Of some labels at a place: the likeliest, its cost (minus its log-probability), and the
#: probability of all.
Best = tuple[int, float, float]


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
        masks = 1 << np.arange(len(LABELS))
        self.domains: list[int] = ((values > 0) @ masks).tolist()
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
            inside = [label for label in range(len(values)) if labels >> label & 1]
            label = max(inside, key=values.__getitem__)
            mass = sum([values[label] for label in inside])
            best = self._known[place][labels] = (label, -math.log(values[label]), mass)
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
