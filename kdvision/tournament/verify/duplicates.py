"""What cannot be at once: one photo for two players, one kingdom twice, one domino in two kingdoms.

Cheats and mix-ups look alike; the sentences name both lines and leave it to a person.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from msgspec import Struct

from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.cover import shared_dominoes
from kdvision.rules.kingdom import Kingdom
from kdvision.tournament.batch.picture_hash import SAME_BITS, different_bits
from kdvision.tournament.lines import SheetLine

#: Kingdoms of fewer squares are not compared: four dominoes can lie alike by chance.
LEAST_SQUARES = 10
#: Pictures are compared pair by pair up to this number, which takes a second.
MOST_PICTURES = 2_000


class PhotoReading(Struct, frozen=True):
    """What was read of the photo of a line.

    Attributes:
        result: The result by the options of the line.
        digest: Names the bytes of the photo; empty where they are not known.
        picture: The fingerprint of what it shows; may be empty.
    """

    result: PhotoResult
    digest: str = ""
    picture: str = ""


class DominoClash(Struct, frozen=True):
    """Lines, by their indices, whose kingdoms hold a domino more often than the box has it."""

    lines: tuple[int, ...]
    dominoes: str
    times: int


def same_pictures(
    lines: Sequence[SheetLine], readings: Sequence[PhotoReading | None]
) -> list[list[int]]:
    """The indices of the lines that have a photo, those of one picture together.

    Pictures are one by their name, by their bytes, or as the same picture saved again.
    """
    groups: dict[str, list[int]] = {}
    names: dict[str, str] = {}
    for index, (line, reading) in enumerate(zip(lines, readings, strict=True)):
        if reading is None:
            continue
        name = line.photo or f"#{index}"
        key = names.setdefault(name, reading.digest or name)
        groups.setdefault(key, []).append(index)
    order = list(groups.values())
    for first, second in _saved_again(order, readings):
        if order[first] and order[second]:
            order[first] += order[second]
            order[second] = []
    return [sorted(group) for group in order if group]


def _saved_again(
    groups: Sequence[Sequence[int]], readings: Sequence[PhotoReading | None]
) -> Iterator[tuple[int, int]]:
    """Pairs of photos that show the same picture, by their indices."""
    heads = [(n, reading) for n, group in enumerate(groups) if (reading := readings[group[0]])]
    for (first, left), (second, right) in combinations(heads[:MOST_PICTURES], 2):
        if different_bits(left.picture, right.picture) <= SAME_BITS and _is_alike(
            left.result, right.result
        ):
            yield first, second


def _is_alike(left: PhotoResult, right: PhotoResult) -> bool:
    """Whether two photos show the same kingdoms, turned or not, or nothing was read of either."""
    if len(left.kingdoms) != len(right.kingdoms):
        return False
    pairs = zip(left.kingdoms, right.kingdoms, strict=True)
    return all(one.kingdom.same_up_to_turns(other.kingdom) for one, other in pairs)


def kingdom_clashes(
    lines: Sequence[SheetLine],
    readings: Sequence[PhotoReading | None],
    kingdoms: Sequence[KingdomResult | None],
) -> Iterator[tuple[int, int]]:
    """Pairs of lines of different players that have one kingdom, however turned, in two photos."""
    alike: defaultdict[str, list[int]] = defaultdict(list)
    for index, result in enumerate(kingdoms):
        if result is not None and len(result.kingdom.squares()) >= LEAST_SQUARES:
            alike[_turned_least(result.kingdom)].append(index)
    for indices in alike.values():
        for first, second in combinations(indices, 2):
            left, right = lines[first], lines[second]
            if (
                left.player
                and right.player
                and _photo(first, lines, readings) != _photo(second, lines, readings)
            ):
                yield first, second


def _photo(index: int, lines: Sequence[SheetLine], readings: Sequence[PhotoReading | None]) -> str:
    reading = readings[index]
    return (reading.digest if reading else "") or lines[index].photo


@lru_cache(maxsize=4_096)
def _turned_least(kingdom: Kingdom) -> str:
    """A kingdom line that is the same however the kingdom is turned."""
    return min(str(kingdom.trimmed().turned(quarters)) for quarters in range(4))


def domino_clashes(
    lines: Sequence[SheetLine],
    readings: Sequence[PhotoReading | None],
    kingdoms: Sequence[KingdomResult | None],
) -> Iterator[DominoClash]:
    """Dominoes that the kingdoms of a game hold more often than its boxes.

    A photo of several kingdoms is a game of its own where its lines name none; its kingdoms were
    read together, with one deck.
    """
    photos = [_photo(index, lines, readings) for index in range(len(lines))]
    count = Counter(photos)
    games: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for index, (line, result) in enumerate(zip(lines, kingdoms, strict=True)):
        alone = count[photos[index]] > 1 and not line.game
        sure = result is not None and result.status is Status.SURE
        if sure and any(line.place) and not alone:
            games[line.place].append(index)
    for indices in games.values():
        if len({photos[index] for index in indices}) < 2:
            continue
        laid = [result.kingdom for index in indices if (result := kingdoms[index])]
        boxes = max(lines[index].options.boxes for index in indices)
        for shared in shared_dominoes(laid, boxes):
            owners = tuple(dict.fromkeys(indices[place] for place, _ in shared.places))
            left, right = shared.face
            dominoes = f"{'/'.join(map(str, shared.numbers))} ({left} {right})"
            yield DominoClash(owners, dominoes, shared.most)
