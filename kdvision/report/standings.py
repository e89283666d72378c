"""The standings of games, as text or JSON."""

import json
from collections.abc import Sequence

from kdvision.report.plain import plain_table, printable
from kdvision.rules.standings import (
    GameStanding,
    Ranked,
    Result,
    TieRule,
    Total,
    is_dynasty,
    totals,
)

#: Names the form of the JSON; it changes when a field changes its meaning.
SCHEMA = "kdscore-standings/1"


def standings_text(games: Sequence[GameStanding], tie_rule: TieRule) -> str:
    """A table per game with its ties explained, then the totals where there are several games."""
    parts = [_game(game) for game in games]
    if len(games) > 1:
        parts.append(_totals(games))
    parts.append(tie_rule.sentence)
    return "\n\n".join(parts)


def standings_json(games: Sequence[GameStanding], tie_rule: TieRule) -> str:
    """One line of JSON."""
    return json.dumps(
        {
            "schema": SCHEMA,
            "tie_rule": tie_rule.value,
            "games": [
                {
                    "game": game.game,
                    "winners": list(game.winners),
                    "players": [_player(entry) for entry in game.ranked],
                }
                for game in games
            ],
            "dynasty": is_dynasty(_results(games)),
            "totals": [
                {
                    "rank": entry.rank,
                    "player": entry.player,
                    "total": entry.total,
                    "games": list(entry.games),
                    "shared": entry.shared,
                }
                for entry in totals(_results(games))
            ],
        },
        ensure_ascii=False,
    )


def _results(games: Sequence[GameStanding]) -> list[list[Result]]:
    return [[entry.result for entry in game.ranked] for game in games]


def _player(entry: Ranked) -> dict[str, object]:
    return {
        "rank": entry.rank,
        "player": entry.result.player,
        "total": entry.result.total,
        "largest": entry.result.largest,
        "crowns": entry.result.crowns,
        "shared": entry.shared,
        "note": entry.note,
    }


def _game(game: GameStanding) -> str:
    *others, last = game.winners
    won = printable(f"{', '.join(others)} and {last}" if others else last)
    shared = "share the victory" if len(game.winners) > 1 else "wins"
    table = plain_table(
        ("Rank", "Player", "Total", "Largest", "Crowns", "Note"),
        (
            (
                _rank(entry),
                entry.result.player,
                entry.result.total,
                _known(entry.result.largest),
                _known(entry.result.crowns),
                entry.note,
            )
            for entry in game.ranked
        ),
        numbers=("Rank", "Total", "Largest", "Crowns"),
    )
    return f"Game {printable(game.game)}: {won} {shared}\n{table}"


def _known(number: int | None) -> str:
    return "?" if number is None else str(number)


def _totals(games: Sequence[GameStanding]) -> str:
    results = _results(games)
    title = "Dynasty, the sum of three games" if is_dynasty(results) else "Totals"
    table = plain_table(
        ("Rank", "Player", "Total", "Games"),
        ((_rank(entry), entry.player, entry.total, _sum(entry)) for entry in totals(results)),
        numbers=("Rank", "Total"),
    )
    return f"{title}\n{table}"


def _rank(entry: Ranked | Total) -> str:
    return f"{entry.rank}{'=' if entry.shared else ''}"


def _sum(entry: Total) -> str:
    return " + ".join(map(str, entry.games))
