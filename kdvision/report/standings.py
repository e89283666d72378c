"""The standings of games, as text, JSON or CSV."""

import csv
import json
from collections.abc import Sequence
from io import StringIO

from kdvision.report.text.table import plain_table, printable
from kdvision.rules.standings import (
    GameStanding,
    Ranked,
    Result,
    TieRule,
    Total,
    dynasties,
    is_dynasty,
    totals,
)

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
)

GAME_COLUMNS = ("Rank", "Player", "Total", "Largest", "Crowns", "Note")
TOTAL_COLUMNS = ("Rank", "Player", "Total", "Games")
NUMBERS = ("Rank", "Total", "Largest", "Crowns")


def standings_text(
    games: Sequence[GameStanding], tie_rule: TieRule, notes: Sequence[str] = ()
) -> str:
    """A table per game with its ties explained, then the totals where there are several games.

    Args:
        games: The games, ranked.
        tie_rule: The rule that they were ranked by.
        notes: What else must be known, a sentence each, such as totals that are not sure.
    """
    tables = [
        f"{title}\n{plain_table(columns, rows, numbers=NUMBERS)}"
        for title, columns, rows in standings_tables(games)
    ]
    said = ["\n".join(map(printable, notes))] if notes else []
    return "\n\n".join([*tables, *said, tie_rule.sentence])


#: Title, headings, and rows of a table.
Table = tuple[str, tuple[str, ...], list[tuple[object, ...]]]


def standings_tables(games: Sequence[GameStanding]) -> list[Table]:
    """The tables of the standings: each game, the Dynasties, the totals."""
    tables = [_game(game) for game in games]
    for title, sums in _sums(games):
        rows: list[tuple[object, ...]] = [
            (_rank(entry), entry.player, entry.total, _games(entry)) for entry in sums
        ]
        tables.append((printable(title), TOTAL_COLUMNS, rows))
    return tables


def standings_json(
    games: Sequence[GameStanding], tie_rule: TieRule, notes: Sequence[str] = ()
) -> str:
    """One line of JSON."""
    found: dict[str, object] = {
        "schema": SCHEMA,
        "tie_rule": tie_rule.value,
        "games": [
            {
                "game": game.game,
                **({"round": game.round} if game.round else {}),
                "winners": list(game.winners),
                **({} if game.winners else {"contenders": list(game.contenders)}),
                "players": [_player(entry) for entry in game.ranked],
            }
            for game in games
        ],
        "dynasty": is_dynasty(_results(games)),
        "dynasties": [[_total(entry) for entry in sums] for sums in dynasties(_results(games))],
        "totals": [_total(entry) for entry in totals(_results(games))],
        "notes": list(notes),
    }
    return json.dumps(found, ensure_ascii=False)


def standings_csv(games: Sequence[GameStanding]) -> str:
    """All tables below each other, with the columns `CSV_COLUMNS`."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for game in games:
        for entry in game.ranked:
            result = entry.result
            known = (result.player, result.total, result.largest, result.crowns)
            shared = "yes" if entry.shared else "no"
            row = ("game", game.round, game.game, _ranks(entry), *known, shared, entry.note)
            writer.writerow(row)
    for title, sums in _sums(games):
        table = "totals" if title == "Totals" else "dynasty"
        for total in sums:
            shared = "yes" if total.shared else "no"
            writer.writerow(
                (
                    table,
                    "",
                    "",
                    total.rank,
                    total.player,
                    total.total,
                    "",
                    "",
                    shared,
                    _games(total),
                )
            )
    return out.getvalue()


def _results(games: Sequence[GameStanding]) -> list[list[Result]]:
    return [[entry.result for entry in game.ranked] for game in games]


def _sums(games: Sequence[GameStanding]) -> list[tuple[str, tuple[Total, ...]]]:
    """The sums over several games: one Dynasty, or those there are and the totals of all."""
    results = _results(games)
    if len(games) < 2:
        return []
    if is_dynasty(results):
        return [("Dynasty, the sum of three games", totals(results))]
    found = [
        (f"Dynasty of {_names([entry.player for entry in sums])}, the sum of three games", sums)
        for sums in dynasties(results)
    ]
    return [*found, ("Totals", totals(results))]


def _player(entry: Ranked) -> dict[str, object]:
    return {
        "rank": None if entry.is_open else entry.rank,
        **({"ranks": [entry.rank, entry.worst]} if entry.is_open else {}),
        "player": entry.result.player,
        "total": entry.result.total,
        "largest": entry.result.largest,
        "crowns": entry.result.crowns,
        "shared": entry.shared,
        "note": entry.note,
    }


def _total(entry: Total) -> dict[str, object]:
    return {
        "rank": entry.rank,
        "player": entry.player,
        "total": entry.total,
        "games": list(entry.games),
        "shared": entry.shared,
    }


def _game(game: GameStanding) -> Table:
    rows: list[tuple[object, ...]] = [
        (
            _rank(entry),
            entry.result.player,
            entry.result.total,
            _known(entry.result.largest),
            _known(entry.result.crowns),
            entry.note,
        )
        for entry in game.ranked
    ]
    return printable(f"{game.title}: {_outcome(game)}"), GAME_COLUMNS, rows


def _outcome(game: GameStanding) -> str:
    if not game.winners:
        return f"open between {_names(game.contenders)}"
    shared = "share the victory" if len(game.winners) > 1 else "wins"
    return f"{_names(game.winners)} {shared}"


def _names(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _known(number: int | None) -> str:
    return "?" if number is None else str(number)


def _rank(entry: Ranked | Total) -> str:
    if isinstance(entry, Ranked) and entry.is_open:
        return _ranks(entry)
    return f"{entry.rank}{'=' if entry.shared else ''}"


def _ranks(entry: Ranked) -> str:
    """The rank, or the ranks that are possible: `1-2`."""
    return f"{entry.rank}-{entry.worst}" if entry.is_open else str(entry.rank)


def _games(entry: Total) -> str:
    return " + ".join(map(str, entry.games))
