"""The ranks of players, from sheets that `batch` and `verify` wrote or people made by hand.

What counts for a line stands in its column `counts`; of a sheet that was made by hand the points
count. What is not sure of a line stays with it, and every rank that hangs on it is open.
"""

import dataclasses
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from kdvision.errors import UsageError
from kdvision.files import shown
from kdvision.report.html import Group, Page, Section, write_html
from kdvision.report.standings import Named, RankingRules, Standings, game_title, series_sentences
from kdvision.result import Status
from kdvision.rules.scoring import score as score_kingdom
from kdvision.rules.standings import GameStanding, Result, ranking, result_of
from kdvision.sentences import ENGLISH, sentence
from kdvision.tournament.columns import Line, fold_name, read_number
from kdvision.tournament.judging import Word
from kdvision.tournament.owners import parse_reading
from kdvision.tournament.sheet import read_sheet

_ADVICE = "Write at least the columns player and points, or give what kdscore batch wrote."


def read_standings(
    paths: Sequence[Path],
    rules: RankingRules,
    *,
    final: bool = False,
    language: str = ENGLISH,
) -> Standings:
    """Rank the players of the games in sheets.

    Args:
        paths: The sheets.
        rules: How players are ranked.
        language: That of titles and sentences.
        final: Whether to refuse while a line is open or left out.

    Raises:
        UsageError: A file cannot be read, a column is missing, or no line has a total.
    """
    lines: list[Line] = []
    for path in paths:
        sheet = read_sheet(path)
        sheet.require(["player", "photo"], ["claimed", "counts"])
        lines += sheet.lines
    standings = rank_lines(lines, rules, language)
    names = ", ".join(map(shown, paths))
    if not standings.games:
        reasons = " ".join(["", *standings.notes[:1]])
        raise UsageError(f"{names} has no results with a total.{reasons}", _ADVICE)
    if final and standings.open:
        lines_are = "line is" if standings.open == 1 else "lines are"
        raise UsageError(
            f"{standings.open} {lines_are} open in {names}.",
            "Settle them (columns accept and fix), or rank without --final.",
        )
    return standings


def write_standings_page(path: Path, title: str, standings: Standings) -> None:
    """Write standings as one HTML file, to be looked at or printed.

    Raises:
        UsageError: It cannot be written.
    """
    page = Page(
        title,
        tables=[*standings.total_tables, *standings.dynasty_tables],
        notes=[*standings.notes, *standings.tie_sentences],
        warnings=standings.warnings,
        language=standings.language,
    )
    sections = []
    for part in standings.rounds:
        groups = [Group(table.title, table) for table in part.games]
        sections.append(Section(part.title, groups, part.after))
    write_html(path, page, sections)


# ---------------------------------------------------------------------- what counts for a line


class LineResult(Struct, frozen=True):
    """What counts for a line.

    Attributes:
        result: None where the line is left out.
        note: What is not sure, or why the line is left out, in a clause.
        alternatives: The other totals that it may have, as a decision is pending; () for any,
            None where the total is sure.
    """

    result: Result | None
    note: str = ""
    alternatives: tuple[int, ...] | None = None

    @property
    def is_open(self) -> bool:
        """Whether the total, or the line itself, hangs on a decision."""
        return self.result is None or self.alternatives is not None


def read_result(line: Line, language: str) -> LineResult:
    """Return what counts for a line.

    Raises:
        UsageError: The column `counts` or `score` holds no total.
    """
    cells = line.cells
    reading = parse_reading(cells.get("reading", ""))
    result = Result(line.player, 0)
    if reading:
        result = result_of(line.player, score_kingdom(reading, line.options))
    total, score = read_number(cells, "counts"), read_number(cells, "score")
    note = ""
    alternatives: tuple[int, ...] | None = None
    if "status" not in cells and "verdict" not in cells:
        total = line.target  # a sheet that was made by hand
    elif line.accept is not None and cells.get("verdict") != Word.SETTLED:
        note, alternatives = sentence("standings.accept-is-new", language), ()
        total = score if total is None else total
    elif total is None and cells.get("status") == Status.DOUBTFUL and score is not None:
        total, note, alternatives = score, sentence("standings.doubtful", language), ()
    elif total is not None and cells.get("verdict") == Word.DIFFERS:
        note = sentence("standings.pending", language, claimed=cells.get("claimed", "?"))
        alternatives = () if line.claimed is None else (line.claimed,)
    if total is None:
        reason = cells.get("explanation") or sentence("standings.no-total", language)
        return LineResult(None, note or reason)
    others = () if alternatives is None else alternatives or None
    result = dataclasses.replace(result, total=total, others=others)
    return LineResult(result, note, alternatives)


# ---------------------------------------------------------------------- games

#: What counts for each player, by round and game.
_Games = dict[tuple[str, str], dict[str, LineResult]]


def rank_lines(lines: Iterable[Line], rules: RankingRules, language: str = ENGLISH) -> Standings:
    """Rank the players of lines with their found cells, and total games where there are several.

    A rank that hangs on an open line is open: a doubtful total may be any other, and one that waits
    for a decision may be what was claimed. See `read_standings`.
    """
    results, open_lines, notes = _group_games(list(lines), language)
    games: list[GameStanding] = []
    remarks: dict[Named, str] = {}
    for (round_, game), players in results.items():
        for player, counts in players.items():
            if counts.note:
                remarks[round_, game, player] = counts.note
        ranked = ranking(
            [counts.result for counts in players.values() if counts.result], rules.tie_rule
        )
        if ranked:
            games.append(GameStanding(game, ranked, round_))
    doubtful = [entry for game in games for entry in game.ranked if not entry.result.is_sure]
    if doubtful:
        notes.insert(0, sentence("standings.open", language, n=len(doubtful)))
    if len(games) > 1:
        notes += series_sentences(games, rules.by, language)
    return Standings(
        games=tuple(games),
        rules=rules,
        notes=tuple(notes),
        remarks=remarks,
        open=open_lines,
        language=language,
    )


def _group_games(lines: Sequence[Line], language: str) -> tuple[_Games, int, list[str]]:
    """Return what counts for players, how many lines are open, and notes on lines."""
    if not any(line.player for line in lines):
        # Without names, photos stand for players.
        lines = [replace(line, player=f"{line.photo} {line.letter}".strip()) for line in lines]
    kingdoms = Counter(line.photo for line in lines if line.cells.get("reading"))
    names: dict[str, str] = {}

    def unify(name: str) -> str:
        """Return a name as it was written first."""
        return names.setdefault(fold_name(name), " ".join(name.split()))

    def find_game(line: Line) -> tuple[str, str]:
        """Return the round and the game of a line; a photo of several kingdoms is a game."""
        round_, game = unify(line.round), unify(line.game)
        if not game and not round_ and kingdoms[line.photo] > 1:
            game = line.photo
        return round_, game or ("" if round_ else "1")

    games: _Games = {find_game(line): {} for line in lines}
    open_lines, notes = 0, []
    # A kingdom that is in two photos counts in one line: the other has no total.
    for line in sorted(lines, key=lambda line: not line.cells.get("counts")):
        player, game = unify(line.player), games[find_game(line)]
        try:
            counts = read_result(replace(line, player=player), language)
        except UsageError as error:
            counts = LineResult(None, str(error))
        if not player and line.photo and counts.result:
            player = f"{line.photo} {line.letter}".strip()
            counts = LineResult(None, sentence("standings.no-player", language))
        if not player:
            continue
        if player in game:
            # A line that the program left without a total counts elsewhere.
            if "counts" in line.cells or "status" not in line.cells:
                round_, name = find_game(line)
                where = game_title(round_, name, language)
                fields = {"player": player, "number": line.number, "where": where}
                notes.append(sentence("standings.twice", language, **fields))
                open_lines += 1
            continue
        open_lines += counts.is_open
        if counts.result is None:
            fields = {"player": player, "why": counts.note}
            notes.append(sentence("standings.left-out", language, **fields))
        else:
            game[player] = counts
    return games, open_lines, notes
