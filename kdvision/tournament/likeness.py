"""Whether two readings are of one kingdom, turned or not."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from kdvision.rules.kingdom import Cell, Kingdom, Position

#: Share of the squares of the larger of two kingdoms that must be equal for both to be one: a photo
#: that is misread in a few squares, or taken a domino later, stays within it; kingdoms of two
#: players agree on a fifth.
SAME_SHARE = 0.8


class Alignment(Struct, frozen=True):
    """How one kingdom lies on another.

    Attributes:
        quarters: How often it is turned clockwise, before it is moved.
        offset: How far it is moved, in (rows, columns).
        share: The part of the larger kingdom that is equal.
    """

    quarters: int
    offset: Position
    share: float


@lru_cache(maxsize=8_192)
def align(first: Kingdom, second: Kingdom) -> Alignment:
    """Return how the first kingdom lies on the second so that most squares are equal."""
    best = Alignment(0, (0, 0), 0.0)
    targets = _map_places(second)
    larger = max(_count_squares(first), _count_squares(second))
    for quarters in range(4):
        offsets: Counter[Position] = Counter()
        for cell, places in _map_places(first.turned(quarters)).items():
            for row, col in places:
                offsets.update((at[0] - row, at[1] - col) for at in targets.get(cell, ()))
        for offset, equal in offsets.most_common(1):
            if equal / larger > best.share:
                best = Alignment(quarters, offset, equal / larger)
    return best


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
    return align(first, second).share > SAME_SHARE


def group_same(kingdoms: Mapping[int, Kingdom]) -> list[list[int]]:
    """Return the keys of kingdoms that are one, turned or not; none is in two groups."""
    squares = {
        n: {(cell, i) for cell, places in _map_places(kingdom).items() for i in range(len(places))}
        for n, kingdom in kingdoms.items()
    }
    groups: list[list[int]] = []
    for n, kingdom in kingdoms.items():
        for group in groups:
            # Few kingdoms have so many squares in common that they are laid on each other.
            larger = max(len(squares[n]), len(squares[group[0]]))
            is_likely = len(squares[n] & squares[group[0]]) > SAME_SHARE * larger
            if is_likely and same_kingdom(kingdoms[group[0]], kingdom):
                group.append(n)
                break
        else:
            groups.append([n])
    return [group for group in groups if len(group) > 1]


def parse_reading(text: str) -> Kingdom | None:
    """Return the kingdom of a kingdom line; None where it is none."""
    try:
        return Kingdom.parse(text) if text else None
    except ValueError:
        return None
