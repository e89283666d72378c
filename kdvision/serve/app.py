"""The server as an ASGI application: its routes, and what it does beside answering."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from kdvision import __version__
from kdvision.pipeline.scorer import Scorer
from kdvision.rules.scoring import BONUS_CODES
from kdvision.serve.answers import ERROR_HANDLERS, page
from kdvision.serve.evening import Evening
from kdvision.serve.guard import Guard
from kdvision.serve.limits import DEFAULT_SETTINGS, NAME_LETTERS, ServeSettings, with_body
from kdvision.serve.photos import Photos, ScoringPool
from kdvision.serve.store import Store

_LOG = logging.getLogger(__name__)

_HERE = Path(__file__).parent
#: Seconds between two looks for pictures that are no longer kept.
_CLEANING_S = 600
#: The rooms of the catalogue whose sentences the page of an evening says.
_PAGE_ROOMS = ("page.", "terrain.", "bonus.")


def create_app(
    scorer: Scorer,
    store: Store,
    settings: ServeSettings = DEFAULT_SETTINGS,
    *,
    password: str = "",
    hosts: Iterable[str] = (),
) -> Starlette:
    """Make the application.

    Args:
        scorer: Scores photos, from several threads.
        store: Keeps results and games; closed when the application ends.
        settings: Its limits.
        password: Asked for where it is not empty.
        hosts: The names under which it may be called; empty allows all.
    """
    pool = ScoringPool(scorer, settings.threads)
    photos = Photos(store, pool, settings)

    async def drop_pictures() -> None:
        try:
            await asyncio.to_thread(store.drop_pictures, settings.keep_photos_s)
        except sqlite3.Error as error:
            _LOG.error("pictures cannot be forgotten now: %s", error)

    async def clean() -> None:
        while True:
            await asyncio.sleep(_CLEANING_S)
            await drop_pictures()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await drop_pictures()
        cleaning = asyncio.create_task(clean())
        yield
        cleaning.cancel()
        pool.close()
        store.close()

    routes = [
        Route("/", _index),
        Route("/manifest.json", _manifest),
        # At the root: a service worker answers for what lies below.
        Route("/sw.js", _file(_HERE / "static" / "sw.js")),
        Route("/favicon.ico", _file(_HERE / "static" / "icon-192.png")),
        Route("/healthz", _health),
        Mount("/static", StaticFiles(directory=_HERE / "static")),
        *_photo_routes(photos),
        *_evening_routes(photos.evening, settings),
    ]
    guard = Middleware(Guard, store=store, password=password, hosts=hosts)
    return Starlette(
        routes=routes, middleware=[guard], exception_handlers=ERROR_HANDLERS, lifespan=lifespan
    )


def _photo_routes(photos: Photos) -> list[BaseRoute]:
    one = "/api/photos/{id}"
    return [
        Route("/api/photos", photos.add, methods=["POST"]),
        Route(one, photos.show, methods=["GET"]),
        Route(one, photos.forget, methods=["DELETE"]),
        Route(f"{one}/fixes", photos.fix, methods=["POST"]),
        Route(f"{one}/options", photos.choose, methods=["POST"]),
        Route(f"{one}/squares/{{place}}", photos.square),
        Route(f"{one}/overlay", photos.overlay),
        Route(f"{one}/picture", photos.picture),
        Route(f"{one}/boards/{{letter}}", photos.board),
    ]


def _evening_routes(evening: Evening, settings: ServeSettings) -> list[BaseRoute]:
    return [
        Route("/api/games", evening.games, methods=["GET"]),
        Route("/api/games", with_body(evening.add, settings), methods=["POST"]),
        Route("/api/games/{game:path}", evening.change, methods=["PATCH"]),
        Route("/api/games/{game:path}", evening.drop, methods=["DELETE"]),
        Route("/api/standings", evening.standings),
        Route("/api/export.csv", evening.export),
        Route("/api/export.xlsx", evening.export),
    ]


def _index(request: Request) -> Response:
    return page(
        request, "page.html", rooms=_PAGE_ROOMS, bonuses=BONUS_CODES, name_letters=NAME_LETTERS
    )


def _manifest(request: Request) -> Response:
    """Answer what a phone needs to put the page beside its other apps."""
    return page(request, "manifest.json", media_type="application/manifest+json")


def _health(request: Request) -> Response:
    return JSONResponse({"status": "ok", "version": __version__})


def _file(path: Path) -> Callable[[Request], Response]:
    """Make a handler that answers with a file of ours."""
    return lambda request: FileResponse(path)
