"""Standings from a table: what every player of every game had at the end.

The first line names the columns, in any order and either case; other columns are ignored.

- `player`: the name. Where the column is missing, `photo` is taken.
- `game`: the name of the game. Where it is missing, all lines of a round are one game.
- `round`: the round; tables that meet in several rounds may keep one name for their game.
- `kingdom`: a kingdom line (``C W1 G/- F F``), which is scored.
- `score`: the total, bonuses included. A line needs a kingdom or a score; where it has both, they
  must agree, and the kingdom says what breaks a tie.
- `largest`, `crowns`: the squares of the largest territory and the crowns of the kingdom, to break
  a tie where only the score is known.
- `size`: 5, or 7 for a Mighty Duel; empty takes what fits the kingdom.
- `harmony`, `middle_kingdom`: whether the bonus is in play, `yes` or `no`; empty is no, unless the
  score says otherwise.
- `status`: as `kdscore batch` writes it. A doubtful total counts and is named; a photo without
  total is left out and named.

A second table may say whose photos they are, by `photo`, with `player`, `game` and `round`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath

from kdvision.errors import UsageError
from kdvision.report.standings import standings_csv, standings_json, standings_text
from kdvision.result import Status
from kdvision.rules.kingdom import Kingdom, NotationError
from kdvision.rules.scoring import ScoreSheet, score
from kdvision.rules.standings import GameStanding, Result, TieRule, ranking, result_of
from kdvision.tournament.sheets.fields import WHO, number, side, yes
from kdvision.tournament.sheets.sheet import Row, Sheet, read_sheet

_COLUMNS = ("player", "photo", "game", "round", "kingdom", "score", "largest", "crowns", "status")
_ADVICE = "Write at least the columns player and kingdom, or player and score."
_WITHOUT_TOTAL = {Status.NO_KINGDOM.value, Status.UNREADABLE.value}


@dataclass(frozen=True, slots=True)
class Standings:
    """The games of a table in the order of their first lines, ranked, and what to know of them."""

    games: tuple[GameStanding, ...]
    tie_rule: TieRule
    notes: tuple[str, ...] = ()


def standings_report(
    path: str | Path,
    *,
    players: str | Path | None = None,
    tie_rule: TieRule | str = TieRule.CROWNS,
    as_json: bool = False,
    as_csv: bool = False,
) -> str:
    """Rank the players of the games in a table.

    Args:
        path: The file; see the module for its columns.
        players: A table that says whose photos they are.
        tie_rule: What breaks ties (RULES 4): `crowns` or `territory`.
        as_json: One line of JSON instead of tables.
        as_csv: One CSV instead of tables.

    Raises:
        UsageError: A file cannot be read or a line is wrong, with its number; or no such rule.
    """
    try:
        rule = TieRule(tie_rule)
    except ValueError:
        known = " or ".join(TieRule)
        raise UsageError(f"{tie_rule[:40]!r} is no tie rule.", f"Write {known}.") from None
    found = read_standings(path, players=players, tie_rule=rule)
    if as_csv:
        return standings_csv(found.games)
    write = standings_json if as_json else standings_text
    return write(found.games, rule, found.notes)


def read_games(path: str | Path) -> dict[str, tuple[Result, ...]]:
    """The results of each game in a table, games and players in the order of their first lines.

    Raises:
        UsageError: The file cannot be read, or a line is wrong, with its number.
    """
    games, _ = _games(read_sheet(path), None)
    return {game: results for (_, game), results in games.items()}


def read_standings(
    path: str | Path, *, players: str | Path | None = None, tie_rule: TieRule = TieRule.CROWNS
) -> Standings:
    """The games of a table, ranked.

    Raises:
        UsageError: A file cannot be read, or a line is wrong, with its number.
    """
    games, notes = _games(read_sheet(path), read_sheet(players) if players else None)
    return Standings(standing_of(games, tie_rule), tie_rule, tuple(notes))


def standing_of(games: "Games", tie_rule: TieRule = TieRule.CROWNS) -> tuple[GameStanding, ...]:
    """Games ranked."""
    return tuple(
        GameStanding(game, ranking(results, tie_rule), round_)
        for (round_, game), results in games.items()
    )


#: The results of games by round and game.
Games = dict[tuple[str, str], tuple[Result, ...]]


def _games(sheet: Sheet, players: Sheet | None) -> tuple[Games, list[str]]:
    """The results of all games, and what to know of them."""
    _require(sheet)
    owners = _Owners(players) if players else None
    table = GameTable()
    notes: list[str] = []
    rows = sheet.rows
    if not rows:
        raise UsageError(f"{sheet.path} has no results.", _ADVICE)
    for row in rows:
        where = sheet.where(row)
        try:
            if row.problem:
                raise ValueError(row.problem)
            fields = owners.with_owner(row.fields) if owners else row.fields
            if fields.get("status") in _WITHOUT_TOTAL:
                notes.append(_left_out(fields))
                continue
            result = _result(fields)
            table.add(fields, result)
            if fields.get("status") == Status.DOUBTFUL.value:
                notes.append(_not_sure(fields, result))
        except (NotationError, ValueError) as error:
            raise UsageError(f"{where}: {error}") from None
    if not table.games:
        raise UsageError(f"{sheet.path} has no results with a total.", _ADVICE)
    return table.games, [*notes, *(owners.unused() if owners else ())]


class GameTable:
    """Results put into their games."""

    def __init__(self) -> None:
        self._games: dict[tuple[str, str], dict[str, Result]] = {}

    @property
    def games(self) -> Games:
        """The results by round and game."""
        return {game: tuple(players.values()) for game, players in self._games.items()}

    def add(self, fields: Mapping[str, str], result: Result) -> None:
        """Put a result into the game that its line names.

        Raises:
            ValueError: The player is in that game already.
        """
        round_, game = fields.get("round", ""), fields.get("game", "")
        game = game or ("" if round_ else "1")
        players = self._games.setdefault((round_, game), {})
        if result.player in players:
            where = GameStanding(repr(game) if game else "", (), round_).title
            where = f"{where[0].lower()}{where[1:]}"
            raise ValueError(
                f"{result.player!r} is in {where} already. "
                "Give each game a name of its own in the column game."
            )
        players[result.player] = result


class _Owners:
    """Whose photos they are, from a second table."""

    def __init__(self, sheet: Sheet) -> None:
        sheet.require(("photo",), ("player",), known=WHO)
        self._sheet = sheet
        self._by_path: dict[str, Row] = {}
        self._by_name: dict[str, list[Row]] = {}
        self._used: set[int] = set()
        for row in sheet.rows:
            path = _plain_path(row.fields.get("photo", ""))
            if row.problem or not path:
                problem = row.problem or "the photo is missing."
                raise UsageError(f"{sheet.where(row)}: {problem}")
            if path in self._by_path:
                raise UsageError(f"{sheet.where(row)}: the photo {path!r} is there twice.")
            self._by_path[path] = row
            self._by_name.setdefault(PureWindowsPath(path).name, []).append(row)

    def with_owner(self, fields: Mapping[str, str]) -> Mapping[str, str]:
        """The fields of a result with what the second table says of its photo.

        Raises:
            ValueError: It does not name the photo, or several of that name.
        """
        path = _plain_path(fields.get("photo", ""))
        row = self._by_path.get(path)
        if row is None:
            named = self._by_name.get(PureWindowsPath(path).name, [])
            if len(named) != 1:
                count = "several photos" if named else "no photo"
                raise ValueError(f"{self._sheet.path} has {count} {path!r}.")
            (row,) = named
        self._used.add(row.line)
        known = {column: row.fields[column] for column in WHO if row.fields.get(column)}
        return {**fields, **known}

    def unused(self) -> Iterator[str]:
        """A sentence for every line whose photo has no result."""
        for path, row in self._by_path.items():
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
    if not {"player", "photo"} & columns or not {"kingdom", "score"} & columns:
        raise UsageError(f"{where}: a column is missing.", _ADVICE)


def _left_out(fields: Mapping[str, str]) -> str:
    name = fields.get("player") or fields.get("photo") or "A line"
    reason = fields.get("message") or f"the photo is {fields['status']}."
    return f"{name} is left out: {reason}"


def _not_sure(fields: Mapping[str, str], result: Result) -> str:
    others = f", or {fields['alternatives']}" if fields.get("alternatives") else ""
    photo = f" ({fields['photo']})" if fields.get("photo") else ""
    return f"Not sure: {result.player}{photo} has {result.total}{others}."


def _result(row: Mapping[str, str]) -> Result:
    """The result of one line; the message of an error names what is wrong in it."""
    player = row.get("player") or " ".join(filter(None, (row.get("photo"), row.get("letter"))))
    if not player:
        raise ValueError("the player is missing.")
    total = number(row, "score")
    if not row.get("kingdom"):
        if total is None:
            raise ValueError("neither a kingdom nor a score.")
        return Result(player, total, number(row, "largest"), number(row, "crowns"))
    sheet = _sheet(row)
    result = result_of(player, sheet)
    if total is None or total == result.total:
        return result
    if total not in _possible(sheet, row):
        raise ValueError(f"the score is {total}, but the kingdom scores {result.total}.")
    return Result(player, total, result.largest, result.crowns)


def _sheet(row: Mapping[str, str]) -> ScoreSheet:
    """The score sheet of the kingdom of a line."""
    return score(
        Kingdom.parse(row["kingdom"], one_castle=True),
        side(row),
        harmony=yes(row, "harmony"),
        middle_kingdom=yes(row, "middle_kingdom"),
    )


def _possible(sheet: ScoreSheet, row: Mapping[str, str]) -> set[int]:
    """The totals that earned bonuses explain where the line does not say which are in play."""
    found = {sheet.total}
    for bonus, column in zip(sheet.bonuses, ("harmony", "middle_kingdom"), strict=True):
        if bonus.earned and not row.get(column):
            found |= {total + bonus.points for total in found}
    return found
