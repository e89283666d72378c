"""Names that may be one player's: spelled otherwise by a letter or two, a blank or an accent."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import combinations

from kdvision.tournament.columns import fold

#: Letters. Longer names may differ by two and be one; shorter ones by one.
_SHORT = 5
#: Letters. Of shorter names a letter more or less is another name: `Al`, `Ali`.
_SHORTEST = 3


def find_alike(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the pairs of names that may be one name spelled in two ways.

    Numbers tell names apart: `Team 1` and `Team 2` are two.
    """
    # Names that are as much alike have a rest in common when up to two letters are taken out.
    by_rest: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name in names:
        numbers = " ".join(re.findall(r"\d+", name))
        for rest in {*_list_rests(_fold_whole(name))}:
            by_rest[numbers, rest].append(name)
    pairs = {}
    for alike in by_rest.values():
        for pair in combinations(alike, 2):
            if pair not in pairs:
                pairs[pair] = _are_alike(*pair)
    return [pair for pair, are_alike in pairs.items() if are_alike]


def _fold_whole(name: str) -> str:
    """Return a name without case, accents and blanks."""
    return fold(name).replace("_", "")


def _list_rests(text: str) -> Iterator[str]:
    """Yield what is left of a text when up to two of its letters are taken out."""
    yield text
    for count in (1, 2):
        for taken in combinations(range(len(text)), count):
            yield "".join(letter for place, letter in enumerate(text) if place not in taken)


def _are_alike(first: str, second: str) -> bool:
    """Tell whether two names may be one."""
    first, second = _fold_whole(first), _fold_whole(second)
    if first == second:
        return True
    shorter = min(len(first), len(second))
    if shorter < _SHORTEST:
        return False
    changed = 0
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    for tag, begin, end, rival_begin, rival_end in matcher.get_opcodes():
        if tag != "equal":
            changed += max(end - begin, rival_end - rival_begin)
    return changed <= (1 if shorter < _SHORT else 2)
