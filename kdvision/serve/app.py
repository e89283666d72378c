"""The server as an ASGI application, and the server running: its address, password and QR code."""

import asyncio
import io
import socket
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlencode

import segno
import uvicorn
from msgspec import Struct
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from kdvision import __version__
from kdvision.errors import KdvisionError, UsageError
from kdvision.pipeline.scorer import Scorer
from kdvision.reading import Colour
from kdvision.rules.scoring import BONUS_CODES
from kdvision.serve.games import NAME_LETTERS, Games
from kdvision.serve.guard import Guard, check_organiser
from kdvision.serve.http import ERROR_HANDLERS, Limits, page, with_body
from kdvision.serve.photos import Photos
from kdvision.serve.sheet import keep_up_to_date, make_games, save_sheet
from kdvision.serve.store import CODE_LETTERS, Store, new_word

_HERE = Path(__file__).parent
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
#: The rooms of the catalogue whose sentences the page says.
_PAGE_ROOMS = ("page.", "terrain.", "bonus.")


def create_app(
    scorer: Scorer,
    store: Store,
    limits: Limits | None = None,
    *,
    password: str = "",
    hosts: Iterable[str] = (),
    address: str = "",
    threads: int | None = None,
    sheet: Path | None = None,
) -> Starlette:
    """Make the application.

    Args:
        scorer: Scores photos, from several threads.
        store: Keeps results and games; closed when the application ends.
        limits: What may arrive.
        password: Asked for where it is not empty.
        hosts: The names under which it may be called; empty allows all.
        address: What phones open, for QR codes, ending with a slash; empty takes the name that a
            request calls.
        threads: Photos that are scored at a time; None for the cores of this machine.
        sheet: What games are made from, and written back to.

    Raises:
        UsageError: The sheet cannot be used.
    """
    if sheet:
        make_games(store, sheet)
    games = Games(store, sheet)
    photos = Photos(store, scorer, games.new_game, limits or Limits(), threads)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        saving = asyncio.create_task(keep_up_to_date(store, sheet)) if sheet else None
        yield
        photos.pool.close()
        if saving and sheet:
            saving.cancel()
            with suppress(KdvisionError):  # it was logged before
                save_sheet(store, sheet)
        store.close()

    routes = [
        Route("/", _index),
        Route("/codes", lambda request: _codes(request, store, address)),
        Route("/manifest.json", _manifest),
        # At the root: a service worker answers for what lies below.
        Route("/sw.js", _file(_HERE / "static" / "sw.js")),
        Route("/favicon.ico", _file(_HERE / "static" / "icon-192.png")),
        Route("/healthz", _health),
        Mount("/static", GZipMiddleware(StaticFiles(directory=_HERE / "static"))),
        *_photo_routes(photos),
        *_game_routes(games, photos),
    ]
    guard = Middleware(Guard, store=store, password=password, hosts=hosts)
    return Starlette(
        routes=routes, middleware=[guard], exception_handlers=ERROR_HANDLERS, lifespan=lifespan
    )


def _photo_routes(photos: Photos) -> list[BaseRoute]:
    photo = "/api/photos/{id}"
    return [
        Route("/api/photos", photos.add, methods=["POST"]),
        Route(photo, photos.show, methods=["GET"]),
        Route(photo, photos.delete, methods=["DELETE"]),
        Route(f"{photo}/restored", photos.restore, methods=["POST"]),
        Route(f"{photo}/fixes", photos.fix, methods=["POST"]),
        Route(f"{photo}/kingdoms/{{letter}}", with_body(photos.place), methods=["PUT"]),
        Route(f"{photo}/squares/{{place}}", photos.square),
        Route(f"{photo}/picture", photos.picture),
        Route(f"{photo}/boards/{{letter}}", photos.board),
    ]


def _game_routes(games: Games, photos: Photos) -> list[BaseRoute]:
    async def change(request: Request) -> Response:
        return await games.change(request, photos)

    return [
        Route("/api/games", games.games, methods=["GET"]),
        Route("/api/games", with_body(games.add), methods=["POST"]),
        Route("/api/games/{game}", change, methods=["PUT"]),
        Route("/api/games/{game}/seats/{colour}", with_body(games.change_seat), methods=["PUT"]),
        Route("/sheet.csv", games.sheet),
        Route("/sheet.xlsx", games.sheet),
        Route("/api/evening", games.evening),
        Route("/api/evenings", with_body(games.add_evening), methods=["POST"]),
        Route("/api/evenings/{evening}", with_body(games.name_evening), methods=["PUT"]),
        Route("/api/evenings/{evening}", games.delete_evening, methods=["DELETE"]),
    ]


def _index(request: Request) -> Response:
    return page(
        request,
        "page.html",
        rooms=_PAGE_ROOMS,
        bonuses=BONUS_CODES,
        colours=[str(colour) for colour in Colour],
        name_letters=NAME_LETTERS,
    )


def _codes(request: Request, store: Store, address: str) -> Response:
    """Answer the page of QR codes to print, one per game of the latest evening."""
    check_organiser(request)
    evenings, root = store.evenings(), address or str(request.base_url)
    games = store.games(evenings[0].id) if evenings else []
    seats = store.seats(evenings[0].id) if evenings else {}
    cards = [
        {
            "name": game.name,
            "players": [seat.player for seat in seats[game.id] if seat.player],
            "address": f"{root}g/{game.code}",
            "code": segno.make(f"{root}g/{game.code}").svg_inline(scale=4),
        }
        for game in games
    ]
    return page(request, "codes.html", cards=cards)


def _manifest(request: Request) -> Response:
    """Answer what a phone needs to put the page beside its other apps."""
    return page(request, "manifest.json", media_type="application/manifest+json")


def _health(request: Request) -> Response:
    return JSONResponse({"status": "ok", "version": __version__})


def _file(path: Path) -> Callable[[Request], Response]:
    """Make a handler that answers with a file of ours."""
    return lambda request: FileResponse(path)


# ---------------------------------------------------------------- running


class Served(Struct, frozen=True):
    """What is served, where, and to whom.

    Attributes:
        host: Where it listens.
        port: The port.
        data: The file of the store.
        password: Asked for where it is not empty; None makes one where phones can come in.
        threads: Photos that are scored at a time; None for the cores of this machine.
        sheet: What games are made from, and written back to.
    """

    host: str
    port: int
    data: Path
    password: str | None = None
    threads: int | None = None
    sheet: Path | None = None

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches it."""
        return self.host in _LOOPBACK


def address_of(host: str, port: int, password: str = "") -> str:
    """What phones open; of a server on all interfaces, by the address that leads elsewhere."""
    name = _network_address() if host in ("0.0.0.0", "::") else host
    shown = f"[{name}]" if ":" in name else name
    query = f"?{urlencode({'password': password})}" if password else ""
    return f"http://{shown}:{port}/{query}"


def _network_address() -> str:
    """The address of this machine in its network. Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def welcome(served: Served, password: str) -> str:
    """What is printed when the server starts: its address, and off loopback a QR code."""
    where = address_of(served.host, served.port, password)
    lines = [f"kdscore serves at {where}", "Stop it with Ctrl-C."]
    if served.sheet:
        lines.insert(1, f"QR codes of the games, to print: {where.replace('/?', '/codes?')}")
    if 0 < len(password) < CODE_LETTERS:
        lines.append(f"Warning: a password of less than {CODE_LETTERS} characters is soon guessed.")
    if not served.is_loopback:
        picture = io.StringIO()
        segno.make(where).terminal(picture, compact=True)
        lines.insert(1, picture.getvalue())
    return "\n".join(lines)


def password_of(served: Served, store: Store) -> str:
    """Return the password that is asked for: the one that is given, or that of the last start."""
    if served.password is not None:
        return store.word("password", served.password) if served.password else ""
    if served.is_loopback:
        return ""
    return store.word("password") or store.word("password", new_word())


def app_of(served: Served, store: Store, password: str) -> Starlette:
    """Make the application of what is served.

    Raises:
        ModelError: The models cannot be used.
    """
    return create_app(
        # Each photo takes one thread: there are several at a time.
        Scorer(threads=1),
        store,
        password=password,
        hosts=_LOOPBACK if served.is_loopback else (),
        address=address_of(served.host, served.port),
        threads=served.threads,
        sheet=served.sheet,
    )


def serve(served: Served, say: Callable[[str], None]) -> None:
    """Serve until it is stopped; `say` is given what to print once nothing is wrong.

    Raises:
        ModelError: The models cannot be used.
        UsageError: The file or the port cannot be used.
    """
    store = Store(served.data)
    password = password_of(served, store)
    app = app_of(served, store, password)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=10,
        server_header=False,
    )
    with open_port(served.host, served.port) as port:
        say(welcome(served, password))
        uvicorn.Server(config).run(sockets=[port])


def open_port(host: str, port: int) -> socket.socket:
    """Open the port, before anything is promised.

    Raises:
        UsageError: It is taken, or the host is none of this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The address that is printed for "::" may be one of IPv4.
    dual = host == "::" and socket.has_dualstack_ipv6()
    try:
        return socket.create_server((host, port), family=family, backlog=2048, dualstack_ipv6=dual)
    except (OSError, UnicodeError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(
            f"{host}, port {port}, cannot be opened: {reason}.",
            "Name another port with --port, or this machine with --host 0.0.0.0.",
        ) from None
