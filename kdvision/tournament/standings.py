"""The ranks of players, from sheets that people keep and from results.

What counts for a row of results is their column `counts`; of a sheet the points count. What is not
sure of a row stays with it, and every rank that hangs on it is open.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from kdvision.errors import UsageError
from kdvision.files import shown
from kdvision.report.html import Card, Group, Page, Section, write_html
from kdvision.report.standings import (
    Named,
    RankingRules,
    Standings,
    Withdrawn,
    game_title,
    series_sentences,
)
from kdvision.rules.standings import GameStanding, Result, ranking
from kdvision.sentences import ENGLISH, listed, sentence
from kdvision.tournament.columns import fold_name
from kdvision.tournament.entries import Entry, enter_rows, number_rounds
from kdvision.tournament.names import find_alike
from kdvision.tournament.sheet import Sheet, describe_sheet, name_sheets, read_sheets

_NEEDS = (("player", "photo"), ("claimed", "counts"))
_ADVICE = "Write at least the columns player and points, or give what kdscore batch wrote."


def read_standings(
    paths: Sequence[Path],
    rules: RankingRules,
    *,
    final: bool = False,
    language: str = ENGLISH,
    announce: Callable[[str], None] = lambda _: None,
) -> Standings:
    """Rank the players of the games in sheets.

    Args:
        paths: The sheets. Each is a round where no column says in which round a game was played.
        rules: How players are ranked.
        final: Whether to refuse while a total is open, or two players may be one.
        language: That of titles and sentences.
        announce: Called with what was read as what.

    Raises:
        UsageError: A file cannot be read, a column is missing, or no row has a total.
    """
    sheets: list[Sheet] = []
    for path in paths:
        sheets += read_sheets(path, _NEEDS)
    for sheet in sheets:
        announce(describe_sheet(sheet, language, is_ranked=True))
    rows = [row for row in name_sheets(sheets) if not row.is_sum]
    standings = rank_entries(enter_rows(number_rounds(rows), language), rules, language)
    names = ", ".join(map(shown, paths))
    if not standings.has_totals:
        raise UsageError(f"{names} has no totals of players or tables to rank.", _ADVICE)
    if final and standings.warnings:
        raise UsageError(standings.warnings[0], "Mend that, or rank without --final.")
    if final and standings.open:
        rows_are = "row is" if standings.open == 1 else "rows are"
        raise UsageError(
            f"{standings.open} {rows_are} open in {names}.",
            "Settle them: write the total that counts into the column accept, or say in the column "
            "note why there is none. Or rank without --final.",
        )
    return standings


def write_standings_page(path: Path, title: str, standings: Standings) -> None:
    """Write standings as one HTML file, to be looked at or printed.

    Raises:
        UsageError: It cannot be written.
    """
    page = Page(
        title,
        tables=standings.total_tables + standings.dynasty_tables,
        notes=list(standings.notes) + standings.tie_sentences,
        warnings=standings.warnings,
        language=standings.language,
    )
    write_html(path, page, make_sections(standings))


def make_sections(
    standings: Standings, cards: Mapping[tuple[str, str], Iterable[Card]] | None = None
) -> list[Section]:
    """Return what a page shows of every round: its games, and the ranking after it.

    Args:
        standings: The games.
        cards: The cards of each game, by its round and name.
    """
    sections = []
    for part in standings.rounds:
        groups = []
        for game in part.games:
            table = standings.game_table(game, is_in_round=True)
            groups.append(Group(table.title, table, (cards or {}).get((game.round, game.game), ())))
        sections.append(Section(part.title, groups, part.after))
    return sections


# ---------------------------------------------------------------------- the ranking


def rank_entries(
    entries: Sequence[Entry], rules: RankingRules, language: str = ENGLISH
) -> Standings:
    """Rank the players of entries in their games, and over all games."""
    entries = [entry for entry in entries if entry.is_ranked]
    games = _rank_games(entries, rules)
    has_people = False
    open_results = 0
    result_notes: dict[Named, str] = {}
    withdrawn: list[Withdrawn] = []
    copied: set[str] = set()
    for entry in entries:
        if not entry.player:
            continue
        has_people = has_people or entry.is_person
        open_results += entry.counted.is_open
        result_notes[entry.round, entry.game, entry.name] = entry.counted.note
        if entry.counted.is_withdrawn:
            withdrawn.append(Withdrawn(entry.round, entry.game, entry.name, entry.counted.note))
        if entry.is_person and entry.copy:
            copied.add(entry.row.player_key)
    # Nobody knows whose the results of a player are who stands twice in a round.
    unsummed = frozenset(entry.name for entry in entries if entry.row.player_key in copied)
    is_series = len(games) > 1 and has_people
    notes = []
    if open_results:
        notes.append(sentence("standings.open", language, n=open_results))
    if is_series:
        notes += series_sentences(games, rules.by, language, without=unsummed)
    return Standings(
        games=tuple(games),
        rules=rules,
        warnings=tuple(_warn(entries, language)),
        notes=tuple(notes),
        result_notes=result_notes,
        withdrawn=tuple(withdrawn),
        unsummed=unsummed,
        is_series=is_series,
        open=open_results,
        language=language,
    )


def _rank_games(entries: Sequence[Entry], rules: RankingRules) -> list[GameStanding]:
    """Rank the players of every game who have a total, or will have one."""
    games: dict[tuple[str, str], list[Result]] = {}
    for entry in entries:
        results = games.setdefault((entry.round, entry.game), [])
        if entry.player and not entry.counted.is_withdrawn:
            results.append(entry.result)
    return [
        GameStanding(game, ranking(results, rules.tie_rule), round_)
        for (round_, game), results in games.items()
    ]


# ---------------------------------------------------------------------- who is who


def _warn(entries: Sequence[Entry], language: str) -> list[str]:
    """Say what has to be looked at before a ranking is believed."""
    warnings = _warn_of_copies(entries, language)
    warnings += _warn_of_numbers(entries, language)
    warnings += _warn_of_names(entries, language)
    for entry in entries:
        if not entry.player and entry.counted.total is not None:
            photo = entry.row.photo or entry.row.label
            fields = {"photo": photo, "total": entry.counted.total}
            warnings.append(sentence("standings.ownerless", language, **fields))
    return warnings


def _warn_of_copies(entries: Iterable[Entry], language: str) -> list[str]:
    """Say who stands at two tables of a round, or twice at one."""
    appearances: dict[tuple[str, str, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        if entry.is_person:
            appearances[entry.appearance].append(entry)
    warnings = []
    for copies in appearances.values():
        if len(copies) > 1:
            titles = [game_title(entry.round, entry.game, language) for entry in copies]
            fields = {"player": copies[0].player, "games": listed(titles, _and(language))}
            warnings.append(sentence("standings.same-name", language, **fields))
    return warnings


def _warn_of_numbers(entries: Iterable[Entry], language: str) -> list[str]:
    """Say which number two players have."""
    names: dict[str, dict[str, str]] = defaultdict(dict)
    for entry in entries:
        if entry.row.number and entry.row.player:
            name = entry.row.player
            names[entry.row.number].setdefault(fold_name(name), name)
    warnings = []
    for number, written in names.items():
        if len(written) > 1:
            fields = {"number": number, "names": listed(tuple(written.values()), _and(language))}
            warnings.append(sentence("standings.same-number", language, **fields))
    return warnings


def _warn_of_names(entries: Iterable[Entry], language: str) -> list[str]:
    """Say which names may be one player's; players who met are two."""
    games: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for entry in entries:
        if entry.is_person and not entry.row.number:
            _, round_, game = entry.appearance
            games[entry.player].add((round_, game))
    warnings = []
    for first, second in find_alike(games):
        if not games[first] & games[second]:
            fields = {"first": first, "second": second}
            warnings.append(sentence("standings.alike", language, **fields))
    return warnings


def _and(language: str) -> str:
    return sentence("standings.and", language)
