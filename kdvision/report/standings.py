"""The standings of games, as text, JSON or CSV."""

import json
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import compress

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
_YES_NO = {True: "yes", False: "no"}


def standings_text(
    games: Sequence[GameStanding],
    tie_rule: TieRule,
    notes: Sequence[str] = (),
    totalled: Sequence[Sum] = (),
    by: By = By.SUM,
    ties: Sequence[TieBreak] = (),
) -> str:
    """A table per game with its ties explained, then the totals where there are several games.

    Args:
        games: The games, ranked.
        tie_rule: The rule that they were ranked by.
        notes: What else must be known, a sentence each, such as totals that are not sure.
        totalled: The sums over the games; left out, they are made from the games.
        by: What decides over several games.
        ties: What breaks ties of the totals.
    """
    tables = [
        f"{title}\n{plain_table(columns, rows, numbers=NUMBERS)}"
        for title, columns, rows in standings_tables(games, totalled, by)
    ]
    said = ["\n".join(map(printable, notes))] if notes else []
    rules = "\n".join(tie_sentences(tie_rule, ties if len(games) > 1 else ()))
    return "\n\n".join([*tables, *said, rules])


def tie_sentences(tie_rule: TieRule, ties: Sequence[TieBreak] = ()) -> list[str]:
    """What breaks a tie in a game, and one over several games."""
    said = [sentence(f"standings.tie-rule.{tie_rule}")]
    if ties:
        rules = (sentence(f"standings.tie-break.{tie}") for tie in ties)
        said.append(sentence("standings.tie-breaks", rules=sentence("standings.then").join(rules)))
    return said


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
    said = [sentence("standings.uneven", counts="; ".join(numbers))] if len(players) > 1 else []
    return said if by is By.SUM else [*said, sentence(f"standings.by.{by}")]


#: Title, headings, and rows of a table.
Table = tuple[str, tuple[str, ...], list[tuple[object, ...]]]


def standings_tables(
    games: Sequence[GameStanding], totalled: Sequence[Sum] = (), by: By = By.SUM
) -> list[Table]:
    """The tables of the standings: each game, the Dynasties, the totals."""
    tables = [_game_table(game) for game in games]
    for title, entries in _dynasties(games, by):
        rows: list[tuple[object, ...]] = [
            (_rank(entry), entry.player, entry.total, _games(entry)) for entry in entries
        ]
        tables.append((printable(title), ("Rank", "Player", "Total", "Games"), rows))
    if len(games) > 1:
        tables.append(_totals_table(games, totalled or sums(games, by), by))
    return tables


def _game_table(game: GameStanding) -> Table:
    if game.winners:
        verb = "share the victory" if len(game.winners) > 1 else "wins"
        outcome = f"{listed(game.winners)} {verb}"
    else:
        outcome = f"open between {listed(game.contenders)}"
    rows: list[tuple[object, ...]] = []
    for entry in game.ranked:
        one = entry.result
        known = ("?" if number is None else number for number in (one.largest, one.crowns))
        rows.append((_rank(entry), one.player, one.total, *known, entry.note))
    columns = ("Rank", "Player", "Total", "Largest", "Crowns", "Note")
    return printable(f"{game.title}: {outcome}"), columns, rows


def _totals_table(games: Sequence[GameStanding], totalled: Sequence[Sum], by: By) -> Table:
    """The table of the sums, without columns that say nothing."""
    rows = []
    for entry in totalled:
        numbers = points_text(entry.points), entry.total, _games(entry)
        rows.append((_rank(entry), entry.player, *numbers, _sum_note(entry)))
    columns = ("Rank", "Player", "Points", "Total", "Games", "Note")
    used = [
        {"Points": by is not By.SUM, "Note": any(map(_sum_note, totalled))}.get(name, True)
        for name in columns
    ]
    title = f"Dynasty, {_DYNASTY[by]}" if _is_one_dynasty(games, by) else "Totals"
    return title, tuple(compress(columns, used)), [tuple(compress(row, used)) for row in rows]


def standings_json(
    games: Sequence[GameStanding],
    tie_rule: TieRule,
    notes: Sequence[str] = (),
    totalled: Sequence[Sum] = (),
    by: By = By.SUM,
    ties: Sequence[TieBreak] = (),
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
        "dynasty": is_dynasty(games),
        "dynasties": [[_sum(one, _BRIEF) for one in entries] for entries in dynasties(games)],
        "by": by.value,
        "ties": [tie.value for tie in ties],
        "totals": [_sum(one) for one in totalled or sums(games, by)],
        "notes": list(notes),
    }
    return json.dumps(found, ensure_ascii=False)


def standings_csv(
    games: Sequence[GameStanding], totalled: Sequence[Sum] = (), by: By = By.SUM
) -> str:
    """All tables below each other, with the columns `CSV_COLUMNS`."""
    rows: list[tuple[object, ...]] = [CSV_COLUMNS]
    for game in games:
        for entry in game.ranked:
            one = entry.result
            known = (_ranks(entry), one.player, one.total, one.largest, one.crowns)
            shared = _YES_NO[entry.shared]
            rows.append(("game", game.round, game.game, *known, shared, entry.note, ""))
    for _, entries in _dynasties(games, by):
        rows += [_csv_row("dynasty", entry, "") for entry in entries]
    if len(games) > 1:
        table = "dynasty" if _is_one_dynasty(games, by) else "totals"
        totals = totalled or sums(games, by)
        rows += [_csv_row(table, entry, points_text(entry.points)) for entry in totals]
    return f"{csv_text(rows)}\n"


def _csv_row(table: str, entry: Sum, points: str) -> tuple[object, ...]:
    note = "; ".join(filter(None, (_games(entry), _sum_note(entry))))
    known = entry.rank, entry.player, entry.total, None, None
    return (table, "", "", *known, _YES_NO[entry.shared], note, points)


def _is_one_dynasty(games: Sequence[GameStanding], by: By) -> bool:
    return by in _DYNASTY and is_dynasty(games)


def _dynasties(games: Sequence[GameStanding], by: By) -> list[tuple[str, tuple[Sum, ...]]]:
    """The Dynasties among several games, where they are not all there is."""
    if by not in _DYNASTY or _is_one_dynasty(games, by):
        return []
    return [
        (f"Dynasty of {listed([entry.player for entry in found])}, {_DYNASTY[by]}", found)
        for found in dynasties(games, by)
    ]


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
