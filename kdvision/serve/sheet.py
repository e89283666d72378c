"""A tournament: games made from a sheet, and what was found of its rows.

Rows and seats find each other by round, game and player.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from msgspec.structs import replace

from kdvision.errors import UsageError
from kdvision.files import shown
from kdvision.reading import Colour
from kdvision.serve.evening import read_games
from kdvision.serve.store import Evening, Game, Store
from kdvision.tournament.columns import fold_name
from kdvision.tournament.judging import Verdict
from kdvision.tournament.rows import Row
from kdvision.tournament.sheet import name_sheets, read_sheets


def make_games(store: Store, path: Path) -> None:
    """Make a game for every round and game of a sheet, with its players, colours and claims.

    A game that was made before keeps what it has; new rows come to it. The games go into the
    latest evening that has games of a sheet, or into a new one.

    Raises:
        UsageError: The sheet cannot be read, names no players, or more than four for a game.
    """
    places: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in name_sheets(read_sheets(path, (("player",),))):
        if row.player and not row.is_sum:
            places[row.game_key].append(row)
    for rows in places.values():
        if len(rows) > len(Colour):
            where = f"row {rows[len(Colour)].position} of {shown(path)}"
            raise UsageError(
                f"A fifth player of one game stands in {where}.",
                "Give round and game of every row in the columns round and game.",
            )
    with store.transaction():
        evening = _find_evening(store, path)
        games = {game.place: game for game in store.games(evening) if game.place}
        for place, rows in places.items():
            game = games.get(place) or _make_game(evening, rows)
            store.write(_seat_players(game, rows))


def _find_evening(store: Store, path: Path) -> str:
    """Return the latest evening if it is of this sheet, else a new one."""
    evenings, name = store.evenings(), f"sheet {path.absolute()}"
    if evenings and store.word(name) == evenings[0].id:
        return evenings[0].id
    evening = Evening(name=path.stem, date=date.today().isoformat())
    store.write(evening)
    return store.word(name, evening.id)


def _make_game(evening: str, rows: Sequence[Row]) -> Game:
    first, colours = rows[0], [row.colour for row in rows]
    return Game(
        parent=evening,
        name=" / ".join(filter(None, (first.round, first.game))) or "1",
        rules=first.rules,
        place=first.game_key,
        has_colours=None not in colours and len({*colours}) == len(colours),
    )


def _seat_players(game: Game, rows: Sequence[Row]) -> Game:
    """Give the players of a game seats: those of their colours, else the free ones in order."""
    seats = {seat.colour: seat for seat in game.seats}
    players = {fold_name(seat.player) for seat in game.seats if seat.player}
    for row in rows:
        free = [colour for colour, seat in seats.items() if not seat.player]
        if not free or fold_name(row.player) in players:
            continue
        is_named = game.has_colours and row.colour in free
        colour = row.colour if is_named and row.colour else free[0]
        seats[colour] = replace(seats[colour], player=row.player, claimed=row.claimed)
    return replace(game, seats=tuple(seats.values()))


# ---------------------------------------------------------------- results


def find_verdicts(store: Store, evening: str, path: Path) -> list[Verdict]:
    """Return what was found of the rows of a sheet, in their order.

    Args:
        store: Has the games.
        evening: The evening.
        path: The sheet that they were made from.

    Raises:
        UsageError: The sheet cannot be read now.
    """
    seats = {
        (view.game.place, fold_name(seat.seat.player)): seat
        for view in read_games(store, evening)
        for seat in view.taken
    }
    verdicts = []
    for row in name_sheets(read_sheets(path, (("player",),))):
        seat = seats.get((row.game_key, fold_name(row.player)))
        verdict = Verdict(row=row)
        if row.player and seat:
            # What phones said of the seat counts, beside the cells of the row.
            said = seat.verdict.row
            row = replace(row, claimed=said.claimed, accept=said.accept)
            verdict = replace(seat.verdict, row=row)
        verdicts.append(verdict)
    return verdicts
