"""Who won: ranks of a game with ties, and sums over several games (RULES 3.4, 4)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from kdvision.rules.scoring import ScoreSheet

_T = TypeVar("_T")

#: How many games a Dynasty has (RULES 3.4).
DYNASTY_GAMES = 3


class TieRule(StrEnum):
    """What breaks a tie of totals (RULES 4). The texts agree on all but the crowns."""

    #: The largest territory, then most crowns (texts 003 and 004). The default.
    CROWNS = "crowns"
    #: The largest territory alone (text 001).
    TERRITORY = "territory"

    @property
    def sentence(self) -> str:
        """The rule in a sentence, to print below a table."""
        crowns = "; then most crowns" if self is TieRule.CROWNS else ""
        return f"Ties: the largest territory, crowned or not{crowns}; then a shared rank."


@dataclass(frozen=True, slots=True)
class Result:
    """What one player has at the end of a game.

    `largest` are the squares of the largest territory, `crowns` those of the whole kingdom; None
    where they are not known, as when only a total was written down.
    """

    player: str
    total: int
    largest: int | None = None
    crowns: int | None = None


def result_of(player: str, sheet: ScoreSheet) -> Result:
    """The result of a scored kingdom."""
    largest = max((territory.squares for territory in sheet.territories), default=0)
    crowns = sum(territory.crowns for territory in sheet.territories)
    return Result(player, sheet.total, largest, crowns)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A result with its rank.

    `shared` says whether others have the same rank. `note` says what broke a tie of totals, or
    why none could; empty where the total stands alone.
    """

    rank: int
    result: Result
    shared: bool
    note: str


@dataclass(frozen=True, slots=True)
class GameStanding:
    """One game by name, with its players ranked; `round` is empty where there are no rounds."""

    game: str
    ranked: tuple[Ranked, ...]
    round: str = ""

    @property
    def title(self) -> str:
        """`Game A`, `Round 2`, or `Round 2, game A`."""
        if not self.round:
            return f"Game {self.game}"
        return f"Round {self.round}, game {self.game}" if self.game else f"Round {self.round}"

    @property
    def winners(self) -> tuple[str, ...]:
        """Who won; several share the victory (RULES 4)."""
        return tuple(entry.result.player for entry in self.ranked if entry.rank == 1)


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of a player over several games."""

    rank: int
    player: str
    total: int
    games: tuple[int, ...]
    shared: bool


def ranking(results: Iterable[Result], tie_rule: TieRule = TieRule.CROWNS) -> tuple[Ranked, ...]:
    """Rank the players of one game, best first.

    Equal players share a rank, and the ranks after it are left out: 1, 1, 3 (RULES 4).
    """
    ranked: list[Ranked] = []
    for level in _levels(list(results), lambda result: result.total):
        for group, note in _broken(level, tie_rule):
            rank = len(ranked) + 1
            ranked.extend(Ranked(rank, result, len(group) > 1, note) for result in group)
    return tuple(ranked)


def totals(games: Sequence[Sequence[Result]]) -> tuple[Total, ...]:
    """Sum the totals of players over games, best first.

    The texts break no tie of sums, so equal sums share a rank. A player may miss games.
    """
    played: dict[str, list[int]] = {}
    for game in games:
        for result in game:
            played.setdefault(result.player, []).append(result.total)
    found: list[Total] = []
    for group in _levels(list(played), lambda player: sum(played[player])):
        rank = len(found) + 1
        for player in group:
            scores = tuple(played[player])
            found.append(Total(rank, player, sum(scores), scores, len(group) > 1))
    return tuple(found)


def dynasty(games: Sequence[Sequence[Result]]) -> tuple[Total, ...]:
    """The Dynasty variant: three games, the highest sum wins (RULES 3.4).

    Raises:
        ValueError: The games are no Dynasty, see `is_dynasty`.
    """
    if not is_dynasty(games):
        raise ValueError(f"A Dynasty is {DYNASTY_GAMES} games of the same players.")
    return totals(games)


def is_dynasty(games: Sequence[Sequence[Result]]) -> bool:
    """Whether the games can be a Dynasty: three, with the same players in each."""
    tables = {frozenset(result.player for result in game) for game in games}
    return len(games) == DYNASTY_GAMES and len(tables) == 1


def dynasties(games: Sequence[Sequence[Result]]) -> tuple[tuple[Total, ...], ...]:
    """The Dynasties among many games: wherever the same players met in three (RULES 3.4)."""
    tables: dict[frozenset[str], list[Sequence[Result]]] = {}
    for game in games:
        tables.setdefault(frozenset(result.player for result in game), []).append(game)
    return tuple(dynasty(table) for table in tables.values() if is_dynasty(table))


def _levels(entries: list[_T], key: Callable[[_T], int]) -> list[list[_T]]:
    """The entries in groups of equal key, highest first, in their order within a group."""
    groups: dict[int, list[_T]] = {}
    for entry in entries:
        groups.setdefault(key(entry), []).append(entry)
    return [groups[value] for value in sorted(groups, reverse=True)]


#: A group of equal players, and what became of their tie.
_Group = tuple[list[Result], str]


def _broken(level: list[Result], tie_rule: TieRule) -> list[_Group]:
    """Break the tie of players with one total; the better group first."""
    if len(level) == 1:
        return [(level, "")]
    tie = f"tie at {level[0].total}"
    largest = {id(result): result.largest for result in level if result.largest is not None}
    if len(largest) < len(level):
        return [(level, f"{tie}, shared: not every largest territory is known")]
    broken: list[_Group] = []
    for group in _levels(level, lambda result: largest[id(result)]):
        note = f"{tie}: largest territory {_count(largest[id(group[0])], 'square')}"
        if len(group) == 1:
            broken.append((group, note))
        elif tie_rule is TieRule.TERRITORY:
            broken.append((group, f"{note}, shared"))
        else:
            broken.extend(_broken_by_crowns(group, note))
    return broken


def _broken_by_crowns(group: list[Result], note: str) -> list[_Group]:
    """Break the tie of players whose largest territories are alike as well."""
    crowns = {id(result): result.crowns for result in group if result.crowns is not None}
    if len(crowns) < len(group):
        return [(group, f"{note}, shared: not every number of crowns is known")]
    return [
        (
            equal,
            f"{note}, {_count(crowns[id(equal[0])], 'crown')}"
            + (", shared" if len(equal) > 1 else ""),
        )
        for equal in _levels(group, lambda result: crowns[id(result)])
    ]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
