"""Pairing squares with neighbours, as many as possible, whatever they show (RULES 6)."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from kdvision.rules.kingdom import Position, neighbours

#: A place, by its position or a number.
_Place = TypeVar("_Place", bound=Hashable)


def find_unmatched(cells: Iterable[Position]) -> frozenset[Position]:
    """Return the cells that some maximum matching leaves alone; none if all have a partner."""
    cells = frozenset(cells)
    beside = {}
    for at in cells:
        beside[at] = [near for near in neighbours(at) if near in cells]
    _, deficient = matching(beside)
    return frozenset().union(*deficient)


def matching(
    options: Mapping[_Place, Sequence[_Place]],
) -> tuple[dict[_Place, _Place], list[set[_Place]]]:
    """Pair places with neighbours, as many as possible, without regard to counts.

    This is a maximum matching by augmenting paths, a few steps for any outline. A search for
    cuttings would have to try all of them before it knows that none exists.

    Args:
        options: For every place, the neighbours that it can share a domino with.
            Places of one chessboard colour only neighbour those of the other.

    Returns:
        The partner of every paired place, and for every place left over a deficient set: places
        of its colour with fewer neighbours than members, which by Hall's theorem cannot all
        have a partner.
    """
    partner: dict[_Place, _Place] = {}
    for place, near_places in options.items():
        if place not in partner:
            for near in near_places:
                if near not in partner:
                    partner[place], partner[near] = near, place
                    break
    proofs = []
    for place in options:
        if place not in partner:
            deficient = _augment(place, options, partner)
            if deficient:
                proofs.append(deficient)
    return partner, proofs


def _augment(
    start: _Place, options: Mapping[_Place, Sequence[_Place]], partner: dict[_Place, _Place]
) -> set[_Place] | None:
    """Pair `start` along an alternating path and return None.

    Where there is no such path, return the places that compete with it for the same neighbours:
    whatever is paired later, these are too few for them.
    """
    came: dict[_Place, _Place] = {}
    deficient, frontier = {start}, [start]
    while frontier:
        place = frontier.pop()
        for near in options[place]:
            if near in came:
                continue
            came[near] = place
            if near not in partner:
                _flip(near, came, partner)
                return None
            deficient.add(partner[near])
            frontier.append(partner[near])
    return deficient


def _flip(end: _Place, came: dict[_Place, _Place], partner: dict[_Place, _Place]) -> None:
    """Exchange paired and unpaired along the path that ends at the free place `end`."""
    place: _Place | None = end
    while place is not None:
        before = came[place]
        following = partner.get(before)
        partner[place], partner[before] = before, place
        place = following
