"""Who won: ranks of a game with ties, and sums over several games (RULES 3.4, 4).

>>> results = [Result("Ann", 40, largest=6, crowns=7), Result("Bob", 40, largest=6, crowns=9)]
>>> [(entry.rank, entry.result.player) for entry in ranking(results)]
[(1, 'Bob'), (2, 'Ann')]
>>> [entry.rank for entry in ranking(results, "territory")]
[1, 1]
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from kdvision.rules.errors import check_each, check_type, choose
from kdvision.rules.scoring import ScoreSheet

#: The number of games of a Dynasty (RULES 3.4).
DYNASTY_GAMES = 3


class TieRule(StrEnum):
    """What breaks a tie of totals (RULES 4). The texts agree on all but the crowns."""

    #: The largest territory, then most crowns (texts 003 and 004). The default.
    CROWNS = "crowns"
    #: The largest territory alone (text 001).
    TERRITORY = "territory"


@dataclass(frozen=True, slots=True)
class Result:
    """What one player has at the end of a game.

    `largest` are the squares of the largest territory, `crowns` those of the whole kingdom; None
    where they are not known, as when only a total was written down.

    Raises:
        RulesError: The player is no text, or a number no whole number.
    """

    player: str
    total: int
    largest: int | None = None
    crowns: int | None = None

    def __post_init__(self) -> None:
        check_type(self.player, str, 'name of a player; give such as "Ann"')
        check_type(self.total, int, "whole number; a total is one")  # nan would have any rank
        check_each((self.largest, self.crowns), int | None, "number of squares or crowns")


def result_of(player: str, sheet: ScoreSheet) -> Result:
    """Return the result of a scored kingdom."""
    check_type(sheet, ScoreSheet, "score sheet; give what score gave")
    largest = max((territory.squares for territory in sheet.territories), default=0)
    crowns = sum(territory.crowns for territory in sheet.territories)
    return Result(player, sheet.total, largest, crowns)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A result with its rank.

    `rank` is the best rank that the player can have, `worst` the worst one. They differ where a
    tie hangs on numbers that are not known: the rank is open then, and not shared (RULES 4).
    `shared` says whether others are known to have the same rank. `note` says what broke a tie of
    totals, or why none could; empty where the total stands alone. `open` says whether the total
    itself may still change.
    """

    rank: int
    result: Result
    shared: bool
    note: str
    worst: int
    open: bool = False

    @property
    def is_open(self) -> bool:
        """Whether more than one rank is possible."""
        return self.rank != self.worst


@dataclass(frozen=True, slots=True)
class GameStanding:
    """One game by name, with its players ranked; `round` is empty where there are no rounds.

    Raises:
        RulesError: `ranked` is not what `ranking` gave.
    """

    game: str
    ranked: tuple[Ranked, ...]
    round: str = ""

    def __post_init__(self) -> None:
        check_each(self.ranked, Ranked, "ranked result; give what ranking gave")

    @property
    def winners(self) -> tuple[str, ...]:
        """Who is known to have won; several share the victory (RULES 4). None if it is open."""
        return tuple(entry.result.player for entry in self.ranked if entry.worst == 1)

    @property
    def contenders(self) -> tuple[str, ...]:
        """Who can have won, as far as is known: the winners, or all whose first rank is open."""
        return tuple(entry.result.player for entry in self.ranked if entry.rank == 1)


def ranking(
    results: Iterable[Result],
    tie_rule: TieRule | str = TieRule.CROWNS,
    doubtful: Mapping[str, Collection[int]] | None = None,
) -> tuple[Ranked, ...]:
    """Rank the players of one game, best first.

    Equal players share a rank, and the ranks after it are left out: 1, 1, 3 (RULES 4). What is
    not known breaks no tie and shares none: such ranks are open, the others stand.

    Args:
        results: What the players have.
        tie_rule: What breaks ties: a `TieRule` or its name.
        doubtful: The players whose totals are not sure, with the other totals that each may have;
            none where it may be any. Ranks that these would change are open.

    Raises:
        RulesError: There is no such rule for ties, or something is no result.
    """
    rule = choose(TieRule, tie_rule, "rule for ties")
    results = check_each(results, Result, 'result; give such as Result("Ann", 40)')
    check_type(doubtful, Mapping | None, 'mapping of doubtful totals; give {"Ann": [38, 42]}')
    ranked: list[Ranked] = []
    for total in sorted({result.total for result in results}, reverse=True):
        level = [result for result in results if result.total == total]
        entries = [_rank(result, level, len(ranked), rule) for result in level]
        ranked.extend(sorted(entries, key=lambda entry: (entry.rank, entry.worst)))
    return tuple(_widen(entry, ranked, doubtful or {}, rule) for entry in ranked)


def _widen(
    entry: Ranked,
    ranked: Sequence[Ranked],
    doubtful: Mapping[str, Collection[int]],
    tie_rule: TieRule,
) -> Ranked:
    """Return the entry with the ranks that doubtful totals make possible as well."""
    rank, worst = entry.rank, entry.worst
    for rival in ranked:
        if rival is not entry and _may_pass(entry.result, rival.result, doubtful):
            order = _rank_pair(entry.result, rival.result, tie_rule)
            rank -= order == -1
            worst += order in (0, 1)  # Where it is open anyhow, both ranks are counted already.
    return replace(entry, rank=rank, worst=worst, shared=entry.shared and rank == worst)


def _may_pass(result: Result, rival: Result, doubtful: Mapping[str, Collection[int]]) -> bool:
    """Return whether the order of two results hangs on totals that are not sure."""
    pair = result, rival
    open_totals = [doubtful[entry.player] for entry in pair if entry.player in doubtful]
    if not all(open_totals):
        return True
    totals, rival_totals = ({*doubtful.get(entry.player, ()), entry.total} for entry in pair)
    overlap = min(totals) <= max(rival_totals) and min(rival_totals) <= max(totals)
    return bool(open_totals) and overlap


def _rank(result: Result, level: list[Result], before: int, tie_rule: TieRule) -> Ranked:
    """Rank one of the players with one total; `before` players have a higher one."""
    rivals = [rival for rival in level if rival is not result]
    orders = [_rank_pair(result, rival, tie_rule) for rival in rivals]
    rank, shared = 1 + before + orders.count(-1), 0 in orders
    note = _explain_tie(result, rivals, tie_rule, shared=shared) if rivals else ""
    return Ranked(rank, result, shared, note, rank + orders.count(None))


def _tie_facts(result: Result, tie_rule: TieRule) -> dict[str, int | None]:
    """Return what breaks a tie of totals, in this order; None where it is not known (RULES 4)."""
    crowns = {"crowns": result.crowns} if tie_rule is TieRule.CROWNS else {}
    return {"largest territory": result.largest, **crowns}


def _rank_pair(result: Result, rival: Result, tie_rule: TieRule) -> int | None:
    """Return 1 where the first of two results is better, -1, 0, or None where it is open."""
    if result.total != rival.total:
        return 1 if result.total > rival.total else -1
    pairs = zip(*(_tie_facts(result, tie_rule).values() for result in (result, rival)), strict=True)
    for value, rival_value in pairs:
        if value is None or rival_value is None:
            return None
        if value != rival_value:
            return 1 if value > rival_value else -1
    return 0


def _explain_tie(result: Result, rivals: list[Result], tie_rule: TieRule, *, shared: bool) -> str:
    """Say what a tie of totals came down to, and what is missing where it is open."""
    words: list[str] = []
    for name, value in _tie_facts(result, tie_rule).items():
        rival_values = [_tie_facts(rival, tie_rule)[name] for rival in rivals]
        words.append(f"{name} {'unknown' if value is None else value}")
        if None in (value, *rival_values):
            words += ["open"] if value is None else ["another unknown", "open"]
            break
        pairs = zip(rivals, rival_values, strict=True)
        rivals = [rival for rival, rival_value in pairs if rival_value == value]
        if not rivals:
            break
    return f"tie at {result.total}: {', '.join([*words, *['shared'] * shared])}"


# ---------------------------------------------------------------------- several games


class By(StrEnum):
    """What decides over several games."""

    #: The sum of the totals, as in a Dynasty (RULES 3.4).
    SUM = "sum"
    #: Victories; a shared one is divided.
    WINS = "wins"
    #: As many points for the first as the game has players, one fewer for each place below; players
    #: who share a place share the points of the places that they take.
    PLACES = "places"
    #: The best total of a player, as text 000 has the Dynasty (RULES 8).
    BEST = "best"


#: What is decided by totals, which are known although ranks may be open, and has no tie-breaker.
_OF_TOTALS = (By.SUM, By.BEST)


class TieBreak(StrEnum):
    """What breaks a tie over several games."""

    #: Most victories; a shared one is divided.
    WINS = "wins"
    #: The largest territory of any game.
    LARGEST = "largest"
    #: Most crowns in all games together.
    CROWNS = "crowns"


#: What a note calls that by which a tie is broken.
_NOTED = {
    TieBreak.WINS: "victories",
    TieBreak.LARGEST: "largest territory",
    TieBreak.CROWNS: "crowns",
}
#: What several games are given as.
_GAME = 'game; give such as GameStanding("1", ranking(results))'
#: Round, game and player.
GamePlayer = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Sum:
    """What a player has over several games.

    Attributes:
        rank: Equal players share it.
        player: Who.
        points: Victories, points by place, the sum or the best of the totals.
        totals: Those of the games.
        shared: Whether others have the same rank.
        open: Whether a game of this player is not decided, or has a doubtful total.
        note: What broke a tie, or why none of the tie-breaks could; empty where none was asked.
    """

    rank: int
    player: str
    points: Fraction
    totals: tuple[int, ...]
    shared: bool
    open: bool
    note: str = ""

    @property
    def total(self) -> int:
        """The sum of the totals."""
        return sum(self.totals)


def sums(
    games: Sequence[GameStanding],
    by: By | str = By.SUM,
    doubtful: Collection[GamePlayer] = (),
    ties: Sequence[TieBreak | str] = (),
) -> tuple[Sum, ...]:
    """Rank players over several games, best first; a player may miss games.

    The texts break no tie of sums, so equal sums share a rank unless `ties` says what breaks them.

    Args:
        games: The games, ranked.
        by: What decides: a `By` or its name.
        doubtful: Round, game and player of the totals that are not sure.
        ties: What breaks ties, in this order: each a `TieBreak` or its name.

    Raises:
        RulesError: There is no such way to decide, or to break ties.
    """
    games = check_each(games, GameStanding, _GAME)
    tie_breaks = [choose(TieBreak, tie, "tie-break") for tie in check_each(ties, str, "tie-break")]
    by = choose(By, by, "way to decide over several games")
    doubtful = check_each(doubtful, tuple, "doubtful total; give (round, game, player)")
    # What each player has of each game, and whose result is open.
    points: dict[str, list[Fraction]] = {}
    totals: dict[str, list[int]] = {}
    unknown: set[str] = set()
    for game in games:
        for entry in game.ranked:
            player = entry.result.player
            points.setdefault(player, []).append(_count_points(entry, game, by))
            totals.setdefault(player, []).append(entry.result.total)
            is_open = entry.is_open and by not in _OF_TOTALS
            if is_open or (game.round, game.game, player) in doubtful:
                unknown.add(player)
    # Players are ranked by what decides, then by the sum of totals.
    worth = {
        player: (
            max(earned) if by is By.BEST else sum(earned, Fraction()),
            0 if by in _OF_TOTALS else sum(totals[player]),
        )
        for player, earned in points.items()
    }
    # Equal players are parted by the tie-breaks, or share a rank.
    ranked: list[Sum] = []
    for level in sorted({*worth.values()}, reverse=True):
        tied = [player for player in worth if worth[player] == level]
        note = f"tie at {points_text(level[0])}" if tie_breaks and len(tied) > 1 else ""
        for group, why in _break_tie(tied, note, tie_breaks, games, doubtful):
            rank = len(ranked) + 1
            ranked += [
                Sum(
                    rank=rank,
                    player=player,
                    points=level[0],
                    totals=tuple(totals[player]),
                    shared=len(group) > 1,
                    open=player in unknown,
                    note=why,
                )
                for player in group
            ]
    return tuple(ranked)


def _break_tie(
    tied: Sequence[str],
    note: str,
    ties: Sequence[TieBreak],
    games: Sequence[GameStanding],
    doubtful: Collection[GamePlayer],
) -> Iterator[tuple[list[str], str]]:
    """Yield the groups of a tie that stay tied, best first, each with what there is to say.

    A value that is not known leaves the tie as it is.
    """
    if len(tied) == 1 or not ties:
        yield list(tied), f"{note}, shared" if len(tied) > 1 and note else note
        return
    tie, *further_ties = ties
    before = f"{note}, " if ":" in note else f"{note}: "
    values = {player: _tie_value(tie, player, games, doubtful) for player in tied}
    levels = {value for value in values.values() if value is not None}
    if None in values.values():
        yield list(tied), f"{note}, stays: {_NOTED[tie]} unknown"
        return
    for value in sorted(levels, reverse=True):
        group = [player for player in tied if values[player] == value]
        why = f"{before}{_NOTED[tie]} {points_text(value)}"
        yield from _break_tie(group, why, further_ties, games, doubtful)


def _tie_value(
    tie: TieBreak, player: str, games: Sequence[GameStanding], doubtful: Collection[GamePlayer]
) -> Fraction | None:
    """Return what a tie-break counts for a player; None where it is not known."""
    counts = []
    for game in games:
        for entry in game.ranked:
            if entry.result.player != player:
                continue
            if tie is TieBreak.WINS:
                unknown = entry.is_open and entry.rank == 1
                count: Fraction | int | None = _count_points(entry, game, By.WINS)
            else:
                unknown = (game.round, game.game, player) in doubtful
                count = getattr(entry.result, tie.value)
            if unknown or count is None:
                return None
            counts.append(Fraction(count))
    return max(counts) if tie is TieBreak.LARGEST else sum(counts, Fraction())


def _count_points(entry: Ranked, game: GameStanding, by: By) -> Fraction:
    """Return what one game is worth; an open rank is the middle of those that are possible."""
    if by in _OF_TOTALS:
        return Fraction(entry.result.total)
    if by is By.WINS:
        won = entry.result.player in game.winners
        return Fraction(1, len(game.winners)) if won else Fraction()
    players = len(game.ranked)
    equal = sum(rival.rank == entry.rank for rival in game.ranked) if entry.shared else 1
    last = max(entry.worst, entry.rank + equal - 1)
    places = range(entry.rank, last + 1)
    return Fraction(sum(players - place + 1 for place in places), len(places))


def is_dynasty(games: Sequence[GameStanding]) -> bool:
    """Return whether games can be a Dynasty: three, with the same players (RULES 3.4)."""
    games = check_each(games, GameStanding, _GAME)
    return len(games) == DYNASTY_GAMES and len({_players(game) for game in games}) == 1


def dynasties(games: Sequence[GameStanding], by: By | str = By.SUM) -> tuple[tuple[Sum, ...], ...]:
    """Return the Dynasties among games: wherever the same players met in three (RULES 3.4)."""
    tables: dict[frozenset[str], list[GameStanding]] = {}
    for game in check_each(games, GameStanding, _GAME):
        tables.setdefault(_players(game), []).append(game)
    return tuple(sums(table, by) for table in tables.values() if is_dynasty(table))


def _players(game: GameStanding) -> frozenset[str]:
    return frozenset(entry.result.player for entry in game.ranked)


def points_text(points: Fraction) -> str:
    """Return points as people write them: `3`, `2.5`, `1.33`."""
    return str(points.numerator) if points.denominator == 1 else f"{float(points):.2f}".rstrip("0")
