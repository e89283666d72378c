"""The standings of games, as text, JSON or CSV."""

import json
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import compress

from msgspec import Struct

from kdvision.report.text import csv_text, plain_table, printable
from kdvision.report.wording import listed
from kdvision.rules.standings import (
    By,
    GameStanding,
    Ranked,
    Sum,
    TieBreak,
    TieRule,
    dynasties,
    is_dynasty,
    points_text,
    sums,
)
from kdvision.sentences import sentence

#: Names the form of the JSON; it changes when a field changes its meaning.
SCHEMA = "kdscore-standings/1"
#: The columns of the CSV. `table` is `game`, `dynasty` or `totals`.
CSV_COLUMNS = (
    "table",
    "round",
    "game",
    "rank",
    "player",
    "total",
    "largest",
    "crowns",
    "shared",
    "note",
    "points",
)
#: The headings that stand above numbers.
NUMBERS = ("Rank", "Points", "Total", "Largest", "Crowns")
#: What decides a Dynasty, by what decides over several games (RULES 3.4, 8).
_DYNASTY = {By.SUM: "the sum of three games", By.BEST: "the best of three games"}
#: Maximum number of players with one number of games that a sentence names.
_MOST_NAMED = 8


#: Title, headings, and rows of a table.
Table = tuple[str, tuple[str, ...], list[tuple[object, ...]]]


class Standings(Struct, frozen=True):
    """Ranked games in the order of their first lines, with the sums over them.

    Attributes:
        games: The games.
        tie_rule: What breaks ties in a game.
        notes: What there is to know, a sentence each, such as totals that are not sure.
        sums: Those over several games.
        by: What decides over several games.
        ties: What breaks ties of the sums, in this order.
    """

    games: tuple[GameStanding, ...]
    tie_rule: TieRule = TieRule.CROWNS
    notes: tuple[str, ...] = ()
    sums: tuple[Sum, ...] = ()
    by: By = By.SUM
    ties: tuple[TieBreak, ...] = ()

    def report(self, form: str = "text") -> str:
        """All tables as `text`, one line of `json`, or one `csv`."""
        write = {"json": self._json, "csv": self._csv, "text": self._text}[form]
        return write()

    @property
    def tables(self) -> list[Table]:
        """The totals, each game, the Dynasties."""
        tables = [_game_table(game) for game in self.games]
        for title, entries in self._dynasties:
            rows: list[tuple[object, ...]] = [
                (_rank(entry), entry.player, entry.total, _games(entry)) for entry in entries
            ]
            tables.append((printable(title), ("Rank", "Player", "Total", "Games"), rows))
        return [self._totals_table(), *tables] if self.sums else tables

    @property
    def sentences(self) -> tuple[str, ...]:
        """The notes, and what breaks ties."""
        return (*self.notes, *self._tie_sentences)

    @property
    def _tie_sentences(self) -> list[str]:
        """What breaks a tie in a game, and one over several games."""
        sentences = [sentence(f"standings.tie-rule.{self.tie_rule}")]
        if self.sums and self.ties:
            then = sentence("standings.then")
            rules = then.join(sentence(f"standings.tie-break.{tie}") for tie in self.ties)
            sentences.append(sentence("standings.tie-breaks", rules=rules))
        return sentences

    @property
    def _is_one_dynasty(self) -> bool:
        return self.by in _DYNASTY and is_dynasty(self.games)

    @property
    def _dynasties(self) -> list[tuple[str, tuple[Sum, ...]]]:
        """The Dynasties among several games, where they are not all there is."""
        if self.by not in _DYNASTY or self._is_one_dynasty:
            return []
        return [
            (
                f"Dynasty of {listed([entry.player for entry in entries])}, {_DYNASTY[self.by]}",
                entries,
            )
            for entries in dynasties(self.games, self.by)
        ]

    def _text(self) -> str:
        """The tables with their ties explained."""
        tables = [
            f"{title}\n{plain_table(columns, rows, numbers=NUMBERS)}"
            for title, columns, rows in self.tables
        ]
        notes = ["\n".join(map(printable, self.notes))] if self.notes else []
        return "\n\n".join([*tables, *notes, "\n".join(self._tie_sentences)])

    def _totals_table(self) -> Table:
        """The table of the sums, without columns that say nothing."""
        rows = []
        for entry in self.sums:
            numbers = points_text(entry.points), entry.total, _games(entry)
            rows.append((_rank(entry), entry.player, *numbers, _sum_note(entry)))
        columns = ("Rank", "Player", "Points", "Total", "Games", "Note")
        used = [
            {"Points": self.by is not By.SUM, "Note": any(map(_sum_note, self.sums))}.get(
                name, True
            )
            for name in columns
        ]
        title = f"Dynasty, {_DYNASTY[self.by]}" if self._is_one_dynasty else "Totals"
        return title, tuple(compress(columns, used)), [tuple(compress(row, used)) for row in rows]

    def _json(self) -> str:
        """One line of JSON; of one game it has the sums, too."""
        fields: dict[str, object] = {
            "schema": SCHEMA,
            "tie_rule": self.tie_rule.value,
            "games": [
                {
                    "game": game.game,
                    **({"round": game.round} if game.round else {}),
                    "winners": list(game.winners),
                    **({} if game.winners else {"contenders": list(game.contenders)}),
                    "players": [_player(entry) for entry in game.ranked],
                }
                for game in self.games
            ],
            "dynasty": is_dynasty(self.games),
            "dynasties": [
                [_sum(entry, _BRIEF) for entry in entries] for entries in dynasties(self.games)
            ],
            "by": self.by.value,
            "ties": [tie.value for tie in self.ties],
            "totals": [_sum(entry) for entry in self.sums or sums(self.games, self.by)],
            "notes": list(self.notes),
        }
        return json.dumps(fields, ensure_ascii=False)

    def _csv(self) -> str:
        """All tables below each other, with the columns `CSV_COLUMNS`."""
        rows: list[dict[str, object]] = []
        for game in self.games:
            about = {"table": "game", "round": game.round, "game": game.game}
            rows += [{**_player(entry), **about, "rank": _ranks(entry)} for entry in game.ranked]
        for _, entries in self._dynasties:
            rows += [_csv_row("dynasty", entry, "") for entry in entries]
        table = "dynasty" if self._is_one_dynasty else "totals"
        rows += [_csv_row(table, entry, points_text(entry.points)) for entry in self.sums]
        return f"{csv_text(CSV_COLUMNS, rows)}\n"


def series_sentences(games: Sequence[GameStanding], by: By) -> list[str]:
    """Where players have different numbers of games, and what decides but the sum."""
    players: dict[int, list[str]] = {}
    counts = Counter(entry.result.player for game in games for entry in game.ranked)
    for player, count in counts.items():
        players.setdefault(count, []).append(player)
    numbers = []
    for count, named in sorted(players.items(), reverse=True):
        more = f", \u2026 (+{len(named) - _MOST_NAMED})" if len(named) > _MOST_NAMED else ""
        numbers.append(f"{count} ({', '.join(named[:_MOST_NAMED])}{more})")
    uneven = [sentence("standings.uneven", counts="; ".join(numbers))] if len(players) > 1 else []
    return uneven if by is By.SUM else [*uneven, sentence(f"standings.by.{by}")]


def _game_table(game: GameStanding) -> Table:
    if game.winners:
        verb = "share the victory" if len(game.winners) > 1 else "wins"
        outcome = f"{listed(game.winners)} {verb}"
    else:
        outcome = f"open between {listed(game.contenders)}"
    rows: list[tuple[object, ...]] = []
    for entry in game.ranked:
        result = entry.result
        numbers = [result.largest, result.crowns]
        shown = ["?" if number is None else number for number in numbers]
        rows.append((_rank(entry), result.player, result.total, *shown, entry.note))
    columns = ("Rank", "Player", "Total", "Largest", "Crowns", "Note")
    return printable(f"{game.title}: {outcome}"), columns, rows


def _csv_row(table: str, entry: Sum, points: str) -> dict[str, object]:
    note = "; ".join(filter(None, (_games(entry), _sum_note(entry))))
    return {**_sum(entry), "table": table, "note": note, "points": points}


def _player(entry: Ranked) -> dict[str, object]:
    return {
        "rank": None if entry.is_open else entry.rank,
        **({"ranks": [entry.rank, entry.worst]} if entry.is_open else {}),
        "player": entry.result.player,
        "total": entry.result.total,
        "largest": entry.result.largest,
        "crowns": entry.result.crowns,
        "shared": entry.shared,
        "open": entry.open,
        "note": entry.note,
    }


#: What the JSON says of a player in a Dynasty.
_BRIEF = ("rank", "player", "total", "games", "shared")


def _sum(entry: Sum, names: Collection[str] = ()) -> dict[str, object]:
    """The object of a sum: all of it, or these fields."""
    whole = {
        "rank": entry.rank,
        "player": entry.player,
        "points": float(entry.points),
        "total": entry.total,
        "games": list(entry.totals),
        "shared": entry.shared,
        "open": entry.open,
        "note": entry.note,
    }
    return {name: value for name, value in whole.items() if not names or name in names}


def _rank(entry: Ranked | Sum) -> str:
    if isinstance(entry, Ranked) and entry.is_open:
        return _ranks(entry)
    return f"{entry.rank}{'=' if entry.shared else ''}"


def _ranks(entry: Ranked) -> str:
    """The rank, or the ranks that are possible: `1-2`."""
    return f"{entry.rank}-{entry.worst}" if entry.is_open else str(entry.rank)


def _sum_note(entry: Sum) -> str:
    """What broke a tie, and that a sum hangs on what is not known."""
    return "; ".join(
        filter(None, (entry.note, "open: not all of it is sure" if entry.open else ""))
    )


def _games(entry: Sum) -> str:
    return " + ".join(map(str, entry.totals))
