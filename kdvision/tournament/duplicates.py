"""What cannot be at once: one photo for two players, one kingdom twice, one domino in two kingdoms.

Cheats and mix-ups look alike; the sentences name both lines and leave it to a person.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from kdvision.result import Status
from kdvision.rules.cover import SharedDomino, shared_dominoes
from kdvision.rules.kingdom import Kingdom, NotationError
from kdvision.tournament.batch.picture_hash import SAME_BITS, different_bits

#: Kingdoms of fewer squares are not compared: four dominoes can lie alike by chance.
LEAST_SQUARES = 10
#: Pictures are compared pair by pair up to so many, which takes a second.
MOST_PICTURES = 2_000


class Found(Struct, frozen=True):
    """A kingdom in a photo, as one line has it.

    Attributes:
        where: What messages call it: the line, or the photo and the kingdom.
        photo: The name of the photo.
        player: Whose it is; empty where that is not known.
        game: The round and the game, both empty where they are not known.
        kingdom: What was read; None where nothing was.
        sure: Whether the reading is sure.
        digest: Names the bytes of the photo; may be empty.
        picture: The fingerprint of what it shows; may be empty.
        boxes: The boxes that the dominoes of the game come from.
    """

    where: str
    photo: str
    player: str = ""
    game: tuple[str, str] = ("", "")
    kingdom: Kingdom | None = None
    sure: bool = False
    digest: str = ""
    picture: str = ""
    boxes: int = 1


class Clash(Struct, frozen=True):
    """Lines that cannot all be right, by their indices, and why."""

    lines: tuple[int, ...]
    message: str


def clashes(found: Sequence[Found]) -> list[Clash]:
    """Everything that cannot be at once, of all lines of a table."""
    same = [*_same_photos(found)]
    named = {pair for one in same for pair in combinations(one.lines, 2)}
    kingdoms = [one for one in _same_kingdoms(found) if not {*combinations(one.lines, 2)} <= named]
    every = [*same, *kingdoms, *_same_dominoes(found)]
    return [replace(one, message=f"{one.message[:1].upper()}{one.message[1:]}") for one in every]


# ---------------------------------------------------------------------- photos


def _same_photos(found: Sequence[Found]) -> Iterator[Clash]:
    """Photos of different names that are one: by their bytes, or saved again."""
    first: dict[str, int] = {}
    for index, one in enumerate(found):
        first.setdefault(one.photo, index)
    indices = [*first.values()][:MOST_PICTURES]
    for first_one, second in combinations(indices, 2):
        left, right = found[first_one], found[second]
        names = f"{left.where} ({left.photo}) and {right.where} ({right.photo})"
        if left.digest and left.digest == right.digest:
            yield Clash((first_one, second), f"{names} are the same photo.")
        elif different_bits(left.picture, right.picture) <= SAME_BITS and _alike(left, right):
            yield Clash((first_one, second), f"{names} show the same picture, saved again.")


def _alike(one: Found, other: Found) -> bool:
    """Whether two kingdoms are one, turned or not, or nothing was read of either."""
    if one.kingdom is None or other.kingdom is None:
        return one.kingdom is other.kingdom
    return one.kingdom.same_up_to_turns(other.kingdom)


def _same_kingdoms(found: Sequence[Found]) -> Iterator[Clash]:
    """One kingdom, however it is turned, in two photos."""
    alike: defaultdict[str, list[int]] = defaultdict(list)
    for index, one in enumerate(found):
        if one.kingdom is not None and len(one.kingdom.squares()) >= LEAST_SQUARES:
            alike[_turned_least(one.kingdom)].append(index)
    for indices in alike.values():
        for first, second in combinations(indices, 2):
            left, right = found[first], found[second]
            if left.photo != right.photo and left.player and right.player:
                text = f"{left.where} ({left.photo}) and {right.where} ({right.photo})"
                yield Clash((first, second), f"{text} show the same kingdom.")


@lru_cache(maxsize=4_096)
def _turned_least(kingdom: Kingdom) -> str:
    """A kingdom line that is the same however the kingdom is turned."""
    return min(str(kingdom.trimmed().turned(quarters)) for quarters in range(4))


# ---------------------------------------------------------------------- dominoes


def _same_dominoes(found: Sequence[Found]) -> Iterator[Clash]:
    """Dominoes that the kingdoms of a game hold more often than its boxes."""
    games: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    lines = Counter(one.photo for one in found)
    for index, one in enumerate(found):
        # A photo of several kingdoms is a game of its own where its lines name none.
        alone = lines[one.photo] > 1 and not one.game[1]
        if one.kingdom is not None and one.sure and any(one.game) and not alone:
            games[one.game].append(index)
    for indices in games.values():
        # The kingdoms of one photo were read together, with one deck.
        if len({found[index].photo for index in indices}) < 2:
            continue
        kingdoms = [kingdom for index in indices if (kingdom := found[index].kingdom)]
        boxes = max(found[index].boxes for index in indices)
        for shared in shared_dominoes(kingdoms, boxes):
            owners = [*dict.fromkeys(indices[place] for place, _ in shared.places)]
            yield Clash(tuple(owners), _domino_text([found[one] for one in owners], shared))


def _domino_text(found: Sequence[Found], shared: SharedDomino) -> str:
    *others, last = (f"{one.where} ({one.photo})" for one in found)
    which = "domino" if len(shared.numbers) == 1 else "dominoes"
    holds = "once" if shared.most == 1 else f"{shared.most} times"
    left, right = shared.face
    return (
        f"{', '.join(others)} and {last} of one game hold {which} "
        f"{' or '.join(map(str, shared.numbers))} ({left} {right}) more often than its box, "
        f"which has it {holds}."
    )


# ---------------------------------------------------------------------- results


def row_warnings(rows: Iterable[Mapping[str, str]], boxes: int = 1) -> list[str]:
    """What cannot be at once in rows of results that belong to players."""
    found = [_found(row, boxes) for row in rows if row.get("player")]
    return [clash.message for clash in clashes(found)]


def _found(row: Mapping[str, str], boxes: int) -> Found:
    try:
        line = row.get("kingdom_line", "")
        kingdom = Kingdom.parse(line) if line else None
    except NotationError:
        kingdom = None
    letter = f", kingdom {row['kingdom']}" if row.get("kingdom") else ""
    return Found(
        f"{row.get('player', '')}{letter}",
        row.get("photo", ""),
        row.get("player", ""),
        (row.get("round", ""), row.get("game", "")),
        kingdom,
        row.get("status") == Status.SURE.value,
        row.get("key", ""),
        row.get("picture", "").removeprefix("p"),
        boxes,
    )
