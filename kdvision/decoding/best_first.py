"""The likeliest kingdoms of the box, and how much probability is left unexplored.

A *labelling* is a label for every place. This is a best-first search over sets of labellings: every
node has a set of labels per place, and its likeliest labelling is checked. One that is a kingdom is
an answer, and the rest of its node is split around it. One that is none gives a conflict, and the
node is split so that every part resolves it. The parts never overlap, so every kingdom comes once,
however many cuttings it has, the likeliest first, and the probability of all that was not looked at
is known.
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

#: Number of conflicts that are kept: the next labelling often has one of them, which is found much
#: faster than by checking the constraints anew.
_MAX_CONFLICTS = 64


class SearchResult(Struct, frozen=True):
    """What a search came to.

    Attributes:
        kingdoms: Labels (indices in `LABELS`), one per place, the likeliest first, with their
            probability: the product over the places, which does not sum to 1 over all kingdoms.
        unexplored: A bound of the probability of all other kingdoms.
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
        constraints: What makes a kingdom; None takes every labelling.
        tolerance: Stop when what is unexplored is at most this share of the kingdoms so far.
        min_mass: The probability that the kingdoms so far count as for `tolerance`, where together
            they have less.
        limit: Give up after so many labellings.
    """
    state = _Search(probabilities, constraints)
    for _ in range(limit):
        node = state.next_node()
        if node is not None:
            state.split(node)
        if not state.heap or state.unexplored <= tolerance * (state.mass + min_mass):
            break
    return SearchResult(state.kingdoms, max(state.unexplored, 0.0))


#: Places with sets of labels: (what it costs to leave the set, place, labels), cheapest first.
_Members = list[tuple[float, int, int]]


@dataclass(slots=True)
class _Node:
    """A set of labellings.

    Attributes:
        domains: The labels that every place may have, a mask each.
        labels: The likeliest of them.
        bits: Its labels as a set of (place, label).
        cost: Minus its log-probability.
        mass: The probability of all labellings.
        changed: The places whose label is not the likeliest of all.
    """

    domains: list[int]
    labels: bytes
    bits: int
    cost: float
    mass: float
    changed: tuple[int, ...] = ()


def _bits(place: int, labels: int) -> int:
    """Return labels of a place as a set of (place, label)."""
    return labels << place * len(LABELS)


@dataclass(slots=True)
class _Partition:
    """The disjoint parts into which a node is split, made one by one when their turn comes.

    Part `index` is outside the set of `members[index]` and within those of all members before.

    Attributes:
        node: The node.
        members: Places with sets of labels.
        domains: Those of the node, within the sets of the members before.
        mass: The probability of these.
        index: The part whose turn it is.
    """

    node: _Node
    members: _Members
    domains: list[int]
    mass: float
    index: int = 0


class _Search:
    """The state of one search.

    Attributes:
        constraints: What makes a kingdom.
        costs: What the labels of every place cost.
        conflicts: Those that were met last, each with the (place, label) that resolve it.
        heap: Nodes and partitions, by the cost of the likeliest labelling in them.
        pushed: How many of these were queued so far, which breaks ties of cost.
        kingdoms: The kingdoms so far.
        mass: Their probability.
        unexplored: The probability of all that was not looked at.
        likeliest: Every place with its likeliest label.
    """

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
        # Begin with all labellings.
        likeliest = []
        bits, cost = 0, 0.0
        for place, label in enumerate(costs.labels):
            likeliest.append((place, 1 << label))
            bits |= _bits(place, 1 << label)
            cost += costs.best(place, costs.domains[place])[1]
        root = _Node(domains=costs.domains, labels=costs.labels, bits=bits, cost=cost, mass=1.0)
        self.likeliest = costs.list_by_leaving_cost(root.domains, likeliest)
        self.push(root.cost, root)

    # ------------------------------------------------------------------ the queue

    def push(self, cost: float, item: _Node | _Partition) -> None:
        """Queue a node, or a partition whose next part costs at least so much."""
        self.pushed += 1
        heapq.heappush(self.heap, (cost, self.pushed, item))

    def next_node(self) -> _Node | None:
        """Return the node with the likeliest labelling that is left."""
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
            cost, _, _ = partition.members[partition.index]
            self.push(partition.node.cost + cost, partition)

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
            domains=domains,
            labels=bytes(labels),
            bits=node.bits ^ _bits(place, 1 << label | 1 << new_label),
            cost=node.cost - cost + new_cost,
            mass=partition.mass * new_mass / mass,
            changed=node.changed if place in node.changed else (*node.changed, place),
        )
        # What follows is within the set.
        partition.domains[place] = within
        partition.mass *= self.costs.best(place, within)[2] / mass
        return part

    # ------------------------------------------------------------------ splitting

    def split(self, node: _Node) -> None:
        """Check the likeliest labelling of a node and split the node."""
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
        """Find why the likeliest labelling of a node is no kingdom; conflicts are remembered."""
        for index, (resolving, conflict) in enumerate(self.conflicts):
            if not resolving & node.bits:
                self.conflicts.insert(0, self.conflicts.pop(index))
                return conflict
        if self.constraints is None:
            return None
        cost = partial(self.costs.leaving_cost, node.domains)
        new = self.constraints.find_conflict(node.labels, node.changed, cost)
        if new is not None:
            resolving = 0
            for place, inside in new:
                resolving |= _bits(place, ANY_LABEL & ~inside)
            self.conflicts.insert(0, (resolving, new))
            del self.conflicts[_MAX_CONFLICTS:]
        return new

    def split_around(self, node: _Node) -> None:
        """Split all of a node but its likeliest labelling: by changed places, then by the rest."""
        domains, mass = node.domains.copy(), node.mass
        if node.changed:
            changed = [(place, 1 << node.labels[place]) for place in node.changed]
            members = self.costs.list_by_leaving_cost(domains, changed)
            self.push_partition(_Partition(node, members, node.domains.copy(), mass))
            mass = self.costs.share(domains, changed, mass)
            for place, label in changed:
                domains[place] = label
        self.push_partition(_Partition(node, self.likeliest, domains, mass))

    def split_over(self, node: _Node, conflict: Conflict) -> None:
        """Split a node into parts that resolve a conflict; what does not is impossible."""
        members = self.costs.list_by_leaving_cost(node.domains, conflict)
        self.push_partition(_Partition(node, members, node.domains.copy(), node.mass))
        impossible = [(place, inside) for _, place, inside in members]
        self.unexplored -= self.costs.share(node.domains, impossible, node.mass)


# ---------------------------------------------------------------------- costs of labels

#: Of some labels at a place: the likeliest, its cost (minus its log-probability), and the
#: probability of all.
Best = tuple[int, float, float]


class LabelCosts:
    """What is likeliest at the places of a grid.

    Args:
        probabilities: For every place the probability of each label.

    Attributes:
        domains: The labels that are possible at all at every place, a mask each.
        labels: The likeliest label of every place.
    """

    def __init__(self, probabilities: Sequence[Sequence[float]]) -> None:
        self._probabilities = probabilities
        self._bests: list[dict[int, Best]] = [{} for _ in probabilities]
        values = np.array(probabilities, np.float64).reshape(-1, len(LABELS))
        self.domains: list[int] = ((values > 0) @ (1 << np.arange(len(LABELS)))).tolist()
        self._ranked: list[list[int]] = np.argsort(-values, axis=1, kind="stable").tolist()
        self.labels = bytes(ranked[0] for ranked in self._ranked)

    def best(self, place: int, labels: int) -> Best:
        """Find the likeliest of some labels at a place."""
        best = self._bests[place].get(labels)
        if best is None:
            values = self._probabilities[place]
            likeliest, mass = -1, 0.0
            for label in self._ranked[place]:
                if labels >> label & 1:
                    mass += values[label]
                    if likeliest < 0:
                        likeliest = label
            best = self._bests[place][labels] = (likeliest, -math.log(values[likeliest]), mass)
        return best

    def leaving_cost(self, domains: Sequence[int], place: int, inside: int) -> float:
        """Return what it costs to leave a set of labels at a place, infinite where none else is."""
        domain = domains[place]
        outside = domain & ~inside
        if not outside:
            return math.inf
        return self.best(place, outside)[1] - self.best(place, domain)[1]

    def list_by_leaving_cost(
        self, domains: Sequence[int], members: Iterable[tuple[int, int]]
    ) -> _Members:
        """Return the sets (place, labels) that can be left, each after what that costs."""
        ranked = []
        for place, inside in members:
            cost = self.leaving_cost(domains, place, inside)
            if cost < math.inf:
                ranked.append((cost, place, inside))
        return sorted(ranked)

    def share(
        self, domains: Sequence[int], members: Iterable[tuple[int, int]], mass: float
    ) -> float:
        """Return what is left of a probability where every place is within its set."""
        for place, inside in members:
            domain = domains[place]
            mass *= self.best(place, domain & inside)[2] / self.best(place, domain)[2]
        return mass
