"""The ranks of players, from sheets that `batch` and `verify` wrote or people made by hand.

What counts for a line stands in its column `counts`; of a sheet that was made by hand the points
count. What is not sure of a line stays with it, and every rank that hangs on it is open.
"""

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from kdvision.errors import UsageError
from kdvision.files import shown
from kdvision.report.html import Page, write_html
from kdvision.report.standings import Standings, series_sentences
from kdvision.result import Status
from kdvision.rules.standings import (
    By,
    GameStanding,
    Result,
    TieBreak,
    TieRule,
    ranking,
    result_of,
    sums,
)
from kdvision.sentences import DEFAULT_LANGUAGE, sentence
from kdvision.tournament.columns import Accepted, Line, name_key, whole_number
from kdvision.tournament.judging import Word
from kdvision.tournament.owners import parse_reading
from kdvision.tournament.sheet import read_sheet

_ADVICE = "Write at least the columns player and points, or give what kdscore batch wrote."


def read_standings(
    paths: Sequence[Path],
    *,
    tie_rule: TieRule = TieRule.CROWNS,
    by: By = By.SUM,
    ties: Sequence[TieBreak] = (),
    final: bool = False,
    language: str = DEFAULT_LANGUAGE,
) -> Standings:
    """Rank the players of the games in sheets.

    Args:
        paths: The sheets.
        tie_rule: What breaks ties in a game.
        by: What decides over several games.
        ties: What breaks ties over several games, in this order.
        final: Whether to refuse while a line is open or left out.
        language: That of the notes.

    Raises:
        UsageError: A file cannot be read, a column is missing, or no line has a total.
    """
    lines: list[Line] = []
    for path in paths:
        sheet = read_sheet(path)
        sheet.require(["player", "photo"], ["claimed", "counts", "reading"])
        lines += sheet.lines
    games = Games(lines, language)
    names = ", ".join(map(shown, paths))
    if not any(games.results.values()):
        reasons = " ".join(["", *games.notes[:1]])
        raise UsageError(f"{names} has no results with a total.{reasons}", _ADVICE)
    if final and games.open:
        raise UsageError(
            f"{games.open} {'line is' if games.open == 1 else 'lines are'} open in {names}.",
            "Settle them (columns accept and fix), or rank without --final.",
        )
    return games.standings(tie_rule, by, ties)


def tie_rules(text: str) -> tuple[TieRule, tuple[TieBreak, ...]]:
    """Read what breaks ties in a game, and over several games: `territory`, `wins,largest`.

    Raises:
        UsageError: There is no such rule.
    """
    words = list(dict.fromkeys(word.strip().casefold() for word in text.split(",")))
    unknown = [word for word in words if word not in {*TieRule, *TieBreak}]
    if unknown:
        raise UsageError(
            f"{unknown[0][:40]!r} is no tie rule.",
            f"Write {' or '.join(TieRule)} for what breaks a tie in a game; for ties over several "
            f"games some of {', '.join(TieBreak)}, with commas, in their order.",
        )
    rule = TieRule.TERRITORY if TieRule.TERRITORY in words else TieRule.CROWNS
    over_games = words if words != [rule] else []
    return rule, tuple(TieBreak(word) for word in over_games if word != TieRule.TERRITORY)


def write_standings_page(
    path: Path, title: str, standings: Standings, language: str = DEFAULT_LANGUAGE
) -> None:
    """Write standings as one HTML file, to be looked at or printed.

    Raises:
        UsageError: It cannot be written.
    """
    page = Page(title, [], standings.tables, standings.sentences, language=language)
    write_html(path, page, ())


def rank_lines(
    lines: Iterable[Line],
    *,
    tie_rule: TieRule = TieRule.CROWNS,
    by: By = By.SUM,
    ties: Sequence[TieBreak] = (),
    language: str = DEFAULT_LANGUAGE,
) -> Standings:
    """Rank the players of lines with their found cells; see `read_standings`."""
    return Games(lines, language).standings(tie_rule, by, ties)


# ---------------------------------------------------------------------- what counts for a line


class Counted(Struct, frozen=True):
    """What counts for a line.

    Attributes:
        result: None where the line is left out.
        note: What is not sure, or why the line is left out, in a clause.
        is_doubtful: Whether the total is not sure, and may be any other.
        is_pending: Whether a person has still to decide, though the total is sure.
    """

    result: Result | None
    note: str = ""
    is_doubtful: bool = False
    is_pending: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the total, or the line itself, hangs on a decision."""
        return self.result is None or self.is_doubtful or self.is_pending


def counted(line: Line, language: str = DEFAULT_LANGUAGE) -> Counted:
    """Return what counts for a line.

    Raises:
        UsageError: The column `counts` or `score` holds no total.
    """
    cells, player = line.cells, line.player
    reading = parse_reading(cells.get("reading", ""))
    read = result_of(player, line.options.score(reading)) if reading else None
    total, score = whole_number(cells, "counts"), whole_number(cells, "score")

    def result(number: int) -> Result:
        if read is None:
            return Result(player, number)
        return dataclasses.replace(read, total=number)

    why = cells.get("explanation") or sentence("standings.no-total", language)
    if "status" not in cells and "verdict" not in cells:
        return _counted_by_hand(line, read, result, why)
    if line.accept and cells.get("verdict") != Word.SETTLED:
        note = sentence("standings.accept-is-new", language)
        number = total if total is not None else score
        return Counted(None if number is None else result(number), note, True)
    if total is None:
        if cells.get("status") == Status.DOUBTFUL and score is not None:
            return Counted(result(score), sentence("standings.doubtful", language), True)
        return Counted(None, why)
    if cells.get("verdict") == Word.DIFFERS and line.claimed is not None:
        note = sentence("standings.pending", language, claimed=line.claimed)
        return Counted(result(total), note, is_pending=True)
    return Counted(result(total))


def _counted_by_hand(
    line: Line, read: Result | None, result: Callable[[int], Result], why: str
) -> Counted:
    """What counts for a line of a sheet that was made by hand."""
    accepted = line.accept
    total = line.claimed if accepted is None or accepted.what is Accepted.CLAIM else accepted.total
    if total is None:
        return Counted(read, "" if read else why)
    return Counted(result(total))


# ---------------------------------------------------------------------- games


class Games:
    """What counts for players, by round and game.

    Args:
        lines: The lines.
        language: That of the notes.

    Attributes:
        results: What counts for each player, by round and game.
        open: The number of lines that hang on a decision.
        notes: What there is to know, a sentence each.
    """

    def __init__(self, lines: Iterable[Line], language: str = DEFAULT_LANGUAGE) -> None:
        self.results: dict[tuple[str, str], dict[str, Counted]] = {}
        self.open = 0
        self.notes: list[str] = []
        self._language = language
        self._names: dict[str, str] = {}
        lines = list(lines)
        self._kingdoms = Counter(line.photo for line in lines if line.cells.get("reading"))
        if not any(line.player for line in lines):
            # Without names, photos stand for players.
            lines = [replace(line, player=f"{line.photo} {line.letter}".strip()) for line in lines]
        # A kingdom that is in two photos counts in one line: the other has no total.
        for line in sorted(lines, key=lambda line: not line.cells.get("counts")):
            if line.player:
                self._add(line)
        order = {self._place(line): n for n, line in reversed(list(enumerate(lines)))}
        self.results = dict(sorted(self.results.items(), key=lambda game: order[game[0]]))

    def _place(self, line: Line) -> tuple[str, str]:
        """The round and the game of a line; a photo of several kingdoms is a game."""
        round_, game = self._shown(line.round), self._shown(line.game)
        if not game and not round_ and self._kingdoms[line.photo] > 1:
            game = line.photo
        return round_, game or ("" if round_ else "1")

    def _shown(self, name: str) -> str:
        """The one way in which a name is written, as it was first."""
        return self._names.setdefault(name_key(name), " ".join(name.split()))

    def _add(self, line: Line) -> None:
        place, player = self._place(line), self._shown(line.player)
        game = self.results.setdefault(place, {})
        try:
            counts = counted(line, self._language)
        except UsageError as error:
            counts = Counted(None, str(error))
        if player in game:
            # A line that the program left without a total counts elsewhere.
            if "counts" in line.cells or "status" not in line.cells:
                title = GameStanding(repr(place[1]) if place[1] else "", (), place[0]).title
                where = f"{title[:1].lower()}{title[1:]}"
                fields = {"player": player, "number": line.number, "where": where}
                self.notes.append(sentence("standings.twice", self._language, **fields))
                self.open += 1
            return
        self.open += counts.is_open
        if counts.result is None:
            fields = {"player": player, "why": counts.note}
            self.notes.append(sentence("standings.left-out", self._language, **fields))
            return
        result = dataclasses.replace(counts.result, player=player)
        game[player] = Counted(result, counts.note, counts.is_doubtful, counts.is_pending)

    def standings(
        self, tie_rule: TieRule, by: By = By.SUM, ties: Sequence[TieBreak] = ()
    ) -> Standings:
        """Rank every game, and total them where there are several.

        A rank that another total of a doubtful result would change is open.
        """
        games, hanging = [], set()
        for (round_, game), players in self.results.items():
            doubtful = {player: () for player, counts in players.items() if counts.is_doubtful}
            results = [counts.result for counts in players.values() if counts.result]
            ranked = []
            for entry in ranking(results, tie_rule, doubtful):
                counts = players[entry.result.player]
                note = "; ".join(filter(None, (entry.note, counts.note)))
                ranked.append(dataclasses.replace(entry, note=note, open=counts.is_open))
                if counts.is_open:
                    hanging.add((round_, game, entry.result.player))
            if ranked:
                games.append(GameStanding(game, tuple(ranked), round_))
        notes = [*self._missing(), *self.notes]
        if hanging:
            notes.insert(0, sentence("standings.open", self._language, n=len(hanging)))
        if len(games) < 2:
            return Standings(tuple(games), tie_rule, tuple(notes), language=self._language)
        notes += series_sentences(games, by, self._language)
        totals = sums(games, by, hanging, ties)
        language = self._language
        return Standings(tuple(games), tie_rule, tuple(notes), totals, by, tuple(ties), language)

    def _missing(self) -> list[str]:
        """Who of the players is missing in a round."""
        rounds: dict[str, set[str]] = {}
        for (round_, _), players in self.results.items():
            if round_:
                rounds.setdefault(round_, set()).update(players)
        everybody = dict.fromkeys(player for game in self.results.values() for player in game)
        notes = []
        for round_, present in rounds.items():
            missing = [player for player in everybody if player not in present]
            if missing and len(rounds) > 1:
                fields = {"round": round_, "players": ", ".join(missing), "n": len(missing)}
                notes.append(sentence("standings.missing", self._language, **fields))
        return notes
