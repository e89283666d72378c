"""Pairing places with neighbours, without regard to counts: a necessary condition, quickly seen."""

from collections.abc import Mapping, Sequence


def matching(
    options: Mapping[int, Sequence[int]],
) -> tuple[dict[int, int], list[set[int]]]:
    """Pair places with neighbours, as many as possible, without regard to counts.

    Args:
        options: For every place to be covered, the neighbours that it can share a domino with.
            Places of one chessboard colour only neighbour those of the other.

    Returns:
        The partner of every paired place, and for every place left over a deficient set: places
        of its colour with fewer neighbours than members, which by Hall's theorem cannot all be
        covered.
    """
    partner: dict[int, int] = {}
    for place, others in options.items():
        if place not in partner:
            for other in others:
                if other not in partner:
                    partner[place], partner[other] = other, place
                    break
    proofs = []
    for place in options:
        if place not in partner:
            deficient = _augment(place, options, partner)
            if deficient:
                proofs.append(deficient)
    return partner, proofs


def _augment(
    start: int, options: Mapping[int, Sequence[int]], partner: dict[int, int]
) -> set[int] | None:
    """Pair `start` along an alternating path; the places that compete with it when there is none.

    (The places that compete stay short of neighbours whatever is paired later.)
    """
    came: dict[int, int] = {}
    deficient, frontier = {start}, [start]
    while frontier:
        place = frontier.pop()
        for other in options[place]:
            if other in came:
                continue
            came[other] = place
            if other not in partner:
                _flip(other, came, partner)
                return None
            deficient.add(partner[other])
            frontier.append(partner[other])
    return deficient


def _flip(end: int, came: dict[int, int], partner: dict[int, int]) -> None:
    """Exchange paired and unpaired along the path that ends at the free place `end`."""
    place: int | None = end
    while place is not None:
        before = came[place]
        following = partner.get(before)
        partner[place], partner[before] = before, place
        place = following
