"""The standings of games, as text and as the tables of a page, in any language."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import compress
from typing import Any

from msgspec import Struct

from kdvision.report.text import plain_table, printable
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
)
from kdvision.sentences import ENGLISH, listed, sentence

#: The headings that stand above numbers.
NUMBERS = ("Rank", "Points", "Total", "Largest", "Crowns")
#: The words of which the rules make notes on ties.
_NOTE_WORDS = re.compile(
    r"\b(tie at|largest territory|victories|crowns|another unknown|unknown|open|shared|stays)\b"
)
#: What decides a Dynasty (RULES 3.4, 8).
_OF_A_DYNASTY = (By.SUM, By.BEST)
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
        language: That of titles and sentences.
        open: The number of lines that hang on a decision.
    """

    games: tuple[GameStanding, ...] = ()
    tie_rule: TieRule = TieRule.CROWNS
    notes: tuple[str, ...] = ()
    sums: tuple[Sum, ...] = ()
    by: By = By.SUM
    ties: tuple[TieBreak | str, ...] = ()
    language: str = ENGLISH
    open: int = 0

    def report(self) -> str:
        """Return all tables as text, with their ties explained."""
        tables = []
        for title, columns, rows in self.tables:
            numbers = [_heading(name, self.language) for name in NUMBERS]
            headings = [_heading(name, self.language) for name in columns]
            tables.append(f"{title}\n{plain_table(headings, rows, numbers=numbers)}")
        notes = ["\n".join(map(printable, self.notes))] if self.notes else []
        return "\n\n".join([*tables, *notes, "\n".join(self._tie_sentences)])

    @property
    def tables(self) -> list[Table]:
        """The totals, each game, the Dynasties."""
        tables = [self._game_table(game) for game in self.games]
        if self.by in _OF_A_DYNASTY and not self._is_one_dynasty:
            for entries in dynasties(self.games, self.by):
                players = self._join([entry.player for entry in entries])
                title = self._say(f"dynasty-of.{self.by}", players=players)
                rows: list[tuple[object, ...]] = [
                    (_place(entry), entry.player, entry.total, _terms(entry)) for entry in entries
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
        sentences = [self._say(f"tie-rule.{self.tie_rule}")]
        if self.sums and self.ties:
            tie_breaks = [self._say(f"tie-break.{tie}") for tie in self.ties]
            rules = self._say("then").join(tie_breaks)
            sentences.append(self._say("tie-breaks", rules=rules))
        return sentences

    @property
    def _is_one_dynasty(self) -> bool:
        return self.by in _OF_A_DYNASTY and is_dynasty(self.games)

    def _totals_table(self) -> Table:
        """The table of the sums, without columns that say nothing."""
        notes = [_sum_note(entry, self.language) for entry in self.sums]
        rows = []
        for entry, note in zip(self.sums, notes, strict=True):
            numbers = points_text(entry.points), entry.total, _terms(entry)
            rows.append((_place(entry), entry.player, *numbers, note))
        columns = ("Rank", "Player", "Points", "Total", "Games", "Note")
        is_used = [True, True, self.by is not By.SUM, True, True, any(notes)]
        title = self._say(f"dynasty.{self.by}" if self._is_one_dynasty else "totals")
        return (
            title,
            tuple(compress(columns, is_used)),
            [tuple(compress(row, is_used)) for row in rows],
        )

    def _game_table(self, game: GameStanding) -> Table:
        players = game.winners or game.contenders
        title = game_title(game.round, game.game, self.language)
        outcome = "won" if game.winners else "undecided"
        title = self._say(outcome, title=title, players=self._join(players), n=len(players))
        rows: list[tuple[object, ...]] = []
        for entry in game.ranked:
            result = entry.result
            numbers = [result.largest, result.crowns]
            texts = ["?" if number is None else number for number in numbers]
            note = _translate(entry.note, self.language)
            rows.append((_place(entry), result.player, result.total, *texts, note))
        columns = ("Rank", "Player", "Total", "Largest", "Crowns", "Note")
        return printable(title), columns, rows

    def _say(self, key: str, **fields: Any) -> str:
        return sentence(f"standings.{key}", self.language, **fields)

    def _join(self, names: Sequence[str]) -> str:
        return listed(names, self._say("and"))


def game_title(round_: str, game: str, language: str = ENGLISH) -> str:
    """Return what a game is called: `Game A`, `Round 2`, or `Round 2, game A`."""
    place = ("round" if round_ else "") + ("game" if game or not round_ else "")
    return sentence(f"standings.title.{place}", language, round=round_, game=game)


def series_sentences(games: Sequence[GameStanding], by: By, language: str = ENGLISH) -> list[str]:
    """Who is missing in a round, who has fewer games than others, and what decides but the sum."""
    players: dict[int, list[str]] = {}
    counts = Counter(entry.result.player for game in games for entry in game.ranked)
    for player, count in counts.items():
        players.setdefault(count, []).append(player)
    numbers = []
    for count, names in sorted(players.items(), reverse=True):
        text = ", ".join(names[:_MOST_NAMED])
        if len(names) > _MOST_NAMED:
            text += f", \u2026 (+{len(names) - _MOST_NAMED})"
        numbers.append(f"{count} ({text})")
    sentences = []
    rounds = dict.fromkeys(game.round for game in games if game.round)
    for round_ in rounds if len(rounds) > 1 else ():
        ranked = [entry for game in games if game.round == round_ for entry in game.ranked]
        present = {entry.result.player for entry in ranked}
        missing = [player for player in counts if player not in present]
        if missing:
            fields = {"round": round_, "players": ", ".join(missing), "n": len(missing)}
            sentences.append(sentence("standings.missing", language, **fields))
    if len(players) > 1:
        sentences.append(sentence("standings.uneven", language, counts="; ".join(numbers)))
    if by is not By.SUM:
        sentences.append(sentence(f"standings.by.{by}", language))
    return sentences


def _heading(name: str, language: str) -> str:
    return sentence(f"html.head.{name.lower()}", language)


def _place(entry: Ranked | Sum) -> str:
    """The rank, `1=` where it is shared, or the ranks that are possible: `1-2`."""
    if isinstance(entry, Ranked) and entry.is_open:
        return f"{entry.rank}-{entry.worst}"
    return f"{entry.rank}{'=' if entry.shared else ''}"


def _sum_note(entry: Sum, language: str) -> str:
    """What broke a tie, and that a sum hangs on what is not known."""
    is_open = sentence("standings.sum-open", language) if entry.open else ""
    return "; ".join(filter(None, (_translate(entry.note, language), is_open)))


def _translate(note: str, language: str) -> str:
    """What the rules say of a tie, in another language, word by word."""

    def translate(match: re.Match[str]) -> str:
        return sentence(f"standings.note.{match[0].replace(' ', '-')}", language)

    return _NOTE_WORDS.sub(translate, note)


def _terms(entry: Sum) -> str:
    return " + ".join(map(str, entry.totals))
