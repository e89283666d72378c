"""What cannot be at once: one photo for two players, one kingdom twice, one domino in two kingdoms.

Cheats and mix-ups look alike; the sentences name both lines and leave it to a person.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from msgspec import Struct

from kdvision.result import PhotoResult
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


class Picture(Struct, frozen=True):
    """What tells whether two photos are one: the fingerprint, and all kingdoms that were read."""

    fingerprint: str
    kingdoms: tuple[Kingdom, ...]


class LineKingdom(Struct, frozen=True, kw_only=True):
    """A kingdom that a line has, to be held against those of the others.

    Attributes:
        photo: What names the photo: its digest, or its name where that is not known.
        player: Whose it is; empty where that is not known.
        place: The round and the game, each empty where it is not known.
        kingdom: What was read; None where nothing was.
        sure: Whether the reading is sure.
        boxes: The boxes that the dominoes of the game come from.
    """

    photo: str
    player: str = ""
    place: tuple[str, str] = ("", "")
    kingdom: Kingdom | None = None
    sure: bool = False
    boxes: int = 1


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
    heads = [reading for group in order if (reading := readings[group[0]])]
    pictures = [
        Picture(one.picture, tuple(kingdom.kingdom for kingdom in one.result.kingdoms))
        for one in heads
    ]
    for first, second in saved_again(pictures):
        if order[first] and order[second]:
            order[first] += order[second]
            order[second] = []
    return [sorted(group) for group in order if group]


def saved_again(pictures: Sequence[Picture]) -> Iterator[tuple[int, int]]:
    """Pairs of pictures that are one, saved again, by their indices."""
    for (first, left), (second, right) in combinations(enumerate(pictures[:MOST_PICTURES]), 2):
        bits = different_bits(left.fingerprint, right.fingerprint)
        if bits <= SAME_BITS and _is_alike(left.kingdoms, right.kingdoms):
            yield first, second


def _is_alike(left: Sequence[Kingdom], right: Sequence[Kingdom]) -> bool:
    """Whether two photos show the same kingdoms, turned or not, or nothing was read of either."""
    if len(left) != len(right):
        return False
    return all(one.same_up_to_turns(other) for one, other in zip(left, right, strict=True))


def kingdom_clashes(laid: Sequence[LineKingdom]) -> Iterator[tuple[int, int]]:
    """Pairs of lines of different players that have one kingdom, however turned, in two photos."""
    alike: defaultdict[str, list[int]] = defaultdict(list)
    for index, one in enumerate(laid):
        if one.kingdom is not None and len(one.kingdom.squares()) >= LEAST_SQUARES:
            alike[_turned_least(one.kingdom)].append(index)
    for indices in alike.values():
        for first, second in combinations(indices, 2):
            left, right = laid[first], laid[second]
            if left.player and right.player and left.photo != right.photo:
                yield first, second


@lru_cache(maxsize=4_096)
def _turned_least(kingdom: Kingdom) -> str:
    """A kingdom line that is the same however the kingdom is turned."""
    return min(str(kingdom.trimmed().turned(quarters)) for quarters in range(4))


def domino_clashes(laid: Sequence[LineKingdom]) -> Iterator[DominoClash]:
    """Dominoes that the kingdoms of a game hold more often than its boxes.

    A photo of several kingdoms is a game of its own where its lines name none; its kingdoms were
    read together, with one deck.
    """
    count = Counter(one.photo for one in laid)
    games: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for index, one in enumerate(laid):
        _, game = one.place
        alone = count[one.photo] > 1 and not game
        if one.kingdom is not None and one.sure and any(one.place) and not alone:
            games[one.place].append(index)
    for indices in games.values():
        if len({laid[index].photo for index in indices}) < 2:
            continue
        kingdoms = [kingdom for index in indices if (kingdom := laid[index].kingdom)]
        boxes = max(laid[index].boxes for index in indices)
        for shared in shared_dominoes(kingdoms, boxes):
            owners = tuple(dict.fromkeys(indices[place] for place, _ in shared.places))
            left, right = shared.face
            dominoes = f"{'/'.join(map(str, shared.numbers))} ({left} {right})"
            yield DominoClash(owners, dominoes, shared.most)
