"""Whose kingdom it is: a kingdom has one owner, a photo one table, a domino one kingdom.

Lines that name one photo are assigned to its kingdoms one to one. Photos, kingdoms and dominoes
that two lines cannot both have are found here; what that means is left to a person, as cheats and
mix-ups look alike.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import cache, lru_cache
from itertools import combinations

from msgspec import Struct

from kdvision.pipeline.settings import PIPELINE
from kdvision.result import KingdomResult, Status
from kdvision.rules.cover import shared_dominoes
from kdvision.rules.kingdom import Kingdom
from kdvision.tournament.batch.identity import SAME_BITS, different_bits

#: More kingdoms or lines of one photo are not assigned: the search grows with 2 to the number of
#: kingdoms, and a photo of a table shows at most eight.
MOST_ASSIGNED = 12
#: Kingdoms of fewer squares are not compared: four dominoes can lie alike by chance.
LEAST_SQUARES = 10
#: Pictures are compared pair by pair up to this number, which takes a second.
MOST_PICTURES = 2_000


# ---------------------------------------------------------------------- the kingdoms of a photo


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


def fit_of(claimed: int | None, kingdom: KingdomResult) -> Fit:
    """Return how well a kingdom explains a claim.

    A doubtful reading leaves room for a claim that is among its totals, and for any claim when its
    totals leave too much open, as they do where none is likely enough to be named.
    """
    if claimed is None:
        return Fit.POSSIBLE
    if kingdom.status is Status.SURE:
        return Fit.EXPLAINED if kingdom.score == claimed else Fit.UNEXPLAINED
    chances = chances_of(kingdom)
    is_possible = claimed in chances or sum(chances.values()) < PIPELINE.sure_from
    return Fit.POSSIBLE if is_possible else Fit.UNEXPLAINED


def chances_of(kingdom: KingdomResult) -> dict[int | None, float]:
    """Return the probability of every total that is listed; nothing where none can be named."""
    if not kingdom.scored:
        return {}
    listed: defaultdict[int | None, float] = defaultdict(float)
    listed[kingdom.score] = kingdom.probability
    for other in kingdom.alternatives:
        listed[other.score] += other.probability
    return listed


def best_kingdoms(fits: Sequence[Sequence[Fit]]) -> list[frozenset[int | None]]:
    """Return for every line the kingdoms that it has in some best assignment.

    What a line has in every best assignment is known; where they disagree, it is open.

    Args:
        fits: `fits[line][kingdom]`; all lines have the same number of kingdoms.

    Returns:
        Indices of kingdoms for every line; None among them where it may have no kingdom, which
        happens only where there are more lines than kingdoms.
    """
    kingdoms = len(fits[0]) if fits else 0
    if max(kingdoms, len(fits)) > MOST_ASSIGNED:
        return [frozenset((*range(kingdoms), None)) for _ in fits]

    @cache
    def best(line: int, taken: int) -> tuple[int, tuple[frozenset[int | None], ...]]:
        """The best sum from a line on, `taken` as bits, and what each line has where it is won."""
        if line == len(fits):
            return 0, ()
        free: list[int | None] = [n for n in range(kingdoms) if not taken >> n & 1]
        ways = []
        for own in free + [None] * (len(fits) - line > len(free)):
            fit, bit = (0, 0) if own is None else (int(fits[line][own]), 1 << own)
            worth, others = best(line + 1, taken | bit)
            ways.append((fit + worth, (frozenset([own]), *others)))
        most = max(worth for worth, _ in ways)
        winners = [owned for worth, owned in ways if worth == most]
        return most, tuple(frozenset().union(*owned) for owned in zip(*winners, strict=True))

    return list(best(0, 0)[1])


def accounted_for(
    fits: Sequence[Sequence[Fit]], options: Sequence[frozenset[int | None]]
) -> list[bool]:
    """Tell for every line whether all its `best_kingdoms` may explain it.

    Claims say whose kingdom is whose only where all lines are accounted for. Where one claim is
    wrong, another may be as well: of the totals 46 and 54, claimed as 54 and 50, the claim of 54
    need not be that of the player who has 54.
    """
    return [
        all(kingdom is not None and row[kingdom] is not Fit.UNEXPLAINED for kingdom in own)
        for row, own in zip(fits, options, strict=True)
    ]


# ---------------------------------------------------------------------- several photos


class OwnedKingdom(Struct, frozen=True, kw_only=True):
    """The kingdom of a line, to be compared with those of other lines.

    Attributes:
        photo: What names the photo: its digest, or its name where that is not known.
        player: Whose it is; empty where that is not known.
        place: The round and the game, each empty where it is not known.
        kingdom: What was read; None where nothing was.
        sure: Whether the reading is sure.
    """

    photo: str
    player: str = ""
    place: tuple[str, str] = ("", "")
    kingdom: Kingdom | None = None
    sure: bool = False


def pictures_saved_again(
    pictures: Sequence[tuple[str, Sequence[Kingdom]]],
) -> Iterator[tuple[int, int]]:
    """Yield pairs of pictures that are one, saved again, by their indices.

    Each is given by its fingerprint and all kingdoms that were read.
    """
    for (first, left), (second, right) in combinations(enumerate(pictures[:MOST_PICTURES]), 2):
        if different_bits(left[0], right[0]) <= SAME_BITS and len(left[1]) == len(right[1]):
            pairs = zip(left[1], right[1], strict=True)
            if all(kingdom.same_up_to_turns(other) for kingdom, other in pairs):
                yield first, second


def kingdom_clashes(owned: Sequence[OwnedKingdom]) -> Iterator[tuple[int, int]]:
    """Yield pairs of lines, by index, that have one kingdom, turned or not, in two photos."""
    alike: defaultdict[str, list[int]] = defaultdict(list)
    for index, own in enumerate(owned):
        if own.kingdom is not None and own.player and len(own.kingdom.squares()) >= LEAST_SQUARES:
            alike[_turned_least(own.kingdom)].append(index)
    for indices in alike.values():
        for first, second in combinations(indices, 2):
            if owned[first].photo != owned[second].photo:
                yield first, second


@lru_cache(maxsize=4_096)
def _turned_least(kingdom: Kingdom) -> str:
    """Return a kingdom line that is the same for all four rotations."""
    return min(str(kingdom.trimmed().turned(quarters)) for quarters in range(4))


def domino_clashes(owned: Sequence[OwnedKingdom]) -> Iterator[tuple[tuple[int, ...], str, int]]:
    """Yield dominoes that the kingdoms of a game hold more often than its box.

    A photo of several kingdoms is a game of its own where its lines name none; its kingdoms were
    read together, with one deck. Yields the indices of the lines, the domino (`48 (M3 W)`), and how
    often the box has it.
    """
    lines_of_photo = Counter(own.photo for own in owned)
    games: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for index, own in enumerate(owned):
        is_game = lines_of_photo[own.photo] > 1 and not own.place[1]
        if own.kingdom is not None and own.sure and any(own.place) and not is_game:
            games[own.place].append(index)
    for indices in games.values():
        if len({owned[index].photo for index in indices}) < 2:
            continue
        kingdoms = [kingdom for index in indices if (kingdom := owned[index].kingdom)]
        for shared in shared_dominoes(kingdoms):
            owners = tuple(dict.fromkeys(indices[place] for place, _ in shared.places))
            left, right = shared.face
            domino = f"{'/'.join(map(str, shared.numbers))} ({left} {right})"
            yield owners, domino, shared.most
