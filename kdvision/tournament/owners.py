"""Whose kingdom it is: the lines that name one photo, assigned to its kingdoms one to one.

An assignment problem: of all ways to give every line a kingdom of its own, those count that
explain the most claims. What a line has in every best assignment is known; where the best
assignments disagree, it is open.
"""

from collections.abc import Sequence
from enum import IntEnum

#: Kingdoms of one photo beyond which nothing is assigned: the search grows with 2 to this power,
#: and a photo of a table shows at most eight.
MOST_KINGDOMS = 12


class Fit(IntEnum):
    """How well a kingdom explains a claim.

    The values are weights: one explained claim counts for more than any number of possible ones,
    one possible claim for more than any number of lines that merely have a kingdom.
    """

    #: The line has a kingdom, which does not explain its claim.
    UNEXPLAINED = 1
    #: The kingdom is doubtful, and the claim is one of the totals that it may have.
    POSSIBLE = 100
    #: The kingdom is sure, and the claim is its total.
    EXPLAINED = 10_000


def best_kingdoms(fits: Sequence[Sequence[Fit]]) -> list[frozenset[int | None]]:
    """For every line, the kingdoms that it has in some best assignment.

    Exact, by dynamic programming over the sets of kingdoms that are taken.

    Args:
        fits: `fits[line][kingdom]`; all lines have the same number of kingdoms.

    Returns:
        Indices of kingdoms for every line; None among them where it may have no kingdom, which
        happens only where there are more lines than kingdoms.
    """
    kingdoms = len(fits[0]) if fits else 0
    if kingdoms > MOST_KINGDOMS:
        return [frozenset((*range(kingdoms), None)) for _ in fits]
    before = _best_before(fits, kingdoms)
    after = _best_before(list(reversed(fits)), kingdoms)[::-1]
    best = max(before[-1])
    full = (1 << kingdoms) - 1
    found: list[frozenset[int | None]] = []
    for line, row in enumerate(fits):
        options: set[int | None] = set()
        rest = _best_within(after[line + 1], kingdoms)
        for taken, value in enumerate(before[line]):
            if value < 0:
                continue
            if value + rest[full & ~taken] == best:
                options.add(None)
            for kingdom, fit in enumerate(row):
                if taken >> kingdom & 1:
                    continue
                left = full & ~taken & ~(1 << kingdom)
                if value + fit + rest[left] == best:
                    options.add(kingdom)
        found.append(frozenset(options))
    return found


def accounted_for(
    fits: Sequence[Sequence[Fit]], options: Sequence[frozenset[int | None]]
) -> list[bool]:
    """For every line, whether each best assignment gives it a kingdom that may explain its claim.

    Claims say whose kingdom is whose only where all lines are accounted for. Where one claim is
    wrong, another may be as well: of the totals 46 and 54, claimed as 54 and 50, the claim of 54
    need not be that of the player who has 54.

    Args:
        fits: As for `best_kingdoms`.
        options: What that found.
    """
    return [
        all(one is not None and row[one] is not Fit.UNEXPLAINED for one in own)
        for row, own in zip(fits, options, strict=True)
    ]


def _best_before(fits: Sequence[Sequence[Fit]], kingdoms: int) -> list[list[int]]:
    """The best sums of the first lines, by how many lines and by the kingdoms that they take.

    -1 where so many lines cannot take just these kingdoms.
    """
    sums = [[-1] * (1 << kingdoms)]
    sums[0][0] = 0
    for row in fits:
        last, new = sums[-1], list(sums[-1])
        for taken, value in enumerate(last):
            if value < 0:
                continue
            for kingdom, fit in enumerate(row):
                if not taken >> kingdom & 1:
                    with_it = taken | 1 << kingdom
                    new[with_it] = max(new[with_it], value + fit)
        sums.append(new)
    return sums


def _best_within(sums: Sequence[int], kingdoms: int) -> list[int]:
    """The best sum for every set of kingdoms that may be taken, in part or whole."""
    best = list(sums)
    for kingdom in range(kingdoms):
        for allowed in range(1 << kingdoms):
            if allowed >> kingdom & 1:
                best[allowed] = max(best[allowed], best[allowed & ~(1 << kingdom)])
    return best


def claims_alone(photos: int) -> list[str]:
    """What nobody can see on photos where only claims say whose kingdom is whose."""
    if not photos:
        return []
    which = "1 photo" if photos == 1 else f"{photos} photos"
    return [
        f"On {which} of several kingdoms the claims alone say whose kingdom is whose: two players "
        "who claim each other's total would not be noticed. Letters in the column kingdom show it."
    ]
