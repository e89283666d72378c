"""The standings of games, as text and as the tables of a page, in any language."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from kdvision.report.tables import Table
from kdvision.report.text import printable
from kdvision.report.ties import points_text, tie_text
from kdvision.rules.series import By, Sum, dynasties, is_dynasty, sums
from kdvision.rules.standings import (
    GameStanding,
    Ranked,
    RankRange,
    Result,
    TieBreak,
    TieRule,
    ranking,
)
from kdvision.sentences import ENGLISH, listed, sentence

#: What decides a Dynasty (RULES 3.4, 8).
_OF_A_DYNASTY = (By.SUM, By.BEST)
#: Maximum number of players whom a sentence names.
_MAX_NAMED = 8

#: What stands in place of the rank of a player who withdrew.
_NO_RANK = "\u2013"
#: Round, game and player: a result by its names.
Named = tuple[str, str, str]


class RankingRules(Struct, frozen=True):
    """How players are ranked.

    Attributes:
        tie_rule: What breaks ties in a game.
        by: What decides over several games.
        ties: What breaks ties over several games, in this order.
    """

    tie_rule: TieRule = TieRule.CROWNS
    by: By = By.SUM
    ties: tuple[TieBreak, ...] = ()


class RoundTables(Struct, frozen=True):
    """The tables of a round.

    Attributes:
        title: The name of the round; empty where there are no rounds.
        games: Its games.
        after: The ranking after the round; none after the last round, and after one game.
    """

    title: str
    games: tuple[GameStanding, ...]
    after: tuple[Table, ...] = ()


class Withdrawn(Struct, frozen=True):
    """A player who has no total in a game and will have none.

    Attributes:
        round: The round.
        game: The game.
        player: Who.
        note: What a person noted.
    """

    round: str
    game: str
    player: str
    note: str


class Standings(Struct, frozen=True):
    """Ranked games in the order in which they are known.

    Attributes:
        games: The games.
        rules: How players are ranked.
        warnings: What has to be looked at before the ranking is believed, a sentence each.
        notes: What else there is to know, a sentence each.
        result_notes: What there is to say of a result, by its round, game and player.
        withdrawn: Who withdrew, listed below those who are ranked.
        unsummed: Players of whom nobody knows which results are theirs.
        is_series: Whether players are ranked over several games.
        open: The number of rows that hang on a decision.
        language: That of titles and sentences.
    """

    games: tuple[GameStanding, ...] = ()
    rules: RankingRules = RankingRules()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    result_notes: Mapping[Named, str] = {}
    withdrawn: tuple[Withdrawn, ...] = ()
    unsummed: frozenset[str] = frozenset()
    is_series: bool = True
    open: int = 0
    language: str = ENGLISH

    @property
    def sums(self) -> tuple[Sum, ...]:
        """The ranks over several games; empty where there is one."""
        return self._sum_up(self.games)

    @property
    def has_totals(self) -> bool:
        """Whether anybody has a total."""
        for game in self.games:
            if any(entry.result.total is not None for entry in game.ranked):
                return True
        return False

    def report(self) -> str:
        """Return all as text: warnings, the totals, every game, notes, and what breaks ties."""
        parts = ["\n".join(map(printable, self.warnings))]
        parts += [table.text(self.language) for table in self.tables]
        parts += ["\n".join(map(printable, self.notes)), "\n".join(self.tie_sentences)]
        return "\n\n".join(filter(None, parts))

    @property
    def tables(self) -> list[Table]:
        """The totals, each game, the Dynasties."""
        games = list(map(self.game_table, self.games))
        return self.total_tables + games + self.dynasty_tables

    @property
    def total_tables(self) -> list[Table]:
        """The ranking over all games, where there are several."""
        title = f"dynasty.{self.rules.by}" if self._is_one_dynasty else "totals"
        return self._total_tables(self.games, self._say(title))

    @property
    def dynasty_tables(self) -> list[Table]:
        """The Dynasties, where several tables play one each."""
        if self.rules.by not in _OF_A_DYNASTY or self._is_one_dynasty:
            return []
        tables = []
        for entries in dynasties(self.games, self.rules.by):
            players = self._join([entry.player for entry in entries])
            title = self._say(f"dynasty-of.{self.rules.by}", players=players)
            tables.append(self._sum_table(entries, printable(title)).used)
        return tables

    @property
    def rounds(self) -> list[RoundTables]:
        """The tables of every round, with the ranking after it."""
        names = _name_rounds(self.games)
        rounds = []
        played: list[GameStanding] = []
        for name in names:
            games = [game for game in self.games if game.round == name]
            played += games
            after = []
            if name and name != names[-1]:
                after = self._total_tables(played, self._say("after-round", round=name))
            title = game_title(name, "", self.language) if name else ""
            rounds.append(RoundTables(title, tuple(games), tuple(after)))
        return rounds

    @property
    def tie_sentences(self) -> list[str]:
        """What breaks a tie in a game, and one over several games."""
        sentences = [self._say(f"tie-rule.{self.rules.tie_rule}")]
        if self.sums and self.rules.ties:
            rules = self._say("then").join(self._say(f"tie-break.{tie}") for tie in self.rules.ties)
            sentences.append(self._say("tie-breaks", rules=rules))
        return sentences

    def game_table(self, game: GameStanding, *, is_in_round: bool = False) -> Table:
        """Return the table of a game, whose title says who won.

        Args:
            game: The game.
            is_in_round: Whether its round is named above it anyhow.
        """
        round_ = "" if is_in_round and game.game else game.round
        results = [entry.result for entry in game.ranked]
        largest = _number_cells([result.largest for result in results])
        crowns = _number_cells([result.crowns for result in results])
        rows: list[tuple[object, ...]] = []
        for index, entry in enumerate(game.ranked):
            player, total = entry.result.player, _number_text(entry.result.total)
            note = self._note(entry, self.result_notes.get((game.round, game.game, player), ""))
            rows.append((_rank_text(entry), player, total, largest[index], crowns[index], note))
        for absent in self.withdrawn:
            if (absent.round, absent.game) == (game.round, game.game):
                rows.append((_NO_RANK, absent.player, "", "", "", absent.note))
        title = self._outcome(game, game_title(round_, game.game, self.language))
        columns = ("rank", "player", "total", "largest", "crowns", "note")
        return Table(printable(title), columns, rows).used

    def _outcome(self, game: GameStanding, title: str) -> str:
        """Return who won a game, or between whom it is open."""
        winners, contenders = game.winners, game.contenders
        if not contenders:
            return title
        if not winners:
            return self._say("undecided", title=title, players=self._join(contenders))
        players = self._join(winners)
        if winners == contenders:
            return self._say("won", title=title, players=players, n=len(winners))
        rivals = self._join([player for player in contenders if player not in winners])
        return self._say("leads", title=title, players=players, n=len(winners), rivals=rivals)

    @property
    def _is_one_dynasty(self) -> bool:
        return self.rules.by in _OF_A_DYNASTY and is_dynasty(self.games)

    def _total_tables(self, games: Sequence[GameStanding], title: str) -> list[Table]:
        """Return the ranking over several games; of one there is none."""
        entries = self._sum_up(games)
        if not entries:
            return []
        table = self._sum_table(entries, title)
        listed_players = {entry.player for entry in entries}
        blanks = ("",) * (len(table.columns) - 3)
        for absent in self.withdrawn:
            if absent.player not in listed_players:
                listed_players.add(absent.player)
                table.rows.append((_NO_RANK, absent.player, *blanks, absent.note))
        return [table.used]

    def _sum_up(self, games: Sequence[GameStanding]) -> tuple[Sum, ...]:
        """Rank players over several games; those who are `unsummed` may have any total."""
        if len(games) < 2 or not self.is_series:
            return ()
        known = []
        for game in games:
            results = [entry.result for entry in game.ranked]
            for index, result in enumerate(results):
                if result.player in self.unsummed:
                    results[index] = Result(result.player, None)
            if self.unsummed:
                ranked = ranking(results, self.rules.tie_rule)
                game = GameStanding(game.game, ranked, game.round)
            known.append(game)
        return sums(known, self.rules.by, self.rules.ties)

    def _sum_table(self, entries: Sequence[Sum], title: str) -> Table:
        """Return the table of sums; its columns say what decides."""
        points = _POINTS[self.rules.by]
        columns = ("rank", "player", *points, "total", "per-game", "note")
        rows: list[tuple[object, ...]] = []
        for entry in entries:
            cells: list[object] = [_rank_text(entry), entry.player]
            if points:
                cells.append(points_text(entry.points))
            cells.append("?" if set(entry.totals) == {None} else entry.total)
            cells.append(" + ".join(map(_number_text, entry.totals)))
            cells.append(self._note(entry, self._say("sum-open") if entry.has_open else ""))
            rows.append(tuple(cells))
        return Table(title, columns, rows)

    def _note(self, entry: Ranked | Sum, note: str) -> str:
        """Return what broke a tie, and what is not sure."""
        tie = tie_text(entry.tie, self.language) if entry.tie else ""
        return "; ".join(filter(None, (tie, note)))

    def _say(self, key: str, **fields: Any) -> str:
        """Return a sentence about standings."""
        return sentence(f"standings.{key}", self.language, **fields)

    def _join(self, names: Sequence[str]) -> str:
        """Return names as a list in a sentence."""
        return listed(names, self._say("and"))


#: The column of what decides over several games, where that is not the sum of totals.
_POINTS = {
    By.SUM: (),
    By.WINS: ("victories",),
    By.PLACES: ("place-points",),
    By.BEST: ("best",),
}


def game_title(round_: str, game: str, language: str = ENGLISH) -> str:
    """Return what a game is called: `Game A`, `Round 2`, or `Round 2, game A`."""
    if round_ and game:
        return sentence("standings.title.roundgame", language, round=round_, game=game)
    if round_:
        return sentence("standings.title.round", language, round=round_)
    return sentence("standings.title.game", language, game=game)


def _number_cells(numbers: Sequence[int | None]) -> list[str]:
    """Return numbers of a column, `?` where one is missing; all empty where nobody has one."""
    if set(numbers) == {None}:
        return [""] * len(numbers)
    return list(map(_number_text, numbers))


def _number_text(number: int | None) -> str:
    """Return a number, `?` where it is missing."""
    return "?" if number is None else str(number)


def _name_rounds(games: Iterable[GameStanding]) -> list[str]:
    """Return the names of the rounds of games, each once."""
    return list(dict.fromkeys(game.round for game in games))


def _rank_text(entry: RankRange) -> str:
    """Return the rank, `1=` where it is shared, or the ranks that are possible: `1-2`."""
    if entry.is_open:
        return f"{entry.rank}-{entry.worst}"
    return f"{entry.rank}=" if entry.shared else str(entry.rank)


# ---------------------------------------------------------------------- several games


def series_sentences(
    games: Sequence[GameStanding],
    by: By,
    language: str = ENGLISH,
    without: Collection[str] = (),
) -> list[str]:
    """Return who is missing in a round, who has fewer games than others, and what decides.

    Args:
        games: The games, ranked.
        by: What decides.
        language: That of the sentences.
        without: Players of whom nothing is said.
    """
    # How many games each player has.
    counts: Counter[str] = Counter()
    for game in games:
        counts.update(entry.result.player for entry in game.ranked)
    for player in without:
        del counts[player]
    # Who is missing in a round.
    sentences = []
    rounds = list(filter(None, _name_rounds(games)))
    if len(rounds) > 1:
        for round_ in rounds:
            missing = _find_missing(games, round_, counts)
            if missing:
                fields = {"round": round_, "players": _name_some(missing), "n": len(missing)}
                sentences.append(sentence("standings.missing", language, **fields))
    # Who has fewer games than others.
    different = sorted(set(counts.values()), reverse=True)
    if len(different) > 1:
        numbers = []
        for count in different:
            players = [player for player in counts if counts[player] == count]
            numbers.append(f"{count} ({_name_some(players)})")
        sentences.append(sentence("standings.uneven", language, counts="; ".join(numbers)))
    if by is not By.SUM:
        sentences.append(sentence(f"standings.by.{by}", language))
    return sentences


def _find_missing(games: Sequence[GameStanding], round_: str, players: Iterable[str]) -> list[str]:
    """Return the players who are in no game of a round."""
    present: set[str] = set()
    for game in games:
        if game.round == round_:
            present.update(entry.result.player for entry in game.ranked)
    return [player for player in players if player not in present]


def _name_some(players: Sequence[str]) -> str:
    """Return names, and how many more there are: `A, B, ... (+2)`."""
    text = ", ".join(players[:_MAX_NAMED])
    more = len(players) - _MAX_NAMED
    return f"{text}, \u2026 (+{more})" if more > 0 else text
