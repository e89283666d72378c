"""A tournament: games made from a sheet, and the sheet written back with what was found.

The sheet is read anew before it is written, so what people changed in it meanwhile stays; lines and
seats find each other by round, game and player.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from msgspec.structs import replace

from kdvision.errors import KdvisionError, UsageError
from kdvision.files import shown
from kdvision.reading import Colour
from kdvision.sentences import ENGLISH
from kdvision.serve.evening import read_games
from kdvision.serve.store import Evening, Game, Store
from kdvision.tournament.columns import Line, fold_name
from kdvision.tournament.journal import lock_sheet
from kdvision.tournament.sheet import Sheet, read_sheet

_LOG = logging.getLogger(__name__)

#: Seconds between two looks whether the sheet on the disk is behind.
_SAVE_EVERY_S = 2.0


def make_games(store: Store, path: Path) -> None:
    """Make a game for every round and game of a sheet, with its players, colours and claims.

    A game that was made before keeps what it has; new lines come to it. The games go into the
    latest evening that has games of a sheet, or into a new one.

    Raises:
        UsageError: The sheet cannot be read, names no players, or more than four for a game.
    """
    sheet = read_sheet(path)
    sheet.require(["player"])
    places: dict[tuple[str, str], list[Line]] = defaultdict(list)
    for line in sheet.lines:
        if line.player:
            places[line.game_key].append(line)
    for lines in places.values():
        if len(lines) > len(Colour):
            where = f"line {lines[len(Colour)].number} of {shown(path)}"
            raise UsageError(
                f"A fifth player of one game stands in {where}.",
                "Give round and game of every line in the columns round and game.",
            )
    with store.transaction():
        evening = _find_evening(store, path)
        games = {game.place: game for game in store.games(evening) if game.place}
        for place, lines in places.items():
            game = games.get(place) or _make_game(evening, lines)
            store.write(_seat_players(game, lines))


def _find_evening(store: Store, path: Path) -> str:
    """Return the latest evening if it is of this sheet, else a new one."""
    evenings, name = store.evenings(), f"sheet {path.absolute()}"
    if evenings and store.word(name) == evenings[0].id:
        return evenings[0].id
    evening = Evening(name=path.stem, date=date.today().isoformat())
    store.write(evening)
    return store.word(name, evening.id)


def _make_game(evening: str, lines: Sequence[Line]) -> Game:
    first, colours = lines[0], [line.colour for line in lines]
    return Game(
        parent=evening,
        name=" / ".join(filter(None, (first.round, first.game))) or "1",
        rules=first.options,
        place=first.game_key,
        has_colours=None not in colours and len({*colours}) == len(colours),
    )


def _seat_players(game: Game, lines: Sequence[Line]) -> Game:
    """Give the players of a game seats: those of their colours, else the free ones in order."""
    seats = {seat.colour: seat for seat in game.seats}
    players = {fold_name(seat.player) for seat in game.seats if seat.player}
    for line in lines:
        free = [colour for colour, seat in seats.items() if not seat.player]
        if not free or fold_name(line.player) in players:
            continue
        is_named = game.has_colours and line.colour in free
        colour = line.colour if is_named and line.colour else free[0]
        seats[colour] = replace(seats[colour], player=line.player, claimed=line.claimed)
    return replace(game, seats=tuple(seats.values()))


# ---------------------------------------------------------------- written back


def fill_sheet(store: Store, evening: str, path: Path, language: str) -> Sheet:
    """Return the sheet of an evening with claims, decisions and what was found.

    Args:
        store: Has the games.
        evening: The evening.
        path: The sheet that they were made from.
        language: Of the explanations.

    Raises:
        UsageError: The sheet cannot be read now.
    """
    sheet = read_sheet(path)
    seats = {
        (view.game.place, fold_name(seat.seat.player)): seat
        for view in read_games(store, evening)
        for seat in view.taken
    }
    for line in sheet.lines:
        seat = seats.get((line.game_key, fold_name(line.player)))
        if line.player and seat:
            cells = dict(seat.verdict.cells(language))
            if seat.seat.claimed is not None:
                cells["claimed"] = str(seat.seat.claimed)
            if seat.seat.decision:
                cells["accept"] = seat.seat.decision.text
            sheet.set(line.number, cells)
    return sheet


async def keep_up_to_date(store: Store, path: Path) -> None:
    """Write the sheet on the disk whenever something has changed, for ever."""
    written = ""
    while True:
        await asyncio.sleep(_SAVE_EVERY_S)
        version = store.version()
        if version != written:
            try:
                await asyncio.to_thread(save_sheet, store, path)
                written = version
            except (KdvisionError, OSError) as error:
                _LOG.error("the sheet cannot be written now: %s", error)


def save_sheet(store: Store, path: Path) -> None:
    """Write the sheet on the disk, with what people changed in it meanwhile.

    Raises:
        UsageError: It cannot be read or written now.
    """
    evening = store.word(f"sheet {path.absolute()}")
    with lock_sheet(path):
        fill_sheet(store, evening, path, ENGLISH).save(path)
