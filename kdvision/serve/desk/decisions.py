"""The desk over HTTP: the board, decisions, the log, exports, and standings for a beamer."""

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision.columns import MAX_NUMBER, Accepted
from kdvision.errors import UsageError
from kdvision.report.standings import standings_json
from kdvision.serve.desk.board import BoardLine
from kdvision.serve.desk.handlers import place_of, with_sheet
from kdvision.serve.desk.keeper import Keeper, Now
from kdvision.serve.desk.record import Kind, decision_value, event_of
from kdvision.serve.desk.seats import RoundTable
from kdvision.serve.desk.shown import shown_board, shown_event
from kdvision.serve.evening import (
    XLSX,
    as_file,
    entries_of,
    standings_of,
    unless_known,
    written_name,
)
from kdvision.serve.settings import ServeSettings
from kdvision.serve.store import Event, Store
from kdvision.serve.uploads import read_json
from kdvision.tournament.verify.annotated import annotated_table
from kdvision.tournament.verify.standing import GO_BY, claim_standings

#: What is written down, from what holds, the table, the player, who decides, and the body.
_Decided = Callable[[Now, RoundTable, str, str, dict[str, Any]], Event]


class Desk:
    """The handlers of everything below `/api/board`, and of the beamer."""

    def __init__(self, store: Store, settings: ServeSettings, keeper: Keeper | None) -> None:
        self._store, self._settings, self._keeper = store, settings, keeper

    async def show(self, request: Request) -> Response:
        """`GET /api/board`: all tiles; 304 where nothing has changed since the ETag."""
        keeper = with_sheet(self._keeper)
        return await unless_known(
            request, self._store, lambda: JSONResponse(shown_board(keeper.current().board))
        )

    async def decide(self, request: Request) -> Response:
        """`POST /api/board/decisions`: `{"round", "table", "player", "accept", "by"}`.

        `accept` is `photo`, `claim`, or the total that counts; null takes it back.
        """

        def event(now: Now, place: RoundTable, player: str, by: str, data: dict[str, Any]) -> Event:
            if data.get("accept") is None:
                return event_of(Kind.WITHDRAW, place, player, by)
            what, total = _accepted(data["accept"])
            _check(now.line(place, player), what, player)
            return event_of(Kind.ACCEPT, place, player, by, decision_value(what, total))

        return await self._decided(request, event)

    async def reopen(self, request: Request) -> Response:
        """`POST /api/board/reopen`: `{"round", "table", "player", "by"}`; begin again."""

        def event(now: Now, place: RoundTable, player: str, by: str, data: dict[str, Any]) -> Event:
            return event_of(Kind.REOPEN, place, player, by)

        return await self._decided(request, event)

    async def _decided(self, request: Request, event: _Decided) -> Response:
        keeper = with_sheet(self._keeper)
        data = await read_json(request, self._settings)
        place, by = place_of(keeper, data), written_name(data.get("by"), "person")
        player = written_name(data.get("player"), "player")

        def events(now: Now) -> list[Event]:
            if now.line(place, player) is None:
                raise HTTPException(404, f"{player} does not sit at this table.")
            return [event(now, place, player, by, data)]

        return JSONResponse(shown_board((await keeper.add(events)).board))

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
        board = (await with_sheet(self._keeper).now()).board
        return await asyncio.to_thread(
            annotated_table, board.verification, workbook=workbook, links={}
        )

    async def beamer(self, request: Request) -> Response:
        """`GET /api/beamer`: the standings of the tournament; without a sheet of the evening."""
        keeper = self._keeper

        def answer() -> Response:
            text = _standings(keeper.current()) if keeper else standings_of(entries_of(self._store))
            return Response(text, media_type="application/json")

        return await unless_known(request, self._store, answer)


def _standings(now: Now) -> str:
    found = claim_standings(now.board.verification.lines)
    notes = (GO_BY, *found.notes)
    return standings_json(found.games, found.tie_rule, notes, found.sums, found.by)


def _accepted(value: object) -> tuple[Accepted, int | None]:
    if value in (Accepted.PHOTO.value, Accepted.CLAIM.value):
        return Accepted(str(value)), None
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_NUMBER:
        return Accepted.NUMBER, value
    raise UsageError(
        "accept is none of both sides.", f"Write photo, claim, or a number from 0 to {MAX_NUMBER}."
    )


def _check(line: BoardLine | None, what: Accepted, player: str) -> None:
    """See that the side which is accepted is there.

    Raises:
        HTTPException: It is not.
    """
    if line is None or line.checked is None:
        raise HTTPException(409, f"{player} has claimed nothing yet.")
    if what is Accepted.PHOTO and line.checked.read is None:
        raise HTTPException(409, f"The photo gives no total for {player}. Accept a number.")
