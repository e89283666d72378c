"""Who won: ranks of a game with ties, and sums over several games (RULES 3.4, 4)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
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

    `rank` is the best rank that the player can have, `worst` the worst one. They differ where a
    tie hangs on numbers that are not known: the rank is open then, and not shared (RULES 4).
    `shared` says whether others are known to have the same rank. `note` says what broke a tie of
    totals, or why none could; empty where the total stands alone.
    """

    rank: int
    result: Result
    shared: bool
    note: str
    worst: int

    @property
    def is_open(self) -> bool:
        """Whether more than one rank is possible."""
        return self.rank != self.worst


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
        """Who is known to have won; several share the victory (RULES 4). None if it is open."""
        return tuple(entry.result.player for entry in self.ranked if entry.worst == 1)

    @property
    def contenders(self) -> tuple[str, ...]:
        """Who can have won, as far as is known: the winners, or all whose first rank is open."""
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

    Equal players share a rank, and the ranks after it are left out: 1, 1, 3 (RULES 4). What is
    not known breaks no tie and shares none: such ranks are open, the others stand.
    """
    ranked: list[Ranked] = []
    for level in _levels(list(results), lambda result: result.total):
        before = len(ranked)
        entries = [_ranked(result, level, before, tie_rule) for result in level]
        ranked.extend(sorted(entries, key=lambda entry: (entry.rank, entry.worst)))
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


class _Order(Enum):
    """How two results of one total compare."""

    BETTER = 1
    WORSE = 2
    EQUAL = 3
    UNKNOWN = 4


def _ranked(result: Result, level: list[Result], before: int, tie_rule: TieRule) -> Ranked:
    """Rank one of the players with one total; `before` players have a higher one."""
    others = [other for other in level if other is not result]
    orders = [_order(result, other, tie_rule) for other in others]
    rank = 1 + before + orders.count(_Order.WORSE)
    unknown = orders.count(_Order.UNKNOWN)
    shared = _Order.EQUAL in orders
    note = _note(result, others, tie_rule, shared=shared) if others else ""
    return Ranked(rank, result, shared, note, rank + unknown)


def _order(one: Result, other: Result, tie_rule: TieRule) -> _Order:
    """Compare two results of one total, as far as their numbers are known (RULES 4)."""
    found = _compared(one.largest, other.largest)
    if found is _Order.EQUAL and tie_rule is TieRule.CROWNS:
        return _compared(one.crowns, other.crowns)
    return found


def _compared(one: int | None, other: int | None) -> _Order:
    if one is None or other is None:
        return _Order.UNKNOWN
    if one == other:
        return _Order.EQUAL
    return _Order.BETTER if one > other else _Order.WORSE


def _note(result: Result, others: list[Result], tie_rule: TieRule, *, shared: bool) -> str:
    """What a tie of totals came down to, and what is missing where it is open."""
    tie = f"tie at {result.total}"
    if result.largest is None:
        return f"{tie}, open: not every largest territory is known"
    note = f"{tie}: largest territory {_count(result.largest, 'square')}"
    alike = [other for other in others if other.largest == result.largest]
    if any(other.largest is None for other in others):
        return f"{note}, open: not every largest territory is known"
    if alike and tie_rule is TieRule.CROWNS:
        if result.crowns is not None:
            note += f", {_count(result.crowns, 'crown')}"
        if result.crowns is None or any(other.crowns is None for other in alike):
            return f"{note}, open: not every number of crowns is known"
    return f"{note}, shared" if shared else note


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
