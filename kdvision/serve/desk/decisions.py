"""The desk over HTTP: the board, decisions, the log, exports, and standings for a beamer."""

import asyncio
import json
from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision.columns import MAX_NUMBER, Accepted
from kdvision.errors import UsageError
from kdvision.report.standings import standings_json
from kdvision.serve.desk.board import BoardLine
from kdvision.serve.desk.handlers import (
    MOST_TRIES,
    check_letters,
    object_in,
    picture_of,
    place_of,
    with_sheet,
)
from kdvision.serve.desk.keeper import FrozenReading, Keeper, Now, PhotoChangedError
from kdvision.serve.desk.record import Kind, new_event
from kdvision.serve.desk.seats import RoundTable
from kdvision.serve.desk.shown import language_of, shown_board, shown_event
from kdvision.serve.evening import (
    XLSX,
    as_file,
    entries_of,
    standings_of,
    text_cell,
    unless_known,
    written_name,
)
from kdvision.serve.scoring import BusyError, ScoringPool, options_from
from kdvision.serve.settings import ServeSettings
from kdvision.serve.store import Event, Store, StoredPhoto
from kdvision.serve.uploads import read_json
from kdvision.tournament.standings import claim_standings
from kdvision.tournament.verify.annotations import annotated_table

#: What is written down, from what holds, the table, the player, who decides, and the body.
_Decided = Callable[[Now, RoundTable, str, str, dict[str, Any]], Event]


class Desk:
    """The handlers of everything below `/api/board`, and of the beamer."""

    def __init__(
        self, store: Store, pool: ScoringPool, settings: ServeSettings, keeper: Keeper | None
    ) -> None:
        self._store, self._pool, self._settings, self._keeper = store, pool, settings, keeper

    async def show(self, request: Request) -> Response:
        """`GET /api/board`: all tiles; 304 where nothing has changed since the ETag."""
        keeper = with_sheet(self._keeper)
        return await unless_known(
            request,
            self._store,
            lambda: _shown(request, keeper.current()),
        )

    async def decide(self, request: Request) -> Response:
        """`POST /api/board/decisions`: `{"round", "table", "player", "accept", "by"}`.

        `accept` is `photo`, `claim`, or the total that counts; null takes it back.
        """

        def event(now: Now, place: RoundTable, player: str, by: str, data: dict[str, Any]) -> Event:
            line = now.line(place, player)
            before = line.verdict.settled if line and line.verdict else None
            if data.get("accept") is None:
                return new_event(Kind.WITHDRAW, place, player, by, before=before, after=None)
            what, total = _accepted(data["accept"])
            after = _accepted_total(line, what, total, player)
            about = {"what": what.value, "total": total}
            return new_event(Kind.ACCEPT, place, player, by, before=before, after=after, **about)

        return await self._decided(request, event)

    async def reopen(self, request: Request) -> Response:
        """`POST /api/board/reopen`: `{"round", "table", "player", "by"}`; begin again."""

        def event(now: Now, place: RoundTable, player: str, by: str, data: dict[str, Any]) -> Event:
            claimed = now.handed(place, player).claimed
            return new_event(Kind.REOPEN, place, player, by, before=claimed, after=None)

        return await self._decided(request, event)

    async def letters(self, request: Request) -> Response:
        """`POST /api/board/letters`: `{"round", "table", "letters": {"Ada": "B"}, "by"}`.

        Which kingdom of the photo is whose.
        """
        keeper = with_sheet(self._keeper)
        data = await read_json(request, self._settings)
        place, by = place_of(keeper, data), written_name(data.get("by"), "person")
        given = object_in(data, "letters", '{"Ada": "A", "Ben": "B"}')
        letters = {written_name(name, "player"): letter for name, letter in given.items()}
        for photo in await self._photos(keeper, place, letters):
            check_letters(letters, photo)

        def events(now: Now) -> list[Event]:
            new = []
            for player, letter in letters.items():
                sent = now.handed(place, player).sent
                before = sent.letter if sent else ""
                if before != letter:
                    change = {"before": before, "after": letter}
                    new.append(new_event(Kind.LETTER, place, player, by, **change))
            return new

        return _shown(request, await keeper.add(events))

    async def _photos(
        self, keeper: Keeper, place: RoundTable, players: Iterable[str]
    ) -> list[StoredPhoto]:
        """The photos of players at a table.

        Raises:
            HTTPException: One of them has none.
        """
        now, photos = await keeper.now(), {}
        for player in players:
            sent = now.handed(place, player).sent
            photo = await asyncio.to_thread(self._store.photo, sent.id) if sent else None
            if photo is None:
                raise HTTPException(409, f"There is no photo of {player}.")
            photos[photo.id] = photo
        return list(photos.values())

    async def correct(self, request: Request) -> Response:
        """`POST /api/board/corrections`: `{"round", "table", "player", "fixes", "by"}`.

        Squares of the player's photo, such as `{"b3": "W1"}`; null takes one back. No fixes turn
        down what the table proposed.
        """
        keeper = with_sheet(self._keeper)
        data = await read_json(request, self._settings)
        place, by = place_of(keeper, data), written_name(data.get("by"), "person")
        player, changes = written_name(data.get("player"), "player"), data.get("fixes")
        if not isinstance(changes, dict):
            raise UsageError("fixes is missing.", 'Write {"b3": "W1"}.')
        for _ in range(MOST_TRIES):
            (photo,) = await self._photos(keeper, place, [player])
            reading = await self._corrected(photo, changes)

            def events(now: Now, reading: FrozenReading = reading) -> list[Event]:
                return _correction(now, reading, changes, by, (place, player))

            try:
                return _shown(request, await keeper.add(events, reading))
            except PhotoChangedError:
                continue
        raise BusyError

    async def _corrected(self, photo: StoredPhoto, changes: dict[str, Any]) -> FrozenReading:
        """What counts of a photo after the desk corrected squares of it."""
        if not changes:
            return FrozenReading(photo, photo.fixes, photo.result)
        fixes = {**json.loads(photo.fixes), **changes}
        fixes = {where: cell for where, cell in fixes.items() if cell is not None}
        options = options_from(photo.options)
        found = await self._pool.score([picture_of(photo)], photo.name, options, fixes)
        if not found["kingdoms"]:
            raise UsageError("With these corrections no kingdom is left.", "Take one back.")
        return FrozenReading(photo, json.dumps(fixes), json.dumps(found))

    async def _decided(self, request: Request, event: _Decided) -> Response:
        keeper = with_sheet(self._keeper)
        data = await read_json(request, self._settings)
        place, by = place_of(keeper, data), written_name(data.get("by"), "person")
        player = written_name(data.get("player"), "player")

        def events(now: Now) -> list[Event]:
            if now.line(place, player) is None:
                raise HTTPException(404, f"{player} does not sit at this table.")
            return [event(now, place, player, by, data)]

        return _shown(request, await keeper.add(events))

    async def log(self, request: Request) -> Response:
        """`GET /api/board/log`: everything that happened, in its order."""
        with_sheet(self._keeper)
        events = await asyncio.to_thread(self._store.events)
        return JSONResponse({"events": [shown_event(event) for event in events]})

    async def export_csv(self, request: Request) -> Response:
        """`GET /api/board/export.csv`: the sheet with what was found, for `kdscore standings`."""
        data = await self._export(workbook=False)
        return as_file(data, "text/csv; charset=utf-8", "tournament.csv")

    async def export_xlsx(self, request: Request) -> Response:
        """`GET /api/board/export.xlsx`: the same as a workbook."""
        return as_file(await self._export(workbook=True), XLSX, "tournament.xlsx")

    async def _export(self, *, workbook: bool) -> bytes:
        verification = (await with_sheet(self._keeper).now()).board.verification
        lines = tuple(
            replace(row, fields={name: text_cell(text) for name, text in row.fields.items()})
            for row in verification.sheet.lines
        )
        plain = replace(verification, sheet=replace(verification.sheet, lines=lines))
        return await asyncio.to_thread(annotated_table, plain, workbook=workbook, links={})

    async def beamer(self, request: Request) -> Response:
        """`GET /api/beamer`: the standings of the tournament; without a sheet of the evening."""
        keeper = self._keeper

        def answer() -> Response:
            text = _standings(keeper.current()) if keeper else standings_of(entries_of(self._store))
            return Response(text, media_type="application/json")

        return await unless_known(request, self._store, answer)


def _shown(request: Request, now: Now) -> Response:
    return JSONResponse(shown_board(now.board, language_of(request)))


def _standings(now: Now) -> str:
    found = claim_standings(now.board.verification.verdicts)
    return standings_json(found.games, found.tie_rule, found.notes, found.sums, found.by)


def _correction(
    now: Now,
    reading: FrozenReading,
    changes: dict[str, Any],
    by: str,
    asked: tuple[RoundTable, str],
) -> list[Event]:
    """The events of a correction: for all whose photo it is; of a refusal for the one alone."""
    kingdoms = json.loads(reading.result)["kingdoms"]
    events = []
    for place, player in now.holders(reading.before.id) if changes else [asked]:
        line = now.line(place, player)
        before = line.read if line else None
        letter = line.letter if line else ""
        index = ord(letter) - ord("A") if letter else 0
        known = letter or len(kingdoms) == 1
        after = kingdoms[index]["score"] if known and index < len(kingdoms) else None
        change = {"before": before, "after": after if changes else before}
        events.append(new_event(Kind.CORRECT, place, player, by, **change, fixes=changes))
    return events


def _accepted(value: object) -> tuple[Accepted, int | None]:
    if value in (Accepted.PHOTO.value, Accepted.CLAIM.value):
        return Accepted(str(value)), None
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_NUMBER:
        return Accepted.NUMBER, value
    raise UsageError(
        "accept is none of both sides.", f"Write photo, claim, or a number from 0 to {MAX_NUMBER}."
    )


def _accepted_total(
    line: BoardLine | None, what: Accepted, total: int | None, player: str
) -> int | None:
    """The total that counts once a side is accepted.

    Raises:
        HTTPException: That side is not there.
    """
    if line is None or line.verdict is None:
        raise HTTPException(409, f"{player} has claimed nothing yet.")
    if what is Accepted.PHOTO and line.read is None:
        raise HTTPException(409, f"The photo gives no total for {player}. Accept a number.")
    return {Accepted.PHOTO: line.read, Accepted.CLAIM: line.handed.claimed}.get(what, total)
