"""The games of an evening over HTTP: kept, ranked, exported."""

import asyncio
import csv
import io
import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision.errors import UsageError
from kdvision.report.standings import standings_json
from kdvision.serve.scoring import options_from
from kdvision.serve.settings import ServeSettings
from kdvision.serve.store import EveningEntry, Store
from kdvision.serve.uploads import read_json
from kdvision.tournament.game_table import GameTable
from kdvision.tournament.standing_rows import counted
from kdvision.tournament.standings import standings_of as tournament_standings

#: Letters of a name of a player or of a game.
NAME_LETTERS = 60
#: The columns of an export, as `kdscore standings` reads them.
COLUMNS = (
    "game", "player", "kingdom_line", "score", "status", "size", "harmony", "middle_kingdom",
)  # fmt: skip
#: A spreadsheet takes a cell that begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class Evening:
    """The handlers of games, standings and exports."""

    def __init__(self, store: Store, settings: ServeSettings) -> None:
        self._store, self._settings = store, settings

    async def add(self, request: Request) -> Response:
        """`POST /api/games`: keep the kingdoms of a photo as a game.

        `{"photo": ID, "players": {"A": "Ada", "B": "Ben"}, "game": "1"}`; without `game` it is
        the next number.
        """
        data = await read_json(request, self._settings)
        photo = await asyncio.to_thread(self._store.photo, str(data.get("photo", "")))
        if photo is None:
            raise HTTPException(404, "There is no such photo.")
        players = data.get("players")
        if not isinstance(players, dict) or not players:
            raise UsageError("The game has no players.", 'Write {"players": {"A": "Ada"}}.')
        game = written_name(data["game"], "game") if data.get("game") else ""
        options, result = options_from(photo.options), json.loads(photo.result)
        letters = {letter_of(index): one for index, one in enumerate(result["kingdoms"])}
        entries = []
        for letter, player in players.items():
            if letter not in letters:
                raise UsageError(f"There is no kingdom {letter[:20]!r}.", "Write its letter.")
            kingdom = letters[letter]
            entries.append(
                EveningEntry(
                    game, written_name(player, "player"), kingdom["kingdom"], kingdom["score"],
                    kingdom["status"], kingdom["size"], options.harmony,
                    options.middle_kingdom, photo.id,
                )
            )  # fmt: skip
        if len({entry.player for entry in entries}) < len(entries):
            raise UsageError("Two kingdoms have one player.", "Give each player one kingdom.")
        kept = await asyncio.to_thread(self._store.add_game, entries)
        return JSONResponse({"game": kept}, 201)

    async def drop(self, request: Request) -> Response:
        """`DELETE /api/games/{game}`: forget a game."""
        if not await asyncio.to_thread(self._store.drop_game, request.path_params["game"]):
            raise HTTPException(404, "There is no such game.")
        return Response(status_code=204)

    async def games(self, request: Request) -> Response:
        """`GET /api/games`: every game with what its players had, in the order they were kept."""
        games: dict[str, list[dict[str, Any]]] = {}
        for entry in await asyncio.to_thread(self._store.entries):
            games.setdefault(entry.game, []).append(
                {**fields_of(entry), "score": entry.score, "photo": entry.photo}
            )
        return JSONResponse({"games": [{"game": g, "players": p} for g, p in games.items()]})

    async def standings(self, request: Request) -> Response:
        """`GET /api/standings`: ranks of every game, and of the evening."""
        entries = await asyncio.to_thread(self._store.entries)
        return Response(standings_of(entries), media_type="application/json")

    async def export_csv(self, request: Request) -> Response:
        """`GET /api/export.csv`: what `kdscore standings` reads."""
        entries = await asyncio.to_thread(self._store.entries)
        return as_file(as_csv(entries).encode(), "text/csv; charset=utf-8", "evening.csv")

    async def export_xlsx(self, request: Request) -> Response:
        """`GET /api/export.xlsx`: the same as a workbook."""
        entries = await asyncio.to_thread(self._store.entries)
        return as_file(await asyncio.to_thread(as_workbook, entries), XLSX, "evening.xlsx")


def letter_of(index: int) -> str:
    """The letter of a kingdom of a photo."""
    return chr(ord("A") + index)


def standings_of(entries: list[EveningEntry]) -> str:
    """The standings of games, as `kdscore standings --json` prints them."""
    table, notes = GameTable(), []
    for entry in entries:
        fields = fields_of(entry)
        table.add(fields, counted(fields))
        if entry.status == "doubtful":
            notes.append(f"Not sure: {entry.player} has {entry.score} in game {entry.game}.")
    found = tournament_standings(table.ranked(), notes)
    return standings_json(found.games, found.tie_rule, found.notes, found.sums, found.by)


def fields_of(entry: EveningEntry) -> dict[str, str]:
    """The cells of an entry by column."""
    values = (
        entry.game, entry.player, entry.kingdom, str(entry.score), entry.status, str(entry.size),
        "yes" if entry.harmony else "no", "yes" if entry.middle_kingdom else "no",
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))


def as_csv(entries: list[EveningEntry]) -> str:
    """A table of entries."""
    file = io.StringIO()
    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(fields_of(entry) for entry in entries)
    return file.getvalue()


def as_workbook(entries: list[EveningEntry]) -> bytes:
    """A workbook of entries; every cell is text or a number, none a formula."""
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    sheet.append(COLUMNS)
    for entry in entries:
        fields = fields_of(entry)
        sheet.append([int(fields[c]) if c in ("score", "size") else fields[c] for c in COLUMNS])
    for cell in (cell for row in sheet for cell in row if isinstance(cell.value, str)):
        cell.data_type = "s"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def written_name(value: object, what: str) -> str:
    """A name that a person wrote, with single blanks.

    Args:
        value: What was written.
        what: What it names, for the message.

    Raises:
        UsageError: It is no text, too long, or a spreadsheet would take it for a formula.
    """
    text = " ".join(value.split()) if isinstance(value, str) else ""
    if not text or len(text) > NAME_LETTERS or not text.isprintable():
        raise UsageError(
            f"The {what} has no name that can be kept.", f"Write 1 to {NAME_LETTERS} letters."
        )
    if text.startswith(_FORMULA):
        raise UsageError(f"The name of the {what} begins like a formula.", "Begin with a letter.")
    return text


def as_file(data: bytes, kind: str, name: str) -> Response:
    """An answer that is saved under a name."""
    shown = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=kind, headers=shown)
