"""The server as an ASGI application: its routes, and how errors are answered."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from kdvision import __version__
from kdvision.errors import KdvisionError
from kdvision.serve.desk.routes import Tournament, desk_routes
from kdvision.serve.desk.seats import Seating
from kdvision.serve.guard import Guard, Passwords
from kdvision.serve.pages import page_routes, sign_in_page
from kdvision.serve.photos import Photos
from kdvision.serve.scoring import BusyError, BytesScorer, ScoringPool
from kdvision.serve.settings import DEFAULT_SETTINGS, ServeSettings
from kdvision.serve.store import Store

_LOG = logging.getLogger(__name__)
_HERE = Path(__file__).parent
#: Seconds between two looks for pictures that are no longer kept.
_CLEANING_S = 600


def create_app(
    scorer: BytesScorer,
    store: Store,
    settings: ServeSettings = DEFAULT_SETTINGS,
    *,
    password: str = "",
    hosts: Iterable[str] = (),
    seating: Seating | None = None,
    desk_password: str = "",
    address: str = "",
) -> Starlette:
    """The application.

    Args:
        scorer: Scores photos, from several threads.
        store: Keeps results and games; closed when the application ends.
        settings: Its limits.
        password: Asked for where it is not empty.
        hosts: The names under which it may be called; empty allows all.
        seating: Who sits where in a tournament; None where there is none.
        desk_password: Asked for by the board of the desk; empty asks for the other one.
        address: What phones open, for QR codes; empty takes the name that a request calls.
    """
    pool = ScoringPool(scorer, settings)
    tournament = Tournament(store, pool, settings, seating, address)
    photos = Photos(store, pool, settings, tournament.tables)
    evening = photos.evening

    async def health(request: Request) -> Response:
        return JSONResponse({"status": "ok", "version": __version__})

    async def description(request: Request) -> Response:
        return FileResponse(openapi_file(), media_type="application/json")

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await asyncio.to_thread(store.drop_pictures, settings.keep_photos_s)
        cleaning = asyncio.create_task(_clean(store, settings))
        yield
        cleaning.cancel()
        pool.close()
        store.close()

    one = "/api/photos/{id}"
    return Starlette(
        routes=[
            *page_routes(),
            Route("/healthz", health),
            Route("/api/openapi.json", description),
            Mount("/static", StaticFiles(directory=_HERE / "static")),
            Route("/api/photos", photos.add, methods=["POST"]),
            Route(one, photos.show, methods=["GET"]),
            Route(one, photos.forget, methods=["DELETE"]),
            Route(f"{one}/fixes", photos.fix, methods=["POST"]),
            Route(f"{one}/pictures", photos.add_picture, methods=["POST"]),
            Route(f"{one}/options", photos.choose, methods=["POST"]),
            Route(f"{one}/squares/{{place}}", photos.square),
            Route(f"{one}/overlay", photos.overlay),
            Route(f"{one}/picture", photos.picture),
            Route(f"{one}/boards/{{letter}}", photos.board),
            Route("/api/games", evening.games, methods=["GET"]),
            Route("/api/games", evening.add, methods=["POST"]),
            Route("/api/games/{game}", tournament.desk_only(evening.change), methods=["PATCH"]),
            Route("/api/games/{game}", tournament.desk_only(evening.drop), methods=["DELETE"]),
            Route("/api/standings", evening.standings),
            Route("/api/export.csv", evening.export_csv),
            Route("/api/export.xlsx", evening.export_xlsx),
            *desk_routes(tournament),
        ],
        middleware=[
            Middleware(
                Guard,
                store=store,
                passwords=Passwords(password, desk_password),
                hosts=hosts,
                sign_in=sign_in_page,
            )
        ],
        exception_handlers={
            HTTPException: _refused,
            KdvisionError: _wrong,
            BusyError: _busy_answer(settings),
            sqlite3.OperationalError: _full,
            Exception: _unexpected,
        },
        lifespan=lifespan,
    )


async def _clean(store: Store, settings: ServeSettings) -> None:
    """Forget pictures that were kept long enough, now and again."""
    while True:
        await asyncio.sleep(_CLEANING_S)
        await asyncio.to_thread(store.drop_pictures, settings.keep_photos_s)


def openapi_file() -> Path:
    """The description of the interface: in the installed package, or in the repository."""
    installed = _HERE / "openapi.json"
    return installed if installed.is_file() else _HERE.parents[1] / "docs" / "openapi.json"


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


async def _wrong(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 422)


async def _full(request: Request, error: Exception) -> Response:
    _LOG.error("the store cannot be written: %s", error)
    return JSONResponse({"error": f"The server cannot keep it: {error}."}, 507)


async def _unexpected(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "Something unexpected happened; please report it."}, 500)


def _busy_answer(
    settings: ServeSettings,
) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def busy(request: Request, error: Exception) -> Response:
        head = {"Retry-After": str(settings.retry_after_s)}
        return JSONResponse({"error": "Too many photos at once; this one comes again."}, 503, head)

    return busy
