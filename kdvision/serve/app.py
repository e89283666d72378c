"""The server as an ASGI application."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import segno
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from kdvision import __version__
from kdvision.pipeline.scorer import Scorer
from kdvision.rules.scoring import BONUS_CODES
from kdvision.sentences import ENGLISH, languages
from kdvision.serve.bodies import UPLOADS, read_body
from kdvision.serve.evenings import Evenings
from kdvision.serve.games import EveningName, Games, SeatChange
from kdvision.serve.guard import Guard, check_organiser, know_device
from kdvision.serve.history import History, UndoChoice
from kdvision.serve.languages import keep_language
from kdvision.serve.names import NAME_LETTERS
from kdvision.serve.outputs import KeptResults
from kdvision.serve.pages import page
from kdvision.serve.photos import Photos, SeatChoice
from kdvision.serve.readings import Readings
from kdvision.serve.refusals import ERROR_HANDLERS
from kdvision.serve.sheet import FollowedSheet
from kdvision.serve.static_files import answer_file, serve_static
from kdvision.serve.store import Store

#: The names of this machine for itself.
LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")


def create_app(
    scorer: Scorer,
    store: Store,
    *,
    password: str = "",
    address: str = "",
    sheet: Path | None = None,
    output: Path | None = None,
    language: str = ENGLISH,
) -> Starlette:
    """Make the application.

    Args:
        scorer: Reads photos, from several threads.
        store: Keeps the log and photos; closed when the application ends.
        password: Asked for where it is not empty.
        address: What phones open, for QR codes, ending with a slash; empty takes the name that a
            request calls.
        sheet: Who sits where; it is only read.
        output: Where results are kept up to date.
        language: Of the explanations there.

    Raises:
        UsageError: The sheet or the results cannot be used.
    """
    readings = Readings(store, scorer)
    evenings = Evenings(store, readings)
    followed = FollowedSheet(sheet, store, evenings) if sheet else None
    kept = KeptResults(output, store, evenings, followed, language) if output else None
    photos = Photos(store, evenings, readings)
    games, history = Games(store, evenings, followed, kept), History(store, evenings)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(each.follow()) for each in (followed, kept) if each]
        with suppress(asyncio.CancelledError):  # a second Ctrl-C
            yield
        for task in tasks:
            task.cancel()
        photos.close()
        if kept:
            kept.look()
        store.close()

    return Starlette(
        routes=[
            Route("/", _show_page),
            Route("/codes", lambda request: _show_codes(request, evenings, address)),
            Route("/language", _choose_language, methods=["POST"]),
            # At the root: a service worker answers for what lies below.
            Route("/sw.js", lambda request: answer_file(request, "sw.js")),
            Route("/healthz", _say_well),
            Route("/static/{name}", serve_static),
            *_list_answers(photos, games, history),
        ],
        middleware=[Middleware(Guard, store=store, password=password)],
        exception_handlers=ERROR_HANDLERS,
        lifespan=lifespan,
    )


def keep_to_loopback(app: Starlette) -> None:
    """Answer under the names of loopback alone.

    So no page of the web reaches it under another one (DNS rebinding).
    """
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=LOOPBACK, www_redirect=False)


def _list_answers(photos: Photos, games: Games, history: History) -> list[BaseRoute]:
    """Return the routes of photos, games, evenings, the log, and results."""
    photo = f"{UPLOADS}/{{id}}"
    game = "/api/games/{game}"
    evening = "/api/evenings/{evening}"
    # The handlers that read a body.
    fix = read_body(photos.fix, dict[str, str | None])
    place = read_body(photos.place, SeatChoice)
    rules = read_body(games.change, dict[str, bool | int | str | None])
    seat = read_body(games.change_seat, SeatChange)
    name = read_body(games.name_evening, EveningName)
    undo = read_body(history.undo, UndoChoice)
    return [
        Route(UPLOADS, photos.add, methods=["POST"]),
        Route(photo, photos.show, methods=["GET"]),
        Route(photo, photos.delete, methods=["DELETE"]),
        Route(f"{photo}/fixes", fix, methods=["POST"]),
        Route(f"{photo}/kingdoms/{{letter}}", place, methods=["PUT"]),
        Route(f"{photo}/picture", photos.picture),
        Route(f"{photo}/boards/{{letter}}", photos.board),
        Route("/api/games", games.games, methods=["GET"]),
        Route("/api/games", games.add, methods=["POST"]),
        Route(game, games.game, methods=["GET"]),
        Route(game, rules, methods=["PUT"]),
        Route(f"{game}/seats/{{colour}}", seat, methods=["PUT"]),
        Route(f"{game}/log", history.log),
        Route("/api/log/{id:int}/undo", undo, methods=["POST"]),
        Route("/api/evening", games.evening),
        Route("/api/ranking", games.ranking),
        Route("/api/evenings", games.add_evening, methods=["POST"]),
        Route(evening, name, methods=["PUT"]),
        Route(evening, games.delete_evening, methods=["DELETE"]),
        Route("/results.csv", games.results),
        Route("/results.xlsx", games.results),
    ]


def _show_page(request: Request) -> Response:
    answer = page(
        request,
        "page.html",
        bonuses=BONUS_CODES,
        name_letters=NAME_LETTERS,
        languages=languages(),
    )
    return know_device(request, answer)


def _say_well(request: Request) -> Response:
    return JSONResponse({"status": "ok", "version": __version__})


async def _choose_language(request: Request) -> Response:
    """Keep the language that a person chose."""
    async with request.form() as form:
        return keep_language(request, str(form.get("language")))


def _show_codes(request: Request, evenings: Evenings, address: str) -> Response:
    """Answer the page of QR codes to print, one per game of the current evening."""
    check_organiser(request)
    root = address or str(request.base_url)
    cards = []
    for view in evenings.view(evenings.latest()).games:
        place = f"{root}g/{view.game.id}"
        players = [seat.player for seat in view.game.seats if seat.player]
        code = segno.make(place).svg_inline(scale=4)
        cards.append({"name": view.game.name, "players": players, "address": place, "code": code})
    return page(request, "codes.html", cards=cards)
