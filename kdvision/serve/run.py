"""The server, running: its address, its password, its QR code, and clients that are too slow."""

import asyncio
import io
import secrets
import socket
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import segno
import uvicorn
from msgspec import Struct
from msgspec.structs import replace
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from kdvision.errors import UsageError
from kdvision.pipeline.scorer import Scorer
from kdvision.serve.app import create_app
from kdvision.serve.desk.seats import read_seating
from kdvision.serve.limits import ServeSettings
from kdvision.serve.store import Store

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
#: Letters of a password that the server makes: 40 bits, and nothing to confuse.
_PASSWORD_LETTERS = 8
_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a host."""
    return host in _LOOPBACK


def made_password() -> str:
    """A password that can be typed on a phone."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_PASSWORD_LETTERS))


def address(host: str, port: int, password: str = "", path: str = "") -> str:
    """What phones open; of a server on all interfaces, by the address that leads elsewhere."""
    name = own_address() if host in ("0.0.0.0", "::") else host
    shown = f"[{name}]" if ":" in name else name
    query = f"?{urlencode({'password': password})}" if password else ""
    return f"http://{shown}:{port}/{path}{query}"


def own_address() -> str:
    """The address of this machine in its network. Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


class Served(Struct, frozen=True):
    """What is served, where, and to whom.

    Attributes:
        host: Where it listens.
        port: The port.
        data: The file of the store.
        password: Asked for where it is not empty.
        sheet: Who sits where in a tournament; None where there is none.
        event: What the numbers on its slips mean; None takes the file beside the sheet.
        desk_password: Asked for by the board of the desk.
        open_to_all: Whether no password is asked for where none is given.
    """

    host: str
    port: int
    data: Path
    password: str = ""
    sheet: Path | None = None
    event: Path | None = None
    desk_password: str = ""
    open_to_all: bool = True

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names under which it may be called; none allows all."""
        return _LOOPBACK if is_loopback(self.host) else ()


def welcome(served: Served) -> str:
    """What is printed when the server starts: addresses, and off loopback a QR code."""
    host, port = served.host, served.port
    where = address(host, port, served.password)
    lines = [f"kdscore serves at {where}", "Stop it with Ctrl-C."]
    if served.sheet:
        board = address(host, port, served.desk_password, "board")
        lines.insert(1, f"The board of the desk, with the QR codes of the tables: {board}")
    if any(0 < len(one) < _PASSWORD_LETTERS for one in (served.password, served.desk_password)):
        lines.append(
            f"Warning: a password of less than {_PASSWORD_LETTERS} characters is soon guessed."
        )
    if not is_loopback(host):
        picture = io.StringIO()
        segno.make(where).terminal(picture, compact=True)
        lines.insert(1, picture.getvalue())
    return "\n".join(lines)


class Connections:
    """All open connections: where there are too many, one that nobody needs is closed.

    Args:
        most: How many may be open.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._open: dict[DroppingProtocol, float] = {}

    def add(self, connection: "DroppingProtocol") -> None:
        """Take a connection in, and close another one where there is no room."""
        self.touch(connection)
        if len(self._open) > self.most:
            self._spare().transport.close()

    def touch(self, connection: "DroppingProtocol") -> None:
        """Remember that a connection was of use just now."""
        self._open[connection] = time.monotonic()

    def drop(self, connection: "DroppingProtocol") -> None:
        """Forget a connection that is closed."""
        self._open.pop(connection, None)

    def _spare(self) -> "DroppingProtocol":
        """Choose what is closed: idle or half sent, of the client with most, the oldest."""
        clients = Counter(connection.peer for connection in self._open)
        return min(
            self._open,
            key=lambda one: (one.is_answering, -clients[one.peer], self._open[one]),
        )


class DroppingProtocol(H11Protocol):
    """Hangs up on a client that does not send the head of a request in time.

    uvicorn has a limit for the silence between requests, but none for a request that never ends,
    and its limit of connections turns away those who come, not those who do nothing.
    """

    #: Seconds in which the head of a request must have arrived.
    header_s = 10.0
    #: Those that are idle are closed for new ones.
    open_connections = Connections(400)

    @property
    def peer(self) -> str:
        """The address of the client."""
        return self.client[0] if self.client else ""

    @property
    def is_answering(self) -> bool:
        """Whether a request is under way that has arrived whole."""
        cycle = self.cycle
        return cycle is not None and not cycle.response_complete and not cycle.more_body

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait()
        self.open_connections.add(self)

    def on_response_complete(self) -> None:
        """Begin to wait for the next one."""
        super().on_response_complete()
        self.open_connections.touch(self)
        self._waiting.cancel()
        self._wait()

    def _wait(self) -> None:
        self._waiting = asyncio.get_running_loop().call_later(self.header_s, self._check)

    def _check(self) -> None:
        answering = self.cycle is not None and not self.cycle.response_complete
        if not answering and not self.transport.is_closing():
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the client."""
        self._waiting.cancel()
        self.open_connections.drop(self)
        super().connection_lost(exc)


def app_for(served: Served, store: Store, settings: ServeSettings) -> Starlette:
    """Make the application.

    Raises:
        ModelError: The models cannot be used.
        UsageError: The sheet or the file of its slips cannot be used.
    """
    seating = read_seating(served.sheet) if served.sheet else None
    return create_app(
        # Each photo takes one thread: there are several at a time.
        Scorer(threads=1),
        store,
        settings,
        password=served.password,
        hosts=served.hosts,
        seating=seating,
        desk_password=served.desk_password,
        address=address(served.host, served.port, served.password),
        event_file=served.event,
    )


def serve(served: Served, settings: ServeSettings, say: Callable[[str], None]) -> None:
    """Serve until it is stopped; `say` is given what to print once nothing is wrong.

    Raises:
        ModelError: The models cannot be used.
        UsageError: The file, the sheet, the passwords or the port cannot be used.
    """
    store = Store(served.data)
    served = with_passwords(served, store)
    app = app_for(served, store, settings)
    with open_port(served.host, served.port) as port:
        say(welcome(served))
        uvicorn.Server(_config(app)).run(sockets=[port])


def with_passwords(served: Served, store: Store) -> Served:
    """Return the server with the passwords that its file has, where none are given; keep them.

    Raises:
        UsageError: Players would be the desk: both have one password.
    """
    player, desk = (
        given or (store.word(name) or made_password() if makes else "")
        for name, given, makes in (
            ("password", served.password, not served.open_to_all),
            ("desk password", served.desk_password, bool(served.sheet) and not served.open_to_all),
        )
    )
    if player and player == desk:
        raise UsageError(
            "Players and the desk have one password.", "Give another one with --desk-password."
        )
    for name, password in (("password", player), ("desk password", desk)):
        if password:
            store.keep_word(name, password)
    return replace(served, password=player, desk_password=desk)


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


def _config(app: Starlette) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=DroppingProtocol,
        log_level="warning",
        access_log=False,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=10,
        server_header=False,
    )
