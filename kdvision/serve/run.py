"""The server, running: its address, its password, its QR code."""

import io
import secrets
import socket
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import segno
import uvicorn
from msgspec import Struct
from msgspec.structs import replace
from starlette.applications import Starlette

from kdvision.errors import UsageError
from kdvision.pipeline.scorer import Scorer
from kdvision.serve.app import create_app
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


def address(host: str, port: int, password: str = "") -> str:
    """What phones open; of a server on all interfaces, by the address that leads elsewhere."""
    name = own_address() if host in ("0.0.0.0", "::") else host
    shown = f"[{name}]" if ":" in name else name
    query = f"?{urlencode({'password': password})}" if password else ""
    return f"http://{shown}:{port}/{query}"


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
        open_to_all: Whether no password is asked for where none is given.
    """

    host: str
    port: int
    data: Path
    password: str = ""
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
    if 0 < len(served.password) < _PASSWORD_LETTERS:
        lines.append(
            f"Warning: a password of less than {_PASSWORD_LETTERS} characters is soon guessed."
        )
    if not is_loopback(host):
        picture = io.StringIO()
        segno.make(where).terminal(picture, compact=True)
        lines.insert(1, picture.getvalue())
    return "\n".join(lines)


def app_for(served: Served, store: Store, settings: ServeSettings) -> Starlette:
    """Make the application.

    Raises:
        ModelError: The models cannot be used.
    """
    return create_app(
        # Each photo takes one thread: there are several at a time.
        Scorer(threads=1),
        store,
        settings,
        password=served.password,
        hosts=served.hosts,
    )


def serve(served: Served, settings: ServeSettings, say: Callable[[str], None]) -> None:
    """Serve until it is stopped; `say` is given what to print once nothing is wrong.

    Raises:
        ModelError: The models cannot be used.
        UsageError: The file or the port cannot be used.
    """
    store = Store(served.data)
    served = with_password(served, store)
    app = app_for(served, store, settings)
    with open_port(served.host, served.port) as port:
        say(welcome(served))
        uvicorn.Server(_config(app)).run(sockets=[port])


def with_password(served: Served, store: Store) -> Served:
    """Return the server with the password that its file has, where none is given; keep it."""
    made = "" if served.open_to_all else store.word("password") or made_password()
    password = served.password or made
    if password:
        store.keep_word("password", password)
    return replace(served, password=password)


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
        log_level="warning",
        access_log=False,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=10,
        server_header=False,
    )
