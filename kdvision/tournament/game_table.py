"""Results put into their games and ranked, doubts included."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from msgspec import Struct

from kdvision.rules.standings import GameStanding, Ranked, TieRule, ranking
from kdvision.tournament.standing_rows import Counted

#: Round and game.
GameKey = tuple[str, str]


class Ranking(Struct, frozen=True):
    """Games in the order of their first lines.

    `doubtful` names the totals that are not sure by round, game and player.
    """

    games: tuple[GameStanding, ...]
    doubtful: frozenset[tuple[str, str, str]]


class GameTable:
    """Results by their games.

    Args:
        tables: Photos of several kingdoms. Where their lines name no game, each is one.
    """

    def __init__(self, tables: Collection[str] = ()) -> None:
        self._tables = frozenset(tables)
        self._games: dict[GameKey, dict[str, Counted]] = {}

    @property
    def games(self) -> dict[GameKey, tuple[Counted, ...]]:
        """The results by round and game."""
        return {game: tuple(players.values()) for game, players in self._games.items()}

    def add(self, fields: Mapping[str, str], counted: Counted) -> None:
        """Put a result into the game that its line names.

        Raises:
            ValueError: The player is in that game already.
        """
        result = counted.result
        if result is None:
            return
        round_, game = fields.get("round", ""), fields.get("game", "")
        if not game and fields.get("photo") in self._tables:
            game = fields["photo"]
        game = game or ("" if round_ else "1")
        players = self._games.setdefault((round_, game), {})
        if result.player in players:
            where = GameStanding(repr(game) if game else "", (), round_).title
            where = f"{where[0].lower()}{where[1:]}"
            raise ValueError(
                f"{result.player!r} is in {where} already. "
                "Give each game a name of its own in the column game."
            )
        players[result.player] = counted

    def ranked(self, tie_rule: TieRule = TieRule.CROWNS) -> Ranking:
        """Rank every game.

        A rank that another total of a doubtful result would change is open.
        """
        games, doubtful = [], set()
        for (round_, game), lines in self.games.items():
            games.append(GameStanding(game, _ranked(lines, tie_rule), round_))
            doubtful |= {
                (round_, game, line.result.player)
                for line in lines
                if line.result and (line.doubtful or line.pending)
            }
        return Ranking(tuple(games), frozenset(doubtful))


def _ranked(lines: Sequence[Counted], tie_rule: TieRule) -> tuple[Ranked, ...]:
    by_player = {line.result.player: line for line in lines if line.result}
    ranked = ranking([line.result for line in lines if line.result], tie_rule)
    widened = [_widened(entry, ranked, by_player) for entry in ranked]
    return tuple(sorted(widened, key=lambda entry: -entry.result.total))


def _widened(entry: Ranked, ranked: Sequence[Ranked], lines: Mapping[str, Counted]) -> Ranked:
    """A rank with those that doubtful totals make possible as well, and what is doubtful said."""
    line = lines[entry.result.player]
    rank, worst = entry.rank, entry.worst
    for other in ranked:
        if other is entry or not _may_pass(line, lines[other.result.player]):
            continue
        if other.worst < entry.rank:
            rank -= 1
        elif other.rank > entry.worst or other.shared:
            worst += 1
    doubt = f"not sure: {line.brief}" if line.doubtful else line.brief
    note = "; ".join(filter(None, (entry.note, doubt)))
    return replace(entry, rank=rank, worst=worst, note=note, shared=entry.shared and rank == worst)


def _may_pass(one: Counted, other: Counted) -> bool:
    """Whether the order of two results is not the same for all totals that they may have."""
    if not one.doubtful and not other.doubtful:
        return False
    if (one.doubtful and not one.others) or (other.doubtful and not other.others):
        return True
    return min(one.totals) <= max(other.totals) and min(other.totals) <= max(one.totals)
