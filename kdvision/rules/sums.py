"""The totals of an evening: sums of points, victories, or points by place."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from kdvision.rules.standings import GameStanding, Ranked


class By(StrEnum):
    """What decides over several games."""

    #: The sum of the totals, as in a Dynasty (RULES 3.4).
    SUM = "sum"
    #: Victories; a shared one is divided.
    WINS = "wins"
    #: As many points for the first as the game has players, one fewer for each place below; players
    #: who share a place share the points of the places that they take.
    PLACES = "places"

    @property
    def sentence(self) -> str:
        """The rule in a sentence, to print below a table."""
        return _SENTENCES[self]


_SENTENCES = {
    By.SUM: "Over several games the sum of the totals decides.",
    By.WINS: "Over several games victories decide, a shared one divided; then the sum of totals.",
    By.PLACES: (
        "Over several games points by place decide: as many for the first as the game has "
        "players, one fewer for each place below; then the sum of totals."
    ),
}


@dataclass(frozen=True, slots=True)
class Sum:
    """What a player has over several games.

    `points` are victories, points by place, or the sum of totals, `totals` those of the games,
    `open` says that a game of his is not decided, or has a doubtful total.
    """

    rank: int
    player: str
    points: Fraction
    totals: tuple[int, ...]
    shared: bool
    open: bool

    @property
    def total(self) -> int:
        """The sum of the totals."""
        return sum(self.totals)


def sums(
    games: Sequence[GameStanding],
    by: By = By.SUM,
    doubtful: Collection[tuple[str, str, str]] = (),
) -> tuple[Sum, ...]:
    """Rank players over several games, best first; a player may miss games.

    Args:
        games: The games, ranked.
        by: What decides. Equal players share a rank.
        doubtful: Round, game and player of the totals that are not sure.
    """
    points: dict[str, Fraction] = {}
    totals: dict[str, list[int]] = {}
    unknown: set[str] = set()
    for game in games:
        for entry in game.ranked:
            player = entry.result.player
            points[player] = points.get(player, Fraction()) + _points(entry, game, by)
            totals.setdefault(player, []).append(entry.result.total)
            if (game.round, game.game, player) in doubtful or (entry.is_open and by is not By.SUM):
                unknown.add(player)

    def worth(player: str) -> tuple[Fraction, int]:
        return points[player], 0 if by is By.SUM else sum(totals[player])

    order = sorted(points, key=worth, reverse=True)
    found = []
    for player in order:
        equal = [other for other in order if worth(other) == worth(player)]
        rank = order.index(equal[0]) + 1
        found.append(
            Sum(
                rank, player, points[player], tuple(totals[player]), len(equal) > 1,
                player in unknown,
            )
        )  # fmt: skip
    return tuple(found)


def _points(entry: Ranked, game: GameStanding, by: By) -> Fraction:
    """What one game is worth; an open rank counts as the middle of those that are possible."""
    if by is By.SUM:
        return Fraction(entry.result.total)
    if by is By.WINS:
        won = entry.result.player in game.winners
        return Fraction(1, len(game.winners)) if won else Fraction()
    players = len(game.ranked)
    equal = sum(other.rank == entry.rank for other in game.ranked) if entry.shared else 1
    last = max(entry.worst, entry.rank + equal - 1)
    places = range(entry.rank, last + 1)
    return Fraction(sum(players - place + 1 for place in places), len(places))


def uneven(games: Sequence[GameStanding]) -> str:
    """A sentence where players have different numbers of games; empty where all have as many."""
    counts: dict[str, int] = {}
    for game in games:
        for entry in game.ranked:
            counts[entry.result.player] = counts.get(entry.result.player, 0) + 1
    if len(set(counts.values())) < 2:
        return ""
    by_count: dict[int, list[str]] = {}
    for player, count in counts.items():
        by_count.setdefault(count, []).append(player)
    parts = []
    for count in sorted(by_count, reverse=True):
        named = by_count[count]
        shown = ", ".join(named[:8]) + (f" and {len(named) - 8} more" if len(named) > 8 else "")
        parts.append(f"{count} by {shown}")
    return f"Not all have played as many games: {'; '.join(parts)}."


def points_text(points: Fraction) -> str:
    """`3`, `2.5`, `1.33`."""
    return str(points.numerator) if points.denominator == 1 else f"{float(points):.2f}".rstrip("0")
