"""Standings from a table: what every player of every game had at the end.

The headings name the columns, in any order and either case, in our words or in others that people
use (`sheets.columns`); other columns are ignored.

- `player`: the name. Where the column is missing, `photo` is taken.
- `game`: the name of the game. Where it is missing, a photo of several kingdoms is a game of its
  own, and all other lines of a round are one game.
- `round`: the round; tables that meet in several rounds may keep one name for their game.
- `kingdom_line`: a kingdom line (``C W1 G/- F F``), which is scored. It may also stand in the
  column `kingdom`, which otherwise holds the letter of a kingdom on its photo.
- `score`: the total, bonuses included. A line needs a kingdom or a score; where it has both, they
  must agree, and the kingdom says what breaks a tie.
- `largest`, `crowns`: the squares of the largest territory and the crowns of the kingdom, to break
  a tie where only the score is known.
- `size`: 5, or 7 for a Mighty Duel; empty takes what fits the kingdom.
- a column for each bonus: whether it is in play, `yes` or `no`; empty is no, unless the score says
  otherwise.
- `centre`: what the castle must be the centre of, `box` or `frame`; empty is the kingdom's own box.
- `origin`: what corrections call the top left place of the kingdom line; empty is a1.
- `fix`, `accept`: squares that a person corrected, and the total that a person accepted.
- `status`: as `kdscore batch` writes it. A doubtful total counts and is marked; a photo without
  total is left out and named.

What `kdscore verify -o` writes is read, too. A second table may say whose photos they are, by
`photo`, with `player`, `game` and `round`.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path, PureWindowsPath

from msgspec import Struct

from kdvision.columns import RESULT_NAMES, VERDICT, WHO, ColumnNames
from kdvision.errors import UsageError
from kdvision.report.standings import standings_csv, standings_json, standings_text
from kdvision.rules.kingdom import NotationError
from kdvision.rules.standings import By, GameStanding, Result, Sum, TieRule, sums, uneven
from kdvision.tournament.batch.results import BAD_LINE, OPEN
from kdvision.tournament.game_table import GameTable, Ranking
from kdvision.tournament.names import MOST_ASKED, PlayerNames, is_sum, questions
from kdvision.tournament.sheets import Row, Sheet, read_sheet
from kdvision.tournament.standing_rows import counted, player_of
from kdvision.tournament.verify.verdicts import Verdict

_COLUMNS = ("player", "photo", "game", "round", "kingdom", "score", "largest", "crowns", "status")
#: More totals that are not sure are said in one sentence.
MOST_DOUBTS = 3
_ADVICE = "Write at least the columns player and kingdom, or player and score."
_NAMES = ColumnNames(RESULT_NAMES)


class Standings(Struct, frozen=True):
    """The games of a table in the order of their first lines, ranked, and what to know of them.

    `sums` are those over several games.
    """

    games: tuple[GameStanding, ...]
    tie_rule: TieRule
    notes: tuple[str, ...] = ()
    sums: tuple[Sum, ...] = ()
    by: By = By.SUM


def standings_report(
    path: str | Path,
    *,
    players: str | Path | None = None,
    tie_rule: TieRule | str = TieRule.CROWNS,
    by: By | str = By.SUM,
    as_json: bool = False,
    as_csv: bool = False,
    columns: Mapping[str, str] | None = None,
    worksheet: str | None = None,
    final: bool = False,
) -> str:
    """Rank the players of the games in a table.

    Args:
        path: The file; see the module for its columns.
        players: A table that says whose photos they are.
        tie_rule: What breaks ties (RULES 4): `crowns` or `territory`.
        by: What decides over several games: `sum`, `wins` or `places`.
        as_json: One line of JSON instead of tables.
        as_csv: One CSV instead of tables.
        columns: Headings of the table by our names for them.
        worksheet: The worksheet of a workbook; None reads the one that was open last.
        final: Whether to refuse where a total hangs on a decision.

    Raises:
        UsageError: A file cannot be read or a line is wrong, with its number; or no such rule.
    """
    try:
        rule = TieRule(tie_rule)
    except ValueError:
        known = " or ".join(TieRule)
        raise UsageError(f"{tie_rule[:40]!r} is no tie rule.", f"Write {known}.") from None
    try:
        decides = By(by)
    except ValueError:
        raise UsageError(f"--by is {by[:40]!r}.", f"Write {', '.join(By)}.") from None
    found = read_standings(
        path, players=players, tie_rule=rule, by=decides, columns=columns, worksheet=worksheet,
        final=final,
    )  # fmt: skip
    if as_csv:
        return standings_csv(found.games, found.sums, decides)
    write = standings_json if as_json else standings_text
    return write(found.games, rule, found.notes, found.sums, decides)


def read_games(path: str | Path) -> dict[str, tuple[Result, ...]]:
    """The results of each game in a table, games and players in the order of their first lines.

    Raises:
        UsageError: The file cannot be read, or a line is wrong, with its number.
    """
    table, *_ = _games(read_sheet(path, _NAMES), None)
    return {
        game: tuple(line.result for line in lines if line.result)
        for (_, game), lines in table.games.items()
    }


def read_standings(
    path: str | Path,
    *,
    players: str | Path | None = None,
    tie_rule: TieRule = TieRule.CROWNS,
    by: By = By.SUM,
    columns: Mapping[str, str] | None = None,
    worksheet: str | None = None,
    final: bool = False,
) -> Standings:
    """The games of a table, ranked; see `standings_report`.

    Raises:
        UsageError: A file cannot be read, or a line is wrong, with its number.
    """
    sheet = read_sheet(path, ColumnNames(RESULT_NAMES, columns or {}), worksheet)
    table, notes, unresolved = _games(sheet, read_sheet(players) if players else None)
    if final and unresolved:
        raise UsageError(
            f"{unresolved} {'line is' if unresolved == 1 else 'lines are'} open in {path}.",
            "Settle them (columns accept and fix), or rank without --final.",
        )
    return standings_of(table.ranked(tie_rule), notes, tie_rule, by)


def standings_of(
    ranking: Ranking, notes: list[str], tie_rule: TieRule = TieRule.CROWNS, by: By = By.SUM
) -> Standings:
    """Standings from ranked games, with what there is to say of their number."""
    several = len(ranking.games) > 1
    said = [*notes]
    if several:
        said += filter(None, (uneven(ranking.games), by.sentence if by is not By.SUM else ""))
    found = sums(ranking.games, by, ranking.doubtful) if several else ()
    return Standings(ranking.games, tie_rule, tuple(said), found, by)


def _games(sheet: Sheet, players: Sheet | None) -> tuple[GameTable, list[str], int]:
    """The results of all games, what to know of them, and how many lines are open.

    A line that cannot be used is named, and the others are ranked.
    """
    _require(sheet)
    rows = sheet.rows
    if not rows:
        raise UsageError(f"{sheet.path} has no results.", _ADVICE)
    photos_read = {_plain_path(row.fields.get("photo", "")) for row in rows}
    owners = _Owners(players, photos_read) if players and "photo" in players.columns else None
    listed = [row.fields.get("player", "") for row in players.rows] if players else []
    names = PlayerNames(filter(None, listed))
    photos = Counter(row.fields.get("photo") for row in rows if _may_count(row.fields))
    table = GameTable([photo for photo, count in photos.items() if photo and count > 1])
    open_photos = {row.fields.get("photo") for row in rows if row.fields.get("status") == OPEN}
    notes: list[str] = []
    doubts: list[str] = []
    for row in rows:
        where = sheet.where(row)
        try:
            if row.problem:
                raise ValueError(row.problem)
            fields = owners.with_owner(row.fields) if owners else row.fields
            if fields is None:
                notes.append(
                    f"{player_of(row.fields)} is left out: {players and players.path} "
                    "does not name the photo."
                )
                continue
            if is_sum(fields.get("player", "")):
                notes.append(f"{where}: {fields['player']} adds lines up, and is left out.")
                continue
            if fields.get("photo") in open_photos and not fields.get("player"):
                continue
            if fields.get("player"):
                fields = {**fields, "player": names.shown(fields["player"])}
            line = counted(fields)
            if line.result is None:
                notes.append(f"{player_of(fields)} is left out: {line.note}")
                continue
            table.add(fields, line)
            if line.doubtful or line.pending:
                photo = f" ({fields['photo']})" if fields.get("photo") else ""
                doubts.append(f"Not sure: {line.result.player}{photo} has {line.note}.")
        except (NotationError, ValueError) as error:
            notes.append(f"{where}: {error} The line is left out.")
    if not table.games:
        said = f" {notes[0]}" if notes else ""
        raise UsageError(f"{sheet.path} has no results with a total.{said}", _ADVICE)
    notes += _open_notes(doubts)
    notes += _name_notes(table, names, players)
    return table, [*notes, *(owners.unused() if owners else ())], len(doubts)


def _open_notes(doubts: Sequence[str]) -> list[str]:
    """What is said of totals that hang on a decision: each, where there are few."""
    if len(doubts) <= MOST_DOUBTS:
        return list(doubts)
    return [f"{len(doubts)} open: the notes of their lines say why, and the report shows them."]


def _name_notes(table: GameTable, names: PlayerNames, players: Sheet | None) -> Iterator[str]:
    """What is said of names: those that are on no list, and those that may be one person."""
    if players:
        for name in names.strangers():
            yield f"{name} is not in {players.path}."
    rounds: dict[str, set[str]] = {}
    for (round_, game), lines in table.games.items():
        together = {line.result.player for line in lines if line.result}
        rounds.setdefault(round_ or f"game {game}", set()).update(together)
    asked = questions({key: frozenset(group) for key, group in rounds.items()})
    for first, second in asked[:MOST_ASKED]:
        yield (
            f"Are {first} and {second} one person? Write one name for both, or name both in "
            "a list of players (--players)."
        )


def _may_count(fields: Mapping[str, str]) -> bool:
    """Whether a line is a kingdom of its photo, read or not."""
    usable = fields.get("status") not in (OPEN, BAD_LINE)
    return usable and fields.get(VERDICT) != Verdict.BAD_LINE


class _Owners:
    """Whose photos they are, from a second table.

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
            if row.problem or not path:
                problem = row.problem or "the photo is missing."
                raise UsageError(f"{sheet.where(row)}: {problem}")
            if (path, letter) in self._by_path:
                raise UsageError(f"{sheet.where(row)}: the photo {path!r} is there twice.")
            self._by_path[path, letter] = row
            if path not in photos:
                self._by_name.setdefault((PureWindowsPath(path).name, letter), []).append(row)

    def with_owner(self, fields: Mapping[str, str]) -> Mapping[str, str] | None:
        """The fields of a result with what the second table says; None where it does not name it.

        Raises:
            ValueError: It names several photos of that name.
        """
        path = _plain_path(fields.get("photo", ""))
        letters = dict.fromkeys((fields.get("kingdom", "").upper(), ""))
        row = next(filter(None, (self._by_path.get((path, letter)) for letter in letters)), None)
        if row is None:
            name = PureWindowsPath(path).name
            named = next(
                filter(None, (self._by_name.get((name, letter)) for letter in letters)), []
            )
            if len(named) > 1:
                raise ValueError(f"{self._sheet.path} has several photos {path!r}.")
            if not named:
                return None
            (row,) = named
        self._used.add(row.line)
        known = {column: row.fields[column] for column in WHO if row.fields.get(column)}
        return {**fields, **known}

    def unused(self) -> Iterator[str]:
        """A sentence for every line whose photo has no result."""
        for (path, _), row in self._by_path.items():
            if row.line not in self._used:
                yield f"{row.fields.get('player', '')} is left out: no result for {path}."


def _plain_path(text: str) -> str:
    """A path with slashes only, so that both ways to write it are the same."""
    return text.replace("\\", "/").removeprefix("./")


def _require(sheet: Sheet) -> None:
    columns = {*sheet.columns}
    doubled = [column for column in _COLUMNS if sheet.columns.count(column) > 1]
    where = sheet.where(sheet.heading)
    if doubled:
        raise UsageError(f"{where}: there are two columns {doubled[0]}.")
    totals = {"kingdom", "score", "kingdom_line", VERDICT, "accept"}
    if not {"player", "photo"} & sheet.meanings or not totals & columns:
        raise UsageError(f"{where}: a column is missing.", _ADVICE)
