"""Whether two readings are of one kingdom, turned or not."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from kdvision.rules.kingdom import Cell, Kingdom, Position, cell_text
from kdvision.rules.terrain import EMPTY_MARK, LABELS

#: Share of the squares of the larger of two kingdoms that must be equal for both to be one: a photo
#: that is misread in a few squares, or taken a domino later, stays within it; kingdoms of two
#: players agree on a fifth.
SAME_SHARE = 0.8
_KINDS = tuple(label for label in LABELS if label != EMPTY_MARK)


@lru_cache(maxsize=8_192)
def find_common_share(first: Kingdom, second: Kingdom) -> float:
    """Return how much of the larger of two kingdoms is equal in the other, from 0 to 1.

    One is laid on the other, turned and moved so that most squares are equal.
    """
    targets = _map_places(second)
    most = 0
    for quarters in range(4):
        offsets: Counter[Position] = Counter()
        for cell, places in _map_places(first.turned(quarters)).items():
            for row, col in places:
                offsets.update((at[0] - row, at[1] - col) for at in targets.get(cell, ()))
        most = max(most, max(offsets.values(), default=0))
    return most / max(_count_squares(first), _count_squares(second), 1)


@lru_cache(maxsize=8_192)
def _map_places(kingdom: Kingdom) -> dict[Cell, list[Position]]:
    """Return the places of every kind of square."""
    places: dict[Cell, list[Position]] = {}
    for at, cell in kingdom.cells():
        if cell is not None:
            places.setdefault(cell, []).append(at)
    return places


def _count_squares(kingdom: Kingdom) -> int:
    return sum(map(len, _map_places(kingdom).values()))


def same_kingdom(first: Kingdom, second: Kingdom) -> bool:
    """Tell whether two readings are of one kingdom, turned or not."""
    return find_common_share(first, second) > SAME_SHARE


def group_same(kingdoms: Mapping[int, Kingdom]) -> list[list[int]]:
    """Return the keys of kingdoms that are one, turned or not; none is in two groups."""
    groups: list[list[int]] = []
    # How many squares of every kind the first kingdom of each group has.
    counts = np.zeros((len(kingdoms), len(_KINDS)), np.int16)
    for n, kingdom in kingdoms.items():
        counts[len(groups)] = _count_kinds(kingdom)
        new, first = counts[len(groups)], counts[: len(groups)]
        # Few kingdoms have so many squares in common that they are laid on each other.
        common = np.minimum(first, new).sum(axis=1)
        larger = np.maximum(first.sum(axis=1), new.sum())
        for index in np.flatnonzero(common > SAME_SHARE * larger).tolist():
            if same_kingdom(kingdoms[groups[index][0]], kingdom):
                groups[index].append(n)
                break
        else:
            groups.append([n])
    return [group for group in groups if len(group) > 1]


@lru_cache(maxsize=8_192)
def _count_kinds(kingdom: Kingdom) -> list[int]:
    """Return how many squares of every label there are."""
    texts = [cell_text(cell) for _, cell in kingdom.cells()]
    return [texts.count(label) for label in _KINDS]


def parse_reading(text: str) -> Kingdom | None:
    """Return the kingdom of a kingdom line; None where it is none."""
    try:
        return Kingdom.parse(text) if text else None
    except ValueError:
        return None
