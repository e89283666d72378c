"""The standings of games, as text, JSON or CSV."""

import csv
import json
from collections.abc import Sequence
from io import StringIO
from itertools import compress

from kdvision.report.text import plain_table, printable
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
    ties_sentence,
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
    "points",
)

GAME_COLUMNS = ("Rank", "Player", "Total", "Largest", "Crowns", "Note")
TOTAL_COLUMNS = ("Rank", "Player", "Points", "Total", "Games", "Note")
NUMBERS = ("Rank", "Points", "Total", "Largest", "Crowns")
#: What decides a Dynasty, by what decides over several games (RULES 3.4, 8).
_DYNASTY = {By.SUM: "the sum of three games", By.BEST: "the best of three games"}
#: What is said of a sum that hangs on what is not known.
OPEN_SUM = "open: not all of it is sure"


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
    rules = filter(None, (tie_rule.sentence, ties_sentence(ties) if len(games) > 1 else ""))
    return "\n\n".join([*tables, *said, "\n".join(rules)])


#: Title, headings, and rows of a table.
Table = tuple[str, tuple[str, ...], list[tuple[object, ...]]]


def standings_tables(
    games: Sequence[GameStanding], totalled: Sequence[Sum] = (), by: By = By.SUM
) -> list[Table]:
    """The tables of the standings: each game, the Dynasties, the totals."""
    tables = [_game(game) for game in games]
    for title, entries in _dynasties(games, by):
        rows: list[tuple[object, ...]] = [
            (_rank(entry), entry.player, entry.total, _games(entry)) for entry in entries
        ]
        tables.append((printable(title), ("Rank", "Player", "Total", "Games"), rows))
    if len(games) > 1:
        tables.append(_totals(games, totalled or sums(games, by), by))
    return tables


def _totals(games: Sequence[GameStanding], totalled: Sequence[Sum], by: By) -> Table:
    """The table of the sums, without columns that say nothing."""
    rows: list[tuple[object, ...]] = [
        (
            _rank(entry),
            entry.player,
            points_text(entry.points),
            entry.total,
            _games(entry),
            _sum_note(entry),
        )
        for entry in totalled
    ]
    used = [by is not By.SUM if name == "Points" else True for name in TOTAL_COLUMNS]
    used[-1] = any(map(_sum_note, totalled))
    title = f"Dynasty, {_DYNASTY[by]}" if _is_one_dynasty(games, by) else "Totals"
    columns = tuple(compress(TOTAL_COLUMNS, used))
    return title, columns, [tuple(compress(row, used)) for row in rows]


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
        "dynasties": [[_total(entry) for entry in sums] for sums in dynasties(games)],
        "by": by.value,
        "ties": [tie.value for tie in ties],
        "totals": [_sum(entry) for entry in totalled or sums(games, by)],
        "notes": list(notes),
    }
    return json.dumps(found, ensure_ascii=False)


def standings_csv(
    games: Sequence[GameStanding], totalled: Sequence[Sum] = (), by: By = By.SUM
) -> str:
    """All tables below each other, with the columns `CSV_COLUMNS`."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for game in games:
        for entry in game.ranked:
            result = entry.result
            known = (result.player, result.total, result.largest, result.crowns)
            shared = "yes" if entry.shared else "no"
            row = ("game", game.round, game.game, _ranks(entry), *known, shared, entry.note, "")
            writer.writerow(row)
    for _, entries in _dynasties(games, by):
        for one in entries:
            shared = "yes" if one.shared else "no"
            head = ("dynasty", "", "", str(one.rank), one.player, one.total, None, None)
            writer.writerow((*head, shared, _games(one), ""))
    table = "dynasty" if _is_one_dynasty(games, by) else "totals"
    for summed in (totalled or sums(games, by)) if len(games) > 1 else ():
        shared = "yes" if summed.shared else "no"
        note = "; ".join(filter(None, (_games(summed), _sum_note(summed))))
        points = points_text(summed.points)
        head = (table, "", "", str(summed.rank), summed.player, summed.total, None, None)
        writer.writerow((*head, shared, note, points))
    return out.getvalue()


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


def _total(entry: Sum) -> dict[str, object]:
    return {
        "rank": entry.rank,
        "player": entry.player,
        "total": entry.total,
        "games": list(entry.totals),
        "shared": entry.shared,
    }


def _sum(entry: Sum) -> dict[str, object]:
    return {
        "rank": entry.rank,
        "player": entry.player,
        "points": float(entry.points),
        "total": entry.total,
        "games": list(entry.totals),
        "shared": entry.shared,
        "open": entry.open,
        "note": entry.note,
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
        return f"open between {listed(game.contenders)}"
    shared = "share the victory" if len(game.winners) > 1 else "wins"
    return f"{listed(game.winners)} {shared}"


def _known(number: int | None) -> str:
    return "?" if number is None else str(number)


def _rank(entry: Ranked | Sum) -> str:
    if isinstance(entry, Ranked) and entry.is_open:
        return _ranks(entry)
    return f"{entry.rank}{'=' if entry.shared else ''}"


def _ranks(entry: Ranked) -> str:
    """The rank, or the ranks that are possible: `1-2`."""
    return f"{entry.rank}-{entry.worst}" if entry.is_open else str(entry.rank)


def _sum_note(entry: Sum) -> str:
    """What broke a tie, and that a sum is open."""
    return "; ".join(filter(None, (entry.note, OPEN_SUM if entry.open else "")))


def _games(entry: Sum) -> str:
    return " + ".join(map(str, entry.totals))
