"""A tournament: games made from a sheet, and the sheet written back with what was found.

The sheet is read anew before it is written, so what people changed in it meanwhile stays; lines and
seats find each other by round, game and player.
"""

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from kdvision.errors import KdvisionError, UsageError
from kdvision.files import shown
from kdvision.options import DEFAULT_OPTIONS
from kdvision.reading import Colour
from kdvision.sentences import DEFAULT_LANGUAGE
from kdvision.serve.evening import Game, Seat, read_games
from kdvision.serve.store import GameRow, SeatRow, Store, rules_text
from kdvision.tournament.columns import RULES, Line, name_key
from kdvision.tournament.journal import locked
from kdvision.tournament.sheet import Sheet, new_sheet, read_sheet

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
    places: dict[str, list[Line]] = defaultdict(list)
    for line in sheet.lines:
        if line.player:
            places[place_of(line)].append(line)
    for lines in places.values():
        if len(lines) > len(Colour):
            where = f"line {lines[len(Colour)].number} of {shown(path)}"
            raise UsageError(
                f"A fifth player of one game stands in {where}.",
                "Give round and game of every line in the columns round and game.",
            )
    with store.transaction():
        evening = _evening_of(store, path)
        games = {game.place: game for game in store.games(evening) if game.place}
        for place, lines in places.items():
            game = games.get(place) or _add_game(store, evening, place, lines)
            _seat_players(store, game, lines)


def place_of(line: Line) -> str:
    """Return what a line calls its round and game, as a game keeps it."""
    return json.dumps(line.place)


def _evening_of(store: Store, path: Path) -> int:
    """Return the latest evening if it is of this sheet, else a new one."""
    evenings, name = store.evenings(), f"sheet {path.absolute()}"
    if evenings and store.word(name) == str(evenings[0].id):
        return evenings[0].id
    evening = store.add_evening(path.stem)
    store.word(name, str(evening))
    return evening


def _add_game(store: Store, evening: int, place: str, lines: Sequence[Line]) -> GameRow:
    first = lines[0]
    name = " / ".join(filter(None, (first.round, first.game))) or "1"
    colours = [line.colour for line in lines]
    has_colours = None not in colours and len({*colours}) == len(colours)
    rules = rules_text(first.options)
    return store.add_game(evening, name, rules, place, has_colours=has_colours)


def _seat_players(store: Store, game: GameRow, lines: Sequence[Line]) -> None:
    """Give the players of a game seats: those of their colours, else the free ones in order."""
    seats = {seat.colour: seat for seat in store.seats(game.evening, game.id)[game.id]}
    players = {name_key(seat.player) for seat in seats.values() if seat.player}
    for line in lines:
        if name_key(line.player) in players:
            continue
        free = [colour for colour, seat in seats.items() if not seat.player]
        if not free:
            continue
        colour = line.colour if game.has_colours and line.colour in free else free[0]
        seats[colour] = SeatRow(game.id, colour, line.player, line.claimed)
        store.write_seat(seats[colour])


# ---------------------------------------------------------------- written back


def written_sheet(store: Store, evening: int, path: Path | None, language: str) -> Sheet:
    """Return the sheet of an evening with claims, decisions and what was found.

    Args:
        store: Has the games.
        evening: The evening.
        path: The sheet that they were made from; None makes a new one.
        language: Of the explanations.

    Raises:
        UsageError: The sheet cannot be read now.
    """
    games = read_games(store, evening)
    if path is None:
        sheet = new_sheet(Path("evening.csv"))
        for game in games:
            for seat in game.taken:
                sheet.add(_cells_of(game, seat, language, is_new=True))
        return sheet
    sheet = read_sheet(path)
    seats = {
        (game.row.place, name_key(seat.row.player)): (game, seat)
        for game in games
        for seat in game.seats
        if seat.row.player
    }
    for line in sheet.lines:
        place = place_of(line), name_key(line.player)
        if place in seats:
            sheet.set(line.number, _cells_of(*seats[place], language))
    return sheet


def _cells_of(game: Game, seat: Seat, language: str, *, is_new: bool = False) -> dict[str, str]:
    cells = dict(seat.verdict.cells(language))
    if seat.row.claimed is not None:
        cells["claimed"] = str(seat.row.claimed)
    if seat.row.accept:
        cells["accept"] = str(json.loads(seat.row.accept)["accept"])
    if is_new:
        rules = game.row.options
        cells |= {"player": seat.shown_name, "game": game.row.name, "colour": seat.row.colour}
        cells |= {
            name: str(getattr(rules, name)).lower()
            for name in RULES
            if getattr(rules, name) != getattr(DEFAULT_OPTIONS, name)
        }
    return cells


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
    with locked(path):
        written_sheet(store, int(evening), path, DEFAULT_LANGUAGE).save(path)
