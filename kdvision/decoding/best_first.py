"""The likeliest kingdoms of the box, and how much probability is left unexplored.

A best-first search over sets of readings. Every node is a set of labels per place; its likeliest
reading is checked. A reading that is a kingdom is an answer, and the others of its node are split
around it; one that is not gives a conflict, and the node is split so that every part resolves it.
The parts never overlap, so every kingdom comes once, however many cuttings it has, likeliest
first, and the probability of all that was not looked at is known.
"""

import heapq
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from operator import itemgetter

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from kdvision.decoding.board import ANY_LABEL
from kdvision.decoding.constraints import Conflict, Constraints
from kdvision.decoding.exact_cover import UndecidedError
from kdvision.rules.terrain import LABELS

#: Number of conflicts that are tried on other readings before the constraints are checked anew.
_REMEMBERED_CONFLICTS = 64


class Candidate(Struct, frozen=True):
    """A kingdom: a label (index in `LABELS`) per place, row by row, and its probability.

    The probability is the product over the places; over all candidates it does not sum to 1.
    """

    labels: bytes
    probability: float


class SearchResult(Struct, frozen=True):
    """What a search found.

    `candidates` come in falling order of probability. `unexplored` bounds the probability of all
    kingdoms that were not found. `complete` is False when the search was given up.
    """

    candidates: tuple[Candidate, ...]
    unexplored: float
    complete: bool


def search(
    probabilities: Sequence[Sequence[float]],
    constraints: Constraints | None,
    *,
    tolerance: float,
    min_found: float,
    limit: int,
) -> SearchResult:
    """Find kingdoms until those that are left cannot matter.

    Args:
        probabilities: For every place (row by row) the probability of each of `LABELS`.
        constraints: What makes a kingdom; None takes every reading.
        tolerance: Stop when the rest is at most this share of what was found, and nothing that is
            left is likelier than the best.
        min_found: What was found counts as at least this much in the rule above.
        limit: Give up after so many readings.
    """
    return _Search(probabilities, constraints).run(tolerance, min_found, limit)


@dataclass(slots=True)
class _Node:
    """Readings with `labels[place]` in `domains[place]` (a mask); `labels` are the likeliest.

    `bits` are the labels as a set of (place, label). `cost` is minus their log-probability, `mass`
    the probability of all readings, and `changed` are the places whose label is not the likeliest
    of all.
    """

    domains: list[int]
    labels: bytes
    bits: int
    cost: float
    mass: float
    changed: tuple[int, ...] = ()


def _bits(place: int, labels: int) -> int:
    """Labels of a place as a set of (place, label)."""
    return labels << place * len(LABELS)


@dataclass(slots=True)
class _Partition:
    """The disjoint parts into which a node is split, made one by one when their turn comes.

    Part `index` is outside the set of `members[index]` and within those of all members before.
    `domains` and `mass` are those of the node within the sets of the members before `index`.
    `gaps` say what it costs at least to leave each set, and grow.
    """

    node: _Node
    members: Conflict
    gaps: Sequence[float]
    domains: list[int]
    mass: float
    index: int = 0


class _Search:
    """The state of one search."""

    def __init__(
        self, probabilities: Sequence[Sequence[float]], constraints: Constraints | None
    ) -> None:
        self.constraints = constraints
        self.costs = LabelCosts(probabilities)
        self.best, self.gap = self.costs.best, self.costs.gap
        self.conflicts: list[tuple[int, Conflict]] = []
        self.heap: list[tuple[float, int, _Node | _Partition]] = []
        self.pushed = 0
        self.found: list[Candidate] = []
        self.mass_found = 0.0
        self.most_found = 0.0
        self.unexplored = 1.0

    def run(self, tolerance: float, min_found: float, limit: int) -> SearchResult:
        """Check readings, likeliest first."""
        self.start()
        complete = False
        for _ in range(limit):
            node = self.next_node()
            if node is not None:
                self.split(node)
            if self.done(tolerance * (self.mass_found + min_found)):
                complete = True
                break
        found = sorted(self.found, key=lambda one: -one.probability)
        return SearchResult(tuple(found), max(self.unexplored, 0.0), complete)

    def done(self, negligible: float) -> bool:
        """Whether nothing likelier is left, and not much else."""
        likelier = self.found and self.heap and math.exp(-self.heap[0][0]) > self.most_found
        return not self.heap or (not likelier and self.unexplored <= negligible)

    # ------------------------------------------------------------------ the queue

    def start(self) -> None:
        """Begin with all readings."""
        domains, labels = self.costs.domains, self.costs.labels
        bests = [self.best(place, domain) for place, domain in enumerate(domains)]
        bits = sum([_bits(place, 1 << label) for place, label in enumerate(labels)])
        root = _Node(domains, labels, bits, sum(best[1] for best in bests), 1.0)
        self.own, self.own_gaps = self.by_gap(root, enumerate(1 << label for label in root.labels))
        self.push(root.cost, root)

    def push(self, cost: float, item: _Node | _Partition) -> None:
        """Queue a node, or a partition whose next part costs at least so much."""
        self.pushed += 1
        heapq.heappush(self.heap, (cost, self.pushed, item))

    def next_node(self) -> _Node | None:
        """The node with the likeliest reading that is left."""
        while self.heap:
            _, _, item = heapq.heappop(self.heap)
            if isinstance(item, _Node):
                return item
            node = self.next_part(item)
            self.push_partition(item)
            if node is not None:
                if not self.heap or node.cost <= self.heap[0][0]:
                    return node
                self.push(node.cost, node)
        return None

    def push_partition(self, partition: _Partition) -> None:
        """Queue a partition for its next part, if there is one."""
        if partition.index < len(partition.members):
            self.push(partition.node.cost + partition.gaps[partition.index], partition)

    def next_part(self, partition: _Partition) -> _Node | None:
        """Make the next part of a partition; None when it is empty."""
        place, inside = partition.members[partition.index]
        partition.index += 1
        domain, node = partition.domains[place], partition.node
        within, outside = domain & inside, domain & ~inside
        if not outside or not within:
            return None
        whole, others = self.best(place, domain), self.best(place, outside)
        domains, labels = partition.domains.copy(), bytearray(node.labels)
        domains[place], labels[place] = outside, others[0]
        cost = node.cost - whole[1] + others[1]
        mass = partition.mass * others[2] / whole[2]
        bits = node.bits ^ _bits(place, 1 << whole[0] | 1 << others[0])
        changed = node.changed if place in node.changed else (*node.changed, place)
        part = _Node(domains, bytes(labels), bits, cost, mass, changed)
        partition.domains[place] = within
        partition.mass *= self.best(place, within)[2] / whole[2]
        return part

    # ------------------------------------------------------------------ splitting

    def split(self, node: _Node) -> None:
        """Check the likeliest reading of a node and split the node."""
        try:
            conflict = self.conflict(node)
        except UndecidedError:
            self.split_around(node)
            return
        if conflict is None:
            self.accept(node)
            self.split_around(node)
        else:
            self.split_over(node, conflict)

    def conflict(self, node: _Node) -> Conflict | None:
        """Why the likeliest reading of a node is no kingdom. Conflicts are remembered."""
        for index, (outside, conflict) in enumerate(self.conflicts):
            if not outside & node.bits:
                self.conflicts.insert(0, self.conflicts.pop(index))
                return conflict
        if self.constraints is None:
            return None
        new = self.constraints.conflict(node.labels, node.changed, partial(self.gap, node.domains))
        if new is not None:
            outside = sum(_bits(place, ANY_LABEL & ~inside) for place, inside in new)
            self.conflicts.insert(0, (outside, new))
            del self.conflicts[_REMEMBERED_CONFLICTS:]
        return new

    def accept(self, node: _Node) -> None:
        """Note a kingdom."""
        probability = math.exp(-node.cost)
        self.unexplored -= probability
        self.mass_found += probability
        self.most_found = max(self.most_found, probability)
        self.found.append(Candidate(node.labels, probability))

    def split_around(self, node: _Node) -> None:
        """Split all of a node but its likeliest reading: places already changed, then others."""
        domains, mass = node.domains.copy(), node.mass
        if node.changed:
            own = [(place, 1 << node.labels[place]) for place in node.changed]
            members, gaps = self.by_gap(node, own)
            self.push_partition(_Partition(node, members, gaps, node.domains.copy(), mass))
            mass = self.costs.share(domains, own, mass)
            for place, label in own:
                domains[place] = label
        self.push_partition(_Partition(node, self.own, self.own_gaps, domains, mass))

    def split_over(self, node: _Node, conflict: Conflict) -> None:
        """Split a node into parts that resolve a conflict; what does not is impossible."""
        members, gaps = self.by_gap(node, conflict)
        self.push_partition(_Partition(node, members, gaps, node.domains.copy(), node.mass))
        self.unexplored -= self.costs.share(node.domains, members, node.mass)

    def by_gap(
        self, node: _Node, members: Iterable[tuple[int, int]]
    ) -> tuple[Conflict, list[float]]:
        """The members that can be left within a node, cheapest first, and what each costs."""
        gaps = self.costs.gaps(node.domains, members)
        return [(place, inside) for _, place, inside in gaps], [gap[0] for gap in gaps]


# ---------------------------------------------------------------------- costs of labels

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
