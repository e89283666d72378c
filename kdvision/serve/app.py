"""The server as an ASGI application, and the server running: its address, password and QR code."""

import asyncio
import io
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import segno
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from kdvision import __version__
from kdvision.errors import UsageError
from kdvision.pipeline.scorer import Scorer
from kdvision.rules.scoring import BONUS_CODES
from kdvision.sentences import languages
from kdvision.serve.evenings import Evenings
from kdvision.serve.games import EveningName, Games, SeatChange
from kdvision.serve.guard import Guard, check_organiser, know_device
from kdvision.serve.history import History, UndoChoice
from kdvision.serve.http import ERROR_HANDLERS, UPLOADS, keep_language, page, read_body
from kdvision.serve.names import NAME_LETTERS
from kdvision.serve.photos import Photos, SeatChoice
from kdvision.serve.readings import Readings
from kdvision.serve.sheet import FollowedSheet
from kdvision.serve.static_files import answer_file, serve_static
from kdvision.serve.store import Store, new_word

_LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")


def create_app(
    scorer: Scorer,
    store: Store,
    *,
    password: str = "",
    hosts: Sequence[str] = ("*",),
    address: str = "",
    sheet: Path | None = None,
) -> Starlette:
    """Make the application.

    Args:
        scorer: Reads photos, from several threads.
        store: Keeps the log and photos; closed when the application ends.
        password: Asked for where it is not empty.
        hosts: The host names that it answers to. On loopback these are its own, so that no page of
            the web reaches it under another name (DNS rebinding).
        address: What phones open, for QR codes, ending with a slash; empty takes the name that a
            request calls.
        sheet: Who sits where; it is only read.

    Raises:
        UsageError: The sheet cannot be used.
    """
    readings = Readings(store, scorer)
    evenings = Evenings(store, readings)
    followed = FollowedSheet(sheet, store, evenings) if sheet else None
    photos = Photos(store, evenings, readings)
    rooms = _Rooms(photos, Games(store, evenings, followed), History(store, evenings))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        following = asyncio.create_task(followed.follow()) if followed else None
        with suppress(asyncio.CancelledError):  # a second Ctrl-C
            yield
        if following:
            following.cancel()
        photos.close()
        store.close()

    middleware = [
        Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False),
        Middleware(Guard, store=store, password=password),
    ]
    return Starlette(
        routes=[*_list_pages(evenings, address), *_list_answers(rooms)],
        middleware=middleware,
        exception_handlers=ERROR_HANDLERS,
        lifespan=lifespan,
    )


class _Rooms(NamedTuple):
    """The handlers of the application."""

    photos: Photos
    games: Games
    history: History


def _list_pages(evenings: Evenings, address: str) -> list[BaseRoute]:
    """Return the routes of pages and of what they are made of."""
    return [
        Route("/", _show_page),
        Route("/codes", lambda request: _show_codes(request, evenings, address)),
        Route("/language", _choose_language, methods=["POST"]),
        # At the root: a service worker answers for what lies below.
        Route("/sw.js", lambda request: answer_file(request, "sw.js")),
        Route("/healthz", lambda request: JSONResponse({"status": "ok", "version": __version__})),
        Route("/static/{name}", serve_static),
    ]


def _list_answers(rooms: _Rooms) -> list[BaseRoute]:
    """Return the routes of photos, games, evenings, the log, and results."""
    photos, games, history = rooms
    photo, game, evening = f"{UPLOADS}/{{id}}", "/api/games/{game}", "/api/evenings/{evening}"
    # The handlers that read a body.
    fix = read_body(photos.fix, dict[str, str | None], photos.run_scoring)
    rules = read_body(games.change, dict[str, bool | int | str | None], photos.run_scoring)
    seat = read_body(games.change_seat, SeatChange)
    undo = read_body(history.undo, UndoChoice, photos.run_scoring)
    return [
        Route(UPLOADS, photos.add, methods=["POST"]),
        Route(photo, photos.show, methods=["GET"]),
        Route(photo, photos.delete, methods=["DELETE"]),
        Route(f"{photo}/fixes", fix, methods=["POST"]),
        Route(f"{photo}/kingdoms/{{letter}}", read_body(photos.place, SeatChoice), methods=["PUT"]),
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
        Route(evening, read_body(games.name_evening, EveningName), methods=["PUT"]),
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


# ---------------------------------------------------------------- running


def serve(
    host: str,
    port: int,
    data: Path,
    say: Callable[[str], None],
    *,
    password: str | None = None,
    sheet: Path | None = None,
) -> None:
    """Serve until it is stopped.

    Args:
        host: Where it listens.
        port: The port.
        data: The file of the store.
        say: Prints the address, once the port is open.
        password: Asked for where it is not empty; None makes one where phones can come in.
        sheet: What games are made from, and written back to.

    Raises:
        ModelError: The models cannot be used.
        UsageError: The file or the port cannot be used.
    """
    store = Store(data)
    password = choose_password(store, host, password)
    app = create_app(
        # Each photo takes one thread: there are several at a time.
        Scorer(threads=1),
        store,
        password=password,
        hosts=_LOOPBACK if host in _LOOPBACK else ("*",),
        address=make_address(host, port),
        sheet=sheet,
    )
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=10,
        server_header=False,
    )
    with open_port(host, port) as listening:
        say(welcome(host, port, password, has_codes=sheet is not None))
        uvicorn.Server(config).run(sockets=[listening])


def make_address(host: str, port: int, password: str = "") -> str:
    """What phones open; of a server on all interfaces, by the address that leads elsewhere."""
    name = _network_address() if host in ("0.0.0.0", "::") else host
    name = f"[{name}]" if ":" in name else name
    query = f"?{urlencode({'password': password})}" if password else ""
    return f"http://{name}:{port}/{query}"


def _network_address() -> str:
    """The address of this machine in its network. Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def welcome(host: str, port: int, password: str, *, has_codes: bool = False) -> str:
    """What is printed when the server starts: its address, and off loopback a QR code."""
    address = make_address(host, port, password)
    lines = [f"kdscore serves at {address}"]
    if host not in _LOOPBACK:
        picture = io.StringIO()
        segno.make(address).terminal(picture, compact=True)
        lines.append(picture.getvalue())
    if has_codes:
        lines.append(f"QR codes of the games, to print: {address.replace('/?', '/codes?')}")
    lines.append("Stop it with Ctrl-C.")
    return "\n".join(lines)


def choose_password(store: Store, host: str, wanted: str | None) -> str:
    """Return the password that is asked for: the one that is given, or that of the last start."""
    if wanted:
        return store.word("password", wanted)
    if wanted == "" or host in _LOOPBACK:
        return ""
    return store.word("password") or store.word("password", new_word())


def open_port(host: str, port: int) -> socket.socket:
    """Open the port, before anything is promised.

    Raises:
        UsageError: It is taken, or the host is none of this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, UnicodeError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        reason, *_ = reason.partition(" (while attempting")  # what Python adds
        raise UsageError(
            f"Port {port} of {host} cannot be opened: {reason}.",
            "Name another port with --port, or this machine with --host 0.0.0.0.",
        ) from None
