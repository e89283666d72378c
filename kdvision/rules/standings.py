"""Who won a game: ranks, and what ties came down to (RULES 4).

>>> results = [Result("Ann", 40, largest=6, crowns=7), Result("Bob", 40, largest=6, crowns=9)]
>>> [(entry.rank, entry.result.player) for entry in ranking(results)]
[(1, 'Bob'), (2, 'Ann')]
>>> [entry.rank for entry in ranking(results, "territory")]
[1, 1]
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import inf

from kdvision.rules.errors import check_each, check_type, choose
from kdvision.rules.scoring import ScoreSheet

#: A number of a player, exact where it is known and finite.
Number = int | float | Fraction
#: What decides the rank of a player, the most important number first.
Worth = tuple[Number, ...]


class TieRule(StrEnum):
    """What breaks a tie of totals (RULES 4). The texts agree on all but the crowns."""

    #: The largest territory, then most crowns (texts 003 and 004). The default.
    CROWNS = "crowns"
    #: The largest territory alone (text 001).
    TERRITORY = "territory"


class TieBreak(StrEnum):
    """What is compared to break a tie, in a game or over several games."""

    #: Most victories over several games; a shared one is divided.
    WINS = "wins"
    #: The largest territory, over several games that of any of them.
    LARGEST = "largest"
    #: Most crowns, over several games those of all together.
    CROWNS = "crowns"


#: What is compared in a game, in this order.
_COMPARED = {
    TieRule.CROWNS: (TieBreak.LARGEST, TieBreak.CROWNS),
    TieRule.TERRITORY: (TieBreak.LARGEST,),
}


@dataclass(frozen=True, slots=True)
class Result:
    """What one player has at the end of a game.

    Attributes:
        player: Who.
        total: The total, the likeliest where it is doubtful; None where nothing is known of it.
        largest: The squares of the largest territory; None where nobody counted them.
        crowns: The crowns of the whole kingdom; None where nobody counted them.
        others: The other totals that it may have; None where it may have any.

    Raises:
        RulesError: The player is no text, or a number no whole number.
    """

    player: str
    total: int | None
    largest: int | None = None
    crowns: int | None = None
    others: tuple[int, ...] | None = ()

    def __post_init__(self) -> None:
        check_type(self.player, str, 'name of a player; give such as "Ann"')
        check_type(self.total, int | None, "whole number; a total is one")  # nan has any rank
        check_each((self.largest, self.crowns), int | None, "number of squares or crowns")
        if self.others is not None:
            check_each(self.others, int, "whole number; a total is one")

    @property
    def is_sure(self) -> bool:
        """Whether the total is the only one that is possible."""
        return self.total is not None and self.others == ()

    @property
    def range(self) -> tuple[Number, Number]:
        """The lowest and the highest total that is possible; infinite where it may be any."""
        if self.total is None or self.others is None:
            return 0, inf
        totals = (self.total, *self.others)
        return min(totals), max(totals)


def result_of(player: str, sheet: ScoreSheet, others: tuple[int, ...] | None = ()) -> Result:
    """Return the result of a scored kingdom.

    Args:
        player: Whose kingdom it is.
        sheet: What `score` gave.
        others: The other totals that it may have; None where it may have any.
    """
    check_type(sheet, ScoreSheet, "score sheet; give what score gave")
    largest = max((territory.squares for territory in sheet.territories), default=0)
    crowns = sum(territory.crowns for territory in sheet.territories)
    return Result(player, sheet.total, largest, crowns, others)


# ---------------------------------------------------------------------- ranks


@dataclass(frozen=True, slots=True, kw_only=True)
class RankRange:
    """The ranks that a player can have among others.

    Attributes:
        rank: The best rank that is possible.
        worst: The worst rank that is possible.
        equals: How many others share the rank: at least, where it is the best one; at most, where
            it is the worst one.
    """

    rank: int
    worst: int
    equals: tuple[int, int]

    @property
    def is_open(self) -> bool:
        """Whether more than one rank is possible."""
        return self.rank != self.worst

    @property
    def shared(self) -> bool:
        """Whether others are known to have the same rank."""
        return not self.is_open and self.equals[0] > 0


def find_ranks(spans: Sequence[tuple[Worth, Worth]]) -> list[RankRange]:
    """Rank players of whom only the least and the most that they can have is known.

    The ranks are as narrow as the spans allow: each end of a player's range is reached where the
    player has one end of the span, and all others have what is best or worst for that.

    Args:
        spans: The worst and the best worth of each player.

    Returns:
        The ranks of each, in the same order.
    """
    lows = sorted(low for low, _ in spans)
    highs = sorted(high for _, high in spans)
    ranges = []
    for low, high in spans:
        # Players who are better for sure, and players who may be better.
        better = len(spans) - bisect_right(lows, high)
        maybe_better = len(spans) - bisect_right(highs, low)
        equal = bisect_right(lows, high) - bisect_left(lows, high)
        maybe_equal = bisect_right(highs, low) - bisect_left(highs, low)
        # The player is among those who were counted.
        if low == high:
            equal, maybe_equal = equal - 1, maybe_equal - 1
        else:
            maybe_better -= 1
        ranges.append(
            RankRange(rank=better + 1, worst=maybe_better + 1, equals=(equal, maybe_equal))
        )
    return ranges


# ---------------------------------------------------------------------- ties


class TieEnd(StrEnum):
    """How a tie ended for one of its players."""

    #: Nobody is equal in all that was compared.
    BROKEN = "broken"
    #: Others are equal in all that was compared: they share the rank.
    SHARED = "shared"
    #: What the player has was not counted.
    UNKNOWN = "unknown"
    #: What another player has was not counted.
    ANOTHER_UNKNOWN = "another-unknown"


@dataclass(frozen=True, slots=True)
class Tie:
    """What a tie came down to, as one of its players sees it.

    Attributes:
        points: What all of them have: a total, or points over several games.
        compared: What was compared, in this order, with what the player has; None where that is
            not known.
        end: How it ended.
    """

    points: Number
    compared: tuple[tuple[TieBreak, Number | None], ...]
    end: TieEnd


def break_tie(
    points: Number,
    breaks: Sequence[TieBreak],
    own: Sequence[Number | None],
    rivals: Sequence[Sequence[Number | None]],
) -> Tie:
    """Compare a player with others who have as many points.

    Args:
        points: What all of them have.
        breaks: What is compared, in this order.
        own: What the player has of each; None where that is not known.
        rivals: What the others have of each.
    """
    compared: list[tuple[TieBreak, Number | None]] = []
    for index, name in enumerate(breaks):
        value = own[index]
        compared.append((name, value))
        if value is None:
            return Tie(points, tuple(compared), TieEnd.UNKNOWN)
        if any(rival[index] is None for rival in rivals):
            return Tie(points, tuple(compared), TieEnd.ANOTHER_UNKNOWN)
        rivals = [rival for rival in rivals if rival[index] == value]
        if not rivals:
            return Tie(points, tuple(compared), TieEnd.BROKEN)
    return Tie(points, tuple(compared), TieEnd.SHARED)


# ---------------------------------------------------------------------- a game


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked(RankRange):
    """A result with its rank.

    Attributes:
        result: The result.
        tie: What a tie of totals came down to; None where no other has this total for sure.
    """

    result: Result
    tie: Tie | None = None


@dataclass(frozen=True, slots=True)
class GameStanding:
    """One game with its players ranked.

    Attributes:
        game: The name of the game.
        ranked: The results of its players, best first.
        round: The name of its round; empty where there are no rounds.

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
        """Who can have won, as far as is known: the winners, and all whose first rank is open."""
        return tuple(entry.result.player for entry in self.ranked if entry.rank == 1)


def ranking(
    results: Iterable[Result], tie_rule: TieRule | str = TieRule.CROWNS
) -> tuple[Ranked, ...]:
    """Rank the players of one game, best first, by their likeliest totals.

    Equal players share a rank, and the ranks after it are left out: 1, 1, 3 (RULES 4). What is
    not known breaks no tie and shares none: such ranks are open, and so are those that a doubtful
    total would change.

    Args:
        results: What the players have.
        tie_rule: What breaks ties: a `TieRule` or its name.

    Raises:
        RulesError: There is no such rule for ties, or something is no result.
    """
    rule = choose(TieRule, tie_rule, "rule for ties")
    results = check_each(results, Result, 'result; give such as Result("Ann", 40)')
    ranges = find_ranks([_span(result, rule) for result in results])
    ranked = []
    for result, ranks in zip(results, ranges, strict=True):
        tie = _find_tie(result, results, rule)
        ranked.append(
            Ranked(rank=ranks.rank, worst=ranks.worst, equals=ranks.equals, result=result, tie=tie)
        )
    return tuple(sorted(ranked, key=_order))


def _order(entry: Ranked) -> tuple[Number, int, int]:
    """Return by what results are listed: who has no total comes last."""
    total = entry.result.total
    return (inf if total is None else -total), entry.rank, entry.worst


def _compared(result: Result, rule: TieRule) -> tuple[int | None, ...]:
    """Return what a result has of all that is compared in a tie."""
    return tuple(getattr(result, name) for name in _COMPARED[rule])


def _span(result: Result, rule: TieRule) -> tuple[Worth, Worth]:
    """Return the worst and the best that a result can be worth.

    What breaks ties belongs to the likeliest total; of another one it is not known.
    """
    values = _compared(result, rule)
    nothing, anything = (-inf,) * len(values), (inf,) * len(values)
    if result.total is None or result.others is None:
        low, high = result.range
        return (low, *nothing), (high, *anything)
    least = tuple(-inf if value is None else value for value in values)
    most = tuple(inf if value is None else value for value in values)
    lows: list[Worth] = [(result.total, *least)]
    highs: list[Worth] = [(result.total, *most)]
    for total in result.others:
        lows.append((total, *nothing))
        highs.append((total, *anything))
    return min(lows), max(highs)


def _find_tie(result: Result, results: Sequence[Result], rule: TieRule) -> Tie | None:
    """Return what a tie of sure totals came down to; None where there is none."""
    if result.total is None or not result.is_sure:
        return None
    rivals = []
    for rival in results:
        if rival is not result and rival.is_sure and rival.total == result.total:
            rivals.append(_compared(rival, rule))
    if not rivals:
        return None
    return break_tie(result.total, _COMPARED[rule], _compared(result, rule), rivals)
