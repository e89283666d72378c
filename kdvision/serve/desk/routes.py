"""The routes of a tournament, its pages, and the QR codes of its tables."""

import asyncio
import io
from collections.abc import Awaitable, Callable
from urllib.parse import urlencode

import segno
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from kdvision.serve.desk.decisions import Desk
from kdvision.serve.desk.handlers import Tables, with_sheet
from kdvision.serve.desk.keeper import Keeper
from kdvision.serve.desk.seats import RoundTable, Seating
from kdvision.serve.guard import FROM_DESK
from kdvision.serve.pages import rendered
from kdvision.serve.scoring import ScoringPool
from kdvision.serve.settings import ServeSettings
from kdvision.serve.store import Store

_Handler = Callable[[Request], Awaitable[Response]]
#: Modules of a QR code around it that stay empty; the standard asks for four.
_QUIET = 4
_CODE_SCALE = 4


class Tournament:
    """Everything of a tournament; without a sheet its handlers say so.

    Args:
        store: Holds the log.
        pool: Scores photos that are corrected.
        settings: The limits of the server.
        seating: Who sits where.
        address: What phones open, ending with a slash, with the password where there is one.
    """

    def __init__(
        self,
        store: Store,
        pool: ScoringPool,
        settings: ServeSettings,
        seating: Seating | None,
        address: str,
    ) -> None:
        self._address = address
        self._store = store
        self.keeper = Keeper(store, seating) if seating else None
        self.tables = Tables(store, pool, settings, self.keeper)
        self.desk = Desk(store, pool, settings, self.keeper)

    def desk_only(self, handler: _Handler) -> _Handler:
        """Return a handler that in a tournament answers the desk alone."""

        async def checked(request: Request) -> Response:
            if self.keeper is not None and not request.scope.get(FROM_DESK):
                raise HTTPException(403, "Only the desk may change games.")
            return await handler(request)

        return checked

    async def codes(self, request: Request) -> Response:
        """`GET /api/board/codes`: the token and the address of every table in every round."""
        keeper = with_sheet(self.keeper)
        codes = []
        for place in keeper.seating.seats:
            token = await asyncio.to_thread(self._store.table_token, place.round, place.table)
            about = {"round": place.round, "table": place.table, "token": token}
            codes.append({**about, "address": table_address(self._base(request), place, token)})
        return JSONResponse({"codes": codes})

    def _base(self, request: Request) -> str:
        return self._address or str(request.base_url)

    async def code(self, request: Request) -> Response:
        """`GET /api/board/code.svg?round=1&table=3`: the QR code of a table in a round."""
        query = request.query_params
        place = with_sheet(self.keeper).place(query.get("round", ""), query.get("table", ""))
        token = await asyncio.to_thread(self._store.table_token, place.round, place.table)
        address = table_address(self._base(request), place, token)
        picture = io.BytesIO()
        segno.make(address, micro=False).save(
            picture, kind="svg", scale=_CODE_SCALE, border=_QUIET, light="#fff"
        )
        return Response(picture.getvalue(), media_type="image/svg+xml")


def table_address(base: str, place: RoundTable, token: str) -> str:
    """What the QR code of a table opens: its page, with the password of `base` where it has one."""
    start, _, rest = base.partition("?")
    words = urlencode({"round": place.round, "table": place.table, "token": token})
    return f"{start}table?{words}{f'&{rest}' if rest else ''}"


def desk_routes(tournament: Tournament) -> list[Route]:
    """The routes of a tournament."""
    tables, desk = tournament.tables, tournament.desk
    return [
        *(_page(path, name) for path, name in _PAGES.items()),
        Route("/api/table", tables.show, methods=["GET"]),
        Route("/api/table/claims", tables.claim, methods=["POST"]),
        Route("/api/table/photos", tables.photo, methods=["POST"]),
        Route("/api/table/proposals", tables.propose, methods=["POST"]),
        Route("/api/table/accept", tables.accept, methods=["POST"]),
        Route("/api/board", desk.show, methods=["GET"]),
        Route("/api/board/decisions", desk.decide, methods=["POST"]),
        Route("/api/board/reopen", desk.reopen, methods=["POST"]),
        Route("/api/board/corrections", desk.correct, methods=["POST"]),
        Route("/api/board/letters", desk.letters, methods=["POST"]),
        Route("/api/board/codes", tournament.codes, methods=["GET"]),
        Route("/api/board/log", desk.log, methods=["GET"]),
        Route("/api/board/export.csv", desk.export_csv, methods=["GET"]),
        Route("/api/board/export.xlsx", desk.export_xlsx, methods=["GET"]),
        Route("/api/board/code.svg", tournament.code, methods=["GET"]),
        Route("/api/beamer", desk.beamer, methods=["GET"]),
    ]


_PAGES = {
    "/table": "table.html",
    "/board": "board.html",
    "/board/codes": "codes.html",
    "/beamer": "beamer.html",
}


def _page(path: str, name: str) -> Route:
    async def page(request: Request) -> Response:
        return HTMLResponse(rendered(name))

    return Route(path, page, methods=["GET"])
