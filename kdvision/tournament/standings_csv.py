"""Standings from a CSV: what every player of every game had at the end.

The first line names the columns, in any order and either case; other columns are ignored.

- `player`: the name. Where the column is missing, `photo` is taken.
- `game`: the name of the game. Where it is missing, all lines are one game.
- `kingdom`: a kingdom line (``C W1 G/- F F``), which is scored.
- `score`: the total, bonuses included. A line needs a kingdom or a score; where it has both, they
  must agree, and the kingdom says what breaks a tie.
- `largest`, `crowns`: the squares of the largest territory and the crowns of the kingdom, to break
  a tie where only the score is known.
- `size`: 5, or 7 for a Mighty Duel; empty takes what fits the kingdom.
- `harmony`, `middle_kingdom`: whether the bonus is in play, `yes` or `no`; empty is no, unless the
  score says otherwise.

Commas, semicolons or tabs separate columns: what the first line has most of.
"""

import csv
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path

from kdvision.errors import UsageError
from kdvision.report.standings import standings_json, standings_text
from kdvision.rules.kingdom import Kingdom, NotationError
from kdvision.rules.scoring import ScoreSheet, score
from kdvision.rules.standings import GameStanding, Result, TieRule, ranking, result_of

#: More than this is no table of games.
MAX_BYTES = 5_000_000
#: No total is larger: 272 and both bonuses in a Mighty Duel (RULES 6), with room to spare.
MAX_NUMBER = 999

_COLUMNS = ("player", "photo", "game", "kingdom", "score", "largest", "crowns")
_YES = {"yes", "y", "1", "true", "x"}
_NO = {"no", "n", "0", "false", "-", ""}
_ADVICE = "Write at least the columns player and kingdom, or player and score."


def standings_report(
    path: str | Path, *, tie_rule: TieRule | str = TieRule.CROWNS, as_json: bool = False
) -> str:
    """Rank the players of the games in a CSV.

    Args:
        path: The file; see the module for its columns.
        tie_rule: What breaks ties (RULES 4): `crowns` or `territory`.
        as_json: One line of JSON instead of tables.

    Raises:
        UsageError: The file cannot be read or a line is wrong, with its number; or no such rule.
    """
    try:
        rule = TieRule(tie_rule)
    except ValueError:
        known = " or ".join(TieRule)
        raise UsageError(f"{tie_rule[:40]!r} is no tie rule.", f"Write {known}.") from None
    games = [
        GameStanding(game, ranking(results, rule)) for game, results in read_games(path).items()
    ]
    return standings_json(games, rule) if as_json else standings_text(games, rule)


def read_games(path: str | Path) -> dict[str, tuple[Result, ...]]:
    """The results of each game in a CSV, games and players in the order of their first lines.

    Raises:
        UsageError: The file cannot be read, or a line is wrong, with its number.
    """
    games: dict[str, dict[str, Result]] = {}
    for line, row in _rows(_text(Path(path)), str(path)):
        try:
            result = _result(row)
        except (NotationError, ValueError) as error:
            raise UsageError(f"{path}, line {line}: {error}") from None
        players = games.setdefault(row.get("game") or "1", {})
        if result.player in players:
            raise UsageError(
                f"{path}, line {line}: {result.player!r} is in game {row.get('game') or '1'!r} "
                f"already.",
                "Give each game a name of its own in the column game.",
            )
        players[result.player] = result
    return {game: tuple(players.values()) for game, players in games.items()}


def _text(path: Path) -> str:
    """The text of the file."""
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise UsageError(
                f"{path} has {size:,} bytes, too many for a table of games.",
                f"Give a CSV of at most {MAX_BYTES:,} bytes.",
            )
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        reason = error.strerror or "it is no file"
        raise UsageError(f"{path} cannot be read: {reason}.", "Check its name.") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8 text.", "Save it as CSV in UTF-8.") from None


def _rows(text: str, name: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Each line with its number and its fields by column; empty lines are passed over."""
    head = text.split("\n", 1)[0]
    reader = csv.reader(StringIO(text, newline=""), delimiter=max(",;\t", key=head.count))
    columns: list[str] = []
    count = 0
    try:
        before = 0
        for fields in reader:
            line, before = before + 1, reader.line_num
            if not any(field.strip() for field in fields):
                continue
            if not columns:
                columns = _columns(fields, name)
                continue
            if len(fields) > len(columns):
                raise UsageError(
                    f"{name}, line {line}: {len(fields)} fields, but {len(columns)} columns."
                )
            count += 1
            yield (
                line,
                {column: field.strip() for column, field in zip(columns, fields, strict=False)},
            )
    except csv.Error as error:
        raise UsageError(f"{name}, line {reader.line_num}: {error}.", _ADVICE) from None
    if not count:
        raise UsageError(f"{name} has no results.", _ADVICE)


def _columns(fields: list[str], name: str) -> list[str]:
    """The names of the columns, and whether those that are needed are there."""
    columns = [field.strip().lower().replace(" ", "_") for field in fields]
    doubled = [column for column in _COLUMNS if columns.count(column) > 1]
    if doubled:
        raise UsageError(f"{name}, line 1: there are two columns {doubled[0]}.")
    if not {"player", "photo"} & set(columns) or not {"kingdom", "score"} & set(columns):
        raise UsageError(f"{name}, line 1: a column is missing.", _ADVICE)
    return columns


def _result(row: Mapping[str, str]) -> Result:
    """The result of one line; the message of an error names what is wrong in it."""
    player = row.get("player") or row.get("photo")
    if not player:
        raise ValueError("the player is missing.")
    total = _number(row, "score")
    if not row.get("kingdom"):
        if total is None:
            raise ValueError("neither a kingdom nor a score.")
        return Result(player, total, _number(row, "largest"), _number(row, "crowns"))
    sheet = _sheet(row)
    result = result_of(player, sheet)
    if total is None or total == result.total:
        return result
    if total not in _possible(sheet, row):
        raise ValueError(f"the score is {total}, but the kingdom scores {result.total}.")
    return Result(player, total, result.largest, result.crowns)


def _sheet(row: Mapping[str, str]) -> ScoreSheet:
    """The score sheet of the kingdom of a line."""
    size = _number(row, "size")
    if size not in (None, 5, 7):
        raise ValueError(f"size is {size}; write 5 or 7.")
    return score(
        Kingdom.parse(row["kingdom"], one_castle=True),
        size,
        harmony=_yes(row, "harmony"),
        middle_kingdom=_yes(row, "middle_kingdom"),
    )


def _possible(sheet: ScoreSheet, row: Mapping[str, str]) -> set[int]:
    """The totals that earned bonuses explain where the line does not say which are in play."""
    found = {sheet.total}
    for bonus, column in zip(sheet.bonuses, ("harmony", "middle_kingdom"), strict=True):
        if bonus.earned and not row.get(column):
            found |= {total + bonus.points for total in found}
    return found


def _number(row: Mapping[str, str], column: str) -> int | None:
    """A whole number, None where the field is empty."""
    text = row.get(column, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 6 and int(text) <= MAX_NUMBER):
        raise ValueError(f"{column} is {text[:20]!r}; write a number from 0 to {MAX_NUMBER}.")
    return int(text)


def _yes(row: Mapping[str, str], column: str) -> bool:
    text = row.get(column, "").lower()
    if text not in _YES | _NO:
        raise ValueError(f"{column} is {text[:20]!r}; write yes or no.")
    return text in _YES
