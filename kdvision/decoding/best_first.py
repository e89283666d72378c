"""The likeliest kingdoms of the box, and how much probability is left unexplored.

A best-first search over sets of readings. Every node is a set of labels per place; its likeliest
reading is checked. A reading that is a kingdom is an answer, and the rest of its node is split
around it; one that is not gives a conflict, and the node is split so that every part resolves it.
The parts never overlap, so every kingdom comes once, however many cuttings it has, likeliest
first, and the probability of all that was not looked at is known.
"""

import heapq
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from msgspec import Struct

from kdvision.decoding.board import ANY_LABEL
from kdvision.decoding.constraints import Conflict, Constraints
from kdvision.decoding.exact_cover import UndecidedError
from kdvision.rules.terrain import LABELS

#: Number of conflicts that are tried on other readings before the constraints are checked anew.
_MOST_CONFLICTS = 64


class SearchResult(Struct, frozen=True):
    """What a search came to.

    `kingdoms` are labels (indices in `LABELS`), one per place, the likeliest first, with their
    probability: the product over the places, which does not sum to 1 over all kingdoms.
    `unexplored` bounds the probability of all other kingdoms.
    """

    kingdoms: dict[bytes, float]
    unexplored: float


def search(
    probabilities: Sequence[Sequence[float]],
    constraints: Constraints | None,
    *,
    tolerance: float,
    min_mass: float,
    limit: int,
) -> SearchResult:
    """Find kingdoms until those that are left cannot matter.

    Args:
        probabilities: For every place (row by row) the probability of each of `LABELS`.
        constraints: What makes a kingdom; None takes every reading.
        tolerance: Stop when the rest is at most this share of the kingdoms so far.
        min_mass: The kingdoms so far count as at least this much probability in the rule above.
        limit: Give up after so many readings.
    """
    state = _Search(probabilities, constraints)
    for _ in range(limit):
        node = state.next_node()
        if node is not None:
            state.split(node)
        if not state.heap or state.unexplored <= tolerance * (state.mass + min_mass):
            break
    return SearchResult(state.kingdoms, max(state.unexplored, 0.0))


#: Places with sets of labels, each after what it costs to leave the set.
_Gaps = list[tuple[float, int, int]]


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

    `members` are places with sets of labels, each after what it costs at least to leave the set,
    cheapest first. Part `index` is outside the set of `members[index]` and within those of all
    members before. `domains` and `mass` are those of the node within the sets of these.
    """

    node: _Node
    members: _Gaps
    domains: list[int]
    mass: float
    index: int = 0


class _Search:
    """The state of one search."""

    def __init__(
        self, probabilities: Sequence[Sequence[float]], constraints: Constraints | None
    ) -> None:
        self.constraints = constraints
        self.costs = costs = LabelCosts(probabilities)
        self.conflicts: list[tuple[int, Conflict]] = []
        self.heap: list[tuple[float, int, _Node | _Partition]] = []
        self.pushed = 0
        self.kingdoms: dict[bytes, float] = {}
        self.mass = 0.0
        self.unexplored = 1.0
        # Begin with all readings.
        likeliest = [(place, 1 << label) for place, label in enumerate(costs.labels)]
        bits = sum([_bits(*member) for member in likeliest])
        cost = sum(costs.best(place, domain)[1] for place, domain in enumerate(costs.domains))
        root = _Node(costs.domains, costs.labels, bits, cost, 1.0)
        self.likeliest = costs.gaps(root.domains, likeliest)
        self.push(root.cost, root)

    # ------------------------------------------------------------------ the queue

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
            gap, _, _ = partition.members[partition.index]
            self.push(partition.node.cost + gap, partition)

    def next_part(self, partition: _Partition) -> _Node | None:
        """Make the next part of a partition; None when it is empty."""
        _, place, inside = partition.members[partition.index]
        partition.index += 1
        domain, node = partition.domains[place], partition.node
        within, outside = domain & inside, domain & ~inside
        if not outside or not within:
            return None
        # The part takes the likeliest label outside the set in place of the likeliest of all.
        label, cost, mass = self.costs.best(place, domain)
        new_label, new_cost, new_mass = self.costs.best(place, outside)
        domains = partition.domains.copy()
        labels = bytearray(node.labels)
        domains[place], labels[place] = outside, new_label
        part = _Node(
            domains,
            bytes(labels),
            node.bits ^ _bits(place, 1 << label | 1 << new_label),
            node.cost - cost + new_cost,
            partition.mass * new_mass / mass,
            node.changed if place in node.changed else (*node.changed, place),
        )
        # What follows is within the set.
        partition.domains[place] = within
        partition.mass *= self.costs.best(place, within)[2] / mass
        return part

    # ------------------------------------------------------------------ splitting

    def split(self, node: _Node) -> None:
        """Check the likeliest reading of a node and split the node."""
        try:
            conflict = self.find_conflict(node)
        except UndecidedError:
            self.split_around(node)
            return
        if conflict is not None:
            self.split_over(node, conflict)
            return
        probability = math.exp(-node.cost)
        self.unexplored -= probability
        self.mass += probability
        self.kingdoms[node.labels] = probability
        self.split_around(node)

    def find_conflict(self, node: _Node) -> Conflict | None:
        """Why the likeliest reading of a node is no kingdom. Conflicts are remembered."""
        for index, (outside, conflict) in enumerate(self.conflicts):
            if not outside & node.bits:
                self.conflicts.insert(0, self.conflicts.pop(index))
                return conflict
        if self.constraints is None:
            return None
        cost = partial(self.costs.gap, node.domains)
        new = self.constraints.find_conflict(node.labels, node.changed, cost)
        if new is not None:
            outside = sum(_bits(place, ANY_LABEL & ~inside) for place, inside in new)
            self.conflicts.insert(0, (outside, new))
            del self.conflicts[_MOST_CONFLICTS:]
        return new

    def split_around(self, node: _Node) -> None:
        """Split all of a node but its likeliest reading: by changed places, then by the rest."""
        domains, mass = node.domains.copy(), node.mass
        if node.changed:
            changed = [(place, 1 << node.labels[place]) for place in node.changed]
            members = self.costs.gaps(domains, changed)
            self.push_partition(_Partition(node, members, node.domains.copy(), mass))
            mass = self.costs.share(domains, changed, mass)
            for place, label in changed:
                domains[place] = label
        self.push_partition(_Partition(node, self.likeliest, domains, mass))

    def split_over(self, node: _Node, conflict: Conflict) -> None:
        """Split a node into parts that resolve a conflict; what does not is impossible."""
        gaps = self.costs.gaps(node.domains, conflict)
        self.push_partition(_Partition(node, gaps, node.domains.copy(), node.mass))
        members = [(place, inside) for _, place, inside in gaps]
        self.unexplored -= self.costs.share(node.domains, members, node.mass)


# ---------------------------------------------------------------------- costs of labels

#: Of some labels at a place: the likeliest, its cost (minus its log-probability), and the
#: probability of all.
Best = tuple[int, float, float]

_BITS = tuple(1 << label for label in range(len(LABELS)))


class LabelCosts:
    """What is likeliest at the places of a grid.

    Args:
        probabilities: For every place the probability of each label.

    `domains` are the labels of every place that are possible at all, and `labels` the likeliest.
    """

    def __init__(self, probabilities: Sequence[Sequence[float]]) -> None:
        self._probabilities = probabilities
        self._bests: list[dict[int, Best]] = [{} for _ in probabilities]
        values = np.array(probabilities, np.float64).reshape(-1, len(LABELS))
        self.domains: list[int] = ((values > 0) @ _BITS).tolist()
        self._ranked: list[list[int]] = np.argsort(-values, axis=1, kind="stable").tolist()
        self.labels = bytes(ranked[0] for ranked in self._ranked)

    def best(self, place: int, labels: int) -> Best:
        """The likeliest of some labels at a place."""
        best = self._bests[place].get(labels)
        if best is None:
            values = self._probabilities[place]
            held = [label for label in self._ranked[place] if labels >> label & 1]
            mass = sum(values[label] for label in held)
            best = self._bests[place][labels] = (held[0], -math.log(values[held[0]]), mass)
        return best

    def gap(self, domains: Sequence[int], place: int, inside: int) -> float:
        """What it costs to leave a set of labels at a place, infinite when it is not possible."""
        domain = domains[place]
        outside = domain & ~inside
        if not outside:
            return math.inf
        return self.best(place, outside)[1] - self.best(place, domain)[1]

    def gaps(self, domains: Sequence[int], members: Iterable[tuple[int, int]]) -> _Gaps:
        """The sets (place, labels) that can be left, each after what that costs, cheapest first."""
        gaps = [(self.gap(domains, place, inside), place, inside) for place, inside in members]
        return sorted(gap for gap in gaps if gap[0] < math.inf)

    def share(
        self, domains: Sequence[int], members: Iterable[tuple[int, int]], mass: float
    ) -> float:
        """What is left of a probability where every place is within its set (place, labels)."""
        for place, inside in members:
            domain = domains[place]
            mass *= self.best(place, domain & inside)[2] / self.best(place, domain)[2]
        return mass
