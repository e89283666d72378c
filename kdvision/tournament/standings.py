"""Standings from a table: what every player of every game had at the end.

The headings name the columns, in any order and either case, in our words or in others that people
use (`kdvision.columns`); other columns are ignored. What `kdscore batch` and `kdscore verify -o`
write is read, and tables that are made by hand:

- `player`: the name. Where the column is missing, `photo` is taken.
- `game`: the name of the game. Where it is missing, a photo of several kingdoms is a game of its
  own, and all other lines of a round are one game: without rounds game 1, or the first number that
  no line names. Rounds may keep one name for their games.
- `score`, or `kingdom_line` (``C W1 G/- F F``, which may also stand in the column `kingdom`): where
  a line has both, they must agree, and the kingdom says what breaks a tie. Where only the score is
  known, `largest` and `crowns` may say it.
- The options of the game: empty bonuses are not in play, unless the score says otherwise.
- `fix`, `accept`: squares that a person corrected, and the total that a person accepted.
"""

import dataclasses
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations, count, islice
from pathlib import Path, PureWindowsPath

from msgspec.structs import replace

from kdvision.columns import BAD_LINE, OPEN, RESULT_NAMES, VERDICT, WHO, ColumnNames
from kdvision.errors import UsageError
from kdvision.report.html import Page, write_html
from kdvision.report.standings import Standings, series_sentences
from kdvision.rules.standings import (
    By,
    GameStanding,
    TieBreak,
    TieRule,
    ranking,
    sums,
)
from kdvision.tournament.player_results import (
    MOST_ASKED,
    Counted,
    PlayerNames,
    counted,
    is_sum,
    player_of,
    questions,
)
from kdvision.tournament.sheets import Row, Sheet, read_sheet
from kdvision.tournament.verify.verdicts import Verdict, Verification

_COLUMNS = ("player", "photo", "game", "round", "kingdom", "score", "largest", "crowns", "status")
#: What a table must have one of: what a player has at the end.
_TOTALS = ("score", "kingdom_line", "kingdom", VERDICT, "accept")
_ADVICE = "Write at least the columns player and kingdom, or player and score."
#: What readers of the standings of claims must know.
_GO_BY = "The standings go by the totals that were read or settled, not by those claimed."


def read_standings(
    path: str | Path,
    *,
    players: str | Path | None = None,
    tie_rule: str = TieRule.CROWNS,
    by: str = By.SUM,
    columns: Mapping[str, str] | None = None,
    worksheet: str | None = None,
    final: bool = False,
    say: Callable[[str], None] = lambda _: None,
) -> Standings:
    """Rank the players of the games in a table.

    Args:
        path: The file; see the module for its columns.
        players: A table that says whose photos they are, or a list of the players.
        tie_rule: What breaks ties: `crowns` or `territory` in a game (RULES 4), or, with commas
            between them, what breaks ties over several games, in this order: see `TieBreak`.
        by: What decides over several games, a `By`.
        columns: Headings of the table by our names for them.
        worksheet: The worksheet of a workbook; None reads the one that was open last.
        final: Whether to refuse while a line is open or left out.
        say: Takes sentences on how the table was read, where its owner may not expect it.

    Raises:
        UsageError: A file cannot be read, or a column is missing; no line has a total; there is no
            such rule.
    """
    rule, ties = _tie_rules(tie_rule)
    if by not in {*By}:
        raise UsageError(f"--by is {by[:40]!r}.", f"Write {', '.join(By)}.")
    sheet = read_sheet(path, ColumnNames(RESULT_NAMES, columns or {}), worksheet)
    for note in sheet.reading_notes:
        say(f"{path}: {note}")
    sheet.require(("player", "photo"), _TOTALS, known=_COLUMNS)
    if not sheet.rows:
        raise UsageError(f"{sheet.path} has no results.", _ADVICE)
    table = _read_games(sheet, read_sheet(players) if players else None)
    if not table.players:
        said = f" {table.notes[0]}" if table.notes else ""
        raise UsageError(f"{sheet.path} has no results with a total.{said}", _ADVICE)
    if final and table.open:
        raise UsageError(
            f"{table.open} {'line is' if table.open == 1 else 'lines are'} open in {path}.",
            "Settle them (columns accept and fix), or rank without --final.",
        )
    return table.standings(rule, By(by), ties)


def _tie_rules(text: str) -> tuple[TieRule, tuple[TieBreak, ...]]:
    """Read what breaks ties in a game, and over several games.

    One word, `crowns` or `territory`, is the rule of a game, as the texts of the rules know it.
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


def write_standings_page(path: Path, title: str, standings: Standings) -> None:
    """Write standings as one HTML file, to be looked at or printed.

    Raises:
        UsageError: It cannot be written.
    """
    write_html(path, Page(title, [], standings.tables, standings.sentences), ())


def claim_standings(verification: Verification) -> Standings:
    """Rank the players of a sheet of claims, as far as they are known, as of the checked sheet.

    Returns:
        They go by the totals that count; without games where no player is known.
    """
    lines = {row.line: row for row in verification.sheet.rows}
    rows = []
    for verdict in verification.verdicts:
        line = verdict.line
        if line.player:
            said = {**line.who, **({} if line.claimed is None else {"claimed": line.claimed})}
            rules = {**line.options.in_play, "size": line.options.size}
            fields = {**lines[line.number].fields, **said, **rules, **verdict.fields}
            texts = {name: "" if field is None else str(field) for name, field in fields.items()}
            rows.append(replace(lines[line.number], fields=texts, problem=""))
    table = _read_games(replace(verification.sheet, lines=tuple(rows)))
    table.notes.insert(0, _GO_BY)
    return table.standings()


# ---------------------------------------------------------------------- results by their games


class GameTable:
    """Results of players by games.

    Args:
        tables: Photos of several kingdoms. Where their lines name no game, each is one.
        named: The names of games.

    Attributes:
        open: The number of lines that hang on a decision.
        notes: What there is to know of the table, a sentence each.
    """

    def __init__(self, tables: Collection[str] = (), named: Collection[str] = ()) -> None:
        self._tables = frozenset(tables)
        self._unnamed = next(text for text in map(str, count(1)) if text not in named)
        #: What counts for each player, by round and game.
        self._games: dict[tuple[str, str], dict[str, Counted]] = {}
        self.open = 0
        self.notes: list[str] = []

    def add(self, fields: Mapping[str, str], line: Counted) -> None:
        """Add a result to the game that its line names.

        Raises:
            ValueError: The player is in that game already.
        """
        if line.result is None:
            self.open += 1
            self.notes.append(f"{player_of(fields)} is left out: {line.note}")
            return
        round_, game = fields.get("round", ""), fields.get("game", "")
        if not game and fields.get("photo") in self._tables:
            game = fields["photo"]
        game = game or ("" if round_ else self._unnamed)
        players = self._games.setdefault((round_, game), {})
        if line.result.player in players:
            where = GameStanding(repr(game) if game else "", (), round_).title
            raise ValueError(
                f"{line.result.player!r} is in {where[0].lower()}{where[1:]} already. "
                "Give each game a name of its own in the column game."
            )
        players[line.result.player] = line
        self.open += line.is_open

    @property
    def players(self) -> dict[str, frozenset[str]]:
        """The players by round; by game, where there are no rounds."""
        rounds: dict[str, frozenset[str]] = {}
        for (round_, game), lines in self._games.items():
            key = round_ or f"game {game}"
            rounds[key] = rounds.get(key, frozenset()) | lines.keys()
        return rounds

    def namesakes(self) -> Iterator[str]:
        """Yield a sentence for a name in two games of a round, among other players each time."""
        for (place, lines), (other, others) in combinations(self._games.items(), 2):
            both = lines.keys() & others.keys()
            if place[0] == other[0] != "" and len(both) == 1 < min(len(lines), len(others)):
                yield (
                    f"{min(both)} is in the games {place[1]!r} and {other[1]!r} of round "
                    f"{place[0]}, among other players each time: write two names for two people."
                )

    def standings(
        self,
        tie_rule: TieRule = TieRule.CROWNS,
        by: By = By.SUM,
        ties: Sequence[TieBreak] = (),
    ) -> Standings:
        """Rank every game, and total them where there are several.

        A rank that another total of a doubtful result would change is open.
        """
        games, hanging = [], set()
        for (round_, game), lines in self._games.items():
            hanging |= {(round_, game, player) for player, line in lines.items() if line.is_open}
            doubtful = {player: line.others for player, line in lines.items() if line.doubtful}
            results = [line.result for line in lines.values() if line.result]
            ranked = []
            for entry in ranking(results, tie_rule, doubtful):
                line = lines[entry.result.player]
                note = "; ".join(filter(None, (entry.note, line.mark)))
                ranked.append(dataclasses.replace(entry, note=note, open=line.is_open))
            games.append(GameStanding(game, tuple(ranked), round_))
        said = [*self.notes]
        if hanging:
            said.insert(0, f"{len(hanging)} open, marked in their lines: see the report.")
        several = len(games) > 1
        if several:
            said += series_sentences(games, by)
        found = sums(games, by, hanging, ties) if several else ()
        return Standings(tuple(games), tie_rule, tuple(said), found, by, tuple(ties))


# ---------------------------------------------------------------------- reading tables


def _read_games(sheet: Sheet, players: Sheet | None = None) -> GameTable:
    """Read the results of all games. A line that cannot be used is named, and left out."""
    rows = sheet.rows
    photos_read = {_plain_path(row.fields.get("photo", "")) for row in rows}
    owners = _Owners(players, photos_read) if players and "photo" in players.columns else None
    listed = filter(None, (row.fields.get("player") for row in players.rows)) if players else ()
    names = {"player": PlayerNames(listed), "game": PlayerNames(), "round": PlayerNames()}
    # A line that is one kingdom of its photo, read or not.
    of_photos = Counter(
        row.fields.get("photo", "")
        for row in rows
        if row.fields.get("status") not in (OPEN, BAD_LINE)
        and row.fields.get(VERDICT) != Verdict.BAD_LINE
    )
    tables = [photo for photo, kingdoms in of_photos.items() if photo and kingdoms > 1]
    table = GameTable(tables, {row.fields.get("game", "") for row in rows})
    open_rows = [row for row in rows if row.fields.get("status") == OPEN]
    open_photos = {row.fields.get("photo") for row in open_rows}
    for row in rows:
        try:
            if row.problem:
                raise ValueError(row.problem)
            fields = owners.with_owner(row.fields) if owners else row.fields
            player = fields.get("player", "") if fields else ""
            if fields is None:
                who, where = player_of(row.fields), players and players.path
                table.notes.append(f"{who} is left out: {where} does not name the photo.")
            elif is_sum(player):
                table.notes.append(f"{sheet.where(row)}: {player} adds lines up, and is left out.")
            elif player or fields.get("photo") not in open_photos:
                said = {name: text for name in names if (text := fields.get(name))}
                shown = {**fields, **{name: names[name].shown(said[name]) for name in said}}
                table.add(shown, counted(shown))
        except (UsageError, ValueError) as error:
            table.open += 1
            table.notes.append(f"{sheet.where(row)}: {error} The line is left out.")
    nameless = sum(not row.fields.get("accept") for row in open_rows)
    if nameless:
        lines = "1 line is" if nameless == 1 else f"{nameless} lines are"
        what = f"the column message of {sheet.path} says what to do before the same batch again."
        table.notes.insert(0, f"{lines} open: {what}")
    if players:
        table.notes += [f"{name} is not in {players.path}." for name in names["player"].strangers()]
    for first, second in questions(table.players)[:MOST_ASKED]:
        table.notes.append(
            f"Are {first} and {second} one person? Write one name for both, or name both in "
            "a list of players (--players)."
        )
    table.notes += islice(table.namesakes(), MOST_ASKED)
    table.notes += owners.unused() if owners else ()
    return table


class _Owners:
    """The players of photos, from a second table.

    A photo is known by its path; where the second table does not have that, by its name alone, as
    folders may have moved. A line whose own path is among the results stands for that photo only.

    Args:
        sheet: The second table.
        photos: The paths of all photos of the results.
    """

    def __init__(self, sheet: Sheet, photos: Collection[str]) -> None:
        sheet.require(("photo",), ("player",), known=WHO)
        self._sheet = sheet
        self._by_path: dict[tuple[str, str], Row] = {}
        self._by_name: dict[tuple[str, str], list[Row]] = {}
        self._used: set[int] = set()
        for row in sheet.rows:
            path = _plain_path(row.fields.get("photo", ""))
            letter = row.fields.get("kingdom", "").upper()
            problem = row.problem or ("" if path else "the photo is missing.")
            if (path, letter) in self._by_path and not problem:
                problem = f"the photo {path!r} is there twice."
            if problem:
                raise UsageError(f"{sheet.where(row)}: {problem}")
            self._by_path[path, letter] = row
            if path not in photos:
                self._by_name.setdefault((PureWindowsPath(path).name, letter), []).append(row)

    def with_owner(self, fields: Mapping[str, str]) -> Mapping[str, str] | None:
        """Add player, game and round to a result; None where the second table does not name it.

        Raises:
            ValueError: It names several photos of that name.
        """
        path = _plain_path(fields.get("photo", ""))
        name = PureWindowsPath(path).name
        letters = tuple(dict.fromkeys((fields.get("kingdom", "").upper(), "")))
        exact = [self._by_path[path, one] for one in letters if (path, one) in self._by_path]
        named = [self._by_name[name, one] for one in letters if (name, one) in self._by_name]
        rows = exact[:1] or (named[0] if named else [])
        if len(rows) > 1:
            raise ValueError(f"{self._sheet.path} has several photos {path!r}.")
        if not rows:
            return None
        self._used.add(rows[0].line)
        known = {column: text for column in WHO if (text := rows[0].fields.get(column))}
        return {**fields, **known}

    def unused(self) -> Iterator[str]:
        """Yield a sentence for every line whose photo has no result."""
        for (path, _), row in self._by_path.items():
            if row.line not in self._used:
                yield f"{row.fields.get('player', '')} is left out: no result for {path}."


def _plain_path(text: str) -> str:
    """Return a path with slashes only, without `./` before it, its letters with marks as one."""
    return unicodedata.normalize("NFC", text).replace("\\", "/").removeprefix("./")
