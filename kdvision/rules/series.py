"""Who leads over several games: sums, victories, points by place, and Dynasties (RULES 3.4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import inf
from typing import NamedTuple

from kdvision.rules.errors import check_each, choose
from kdvision.rules.standings import (
    GameStanding,
    Number,
    Ranked,
    RankRange,
    Tie,
    TieBreak,
    Worth,
    break_tie,
    find_ranks,
)

#: The number of games of a Dynasty (RULES 3.4).
DYNASTY_GAMES = 3
#: What several games are given as.
_GAME = 'game; give such as GameStanding("1", ranking(results))'


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


#: What is decided by totals alone; all else is decided by the sum of totals where it is equal.
_OF_TOTALS = (By.SUM, By.BEST)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum(RankRange):
    """What a player has over several games.

    Attributes:
        player: Who.
        points: Victories, points by place, the sum or the best of the totals; what is not decided
            counts as the middle of what is possible, a victory or a missing total as none.
        totals: Those of the games; None where one is missing.
        has_open: Whether a game of this player is not decided, or has a doubtful total.
        tie: What a tie came down to; None where there was none, or nothing was to break it.
    """

    player: str
    points: Number
    totals: tuple[int | None, ...]
    has_open: bool
    tie: Tie | None = None

    @property
    def total(self) -> int:
        """The sum of the totals that are known."""
        return sum(total or 0 for total in self.totals)


class _Span(NamedTuple):
    """A number that is not known exactly: the least, the likeliest and the most that it can be."""

    low: Number
    likely: Number
    high: Number

    @property
    def is_open(self) -> bool:
        return self.low != self.high


#: A number of which nothing is known.
_ANY = _Span(-inf, 0, inf)
#: A game, and a player in it.
_Played = tuple[GameStanding, Ranked]


def sums(
    games: Sequence[GameStanding], by: By | str = By.SUM, ties: Sequence[TieBreak | str] = ()
) -> tuple[Sum, ...]:
    """Rank players over several games, best first; a player may miss games.

    The texts break no tie of sums, so equal sums share a rank unless `ties` says what breaks them.
    Ranks that hang on open games are open. By victories and places they may be wider than they
    could be, as every player is looked at alone.

    Args:
        games: The games, ranked.
        by: What decides: a `By` or its name.
        ties: What breaks ties, in this order: each a `TieBreak` or its name.

    Raises:
        RulesError: There is no such way to decide, or to break ties.
    """
    games = check_each(games, GameStanding, _GAME)
    by = choose(By, by, "way to decide over several games")
    breaks = [choose(TieBreak, tie, "tie-break") for tie in check_each(ties, str, "tie-break")]
    played: dict[str, list[_Played]] = {}
    for game in games:
        for entry in game.ranked:
            played.setdefault(entry.result.player, []).append((game, entry))
    # What each player has: first of what decides, then of what breaks ties.
    decided: dict[str, list[_Span]] = {}
    compared: dict[str, list[_Span]] = {}
    for player, entries in played.items():
        decided[player] = _decide(entries, by)
        compared[player] = [_compare(entries, tie) for tie in breaks]
    ranges = find_ranks([_worths([*decided[player], *compared[player]]) for player in played])
    # What is said of each player beside the rank.
    found = []
    for (player, entries), ranks in zip(played.items(), ranges, strict=True):
        totals, is_doubtful = [], False
        for _, entry in entries:
            totals.append(entry.result.total)
            if not entry.result.is_sure:
                is_doubtful = True
        found.append(
            Sum(
                rank=ranks.rank,
                worst=ranks.worst,
                equals=ranks.equals,
                player=player,
                points=decided[player][0].likely,
                totals=tuple(totals),
                has_open=is_doubtful or decided[player][0].is_open,
                tie=_find_tie(player, decided, compared, breaks),
            )
        )
    return tuple(sorted(found, key=lambda entry: _order(entry, decided[entry.player])))


def _order(entry: Sum, decided: Sequence[_Span]) -> tuple[Worth, int, int]:
    """Return by what players are listed."""
    return tuple(-span.likely for span in decided), entry.rank, entry.worst


def _worths(spans: Sequence[_Span]) -> tuple[Worth, Worth]:
    """Return the worst and the best that a player can be worth."""
    lows, _, highs = zip(*spans, strict=True)
    return lows, highs


def _decide(entries: Sequence[_Played], by: By) -> list[_Span]:
    """Return what decides for a player: points, then the sum of totals where they are others."""
    points = [_count_points(entry, game, by) for game, entry in entries]
    if by is By.BEST:
        lows, likely, highs = zip(*points, strict=True)
        return [_Span(max(lows), max(likely), max(highs))]
    if by is By.SUM:
        return [_add(points)]
    return [_add(points), _add([_total(entry) for _, entry in entries])]


def _add(spans: Sequence[_Span]) -> _Span:
    """Return the sum of numbers that are not known exactly."""
    lows, likely, highs = zip(*spans, strict=True)
    return _Span(sum(lows), sum(likely), sum(highs))


def _total(entry: Ranked) -> _Span:
    """Return the total of one game; one that is missing counts as 0 where it must be a number."""
    low, high = entry.result.range
    return _Span(low, entry.result.total or 0, high)


def _count_points(entry: Ranked, game: GameStanding, by: By) -> _Span:
    """Return what one game is worth to a player."""
    if by in _OF_TOTALS:
        return _total(entry)
    if by is By.WINS:
        least = _divide_victory(entry.worst, entry.equals[1])
        return _Span(least, least, _divide_victory(entry.rank, entry.equals[0]))
    players = len(game.ranked)
    least = _share_points(players, entry.worst, entry.equals[1])
    most = _share_points(players, entry.rank, entry.equals[0])
    return _Span(least, (least + most) / 2, most)


def _divide_victory(rank: int, equals: int) -> Fraction:
    """Return the part of a victory that a player has, with a number of equal ones."""
    return Fraction(1, 1 + equals) if rank == 1 else Fraction()


def _share_points(players: int, rank: int, equals: int) -> Fraction:
    """Return the points of a place: the mean of those that equal players take together."""
    return players - rank + 1 - Fraction(equals, 2)


# ---------------------------------------------------------------------- ties


def _compare(entries: Sequence[_Played], tie: TieBreak) -> _Span:
    """Return what a player has of a tie-break; what a doubtful reading shows is not known."""
    if tie is TieBreak.WINS:
        return _add([_count_points(entry, game, By.WINS) for game, entry in entries])
    numbers: list[int] = []
    for _, entry in entries:
        number: int | None = getattr(entry.result, tie)
        if number is None or not entry.result.is_sure:
            return _ANY
        numbers.append(number)
    known = max(numbers) if tie is TieBreak.LARGEST else sum(numbers)
    return _Span(known, known, known)


def _find_tie(
    player: str,
    decided: dict[str, list[_Span]],
    compared: dict[str, list[_Span]],
    breaks: Sequence[TieBreak],
) -> Tie | None:
    """Return what a tie came down to; None where there is none, or nothing was to break it."""
    own = decided[player]
    if not breaks or any(span.is_open for span in own):
        return None
    rivals = []
    for rival, spans in decided.items():
        if rival != player and spans == own:
            rivals.append(_known(compared[rival]))
    if not rivals:
        return None
    return break_tie(own[0].likely, breaks, _known(compared[player]), rivals)


def _known(spans: Sequence[_Span]) -> list[Number | None]:
    """Return the numbers that are known exactly, None for the others."""
    return [None if span.is_open else span.likely for span in spans]


# ---------------------------------------------------------------------- Dynasties


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
    """Return who played a game."""
    return frozenset(entry.result.player for entry in game.ranked)
