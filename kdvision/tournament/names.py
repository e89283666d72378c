"""Names that may be one player's: spelled otherwise by a letter or two, a blank or an accent."""

import re
from collections.abc import Iterable, Mapping
from itertools import combinations

from kdvision.tournament.columns import fold

#: Letters. Of shorter names a letter more or less is another name: `Al`, `Ali`.
_SHORTEST = 3
#: Letters. Of shorter names one letter more may be a slip, another one is not: `Bob` and `Bobb` may
#: be one, `Ann` and `Dan` are two.
_SHORT = 4
#: Letters. From this length on names may differ in two letters and be one; shorter ones in one.
_LONG = 5


def find_alike(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the pairs of names that may be one name spelled in two ways.

    Two names are alike when they are the same after one letter or two are taken out of each; case,
    accents and blanks do not count. Numbers tell names apart: `Team 1` and `Team 2` are two.
    """
    # The names by their numbers and by what can be left of them.
    by_rest: dict[tuple[str, str], dict[str, int]] = {}
    for name in names:
        numbers = " ".join(re.findall(r"\d+", name))
        for rest, taken in _list_rests(fold(name).replace("_", "")).items():
            by_rest.setdefault((numbers, rest), {})[name] = taken
    pairs: dict[tuple[str, str], None] = {}
    for taken_by_name in by_rest.values():
        for pair in combinations(taken_by_name, 2):
            if _may_be_one(pair, taken_by_name):
                pairs[pair] = None
    return [*pairs]


def _list_rests(word: str) -> dict[str, int]:
    """Return what is left of a word when up to two of its letters are taken out, and how many."""
    rests = {word: 0}
    for count in (1, 2):
        for places in combinations(range(len(word)), count):
            rest = "".join(letter for place, letter in enumerate(word) if place not in places)
            rests.setdefault(rest, count)
    return rests


def _may_be_one(pair: tuple[str, str], taken_by_name: Mapping[str, int]) -> bool:
    """Tell whether two names with a common rest are alike, by how many letters were taken out."""
    first, second = taken_by_name[pair[0]], taken_by_name[pair[1]]
    length = min(len(fold(name).replace("_", "")) for name in pair)
    if length < _SHORTEST:
        return first == second == 0
    if length < _SHORT:
        return first + second <= 1
    return max(first, second) <= (2 if length >= _LONG else 1)
